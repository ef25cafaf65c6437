//! Bones of two human figures side by side, for users to check and to mend.

use super::info::described;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::bound::as_stored;
use crate::models::bound::wants_rig;
use crate::models::persons::{Persons, hips_of_all, person};
use crate::models::puppet::standard_model;
use crate::models::vocabularies::Vocabularies;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Hierarchy, HumanBone, Scene};
use dopesheet_human::{Proposal, Vocabulary, propose_by};
use std::collections::HashSet;

/// Least certainty of a figure known by its names without any doubt.
const CERTAIN: f64 = 0.95;

/// The scenes of a motion and of a figure, read once for any number of tables.
#[derive(Clone, Debug)]
pub struct BonePairs {
    scenes: [Scene; 2],
}

/// A table of bones, with the nodes that a conversion would assign.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneTable {
    /// The bones of either figure, and the bones required of every figure; parents first.
    pub rows: Vec<BoneRow>,
}

/// A bone in both figures.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneRow {
    /// The bone.
    pub bone: HumanBone,
    /// The bone in the motion, and in the figure that takes the motion.
    pub cells: [BoneCell; 2],
}

/// The node of a bone in one figure.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneCell {
    /// Name of the node; `None` for a bone without a node.
    pub node: Option<String>,
    /// Certainty of the node.
    pub certainty: Certainty,
}

/// Certainty of the node of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The caller's map names the node.
    Chosen,
    /// The file assigns its bones, or all names are those of one vocabulary.
    Certain,
    /// Most names or the shape of the figure agree.
    Likely,
    /// Few names agree, or the shape of the figure contradicts the names.
    Doubtful,
    /// A guess by the shape of the figure, without effect until a map names the node.
    Guessed,
    /// No node, of a required bone.
    Missing,
    /// No node, of an optional bone.
    Absent,
}

impl Certainty {
    /// The certainty in a word, as tables show it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Doubtful => "doubtful",
            Self::Guessed => "guess",
            Self::Missing => "missing",
            Self::Absent => "none",
        }
    }
}

impl BonePairs {
    /// The scenes of a motion and of a figure. A motion without a hierarchy has the bones of its model; a motion of MikuMikuDance without a
    /// model has the bones of the standard model.
    ///
    /// # Errors
    /// If a document makes no sense as a scene.
    pub fn of(motion: &Opened, model: Option<&Opened>, figure: &Opened) -> Result<Self, Error> {
        let alone = as_stored(motion)?;
        let motion = match (alone.hierarchy, model) {
            (Hierarchy::Unknown, Some(model)) => as_stored(model)?,
            (Hierarchy::Unknown, None) if wants_rig(&motion.format().info().capabilities) => {
                as_stored(&standard_model()?)?
            }
            _ => alone,
        };
        Ok(Self { scenes: [motion, as_stored(figure)?].map(bare) })
    }

    /// The table of both figures' bones under a map from names of nodes to words of [`HumanBone`], which may have a part for the figure.
    #[must_use]
    pub fn table(&self, names: &NameMap, vocabularies: Vocabularies, persons: Persons) -> BoneTable {
        let [motion, figure] = &self.scenes;
        let figure_names = names.of_figure();
        let sides = [
            Side::of(motion, names, vocabularies.motion, persons.motion),
            Side::of(figure, &figure_names, vocabularies.figure, persons.figure),
        ];
        let rows = HumanBone::ALL
            .into_iter()
            .map(|bone| BoneRow { bone, cells: [&sides[0], &sides[1]].map(|side| side.cell(bone)) });
        BoneTable { rows: rows.filter(BoneRow::is_shown).collect() }
    }

    /// Names of the hips of all human figures of the motion (0) or of the figure's file (1).
    #[must_use]
    pub fn persons(&self, side: usize) -> Vec<String> {
        let Some(scene) = self.scenes.get(side) else { return Vec::new() };
        let names = NameMap::default();
        hips_of_all(scene, &propose_by(scene, &names, None), &names, None)
    }

