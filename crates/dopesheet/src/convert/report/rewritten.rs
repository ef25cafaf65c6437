//! Differences between a document and the same written as another variant of its format.

use crate::files::read::read_as;
use crate::registry;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::format::{AnyDocument, ReadOptions, ToScene, WriteOptions};
use dopesheet_core::model::{Basis, Blend, Clip, Scene, TargetKind, rebase};
use dopesheet_core::words::counted;
use dopesheet_motion::{Animation, Comparison, Tolerance, arrange, compare};

/// The scene of a document as a comparison needs it, with the numbers as written; `None` if the document
/// makes no scene.
pub(in crate::convert) fn carried(document: &AnyDocument) -> Option<Scene> {
    let format = document.format();
    // Text is rounded as it is written. A file that needs others has its numbers in those.
    let written = format.write(document, &WriteOptions::default()).ok();
    let read = written
        .and_then(|written| read_as(format, "", &written.main, &ReadOptions::default(), &mut |_| None).ok());
    let document = read.as_ref().map_or(document, |opened| &opened.document);
    let mut scene = document.format().to_scene(document, &ToScene::default(), &mut Report::default()).ok()?;
    rebase(&mut scene, &Basis::GLTF, None);
    if let Some(glb) = registry::by_id("glb") {
        arrange(&mut scene, &glb.info().capabilities);
    }
    Some(scene)
}

/// Reports the distance of the motions of `after` from the motions of `before`, once for each unit, if they
/// differ.
pub(in crate::convert) fn report(before: &Scene, after: &Scene, tolerance: &Tolerance, report: &mut Report) {
    for unit in [ErrorUnit::Metre, ErrorUnit::Radian, ErrorUnit::One] {
        let pairs = before.clips.iter().zip(&after.clips);
        let largest = pairs.filter_map(|(a, b)| {
            let sides = [(before, a), (after, b)].map(|(scene, clip)| Animation { scene, clip });
            largest(a, &compare(sides[0], sides[1], tolerance), unit)
        });
        if let Some((max_error, samples)) = largest.max_by(|a, b| a.0.value.total_cmp(&b.0.value)) {
            let what = format!(
                "values and times as the variant stores them, measured at {}",
                counted(samples, "time")
            );
            report.approximated(what, max_error);
        }
    }
}

/// The largest difference in a unit, and the number of sample times. Tracks that only step are left out: they
/// differ in time alone, and the format reports the difference.
fn largest(clip: &Clip, comparison: &Comparison, unit: ErrorUnit) -> Option<(MaxError, usize)> {
    let steps = |name: &str, kind: TargetKind| {
        let tracks =
            clip.tracks.iter().filter(|track| track.target.kind == kind && track.target.name == name);
        tracks
            .flat_map(|track| &track.channels)
            .flat_map(|channel| channel.composition.curves())
            .all(|curve| curve.laws.all(|law| law.blend == Blend::Step))
    };
    let tracks = comparison.tracks.iter().filter(|track| !steps(&track.target, track.kind));
    let channels = tracks.flat_map(|track| track.channels.iter().map(move |channel| (track, channel)));
    let candidates = channels.filter(|(_, channel)| channel.unit == unit && channel.limit.is_some());
    let (track, largest) = candidates.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let error = MaxError { value: largest.value, unit, target: track.target.clone(), time: largest.time };
    (largest.value > 0.0).then_some((error, comparison.samples))
}
