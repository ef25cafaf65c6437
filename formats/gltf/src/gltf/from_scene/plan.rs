//! Clip → channels and extras, given the seats of its targets. Shared by writing new files and by attaching.

use super::column::Column;
use super::extras::{ClipExtras, Extras, FovKeys, Spare, is_placeless};
use super::keys::{Draft, Meaning, StoredKeys, Unfit, keys, narrow};
use crate::gltf::json::parts::Path;
use dopesheet_core::model::{Channel, Clip, Property, Target, TargetKind, Track, Transform};
use dopesheet_core::words::counted;
use dopesheet_curve::quat_angle;
use std::collections::HashSet;

/// Place of a track's target in the file.
#[derive(Clone, Debug)]
pub(in crate::gltf) struct TargetNode {
    pub(in crate::gltf) index: usize,
    pub(in crate::gltf) rest: Transform,
    /// Default weights, one per morph target.
    pub(in crate::gltf) weights: Vec<f32>,
    /// A camera with perspective.
    pub(in crate::gltf) camera: Option<usize>,
    pub(in crate::gltf) light: Option<usize>,
}

/// Property that a channel animates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::gltf) enum Goal {
    Translation(usize),
    Rotation(usize),
    Scale(usize),
    Weights(usize),
    Pointer(String),
}

impl Goal {
    /// The node and the path; `None` for a pointer.
    pub(in crate::gltf) fn node(&self) -> Option<(usize, Path)> {
        Some(match self {
            Self::Translation(node) => (*node, Path::Translation),
            Self::Rotation(node) => (*node, Path::Rotation),
            Self::Scale(node) => (*node, Path::Scale),
            Self::Weights(node) => (*node, Path::Weights),
            Self::Pointer(_) => return None,
        })
    }
}

/// A channel to be written.
#[derive(Clone, Debug)]
pub(in crate::gltf) struct PlannedChannel<'a> {
    pub(in crate::gltf) goal: Goal,
    pub(in crate::gltf) column: Column,
    pub(in crate::gltf) keys: StoredKeys<'a>,
}

/// An animation to be written; without channels it is written as extras of the scene.
#[derive(Clone, Debug)]
pub(in crate::gltf) struct PlannedClip<'a> {
    pub(in crate::gltf) name: Option<String>,
    pub(in crate::gltf) channels: Vec<PlannedChannel<'a>>,
    pub(in crate::gltf) extras: Extras<'a>,
}

/// Remarks of planning.
#[derive(Clone, Debug, Default)]
pub(in crate::gltf) struct PlanRemarks {
    /// Arcs of half a turn with an additional key in their middle.
    pub(in crate::gltf) half_turns: usize,
    /// Channels whose target already has another channel.
    pub(in crate::gltf) duplicates: usize,
    /// Names of targets without a place in the file.
    pub(in crate::gltf) unmatched: Vec<String>,
    /// Segments of custom tracks with a law that has no word in extras.
    pub(in crate::gltf) straightened: usize,
    /// Names of parts that do not fit, with the reason.
    pub(in crate::gltf) misfits: Vec<(String, String)>,
}

/// Options of planning.
#[derive(Clone, Copy, Debug)]
pub(in crate::gltf) struct Rules {
    /// Keep channels that equal the rest pose throughout.
    pub(in crate::gltf) keep_constant: bool,
    /// Leave a constant channel with a single key.
    pub(in crate::gltf) collapses: bool,
    /// Tolerance within which a channel equals the rest pose: relative for numbers, radians for rotations.
    pub(in crate::gltf) rest_tolerance: f64,
}

/// Plans a clip. `node_of` finds a track's place in the file, `material` the position of a target's material.
pub(in crate::gltf) fn plan<'a>(
    clip: &'a Clip,
    name: Option<String>,
    rules: Rules,
    remarks: &mut PlanRemarks,
    mut node_of: impl FnMut(&Track, &mut PlanRemarks) -> Option<TargetNode>,
    material: impl Fn(&Target) -> Option<usize>,
) -> Result<PlannedClip<'a>, Unfit> {
    let mut drafts = Drafts {
        rules,
        remarks,
        channels: Vec::new(),
        taken: HashSet::new(),
        spares: Vec::new(),
        fov: Vec::new(),
    };
    for track in &clip.tracks {
        let node = match is_placeless(track.target.kind) {
            true => None,
            false => node_of(track, drafts.remarks),
        };
        for channel in &track.channels {
            let surface = || surface(material(&track.target)?, channel);
            drafts.channel(track, channel, node.as_ref(), surface).map_err(|unfit| {
                format!("{} of {:?}: {unfit}", channel.property.word(), track.target.name)
            })?;
        }
    }
    Ok(drafts.finish(clip, name))
}

