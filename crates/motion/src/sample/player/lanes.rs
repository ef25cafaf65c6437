//! Curves with keys of their own: eight at a time, with the two ends of their segments kept from one sample to the next.

use super::arc::{LANES, Octet, Quats};
use super::knots::Place;
use super::output::{Layout, Targets};
use super::timing::{Code, Decoded};
use dopesheet_core::model::Timing;
use fearless_simd::{Simd, f32x8, prelude::*};

/// Numbers of one key, or of one segment.
pub(super) type Four = [f32; 4];

/// Where the keys of a curve are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Which list of key times.
    pub knots: u32,
    /// First key among all keys of its kind.
    pub first: u32,
    /// First timing among all timings, if any segment is not even.
    pub timing: Option<u32>,
}

/// One curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub source: Source,
    /// Index of the (first) number in the output.
    pub target: u32,
    /// Terms that its longest arc needs.
    pub terms: u32,
}

/// Up to eight curves of a kind.
#[derive(Clone, Debug)]
pub(super) struct Block {
    kind: Kind,
    sources: Box<[Source]>,
    targets: Targets,
    terms: usize,
}

/// What the curves of a block have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Quaternions on the great circle.
    Arc,
    /// Quaternions on the chord.
    Chord,
    /// Numbers on straight lines.
    Line,
    /// Numbers on cubics.
    Cubic,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Arc, Self::Chord, Self::Line, Self::Cubic];
}

/// All curves with keys of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    /// In the order of [`Kind::ALL`].
    pub blocks: [Box<[Block]>; 4],
    pub keys: Keys,
}

/// What the curves' sources point to.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    pub quaternions: Box<[Four]>,
    pub numbers: Box<[f32]>,
    /// Polynomials in the share of a segment, from the constant up; the last key's is constant.
    pub cubics: Box<[Four]>,
    pub timings: Box<[Code]>,
    /// Timings with a code of their own.
    pub listed: Box<[Timing]>,
}

/// What a block keeps from one sample to the next: four numbers of each lane at one end of its segment, or of a polynomial,
/// and four at the other end.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    keys: [u32; LANES],
    from: [Octet; 4],
    to: [Octet; 4],
    timings: [Decoded; LANES],
}

impl Kept {
    const NOTHING: Self = Self {
        keys: [u32::MAX; LANES],
        from: [[0.0; LANES]; 4],
        to: [[0.0; LANES]; 4],
        timings: [Decoded::Linear; LANES],
    };
}

/// What all blocks keep, in the order of [`Kind::ALL`].
pub(super) type Cache = [Vec<Kept>; 4];

/// Lanes that stand next to each other in the output, by eights.
pub(super) fn blocks(kind: Kind, mut lanes: Vec<Lane>, layout: Layout) -> Box<[Block]> {
    lanes.sort_by_key(|lane| lane.target);
    let block = |lanes: &[Lane]| {
        let targets: Vec<u32> = lanes.iter().map(|lane| lane.target).collect();
        Block {
            kind,
            sources: lanes.iter().map(|lane| lane.source).collect(),
            targets: Targets::new(&targets, layout),
            terms: lanes.iter().map(|lane| lane.terms as usize).max().unwrap_or_default(),
        }
    };
    lanes.chunks(LANES).map(block).collect()
}

impl Lanes {
    pub(super) fn cache(&self) -> Cache {
        std::array::from_fn(|kind| vec![Kept::NOTHING; self.blocks[kind].len()])
    }

    pub(super) fn bytes(&self) -> usize {
        let of = |block: &Block| size_of::<Block>() + size_of_val(&*block.sources);
        let keys = &self.keys;
        self.blocks.iter().flat_map(|blocks| blocks.iter()).map(of).sum::<usize>()
            + size_of_val(&*keys.quaternions)
            + size_of_val(&*keys.numbers)
            + size_of_val(&*keys.cubics)
            + size_of_val(&*keys.timings)
            + size_of_val(&*keys.listed)
    }

