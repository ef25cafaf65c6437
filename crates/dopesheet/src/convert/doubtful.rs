//! What is said of a human figure that is not known for sure, with a map of its bones to edit.

use super::ConvertOptions;
use crate::error::Error;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::model::{HumanBone, NodeIndex, Scene};
use dopesheet_core::order;
use dopesheet_motion::humanoid::Proposal;
use serde_json::{Map, Value};

/// Code of the finding about a figure whose bones no names tell.
pub(super) const FIGURE_BY_SHAPE: &str = "figure-by-shape";

/// Warns of a figure whose bones were found by its shape.
pub(super) fn tell(scene: &Scene, found: &Proposal, figure: &str, report: &mut Report) {
    if !found.is_by_shape() {
        return;
    }
    let least = found.by_shape.iter().filter(|(bone, _)| bone.is_required());
    let least = least.min_by(|a, b| a.1.certainty.total_cmp(&b.1.certainty));
    let (bone, certainty) = least.map_or((HumanBone::Hips, 0.0), |(bone, own)| (*bone, own.certainty));
    let expected = format!("names of bones in {figure} that some program gives them");
    let text = format!(
        "others, so that its bones are those by the shape of the figure, {:.0} % sure ({}, the least); --map takes {} as you edit it",
        100.0 * certainty,
        bone.word(),
        map(scene, found)
    );
    report.warn(Fault::new(FIGURE_BY_SHAPE, Place::File, expected, text));
}

/// Refuses a figure that lacks bones.
pub(super) fn unknown_bones(
    options: &ConvertOptions<'_>,
    error: &dyn std::error::Error,
    scene: &Scene,
    found: &Proposal,
) -> Error {
    let what = format!("{error}; {}", way_out(scene, found));
    ConvertError::new(options.to.info().id, ConvertErrorKind::Unsupported(what)).into()
}

/// The way out of a figure that is not known: which bones are doubtful, and a map to edit.
pub(super) fn way_out(scene: &Scene, found: &Proposal) -> String {
    let doubtful = found.by_shape.iter().filter(|(_, own)| own.certainty < Proposal::SURE);
    let doubtful: Vec<String> = doubtful
        .filter(|(bone, _)| bone.is_required())
        .map(|(bone, own)| format!("{} ({:.0} % sure)", bone.word(), 100.0 * own.certainty))
        .collect();
    let doubts = match doubtful.is_empty() {
        true => String::new(),
        false => format!("doubtful by the shape of the figure: {}; ", doubtful.join(", ")),
    };
    let required = |bone: &&HumanBone| bone.is_required();
    let known = found
        .humanoid
        .bones
        .keys()
        .filter(required)
        .count()
        .max(found.by_shape.keys().filter(required).count());
    let map = match known >= FEWEST {
        true => format!("; edit this map and give it: {}", map(scene, found)),
        false => String::new(),
    };
    format!("{doubts}--map says which node is which bone{map}")
}

/// Required bones that are known of a figure whose map is worth editing.
const FEWEST: usize = 4;

/// Parts of words for bones of hands and faces, which are in no map to edit.
const DETAILS: [&str; 7] = ["Thumb", "Index", "Middle", "Ring", "Little", "Eye", "jaw"];

/// A map of the names of nodes to bones, for `--map`: those that were found by names, those that are likely by the shape of the figure, and a
/// place for each that is required and not found.
pub(crate) fn map(scene: &Scene, found: &Proposal) -> String {
    let name = |node: NodeIndex| scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
    let likely = found.by_shape.iter().map(|(bone, own)| (*bone, own.node));
    let named = found.humanoid.bones.iter().map(|(bone, node)| (*bone, *node));
    let all = order::map(likely.chain(named));
    let mut map = Map::new();
    let is_detail = |bone: &HumanBone| DETAILS.iter().any(|part| bone.word().contains(part));
    for bone in HumanBone::ALL.into_iter().filter(|bone| !is_detail(bone)) {
        let key = match all.get(&bone) {
            Some(node) => name(*node),
            None if bone.is_required() => format!("? ({})", bone.word()),
            None => continue,
        };
        map.insert(key, Value::from(bone.word()));
    }
    Value::Object(map).to_string()
}
