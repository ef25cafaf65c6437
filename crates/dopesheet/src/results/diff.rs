//! Differences of two animations.

use crate::choice::clip_choice::ClipChoice;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::points::turn_points;
use crate::models::reach::ModelFit;
use crate::models::vocabularies::{Vocabularies, other_vocabulary};
use crate::playing::on_model::OnModel;
use dopesheet_core::diag::{MeasureKind, Report, Verdict};
use dopesheet_core::format::{Limits, NameMap, Role};
use dopesheet_core::model::HumanBone;
use dopesheet_core::model::{Clip, Hierarchy, Node, Scene, TargetKind, Track};
use dopesheet_core::units::Seconds;
use dopesheet_human::{Moving, carrying_surface, make_ends, propose, verdict};
use dopesheet_motion::compare::{JointDifference, joint_differences_at};
use dopesheet_motion::{Animation, Comparison, Tolerance, compare};

/// Options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct DiffOptions<'a> {
    /// Tolerance of the comparison.
    pub tolerance: Tolerance,
    /// The model that motions play on. A motion of a human figure whose bones have names of another vocabulary
    /// is put onto it. A file with a model of its own plays on its own model.
    pub model: Option<&'a Opened>,
    /// Names of A → names of B.
    pub names: NameMap,
    /// True to refuse a motion of which fewer than half of the moving tracks reach the model ([`Error::Lost`]).
    pub refuses_lost: bool,
    /// The motion to compare. If B has only a single motion, of another name, that motion is compared.
    pub clip: ClipChoice,
    /// The motion of B in a comparison of [`diff_onto`], where `clip` is A's.
    pub result_clip: Option<ClipChoice>,
    /// Upper bounds of the work: of the frames on which the rig of a model is solved. More frames are
    /// refused.
    pub limits: Limits,
}

/// Differences of two files.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The caller's name of the first file.
    pub a: String,
    /// The caller's name of the second file.
    pub b: String,
    /// Largest differences that count as equality.
    pub tolerance: Tolerance,
    /// Measured differences, target by target and as a whole.
    pub comparison: Comparison,
}

/// Compares a clip of each file, in the form in which [`convert`](fn@crate::convert) would carry it to glTF:
/// after documented repairs, in metres and glTF's axes. A file without clips counts as its rest pose.
///
/// # Errors
/// If a document cannot be interpreted, a clip does not exist, or a rig would have to be solved on more
/// frames than [`DiffOptions::limits`] allows.
pub fn diff(a: &Opened, b: &Opened, options: &DiffOptions<'_>) -> Result<Diff, Error> {
    Ok(Comparer::new(a, b, options)?.diff())
}

/// Verdict on a motion that another figure took.
#[derive(Clone, Debug, PartialEq)]
pub struct OntoDiff {
    /// The caller's name of the motion.
    pub a: String,
    /// The caller's name of the result.
    pub b: String,
    /// Position and name of the compared clip of the result.
    pub result_clip: (usize, Option<String>),
    /// Limits in place of the verdict's own.
    pub tolerances: Tolerances,
    /// The verdict.
    pub verdict: Verdict,
}

/// Limits of measures that count as equality; `None` is the limit of a good verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerances {
    /// Largest angle in radians of arms, and of legs whose feet are in the air.
    pub angle_rad: Option<f64>,
    /// Largest slide, height of a sole, and depth, in metres.
    pub length_m: Option<f64>,
}

impl OntoDiff {
    /// True if no measure is over its limit.
    #[must_use]
    pub fn is_within(&self) -> bool {
        let Tolerances { angle_rad, length_m } = self.tolerances;
        self.verdict.is_within(|info| match (info.kind, info.unit) {
            (MeasureKind::Arms | MeasureKind::FreeLegs, _) => angle_rad.unwrap_or(info.good),
            (_, "m") => length_m.unwrap_or(info.good),
            _ => info.good,
        })
    }
}

