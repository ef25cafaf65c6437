//! Changes of all columns of a curve at once.

use super::curve::{Curve, Handles, Outside};
use super::key_times::Times;

impl Curve {
    /// The curve of some keys, in any order, with all columns of these keys. Laws keep their numbers.
    #[must_use]
    pub fn picked(&self, keys: &[usize]) -> Self {
        let times = match &self.times {
            Times::Seconds(times) => Times::Seconds(picked(times, 1, keys).into()),
            Times::Frames { rate, frames } => {
                Times::Frames { rate: *rate, frames: picked(frames, 1, keys).into() }
            }
        };
        let numbers = |column: &[f32]| picked(column, self.width, keys);
        Self {
            times,
            width: self.width,
            values: numbers(&self.values),
            laws: self.laws.clone(),
            handles: both(self.handles.as_deref(), numbers),
            weights: both(self.weights.as_deref(), numbers),
            weighted: self.weighted.as_deref().map(|counts| picked(counts, 1, keys).into()),
            turns: self.turns.as_deref().map(|turns| picked(turns, 1, keys).into()),
            before: self.before.clone(),
            after: self.after.clone(),
            jump: self.jump,
            sources: self.sources.as_deref().map(|sources| picked(sources, 1, keys).into()),
        }
    }

    /// One component as a curve of its own, with all columns of numbers.
    #[must_use]
    pub fn component(&self, component: usize) -> Self {
        let width = self.width.max(1);
        self.with_columns(1, |column| column.iter().skip(component).step_by(width).copied().collect())
    }

    /// The curve with `width` numbers per key: `column` yields the new numbers for those of a column (values,
    /// tangents, weights) or of the start of a ramp.
    #[must_use]
    pub fn with_columns(&self, width: usize, column: impl Fn(&[f32]) -> Vec<f32>) -> Self {
        let before = match &self.before {
            Outside::Ramp { start, from, law } => {
                Outside::Ramp { start: *start, from: column(from).into(), law: *law }
            }
            other => other.clone(),
        };
        Self {
            width,
            values: column(&self.values),
            handles: both(self.handles.as_deref(), &column),
            weights: both(self.weights.as_deref(), &column),
            before,
            ..self.clone()
        }
    }

    /// Changes the numbers of every value, tangent and control, and of the start of a ramp; `change` is told
    /// whether they are a tangent or control.
    pub fn change_rows(&mut self, change: impl Fn(&mut [f32], bool)) {
        let width = self.width.max(1);
        self.values.chunks_exact_mut(width).for_each(|row| change(row, false));
        for column in self.handles.iter_mut().flat_map(|sides| [&mut sides.arriving, &mut sides.leaving]) {
            column.chunks_exact_mut(width).for_each(|row| change(row, true));
        }
        if let Outside::Ramp { from, .. } = &mut self.before {
            change(from, false);
        }
    }
}

/// Both columns of handles or weights, changed.
fn both(sides: Option<&Handles>, column: impl Fn(&[f32]) -> Vec<f32>) -> Option<Box<Handles>> {
    let Handles { arriving, leaving } = sides?;
    Some(Box::new(Handles { arriving: column(arriving), leaving: column(leaving) }))
}

/// These rows of a column, neighbours together.
fn picked<T: Clone>(column: &[T], width: usize, keys: &[usize]) -> Vec<T> {
    let mut picked = Vec::with_capacity(keys.len().saturating_mul(width));
    for run in keys.chunk_by(|key, next| key.checked_add(1) == Some(*next)) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let rows = first.saturating_mul(width)..last.saturating_add(1).saturating_mul(width);
        picked.extend_from_slice(column.get(rows).unwrap_or_default());
    }
    picked
}
