//! A recording as stored: the content of its text, and the text itself if the recorder would have spelled it
//! otherwise.

use std::ops::Range;
use std::slice;

/// A file.
///
/// Text in the recorder's spelling is made anew from the fields, byte for byte. Any other text is kept; after
/// an edit through [`Document::recording_mut`] only the changed numbers are spelled anew, unless frames or
/// input sources were added or removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// `None` for text in the recorder's spelling.
    pub(super) source: Option<String>,
    pub(super) recording: Recording,
    pub(super) edited: bool,
}

impl Document {
    /// A document without a text from a file. Its whole text is written in the recorder's spelling.
    #[must_use]
    pub const fn new(recording: Recording) -> Self {
        Self { source: None, recording, edited: false }
    }

    /// The content of the file.
    #[must_use]
    pub const fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The same, for editing.
    pub const fn recording_mut(&mut self) -> &mut Recording {
        self.edited = true;
        &mut self.recording
    }
}

/// Position x y z in metres and rotation x y z w, in the reference space of the recording.
pub type Pose = [f64; 7];

/// Content of a file: the root object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Input sources. Of several with the same index the last counts.
    pub schema: Vec<Entry>,
    /// Frames in the order of the file.
    pub frames: Vec<Frame>,
}

impl Recording {
    /// The input source with an index, with its place in the schema.
    #[must_use]
    pub fn source(&self, index: u32) -> Option<(usize, &InputSource)> {
        let position = self.schema.iter().rposition(|entry| entry.index == index)?;
        self.schema.get(position).map(|entry| (position, &entry.source))
    }
}

/// An input source with the index used in frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Number in the frames.
    pub index: u32,
    /// The source.
    pub source: InputSource,
}

/// Description of an input source: IWER's `InputSchema`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputSource {
    /// `left`, `right` or `none`.
    pub handedness: String,
    /// `tracked-pointer`, `gaze`, `screen` or `transient-pointer`.
    pub target_ray_mode: String,
    /// Names of input profiles, the most specific first.
    pub profiles: Vec<String>,
    /// True if frames hold the pose of its grip.
    pub has_grip: bool,
    /// Names of a hand's joints in the order of the frames; `None` for a source without a hand.
    pub joints: Option<Vec<String>>,
    /// Its buttons and axes, if there are any.
    pub gamepad: Option<Gamepad>,
}

/// The buttons and axes of an input source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gamepad {
    /// `xr-standard`, or empty.
    pub mapping: String,
    /// Number of buttons.
    pub buttons: usize,
    /// Number of axes.
    pub axes: usize,
}

/// A single frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Milliseconds since the page was opened (`performance.now()`).
    pub time_ms: f64,
    /// Pose of the head.
    pub viewer: Pose,
    /// The input sources present in the frame.
    pub inputs: Vec<Input>,
}

/// An input source on a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Its index in the schema.
    pub index: u32,
    /// Pose of its target ray, pointing along −Z.
    pub ray: Pose,
    /// Pose of its grip.
    pub grip: Option<Pose>,
    /// Pose of each joint **relative to the target ray**, and its radius in metres.
    pub hand: Option<Vec<[f64; 8]>>,
    /// State of its buttons and axes.
    pub gamepad: Option<GamepadState>,
}

/// The state of buttons and axes on a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GamepadState {
    /// Pressed, touched (0 or 1 each) and value (0..=1) of each button; `None` for a button missing in the
    /// device.
    pub buttons: Vec<Option<[f64; 3]>>,
    /// Axes, −1..=1; `None` as with buttons.
    pub axes: Vec<Option<f64>>,
}

impl GamepadState {
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        let buttons = self.buttons.iter().flatten().map(<[f64; 3]>::as_slice);
        buttons.chain(self.axes.iter().flatten().map(slice::from_ref))
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let buttons = self.buttons.iter_mut().flatten().map(<[f64; 3]>::as_mut_slice);
        buttons.chain(self.axes.iter_mut().flatten().map(slice::from_mut))
    }

    /// True for each button, and for each axis, without a value.
    fn absences(&self) -> [Vec<bool>; 2] {
        [self.buttons.iter().map(Option::is_none).collect(), self.axes.iter().map(Option::is_none).collect()]
    }
}

impl Frame {
    /// All numbers but indices, in the order of the text.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.rows().flatten().copied()
    }

    /// As [`Frame::numbers`], with the numbers of a pose, a joint or a button together.
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        let own_rows = [slice::from_ref(&self.time_ms), &self.viewer];
        own_rows.into_iter().chain(self.inputs.iter().flat_map(Input::rows))
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let own_rows = [slice::from_mut(&mut self.time_ms), &mut self.viewer];
        own_rows.into_iter().chain(self.inputs.iter_mut().flat_map(Input::rows_mut))
    }

    /// This frame, with the numbers of `other` for all numbers equal in this frame and in `third`, also with
    /// the opposite sign, as in a mirrored frame.
    pub(super) fn with_numbers_of(&self, other: &Self, third: &Self) -> Self {
        let mut restored = self.clone();
        for ((row, third), other) in restored.rows_mut().zip(third.rows()).zip(other.rows()) {
            restore(row, third, other);
        }
        restored
    }

    /// True if another frame has its numbers in the same places.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let pairs = || self.inputs.iter().zip(&other.inputs);
        self.inputs.len() == other.inputs.len() && pairs().all(|(a, b)| a.is_like(b))
    }
}

impl Input {
    /// As [`Frame::numbers`].
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.rows().flatten().copied()
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        let hand = self.hand.iter().flatten().map(<[f64; 8]>::as_slice);
        let poses = std::iter::once(&self.ray).chain(&self.grip).map(Pose::as_slice);
        poses.chain(hand).chain(self.gamepad.iter().flat_map(GamepadState::rows))
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let hand = self.hand.iter_mut().flatten().map(<[f64; 8]>::as_mut_slice);
        let poses = std::iter::once(&mut self.ray).chain(&mut self.grip).map(Pose::as_mut_slice);
        poses.chain(hand).chain(self.gamepad.iter_mut().flat_map(GamepadState::rows_mut))
    }

    fn is_like(&self, other: &Self) -> bool {
        let joints = |input: &Self| input.hand.as_ref().map(Vec::len);
        let absences = |input: &Self| input.gamepad.as_ref().map(GamepadState::absences);
        self.index == other.index
            && self.grip.is_some() == other.grip.is_some()
            && joints(self) == joints(other)
            && absences(self) == absences(other)
    }
}

/// The numbers of a rotation in the rows of poses and joints.
const ROTATION: Range<usize> = 3..7;

/// Replaces numbers of a row by a file's own if they were made from them, whatever their sign. The numbers of
/// a rotation are replaced together: the file's numbers are seldom a unit quaternion.
fn restore(row: &mut [f64], written: &[f64], stored: &[f64]) {
    let pairs = row.iter().zip(written.iter().zip(stored));
    let old_numbers: Vec<Option<f64>> = pairs
        .map(|(new, (from, old))| {
            if new == from {
                return Some(*old);
            }
            (*new == -*from).then_some(-*old)
        })
        .collect();
    let turn_is_known = old_numbers.get(ROTATION).is_none_or(|turn| turn.iter().all(Option::is_some));
    for (at, (number, old_number)) in row.iter_mut().zip(old_numbers).enumerate() {
        if turn_is_known || !ROTATION.contains(&at) {
            *number = old_number.unwrap_or(*number);
        }
    }
}
