//! Curves with key times or timings of their own: eight at a time, with the two ends of their segments kept from one sample to
//! the next.

use super::block::Block;
use super::curve::{Interpolation, PlayedCurve};
use super::key_times::Position;
use super::pose::Layout;
use super::slerp::{EIGHT, Octet};
use super::timing_code::{SegmentTiming, TimingCode};
use dopesheet_core::model::Timing;
use dopesheet_core::order::by_key;
use fearless_simd::{Simd, f32x8, prelude::*};

/// All curves that share no rows.
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

/// Where the keys of a curve are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Index of the key times in the clip.
    pub list: u32,
    /// Index of the first number among those of all keys.
    first: u32,
    /// Index of the first timing among all; none if all are linear.
    timing: Option<u32>,
}

/// Segments of a block at the last sample time: the numbers at both ends of each curve's, and its timing.
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
        let (mut keys, mut timings) = (Vec::new(), Vec::new());
        let mut source = |curve: &PlayedCurve| {
            let timing = curve.timings.as_ref().map(|codes| {
                let first = timings.len() as u32;
                // The last key has none; one more keeps looks at it inside.
                timings.extend(codes.iter().copied().chain([TimingCode::LINEAR]));
                first
            });
            let first = keys.len() as u32;
            keys.extend_from_slice(&curve.keys);
            Source { list: curve.list as u32, first, timing }
        };
        let blocks =
            curves.chunk_by(|a, b| a.interpolation == b.interpolation).flat_map(|all| all.chunks(EIGHT));
        let blocks = blocks.map(|curves| OwnBlock {
            block: Block::new(curves, layout),
            sources: curves.iter().map(&mut source).collect(),
        });
        let blocks = blocks.collect();
        Self { blocks, keys: keys.into(), timings: timings.into(), listed: listed.into() }
    }

    pub(super) fn segments(&self) -> Vec<Segments> {
        let (ends, timings) = ([[0.0; EIGHT]; 4], [SegmentTiming::Linear; EIGHT]);
        vec![Segments { keys: [u32::MAX; EIGHT], from: ends, to: ends, timings }; self.blocks.len()]
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().map(|own| size_of::<OwnBlock>() + size_of_val(&*own.sources)).sum::<usize>()
            + size_of_val(&*self.keys)
            + size_of_val(&*self.timings)
            + size_of_val(&*self.listed)
    }

    /// Writes a block at the positions among all key times.
    #[inline(always)]
    pub(super) fn play<S: Simd>(
        &self,
        simd: S,
        own: &OwnBlock,
        positions: &[Position],
        segments: &mut Segments,
        out: &mut [f32],
    ) {
        let mut shares = [0.0; EIGHT];
        for (n, (source, share)) in own.sources.iter().zip(&mut shares).enumerate() {
            let position = positions.get(source.list as usize).copied().unwrap_or_default();
            if segments.keys[n] != position.key {
                self.fetch(own.block.interpolation, *source, position, n, segments);
            }
            *share = segments.timings[n].share(position) as f32;
        }
        let u = f32x8::load_array_ref(simd, &shares);
        own.block.play(simd, [&segments.from, &segments.to], u, out);
    }

    fn fetch(
        &self,
        interpolation: Interpolation,
        source: Source,
        position: Position,
        n: usize,
        segments: &mut Segments,
    ) {
        let width = interpolation.width();
        let numbers = |key: u32| self.keys.get(source.first as usize + key as usize * width..);
        for (ends, key) in [(&mut segments.from, position.key), (&mut segments.to, position.next)] {
            for (octet, number) in ends.iter_mut().zip(numbers(key).unwrap_or_default()).take(width) {
                octet[n] = *number;
            }
        }
        let timing = source.timing.and_then(|first| self.timings.get((first + position.key) as usize));
        segments.timings[n] = timing.copied().unwrap_or(TimingCode::LINEAR).decoded(&self.listed);
        segments.keys[n] = position.key;
    }
}
