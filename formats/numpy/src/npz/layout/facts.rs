//! Facts about a motion beside its numbers: from the file, or else from the caller's assumptions.

use super::super::array::Array;
use super::super::{codes, smpl};
use super::Interpreter;
use dopesheet_core::model::{Axis, Basis};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;

/// Words for assumptions; the first is also the name of an array that states the fact.
pub(in super::super) const LAYOUT: &str = "layout";
pub(in super::super) const RATE: &str = "rate";
pub(in super::super) const AXES: &str = "axes";
pub(in super::super) const ORDER: &str = "order";
pub(in super::super) const UNIT: &str = "unit";
pub(in super::super) const JOINTS: &str = "joints";

/// Arrays that state the facts in their names.
pub(in super::super) const FPS: &str = "fps";
pub(in super::super) const METRES: &str = "metres_per_unit";
pub(in super::super) const NAMES: &str = "joint_names";
pub(in super::super) const PARENTS: &str = "parents";

/// Z points up, and figures face −Y, as in AMASS and Blender.
pub(in super::super) const Z_UP: Basis =
    Basis { left: Axis::PosX, up: Axis::PosZ, front: Axis::NegY, ..Basis::GLTF };

/// The axes of words: `yup`, `zup`, or the directions of left, up and front, as in `+x+z-y`.
pub(in super::super) fn axes_words(words: &[impl AsRef<str>]) -> Option<Basis> {
    let text: String = words.iter().map(AsRef::as_ref).collect::<String>().to_lowercase();
    let axes: Option<Vec<Axis>> = match text.as_str() {
        "yup" => return Some(Basis::GLTF),
        "zup" => return Some(Z_UP),
        _ => text.as_bytes().chunks(2).map(|word| Axis::from_word(std::str::from_utf8(word).ok()?)).collect(),
    };
    let [left, up, front] = axes?.try_into().ok()?;
    let basis = Basis { left, up, front, ..Basis::GLTF };
    let is_each_once = [left, up, front].iter().fold(0, |all, axis| all | 1 << axis.index()) == 0b111;
    is_each_once.then_some(basis)
}

