//! The terms on which an avatar may be used, as its author states them in the file.
//!
//! Sources: VRM 1.0 (`VRMC_vrm`, `meta.md` and its schema, with the defaults of terms left out) and VRM 0.x
//! (`VRM`, schema of `meta`), both at <https://github.com/vrm-c/vrm-specification>.

use crate::gltf::{Document, root_extension};
use serde_json::Value;

/// The terms of an avatar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The version of VRM: `1.0`, or `0.x`.
    pub version: String,
    /// Name, authors and terms in the words of the file, with the defaults of VRM 1.0 for terms that the
    /// author left out.
    pub facts: Vec<(&'static str, String)>,
    /// Acts needed for a conversion of the model and prohibited by the terms, as phrases.
    pub prohibited: Vec<&'static str>,
}

/// A member of `meta`, and its default if absent; an empty text for members without a default.
type Member = (&'static str, &'static str);

const ONE: [Member; 16] = [
    ("name", ""),
    ("authors", ""),
    ("copyrightInformation", ""),
    ("licenseUrl", ""),
    ("modification", "prohibited"),
    ("allowRedistribution", "false"),
    ("avatarPermission", "onlyAuthor"),
    ("commercialUsage", "personalNonProfit"),
    ("creditNotation", "required"),
    ("allowExcessivelyViolentUsage", "false"),
    ("allowExcessivelySexualUsage", "false"),
    ("allowPoliticalOrReligiousUsage", "false"),
    ("allowAntisocialOrHateUsage", "false"),
    ("otherLicenseUrl", ""),
    ("thirdPartyLicenses", ""),
    ("contactInformation", ""),
];

const ZERO: [Member; 10] = [
    ("title", ""),
    ("author", ""),
    ("licenseName", ""),
    ("allowedUserName", ""),
    ("violentUssageName", ""),
    ("sexualUssageName", ""),
    ("commercialUssageName", ""),
    ("otherPermissionUrl", ""),
    ("otherLicenseUrl", ""),
    ("contactInformation", ""),
];

impl Terms {
    /// The terms in a document; `None` if the document is no avatar.
    #[must_use]
    pub fn of(document: &Document) -> Option<Self> {
        if let Some(model) = root_extension(document, "VRMC_vrm") {
            let version = model.get("specVersion").and_then(Value::as_str).unwrap_or("1.0");
            let meta = model.get("meta");
            let modification = value(meta, "modification");
            let prohibited = [
                ("modification", !matches!(modification.as_deref(), Some(m) if m.starts_with("allow"))),
                ("redistribution", value(meta, "allowRedistribution").as_deref() != Some("true")),
                ("redistribution of a modified model", modification.as_deref() == Some("allowModification")),
            ];
            return Some(Self::new(version.to_owned(), meta, &ONE, &prohibited));
        }
        let model = root_extension(document, "VRM")?;
        let meta = model.get("meta");
        let licence = value(meta, "licenseName").unwrap_or_default();
        let prohibited = [
            ("modification", licence.contains("_ND")),
            ("redistribution", licence.replace(' ', "_") == "Redistribution_Prohibited"),
        ];
        Some(Self::new("0.x".into(), meta, &ZERO, &prohibited))
    }

    fn new(
        version: String,
        meta: Option<&Value>,
        members: &[Member],
        prohibited: &[(&'static str, bool)],
    ) -> Self {
        let fact = |(name, default): &Member| match (value(meta, name), *default) {
            (Some(stated), _) => Some((*name, stated)),
            (None, "") => None,
            (None, default) => Some((*name, format!("{default} (not said)"))),
        };
        let facts = members.iter().filter_map(fact).collect();
        let prohibited = prohibited.iter().filter(|(_, is)| *is).map(|(what, _)| *what).collect();
        Self { version, facts, prohibited }
    }

    /// The file's name for the avatar; empty if the file states none.
    #[must_use]
    pub fn name(&self) -> &str {
        let is_name = |name: &str| matches!(name, "name" | "title");
        self.facts.iter().find(|(name, _)| is_name(name)).map_or("", |(_, name)| name)
    }
}

/// A member in words; `None` if absent or empty.
fn value(meta: Option<&Value>, name: &str) -> Option<String> {
    let text = match meta?.get(name)? {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        Value::Null => return None,
        other => other.to_string(),
    };
    Some(text).filter(|text| !text.is_empty())
}
