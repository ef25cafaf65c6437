//! Comments in the text (`// …`, `/* … */`), which JSON does not have and people write all the same.

use dopesheet_core::bytes::text::is_line_end;

/// The text with spaces for all comments, byte for byte, and the start of the first; `None` without comments.
pub(crate) fn blanked(text: &str) -> Option<(usize, String)> {
    let mut blank = text.as_bytes().to_vec();
    let (mut at, mut first, mut is_in_string) = (0, None, false);
    while let Some(rest @ [byte, ..]) = text.as_bytes().get(at..) {
        let comment = length(rest).filter(|_| !is_in_string);
        if let Some(stretch) = comment.and_then(|length| blank.get_mut(at..at + length)) {
            first.get_or_insert(at);
            // Lines keep their numbers.
            stretch.iter_mut().filter(|byte| !is_line_end(**byte)).for_each(|byte| *byte = b' ');
        }
        is_in_string ^= *byte == b'"';
        at += comment.unwrap_or(if is_in_string && *byte == b'\\' { 2 } else { 1 });
    }
    Some((first?, String::from_utf8(blank).ok()?))
}

/// Length of the comment at the start of a text.
fn length(text: &[u8]) -> Option<usize> {
    match text {
        [b'/', b'/', ..] => Some(text.iter().position(|byte| is_line_end(*byte)).unwrap_or(text.len())),
        [b'/', b'*', inside @ ..] => inside.windows(2).position(|pair| pair == b"*/").map(|end| end + 4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_spaces_and_texts_stay() {
        let blank = |text: &str| blanked(text).map(|(_, blank)| blank);
        assert_eq!(blank("[1, // one é\n2 /* a\nb */]").as_deref(), Some("[1,          \n2     \n    ]"));
        assert_eq!(blank(r#"{"a // b": "\"/* c */"}"#), None);
        assert_eq!(blank("[1] /* open").as_deref(), None);
        assert_eq!(blanked("\"\\\\\" //").map(|(first, _)| first), Some(5));
    }
}
