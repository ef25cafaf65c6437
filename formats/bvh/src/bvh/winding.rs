//! Joints whose angles count turns.

use super::document::{Channel, Motion};
use super::notes;

/// The range of angles where poses say everything, in words.
pub(super) const WITHIN: &str = "angles from -360° to 360°";

/// The largest angle that is one of a pose, in degrees. Beyond it a file counts turns.
const MOST_DEG: f64 = 360.0;

/// True of an angle in degrees which says that its file counts turns.
pub(super) const fn winds(degrees: f64) -> bool {
    degrees.is_finite() && degrees.abs() > MOST_DEG
}

/// An angle that winds.
pub(super) struct Wound {
    pub(super) frame: usize,
    /// The place of the number on its frame.
    pub(super) column: usize,
    pub(super) degrees: f64,
}

/// The first angle of each joint that winds, with the joint; none where turns are multiplied out, because about one axis there are several.
pub(super) fn first_wounds(motion: &Motion) -> impl Iterator<Item = (usize, Wound)> {
    let (width, mut before) = (motion.width().max(1), 0);
    motion.joints.iter().enumerate().filter_map(move |(index, joint)| {
        let first = before;
        before += joint.channels.len();
        Some((index, first_wound(motion, width, (first, &joint.channels))?))
    })
}

/// The first angle that winds of the channels of a joint, the first of which has a column.
fn first_wound(motion: &Motion, width: usize, (first, channels): (usize, &[Channel])) -> Option<Wound> {
    let turn = |(column, channel): (usize, &Channel)| match channel {
        Channel::Rotation(axis) => Some((*axis, first + column)),
        _ => None,
    };
    let (axes, columns): (Vec<usize>, Vec<usize>) = channels.iter().enumerate().filter_map(turn).unzip();
    if columns.is_empty() {
        return None;
    }
    notes::order(&axes)?;
    let rows = motion.values.chunks_exact(width).enumerate();
    let angles = rows.flat_map(|(frame, row)| {
        columns.iter().filter_map(move |column| Some((frame, *column, *row.get(*column)?)))
    });
    let wound = |(frame, column, degrees)| Wound { frame, column, degrees };
    angles.map(wound).find(|wound| winds(wound.degrees))
}
