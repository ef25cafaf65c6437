//! Sizes of memory as people write them.

use std::str::FromStr;

/// A number of bytes above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

/// Units and their bytes; those in powers of two as programs of the system write them.
const UNITS: [(&str, u64); 8] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("b", 1),
    ("", 1),
];

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.trim().to_ascii_lowercase();
        let size = UNITS.iter().find_map(|(unit, bytes)| {
            let number: u64 = lower.strip_suffix(unit)?.trim_end().parse().ok()?;
            number.checked_mul(*bytes).filter(|size| *size > 0)
        });
        size.map(Self).ok_or_else(|| format!("expected a size as in 64MB, 2GB or 1000000, found {text:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_number_and_a_unit() {
        let of = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!(of("64MB"), Ok(64_000_000));
        assert_eq!(of("2 GiB"), Ok(2 << 30));
        assert_eq!(of("1000"), Ok(1000));
        assert_eq!(of("7b"), Ok(7));
        for wrong in ["", "MB", "0", "-1", "1.5GB", "9999999999999999999GB", "1TB"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
