//! The file as stored.

use super::names::{CurveName, Hand, Joint, PoseName};
use dopesheet_core::model::{Weighted, WeightedKey};
use std::borrow::Cow;

/// A recording: head, hands and gaze as curves, and markers.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The version in the header.
    pub version: Version,
    /// The flag bytes for camera, hands and gaze as stored, for the parts present in the file; a sound file
    /// has 1. Version 1.0 has no such bytes.
    pub flag_bytes: [u8; 3],
    /// The pose of the head. Version 1.0 always has a camera, possibly without keys.
    pub camera: Option<Pose>,
    /// Both hands. Version 1.0 always has them, if only without keys.
    pub hands: Option<Box<Hands>>,
    /// The ray of the eyes; always `None` in version 1.0.
    pub gaze: Option<Ray>,
    /// The marker list; `None` if the file ends after its last curve.
    pub markers: Option<Vec<Marker>>,
}

/// The version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// 1.0: MRTK 2.0 to 2.5.
    V1_0,
    /// 1.1: MRTK 2.6 and later.
    V1_1,
}

impl Version {
    /// Both.
    pub const ALL: [Self; 2] = [Self::V1_0, Self::V1_1];

    /// Major and minor number as they are stored.
    #[must_use]
    pub const fn numbers(self) -> [i32; 2] {
        match self {
            Self::V1_0 => [1, 0],
            Self::V1_1 => [1, 1],
        }
    }

    /// `1.0` or `1.1`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V1_1 => "1.1",
        }
    }
}

/// Layout of number keys; all keys of a file have the same shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyShape {
    /// 8 bytes, time and value: written by MRTK 2.6 and later.
    Simple,
    /// 28 bytes with tangents and weights: all of version 1.0, and the layout documented for 1.1.
    Full,
}

impl KeyShape {
    /// `simple` or `full`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Full => "full",
        }
    }
}

/// A position in metres and a rotation as a quaternion, component by component, in Unity's world space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// x y z.
    pub position: [NumberCurve; 3],
    /// x y z w; not normalised.
    pub rotation: [NumberCurve; 4],
}

impl Pose {
    /// All seven curves in the order of the file.
    pub fn curves(&self) -> impl Iterator<Item = &NumberCurve> {
        self.position.iter().chain(&self.rotation)
    }

    /// All seven curves in the order of the file.
    pub fn curves_mut(&mut self) -> impl Iterator<Item = &mut NumberCurve> {
        self.position.iter_mut().chain(&mut self.rotation)
    }

    /// True if no curve has a key.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.curves().all(|curve| curve.keys.is_empty())
    }
}

/// A ray, component by component, in Unity's world space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ray {
    /// Origin of the ray, in metres.
    pub origin: [NumberCurve; 3],
    /// Direction of the ray, of any length.
    pub direction: [NumberCurve; 3],
}

impl Ray {
    /// All six curves in the order of the file.
    pub fn curves(&self) -> impl Iterator<Item = &NumberCurve> {
        self.origin.iter().chain(&self.direction)
    }

    /// All six curves in the order of the file.
    pub fn curves_mut(&mut self) -> impl Iterator<Item = &mut NumberCurve> {
        self.origin.iter_mut().chain(&mut self.direction)
    }

    /// True if no curve has a key.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.curves().all(|curve| curve.keys.is_empty())
    }
}

/// Both hands; index by [`Hand`] and [`Joint`] as `usize`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hands {
    /// For each hand, true while the hand is tracked.
    pub tracked: [SwitchCurve; 2],
    /// For each hand, true while the hand pinches.
    pub pinch: [SwitchCurve; 2],
    /// The joints of each hand.
    pub joints: [[Pose; 27]; 2],
}

impl Hands {
    /// True if no curve has a key.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        let switches = || self.tracked.iter().chain(&self.pinch);
        switches().all(|curve| curve.keys.is_empty()) && self.poses().all(|(_, pose)| pose.is_absent())
    }

    /// All joints in the order of the file.
    pub fn poses(&self) -> impl Iterator<Item = (PoseName, &Pose)> {
        Hand::BOTH.into_iter().zip(&self.joints).flat_map(|(hand, joints)| {
            let names = Joint::ALL.into_iter().map(move |joint| PoseName::Joint(hand, joint));
            names.zip(joints)
        })
    }

    /// All joints in the order of the file.
    pub fn poses_mut(&mut self) -> impl Iterator<Item = (PoseName, &mut Pose)> {
        Hand::BOTH.into_iter().zip(&mut self.joints).flat_map(|(hand, joints)| {
            let names = Joint::ALL.into_iter().map(move |joint| PoseName::Joint(hand, joint));
            names.zip(joints)
        })
    }
}

