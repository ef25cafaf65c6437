//! Builders and random curves shared by the tests.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Capabilities, Compositions, KeyLayout, LawSet, Parts};
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Composition, Curve, EulerOrder, Handles, JumpSide, Law, Laws, Native, Node,
    NodeIndex, Orbit, Outside, PoseRelation, Property, Scene, Target, TargetKind, Times, Timing, Track,
    Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::{Side, channel_at, curve_at};
use proptest::prelude::*;

pub(crate) use dopesheet_testkit::curves::{FPS_30, frames, line, seconds, weight, wide};

pub(crate) const EASED: Timing = Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 };

/// What a report says at most of points in model space: what was measured, or a bound.
pub(crate) fn model_error(report: &Report) -> Option<f64> {
    report.losses.iter().find_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.starts_with("model space") => {
            Some(max_error.value)
        }
        Loss::Bounded { what, bound, .. } if what.starts_with("model space") => Some(*bound),
        _ => None,
    })
}

pub(crate) fn law(blend: Blend) -> Law {
    Law { timing: Timing::Linear, blend }
}

pub(crate) fn eased(blend: Blend) -> Law {
    Law { timing: EASED, blend }
}

pub(crate) fn hermite(times: &[f64], values: &[f32], arriving: &[f32], leaving: &[f32]) -> Curve {
    let handles = Handles { arriving: arriving.to_vec(), leaving: leaving.to_vec() };
    Curve { handles: Some(Box::new(handles)), ..line(times, values, law(Blend::Hermite)) }
}

pub(crate) fn composed(property: Property, composition: Composition) -> Channel {
    Channel { property, composition, native: None }
}

pub(crate) fn native(channel: Channel, scale: f64) -> Channel {
    Channel { native: Some(Native { name: "own".into(), scale }), ..channel }
}

/// A quarter turn about an axis, as f32.
pub(crate) fn turn(axis: [f32; 3], degrees: f64) -> [f32; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    let [x, y, z] = axis.map(|a| a * sin as f32);
    [x, y, z, cos as f32]
}

pub(crate) fn curve_value(curve: &Curve, time: f64, side: Side) -> Vec<f64> {
    let mut out = vec![f64::NAN];
    assert!(curve_at(curve, Seconds(time), side, &mut out), "no keys");
    out
}

/// The one number of a curve of width 1 at a time.
pub(crate) fn at(curve: &Curve, time: f64) -> f64 {
    curve_value(curve, time, Side::At)[0]
}

pub(crate) fn before_at_after(curve: &Curve, time: f64) -> [f64; 3] {
    [Side::Before, Side::At, Side::After].map(|side| curve_value(curve, time, side)[0])
}

pub(crate) fn value(channel: &Channel, time: f64, side: Side) -> Vec<f64> {
    let mut out = vec![f64::NAN];
    assert!(channel_at(channel, Seconds(time), side, &mut out), "no keys");
    out
}

/// The largest difference of a component; of rotations the smaller of both signs.
pub(crate) fn apart(property: &Property, a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let by = |sign: f64| a.iter().zip(b).map(|(x, y)| (x - sign * y).abs()).fold(0.0, f64::max);
    if *property == Property::Rotation { by(1.0).min(by(-1.0)) } else { by(1.0) }
}

pub(crate) fn only_curve(channel: &Channel) -> &Curve {
    match &channel.composition {
        Composition::Whole(curve) => curve,
        other => panic!("not one curve: {other:?}"),
    }
}

pub(crate) fn times_of(curve: &Curve) -> Vec<f64> {
    curve.times.iter().map(|t| t.0).collect()
}

pub(crate) fn joint(name: &str, node: usize, channels: Vec<Channel>) -> Track {
    Track { target: Target::new(TargetKind::Joint, name, node, Some(NodeIndex(node))), channels }
}

pub(crate) fn track(kind: TargetKind, name: &str, channels: Vec<Channel>) -> Track {
    Track { target: Target::new(kind, name, 0, None), channels }
}

