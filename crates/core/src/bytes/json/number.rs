//! The number grammar of JSON, and its exact conversion to f64.

use crate::bytes::number::{MAX_DIGITS, digits, exact, exponent, inexact};
use std::num::NonZeroUsize;

/// A number and the length of its text in bytes.
pub(super) struct Scanned {
    pub(super) value: f64,
    /// Never zero, which lets an `Option` of this type travel in registers.
    pub(super) length: NonZeroUsize,
}

/// Reads the JSON number at the start of `text`; `None` if the text does not start with a number, or the
/// number is not finite.
///
/// Short numbers (mantissa below 2^53, power of ten within ±22) are one exact multiplication or division, hence
/// correctly rounded (Clinger 1990, "How to read floating point numbers accurately"); the rest go to the standard
/// library, which is correctly rounded for all input.
#[inline(always)]
pub(super) fn scan(text: &[u8]) -> Option<Scanned> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut at = start;
    let mut mantissa = 0u64;
    let whole = digits(text, &mut at, &mut mantissa);
    if whole == 0 || (whole > 1 && text.get(start) == Some(&b'0')) {
        return None;
    }
    let mut places = 0usize;
    if text.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        places = digits(text, &mut at, &mut mantissa);
        if places == 0 {
            return None;
        }
    }
    let mut power = 0i64.saturating_sub_unsigned(places as u64);
    if matches!(text.get(at), Some(b'e' | b'E')) {
        power = power.saturating_add(exponent(text, &mut at)?);
    }
    let value = match exact(mantissa, power) {
        Some(value) if whole.wrapping_add(places) <= MAX_DIGITS => {
            if negative {
                -value
            } else {
                value
            }
        }
        _ => inexact(text.get(..at)?)?,
    };
    Some(Scanned { value, length: NonZeroUsize::new(at)? })
}

/// The number at the start of `text` and its length, if the number is plain digits and exact in a double.
#[inline]
pub(super) fn plain_whole(text: &[u8]) -> Option<(usize, u64)> {
    let (mut at, mut value) = (0, 0);
    let length = digits(text, &mut at, &mut value);
    let starts_with_zero = length > 1 && text.first() == Some(&b'0');
    let goes_on = matches!(text.get(at), Some(b'.' | b'e' | b'E'));
    ((1..=15).contains(&length) && !starts_with_zero && !goes_on).then_some((length, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_of_every_form_equal_the_standard_library() {
        for text in [
            "0",
            "-0",
            "1",
            "-1.5",
            "0.1",
            "1e5",
            "1E-5",
            "1.19209e-07",
            "123456789012345678",
            "1e-320",
            "9007199254740993",
            "0.30000000000000004",
        ] {
            let scanned = scan(text.as_bytes()).unwrap();
            assert_eq!(scanned.value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
            assert_eq!(scanned.length.get(), text.len());
        }
    }

    #[test]
    fn what_json_forbids_is_refused() {
        for text in ["", "-", "01", ".5", "1.", "1e", "1e+", "+1", "NaN", "Infinity", "1e999"] {
            assert!(scan(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn plain_whole_numbers_are_digits_and_nothing_else() {
        for (text, length, value) in
            [("0", 1, 0), ("42,", 2, 42), ("999999999999999]", 15, 999_999_999_999_999)]
        {
            assert_eq!(plain_whole(text.as_bytes()), Some((length, value)), "{text}");
        }
        for text in ["", "-1", "01", "1.0", "1e3", "1E3", "1000000000000000", "\"1\"", "x"] {
            assert_eq!(plain_whole(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn plain_whole_numbers_are_what_the_grammar_reads(value in 0u64..2_000_000_000_000_000) {
            let text = value.to_string();
            let scanned = scan(text.as_bytes()).unwrap();
            let plain = plain_whole(text.as_bytes());
            prop_assert_eq!(plain.is_some(), text.len() <= 15);
            if let Some((length, plain)) = plain {
                prop_assert_eq!((length, plain as f64), (scanned.length.get(), scanned.value));
            }
        }

        #[test]
        fn every_finite_double_survives_its_shortest_text(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = format!("{value:e}");
            prop_assert_eq!(scan(text.as_bytes()).unwrap().value.to_bits(), bits);
        }

        #[test]
        fn short_decimals_equal_the_standard_library(mantissa in 0u64..10_000_000_000, places in 0usize..12) {
            let text = format!("{:.*}", places, mantissa as f64 / 1e5);
            prop_assert_eq!(scan(text.as_bytes()).unwrap().value, text.parse::<f64>().unwrap());
        }
    }
}
