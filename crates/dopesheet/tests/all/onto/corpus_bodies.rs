//! Motions of others on bodies of others, from the corpus: limbs point where those of the source do, and feet stand where they stand.
#![cfg(all(feature = "bvh", feature = "mmd", feature = "gltf", feature = "numpy", feature = "research"))]

use crate::onto::verdicts::{Actor, actors, faults, files_below};
use dopesheet::{ConvertOptions, Opened, ReadOptions, convert, open, registry};
use dopesheet_testkit::{corpus, files};
use rayon::prelude::*;

/// One pair in so many is tried.
const EVERY: usize = 3;

fn wild(folder: &str) -> Option<Vec<(Opened, Actor)>> {
    Some(actors(&files_below(&corpus(&format!("wild/{folder}"))?)).0)
}

#[test]
#[ignore = "costly"]
fn motions_of_others_on_bodies_of_others_look_and_stand_as_they_do_or_it_is_told() {
    let (Some(bvh), Some(motions), Some(bodies)) = (wild("bvh"), wild("motions"), wild("bodies")) else {
        return;
    };
    // Poses have no motion to compare.
    let sources: Vec<&(Opened, Actor)> =
        bvh.iter().chain(&motions).filter(|(_, actor)| actor.end() > 0.0).collect();
    let targets: Vec<&(Opened, Actor)> = bodies.iter().chain(bvh.iter().step_by(5)).collect();
    assert!(sources.len() >= 30 && targets.len() >= 14, "{} {}", sources.len(), targets.len());
    let all = sources.iter().enumerate().flat_map(|(n, source)| {
        let own = targets.iter().enumerate().filter(move |(m, _)| (n + m) % EVERY == 0);
        own.map(move |(_, target)| (*source, *target))
    });
    // A motion of MikuMikuDance goes to a model by names.
    let is_bound = |(source, target): &(&(Opened, Actor), &(Opened, Actor))| {
        source.1.name.ends_with(".vmd") && target.1.name.ends_with(".pmx")
    };
    let pairs: Vec<_> = all.filter(|pair| !is_bound(pair)).collect();
    let faults: Vec<_> = pairs.par_iter().map(|(source, target)| faults(source, target)).collect();
    let (judged, refused): (Vec<_>, Vec<_>) = faults.into_iter().partition(Result::is_ok);
    let is_animal =
        |own: &Result<_, String>| own.as_ref().is_err_and(|error| error.contains("an animal on four legs"));
    assert!(refused.iter().all(is_animal), "{refused:?}");
    assert!(judged.len() >= 180 && refused.len() <= 40, "{} of {}", judged.len(), pairs.len());
    let told = judged.iter().filter(|own| own.as_ref().is_ok_and(|own| !own.is_empty())).count();
    let (_, untold): (Vec<_>, Vec<_>) = judged.iter().flatten().flatten().partition(|own| own.is_told);
    let untold: Vec<&str> = untold.iter().map(|own| own.text.as_str()).collect();
    assert!(untold.is_empty(), "{}", untold.join("\n"));
    println!("{} pairs, of {told} it is told what is off", judged.len());
    assert!(told * 4 <= judged.len(), "{told} of {}", judged.len());
}

#[test]
fn no_animal_is_taken_for_a_human() {
    let Some(folder) = corpus("wild/nonhuman") else { return };
    let to = registry::by_id("vrma").unwrap();
    let all = files(&folder, &["glb"], 2);
    for path in &all {
        let refused = convert(&[open(path, None, &ReadOptions::default()).unwrap()], &ConvertOptions::to(to))
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(refused.contains("of a humanoid"), "{refused}");
    }
    assert_eq!(all.len(), 2);
}
