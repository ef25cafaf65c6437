//! The subject of each finding of `check` exists: a row of the dope sheet, and a key of that.

use dopesheet::{Opened, ReadOptions, Report, core::diag::Subject};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{Clip, Scene};
use dopesheet_motion::native_parts;
use std::path::{Path, PathBuf};

/// Findings that are about something that moves, and of those the ones with a time, among all fixtures: at least.
const ABOUT_SOMETHING: usize = 150;
const AT_A_TIME: usize = 70;
/// Places that are keys, or events and markers, in the words of any format.
const KEYS: [&str; 7] = ["keys[", "/keys/", "m_Curve[", ".events[", "markers[", "m_Events[", " at key "];
/// Text that a clip has no motion for: what is packed, of the editor alone, in animations that others stretch, or not played.
const BEYOND: [&str; 4] = ["m_EditorCurves", "m_EulerEditorCurves", "subLayers[", "IK bones["];

/// Faults that keep a key or a curve out of the clip, or that are found where there is no key.
const NOT_PLAYED: [&str; 16] = [
    "bvh-channels-missing",
    "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
    "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS",
    "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
    "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
    "vrma-expression-channel",
    "vrma-pointer",
    "mmd-nonfinite",
    "mmd-frame-far",
    "mmd-frame-huge",
    "displacement-kind",
    "duplicate-track-name",
    "terminate-false",
    "trailing-nul",
    "pc-w-component-missing",
    "anim-empty-curve",
];

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, out),
            false => out.push(path),
        }
    }
}

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    for folder in ["formats", "samples"] {
        files(&root.join(folder), &mut all);
    }
    all.retain(|path| {
        let text = path.to_string_lossy().replace('\\', "/");
        text.contains("/fixtures/") || text.contains("/samples/")
    });
    all.sort();
    all
}

fn scene(opened: &Opened) -> Option<Scene> {
    let options = ToScene { as_stored: true, ..ToScene::default() };
    opened.format().to_scene(&opened.document, &options, &mut Report::default()).ok()
}

/// Times of keys of a row, or why there is no such row.
fn times(clip: &Clip, subject: &Subject) -> Result<Vec<f64>, String> {
    let Some(target) = &subject.target else {
        let markers = clip.markers.iter().map(|marker| marker.time.0);
        let curves =
            clip.tracks.iter().flat_map(|track| &track.channels).flat_map(|c| c.composition.curves());
        return Ok(markers.chain(curves.flat_map(|curve| curve.times.iter().map(|time| time.0))).collect());
    };
    let mut tracks = clip.tracks.iter().filter(|track| track.target.label() == target).peekable();
    if tracks.peek().is_none() {
        return Err(format!("no target {target:?}"));
    }
    let mut keys = None;
    for (name, curves) in tracks.flat_map(|track| &track.channels).flat_map(native_parts) {
        if subject.channel.as_ref().is_none_or(|channel| channel == name) {
            let own = curves.iter().flat_map(|curve| curve.times.iter().map(|time| time.0));
            keys.get_or_insert_with(Vec::new).extend(own);
        }
    }
    keys.ok_or_else(|| format!("no channel {:?} of {target:?}", subject.channel))
}

#[test]
fn findings_lead_to_rows_and_keys_that_are_there() {
    let (mut about, mut timed, mut faults) = (0, 0, Vec::new());
    for path in fixtures() {
        let Ok(opened) = dopesheet::open(&path, None, &ReadOptions::default()) else { continue };
        let Some(scene) = scene(&opened) else { continue };
        for finding in dopesheet::check(&opened).findings {
            let text = format!("{}: {} {}", path.display(), finding.fault.code, finding.fault);
            let is_beyond = BEYOND.iter().any(|word| text.contains(word));
            let is_played = !is_beyond && !NOT_PLAYED.contains(&finding.fault.code);
            let Some(subject) = &finding.subject else {
                if !is_beyond && KEYS.iter().any(|word| text.contains(word)) {
                    faults.push(format!("nothing: {text}"));
                }
                continue;
            };
            about += 1;
            timed += usize::from(subject.time.is_some());
            let Some(clip) = scene.clips.get(subject.clip) else {
                faults.push(format!("no clip {}: {text}", subject.clip));
                continue;
            };
            match times(clip, subject) {
                Err(why) if is_played => faults.push(format!("{why}: {text}")),
                Ok(keys)
                    if is_played
                        && subject
                            .time
                            .is_some_and(|time| keys.iter().all(|key| (key - time.0).abs() > 1e-6)) =>
                {
                    faults.push(format!("no key at {:?}: {text}", subject.time));
                }
                _ => {}
            }
        }
    }
    assert!(about >= ABOUT_SOMETHING && timed >= AT_A_TIME, "{about} findings, {timed} of them at a time");
    assert!(faults.is_empty(), "{} of {about}:\n{}", faults.len(), faults.join("\n"));
}
