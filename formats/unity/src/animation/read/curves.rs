//! Curves, keys and events.

use super::super::codes;
use super::super::document::{
    AnimationCurve, Event, FloatCurve, Keyframe, ObjectCurve, ObjectReference, TransformCurve,
};
use super::super::spans::{KeySpans, Span};
use super::super::values::{CURVE_HEAD, FLOAT_HEAD, TRANSFORM_HEAD, key_width};
use crate::yaml::{Slot, SlotKind, YamlCursor};
use dopesheet_core::bytes::Read;

/// An item, and the places of its values in the order of [`values`](super::super::values).
pub(super) struct Entry<T> {
    pub(super) item: T,
    pub(super) values: Vec<Option<Span>>,
    /// The span of the list of its keys, and of each key if the keys have separate lines.
    pub(super) keys: KeySpans,
}

/// Spans of an item's values; `None` for values without a place in the text.
type ValueSpans = Vec<Option<Span>>;

fn note(places: &mut [Option<Span>], at: usize, span: Span) {
    if let Some(slot) = places.get_mut(at) {
        *slot = Some(span);
    }
}

/// A whole number, whose span is noted at a position.
fn integer(cursor: &mut YamlCursor<'_>, slot: Slot, places: &mut [Option<Span>], at: usize) -> Read<i64> {
    let (number, span) = cursor.integer(slot)?;
    note(places, at, span);
    Ok(number)
}

/// As [`integer`].
fn number(cursor: &mut YamlCursor<'_>, slot: Slot, places: &mut [Option<Span>], at: usize) -> Read<f32> {
    let (number, span) = cursor.number(slot)?;
    note(places, at, span);
    Ok(number)
}

/// As [`integer`].
fn text(cursor: &mut YamlCursor<'_>, slot: Slot, places: &mut [Option<Span>], at: usize) -> Read<String> {
    let scalar = cursor.scalar(slot)?;
    note(places, at, scalar.span);
    Ok(scalar.text.into_owned())
}

/// A member required in a key, curve or event.
fn required<T>(cursor: &YamlCursor<'_>, value: Option<T>, member: &str) -> Read<T> {
    value.ok_or_else(|| cursor.fault(codes::MEMBER.code, format!("the member {member} before this place")))
}

/// `{fileID: 0}`, whose span is noted at a position.
fn reference(
    cursor: &mut YamlCursor<'_>,
    slot: Slot,
    places: &mut [Option<Span>],
    at: usize,
) -> Read<ObjectReference> {
    let mut reference = ObjectReference::default();
    let start = cursor.start(slot);
    cursor.members(slot, |cursor, name, slot| {
        match name {
            "fileID" => reference.file_id = cursor.integer(slot)?.0,
            "guid" => reference.guid = Some(cursor.scalar(slot)?.text.into_owned()),
            "type" => reference.kind = Some(cursor.integer(slot)?.0),
            _ => cursor.skip(slot)?,
        }
        Ok(())
    })?;
    note(places, at, start..cursor.position());
    Ok(reference)
}

pub(super) fn transform<const N: usize>(
    cursor: &mut YamlCursor<'_>,
    slot: Slot,
) -> Read<Entry<TransformCurve<N>>> {
    let mut values: ValueSpans = vec![None; TRANSFORM_HEAD + CURVE_HEAD];
    let (mut path, mut curve, mut keys) = (None, None, KeySpans::default());
    cursor.members(slot, |cursor, name, slot| {
        match name {
            "path" => path = Some(text(cursor, slot, &mut values, 0)?),
            "curve" => {
                let (animation, places) = animation_curve(cursor, slot, &mut values, TRANSFORM_HEAD)?;
                (curve, keys) = (Some(animation), places);
            }
            _ => cursor.skip(slot)?,
        }
        Ok(())
    })?;
    let (path, curve) = (required(cursor, path, "path")?, required(cursor, curve, "curve")?);
    Ok(Entry { item: TransformCurve { path, curve }, values, keys })
}

/// The members common to curves of numbers and of references.
#[derive(Default)]
struct Head {
    path: Option<String>,
    attribute: Option<String>,
    class_id: Option<i64>,
    script: ObjectReference,
    flags: Option<i64>,
}

