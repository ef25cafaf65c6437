//! Kinds of pictures, by their first bytes.

/// First bytes of the kinds of pictures allowed by glTF without extensions, and their media types.
const KINDS: [(&[u8], &str); 2] = [(b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg")];

/// The media type of a PNG or JPEG; `None` for other bytes.
pub(super) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    KINDS.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, media_type)| media_type)
}
