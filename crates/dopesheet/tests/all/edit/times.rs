//! Times of edited motions: keys of MikuMikuDance on frames, and bones that start late.
#![cfg(feature = "mmd")]

use crate::edit::formats::{edited, opened, shift, speed, written};
use dopesheet::core::format::Format;
use dopesheet::core::model::Clip;
use dopesheet::core::units::Seconds;
use dopesheet::edit::{Delete, Operation, Pace, Retime};
use dopesheet::formats::mmd::Vmd;
use dopesheet::formats::mmd::vmd::{BoneChannel, BoneKeyframe, Document, Physics};
use dopesheet::motion::{Side, channel_at};
use dopesheet::times::{RangeSpec, TimeValue};
use dopesheet::{ClipChoice, Opened, WriteOptions};
use dopesheet_testkit::{bytes, workspace};

fn sample(name: &str) -> Opened {
    opened(name.as_ref(), &bytes(&workspace().join("samples").join(name))).unwrap()
}

fn document(file: &Opened) -> &Document {
    file.document.get().unwrap()
}

fn read_again(file: &Opened) -> Opened {
    opened(file.name.as_ref(), &written(file)).unwrap()
}

fn clip(file: &Opened) -> Clip {
    dopesheet::edit::scene(&read_again(file)).unwrap().clips.remove(0)
}

fn losses(file: &Opened) -> Vec<String> {
    file.report.losses.iter().map(ToString::to_string).collect()
}

#[test]
fn another_speed_puts_the_same_keys_of_a_vmd_on_the_nearest_frames() {
    for name in ["walk.vmd", "bow.vmd"] {
        let file = sample(name);
        let slow = edited(&file, &[speed(0.8)]);
        let (before, after) = (document(&file), document(&slow));
        assert_eq!(before.bones.len(), after.bones.len(), "{name}: {:?}", losses(&slow));
        assert_eq!(before.morphs.len(), after.morphs.len(), "{name}");
        for (old, new) in before.bones.iter().zip(&after.bones) {
            assert_eq!(f64::from(new.frame), (f64::from(old.frame) * 1.25).round(), "{name}");
            let same = BoneKeyframe { frame: old.frame, ..*new };
            assert_eq!(same, *old, "{name}");
        }
        let said = losses(&slow);
        assert!(said.iter().any(|loss| loss.contains("with keys on the nearest frames")), "{name}: {said:?}");
    }
}

#[test]
fn a_vmd_slowed_down_by_any_factor_and_sped_up_again_is_the_same_to_the_byte() {
    for name in ["walk.vmd", "bow.vmd", "camera.vmd"] {
        let file = sample(name);
        for factor in [0.9, 0.8, 0.7, 1.0 / 3.0, 0.123] {
            assert!(
                written(&edited(&file, &[speed(factor), speed(1.0 / factor)])) == written(&file),
                "{name} {factor}"
            );
            let slow = read_again(&edited(&file, &[speed(factor)]));
            assert!(
                written(&edited(&slow, &[speed(1.0 / factor)])) == written(&file),
                "{name} {factor} in two calls"
            );
        }
    }
}

#[test]
fn of_keys_that_come_to_one_frame_the_later_stays_and_the_loss_is_said() {
    let fast = edited(&sample("walk.vmd"), &[speed(1000.0)]);
    let said = losses(&fast);
    assert!(said.iter().any(|loss| loss.contains("came to the same frames")), "{said:?}");
    let kept: usize = document(&fast).bones.len();
    assert!(!said.iter().any(|loss| loss.contains("124 keys")), "{kept}: {said:?}");
    let last = |file: &Opened, name: &str| {
        let keys = document(file).bones.iter().filter(|key| key.name.text() == name);
        keys.max_by_key(|key| key.frame).map(|key| key.rotation)
    };
    assert_eq!(last(&fast, "頭"), last(&sample("walk.vmd"), "頭"));
}

