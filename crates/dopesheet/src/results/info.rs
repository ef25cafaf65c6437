//! Contents of files.

pub use crate::models::bound::{name_by_file, stored};

use super::check::check;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::binding::{Binding, binding};
use crate::models::bone_map::bone_map;
use crate::models::bound::{as_stored, check_map, counted};
use crate::models::persons::{person, too_few};
use dopesheet_core::diag::Severity;
use dopesheet_core::format::{NameMap, Summary};
use dopesheet_core::model::{Basis, Clip, Hierarchy, HumanBone, NodeIndex, Scene};
use dopesheet_human::doubts;
use dopesheet_human::{Proposal, Vocabulary, propose};

/// Content of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The caller's name of the file.
    pub file: String,
    /// The format's id.
    pub format: &'static str,
    /// The format's full name.
    pub format_name: &'static str,
    /// Version, variant and facts particular to this format.
    pub summary: Summary,
    /// Origin of the parents.
    pub hierarchy: Hierarchy,
    /// Number of nodes that the file has or names.
    pub nodes: usize,
    /// Numbers of meshes, skins, materials, morphs, cameras and lights, by name.
    pub parts: Vec<(&'static str, usize)>,
    /// Its motions.
    pub clips: Vec<ClipInfo>,
    /// Number of findings of `check` by severity: errors, warnings, infos.
    pub findings: [usize; 3],
    /// The human figure among the file's nodes, if any node is a bone.
    pub humanoid: Option<HumanoidInfo>,
    /// Fit of the file with a model, if the caller named one.
    pub binding: Option<Binding>,
    /// The figure that the file's motions may be put onto, if the caller named one.
    pub onto: Option<OntoInfo>,
    /// Reason why the rest is unknown, if the file makes no sense as a scene: it needs an extension, or is an
    /// archive.
    pub unknown: Option<String>,
}

/// The human figure that a conversion would find in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanoidInfo {
    /// The bones found, and the names of their nodes; parents first.
    pub bones: Vec<(HumanBone, String)>,
    /// Missing bones among the bones required of every humanoid.
    pub required: Vec<HumanBone>,
    /// Other missing bones.
    pub optional: Vec<HumanBone>,
    /// Word of the vocabulary of the nodes' names; `None` if the file or the caller assigns the bones.
    pub vocabulary: Option<&'static str>,
    /// Certainty from 0 (no required bone was found) to 1 (all were, by their exact names).
    pub certainty: f64,
    /// Phrases about the figure's shape that contradict the names of its bones; any of them halves the
    /// certainty.
    pub doubts: Vec<String>,
    /// Bones proposed by the shape of the figure, if its names identify too few bones: each bone with the name
    /// of its node and a certainty between 0 and 1.
    pub by_shape: Vec<(HumanBone, String, f64)>,
    /// True if the bones by shape are certain enough to be used.
    pub is_by_shape: bool,
    /// A map of nodes to bones for `--map`, as JSON to edit, of a figure that its names do not identify.
    pub map: Option<String>,
}

/// A human figure that motions of another may be put onto.
#[derive(Clone, Debug, PartialEq)]
pub struct OntoInfo {
    /// The caller's name of its file.
    pub file: String,
    /// Its bones.
    pub humanoid: HumanoidInfo,
}

impl OntoInfo {
    /// The figure of a file: of several the one at the position `person` from 0. `names` maps names of nodes to words of [`HumanBone`], and
    /// the vocabulary `only`, if given, is the only one tried.
    ///
    /// # Errors
    /// If the document makes no sense as a scene, or has no bone of a figure or fewer figures.
    pub fn of(
        target: &Opened,
        names: &NameMap,
        only: Option<Vocabulary>,
        person: usize,
    ) -> Result<Self, Error> {
        let file = target.name.clone();
        let humanoid = humanoid_by(target, &names.of_figure(), only, person)?;
        let nothing = || Error::Usage(format!("expected a human figure in {file}, found no bone of one"));
        Ok(Self { humanoid: humanoid.ok_or_else(nothing)?, file })
    }

