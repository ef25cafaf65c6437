//! The tolerance is kept, or a conversion says that it is not.

mod kit;

use dopesheet_core::diag::{Finding, Report, Severity};
use dopesheet_core::model::{Blend, Channel, Curve, Law, Property, Scene, Timing, Transform};
use dopesheet_core::units::FrameRate;
use dopesheet_motion::{Conform, arrange, conform};
use kit::*;

/// One joint that moves.
fn moving(curve: Curve, frames: i64) -> Scene {
    let mut scene = chain(&[Transform::IDENTITY]);
    let channel = Channel::whole(Property::Translation, curve);
    let duration = FrameRate::FPS_30.seconds(frames as f64);
    scene.clips.push(clip(duration.0, vec![joint("n0", 0, vec![channel])]));
    scene
}

/// What a conversion by the default tolerance finds.
fn findings(mut scene: Scene) -> Vec<Finding> {
    let mut report = Report::default();
    arrange(&mut scene, &like_gltf());
    conform(&mut scene, &like_gltf(), &Conform::default(), &mut report);
    report.findings
}

#[test]
fn what_no_key_brings_within_the_tolerance_is_a_warning() {
    let warnings = |far: f32| {
        let values: Vec<f32> = [far, 1.5 * far].iter().flat_map(|x| [*x, 0.0, 0.0]).collect();
        findings(moving(wide(frames(&[0, 30]), 3, &values, eased(Blend::Lerp)), 30))
    };
    // A thousand kilometres away numbers of single precision are 6 cm apart.
    let found = warnings(1e6);
    let [Finding { severity: Severity::Warning, fault, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(fault.code, "tolerance-exceeded");
    assert_eq!(fault.expected, "model-space at most 1.000e-4 m off (tolerance 0.1mm@3cm)");
    assert!(
        fault.found.contains("; no keys that were tried bring it nearer, 0 of 1 targets are within"),
        "{fault:?}"
    );
    assert_eq!(warnings(1.0), []);
}

#[test]
fn a_way_that_runs_vertically_into_or_out_of_a_frame_stays_within_the_tolerance() {
    // So late that only every third time of single precision beside a frame does not count as the frame.
    for (x1, y1, x2, y2) in [(0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 1.0, 1.0), (0.0, 1.0, 1.0, 0.0)] {
        let law = Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend: Blend::Lerp };
        let curve = wide(frames(&[0, 6596, 6600]), 3, &[0., 0., 0., 0., 0., 0., 1., 0., 0.], law);
        assert_eq!(findings(moving(curve, 6600)), [], "{law:?}");
    }
}
