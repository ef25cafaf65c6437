//! Compiled clips against the reference evaluator.

use crate::kit;
use crate::kit::*;
use dopesheet_core::model::{
    Blend, Channel, Clip, Curve, Law, Laws, NodeIndex, Outside, PoseRelation, Property, Scene, Target,
    TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_curve::quat_angle;
use dopesheet_motion::sample::player::{
    CompiledClip, JointTransform, LoopingPolicy, PlayedLaw, Policies, RoundingPolicy, SoaPose,
};
use dopesheet_motion::sample::pose::local_pose;
use dopesheet_motion::{Side, channel_at};
use proptest::prelude::*;

/// What the module promises, in radians and relative to the largest number of a channel.
const BOUND: f64 = 1e-6;

const AS_KEYED: Policies = Policies { looping: LoopingPolicy::AsKeyed, rounding: RoundingPolicy::None };

/// The largest magnitude among keys, rest and tangents times the longest segment.
fn largest(scene: &Scene, clip: &Clip) -> f64 {
    let curves = clip.tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves());
    let rests = scene.nodes.iter().flat_map(|n| n.rest.translation.into_iter().chain(n.rest.scale));
    let keys = curves.flat_map(|curve| {
        let (first, last) = curve.times.span().unwrap_or_default();
        let handles = curve.handles.iter().flat_map(|h| h.arriving.iter().chain(&h.leaving));
        let slopes = handles.map(move |v| f64::from(*v) * (last.0 - first.0)).filter(|v| v.is_finite());
        let ramp = if let Outside::Ramp { from, .. } = &curve.before { from.to_vec() } else { Vec::new() };
        let ramp = ramp.into_iter().map(f64::from);
        curve.values.iter().map(|v| f64::from(*v)).chain(slopes).chain(ramp).collect::<Vec<_>>()
    });
    let keys = keys.fold(1.0, |most: f64, v| most.max(v.abs()));
    // Rest scales are multiplied with keys.
    keys * rests.fold(1.0, |most: f64, v| most.max(v.abs()))
}

fn assert_close(found: &[f32], wanted: &[f64], bound: f64, what: &str) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((f64::from(*found) - wanted).abs() <= bound, "{what}: {found} for {wanted}, bound {bound}");
    }
}

/// Everything that a sample holds is what the reference says.
fn assert_sample(scene: &Scene, clip: &Clip, compiled: &CompiledClip, time: f64, pose: &SoaPose) {
    let bound = BOUND * largest(scene, clip);
    for (joint, wanted) in local_pose(scene, clip, Seconds(time)).0.iter().enumerate() {
        let found = pose.joint(joint).expect("a joint");
        assert_transform(&found, wanted, bound, &format!("joint {joint} at {time}"));
    }
    for slot in compiled.slots() {
        let channel = &clip.tracks[slot.track].channels[slot.channel];
        let mut wanted = Vec::new();
        assert!(channel_at(channel, Seconds(time), Side::At, &mut wanted));
        let found = &pose.numbers()[slot.start..slot.start + slot.width];
        assert_close(found, &wanted, bound, &format!("{slot:?} at {time}"));
    }
}

fn assert_transform(found: &JointTransform, wanted: &Transform, bound: f64, what: &str) {
    assert_close(&found.translation, &wanted.translation, bound, what);
    assert_close(&found.scale, &wanted.scale, bound, what);
    let off = quat_angle(found.rotation.map(f64::from), wanted.rotation);
    assert!(off <= BOUND, "{what}: {off} rad, {:?} for {:?}", found.rotation, wanted.rotation);
    let length = found.rotation.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
    assert!((length - 1.0).abs() <= BOUND, "{what}: length {length}");
}

/// A clip over a chain of joints: each channel on a track of its own, some of them on one joint.
fn any_clip() -> impl Strategy<Value = (Scene, Clip)> {
    let channels = prop::collection::vec((any_channel_of_all(), 0usize..12), 1..24);
    (channels, prop::collection::vec(any_rest(), 12), any::<bool>()).prop_map(|(channels, rests, on_top)| {
        let scene = chain(&rests);
        let tracks = channels.into_iter().enumerate().map(|(index, (channel, node))| {
            let target = Target::new(TargetKind::Joint, format!("n{node}"), index, Some(NodeIndex(node)));
            Track { target, channels: vec![channel] }
        });
        let relation = if on_top { PoseRelation::OnTopOfRest } else { PoseRelation::Absolute };
        let clip = Clip { relation, ..clip(2.0, tracks.collect()) };
        (scene, clip)
    })
}

