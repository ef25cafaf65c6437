//! Reading an array.

use super::super::array::{Array, HeaderForm, shown};
use super::super::codes;
use super::super::header;
use super::super::write::{MAGIC, plain_header};
use super::CURSOR;
use dopesheet_core::bytes::{Cursor, Read};
use dopesheet_core::diag::{Code, Fault, Place};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;

/// Origin of an array's bytes.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// They stand in the file from here on.
    File(u64),
    /// Inflated from a stream in the file, which starts at this offset.
    Inflated(u64),
}

impl Origin {
    /// A fault at a byte of the array.
    pub(super) fn fault(
        self,
        code: Code,
        at: u64,
        path: &str,
        expected: String,
        found: String,
    ) -> Box<Fault> {
        let (offset, path) = match self {
            Self::File(start) => (start.saturating_add(at), path.to_owned()),
            Self::Inflated(start) => (start, format!("{path} (byte {at:#x} after decompression)")),
        };
        Box::new(Fault::new(code, Place::Byte(ByteOffset(offset)), expected, found).at_path(path))
    }

    /// A fault of the cursor, whose offsets count from the start of the array.
    fn moved(self, fault: &Fault) -> Box<Fault> {
        let at = match fault.place {
            Place::Byte(at) => at.0,
            _ => 0,
        };
        self.fault(fault.code, at, &fault.path, fault.expected.clone().into(), fault.found.clone().into())
    }
}

/// Reads an array.
pub(super) fn array(bytes: &[u8], origin: Origin) -> Read<Array> {
    let mut cursor = Cursor::new(bytes, CURSOR);
    let (version, text, start) = head(&mut cursor, origin)?;
    let stated = header::parse(&text).map_err(|odd| {
        let at = start.saturating_add(odd.at as u64);
        let shown_text: String = text.get(odd.at..).unwrap_or_default().chars().take(24).collect();
        let actual = if shown_text.is_empty() { "its end".into() } else { format!("{shown_text:?}") };
        origin.fault(codes::NPY_HEADER.code, at, "header", odd.expected.to_owned(), actual)
    })?;
    let (elements_start, rest) = (cursor.position().0, cursor.take_rest());
    let count = stated.shape.iter().try_fold(1usize, |all, length| all.checked_mul(*length));
    // Without a known size all that is left belongs to the elements.
    let needed = match stated.dtype.element_bytes() {
        Some(size) => count.and_then(|count| count.checked_mul(size)),
        None => Some(rest.len()),
    };
    let parts = needed.and_then(|needed| rest.split_at_checked(needed));
    let Some((data, trailing)) = parts else {
        let size = needed.map_or_else(|| "more bytes than can exist".into(), |n| counted(n, "byte"));
        let expected = format!("{size} for the shape {} of {}", shown(&stated.shape), stated.dtype);
        let actual = format!("{} left", counted(rest.len(), "byte"));
        return Err(origin.fault(codes::NPY_SHAPE.code, elements_start, "elements", expected, actual));
    };
    let mut array = Array {
        dtype: stated.dtype,
        fortran_order: stated.fortran_order,
        shape: stated.shape,
        data: data.to_vec(),
        header: HeaderForm { version, padding: 0, spelling: None },
        trailing: trailing.to_vec(),
    };
    let plain = plain_header(&array);
    let blanks = text.strip_prefix(&plain).and_then(|rest| rest.strip_suffix('\n'));
    match blanks.filter(|blanks| blanks.bytes().all(|byte| byte == b' ')) {
        Some(blanks) => array.header.padding = blanks.len(),
        None => array.header.spelling = Some(text),
    }
    Ok(array)
}

/// The version, the header, and the header's offset.
fn head(cursor: &mut Cursor<'_>, origin: Origin) -> Read<(u8, String, u64)> {
    let moved = |fault: Box<Fault>| origin.moved(&fault);
    let magic = cursor.take(MAGIC.len(), "signature").map_err(moved)?;
    let version = cursor.array::<2>("version").map_err(moved)?;
    if magic != MAGIC || !matches!(version, [1..=3, 0]) {
        let actual = format!("{:?}, version {}.{}", String::from_utf8_lossy(magic), version[0], version[1]);
        let expected = "\"\\x93NUMPY\", version 1.0 to 3.0".to_owned();
        return Err(origin.fault(codes::NPY_SIGNATURE.code, 0, "signature", expected, actual));
    }
    let length = match version {
        [1, _] => cursor.u16("header length").map(usize::from),
        _ => cursor.u32("header length").map(|length| usize::try_from(length).unwrap_or(usize::MAX)),
    };
    let length = length.map_err(moved)?;
    let start = cursor.position().0;
    let text = cursor.take(length, "header").map_err(moved)?;
    let text = std::str::from_utf8(text).map_err(|_| {
        let actual = format!("{:?}", String::from_utf8_lossy(text));
        origin.fault(codes::NPY_HEADER.code, start, "header", "a text in UTF-8".into(), actual)
    })?;
    Ok((version[0], text.to_owned(), start))
}
