//! Meaning of the arrays of a file: their layout, and the motion in them.
//!
//! Each layout has a name. Facts missing in a file (rate, axes, order of quaternions) are never guessed: a
//! missing fact is a finding, and a motion without it is not converted.

mod bodies;
mod facts;
mod features;
mod generators;
mod plain;
mod robots;

pub(super) use bodies::{MOTION_X, motion_x};
pub(super) use robots::{ANGLES, ROBOT, SPEEDS, is_of_motor};

pub(super) use facts::{AXES, JOINTS, LAYOUT, ORDER, RATE, UNIT, Z_UP, axes_words};

use super::array::{Array, Dtype, shown};
use super::codes;
use super::document::{Document, File, Pickled};
use super::view;
use crate::RESEARCH;
use dopesheet_core::format::Check;
use dopesheet_core::model::{Basis, Transform};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Ways to keep a motion in arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Rotation vectors of a body of the SMPL family, as AMASS has them.
    Smpl,
    /// Places of the 22 joints of HumanML3D.
    HumanMl3d,
    /// The 263 features of HumanML3D.
    Features,
    /// Places of any joints.
    Positions,
    /// Quaternions and offsets of any joints, relative to their parents.
    Clip,
    /// Numbers of a body of SMPL-X in one array (F, 322), the form of Motion-X.
    MotionX,
    /// Rotation vectors of a body of SMPL with a scale, as AIST++ has them.
    Aist,
    /// Places of joints of several samples (N, J, 3, F), as MDM writes them.
    Mdm,
    /// Places and rotation matrices of joints in the world, as kimodo writes them.
    Kimodo,
    /// Places and quaternions of a robot's bodies in the world, as Isaac Lab and holosoma have them.
    IsaacLab,
    /// Places of a robot's bodies as seen from its root, as GMR writes them.
    Gmr,
}

impl Layout {
    pub(super) const WORDS: [(&'static str, Self); 14] = [
        ("clip", Self::Clip),
        ("positions", Self::Positions),
        ("smpl", Self::Smpl),
        ("smplh", Self::Smpl),
        ("smplx", Self::Smpl),
        ("amass", Self::Smpl),
        ("humanml3d", Self::HumanMl3d),
        ("features", Self::Features),
        ("motionx", Self::MotionX),
        ("aist", Self::Aist),
        ("mdm", Self::Mdm),
        ("kimodo", Self::Kimodo),
        ("isaaclab", Self::IsaacLab),
        ("gmr", Self::Gmr),
    ];

    /// The first word for the layout.
    pub(super) fn word(self) -> &'static str {
        Self::WORDS.iter().find(|row| row.1 == self).map_or("", |row| row.0)
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::readable(&Self::WORDS, |row| row.1).find(|row| row.0 == word).map(|row| row.1)
    }

    /// The items of a list known to this build.
    fn readable<T>(list: &[T], layout: impl Fn(&T) -> Self) -> impl Iterator<Item = &T> {
        list.iter().filter(move |item| RESEARCH || layout(item).is_plain())
    }

    /// True of a layout not made by a research project.
    const fn is_plain(self) -> bool {
        matches!(self, Self::Smpl | Self::HumanMl3d | Self::Features | Self::Positions | Self::Clip)
    }

    /// Description of the layout in words.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::Smpl => "rotations of a body of the SMPL family",
            Self::HumanMl3d => "joints of HumanML3D",
            Self::Features => "features of HumanML3D",
            Self::Positions => "positions of joints",
            Self::Clip => "rotations of joints",
            Self::MotionX => "a body of SMPL-X as in Motion-X",
            Self::Aist => "a body of SMPL as in AIST++",
            Self::Mdm => "samples of MDM",
            Self::Kimodo => "joints of kimodo",
            Self::IsaacLab => "bodies of a robot in the world",
            Self::Gmr => "bodies of a robot as seen from its root",
        }
    }

    /// True if the shape of an array with this layout's name fits the layout: several layouts have an array
    /// called `motion`.
    const fn fits(self, shape: &[usize]) -> bool {
        match self {
            Self::Mdm => matches!(shape, [_, _, 3, _]),
            Self::MotionX => matches!(shape, [_, MOTION_X]),
            _ => true,
        }
    }

    /// Names of the array with the motion, best name first.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Smpl => &[POSES],
            Self::HumanMl3d | Self::Positions => &[POSITIONS, "joints"],
            Self::Features => &["features", "motion"],
            Self::Clip => &[ROTATIONS],
            Self::MotionX => &["motion"],
            Self::Aist => &["smpl_poses"],
            Self::Mdm => &["motion"],
            Self::Kimodo => &["local_rot_mats", "global_rot_mats", "posed_joints"],
            Self::IsaacLab => &["body_pos_w"],
            Self::Gmr => &["root_rot"],
        }
    }
}

