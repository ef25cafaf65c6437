//! Scene → document: rounds values to the precision of glTF, and reports all omissions.

mod animations;
mod column;
mod extras;
mod geometry;
mod graph;
mod keys;
mod materials;
mod names;
mod packing;
mod plan;
mod store;
mod values;
mod vertices;
mod whole;

pub(super) use animations::animation;
pub(super) use column::Column;
pub(super) use extras::Extras;
pub(super) use keys::StoredKeys;
pub(super) use materials::named;
pub(super) use names::clip_names;
pub(super) use packing::Packing;
pub(crate) use packing::{VARIANTS, storage};
pub(super) use plan::{Goal, PlanRemarks, PlannedChannel, PlannedClip, Rules, TargetNode, plan};
pub(super) use store::{Base, Packed, Rounding, Store};
pub(super) use whole::transform;

use super::document::{BufferData, Container, Document};
use super::edited::slots::Slots;
use super::json::parts::Parts;
use super::json::text;
use super::rotation::near_unit;
use crate::checks::code;
use crate::container;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::{DistinctNames, FromScene, joined};
use dopesheet_core::model::{Clip, Scene, Target, Track};
use dopesheet_core::order::distinct;
use dopesheet_core::words::counted;
use geometry::Geometry;
use graph::Graph;
use materials::Materials;
use values::rest_weights;
use whole::Whole;

/// Scene → document in the container of `format`.
pub(crate) fn from_scene(
    format: &'static str,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let (parts, json, pieces) = parts(format, scene, options, report)?;
    document(format, parts, json, joined(pieces))
}

/// Scene → the pieces of a GLB: the pieces of the [`from_scene`] document, not joined.
pub(crate) fn compose(
    format: &'static str,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Vec<Vec<u8>>, ConvertError> {
    let (_, mut json, pieces) = parts(format, scene, options, report)?;
    container::join_pieces(&mut json, pieces).ok_or_else(|| too_long(format))
}

/// The parts of a document, its JSON text, and the contents of its first buffer.
fn parts(
    format: &'static str,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(Parts, String, Vec<Vec<u8>>), ConvertError> {
    let mut packing = packing(format, options.variant.as_deref())?;
    packing.keeps_fine = options.rounded;
    let mut store = Store::packed(packing);
    let geometry = Geometry::of(scene, &mut store);
    let graph = Graph::of(scene, |node| geometry.stands_alone(node));
    let mut remarks = PlanRemarks::default();
    let mut clips = planned(format, scene, &graph, &geometry.materials, options, &mut remarks)?;
    remarks.report(report);
    vertices::report(scene, report);
    let animations = clips
        .iter_mut()
        .filter(|clip| !clip.channels.is_empty())
        .map(|clip| animation(clip, &mut store, &Slots::default()))
        .collect();
    let mut packed = store.pack(&Base::default());
    packed
        .roundings
        .iter()
        .for_each(|rounding| report.approximated(rounding.what(), rounding.max_error(&graph.names)));
    let mut whole = Whole { scene, graph: &graph, geometry, clips: &clips };
    let mut parts = whole.parts(animations, &mut packed);
    let json = text::file(&mut parts, &|w, owner| whole.extras(w, owner));
    Ok((parts, json, packed.pieces))
}

/// The packing of motion named by a variant.
pub(super) fn packing(format: &'static str, variant: Option<&str>) -> Result<Packing, ConvertError> {
    Packing::of(variant).ok_or_else(|| {
        let names: Vec<_> = VARIANTS.iter().map(|variant| variant.name).collect();
        let name = variant.unwrap_or_default();
        let what = format!("expected one of the variants {}, found {name:?}", names.join(" "));
        ConvertError::new(format, ConvertErrorKind::Unsupported(what))
    })
}

/// The names for nodes in the file: each node's name, changed as far as names must differ.
pub(crate) fn names(scene: &Scene) -> Vec<String> {
    let geometry = Geometry::of(scene, &mut Store::default());
    Graph::of(scene, |node| geometry.stands_alone(node)).names
}

