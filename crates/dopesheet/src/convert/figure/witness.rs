//! The source of a motion that another figure takes, kept until the verdict on the result.

use dopesheet_core::diag::{Fault, Judgement, Place, Report};
use dopesheet_core::model::{Basis, HumanBone, Humanoid, Node, NodeIndex, Scene, Skin};
use dopesheet_core::order;
use dopesheet_human::{
    Figure, Moving, NOT_LIKE_THE_SOURCE, carrying_surface, make_ends, motion_start, verdict,
};

/// A motion and its figure, and the bones of the figure that takes the motion.
pub(in crate::convert) struct Witness {
    source: Scene,
    humanoid: Humanoid,
    /// The target's bones, with the names of their nodes.
    target: Vec<(HumanBone, NodeIndex, String)>,
    /// Height in metres of the ground under the figure.
    ground_m: f64,
    /// The figure with its surface, if the result leaves the surface out.
    surface: Option<Scene>,
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
            surface: None,
        })
    }

    /// The same witness with the surface of the figure.
    pub(in crate::convert) fn with_surface(self, figure: &Scene) -> Self {
        let still = Scene { clips: Vec::new(), ..bare(figure) };
        Self { surface: Some(still), ..self }
    }

    /// The same witness for a figure that took the target's motion and was raised.
    pub(in crate::convert) fn onto(self, figure: &Scene, raised_m: f64) -> Self {
        let name = |node: NodeIndex| figure.node(node).map(|node| node.name.clone()).unwrap_or_default();
        let bones = figure.humanoid.iter().flat_map(|humanoid| &humanoid.bones);
        let target = bones.map(|(bone, node)| (*bone, *node, name(*node))).collect();
        Self { target, ground_m: self.ground_m + raised_m, ..self }
    }

    /// Tells of a first frame that holds the rest pose.
    fn tell_of_first_frame(&self, clip: usize, report: &mut Report) {
        let figure = Figure { scene: &self.source, humanoid: &self.humanoid };
        let Some((clip, rate)) = self.source.clips.get(clip).and_then(|clip| Some((clip, clip.grid?))) else {
            return;
        };
        if motion_start(figure, clip, None).0 > 0.0 {
            let last = rate.frame(clip.end()).round();
            let expected =
                format!("a motion from its first frame on (--range 1f:{last}f leaves out another)");
            let first_frame = "the rest pose on the first frame, which stays and is not judged";
            report.info(Fault::new(FIRST_FRAME, Place::File, expected, first_frame));
        }
    }

    /// Measures the written scene, whose clip `first` is the first clip of the source, and adds the verdicts
    /// to the report; a bad verdict is a warning.
    pub(in crate::convert) fn judge(&self, written: &Scene, first: usize, report: &mut Report) {
        let node = |(bone, node, name): &(HumanBone, NodeIndex, String)| {
            Some((*bone, node_in(written, *node, name)?))
        };
        let mut humanoid =
            Humanoid { bones: order::map(self.target.iter().filter_map(node)), ..Humanoid::default() };
        let is_whole = humanoid.missing().is_empty() && self.surface.is_none();
        let mut completed = if is_whole { None } else { Some(bare(written)) };
        if let Some(scene) = &mut completed {
            make_ends(scene, &mut humanoid);
            self.add_surface(scene);
        }
        let written = completed.as_ref().unwrap_or(written);
        for clip in 0..self.source.clips.len() {
            let from = Moving { scene: &self.source, humanoid: &self.humanoid, clip, ground_m: 0.0 };
            self.tell_of_first_frame(clip, report);
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

    /// Gives a written figure in glTF's axes the surface that it leaves out.
    fn add_surface(&self, written: &mut Scene) {
        let Some(surface) = self.surface.as_ref().filter(|_| written.basis == Basis::GLTF) else { return };
        let joint = |joint: &NodeIndex| node_in(written, *joint, &surface.node(*joint)?.name);
        let skin = |skin: &Skin| {
            let joints = skin.joints.iter().map(joint).collect::<Option<_>>()?;
            Some(Skin { joints, ..skin.clone() })
        };
        let Some(skins) = surface.skins.iter().map(skin).collect() else { return };
        (written.skins, written.meshes) = (skins, surface.meshes.clone());
        for Node { mesh, skin, .. } in surface.nodes.iter().filter(|node| node.skin.is_some()) {
            written.push_node(Node { mesh: *mesh, skin: *skin, ..Node::default() });
        }
    }
}

/// Code of the finding about a first frame that is no part of a motion.
pub(in crate::convert) const FIRST_FRAME: &str = "first-frame-at-rest";

/// The node of a name in a written scene, at its position before if possible.
fn node_in(written: &Scene, node: NodeIndex, name: &str) -> Option<NodeIndex> {
    let is_it = |node: &NodeIndex| written.node(*node).is_some_and(|written| written.name == *name);
    let first = || written.nodes.iter().position(|node| node.name == *name && node.mesh.is_none());
    Some(node).filter(is_it).or_else(|| first().map(NodeIndex))
}

/// The nodes of a scene with their clips, and with their surface if the scene has glTF's axes.
fn bare(scene: &Scene) -> Scene {
    let is_gltf = scene.basis == Basis::GLTF;
    Scene {
        nodes: scene.nodes.clone(),
        clips: scene.clips.clone(),
        hierarchy: scene.hierarchy,
        meshes: if is_gltf { scene.meshes.clone() } else { Vec::new() },
        skins: if is_gltf { scene.skins.clone() } else { Vec::new() },
        ..Scene::new(scene.basis)
    }
}