fn any_channel_of_all() -> impl Strategy<Value = Channel> {
    let rotation = any_curve(Recipe::rotation(), true).prop_map(|c| Channel::whole(Property::Rotation, c));
    let scale = any_curve(Recipe::smooth(3), true).prop_map(|c| Channel::whole(Property::Scale, c));
    prop_oneof![4 => any_channel(), 2 => rotation, 1 => scale]
}

/// Keys of all curves, times around them, and times anywhere.
fn times_of(clip: &Clip, more: &[f64]) -> Vec<f64> {
    let curves = clip.tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves());
    let keys: Vec<f64> = curves.flat_map(|c| c.times.iter().map(|t| t.0).collect::<Vec<_>>()).collect();
    keys.into_iter().chain(more.iter().copied()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(600)))]

    #[test]
    #[ignore = "costly"]
    fn every_law_and_composition_is_within_the_bound(
        (scene, clip) in any_clip(),
        more in prop::collection::vec(-2.0f64..4.0, 12),
    ) {
        let compiled = CompiledClip::new(&scene, &clip);
        let (mut cursor, mut pose) = (compiled.cursor(), compiled.pose());
        for time in times_of(&clip, &more) {
            compiled.sample(Seconds(time), AS_KEYED, &mut cursor, &mut pose);
            assert_sample(&scene, &clip, &compiled, time, &pose);
        }
    }
}

fn any_rounding() -> impl Strategy<Value = RoundingPolicy> {
    use RoundingPolicy::{Ceil, Floor, Nearest, None};
    prop::sample::select(vec![None, Floor, Ceil, Nearest])
}

/// A chain of joints whose channels share their keys, as a captured motion has them: rotations of all, translations of
/// some, two that stand still.
fn captured(joints: usize, times: &Times, values: &[f32]) -> (Scene, Clip) {
    let scene = chain(&vec![Transform::IDENTITY; joints]);
    let number = |n: usize| values[n % values.len()];
    let whole = |property: Property, width: usize, first: usize, law: Law| {
        let keys = times.len() * width;
        let values: Vec<f32> = (0..keys).map(|n| number(first * 31 + n * 7)).collect();
        Channel::whole(property, wide(times.clone(), width, &values, law))
    };
    let tracks = (0..joints).filter(|joint| ![3, 5].contains(joint)).map(|index| {
        let law =
            [Law::SLERP, law(Blend::Nlerp), Law::STEP][usize::from(index >= 16) + usize::from(index >= 24)];
        let mut channels = vec![whole(Property::Rotation, 4, index, law)];
        if index % 3 == 0 {
            channels.push(whole(Property::Translation, 3, index + 50, Law::LINEAR));
        }
        joint("n", index, channels)
    });
    let duration = times.span().map_or(0.0, |(_, last)| last.0);
    let clip = clip(duration, tracks.collect());
    (scene, clip)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(200)))]

    #[test]
    #[ignore = "costly"]
    fn channels_with_common_keys_are_within_the_bound(
        joints in 1usize..40,
        values in prop::collection::vec(-1.0f32..1.0, 97),
        gaps in prop::collection::vec(0.001f64..2.0, 1..40),
        is_even in any::<bool>(),
        start in -5.0f64..5.0,
        shares in prop::collection::vec(-0.1f64..1.1, 10),
    ) {
        let mut time = start;
        let mut times = vec![time];
        for gap in &gaps {
            time += if is_even { 1.0 / 30.0 } else { *gap };
            times.push(time);
        }
        let (scene, clip) = captured(joints, &seconds(&times), &values);
        let compiled = CompiledClip::new(&scene, &clip);
        let (mut cursor, mut pose) = (compiled.cursor(), compiled.pose());
        let length = times[times.len() - 1] - start;
        for time in times_of(&clip, &shares.iter().map(|share| start + share * length).collect::<Vec<_>>()) {
            compiled.sample(Seconds(time), AS_KEYED, &mut cursor, &mut pose);
            assert_sample(&scene, &clip, &compiled, time, &pose);
        }
    }

    #[test]
    fn a_rounded_channel_shows_keys_and_nothing_between(
        curve in any_curve(Recipe::numbers(1), true),
        times in prop::collection::vec(-2.0f64..4.0, 12),
        rounding in any_rounding(),
    ) {
        let curve = held(curve);
        let (scene, clip) = (chain(&[]), clip(2.0, vec![track(TargetKind::Morph, "smile", vec![weight(curve.clone())])]));
        let compiled = CompiledClip::new(&scene, &clip);
        let (mut cursor, mut pose) = (compiled.cursor(), compiled.pose());
        for time in times {
            let policies = Policies { looping: LoopingPolicy::AsKeyed, rounding };
            compiled.sample(Seconds(time), policies, &mut cursor, &mut pose);
            let found = f64::from(pose.numbers()[0]);
            let off = (found - rounded(&curve, time, rounding)).abs();
            assert!(off <= BOUND * largest(&scene, &clip), "{rounding:?} at {time}: {found}");
        }
    }
}

