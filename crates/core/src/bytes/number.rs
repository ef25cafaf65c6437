//! Decimal numbers in text, and their exact conversion to f64.

/// Powers of ten that f64 holds exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The same as integers, as far as eight places need them.
const INTEGER_POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Number of digits that always fit in a u64.
pub(super) const MAX_DIGITS: usize = 19;

/// Number of digits converted at once.
const AT_ONCE: usize = 8;

/// Reads the decimal number at the start of `text`, and yields the number and its length in bytes.
///
/// The grammar is the grammar of C's `strtod` without names and hexadecimal digits: an optional sign, digits
/// with an optional point before, among or behind them, and an optional exponent. A number beyond f64 is
/// infinite. `None` if `text` does not start with a number; the rest of the text is not looked at.
///
/// Short numbers (mantissa below 2^53, power of ten within ±22) are one exact multiplication or division, hence
/// correctly rounded (Clinger 1990, "How to read floating point numbers accurately"); the rest go to the standard
/// library, which is correctly rounded for all input.
///
/// ```
/// use dopesheet_core::bytes::decimal;
///
/// assert_eq!(decimal(b"-12.5 7"), Some((-12.5, 5)));
/// assert_eq!(decimal(b"+.5e1"), Some((5.0, 5)));
/// assert_eq!(decimal(b"nan"), None);
/// ```
#[inline]
#[must_use]
pub fn decimal(text: &[u8]) -> Option<(f64, usize)> {
    match few_digits(text) {
        Some(number) => Some(number),
        None => any_digits(text),
    }
}

/// Numbers with less than eight digits on either side of a point, as most numbers in files are; `None` for
/// all others.
#[inline(always)]
fn few_digits(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let (whole, wholes) = eight(text.get(start..)?)?;
    let point = start.wrapping_add(wholes);
    if wholes == 0 || wholes == AT_ONCE || text.get(point) != Some(&b'.') {
        return None;
    }
    let behind = point.wrapping_add(1);
    let (part, places) = eight(text.get(behind..)?)?;
    let end = behind.wrapping_add(places);
    if places == AT_ONCE || matches!(text.get(end), Some(b'e' | b'E')) {
        return None;
    }
    // At most fourteen digits, far below 2^53.
    let mantissa = whole.wrapping_mul(*INTEGER_POWERS.get(places)?).wrapping_add(part);
    let value = mantissa.cast_signed() as f64 / EXACT_POWERS.get(places)?;
    Some((if negative { -value } else { value }, end))
}

/// The value of the digits at the start of eight bytes, and their number; `None` if there are fewer bytes.
///
/// The first byte that is no digit ends the digits; a carry only affects the bytes behind that byte.
#[inline(always)]
fn eight(text: &[u8]) -> Option<(u64, usize)> {
    let bytes = u64::from_le_bytes(*text.first_chunk()?) ^ each(b'0');
    let count = not_digits(bytes).trailing_zeros() / 8;
    let digits = bytes.checked_shl(64u32.wrapping_sub(count.wrapping_mul(8))).unwrap_or(0);
    Some((eight_digits(digits), count as usize))
}

/// The same byte in each of eight.
const fn each(byte: u8) -> u64 {
    0x0101_0101_0101_0101u64.wrapping_mul(byte as u64)
}

/// As [`decimal`], for texts that consist only of numbers between white space.
///
/// `None` does not mean that there is no number: only numbers with a point behind at least one digit, and
/// with eight digits at most, are found, and only if white space follows and the text goes on for sixteen
/// bytes. The sign and the number of digits affect only arithmetic in this function and no branch, because
/// neither can be predicted.
#[inline(always)]
#[must_use]
pub fn decimal_word(text: &[u8]) -> Option<(f64, usize)> {
    let bytes: &[u8; 16] = text.first_chunk()?;
    let [zeroth, first, second] = [eight_from(bytes, 0)?, eight_from(bytes, 1)?, eight_from(bytes, 2)?];
    let negative = bytes.first() == Some(&b'-');
    // From the first digit, and from the one behind it.
    let (here, next) = if negative { (first, second) } else { (zeroth, first) };
    // One of the bytes up to the blank is the point, so that as many are digits as stand behind the first.
    let count = (below_visible(next).trailing_zeros() / 8) as usize;
    let wholes = zero_bytes(here ^ each(b'.')).trailing_zeros();
    let end = count.wrapping_add(1).wrapping_add(usize::from(negative));
    let places = count.wrapping_sub((wholes / 8) as usize);
    if wholes.wrapping_sub(8) >= 56 || count == 0 || places > count || *bytes.get(end)? > b' ' {
        return None;
    }
    let before_point = (1u64 << (wholes & 56)).wrapping_sub(1);
    let digits = (here & before_point | next & !before_point) ^ each(b'0');
    let digits = digits << (64usize.wrapping_sub(count.wrapping_mul(8)) & 63);
    if not_digits(digits) != 0 {
        return None;
    }
    let value = eight_digits(digits).cast_signed() as f64 / EXACT_POWERS.get(places)?;
    let sign = u64::from(negative) << 63;
    Some((f64::from_bits(value.to_bits() | sign), end))
}

