//! Document to scene: a clip of one frame.

use super::codes;
use super::document::{Bone, Document, Morph};
use super::info::ID;
use crate::BASIS;
use crate::rotation::{self, Mended};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{Check, ToScene};
use dopesheet_core::model::{
    Channel, Clip, Curve, Hierarchy, Law, Laws, MorphSet, Node, PoseRelation, Property, Scene, Target,
    TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::{agreeing, grouped};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The grid of the only frame.
pub(super) const GRID: FrameRate = FrameRate::FPS_30;

/// The notes carried by a clip, so that the pose comes back with the name of its model.
const PARENT: &str = "parent";

fn notes(document: &Document) -> Value {
    json!({ "format": ID, PARENT: document.pose().parent })
}

/// Name of the model in the notes of a clip; notes of other formats are ignored.
pub(super) fn parent(source: Option<&Value>) -> Option<&str> {
    source.filter(|notes| notes["format"] == ID)?[PARENT].as_str()
}

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let mut repairs = Repairs { as_stored: options.as_stored, ..Repairs::default() };
    let mut scene = Scene { hierarchy: Hierarchy::Unknown, ..Scene::new(BASIS) };
    let times = Times::Frames { rate: GRID, frames: [0].into() };
    let curves = Curves { times, keep_sources: options.keep_sources };
    let mut tracks = bone_tracks(document, &curves, &mut scene, &mut repairs);
    tracks.extend(morph_tracks(document, &curves, &mut scene, &mut repairs));
    scene.clips.push(Clip {
        name: options.fallback_name.clone(),
        tracks,
        grid: Some(GRID),
        relation: PoseRelation::OnTopOfRest,
        source: Some(notes(document)),
        ..Clip::default()
    });
    repairs.report(report);
    scene
}

/// Omissions and repairs on the way into the scene.
#[derive(Default)]
struct Repairs {
    as_stored: bool,
    zero_quaternions: usize,
    long_quaternions: usize,
    nonfinite: usize,
    overruled: usize,
}

impl Repairs {
    fn report(&self, report: &mut Report) {
        if self.nonfinite > 0 {
            let what = format!(
                "{} {} with numbers that are not finite",
                grouped(self.nonfinite),
                agreeing(self.nonfinite, "bone or morph", "bones and morphs")
            );
            report.dropped(what, "nothing can be placed there");
        }
        let mut mended = |check: Check, count: usize, expected: &'static str, actual: &str| {
            if count > 0 {
                let fault = Fault::new(check.code, Place::File, expected, format!("{count} {actual}"));
                report.push(check.severity, fault);
            }
        };
        let twice = "overruled by a later one of the same name";
        mended(codes::DUPLICATE_NAME, self.overruled, "every name once", twice);
        let zero = "zero; read as no rotation";
        mended(codes::ZERO_QUATERNION, self.zero_quaternions, "rotations of any length but 0", zero);
        let long = "of another length; normalised";
        mended(codes::QUATERNION_NORM, self.long_quaternions, "rotations of length 1", long);
    }

    fn unit(&mut self, rotation: [f32; 4]) -> [f32; 4] {
        let (unit, mended) = rotation::unit(rotation, self.as_stored);
        match mended {
            Mended::No => {}
            Mended::Zero => self.zero_quaternions += 1,
            Mended::Length => self.long_quaternions += 1,
        }
        unit
    }
}

/// The effective items, each with its position in the file, in order of first appearance of their names: the
/// last item of each name.
fn last_of_each<'a, T>(
    items: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
    repairs: &mut Repairs,
) -> Vec<(usize, &'a T)> {
    let mut places = BTreeMap::new();
    let mut kept: Vec<(usize, &T)> = Vec::with_capacity(items.len());
    for item in items.iter().enumerate() {
        let position = *places.entry(name(item.1)).or_insert(kept.len());
        match kept.get_mut(position) {
            Some(earlier) => {
                *earlier = item;
                repairs.overruled += 1;
            }
            None => kept.push(item),
        }
    }
    kept
}

/// The curves of a pose.
struct Curves {
    times: Times,
    /// True if curves state the positions of their keys in the file.
    keep_sources: bool,
}

impl Curves {
    fn constant<const N: usize>(&self, place: usize, value: [f32; N], law: Law) -> Curve {
        let sources = self.keep_sources.then(|| Arc::new(vec![u32::try_from(place).ok()]));
        Curve { sources, ..Curve::new(self.times.clone(), N, value.to_vec(), Laws::uniform(law)) }
    }
}

/// One flat node and one track per bone. A bone without a playable key keeps its node.
fn bone_tracks(document: &Document, curves: &Curves, scene: &mut Scene, repairs: &mut Repairs) -> Vec<Track> {
    let bones = last_of_each(&document.pose().bones, |bone: &Bone| &bone.name, repairs);
    let mut tracks = Vec::with_capacity(bones.len());
    for (index, (position, bone)) in bones.into_iter().enumerate() {
        let node = Node::new(bone.name.clone(), None, Transform::IDENTITY);
        let node = scene.push_node(Node { source_index: Some(index), ..node });
        if bone.translation.iter().chain(&bone.rotation).any(|number| !number.is_finite()) {
            repairs.nonfinite += 1;
            continue;
        }
        let rotation = repairs.unit(bone.rotation);
        let channels = vec![
            Channel::whole(Property::Translation, curves.constant(position, bone.translation, Law::LINEAR)),
            Channel::whole(Property::Rotation, curves.constant(position, rotation, Law::SLERP)),
        ];
        let target = Target::new(TargetKind::Joint, bone.name.clone(), index, Some(node));
        tracks.push(Track { target, channels });
    }
    tracks
}

/// One track per morph, and the list of all of them.
fn morph_tracks(
    document: &Document,
    curves: &Curves,
    scene: &mut Scene,
    repairs: &mut Repairs,
) -> Vec<Track> {
    let morphs = last_of_each(&document.pose().morphs, |morph: &Morph| &morph.name, repairs);
    let mut tracks = Vec::with_capacity(morphs.len());
    let mut set = MorphSet::default();
    for (index, (position, morph)) in morphs.into_iter().enumerate() {
        set.morphs.push(morph.name.clone());
        if !morph.weight.is_finite() {
            repairs.nonfinite += 1;
            continue;
        }
        let weight = curves.constant(position, [morph.weight], Law::LINEAR);
        let channels = vec![Channel::whole(Property::Weight, weight)];
        let target = Target::new(TargetKind::Morph, morph.name.clone(), index, None);
        tracks.push(Track { target, channels });
    }
    if !set.morphs.is_empty() {
        scene.morph_sets.push(set);
    }
    tracks
}
