//! Cubic segments with tangents keep to their allowance wherever one looks, and are few.

use crate::kit::*;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, KeyStorage, LawSet, TimeRounding};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, Hierarchy, Law, Laws, Outside, Property, Scene, Times, Timing,
    Transform, ValueKind,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::keys::cubic::cubic;
use dopesheet_motion::keys::{Allowance, KeyPlan, Linearised, SharedTimes};
use dopesheet_motion::{Animation, Conform, Side, Tolerance, compare, conform};
use proptest::prelude::*;

const CUBIC: Law = Law { timing: Timing::Linear, blend: Blend::Hermite };

fn plan(end: f64) -> KeyPlan {
    KeyPlan {
        range: (Seconds(0.0), Seconds(end)),
        rate: FrameRate::FPS_60,
        only_on_grid: false,
        every_frame: false,
    }
}

fn within(allowed: f64) -> Allowance {
    Allowance { value: allowed, angle_rad: allowed }
}

fn fitted(channel: &Channel, end: f64, allowed: f64, mixed: bool) -> Linearised {
    cubic(channel, &plan(end), within(allowed), mixed, &mut SharedTimes::default()).expect("has keys")
}

/// Much like glTF, with tangents at all keys of a curve or at none.
fn like_cubic_gltf() -> Capabilities {
    let laws = LawSet { hermite: true, ..like_gltf().vector_laws };
    Capabilities { vector_laws: laws, rotation_laws: laws, ..like_gltf() }
}

/// Every segment has a law of its own, with or without tangents.
fn like_unity() -> Capabilities {
    let laws = LawSet { hermite: true, mixed: true, ..like_gltf().vector_laws };
    Capabilities { vector_laws: laws, rotation_laws: laws, ..like_gltf() }
}

fn conformed(scene: &Scene, capabilities: &Capabilities, options: &Conform) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    conform(&mut made, capabilities, options, &mut report);
    (made, report)
}

fn only_channel(scene: &Scene) -> &Channel {
    &scene.clips[0].tracks[0].channels[0]
}

fn moving(channel: Channel, end: f64) -> Scene {
    let mut scene = chain(&[Transform::IDENTITY]);
    scene.clips.push(clip(end, vec![joint("n0", 0, vec![channel])]));
    scene
}

fn handles(curve: &Curve) -> (&[f32], &[f32]) {
    let handles = curve.handles.as_deref().expect("tangents");
    (&handles.arriving, &handles.leaving)
}

#[test]
fn a_circle_gets_the_fewest_keys_that_its_fourth_derivative_allows() {
    let orbit = dopesheet_core::model::Orbit {
        target: vec![line(&[0.0], &[0.0], Law::LINEAR); 3],
        angles: wide(seconds(&[0.0, 4.0]), 3, &[0.0, 0.0, 0.0, 0.0, 6.0, 0.0], Law::LINEAR),
        distance: line(&[0.0], &[-2.0], Law::LINEAR),
        order: dopesheet_core::model::EulerOrder::Yxz,
        angle_signs: [1.0; 3],
        axis: [0.0, 0.0, 1.0],
    };
    let channel = composed(Property::Placement, Composition::Orbit(Box::new(orbit)));
    let allowed = 1e-4;
    let pieces = only_curve(&fitted(&channel, 4.0, allowed, false).channels[0]).len() as f64 - 1.0;
    // 2 m around at 1.5 rad/s; a cubic of length h misses by h⁴/384 of the fourth derivative.
    let fewest = 4.0 / (384.0 * allowed / (2.0 * 1.5f64.powi(4))).powf(0.25);
    assert!(pieces >= 0.9 * fewest && pieces <= 1.1 * fewest + 1.0, "{pieces} of {fewest}");
}