/// Numbers over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberCurve {
    /// Behaviour before its first and after its last key: Unity's `WrapMode` as stored.
    pub wrap: Wrap,
    /// Its keys, in the order of the file.
    pub keys: NumberKeys,
}

/// A switch over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwitchCurve {
    /// Behaviour before its first and after its last key: Unity's `WrapMode` as stored.
    pub wrap: Wrap,
    /// Its keys, in the order of the file; a value above 0.5 is true.
    pub keys: Vec<Key>,
}

/// Behaviour of a curve before its first and after its last key, as Unity's `WrapMode` is stored: 0, 1 and 8
/// clamp, 2 loops, 4 plays back and forth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrap {
    /// Before the first key.
    pub before: i32,
    /// After the last key.
    pub after: i32,
}

impl Wrap {
    /// Clamp on both sides, as Unity reports an untouched curve.
    pub const CLAMP: Self = Self { before: 8, after: 8 };
}

impl Default for Wrap {
    fn default() -> Self {
        Self::CLAMP
    }
}

/// Keys of either shape.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberKeys {
    /// Time and value only; straight from key to key.
    Simple(Vec<Key>),
    /// With tangents and weights.
    Full(Vec<Keyframe>),
}

impl Default for NumberKeys {
    fn default() -> Self {
        Self::Simple(Vec::new())
    }
}

impl NumberKeys {
    /// No keys of a shape.
    #[must_use]
    pub const fn empty(shape: KeyShape) -> Self {
        match shape {
            KeyShape::Simple => Self::Simple(Vec::new()),
            KeyShape::Full => Self::Full(Vec::new()),
        }
    }

    /// Shape of the keys.
    #[must_use]
    pub const fn shape(&self) -> KeyShape {
        match self {
            Self::Simple(_) => KeyShape::Simple,
            Self::Full(_) => KeyShape::Full,
        }
    }

    /// Number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Simple(keys) => keys.len(),
            Self::Full(keys) => keys.len(),
        }
    }

    /// True if there are no keys.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A key in full form, whatever its shape; `None` past the end.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Keyframe> {
        match self {
            Self::Simple(keys) => keys.get(index).copied().map(Keyframe::from),
            Self::Full(keys) => keys.get(index).copied(),
        }
    }

    /// All keys in full form, whatever their shape.
    pub fn iter(&self) -> impl Iterator<Item = Keyframe> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

/// A time and a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Key {
    /// Time in seconds from the start of the recording.
    pub time: f32,
    /// The value: metres, part of a quaternion, or 0 and 1 for a switch.
    pub value: f32,
}

/// A key of a Unity `AnimationCurve`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keyframe {
    /// Time in seconds from the start of the recording.
    pub time: f32,
    /// The value.
    pub value: f32,
    /// Slope of the arriving segment at the key, per second; infinite makes a step.
    pub in_tangent: f32,
    /// Slope of the leaving segment at the key, per second; infinite makes a step.
    pub out_tangent: f32,
    /// Reach of the arriving tangent, as a share of the segment; only used if the mode has its bit.
    pub in_weight: f32,
    /// Reach of the leaving tangent, as a share of the segment; only used if the mode has its bit.
    pub out_weight: f32,
    /// Unity's `WeightedMode`: bit 0 uses the weight of the arriving tangent, bit 1 the weight of the leaving
    /// tangent.
    pub weighted_mode: i32,
}

impl Keyframe {
    /// True if the weight of the arriving tangent is used.
    #[must_use]
    pub const fn uses_in_weight(&self) -> bool {
        self.weighted_mode & 1 != 0
    }

    /// True if the weight of the leaving tangent is used.
    #[must_use]
    pub const fn uses_out_weight(&self) -> bool {
        self.weighted_mode & 2 != 0
    }
}

impl From<Key> for Keyframe {
    /// The same key with tangents: weights of 0 make the segments to its neighbours straight.
    fn from(key: Key) -> Self {
        Self { time: key.time, value: key.value, weighted_mode: 3, ..Self::default() }
    }
}

impl From<&Keyframe> for WeightedKey {
    fn from(key: &Keyframe) -> Self {
        Self {
            time: key.time,
            value: key.value,
            in_slope: key.in_tangent,
            out_slope: key.out_tangent,
            weighted: Weighted { arriving: key.uses_in_weight(), leaving: key.uses_out_weight() },
            in_weight: key.in_weight,
            out_weight: key.out_weight,
        }
    }
}

impl From<&WeightedKey> for Keyframe {
    fn from(key: &WeightedKey) -> Self {
        Self {
            time: key.time,
            value: key.value,
            in_tangent: key.in_slope,
            out_tangent: key.out_slope,
            in_weight: key.in_weight,
            out_weight: key.out_weight,
            weighted_mode: i32::from(key.weighted.arriving) | (i32::from(key.weighted.leaving) << 1),
        }
    }
}

