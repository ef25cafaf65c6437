//! `MORE::Animation`: tracks of keys.

use super::packed;
use crate::text::Name;

pub use super::layout::{KeyLaw, Stored, TrackType, ValueType};

/// An animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name; in the file below version 0xF only.
    pub name: Option<Name>,
    /// Duration in seconds.
    pub duration: f32,
    /// True if its values are offsets from a base pose; in the file since version 0xC, else false.
    pub is_delta: bool,
    /// Tracks in the order of the file. Names may repeat or be empty.
    pub tracks: Vec<Track>,
    /// Marks for the synchronisation of layers; in the file since version 0x9.
    pub instants: Vec<Instant>,
}

/// A mark for synchronisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// Time in seconds.
    pub time: f32,
    /// Number of the mark.
    pub id: u16,
}

/// The motion of a single property, or a group of such motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Law of its keys, and encoding of its values.
    pub track_type: TrackType,
    /// Its name.
    pub name: Name,
    /// Its keys.
    pub body: Body,
}

/// Content of a track, by its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Keys of a value.
    Keys(Box<Keys>),
    /// The motion of a root: a track of positions and a track of rotations.
    Displacement(Box<Displacement>),
    /// Events.
    Events(Vec<Event>),
    /// No keys: the game feeds the value.
    User {
        /// The terminate switch, as in [`Keys::terminate`].
        terminate: bool,
    },
}

/// Keys as columns of equal length, in the order of the file, which need not be the order of their times.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys {
    /// Ignored by the game; always true in its files.
    pub terminate: bool,
    /// Times of the keys.
    pub times: Times,
    /// Values of the keys.
    pub values: Values,
    /// Derivatives and other parts of the keys.
    pub shape: Shape,
}

impl Keys {
    /// Number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.times.len()
    }

    /// True if there are no keys.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Key times.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// Seconds.
    Seconds(Vec<f32>),
    /// Codes of [`packed::time`].
    Codes(Vec<u16>),
}

impl Times {
    /// Number of times.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Seconds(times) => times.len(),
            Self::Codes(codes) => codes.len(),
        }
    }

    /// True if there are no times.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The time of one key in seconds; `None` past the end.
    #[must_use]
    pub fn get(&self, key: usize) -> Option<f64> {
        match self {
            Self::Seconds(times) => times.get(key).copied().map(f64::from),
            Self::Codes(codes) => codes.get(key).copied().map(packed::time::decode),
        }
    }

    /// All of them in seconds.
    pub fn iter(&self) -> impl Iterator<Item = f64> {
        (0..self.len()).filter_map(|key| self.get(key))
    }
}

/// Values in their stored form.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers: hidden or shown, or the number of the visible mesh.
    Integers(Vec<u16>),
    /// Numbers.
    Floats(Vec<f32>),
    /// Vectors x y z.
    Vectors(Vec<[f32; 3]>),
    /// Quaternions x y z w.
    Quaternions(Vec<[f32; 4]>),
    /// Codes of [`packed::quat32`].
    Quaternions32(Vec<u32>),
    /// Codes of [`packed::quat48`].
    Quaternions48(Vec<[u16; 3]>),
    /// Angles about x, y and z: codes of [`packed::angle`].
    Angles(Vec<[u16; 3]>),
}

