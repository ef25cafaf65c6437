//! A clip in the form in which it is played, and its cursor.

use super::exact::ExactChannel;
use super::key_times::{KeyTimes, Position};
use super::outputs::Slot;
use super::own::{OwnCurves, Segments};
use super::pose::{Layout, ROTATION, SoaPose};
use super::shared::SharedRows;
use crate::sample::policy::{Policies, RoundingPolicy};
use dopesheet_core::model::Blend;
use dopesheet_core::units::{FrameRate, Seconds};
use fearless_simd::{Level, dispatch};
use std::sync::Arc;

/// A clip of a scene, compact and read-only.
#[derive(Clone, Debug)]
pub struct CompiledClip {
    /// Tells clips apart; shared by clones, which play alike.
    pub(super) identity: Arc<()>,
    pub(super) level: Level,
    pub(super) duration: Seconds,
    pub(super) layout: Layout,
    /// Numbers of a pose at rest.
    pub(super) rest: Box<[f32]>,
    /// Grids on which sample times are looked up; none for seconds.
    pub(super) grids: Box<[Option<FrameRate>]>,
    pub(super) key_times: Box<[KeyTimes]>,
    pub(super) shared: Box<[SharedRows]>,
    pub(super) separate: OwnCurves,
    /// Joints whose rotations are made unit quaternions when their numbers are known.
    pub(super) of_quaternions: Box<[u32]>,
    pub(super) exact: Box<[ExactChannel]>,
    pub(super) slots: Box<[Slot]>,
    pub(super) laws: Box<[PlayedLaw]>,
}

/// A law that a clip plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedLaw {
    /// Interpolation between two keys.
    pub blend: Blend,
    /// True where the share of a segment does not run evenly.
    pub is_eased: bool,
}

/// Memory of one player of a clip: its segments at the last sample time, and all buffers of sampling. A
/// cursor makes near times cheap and never changes a result.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// Identity of the clip.
    of: Arc<()>,
    /// The sample time on every grid.
    times: Vec<f64>,
    /// The position among all key times.
    positions: Vec<Position>,
    segments: Vec<Segments>,
    /// Cursors of the curves of exact channels.
    until: Vec<usize>,
    value: Vec<f64>,
}

/// Upper bound of the count of a channel's numbers, an orbit's seven included.
const VALUE_CAPACITY: usize = 16;

impl CompiledClip {
    /// Length of the clip, from time 0 on.
    #[must_use]
    pub const fn duration(&self) -> Seconds {
        self.duration
    }

    /// Memory that the clip takes, in bytes, key times included; poses and cursors are not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let parts = [
            size_of::<Self>(),
            size_of_val(&*self.rest),
            size_of_val(&*self.grids),
            self.key_times.iter().map(KeyTimes::bytes).sum(),
            self.shared.iter().map(SharedRows::bytes).sum(),
            self.separate.bytes(),
            size_of_val(&*self.of_quaternions),
            self.exact.iter().map(ExactChannel::bytes).sum(),
            size_of_val(&*self.slots),
            size_of_val(&*self.laws),
        ];
        parts.into_iter().sum()
    }

    /// Laws of the source, without repetitions. The player replaces no law by another.
    #[must_use]
    pub fn laws(&self) -> &[PlayedLaw] {
        &self.laws
    }

    /// Slots of all channels outside of transforms, in the order of tracks and channels. Channels without
    /// keys have none.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// A pose for samples of this clip, at rest.
    #[must_use]
    pub fn pose(&self) -> SoaPose {
        let mut pose = SoaPose::new(self.layout);
        pose.numbers.copy_from_slice(&self.rest);
        pose
    }

    /// A cursor for this clip.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        let widest = self.slots.iter().map(|slot| slot.width).max().unwrap_or_default();
        Cursor {
            of: Arc::clone(&self.identity),
            times: vec![0.0; self.grids.len()],
            positions: vec![Position::default(); self.key_times.len()],
            segments: self.separate.segments(),
            until: vec![0; self.exact.iter().map(ExactChannel::curves).sum()],
            value: Vec::with_capacity(widest.max(VALUE_CAPACITY)),
        }
    }

    /// The pose and all numbers at a time, in sequence or at random.
    ///
    /// Writes all of `pose`. Allocates nothing if `cursor` and `pose` were made by this clip, or by a clone; those of
    /// another clip are made anew.
    pub fn sample(&self, time: Seconds, policies: Policies, cursor: &mut Cursor, pose: &mut SoaPose) {
        let time = self.start(time, policies, cursor);
        if pose.layout != self.layout {
            *pose = self.pose();
        }
        pose.numbers.copy_from_slice(&self.rest);
        self.play(time, policies.rounding, cursor, &mut pose.numbers);
    }

    /// Writes the moving numbers of a pose.
    fn play(&self, time: Seconds, rounding: RoundingPolicy, cursor: &mut Cursor, out: &mut [f32]) {
        let Cursor { times, positions, segments, until, value, .. } = cursor;
        for (list, position) in self.key_times.iter().zip(&mut *positions) {
            let time = times.get(list.grid).copied().unwrap_or_default();
            *position = list.position(time, rounding, position.key);
        }
        dispatch!(self.level, simd => {
            for rows in &self.shared {
                rows.play(simd, positions.get(rows.list).copied().unwrap_or_default(), out);
            }
            for (block, segments) in self.separate.blocks.iter().zip(segments) {
                self.separate.play(simd, block, positions, segments, out);
            }
        });
        for joint in &self.of_quaternions {
            let index = |number: usize| self.layout.index(ROTATION.saturating_add(number), *joint as usize);
            let numbers: [f32; 4] =
                std::array::from_fn(|number| out.get(index(number)).copied().unwrap_or_default());
            let scale = numbers.iter().map(|x| x * x).sum::<f32>().sqrt().recip();
            for (number, value) in numbers.iter().enumerate() {
                out.get_mut(index(number)).into_iter().for_each(|slot| *slot = value * scale);
            }
        }
        for exact in &self.exact {
            exact.play(time, rounding, until, value);
            exact.write(value, self.layout, out);
        }
    }

    /// Adapts a cursor to this clip and to a sample time; returns the time after looping.
    fn start(&self, time: Seconds, policies: Policies, cursor: &mut Cursor) -> Seconds {
        if !Arc::ptr_eq(&cursor.of, &self.identity) {
            *cursor = self.cursor();
        }
        let time = policies.looping.time(time, self.duration);
        for (grid, on_grid) in self.grids.iter().zip(&mut cursor.times) {
            *on_grid = grid.map_or(time.0, |rate| rate.frame(time));
        }
        time
    }
}
