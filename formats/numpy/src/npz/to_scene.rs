//! Document to scene: joints, and a clip with a key of each on each frame.

use super::codes;
use super::document::Document;
use super::info::ID;
use super::layout::{ClipNumbers, Finding, Motion, Rotations, Take, interpret};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report, Severity};
use dopesheet_core::format::{Assumptions, Check, ToScene};
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, Hierarchy, Law, Laws, Node, NodeIndex, Property, RestPose, Scene, Target,
    TargetKind, Times, Track,
};
use dopesheet_core::order::by_key;
use dopesheet_core::units::FrameRate;
use dopesheet_curve::{quat_from_rotation_vector, quat_normalise_or_identity};
use glam::{DMat3, DQuat, DVec3};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Facts required for any conversion.
const NEEDED: [Check; 3] = [codes::RATE_UNKNOWN, codes::AXES_UNKNOWN, codes::ORDER_UNKNOWN];

/// Words of these facts, each with a valid value.
const ANY_FACTS: [(&str, &str); 3] = [("rate", "30"), ("axes", "yup"), ("order", "xyzw")];

pub(super) fn to_scene(
    document: &Document,
    options: &ToScene,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    let interpreted = interpret(document);
    // A number that is not finite does not keep the others from being a motion.
    let is_fatal = |check: &Check| check.severity == Severity::Error && check.code != codes::NONFINITE.code;
    let is_needed = |check: &Check| NEEDED.iter().any(|needed| needed.code == check.code);
    let stops = interpreted
        .findings
        .iter()
        .find(|f| is_fatal(&f.check))
        .or_else(|| interpreted.findings.iter().find(|f| is_needed(&f.check)));
    match (&interpreted.motion, stops) {
        // Whoever asks what is in a file gets what can be said.
        _ if options.as_stored && (stops.is_some() || interpreted.motion.is_none()) => Ok(interpreted
            .motion
            .as_ref()
            .map_or_else(|| Scene::new(Basis::GLTF), |motion| joints(motion, None))),
        (Some(motion), None) => {
            for finding in &interpreted.findings {
                report.push(finding.check.severity, fault(finding));
            }
            interpreted.left_out.iter().for_each(|(what, why)| report.dropped(what, *why));
            Ok(scene(motion, options))
        }
        (_, Some(finding)) => {
            let mut fault = fault(finding);
            let missing = missing(document);
            if is_needed(&finding.check) && missing.len() > 1 {
                let words: Vec<String> = missing.iter().map(|word| format!("{word}=…")).collect();
                fault.expected = format!("what the file does not state: --assume {}", words.join(",")).into();
                fault.found = "none of them".into();
            }
            Err(ConvertError::new(ID, ConvertErrorKind::Fault(Box::new(fault))))
        }
        (None, None) => {
            let what = interpreted.findings.first().map_or_else(String::new, |finding| finding.found.clone());
            Err(ConvertError::new(
                ID,
                ConvertErrorKind::NothingToConvert(format!(
                    "no known motion in the arrays {what}; name it with --assume layout=…"
                )),
            ))
        }
    }
}

/// Words of all needed facts that a file leaves open, the most important first. Each shows only after the
/// facts before are known.
fn missing(document: &Document) -> Vec<&'static str> {
    let mut words = Vec::new();
    let mut assumed = document.clone();
    loop {
        let findings = interpret(&assumed).findings;
        let open = NEEDED.iter().zip(ANY_FACTS).filter(|(needed, (word, _))| {
            findings.iter().any(|finding| finding.check.code == needed.code) && !words.contains(word)
        });
        let open: Vec<_> = open.map(|(_, fact)| fact).collect();
        if open.is_empty() {
            break;
        }
        let stated_words = words.iter().chain(open.iter().map(|(word, _)| word));
        let values = stated_words.filter_map(|word| ANY_FACTS.iter().find(|(fact, _)| fact == word));
        let facts = values.map(|(word, value)| ((*word).to_owned(), (*value).to_owned()));
        assumed.assumed = Assumptions::new(stated(document).chain(facts));
        words.extend(open.iter().map(|(word, _)| *word));
    }
    by_key(&mut words, |word| ANY_FACTS.iter().position(|(fact, _)| fact == word));
    words
}

/// Facts stated by the caller.
fn stated(document: &Document) -> impl Iterator<Item = (String, String)> {
    let value = |word: &str| Some((word.to_owned(), document.assumed.get(word)?.to_owned()));
    document.assumed.words().filter_map(value)
}

fn fault(finding: &Finding) -> Fault {
    Fault::new(finding.check.code, Place::File, finding.expected.clone(), finding.found.clone())
        .at_path(finding.path.clone())
}

