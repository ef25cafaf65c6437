//! Curves made of some keys of another curve, at other times or more than once.

use crate::refused::Reason;
use dopesheet_core::model::{Curve, Laws, Times};
use dopesheet_core::units::Seconds;
use std::sync::Arc;

/// A key of the new curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PickedKey {
    /// Index of the key in the source curve.
    pub(crate) key: usize,
    /// Its time.
    pub(crate) at: Seconds,
    /// True if the key is the document's; else it is a copy.
    pub(crate) is_own: bool,
}

/// All keys of a curve at their times.
pub(crate) fn rows_of(curve: &Curve) -> Vec<PickedKey> {
    let rows = curve.times.iter().enumerate();
    rows.map(|(key, at)| PickedKey { key, at, is_own: true }).collect()
}

/// A curve of these rows, each with the law that leaves its key. Frames stay frames.
///
/// # Errors
/// If a row is earlier than the row before, or at the same time without a jump there in the source.
pub(crate) fn made_of(curve: &Curve, rows: &[PickedKey], target: &str) -> Result<Curve, Reason> {
    for pair in rows.windows(2) {
        let [before, after] = pair else { continue };
        let were_one = before.key < after.key && are_one(curve, before.key, after.key);
        if after.at.0 < before.at.0 || (after.at.0 == before.at.0 && !were_one) {
            return Err(Reason::new(format!(
                "expected keys to stay apart and in order, found that one of \"{target}\" would come to another one or pass it at {} s",
                after.at.0
            )));
        }
    }
    let keys: Vec<usize> = rows.iter().map(|row| row.key).collect();
    let last = rows.len().saturating_sub(1).max(1);
    let source = |row: &PickedKey| curve.source(row.key).filter(|_| row.is_own);
    Ok(Curve {
        times: times(curve, rows),
        laws: Laws::from_segments(rows.iter().take(last).map(|row| curve.laws.get(row.key))),
        sources: curve.sources.is_some().then(|| Arc::new(rows.iter().map(source).collect())),
        ..curve.picked(&keys)
    })
}

/// True if two keys are at the same time, or as close as a file of single precision stores a jump.
fn are_one(curve: &Curve, before: usize, after: usize) -> bool {
    let times = curve.times.get(before).zip(curve.times.get(after));
    times.is_some_and(|(before, after)| {
        after.0 - before.0 <= JUMP_STEPS * f64::from(f32::EPSILON) * after.0.abs().max(1.0)
    })
}

/// Steps of single precision between the two keys of a jump in a file.
const JUMP_STEPS: f64 = 2.0;

fn times(curve: &Curve, rows: &[PickedKey]) -> Times {
    if let Times::Frames { rate, .. } = curve.times {
        let whole = |row: &PickedKey| rate.whole_frame(row.at);
        if let Some(frames) = rows.iter().map(whole).collect::<Option<Vec<i64>>>() {
            return Times::Frames { rate, frames: frames.into() };
        }
    }
    Times::Seconds(rows.iter().map(|row| row.at.0).collect())
}
