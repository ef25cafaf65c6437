//! Exchange left and right.

mod rest;
mod signs;

use crate::refused::Reason;
use crate::sides::Sides;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Clip, Hierarchy, NodeIndex, PoseRelation, Property, Scene, Target, TargetKind, Track,
};
use rest::Rests;
use signs::Plane;
use std::collections::HashSet;

/// Options of [`mirror`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mirror {
    /// Pairs of names, name on a side → name on the other, in addition to the pairs found by words and
    /// letters. One direction is enough.
    pub names: NameMap,
}

/// Exchanges left and right: whatever the left arm did, the right one does as its mirror image. Tracks change their names, and all
/// positions, rotations and directions are mirrored in the plane between the sides; every key stays at its time, with its law.
///
/// Sides are told by names: 左 and 右, `Left` and `Right` in any case, and `L` and `R` between separators; by
/// the bones of a humanoid; and by the options. A target without a partner is mirrored in place; but if a
/// recording of hands has only one joint of a pair, all channels of the hands change sides. If the rest pose
/// of a skeleton is not its own mirror image, the turn away from the rest pose is mirrored.
///
/// # Errors
/// If joints or morphs move and none of them has a partner; if the rest pose of a joint is no mirror image of
/// its partner's and the joint's curves are not whole rotations.
pub fn mirror(scene: &mut Scene, clip: usize, options: &Mirror) -> Result<(), Reason> {
    let Some(source_clip) = scene.clips.get(clip) else { return Ok(()) };
    let sides = Sides::new(scene, source_clip, &options.names);
    let by_name = scene.hierarchy == Hierarchy::Unknown || lacks_joints_of_a_hand(scene, source_clip, &sides);
    let partner = |track: &Track| partner(scene, &sides, &track.target, by_name);
    let partners: Vec<Option<Partner>> = source_clip.tracks.iter().map(partner).collect();
    check_pairs(source_clip, &partners)?;
    let (plane, rests) = (Plane::of(&scene.basis), Rests::of(scene));
    let morphs = source_clip.tracks.iter().map(|track| morphs(scene, &sides, track)).collect::<Vec<_>>();
    let Some(target_clip) = scene.clips.get_mut(clip) else { return Ok(()) };
    for ((track, partner), morphs) in target_clip.tracks.iter_mut().zip(partners).zip(morphs) {
        let node = track.target.node;
        let to = partner.as_ref().map_or(node, |partner| partner.node);
        let rest = node
            .zip(to)
            // What changes its name rests as its own mirror image.
            .filter(|_| partner.is_none() || !by_name)
            .map(|(from, to)| rests.turned(from, to, plane))
            .filter(|_| track.target.kind == TargetKind::Joint);
        for channel in &mut track.channels {
            signs::mirror(channel, &track.target.name, plane);
            if let (Property::Weights, Some(order)) = (&channel.property, &morphs) {
                signs::permute(channel, order);
            }
            if let Some(rest) = &rest {
                let is_absolute = target_clip.relation == PoseRelation::Absolute;
                rest.apply(channel, is_absolute).ok_or_else(|| lopsided(&track.target.name))?;
            }
        }
        if let Some(partner) = partner {
            track.target.take(partner);
        }
    }
    if by_name {
        rename_nodes(scene, &sides, plane);
    }
    Ok(())
}

/// True if a recording of hands moves a joint that the other hand lacks.
fn lacks_joints_of_a_hand(scene: &Scene, clip: &Clip, sides: &Sides) -> bool {
    let node_names: HashSet<&str> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    let is_alone = |track: &Track| {
        let name = track.target.node.and_then(|node| scene.node(node)).map(|node| &node.name);
        let other = name.and_then(|name| sides.partner(name));
        track.target.kind == TargetKind::Joint
            && other.is_some_and(|other| !node_names.contains(other.as_str()))
    };
    let has_hands = clip.tracks.iter().any(|track| track.target.kind == TargetKind::Hand);
    // Of several clips, each would rename the nodes once more.
    has_hands && scene.clips.len() == 1 && clip.tracks.iter().any(is_alone)
}

/// The target on the other side.
struct Partner {
    name: String,
    label: Option<String>,
    node: Option<NodeIndex>,
    index: Option<usize>,
}

trait Take {
    fn take(&mut self, partner: Partner);
}

impl Take for Target {
    fn take(&mut self, partner: Partner) {
        self.name = partner.name;
        self.label = partner.label;
        self.node = partner.node;
        self.index = partner.index.unwrap_or(self.index);
    }
}

fn partner(scene: &Scene, sides: &Sides, target: &Target, by_name: bool) -> Option<Partner> {
    let name = sides.partner(&target.name)?;
    let label = target.label.as_ref().map(|label| match label.contains(&target.name) {
        true => label.replace(&target.name, &name),
        false => sides.partner(label).unwrap_or_else(|| label.clone()),
    });
    let position = |name: &str| scene.nodes.iter().position(|node| node.name == name);
    if by_name {
        // Its node is renamed with it.
        return Some(Partner { name, label, node: target.node, index: None });
    }
    if target.node.is_none() {
        // Buttons of a hand whose joints have no partner stay with them.
        let stays = position(&target.name).is_some() && position(&name).is_none();
        return (!stays).then_some(Partner { name, label, node: None, index: None });
    }
    let at = position(&name)?;
    let index = scene.nodes.get(at).and_then(|node| node.source_index);
    Some(Partner { name, label, node: Some(NodeIndex(at)), index })
}

fn check_pairs(clip: &Clip, partners: &[Option<Partner>]) -> Result<(), Reason> {
    let has_sides = |track: &Track| {
        matches!(track.target.kind, TargetKind::Joint | TargetKind::Morph | TargetKind::Hand)
            && !track.channels.iter().any(|channel| channel.property == Property::Weights)
    };
    let is_whole = partners.iter().any(Option::is_some) || !clip.tracks.iter().any(has_sides);
    let none = "expected names of a left and a right side (左 and 右, Left and Right, _L and _R), found none; say which belong together \
                with --map";
    if is_whole { Ok(()) } else { Err(Reason::new(none)) }
}

fn lopsided(joint: &str) -> Reason {
    Reason::new(format!(
        "expected a rest pose that is its own mirror image, or keys of whole rotations and places, found neither at \"{joint}\"; \
         convert the file to glTF first"
    ))
}

/// For each morph of a track of all morphs of a mesh, the place of its partner.
fn morphs(scene: &Scene, sides: &Sides, track: &Track) -> Option<Vec<usize>> {
    let set = scene.node(track.target.node?)?.morphs?;
    let names = &scene.morph_sets.get(set.0)?.morphs;
    let partner_index = |(at, name): (usize, &String)| {
        let partner = sides.partner(name);
        partner.and_then(|partner| names.iter().position(|listed| *listed == partner)).unwrap_or(at)
    };
    Some(names.iter().enumerate().map(partner_index).collect())
}

/// Gives nodes the names of their partners; if the hierarchy is known, each rests as its own mirror image.
fn rename_nodes(scene: &mut Scene, sides: &Sides, plane: Plane) {
    let is_placed = scene.hierarchy == Hierarchy::Known;
    for node in &mut scene.nodes {
        let Some(partner) = sides.partner(&node.name) else { continue };
        node.name = partner;
        if is_placed {
            node.rest.translation = plane.position(node.rest.translation);
            node.rest.rotation = plane.rotation(node.rest.rotation);
        }
    }
}