#[test]
fn a_cubic_of_the_source_stays_as_it_is_between_other_laws() {
    let laws = Laws::from_segments([CUBIC, Law::STEP, Law::LINEAR]);
    let values = [0.0, 1.0, 3.0, 2.0];
    let curve = Curve {
        laws,
        ..hermite(&[0.0, 1.0, 1.5, 2.0], &values, &[0.0, 2.0, 0.0, 0.0], &[5.0, 0.0, 0.0, 0.0])
    };
    let channel = weight(curve);
    let made = fitted(&channel, 2.0, 1e-4, false);
    assert!(!made.approximated);
    let own = only_curve(&made.channels[0]);
    assert_eq!(times_of(own), [0.0, 1.0, 1.5, 1.5, 2.0]);
    assert_eq!(own.values, [0.0, 1.0, 1.0, 3.0, 2.0]);
    assert_eq!(handles(own), (&[0.0, 2.0, 0.0, 0.0, -2.0][..], &[5.0, 0.0, 0.0, -2.0, 0.0][..]));
    assert_eq!(own.laws, Laws::uniform(CUBIC));
    let mixed = fitted(&channel, 2.0, 1e-4, true);
    let laws = Laws::from_segments([CUBIC, Law::LINEAR]);
    assert_eq!(only_curve(&mixed.channels[0]).laws, laws);
}

#[test]
fn components_with_keys_of_their_own_are_cut_without_loss() {
    let x = hermite(&[0.0, 2.0], &[0.0, 1.0], &[0.0, -3.0], &[4.0, 0.0]);
    let y = hermite(&[0.0, 0.5, 2.0], &[0.0, 1.0, 0.0], &[0.0, 1.0, 2.0], &[3.0, 1.0, 0.0]);
    let z = line(&[0.0, 1.5], &[2.0, 5.0], Law::LINEAR);
    let channel = composed(Property::Translation, Composition::Components(vec![x, y, z]));
    let made = fitted(&channel, 2.0, 1e-4, false);
    assert_eq!(times_of(only_curve(&made.channels[0])), [0.0, 0.5, 1.5, 2.0]);
    assert!(!made.approximated);
    for n in 0..200 {
        let time = f64::from(n) / 99.5;
        let (exact, own) = (value(&channel, time, Side::At), value(&made.channels[0], time, Side::At));
        assert!(apart(&Property::Translation, &exact, &own) < 1e-6, "at {time}");
    }
}

#[test]
fn slopes_are_one_where_the_source_is_smooth_and_two_where_it_bends() {
    let soft = Law { timing: EASED, blend: Blend::Lerp };
    let ends_fast = Law { timing: Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.7, y2: 0.6 }, blend: Blend::Lerp };
    for (second, is_smooth) in [(soft, true), (ends_fast, true), (Law::LINEAR, false)] {
        let laws = Laws::from_segments([soft, second]);
        let channel = weight(Curve { laws, ..line(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0], Law::LINEAR) });
        let made = fitted(&channel, 2.0, 1e-3, false);
        let own = only_curve(&made.channels[0]);
        let (arriving, leaving) = handles(own);
        for (key, time) in times_of(own).into_iter().enumerate().skip(1).take(own.len() - 2) {
            let differ = (arriving[key] - leaving[key]).abs() > 1e-4;
            assert_eq!(differ, time == 1.0 && !is_smooth, "at {time} of {second:?}");
        }
    }
}

#[test]
fn a_jump_has_two_keys_with_tangents_of_their_own() {
    let times = [0.0, 1.0, 1.0, 2.0];
    let channel = weight(line(&times, &[0.0, 1.0, 5.0, 7.0], eased(Blend::Lerp)));
    let made = fitted(&channel, 2.0, 1e-3, false);
    let own = only_curve(&made.channels[0]);
    assert_eq!(before_at_after(own, 1.0), [1.0, 5.0, 5.0]);
}

