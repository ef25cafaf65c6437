//! Recordings of WebXR, and those of MRTK2 as such and back.
#![cfg(all(feature = "mrtk2", feature = "gltf"))]

use dopesheet::core::diag::{Loss, Report};
use dopesheet::core::model::{HAND_JOINTS, TargetKind};
use dopesheet::{
    Conversion, ConvertOptions, Opened, ReadOptions, SampleOptions, TimeSpec, Tolerance, convert, open,
    registry, sample, sample::Axes, sample::Sampled, sample::Space,
};
use dopesheet_curve::{quat_angle, quat_normalise_or_identity};
use dopesheet_testkit::workspace;

fn opened(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn converted(from: &Opened, to: &str) -> (Opened, Conversion) {
    let format = registry::by_id(to).unwrap();
    let made = convert(std::slice::from_ref(from), &ConvertOptions::to(format)).unwrap();
    let name = format!("made.{}", format.info().extensions[0]);
    let read = dopesheet::read(&name, &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
    assert_eq!(read.format().info().id, to);
    (read, made)
}

fn in_the_world(opened: &Opened) -> Sampled {
    let options =
        SampleOptions { axes: Axes::Gltf, space: Space::Model, ..SampleOptions::at(TimeSpec::Rate(97.0)) };
    sample(opened, &options).unwrap()
}

/// Largest distance (metres) and angle (radians) of the joints of a hand, by MRTK2's names on one side and WebXR's on the other, at
/// times for which `counts`.
fn apart(mrtk2: &Sampled, webxr: &Sampled, side: &str, counts: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut length, mut angle, mut joints) = (0.0f64, 0.0f64, 0);
    for joint in HAND_JOINTS {
        let Some(own) = joint.webxr else { continue };
        let title = if side == "left" { "Left" } else { "Right" };
        let names = [format!("{title}_{}", joint.mrtk2), format!("{side}-{own}")];
        let [a, b] = [(mrtk2, &names[0]), (webxr, &names[1])].map(|(sampled, name)| {
            sampled.tracks.iter().find(|track| track.target == *name).unwrap_or_else(|| panic!("{name}"))
        });
        for (row, time) in mrtk2.times_s.iter().enumerate().take(webxr.times_s.len()) {
            if !counts(*time) {
                continue;
            }
            let place = |n: usize| a.channels[0].values[row * 3 + n] - b.channels[0].values[row * 3 + n];
            let turn = |track: &sample::SampledTrack| {
                quat_normalise_or_identity(std::array::from_fn(|n| track.channels[1].values[row * 4 + n]))
            };
            length = length.max((place(0).powi(2) + place(1).powi(2) + place(2).powi(2)).sqrt());
            angle = angle.max(quat_angle(turn(a), turn(b)));
        }
        joints += 1;
    }
    assert_eq!(joints, 25);
    (length, angle)
}

/// True of a difference that the tolerance of a conversion allows at 3 cm around a joint, which is what its errors mean.
fn is_allowed((length, angle): (f64, f64)) -> bool {
    length + Tolerance::SHELL_M * angle <= Tolerance::DEFAULT.length_m
}

fn dropped(made: &Conversion) -> String {
    let losses = made.report.report.losses.iter().filter_map(|loss| match loss {
        Loss::Dropped { what, why } => Some(format!("{what}: {why}")),
        _ => None,
    });
    losses.collect::<Vec<_>>().join("\n")
}

fn findings(report: &Report) -> String {
    report.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn hands_of_mrtk2_are_where_they_were_as_a_recording_of_webxr() {
    let hands = opened("hands.bin");
    let (recording, made) = converted(&hands, "iwer");
    let (before, after) = (in_the_world(&hands), in_the_world(&recording));
    let off = apart(&before, &after, "right", |_| true);
    assert!(is_allowed(off), "{off:?}");
    let off = apart(&before, &after, "left", |time| (1.1..5.0).contains(&time));
    assert!(is_allowed(off), "{off:?}");
    insta::assert_snapshot!(format!("{}\n\n{}", dropped(&made), findings(&made.report.report)));
    assert!(dopesheet::check(&recording).findings.is_empty());
}

#[test]
fn hands_of_webxr_are_where_they_were_as_a_recording_of_mrtk2() {
    let pinch = opened("pinch.json");
    let (recording, made) = converted(&pinch, "mrtk2");
    let off = apart(&in_the_world(&recording), &in_the_world(&pinch), "right", |_| true);
    assert!(is_allowed(off), "{off:?}");
    insta::assert_snapshot!(format!("{}\n\n{}", dropped(&made), findings(&made.report.report)));
}

#[test]
fn a_recording_as_glb_comes_back_as_one() {
    let pinch = opened("pinch.json");
    let (glb, _) = converted(&pinch, "glb");
    let (again, _) = converted(&glb, "iwer");
    let (before, after) = (in_the_world(&pinch), in_the_world(&again));
    assert_eq!(before.times_s, after.times_s);
    for track in &before.tracks {
        let Some(other) = after.tracks.iter().find(|own| own.target == track.target) else {
            panic!("{}", track.target)
        };
        let pairs = track.channels[0].values.iter().zip(&other.channels[0].values);
        let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{} {worst}", track.target);
    }
}

fn mirrored(file: &Opened) -> Opened {
    use dopesheet::edit::{Mirror, Operation};
    let mirror = [Operation::Mirror(Mirror::default())];
    dopesheet::edit(file.clone(), &mirror, &dopesheet::ClipChoice::All).unwrap()
}

#[test]
fn hands_are_mirrored_with_their_numbers() {
    let both = converted(&opened("hands.bin"), "iwer").0;
    let numbers = |file: &Opened, side: &str| -> Vec<Vec<f64>> {
        let sampled = sample(file, &SampleOptions::at(TimeSpec::Rate(30.0))).unwrap();
        let own = sampled.tracks.into_iter().filter(|track| {
            !matches!(track.kind, TargetKind::Joint | TargetKind::Camera) && track.target.starts_with(side)
        });
        own.flat_map(|track| track.channels.into_iter().map(|channel| channel.values)).collect()
    };
    let pinch = opened("pinch.json");
    for (file, sides) in
        [(&both, &[("left", "right"), ("right", "left")][..]), (&pinch, &[("right", "left")])]
    {
        let made = mirrored(file);
        let losses = &made.report.losses;
        assert!(losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{losses:?}");
        for (side, other) in sides {
            let (before, after) = (numbers(file, side), numbers(&made, other));
            assert!(before.len() >= 25, "{before:?}");
            assert_eq!(before, after);
        }
    }
}

/// A recording of one hand has no other one to exchange with: all that it has becomes the other one's.
#[test]
fn one_hand_without_the_other_changes_sides() {
    let pinch = opened("pinch.json");
    for (file, sides) in [(converted(&pinch, "mrtk2").0, ["Right_", "Left_"]), (pinch, ["right-", "left-"])] {
        let made = mirrored(&file);
        let write = |file: &Opened| file.format().write(&file.document, &Default::default()).unwrap().main;
        let name = made.name.clone();
        let read = dopesheet::read(&name, &write(&made), &ReadOptions::default(), &mut |_| None).unwrap();
        let (before, after) = (in_the_world(&file), in_the_world(&read));
        let joints = before.tracks.iter().filter(|track| track.kind == TargetKind::Joint);
        let of_hand: Vec<_> = joints.filter(|track| track.target.starts_with(sides[0])).collect();
        assert!(of_hand.len() >= 25, "{name}: {}", of_hand.len());
        for own in of_hand {
            assert!(after.tracks.iter().all(|track| track.target != own.target), "{}", own.target);
            let wanted = own.target.replace(sides[0], sides[1]);
            let other = after.tracks.iter().find(|track| track.target == wanted);
            let other = other.unwrap_or_else(|| panic!("{name}: {wanted}"));
            let places = |track: &sample::SampledTrack| track.channels[0].values.clone();
            for (a, b) in places(own).chunks(3).zip(places(other).chunks(3)) {
                let apart = [a[0] + b[0], a[1] - b[1], a[2] - b[2]];
                assert!(apart.iter().all(|x| x.abs() < 1e-7), "{name}: {wanted} {a:?} {b:?}");
            }
        }
        assert!(write(&mirrored(&made)) == write(&file), "{name}: twice");
    }
}
