//! URIs: files beside the main file, and data in the text itself.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Padding may be missing and the last bits may be anything: both occur in the wild.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Start of a data URI of ours.
pub(crate) const DATA_PREFIX: &str = "data:application/octet-stream;base64,";

/// True if a URI holds its data itself.
pub(crate) fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The bytes as a data URI.
pub(crate) fn data_uri(bytes: &[u8]) -> String {
    let mut uri = String::from(DATA_PREFIX);
    base64::engine::general_purpose::STANDARD.encode_string(bytes, &mut uri);
    uri
}

/// The bytes in a data URI of any media type; `None` if decoding fails. White space in base64 is ignored.
pub(crate) fn decode_data(uri: &str) -> Option<Vec<u8>> {
    let (head, data) = uri.split_once(',')?;
    if !head.rsplit(';').next().is_some_and(|word| word.eq_ignore_ascii_case("base64")) {
        return percent_decode(data);
    }
    if data.bytes().any(|b| b.is_ascii_whitespace() || b == b'%') {
        let clean: Vec<u8> = percent_decode(data)?.into_iter().filter(|b| !b.is_ascii_whitespace()).collect();
        return LENIENT.decode(clean).ok();
    }
    LENIENT.decode(data).ok()
}

/// The kind of picture stated by a data URI; `None` if no kind is stated.
pub(crate) fn media_type(uri: &str) -> Option<&str> {
    let stated = uri.get(5..)?.split([';', ',']).next()?;
    let is_token = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let subtype = stated.strip_prefix("image/")?;
    (!subtype.is_empty() && subtype.chars().all(is_token)).then_some(stated)
}

/// The name of the file that a relative URI refers to, with forward slashes; `None` if the URI has a scheme,
/// is absolute, climbs out of the folder or is not UTF-8 after decoding.
pub(crate) fn file_name(uri: &str) -> Option<String> {
    let name = String::from_utf8(percent_decode(uri)?).ok()?;
    let has_scheme = name.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme || name.starts_with(['/', '\\']) || name.contains('\0') {
        return None;
    }
    let steps: Vec<&str> = name.split(['/', '\\']).filter(|step| !matches!(*step, "" | ".")).collect();
    let climbs = steps.contains(&"..");
    (!climbs && !steps.is_empty()).then(|| steps.join("/"))
}

/// A file name as a relative URI.
pub(crate) fn from_file_name(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

fn percent_decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        out.push(u8::try_from(high << 4 | low).ok()?);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_inside_the_folder_are_named() {
        for (uri, name) in [
            ("walk.bin", Some("walk.bin")),
            ("data/%C3%A9%20a.bin", Some("data/é a.bin")),
            ("./walk.bin", Some("walk.bin")),
            ("../walk.bin", None),
            ("a/..%2f../etc/passwd", None),
            ("a\\..\\b", None),
            ("/etc/passwd", None),
            ("\\\\server\\x", None),
            ("C:\\x.bin", None),
            ("file:///x.bin", None),
            ("http://example.org/x.bin", None),
            ("a%00.bin", None),
            ("a%2", None),
            ("a%ff.bin", None),
            ("", None),
        ] {
            assert_eq!(file_name(uri).as_deref(), name, "{uri}");
        }
    }

    #[test]
    fn data_uris_of_every_habit_are_decoded() {
        for uri in [
            "data:application/octet-stream;base64,AQID/w==",
            "data:application/gltf-buffer;base64,AQID/w",
            "DATA:;charset=x;BASE64,AQ\nID/w==",
            "data:,%01%02%03%FF",
            "data:application/octet-stream;base64,AQID%2Fw==",
        ] {
            assert_eq!(decode_data(uri), Some(vec![1, 2, 3, 255]), "{uri}");
        }
        assert_eq!(decode_data("data:;base64,A*=="), None);
        assert_eq!(decode_data("data:;base64"), None);
        assert_eq!(decode_data(&data_uri(&[1, 2, 3, 255])), Some(vec![1, 2, 3, 255]));
    }

    #[test]
    fn file_names_survive_as_uris() {
        assert_eq!(from_file_name("é a#?.bin"), "%C3%A9%20a%23%3F.bin");
        assert_eq!(file_name(&from_file_name("é a#?.bin")).as_deref(), Some("é a#?.bin"));
    }
}