/// Layouts recognised by the names of their arrays, the surest first.
const NAMED: [Layout; 10] = [
    Layout::Kimodo,
    Layout::IsaacLab,
    Layout::Gmr,
    Layout::Aist,
    Layout::Mdm,
    Layout::MotionX,
    Layout::Smpl,
    Layout::Clip,
    Layout::Positions,
    Layout::Features,
];

pub(super) const POSES: &str = "poses";
pub(super) const POSITIONS: &str = "positions";
pub(super) const ROTATIONS: &str = "rotations";
/// Longest dimension of an array without elements.
const MOST_OF_NOTHING: usize = 4_096;
/// NumPy's name for an array saved without a name.
const NAMELESS: &str = "arr_0";

/// A fault or a remarkable fact of an array.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) check: Check,
    /// The array; empty for a nameless array, or for the file.
    pub(super) array: String,
    /// Position of the element, in the order of the indices.
    pub(super) element: Option<usize>,
    /// The array and the indices of the element.
    pub(super) path: String,
    pub(super) expected: String,
    pub(super) found: String,
}

/// The rest of joints with these offsets from their parents.
fn still(offsets: &[f64]) -> Vec<Transform> {
    let offsets = offsets.as_chunks::<3>().0.iter();
    offsets.map(|offset| Transform { translation: *offset, ..Transform::IDENTITY }).collect()
}

/// A motion as stored in the arrays.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) layout: Layout,
    /// Names, and the indices of their parents.
    pub(super) joints: Vec<(String, Option<usize>)>,
    pub(super) knows_parents: bool,
    pub(super) rate: Option<FrameRate>,
    /// The axes of the world; `None` if nobody has stated them.
    pub(super) basis: Option<Basis>,
    /// Local transforms of the joints at rest.
    pub(super) rest: Vec<Transform>,
    /// True if the rest pose is an assumed figure of ordinary proportions instead of the file's rest pose.
    pub(super) is_rest_assumed: bool,
    /// The clips; most layouts have a single clip.
    pub(super) takes: Vec<Take>,
    /// Further facts of the file, kept for writing such files.
    pub(super) notes: Map<String, Value>,
}

impl Motion {
    /// A motion of joints with known parents in a world with Y up, without a rate and a rest pose.
    pub(super) fn of(layout: Layout, joints: Vec<(String, Option<usize>)>, takes: Vec<Take>) -> Self {
        Self {
            layout,
            joints,
            knows_parents: true,
            rate: None,
            basis: Some(Basis::GLTF),
            rest: Vec::new(),
            is_rest_assumed: false,
            takes,
            notes: Map::new(),
        }
    }

    /// True if the motion is of a body with special axes, see [`Rotations::Vectors`].
    pub(super) fn is_body(&self) -> bool {
        self.takes.iter().any(|take| take.values.is_body())
    }

    /// Number of frames of the only clip; `None` if there are several.
    pub(super) fn frames(&self) -> Option<usize> {
        match &self.takes[..] {
            [take] => Some(take.frames),
            _ => None,
        }
    }
}

/// A clip.
#[derive(Clone, Debug)]
pub(super) struct Take {
    /// Its name, if the file states a name for the clip.
    pub(super) name: Option<String>,
    pub(super) frames: usize,
    pub(super) values: ClipNumbers,
    /// Numbers that move no joint: angles of motors, weights of expressions.
    pub(super) dials: Vec<Dial>,
}

