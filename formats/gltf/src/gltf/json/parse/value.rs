//! Single JSON values of a known type.

use super::super::parts::Index;
use crate::checks::code;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind};
use dopesheet_core::diag::Fault;
use std::borrow::Cow;

/// Largest whole number that every JSON reader keeps exact: 2^53 − 1.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_991.0;

/// Start of the next value.
pub(super) fn position(c: &mut JsonCursor<'_>) -> Read<usize> {
    c.peek()?;
    Ok(c.position())
}

/// The fault of an object at `start` without a required member.
pub(super) fn missing(c: &JsonCursor<'_>, start: usize, name: &str) -> Box<Fault> {
    c.fault_at(start, code::UNDEFINED_PROPERTY, format!("an object with \"{name}\""), "none")
}

fn want(c: &mut JsonCursor<'_>, kind: JsonKind) -> Read<()> {
    if c.peek()? == kind { Ok(()) } else { Err(c.fault_here(code::TYPE_MISMATCH, kind.noun())) }
}

/// An object, member by member.
pub(super) fn object(
    c: &mut JsonCursor<'_>,
    member: impl FnMut(&mut JsonCursor<'_>, &str) -> Read<()>,
) -> Read<()> {
    want(c, JsonKind::Object)?;
    c.object(member)
}

/// Reads the members of an object; members without an arm are skipped.
macro_rules! members {
    ($c:ident, $name:ident: $($member:pat => $read:expr $(,)?)*) => {
        crate::gltf::json::parse::value::object($c, |$c, $name| {
            match $name {
                $($member => $read,)*
                _ => $c.skip().map(drop)?,
            }
            Ok(())
        })?;
    };
}
pub(super) use members;

/// An array of items.
pub(super) fn list<T>(
    c: &mut JsonCursor<'_>,
    mut item: impl FnMut(&mut JsonCursor<'_>) -> Read<T>,
) -> Read<Vec<T>> {
    want(c, JsonKind::Array)?;
    let mut items = Vec::new();
    c.array(|c, _| {
        items.push(item(c)?);
        Ok(())
    })?;
    Ok(items)
}

/// A string as written in the text, borrowed unless it has escapes.
pub(super) fn borrowed<'a>(c: &mut JsonCursor<'a>) -> Read<Cow<'a, str>> {
    want(c, JsonKind::String)?;
    c.string()
}

/// A string.
pub(super) fn text(c: &mut JsonCursor<'_>) -> Read<String> {
    borrowed(c).map(Cow::into_owned)
}

/// An array of strings.
pub(super) fn texts(c: &mut JsonCursor<'_>) -> Read<Vec<String>> {
    list(c, text)
}

/// A string in a box.
pub(super) fn boxed(c: &mut JsonCursor<'_>) -> Read<Option<Box<str>>> {
    borrowed(c).map(|s| Some(s.as_ref().into()))
}

/// `true` or `false`.
pub(super) fn boolean(c: &mut JsonCursor<'_>) -> Read<bool> {
    want(c, JsonKind::Bool)?;
    c.bool()
}

/// A number.
pub(super) fn number(c: &mut JsonCursor<'_>) -> Read<f64> {
    want(c, JsonKind::Number)?;
    c.number()
}

/// An array of numbers.
pub(super) fn numbers(c: &mut JsonCursor<'_>) -> Read<Box<[f64]>> {
    list(c, number).map(Vec::into_boxed_slice)
}

/// An array of exactly `N` numbers.
pub(super) fn fixed<const N: usize>(c: &mut JsonCursor<'_>) -> Read<[f64; N]> {
    let start = position(c)?;
    let all = list(c, number)?;
    let count = all.len();
    all.try_into().map_err(|_| {
        c.fault_at(start, code::ARRAY_LENGTH_NOT_IN_LIST, format!("{N} numbers"), count.to_string())
    })
}

/// A whole number, 0 or more.
#[expect(clippy::cast_possible_truncation, reason = "the value is whole and within range")]
#[expect(clippy::cast_sign_loss, reason = "the value is not negative")]
pub(super) fn whole(c: &mut JsonCursor<'_>) -> Read<u64> {
    if let Some(value) = c.plain_whole() {
        return Ok(value);
    }
    let mut before = c.clone();
    let value = number(c)?;
    // Where there is no instruction for it, cutting off a fraction would be a function call.
    if (0.0..=LARGEST_WHOLE).contains(&value) && value as u64 as f64 == value {
        return Ok(value as u64);
    }
    Err(before.fault_here(code::VALUE_NOT_IN_RANGE, "a whole number, 0 or more"))
}

/// A position in a list.
pub(super) fn index(c: &mut JsonCursor<'_>) -> Read<Index> {
    let mut before = c.clone();
    if let Some(value) = c.plain_whole().and_then(|value| Index::try_from(value).ok()) {
        return Ok(value);
    }
    *c = before.clone();
    let fault = |c: &mut JsonCursor<'_>| c.fault_here(code::INVALID_INDEX, "a whole number, 0 or more");
    want(c, JsonKind::Number)?;
    let value = whole(c).map_err(|_| fault(&mut before))?;
    Index::try_from(value).map_err(|_| fault(&mut before))
}

/// An array of positions.
pub(super) fn indices(c: &mut JsonCursor<'_>) -> Read<Box<[Index]>> {
    list(c, index).map(Vec::into_boxed_slice)
}
