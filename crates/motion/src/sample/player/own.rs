//! Curves with key times or timings of their own: eight at a time, with both ends of their segments kept from
//! sample to sample.

use super::block::Block;
use super::curve::PlayedCurve;
use super::key_times::Position;
use super::pose::Layout;
use super::slerp::{EIGHT, Octet};
use super::timing_code::{SegmentTiming, TimingCode};
use dopesheet_core::model::Timing;
use dopesheet_core::order::by_key;
use fearless_simd::{Simd, f32x8, prelude::*};

/// All curves without shared rows.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnCurves {
    pub blocks: Box<[OwnBlock]>,
    /// Numbers of all keys.
    keys: Box<[f32]>,
    timings: Box<[TimingCode]>,
    /// Timings that codes name by index.
    listed: Box<[Timing]>,
}

/// Up to eight curves of one interpolation.
#[derive(Clone, Debug)]
pub(super) struct OwnBlock {
    pub block: Block,
    pub sources: Box<[Source]>,
}

/// Positions of a curve's keys in the clip's storage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Index of the key times in the clip.
    pub list: u32,
    /// Index of the first number among the numbers of all keys.
    first: u32,
    /// Index of the first timing among all; `None` if all are linear.
    timing: Option<u32>,
}

/// Segments of a block at the last sample time: the numbers at both ends of each curve's segment, and its
/// timing.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    keys: [u32; EIGHT],
    from: [Octet; 4],
    to: [Octet; 4],
    timings: [SegmentTiming; EIGHT],
}

impl OwnCurves {
    pub(super) fn new(mut curves: Vec<PlayedCurve>, listed: Vec<Timing>, layout: Layout) -> Self {
        by_key(&mut curves, |curve| (curve.interpolation, curve.output));
        let mut keys = Vec::with_capacity(curves.iter().map(|curve| curve.keys.len()).sum());
        let mut timings = Vec::new();
        // Each curve gives its keys away, so that a clip does not stand in memory twice.
        let mut source = |curve: &mut PlayedCurve| {
            let timing = curve.timings.take().map(|codes| {
                let first = timings.len() as u32;
                // The last key has none; one more keeps looks at it inside.
                timings.extend(codes.into_iter().chain([TimingCode::LINEAR]));
                first
            });
            let first = keys.len() as u32;
            keys.append(&mut std::mem::take(&mut curve.keys));
            Source { list: curve.list as u32, first, timing }
        };
        let alike = curves.chunk_by_mut(|a, b| a.interpolation == b.interpolation);
        let blocks = alike.flat_map(|all| all.chunks_mut(EIGHT)).map(|curves| OwnBlock {
            block: Block::new(curves, layout),
            sources: curves.iter_mut().map(&mut source).collect(),
        });
        let blocks = blocks.collect();
        Self { blocks, keys: keys.into(), timings: timings.into(), listed: listed.into() }
    }

    pub(super) fn segments(&self) -> Vec<Segments> {
        let (ends, timings) = ([[0.0; EIGHT]; 4], [SegmentTiming::Linear; EIGHT]);
        vec![Segments { keys: [u32::MAX; EIGHT], from: ends, to: ends, timings }; self.blocks.len()]
    }

    pub(super) fn bytes(&self) -> usize {
        let blocks = self.blocks.iter().flat_map(|own| [size_of::<OwnBlock>(), size_of_val(&*own.sources)]);
        let lists = [size_of_val(&*self.keys), size_of_val(&*self.timings), size_of_val(&*self.listed)];
        blocks.chain(lists).sum()
    }

    /// Writes a block at the positions among all key times.
    #[inline(always)]
    pub(super) fn play<S: Simd>(
        &self,
        simd: S,
        eight: &OwnBlock,
        positions: &[Position],
        segments: &mut Segments,
        out: &mut [f32],
    ) {
        let Segments { keys, from, to, timings } = segments;
        let mut shares = [0.0; EIGHT];
        let kept = keys.iter_mut().zip(timings).zip(&mut shares);
        for (n, (source, ((key, timing), share))) in eight.sources.iter().zip(kept).enumerate() {
            let position = positions.get(source.list as usize).copied().unwrap_or_default();
            if *key != position.key {
                *key = position.key;
                *timing = self.timing(*source, position.key).decoded(&self.listed);
                let width = eight.block.interpolation.width();
                for (ends, key) in [(&mut *from, position.key), (&mut *to, position.next)] {
                    let octets = ends.iter_mut().take(width).filter_map(|octet| octet.get_mut(n));
                    octets.zip(self.numbers(*source, key, width)).for_each(|(end, number)| *end = *number);
                }
            }
            *share = timing.share(position) as f32;
        }
        let u = f32x8::load_array_ref(simd, &shares);
        eight.block.play(simd, [from, to], u, out);
    }

    /// Numbers from a key of a curve on.
    fn numbers(&self, source: Source, key: u32, width: usize) -> &[f32] {
        let start = (key as usize).saturating_mul(width).saturating_add(source.first as usize);
        self.keys.get(start..).unwrap_or_default()
    }

    /// Timing of the segment behind a key of a curve.
    fn timing(&self, source: Source, key: u32) -> TimingCode {
        let index = source.timing.and_then(|first| first.checked_add(key));
        index.and_then(|index| self.timings.get(index as usize)).copied().unwrap_or(TimingCode::LINEAR)
    }
}
