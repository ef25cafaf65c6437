//! Channels gathered by their keys, before they are laid out.

use super::arc::terms;
use super::clip::Slot;
use super::exact::{ExactChannel, Goal};
use super::fill::Filler;
use super::keyed::{Keyed, Shape};
use super::knots::Knots;
use super::lanes::{Keys, Kind, Lane, Lanes, Source, blocks};
use super::output::Layout;
use super::piece::{Piece, Pieces};
use super::rows::{RowLaw, Rows, Strip, cosine};
use super::timing::Code;
use dopesheet_core::model::{JumpSide, Timing};
use dopesheet_core::units::FrameRate;
use std::collections::HashMap;

/// Fewest channels with the same keys that are laid out in rows.
const MIN_ROWS: usize = 4;

/// What tells lists of keys apart.
type ListKey = (Option<FrameRate>, bool, Vec<u64>);

/// Channels by list of keys.
#[derive(Default)]
pub(super) struct Gathered {
    axes: Vec<Option<FrameRate>>,
    lists: Vec<List>,
    known: HashMap<ListKey, usize>,
    cubics: Vec<Cubic>,
    listed: Vec<Timing>,
}

struct List {
    axis: usize,
    knots: Knots,
    keys: usize,
    rotations: Vec<Channel<4>>,
    numbers: Vec<Channel<1>>,
}

/// A number on cubics.
struct Cubic {
    target: u32,
    list: usize,
    cubics: Vec<[f32; 4]>,
    codes: Option<Vec<Code>>,
}

struct Channel<const N: usize> {
    strip: Strip<N>,
    /// Timings, if any is not even.
    codes: Option<Vec<Code>>,
}

impl<const N: usize> Channel<N> {
    fn new(law: RowLaw, target: u32, keys: Vec<[f32; N]>, codes: Option<Vec<Code>>) -> Self {
        let steps = codes.as_ref().is_some_and(|codes| codes.iter().all(|code| *code == Code::HELD));
        let (law, codes) = if steps { (RowLaw::Held, None) } else { (law, codes) };
        Self { strip: Strip { law, target, keys }, codes }
    }

    /// As a curve of its own every step is a timing.
    fn codes(&self) -> Option<Vec<Code>> {
        match self.strip.law {
            RowLaw::Held => Some(vec![Code::HELD; self.strip.keys.len().saturating_sub(1)]),
            RowLaw::Straight | RowLaw::Chord => self.codes.clone(),
        }
    }
}

/// The parts of a compiled clip that lie in rows and lanes.
pub(super) struct LaidOut {
    pub axes: Box<[Option<FrameRate>]>,
    pub knots: Box<[(usize, Knots)]>,
    pub rows: Box<[Rows]>,
    pub lanes: Lanes,
}

impl Gathered {
    pub(super) fn rotation(&mut self, keyed: &Keyed<'_>, shape: Shape, target: u32, keys: Vec<[f32; 4]>) {
        let law = if shape == Shape::Chord { RowLaw::Chord } else { RowLaw::Straight };
        let codes = keyed.codes(&mut self.listed);
        let channel = Channel::new(law, target, keys, codes);
        self.list(keyed).rotations.push(channel);
    }

    pub(super) fn number(&mut self, keyed: &Keyed<'_>, target: u32, keys: Vec<[f32; 1]>) {
        let codes = keyed.codes(&mut self.listed);
        let channel = Channel::new(RowLaw::Straight, target, keys, codes);
        self.list(keyed).numbers.push(channel);
    }

    /// Polynomials; those of segments that hold their first key are lines which a step looks at.
    pub(super) fn cubic(&mut self, keyed: &Keyed<'_>, target: u32, cubics: Vec<[f32; 4]>, holds: &[bool]) {
        let mut codes = keyed.codes(&mut self.listed);
        if holds.contains(&true) {
            let codes = codes.get_or_insert_with(|| vec![Code::LINEAR; holds.len()]);
            for (code, _) in codes.iter_mut().zip(holds).filter(|(_, holds)| **holds) {
                *code = Code::HELD;
            }
        }
        let list = self.list_index(keyed);
        self.cubics.push(Cubic { target, list, cubics, codes });
    }

    fn list(&mut self, keyed: &Keyed<'_>) -> &mut List {
        let index = self.list_index(keyed);
        &mut self.lists[index]
    }

    fn list_index(&mut self, keyed: &Keyed<'_>) -> usize {
        let bits = keyed.times.iter().map(|time| time.to_bits()).collect();
        let next = self.lists.len();
        let index = *self.known.entry((keyed.axis, keyed.jump == JumpSide::After, bits)).or_insert(next);
        if index == next {
            let axis = self.axes.iter().position(|axis| *axis == keyed.axis).unwrap_or_else(|| {
                self.axes.push(keyed.axis);
                self.axes.len() - 1
            });
            self.lists.push(List {
                axis,
                knots: Knots::new(&keyed.times, keyed.jump),
                keys: keyed.times.len(),
                rotations: Vec::new(),
                numbers: Vec::new(),
            });
        }
        index
    }

    /// Marks the places that are written.
    fn mark(&self, filler: &mut Filler<'_>) {
        for list in &self.lists {
            list.rotations.iter().for_each(|channel| filler.mark(channel.strip.target as usize, 4));
            list.numbers.iter().for_each(|channel| filler.mark(channel.strip.target as usize, 1));
        }
        self.cubics.iter().for_each(|cubic| filler.mark(cubic.target as usize, 1));
    }

