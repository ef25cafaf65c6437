//! Rest poses of two scenes, by which points around a joint of one scene correspond to points around the
//! joint of the other.
//!
//! Joints of the same figure may have different axes and scales in different files: a GLB turns its bones
//! along their limbs and shrinks its root, a BVH has neither. A point of the skin is defined by its position
//! in the rest pose, in the world. So each side moves the points around a joint by M(t)·R⁻¹, with the joint's
//! model transform R at rest. Where both sides have the same R, the map is M(t) with a shell in units of the
//! joint.

use super::eight::Models;
use super::matching::{Match, Nodes};
use crate::sample::pose::{model_pose, rest_pose, scale_at_rest};
use dopesheet_core::model::{NodeIndex, Scene};
use fearless_simd::Simd;
use glam::{DAffine3, DMat3, DVec3, Mat3A};

/// Difference of two linear parts by rounding to single precision, as a share of the larger.
const ROUNDING: f64 = 1e-6;

/// Difference of two bones at rest by rounding in files: in metres, and as a share of their length.
const SAME_BONE: (f64, f64) = (1e-4, 1e-3);

/// Map from the axes of the world, at rest, to the axes of a joint, for each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FromRest {
    exact: [DMat3; 2],
    played: [Mat3A; 2],
}

impl FromRest {
    fn new(exact: [DMat3; 2]) -> Self {
        Self { exact, played: exact.map(|linear| linear.as_mat3().into()) }
    }

    /// Model transforms of points given in the world, at rest, relative to the joint.
    pub(super) fn of(&self, [a, b]: [DAffine3; 2]) -> [DAffine3; 2] {
        let of = |model: DAffine3, linear: DMat3| DAffine3 { matrix3: model.matrix3 * linear, ..model };
        [of(a, self.exact[0]), of(b, self.exact[1])]
    }

    /// As [`of`](Self::of), of played transforms.
    #[inline(always)]
    pub(super) fn of_played<S: Simd>(&self, simd: S, [a, b]: [&Models; 2]) -> [Models; 2] {
        [a.after(simd, &self.played[0]), b.after(simd, &self.played[1])]
    }
}

/// Model transforms of two scenes at rest.
pub(super) struct Rests<'a> {
    scenes: [&'a Scene; 2],
    models: [Vec<DAffine3>; 2],
    /// For each match, true if its bones lie the same way at rest.
    same_bones: Vec<bool>,
}

impl<'a> Rests<'a> {
    /// `None` where both sides are one scene.
    pub(super) fn new(scenes: [&'a Scene; 2], nodes: &Nodes) -> Option<Self> {
        if std::ptr::eq(scenes[0], scenes[1]) {
            return None;
        }
        let models = scenes.map(|scene| model_pose(scene, &rest_pose(scene)).0);
        let mut rests = Self { scenes, models, same_bones: Vec::new() };
        rests.same_bones = rests.same_bones(nodes);
        Some(rests)
    }

    /// The map of a shared joint; `None` where its axes and its scale are the same on both sides.
    ///
    /// Where the rest poses differ, so that a bone at the joint has another direction, points correspond by
    /// the joint's axes, as they do where the joint `looks` along an axis. Then only its scale counts.
    pub(super) fn between(&self, at: usize, pair: &Match, looks: bool) -> Option<FromRest> {
        let (a, b) = (pair.a?, pair.b?);
        let rests = [self.models[0].get(a)?.matrix3, self.models[1].get(b)?.matrix3];
        if is_same(rests) {
            return None;
        }
        let is_one_pose = !looks && self.same_bones.get(at) == Some(&true);
        let inverse = rests.map(|rest| rest.inverse());
        if is_one_pose && inverse.iter().all(|linear| linear.is_finite()) {
            return Some(FromRest::new(inverse));
        }
        let scales =
            [scale_at_rest(self.scenes[0], NodeIndex(a)), scale_at_rest(self.scenes[1], NodeIndex(b))];
        let linear = scales.map(|scale| DMat3::IDENTITY * scale.recip());
        (!is_same(linear)).then(|| FromRest::new(linear))
    }

    /// For each match, true if its bones have the same direction at rest in both scenes: most bones to its
    /// children, and without children as at its parent.
    fn same_bones(&self, nodes: &Nodes) -> Vec<bool> {
        let bones: Vec<_> = nodes.matches.iter().map(|found| self.bone(found, nodes)).collect();
        let mut counts: Vec<Option<i32>> = vec![None; bones.len()];
        for (above, is_same) in bones.iter().flatten() {
            if let Some(count) = counts.get_mut(*above) {
                *count = Some(count.unwrap_or_default().saturating_add(if *is_same { 1 } else { -1 }));
            }
        }
        let mut same: Vec<bool> = Vec::with_capacity(bones.len());
        for (count, bone) in counts.iter().zip(&bones) {
            let as_above = || bone.and_then(|(above, _)| same.get(above)).copied();
            let is_same = count.map(|count| count >= 0).or_else(as_above).unwrap_or(true);
            same.push(is_same);
        }
        same
    }

    /// The parent of a match in both scenes, and true if the bone between them is the same at rest.
    fn bone(&self, pair: &Match, nodes: &Nodes) -> Option<(usize, bool)> {
        let ends = [pair.a?, pair.b?];
        let mut bones = [DVec3::ZERO; 2];
        let mut parents = [0; 2];
        for (side, (scene, models)) in self.scenes.iter().zip(&self.models).enumerate() {
            let end = *ends.get(side)?;
            let NodeIndex(parent) = scene.nodes.get(end)?.parent?;
            *bones.get_mut(side)? = models.get(end)?.translation - models.get(parent)?.translation;
            *parents.get_mut(side)? = parent;
        }
        let (above, [a, b]) = (nodes.of_a(parents[0])?, bones);
        let is_same = a.distance(b) <= SAME_BONE.0 + SAME_BONE.1 * a.length();
        (nodes.in_b(Some(parents[0])) == Some(parents[1])).then_some((above, is_same))
    }
}

/// True of two linear parts that differ by no more than rounding.
fn is_same([a, b]: [DMat3; 2]) -> bool {
    let largest = |m: &DMat3| m.to_cols_array().iter().fold(0.0f64, |most, x| most.max(x.abs()));
    largest(&(a - b)) <= ROUNDING * largest(&a)
}
