//! The single values of curves and events in one fixed order, so that the values read, their spans and the
//! values to be written can be laid side by side.

use super::document::{
    AnimationCurve, Event, FloatCurve, Keyframe, ObjectCurve, ObjectReference, TransformCurve,
};
use super::spelling::{spelled, written_reference};
use super::write::Text;
use crate::yaml::quoted_if_needed;

/// A single value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(f32),
    Integer(i64),
    Text(String),
    /// No value: the member is absent.
    Absent,
    /// A group of several values, always written together.
    Reference(ObjectReference),
}

impl Value {
    /// True if both are written alike; NaN equals NaN.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Absent, Self::Absent) => true,
            (Self::Reference(a), Self::Reference(b)) => a == b,
            _ => false,
        }
    }

    pub(super) fn write(&self) -> String {
        match self {
            Self::Number(number) => spelled(*number),
            Self::Integer(number) => number.to_string(),
            Self::Text(text) => quoted_if_needed(text).into_owned(),
            Self::Absent => String::new(),
            Self::Reference(reference) => written_reference(reference),
        }
    }
}

/// An item of a list of a clip.
pub(super) trait ItemValues {
    /// Number of the item's keys, which determines the layout of its values. Items with different numbers
    /// differ in layout.
    fn shape(&self) -> usize;
    /// Number of values of each key, if keys can be put in and taken out one by one.
    fn key_width(&self) -> Option<usize> {
        None
    }
    /// Lines of a key as a new text has them.
    fn write_key(&self, key: usize, out: &mut Text) {
        let _ = (key, out);
    }
    /// All values, in the order of the spans noted by the reader.
    fn values(&self) -> Vec<Value>;
}

/// Number of values of a key.
pub(super) const fn key_width<const N: usize>() -> usize {
    3 + 5 * N
}

/// Values of a curve before its keys.
pub(super) const CURVE_HEAD: usize = 3;
/// Number of values of an entry with a path before the values of its curve.
pub(super) const TRANSFORM_HEAD: usize = 1;
/// Number of values of an entry with an attribute before the values of its curve or keys.
pub(super) const FLOAT_HEAD: usize = 5;

fn curve_values<const N: usize>(curve: &AnimationCurve<N>, out: &mut Vec<Value>) {
    out.extend([curve.pre_infinity, curve.post_infinity, curve.rotation_order].map(Value::Integer));
    curve.keys.iter().for_each(|key| key_values(key, out));
}

fn key_values<const N: usize>(key: &Keyframe<N>, out: &mut Vec<Value>) {
    out.extend([
        Value::Number(key.time),
        Value::Integer(key.tangent_mode),
        Value::Integer(key.weighted_mode),
    ]);
    for list in [&key.value, &key.in_slope, &key.out_slope, &key.in_weight, &key.out_weight] {
        out.extend(list.iter().map(|number| Value::Number(*number)));
    }
}

impl<const N: usize> ItemValues for TransformCurve<N> {
    fn shape(&self) -> usize {
        self.curve.keys.len()
    }

    fn key_width(&self) -> Option<usize> {
        Some(key_width::<N>())
    }

    fn write_key(&self, key: usize, out: &mut Text) {
        self.curve.keys.get(key).iter().for_each(|key| out.key(key));
    }

    fn values(&self) -> Vec<Value> {
        let mut out = vec![Value::Text(self.path.clone())];
        curve_values(&self.curve, &mut out);
        out
    }
}

impl ItemValues for FloatCurve {
    fn shape(&self) -> usize {
        self.curve.keys.len()
    }

    fn key_width(&self) -> Option<usize> {
        Some(key_width::<1>())
    }

    fn write_key(&self, key: usize, out: &mut Text) {
        self.curve.keys.get(key).iter().for_each(|key| out.key(key));
    }

    fn values(&self) -> Vec<Value> {
        let mut out = vec![
            Value::Text(self.path.clone()),
            Value::Text(self.attribute.clone()),
            Value::Integer(self.class_id),
            Value::Reference(self.script.clone()),
            self.flags.map_or(Value::Absent, Value::Integer),
        ];
        curve_values(&self.curve, &mut out);
        out
    }
}

impl ItemValues for ObjectCurve {
    fn shape(&self) -> usize {
        self.keys.len()
    }

    fn values(&self) -> Vec<Value> {
        let mut out = vec![
            Value::Text(self.path.clone()),
            Value::Text(self.attribute.clone()),
            Value::Integer(self.class_id),
            Value::Reference(self.script.clone()),
            Value::Absent,
        ];
        for (time, reference) in &self.keys {
            out.extend([Value::Number(*time), Value::Reference(reference.clone())]);
        }
        out
    }
}

impl ItemValues for Event {
    fn shape(&self) -> usize {
        0
    }

    fn values(&self) -> Vec<Value> {
        vec![
            Value::Number(self.time),
            Value::Text(self.function_name.clone()),
            Value::Text(self.data.clone()),
            Value::Reference(self.object_reference.clone()),
            Value::Number(self.float_parameter),
            Value::Integer(self.int_parameter),
            Value::Integer(self.message_options),
        ]
    }
}