/// Eight of sixteen bytes, from the index `from` on.
#[inline(always)]
fn eight_from(bytes: &[u8; 16], from: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(from..)?.first_chunk()?))
}

/// The highest bit of the lowest byte that is white space or a control character, and of some above it.
#[inline(always)]
const fn below_visible(bytes: u64) -> u64 {
    bytes.wrapping_sub(each(0x21)) & !bytes & each(0x80)
}

/// The highest bit of the lowest byte that is zero, and of some above it.
#[inline(always)]
const fn zero_bytes(bytes: u64) -> u64 {
    bytes.wrapping_sub(each(1)) & !bytes & each(0x80)
}

/// Zero if all eight bytes are below ten. A byte below ten stays below 128 with 118 added.
#[inline(always)]
const fn not_digits(bytes: u64) -> u64 {
    (bytes.wrapping_add(each(0x76)) | bytes) & each(0x80)
}

/// The number of eight digits, the first in the lowest byte.
///
/// Bytes, pairs and quarters are added up all at once (D. Lemire, "Quickly parsing eight digits", 2018).
#[inline(always)]
const fn eight_digits(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let first = (pairs & PAIRS).wrapping_mul(0x000f_4240_0000_0064);
    let second = ((pairs >> 16) & PAIRS).wrapping_mul(0x0000_2710_0000_0001);
    first.wrapping_add(second) >> 32
}

#[inline(never)]
fn any_digits(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let mut mantissa = 0u64;
    let mut count = digits(text, &mut at, &mut mantissa);
    let mut power = 0i64;
    if text.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        let places = digits(text, &mut at, &mut mantissa);
        count = count.wrapping_add(places);
        power = 0i64.saturating_sub_unsigned(places as u64);
    }
    if count == 0 {
        return None;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let mut behind = at;
        if let Some(exponent) = exponent(text, &mut behind) {
            power = power.saturating_add(exponent);
            at = behind;
        }
    }
    let value = match exact(mantissa, power) {
        Some(value) if count <= MAX_DIGITS => {
            if negative {
                -value
            } else {
                value
            }
        }
        _ => std::str::from_utf8(text.get(..at)?).ok()?.parse().ok()?,
    };
    Some((value, at))
}

/// Appends the digits at `at` to `mantissa` (modulo 2^64) and counts them.
#[inline]
pub(super) fn digits(text: &[u8], at: &mut usize, mantissa: &mut u64) -> usize {
    let start = *at;
    while let Some(byte) = text.get(*at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        *at = at.wrapping_add(1);
    }
    at.wrapping_sub(start)
}

/// The exponent after the letter at `at`; `None` if no digits follow.
#[inline]
pub(super) fn exponent(text: &[u8], at: &mut usize) -> Option<i64> {
    *at = at.wrapping_add(1);
    let negative = text.get(*at) == Some(&b'-');
    if matches!(text.get(*at), Some(b'+' | b'-')) {
        *at = at.wrapping_add(1);
    }
    let mut value = 0i64;
    let start = *at;
    while let Some(digit) = text.get(*at).filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')));
        *at = at.wrapping_add(1);
    }
    if *at == start {
        return None;
    }
    Some(if negative { value.saturating_neg() } else { value })
}

/// `mantissa`·10^`power`, if a single operation yields the product exactly rounded.
#[inline]
pub(super) fn exact(mantissa: u64, power: i64) -> Option<f64> {
    if mantissa >= 1 << 53 {
        return None;
    }
    let scale = *EXACT_POWERS.get(usize::try_from(power.unsigned_abs()).ok()?)?;
    // Below 2^53 the sign makes no difference, and signed numbers convert in one instruction.
    let mantissa = mantissa.cast_signed() as f64;
    Some(if power < 0 { mantissa / scale } else { mantissa * scale })
}