/// What a curve that holds its ends shows, straight from its keys.
fn rounded(curve: &Curve, time: f64, rounding: RoundingPolicy) -> f64 {
    let snapped = match &curve.times {
        Times::Frames { rate, .. } => rate.snap(Seconds(time)).0,
        Times::Seconds(_) => time,
    };
    let times = kit::times_of(curve);
    let until = times.partition_point(|t| *t <= snapped);
    if rounding == RoundingPolicy::None || until == 0 || until == times.len() || times[until - 1] == snapped {
        return at(curve, time);
    }
    let share = (snapped - times[until - 1]) / (times[until] - times[until - 1]);
    let later = match rounding {
        RoundingPolicy::None | RoundingPolicy::Floor => false,
        RoundingPolicy::Ceil => true,
        RoundingPolicy::Nearest => share >= 0.5,
    };
    f64::from(curve.values[until - usize::from(!later)])
}

#[test]
fn hours_do_not_blur_a_clip() {
    // A week at 1000 frames a second, where an f32 of the time is off by 30 ms.
    let rate = dopesheet_core::units::FrameRate::new(1000, 1).unwrap();
    let first = 7 * 86_400 * 1000;
    let frames: Vec<i64> = (0..50).map(|n| first + n).collect();
    let values: Vec<f32> = (0..50).map(|n| (n as f32 * 1.7).sin()).collect();
    for times in [
        Times::Frames { rate, frames: frames.clone().into() },
        seconds(&frames.iter().map(|f| *f as f64 / 1000.0).collect::<Vec<_>>()),
    ] {
        let (scene, clip) = captured(9, &times, &values);
        let compiled = CompiledClip::new(&scene, &clip);
        let (mut cursor, mut pose) = (compiled.cursor(), compiled.pose());
        for step in 0..400 {
            let time = first as f64 / 1000.0 + f64::from(step) * 0.000_12;
            compiled.sample(Seconds(time), AS_KEYED, &mut cursor, &mut pose);
            assert_sample(&scene, &clip, &compiled, time, &pose);
        }
    }
}

/// A weight that grows by 1 a second, from key 0 to key 2, in a clip of 2 s.
fn growing() -> (CompiledClip, Scene) {
    let scene = chain(&[]);
    let curve = line(&[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0], Law::LINEAR);
    let clip = clip(2.0, vec![track(TargetKind::Morph, "smile", vec![weight(curve)])]);
    (CompiledClip::new(&scene, &clip), scene)
}

#[test]
fn looping_policies_say_what_lies_outside_a_clip() {
    let (clip, _) = growing();
    let (mut cursor, mut pose) = (clip.cursor(), clip.pose());
    let mut at = |time: f64, looping: LoopingPolicy| {
        let policies = Policies { looping, ..Policies::default() };
        clip.sample(Seconds(time), policies, &mut cursor, &mut pose);
        pose.numbers()[0]
    };
    let times = [-0.5, 0.0, 1.5, 2.0, 2.5, f64::INFINITY, f64::NAN];
    use LoopingPolicy::{AsKeyed, Clamp, Wrap};
    assert_eq!(times.map(|time| at(time, AsKeyed)), [0.0, 0.0, 1.5, 2.0, 2.0, 2.0, 0.0]);
    assert_eq!(times.map(|time| at(time, Clamp)), [0.0, 0.0, 1.5, 2.0, 2.0, 2.0, 0.0]);
    assert_eq!(times.map(|time| at(time, Wrap)), [1.5, 0.0, 1.5, 0.0, 0.5, 0.0, 0.0]);
}

