//! Adding clips to a document by splicing its text, so that everything else stays as written.

use crate::checks::code;
use crate::container;
use crate::gltf::document::{BufferData, Container, Document};
use crate::gltf::edited::settle::settle;
use crate::gltf::edited::slots::{Cuts, Freed, Slots};
use crate::gltf::from_scene::{
    Base, Goal, Packed, Packing, PlanRemarks, PlannedClip, Rounding, Rules, Store, TargetNode, animation,
    clip_names, named, plan, transform,
};
use crate::gltf::json::parts::{Node, NodeTransform, Path};
use crate::gltf::json::splice::{JsonPatches, matrices, member, references, without_empty};
use crate::gltf::json::uri;
use crate::gltf::json::{place, text};
use crate::gltf::read::Wrapper;
use crate::gltf::rotation::near_unit;
use crate::gltf::to_scene::{has_shear, refuse_unknown_extensions, rest_pose};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::{Attach, DistinctNames, joined};
use dopesheet_core::model::{Property, Scene, Target, Track};
use dopesheet_core::order;
use dopesheet_core::order::by_key;
use std::collections::{BTreeSet, HashMap};

/// A channel whose difference from the rest pose stays below this tolerance at every key is left out:
/// relative for lengths and factors, radians for rotations.
pub(crate) const REST_TOLERANCE: f64 = 2e-6;

/// Adds the clips of a scene to a document. Yields the names of the added animations.
pub(crate) fn attach(
    format: &'static str,
    document: &mut Document,
    scene: &Scene,
    options: &Attach,
    report: &mut Report,
) -> Result<Vec<String>, ConvertError> {
    let failed = |fault| ConvertError::new(format, ConvertErrorKind::Fault(fault));
    refuse_unknown_extensions(document).map_err(failed)?;
    let mut matching = Matching::new(document, options);
    let clips = planned(format, document, scene, options, &mut matching)?;
    matching.report(report);
    let (mut clips, empty): (Vec<_>, Vec<_>) = clips.into_iter().partition(|clip| !clip.channels.is_empty());
    for clip in empty {
        let name = clip.name.unwrap_or_default();
        report.dropped(format!("clip {name:?}"), "none of its nodes is in the file");
    }
    let gone: Vec<usize> =
        if options.replace { (0..document.parts.animations.len()).collect() } else { Vec::new() };
    let (changed, _) = splice(document, &mut clips, &gone, Packing::default(), report).map_err(failed)?;
    *document = changed;
    Ok(clips.into_iter().map(|clip| clip.name.unwrap_or_default()).collect())
}

fn planned<'a>(
    format: &'static str,
    document: &Document,
    scene: &'a Scene,
    options: &Attach,
    matching: &mut Matching<'_>,
) -> Result<Vec<PlannedClip<'a>>, ConvertError> {
    let animations = if options.replace { &[][..] } else { &document.parts.animations };
    let taken = DistinctNames::new(
        animations.iter().filter_map(|animation| animation.name.as_deref()).map(str::to_owned),
    );
    let names = clip_names(&scene.clips, &options.file_stems, taken);
    let rules =
        Rules { keep_constant: options.keep_constant, collapses: true, rest_tolerance: REST_TOLERANCE };
    let mut remarks = PlanRemarks::default();
    let mut clips = Vec::new();
    for (clip, name) in scene.clips.iter().zip(names) {
        let node_of = |track: &Track, remarks: &mut PlanRemarks| matching.target_node(track, remarks);
        let planned = plan(clip, name, rules, &mut remarks, node_of, |target| material(document, target));
        clips.push(planned.map_err(|unfit| ConvertError::new(format, ConvertErrorKind::Unsupported(unfit)))?);
    }
    if clips.iter().all(|clip| clip.channels.is_empty()) {
        let names = order::set(remarks.unmatched);
        let kind = ConvertErrorKind::NoMatch { names: names.into_iter().collect() };
        return Err(ConvertError::new(format, kind));
    }
    for node in clips.iter().flat_map(|clip| &clip.channels).filter_map(|channel| channel.goal.node()) {
        // A skinned mesh has weights of its own; joints alone say where it is.
        if node.1 != Path::Weights {
            matching.animated.insert(node.0);
        }
    }
    matching.remarks = remarks;
    Ok(clips)
}

/// The node of the document that each name refers to.
struct Matching<'a> {
    document: &'a Document,
    options: &'a Attach,
    /// Nodes of each name, the preferred node first.
    by_name: HashMap<&'a str, Vec<usize>>,
    ambiguous: BTreeSet<String>,
    animated: BTreeSet<usize>,
    remarks: PlanRemarks,
}

