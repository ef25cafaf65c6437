//! What a sample writes: one column of f32 per component of a transform, then all other numbers.

use super::arc::{LANES, Octet};

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

/// Local transforms of all joints at an instant, in f32 and by column, and all other numbers that a clip moves.
#[derive(Clone, Debug, PartialEq)]
pub struct SoaPose {
    pub(super) layout: Layout,
    pub(super) numbers: Vec<f32>,
}

/// How long the parts of a pose are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub joints: usize,
    pub numbers: usize,
}

impl Layout {
    /// From one column to the next, in numbers: the joints, filled up to a multiple of eight.
    pub(super) const fn stride(self) -> usize {
        self.joints.next_multiple_of(LANES)
    }

    /// Where the numbers that are no transforms start.
    pub(super) const fn numbers_start(self) -> usize {
        COLUMNS * self.stride()
    }

    /// Which joint, or else which number, a place belongs to.
    pub(super) const fn owner(self, place: usize) -> Result<usize, usize> {
        if place < self.numbers_start() {
            Ok(place % self.stride())
        } else {
            Err(place - self.numbers_start())
        }
    }

    /// Whether nothing is kept at a place, so that anything may be written there.
    const fn is_filling(self, place: usize) -> bool {
        if place < self.numbers_start() {
            place % self.stride() >= self.joints
        } else {
            place >= self.numbers_start() + self.numbers
        }
    }

    /// All of it, with room for lanes that nobody needs at the end.
    pub(super) const fn len(self) -> usize {
        self.numbers_start() + self.numbers + LANES
    }
}

impl SoaPose {
    pub(super) fn new(layout: Layout) -> Self {
        Self { layout, numbers: vec![0.0; layout.len()] }
    }

    /// How many joints it has: as many as the scene has nodes, in its order.
    #[must_use]
    pub const fn joints(&self) -> usize {
        self.layout.joints
    }

    fn column(&self, column: usize) -> &[f32] {
        let start = column * self.layout.stride();
        self.numbers.get(start..start + self.layout.joints).unwrap_or_default()
    }

    /// Translations x, y and z of all joints, in units of the scene's basis.
    #[must_use]
    pub fn translations(&self) -> [&[f32]; 3] {
        std::array::from_fn(|n| self.column(n))
    }

    /// Rotations x, y, z and w of all joints: unit quaternions whose sign means nothing.
    #[must_use]
    pub fn rotations(&self) -> [&[f32]; 4] {
        std::array::from_fn(|n| self.column(ROTATION + n))
    }

    /// Scale factors x, y and z of all joints.
    #[must_use]
    pub fn scales(&self) -> [&[f32]; 3] {
        std::array::from_fn(|n| self.column(SCALE + n))
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

    /// The numbers that are not transforms of joints: morph weights, switches, lenses and whatever else moves. Where the
    /// ones of a channel stand is said by [`CompiledClip::slots`](super::CompiledClip::slots).
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        let start = self.layout.numbers_start();
        self.numbers.get(start..start + self.layout.numbers).unwrap_or_default()
    }
}

/// Where eight lanes are written: side by side, or each to a place of its own. Places of further components lie a stride
/// apart.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    first: [u32; LANES],
    lanes: u32,
    /// All eight may be written at once.
    is_run: bool,
    stride: u32,
}

impl Targets {
    /// For up to eight lanes. Missing lanes are written behind the others only where that is filling.
    pub(super) fn new(targets: &[u32], layout: Layout) -> Self {
        // A lane that is missing goes where nothing is kept, with all its components.
        let nowhere = layout.len() as u32;
        let first: [u32; LANES] = std::array::from_fn(|lane| targets.get(lane).copied().unwrap_or(nowhere));
        let start = first[0];
        let is_run = targets.iter().zip(start..).all(|(target, next)| *target == next)
            && (start + targets.len() as u32..start + LANES as u32)
                .all(|place| layout.is_filling(place as usize));
        Self { first, lanes: targets.len() as u32, is_run, stride: layout.stride() as u32 }
    }

    /// The first place of every lane.
    pub(super) fn first(&self) -> &[u32] {
        self.first.get(..self.lanes as usize).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn store(&self, values: &Octet, out: &mut [f32]) {
        self.store_shifted(values, 0, out);
    }

    #[inline(always)]
    pub(super) fn store_columns<const N: usize>(&self, columns: &[Octet; N], out: &mut [f32]) {
        for (component, values) in columns.iter().enumerate() {
            self.store_shifted(values, component as u32 * self.stride, out);
        }
    }

    #[inline(always)]
    fn store_shifted(&self, values: &Octet, shift: u32, out: &mut [f32]) {
        if self.is_run {
            let start = (self.first[0] + shift) as usize;
            if let Some(all) = out.get_mut(start..).and_then(|rest| rest.first_chunk_mut::<LANES>()) {
                *all = *values;
            }
            return;
        }
        for (target, value) in self.first.iter().zip(values) {
            if let Some(slot) = out.get_mut((target + shift) as usize) {
                *slot = *value;
            }
        }
    }
}
