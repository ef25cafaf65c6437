//! Layout of files by version: thresholds, track types and sizes in bytes, each stated once.
//!
//! Source: Tomahna Project wiki, `docs/myst4/file-reference/ubi`; the table of `LAYOUT.md`.

/// Highest version with a known layout.
pub(crate) const NEWEST: u32 = 0x11;
/// Versions above this are taken for a wrong byte order.
pub(crate) const LAST_PLAUSIBLE: u32 = 0xffff;

/// Magic of a little-endian file.
pub(crate) const LITTLE: &[u8; 8] = b"ubi/b0-l";
/// Magic of a big-endian file.
pub(crate) const BIG: &[u8; 8] = b"ubi/b0-b";

/// Shortest and longest class name.
pub(crate) const CLASS_NAME: std::ops::RangeInclusive<u32> = 3..=64;
/// Displacements inside displacements.
pub(crate) const DEEPEST_DISPLACEMENT: usize = 8;

/// First version with a feature, or first version without it.
pub(crate) mod since {
    pub(crate) const CLIP_TRANSITION: u32 = 0x1;
    pub(crate) const USER_DATA: u32 = 0x2;
    pub(crate) const EVENT_EMITTERS: u32 = 0x3;
    pub(crate) const BOUNDS: u32 = 0x4;
    pub(crate) const IS_DEFORMABLE: u32 = 0x5;
    pub(crate) const BONES: u32 = 0x6;
    pub(crate) const SCALE_NAMES: u32 = 0x7;
    pub(crate) const MODELS: u32 = 0x8;
    pub(crate) const INSTANTS: u32 = 0x9;
    pub(crate) const STATE_MODELS: u32 = 0xA;
    pub(crate) const ADJUST_DURATIONS: u32 = 0xB;
    pub(crate) const IS_DELTA: u32 = 0xC;
    pub(crate) const TIME_WARP: u32 = 0xE;
    pub(crate) const NO_NAME: u32 = 0xF;
    pub(crate) const SHORT_SIMPLE_TIMES: u32 = 0x10;
    pub(crate) const STORED_DERIVATIVES: u32 = 0x11;
}

/// Smallest sizes, for comparing counts with the bytes left.
pub(crate) mod smallest {
    pub(crate) const TRACK: usize = 9;
    pub(crate) const INSTANT: usize = 6;
    pub(crate) const STRING: usize = 4;
    pub(crate) const SUB_RESOURCE: usize = 4;
    pub(crate) const WARP_POINT: usize = 8;
    pub(crate) const BONE: usize = 42;
    pub(crate) const EVENT_EMITTER: usize = 46;
    pub(crate) const SOUND_EMITTER: usize = 26;
    pub(crate) const CHANNEL: usize = 8;
    pub(crate) const STATE_MODEL: usize = 8;
    pub(crate) const ID: usize = 2;

    /// An event without text.
    pub(crate) const fn event(version: u32) -> usize {
        if version >= super::since::USER_DATA { 12 } else { 8 }
    }
}

/// The number for the type of a track in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrackType(u8);

/// Law of the keys of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLaw {
    /// A value is held until the next key.
    Simple,
    /// Straight, or along the shorter great arc.
    Linear,
    /// Cubic with two derivatives per key; spherical with a control quaternion per key.
    Bezier,
    /// Cubic by tension, continuity and bias, with separate timing.
    Tcb,
    /// A track of positions and a track of rotations.
    Displacement,
    /// Moments.
    Event,
    /// No keys.
    User,
}

/// Kind of value, however it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A whole number.
    Integer,
    /// A number.
    Float,
    /// Three numbers; a position, a scale or Euler angles.
    Vector,
    /// A rotation.
    Quaternion,
}

/// Encoding of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// 16-bit unsigned integer.
    U16,
    /// 32-bit float.
    F32,
    /// Three floats.
    Vector3,
    /// Four floats.
    Quaternion,
    /// A code of 32 bits.
    Quaternion32,
    /// Three codes of 16 bits.
    Quaternion48,
    /// Three codes of 16 bits.
    Angles,
}