pub(crate) fn clip(duration: f64, tracks: Vec<Track>) -> Clip {
    Clip { duration: Seconds(duration), tracks, ..Clip::default() }
}

/// A chain of nodes `n0` ← `n1` ← `n2` … with the given rest transforms.
pub(crate) fn chain(rests: &[Transform]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for (index, rest) in rests.iter().enumerate() {
        let parent = index.checked_sub(1).map(NodeIndex);
        scene.push_node(Node::new(format!("n{index}"), parent, *rest));
    }
    scene
}

/// Straight and stepped curves with keys of their own, absolute, one vector of weights: much like glTF.
pub(crate) fn like_gltf() -> Capabilities {
    let laws = LawSet { step: true, ..LawSet::LINEAR };
    Capabilities {
        writes: true,
        parts: Parts {
            translation: true,
            rotation: true,
            scale: true,
            weight_vectors: true,
            cameras: true,
            lights: true,
            ..Parts::NONE
        },
        compositions: Compositions::WHOLE,
        negative_times: false,
        vector_laws: laws,
        rotation_laws: laws,
        ..Capabilities::READ_ONLY
    }
}

/// Straight curves with common keys, absolute: much like PlayCanvas.
pub(crate) fn like_playcanvas() -> Capabilities {
    Capabilities {
        writes: true,
        parts: Parts { translation: true, rotation: true, scale: true, ..Parts::NONE },
        compositions: Compositions::WHOLE,
        negative_times: false,
        vector_laws: LawSet::LINEAR,
        rotation_laws: LawSet::LINEAR,
        layout: KeyLayout::PerTarget,
        ..Capabilities::READ_ONLY
    }
}

/// Eased curves with common keys on whole frames, on top of rest, one track per morph: much like VMD.
pub(crate) fn like_vmd() -> Capabilities {
    let laws = LawSet {
        step: true,
        linear: true,
        hermite: false,
        weighted: false,
        bezier_timing: true,
        mixed: true,
    };
    Capabilities {
        writes: true,
        relation: PoseRelation::OnTopOfRest,
        parts: Parts {
            translation: true,
            rotation: true,
            morph_tracks: true,
            cameras: true,
            orbits: true,
            lights: true,
            custom_tracks: true,
            numbers: true,
            ..Parts::NONE
        },
        compositions: Compositions::WHOLE,
        negative_times: false,
        vector_laws: laws,
        rotation_laws: laws,
        grid: Some(FPS_30),
        layout: KeyLayout::PerTarget,
        ..Capabilities::READ_ONLY
    }
}

/// What a random curve may be made of.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub width: usize,
    pub blends: Vec<Blend>,
    pub values: std::ops::Range<f32>,
}

impl Recipe {
    pub(crate) fn numbers(width: usize) -> Self {
        use Blend::{Hermite, Lerp, Step, WeightedBezier};
        Self { width, blends: vec![Step, Lerp, Hermite, WeightedBezier], values: -10.0..10.0 }
    }

    pub(crate) fn smooth(width: usize) -> Self {
        Self { blends: vec![Blend::Lerp, Blend::Hermite, Blend::WeightedBezier], ..Self::numbers(width) }
    }

    pub(crate) fn rotation() -> Self {
        use Blend::{Hermite, Lerp, Nlerp, Slerp, Squad, Step, Turn};
        Self { width: 4, blends: vec![Step, Lerp, Slerp, Nlerp, Hermite, Squad, Turn], values: -1.0..1.0 }
    }

    pub(crate) fn straight(width: usize) -> Self {
        Self { width, blends: vec![if width == 4 { Blend::Slerp } else { Blend::Lerp }], values: -1.0..1.0 }
    }
}

fn timing() -> impl Strategy<Value = Timing> {
    prop_oneof![
        3 => Just(Timing::Linear),
        2 => (0u8..=127, 0u8..=127, 0u8..=127, 0u8..=127).prop_map(|(x1, y1, x2, y2)| {
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|b| f32::from(b) / 127.0);
            Timing::Bezier { x1, y1, x2, y2 }
        }),
        1 => (0.0f32..0.5, 0.0f32..0.5).prop_map(|(from, to)| Timing::Ease { from, to }),
    ]
}