    /// Each bone of either figure, with its nodes in the motion and in this file.
    #[must_use]
    pub fn pairs<'a>(
        &'a self,
        motion: &'a HumanoidInfo,
    ) -> Vec<(HumanBone, Option<&'a str>, Option<&'a str>)> {
        let all = HumanBone::ALL.into_iter();
        let pairs = all.map(|bone| (bone, motion.node(bone), self.humanoid.node(bone)));
        pairs.filter(|(_, from, to)| from.is_some() || to.is_some()).collect()
    }
}

impl HumanoidInfo {
    /// The name of a bone's node.
    #[must_use]
    pub fn node(&self, bone: HumanBone) -> Option<&str> {
        self.bones.iter().find(|(listed, _)| *listed == bone).map(|(_, name)| name.as_str())
    }

    /// Words for the source of the assignment of bones to nodes.
    #[must_use]
    pub fn whose(&self) -> String {
        match self.vocabulary {
            Some(whose) => format!("by names of {whose}"),
            None if self.is_by_shape => "by the shape of the figure".to_owned(),
            None => "as the file says".to_owned(),
        }
    }

    /// True if all bones are bones of hands. Hands alone make no figure.
    #[must_use]
    pub fn is_hands(&self) -> bool {
        let parts = ["Hand", "Thumb", "Index", "Middle", "Ring", "Little"];
        self.bones.iter().all(|(bone, _)| parts.iter().any(|part| bone.word().contains(part)))
    }
}

/// A motion of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipInfo {
    /// `None` if the file has no name for the clip.
    pub name: Option<String>,
    /// Name in the file, if programs give the name to every clip; then `name` is the name of the file.
    pub stored_name: Option<String>,
    /// From 0 to its end, in seconds.
    pub duration_s: f64,
    /// Number of targets that the clip moves.
    pub tracks: usize,
    /// Number of keys of all channels together.
    pub keys: usize,
    /// Number of markers.
    pub markers: usize,
    /// Frames per second, if its keys lie on frames.
    pub rate_fps: Option<f64>,
}

/// Content of a file; facts about the file alone, if the document makes no sense as a scene.
///
/// # Errors
/// Never, so far.
pub fn info(opened: &Opened) -> Result<Info, Error> {
    let format = opened.format();
    let scene = counted(opened);
    let unknown = scene.as_ref().err().map(ToString::to_string);
    let nothing = || Scene { hierarchy: Hierarchy::Unknown, ..Scene::new(Basis::GLTF) };
    let scene = scene.unwrap_or_else(|_| nothing());
    let report = check(opened);
    let count = |severity| report.findings.iter().filter(|f| f.severity == severity).count();
    Ok(Info {
        file: opened.name.clone(),
        format: format.info().id,
        format_name: format.info().name,
        summary: format.summary(&opened.document),
        hierarchy: scene.hierarchy,
        nodes: scene.nodes.len(),
        parts: parts(&scene),
        clips: scene.clips.iter().map(clip_info).collect(),
        findings: [count(Severity::Error), count(Severity::Warning), count(Severity::Info)],
        humanoid: figure(&scene, &NameMap::default()),
        binding: None,
        onto: None,
        unknown,
    })
}

/// As [`info`], and the fit of the file's motions with a model, if one is given. `names` maps names of the
/// motion to names of the model, or to words of [`HumanBone`].
///
/// # Errors
/// If a document makes no sense as a scene.
pub fn info_on(opened: &Opened, model: Option<&Opened>, names: &NameMap) -> Result<Info, Error> {
    let binding = model.map(|model| binding(opened, model, names)).transpose()?;
    let mut info = Info { binding, ..info(opened)? };
    if !names.is_empty() && info.unknown.is_none() {
        let scene = as_stored(opened)?;
        if model.is_none() {
            check_map(names, &scene, None)?;
        }
        info.humanoid = figure(&scene, names);
    }
    Ok(info)
}

