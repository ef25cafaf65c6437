//! The figure of a VRM model: the nodes of its bones, and the morphs of its expressions.
//!
//! Sources: VRM 1.0 (`VRMC_vrm`, `humanoid.md` and `expressions.md`) and VRM 0.x (`VRM`, its JSON schemas), both at
//! <https://github.com/vrm-c/vrm-specification>.

use super::super::document::Document;
use super::nodes::SceneNodes;
use crate::gltf::edited::extension::root_extension;
use crate::gltf::json::parts::Index;
use dopesheet_core::model::{Expression, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order;
use serde_json::Value;

/// The figure of a model in either version of VRM.
pub(super) fn humanoid(document: &Document, places: &SceneNodes, scene: &Scene) -> Option<Humanoid> {
    let reader = Reader { document, places, scene };
    match root_extension(document, "VRMC_vrm") {
        Some(model) => reader.vrm_1(&model),
        None => reader.vrm_0(&root_extension(document, "VRM")?),
    }
}

struct Reader<'a> {
    document: &'a Document,
    places: &'a SceneNodes,
    scene: &'a Scene,
}

impl Reader<'_> {
    /// VRM 1.0.
    fn vrm_1(&self, model: &Value) -> Option<Humanoid> {
        let bones = model.pointer("/humanoid/humanBones")?.as_object()?.iter();
        let bones = bones.filter_map(|(word, bone)| Some((HumanBone::from_word(word)?, self.node(bone)?)));
        let kinds = ["preset", "custom"].into_iter();
        let named =
            kinds.filter_map(|kind| model.pointer(&format!("/expressions/{kind}"))?.as_object()).flatten();
        let expressions = named.map(|(name, expression)| Expression {
            name: name.clone(),
            morphs: list(expression.get("morphTargetBinds")).filter_map(|bind| self.bind(bind)).collect(),
        });
        let mut humanoid = figure(order::map(bones));
        humanoid.expressions = expressions.collect();
        Some(humanoid)
    }

    /// VRM 0.x.
    fn vrm_0(&self, model: &Value) -> Option<Humanoid> {
        let bones = list(model.pointer("/humanoid/humanBones"));
        let bones = bones.filter_map(|bone| Some((old_bone(bone.get("bone")?.as_str()?)?, self.node(bone)?)));
        let groups = list(model.pointer("/blendShapeMaster/blendShapeGroups"));
        let expressions = groups.filter_map(|group| {
            let preset = group.get("presetName").and_then(Value::as_str).and_then(old_expression);
            let name = preset.or_else(|| group.get("name")?.as_str())?.to_owned();
            let morphs = list(group.get("binds")).filter_map(|bind| self.old_bind(bind)).collect();
            Some(Expression { name, morphs })
        });
        let mut humanoid = figure(order::map(bones));
        humanoid.expressions = expressions.collect();
        Some(humanoid)
    }

    fn node(&self, holder: &Value) -> Option<NodeIndex> {
        self.places.get(index(holder.get("node")?)?)
    }

    fn bind(&self, bind: &Value) -> Option<(String, f64)> {
        let name = self.morph(self.node(bind)?, bind.get("index")?)?;
        Some((name, bind.get("weight")?.as_f64()?))
    }

    /// Binds a mesh instead of a node, by percent.
    fn old_bind(&self, bind: &Value) -> Option<(String, f64)> {
        let mesh = index(bind.get("mesh")?)?;
        let node = self.document.parts.nodes.iter().position(|node| node.content().mesh == Some(mesh))?;
        let name = self.morph(self.places.get(Index::try_from(node).ok()?)?, bind.get("index")?)?;
        Some((name, bind.get("weight")?.as_f64()? / 100.0))
    }

    fn morph(&self, node: NodeIndex, morph: &Value) -> Option<String> {
        let set = self.scene.morph_sets.get(self.scene.node(node)?.morphs?.0)?;
        set.morphs.get(index(morph)? as usize).cloned()
    }
}

/// Both versions demand the T-pose.
fn figure(bones: std::collections::BTreeMap<HumanBone, NodeIndex>) -> Humanoid {
    Humanoid { bones, rests_in_t_pose: true, ..Humanoid::default() }
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn index(value: &Value) -> Option<Index> {
    Index::try_from(value.as_u64()?).ok()
}

/// The bone that VRM 0.x calls by a word; the thumbs of VRM 0.x start one joint further out.
fn old_bone(word: &str) -> Option<HumanBone> {
    match word {
        "leftThumbProximal" => Some(HumanBone::LeftThumbMetacarpal),
        "leftThumbIntermediate" => Some(HumanBone::LeftThumbProximal),
        "rightThumbProximal" => Some(HumanBone::RightThumbMetacarpal),
        "rightThumbIntermediate" => Some(HumanBone::RightThumbProximal),
        _ => HumanBone::from_word(word),
    }
}

/// The preset of VRM 1.0 with the meaning of a preset of VRM 0.x.
fn old_expression(preset: &str) -> Option<&'static str> {
    Some(match preset {
        "a" => "aa",
        "i" => "ih",
        "u" => "ou",
        "e" => "ee",
        "o" => "oh",
        "blink" => "blink",
        "blink_l" => "blinkLeft",
        "blink_r" => "blinkRight",
        "joy" => "happy",
        "angry" => "angry",
        "sorrow" => "sad",
        "fun" => "relaxed",
        "neutral" => "neutral",
        _ => return None,
    })
}