#[test]
fn cubic_segments_are_written_on_request_or_where_every_segment_has_its_own_law() {
    let values: Vec<f32> = [0.0, 60.0, -30.0].iter().flat_map(|d| turn([0.0, 0.0, 1.0], *d)).collect();
    let channel =
        Channel::whole(Property::Rotation, wide(frames(&[0, 30, 60]), 4, &values, eased(Blend::Slerp)));
    let scene = moving(channel, 2.0);
    let keys = |capabilities: &Capabilities, cubic: bool| {
        let options = Conform { cubic, ..Conform::default() };
        let (made, report) = conformed(&scene, capabilities, &options);
        assert!(model_error(&report).unwrap() <= Tolerance::DEFAULT.length_m, "{report:?}");
        let curve = only_curve(only_channel(&made));
        (curve.laws.runs().any(|law| law == CUBIC), curve.len())
    };
    let (plain, asked, native) =
        (keys(&like_cubic_gltf(), false), keys(&like_cubic_gltf(), true), keys(&like_unity(), false));
    assert_eq!([plain.0, asked.0, native.0], [false, true, true]);
    assert!(plain.1 > 3 * asked.1 && native.1 <= asked.1, "{plain:?} {asked:?} {native:?}");
    assert_eq!(keys(&like_gltf(), true), plain, "a format without tangents has none");
}

#[test]
fn straight_segments_stay_straight_although_cubic_ones_are_wanted() {
    let channel = Channel::whole(
        Property::Translation,
        wide(seconds(&[0.0, 1.0]), 3, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0], Law::LINEAR),
    );
    let scene = moving(channel, 1.0);
    let options = Conform { cubic: true, ..Conform::default() };
    assert_eq!(conformed(&scene, &like_cubic_gltf(), &options).0.clips, scene.clips);
}

#[test]
fn what_overshoots_is_not_dropped_although_its_keys_are_equal() {
    let channel = weight(hermite(&[0.0, 1.0], &[0.0, 0.0], &[0.0, -9.0], &[9.0, 0.0]));
    let mut scene = chain(&[Transform::IDENTITY]);
    let weights = Channel { property: Property::Weights, ..channel };
    scene.clips.push(clip(1.0, vec![track(dopesheet_core::model::TargetKind::Morph, "face", vec![weights])]));
    let options = Conform { lossy: true, ..Conform::default() };
    assert_eq!(conformed(&scene, &like_cubic_gltf(), &options).0.clips, scene.clips);
}

#[test]
fn a_vertical_source_gets_pieces_of_any_kind_within_its_allowance() {
    for (x1, y1, x2, y2) in [(0.0, 1.0, 0.0, 1.0), (1.0, 0.0, 1.0, 0.0), (1.0, 0.0, 0.0, 1.0)] {
        let law = Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend: Blend::Lerp };
        let channel = weight(Curve::new(frames(&[0, 30, 60]), 1, vec![0.0, 1.0, 0.0], Laws::uniform(law)));
        let made = fitted(&channel, 2.0, 1e-3, false);
        assert!(made.largest[0].value <= 1e-3 * 1.05, "{:?}", made.largest);
        assert!(only_curve(&made.channels[0]).len() < 2_000);
    }
}

/// Whether a time cannot be told from a frame of the channel's grid, or from one of its keys in single precision.
fn is_hidden(channel: &Channel, time: f64) -> bool {
    channel.composition.curves().any(|curve| {
        let beside =
            |rate: FrameRate| (rate.frame(Seconds(time)) - rate.frame(Seconds(time)).round()).abs() < 2e-3;
        let is_beside = matches!(curve.times, Times::Frames { rate, .. } if beside(rate));
        is_beside || curve.times.iter().any(|key| (key.0 - time).abs() < 1e-6)
    })
}

