//! Kinds of values of options, and their readers.

use super::option::{EditOption, Form, Shape};
use crate::convert;
use dopesheet_core::model::{Looping, TargetKind};
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::FrameRate;
use dopesheet_edit::KeyLaw;
use std::str::FromStr;

/// An option without a name, for options with values of a kind.
const fn kind(shape: Shape, value: &'static str, expected: &'static str) -> EditOption {
    EditOption { name: "", help: "", form: Form::Free, shape, value, expected, default: None }
}

pub(super) const SWITCH: EditOption = kind(Shape::Switch, "", "true or false");
pub(super) const LOOPING: EditOption = kind(Shape::OnOff, "BEHAVIOUR", "on or off, or true or false");
pub(super) const TIME: EditOption = kind(Shape::Amount, "TIME", "a time in seconds, or frames as \"45f\"");
pub(super) const CUTS: EditOption = kind(Shape::List, "TIME", "times in seconds, or frames as \"45f\"");
pub(super) const RANGE: EditOption =
    kind(Shape::Span, "START:END", "a start and an end, in seconds or as \"45f\"");
pub(super) const TIMES: EditOption =
    kind(Shape::Span, "TIMES", "a time, or a start and an end, in seconds or as \"45f\"");
pub(super) const CURVE: EditOption = kind(Shape::Spans, "FILE", "pairs of a time and its new time");
pub(super) const COUNT: EditOption = kind(Shape::Amount, "N", "a whole number from 1 up");
pub(super) const FACTOR: EditOption = kind(Shape::Amount, "FACTOR", "a number");
pub(super) const DEGREES: EditOption = kind(Shape::Amount, "DEGREES", "a number of degrees");
pub(super) const HERTZ: EditOption = kind(Shape::Amount, "HZ", "a number of times per second");
pub(super) const RATE: EditOption = kind(Shape::Amount, "FPS", "a rate from 0.001 to 1,000,000");
pub(super) const WAY: EditOption =
    kind(Shape::Amount, "X,Y,Z", "a way along three axes, such as \"1m,0,-20cm\"");
pub(super) const LENGTH: EditOption =
    kind(Shape::Name, "LENGTH", "a length such as \"0.1mm\" or \"0.1mm@3cm\"");
pub(super) const LAW: EditOption = kind(Shape::Amount, "LAW", KeyLaw::EXPECTED);
pub(super) const NAME: EditOption = kind(Shape::Name, "NAME", "a name");
pub(super) const MARKER: EditOption = kind(Shape::Amount, "MARKER", "the name of a marker, or its time");
pub(super) const PATTERNS: EditOption = kind(Shape::List, "NAME", "names, or patterns of names");
pub(super) const KINDS: EditOption =
    kind(Shape::List, "KIND,…", "some of joint, morph, camera, light, hand, custom");
pub(super) const PROPERTIES: EditOption =
    kind(Shape::List, "PROPERTY,…", "words of properties, such as \"rotation\"");
pub(super) const NAMES: EditOption = kind(Shape::Names, "FILE", "new names by old names");
pub(super) const NAMING: EditOption = kind(
    Shape::Name,
    "NAMING",
    "one of unity, mmd, vrm, mixamo, unreal, vroid, blender, biovision, poser, smpl, cmu, openxr, webxr, mrtk2, soma, rokoko, xsens, \
     smpl-model, makehuman, biped, bitmoji, robotexpressive, quaternius, bandai, \
     unityxr, mhr",
);

/// An option behind its name in a line of the command.
pub(super) const fn named(name: &'static str, kind: EditOption) -> EditOption {
    EditOption { name, form: Form::Named(name), ..kind }
}

/// An option with its value alone in a line of the command.
pub(super) const fn required(name: &'static str, kind: EditOption) -> EditOption {
    EditOption { name, form: Form::Required, ..kind }
}

/// As [`required`], without a value or with several as well.
pub(super) const fn free(name: &'static str, kind: EditOption) -> EditOption {
    EditOption { name, form: Form::Free, ..kind }
}

pub(super) fn parsed<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Reads `90` or `90deg`.
pub(super) fn degrees(text: &str) -> Option<f64> {
    number(text.strip_suffix("deg").unwrap_or(text))
}

pub(super) fn rate(text: &str) -> Option<FrameRate> {
    convert::rate(text.parse().ok()?).ok()
}

/// A range, or a time that is both of its ends.
pub(super) fn times(text: &str) -> Option<RangeSpec> {
    let time = |time| RangeSpec { start: time, end: time };
    RangeSpec::parse(text).or_else(|_| TimeValue::parse(text).map(time)).ok()
}

pub(super) fn looping(text: &str) -> Option<Looping> {
    match text {
        "on" => Some(Looping::Loop),
        "off" => Some(Looping::Once),
        _ => None,
    }
}

pub(super) fn target_kind(text: &str) -> Option<TargetKind> {
    TargetKind::ALL.into_iter().find(|kind| kind.word() == text)
}
