//! Long lists of numbers, straight into typed columns.

use super::codes;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind};
use dopesheet_core::diag::Code;

/// An array of numbers in single precision.
#[expect(clippy::cast_possible_truncation, reason = "the engine keeps vertex data in single precision")]
pub(super) fn floats(cursor: &mut JsonCursor<'_>, code: Code) -> Read<Vec<f32>> {
    items(cursor, code, |cursor| {
        cursor.want(JsonKind::Number, code, "a number")?;
        cursor.number().map(|number| number as f32)
    })
}

/// An array of whole numbers below 2^32.
pub(super) fn indices(cursor: &mut JsonCursor<'_>, code: Code) -> Read<Vec<u32>> {
    items(cursor, code, |cursor| whole(cursor, code))
}

/// An array of items.
pub(super) fn items<T>(
    cursor: &mut JsonCursor<'_>,
    code: Code,
    mut item: impl FnMut(&mut JsonCursor<'_>) -> Read<T>,
) -> Read<Vec<T>> {
    let mut items = Vec::new();
    list(cursor, code, |cursor, _| {
        items.push(item(cursor)?);
        Ok(())
    })?;
    Ok(items)
}

/// A whole number below 2^32.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number was seen to be whole and in range"
)]
pub(super) fn whole(cursor: &mut JsonCursor<'_>, code: Code) -> Read<u32> {
    let mut before = cursor.clone();
    let number = if cursor.peek()? == JsonKind::Number { cursor.number()? } else { f64::NAN };
    if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
        return Ok(number as u32);
    }
    Err(before.fault_here(code, "a whole number, 0 or more"))
}

/// A position in a list.
pub(super) fn index(cursor: &mut JsonCursor<'_>) -> Read<usize> {
    whole(cursor, codes::INDEX.code).map(|index| index as usize)
}

/// A value required to be an array.
pub(super) fn list(
    cursor: &mut JsonCursor<'_>,
    code: Code,
    element: impl FnMut(&mut JsonCursor<'_>, usize) -> Read<()>,
) -> Read<()> {
    cursor.want(JsonKind::Array, code, "an array")?;
    cursor.array(element)
}

/// A value required to be an object.
pub(super) fn object(
    cursor: &mut JsonCursor<'_>,
    code: Code,
    member: impl FnMut(&mut JsonCursor<'_>, &str) -> Read<()>,
) -> Read<()> {
    cursor.want(JsonKind::Object, code, "an object")?;
    cursor.object(member)
}

/// The text of a string or of a number; empty for null.
pub(super) fn text(cursor: &mut JsonCursor<'_>, code: Code) -> Read<String> {
    match cursor.peek()? {
        JsonKind::String => cursor.string().map(std::borrow::Cow::into_owned),
        JsonKind::Number => {
            let span = cursor.skip()?;
            Ok(cursor.text().get(span).unwrap_or_default().to_owned())
        }
        JsonKind::Null => cursor.null().map(|()| String::new()),
        _ => Err(cursor.fault_here(code, "a string")),
    }
}

/// A number or nothing.
pub(super) fn optional<T>(
    cursor: &mut JsonCursor<'_>,
    read: impl FnOnce(&mut JsonCursor<'_>) -> Read<T>,
) -> Read<Option<T>> {
    match cursor.peek()? {
        JsonKind::Null => cursor.null().map(|()| None),
        _ => read(cursor).map(Some),
    }
}