/// Whether a channel may run vertically, or turn to the opposite direction at once, so that no key is near enough to the
/// next; into a key only where frames hide what is beside them.
fn is_vertical(channel: &Channel) -> bool {
    let aims = matches!(channel.composition, Composition::Aim { .. } | Composition::Swing { .. });
    let on_frames = channel.composition.curves().any(|curve| matches!(curve.times, Times::Frames { .. }));
    aims || channel.composition.curves().any(|curve| {
        let steep = |law: Law| match law.timing {
            Timing::Bezier { x1, x2, .. } if x1 > 0.85 || x2 < 0.15 => true,
            Timing::Bezier { x1, y1, x2, y2 } => {
                on_frames && (x1 < 0.01 && y1 > 0.01 || x2 > 0.99 && y2 < 0.99)
            }
            _ => law.blend == Blend::WeightedBezier,
        };
        !curve.laws.all(|law| !steep(law)) || !matches!(curve.before, Outside::Hold)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 4096, ..ProptestConfig::with_cases(dopesheet_testkit::cases(96)) })]

    #[test]
    fn cubics_keep_to_their_allowance(
        channel in any_channel().prop_filter("smooth", |channel| {
            !is_vertical(channel) && channel.property.kind() != ValueKind::Discrete
        }),
        end in 0.5..3.0f64,
        allowed in prop::sample::select(vec![1e-3, 1e-2, 0.1]),
        mixed in any::<bool>(),
    ) {
        let shared = &mut SharedTimes::default();
        let Some(made) = cubic(&channel, &plan(end), within(allowed), mixed, shared) else { return Ok(()) };
        for (part, worst) in made.channels.iter().zip(&made.largest) {
            only_curve(part).validate().unwrap();
            prop_assert!(worst.value <= allowed * 1.001, "{:?}", worst);
            for n in 0..1500 {
                let time = end * (f64::from(n) + 0.382) / 1500.0;
                if is_hidden(&channel, time) || is_hidden(part, time) {
                    continue;
                }
                let exact = value(&channel, time, Side::At);
                let exact = match (&channel.property, &part.property) {
                    (Property::Placement, Property::Translation) => exact[..3].to_vec(),
                    (Property::Placement, _) => exact[3..].to_vec(),
                    _ => exact,
                };
                let error = apart(&part.property, &exact, &value(part, time, Side::At));
                prop_assert!(error <= allowed * 1.05 + 1e-5, "{} at {}", error, time);
            }
        }
    }

    #[test]
    fn no_point_of_the_model_is_off_by_more_than_the_tolerance(
        turns in prop::collection::vec(smooth_turn(), 1..6),
        exponent in -5.0..-2.0f64,
        (lossy, native) in any::<(bool, bool)>(),
    ) {
        let mut scene = chain(&vec![Transform::IDENTITY; turns.len()]);
        let tracks = turns.into_iter().enumerate().map(|(n, turn)| {
            let along = wide(frames(&[0, 60]), 3, &[0.3, 0.0, 0.0, 0.3, 0.05 * n as f32, 0.0], eased(Blend::Lerp));
            joint(&format!("n{n}"), n, vec![turn, Channel::whole(Property::Translation, along)])
        });
        scene.clips.push(clip(2.0, tracks.collect()));
        let tolerance = Tolerance { length_m: 10f64.powf(exponent), shell_m: None };
        let capabilities = if native { like_unity() } else { like_cubic_gltf() };
        let options = Conform { tolerance, lossy, cubic: !native, ..Conform::default() };
        let (made, report) = conformed(&scene, &capabilities, &options);
        let of = |scene| Animation { scene, clip: &scene.clips[0] };
        let found = compare(of(&scene), of(&made), &tolerance);
        prop_assert!(found.is_within, "{:?}: {report:?}", found.largest);
        let reported = model_error(&report);
        prop_assert!(reported.is_some_and(|most| most > 0.0 && most <= tolerance.length_m), "{:?}", report);
    }
}