impl Take {
    /// A clip without a name, of joints alone.
    fn new(frames: usize, values: ClipNumbers) -> Self {
        Self { name: None, frames, values, dials: Vec::new() }
    }
}

/// A number of each frame.
#[derive(Clone, Debug)]
pub(super) struct Dial {
    /// Name of its target.
    pub(super) name: String,
    /// The array with the numbers.
    pub(super) array: &'static str,
    pub(super) values: Vec<f64>,
}

/// The numbers of a clip, frame by frame and in a frame joint by joint. Numbers that are not finite are still
/// included.
#[derive(Clone, Debug)]
pub(super) enum ClipNumbers {
    /// Positions in the model.
    Places(Vec<f64>),
    /// Rotations of joints, and translations.
    Transforms {
        rotations: Rotations,
        /// Positions of the roots; `None` if they stay at rest.
        roots: Option<Vec<f64>>,
        /// Translations of all joints.
        translations: Option<Vec<f64>>,
        scales: Option<Vec<f64>>,
    },
}

impl ClipNumbers {
    /// The values of a moving body: rotation vectors, and the positions of its root.
    fn body(vectors: Vec<f64>, roots: Option<Vec<f64>>) -> Self {
        Self::Transforms { rotations: Rotations::Vectors(vectors), roots, translations: None, scales: None }
    }

    /// True if the values are of a body with special axes.
    pub(super) const fn is_body(&self) -> bool {
        matches!(self, Self::Transforms { rotations: Rotations::Vectors(_), .. })
    }
}

/// Rotations of joints relative to their parents.
#[derive(Clone, Debug)]
pub(super) enum Rotations {
    /// Axes times angles in radians. The body has special axes: left +X, up +Y and front +Z, whatever the
    /// axes of the world.
    Vectors(Vec<f64>),
    /// Quaternions, x y z w; `None` while nobody knows the order of their numbers.
    Quaternions(Option<Vec<f64>>),
}

/// Meaning of a document, and its findings.
#[derive(Debug, Default)]
pub(super) struct Interpreted {
    pub(super) motion: Option<Motion>,
    pub(super) findings: Vec<Finding>,
    /// Numbers of each frame that are no part of the motion, and the reason.
    pub(super) left_out: Vec<(String, &'static str)>,
}

/// Interprets the arrays of a document.
pub(super) fn interpret(document: &Document) -> Interpreted {
    let view = view::of(document);
    let mut interpreter =
        Interpreter { document: &view, findings: Vec::new(), read: HashSet::new(), left_out: Vec::new() };
    if let File::Pickle(Pickled { left_out, further_left_out, .. }) = &document.file
        && !left_out.is_empty()
    {
        let more =
            if *further_left_out > 0 { format!(" and {further_left_out} more") } else { String::new() };
        let expected = "arrays with all of their elements, of types that are known, that the file can hold";
        interpreter.say(codes::PICKLED_ARRAY, "", expected, left_out.join(", ") + &more);
    }
    let motion = interpreter.motion();
    if let Some(frames) = motion.as_ref().and_then(Motion::frames) {
        interpreter.leave_out(frames);
    }
    let Interpreter { findings, left_out, .. } = interpreter;
    Interpreted { motion, findings, left_out }
}

struct Interpreter<'a> {
    document: &'a Document,
    findings: Vec<Finding>,
    /// Names of the arrays whose numbers were read.
    read: HashSet<String>,
    left_out: Vec<(String, &'static str)>,
}

impl<'a> Interpreter<'a> {
    fn say(&mut self, check: Check, array: &str, expected: impl Into<String>, found: impl Into<String>) {
        self.say_of(check, array, None, expected, found);
    }

    fn say_of(
        &mut self,
        check: Check,
        array: &str,
        element: Option<usize>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        let (expected, actual) = (expected.into(), found.into());
        let shape: &[usize] = self.document.array(array).map_or(&[], |array| &array.shape);
        let path = path(array, shape, element);
        self.findings.push(Finding {
            check,
            array: array.to_owned(),
            element,
            path,
            expected,
            found: actual,
        });
    }

