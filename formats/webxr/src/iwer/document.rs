//! A recording as it is: what its text says, and the text itself where the recorder would have spelled it otherwise.

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
    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.buttons.iter().flatten().flatten().chain(self.axes.iter().flatten()).copied()
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.buttons.iter_mut().flatten().flatten().chain(self.axes.iter_mut().flatten())
    }

    /// True for each button, and for each axis, that holds nothing.
    fn absences(&self) -> [Vec<bool>; 2] {
        [self.buttons.iter().map(Option::is_none).collect(), self.axes.iter().map(Option::is_none).collect()]
    }
}

impl Frame {
    /// All numbers but indices, in the order of the text.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        let own = [self.time_ms].into_iter().chain(self.viewer);
        own.chain(self.inputs.iter().flat_map(Input::numbers))
    }

    /// As [`Frame::numbers`], to be changed.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let own = [&mut self.time_ms].into_iter().chain(&mut self.viewer);
        own.chain(self.inputs.iter_mut().flat_map(Input::numbers_mut))
    }

    /// This frame, with the numbers of another one wherever a third has what this one has.
    pub(super) fn with_numbers_of(&self, other: &Self, third: &Self) -> Self {
        let mut made = self.clone();
        for ((number, third), other) in made.numbers_mut().zip(third.numbers()).zip(other.numbers()) {
            if *number == third {
                *number = other;
            }
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
        let hand = self.hand.iter().flatten().flatten().copied();
        let poses = self.ray.into_iter().chain(self.grip.into_iter().flatten()).chain(hand);
        poses.chain(self.gamepad.iter().flat_map(GamepadState::numbers))
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let hand = self.hand.iter_mut().flatten().flatten();
        let poses = self.ray.iter_mut().chain(self.grip.iter_mut().flatten()).chain(hand);
        poses.chain(self.gamepad.iter_mut().flat_map(GamepadState::numbers_mut))
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
