//! CP932 (Windows-31J), character by character.
//!
//! Source: the encoding "Shift_JIS" of the WHATWG Encoding Standard, which is CP932. The table is made from
//! `encoding_rs` when the crate is built, and the tests compare every character and every pair of bytes with
//! `encoding_rs`.

use std::sync::LazyLock;

/// Trail bytes of a lead byte.
const TRAILS: u16 = 188;
/// Lead bytes 0xF0 to 0xF9 stand for the private area of Unicode, in order.
const PRIVATE: std::ops::RangeInclusive<u16> = 47 * TRAILS..=57 * TRAILS - 1;
/// Rows of IBM's characters chosen by NEC: these characters are written with IBM's codes.
const NEC_CHOICE: std::ops::RangeInclusive<u16> = 44 * TRAILS..=47 * TRAILS - 1;
/// Characters of two bytes, lead by lead; 0 for codes without a character.
static TABLE: [u16; 60 * TRAILS as usize] = include!(concat!(env!("OUT_DIR"), "/cp932.in"));
/// For each character of the first plane, its place in the table plus one; 0 for characters without a place.
static PLACES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut places = vec![0; 1 << 16];
    for (character, position) in TABLE.iter().zip(0..) {
        // The first of several places.
        if let Some(slot) = places.get_mut(usize::from(*character)).filter(|slot| **slot == 0)
            && *character != 0
            && !NEC_CHOICE.contains(&position)
        {
            *slot = position + 1;
        }
    }
    places
});

/// The text of bytes, and whether some bytes have no meaning: U+FFFD stands for such bytes.
pub(crate) fn decode(mut bytes: &[u8]) -> (String, bool) {
    let mut text = String::with_capacity(bytes.len() * 2);
    let mut has_unknown = false;
    while let [first, rest @ ..] = bytes {
        let (character, after) = match (first, rest) {
            (0..=0x80, _) => (Some(char::from(*first)), rest),
            (0xa1..=0xdf, _) => (char::from_u32(0xff61 + u32::from(*first - 0xa1)), rest),
            (0x81..=0x9f | 0xe0..=0xfc, [second, after @ ..]) => {
                let character = table_index(*first, *second).and_then(at);
                // A letter of ASCII behind half a character is one of its own.
                let is_own = character.is_none() && second.is_ascii();
                (character, if is_own { rest } else { after })
            }
            _ => (None, rest),
        };
        has_unknown |= character.is_none();
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        bytes = after;
    }
    (text, has_unknown)
}

/// The bytes of a character, one or two.
pub(crate) fn encode(character: char) -> Option<(u8, Option<u8>)> {
    let code = u16::try_from(u32::from(character)).ok()?;
    let single = match code {
        0..=0x80 => code,
        0xa5 => 0x5c,
        0x203e => 0x7e,
        0xff61..=0xff9f => code - 0xff61 + 0xa1,
        _ => {
            // The minus of mathematics is written as the wide one.
            let code = if code == 0x2212 { 0xff0d } else { code };
            let position = PLACES.get(usize::from(code))?.checked_sub(1)?;
            let [lead, trail] = [position / TRAILS, position % TRAILS];
            let lead = lead + if lead < 0x1f { 0x81 } else { 0xc1 };
            let trail = trail + if trail < 0x3f { 0x40 } else { 0x41 };
            return Some((u8::try_from(lead).ok()?, Some(u8::try_from(trail).ok()?)));
        }
    };
    Some((u8::try_from(single).ok()?, None))
}

/// Place of two bytes in the table.
fn table_index(lead: u8, trail: u8) -> Option<u16> {
    let lead = lead.checked_sub(if lead < 0xa0 { 0x81 } else { 0xc1 })?;
    let trail = match trail {
        0x40..=0x7e => trail - 0x40,
        0x80..=0xfc => trail - 0x41,
        _ => return None,
    };
    Some(u16::from(lead) * TRAILS + u16::from(trail))
}

/// The character at a place.
fn at(index: u16) -> Option<char> {
    if PRIVATE.contains(&index) {
        return char::from_u32(0xe000 + u32::from(index - PRIVATE.start()));
    }
    let code = TABLE.get(usize::from(index)).copied().filter(|code| *code != 0)?;
    char::from_u32(u32::from(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::SHIFT_JIS;
    use proptest::prelude::*;

    fn theirs(bytes: &[u8]) -> (String, bool) {
        let (text, has_unknown) = SHIFT_JIS.decode_without_bom_handling(bytes);
        (text.into_owned(), has_unknown)
    }

    #[test]
    fn every_pair_of_bytes_is_what_others_read() {
        for pair in 0..=u16::MAX {
            let bytes = pair.to_be_bytes();
            assert_eq!(decode(&bytes), theirs(&bytes), "{bytes:02x?}");
        }
    }

    #[test]
    fn every_character_is_what_others_write() {
        for character in '\0'..=char::MAX {
            let encoded = encode(character)
                .map(|(first, second)| [first].into_iter().chain(second).collect::<Vec<_>>());
            let mut utf8 = [0; 4];
            let (bytes, _, lacks) = SHIFT_JIS.encode(character.encode_utf8(&mut utf8));
            assert_eq!(encoded, (!lacks).then(|| bytes.into_owned()), "{character:?}");
        }
    }

    proptest! {
        #[test]
        fn damaged_text_is_what_others_read(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(decode(&bytes), theirs(&bytes));
        }
    }
}
