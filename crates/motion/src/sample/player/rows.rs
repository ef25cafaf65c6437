//! Many straight curves over one list of keys: whatever belongs to one key stands side by side, so that a time costs one
//! search and one walk over two neighbouring rows.

use super::arc::{Octet, Quats, Series, length_class, terms};
use super::fill::Filler;
use super::knots::Place;
use super::output::{Layout, Targets};
use fearless_simd::{Simd, f32x8, prelude::*};

/// How eight lanes are blended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum RowLaw {
    Held,
    Straight,
    /// Quaternions on the chord.
    Chord,
}

/// Eight lanes that are blended alike: quaternions take four columns of a row, plain numbers one.
#[derive(Clone, Debug)]
pub(super) struct Block {
    law: RowLaw,
    targets: Targets,
    /// How long a series the longest of its arcs needs.
    class: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// Which list of key times.
    pub knots: usize,
    /// Columns of a row.
    width: usize,
    rotations: Box<[Block]>,
    numbers: Box<[Block]>,
    /// The longest series that any block needs.
    class: usize,
    columns: Box<[Octet]>,
}

/// A quaternion or a number of every key of one curve, and where it goes.
#[derive(Clone, Debug)]
pub(super) struct Strip<const N: usize> {
    pub law: RowLaw,
    /// Index of the (first) number in the output.
    pub target: u32,
    /// Neighbouring quaternions lie on one half of the sphere.
    pub keys: Vec<[f32; N]>,
}

impl Rows {
    pub(super) fn new(
        knots: usize,
        keys: usize,
        mut rotations: Vec<Strip<4>>,
        mut numbers: Vec<Strip<1>>,
        filler: &Filler<'_>,
    ) -> Self {
        rotations.sort_by_key(|strip| (strip.law, strip.target));
        numbers.sort_by_key(|strip| (strip.law, strip.target));
        let rotations = filler.groups(&rotations, keys);
        let numbers = filler.groups(&numbers, keys);
        let layout = filler.layout;
        let mut columns = Vec::with_capacity(keys * (4 * rotations.len() + numbers.len()));
        for key in 0..keys {
            rotations.iter().for_each(|group| columns.extend(transposed(group, key, [0.0, 0.0, 0.0, 1.0])));
            numbers.iter().for_each(|group| columns.extend(transposed(group, key, [0.0])));
        }
        let width = 4 * rotations.len() + numbers.len();
        let rotations: Box<[Block]> = rotations.iter().map(|g| block(g, layout, longest_arc(g))).collect();
        let numbers = numbers.iter().map(|g| block(g, layout, 0)).collect();
        let class = rotations.iter().map(|b| b.class).max().unwrap_or_default();
        Self { knots, width, rotations, numbers, class, columns: columns.into() }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.columns)
            + size_of_val(&*self.rotations)
            + size_of_val(&*self.numbers)
    }

    fn row(&self, key: u32) -> &[Octet] {
        let start = key as usize * self.width;
        self.columns.get(start..start + self.width).unwrap_or_default()
    }

    /// All blocks, those of rotations first.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.rotations.iter().chain(&self.numbers)
    }

    /// Writes the lanes of one of [`Self::blocks`] at a place among the keys.
    #[inline(always)]
    pub(super) fn play_one<S: Simd>(&self, simd: S, which: usize, place: Place, out: &mut [f32]) {
        let (from, to) = (self.row(place.key), self.row(place.next));
        let column = |n: usize| Some((from.get(n)?, to.get(n)?));
        if let Some(block) = self.rotations.get(which) {
            let series = Series::new(place.share, block.class);
            let columns = |row: &'_ [Octet]| row.as_chunks::<4>().0.get(which).copied().unwrap_or_default();
            let ends = [&columns(from), &columns(to)];
            block.turn(simd, ends, place, &series).store(block, out);
            return;
        }
        let number = which.wrapping_sub(self.rotations.len());
        if let (Some(block), Some((a, b))) =
            (self.numbers.get(number), column(4 * self.rotations.len() + number))
        {
            block.targets.store(&block.mix(simd, [a, b], place), out);
        }
    }

    /// Writes all lanes at a place among the keys.
    #[inline(always)]
    pub(super) fn play<S: Simd>(&self, simd: S, place: Place, out: &mut [f32]) {
        let quaternions = 4 * self.rotations.len();
        let (Some((from, from_numbers)), Some((to, to_numbers))) = (
            self.row(place.key).split_at_checked(quaternions),
            self.row(place.next).split_at_checked(quaternions),
        ) else {
            return;
        };
        let series = Series::new(place.share, self.class);
        let ends = from.as_chunks::<4>().0.iter().zip(to.as_chunks::<4>().0);
        for (block, (a, b)) in self.rotations.iter().zip(ends) {
            block.turn(simd, [a, b], place, &series).store(block, out);
        }
        for (block, (a, b)) in self.numbers.iter().zip(from_numbers.iter().zip(to_numbers)) {
            block.targets.store(&block.mix(simd, [a, b], place), out);
        }
    }
}