/// The rotation from the world's axes to the axes of a body, with left +X, up +Y and front +Z.
pub(super) fn upright(world: &Basis) -> DQuat {
    let axes = [world.left, world.up, world.front].map(|axis| DVec3::from(axis.vector()));
    DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2]).transpose())
}

/// The joints of a motion, at rest.
fn joints(motion: &Motion, basis: Option<Basis>) -> Scene {
    let basis = basis.or(motion.basis).unwrap_or(Basis { metres_per_unit: None, ..Basis::GLTF });
    let hierarchy = if motion.knows_parents { Hierarchy::Known } else { Hierarchy::Unknown };
    let mut scene = Scene { hierarchy, ..Scene::new(basis) };
    for (index, (name, parent)) in motion.joints.iter().enumerate() {
        let rest = motion.rest.get(index).copied().unwrap_or_default();
        let node = Node::new(name, parent.map(NodeIndex), rest);
        scene.push_node(Node { source_index: Some(index), ..node });
    }
    scene
}

fn scene(motion: &Motion, options: &ToScene) -> Scene {
    let is_body = motion.is_body();
    // The axes of a body are glTF's; only the world around it has others.
    let turn = motion.basis.filter(|_| is_body && !options.as_stored).map(|world| upright(&world));
    let mut scene = joints(motion, turn.map(|_| Basis::GLTF));
    if is_body {
        place_root(&mut scene, motion, turn);
        if motion.is_rest_assumed {
            scene.rest = RestPose::Ordinary;
        }
    }
    let Some(rate) = motion.rate else { return scene };
    for (index, take) in motion.takes.iter().enumerate().filter(|(_, take)| take.frames > 0) {
        let mut clip = clip(motion, take, rate, options, turn.unwrap_or(DQuat::IDENTITY));
        if clip.name.is_none() && motion.takes.len() > 1 {
            clip.name = Some(format!("sample {index}"));
        }
        scene.clips.push(clip);
    }
    scene
}

fn clip(motion: &Motion, take: &Take, rate: FrameRate, options: &ToScene, turn: DQuat) -> Clip {
    let count = i64::try_from(take.frames).unwrap_or(i64::MAX);
    let times = Times::Frames { rate, frames: (0..count).collect() };
    let sources = || Arc::new((0..take.frames).map(|frame| u32::try_from(frame).ok()).collect());
    let lanes = Lanes { motion, take, times: &times, turn, sources: options.keep_sources.then(sources) };
    let tracks = (0..motion.joints.len()).filter_map(|joint| lanes.track(joint));
    Clip {
        name: take.name.clone().or_else(|| options.fallback_name.clone()),
        duration: rate.seconds((take.frames - 1) as f64),
        tracks: tracks.chain(lanes.dials()).collect(),
        grid: Some(rate),
        places_only: matches!(take.values, ClipNumbers::Places(_)),
        source: Some(notes(motion, rate)),
        ..Clip::default()
    }
}

/// Puts the root of a body at its place of rest: bodies state the place in the axes of the world, and an
/// assumed figure stands upright.
fn place_root(scene: &mut Scene, motion: &Motion, turn: Option<DQuat>) {
    let (Some(world), Some(root)) = (motion.basis, scene.nodes.first_mut()) else { return };
    let position = DVec3::from(root.rest.translation);
    let lying = upright(&world).inverse();
    match turn {
        Some(turn) if !motion.is_rest_assumed => root.rest.translation = (turn * position).to_array(),
        Some(_) => {}
        None => {
            root.rest.rotation = lying.to_array();
            if motion.is_rest_assumed {
                root.rest.translation = (lying * position).to_array();
            }
        }
    }
}

/// Notes carried by a clip, so that a file comes back unchanged.
fn notes(motion: &Motion, rate: FrameRate) -> Value {
    let layout = motion.layout.word();
    let facts = [("format", Value::from(ID)), ("layout", layout.into()), ("fps", rate.fps().into())];
    let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value));
    Value::Object(facts.chain(motion.notes.clone()).collect::<Map<_, _>>())
}

/// The channels of a motion.
struct Lanes<'a> {
    motion: &'a Motion,
    take: &'a Take,
    times: &'a Times,
    /// Rotation from the world's axes to glTF's, applied to the root.
    turn: DQuat,
    /// Frames of the keys, if curves are to state the places of their keys in the file.
    sources: Option<Arc<Vec<Option<u32>>>>,
}

