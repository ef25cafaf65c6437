//! Warnings and refusals about a doubtful human figure, with a map of its bones to edit.

use crate::convert::ConvertOptions;
use crate::error::Error;
use crate::models::bone_map::bone_map;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_human::{Lying, Proposal};

/// Code of the finding about a figure with bones of no known vocabulary.
pub(in crate::convert) const FIGURE_BY_SHAPE: &str = "figure-by-shape";

/// Warns of a figure with bones found by shape.
pub(in crate::convert) fn tell(
    options: &ConvertOptions<'_>,
    scene: &Scene,
    found: &Proposal,
    figure: &str,
    report: &mut Report,
) {
    if !found.is_by_shape() {
        return;
    }
    let least = found.by_shape.iter().filter(|(bone, _)| bone.is_required());
    let least = least.min_by(|a, b| a.1.certainty.total_cmp(&b.1.certainty));
    let (bone, certainty) =
        least.map_or((HumanBone::Hips, 0.0), |(bone, candidate)| (*bone, candidate.certainty));
    let expected = format!("names of bones in {figure} that some program gives them");
    let text = format!(
        "others, so that its bones are those by the shape of the figure, {:.0} % sure ({}, the least); --map takes {} as you edit it",
        100.0 * certainty,
        bone.word(),
        map(options, scene, found, figure)
    );
    report.warn(Fault::new(FIGURE_BY_SHAPE, Place::File, expected, text));
}

/// Code of the finding about a lying rest pose.
pub(in crate::convert) const FIGURE_LIES: &str = "figure-lies";

/// Warns of a figure with a lying rest pose, and so with lying motions. Conversion leaves it lying: a program aware of the wrong axes of the
/// file turns all of it, and a figure may be meant to lie.
pub(in crate::convert) fn tell_of_lying(
    scene: &Scene,
    humanoid: &Humanoid,
    figure: &str,
    report: &mut Report,
) {
    let Some(lying) = Lying::of(scene, humanoid) else { return };
    let degrees = |radians: f64| format!("{:.0}°", radians.to_degrees());
    let node = |(node, angle): (NodeIndex, f64)| Some((scene.node(node)?.name.as_str(), angle));
    let (way_out, reason) = match lying.by.and_then(node) {
        Some((node, angle)) => (
            format!("turn {node} back in a 3D program, or export it anew with the right way up"),
            format!("its node {node} is turned by {}", degrees(angle)),
        ),
        None => (
            "turn it upright in a 3D program, or export it anew with the right way up".to_owned(),
            format!("from its hips to its head it points {} away from up", degrees(lying.angle_rad)),
        ),
    };
    let expected = format!("{figure} standing upright at rest ({way_out})");
    let found = format!("one that lies, and performs lying: {reason}");
    report.warn(Fault::new(FIGURE_LIES, Place::File, expected, found));
}

/// Refuses a figure that lacks bones.
pub(in crate::convert) fn unknown_bones(
    options: &ConvertOptions<'_>,
    error: &dyn std::error::Error,
    scene: &Scene,
    found: &Proposal,
) -> Error {
    refused(options, format!("{error}; {}", way_out(options, scene, found, MOTION)))
}

/// The refusal of a figure by the target format.
pub(in crate::convert) fn refused(options: &ConvertOptions<'_>, what: String) -> Error {
    ConvertError::new(options.to.info().id, ConvertErrorKind::Unsupported(what)).into()
}

/// The advice about an unknown figure: the doubtful bones, and a map to edit.
pub(in crate::convert) fn way_out(
    options: &ConvertOptions<'_>,
    scene: &Scene,
    found: &Proposal,
    figure: &str,
) -> String {
    let doubtful = found.by_shape.iter().filter(|(_, candidate)| candidate.certainty < Proposal::SURE);
    let doubtful: Vec<String> = doubtful
        .filter(|(bone, _)| bone.is_required())
        .map(|(bone, candidate)| format!("{} ({:.0} % sure)", bone.word(), 100.0 * candidate.certainty))
        .collect();
    let doubts = match doubtful.is_empty() {
        true => String::new(),
        false => format!("doubtful by the shape of the figure: {}; ", doubtful.join(", ")),
    };
    let required = |bone: &&HumanBone| bone.is_required();
    let known_count = found
        .humanoid
        .bones
        .keys()
        .filter(required)
        .count()
        .max(found.by_shape.keys().filter(required).count());
    let map = match known_count >= FEWEST {
        true => format!("; edit this map and give it: {}", map(options, scene, found, figure)),
        false => String::new(),
    };
    format!("{doubts}--map says which node is which bone{map}")
}

/// A map of a figure to edit. With two figures it holds for one of them, as both may have nodes with the same name.
fn map(options: &ConvertOptions<'_>, scene: &Scene, found: &Proposal, figure: &str) -> String {
    let map = bone_map(scene, found);
    let side = if figure == MOTION { "motion" } else { "figure" };
    if options.onto.is_some() { format!("{{\"{side}\":{map}}}") } else { map }
}

/// Name of the motion's figure in messages.
pub(in crate::convert) const MOTION: &str = "the motion";

/// Smallest number of known required bones for a map worth editing.
const FEWEST: usize = 4;