impl Block {
    /// Where each lane goes.
    pub(super) fn targets(&self) -> &[u32] {
        self.targets.first()
    }

    #[inline(always)]
    fn share(&self, place: Place) -> f32 {
        if self.law == RowLaw::Held { place.held as f32 } else { place.share as f32 }
    }

    #[inline(always)]
    fn turn<S: Simd>(&self, simd: S, [a, b]: [&[Octet; 4]; 2], place: Place, series: &Series) -> Quats<S> {
        let (a, b) = (Quats::load(simd, a), Quats::load(simd, b));
        match self.law {
            RowLaw::Straight => a.slerp(&b, series, self.class),
            RowLaw::Chord => a.nlerp(&b, f32x8::splat(simd, place.share as f32)),
            RowLaw::Held if place.held < 0.5 => a,
            RowLaw::Held => b,
        }
    }

    #[inline(always)]
    fn mix<S: Simd>(&self, simd: S, [a, b]: [&Octet; 2], place: Place) -> Octet {
        let (a, b) = (f32x8::load_array_ref(simd, a), f32x8::load_array_ref(simd, b));
        (b - a).mul_add(f32x8::splat(simd, self.share(place)), a).to_array()
    }
}

impl<S: Simd> Quats<S> {
    #[inline(always)]
    pub(super) fn store(self, block: &Block, out: &mut [f32]) {
        block.targets.store_columns(&self.to_columns(), out);
    }
}

/// One key of up to eight lanes, by component.
fn transposed<const N: usize>(group: &[Strip<N>], key: usize, none: [f32; N]) -> [Octet; N] {
    std::array::from_fn(|component| {
        std::array::from_fn(|lane| {
            let value = group.get(lane).and_then(|strip| strip.keys.get(key)).unwrap_or(&none);
            value[component]
        })
    })
}

fn block<const N: usize>(group: &[Strip<N>], layout: Layout, class: usize) -> Block {
    let law = group.first().map_or(RowLaw::Held, |strip| strip.law);
    let targets: Vec<u32> = group.iter().map(|strip| strip.target).collect();
    Block { law, targets: Targets::new(&targets, layout), class }
}

/// How long a series the longest step of a block needs.
fn longest_arc(group: &[Strip<4>]) -> usize {
    let steps = group.iter().flat_map(|strip| strip.keys.windows(2));
    length_class(steps.map(|ends| terms(cosine(ends))).max().unwrap_or_default())
}

/// Cosine of the arc between two neighbouring quaternions.
pub(super) fn cosine(ends: &[[f32; 4]]) -> f64 {
    match ends {
        [a, b] => {
            1.0 - 0.5 * a.iter().zip(b).map(|(a, b)| (f64::from(*b) - f64::from(*a)).powi(2)).sum::<f64>()
        }
        _ => 1.0,
    }
}
