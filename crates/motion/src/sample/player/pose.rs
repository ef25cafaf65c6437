//! Poses as the player writes them: one column of f32 per component of a transform, then all other numbers.

use super::slerp::{EIGHT, Octet};

/// Columns of a transform: translation x y z, rotation x y z w, scale x y z.
pub(super) const COLUMNS: usize = 10;
/// First column of the rotation.
pub(super) const ROTATION: usize = 3;
/// First column of the scale.
pub(super) const SCALE: usize = 7;

/// Local transform of a joint in f32: scale first, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointTransform {
    /// In units of the scene's basis.
    pub translation: [f32; 3],
    /// Unit quaternion x y z w; its sign means nothing.
    pub rotation: [f32; 4],
    /// Factors along the local axes.
    pub scale: [f32; 3],
}

/// Local transforms of all joints at one time, in f32 and by column, and all other numbers that a clip moves.
#[derive(Clone, Debug, PartialEq)]
pub struct SoaPose {
    pub(super) layout: Layout,
    pub(super) numbers: Vec<f32>,
}

/// Sizes of the parts of a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub joints: usize,
    pub numbers: usize,
}

impl Layout {
    /// From one column to the next, in numbers: the joints, filled up to a multiple of eight.
    pub(super) const fn stride(self) -> usize {
        self.joints.next_multiple_of(EIGHT)
    }

    /// Index of a joint's number in a column.
    pub(super) const fn index(self, column: usize, joint: usize) -> usize {
        column.saturating_mul(self.stride()).saturating_add(joint)
    }

    /// Index of the first number that belongs to no transform.
    pub(super) const fn numbers_start(self) -> usize {
        self.index(COLUMNS, 0)
    }

    /// Length of the whole pose: the other numbers are filled up to a multiple of eight, too.
    pub(super) const fn len(self) -> usize {
        self.numbers_start().saturating_add(self.numbers.next_multiple_of(EIGHT))
    }
}

impl SoaPose {
    pub(super) fn new(layout: Layout) -> Self {
        Self { layout, numbers: vec![0.0; layout.len()] }
    }

    /// Number of joints: as many as the scene has nodes, in its order.
    #[must_use]
    pub const fn joints(&self) -> usize {
        self.layout.joints
    }

    fn column(&self, column: usize) -> &[f32] {
        let range = self.layout.index(column, 0)..self.layout.index(column, self.layout.joints);
        self.numbers.get(range).unwrap_or_default()
    }

    /// Translations x, y and z of all joints, in units of the scene's basis.
    #[must_use]
    pub fn translations(&self) -> [&[f32]; 3] {
        [0, 1, 2].map(|column| self.column(column))
    }

    /// Rotations x, y, z and w of all joints: unit quaternions whose sign means nothing.
    #[must_use]
    pub fn rotations(&self) -> [&[f32]; 4] {
        [3, 4, 5, 6].map(|column| self.column(column))
    }

    /// Scale factors x, y and z of all joints.
    #[must_use]
    pub fn scales(&self) -> [&[f32]; 3] {
        [7, 8, 9].map(|column| self.column(column))
    }

    /// One joint; `None` past the last.
    #[must_use]
    pub fn joint(&self, joint: usize) -> Option<JointTransform> {
        let at = |column: usize| self.column(column).get(joint).copied();
        Some(JointTransform {
            translation: [at(0)?, at(1)?, at(2)?],
            rotation: [at(3)?, at(4)?, at(5)?, at(6)?],
            scale: [at(7)?, at(8)?, at(9)?],
        })
    }

    /// The numbers that are not transforms of joints: morph weights, switches, lenses and whatever else
    /// moves. [`CompiledClip::slots`](super::CompiledClip::slots) states the indices of each channel.
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        let start = self.layout.numbers_start();
        self.numbers.get(start..start.saturating_add(self.layout.numbers)).unwrap_or_default()
    }
}

/// Indices for the numbers of eight curves; further components stand a stride behind each.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    first: [u32; EIGHT],
    /// True of eight neighbours, written at once.
    is_run: bool,
    stride: u32,
}

impl Outputs {
    /// For up to eight indices.
    pub(super) fn new(indices: impl IntoIterator<Item = u32>, layout: Layout) -> Self {
        // A curve that is missing goes behind the end, with all its components.
        let mut first = [layout.len() as u32; EIGHT];
        first.iter_mut().zip(indices).for_each(|(own, index)| *own = index);
        let is_run = first.array_windows().all(|[own, next]| own.checked_add(1) == Some(*next));
        Self { first, is_run, stride: layout.stride() as u32 }
    }

    #[inline(always)]
    pub(super) fn store<const N: usize>(&self, columns: &[Octet; N], out: &mut [f32]) {
        for (component, values) in columns.iter().enumerate() {
            let shift = self.stride.wrapping_mul(component as u32);
            if self.is_run {
                let start = self.first[0].wrapping_add(shift) as usize;
                if let Some(all) = out.get_mut(start..).and_then(|rest| rest.first_chunk_mut::<EIGHT>()) {
                    *all = *values;
                }
                continue;
            }
            for (index, value) in self.first.iter().zip(values) {
                if let Some(slot) = out.get_mut(index.wrapping_add(shift) as usize) {
                    *slot = *value;
                }
            }
        }
    }
}
