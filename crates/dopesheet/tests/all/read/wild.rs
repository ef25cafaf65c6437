//! Motions and bodies as people have them, from the corpus and from the folder that `DOPESHEET_CLIPS` names: read, written back, converted to
//! what stands on frames, and edited, within what is stated or refused by name.
#![cfg(all(
    feature = "bvh",
    feature = "mmd",
    feature = "mrtk2",
    feature = "gltf",
    feature = "unity",
    feature = "numpy",
    feature = "research"
))]

use crate::edit::laws::{Off, Pair, Targets, told, within};
use dopesheet::core::diag::{Loss, Report};
use dopesheet::core::model::{Basis, Scene, rebase};
use dopesheet::core::units::Seconds;
use dopesheet::diff::Comparer;
use dopesheet::edit::described;
use dopesheet::motion::Tolerance;
use dopesheet::motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet::{
    ClipChoice, ConvertOptions, DiffOptions, Error, FrameRate, Opened, ReadOptions, Severity, WriteOptions,
    convert, registry,
};
use dopesheet_testkit::{corpus, files, note_skip};
use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Extensions of motions and bodies.
const EXTENSIONS: [&str; 8] = ["bvh", "glb", "vrma", "npz", "vmd", "anim", "pmx", "vrm"];

/// Files of these folders of the corpus; none where there is no corpus.
fn wild(folders: &[&str]) -> Option<Vec<PathBuf>> {
    let mut all = Vec::new();
    for folder in folders {
        all.extend(files(&corpus(&format!("wild/{folder}"))?, &EXTENSIONS, 1));
    }
    Some(all)
}

/// Clips of the folder that `DOPESHEET_CLIPS` names, if it names one.
fn clips() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("DOPESHEET_CLIPS") else {
        note_skip("no folder of clips (set DOPESHEET_CLIPS)");
        return Vec::new();
    };
    let mut clips = files(folder.as_ref(), &EXTENSIONS, 1);
    // Some are a body alone.
    clips.retain(|path| !scene(&opened(path).unwrap()).clips.is_empty());
    clips
}

fn opened(path: &Path) -> Result<Opened, Error> {
    dopesheet::open(path, None, &ReadOptions::default())
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn errors(file: &Opened) -> BTreeSet<&'static str> {
    let mut report = Report::default();
    file.format().check(&file.document, &mut report);
    let errors = report.findings.into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.fault.code).collect()
}

/// Outcomes by their kinds, with the files.
type Outcomes = BTreeMap<String, BTreeSet<String>>;

/// Outcomes of all files that are tried, side by side.
fn outcomes(paths: &[PathBuf], tried: impl Fn(&Path) -> Vec<(String, String)> + Sync) -> Outcomes {
    let mut all = Outcomes::new();
    let found: Vec<(String, Vec<(String, String)>)> =
        paths.par_iter().map(|path| (name(path), tried(path))).collect();
    for (file, (kind, what)) in
        found.into_iter().flat_map(|(file, all)| all.into_iter().map(move |own| (file.clone(), own)))
    {
        all.entry(kind).or_default().insert(format!("{file} {what}"));
    }
    all
}

/// No outcome is wrong.
fn assert_sound(outcomes: &Outcomes) {
    let wrong = outcomes.iter().filter(|(kind, _)| kind.starts_with("wrong"));
    let lines: Vec<String> =
        wrong.flat_map(|(kind, files)| files.iter().map(move |file| format!("{file}: {kind}"))).collect();
    assert!(lines.is_empty(), "{}:\n{}", lines.len(), lines.join("\n"));
}

/// Numbers of outcomes of each kind.
fn counts(outcomes: &Outcomes) -> Vec<(&str, usize)> {
    outcomes.iter().map(|(kind, files)| (kind.as_str(), files.len())).collect()
}

/// Parts of messages that refuse what makes no sense.
const REFUSALS: [&str; 10] = [
    "expected a range that ends after it starts",
    "nothing to convert",
    "expected a tolerance",
    "expected a human figure",
    "expected a range within the clip",
    "expected curves that can be divided",
    "is read only",
    "no clip",
    "more clips than one",
    "written anew",
];

fn refused(error: &Error) -> String {
    let message = error.to_string();
    let part = REFUSALS.iter().find(|part| message.contains(**part));
    part.map_or_else(|| format!("wrong: refused with {message}"), |part| format!("refused: {part}"))
}

#[test]
fn motions_and_bodies_of_others_are_written_back_byte_for_byte() {
    let Some(paths) = wild(&["bvh", "motions", "bodies", "nonhuman"]) else { return };
    let tried = |path: &Path| {
        let bytes = dopesheet_testkit::bytes(path);
        let kind = match opened(path) {
            Ok(file) => match file.format().write(&file.document, &WriteOptions::default()) {
                Ok(output) if output.main == bytes => "same".to_owned(),
                Ok(_) => "wrong: other bytes".to_owned(),
                Err(error) => format!("wrong: {error}"),
            },
            Err(error) => format!("wrong: {error}"),
        };
        vec![(kind, String::new())]
    };
    let outcomes = outcomes(&paths, tried);
    assert_sound(&outcomes);
    assert_eq!(counts(&outcomes), [("same", 62)]);
    assert_sound(&self::outcomes(&clips(), tried));
}

