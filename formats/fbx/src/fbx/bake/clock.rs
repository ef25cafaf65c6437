//! Times of a file as times of a clip.

use super::Key;
use crate::fbx::document::Take;
use dopesheet_core::model::{Curve, Law, Laws, Times};
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// The clock of a clip, with 0 at the start of its take.
pub(super) struct Clock {
    begin: f64,
    rate: FrameRate,
    /// Earlier lists of times, by their seconds: many channels have their keys at the same times.
    known: HashMap<Vec<u64>, Times>,
}

impl Clock {
    pub(super) fn of(take: &Take) -> Self {
        Self { begin: take.begin.0, rate: take.rate, known: HashMap::new() }
    }

    /// The first numbers of keys as a curve of one law.
    pub(super) fn curve(&mut self, keys: &[Key], width: usize, law: Law) -> Curve {
        let times: Vec<f64> = keys.iter().map(|key| key.time_s).collect();
        let numbers = keys.iter().flat_map(|key| key.value.into_iter().take(width));
        Curve::new(
            self.times(&times),
            width,
            numbers.map(|number| number as f32).collect(),
            Laws::uniform(law),
        )
    }

    /// Times on the clock of the file as times of a curve: frames, if all times are frames.
    pub(super) fn times(&mut self, times_s: &[f64]) -> Times {
        let seconds: Vec<f64> = times_s.iter().map(|time| time - self.begin).collect();
        let bits = seconds.iter().map(|time| time.to_bits()).collect();
        let rate = self.rate;
        let times = || {
            let frames: Vec<f64> = seconds.iter().map(|time| rate.frame(Seconds(*time))).collect();
            let whole = |frame: &f64| frame.fract() == 0.0 && frame.abs() < 1e15;
            let apart = seconds.windows(2).all(|pair| !is_tick(pair[0], pair[1]));
            match apart && frames.iter().all(whole) {
                true => Times::Frames { rate, frames: frames.iter().map(|frame| *frame as i64).collect() },
                false => Times::Seconds(on_frames(&seconds, rate).into()),
            }
        };
        self.known.entry(bits).or_insert_with(times).clone()
    }
}

/// Largest distance of times a tick apart, and of times equal but for rounding, in seconds.
const TICK_S: f64 = 1e-8;

/// True if a time is the next tick of the file's clock.
fn is_tick(from: f64, to: f64) -> bool {
    from < to && to - from < TICK_S
}

/// Times with times near frames exactly on frames; times a tick behind another time stay a tick behind.
fn on_frames(seconds: &[f64], rate: FrameRate) -> Vec<f64> {
    let mut out: Vec<f64> = Vec::with_capacity(seconds.len());
    for (at, time) in seconds.iter().enumerate() {
        let frame = rate.snap(Seconds(*time)).0;
        let before = at.checked_sub(1).and_then(|before| Some((*seconds.get(before)?, *out.get(before)?)));
        let moved = match before {
            Some((before, moved)) if is_tick(before, *time) => moved + (time - before),
            _ if (frame - time).abs() < TICK_S => frame,
            _ => *time,
        };
        out.push(moved);
    }
    out
}