    fn motion(&mut self) -> Option<Motion> {
        let Some((layout, name)) = self.layout() else {
            let arrays = self.document.arrays();
            let list: Vec<String> = arrays
                .take(8)
                .map(|(name, array)| {
                    format!("{name} {} {}", array.dtype, shown(&array.shape)).trim().to_owned()
                })
                .collect();
            let expected = "an array poses (F, 3 J), rotations (F, J, 4) or positions (F, J, 3)";
            let actual = if list.is_empty() { "no array".to_owned() } else { list.join(", ") };
            self.say(codes::NO_MOTION, "", expected, actual);
            return None;
        };
        match layout {
            Layout::Smpl => self.smpl(&name),
            Layout::HumanMl3d => self.humanml3d(&name),
            Layout::Features => self.features(&name),
            Layout::Positions => self.positions(&name),
            Layout::Clip => self.clip(&name),
            // Nothing says that it is one of these where they are left out.
            _ if !RESEARCH => None,
            Layout::MotionX => self.motion_x(&name),
            Layout::Aist => self.aist(&name),
            Layout::Mdm => self.mdm(&name),
            Layout::Kimodo => self.kimodo(),
            Layout::IsaacLab => self.isaac_lab(),
            Layout::Gmr => self.gmr(),
        }
    }

    /// The layout, and the name of its array.
    fn layout(&mut self) -> Option<(Layout, String)> {
        let has = |name: &&&str| self.document.array(name).is_some();
        if let Some(layout) = self.stated_layout() {
            let named = layout.names().iter().find(has).map(|name| (*name).to_owned());
            let name = named.or_else(|| self.only_array()).unwrap_or_else(|| layout.names()[0].to_owned());
            return Some((layout, name));
        }
        for layout in Layout::readable(&NAMED, |layout| *layout) {
            let fits = |name: &&&str| {
                has(name) && layout.fits(self.document.array(name).map_or(&[][..], |array| &array.shape))
            };
            if let Some(name) = layout.names().iter().find(fits) {
                return Some((*layout, (*name).to_owned()));
            }
        }
        if self.has_parts() {
            return Some((Layout::Smpl, POSES.to_owned()));
        }
        let name = self.only_array()?;
        let shape = &self.document.array(&name)?.shape;
        let (layout, says) = match shape[..] {
            [_, 22, 3] => (Layout::HumanMl3d, true),
            [_, features::WIDTH] => (Layout::Features, true),
            [_, MOTION_X] if RESEARCH => (Layout::MotionX, true),
            [_, _, 3] => (Layout::Positions, true),
            [_, _, 4] => (Layout::Clip, true),
            _ => return None,
        };
        if says {
            let actual = format!("the shape {}, read as {}", shown(shape), layout.about());
            self.say(
                codes::LAYOUT_BY_SHAPE,
                &name,
                "a name that tells its meaning (or --assume layout=…)",
                actual,
            );
        }
        Some((layout, name))
    }

    fn stated_layout(&mut self) -> Option<Layout> {
        let assumed = self.document.assumed.get(LAYOUT).and_then(Layout::from_word);
        let stated = self.document.array(LAYOUT).and_then(Array::strings);
        stated.and_then(|words| Layout::from_word(words.first()?)).or(assumed)
    }

    /// The name of the only array of a file, if it is a default name.
    fn only_array(&self) -> Option<String> {
        match &self.document.file {
            File::Npy(_) => Some(String::new()),
            File::Npz(archive) => {
                let [member] = &archive.members[..] else { return None };
                member.array().map(|_| member.key()).filter(|key| key == NAMELESS)
            }
            File::Pickle(pickled) => {
                let [(name, _)] = &pickled.arrays[..] else { return None };
                Some(name.clone()).filter(|name| name.is_empty() || name == NAMELESS)
            }
        }
    }

    /// An array by its name, which counts as read from then on.
    fn take(&mut self, name: &str) -> Option<&'a Array> {
        self.read.insert(name.to_owned());
        self.document.array(name)
    }

