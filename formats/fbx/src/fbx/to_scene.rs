//! Document to scene: takes become clips with a start at 0.

use super::bake::{self, Account, Kind, LargestError};
use super::check;
use super::codes;
use super::document::{Document, Remark, Take};
use super::pictures;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::format::{Check, ToScene};
use dopesheet_core::model::{AlphaMode, Clip, Node, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use std::collections::HashSet;

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let mut scene = document.still.clone();
    let remarks = |check: Check| document.remarks.iter().filter(move |remark| remark.check == check);
    for Remark { path, text, .. } in remarks(codes::WEIGHTS) {
        let what = format!("joints beyond the strongest four of a vertex, in {path}");
        report.dropped(what, format!("{text}; weights of those are scaled up to sum to 1"));
    }
    for Remark { path, .. } in remarks(codes::DUAL_QUATERNION) {
        let what = format!("blending of joints as dual quaternions, in {path}");
        report.dropped(what, "a scene blends joints as matrices");
    }
    remarks(codes::PROPERTIES).for_each(|remark| check::say(report, remark));
    document.unplaced.iter().for_each(|what| report.dropped(what, "a scene has no place for them"));
    pictures::add(document, &mut scene, report);
    let shells = shells(&scene);
    let mut left = bake::MOST_BESIDES;
    for take in &document.takes {
        let baked = bake::take(document, take, &shells, &mut left, options);
        say(take, &baked.account, report);
        if baked.moving_shells > 0 {
            let meshes = counted(baked.moving_shells, "skinned mesh");
            let what = format!("motion of {meshes} in take {:?}", take.name);
            report.dropped(what, "joints alone place a skinned mesh");
        }
        for index in baked.translucent {
            if let Some(material) = scene.materials.get_mut(index) {
                material.alpha = AlphaMode::Blend;
            }
        }
        let name = Some(take.name.clone()).filter(|name| !name.is_empty());
        scene.clips.push(Clip {
            name: name.or_else(|| options.fallback_name.clone()),
            duration: Seconds((take.end.0 - take.begin.0).max(0.0)),
            tracks: baked.tracks,
            grid: Some(take.rate),
            solved: baked.solved,
            ..Clip::default()
        });
    }
    mark_usual(&mut scene.clips, options.fallback_name.as_deref(), report);
    scene
}

/// Names that programs give to every take: Maya, 3ds Max and MotionBuilder; Mixamo; Unreal Engine.
const USUAL_NAMES: [&str; 3] = ["Take 001", "mixamo.com", "Unreal Take"];

/// Marks the clip of a take with a usual name, which its file names better, unless another clip has the name of the file. Of several such
/// takes each keeps its name.
fn mark_usual(clips: &mut [Clip], file_name: Option<&str>, report: &mut Report) {
    if file_name.is_some() && clips.iter().any(|clip| clip.name.as_deref() == file_name) {
        return;
    }
    let is_usual = |name: &String| USUAL_NAMES.contains(&name.as_str());
    let is_meant = |clip: &&mut Clip| clip.key_count() > 0 && clip.name.as_ref().is_some_and(is_usual);
    let mut usual: Vec<&mut Clip> = clips.iter_mut().filter(is_meant).collect();
    if let [Clip { name: Some(name), stored_name, .. }] = &mut usual[..] {
        report.kept(format!("take {name:?}, named as its file"));
        *stored_name = Some(name.clone());
    }
}

/// Nodes with a skinned mesh and no further purpose: their places have no effect.
fn shells(scene: &Scene) -> HashSet<NodeIndex> {
    let parents = scene.nodes.iter().filter_map(|node| node.parent);
    let joints = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    let needed: HashSet<NodeIndex> = parents.chain(joints).collect();
    let nodes = scene.nodes.iter().enumerate().map(|(index, node)| (NodeIndex(index), node));
    let is_shell =
        |(_, node): &(_, &Node)| node.skin.is_some() && node.camera.is_none() && node.light.is_none();
    nodes.filter(is_shell).map(|(index, _)| index).filter(|index| !needed.contains(index)).collect()
}

/// Reports the keys added to a take, the course of its curves between the frames of recordings, and omitted properties.
fn say(take: &Take, account: &Account, report: &mut Report) {
    let name = &take.name;
    let (keys, inserted) = (counted(account.keys, "key"), account.inserted);
    let layers = counted(take.layers.len(), "layer");
    for (kind, _, error) in errors(&account.straight, take.begin) {
        let what = format!(
            "{kind} of take {name:?}: curves of {layers} as {keys} with straight segments, {inserted} of them added"
        );
        report.approximated(what, error);
    }
    for (kind, largest, error) in errors(&account.noise, take.begin) {
        let nodes = counted(largest.properties, "node");
        report.approximated(
            format!("{kind} of take {name:?}: {nodes} recorded as still but for noise, as single keys"),
            error,
        );
    }
    for (kind, largest, error) in errors(&account.between, take.begin) {
        let nodes = counted(largest.properties, "node");
        let what = format!(
            "{kind} of take {name:?}, recorded for {nodes}; --between-frames stored keeps their curves"
        );
        report.unsampled(what, error);
    }
    for (property, count) in &take.others {
        let what =
            format!("motion of the property {property:?} of {} in take {name:?}", counted(*count, "object"));
        report.dropped(what, "the common model has no place for it");
    }
}

/// Errors above rounding, with the words for their kinds of values, in times of a clip that starts at `begin`.
fn errors(
    all: &[LargestError; 3],
    begin: Seconds,
) -> impl Iterator<Item = (&'static str, &LargestError, MaxError)> {
    let large = Kind::ALL.into_iter().zip(all).filter(|(_, largest)| largest.value > bake::ROUNDING);
    large.map(move |(kind, largest)| {
        let (words, unit) = kind.in_words();
        let time = Seconds(largest.time.0 - begin.0);
        (words, largest, MaxError { value: largest.value, unit, target: largest.target.clone(), time })
    })
}
