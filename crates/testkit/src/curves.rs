//! Curves and channels in a line.

use dopesheet_core::model::{Channel, Curve, Law, Laws, Property, Times};
use dopesheet_core::units::FrameRate;

/// The rate of [`frames`].
pub const FPS_30: FrameRate = FrameRate::FPS_30;

/// Times in seconds.
#[must_use]
pub fn seconds(times: &[f64]) -> Times {
    Times::Seconds(times.into())
}

/// Times on frames.
#[must_use]
pub fn frames(frames: &[i64]) -> Times {
    Times::Frames { rate: FPS_30, frames: frames.into() }
}

/// A curve of width 1 with one law.
#[must_use]
pub fn line(times: &[f64], values: &[f32], law: Law) -> Curve {
    Curve::new(seconds(times), 1, values.to_vec(), Laws::uniform(law))
}

/// A curve of any width with one law.
#[must_use]
pub fn wide(times: Times, width: usize, values: &[f32], law: Law) -> Curve {
    Curve::new(times, width, values.to_vec(), Laws::uniform(law))
}

/// A channel of a morph's weight.
#[must_use]
pub fn weight(curve: Curve) -> Channel {
    Channel::whole(Property::Weight, curve)
}
