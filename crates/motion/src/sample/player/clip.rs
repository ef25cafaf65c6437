//! A clip in the form in which it is played.

use super::exact::ExactChannel;
use super::knots::{Knots, Place};
use super::lanes::{Cache, Lanes};
use super::output::{JointTransform, Layout, SoaPose};
use super::piece::{Piece, Pieces};
use super::rows::Rows;
use crate::sample::policy::Policies;
use dopesheet_core::model::Blend;
use dopesheet_core::units::{FrameRate, Seconds};
use fearless_simd::{Level, Simd, dispatch};
use std::sync::Arc;

/// A clip of a scene, compact and read-only.
#[derive(Clone, Debug)]
pub struct CompiledClip {
    /// Tells clips apart; shared by clones, which play alike.
    pub(super) identity: Arc<()>,
    pub(super) level: Level,
    pub(super) duration: Seconds,
    pub(super) layout: Layout,
    /// What does not move.
    pub(super) base: Box<[f32]>,
    /// Grids on which times are looked up, or none for seconds.
    pub(super) axes: Box<[Option<FrameRate>]>,
    /// Key times and the axis they are on.
    pub(super) knots: Box<[(usize, Knots)]>,
    pub(super) rows: Box<[Rows]>,
    pub(super) lanes: Lanes,
    pub(super) exact: Box<[ExactChannel]>,
    pub(super) slots: Box<[Slot]>,
    pub(super) laws: Box<[PlayedLaw]>,
    pub(super) pieces: Pieces,
}

/// A law that a clip plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedLaw {
    /// How two keys are mixed.
    pub blend: Blend,
    /// Whether the parameter runs unevenly.
    pub is_eased: bool,
}

/// Where the numbers of a channel stand that is not part of a joint's transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The track's place in [`Clip::tracks`](dopesheet_core::model::Clip::tracks).
    pub track: usize,
    /// The channel's place in that track.
    pub channel: usize,
    /// The first of its numbers in [`SoaPose::numbers`].
    pub start: usize,
    /// How many there are.
    pub width: usize,
}

/// Where a player stands in a clip, and all memory that sampling needs. It makes near times cheap and never changes a
/// result; one player has one cursor.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// Which clip it belongs to.
    of: Arc<()>,
    axes: Vec<f64>,
    places: Vec<Place>,
    cache: Cache,
    /// For the curves of exact channels.
    until: Vec<usize>,
    value: Vec<f64>,
    /// For single joints.
    scratch: SoaPose,
}

/// Numbers that no channel's value exceeds, an orbit's seven included.
const VALUE_CAPACITY: usize = 16;

impl CompiledClip {
    /// From time 0 to here.
    #[must_use]
    pub const fn duration(&self) -> Seconds {
        self.duration
    }