struct Drafts<'a, 'b> {
    rules: Rules,
    remarks: &'b mut PlanRemarks,
    /// With whether the channel stays at its rest.
    channels: Vec<(PlannedChannel<'a>, bool)>,
    taken: HashSet<Goal>,
    spares: Vec<Spare<'a>>,
    fov: FovKeys,
}

impl<'a> Drafts<'a, '_> {
    /// Plans a channel; `surface` is the goal of a channel without a seat.
    fn channel(
        &mut self,
        track: &'a Track,
        channel: &'a Channel,
        node: Option<&TargetNode>,
        surface: impl FnOnce() -> Option<(Goal, Column)>,
    ) -> Result<(), Unfit> {
        let goal = match (&channel.property, node) {
            (Property::Translation, Some(node)) => Some((Goal::Translation(node.index), Column::Vectors)),
            (Property::Rotation, Some(node)) => Some((Goal::Rotation(node.index), Column::Rotations)),
            (Property::Scale, Some(node)) => Some((Goal::Scale(node.index), Column::Vectors)),
            (Property::Weights, Some(node)) => Some((Goal::Weights(node.index), Column::Numbers)),
            (property, Some(node)) => pointer(track.target.kind, property, node),
            (_, None) => surface(),
        };
        match goal {
            Some((goal, column)) => self.goal(track, channel, node, goal, column),
            None if needs_a_node(track.target.kind, &channel.property) => Ok(()),
            None => {
                self.spare(track, channel);
                Ok(())
            }
        }
    }

    /// A channel without a place in glTF goes into the extras.
    fn spare(&mut self, track: &'a Track, channel: &'a Channel) {
        match Draft::free(channel) {
            Ok((draft, laws, unknown)) => {
                self.remarks.straightened += unknown;
                self.spares.push(Spare { target: &track.target, channel, draft, laws });
            }
            Err(why) => {
                let what = format!("{} of {}", channel.property.word(), track.target.name);
                self.remarks.misfits.push((what, why));
            }
        }
    }

    fn goal(
        &mut self,
        track: &Track,
        channel: &'a Channel,
        node: Option<&TargetNode>,
        goal: Goal,
        column: Column,
    ) -> Result<(), Unfit> {
        let meaning = if column == Column::Rotations { Meaning::Rotation } else { Meaning::Numbers };
        let weights = node.map_or(0, |node| node.weights.len());
        let width = match (&goal, column) {
            (Goal::Weights(_), _) => weights,
            (_, Column::Vectors) => 3,
            (_, Column::Rotations | Column::Colors) => 4,
            _ => 1,
        };
        if matches!(goal, Goal::Weights(_)) {
            let weights = channel.composition.curves().next().map_or(0, |curve| curve.width);
            if weights != width || width == 0 {
                let why = format!(
                    "{} where the mesh has {}",
                    counted(weights, "weight"),
                    counted(width, "morph target")
                );
                self.remarks.misfits.push((format!("morph weights of {}", track.target.name), why));
                return Ok(());
            }
        }
        if !self.taken.insert(goal.clone()) {
            self.remarks.duplicates += 1;
            return Ok(());
        }
        let (keys, half_turns) = keys(channel, meaning, width, self.rules.collapses)?;
        self.remarks.half_turns += half_turns;
        if keys.times.is_empty() {
            return Ok(());
        }
        if channel.property == Property::YFov && self.fov.is_empty() {
            self.fov = keys.times.iter().copied().zip(keys.key_values().map(|value| value[0])).collect();
        }
        let at_rest = node.is_some_and(|node| equals_rest(&goal, &keys, node, self.rules.rest_tolerance));
        self.channels.push((PlannedChannel { goal, column, keys }, at_rest));
        Ok(())
    }

