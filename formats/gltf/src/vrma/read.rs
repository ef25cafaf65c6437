//! Bytes → document: a GLB, and the members of the extension.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::codes;
use super::document::{Document, Extension, LookAt};
use crate::gltf;
use crate::gltf::parts::Index;
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::{Fault, Report};
use serde_json::{Map, Value};

/// The extension's name.
pub(super) const EXTENSION: &str = "VRMC_vrm_animation";

/// The version assumed by players if none is stated.
pub(super) const VERSION: &str = "1.0";

/// Content of the extension of a GLB.
pub(super) fn document(glb: gltf::Document) -> Read<Document> {
    let extension = gltf::root_extension(&glb, EXTENSION);
    let extension = extension.as_ref().map(|value| Reader { glb: &glb }.extension(value)).transpose()?;
    Ok(Document { glb, extension })
}

/// Reports a missing version.
pub(super) fn note_version(document: &Document, report: &mut Report) {
    if document.extension.as_ref().is_some_and(|extension| extension.spec_version.is_none()) {
        let (pointer, expected) = (pointer("/specVersion"), format!("{VERSION:?}"));
        let fault = document.glb.fault(&pointer, codes::VERSION.code, expected, "nothing");
        report.push(codes::VERSION.severity, fault);
    }
}

/// The pointer of a member of the extension.
pub(super) fn pointer(member: &str) -> String {
    format!("/extensions/{EXTENSION}{member}")
}

struct Reader<'a> {
    glb: &'a gltf::Document,
}

impl Reader<'_> {
    fn extension(&self, value: &Value) -> Read<Extension> {
        let all = self.object(value, "")?;
        let version = all.get("specVersion").map(|version| {
            version.as_str().map(str::to_owned).ok_or_else(|| self.fault("/specVersion", "a text"))
        });
        let mut extension = Extension { spec_version: version.transpose()?, ..Extension::default() };
        if let Some(humanoid) = all.get("humanoid") {
            let bones = self.object(humanoid, "/humanoid")?.get("humanBones");
            let bones = bones.ok_or_else(|| self.fault("/humanoid/humanBones", "an object"))?;
            extension.bones = self.nodes(bones, "/humanoid/humanBones")?;
        }
        if let Some(expressions) = all.get("expressions") {
            let expressions = self.object(expressions, "/expressions")?;
            for (name, list) in [("preset", &mut extension.presets), ("custom", &mut extension.customs)] {
                if let Some(named) = expressions.get(name) {
                    *list = self.nodes(named, &format!("/expressions/{name}"))?;
                }
            }
        }
        extension.look_at = all.get("lookAt").map(|look_at| self.look_at(look_at)).transpose()?;
        let carrier = value.pointer("/extras/rootMotion");
        extension.root_motion =
            carrier.map(|carrier| self.node(carrier, "/extras/rootMotion")).transpose()?;
        Ok(extension)
    }

    fn look_at(&self, value: &Value) -> Read<LookAt> {
        let offset = self.object(value, "/lookAt")?.get("offsetFromHeadBone");
        let offset = offset.map(|offset| {
            let numbers: Option<Vec<f64>> = offset.as_array()?.iter().map(Value::as_f64).collect();
            <[f64; 3]>::try_from(numbers?).ok()
        });
        let offset = offset
            .map(|offset| offset.ok_or_else(|| self.fault("/lookAt/offsetFromHeadBone", "three numbers")));
        Ok(LookAt { node: self.node(value, "/lookAt")?, offset_from_head: offset.transpose()? })
    }

    /// Names and the nodes they refer to.
    fn nodes(&self, value: &Value, member: &str) -> Read<Vec<(String, Index)>> {
        let named = self.object(value, member)?.iter();
        named
            .map(|(name, value)| {
                let token = name.replace('~', "~0").replace('/', "~1");
                Ok((name.clone(), self.node(value, &format!("{member}/{token}"))?))
            })
            .collect()
    }

    /// The `node` of an object.
    fn node(&self, value: &Value, member: &str) -> Read<Index> {
        let stored = self.object(value, member)?.get("node").and_then(Value::as_u64);
        let count = self.glb.parts.nodes.len() as u64;
        let index = stored.filter(|index| *index < count).and_then(|index| Index::try_from(index).ok());
        index.ok_or_else(|| self.fault(&format!("{member}/node"), "the number of one of the nodes"))
    }

    fn object<'v>(&self, value: &'v Value, member: &str) -> Read<&'v Map<String, Value>> {
        value.as_object().ok_or_else(|| self.fault(member, "an object"))
    }

    fn fault(&self, member: &str, expected: &'static str) -> Box<Fault> {
        let extension = gltf::root_extension(self.glb, EXTENSION);
        let actual =
            extension.as_ref().and_then(|all| all.pointer(member)).map_or("nothing".into(), Value::to_string);
        Box::new(self.glb.fault(&pointer(member), codes::STRUCTURE.code, expected, actual))
    }
}
