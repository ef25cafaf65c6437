//! The fit of a motion and a model: joints that bind, joints that do not, and the names probably meant.

pub use crate::error::unbound::{Lost, Unbound};

use super::bound::{check_map, with_stored_names};
use super::nearest::{Known, Nearest};
use super::reach::needs_a_model;
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{Fault, Place, Report, Severity};
use dopesheet_core::format::{Check, NameMap, ToScene};
use dopesheet_core::model::{Scene, TargetKind};
use dopesheet_core::order;
use dopesheet_core::words::{agreeing, counted};
use std::collections::{BTreeSet, HashSet};

/// Codes of the findings of `check` about a motion on a model, in addition to the codes of the motion's
/// format.
pub const BINDING_CHECKS: &[Check] = &[COMPLETED_NAME, MADE_FOR_ANOTHER, NOT_IN_MODEL];

const COMPLETED_NAME: Check = Check {
    code: "completed-name",
    severity: Severity::Info,
    about: "A name that the motion's format could not hold whole was found in the model.",
};
// Only motions of MikuMikuDance name the model that they were made for.
const MADE_FOR_ANOTHER: Check = Check {
    code: "mmd-model-name",
    severity: Severity::Info,
    about: "The motion was made for a model of another name; targets of equal names move all the same.",
};
const NOT_IN_MODEL: Check = Check {
    code: "not-in-model",
    severity: Severity::Warning,
    about: "The motion moves a joint, a morph or an IK chain that the model does not have.",
};

/// The fit of a motion and a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The caller's name of the model.
    pub model: String,
    /// Name of the model that the motion was made for, and name of this model, where both are known and
    /// differ.
    pub made_for_another: Option<(String, String)>,
    /// Targets of the motion in the model, by the model's names.
    pub moved: Vec<String>,
    /// Names too long for the motion's format, each with the model's full name that it stands for.
    pub completed: Vec<(String, String)>,
    /// Targets that the model lacks.
    pub unbound: Vec<Unbound>,
    /// The chains of the model's rig.
    pub chains: Vec<Chain>,
}

/// A chain of a model's rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The joint whose position the chain reaches for.
    pub goal: String,
    /// True if the motion switches the chain on and off.
    pub is_switched: bool,
}

/// The fit of a motion and a model.
///
/// # Errors
/// If a document makes no sense as a scene.
pub fn binding(motion: &Opened, model: &Opened, names: &NameMap) -> Result<Binding, Error> {
    let as_stored = ToScene { as_stored: true, ..ToScene::default() };
    let mut report = Report::default();
    let on_model = ToScene { model: Some(&model.document), ..as_stored.clone() };
    let scene = motion.format().to_scene(&motion.document, &on_model, &mut report)?;
    let there = model.format().to_scene(&model.document, &as_stored, &mut report)?;
    check_map(names, &scene, Some(&there))?;
    let full = with_stored_names(&scene, &there, names, motion.format());
    let (known_names, nearest) = (Known::of(&there), Nearest::of(&scene, &there));
    let mut binding = Binding {
        model: model.name.clone(),
        made_for_another: made_for_another(&scene, &there),
        moved: Vec::new(),
        completed: Vec::new(),
        unbound: Vec::new(),
        chains: chains(&scene, &there, &full),
    };
    for (kind, name) in targets(&scene) {
        let full_name = full.get(name);
        if !known_names.has(kind, full_name) {
            binding.unbound.push(nearest.unbound(kind, name, &known_names));
            continue;
        }
        binding.moved.push(full_name.to_owned());
        if full_name != name && names.get(name) == name {
            binding.completed.push((name.to_owned(), full_name.to_owned()));
        }
    }
    Ok(binding)
}

fn made_for_another(motion: &Scene, model: &Scene) -> Option<(String, String)> {
    let made_for = motion.clips.iter().find_map(|clip| clip.made_for.clone())?;
    let model_name = model.name.clone()?;
    (made_for != model_name).then_some((made_for, model_name))
}

/// Targets of a motion that need a counterpart in a model: joints, morphs and the chains that the motion
/// switches.
fn targets(motion: &Scene) -> BTreeSet<(TargetKind, &str)> {
    let tracks = motion.tracks().filter(|track| needs_a_model(track));
    order::set(tracks.map(|track| (track.target.kind, track.target.name.as_str())))
}

fn chains(motion: &Scene, model: &Scene, names: &NameMap) -> Vec<Chain> {
    let tracks = motion.tracks();
    let switched: HashSet<&str> = tracks
        .filter(|track| track.target.kind == TargetKind::Custom && needs_a_model(track))
        .map(|track| names.get(&track.target.name))
        .collect();
    let goals = model.rig.ik.iter().filter_map(|chain| model.node(chain.goal));
    goals.map(|node| Chain { goal: node.name.clone(), is_switched: switched.contains(&*node.name) }).collect()
}

impl Binding {
    /// Number of the motion's targets that the model has, in words.
    #[must_use]
    pub fn counts(&self) -> String {
        let (moved, all) = (self.moved.len(), self.moved.len() + self.unbound.len());
        format!("on {}: {moved} of {} {}", self.model, counted(all, "target"), agreeing(all, "binds", "bind"))
    }

    /// Remarks on the fit, as findings with the codes of [`BINDING_CHECKS`].
    pub fn findings(&self, report: &mut Report) {
        let mut find = |check: Check, path: &str, expected: String, found: String| {
            report.push(check.severity, Fault::new(check.code, Place::File, expected, found).at_path(path));
        };
        if let Some((made_for, model_name)) = &self.made_for_another {
            let moved = self.moved.join(", ");
            let motion = format!("one for \"{made_for}\"; of equal names and moved all the same: {moved}");
            find(MADE_FOR_ANOTHER, "", format!("a motion for the model \"{model_name}\""), motion);
        }
        for (name, full) in &self.completed {
            find(COMPLETED_NAME, name, format!("the whole name \"{full}\""), format!("\"{name}\""));
        }
        for Unbound { kind, name, nearest } in &self.unbound {
            let similar = match &nearest[..] {
                [] => "none, and none that is like it".to_owned(),
                names => format!("none; most like it: {}", names.join(", ")),
            };
            find(NOT_IN_MODEL, name, format!("a {} of this name in {}", kind.word(), self.model), similar);
        }
    }
}
