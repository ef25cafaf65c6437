//! Animations → clips.

use super::super::document::Document;
use super::curves::{Curves, Meaning};
use super::nodes::SceneNodes;
use super::pointer::{Pointed, parse};
use super::{ChannelPlace, Repairs, extras, repairs};
use crate::gltf::binary::views::{Views, number_budget};
use crate::gltf::json::parts::{Animation, AnimationSampler, Channel as StoredChannel, Index, Path};
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    CameraIndex, Channel, Clip, LightIndex, NodeIndex, Property, Scene, Target, TargetKind, Track,
};
use dopesheet_core::units::Seconds;
use std::collections::HashMap;

/// Adds a clip for each animation, and for each clip without channels in the extras of the scene.
pub(super) fn clips(
    views: &Views<'_>,
    options: &ToScene,
    places: &SceneNodes,
    scene: &mut Scene,
    repairs: &mut Repairs,
    report: &mut Report,
) -> Result<(), Box<Fault>> {
    let document = views.document;
    let curves = Curves::new(views, options.as_stored, number_budget(document));
    let mut reader = Reader { document, places, scene, repairs, report, curves };
    let mut clips = Vec::new();
    for (a, animation) in document.parts.animations.iter().enumerate() {
        let mut clip = reader.clip(a, animation)?;
        extras::apply(document.value(animation.extras.as_ref()), &mut clip);
        clips.push(clip);
    }
    let first = document.parts.scenes.first();
    if let Some(extras) = document.value(first.and_then(|scene| scene.extras.as_ref())) {
        clips.extend(extras::clips_without_channels(extras));
    }
    for clip in &mut clips {
        clip.name = clip.name.take().or_else(|| options.fallback_name.clone());
    }
    scene.clips = clips;
    Ok(())
}

struct Reader<'a, 'b> {
    document: &'a Document,
    places: &'a SceneNodes,
    scene: &'b Scene,
    repairs: &'b mut Repairs,
    report: &'b mut Report,
    curves: Curves<'a>,
}

impl Reader<'_, '_> {
    fn clip(&mut self, a: usize, animation: &Animation) -> Result<Clip, Box<Fault>> {
        let mut tracks = Tracks::default();
        for (c, channel) in animation.channels.iter().enumerate() {
            let channel_place = ChannelPlace { animation: a, channel: c };
            if let Some(sampler) = animation.samplers.get(channel.sampler as usize) {
                self.channel(channel, sampler, channel_place, &mut tracks)?;
            }
        }
        let tracks = tracks.list;
        let curves = tracks.iter().flat_map(|track| &track.channels).flat_map(|c| c.composition.curves());
        let last = curves.filter_map(|curve| curve.times.span()).map(|(_, end)| end.0).fold(0.0, f64::max);
        let name = animation.name.as_deref().filter(|name| !name.is_empty()).map(str::to_owned);
        Ok(Clip { name, duration: Seconds(last), tracks, ..Clip::default() })
    }

    fn channel(
        &mut self,
        channel: &StoredChannel,
        sampler: &AnimationSampler,
        pointer: ChannelPlace,
        tracks: &mut Tracks,
    ) -> Result<(), Box<Fault>> {
        match (&channel.path, channel.node, channel.pointer.as_deref()) {
            (Path::Pointer, _, Some(target)) => match parse(target) {
                Pointed::Node(node, path) => self.node_channel(node, &path, sampler, pointer, tracks),
                Pointed::Camera(index, property) => {
                    let node = node_with(self.scene, |camera, _| camera == Some(CameraIndex(index as usize)));
                    let track = self.pointed(TargetKind::Camera, index, node, target);
                    self.pointer_channel(track, property, sampler, pointer, tracks)
                }
                Pointed::Light(index, property) => {
                    let node = node_with(self.scene, |_, light| light == Some(LightIndex(index as usize)));
                    let track = self.pointed(TargetKind::Light, index, node, target);
                    self.pointer_channel(track, property, sampler, pointer, tracks)
                }
                Pointed::Material(index, property) => {
                    let track = self.material(index, target);
                    self.pointer_channel(track, property, sampler, pointer, tracks)
                }
                Pointed::Unknown => {
                    let track = Target::new(TargetKind::Custom, target, 0, None);
                    self.report.kept(format!("{target} as numbers without a meaning"));
                    self.pointer_channel(track, Property::Value, sampler, pointer, tracks)
                }
            },
            (path, Some(node), _) => self.node_channel(node, path, sampler, pointer, tracks),
            (_, None, _) => {
                self.repairs.note(repairs::NO_TARGET, pointer);
                Ok(())
            }
        }
    }

    fn node_channel(
        &mut self,
        node: Index,
        path: &Path,
        sampler: &AnimationSampler,
        pointer: ChannelPlace,
        tracks: &mut Tracks,
    ) -> Result<(), Box<Fault>> {
        let Some(home) = self.places.get(node) else {
            self.repairs.note(repairs::NO_TARGET, pointer);
            return Ok(());
        };
        let (property, meaning) = match path {
            Path::Translation => (Property::Translation, Meaning::Numbers(3)),
            Path::Rotation => (Property::Rotation, Meaning::Rotation),
            Path::Scale => (Property::Scale, Meaning::Numbers(3)),
            Path::Weights => match self.morph_count(home) {
                Some(count) => (Property::Weights, Meaning::Numbers(count)),
                None => {
                    self.repairs.note(repairs::NO_MORPHS, pointer);
                    return Ok(());
                }
            },
            Path::Pointer | Path::Other(_) => {
                self.repairs.note(repairs::UNKNOWN_PATH, pointer);
                return Ok(());
            }
        };
        let slot = match tracks.of_node(node) {
            Some(track) => tracks.without(track, &property).map(Slot::Known),
            None => Some(Slot::New(self.node_target(node, home))),
        };
        let Some(track) = slot else {
            self.repairs.note(repairs::DUPLICATE, pointer);
            return Ok(());
        };
        if let Some(curve) = self.curves.curve(sampler, meaning, pointer, self.repairs)? {
            tracks.add(track, Channel::whole(property, curve));
        }
        Ok(())
    }