impl<'a> Matching<'a> {
    fn new(document: &'a Document, options: &'a Attach) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for index in depth_first(document) {
            if let Some(name) = document.parts.nodes.get(index).and_then(|node| node.name.as_deref()) {
                by_name.entry(name).or_default().push(index);
            }
        }
        let (ambiguous, animated) = (BTreeSet::new(), BTreeSet::new());
        Self { document, options, by_name, ambiguous, animated, remarks: PlanRemarks::default() }
    }

    fn target_node(&mut self, track: &Track, remarks: &mut PlanRemarks) -> Option<TargetNode> {
        let name = self.options.names.get(&track.target.name);
        let Some(nodes) = self.by_name.get(name) else {
            remarks.unmatched.push(name.to_owned());
            return None;
        };
        // Meshes often have the names of joints.
        let is_weighed = track.channels.iter().any(|channel| channel.property == Property::Weights);
        let all = &self.document.parts.nodes;
        let suits = |index: &usize| all.get(*index).is_some_and(|n| n.content().mesh.is_some() == is_weighed);
        let suited: Vec<usize> = nodes.iter().copied().filter(suits).collect();
        let nodes = if suited.is_empty() { nodes } else { &suited };
        if nodes.len() > 1 {
            self.ambiguous.insert(name.to_owned());
        }
        let index = *nodes.first()?;
        Some(target_node(self.document, index, all.get(index)?))
    }

    fn report(&self, report: &mut Report) {
        self.remarks.report(report);
        if !self.ambiguous.is_empty() {
            let names: Vec<&str> = self.ambiguous.iter().map(String::as_str).collect();
            let actual = format!("several for {}; the first in depth-first order is moved", names.join(", "));
            let expected = "one node for each name";
            report.warn(Fault::new(code::W_AMBIGUOUS_NAME, Place::File, expected, actual));
        }
        let nodes = &self.document.parts.nodes;
        let is_skinned = |index: &&usize| {
            nodes.get(**index).is_some_and(|n| n.content().skin.is_some() && n.content().mesh.is_some())
        };
        if let Some(first) = self.animated.iter().find(is_skinned) {
            let expected = "a node whose own motion has an effect";
            let actual = "one with a skinned mesh, which only its joints move";
            let pointer = format!("/nodes/{first}");
            report.warn(self.document.fault(&pointer, code::CHANNEL_TARGET_NODE_SKIN, expected, actual));
        }
    }
}

/// The position of the material that a target names.
pub(crate) fn material(document: &Document, target: &Target) -> Option<usize> {
    let materials = document.parts.materials.iter();
    named(materials.map(|material| material.name.as_deref().unwrap_or_default()), target)
}

/// A node as the seat of a target: its position in the list, rest pose, morph weights and perspective camera.
pub(crate) fn target_node(document: &Document, index: usize, node: &Node) -> TargetNode {
    let mut rest = rest_pose(node);
    rest.rotation = near_unit(rest.rotation);
    let mesh = node.content().mesh.and_then(|mesh| document.parts.meshes.get(mesh as usize));
    let stored = node.content().weights.as_deref().or(mesh.and_then(|mesh| mesh.weights.as_deref()));
    let mut weights: Vec<f32> = stored
        .unwrap_or_default()
        .iter()
        .map(|weight| crate::gltf::binary::accessor::narrow(*weight))
        .collect();
    weights.resize(mesh.map_or(0, crate::gltf::json::parts::Mesh::targets), 0.0);
    let camera = node.content().camera.filter(|camera| {
        document.parts.cameras.get(*camera as usize).is_some_and(|camera| !camera.orthographic)
    });
    TargetNode {
        index,
        rest,
        weights,
        camera: camera.map(|camera| camera as usize),
        light: node.content().light.map(|light| light as usize),
    }
}

/// All nodes: the default scene's first, then the other scenes' depth first, then the rest.
fn depth_first(document: &Document) -> Vec<usize> {
    let parts = &document.parts;
    let default = parts.scene.unwrap_or(0) as usize;
    let mut scenes: Vec<usize> = (0..parts.scenes.len()).collect();
    by_key(&mut scenes, |scene| *scene != default);
    let roots = scenes.iter().filter_map(|scene| parts.scenes.get(*scene)).flat_map(|scene| &scene.nodes);
    let mut order = Vec::with_capacity(parts.nodes.len());
    let mut seen = vec![false; parts.nodes.len()];
    for root in roots.map(|root| *root as usize).chain(0..parts.nodes.len()) {
        let mut line = vec![root];
        while let Some(index) = line.pop() {
            match seen.get_mut(index) {
                Some(mark) if !*mark => *mark = true,
                _ => continue,
            }
            order.push(index);
            let children = parts.nodes.get(index).map(|node| &*node.children).unwrap_or_default();
            line.extend(children.iter().rev().map(|child| *child as usize));
        }
    }
    order
}