impl Head {
    /// Takes a member if it belongs to the head.
    fn member(
        &mut self,
        cursor: &mut YamlCursor<'_>,
        name: &str,
        slot: Slot,
        values: &mut ValueSpans,
    ) -> Read<()> {
        match name {
            "path" => self.path = Some(text(cursor, slot, values, 0)?),
            "attribute" => self.attribute = Some(text(cursor, slot, values, 1)?),
            "classID" => self.class_id = Some(integer(cursor, slot, values, 2)?),
            "script" => self.script = reference(cursor, slot, values, 3)?,
            "flags" => self.flags = Some(integer(cursor, slot, values, 4)?),
            _ => cursor.skip(slot)?,
        }
        Ok(())
    }
}

pub(super) fn float(cursor: &mut YamlCursor<'_>, slot: Slot) -> Read<Entry<FloatCurve>> {
    let mut values: ValueSpans = vec![None; FLOAT_HEAD + CURVE_HEAD];
    let (mut head, mut curve, mut keys) = (Head::default(), None, KeySpans::default());
    cursor.members(slot, |cursor, name, slot| {
        if name == "curve" {
            let (animation, places) = animation_curve(cursor, slot, &mut values, FLOAT_HEAD)?;
            (curve, keys) = (Some(animation), places);
            return Ok(());
        }
        head.member(cursor, name, slot, &mut values)
    })?;
    let item = FloatCurve {
        attribute: required(cursor, head.attribute, "attribute")?,
        path: required(cursor, head.path, "path")?,
        class_id: required(cursor, head.class_id, "classID")?,
        script: head.script,
        flags: head.flags,
        curve: required(cursor, curve, "curve")?,
    };
    Ok(Entry { item, values, keys })
}

pub(super) fn object(cursor: &mut YamlCursor<'_>, slot: Slot) -> Read<Entry<ObjectCurve>> {
    let mut values: ValueSpans = vec![None; FLOAT_HEAD];
    let (mut head, mut keys) = (Head::default(), None);
    cursor.members(slot, |cursor, name, slot| {
        if name != "curve" {
            return head.member(cursor, name, slot, &mut values);
        }
        let mut list = Vec::new();
        cursor.items(slot, |cursor, _, slot| {
            list.push(object_key(cursor, slot, &mut values)?);
            Ok(())
        })?;
        keys = Some(list);
        Ok(())
    })?;
    let item = ObjectCurve {
        attribute: required(cursor, head.attribute, "attribute")?,
        path: required(cursor, head.path, "path")?,
        class_id: required(cursor, head.class_id, "classID")?,
        script: head.script,
        keys: required(cursor, keys, "curve")?,
    };
    Ok(Entry { item, values, keys: KeySpans::default() })
}

fn object_key(
    cursor: &mut YamlCursor<'_>,
    slot: Slot,
    values: &mut ValueSpans,
) -> Read<(f32, ObjectReference)> {
    let (mut time, mut value) = (None, None);
    let mut places = [None, None];
    cursor.members(slot, |cursor, name, slot| {
        match name {
            "time" => time = Some(number(cursor, slot, &mut places, 0)?),
            "value" => value = Some(reference(cursor, slot, &mut places, 1)?),
            _ => cursor.skip(slot)?,
        }
        Ok(())
    })?;
    values.extend(places);
    Ok((required(cursor, time, "time")?, required(cursor, value, "value")?))
}

/// A curve; the spans of the curve's own values are noted from `head` on, and the spans of its keys behind
/// all others.
fn animation_curve<const N: usize>(
    cursor: &mut YamlCursor<'_>,
    slot: Slot,
    values: &mut ValueSpans,
    head: usize,
) -> Read<(AnimationCurve<N>, KeySpans)> {
    let (mut curve, mut keys) = (AnimationCurve::default(), KeySpans::default());
    let mut has_keys = false;
    cursor.members(slot, |cursor, name, slot| {
        let (position, out) = match name {
            "m_Curve" => {
                has_keys = true;
                curve.keys.clear();
                values.truncate(head.saturating_add(CURVE_HEAD));
                keys.each.clear();
                let (is_block, start) = (matches!(cursor.kind(slot), SlotKind::List(_)), cursor.position());
                cursor.items(slot, |cursor, _, slot| {
                    // Behind its dash.
                    let start = cursor.position().saturating_sub(1);
                    curve.keys.push(keyframe(cursor, slot, values)?);
                    keys.each.extend(is_block.then(|| start..cursor.position()));
                    Ok(())
                })?;
                keys.list = start..cursor.position();
                return Ok(());
            }
            "m_PreInfinity" => (0, &mut curve.pre_infinity),
            "m_PostInfinity" => (1, &mut curve.post_infinity),
            "m_RotationOrder" => (2, &mut curve.rotation_order),
            _ => return cursor.skip(slot),
        };
        let (value, span) = cursor.integer(slot)?;
        *out = value;
        note(values, head.saturating_add(position), span);
        Ok(())
    })?;
    required(cursor, has_keys.then_some(()), "m_Curve")?;
    Ok((curve, keys))
}