    fn morph_count(&self, node: NodeIndex) -> Option<usize> {
        let set = self.scene.node(node)?.morphs?;
        self.scene.morph_sets.get(set.0).map(|set| set.morphs.len())
    }

    fn node_target(&self, index: Index, node: NodeIndex) -> Target {
        let name = self.scene.node(node).map(|node| node.name.as_str()).unwrap_or_default();
        let mut target = Target::new(TargetKind::Joint, name, index as usize, Some(node));
        let stored = self.document.parts.nodes.get(index as usize).and_then(|node| node.name.as_deref());
        target.label = stored.filter(|stored| *stored != name).map(str::to_owned);
        target
    }

    /// The target of a pointer, with the name of the node that shows it, and the pointer as its label.
    fn pointed(&self, kind: TargetKind, index: Index, node: Option<NodeIndex>, pointer: &str) -> Target {
        let name = node.and_then(|node| self.scene.node(node)).map(|node| node.name.clone());
        let mut target = Target::new(kind, name.unwrap_or_default(), index as usize, node);
        target.label = Some(pointer.to_owned());
        target
    }

    /// The target of a pointer to a material, with the pointer as its label.
    fn material(&self, index: Index, pointer: &str) -> Target {
        let material = self.document.parts.materials.get(index as usize);
        let name = material.and_then(|material| material.name.as_deref()).unwrap_or_default();
        let mut target = Target::new(TargetKind::Custom, name, index as usize, None);
        target.label = Some(pointer.to_owned());
        target
    }

    fn pointer_channel(
        &mut self,
        target: Target,
        property: Property,
        sampler: &AnimationSampler,
        pointer: ChannelPlace,
        tracks: &mut Tracks,
    ) -> Result<(), Box<Fault>> {
        let accessor = self.document.parts.accessors.get(sampler.output as usize);
        let numbers = accessor.map_or(0, |a| {
            usize::try_from(a.count).unwrap_or(usize::MAX).saturating_mul(a.shape.components())
        });
        let per_key = usize::try_from(sampler.interpolation.elements_per_key()).unwrap_or(1);
        let keys = self.curves.stored_keys(sampler).saturating_mul(per_key);
        let meaning = Meaning::Numbers(numbers.checked_div(keys).unwrap_or(0));
        let Some(track) = tracks.of_pointer(target, &property) else {
            self.repairs.note(repairs::DUPLICATE, pointer);
            return Ok(());
        };
        if let Some(curve) = self.curves.curve(sampler, meaning, pointer, self.repairs)? {
            tracks.add(track, Channel::whole(property, curve));
        }
        Ok(())
    }
}

/// The tracks of a clip, one per target, in the order of their first channels.
#[derive(Default)]
struct Tracks {
    list: Vec<Track>,
    /// Tracks of nodes, by the node's index in the file.
    by_node: HashMap<Index, usize>,
    /// Tracks of pointers, told apart by their text.
    by_pointer: HashMap<(TargetKind, usize, String), usize>,
    /// Node of the last channel and its track: channels of one node mostly stand together.
    last: Option<(Index, usize)>,
}

/// A track, existing or still to be made.
enum Slot {
    Known(usize),
    New(Target),
}

impl Tracks {
    /// The track of a node, if already made.
    fn of_node(&self, node: Index) -> Option<usize> {
        match self.last {
            Some((last, track)) if last == node => Some(track),
            _ => self.by_node.get(&node).copied(),
        }
    }

    /// The track, unless it already has a channel of the property.
    fn without(&self, track: usize, property: &Property) -> Option<usize> {
        let taken = self.list[track].channels.iter().any(|channel| channel.property == *property);
        (!taken).then_some(track)
    }

    /// The track for a channel of a pointer; `None` if its target already has a channel of the property.
    fn of_pointer(&self, target: Target, property: &Property) -> Option<Slot> {
        match self.by_pointer.get(&key(&target)) {
            None => Some(Slot::New(target)),
            Some(track) => self.without(*track, property).map(Slot::Known),
        }
    }

    fn add(&mut self, slot: Slot, channel: Channel) {
        let track = match slot {
            Slot::Known(track) => track,
            Slot::New(target) => self.begin(target),
        };
        self.list[track].channels.push(channel);
    }

    fn begin(&mut self, target: Target) -> usize {
        let track = self.list.len();
        match (target.kind, Index::try_from(target.index)) {
            (TargetKind::Joint, Ok(node)) => {
                self.by_node.insert(node, track);
                self.last = Some((node, track));
            }
            _ => {
                self.by_pointer.insert(key(&target), track);
            }
        }
        self.list.push(Track { target, channels: Vec::new() });
        track
    }
}

/// Pointers are told apart by their text.
fn key(target: &Target) -> (TargetKind, usize, String) {
    (target.kind, target.index, target.label().to_owned())
}

/// The first node at which a camera or a light stands.
fn node_with(
    scene: &Scene,
    mut test: impl FnMut(Option<CameraIndex>, Option<LightIndex>) -> bool,
) -> Option<NodeIndex> {
    scene.nodes.iter().position(|node| test(node.camera, node.light)).map(NodeIndex)
}
