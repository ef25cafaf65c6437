//! The source of a motion that another figure takes, kept until the verdict on the result.

use dopesheet_core::diag::{Fault, Judgement, Place, Report};
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order;
use dopesheet_human::{Moving, NOT_LIKE_THE_SOURCE, carrying_surface, make_ends, verdict};

/// A motion and its figure, and the bones of the figure that takes the motion.
pub(in crate::convert) struct Witness {
    source: Scene,
    humanoid: Humanoid,
    /// The target's bones, with the names of their nodes.
    target: Vec<(HumanBone, NodeIndex, String)>,
    /// Height in metres of the ground under the figure.
    ground_m: f64,
}

impl Witness {
    pub(in crate::convert) fn of(
        scene: &Scene,
        humanoid: &Humanoid,
        figure: &Scene,
        ground_m: f64,
    ) -> Option<Self> {
        let target = figure.humanoid.as_ref()?.bones.iter();
        let name = |node: NodeIndex| figure.node(node).map(|node| node.name.clone()).unwrap_or_default();
        let (mut source, mut humanoid) = (bare(scene), carrying_surface(scene, humanoid));
        make_ends(&mut source, &mut humanoid);
        Some(Self {
            target: target.map(|(bone, node)| (*bone, *node, name(*node))).collect(),
            source,
            humanoid,
            ground_m,
        })
    }

    /// The same witness for a figure that took the target's motion and was raised.
    pub(in crate::convert) fn onto(self, figure: &Scene, raised_m: f64) -> Self {
        let name = |node: NodeIndex| figure.node(node).map(|node| node.name.clone()).unwrap_or_default();
        let bones = figure.humanoid.iter().flat_map(|humanoid| &humanoid.bones);
        let target = bones.map(|(bone, node)| (*bone, *node, name(*node))).collect();
        Self { target, ground_m: self.ground_m + raised_m, ..self }
    }

    /// Measures the written scene, whose clip `first` is the first clip of the source, and adds the verdicts
    /// to the report; a bad verdict is a warning.
    pub(in crate::convert) fn judge(&self, written: &Scene, first: usize, report: &mut Report) {
        let node = |(bone, node, name): &(HumanBone, NodeIndex, String)| {
            let is_it = |node: &NodeIndex| written.node(*node).is_some_and(|written| written.name == *name);
            let first = || written.nodes.iter().position(|node| node.name == *name && node.mesh.is_none());
            Some((*bone, Some(*node).filter(is_it).or_else(|| first().map(NodeIndex))?))
        };
        let mut humanoid =
            Humanoid { bones: order::map(self.target.iter().filter_map(node)), ..Humanoid::default() };
        let is_whole = humanoid.missing().is_empty();
        let mut with_ends = if is_whole { None } else { Some(bare(written)) };
        if let Some(scene) = &mut with_ends {
            make_ends(scene, &mut humanoid);
        }
        let written = with_ends.as_ref().unwrap_or(written);
        for clip in 0..self.source.clips.len() {
            let from = Moving { scene: &self.source, humanoid: &self.humanoid, clip, ground_m: 0.0 };
            let clip = first.saturating_add(clip);
            let to = Moving { scene: written, humanoid: &humanoid, clip, ground_m: self.ground_m };
            if let Some(verdict_of_clip) = verdict(&from, &to) {
                if verdict_of_clip.judgement() == Judgement::Bad {
                    let expected = "poses, feet and hands as in the source";
                    let reason = verdict_of_clip.reason();
                    report.warn(Fault::new(NOT_LIKE_THE_SOURCE, Place::File, expected, reason));
                }
                report.verdicts.push(verdict_of_clip);
            }
        }
    }
}

/// The nodes of a scene with their clips.
fn bare(scene: &Scene) -> Scene {
    Scene {
        nodes: scene.nodes.clone(),
        clips: scene.clips.clone(),
        hierarchy: scene.hierarchy,
        ..Scene::new(scene.basis)
    }
}