/// The document with clips in the places of the removed animations, given by their increasing positions, and
/// behind the remaining ones; and the rounding of their values.
pub(crate) fn splice(
    document: &Document,
    clips: &mut [PlannedClip<'_>],
    gone: &[usize],
    packing: Packing,
    report: &mut Report,
) -> Result<(Document, Vec<Rounding>), Box<Fault>> {
    let mut edits = JsonPatches::new(&document.json);
    let mut store = Store::packed(packing);
    // Where buffers get new numbers, no view is exchanged.
    let renumbers = matches!(Home::of(document, &Freed::nothing(document)).kind, HomeKind::NewChunk);
    let freed = match gone.is_empty() || renumbers {
        true => Freed::nothing(document),
        false => Freed::by_animations(document, gone, report),
    };
    let mut items = Vec::with_capacity(clips.len());
    for clip in &mut *clips {
        let mut written = animation(clip, &mut store, &freed.accessors);
        items.push(text::item(|w| text::animation(w, 0, &mut written, &|w, _| clip.extras.write(w))));
    }
    Slots::of(gone, document.parts.animations.len()).fill(&mut edits, "animations", &items, &[]);
    let home = Home::of(document, &freed);
    let base = Base {
        views: freed.views.clone(),
        buffer: home.buffer,
        fallback: home.buffers(document),
        offset: home.offset,
    };
    let mut packed = store.pack(&base);
    let accessors = packed.accessors.iter().map(|accessor| text::item(|w| text::accessor(w, accessor)));
    let accessors: Vec<String> = accessors.collect();
    freed.accessors.fill(&mut edits, "accessors", &accessors, &freed.numbers.accessors);
    let views = packed.views.iter().map(|view| text::item(|w| text::view(w, view)));
    let views: Vec<String> = views.collect();
    freed.views.fill(&mut edits, "bufferViews", &views, &freed.numbers.views);
    if let HomeKind::Chunk(cuts) = &home.kind {
        cuts.redirect(document, &freed, &mut edits);
    }
    declare(document, clips, packed.extension, &mut edits);
    let roundings = std::mem::take(&mut packed.roundings);
    let wrapper = home.write(document, &mut edits, packed);
    decompose_matrices(document, clips, &mut edits)?;
    let lists = ["animations", "accessors", "bufferViews"];
    let json = lists.into_iter().filter(|_| !gone.is_empty()).fold(edits.apply(), without_empty);
    Ok((settle(document, json, wrapper)?, roundings))
}

/// Destination of new bytes.
struct Home {
    buffer: usize,
    offset: usize,
    kind: HomeKind,
}

enum HomeKind {
    /// At the end of the BIN chunk, after the cuts.
    Chunk(Cuts),
    /// In a newly made BIN chunk, as the first buffer.
    NewChunk,
    /// In the text, as an additional buffer.
    Text,
}

impl Home {
    fn of(document: &Document, freed: &Freed) -> Self {
        let parts = &document.parts;
        match (&document.container, document.buffers.first()) {
            (Container::Text, _) => Self { buffer: parts.buffers.len(), offset: 0, kind: HomeKind::Text },
            (Container::Binary(_), Some(BufferData::Chunk)) => {
                let length = parts.buffers.first().map_or(0, |buffer| buffer.byte_length);
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                let cuts = freed.cuts(document);
                let offset = (length - cuts.before(length)).next_multiple_of(container::ALIGNMENT);
                Self { buffer: 0, offset, kind: HomeKind::Chunk(cuts) }
            }
            (Container::Binary(_), _) => Self { buffer: 0, offset: 0, kind: HomeKind::NewChunk },
        }
    }

    /// Number of buffers, with the destination of the bytes.
    fn buffers(&self, document: &Document) -> usize {
        let count = document.parts.buffers.len();
        if matches!(self.kind, HomeKind::Chunk(_)) { count } else { count + 1 }
    }

    /// Declares the bytes in the text, and puts them at their destination.
    fn write(&self, document: &Document, edits: &mut JsonPatches<'_>, packed: Packed) -> Wrapper {
        // A buffer has at least one byte.
        let length = (self.offset + packed.length).max(container::ALIGNMENT);
        let fallback = packed.fallback_buffer();
        let fallback = fallback.map(|buffer| text::item(|w| text::buffer(w, &buffer, packed.extension)));
        let bytes = joined(packed.pieces);
        let mut last = Vec::new();
        match &self.kind {
            // A text of which only animations go needs no more bytes.
            HomeKind::Text if packed.length == 0 => {}
            HomeKind::Text => {
                let uri = uri::data_uri(&bytes);
                last.push(format!("{{\"byteLength\":{length},\"uri\":\"{uri}\"}}"));
            }
            HomeKind::Chunk(_) => {
                if let Some(span) = place::span(&document.json, "/buffers/0/byteLength") {
                    edits.replace(span, length.to_string());
                }
            }
            HomeKind::NewChunk => {
                let item = format!("{{\"byteLength\":{length}}}");
                if document.parts.buffers.is_empty() {
                    last.push(item);
                } else {
                    edits.prepend("buffers", &item);
                    for reference in references(&document.json) {
                        edits.replace(reference.buffer_span, (reference.buffer + 1).to_string());
                    }
                }
            }
        }
        last.extend(fallback);
        edits.append("buffers", &last);
        match &document.container {
            Container::Text => Wrapper::Text,
            Container::Binary(glb) => {
                let mut glb = glb.clone();
                let stored = document.parts.buffers.first().map_or(0, |buffer| buffer.byte_length);
                let mut bin = match &self.kind {
                    HomeKind::Chunk(cuts) => {
                        let mut bin = glb.bin.take().unwrap_or_default();
                        bin.truncate(usize::try_from(stored).unwrap_or(usize::MAX));
                        cuts.apply(&bin)
                    }
                    _ => Vec::new(),
                };
                bin.resize(self.offset, 0);
                bin.extend(bytes);
                bin.resize(length, 0);
                glb.bin = Some(bin);
                Wrapper::Binary(glb)
            }
        }
    }
}

/// Declares the extensions used by animations. A decompressing extension is required, because there is
/// nothing else to read.
fn declare(
    document: &Document,
    clips: &[PlannedClip<'_>],
    compression: Option<&'static str>,
    edits: &mut JsonPatches<'_>,
) {
    let parts = &document.parts;
    let mut channels = clips.iter().flat_map(|clip| &clip.channels);
    let pointers = channels.any(|channel| matches!(channel.goal, Goal::Pointer(_)));
    let used: Vec<&str> = pointers.then_some(text::POINTER).into_iter().chain(compression).collect();
    let required: Vec<&str> = compression.into_iter().collect();
    for (member, listed, names) in [
        ("extensionsUsed", &parts.extensions_used, used),
        ("extensionsRequired", &parts.extensions_required, required),
    ] {
        let new = names.into_iter().filter(|name| !listed.iter().any(|listed_name| listed_name == name));
        edits.append(member, &new.map(|name| format!("\"{name}\"")).collect::<Vec<_>>());
    }
}

/// Animated nodes cannot have a matrix.
fn decompose_matrices(
    document: &Document,
    clips: &[PlannedClip<'_>],
    edits: &mut JsonPatches<'_>,
) -> Result<(), Box<Fault>> {
    let goals = clips.iter().flat_map(|clip| &clip.channels).filter_map(|channel| channel.goal.node());
    let animated = order::set(goals.map(|(node, _)| node));
    let matrices = matrices(&document.json);
    for index in animated {
        let Some(node) = document.parts.nodes.get(index) else { continue };
        let pointer = format!("/nodes/{index}/matrix");
        let stored = node.transform.as_ref().filter(|transform| transform.matrix.is_some());
        let (Some(stored), Some(value)) = (stored, matrices.get(&index)) else { continue };
        if stored.translation.or(stored.scale).is_some() || stored.rotation.is_some() {
            let expected = "a matrix or its parts on a node that is to be animated";
            return Err(Box::new(document.fault(&pointer, code::NODE_MATRIX_TRS, expected, "both")));
        }
        if has_shear(node) {
            let expected = "a matrix without shear on a node that is to be animated";
            return Err(Box::new(document.fault(&pointer, code::SHEAR, expected, "one with shear")));
        }
        if let Some(span) = member(&document.json, value) {
            let rest = transform(&rest_pose(node))
                .unwrap_or_else(|| NodeTransform { translation: Some([0.0; 3]), ..NodeTransform::default() });
            let object = text::item(|w| text::transform(w, &rest));
            edits.replace(span, object.trim_matches(['{', '}']).to_owned());
        }
    }
    Ok(())
}
