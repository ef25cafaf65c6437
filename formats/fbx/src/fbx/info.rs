//! Description of the format: names, extensions, capabilities.

use super::codes;
use super::document::{Document, Take};
use dopesheet_core::format::{Capabilities, Confidence, FormatInfo, Hint, Magic, Role, Summary};

pub(super) const ID: &str = "fbx";

/// First bytes of every binary file; the byte behind them tells the byte order.
pub(super) const BINARY: &[u8] = b"Kaydara FBX Binary  \0";

/// A word within the first lines of text files.
const TEXT: &[u8] = b"FBXHeaderExtension";

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Autodesk FBX",
    extensions: &["fbx"],
    magics: &[Magic { offset: 0, bytes: BINARY }],
    role: Role::Scene,
    specifications: &[
        "https://code.blender.org/2013/08/fbx-binary-file-format-specification/",
        "https://ufbx.github.io/",
    ],
    variants: &[],
    capabilities: Capabilities::READ_ONLY,
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], hint: &Hint) -> Confidence {
    let by_name = hint.is_one_of(INFO.extensions);
    let comment = head.trim_ascii_start().starts_with(b"; FBX");
    let has_word = head.windows(TEXT.len()).any(|window| window == TEXT);
    match (head.starts_with(BINARY) || (comment && has_word), by_name) {
        (true, _) => Confidence::Certain,
        (_, true) if comment || has_word => Confidence::Certain,
        (_, true) => Confidence::ByName,
        (_, false) if comment || has_word => Confidence::Plausible,
        (_, false) => Confidence::No,
    }
}

pub(super) fn summary(document: &Document) -> Summary {
    let (header, still) = (&document.header, &document.still);
    let unit = still.basis.metres_per_unit.map_or_else(String::new, |metres| format!("{metres} m"));
    let axes = format!(
        "up {}, front {}, left {}",
        still.basis.up.word(),
        still.basis.front.word(),
        still.basis.left.word()
    );
    let of_takes = |fact: &'static str, is_told: fn(&Take) -> bool, value: fn(&Take) -> String| {
        let values = document.takes.iter().map(value).collect::<Vec<_>>().join(", ");
        document.takes.iter().any(is_told).then_some((fact, values))
    };
    let mut facts = vec![
        ("encoding", header.encoding.to_owned()),
        ("creator", header.creator.clone()),
        ("axes", axes),
        ("unit", unit),
        ("frame rate", format!("{} fps", header.frames_per_second)),
        ("nodes", still.nodes.len().to_string()),
        ("meshes", still.meshes.len().to_string()),
        ("takes", document.takes.len().to_string()),
    ];
    facts.extend(of_takes(
        "takes begin at",
        |take| take.begin.0 != 0.0,
        |take| format!("{} s", take.begin.0),
    ));
    facts.extend(of_takes("layers", |take| take.layers.len() > 1, |take| take.layers.len().to_string()));
    Summary { version: Some(version(header.version)), variant: None, facts }
}

/// `7.4` for 7400, as people write versions.
pub(super) fn version(stated: u32) -> String {
    match stated % 1000 / 10 {
        minor if minor % 10 == 0 => format!("{}.{}", stated / 1000, minor / 10),
        minor => format!("{}.{minor:02}", stated / 1000),
    }
}