    /// Leaves out channels that stay at rest (but never all of them), and makes the animation last as long as
    /// the clip.
    fn finish(mut self, clip: &'a Clip, name: Option<String>) -> PlannedClip<'a> {
        if !self.rules.keep_constant {
            let all_at_rest = self.channels.iter().all(|(_, at_rest)| *at_rest);
            let mut number = 0;
            self.channels.retain(|(_, at_rest)| {
                number += 1;
                !at_rest || (all_at_rest && number == 1)
            });
        }
        let mut channels: Vec<PlannedChannel<'a>> =
            self.channels.into_iter().map(|(channel, _)| channel).collect();
        let last =
            |channels: &[PlannedChannel<'_>]| channels.iter().map(|c| c.keys.end()).fold(0.0, f32::max);
        let end = last(&channels).max(narrow(clip.duration.0));
        for channel in &mut channels {
            if channel.keys.is_cubic() {
                channel.keys.hold_from_start();
                channel.keys.hold_until(end);
            }
        }
        if last(&channels) < end
            && let Some(first) = channels.first_mut()
        {
            first.keys.hold_until(end);
        }
        let end = last(&channels);
        let extras = Extras::Made(ClipExtras { clip, end, spares: self.spares, fov: self.fov });
        PlannedClip { name, channels, extras }
    }
}

/// Properties without a meaning unless a node has them; tracks without a node have been reported by then.
fn needs_a_node(kind: TargetKind, property: &Property) -> bool {
    !is_placeless(kind)
        && matches!(
            property,
            Property::Translation | Property::Rotation | Property::Scale | Property::Weights
        )
}

/// The pointer to a property of the camera or light at a node.
fn pointer(kind: TargetKind, property: &Property, node: &TargetNode) -> Option<(Goal, Column)> {
    let light = |name: &str| {
        let light = node.light.filter(|_| kind == TargetKind::Light)?;
        Some(format!("/extensions/KHR_lights_punctual/lights/{light}/{name}"))
    };
    let camera = |name: &str| Some(format!("/cameras/{}/perspective/{name}", node.camera?));
    let (pointer, column) = match property {
        Property::YFov => (camera("yfov")?, Column::Numbers),
        Property::Color => (light("color")?, Column::Vectors),
        Property::Intensity => (light("intensity")?, Column::Numbers),
        Property::Named(name) => match (kind, name.as_ref()) {
            (TargetKind::Camera, "znear" | "zfar" | "aspectRatio") => (camera(name)?, Column::Numbers),
            (TargetKind::Light, "range") => (light(name)?, Column::Numbers),
            (TargetKind::Light, "innerConeAngle" | "outerConeAngle") => {
                (light(&format!("spot/{name}"))?, Column::Numbers)
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((Goal::Pointer(pointer), column))
}

/// The pointer to a colour of a material.
fn surface(material: usize, channel: &Channel) -> Option<(Goal, Column)> {
    let (name, column) = match (channel.numbers(), &channel.property) {
        (4, property) if *property == Property::BASE_COLOR => {
            ("pbrMetallicRoughness/baseColorFactor", Column::Colors)
        }
        (3, property) if *property == Property::EMISSIVE => ("emissiveFactor", Column::Vectors),
        _ => return None,
    };
    Some((Goal::Pointer(format!("/materials/{material}/{name}")), column))
}

/// True if a channel equals the rest pose of its node at every key.
fn equals_rest(goal: &Goal, keys: &StoredKeys<'_>, node: &TargetNode, tolerance: f64) -> bool {
    if !keys.tangents_are_zero() {
        return false;
    }
    let numbers = |rest: &[f64]| {
        let size = rest.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
        let near = |(value, rest): (&f32, &f64)| {
            *value == narrow(*rest) || (f64::from(*value) - rest).abs() <= tolerance * size
        };
        keys.key_values().all(|key| key.len() == rest.len() && key.iter().zip(rest).all(near))
    };
    match goal {
        Goal::Translation(_) => numbers(&node.rest.translation),
        Goal::Scale(_) => numbers(&node.rest.scale),
        Goal::Weights(_) => numbers(&node.weights.iter().map(|w| f64::from(*w)).collect::<Vec<_>>()),
        Goal::Rotation(_) => keys.key_values().all(|key| is_rotation(key, node.rest.rotation, tolerance)),
        Goal::Pointer(_) => false,
    }
}

fn is_rotation(key: &[f32], rest: [f64; 4], tolerance: f64) -> bool {
    let same = |sign: f64| key.iter().zip(rest).all(|(value, rest)| *value == narrow(sign * rest));
    let Ok(stored) = <[f32; 4]>::try_from(key) else { return false };
    same(1.0) || same(-1.0) || quat_angle(stored.map(f64::from), rest) <= tolerance
}