/// Scene of a file in metres, Y up, after the repairs that are documented, which conversions and `diff` make.
fn scene(file: &Opened) -> Scene {
    let mut report = Report::default();
    let mut scene = file.format().to_scene(&file.document, &Default::default(), &mut report).unwrap();
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

/// Transforms that move points at rest to where they are, for all nodes by name.
fn moved(scene: &Scene, time: f64) -> HashMap<&str, (DAffine3, DVec3)> {
    let rest = model_pose(scene, &rest_pose(scene)).0;
    let pose = model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time))).0;
    let nodes = scene.nodes.iter().zip(rest.iter().zip(pose)).rev();
    nodes
        .map(|(node, (rest, pose))| (node.name.as_str(), (pose * rest.inverse(), rest.translation)))
        .collect()
}

/// Largest way between points around the joints of both scenes, in metres.
fn apart(before: &Scene, after: &Scene) -> (f64, String) {
    let end = before.clips[0].end().0;
    let shell = Tolerance::SHELL_M;
    let mut most = (0.0, String::new());
    for share in 0..24 {
        let time = end * (f64::from(share) + 0.37) / 24.0;
        // A time next to a frame is that frame where there are frames.
        let frame = after.clips[0].grid.and_then(|rate| rate.grid_point(Seconds(time)));
        let time = frame.map_or(time, |frame| frame.0);
        let [old, new] = [before, after].map(|scene| moved(scene, time));
        for (name, (old, rest)) in old {
            // Positions of joints are compared as they are, and points around them by how they lie about their joint at rest.
            let Some((new, new_rest)) = new.get(name) else { continue };
            for axis in [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::ONE.normalize()] {
                let [point, new_point] = [rest, *new_rest].map(|rest| rest + shell * axis);
                let way = old.transform_point3(point).distance(new.transform_point3(new_point));
                if way > most.0 {
                    most = (way, format!("{name} at {time:.3} s"));
                }
            }
        }
    }
    most
}

/// Targets, and the rate that they are baked to.
const TARGETS: [(&str, Option<f64>); 5] =
    [("bvh", None), ("npz", None), ("mrtk2", None), ("glb", Some(30.0)), ("bvh", Some(60.0))];

fn converted(path: &Path) -> Vec<(String, String)> {
    let file = opened(path).unwrap();
    let before = scene(&file);
    let mut all = Vec::new();
    for (target, bake) in TARGETS {
        let format = registry::by_id(target).unwrap();
        let bake_rate = bake.and_then(FrameRate::from_fps);
        let options = ConvertOptions { bake: bake_rate, ..ConvertOptions::to(format) };
        let what = bake.map_or_else(|| target.to_owned(), |rate| format!("{target} --bake {rate}"));
        let kind = match convert(std::slice::from_ref(&file), &options) {
            Err(error) => refused(&error),
            Ok(made) => within_what_is_stated(&before, target, &made.output.main, &made.report.report),
        };
        all.push((kind, what));
    }
    all
}

fn within_what_is_stated(before: &Scene, target: &str, bytes: &[u8], report: &Report) -> String {
    let name = format!("x.{}", registry::by_id(target).unwrap().info().extensions[0]);
    let made = match dopesheet::read(&name, bytes, &ReadOptions::default(), &mut |_| None) {
        Ok(made) => made,
        Err(error) => return format!("wrong: cannot be read again, {error}"),
    };
    if !errors(&made).is_empty() {
        return format!("wrong: {:?}", errors(&made));
    }
    let after = scene(&made);
    if after.clips.is_empty() {
        return "nothing moves".to_owned();
    }
    // What has no place in the target is not there, and that is told.
    if report.losses.iter().any(|loss| matches!(loss, Loss::Dropped { what, .. } if what.contains("scale") || what.contains("motion of"))) {
        return "in part".to_owned();
    }
    let (most, place) = apart(before, &after);
    let stated = told(report)[0];
    match most <= stated * 1.01 + 2e-6 {
        true => "within what is stated".to_owned(),
        false => format!("wrong: {most:.3e} m ({place}), stated {:?}", told(report)),
    }
}

#[test]
fn motions_of_others_go_to_formats_of_frames_within_what_is_stated_or_are_refused() {
    let Some(paths) = wild(&["bvh", "motions"]) else { return };
    let outcomes = outcomes(&paths, converted);
    assert_sound(&outcomes);
    let expected = [("in part", 3), ("refused: nothing to convert", 50), ("within what is stated", 182)];
    assert_eq!(counts(&outcomes), expected);
    assert_sound(&self::outcomes(&clips(), converted));
}

