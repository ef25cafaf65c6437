//! All joints of a side at eight samples at once, by the player, in single precision.

use super::sides::{Local, Side};
use crate::sample::player::{Cursor, LoopingPolicy, Policies, RoundingPolicy, SoaPose};
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DAffine3, DMat3, DQuat, DVec3, Mat3A};

/// Number of samples taken together.
pub(super) const EIGHT: usize = 8;

/// One number at each of eight samples.
pub(super) type Octet = [f32; EIGHT];

/// The curves' own rules apply outside of their keys.
const AS_KEYED: Policies = Policies { looping: LoopingPolicy::AsKeyed, rounding: RoundingPolicy::None };

/// Local transforms of a joint.
#[derive(Clone, Debug)]
pub(super) struct Locals {
    pub(super) translation: [Octet; 3],
    /// Unit quaternions x y z w.
    pub(super) rotation: [Octet; 4],
    pub(super) scale: [Octet; 3],
}

/// Model transforms of a joint.
#[derive(Clone, Debug)]
pub(super) struct Models {
    /// Column after column.
    pub(super) linear: [Octet; 9],
    pub(super) translation: [Octet; 3],
}

/// All joints of a side.
pub(super) struct Frames {
    cursor: Cursor,
    pub(super) poses: [SoaPose; EIGHT],
    pub(super) locals: Vec<Locals>,
    pub(super) models: Vec<Models>,
    /// For each node, true if possibly moved since the samples before.
    pub(super) moved: Vec<bool>,
}

impl Locals {
    /// The same transform at all samples.
    pub(super) fn still(local: &Local) -> Self {
        let all = |number: f32| [number; EIGHT];
        let [translation, scale] =
            [local.translation, local.scale].map(|own| own.as_vec3().to_array().map(all));
        Self { translation, rotation: local.rotation.as_quat().to_array().map(all), scale }
    }

    /// The transform at a sample in double precision.
    pub(super) fn matrix(&self, sample: usize) -> DAffine3 {
        let [x, y, z, w] = numbers(&self.rotation, sample);
        let (scale, translation) = (numbers(&self.scale, sample), numbers(&self.translation, sample));
        DAffine3::from_scale_rotation_translation(
            DVec3::from(scale),
            DQuat::from_xyzw(x, y, z, w),
            DVec3::from(translation),
        )
    }

    /// Places a joint in model space, below its parent if any.
    #[inline(always)]
    fn place_joint<S: Simd>(&self, simd: S, parent: Option<&Models>, is_rigid: bool, out: &mut Models) {
        let load = f32x8::load_array_ref;
        let linear = self.linear(simd, is_rigid);
        let Some(Models { linear: [a, b, c, d, e, f, g, h, i], translation: [x, y, z] }) = parent else {
            for (own, column) in out.linear.as_chunks_mut::<3>().0.iter_mut().zip(&linear) {
                for (own, number) in own.iter_mut().zip(column) {
                    *own = number.to_array();
                }
            }
            out.translation = self.translation;
            return;
        };
        let rows = [
            [load(simd, a), load(simd, d), load(simd, g), load(simd, x)],
            [load(simd, b), load(simd, e), load(simd, h), load(simd, y)],
            [load(simd, c), load(simd, f), load(simd, i), load(simd, z)],
        ];
        for (own, [x, y, z]) in out.linear.as_chunks_mut::<3>().0.iter_mut().zip(&linear) {
            for (own, [rx, ry, rz, _]) in own.iter_mut().zip(&rows) {
                *own = rx.mul_add(*x, ry.mul_add(*y, *rz * *z)).to_array();
            }
        }
        let [x, y, z] = &self.translation;
        let (x, y, z) = (load(simd, x), load(simd, y), load(simd, z));
        for (own, [rx, ry, rz, start]) in out.translation.iter_mut().zip(&rows) {
            *own = rx.mul_add(x, ry.mul_add(y, rz.mul_add(z, *start))).to_array();
        }
    }

    /// Columns of the linear part: scale first, then rotation.
    #[inline(always)]
    fn linear<S: Simd>(&self, simd: S, is_rigid: bool) -> [[f32x8<S>; 3]; 3] {
        let load = f32x8::load_array_ref;
        let [x, y, z, w] = &self.rotation;
        let (x, y, z, w) = (load(simd, x), load(simd, y), load(simd, z), load(simd, w));
        let (one, x2, y2, z2) = (f32x8::splat(simd, 1.0), x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let mut linear = [
            [one - (yy + zz), xy + wz, xz - wy],
            [xy - wz, one - (xx + zz), yz + wx],
            [xz + wy, yz - wx, one - (xx + yy)],
        ];
        if !is_rigid {
            for (column, scale) in linear.iter_mut().zip(&self.scale) {
                let scale = load(simd, scale);
                for own in column {
                    *own *= scale;
                }
            }
        }
        linear
    }
}

impl Models {
    const IDENTITY: Self = {
        let (one, zero) = ([1.0; EIGHT], [0.0; EIGHT]);
        Self { linear: [one, zero, zero, zero, one, zero, zero, zero, one], translation: [zero; 3] }
    };

