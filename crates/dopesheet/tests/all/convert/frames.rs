//! Motion capture beside other formats: poses on frames, and the shortest rotation in between.
#![cfg(all(feature = "bvh", feature = "gltf"))]

use dopesheet::{
    Conversion, ConvertOptions, DiffOptions, Loss, Opened, ReadOptions, SampleOptions, TimeSpec, convert,
    diff, registry, sample, sample::Axes, times::RangeSpec,
};
use std::fmt::Write as _;

/// A figure that turns around twice, with angles from -180 to 180, and lifts an arm over its pole.
fn turning() -> Opened {
    let mut text = String::from(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
         JOINT Arm\n{\nOFFSET 20 40 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 50 0 0\n}\n}\n}\n\
         MOTION\nFrames: 121\nFrame Time: 0.0083333\n",
    );
    for frame in 0..=120 {
        let turn = (f64::from(frame) * 6.0 + 179.0 + 180.0).rem_euclid(360.0) - 180.0;
        // The same rotation in two ways, frame by frame.
        let arm = f64::from(frame) * 1.5;
        let [z, y, x] = if frame % 2 == 0 { [10.0, arm, 20.0] } else { [-170.0, 180.0 - arm, -160.0] };
        writeln!(text, "0 90 0 0.5 3 {turn} {z} {y} {x}").unwrap();
    }
    read("turning.bvh", text.as_bytes())
}

fn read(name: &str, bytes: &[u8]) -> Opened {
    dopesheet::read(name, bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn to(source: &Opened, id: &str, set: impl Fn(&mut ConvertOptions<'_>)) -> Conversion {
    let mut options = ConvertOptions::to(registry::by_id(id).unwrap());
    set(&mut options);
    convert(&[source], &options).unwrap()
}

/// The numbers of a channel of a joint at some times.
fn sampled(opened: &Opened, joint: &str, channel: &str, axes: Axes, times: &str) -> Vec<f64> {
    let options = SampleOptions { axes, ..SampleOptions::at(TimeSpec::parse_list(times).unwrap()) };
    let sampled = sample(opened, &options).unwrap();
    let track = sampled.tracks.iter().find(|track| track.target == joint).unwrap();
    track.channels.iter().find(|own| own.name == channel).unwrap().values.clone()
}

#[test]
fn a_capture_becomes_glb_with_the_keys_of_its_frames_and_nothing_else() {
    let source = turning();
    let made = to(&source, "glb", |_| {});
    let off: Vec<_> =
        made.report.report.losses.iter().filter(|loss| matches!(loss, Loss::Approximated { .. })).collect();
    assert!(off.is_empty(), "{off:?}");
    assert!(
        made.report
            .report
            .losses
            .iter()
            .any(|loss| matches!(loss, Loss::Kept { what } if what == "rotation: 2 channels, 242 keys")),
        "{:?}",
        made.report.report.losses
    );
    let back = read("turning.glb", &made.output.main);
    let found = diff(&source, &back, &DiffOptions::default()).unwrap().comparison;
    let worst = found.tracks.iter().map(|track| track.share()).fold(0.0, f64::max);
    assert!(worst < 0.01, "{worst} of the tolerance");
}

#[test]
fn angles_stay_literal_with_raw_keys() {
    let source = turning();
    // From frame 0 to 1 the hips turn from 179° to -175°: on by 6°, or back by 354°.
    let half = |set: fn(&mut ConvertOptions<'_>)| {
        let back = read("x.glb", &to(&source, "glb", set).output.main);
        let [_, y, _, w] = sampled(&back, "Hips", "rotation", Axes::Gltf, "0.0041666667")[..] else {
            panic!("four numbers")
        };
        (2.0 * y.atan2(w)).to_degrees().rem_euclid(360.0)
    };
    assert!((half(|_| {}) - 182.0).abs() < 0.1);
    let literal = half(|options| options.raw = true);
    assert!((literal - 2.0).abs() < 0.1, "{literal}");
}

#[test]
fn native_angles_are_those_of_the_file_on_frames_and_of_the_rotation_between_them() {
    let angles = sampled(&turning(), "Hips", "angles_deg", Axes::Native, "0f,0.5f,1f");
    let about_y: Vec<f64> = angles.chunks(3).map(|row| row[1]).collect();
    assert_eq!((about_y[0], about_y[2]), (179.0, -175.0));
    assert!((about_y[1] - 182.0).abs() < 1e-6, "{about_y:?}");
}

#[test]
fn frames_of_a_capture_keep_their_numbers_on_the_way_through_a_scene() {
    let source = turning();
    let made = to(&source, "bvh", |options| options.range = RangeSpec::parse("10f:50f").ok());
    let rows = |bytes: &[u8]| -> Vec<Vec<f64>> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let (_, motion) = text.split_once("Frame Time: ").unwrap();
        motion.lines().skip(1).map(|row| row.split(' ').map(|x| x.parse().unwrap()).collect()).collect()
    };
    let all = rows(&to(&source, "bvh", |_| {}).output.main);
    let cut = rows(&made.output.main);
    assert_eq!((all.len(), cut.len()), (121, 41));
    for (own, other) in all[10..=50].iter().flatten().zip(cut.iter().flatten()) {
        assert!((own - other).abs() < 1e-4, "{own} {other}");
    }
}
