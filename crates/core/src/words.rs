//! Numbers and counts as people read them. Numbers for programs, as in JSON, are written as they are.

use crate::units::Seconds;
use std::fmt::Write;

/// A number with a noun: `1 key`, `2 morph keys`, `4,551 bytes`. The number may be negative, as a damaged
/// file may state.
///
/// `noun` is the singular; its last word becomes the plural.
///
/// ```
/// use dopesheet_core::words::counted;
///
/// assert_eq!([0, 1, 4551, -1].map(|n| counted(n, "byte")), ["0 bytes", "1 byte", "4,551 bytes", "-1 bytes"]);
/// assert_eq!([counted(2, "soft body"), counted(3, "vertex")], ["2 soft bodies", "3 vertices"]);
/// ```
#[must_use]
pub fn counted(number: impl TryInto<i128>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(i128::MAX);
    let mut out = grouped(number);
    out.push(' ');
    if number == 1 {
        out.push_str(noun);
    } else if let Some(stem) = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        out.extend([stem, "ies"]);
    } else if let Some(stem) = noun.strip_suffix("ex") {
        out.extend([stem, "ices"]);
    } else {
        let needs_vowel = noun.ends_with(['x', 's']) || noun.ends_with("ch") || noun.ends_with("sh");
        out.extend([noun, if needs_vowel { "es" } else { "s" }]);
    }
    out
}

/// A form of a word for the number 1, another for any other number: `is` or `are`.
#[must_use]
pub const fn agreeing<'a>(number: usize, singular: &'a str, plural: &'a str) -> &'a str {
    if number == 1 { singular } else { plural }
}

/// A whole number with commas between groups of three digits: `4,551`.
#[must_use]
pub fn grouped(number: impl TryInto<i128>) -> String {
    let digits = number.try_into().unwrap_or(i128::MAX).to_string();
    let mut out = String::with_capacity(digits.len().saturating_add(digits.len() / 3));
    for (index, digit) in digits.chars().enumerate() {
        let is_inside = index > 0 && !out.ends_with('-');
        if is_inside && digits.len().saturating_sub(index).is_multiple_of(3) {
            out.push(',');
        }
        let _ = out.write_char(digit);
    }
    out
}

/// A plain number with three significant digits: `0.123`, `12.3`, `1.23e-9`.
///
/// ```
/// use dopesheet_core::words::number;
///
/// assert_eq!([0.0, 0.012345, 12.345, 1e-9].map(number), ["0", "0.0123", "12.3", "1e-9"]);
/// ```
#[must_use]
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    // How large it is once it is rounded: 0.9999 is 1.
    let scientific = format!("{value:.2e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..6).contains(&exponent) {
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let places = usize::try_from(2 - exponent).unwrap_or_default();
    trimmed(&format!("{value:.places$}")).to_owned()
}

/// Digits without zeros at the end of a fraction.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// Units of length: metres per unit, the least length given in the unit, and its symbol; the smallest last.
const LENGTHS: [(f64, f64, &str); 4] =
    [(1.0, 1.0, "m"), (1e-2, 1e-2, "cm"), (1e-3, 1e-5, "mm"), (1e-6, 0.0, "µm")];

/// A length in a suitable unit, with three significant digits and at most three places: `1.2 m`, `3 cm`,
/// `0.096 mm`, `4.57 µm`.
///
/// ```
/// use dopesheet_core::words::length;
///
/// assert_eq!([1e-4, 9.575e-5, 0.03, 4.5678e-6].map(length), ["0.1 mm", "0.096 mm", "3 cm", "4.57 µm"]);
/// ```
#[must_use]
pub fn length(metres: f64) -> String {
    if metres == 0.0 || !metres.is_finite() {
        return format!("{} m", number(metres));
    }
    let fits = |(_, least, _): &&(f64, f64, &str)| metres.abs() >= *least;
    let &(size, _, symbol) = LENGTHS.iter().find(fits).unwrap_or(&LENGTHS[3]);
    let units = metres / size;
    let places = (units * 1e3).round() / 1e3;
    format!("{} {symbol}", number(if places == 0.0 { units } else { places }))
}

/// An angle in degrees: `0.01°`.
#[must_use]
pub fn angle(radians: f64) -> String {
    format!("{}°", number(radians.to_degrees()))
}

/// A time to a thousandth of a second: `1.250 s`.
#[must_use]
pub fn time(time: Seconds) -> String {
    format!("{:.3} s", time.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::ErrorUnit;
    use std::f64::consts::PI;

    #[test]
    fn numbers_have_three_digits_in_a_unit_that_suits_them() {
        for (value, unit, text) in [
            (1e-4, ErrorUnit::Metre, "0.1 mm"),
            (9.575e-5, ErrorUnit::Metre, "0.096 mm"),
            (1.746e-4, ErrorUnit::Metre, "0.175 mm"),
            (0.03, ErrorUnit::Metre, "3 cm"),
            (0.1743, ErrorUnit::Metre, "17.4 cm"),
            (4.5678e-6, ErrorUnit::Metre, "4.57 µm"),
            (1e-12, ErrorUnit::Metre, "1e-6 µm"),
            (12.3456, ErrorUnit::Metre, "12.3 m"),
            (0.0, ErrorUnit::Metre, "0 m"),
            (f64::INFINITY, ErrorUnit::Metre, "inf m"),
            (PI, ErrorUnit::Radian, "180°"),
            (2e-5, ErrorUnit::Radian, "0.00115°"),
            (1e-9, ErrorUnit::One, "1e-9"),
            (0.99999, ErrorUnit::One, "1"),
            (999_999.0, ErrorUnit::One, "1e6"),
            (123_456.0, ErrorUnit::One, "123456"),
            (-0.5, ErrorUnit::One, "-0.5"),
            (0.0, ErrorUnit::One, "0"),
        ] {
            assert_eq!(unit.in_words(value), text);
        }
        assert_eq!(time(Seconds(1.25)), "1.250 s");
    }

    #[test]
    fn one_of_a_thing_is_singular_and_everything_else_plural() {
        for (count, noun, text) in [
            (1, "channel", "1 channel"),
            (0, "channel", "0 channels"),
            (2, "morph key", "2 morph keys"),
            (1, "body", "1 body"),
            (3, "body", "3 bodies"),
            (2, "box", "2 boxes"),
            (2, "skinned mesh", "2 skinned meshes"),
            (2, "way", "2 ways"),
            (1_234_567, "row", "1,234,567 rows"),
        ] {
            assert_eq!(counted(count, noun), text);
        }
        assert_eq!([0, 1, 2].map(|n| agreeing(n, "is", "are")), ["are", "is", "are"]);
    }
}
