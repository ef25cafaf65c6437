//! Models as Dopesheet reads them and as mmd-anim runs them, with motions sampled by mmd-anim.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of the kit")]

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_core::model::{Node, NodeIndex, Rig, Scene, Transform};
use dopesheet_mmd::{Pmd, Pmx};
use mmd_anim::format::pmd::import_pmd_runtime;
use mmd_anim::format::{build_mmd_registered_pair_clip, import_pmx_runtime, import_vmd_motion};
use mmd_anim::runtime::{AnimationClip, BoneIndex, ModelArena, MorphIndex, RuntimeInstance};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

pub(crate) struct Model {
    pub nodes: Vec<Node>,
    pub rig: Rig,
    pub peer: RuntimeInstance,
    /// The bone of each node that is one.
    bones: Vec<Option<BoneIndex>>,
    names: Arc<Names>,
}

struct Names {
    bones: HashMap<Vec<u8>, BoneIndex>,
    morphs: HashMap<Vec<u8>, MorphIndex>,
    chains: HashMap<Vec<u8>, usize>,
}

fn scene<F: Format>(bytes: &[u8]) -> Scene {
    let mut report = Report::default();
    let document = F::read(&Source::new(bytes), &ReadOptions::default(), &mut report).expect("a sound model");
    F::to_scene(&document, &ToScene::default(), &mut report).expect("a sound model")
}

impl Model {
    /// A PMX or PMD file.
    pub(crate) fn of_file(path: &Path) -> Self {
        let bytes = dopesheet_testkit::bytes(path);
        if path.extension().is_some_and(|e| e == "pmd") {
            let import = import_pmd_runtime(&bytes).expect("a sound model");
            let names = Names {
                bones: import.bone_name_to_index,
                morphs: import.morph_name_to_index,
                chains: import.ik_solver_bone_name_to_index,
            };
            Self::new(scene::<Pmd>(&bytes), import.model, names)
        } else {
            let import = import_pmx_runtime(&bytes).expect("a sound model");
            let names = Names {
                bones: import.bone_name_to_index,
                morphs: import.morph_name_to_index,
                chains: import.ik_solver_bone_name_to_index,
            };
            Self::new(scene::<Pmx>(&bytes), import.model, names)
        }
    }

    fn new(scene: Scene, model: ModelArena, names: Names) -> Self {
        let (morphs, chains) = (model.morph_count() as usize, model.ik_count());
        let count = model.bone_count();
        let bone = |node: &Node| node.source_index.filter(|i| *i < count).map(|i| BoneIndex(i as u32));
        Self {
            bones: scene.nodes.iter().map(bone).collect(),
            nodes: scene.nodes,
            rig: scene.rig,
            peer: RuntimeInstance::new_with_counts(Arc::new(model), morphs, chains),
            names: Arc::new(names),
        }
    }

    pub(crate) fn clip(&self, vmd: &[u8]) -> AnimationClip {
        let motion = import_vmd_motion(vmd).expect("a sound motion");
        let Names { bones, morphs, chains } = &*self.names;
        let model = self.peer.model();
        build_mmd_registered_pair_clip(model, &motion, bones, morphs, chains, model.ik_count())
            .expect("a motion for the model")
    }

    pub(crate) fn node(&self, name: &str) -> usize {
        self.nodes.iter().position(|n| n.name == name).unwrap_or_else(|| panic!("no bone {name}"))
    }

    /// Local transforms, morph weights and IK switches that a motion keys at a frame.
    pub(crate) fn keyed(&mut self, clip: &AnimationClip, frame: f32) -> Keyed {
        self.peer.pose_mut().reset_local_pose();
        clip.apply_to_pose(frame, self.peer.pose_mut());
        let pose = self.peer.pose();
        let local = self.nodes.iter().zip(&self.bones).map(|(node, bone)| {
            let Some(bone) = *bone else { return node.rest };
            let moved = pose.local_position_offset(bone).to_array().map(f64::from);
            let rest = node.rest.translation;
            Transform {
                translation: [0, 1, 2].map(|k| rest[k] + moved[k]),
                rotation: pose.local_rotation(bone).to_array().map(f64::from),
                scale: [1.0; 3],
            }
        });
        Keyed {
            local: local.collect(),
            morphs: pose.morph_weights().iter().map(|w| f64::from(*w)).collect(),
            ik: pose.ik_enabled().iter().map(|on| *on != 0).collect(),
        }
    }

    /// Rotation and position, as seen from the scene, that mmd-anim gives the nodes that are bones.
    pub(crate) fn peer_worlds(
        &mut self,
        clip: &AnimationClip,
        frame: f32,
    ) -> Vec<(NodeIndex, [f64; 4], [f64; 3])> {
        self.peer.reset_ik_history();
        self.peer.evaluate_clip_frame(clip, frame);
        let worlds = self.peer.pose().world_matrices();
        let placed = |(node, bone): (usize, &Option<BoneIndex>)| {
            let (_, turn, at) = worlds[bone.as_ref()?.as_usize()].to_scale_rotation_translation();
            Some((NodeIndex(node), turn.to_array().map(f64::from), at.to_array().map(f64::from)))
        };
        self.bones.iter().enumerate().filter_map(placed).collect()
    }
}

pub(crate) struct Keyed {
    pub local: Vec<Transform>,
    pub morphs: Vec<f64>,
    pub ik: Vec<bool>,
}

impl Keyed {
    pub(crate) fn pose(&self) -> dopesheet_rig::RigPose<'_> {
        dopesheet_rig::RigPose { local: &self.local, morphs: &self.morphs, ik: &self.ik }
    }
}

/// A list of numbers of known length.
pub(crate) fn numbers<const N: usize>(list: &serde_json::Value) -> [f64; N] {
    std::array::from_fn(|k| list[k].as_f64().expect("a number"))
}