impl Stored {
    /// Bytes per value.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::U16 => 2,
            Self::F32 | Self::Quaternion32 => 4,
            Self::Vector3 => 12,
            Self::Quaternion => 16,
            Self::Quaternion48 | Self::Angles => 6,
        }
    }

    /// The kind of the decompressed value.
    const fn full(self) -> Self {
        match self {
            Self::Quaternion32 | Self::Quaternion48 => Self::Quaternion,
            Self::Angles => Self::Vector3,
            other => other,
        }
    }

    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::U16 => "16-bit integers",
            Self::F32 => "floats",
            Self::Vector3 => "vectors",
            Self::Quaternion => "quaternions",
            Self::Quaternion32 => "32-bit quaternions",
            Self::Quaternion48 => "48-bit quaternions",
            Self::Angles => "16-bit angles",
        }
    }
}

/// All types: code, law, stored form, and whether the time is a 16-bit code. A user track's form tells its value.
const TYPES: [(u8, KeyLaw, Stored, bool); 28] = {
    use KeyLaw::{Bezier, Displacement, Event, Linear, Simple, Tcb, User};
    use Stored::{Angles, F32, Quaternion, Quaternion32, Quaternion48, U16, Vector3};
    [
        (0x00, Simple, U16, true),
        (0x01, Simple, F32, false),
        (0x02, Simple, Vector3, false),
        (0x03, Simple, Quaternion, false),
        (0x04, Linear, F32, false),
        (0x05, Linear, Vector3, false),
        (0x06, Linear, Quaternion, false),
        (0x07, Bezier, F32, false),
        (0x08, Bezier, Vector3, false),
        (0x09, Bezier, Quaternion, false),
        (0x0A, Tcb, F32, false),
        (0x0B, Tcb, Vector3, false),
        (0x0C, Tcb, Quaternion, false),
        (0x0D, Displacement, F32, false),
        (0x0E, Event, F32, false),
        (0x0F, User, U16, false),
        (0x10, User, F32, false),
        (0x11, User, Vector3, false),
        (0x12, User, Quaternion, false),
        (0x13, Simple, Quaternion32, false),
        (0x14, Linear, Quaternion32, false),
        (0x15, Bezier, Quaternion32, false),
        (0x18, Simple, Quaternion48, true),
        (0x19, Linear, Quaternion48, true),
        (0x1A, Bezier, Quaternion48, true),
        (0x1D, Simple, Angles, true),
        (0x1E, Linear, Angles, true),
        (0x1F, Bezier, Angles, true),
    ]
};

impl TrackType {
    /// Integer keys that are held: visibility.
    pub const SIMPLE_INTEGER: Self = Self(0x00);
    /// Positions and rotations of a root.
    pub const DISPLACEMENT: Self = Self(0x0D);
    /// Events.
    pub const EVENT: Self = Self(0x0E);

    /// The type with a code; `None` for codes unknown to every game (0x16, 0x17, 0x1B, 0x1C, 0x20 and above).
    #[must_use]
    pub fn new(code: u32) -> Option<Self> {
        let code = u8::try_from(code).ok()?;
        TYPES.iter().any(|row| row.0 == code).then_some(Self(code))
    }

    /// The type for keys with a law and a stored form, if there is any.
    #[must_use]
    pub fn of(law: KeyLaw, stored: Stored) -> Option<Self> {
        TYPES.iter().find(|row| row.1 == law && row.2 == stored).map(|row| Self(row.0))
    }

    /// All types, in the order of their codes.
    pub fn all() -> impl Iterator<Item = Self> {
        TYPES.iter().map(|row| Self(row.0))
    }

    /// The code in the file.
    #[must_use]
    pub const fn code(self) -> u32 {
        self.0 as u32
    }

    fn row(self) -> (u8, KeyLaw, Stored, bool) {
        TYPES.iter().find(|row| row.0 == self.0).copied().unwrap_or(TYPES[0])
    }

    /// Law of its keys.
    #[must_use]
    pub fn law(self) -> KeyLaw {
        self.row().1
    }

    /// Encoding of its values.
    #[must_use]
    pub fn stored(self) -> Stored {
        self.row().2
    }

    /// Kind of its values; `None` for displacements and events.
    #[must_use]
    pub fn value(self) -> Option<ValueType> {
        let (_, law, stored, _) = self.row();
        match (law, stored) {
            (KeyLaw::Displacement | KeyLaw::Event, _) => None,
            (_, Stored::U16) => Some(ValueType::Integer),
            (_, Stored::F32) => Some(ValueType::Float),
            (_, Stored::Vector3 | Stored::Angles) => Some(ValueType::Vector),
            _ => Some(ValueType::Quaternion),
        }
    }