/// A rotation that turns to several poses with timing curves in between.
fn smooth_turn() -> impl Strategy<Value = Channel> {
    let timing = (0.0f32..0.8, 0.0f32..=1.0, 0.2f32..=1.0, 0.0f32..=1.0);
    let pose = (any_rotation(), 5i64..30, timing);
    prop::collection::vec(pose, 2..6).prop_map(|poses| {
        let (mut frame, mut list, mut values, mut laws) = (0, Vec::new(), Vec::new(), Vec::new());
        for (rotation, gap, (x1, y1, x2, y2)) in poses {
            list.push(frame);
            frame += gap;
            values.extend(rotation.map(|x| x as f32));
            laws.push(Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend: Blend::Slerp });
        }
        Channel::whole(Property::Rotation, Curve::new(frames(&list), 4, values, Laws::from_segments(laws)))
    })
}

/// What lies beside a frame is the frame, so that a way which arrives steeply jumps there.
#[test]
fn straight_pieces_of_what_is_too_steep_for_cubics_jump_beside_frames() {
    const ALLOWED: f64 = 1e-4;
    let end = FrameRate::FPS_30.seconds(6502.0).0;
    let farthest = |[x1, y1, x2, y2]: [f32; 4]| {
        let law = Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend: Blend::Slerp };
        let values = [0.0, 27.0].map(|degrees| turn([0.0, 1.0, 0.0], degrees)).concat();
        let channel = Channel::whole(Property::Rotation, wide(frames(&[6496, 6502]), 4, &values, law));
        let made = cubic(&channel, &plan(end), within(0.8 * ALLOWED), false, &mut SharedTimes::default());
        let [a, b] = [channel, made.expect("keys").channels.remove(0)].map(|channel| {
            let scene = moving(channel, end);
            Scene { hierarchy: Hierarchy::Unknown, ..scene }
        });
        let of = |scene| Animation { scene, clip: &scene.clips[0] };
        compare(of(&a), of(&b), &Tolerance::DEFAULT).tracks[0].channels[0].value
    };
    for steep in [[0.0, 0.2, 0.976, 0.21], [0.3, 0.3, 0.976, 0.21]] {
        let missed = farthest(steep);
        assert!(missed <= ALLOWED, "{missed} at {steep:?}");
    }
}

/// Where a way is as good as vertical, what its keys are rounded by is more than shorter pieces gain.
#[test]
fn joints_that_no_cubics_bring_near_enough_get_straight_segments() {
    const AT: i64 = 4498;
    let timing = |bytes: [u8; 4]| {
        let [x1, y1, x2, y2] = bytes.map(|byte| f32::from(byte) / 127.0);
        Timing::Bezier { x1, y1, x2, y2 }
    };
    let smooth = timing([50, 12, 77, 115]);
    let converted = |steep: Timing| {
        let list = [AT - 33, AT, AT + 2, AT + 23];
        let values = [
            [-0.038_340_15, 0.121_507_704, 0.140_303_72, 0.981_876_13],
            [-0.209_484_44, 0.236_673_09, -0.041_893_76, 0.947_811_7],
            [-0.137_199_1, 0.181_149_93, -0.006_749_956, 0.973_814_96],
            [-0.160_530_28, 0.058_196_045, -0.005_997_633, 0.985_295_53],
        ];
        let laws = [smooth, steep, smooth].map(|timing| Law { timing, blend: Blend::Slerp });
        let curve = Curve::new(frames(&list), 4, values.concat(), Laws::from_segments(laws));
        let scene =
            moving(Channel::whole(Property::Rotation, curve), FrameRate::FPS_30.seconds((AT + 23) as f64).0);
        let scene = Scene { hierarchy: Hierarchy::Unknown, ..scene };
        let storage = KeyStorage { times: TimeRounding::Single, ..KeyStorage::default() };
        let options = Conform { cubic: true, storage, ..Conform::default() };
        let (made, report) = conformed(&scene, &like_cubic_gltf(), &options);
        (only_curve(only_channel(&made)).handles.is_some(), report.findings)
    };
    assert_eq!(converted(smooth), (true, vec![]));
    assert_eq!(converted(timing([127, 0, 0, 127])), (false, vec![]));
}
