//! [`Sampler`]: one channel at many times.

use crate::beside::{Beside, Ends};
use crate::measure::Worst;
use crate::sample::angles::bend_of_angles;
pub(crate) use crate::sample::evaluate::{Cursors, Side, channel_at, curve_at, grid, one_channel_at};
pub(crate) use crate::sample::timing::{bezier, eased, share};
use crate::segment::Segment;
use dopesheet_core::model::Channel;
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;

/// What value a key is given that is put where a channel has none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum KeyValue {
    /// The channel's there.
    Own,
    /// That at which such a share of an [eased](Sampler::eased) way is covered.
    Covered(f64),
    /// This.
    Given(Vec<f32>),
}

/// Evaluates one channel at many times; fast where they ascend slowly.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    channel: &'a Channel,
    cursors: Vec<usize>,
    /// What is known of the last time's surroundings.
    segment: Option<Segment<'a>>,
}

impl<'a> Sampler<'a> {
    /// A sampler that stands at the start of a channel.
    #[must_use]
    pub fn new(channel: &'a Channel) -> Self {
        let cursors = vec![0; channel.composition.curves().count()];
        Self { channel, cursors, segment: Segment::new(channel) }
    }

    /// The timing of the way between two neighbouring key times, if it is straight or along a great arc and eased by one
    /// Bézier timing.
    pub(crate) fn eased(&mut self, a: Seconds, b: Seconds) -> Option<curve::BezierTiming> {
        self.segment.as_mut()?.eased(a, b)
    }

    /// Upper bound, in radians, of how far literal angles lead from the shorter great arc between two neighbouring key times.
    pub(crate) fn bend_of_angles(&mut self, a: Seconds, b: Seconds) -> Option<f64> {
        bend_of_angles(self.channel, [a, b], self.cursors.first_mut()?)
    }

    /// Where the value is, between two times, beside a way at constant speed with such ends; `None` where that is not known.
    pub(crate) fn beside(&mut self, a: f64, b: f64, ends: Ends) -> Option<Beside> {
        self.segment.as_mut()?.beside(a, b, ends)
    }

    /// How far it gets there, and when; `None` where only a bound is known of that, as beside frames, where it is not seen.
    pub(crate) fn farthest_from_straight(&mut self, a: f64, b: f64) -> Option<Worst> {
        let segment = self.segment.as_mut()?;
        let farthest = segment.bend(a, b)?;
        let is_seen = [a, farthest.time.0, b].iter().all(|time| segment.seen(*time) == *time);
        (is_seen && segment.is_one_way()).then_some(farthest)
    }

    /// The value of a key at a time.
    pub(crate) fn key_at(&mut self, time: Seconds, value: &KeyValue, out: &mut Vec<f64>) {
        let mut is_on_way =
            |covered| self.segment.as_mut().is_some_and(|segment| segment.value_on_way(time.0, covered, out));
        match value {
            KeyValue::Covered(covered) if is_on_way(*covered) => {}
            KeyValue::Given(value) => {
                out.clear();
                out.extend(value.iter().map(|x| f64::from(*x)));
            }
            KeyValue::Own | KeyValue::Covered(_) => _ = self.value_at(time, Side::At, out),
        }
    }

    /// The same as [`channel_at`], whatever was asked for before.
    pub fn value_at(&mut self, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
        self.segment.as_mut().is_some_and(|segment| segment.value_at(time.0, out))
            || one_channel_at(self.channel, time, side, &mut Cursors::new(&mut self.cursors), out)
    }

    /// [`Self::value_at`], found faster from what was asked for before: last digits may differ by that.
    pub(crate) fn value_near(&mut self, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
        self.segment.as_mut().is_some_and(|segment| segment.value_near(time.0, out))
            || self.value_at(time, side, out)
    }
}