impl Lanes<'_> {
    fn track(&self, joint: usize) -> Option<Track> {
        let (name, parent) = self.motion.joints.get(joint)?;
        let mut channels = Vec::new();
        match &self.take.values {
            ClipNumbers::Places(places) => {
                channels.push(self.vector(Property::Translation, self.relative_positions(places, joint)))
            }
            ClipNumbers::Transforms { rotations, roots, translations, scales } => {
                channels.extend(self.rotation(rotations, joint));
                let positions = match (translations, roots) {
                    (Some(all), _) => Some(self.column(all, joint, self.motion.joints.len())),
                    (None, Some(roots)) if parent.is_none() => Some(self.root(roots)),
                    _ => None,
                };
                channels.extend(positions.map(|values| self.vector(Property::Translation, values)));
                let scales = scales.as_ref().map(|all| self.column(all, joint, self.motion.joints.len()));
                channels.extend(scales.map(|values| self.vector(Property::Scale, values)));
            }
        }
        let target = Target::new(TargetKind::Joint, name, joint, Some(NodeIndex(joint)));
        (!channels.is_empty()).then_some(Track { target, channels })
    }

    /// Numbers that move no joint, grouped by name.
    fn dials(&self) -> Vec<Track> {
        let mut tracks: Vec<Track> = Vec::new();
        for dial in &self.take.dials {
            let values =
                self.column::<1>(&dial.values, 0, 1).iter().map(|[number]| narrow(*number)).collect();
            let channel =
                Channel::whole(Property::Named(dial.array.into()), self.curve(1, values, Law::LINEAR));
            match tracks.iter_mut().find(|track| track.target.name == dial.name) {
                Some(track) => track.channels.push(channel),
                None => {
                    let target = Target::new(TargetKind::Custom, &dial.name, tracks.len(), None);
                    tracks.push(Track { target, channels: vec![channel] });
                }
            }
        }
        tracks
    }

    /// The rows of one entry of a frame. A number that is not finite is replaced by the number before, and by
    /// 0 at first.
    fn column<const N: usize>(&self, numbers: &[f64], entry: usize, entries: usize) -> Vec<[f64; N]> {
        let mut last = [0.0; N];
        let rows = numbers.as_chunks::<N>().0.iter().skip(entry).step_by(entries.max(1));
        rows.map(|row| {
            for (last, number) in last.iter_mut().zip(row).filter(|(_, number)| number.is_finite()) {
                *last = *number;
            }
            last
        })
        .collect()
    }

    /// Positions of a joint relative to its parent.
    fn relative_positions(&self, places: &[f64], joint: usize) -> Vec<[f64; 3]> {
        let count = self.motion.joints.len();
        let positions = self.column(places, joint, count);
        match self.motion.joints.get(joint).and_then(|joint| joint.1) {
            None => positions,
            Some(parent) => {
                let from = self.column::<3>(places, parent, count);
                let pairs = positions.iter().zip(&from);
                pairs.map(|(to, from)| std::array::from_fn(|axis| to[axis] - from[axis])).collect()
            }
        }
    }

    /// Positions of the only root.
    fn root(&self, roots: &[f64]) -> Vec<[f64; 3]> {
        let is_body = self.take.values.is_body();
        // Bodies say how far they have gone from where they rest.
        let rest = self.motion.rest.first().map_or([0.0; 3], |rest| rest.translation);
        let start = if is_body && !self.motion.is_rest_assumed { DVec3::from(rest) } else { DVec3::ZERO };
        let moved = |gone: [f64; 3]| (self.turn * (DVec3::from(gone) + start)).to_array();
        self.column(roots, 0, 1).into_iter().map(moved).collect()
    }

    fn rotation(&self, rotations: &Rotations, joint: usize) -> Option<Channel> {
        let count = self.motion.joints.len();
        let rows: Vec<[f64; 4]> = match rotations {
            Rotations::Vectors(vectors) => {
                let turn = if joint == 0 { self.turn } else { DQuat::IDENTITY };
                let turned = |vector| turn * DQuat::from_array(quat_from_rotation_vector(vector));
                self.column(vectors, joint, count)
                    .into_iter()
                    .map(|vector| turned(vector).to_array())
                    .collect()
            }
            Rotations::Quaternions(quaternions) => {
                let rows = self.column(quaternions.as_ref()?, joint, count);
                rows.into_iter().map(quat_normalise_or_identity).collect()
            }
        };
        let values = rows.iter().flatten().map(|x| narrow(*x)).collect();
        Some(Channel::whole(Property::Rotation, self.curve(4, values, Law::SLERP)))
    }

    fn vector(&self, property: Property, rows: Vec<[f64; 3]>) -> Channel {
        let values = rows.iter().flatten().map(|x| narrow(*x)).collect();
        Channel::whole(property, self.curve(3, values, Law::LINEAR))
    }

    fn curve(&self, width: usize, values: Vec<f32>, law: Law) -> Curve {
        Curve {
            sources: self.sources.clone(),
            ..Curve::new(self.times.clone(), width, values, Laws::uniform(law))
        }
    }
}

/// The nearest f32; numbers beyond its range become the largest.
fn narrow(number: f64) -> f32 {
    number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}
