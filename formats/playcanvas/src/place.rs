//! Places of faults in a file, in the words of the format.

use dopesheet_core::bytes::json::{JsonCodes, JsonCursor};
use dopesheet_core::diag::{Code, Fault, Place, Report};

/// The fault with its path in words: `node 3 "PB Pelvis", key 2, r[1]`. Its previous path is the name of the
/// node.
pub(crate) fn in_words(mut fault: Fault) -> Fault {
    if let Place::Text { pointer, .. } = &fault.place {
        fault.path = words(pointer, &fault.path);
    }
    fault
}

/// A member of a file.
pub(crate) struct Member<'a> {
    pub(crate) pointer: String,
    /// Name of its node; may be empty.
    pub(crate) name: &'a str,
}

/// Warnings of checks by code: the first place of each, and the number of further places.
pub(crate) struct Warnings<'a> {
    text: &'a str,
    list: Vec<(Fault, usize)>,
}

impl<'a> Warnings<'a> {
    pub(crate) const fn of(text: &'a str) -> Self {
        Self { text, list: Vec::new() }
    }

    /// Adds a place, at a byte of the text.
    pub(crate) fn add<'m>(
        &mut self,
        code: Code,
        at: usize,
        member: impl FnOnce() -> Member<'m>,
        expected: &'static str,
        found: impl FnOnce() -> String,
    ) {
        if let Some((_, more)) = self.list.iter_mut().rev().find(|(fault, _)| fault.code == code) {
            *more += 1;
            return;
        }
        let (member, cursor) = (member(), JsonCursor::from_text(self.text, JsonCodes { syntax: code }));
        let mut fault = *cursor.fault_at(at, code, expected, found());
        fault.path = words(&member.pointer, member.name);
        if let Place::Text { pointer: empty, .. } = &mut fault.place {
            *empty = member.pointer;
        }
        self.list.push((fault, 0));
    }

    pub(crate) fn report(self, report: &mut Report) {
        for (mut fault, more) in self.list {
            if more > 0 {
                fault.found = format!("{} ({more} more like it)", fault.found).into();
            }
            report.warn(fault);
        }
    }
}

/// The pointer in words. Members without a meaning of their own (`animation`, `model`) are left out.
fn words(pointer: &str, name: &str) -> String {
    let mut out = String::new();
    let mut tokens = pointer.split('/').skip(1).map(|t| t.replace("~1", "/").replace("~0", "~")).peekable();
    while let Some(token) = tokens.next() {
        if out.is_empty() && matches!(token.as_str(), "animation" | "model") {
            continue;
        }
        let index = tokens.next_if(|next| next.bytes().all(|b| b.is_ascii_digit()));
        match (singular(&token), index) {
            (Some(noun), Some(index)) => {
                push(&mut out, &format!("{noun} {index}"));
                if noun == "node" && !name.is_empty() {
                    out.push_str(&format!(" \"{name}\""));
                }
            }
            (None, Some(index)) => push(&mut out, &format!("{token}[{index}]")),
            (_, None) => push(&mut out, &token),
        }
    }
    out
}

fn push(out: &mut String, words: &str) {
    if !out.is_empty() {
        out.push_str(", ");
    }
    out.push_str(words);
}

/// The singular for the items of a list.
fn singular(list: &str) -> Option<&'static str> {
    Some(match list {
        "nodes" => "node",
        "keys" => "key",
        "skins" => "skin",
        "meshes" => "mesh",
        "meshInstances" => "mesh instance",
        "morphs" => "morph",
        "targets" => "target",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn pointers_read_as_words() {
        assert_eq!(words("/animation/nodes/3/keys/2/r/1", "PB Pelvis"), "node 3 \"PB Pelvis\", key 2, r[1]");
        assert_eq!(words("/animation/duration", ""), "duration");
        assert_eq!(words("/model/skins/0/boneNames/4", ""), "skin 0, boneNames[4]");
        assert_eq!(words("", "x"), "");
    }
}