fn planned<'a>(
    format: &'static str,
    scene: &'a Scene,
    graph: &Graph,
    materials: &Materials,
    options: &FromScene,
    remarks: &mut PlanRemarks,
) -> Result<Vec<PlannedClip<'a>>, ConvertError> {
    let names = clip_names(&scene.clips, &options.file_stems, DistinctNames::default());
    let rules = Rules { keep_constant: options.keep_constant, collapses: true, rest_tolerance: 0.0 };
    let plan_one = |(clip, name): (&'a Clip, Option<String>)| {
        let material = |target: &Target| materials.of_target(scene, target);
        plan(clip, name, rules, remarks, |track, remarks| target_node(scene, graph, track, remarks), material)
            .map_err(|unfit| ConvertError::new(format, ConvertErrorKind::Unsupported(unfit)))
    };
    scene.clips.iter().zip(names).map(plan_one).collect()
}

fn target_node(scene: &Scene, graph: &Graph, track: &Track, remarks: &mut PlanRemarks) -> Option<TargetNode> {
    let node_index = track.target.node.filter(|node| node.0 < scene.nodes.len());
    let Some((index, node)) = node_index.and_then(|node_index| Some((node_index.0, scene.node(node_index)?)))
    else {
        remarks.unmatched.push(track.target.name.clone());
        return None;
    };
    let mut rest = node.rest;
    rest.rotation = near_unit(rest.rotation);
    let set = node.morphs.and_then(|set| scene.morph_sets.get(set.0));
    Some(TargetNode {
        index,
        rest,
        weights: set.map(rest_weights).unwrap_or_default(),
        camera: graph.perspective(scene, index),
        light: node.light.and_then(|light| graph.lights.file_index(light.0)),
    })
}

impl PlanRemarks {
    /// Reports the parts of the scene that could not be taken over.
    pub(super) fn report(&self, report: &mut Report) {
        if self.half_turns > 0 {
            let expected = "rotation keys less than half a turn apart";
            let actual = format!("{} that are not; each got a key in its middle", self.half_turns);
            report.warn(Fault::new(code::W_HALF_TURN, Place::File, expected, actual));
        }
        if self.duplicates > 0 {
            let why = "an animation may move each property only once; the first channel was kept";
            report.dropped(counted(self.duplicates, "channel"), why);
        }
        if !self.unmatched.is_empty() {
            let mut names = self.unmatched.clone();
            distinct(&mut names);
            let expected = "a node for every name that a clip moves";
            let actual = format!("none for {}: {}", names.len(), names.join(", "));
            report.warn(Fault::new(code::W_DROPPED, Place::File, expected, actual));
            report.dropped(format!("tracks of {}", names.join(", ")), "there is no node of that name");
        }
        if self.straightened > 0 {
            let what = format!(
                "the laws of {} of tracks without a place in glTF",
                counted(self.straightened, "segment")
            );
            report.dropped(what, "extras know STEP, LINEAR and CUBICSPLINE; they were taken for LINEAR");
        }
        for (what, why) in &self.misfits {
            report.dropped(what.as_str(), why.as_str());
        }
    }
}

fn too_long(format: &'static str) -> ConvertError {
    ConvertError::new(format, ConvertErrorKind::Unsupported("a GLB of more than 4 GiB".into()))
}

/// The document that reading the written file would yield.
fn document(
    format: &'static str,
    parts: Parts,
    mut json: String,
    bytes: Vec<u8>,
) -> Result<Document, ConvertError> {
    let mut buffers = vec![BufferData::Absent; parts.buffers.len()];
    let container = if format == container::FORMAT_ID {
        let bin = (!bytes.is_empty()).then_some(bytes);
        let mut container = container::Container { bin, ..Default::default() };
        container.settle(&mut json).ok_or_else(|| too_long(format))?;
        buffers.iter_mut().take(1).for_each(|first| *first = BufferData::Chunk);
        Container::Binary(container)
    } else {
        buffers.splice(..buffers.len().min(1), (!bytes.is_empty()).then_some(BufferData::Unnamed(bytes)));
        Container::Text
    };
    Ok(Document { container, json, parts, buffers, images: Vec::new() })
}