    /// Names of all nodes without a mesh of the motion (0) or of the figure (1): the candidates for bones, in the order of the file, each once.
    pub fn nodes(&self, side: usize) -> impl Iterator<Item = &str> {
        let mut seen = HashSet::new();
        let nodes = self.scenes.get(side).into_iter().flat_map(|scene| &scene.nodes);
        nodes
            .filter(|node| node.mesh.is_none())
            .map(|node| node.name.as_str())
            .filter(move |name| seen.insert(*name))
    }
}

impl BoneTable {
    /// The pairs by which a node becomes a bone, in the map of the motion (0) or of the figure (1). If the node was another bone, the node it
    /// replaces becomes that bone, so that no bone is lost.
    #[must_use]
    pub fn choose(&self, side: usize, bone: HumanBone, node: &str) -> Vec<(String, HumanBone)> {
        let cell = |row: &&BoneRow| row.cells.get(side).and_then(|cell| cell.node.clone());
        let before = self.rows.iter().find(|row| row.bone == bone).as_ref().and_then(cell);
        let other = self.rows.iter().find(|row| row.bone != bone && cell(row).as_deref() == Some(node));
        let exchanged = before.zip(other).map(|(before, other)| (before, other.bone));
        std::iter::once((node.to_owned(), bone)).chain(exchanged).collect()
    }

    /// The pairs that accept all guesses, in the map of the motion (0) or of the figure (1).
    pub fn guesses(&self, side: usize) -> impl Iterator<Item = (&str, HumanBone)> {
        let cells = self.rows.iter().filter_map(move |row| Some((row.cells.get(side)?, row.bone)));
        cells.filter_map(|(cell, bone)| {
            let is_guess = cell.certainty == Certainty::Guessed;
            cell.node.as_deref().filter(|_| is_guess).map(|node| (node, bone))
        })
    }
}

impl BoneRow {
    fn is_shown(&self) -> bool {
        self.bone.is_required() || self.cells.iter().any(|cell| cell.node.is_some())
    }
}

/// A figure with its proposed bones.
struct Side<'a> {
    scene: &'a Scene,
    names: &'a NameMap,
    proposal: Proposal,
    certainty: f64,
}

impl<'a> Side<'a> {
    fn of(scene: &'a Scene, names: &'a NameMap, only: Option<Vocabulary>, at: usize) -> Self {
        let proposal = person(scene, names, only, at);
        let certainty = described(scene, proposal.clone()).map_or(0.0, |bones| bones.certainty);
        Self { scene, names, proposal, certainty }
    }

    fn cell(&self, bone: HumanBone) -> BoneCell {
        let name = |node| self.scene.node(node).map(|node| node.name.clone());
        let proposal = &self.proposal;
        if let Some(node) = proposal.humanoid.bones.get(&bone).and_then(|node| name(*node)) {
            let certainty = match proposal.by_shape.get(&bone).filter(|_| proposal.is_by_shape()) {
                _ if self.names.get(&node) == bone.word() && node != bone.word() => Certainty::Chosen,
                Some(guess) => level(guess.certainty),
                None => level(self.certainty),
            };
            return BoneCell { node: Some(node), certainty };
        }
        match proposal.by_shape.get(&bone).and_then(|guess| name(guess.node)) {
            Some(node) => BoneCell { node: Some(node), certainty: Certainty::Guessed },
            None if bone.is_required() => BoneCell { node: None, certainty: Certainty::Missing },
            None => BoneCell { node: None, certainty: Certainty::Absent },
        }
    }
}

fn level(certainty: f64) -> Certainty {
    match certainty {
        sure if sure >= CERTAIN => Certainty::Certain,
        sure if sure >= Proposal::SURE => Certainty::Likely,
        _ => Certainty::Doubtful,
    }
}

/// A scene without large data and with everything that identifies bones. The first clip stays, because the shape of a figure may be its pose
/// at the start.
fn bare(mut scene: Scene) -> Scene {
    scene.clips.truncate(1);
    Scene { meshes: Vec::new(), images: Vec::new(), skins: Vec::new(), ..scene }
}