    /// Notes the arrays with a row of numbers for each frame that were not read.
    fn leave_out(&mut self, frames: usize) {
        let document = self.document;
        for (name, array) in document.arrays() {
            let is_of_numbers = matches!(array.dtype, Dtype::Number { .. });
            let is_of_frames = array.shape.first() == Some(&frames) && is_of_numbers;
            if is_of_frames && !self.read.contains(&*name) {
                let what = format!("the array {name} {}", shown(&array.shape));
                self.left_out.push((what, "a scene has no place for its numbers"));
            }
        }
    }

    /// An array by its name; a finding if it is missing.
    fn array(&mut self, name: &str) -> Option<&'a Array> {
        let array = self.take(name);
        if array.is_none() {
            self.say(codes::SHAPE, name, format!("an array {name}"), "none");
        }
        array
    }

    /// The numbers of an array whose shape is `expected_shape`, where `None` is any length; a finding for any other
    /// shape. Numbers that are not finite are a finding, too, but are returned.
    fn numbers(&mut self, name: &str, shape: &[Option<usize>]) -> Option<(Vec<f64>, Vec<usize>)> {
        let array = self.array(name)?;
        let fits = array.shape.len() == shape.len()
            && array
                .shape
                .iter()
                .zip(shape)
                .all(|(length, shape)| shape.is_none_or(|shape| shape == *length));
        if !fits {
            self.say(codes::SHAPE, name, format!("the shape {}", pattern(shape)), shown(&array.shape));
            return None;
        }
        // Without elements no byte bears out what a shape announces.
        if let Some(length) = array.shape.iter().find(|length| array.is_empty() && **length > MOST_OF_NOTHING)
        {
            let expected = format!("lengths of at most {MOST_OF_NOTHING} in an array without elements");
            self.say(codes::SHAPE, name, expected, length.to_string());
            return None;
        }
        let numbers = self.any_numbers(name, array)?;
        Some((numbers, array.shape.clone()))
    }

    /// The numbers of an array of any shape.
    fn any_numbers(&mut self, name: &str, array: &Array) -> Option<Vec<f64>> {
        let Some(numbers) = array.numbers() else {
            self.say(codes::TYPE, name, "numbers", format!("elements of the type {}", array.dtype));
            return None;
        };
        let mut bad = numbers.iter().enumerate().filter(|(_, number)| !number.is_finite());
        if let Some((at, number)) = bad.next() {
            let further = bad.count();
            let actual = match further {
                0 => number.to_string(),
                _ => format!("{number}; {} such places in all", further + 1),
            };
            self.say_of(codes::NONFINITE, name, Some(at), "finite numbers", actual);
        }
        Some(numbers)
    }

    /// The numbers of an optional array. With `frames`, the array must have a row for each of these frames.
    fn optional(&mut self, name: &str, row_shape: &[usize], frames: Option<usize>) -> Option<Vec<f64>> {
        self.document.array(name)?;
        let mut shape: Vec<Option<usize>> = row_shape.iter().copied().map(Some).collect();
        if frames.is_some() {
            shape.insert(0, None);
        }
        let (numbers, lengths) = self.numbers(name, &shape)?;
        if let (Some(frames), Some(rows)) = (frames, lengths.first())
            && frames != *rows
        {
            self.say(codes::FRAME_COUNT, name, counted(frames, "frame"), rows.to_string());
            return None;
        }
        Some(numbers)
    }
}

/// `poses[3, 17]`.
fn path(name: &str, shape: &[usize], element: Option<usize>) -> String {
    let Some(mut left) = element.filter(|_| !shape.is_empty()) else { return name.to_owned() };
    let mut indices: Vec<String> = shape
        .iter()
        .rev()
        .map(|length| {
            let index = left % (*length).max(1);
            left /= (*length).max(1);
            index.to_string()
        })
        .collect();
    indices.reverse();
    format!("{name}[{}]", indices.join(", "))
}

/// A shape with letters for arbitrary lengths.
fn pattern(shape: &[Option<usize>]) -> String {
    let letters = ["F", "J", "N"];
    let word = |(at, length): (usize, &Option<usize>)| {
        length.map_or_else(|| letters.get(at).unwrap_or(&"N").to_string(), |length| length.to_string())
    };
    format!("({})", shape.iter().enumerate().map(word).collect::<Vec<_>>().join(", "))
}
