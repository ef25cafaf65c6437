//! Clips of others on avatars of others, from the folders that `DOPESHEET_CLIPS` and `DOPESHEET_AVATARS` name: `cargo xtask interop pairs`.
#![allow(clippy::print_stdout, reason = "the task shows what was found")]
#![cfg(all(feature = "bvh", feature = "mmd", feature = "gltf", feature = "numpy", feature = "research"))]

use crate::onto::verdicts::{Actor, Fault, actors, faults, files_below};
use dopesheet::Opened;
use dopesheet_testkit::note_skip;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Number of pairs that are tried.
const PAIRS: usize = 200;

/// The figures in the folder that a variable names, and what else is there.
fn named(variable: &str) -> Option<Vec<(Opened, Actor)>> {
    let Some(folder) = std::env::var_os(variable) else {
        note_skip(&format!("no folder of figures (set {variable})"));
        return None;
    };
    let (figures, others) = actors(&files_below(folder.as_ref()));
    println!("{variable}: {} human figures; left out: {}", figures.len(), others.len());
    others.iter().for_each(|own| println!("  {own}"));
    Some(figures)
}

#[test]
#[ignore = "cargo xtask interop pairs"]
fn clips_of_others_on_avatars_of_others_look_and_stand_as_they_do_or_it_is_told() {
    let (Some(mut clips), Some(avatars)) = (named("DOPESHEET_CLIPS"), named("DOPESHEET_AVATARS")) else {
        return;
    };
    // Poses have no motion to compare.
    clips.retain(|(_, actor)| actor.end() > 0.0);
    assert!(!clips.is_empty() && !avatars.is_empty(), "{} clips, {} avatars", clips.len(), avatars.len());
    // Clips spread evenly over the sorted list, each with the next avatar.
    let count = PAIRS.min(clips.len() * avatars.len());
    let pair = |n: usize| (&clips[n * clips.len() / count], &avatars[n % avatars.len()]);
    println!(
        "{count} pairs: clip n · {} / {count} of the sorted list with avatar n % {}",
        clips.len(),
        avatars.len()
    );
    let judged: Vec<_> = (0..count).into_par_iter().map(|n| faults(pair(n).0, pair(n).1)).collect();
    let (animals, mut wrong): (Vec<String>, Vec<String>) = judged
        .iter()
        .filter_map(|own| own.clone().err())
        .partition(|error| error.contains("an animal on four legs"));
    let (told, untold): (Vec<&Fault>, Vec<&Fault>) =
        judged.iter().flatten().flatten().partition(|own| own.is_told);
    wrong.extend(untold.iter().map(|own| own.text.clone()));
    let mut kinds = BTreeMap::<&str, usize>::new();
    for Fault { kind, text, .. } in told {
        *kinds.entry(kind).or_default() += 1;
        println!("{text}");
    }
    println!("{} refused as animals; faults that a warning tells, by kind: {kinds:?}", animals.len());
    assert!(wrong.is_empty(), "{} faults that nothing tells:\n{}", wrong.len(), wrong.join("\n"));
}
