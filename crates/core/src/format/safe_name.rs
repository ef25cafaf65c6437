//! Names that are never written to disk, whatever their source.

use std::fmt;

/// A name of an entry that must not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsafe {
    /// The name that is refused.
    pub name: String,
    /// Reason for the refusal, as a phrase.
    pub why: &'static str,
}

impl fmt::Display for Unsafe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\": {}", self.name.escape_debug(), self.why)
    }
}

/// Names that mean devices on Windows, whatever follows a dot.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Devices with a digit behind them; superscript digits count, too.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// The reason why a name must not be written as a file or folder, or `None` for a safe name.
///
/// Refused are names that are empty, `.` or `..`; names with a separator, a colon or a control character;
/// names that end in a dot or space, which Windows drops; and names of Windows' devices.
#[must_use]
pub fn unsafe_name(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let is = |device: &&str| stem.eq_ignore_ascii_case(device);
    let is_numbered = |device: &&str| {
        let digits = stem
            .get(device.len()..)
            .filter(|_| stem.get(..device.len()).is_some_and(|start| start.eq_ignore_ascii_case(device)));
        let mut digits = digits.unwrap_or_default().chars();
        let is_digit = |c: char| matches!(c, '0'..='9' | '¹' | '²' | '³');
        digits.next().is_some_and(is_digit) && digits.next().is_none()
    };
    match name {
        "" => Some("it is empty"),
        "." | ".." => Some("it means another folder"),
        _ if name.contains(['/', '\\']) => Some("it holds a separator of folders"),
        _ if name.contains(':') => Some("it holds a colon"),
        _ if name.contains(|c: char| u32::from(c) < 0x20 || c == '\u{7f}') => {
            Some("it holds a control character")
        }
        _ if name.ends_with(['.', ' ']) => Some("it ends in a dot or a space"),
        _ if DEVICES.iter().any(is) || NUMBERED_DEVICES.iter().any(is_numbered) => {
            Some("it is the name of a device on Windows")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in [
            "", ".", "..", "a/b", "a\\b", "C:", "a\0b", "a\n", "NUL", "nul.txt", "com1", "LPT9.x", "COM¹",
            "a.", "a ",
        ] {
            assert!(unsafe_name(name).is_some(), "{name:?}");
        }
        for name in ["ok.ubi", ".hidden", "...a", "console", "com", "COM10", "com1a", "nullable", "歩き"] {
            assert_eq!(unsafe_name(name), None, "{name:?}");
        }
    }
}