/// Compares a motion with its result on another figure: the directions of limbs, what happens on the ground, and
/// how fast joints bend.
///
/// Of several clips of the result, the clip of the motion's name is compared, else the last. [`DiffOptions::clip`]
/// chooses a clip of the motion's file; if there is only one, of the result. With [`DiffOptions::result_clip`]
/// each option chooses in one file.
///
/// # Errors
/// As [`diff`](fn@diff), and [`Error::Usage`] if either file has no human figure with legs or no motion.
pub fn diff_onto(
    a: &Opened,
    b: &Opened,
    options: &DiffOptions<'_>,
    tolerances: Tolerances,
) -> Result<OntoDiff, Error> {
    let names = NameMap::default();
    // A motion with a figure of its own is not put onto the model.
    let alone = |file: &Opened| {
        let differs =
            |model: &&Opened| other_vocabulary(file, model, &names, Vocabularies::default()).is_some();
        DiffOptions { model: options.model.filter(|model| !differs(model)), ..options.clone() }
    };
    let mut scenes = [scene(a, &alone(a), &names)?, scene(b, &alone(b), &names)?];
    // A motion that is alone in its file needs no choice.
    let is_of_result = scenes[0].clips.len() == 1 && options.clip != ClipChoice::First;
    let (mut humanoids, mut clips) = (Vec::new(), Vec::<(usize, Option<String>)>::new());
    let maps = [(&a.name, options.names.clone()), (&b.name, options.names.of_figure())];
    for (scene, (name, names)) in scenes.iter_mut().zip(maps) {
        let mut humanoid = carrying_surface(scene, &propose(scene, &names).humanoid);
        let missing: Vec<&str> = humanoid.missing().into_iter().map(HumanBone::word).collect();
        let usage = |problem: String| {
            Error::Usage(format!("expected a motion of a human figure in {name}, found {problem}"))
        };
        if !humanoid.is_human() {
            return Err(usage(format!("no node for {}", missing.join(", "))));
        }
        make_ends(scene, &mut humanoid);
        let position = match (clips.as_slice(), &options.result_clip) {
            ([_], Some(choice)) => choice.place_in(&scene.clips)?,
            (_, None) if scene.clips.len() == 1 => Some(0),
            ([(_, motion)], _) if !is_of_result => newest_clip(scene, motion.as_deref().unwrap_or(a.stem())),
            _ => options.clip.place_in(&scene.clips)?,
        };
        let position = position.ok_or_else(|| usage("none".to_owned()))?;
        let clip = scene.clips.swap_remove(position);
        clips.push((position, clip.name.clone()));
        scene.clips = vec![clip];
        humanoids.push(humanoid);
    }
    let [from, to] = &scenes;
    let figure = |scene, humanoid| Moving { scene, humanoid, clip: 0, ground_m: 0.0 };
    let verdict = match humanoids.as_slice() {
        [from_scene, to_scene] => verdict(&figure(from, from_scene), &figure(to, to_scene)),
        _ => None,
    };
    let mut verdict =
        verdict.ok_or_else(|| Error::Usage("expected legs in both figures, found none".to_owned()))?;
    verdict.clip = clips[0].0;
    Ok(OntoDiff {
        a: a.name.clone(),
        b: b.name.clone(),
        result_clip: clips.swap_remove(1),
        tolerances,
        verdict,
    })
}

/// Position of the last clip of a name, also with a number behind it (`walk_1`), else of the last clip: the
/// motion that a figure with other clips took.
fn newest_clip(scene: &Scene, name: &str) -> Option<usize> {
    let is_numbered = |(stem, number): (&str, &str)| stem == name && number.parse::<u32>().is_ok();
    let is_named = |other: &str| other == name || other.rsplit_once('_').is_some_and(is_numbered);
    let position = scene.clips.iter().rposition(|clip| clip.name.as_deref().is_some_and(is_named));
    position.or(scene.clips.len().checked_sub(1))
}

/// Two files that are ready for comparison, as a whole and at any time.
#[derive(Clone, Debug)]
pub struct Comparer {
    names: [String; 2],
    scenes: [Scene; 2],
    clips: [Clip; 2],
    tolerance: Tolerance,
}

