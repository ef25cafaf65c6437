//! Lists of key times that several curves have in common.

use dopesheet_core::model::Times;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// Lists of key times that are already in use, so that equal lists are one list.
#[derive(Debug, Default)]
pub struct SharedTimes(HashMap<Outline, Vec<Times>>);

/// What equal lists have in common, and few others: their grid, how long they are, and some of their times.
type Outline = (Option<FrameRate>, usize, [u64; 3]);

impl SharedTimes {
    /// The one list with these times.
    pub fn seconds(&mut self, times: Vec<f64>) -> Times {
        self.one(Times::Seconds(times.into()))
    }

    /// The one list with these frames.
    pub fn frames(&mut self, rate: FrameRate, frames: Vec<i64>) -> Times {
        self.one(Times::Frames { rate, frames: frames.into() })
    }

    /// Puts the one list of all in the place of a list that is one of `others`.
    pub(crate) fn adopt(&mut self, others: &Self, times: &mut Times) {
        if others.0.values().flatten().any(|own| own.is_same_list(times)) {
            *times = self.one(times.clone());
        }
    }

    /// The one list with these times, as frames if there is a grid.
    pub(crate) fn list(&mut self, times: &[Seconds], grid: Option<FrameRate>) -> Times {
        match grid {
            Some(rate) => self.frames(rate, times.iter().map(|t| rate.frame(*t).round() as i64).collect()),
            None => self.seconds(times.iter().map(|t| t.0).collect()),
        }
    }

    fn one(&mut self, times: Times) -> Times {
        let known = self.0.entry(outline(&times)).or_default();
        if let Some(same) = known.iter().find(|known| are_equal(known, &times)) {
            return same.clone();
        }
        known.push(times.clone());
        times
    }
}

fn outline(times: &Times) -> Outline {
    let places = [0, times.len() / 2, times.len().saturating_sub(1)];
    match times {
        Times::Seconds(list) => {
            (None, list.len(), places.map(|at| list.get(at).map_or(0, |time| time.to_bits())))
        }
        Times::Frames { rate, frames } => (
            Some(*rate),
            frames.len(),
            places.map(|at| frames.get(at).map_or(0, |frame| frame.cast_unsigned())),
        ),
    }
}

/// Whether two lists have the same grid and, bit for bit, the same times.
fn are_equal(a: &Times, b: &Times) -> bool {
    match (a, b) {
        (Times::Seconds(a), Times::Seconds(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.to_bits() == y.to_bits())
        }
        (Times::Frames { rate: x, frames: a }, Times::Frames { rate: y, frames: b }) => x == y && a == b,
        _ => false,
    }
}
