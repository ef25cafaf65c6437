//! [`Sampler`]: one channel at many times.

use super::angles::ways_of_angles;
use super::evaluate::{Cursors, Side, one_channel_at};
use dopesheet_core::model::Channel;
use dopesheet_core::units::Seconds;

/// The reference evaluator of one channel, with a memory of its last position: fast where times ascend
/// slowly.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    channel: &'a Channel,
    /// Number of keys at or before the last sample time, for each curve.
    cursors: Vec<usize>,
}

impl<'a> Sampler<'a> {
    /// A sampler that stands at the start of a channel.
    #[must_use]
    pub fn new(channel: &'a Channel) -> Self {
        Self { channel, cursors: vec![0; channel.composition.curves().count()] }
    }

    /// Ways of three evenly running angles, in radians, between two neighbouring key times.
    pub(crate) fn ways_of_angles(&mut self, a: Seconds, b: Seconds) -> Option<[f64; 3]> {
        ways_of_angles(self.channel, [a, b], self.cursors.first_mut()?)
    }

    /// The same as [`channel_at`](super::channel_at), whatever was asked for before.
    pub fn value_at(&mut self, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
        one_channel_at(self.channel, time, side, &mut Cursors::new(&mut self.cursors), out)
    }
}