fn laws(blends: Vec<Blend>, eases: bool) -> impl Strategy<Value = Law> {
    let timing = if eases { timing().boxed() } else { Just(Timing::Linear).boxed() };
    (timing, prop::sample::select(blends)).prop_map(|(timing, blend)| Law { timing, blend })
}

/// Ascending times from about −1 to 3 s; sometimes two keys share a time.
fn key_times() -> impl Strategy<Value = Vec<f64>> {
    let gap = prop_oneof![5 => 1u32..40, 1 => Just(0)];
    (-30i32..10, prop::collection::vec(gap, 0..6)).prop_map(|(start, gaps)| {
        let mut frame = start;
        let mut times = vec![f64::from(frame) / 30.0];
        let mut was_pair = false;
        for gap in gaps {
            let gap = if was_pair { gap.max(1) } else { gap };
            was_pair = gap == 0;
            frame += gap as i32;
            times.push(f64::from(frame) / 30.0);
        }
        times
    })
}

fn outside(recipe: &Recipe, is_before: bool, eases: bool) -> BoxedStrategy<Outside> {
    let mut choices = vec![
        (4, Just(Outside::Hold).boxed()),
        (1, Just(Outside::Loop).boxed()),
        (1, Just(Outside::PingPong).boxed()),
    ];
    if is_before {
        let plain: Vec<Blend> = recipe.blends.iter().copied().filter(|b| *b != Blend::Hermite).collect();
        let from = prop::collection::vec(recipe.values.clone(), recipe.width);
        let ramp = (-20i32..5, from, laws(plain, eases)).prop_map(|(start, from, law)| Outside::Ramp {
            start: Seconds(f64::from(start) / 10.0),
            from: from.into(),
            law,
        });
        choices.push((2, ramp.boxed()));
    }
    prop::strategy::Union::new_weighted(choices).boxed()
}

/// A curve of any law, with its keys in seconds or frames.
pub(crate) fn any_curve(recipe: Recipe, eases: bool) -> impl Strategy<Value = Curve> {
    let ends = (outside(&recipe, true, eases), outside(&recipe, false, eases));
    let side = prop_oneof![Just(JumpSide::Before), Just(JumpSide::After)];
    (key_times(), ends, side, any::<bool>()).prop_flat_map(move |(times, ends, jump, on_grid)| {
        let count = times.len() * recipe.width;
        let values = || prop::collection::vec(recipe.values.clone(), count);
        let laws = prop::collection::vec(laws(recipe.blends.clone(), eases), times.len());
        let shares = || prop::collection::vec(0.0f32..=1.0, count);
        let weights = (shares(), shares()).prop_map(|(arriving, leaving)| Handles { arriving, leaving });
        let columns = (values(), values(), values(), weights, laws);
        columns.prop_map(move |(values, arriving, leaving, weights, laws)| {
            let frames = || times.iter().map(|t| (t * 30.0).round() as i64).collect();
            let key_times =
                if on_grid { Times::Frames { rate: FPS_30, frames: frames() } } else { seconds(&times) };
            let handles = Some(Box::new(Handles { arriving, leaving }));
            let curve = Curve {
                weights: Some(Box::new(weights)),
                turns: Some(vec![[0.0; 4]; times.len()].into()),
                handles,
                before: ends.0.clone(),
                after: ends.1.clone(),
                jump,
                ..Curve::new(key_times, recipe.width, values, Laws::from_segments(laws))
            };
            curve.validate().expect("a sound curve");
            curve
        })
    })
}

/// A curve that holds its ends.
pub(crate) fn held(curve: Curve) -> Curve {
    Curve { before: Outside::Hold, after: Outside::Hold, ..curve }
}