#[test]
fn exact_times_get_more_keys_within_the_tolerance_or_are_refused() {
    let exact = |speed: f64| Operation::Retime(Retime { exact: true, ..Pace::Speed(speed).into() });
    let file = sample("bow.vmd");
    let keys = |file: &Opened| document(file).bones.len();
    let (mut made, mut refused) = (0, 0);
    for factor in [0.5, 0.8, 0.9, 1.5, 1000.0] {
        match dopesheet::edit(file.clone(), &[exact(factor)], &ClipChoice::All) {
            Ok(slow) => {
                assert!(keys(&slow) <= 2 * keys(&file), "{factor}: {} keys", keys(&slow));
                let over =
                    slow.report.findings.iter().any(|finding| finding.fault.code == "tolerance-exceeded");
                assert!(!over, "{factor}");
                made += 1;
            }
            Err(error) => {
                let error = error.to_string();
                assert!(
                    error.starts_with("retime: expected ") && error.contains("without --exact"),
                    "{error}"
                );
                refused += 1;
            }
        }
    }
    assert!(made >= 1 && refused >= 1, "{made} made, {refused} refused");
}

/// A motion of bones whose first keys are late.
fn late() -> Opened {
    let curves = [[20, 20, 107, 107], [64, 0, 64, 127], [20, 20, 107, 107], [10, 90, 100, 20]];
    let bow = sample("bow.vmd");
    let first = document(&bow).bones[0];
    let key = |bone: usize, frame: u32, x: f32| BoneKeyframe {
        name: document(&bow)
            .bones
            .iter()
            .map(|key| key.name)
            .filter(|name| *name != first.name)
            .nth(bone * 7)
            .unwrap(),
        frame,
        translation: [x, 0.0, -x],
        rotation: [0.0, 0.6, 0.0, 0.8],
        interpolation: BoneKeyframe::interpolation_bytes(curves, Physics::On),
    };
    let mut made = document(&bow).clone();
    made.bones = (0..4)
        .flat_map(|bone| {
            let bone_frame = bone as u32;
            [key(bone, 20 + bone_frame, 1.0), key(bone, 45, 3.0), key(bone, 60 + bone_frame, 2.0)]
        })
        .collect();
    assert_eq!(made.bones[0].curve(BoneChannel::Rotation), curves[3]);
    made.morphs.clear();
    made.models.clear();
    let main = Vmd::write(&made, &WriteOptions::default()).unwrap().main;
    opened("late.vmd".as_ref(), &main).unwrap()
}

/// Largest difference of the values of two clips at pairs of frames.
fn apart(a: &Clip, b: &Clip, pairs: &[(f64, f64)]) -> f64 {
    let (mut of_a, mut of_b, mut worst) = (Vec::new(), Vec::new(), 0.0f64);
    assert_eq!(a.tracks.len(), b.tracks.len());
    for (one, other) in a.tracks.iter().zip(&b.tracks) {
        for (one, other) in one.channels.iter().zip(&other.channels) {
            for (from, to) in pairs {
                channel_at(one, Seconds(from / 30.0), Side::At, &mut of_a);
                channel_at(other, Seconds(to / 30.0), Side::At, &mut of_b);
                worst = of_a.iter().zip(&of_b).map(|(x, y)| (x - y).abs()).fold(worst, f64::max);
            }
        }
    }
    worst
}

#[test]
fn a_shift_of_bones_that_start_late_gives_each_one_key_at_rest() {
    let late = late();
    let made = edited(&late, &[shift(TimeValue::Frames(30.0))]);
    assert_eq!(document(&made).bones.len(), document(&late).bones.len() + 4, "{:?}", losses(&made));
    let pairs: Vec<(f64, f64)> =
        (0..=126).map(|half| f64::from(half) / 2.0).map(|at| (at, at + 30.0)).collect();
    assert!(apart(&clip(&late), &clip(&made), &pairs) < 1e-6);
    let back = edited(&late, &[shift(TimeValue::Frames(30.0)), shift(TimeValue::Frames(-30.0))]);
    assert!(written(&back) == written(&late));
}

#[test]
fn what_is_before_a_deleted_range_of_a_vmd_stays_where_bones_start_late() {
    let late = late();
    for (range, start, end) in [("15f:50f", 15.0, 50.0), ("22f:30f", 22.0, 30.0)] {
        let delete = Operation::Delete(Delete { range: RangeSpec::parse(range).unwrap(), snap: false });
        let made = edited(&late, &[delete]);
        let early = (0..start as i32).map(|at| (f64::from(at), f64::from(at)));
        let later = (end as i32..=63).map(|at| (f64::from(at), f64::from(at) - (end - start)));
        let found = apart(&clip(&late), &clip(&made), &early.chain(later).collect::<Vec<_>>());
        assert!(found < 2e-2, "{range}: {found}, {:?}", losses(&made));
    }
}
