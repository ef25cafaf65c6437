//! Linear curves with the same key times: a row of numbers per key, so that a sample needs only a single
//! search and two neighbouring rows.

use super::block::Block;
use super::curve::PlayedCurve;
use super::key_times::Position;
use super::pose::Layout;
use super::slerp::{EIGHT, Octet};
use fearless_simd::{Simd, f32x8, prelude::*};

/// Fewest moving curves among eight neighbours in a pose for which the still neighbours are stored, too, so
/// that all eight are written at once.
const FEWEST_MOVING: usize = 6;

/// Curves over one list of key times.
#[derive(Clone, Debug)]
pub(super) struct SharedRows {
    /// Index of the key times in the clip.
    pub list: usize,
    pub blocks: Box<[Block]>,
    /// Octets of one key.
    width: usize,
    octets: Box<[Octet]>,
}

/// A pose at rest, and for each number true if a curve or a channel writes it.
pub(super) struct Rest<'a> {
    pub layout: Layout,
    pub numbers: &'a [f32],
    pub is_written: Vec<bool>,
}

impl SharedRows {
    /// From curves of one list of key times, sorted by interpolation and output.
    pub(super) fn new(list: usize, curves: &[PlayedCurve], rest: &Rest<'_>) -> Self {
        let keys = curves.first().map_or(0, PlayedCurve::len);
        let groups = groups(curves, keys, rest);
        let mut octets = Vec::new();
        for key in 0..keys {
            for group in &groups {
                let width = group.first().map_or(0, |curve| curve.interpolation.width());
                octets.extend((0..width).map(|component| -> Octet {
                    let number = |curve: &PlayedCurve| curve.key(key).get(component).copied();
                    std::array::from_fn(|n| group.get(n).and_then(number).unwrap_or_default())
                }));
            }
        }
        let blocks: Box<[Block]> = groups.iter().map(|group| Block::new(group, rest.layout)).collect();
        let width = blocks.iter().map(|block| block.interpolation.width()).sum();
        Self { list, blocks, width, octets: octets.into() }
    }

    pub(super) fn bytes(&self) -> usize {
        [size_of::<Self>(), size_of_val(&*self.blocks), size_of_val(&*self.octets)].into_iter().sum()
    }

    /// Writes all curves at a position among the key times.
    #[inline(always)]
    pub(super) fn play<S: Simd>(&self, simd: S, position: Position, out: &mut [f32]) {
        let row = |key: u32| self.octets.get((key as usize).saturating_mul(self.width)..).unwrap_or_default();
        let (mut from, mut to) = (row(position.key), row(position.next));
        let u = f32x8::splat(simd, position.share as f32);
        for block in &self.blocks {
            block.play(simd, [from, to], u, out);
            let width = block.interpolation.width();
            (from, to) = (from.get(width..).unwrap_or_default(), to.get(width..).unwrap_or_default());
        }
    }
}

/// Groups of up to eight curves of one interpolation: first groups of eight neighbours in a pose where nearly
/// all move, then the rest.
fn groups(curves: &[PlayedCurve], keys: usize, rest: &Rest<'_>) -> Vec<Vec<PlayedCurve>> {
    let mut groups = Vec::new();
    for alike in curves.chunk_by(|a, b| a.interpolation == b.interpolation) {
        let mut left = Vec::new();
        for neighbours in alike.chunk_by(|a, b| a.output as usize / EIGHT == b.output as usize / EIGHT) {
            match filled(neighbours, keys, rest) {
                Some(group) => groups.push(group),
                None => left.extend_from_slice(neighbours),
            }
        }
        groups.extend(left.chunks(EIGHT).map(<[PlayedCurve]>::to_vec));
    }
    groups
}

/// Eight neighbours, filled up with constant curves at rest values; `None` if too few of them move, or if
/// other curves or channels write the rest.
fn filled(curves: &[PlayedCurve], keys: usize, rest: &Rest<'_>) -> Option<Vec<PlayedCurve>> {
    let first = curves.first().filter(|_| curves.len() >= FEWEST_MOVING)?;
    let start = first.output.saturating_sub((first.output as usize % EIGHT) as u32);
    let still = |output: u32| {
        let indices =
            (0..first.interpolation.components()).map(|column| rest.layout.index(column, output as usize));
        let value = indices.map(|index| {
            rest.numbers.get(index).copied().filter(|_| rest.is_written.get(index) == Some(&false))
        });
        let mut value = value.collect::<Option<Vec<f32>>>()?;
        value.resize(first.interpolation.width(), 0.0);
        Some(PlayedCurve { output, keys: value.repeat(keys), ..first.clone() })
    };
    let mut moving = curves.iter().peekable();
    let all = (start..).take(EIGHT).map(|output| match moving.next_if(|c| c.output == output) {
        Some(curve) => Some(curve.clone()),
        None => still(output),
    });
    all.collect()
}