/// As [`info_on`], with the human figure by the names of the vocabulary `only`, if given, and of several figures the one at the position
/// `person` from 0.
///
/// # Errors
/// As [`info_on`], and if there are fewer figures.
pub fn info_by(
    opened: &Opened,
    model: Option<&Opened>,
    names: &NameMap,
    only: Option<Vocabulary>,
    person: usize,
) -> Result<Info, Error> {
    let info = info_on(opened, model, names)?;
    let humanoid = match info.unknown.is_none() && (only.is_some() || person > 0) {
        false => info.humanoid.clone(),
        true => humanoid_by(opened, names, only, person)?,
    };
    Ok(Info { humanoid, ..info })
}

/// The human figure that a conversion would find in a file; `None` if no node is a bone.
///
/// `names` maps names of nodes to words of [`HumanBone`] and takes precedence over the bones found.
///
/// # Errors
/// If the document makes no sense as a scene.
pub fn humanoid(opened: &Opened, names: &NameMap) -> Result<Option<HumanoidInfo>, Error> {
    Ok(figure(&as_stored(opened)?, names))
}

/// As [`humanoid`], by the names of the vocabulary `only`, if given, and of several figures the one at the position `person` from 0.
///
/// # Errors
/// As [`humanoid`], and if there are fewer figures.
pub fn humanoid_by(
    opened: &Opened,
    names: &NameMap,
    only: Option<Vocabulary>,
    at: usize,
) -> Result<Option<HumanoidInfo>, Error> {
    let scene = as_stored(opened)?;
    let proposal = person(&scene, names, only, at);
    if at > 0 && !proposal.humanoid.is_human() {
        return Err(Error::Usage(too_few(&scene, names, only, at, &opened.name)));
    }
    Ok(described(&scene, proposal))
}

fn figure(scene: &Scene, names: &NameMap) -> Option<HumanoidInfo> {
    described(scene, propose(scene, names))
}

pub(crate) fn described(scene: &Scene, proposal: Proposal) -> Option<HumanoidInfo> {
    let map = (!proposal.by_shape.is_empty()).then(|| bone_map(scene, &proposal));
    let is_by_shape = proposal.is_by_shape();
    let Proposal { humanoid, vocabulary, certainty, by_shape, .. } = proposal;
    let doubts = doubts(scene, &humanoid);
    let certainty = if doubts.is_empty() { certainty } else { certainty / 2.0 };
    let name = |node: NodeIndex| scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
    let bones: Vec<_> = humanoid.bones.iter().map(|(bone, node)| (*bone, name(*node))).collect();
    let lacks = |bone: &HumanBone| !humanoid.bones.contains_key(bone);
    let optional = HumanBone::ALL.into_iter().filter(|bone| lacks(bone) && !bone.is_required()).collect();
    let vocabulary = vocabulary.map(Vocabulary::word);
    let by_shape: Vec<_> = by_shape
        .into_iter()
        .map(|(bone, candidate)| (bone, name(candidate.node), candidate.certainty))
        .collect();
    (!bones.is_empty() || !by_shape.is_empty()).then(|| HumanoidInfo {
        by_shape,
        is_by_shape,
        map,
        required: humanoid.missing(),
        bones,
        optional,
        vocabulary,
        certainty,
        doubts,
    })
}

fn parts(scene: &Scene) -> Vec<(&'static str, usize)> {
    let all = [
        ("meshes", scene.meshes.len()),
        ("skins", scene.skins.len()),
        ("materials", scene.materials.len()),
        ("morphs", scene.morph_sets.iter().map(|s| s.morphs.len()).sum()),
        ("cameras", scene.cameras.len()),
        ("lights", scene.lights.len()),
    ];
    all.into_iter().filter(|(_, n)| *n > 0).collect()
}

fn clip_info(clip: &Clip) -> ClipInfo {
    ClipInfo {
        name: clip.name.clone(),
        stored_name: clip.stored_name.clone(),
        duration_s: clip.duration.0,
        tracks: clip.tracks.len(),
        keys: clip.key_count(),
        markers: clip.markers.len(),
        rate_fps: clip.grid.map(|g| g.fps()),
    }
}
