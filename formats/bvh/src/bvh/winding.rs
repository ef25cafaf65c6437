//! Joints whose angles count turns.

use super::document::{Channel, Motion};
use super::notes;

/// The range of angles that state nothing but poses, in words.
pub(super) const WITHIN: &str = "angles from -360° to 360°";

/// The largest angle of a pose, in degrees. Larger angles mean that a file counts turns.
const MOST_DEG: f64 = 360.0;

/// True of an angle in degrees that shows its file to count turns.
pub(super) const fn winds(degrees: f64) -> bool {
    degrees.is_finite() && degrees.abs() > MOST_DEG
}

/// An angle beyond the range of poses.
pub(super) struct Wound {
    pub(super) frame: usize,
    /// The place of the number on its frame.
    pub(super) column: usize,
    pub(super) degrees: f64,
}

/// The first winding angle of each joint, with the joint; none for joints whose turns are multiplied out,
/// because several are about one axis.
pub(super) fn first_wounds(motion: &Motion) -> impl Iterator<Item = (usize, Wound)> {
    let (width, mut before) = (motion.width().max(1), 0);
    motion.joints.iter().enumerate().filter_map(move |(index, joint)| {
        let first = before;
        before += joint.channels.len();
        Some((index, first_wound(motion, width, first, &joint.channels)?))
    })
}

/// The first winding angle among the channels of a joint; `first` is the column of the first channel.
fn first_wound(motion: &Motion, width: usize, first: usize, channels: &[Channel]) -> Option<Wound> {
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
