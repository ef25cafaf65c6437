//! A recording as it is: what its text says, and the text itself where the recorder would have spelled it otherwise.

use std::ops::Range;
use std::slice;

/// A file.
///
/// Text as the recorder writes it is made anew from the fields, byte for byte. Any other text is kept; after an edit through
/// [`Document::recording_mut`] only the numbers that were changed are spelled anew, unless frames or input sources came or went.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// `None` for text as the recorder writes it.
    pub(super) source: Option<String>,
    pub(super) recording: Recording,
    pub(super) edited: bool,
}

impl Document {
    /// A document without a text of its own. It is written as the recorder would write it.
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
    /// Input sources. Of several with one index the last counts.
    pub schema: Vec<Entry>,
    /// Frames in the order of the file.
    pub frames: Vec<Frame>,
}

impl Recording {
    /// The input source with an index, with its place in the schema.
    #[must_use]
    pub fn source(&self, index: u32) -> Option<(usize, &InputSource)> {
        let place = self.schema.iter().rposition(|entry| entry.index == index)?;
        self.schema.get(place).map(|entry| (place, &entry.source))
    }
}

/// An input source with the index by which frames name it.
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
    /// Names of a hand's joints in the order of the frames; `None` if it is no hand.
    pub joints: Option<Vec<String>>,
    /// Its buttons and axes, if it has any.
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

/// One frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Milliseconds since the page was opened (`performance.now()`).
    pub time_ms: f64,
    /// Pose of the head.
    pub viewer: Pose,
    /// The input sources that are there.
    pub inputs: Vec<Input>,
}

/// An input source on a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Its index in the schema.
    pub index: u32,
    /// Pose of its target ray, which points along −Z.
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
    /// Pressed, touched (0 or 1 each) and value (0..=1) of each button; `None` for one that the device leaves out.
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

    /// True for each button, and for each axis, that holds nothing.
    fn absences(&self) -> [Vec<bool>; 2] {
        [self.buttons.iter().map(Option::is_none).collect(), self.axes.iter().map(Option::is_none).collect()]
    }
}

impl Frame {
    /// All numbers but indices, in the order of the text.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.rows().flatten().copied()
    }

    /// As [`Frame::numbers`], those of a pose, a joint or a button together.
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        let own = [slice::from_ref(&self.time_ms), &self.viewer];
        own.into_iter().chain(self.inputs.iter().flat_map(Input::rows))
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let own = [slice::from_mut(&mut self.time_ms), &mut self.viewer];
        own.into_iter().chain(self.inputs.iter_mut().flat_map(Input::rows_mut))
    }

    /// This frame, with the numbers of another one wherever a third has what this one has, or that with the other sign, as in a mirror.
    pub(super) fn with_numbers_of(&self, other: &Self, third: &Self) -> Self {
        let mut made = self.clone();
        for ((row, third), other) in made.rows_mut().zip(third.rows()).zip(other.rows()) {
            restore(row, third, other);
        }
        made
    }

    /// True if another one has its numbers in the same places.
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

/// Numbers of a row become a file's own where they were made of these, whatever their sign. Those of a rotation do so together: the file's
/// are seldom a unit quaternion.
fn restore(row: &mut [f64], made: &[f64], own: &[f64]) {
    let pairs = row.iter().zip(made.iter().zip(own));
    let found: Vec<Option<f64>> = pairs
        .map(|(new, (made, own))| {
            if new == made {
                return Some(*own);
            }
            (*new == -*made).then_some(-*own)
        })
        .collect();
    let turn_is_known = found.get(ROTATION).is_none_or(|turn| turn.iter().all(Option::is_some));
    for (at, (number, found)) in row.iter_mut().zip(found).enumerate() {
        if turn_is_known || !ROTATION.contains(&at) {
            *number = found.unwrap_or(*number);
        }
    }
}
