//! Numbers and references as Unity writes them.

use super::document::ObjectReference;

/// A number in Unity's spelling: the shortest digits that are read back as the same f32, without a point if
/// none is needed.
pub(super) fn spelled(number: f32) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format_finite(number);
    match digits.split_once('e') {
        // Some readers of YAML take a number with an exponent for one only with a point and a sign.
        Some((digits, exponent)) => {
            let point = if digits.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
            format!("{digits}{point}e{sign}{exponent}")
        }
        None => digits.strip_suffix(".0").unwrap_or(digits).to_owned(),
    }
}

/// A reference in Unity's spelling.
pub(super) fn written_reference(reference: &ObjectReference) -> String {
    let mut text = format!("{{fileID: {}", reference.file_id);
    if let Some(guid) = &reference.guid {
        text += &format!(", guid: {guid}");
    }
    if let Some(kind) = reference.kind {
        text += &format!(", type: {kind}");
    }
    text + "}"
}