    pub(super) fn lay_out(self, layout: Layout, base: &[f32], exact: &[ExactChannel]) -> LaidOut {
        let mut filler = Filler { layout, base, written: vec![false; base.len()] };
        self.mark(&mut filler);
        exact.iter().for_each(|channel| channel.mark(&mut filler));
        let mut lanes = Laning { listed: self.listed, ..Laning::default() };
        let (mut rows, mut knots) = (Vec::new(), Vec::new());
        for (index, list) in self.lists.into_iter().enumerate() {
            let (rotations, single_rotations) = split(list.rotations);
            let (numbers, single_numbers) = split(list.numbers);
            single_rotations.into_iter().for_each(|channel| lanes.rotation(index, channel));
            single_numbers.into_iter().for_each(|channel| lanes.number(index, channel));
            if !(rotations.is_empty() && numbers.is_empty()) {
                rows.push(Rows::new(index, list.keys, rotations, numbers, &filler));
            }
            knots.push((list.axis, list.knots));
        }
        self.cubics.into_iter().for_each(|cubic| lanes.cubic(cubic));
        LaidOut {
            axes: self.axes.into(),
            knots: knots.into(),
            rows: rows.into(),
            lanes: lanes.finish(layout),
        }
    }
}

/// Channels for rows, and channels for lanes.
fn split<const N: usize>(channels: Vec<Channel<N>>) -> (Vec<Strip<N>>, Vec<Channel<N>>) {
    let (even, eased): (Vec<_>, Vec<_>) = channels.into_iter().partition(|channel| channel.codes.is_none());
    if even.len() < MIN_ROWS {
        return (Vec::new(), even.into_iter().chain(eased).collect());
    }
    (even.into_iter().map(|channel| channel.strip).collect(), eased)
}

/// Lanes in the making.
#[derive(Default)]
struct Laning {
    lanes: [Vec<Lane>; 4],
    quaternions: Vec<[f32; 4]>,
    numbers: Vec<f32>,
    cubics: Vec<[f32; 4]>,
    timings: Vec<Code>,
    listed: Vec<Timing>,
}

impl Laning {
    fn push(&mut self, kind: Kind, knots: usize, first: usize, lane: (u32, usize), codes: Option<Vec<Code>>) {
        let timing = codes.map(|codes| {
            let first = self.timings.len() as u32;
            // The last key has none; one more keeps looks at it inside.
            self.timings.extend(codes.into_iter().chain([Code::LINEAR]));
            first
        });
        let source = Source { knots: knots as u32, first: first as u32, timing };
        let (target, terms) = lane;
        self.lanes[kind as usize].push(Lane { source, target, terms: terms as u32 });
    }

    fn rotation(&mut self, knots: usize, channel: Channel<4>) {
        let codes = channel.codes();
        let kind = if channel.strip.law == RowLaw::Chord { Kind::Chord } else { Kind::Arc };
        let longest = channel.strip.keys.windows(2).map(|ends| terms(cosine(ends))).max().unwrap_or_default();
        let first = self.quaternions.len();
        self.quaternions.extend(channel.strip.keys);
        self.push(kind, knots, first, (channel.strip.target, longest), codes);
    }

    fn number(&mut self, knots: usize, channel: Channel<1>) {
        let codes = channel.codes();
        let first = self.numbers.len();
        self.numbers.extend(channel.strip.keys.iter().map(|[number]| *number));
        self.push(Kind::Line, knots, first, (channel.strip.target, 0), codes);
    }

    fn cubic(&mut self, cubic: Cubic) {
        let first = self.cubics.len();
        self.cubics.extend(cubic.cubics);
        self.push(Kind::Cubic, cubic.list, first, (cubic.target, 0), cubic.codes);
    }

    fn finish(mut self, layout: Layout) -> Lanes {
        Lanes {
            blocks: Kind::ALL
                .map(|kind| blocks(kind, std::mem::take(&mut self.lanes[kind as usize]), layout)),
            keys: Keys {
                quaternions: self.quaternions.into(),
                numbers: self.numbers.into(),
                cubics: self.cubics.into(),
                timings: self.timings.into(),
                listed: self.listed.into(),
            },
        }
    }
}

impl LaidOut {
    /// What has to be played for each joint and each slot.
    pub(super) fn pieces(&self, layout: Layout, slots: &[Slot], exact: &[ExactChannel]) -> Pieces {
        let owner = |target: usize| match layout.owner(target) {
            Ok(joint) => joint,
            Err(number) => layout.joints + slots.partition_point(|slot| slot.start + slot.width <= number),
        };
        let mut owned = Vec::new();
        for (index, rows) in self.rows.iter().enumerate() {
            for (block, targets) in rows.blocks().enumerate() {
                let piece = Piece::Rows { rows: index as u32, block: block as u32, knots: rows.knots as u32 };
                owned.extend(targets.targets().iter().map(|target| (owner(*target as usize), piece)));
            }
        }
        for (kind, blocks) in self.lanes.blocks.iter().enumerate() {
            for (block, lanes) in blocks.iter().enumerate() {
                let piece = |knots| Piece::Lane { kind: kind as u8, block: block as u32, knots };
                owned.extend(lanes.lanes().map(|(target, knots)| (owner(target as usize), piece(knots))));
            }
        }
        for (index, channel) in exact.iter().enumerate() {
            let place = match channel.goal {
                Goal::Joint { joint, .. } => joint,
                Goal::Numbers { start, .. } => owner(start),
            };
            owned.push((place, Piece::Exact(index as u32)));
        }
        Pieces::new(layout.joints, layout.joints + slots.len(), owned)
    }
}
