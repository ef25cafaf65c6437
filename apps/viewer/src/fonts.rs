//! Japanese letters. The font is large, and loaded when the first letter is needed.

/// True for a text with letters that only a Japanese font has.
pub(crate) fn is_japanese(text: &str) -> bool {
    text.chars()
        .any(|c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_is_told_from_what_every_font_has() {
        assert!(["センター", "左腕", "ＩＫ", "abc、"].into_iter().all(is_japanese));
        assert!(!["walk.vmd", "Überblendung – 12 µm", "▸ ×", ""].into_iter().any(is_japanese));
    }
}
