//! Conversions and comparisons against an oracle that is slow and plain: all joints, each thousandth of a second, in f64.

use crate::kit::*;
use dopesheet_core::diag::{Loss, MaxError, Report};
use dopesheet_core::format::{KeyStorage, TimeRounding};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Law, Laws, NodeIndex, Property, Scene, Timing, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_motion::{Animation, Conform, Tolerance, arrange, compare, conform};
use glam::{DAffine3, DMat3, DVec3};

const JOINTS: u32 = 30;

/// Length of the clips in thousandths of a second.
const LONG_MS: u32 = 2_000;

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.next()
    }
}

/// A chain of which each joint turns and some move, eased in many ways; `scaled` stretches some joints unevenly, so that those below are
/// sheared.
fn arm(seed: u64, scaled: bool) -> Scene {
    let mut numbers = Numbers(seed);
    let rest = |numbers: &mut Numbers| Transform {
        translation: [0.0, numbers.between(0.03, 0.2).into(), 0.0],
        scale: if scaled && numbers.next() < 0.2 { [1.2, 0.8, 1.0] } else { [1.0; 3] },
        ..Transform::IDENTITY
    };
    let rests: Vec<Transform> = (0..JOINTS).map(|_| rest(&mut numbers)).collect();
    let mut scene = chain(&rests);
    let eased = |numbers: &mut Numbers, blend: Blend| {
        let [x1, y1, x2, y2] = std::array::from_fn(|_| numbers.next());
        Law { blend, timing: Timing::Bezier { x1, y1, x2, y2 } }
    };
    let keys = [0, 7, 15, 31, 40, 60];
    let tracks = (0..JOINTS as usize).map(|index| {
        let rotations = keys.map(|_| turn([0.6, 0.0, 0.8], f64::from(numbers.between(-60.0, 60.0)))).concat();
        let laws = Laws::from_segments(keys[1..].iter().map(|_| eased(&mut numbers, Blend::Slerp)));
        let mut channels =
            vec![Channel::whole(Property::Rotation, Curve::new(frames(&keys), 4, rotations, laws))];
        if index % 7 == 0 {
            let column = |numbers: &mut Numbers| {
                let values = keys.map(|_| numbers.between(-0.1, 0.1)).to_vec();
                let laws = Laws::from_segments(keys[1..].iter().map(|_| eased(numbers, Blend::Lerp)));
                Curve::new(frames(&keys), 1, values, laws)
            };
            let columns = (0..3).map(|_| column(&mut numbers)).collect();
            channels.push(composed(Property::Translation, Composition::Components(columns)));
        }
        joint(&format!("n{index}"), index, channels)
    });
    let clip = clip(f64::from(LONG_MS) / 1e3, tracks.collect());
    scene.clips.push(clip);
    scene
}

/// Longest that a matrix makes a unit vector, by power iteration.
fn norm(m: DMat3) -> f64 {
    let grown = |start: DVec3| {
        let v = (0..60).fold(start, |v, _| (m.transpose() * (m * v)).normalize_or(v));
        (m * v).length()
    };
    [DVec3::X, DVec3::Y, DVec3::Z].map(grown).into_iter().fold(0.0, f64::max)
}

/// The farthest that any point within 3 cm of any joint is displaced at some times.
fn farthest(scene: &Scene, [a, b]: [&Clip; 2], times: impl Iterator<Item = Seconds>) -> f64 {
    let shells: Vec<f64> = (0..scene.nodes.len()).map(|node| 0.03 / size_at_rest(scene, node)).collect();
    let at = |time: Seconds| {
        let [a, b] = [a, b].map(|clip| model_pose(scene, &local_pose(scene, clip, time)).0);
        let off = |(a, b): (&DAffine3, &DAffine3), shell: &f64| {
            a.translation.distance(b.translation) + shell * norm(a.matrix3 - b.matrix3)
        };
        a.iter().zip(&b).zip(&shells).map(|(pair, shell)| off(pair, shell)).fold(0.0, f64::max)
    };
    times.map(at).fold(0.0, f64::max)
}

fn size_at_rest(scene: &Scene, node: usize) -> f64 {
    let mut model = DMat3::IDENTITY;
    let mut above = Some(NodeIndex(node));
    while let Some(NodeIndex(node)) = above {
        model = DMat3::from_diagonal(DVec3::from(scene.nodes[node].rest.scale)) * model;
        above = scene.nodes[node].parent;
    }
    [model.x_axis, model.y_axis, model.z_axis].map(DVec3::length).into_iter().fold(0.0, f64::max)
}

/// What a conversion reports of points in model space.
fn reported(report: &Report) -> (MaxError, Option<f64>) {
    let of = |loss: &Loss| match loss {
        Loss::Approximated { what, max_error, bound } if what.starts_with("model space") => {
            Some((max_error.clone(), *bound))
        }
        _ => None,
    };
    report.losses.iter().find_map(of).unwrap()
}

#[test]
#[ignore = "costly"]
fn long_chains_of_eased_keys_are_as_far_off_as_is_reported_and_never_beyond_the_bound() {
    for (seed, scaled, length_m) in [(1, false, 1e-4), (2, true, 1e-4), (3, false, 1e-3), (4, true, 1e-3)] {
        let scene = arm(seed, scaled);
        let (mut made, mut report) = (scene.clone(), Report::default());
        arrange(&mut made, &like_gltf());
        let tolerance = Tolerance { length_m, ..Tolerance::default() };
        let storage = KeyStorage { times: TimeRounding::Single, ..KeyStorage::default() };
        conform(&mut made, &like_gltf(), &Conform { tolerance, storage, ..Conform::default() }, &mut report);
        assert_eq!(report.findings, []);
        let clips = [&scene.clips[0], &made.clips[0]];
        let (MaxError { value: measured, time, .. }, bound) = reported(&report);
        let times = (0..=LONG_MS).map(|ms| Seconds(f64::from(ms) / 1e3));
        let oracle = farthest(&scene, clips, times);
        assert!(oracle <= measured * 1.01 + 1e-6, "{seed}: {oracle} where {measured} was measured");
        let there = farthest(&scene, clips, std::iter::once(time));
        assert!((there - measured).abs() <= 1e-6 * measured, "{seed}: {there} where {measured} was measured");
        assert!(measured <= length_m, "{seed}: {measured}");
        let bound = bound.expect("all curves are lines and arcs");
        assert!(measured <= bound && bound <= 20.0 * length_m, "{seed}: {measured}, at most {bound}");
        let sides = clips.map(|clip| Animation { scene: &scene, clip });
        let compared = compare(sides[0], sides[1], &tolerance);
        let largest = compared.largest.unwrap().model_space_m.unwrap();
        assert!((largest - measured).abs() <= 0.01 * measured, "{seed}: {largest} and {measured}");
    }
}

#[test]
fn a_curve_that_was_only_looked_at_has_no_bound() {
    let mut scene = chain(&[Transform::IDENTITY]);
    let columns = ["x", "y", "z"].map(|_| hermite(&[0.0, 1.0], &[0.0, 1.0], &[0.0, 2.0], &[2.0, 0.0]));
    let channel = composed(Property::Translation, Composition::Components(columns.to_vec()));
    scene.clips.push(clip(1.0, vec![joint("n0", 0, vec![channel])]));
    let (mut made, mut report) = (scene.clone(), Report::default());
    conform(&mut made, &like_gltf(), &Conform::default(), &mut report);
    let (measured, bound) = reported(&report);
    assert!(measured.value > 0.0 && bound.is_none(), "{measured:?} {bound:?}");
}