    /// True if its keys give a rotation.
    #[must_use]
    pub fn is_rotation(self) -> bool {
        self.value() == Some(ValueType::Quaternion) || self.stored() == Stored::Angles
    }

    /// Layout of its keys in a file of a version.
    pub(crate) fn key_form(self, version: u32) -> KeyForm {
        let (_, law, stored, is_short) = self.row();
        let short_times = is_short && (law != KeyLaw::Simple || version >= since::SHORT_SIMPLE_TIMES);
        let is_quaternion = self.value() == Some(ValueType::Quaternion);
        let is_new = version >= since::STORED_DERIVATIVES;
        let derivatives = match law {
            KeyLaw::Bezier if is_new => Some((stored, !is_quaternion)),
            KeyLaw::Bezier => Some((stored.full(), true)),
            KeyLaw::Tcb => Some((stored, true)),
            _ => None,
        };
        KeyForm { law, stored, short_times, derivatives, has_turns: law == KeyLaw::Tcb && is_quaternion }
    }
}

impl std::fmt::Display for TrackType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#04x}", self.0)
    }
}

/// Layout of a key in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyForm {
    pub(crate) law: KeyLaw,
    pub(crate) stored: Stored,
    /// True if times are codes of 16 bits.
    pub(crate) short_times: bool,
    /// The form of the source derivatives, and true if there are destination derivatives too.
    pub(crate) derivatives: Option<(Stored, bool)>,
    /// True if an angle and an axis end the key.
    pub(crate) has_turns: bool,
}

/// Bytes of the sliders of a TCB key.
pub(crate) const SETTINGS: usize = 20;
/// Bytes of the angle and axis of a TCB key.
pub(crate) const TURN: usize = 16;

impl KeyForm {
    /// Bytes of a time.
    pub(crate) const fn time_size(&self) -> usize {
        if self.short_times { 2 } else { 4 }
    }

    /// Offset of the source derivative in a key.
    pub(crate) const fn derivative_offset(&self) -> usize {
        let settings = if matches!(self.law, KeyLaw::Tcb) { SETTINGS } else { 0 };
        self.time_size() + self.stored.size() + settings
    }

    /// Bytes of both derivatives.
    pub(crate) const fn derivatives_size(&self) -> usize {
        match self.derivatives {
            Some((form, true)) => 2 * form.size(),
            Some((form, false)) => form.size(),
            None => 0,
        }
    }

    /// Bytes per key.
    pub(crate) const fn size(&self) -> usize {
        let end = match self.law {
            KeyLaw::Bezier => 1,
            KeyLaw::Tcb if self.has_turns => TURN,
            _ => 0,
        };
        self.derivative_offset() + self.derivatives_size() + end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes as the wiki's structures add up, at versions 0xF, 0x10 and 0x11.
    #[test]
    fn key_sizes() {
        let sizes = |code: u32| {
            let kind = TrackType::new(code).expect("a known type");
            [0xf, 0x10, 0x11].map(|version| kind.key_form(version).size())
        };
        for (codes, expected) in [
            (&[0x00][..], [6, 4, 4]),
            (&[0x01, 0x04, 0x13, 0x14], [8, 8, 8]),
            (&[0x02, 0x05], [16, 16, 16]),
            (&[0x03, 0x06], [20, 20, 20]),
            (&[0x07], [17, 17, 17]),
            (&[0x08], [41, 41, 41]),
            (&[0x09], [53, 53, 37]),
            (&[0x0A], [36, 36, 36]),
            (&[0x0B], [60, 60, 60]),
            (&[0x0C], [88, 88, 88]),
            (&[0x15], [41, 41, 13]),
            (&[0x1A], [41, 41, 15]),
            (&[0x1F], [33, 33, 21]),
            (&[0x18, 0x1D], [10, 8, 8]),
            (&[0x19, 0x1E], [8, 8, 8]),
        ] {
            for code in codes {
                assert_eq!(sizes(*code), expected, "type {code:#x}");
            }
        }
    }

    #[test]
    fn types_are_those_of_the_table() {
        let unknown: Vec<u32> = (0..0x30).filter(|code| TrackType::new(*code).is_none()).collect();
        let expected: Vec<u32> = [0x16, 0x17, 0x1B, 0x1C].into_iter().chain(0x20..0x30).collect();
        assert_eq!(unknown, expected);
        assert_eq!(TrackType::new(0x1_0000), None);
    }
}