    #[inline(always)]
    pub(super) fn play<S: Simd>(&self, simd: S, places: &[Place], cache: &mut Cache, out: &mut [f32]) {
        for (blocks, kept) in self.blocks.iter().zip(cache) {
            for (block, kept) in blocks.iter().zip(kept) {
                block.play(simd, &self.keys, places, kept, out);
            }
        }
    }

    /// One block alone.
    #[inline(always)]
    pub(super) fn play_one<S: Simd>(
        &self,
        simd: S,
        [kind, block]: [usize; 2],
        places: &[Place],
        cache: &mut Cache,
        out: &mut [f32],
    ) {
        let kept = cache.get_mut(kind).and_then(|kept| kept.get_mut(block));
        let block = self.blocks.get(kind).and_then(|blocks| blocks.get(block));
        if let (Some(block), Some(kept)) = (block, kept) {
            block.play(simd, &self.keys, places, kept, out);
        }
    }
}

impl Block {
    /// Where each lane goes, and its list of key times.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.targets.first().iter().zip(&self.sources).map(|(target, source)| (*target, source.knots))
    }

    #[inline(always)]
    fn play<S: Simd>(&self, simd: S, keys: &Keys, places: &[Place], kept: &mut Kept, out: &mut [f32]) {
        let four = |keys: &[Four], key: usize| keys.get(key).copied().unwrap_or_default();
        let load = f32x8::load_array_ref;
        let u = match self.kind {
            Kind::Arc | Kind::Chord => self.shares(keys, places, kept, |key| four(&keys.quaternions, key)),
            Kind::Cubic => self.shares(keys, places, kept, |key| four(&keys.cubics, key)),
            Kind::Line => self.shares(keys, places, kept, |key| {
                [keys.numbers.get(key).copied().unwrap_or_default(), 0.0, 0.0, 0.0]
            }),
        };
        let u = load(simd, &u);
        match self.kind {
            Kind::Arc => {
                let (from, to) = (Quats::load(simd, &kept.from), Quats::load(simd, &kept.to));
                self.targets.store_columns(&from.slerp_each(&to, u, self.terms).to_columns(), out);
            }
            Kind::Chord => {
                let (from, to) = (Quats::load(simd, &kept.from), Quats::load(simd, &kept.to));
                self.targets.store_columns(&from.nlerp(&to, u).to_columns(), out);
            }
            Kind::Line => {
                let from = load(simd, &kept.from[0]);
                let mixed = (load(simd, &kept.to[0]) - from).mul_add(u, from);
                self.targets.store(&mixed.to_array(), out);
            }
            Kind::Cubic => {
                let [c0, c1, c2, c3] = &kept.from;
                let (c0, c1, c2, c3) = (load(simd, c0), load(simd, c1), load(simd, c2), load(simd, c3));
                self.targets.store(&c3.mul_add(u, c2).mul_add(u, c1).mul_add(u, c0).to_array(), out);
            }
        }
    }

    /// How far each lane is in its segment, whose ends are fetched if it is a new one.
    #[inline(always)]
    fn shares(&self, keys: &Keys, places: &[Place], kept: &mut Kept, value: impl Fn(usize) -> Four) -> Octet {
        let mut shares = [0.0; LANES];
        for (lane, (source, share)) in self.sources.iter().zip(&mut shares).enumerate() {
            let place = places.get(source.knots as usize).copied().unwrap_or_default();
            if kept.keys[lane] != place.key {
                kept.fetch(lane, source, place, keys, &value);
            }
            *share = kept.timings[lane].share(place) as f32;
        }
        shares
    }
}

impl Kept {
    fn fetch(
        &mut self,
        lane: usize,
        source: &Source,
        place: Place,
        keys: &Keys,
        value: impl Fn(usize) -> Four,
    ) {
        let key = |key: u32| (source.first + key) as usize;
        let (from, to) = (value(key(place.key)), value(key(place.next)));
        for component in 0..4 {
            self.from[component][lane] = from[component];
            self.to[component][lane] = to[component];
        }
        let timing = source.timing.and_then(|first| keys.timings.get((first + place.key) as usize));
        self.timings[lane] = timing.copied().unwrap_or(Code::LINEAR).decoded(&keys.listed);
        self.keys[lane] = place.key;
    }
}