fn keyframe<const N: usize>(
    cursor: &mut YamlCursor<'_>,
    slot: Slot,
    values: &mut ValueSpans,
) -> Read<Keyframe<N>> {
    let mut key = Keyframe::default();
    let (mut time, mut has_value) = (None, false);
    let start = values.len();
    values.resize(start.saturating_add(key_width::<N>()), None);
    let key_values = values.get_mut(start..).unwrap_or_default();
    cursor.members(slot, |cursor, name, slot| {
        let (list, out) = match name {
            "time" => {
                time = Some(number(cursor, slot, key_values, 0)?);
                return Ok(());
            }
            "tangentMode" => {
                key.tangent_mode = integer(cursor, slot, key_values, 1)?;
                return Ok(());
            }
            "weightedMode" => {
                key.weighted_mode = integer(cursor, slot, key_values, 2)?;
                return Ok(());
            }
            "value" => {
                has_value = true;
                (0, &mut key.value)
            }
            "inSlope" => (1, &mut key.in_slope),
            "outSlope" => (2, &mut key.out_slope),
            "inWeight" => (3, &mut key.in_weight),
            "outWeight" => (4, &mut key.out_weight),
            _ => return cursor.skip(slot),
        };
        // 3 + 5·N, as the order of values has it; lists have at most five of four.
        let first = N.saturating_mul(list).saturating_add(3);
        components(cursor, slot, out, |component, span| {
            note(key_values, first.saturating_add(component), span)
        })
    })?;
    key.time = required(cursor, time, "time")?;
    required(cursor, has_value.then_some(()), "value")?;
    Ok(key)
}

/// A number, or numbers by the names of axes.
fn components<const N: usize>(
    cursor: &mut YamlCursor<'_>,
    slot: Slot,
    out: &mut [f32; N],
    mut note: impl FnMut(usize, Span),
) -> Read<()> {
    const AXES: [&str; 4] = ["x", "y", "z", "w"];
    if N == 1 {
        let (number, span) = cursor.number(slot)?;
        out.fill(number);
        note(0, span);
        return Ok(());
    }
    if cursor.kind(slot) == SlotKind::Scalar {
        cursor.go_to(cursor.start(slot));
        return Err(cursor.fault(codes::KIND.code, format!("{N} numbers ({{x: 0, y: 0 …}})")));
    }
    let mut seen = [false; N];
    cursor.members(slot, |cursor, name, slot| {
        let axis = AXES.iter().take(N).position(|axis| *axis == name);
        let Some(axis) = axis else { return cursor.skip(slot) };
        let (number, span) = cursor.number(slot)?;
        if let (Some(value), Some(seen)) = (out.get_mut(axis), seen.get_mut(axis)) {
            (*value, *seen) = (number, true);
        }
        note(axis, span);
        Ok(())
    })?;
    match seen.iter().position(|seen| !seen) {
        Some(missing) => {
            let axis = AXES.get(missing).copied().unwrap_or_default();
            Err(cursor.fault(codes::MEMBER.code, format!("the member {axis} before this place")))
        }
        None => Ok(()),
    }
}

pub(super) fn event(cursor: &mut YamlCursor<'_>, slot: Slot) -> Read<Entry<Event>> {
    let mut values: ValueSpans = vec![None; 7];
    let mut event = Event::default();
    let mut has_time = false;
    cursor.members(slot, |cursor, name, slot| {
        match name {
            "time" => {
                has_time = true;
                event.time = number(cursor, slot, &mut values, 0)?;
            }
            "functionName" => event.function_name = text(cursor, slot, &mut values, 1)?,
            "data" => event.data = text(cursor, slot, &mut values, 2)?,
            "objectReferenceParameter" => {
                event.object_reference = reference(cursor, slot, &mut values, 3)?;
            }
            "floatParameter" => event.float_parameter = number(cursor, slot, &mut values, 4)?,
            "intParameter" => event.int_parameter = integer(cursor, slot, &mut values, 5)?,
            "messageOptions" => event.message_options = integer(cursor, slot, &mut values, 6)?,
            _ => cursor.skip(slot)?,
        }
        Ok(())
    })?;
    required(cursor, has_time.then_some(()), "time")?;
    Ok(Entry { item: event, values, keys: KeySpans::default() })
}
