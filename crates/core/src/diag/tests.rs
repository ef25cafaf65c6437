use super::*;

#[test]
fn a_fault_reads_as_place_path_expected_found() {
    let fault = Fault::new("truncated", Place::Byte(ByteOffset(0x32)), "4 bytes", "2 bytes")
        .within("rotation")
        .within("[41]")
        .within("bone keys");
    assert_eq!(fault.path, "bone keys[41].rotation");
    assert_eq!(
        ReadError::new("vmd", fault).to_string(),
        "vmd: byte 0x32 (bone keys[41].rotation): expected 4 bytes, found 2 bytes"
    );
}

#[test]
fn too_many_frames_are_refused_by_their_number() {
    let kind = ConvertErrorKind::TooManyFrames { frames: 56_000_001, numbers: 96, limit: 104_166 };
    assert_eq!(
        ConvertError::new("bvh", kind).to_string(),
        "bvh: expected at most 104,166 frames with 96 numbers each, found 56,000,001 frames"
    );
}

#[test]
fn positions_are_found_in_paths_and_pointers() {
    let fault = Fault::new("c", Place::File, "x", "y").at_path("bone keys[41].rotation[3, 1].keys");
    assert_eq!((fault.position_in("bone keys"), fault.position_in("rotation")), (Some(41), Some(3)));
    assert_eq!((fault.position_in("keys"), fault.position_in("bone")), (None, None));
    let place = Place::Text { line: 1, column: 1, pointer: "/nodes/0/keys/41/t".into() };
    let fault = Fault::new("c", place, "x", "y").at_path("node 0 \"keys[7]\", key 41, t");
    assert_eq!((fault.position_in("nodes"), fault.position_in("keys")), (Some(0), Some(41)));
    assert_eq!(fault.position_in("t"), None);
}

#[test]
fn a_text_fault_shows_its_pointer() {
    let place = Place::Text { line: 3, column: 7, pointer: "/animation/nodes/0".into() };
    let fault = Fault::new("pc-node", place, "an object", "a number");
    assert_eq!(
        fault.to_string(),
        "line 3, column 7 (/animation/nodes/0): expected an object, found a number"
    );
}

#[test]
fn rotations_that_are_turned_further_move_points_further_and_are_said_once() {
    let error = |value, unit| MaxError { value, unit, target: "hand".into(), time: Seconds(1.0) };
    let mut report = Report::default();
    report.approximated(format!("rotation, {PRECISION}"), error(2e-6, ErrorUnit::Radian));
    report.bounded("each joint by itself, up to 50 cm", error(3e-6, ErrorUnit::Metre), Some(4e-6));
    report.approximated("translation: 1 channel", error(1e-6, ErrorUnit::Metre));
    report.turned_further("rotations by component", error(2e-5, ErrorUnit::Radian), 0.5);
    let errors: Vec<(f64, Option<f64>)> = report
        .losses
        .iter()
        .filter_map(|loss| match loss {
            Loss::Approximated { max_error, bound, .. } => Some((max_error.value, *bound)),
            _ => None,
        })
        .collect();
    assert_eq!(errors, [(2e-6, None), (3e-6 + 1e-5, Some(4e-6 + 1e-5)), (1e-6, None), (2e-5 + 2e-6, None)]);
}

#[test]
fn a_bound_that_nothing_was_measured_beside_is_said_to_be_one() {
    let mut report = Report::default();
    report.proved("model space", 9.6e-5, ErrorUnit::Metre);
    assert_eq!(report.losses[0].to_string(), "approximated: model space; at most 0.096 mm off, by its bound");
    let turned = MaxError { value: 1e-4, unit: ErrorUnit::Radian, target: "hand".into(), time: Seconds(1.0) };
    report.turned_further("rotations by component", turned, 0.03);
    assert!(matches!(report.losses[0], Loss::Bounded { bound, .. } if bound == 9.6e-5 + 1e-4 * 0.03));
}

#[test]
fn a_verdict_says_in_a_line_what_is_to_be_looked_at() {
    let measure = |kind: MeasureKind, bone: &str, value: f64| Measure {
        kind,
        bone: bone.into(),
        time: Seconds(1.2),
        value,
        least: 0.0,
        source: 0.0,
    };
    let told = |measures: &[Measure]| {
        let verdict = Verdict { clip: 0, measures: measures.to_vec() };
        (verdict.judgement(), verdict.to_string())
    };
    let arm = |degrees: f64| measure(MeasureKind::Arms, "leftUpperArm", degrees.to_radians());
    let slide = |value: f64| measure(MeasureKind::Slides, "rightFoot", value);
    let depth = |value, source| Measure { source, ..measure(MeasureKind::Depth, "leftHand", value) };
    let good = "good: poses as in the source, feet stand still, nothing below the floor";
    assert_eq!(told(&[arm(4.9), slide(0.004), depth(-0.2, 0.0)]), (Judgement::Good, good.into()));
    let lying = "good: poses as in the source, nothing deeper below the floor than 6 cm";
    assert_eq!(told(&[depth(0.01, 0.05)]), (Judgement::Good, lying.into()));
    let deep = "look at it: left hand 14 cm below the floor at 1.200 s (5 cm in the source)";
    assert_eq!(told(&[arm(1.0), depth(0.09, 0.05)]), (Judgement::LookAtIt, deep.into()));
    let worst =
        "bad: left upper arm 90° off at 1.200 s, right foot slides 4 cm from 1.200 s on (0 mm in the source)";
    assert_eq!(told(&[slide(0.04), arm(90.0)]), (Judgement::Bad, worst.into()));
    let built = Measure { least: 0.6, ..measure(MeasureKind::Feet, "leftFoot", 0.61) };
    assert_eq!(told(&[built]), (Judgement::LookAtIt, "look at it: left foot 35° off throughout".into()));
    let sole = measure(MeasureKind::Soles, "leftToes", -0.05);
    assert_eq!(told(&[sole]).1, "look at it: left toes stand 5 cm below the floor at 1.200 s");
}

#[test]
fn a_foot_that_is_off_the_ground_complains_once() {
    let metres = |kind: MeasureKind, bone: &str, value: f64| Measure {
        kind,
        bone: bone.into(),
        time: Seconds(1.2),
        value,
        least: 0.0,
        source: 0.0,
    };
    let sunk = |sole: &str, slide: &str| {
        let measures = [
            metres(MeasureKind::Depth, "rightToes", 0.38),
            metres(MeasureKind::Soles, sole, -0.37),
            metres(MeasureKind::Slides, slide, 0.05),
        ];
        Verdict { clip: 0, measures: measures.to_vec() }
    };
    let depth = "right toes 38 cm below the floor at 1.200 s";
    assert_eq!(sunk("rightToes", "rightFoot").reason(), depth);
    assert_eq!(sunk("rightToes", "rightFoot").complaints().len(), 3);
    let sole = "left toes stand 37 cm below the floor at 1.200 s";
    assert_eq!(sunk("leftToes", "rightFoot").reason(), format!("{depth}, {sole}"));
}