/// A moment with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Time in seconds from the start of the recording.
    pub time: f32,
    /// The name's bytes; UTF-8 in a sound file.
    pub name: Vec<u8>,
    /// Number of bytes, 1 to 5, of the length in front of the name, if larger than needed.
    pub prefix_length: u8,
}

impl Marker {
    /// A marker in the form of MRTK.
    #[must_use]
    pub fn new(time: f32, name: &str) -> Self {
        Self { time, name: name.as_bytes().to_vec(), prefix_length: 0 }
    }

    /// The name, with replacement characters for bytes that are not UTF-8.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

/// A curve of either kind.
#[derive(Clone, Copy, Debug)]
pub enum AnyCurve<'a> {
    /// Numbers.
    Number(&'a NumberCurve),
    /// A switch.
    Switch(&'a SwitchCurve),
}

impl AnyCurve<'_> {
    /// Behaviour before the first and after the last key.
    #[must_use]
    pub const fn wrap(&self) -> Wrap {
        match self {
            Self::Number(curve) => curve.wrap,
            Self::Switch(curve) => curve.wrap,
        }
    }

    /// Number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Number(curve) => curve.keys.len(),
            Self::Switch(curve) => curve.keys.len(),
        }
    }

    /// True if the curve has no keys.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Time and value of one key; `None` past the end.
    #[must_use]
    pub fn key(&self, index: usize) -> Option<Key> {
        match self {
            Self::Number(curve) => curve.keys.get(index).map(|key| Key { time: key.time, value: key.value }),
            Self::Switch(curve) => curve.keys.get(index).copied(),
        }
    }

    /// The times of all keys in seconds, in the order of the file.
    pub fn times(&self) -> impl Iterator<Item = f32> {
        (0..self.len()).filter_map(|index| self.key(index)).map(|key| key.time)
    }
}

impl Document {
    /// A recording without camera, hands and gaze, with an empty marker list. Not a legal 1.0 file yet.
    #[must_use]
    pub const fn new(version: Version) -> Self {
        Self { version, flag_bytes: [1; 3], camera: None, hands: None, gaze: None, markers: Some(Vec::new()) }
    }

    /// All curves in the order of the file.
    pub fn curves(&self) -> impl Iterator<Item = (CurveName, AnyCurve<'_>)> {
        let names = CurveName::all(self.camera.is_some(), self.hands.is_some(), self.gaze.is_some());
        let camera = self.camera.iter().flat_map(Pose::curves);
        let hands = self.hands.as_deref();
        let switches = hands.into_iter().flat_map(|h| h.tracked.iter().chain(&h.pinch)).map(AnyCurve::Switch);
        let joints = hands.into_iter().flat_map(|h| h.joints.iter().flatten()).flat_map(Pose::curves);
        let gaze = self.gaze.iter().flat_map(Ray::curves);
        let number = AnyCurve::Number;
        names.zip(camera.map(number).chain(switches).chain(joints.chain(gaze).map(number)))
    }

    /// All number curves in the order of the file.
    pub fn number_curves_mut(&mut self) -> impl Iterator<Item = &mut NumberCurve> {
        let camera = self.camera.iter_mut().flat_map(Pose::curves_mut);
        let hands = self.hands.as_deref_mut().into_iter();
        let joints = hands.flat_map(|h| h.joints.iter_mut().flatten()).flat_map(Pose::curves_mut);
        camera.chain(joints).chain(self.gaze.iter_mut().flat_map(Ray::curves_mut))
    }

    /// Camera and joints in the order of the file, absent ones included.
    pub fn poses(&self) -> impl Iterator<Item = (PoseName, &Pose)> {
        let camera = self.camera.iter().map(|pose| (PoseName::Camera, pose));
        camera.chain(self.hands.iter().flat_map(|hands| hands.poses()))
    }

    /// A pose, if its part is present in the file.
    #[must_use]
    pub fn pose(&self, name: PoseName) -> Option<&Pose> {
        match name {
            PoseName::Camera => self.camera.as_ref(),
            PoseName::Joint(hand, joint) => {
                self.hands.as_ref()?.joints.get(hand as usize)?.get(joint as usize)
            }
        }
    }

    /// The shape of the number keys; `None` without number keys.
    #[must_use]
    pub fn shape(&self) -> Option<KeyShape> {
        self.curves().find_map(|(_, curve)| match curve {
            AnyCurve::Number(curve) if !curve.keys.is_empty() => Some(curve.keys.shape()),
            _ => None,
        })
    }

    /// Duration of the recording in seconds: the time of the last key, markers not counted, and never below
    /// 0.
    #[must_use]
    pub fn duration_s(&self) -> f32 {
        let times = self.curves().flat_map(|(_, curve)| curve.times().collect::<Vec<_>>());
        times.filter(|t| t.is_finite()).fold(0.0, f32::max)
    }
}
