//! The number grammar of JSON, and its exact conversion to f64.

/// A number and how many bytes of text it took.
pub(super) struct Scanned {
    pub(super) value: f64,
    pub(super) length: usize,
}

/// Powers of ten that f64 holds exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Digits that always fit in a u64.
const MAX_DIGITS: usize = 19;

/// Reads the JSON number at the start of `text`; `None` if there is none or it is not finite.
///
/// Short numbers (mantissa below 2^53, power of ten within ±22) are one exact multiplication or division, hence
/// correctly rounded (Clinger 1990, "How to read floating point numbers accurately"); the rest go to the standard
/// library, which is correctly rounded for all input.
#[inline]
pub(super) fn scan(text: &[u8]) -> Option<Scanned> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut at = start;
    let mut mantissa = 0u64;
    let whole = digits(text, &mut at, &mut mantissa);
    if whole == 0 || (whole > 1 && text.get(start) == Some(&b'0')) {
        return None;
    }
    let mut fraction = 0usize;
    if text.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        fraction = digits(text, &mut at, &mut mantissa);
        if fraction == 0 {
            return None;
        }
    }
    if matches!(text.get(at), Some(b'e' | b'E')) || whole.wrapping_add(fraction) > MAX_DIGITS {
        return scan_long(text, at, mantissa, whole, fraction);
    }
    let scale = EXACT_POWERS.get(fraction).filter(|_| mantissa < 1 << 53);
    match scale {
        Some(scale) => {
            let value = mantissa as f64 / scale;
            Some(Scanned { value: if negative { -value } else { value }, length: at })
        }
        None => scan_long(text, at, mantissa, whole, fraction),
    }
}

/// The rest of [`scan`] for numbers with an exponent or many digits; `at` is behind the digits.
fn scan_long(text: &[u8], mut at: usize, mantissa: u64, whole: usize, fraction: usize) -> Option<Scanned> {
    let mut power = 0i64.saturating_sub_unsigned(fraction as u64);
    if matches!(text.get(at), Some(b'e' | b'E')) {
        power = power.saturating_add(exponent(text, &mut at)?);
    }
    let value = if whole.saturating_add(fraction) <= MAX_DIGITS { exact(mantissa, power) } else { None };
    let value = match value {
        Some(value) if text.first() == Some(&b'-') => -value,
        Some(value) => value,
        None => std::str::from_utf8(text.get(..at)?).ok()?.parse().ok()?,
    };
    value.is_finite().then_some(Scanned { value, length: at })
}

/// Appends the digits at `at` to `mantissa` (modulo 2^64) and counts them.
#[inline]
fn digits(text: &[u8], at: &mut usize, mantissa: &mut u64) -> usize {
    let start = *at;
    if let Some(&[first, second, ..]) = text.get(start..) {
        // One digit is the most frequent length of all.
        let digit = first.wrapping_sub(b'0');
        if digit < 10 && second.wrapping_sub(b'0') >= 10 {
            *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            *at = start.wrapping_add(1);
            return 1;
        }
    }
    while let Some(chunk) = text.get(*at..).and_then(|rest| rest.first_chunk::<8>()) {
        let (count, value) = up_to_eight_digits(*chunk);
        let scale = SMALL_POWERS.get(count).copied().unwrap_or(1);
        *mantissa = mantissa.wrapping_mul(scale).wrapping_add(value);
        *at = at.wrapping_add(count);
        if count < 8 {
            return at.wrapping_sub(start);
        }
    }
    while let Some(digit) = text.get(*at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        *at = at.wrapping_add(1);
    }
    at.wrapping_sub(start)
}

/// How many of the bytes are digits up to the first that is not, and their value; all eight at a time, because the
/// length of a number is what a processor cannot predict.
#[inline]
fn up_to_eight_digits(chunk: [u8; 8]) -> (usize, u64) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let digits = u64::from_le_bytes(chunk) ^ (b'0' as u64).wrapping_mul(ONES);
    // A byte above 9 gets its top bit set; carries only reach bytes behind the first such byte.
    let others = (digits.wrapping_add(0x76u64.wrapping_mul(ONES)) | digits) & 0x80u64.wrapping_mul(ONES);
    let count = others.trailing_zeros() / 8;
    if count == 0 {
        return (0, 0);
    }
    // Move the digits to the end, so that zeros stand before them; then add up pairs, fours and eights.
    let aligned = digits << 64u32.wrapping_sub(count.wrapping_mul(8));
    let pairs = aligned.wrapping_mul(10).wrapping_add(aligned >> 8);
    let even = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let odd = ((pairs >> 16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    (count as usize, even.wrapping_add(odd) >> 32)
}

/// Powers of ten by which eight digits or fewer shift what stands before them.
const SMALL_POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

fn exponent(text: &[u8], at: &mut usize) -> Option<i64> {
    *at = at.saturating_add(1);
    let negative = text.get(*at) == Some(&b'-');
    if matches!(text.get(*at), Some(b'+' | b'-')) {
        *at = at.saturating_add(1);
    }
    let mut value = 0i64;
    let start = *at;
    while let Some(digit) = text.get(*at).filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')));
        *at = at.saturating_add(1);
    }
    if *at == start {
        return None;
    }
    Some(if negative { value.saturating_neg() } else { value })
}

fn exact(mantissa: u64, power: i64) -> Option<f64> {
    if mantissa >= 1 << 53 {
        return None;
    }
    let scale = *EXACT_POWERS.get(usize::try_from(power.unsigned_abs()).ok()?)?;
    Some(if power < 0 { mantissa as f64 / scale } else { mantissa as f64 * scale })
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
            assert_eq!(scanned.length, text.len());
        }
    }

    #[test]
    fn what_json_forbids_is_refused() {
        for text in ["", "-", "01", ".5", "1.", "1e", "1e+", "+1", "NaN", "Infinity", "1e999"] {
            assert!(scan(text.as_bytes()).is_none(), "{text}");
        }
    }

    proptest! {
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
