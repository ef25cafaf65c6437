//! Edits of recordings of a head, hands and a gaze, all of which stand in the world.

use crate::edit::formats::{edited, opened, shift, written};
use dopesheet::core::model::TargetKind;
use dopesheet::edit::{Kept, Length, Move, Operation, Way};
use dopesheet::formats::mrtk2::animation::{AnyCurve, CurveName, Document, Hands, NumberCurve};
use dopesheet::sample::{SampledChannel, SampledTrack};
use dopesheet::times::TimeValue;
use dopesheet::{ClipChoice, Opened, SampleOptions, TimeSpec, sample};
use dopesheet_testkit::{bytes, workspace};

fn hands() -> Opened {
    let path = workspace().join("samples/hands.bin");
    opened(&path, &bytes(&path)).unwrap()
}

fn document(file: &Opened) -> &Document {
    file.document.get::<Document>().unwrap()
}

fn numbers(file: &Opened) -> Vec<(CurveName, &NumberCurve)> {
    let number = |(name, curve)| match curve {
        AnyCurve::Number(curve) => Some((name, curve)),
        AnyCurve::Switch(_) => None,
    };
    document(file).curves().filter_map(number).collect()
}

/// Values of each target at some times, by its name and channel.
fn sampled(file: &Opened) -> Vec<(String, String, Vec<f64>)> {
    let times = TimeSpec::List([0.3, 1.7, 2.45, 4.9].map(TimeValue::Seconds).to_vec());
    let sampled = sample(file, &SampleOptions::at(times)).unwrap();
    let channels = |track: &SampledTrack| {
        let own =
            |channel: &SampledChannel| (track.target.clone(), channel.name.clone(), channel.values.clone());
        track.channels.iter().map(own).collect::<Vec<_>>()
    };
    sampled.tracks.iter().flat_map(channels).collect()
}

#[test]
fn a_recording_is_moved_whole_with_its_head_hands_and_gaze() {
    let by = Way([Length::Metres(1.0), Length::Units(0.0), Length::Units(0.0)]);
    let (before, after) = (hands(), edited(&hands(), &[Operation::Move(Move { by, ..Move::default() })]));
    let mut moved = 0;
    for ((name, old), (_, new)) in numbers(&before).into_iter().zip(numbers(&after)) {
        let goes = matches!(name, CurveName::Pose(_, 0) | CurveName::Gaze(0));
        let by = if goes { 1.0 } else { 0.0 };
        let expected: Vec<(f32, f32)> =
            old.keys.iter().map(|key| (key.time, (f64::from(key.value) + by) as f32)).collect();
        let found: Vec<(f32, f32)> = new.keys.iter().map(|key| (key.time, key.value)).collect();
        assert_eq!(found, expected, "{name}");
        moved += usize::from(goes && !found.is_empty());
    }
    assert_eq!(moved, 54, "the head, 52 joints and the gaze");
    assert!(
        after.report.losses.iter().all(|loss| matches!(loss, dopesheet::Loss::Kept { .. })),
        "{:?}",
        after.report.losses
    );
}

#[test]
fn a_recording_is_turned_whole_with_all_directions() {
    let turn = Operation::Move(Move { turn_deg: 90.0, ..Move::default() });
    // To the left of what looks along Z with X to its right.
    let turned = |v: [f64; 3]| [-v[2], v[1], v[0]];
    let forward = |q: &[f64]| {
        let [x, y, z, w] = [q[0], q[1], q[2], q[3]];
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)]
    };
    let (before, after) = (sampled(&hands()), sampled(&edited(&hands(), &[turn])));
    assert_eq!(before.len(), after.len());
    let mut compared = 0;
    for ((target, channel, old), (_, _, new)) in before.iter().zip(&after) {
        let unit = |q: &[f64]| {
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
            q.iter().map(|x| x / length).collect::<Vec<f64>>()
        };
        let width = if channel == "rotation" { 4 } else { 3 };
        if ["tracked", "pinch"].contains(&&**channel) || old.iter().all(|x| *x == 0.0) {
            continue;
        }
        for (old, new) in old.chunks_exact(width).zip(new.chunks_exact(width)) {
            let [expected, found] = match width {
                4 => [turned(forward(&unit(old))), forward(&unit(new))],
                _ => [turned([old[0], old[1], old[2]]), [new[0], new[1], new[2]]],
            };
            let apart = expected.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 2e-6, "{target} {channel}: {expected:?} and {found:?}");
            compared += 1;
        }
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn a_factor_that_would_change_the_size_of_hands_is_refused() {
    let scale = Operation::Move(Move { scale: Some(1.5), ..Move::default() });
    let refused = dopesheet::edit(hands(), &[scale], &ClipChoice::All).unwrap_err().to_string();
    assert!(refused.contains("leave --scale out"), "{refused}");
}

fn kinds(kinds: &[TargetKind]) -> Kept {
    Kept { kinds: kinds.to_vec(), ..Kept::default() }
}

fn named(name: &str) -> Kept {
    Kept { names: vec![name.parse().unwrap()], ..Kept::default() }
}

#[test]
fn parts_of_a_recording_that_are_dropped_leave_no_flag_for_a_head_or_hands_at_the_origin() {
    use TargetKind::{Camera, Hand, Joint};
    for (operation, flags) in [
        (Operation::Drop(kinds(&[Camera])), [0, 1, 1]),
        (Operation::Drop(named("Gaze")), [1, 1, 0]),
        (Operation::Drop(kinds(&[Hand, Joint])), [1, 0, 0]),
        (Operation::Select(kinds(&[Camera])), [1, 0, 0]),
        (Operation::Select(named("Gaze")), [0, 0, 1]),
        (Operation::Select(named("Left_*")), [0, 1, 0]),
    ] {
        let made = written(&edited(&hands(), std::slice::from_ref(&operation)));
        assert_eq!(made[16..19], flags, "{operation:?}");
    }
}

#[test]
fn hands_that_are_tracked_without_any_joint_are_told() {
    let made = edited(&hands(), &[Operation::Drop(kinds(&[TargetKind::Joint]))]);
    let told =
        made.report.findings.iter().filter(|found| found.to_string().contains("at the origin")).count();
    assert_eq!(told, 2, "{:?}", made.report.findings);
}

#[test]
fn parts_of_a_recording_that_never_had_keys_keep_their_flags() {
    let mut empty = document(&hands()).clone();
    empty.hands = Some(Box::new(Hands::default()));
    let mut file = hands();
    *file.document.get_mut::<Document>().unwrap() = empty;
    let file = opened("empty.bin".as_ref(), &written(&file)).unwrap();
    let made = written(&edited(&file, &[shift(TimeValue::Seconds(1.0))]));
    assert_eq!(made[16..19], [1, 1, 1]);
}
