//! Scalars: plain, in single and in double quotes; how they are decoded and spelled.

use dopesheet_core::bytes::text::Span;
use std::borrow::Cow;

/// A value that is neither a list nor a map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scalar<'a> {
    /// Span of the scalar, quotation marks included; empty for a missing value.
    pub(crate) span: Span,
    /// Value of the scalar.
    pub(crate) text: Cow<'a, str>,
}

/// A plain scalar over several lines: breaks with the blanks around them are one blank, an empty line is a break.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) { Cow::Owned(folded(text)) } else { Cow::Borrowed(text) }
}

/// Text between single quotes.
pub(super) fn single(text: &str) -> Cow<'_, str> {
    let text = plain(text);
    if text.contains("''") { Cow::Owned(text.replace("''", "'")) } else { text }
}

fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut breaks = 0usize;
    for (index, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
        let line =
            if index == 0 { line.trim_end_matches([' ', '\t']) } else { line.trim_matches([' ', '\t']) };
        if index > 0 {
            breaks = breaks.saturating_add(1);
        }
        if line.is_empty() && index > 0 {
            continue;
        }
        push_breaks(&mut out, breaks);
        breaks = 0;
        out.push_str(line);
    }
    push_breaks(&mut out, breaks);
    out
}

fn push_breaks(out: &mut String, breaks: usize) {
    match breaks {
        0 => {}
        1 => out.push(' '),
        _ => (1..breaks).for_each(|_| out.push('\n')),
    }
}

/// Text between double quotes; `None` for an escape unknown to YAML.
///
/// Halves of surrogate pairs are put together; a single half is U+FFFD.
pub(super) fn double(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['\\', '\n', '\r']) {
        return Some(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut high: Option<u32> = None;
    while let Some(at) = rest.find(['\\', '\n', '\r']) {
        let (before, behind) = rest.split_at_checked(at)?;
        out.push_str(before);
        if !behind.starts_with('\\') {
            let (breaks, next) = line_breaks(behind);
            out.truncate(out.trim_end_matches([' ', '\t']).len());
            push_breaks(&mut out, breaks);
            rest = next;
            continue;
        }
        let (code, next) = escape(behind.get(1..)?)?;
        rest = next;
        let Some(code) = code else { continue };
        match (high.take(), code) {
            (Some(first), 0xdc00..=0xdfff) => {
                let pair =
                    first.wrapping_sub(0xd800).wrapping_shl(10).wrapping_add(code.wrapping_sub(0xdc00));
                out.pop();
                out.extend(char::from_u32(pair.wrapping_add(0x1_0000)));
            }
            (_, 0xd800..=0xdbff) => {
                out.push(char::REPLACEMENT_CHARACTER);
                // Only the half right behind it belongs to it.
                high = rest.starts_with("\\u").then_some(code);
            }
            _ => out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
        }
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

/// Number of line breaks at the start of a text, and the rest behind them and the blanks around them.
fn line_breaks(text: &str) -> (usize, &str) {
    let mut rest = text;
    let mut breaks = 0usize;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t']);
        let next = trimmed.strip_prefix("\r\n").or_else(|| trimmed.strip_prefix(['\n', '\r']));
        match next {
            Some(next) => {
                breaks = breaks.saturating_add(1);
                rest = next;
            }
            None => return (breaks, trimmed),
        }
    }
}

/// The character of an escape (none for an escaped line break), and the text behind the escape.
fn escape(text: &str) -> Option<(Option<u32>, &str)> {
    let sign = text.chars().next()?;
    let rest = text.get(sign.len_utf8()..)?;
    let hex = |digits: usize| {
        let code = u32::from_str_radix(rest.get(..digits).filter(|d| !d.starts_with('+'))?, 16).ok()?;
        Some((Some(code), rest.get(digits..)?))
    };
    let one = |c: char| Some((Some(u32::from(c)), rest));
    match sign {
        'x' => hex(2),
        'u' => hex(4),
        'U' => hex(8),
        '0' => one('\0'),
        'a' => one('\u{7}'),
        'b' => one('\u{8}'),
        't' | '\t' => one('\t'),
        'n' => one('\n'),
        'v' => one('\u{b}'),
        'f' => one('\u{c}'),
        'r' => one('\r'),
        'e' => one('\u{1b}'),
        ' ' | '"' | '/' | '\\' => one(sign),
        'N' => one('\u{85}'),
        '_' => one('\u{a0}'),
        'L' => one('\u{2028}'),
        'P' => one('\u{2029}'),
        '\n' | '\r' => {
            let behind = if sign == '\r' { rest.strip_prefix('\n').unwrap_or(rest) } else { rest };
            Some((None, behind.trim_start_matches([' ', '\t'])))
        }
        _ => None,
    }
}

/// A text in Unity's spelling: plain if every YAML reader takes it for the same text, else in double quotes,
/// with all characters beyond ASCII as `\u`.
pub(crate) fn quoted_if_needed(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            _ => match u32::from(c) {
                code @ 0..=0xff => out.push_str(&format!("\\x{code:02X}")),
                code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04X}")),
                code => out.push_str(&format!("\\U{code:08X}")),
            },
        }
    }
    out.push('"');
    Cow::Owned(out)
}

/// True if a text means itself without quotation marks, in a block and in a flow map.
fn is_plain(text: &str) -> bool {
    let starts_plainly = match text.bytes().next() {
        None => return true,
        Some(first) => first.is_ascii_alphabetic() || first == b'_' || first == b'/',
    };
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b" _-./()+=<>".contains(&b);
    let inside = text.bytes().all(is_word) && !text.ends_with(' ') && !text.contains("  ");
    // Words that other readers of YAML take for something else than text.
    let lower = text.to_ascii_lowercase();
    let means_more = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "infinity", "nan", "inf"];
    starts_plainly && inside && !means_more.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_folded() {
        assert_eq!(plain("a b"), "a b");
        assert_eq!(plain("Armature/Left\n        Hand/Tip"), "Armature/Left Hand/Tip");
        assert_eq!(plain("a\r\n  b\r\n\r\n  c"), "a b\nc");
        assert_eq!(single("it''s\n  so"), "it's so");
    }

    #[test]
    fn escapes_are_decoded() {
        let texts = [
            ("blendShape.\\u307E\\u3070\\u305F\\u304D", Some("blendShape.まばたき")),
            ("\\xE4\\\"\\\\\\t", Some("ä\"\\\t")),
            ("\\U0001F600 \\uD83D\\uDE00", Some("😀 😀")),
            ("\\uD83Dx\\uDE00", Some("\u{fffd}x\u{fffd}")),
            ("a  \n   b", Some("a b")),
            ("a\\\n   \\ b", Some("a b")),
            ("\\q", None),
            ("\\u12", None),
            ("\\", None),
        ];
        for (text, expected) in texts {
            assert_eq!(double(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_spelled_is_what_is_read() {
        for text in [
            "",
            "Armature/Hips",
            "まばたき",
            "a: b",
            "- a",
            "12",
            "no",
            "Infinity",
            "a #b",
            "x\ny",
            "😀",
            " a",
            "a,b",
        ] {
            let spelled = quoted_if_needed(text);
            let read = match spelled.strip_prefix('"') {
                Some(rest) => double(rest.strip_suffix('"').unwrap()).unwrap(),
                None => plain(&spelled),
            };
            assert_eq!(read, text);
        }
        assert_eq!(quoted_if_needed("まば"), "\"\\u307E\\u3070\"");
        assert_eq!(quoted_if_needed("Left Hand"), "Left Hand");
    }
}