/// Operations that are tried.
const EDITS: [&str; 3] = ["trim", "delete", "reduce"];

/// Result of an operation on a file of others: from a fifth of the motion to four fifths, where it takes a range.
fn edited_by(word: &str, path: &Path, file: &Opened, before: &Scene) -> Result<(), String> {
    let clip = &before.clips[0];
    let end = clip.end().0;
    let on_grid =
        |time: f64| clip.grid.map_or(time, |rate| rate.seconds(rate.frame(Seconds(time)).round()).0);
    let (start, stop) = (on_grid(0.2 * end), on_grid(0.8 * end));
    let options = match word {
        "reduce" => serde_json::json!({"tolerance": "1mm"}),
        _ => serde_json::json!({"range": [start, stop], "snap": true}),
    };
    let operation = described(word, &options.to_string(), Vec::new()).unwrap();
    let made = dopesheet::edit(file.clone(), &[operation], &ClipChoice::Position(0))
        .map_err(|error| refused(&error))?;
    if made.report.findings.iter().any(|finding| finding.fault.code == "written-anew") {
        return Err("refused: written anew".to_owned());
    }
    let output = made.format().write(&made.document, &WriteOptions::default()).unwrap();
    let again = dopesheet::read(&name(path), &output.main, &ReadOptions::default(), &mut |_| None)
        .map_err(|error| format!("wrong: cannot be read again, {error}"))?;
    let new: Vec<_> = errors(&again).difference(&errors(file)).copied().collect();
    if !new.is_empty() {
        return Err(format!("wrong: {new:?}"));
    }
    let after = dopesheet::edit::scene(&again).unwrap();
    let (from, later) = match word {
        "trim" => (0.0, start),
        "delete" => (start, stop - start),
        _ => (0.0, 0.0),
    };
    let pair = Pair::new([before, &after], 0, Targets::All);
    let mut most = Off::default();
    for share in 0..24 {
        let time = from + (after.clips[0].end().0 - from) * (f64::from(share) + 0.37) / 24.0;
        most.and(pair.off(time + later, time));
    }
    within(&most, told(&made.report)).map_err(|difference| format!("wrong: {difference}"))
}

fn edited(path: &Path) -> Vec<(String, String)> {
    let file = opened(path).unwrap();
    let before = dopesheet::edit::scene(&file).unwrap();
    let kind = |word| {
        edited_by(word, path, &file, &before)
            .map_or_else(|kind| kind, |()| "within what is stated".to_owned())
    };
    EDITS.into_iter().map(|word| (kind(word), word.to_owned())).collect()
}

#[test]
fn motions_of_others_are_trimmed_cut_and_reduced_within_what_is_stated() {
    let Some(paths) = wild(&["bvh", "motions"]) else { return };
    let outcomes = outcomes(&paths, edited);
    assert_sound(&outcomes);
    assert_eq!(
        counts(&outcomes),
        [
            ("refused: expected a range that ends after it starts", 6),
            ("refused: written anew", 1),
            ("within what is stated", 134)
        ]
    );
    assert_sound(&self::outcomes(&clips(), edited));
}

#[test]
fn joints_of_a_glb_of_others_and_of_its_own_bvh_are_as_far_apart_as_diff_says() {
    let Some(paths) = wild(&["motions"]) else { return };
    let is_glb = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "glb");
    let glbs: Vec<PathBuf> = paths.iter().filter(is_glb).cloned().collect();
    assert_eq!(glbs.len(), 5);
    for path in glbs.iter().chain(&clips()) {
        let file = opened(path).unwrap();
        let options = ConvertOptions::to(registry::by_id("bvh").unwrap());
        let made = convert(std::slice::from_ref(&file), &options).unwrap();
        let bvh =
            dopesheet::read("x.bvh", &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
        let comparer = Comparer::new(&file, &bvh, &DiffOptions::default()).unwrap();
        let [before, after] = [&file, &bvh].map(scene);
        let mut count = 0;
        for share in 0..24 {
            let time = before.clips[0].end().0 * (f64::from(share) + 0.37) / 24.0;
            let [old, new] = [&before, &after].map(|scene| moved(scene, time));
            for (name, distance) in comparer.joints_at(Seconds(time), 0.0) {
                let (Some((old, from)), Some((new, to))) = (old.get(name), new.get(name)) else { continue };
                let way = old.transform_point3(*from).distance(new.transform_point3(*to));
                assert!(
                    (way - distance).abs() <= 1e-6,
                    "{} {name} at {time} s: {way} m, found {distance} m",
                    path.display()
                );
                count += 1;
            }
        }
        assert!(count >= 24 * 10, "{}: {count}", path.display());
    }
}