    /// The transform at a sample in double precision.
    pub(super) fn at(&self, sample: usize) -> DAffine3 {
        DAffine3 {
            matrix3: DMat3::from_cols_array(&numbers(&self.linear, sample)),
            translation: DVec3::from(numbers(&self.translation, sample)),
        }
    }

    /// The transforms with a linear map before them.
    #[inline(always)]
    pub(super) fn after<S: Simd>(&self, simd: S, map: &Mat3A) -> Self {
        let load = f32x8::load_array_ref;
        let [a, b, c, d, e, f, g, h, i] = &self.linear;
        let rows = [
            [load(simd, a), load(simd, d), load(simd, g)],
            [load(simd, b), load(simd, e), load(simd, h)],
            [load(simd, c), load(simd, f), load(simd, i)],
        ];
        let mut mapped = self.clone();
        let columns = [map.x_axis, map.y_axis, map.z_axis].map(|column| column.to_array());
        for (own, [x, y, z]) in mapped.linear.as_chunks_mut::<3>().0.iter_mut().zip(&columns) {
            for (own, [rx, ry, rz]) in own.iter_mut().zip(&rows) {
                *own = (*rx * *x + *ry * *y + *rz * *z).to_array();
            }
        }
        mapped
    }
}

/// The numbers of one sample.
fn numbers<const N: usize>(columns: &[Octet; N], sample: usize) -> [f64; N] {
    columns.map(|column| column.get(sample).copied().unwrap_or_default().into())
}

impl Frames {
    pub(super) fn new(side: &Side<'_>) -> Self {
        let count = side.parents.len();
        Self {
            cursor: side.player.cursor(),
            poses: std::array::from_fn(|_| side.player.pose()),
            locals: (0..count).map(|node| Locals::still(&side.rest(node))).collect(),
            models: vec![Models::IDENTITY; count],
            moved: vec![true; count],
        }
    }

    /// Goes to eight times with some `nodes`; their ancestors must be among them.
    #[inline(always)]
    pub(super) fn go_to<S: Simd>(
        &mut self,
        simd: S,
        side: &Side<'_>,
        times: &[f64; EIGHT],
        is_first: bool,
        nodes: &[bool],
    ) {
        for (pose, time) in self.poses.iter_mut().zip(times) {
            side.player.sample(side.shown(*time), AS_KEYED, &mut self.cursor, pose);
        }
        let translations = self.poses.each_ref().map(SoaPose::translations);
        let rotations = self.poses.each_ref().map(SoaPose::rotations);
        let scales = self.poses.each_ref().map(SoaPose::scales);
        let all = side.parents.iter().zip(&side.moves).zip(&mut self.locals).zip(nodes);
        for (node, (((parent, moves), local), goes)) in all.enumerate() {
            let [moves_along, turns, grows] = moves.map(|moves| *goes && (moves || is_first));
            if moves_along {
                take(&mut local.translation, &translations, node);
            }
            if turns {
                take(&mut local.rotation, &rotations, node);
            }
            if grows {
                take(&mut local.scale, &scales, node);
            }
            let above = parent.filter(|parent| self.moved.get(*parent) == Some(&true));
            let is_new = moves_along || turns || grows || *goes && above.is_some();
            if let Some(moved) = self.moved.get_mut(node) {
                *moved = is_new;
            }
            if is_new {
                // Parents stand before children.
                if let Some((earlier, [own, ..])) = self.models.split_at_mut_checked(node) {
                    let above = parent.and_then(|parent| earlier.get(parent));
                    local.place_joint(simd, above, side.is_rigid.get(node) == Some(&true), own);
                }
            }
        }
    }
}

/// Takes the numbers of a node from the columns of eight poses.
#[inline(always)]
fn take<const N: usize>(out: &mut [Octet; N], poses: &[[&[f32]; N]; EIGHT], node: usize) {
    for (sample, columns) in poses.iter().enumerate() {
        for (own, column) in out.iter_mut().zip(columns) {
            if let (Some(own), Some(number)) = (own.get_mut(sample), column.get(node)) {
                *own = *number;
            }
        }
    }
}

/// Sums of the squares of differences.
#[inline(always)]
pub(super) fn squares<S: Simd, const N: usize>(simd: S, a: &[Octet; N], b: &[Octet; N]) -> f32x8<S> {
    let mut all = f32x8::splat(simd, 0.0);
    for (a, b) in a.iter().zip(b) {
        let difference = f32x8::load_array_ref(simd, a) - f32x8::load_array_ref(simd, b);
        all = difference.mul_add(difference, all);
    }
    all
}

/// Sums of the squares of sums.
#[inline(always)]
pub(super) fn sums<S: Simd, const N: usize>(simd: S, a: &[Octet; N], b: &[Octet; N]) -> f32x8<S> {
    let mut all = f32x8::splat(simd, 0.0);
    for (a, b) in a.iter().zip(b) {
        let sum = f32x8::load_array_ref(simd, a) + f32x8::load_array_ref(simd, b);
        all = sum.mul_add(sum, all);
    }
    all
}
