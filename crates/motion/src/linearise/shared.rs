//! Lists of key times that several curves have in common.

use dopesheet_core::model::Times;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// Lists of key times that are already in use, so that equal lists are one list.
#[derive(Debug, Default)]
pub struct SharedTimes(HashMap<(Option<FrameRate>, Vec<u64>), Times>);

impl SharedTimes {
    /// The one list with these times.
    pub fn seconds(&mut self, times: Vec<f64>) -> Times {
        let bits = times.iter().map(|t| t.to_bits()).collect();
        self.0.entry((None, bits)).or_insert_with(|| Times::Seconds(times.into())).clone()
    }

    /// The one list with these frames.
    pub fn frames(&mut self, rate: FrameRate, frames: Vec<i64>) -> Times {
        let bits = frames.iter().map(|f| f.cast_unsigned()).collect();
        self.0
            .entry((Some(rate), bits))
            .or_insert_with(|| Times::Frames { rate, frames: frames.into() })
            .clone()
    }

    /// Puts the one list of all in the place of a list that is one of `others`.
    pub(crate) fn adopt(&mut self, others: &Self, times: &mut Times) {
        if others.0.values().any(|own| own.is_same_list(times)) {
            *times = match times {
                Times::Seconds(seconds) => self.seconds(seconds.to_vec()),
                Times::Frames { rate, frames } => self.frames(*rate, frames.to_vec()),
            };
        }
    }

    /// The one list with these times, as frames if there is a grid.
    pub(crate) fn list(&mut self, times: &[Seconds], grid: Option<FrameRate>) -> Times {
        match grid {
            Some(rate) => self.frames(rate, times.iter().map(|t| rate.frame(*t).round() as i64).collect()),
            None => self.seconds(times.iter().map(|t| t.0).collect()),
        }
    }
}