fn curves(count: usize, recipe: Recipe, eases: bool) -> impl Strategy<Value = Vec<Curve>> {
    prop::collection::vec(any_curve(recipe, eases), count)
}

fn euler_order() -> impl Strategy<Value = EulerOrder> {
    use EulerOrder::{Xyz, Xzy, Yxz, Yzx, Zxy, Zyx};
    prop::sample::select(vec![Xyz, Xzy, Yxz, Yzx, Zxy, Zyx])
}

/// Curves whose mix is smooth enough to be measured at a few places.
fn tame(width: usize, values: std::ops::Range<f32>) -> Recipe {
    Recipe { width, blends: vec![Blend::Step, Blend::Lerp], values }
}

fn orbit() -> impl Strategy<Value = Channel> {
    let parts = (curves(3, tame(1, -9.0..9.0), true), any_curve(tame(3, -2.0..2.0), true));
    (parts, any_curve(tame(1, -9.0..9.0), true), euler_order()).prop_map(
        |((target, angles), distance, order)| {
            let axis = [0.0, 0.0, 1.0];
            let orbit = Orbit { target, angles, distance, order, angle_signs: [-1.0, 1.0, -1.0], axis };
            composed(Property::Placement, Composition::Orbit(Box::new(orbit)))
        },
    )
}

fn aim() -> impl Strategy<Value = Channel> {
    let side = any_curve(tame(3, 0.5..1.0), true);
    side.prop_map(|curve| {
        let direction = Box::new(curve);
        composed(Property::Rotation, Composition::Aim { direction, axis: [0.0, 0.0, -1.0] })
    })
}

/// A channel of any composition and law.
pub(crate) fn any_channel() -> impl Strategy<Value = Channel> {
    let whole = |property: Property, recipe: Recipe| {
        any_curve(recipe, true).prop_map(move |curve| Channel::whole(property.clone(), curve)).boxed()
    };
    let list = |property: Property, count: usize, recipe: Recipe| {
        curves(count, recipe, true)
            .prop_map(move |curves| composed(property.clone(), Composition::Components(curves)))
            .boxed()
    };
    let normalised = curves(4, tame(1, 0.2..1.0), true)
        .prop_map(|curves| composed(Property::Rotation, Composition::ComponentsNormalised(curves)));
    let euler = |count: usize| {
        (euler_order(), curves(count, tame(3 / count, -2.0..2.0), true))
            .prop_map(|(order, angles)| composed(Property::Rotation, Composition::Euler { order, angles }))
    };
    let slerp = Recipe { blends: vec![Blend::Step, Blend::Slerp], ..Recipe::rotation() };
    let poses = Recipe { blends: vec![Blend::Step, Blend::Slerp], ..tame(3, -2.0..2.0) };
    let poses = (euler_order(), curves(1, poses, true))
        .prop_map(|(order, angles)| composed(Property::Rotation, Composition::Euler { order, angles }));
    prop_oneof![
        whole(Property::Translation, Recipe::numbers(3)),
        whole(Property::Weight, Recipe::numbers(1)),
        whole(Property::Rotation, slerp),
        list(Property::Translation, 3, Recipe::numbers(1)),
        list(Property::Weights, 5, Recipe::numbers(1)),
        normalised.boxed(),
        euler(1).boxed(),
        euler(3).boxed(),
        poses.boxed(),
        orbit().boxed(),
        aim().boxed(),
    ]
}

pub(crate) fn any_rotation() -> impl Strategy<Value = [f64; 4]> {
    prop::array::uniform4(-1.0..1.0).prop_filter_map("has a direction", |q: [f64; 4]| {
        let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
        (length > 0.1).then(|| q.map(|v| v / length))
    })
}

/// A rest transform with an even scale.
pub(crate) fn any_rest() -> impl Strategy<Value = Transform> {
    (prop::array::uniform3(-2.0..2.0), any_rotation(), 0.5..2.0)
        .prop_map(|(translation, rotation, scale)| Transform { translation, rotation, scale: [scale; 3] })
}