impl Interpreter<'_> {
    /// The number in the first present array of these names.
    fn scalar(&mut self, names: &[&str]) -> Option<(String, f64)> {
        let name = names.iter().find(|name| self.document.array(name).is_some())?;
        let array = self.array(name)?;
        let numbers = self.any_numbers(name, array)?;
        let [number] = numbers[..] else {
            self.say(codes::SHAPE, name, "one number", super::shown(&array.shape));
            return None;
        };
        Some(((*name).to_owned(), number))
    }

    /// Frames per second from the first of these arrays, or else as assumed.
    pub(super) fn rate(&mut self, names: &[&str]) -> Option<FrameRate> {
        let is_stated = names.iter().any(|name| self.document.array(name).is_some());
        if is_stated {
            let (name, fps) = self.scalar(names)?;
            let rate = FrameRate::from_fps(fps);
            if rate.is_none() {
                let expected = "frames per second from 0.001 to 1,000,000";
                self.say_of(codes::RATE, &name, Some(0), expected, fps.to_string());
            }
            return rate;
        }
        let assumed =
            self.document.assumed.get(RATE).and_then(|text| FrameRate::from_fps(text.parse().ok()?));
        if assumed.is_none() {
            let expected = format!("an array {} (or --assume {RATE}=…)", names.join(" or "));
            self.say(codes::RATE_UNKNOWN, "", expected, "none");
        }
        assumed
    }

    /// Frames per second as the file or the caller says, else the usual ones of a data set or program.
    pub(super) fn rate_or(&mut self, usual: Option<FrameRate>) -> Option<FrameRate> {
        let is_said = self.document.array(FPS).is_some() || self.document.assumed.get(RATE).is_some();
        if is_said { self.rate(&[FPS]) } else { usual }
    }

    /// The axes of the world, without a unit.
    pub(super) fn axes(&mut self) -> Option<Basis> {
        if let Some(array) = self.document.array(AXES) {
            let words = array.strings().unwrap_or_default();
            let basis = axes_words(&words);
            if basis.is_none() {
                let expected = "yup, zup, or the directions of left, up and front, as in +x +z -y";
                self.say(codes::AXES, AXES, expected, words.join(" "));
            }
            return basis;
        }
        let assumed = self.document.assumed.get(AXES).and_then(|word| axes_words(&[word]));
        if assumed.is_none() {
            self.say(codes::AXES_UNKNOWN, "", "an array axes (or --assume axes=…)", "none");
        }
        assumed
    }

    /// The axes with the length of a unit, which may be unknown.
    pub(super) fn basis(&mut self) -> Option<Basis> {
        let stated = self.scalar(&[METRES]).map(|(_, metres)| metres);
        let assumed = || self.document.assumed.get(UNIT).and_then(|text| text.parse().ok());
        let metres = stated.or_else(assumed).filter(|metres: &f64| metres.is_finite() && *metres > 0.0);
        if metres.is_none() {
            self.say(codes::UNIT_UNKNOWN, "", "an array metres_per_unit (or --assume unit=…)", "none");
        }
        Some(Basis { metres_per_unit: metres, ..self.axes()? })
    }

    /// True if the real part of quaternions comes first.
    pub(super) fn has_real_part_first(&mut self) -> Option<bool> {
        let stated =
            self.document.array(ORDER).and_then(Array::strings).and_then(|words| words.first().cloned());
        let is_stated = stated.is_some();
        let word = stated.or_else(|| self.document.assumed.get(ORDER).map(str::to_owned));
        match word.as_deref() {
            Some("xyzw") => Some(false),
            Some("wxyz") => Some(true),
            Some(other) if is_stated => {
                self.say(codes::ORDER, ORDER, "xyzw or wxyz", other);
                None
            }
            _ => {
                self.say(codes::ORDER_UNKNOWN, "", "an array order (or --assume order=…)", "none");
                None
            }
        }
    }

    /// True if the real part of quaternions comes first: as stated by the file or the caller, or else as in
    /// the layout's program.
    pub(super) fn real_part_first_or(&mut self, usual: bool) -> Option<bool> {
        let is_said = self.document.array(ORDER).is_some() || self.document.assumed.get(ORDER).is_some();
        if is_said { self.has_real_part_first() } else { Some(usual) }
    }

    /// Names and parents of `count` joints, and true if the parents are known.
    pub(super) fn joints(&mut self, count: usize) -> (Vec<(String, Option<usize>)>, bool) {
        let assumed =
            self.document.assumed.get(JOINTS).is_some_and(|word| matches!(word, "smpl" | "humanml3d"));
        let assumed_joints = assumed.then(|| smpl::joints(count)).flatten();
        let names = self.names(count);
        let parents = self.parents(count);
        let knows = parents.is_some() || assumed_joints.is_some();
        let assumed_joints = assumed_joints.unwrap_or_default();
        let name = |index: usize| {
            let stated_name = names.as_ref().and_then(|names| names.get(index)).cloned();
            stated_name
                .or_else(|| assumed_joints.get(index).map(|joint| joint.name.clone()))
                .unwrap_or_else(|| format!("joint_{index}"))
        };
        let parent = |index: usize| match &parents {
            Some(parents) => parents.get(index).copied().flatten(),
            None => assumed_joints.get(index).and_then(|joint| joint.parent),
        };
        // What is wrong with parents that are there has been said.
        if !knows && self.document.array(PARENTS).is_none() {
            let expected = "an array parents (or --assume joints=smpl)";
            self.say(
                codes::HIERARCHY_UNKNOWN,
                "",
                expected,
                format!("{} side by side", counted(count, "joint")),
            );
        }
        ((0..count).map(|index| (name(index), parent(index))).collect(), knows)
    }

    fn names(&mut self, count: usize) -> Option<Vec<String>> {
        let array = self.take(NAMES)?;
        let Some(names) = array.strings() else {
            self.say(codes::TYPE, NAMES, "texts", format!("elements of the type {}", array.dtype));
            return None;
        };
        if names.len() != count {
            self.say(
                codes::JOINT_COUNT,
                NAMES,
                format!("{}, one for each joint", counted(count, "name")),
                names.len().to_string(),
            );
            return None;
        }
        Some(names)
    }

    pub(super) fn parents(&mut self, count: usize) -> Option<Vec<Option<usize>>> {
        let array = self.take(PARENTS)?;
        let numbers = self.any_numbers(PARENTS, array)?;
        if numbers.len() != count {
            self.say(
                codes::JOINT_COUNT,
                PARENTS,
                format!("{}, one for each joint", counted(count, "number")),
                numbers.len().to_string(),
            );
            return None;
        }
        let bad = numbers
            .iter()
            .enumerate()
            .find(|(joint, parent)| parent.fract() != 0.0 || **parent < -1.0 || **parent >= *joint as f64);
        if let Some((joint, parent)) = bad {
            let expected = format!("-1 or the index of a joint before joint {joint}");
            self.say_of(codes::PARENTS, PARENTS, Some(joint), expected, parent.to_string());
            return None;
        }
        Some(numbers.iter().map(|parent| (*parent >= 0.0).then_some(*parent as usize)).collect())
    }
}
