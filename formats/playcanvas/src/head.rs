//! The kind of a file, from its first bytes.

use crate::comments::blanked;
use dopesheet_core::bytes::json::{JsonCodes, JsonCursor};

/// Kind of a JSON file's root, as far as its first bytes show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// Neither an object nor a text that could be a damaged object.
    NotJson,
    /// JSON, or the start of JSON, without a distinctive member.
    Unknown,
    /// A member `animation`.
    Animation,
    /// A member `model` with meshes or several nodes, or with so much content that its end is not in sight.
    Model,
    /// A member `model` with nothing but a root node.
    EmptyModel,
    /// An anim clip or an anim state graph, which are not read but known by name.
    Relative,
    /// glTF.
    Gltf,
}

const CODES: JsonCodes = JsonCodes { syntax: "head" };

/// Looks at the root's members in order, without judging their contents.
pub(crate) fn look(head: &[u8]) -> Head {
    let sound = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let may_be_commented =
        |kind: &Head| *kind == Head::Unknown || (*kind == Head::NotJson && sound.starts_with('/'));
    let kind = look_at(sound);
    let plain = Some(kind).filter(may_be_commented).and_then(|_| blanked(sound));
    plain.map_or(kind, |(_, plain)| look_at(&plain))
}

/// As [`look`], in a text without comments.
fn look_at(text: &str) -> Head {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    match text.as_bytes().first() {
        None | Some(b'[') => return Head::Unknown,
        Some(b'{') => {}
        Some(_) => return Head::NotJson,
    }
    let mut seen = Head::Unknown;
    let mut cursor = JsonCursor::from_text(text, CODES);
    // A fault only means that the head ends here; what was seen before stands.
    let _ = cursor.object(|cursor, name| {
        let kind = match name {
            "animation" => Head::Animation,
            "model" => Head::Model,
            "asset" => Head::Gltf,
            "curves" | "inputs" | "outputs" | "layers" | "parameters" => Head::Relative,
            _ => Head::Unknown,
        };
        if seen == Head::Unknown || kind == Head::Animation {
            seen = kind;
        }
        if kind == Head::Model && !holds_something(cursor.clone()) {
            seen = Head::EmptyModel;
        }
        cursor.skip().map(drop)
    });
    seen
}

/// True if the model at the cursor has mesh instances or nodes besides its root, or does not end within the
/// head.
fn holds_something(mut cursor: JsonCursor<'_>) -> bool {
    let (mut instances, mut nodes) = (0usize, 0usize);
    let whole = cursor.object(|cursor, name| {
        let count = match name {
            "meshInstances" => &mut instances,
            "nodes" => &mut nodes,
            _ => return cursor.skip().map(drop),
        };
        cursor.array(|cursor, _| {
            *count += 1;
            cursor.skip().map(drop)
        })
    });
    instances > 0 || nodes > 1 || whole.is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_member_tells_wherever_it_stands() {
        assert_eq!(look(b"\xef\xbb\xbf \n{\"animation\":{\"ver"), Head::Animation);
        assert_eq!(look(b"{\"generator\":{\"a\":[1]},\"animation\":{}}"), Head::Animation);
        assert_eq!(look(b"{\"model\":{\"version\":3,\"nodes\":["), Head::Model);
        assert_eq!(look(b"{\"model\":{\"meshInstances\":[{}]}}"), Head::Model);
        assert_eq!(look(b"{\"model\":{\"meshInstances\":[]}}"), Head::EmptyModel);
        assert_eq!(look(b"{\"asset\":{},\"animations\":[]}"), Head::Gltf);
        assert_eq!(look(b"{\"inputs\":[],\"outputs\":[],\"curves\":[]}"), Head::Relative);
        assert_eq!(look(b"{\"layers\":[]"), Head::Relative);
        assert_eq!(look(b"// a walk\n{ // of a\n\"animation\":{"), Head::Animation);
    }

    #[test]
    fn other_bytes_are_told_from_json() {
        assert_eq!(look(b"Vocaloid Motion Data"), Head::NotJson);
        assert_eq!(look(b"glTF\x02\0\0\0"), Head::NotJson);
        assert_eq!(look(b""), Head::Unknown);
        assert_eq!(look(b"{\"name\":\"package\"}"), Head::Unknown);
        assert_eq!(look(b"{\"animation\":{\"name\":\"\xff"), Head::Animation);
    }
}
