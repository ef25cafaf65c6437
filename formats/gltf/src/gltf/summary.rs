//! Description of a document in words.

use super::document::Document;
use dopesheet_core::format::Summary;

/// Description of a document in either container.
pub(crate) fn summary(document: &Document) -> Summary {
    let parts = &document.parts;
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    facts.extend(parts.asset.generator.clone().map(|generator| ("generator", generator)));
    facts.extend(parts.asset.copyright.clone().map(|copyright| ("copyright", copyright)));
    for (name, count) in [
        ("nodes", parts.nodes.len()),
        ("meshes", parts.meshes.len()),
        ("skins", parts.skins.len()),
        ("cameras", parts.cameras.len()),
        ("lights", parts.lights.len()),
        ("animations", parts.animations.len()),
        ("accessors", parts.accessors.len()),
    ] {
        facts.push((name, count.to_string()));
    }
    for (name, extensions) in
        [("extensions used", &parts.extensions_used), ("extensions required", &parts.extensions_required)]
    {
        if !extensions.is_empty() {
            facts.push((name, extensions.join(", ")));
        }
    }
    Summary { version: Some(parts.asset.version.clone()), variant: None, facts }
}