impl Values {
    /// Number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Integers(v) => v.len(),
            Self::Floats(v) => v.len(),
            Self::Vectors(v) => v.len(),
            Self::Quaternions(v) => v.len(),
            Self::Quaternions32(v) => v.len(),
            Self::Quaternions48(v) | Self::Angles(v) => v.len(),
        }
    }

    /// True if there are no values.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Encoding of the values.
    #[must_use]
    pub const fn stored(&self) -> Stored {
        match self {
            Self::Integers(_) => Stored::U16,
            Self::Floats(_) => Stored::F32,
            Self::Vectors(_) => Stored::Vector3,
            Self::Quaternions(_) => Stored::Quaternion,
            Self::Quaternions32(_) => Stored::Quaternion32,
            Self::Quaternions48(_) => Stored::Quaternion48,
            Self::Angles(_) => Stored::Angles,
        }
    }

    /// Number of components of a decoded value.
    #[must_use]
    pub const fn width(&self) -> usize {
        match self {
            Self::Integers(_) | Self::Floats(_) => 1,
            Self::Vectors(_) | Self::Angles(_) => 3,
            Self::Quaternions(_) | Self::Quaternions32(_) | Self::Quaternions48(_) => 4,
        }
    }

    /// Appends the decoded value of one key: [`Values::width`] numbers, or no number past the end.
    pub fn decode_into(&self, key: usize, code: packed::EulerCode, out: &mut Vec<f64>) {
        match self {
            Self::Integers(v) => out.extend(v.get(key).copied().map(f64::from)),
            Self::Floats(v) => out.extend(v.get(key).copied().map(f64::from)),
            Self::Vectors(v) => out.extend(v.get(key).into_iter().flatten().copied().map(f64::from)),
            Self::Quaternions(v) => out.extend(v.get(key).into_iter().flatten().copied().map(f64::from)),
            Self::Quaternions32(v) => {
                out.extend(v.get(key).into_iter().flat_map(|c| packed::quat32::decode(*c).0))
            }
            Self::Quaternions48(v) => {
                out.extend(v.get(key).into_iter().flat_map(|c| packed::quat48::decode(*c)))
            }
            Self::Angles(v) => {
                out.extend(v.get(key).into_iter().flatten().map(|c| packed::angle::decode(*c, code)));
            }
        }
    }

    /// The decoded value of one key; empty past the end.
    #[must_use]
    pub fn decoded(&self, key: usize, code: packed::EulerCode) -> Vec<f64> {
        let mut out = Vec::with_capacity(4);
        self.decode_into(key, code, &mut out);
        out
    }
}

/// Parts of keys besides time and value.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Nothing: keys of [`KeyLaw::Simple`] and [`KeyLaw::Linear`].
    Plain,
    /// Derivatives.
    Bezier(Bezier),
    /// Derivatives and the settings from which they were made.
    Tcb(Box<Tcb>),
}

/// Columns of Bezier keys.
///
/// For numbers and vectors the derivatives are tangents, taken here as change per segment; for quaternions the source
/// derivative is the control quaternion of its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Bezier {
    /// Derivatives of the arriving segments.
    pub der_src: Values,
    /// Derivatives of the leaving segments; absent for quaternions since version 0x11, and ignored there
    /// before.
    pub der_dst: Option<Values>,
    /// For each key, true if its value is held until the next key.
    pub flat_out: Vec<bool>,
}

/// Columns of tension, continuity and bias keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Tcb {
    /// The sliders of the key.
    pub settings: Vec<TcbSettings>,
    /// Derivatives (control quaternions) of the arriving segments.
    pub der_src: Values,
    /// Derivatives (control quaternions) of the leaving segments.
    pub der_dst: Values,
    /// The turn from the key before; for quaternions only, else empty.
    pub turns: Vec<Turn>,
}

/// The sliders of one key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TcbSettings {
    /// −1..=1
    pub tension: f32,
    /// −1..=1
    pub continuity: f32,
    /// −1..=1
    pub bias: f32,
    /// Share of the arriving segment with a slowing motion; 0..=1.
    pub ease_to: f32,
    /// Share of the leaving segment with an accelerating motion; 0..=1.
    pub ease_from: f32,
}

/// The turn from the key before to a key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// Angle in radians; may be more than a full turn, or negative.
    pub angle: f32,
    /// Unit vector in the frame of the key before.
    pub axis: [f32; 3],
}

/// The motion of a root.
#[derive(Clone, Debug, PartialEq)]
pub struct Displacement {
    /// Should be of vectors.
    pub position: Track,
    /// Should be of rotations.
    pub rotation: Track,
}

/// An event of the game at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time in seconds.
    pub time: f32,
    /// Number with a meaning for the game.
    pub value: u32,
    /// Any text; in the file since version 0x2.
    pub user_data: Name,
}

/// An event, and its track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackedEvent<'a> {
    /// The track's position among all.
    pub track: usize,
    /// The track's name.
    pub name: &'a Name,
    /// The event.
    pub event: &'a Event,
}

impl Animation {
    /// The events from `from` (inclusive) to `to` (exclusive), in seconds: track by track, in the order of
    /// the file.
    pub fn events(&self, from: f64, to: f64) -> impl Iterator<Item = TrackedEvent<'_>> {
        let tracks = self.tracks.iter().enumerate();
        let all = tracks.flat_map(|(track, t)| {
            let events = if let Body::Events(events) = &t.body { events.as_slice() } else { &[] };
            events.iter().map(move |event| TrackedEvent { track, name: &t.name, event })
        });
        all.filter(move |e| (from..to).contains(&f64::from(e.event.time)))
    }
}