/// A number of any length; `None` if the number is not finite.
#[cold]
pub(super) fn inexact(number: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(number).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_of_every_form_equal_the_standard_library() {
        for text in [
            "0",
            "-0.0",
            "+1",
            "-1.5",
            ".5",
            "-.5",
            "1.",
            "007.25",
            "1e5",
            "1E-5",
            "1.19209e-07",
            "1234567.1234567",
            "12345678.12345678",
            "123456789012345678",
            "1e-320",
            "9007199254740993",
            "0.30000000000000004",
            "1e999",
        ] {
            for behind in ["", " ", " 1 2 3 4 5 6", "\r\n", ",5", "/////////", ":::::::::"] {
                let (value, length) = decimal(format!("{text}{behind}").as_bytes()).unwrap();
                assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}{behind}");
                assert_eq!(length, text.len(), "{text}{behind}");
            }
        }
    }

    #[test]
    fn an_exponent_without_digits_is_none() {
        assert_eq!(decimal(b"1e"), Some((1.0, 1)));
        assert_eq!(decimal(b"1.5e+ 00000000"), Some((1.5, 3)));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "-.", "+", "e5", "nan", "inf", "--1", " 1", "-........"] {
            assert_eq!(decimal(text.as_bytes()), None, "{text}");
        }
    }

    /// A word reads as the same number by both ways.
    fn assert_word(text: &str) -> Option<(f64, usize)> {
        let word = decimal_word(text.as_bytes());
        if let Some((value, length)) = word {
            assert_eq!(
                decimal(text.as_bytes()).map(|(v, l)| (v.to_bits(), l)),
                Some((value.to_bits(), length)),
                "{text:?}"
            );
            assert!(text.as_bytes()[length] <= b' ', "{text:?}");
        }
        word
    }

    #[test]
    fn words_are_the_numbers_that_they_are() {
        for (text, value) in [
            ("1.5 ", 1.5),
            ("-123456.12 ", -123_456.12),
            ("-1234567.1 ", -1_234_567.1),
            ("1.2345678\t", 1.234_567_8),
            ("0.000000\n", 0.0),
            ("-0.0\r", -0.0),
            ("7.\t", 7.0),
            ("12.345678 ", 12.345678),
        ] {
            let word = assert_word(&format!("{text}2 3 4 5 6 7 8 9 0 1 2 3 4"));
            assert_eq!(word, Some((value, text.len() - 1)), "{text:?}");
        }
        let unmatched = [
            "5",
            "1.5e3",
            ".5",
            "+1.5",
            "1,5",
            "1.5.5",
            "--1.5",
            "-.5",
            "12345678.0",
            "0.12345678",
            "1 .5",
            "nan",
            "1.5x",
            "1.\u{e4}",
            "",
        ];
        for text in unmatched {
            assert_eq!(assert_word(&format!("{text} 2 3 4 5 6 7 8 9 0 1 2 3 4")), None, "{text:?}");
        }
        assert_eq!(decimal_word(b"1.5 1.5"), None, "the text ends");
    }

    proptest! {
        #[test]
        fn words_of_any_letters_are_numbers_or_none(text in "[-+.,0-9e \n\t/:x\u{7f}\u{ff}]{0,24}", behind in "[ -~]{16}") {
            assert_word(&format!("{text}{behind}"));
        }

        #[test]
        fn every_finite_double_survives_its_shortest_text(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            for text in [format!("{value:e}"), format!("{value}")] {
                let (value, length) = decimal(text.as_bytes()).unwrap();
                prop_assert_eq!((value.to_bits(), length), (bits, text.len()));
            }
        }

        #[test]
        fn short_decimals_equal_the_standard_library(
            mantissa in -10_000_000_000i64..10_000_000_000,
            places in 0usize..12,
            behind in "[ -~]{0,9}",
        ) {
            let text = format!("{:.*}", places, mantissa as f64 / 1e5);
            let (value, length) = decimal(format!("{text} {behind}").as_bytes()).unwrap();
            prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
            prop_assert_eq!(length, text.len());
        }
    }
}