impl Comparer {
    /// Prepares two files for comparison as [`diff`](fn@diff) does.
    ///
    /// # Errors
    /// As [`diff`](fn@diff).
    pub fn new(a: &Opened, b: &Opened, options: &DiffOptions<'_>) -> Result<Self, Error> {
        let mut scene_a = scene(a, options, &options.names)?;
        let mut scene_b = scene(b, options, &NameMap::default())?;
        let clip_a = options.clip.take(&mut scene_a)?;
        let choice = if scene_b.clips.len() == 1 { &ClipChoice::First } else { &options.clip };
        let clip_b = choice.take(&mut scene_b)?;
        Ok(Self {
            names: [a.name.clone(), b.name.clone()],
            scenes: [scene_a, scene_b],
            clips: [clip_a, clip_b].map(Option::unwrap_or_default),
            tolerance: options.tolerance,
        })
    }

    /// The differences.
    #[must_use]
    pub fn diff(&self) -> Diff {
        let [a, b] = self.sides();
        let [name_a, name_b] = self.names.clone();
        Diff { a: name_a, b: name_b, tolerance: self.tolerance, comparison: compare(a, b, &self.tolerance) }
    }

    /// Distances of joints at a time, by their names in the first file, for points within `shell_m` around
    /// each ([`Comparison::shell_m`]), in metres. Joints present in only one file are left out.
    #[must_use]
    pub fn joints_at(&self, time: Seconds, shell_m: f64) -> Vec<(&str, f64)> {
        let [a, b] = self.sides();
        let joints = joint_differences_at(a, b, time, shell_m).into_iter();
        let named = |joint: JointDifference| {
            Some((self.scenes[0].node(joint.a)?.name.as_str(), joint.displacement_m))
        };
        joints.filter_map(named).collect()
    }

    /// The end of the longer clip.
    #[must_use]
    pub fn end(&self) -> Seconds {
        Seconds(self.clips[0].end().0.max(self.clips[1].end().0))
    }

    fn sides(&self) -> [Animation<'_>; 2] {
        [0, 1].map(|side| Animation { scene: &self.scenes[side], clip: &self.clips[side] })
    }
}

fn scene(opened: &Opened, options: &DiffOptions<'_>, names: &NameMap) -> Result<Scene, Error> {
    let (mut report, limits) = (Report::default(), &options.limits);
    let without_model = OnModel { motion: opened, model: None, onto: None, names, clip: None, limits };
    let (mut scene, _) = without_model.carried(&mut report)?;
    let is_motion = opened.format().info().role == Role::Motion;
    if options.model.is_some() && (is_motion || scene.hierarchy == Hierarchy::Unknown) {
        let clip = (options.refuses_lost && is_motion).then_some(&options.clip);
        let (bound, fit) = OnModel { model: options.model, clip, ..without_model }.carried(&mut report)?;
        let alone = std::mem::replace(&mut scene, bound);
        if let Some(fit) = fit {
            keep_unbound(&mut scene, alone, &fit, names);
        }
    } else {
        rename(scene.nodes.iter_mut().map(|node| &mut node.name), names);
    }
    turn_points(&mut scene, &mut report);
    let tracks = scene.clips.iter_mut().flat_map(|clip: &mut Clip| &mut clip.tracks);
    rename(tracks.map(|track| &mut track.target.name), names);
    rename(scene.morph_sets.iter_mut().flat_map(|set| &mut set.morphs), names);
    Ok(scene)
}

/// Gives the joints of a motion that its model lacks nodes of their own, so that their motion counts.
fn keep_unbound(bound: &mut Scene, motion: Scene, fit: &ModelFit, names: &NameMap) {
    for (index, clip) in motion.clips.into_iter().enumerate() {
        let unbound = fit.unbound_joints(index);
        let is_unbound = |track: &Track| {
            track.target.kind == TargetKind::Joint && unbound.contains(track.target.name.as_str())
        };
        for mut track in clip.tracks.into_iter().filter(is_unbound) {
            let rest = track.target.node.and_then(|node| motion.nodes.get(node.0)).map(|node| node.rest);
            let name = names.get(&track.target.name).to_owned();
            track.target.node = Some(bound.push_node(Node::new(name, None, rest.unwrap_or_default())));
            if let Some(clip) = bound.clips.get_mut(index) {
                clip.tracks.push(track);
            }
        }
    }
}

fn rename<'a>(all: impl Iterator<Item = &'a mut String>, names: &NameMap) {
    for name in all {
        *name = names.get(name).to_owned();
    }
}
