//! The ends of a stream, and its fault.

use crate::checks::code::MESHOPT;
use dopesheet_core::bytes::{Codes, Cursor, Read};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;

/// The only kind of fault in a stream: it is not as expected.
pub(super) fn fault(at: usize, expected: String, found: String) -> Box<Fault> {
    Box::new(Fault::new(MESHOPT, Place::Byte(ByteOffset(at as u64)), expected, found))
}

/// A cursor behind the stream's first byte, which must be in `header`, and before its last `tail` bytes; and
/// these last bytes.
pub(super) fn open<'a>(stream: &'a [u8], header: &[u8], tail: usize) -> Read<(Cursor<'a>, &'a [u8])> {
    let first = stream.first().copied();
    if !first.is_some_and(|first| header.contains(&first)) {
        let actual = first.map_or_else(|| "nothing".to_owned(), |first| format!("{first:02x}"));
        return Err(fault(0, format!("a stream that starts with {header:02x?}"), actual));
    }
    let end = stream.len().checked_sub(tail).filter(|end| *end >= 1);
    let parts = end.and_then(|end| stream.split_at_checked(end));
    let Some((body, tail)) = parts else {
        return Err(fault(
            0,
            format!("at least {}", counted(tail.saturating_add(1), "byte")),
            stream.len().to_string(),
        ));
    };
    let mut cursor = Cursor::new(body, Codes { truncated: MESHOPT, count: MESHOPT });
    cursor.u8("header")?;
    Ok((cursor, tail))
}

/// Refuses bytes left behind the last element.
pub(super) fn at_end(cursor: &Cursor<'_>) -> Read<()> {
    if cursor.is_at_end() {
        return Ok(());
    }
    let expected = "the tail of the stream".to_owned();
    Err(cursor.fault(MESHOPT, "data", expected, counted(cursor.remaining(), "more byte")))
}