#[test]
fn a_clip_without_duration_wraps_to_its_start() {
    assert_eq!(LoopingPolicy::Wrap.time(Seconds(3.0), Seconds(0.0)), Seconds(0.0));
    assert_eq!(LoopingPolicy::Clamp.time(Seconds(3.0), Seconds(0.0)), Seconds(0.0));
    assert_eq!(LoopingPolicy::Wrap.time(Seconds(-1e-300), Seconds(2.0)), Seconds(0.0));
}

#[test]
fn the_last_channel_of_a_property_counts() {
    let still =
        |x: f32| Channel::whole(Property::Translation, wide(seconds(&[0.0]), 3, &[x; 3], Law::LINEAR));
    let moving = Channel::whole(
        Property::Translation,
        wide(seconds(&[0.0, 1.0]), 3, &[0.0, 0.0, 0.0, 9.0, 9.0, 9.0], Law::LINEAR),
    );
    let scene = chain(&[Transform::IDENTITY]);
    for (channels, wanted) in [(vec![moving.clone(), still(5.0)], 5.0), (vec![still(5.0), moving], 4.5)] {
        let clip = clip(1.0, channels.into_iter().map(|channel| joint("n0", 0, vec![channel])).collect());
        let compiled = CompiledClip::new(&scene, &clip);
        let mut pose = compiled.pose();
        compiled.sample(Seconds(0.5), AS_KEYED, &mut compiled.cursor(), &mut pose);
        assert_eq!(pose.joint(0).unwrap().translation, [wanted; 3]);
    }
}

#[test]
fn what_stands_still_takes_no_keys() {
    let times: Vec<f64> = (0..10_000).map(f64::from).collect();
    let clip_of = |values: &[f32]| {
        let channel = Channel::whole(Property::Scale, wide(seconds(&times), 3, values, Law::LINEAR));
        CompiledClip::new(
            &chain(&[Transform::IDENTITY]),
            &clip(10_000.0, vec![joint("n0", 0, vec![channel])]),
        )
    };
    assert!(clip_of(&vec![2.0; 30_000]).bytes() < 1500);
    let moving: Vec<f32> = (0..30_000).map(|n| if n % 3 == 1 { n as f32 } else { 1.0 }).collect();
    let bytes = clip_of(&moving).bytes();
    assert!((60_000..70_000).contains(&bytes), "one of three numbers, and times as 16 bits: {bytes}");
}

#[test]
fn laws_are_reported_and_kept() {
    let laws = Laws::from_segments([Law::STEP, eased(Blend::Lerp), Law::LINEAR]);
    let curve = Curve::new(seconds(&[0.0, 1.0, 2.0, 3.0]), 1, vec![0.0, 1.0, 2.0, 3.0], laws);
    let clip = clip(3.0, vec![track(TargetKind::Morph, "smile", vec![weight(curve)])]);
    let laws = CompiledClip::new(&chain(&[]), &clip).laws().to_vec();
    let law = |blend, is_eased| PlayedLaw { blend, is_eased };
    assert_eq!(laws, [law(Blend::Step, false), law(Blend::Lerp, true), law(Blend::Lerp, false)]);
}

#[test]
fn a_cursor_of_another_clip_does_no_harm() {
    let (one, _) = growing();
    let values: Vec<f32> = (0..97).map(|n| (n as f32 * 0.37).sin()).collect();
    let (scene, clip) = captured(12, &seconds(&[0.0, 0.5, 1.0]), &values);
    let other = CompiledClip::new(&scene, &clip);
    let (mut cursor, mut pose) = (one.cursor(), one.pose());
    for time in [0.2, 0.7] {
        other.sample(Seconds(time), AS_KEYED, &mut cursor, &mut pose);
        assert_sample(&scene, &clip, &other, time, &pose);
        one.sample(Seconds(time), AS_KEYED, &mut cursor, &mut pose);
        assert_eq!(pose.numbers(), [time as f32]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(60)))]

    #[test]
    fn sampling_allocates_nothing((scene, clip) in any_clip(), times in prop::collection::vec(-2.0f64..4.0, 20)) {
        let compiled = CompiledClip::new(&scene, &clip);
        let (mut cursor, mut pose) = (compiled.cursor(), compiled.pose());
        let counted = allocation_counter::measure(|| {
            for time in &times {
                compiled.sample(Seconds(*time), AS_KEYED, &mut cursor, &mut pose);
            }
        });
        assert_eq!(counted.count_total, 0);
    }
}
