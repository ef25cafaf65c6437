//! Curves with other keys, column by column.

use dopesheet_core::model::{Curve, Handles, Laws, Times, Weighted};
use dopesheet_core::units::Seconds;

/// Weight of an unweighted handle.
const THIRD: f32 = 1.0 / 3.0;

/// A curve of straight segments with only these of its keys, ascending.
pub(crate) fn with_keys(curve: &Curve, kept: &[usize]) -> Curve {
    let (handles, weights, weighted, turns) = (None, None, None, None);
    Curve { handles, weights, weighted, turns, ..curve.picked(kept) }
}

/// The curve with an additional key at a position among its keys; `None` if the time is no frame of its grid.
#[must_use]
pub fn inserted(curve: &Curve, key: usize, at: Seconds, value: &[f32], laws: Laws) -> Option<Curve> {
    let row = key.saturating_mul(curve.width);
    let both = |handles: &Handles, of_key: f32| {
        let of_key = vec![of_key; curve.width];
        let [arriving, leaving] =
            [&handles.arriving, &handles.leaving].map(|column| spliced(column, row, &of_key));
        Box::new(Handles { arriving, leaving })
    };
    Some(Curve {
        times: with_time(&curve.times, key, at)?,
        width: curve.width,
        values: spliced(&curve.values, row, value),
        laws,
        handles: curve.handles.as_deref().map(|handles| both(handles, 0.0)),
        weights: curve.weights.as_deref().map(|weights| both(weights, THIRD)),
        weighted: curve.weighted.as_deref().map(|counts| spliced(counts, key, &[Weighted::NONE]).into()),
        turns: curve.turns.as_deref().map(|turns| spliced(turns, key, &[[0.0; 4]]).into()),
        before: curve.before.clone(),
        after: curve.after.clone(),
        jump: curve.jump,
        sources: curve.sources.as_deref().map(|sources| spliced(sources, key, &[None]).into()),
    })
}

/// A column with something more at a place.
fn spliced<T: Clone>(column: &[T], at: usize, more: &[T]) -> Vec<T> {
    let (before, after) = column.split_at(at.min(column.len()));
    [before, more, after].concat()
}

fn with_time(times: &Times, key: usize, at: Seconds) -> Option<Times> {
    match times {
        Times::Seconds(list) => Some(Times::Seconds(spliced(list, key, &[at.0]).into())),
        Times::Frames { rate, frames } => {
            let frames = spliced(frames, key, &[rate.whole_frame(at)?]).into();
            Some(Times::Frames { rate: *rate, frames })
        }
    }
}
