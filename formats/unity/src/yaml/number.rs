//! Numbers as Unity spells them.

use dopesheet_core::bytes::decimal;

/// A number as f32; `Infinity`, `-Infinity` and `NaN` are Unity's own words, `.inf` and `.nan` the words of
/// YAML.
///
/// A number beyond f32 is infinite.
pub(crate) fn number(text: &str) -> Option<f32> {
    let negative = text.starts_with('-');
    match text.strip_prefix(['-', '+']).unwrap_or(text) {
        "Infinity" | "infinity" | "inf" | ".inf" | ".Inf" | ".INF" => {
            return Some(if negative { f32::NEG_INFINITY } else { f32::INFINITY });
        }
        "NaN" | "nan" | ".nan" | ".NaN" | ".NAN" => return Some(f32::NAN),
        _ => {}
    }
    let (_, length) = decimal(text.as_bytes())?;
    // The standard library rounds once, from the text to f32.
    if length == text.len() { text.parse().ok() } else { None }
}

/// A whole number.
pub(crate) fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unity_spells_what_is_not_finite_in_words() {
        assert_eq!(number("Infinity"), Some(f32::INFINITY));
        assert_eq!(number("-Infinity"), Some(f32::NEG_INFINITY));
        assert!(number("NaN").is_some_and(f32::is_nan));
        assert_eq!(number("1e999"), Some(f32::INFINITY));
    }

    #[test]
    fn digits_are_rounded_once() {
        assert_eq!(number("0.33333334"), Some(1.0 / 3.0));
        assert_eq!(number("1e-7"), Some(1e-7));
        // Just above the middle of two f32: rounding to f64 first would lose what makes it so.
        assert_eq!(number("1.00000005960464477540"), Some(1.0 + f32::EPSILON));
        for text in ["", "abc", "1x", "1 2", "0x3f800000", "--1"] {
            assert_eq!(number(text), None, "{text:?}");
        }
    }
}
