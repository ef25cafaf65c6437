//! Numbers of one to five bytes, seven bits in each, the lowest first.

use crate::checks::code::MESHOPT;
use dopesheet_core::bytes::{Cursor, Read};

/// Most bytes of a number.
const MOST_BYTES: u32 = 5;

/// The next number; bits beyond the 32nd are ignored.
pub(super) fn read(c: &mut Cursor<'_>) -> Read<u32> {
    let mut value = 0u32;
    for position in 0..MOST_BYTES {
        let byte = c.u8("index")?;
        value |= u32::from(byte & 0x7f).wrapping_shl(position.saturating_mul(7));
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(c.fault(MESHOPT, "index", "a number of at most 5 bytes".into(), "a longer one".into()))
}

/// Zigzag: 0, −1, 1, −2, 2 … as 0, 1, 2, 3, 4 …
pub(super) const fn signed(value: u32) -> u32 {
    if value & 1 == 0 { value >> 1 } else { !(value >> 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::bytes::Codes;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, Codes { truncated: MESHOPT, count: MESHOPT })
    }

    #[test]
    fn the_examples_of_the_specification() {
        // The last one is 0x1fd005 there, which no reading of LEB128 gives.
        for (bytes, value) in [(&[0x7f][..], 0x7f), (&[0x81, 0x04], 0x201), (&[0xff, 0xa0, 0x05], 0x1_507f)] {
            assert_eq!(read(&mut cursor(bytes)).unwrap(), value, "{bytes:x?}");
        }
    }

    #[test]
    fn six_bytes_are_refused() {
        assert!(read(&mut cursor(&[0xff; 8])).is_err());
        assert!(read(&mut cursor(&[0xff, 0xff])).is_err());
        assert_eq!(read(&mut cursor(&[0xff, 0xff, 0xff, 0xff, 0x7f])).unwrap(), u32::MAX);
    }
}