    /// Memory that the clip takes, in bytes, lists of keys included; poses and cursors are not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.base)
            + size_of_val(&*self.axes)
            + self.knots.iter().map(|(axis, knots)| size_of_val(axis) + knots.bytes()).sum::<usize>()
            + self.rows.iter().map(Rows::bytes).sum::<usize>()
            + self.lanes.bytes()
            + self.exact.iter().map(ExactChannel::bytes).sum::<usize>()
            + size_of_val(&*self.slots)
            + size_of_val(&*self.laws)
            + self.pieces.bytes()
    }

    /// The laws of the source, without repetitions; none of them was replaced by another.
    #[must_use]
    pub fn laws(&self) -> &[PlayedLaw] {
        &self.laws
    }

    /// Where the numbers stand that are no transforms, in the order of tracks and channels. Channels without keys have none.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// A pose for samples of this clip, at rest.
    #[must_use]
    pub fn pose(&self) -> SoaPose {
        let mut pose = SoaPose::new(self.layout);
        pose.numbers.copy_from_slice(&self.base);
        pose
    }

    /// A cursor for this clip.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        let widest = self.slots.iter().map(|slot| slot.width).max().unwrap_or_default();
        Cursor {
            of: Arc::clone(&self.identity),
            axes: vec![0.0; self.axes.len()],
            places: self.knots.iter().map(|(_, knots)| knots.start()).collect(),
            cache: self.lanes.cache(),
            until: vec![0; self.exact.iter().map(ExactChannel::curves).sum()],
            value: Vec::with_capacity(widest.max(VALUE_CAPACITY)),
            scratch: self.pose(),
        }
    }

    /// The pose and all numbers at a time, in sequence or at random.
    ///
    /// Writes all of `pose`. Allocates nothing if `cursor` and `pose` were made by this clip, or by a clone; those of
    /// another clip are made anew.
    pub fn sample(&self, time: Seconds, policies: Policies, cursor: &mut Cursor, pose: &mut SoaPose) {
        self.own(cursor, pose);
        let time = policies.looping.time(time, self.duration);
        pose.numbers.copy_from_slice(&self.base);
        self.find_axes(time, &mut cursor.axes);
        for ((axis, knots), place) in self.knots.iter().zip(&mut cursor.places) {
            let position = cursor.axes.get(*axis).copied().unwrap_or_default();
            *place = knots.place(position, policies.rounding, place.key);
        }
        dispatch!(self.level, simd => self.play(simd, &cursor.places, &mut cursor.cache, &mut pose.numbers));
        for exact in &self.exact {
            let memory = (&mut *cursor.until, &mut cursor.value);
            exact.play(time, policies.rounding, memory, self.layout, &mut pose.numbers);
        }
    }

    #[inline(always)]
    fn play<S: Simd>(&self, simd: S, places: &[Place], cache: &mut Cache, out: &mut [f32]) {
        for rows in &self.rows {
            rows.play(simd, places.get(rows.knots).copied().unwrap_or_default(), out);
        }
        self.lanes.play(simd, places, cache, out);
    }

    /// One joint at a time; `None` past the last. The same as [`Self::sample`], at the price of a few channels.
    #[must_use]
    pub fn sample_joint(
        &self,
        joint: usize,
        time: Seconds,
        policies: Policies,
        cursor: &mut Cursor,
    ) -> Option<JointTransform> {
        self.sample_pieces(self.pieces.of_joint(joint), time, policies, cursor);
        cursor.scratch.joint(joint)
    }

    /// The numbers of one of the [`Self::slots`] at a time; none past the last. The same as [`Self::sample`].
    pub fn sample_slot<'a>(
        &self,
        slot: usize,
        time: Seconds,
        policies: Policies,
        cursor: &'a mut Cursor,
    ) -> &'a [f32] {
        self.sample_pieces(self.pieces.of_slot(slot), time, policies, cursor);
        let range = self.slots.get(slot).map_or(0..0, |slot| slot.start..slot.start + slot.width);
        cursor.scratch.numbers().get(range).unwrap_or_default()
    }

    fn sample_pieces(&self, pieces: &[Piece], time: Seconds, policies: Policies, cursor: &mut Cursor) {
        if !Arc::ptr_eq(&cursor.of, &self.identity) {
            *cursor = self.cursor();
        }
        let time = policies.looping.time(time, self.duration);
        self.find_axes(time, &mut cursor.axes);
        for piece in pieces {
            if let Some(((axis, knots), place)) =
                piece.knots().and_then(|knots| self.knots.get(knots).zip(cursor.places.get_mut(knots)))
            {
                let position = cursor.axes.get(*axis).copied().unwrap_or_default();
                *place = knots.place(position, policies.rounding, place.key);
            }
        }
        for piece in pieces {
            self.play_piece(*piece, time, policies, cursor);
        }
    }

    fn play_piece(&self, piece: Piece, time: Seconds, policies: Policies, cursor: &mut Cursor) {
        let (places, out) = (&cursor.places, &mut cursor.scratch.numbers);
        match piece {
            Piece::Rows { rows, block, knots } => {
                let place = places.get(knots as usize).copied().unwrap_or_default();
                if let Some(rows) = self.rows.get(rows as usize) {
                    dispatch!(self.level, simd => rows.play_one(simd, block as usize, place, out));
                }
            }
            Piece::Lane { kind, block, .. } => {
                let (which, cache) = ([kind.into(), block as usize], &mut cursor.cache);
                dispatch!(self.level, simd => self.lanes.play_one(simd, which, places, cache, out));
            }
            Piece::Exact(index) => {
                if let Some(exact) = self.exact.get(index as usize) {
                    let memory = (&mut *cursor.until, &mut cursor.value);
                    exact.play(time, policies.rounding, memory, self.layout, out);
                }
            }
        }
    }

    fn find_axes(&self, time: Seconds, positions: &mut [f64]) {
        for (axis, position) in self.axes.iter().zip(positions) {
            *position = axis.map_or(time.0, |rate| rate.frame(time));
        }
    }

    fn own(&self, cursor: &mut Cursor, pose: &mut SoaPose) {
        if !Arc::ptr_eq(&cursor.of, &self.identity) {
            *cursor = self.cursor();
        }
        if pose.layout != self.layout {
            *pose = self.pose();
        }
    }
}
