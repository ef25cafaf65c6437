//! Roles of a model's nodes in a figure.

use crate::body::figure::{FEET, hangs_on, upwards};
use crate::body::shape::Body;
use crate::who::names::Vocabulary;
use HumanBone as B;
use dopesheet_core::model::{HumanBone, IkChain, NodeIndex, Scene};

/// A model with a rig, at rest in glTF's axes, and the roles of its nodes.
pub(crate) struct RigRoles<'a> {
    pub(crate) body: &'a Body<'a>,
    pub(crate) scene: &'a Scene,
    /// The role of each node.
    pub(crate) roles: Vec<Role>,
}

/// Role of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Stays at rest.
    Rest,
    /// Carries the whole figure.
    Carrier,
    /// Moves the hips to their place.
    Centre,
    /// Turns as a bone does.
    Bone,
    /// Turns with a toe bone, on a foot turned by IK.
    Toes(HumanBone),
    /// Moves with a foot.
    Goal(HumanBone),
    /// Turns with a thigh, about itself so far that its knee only bends.
    Thigh { knee: usize },
    /// Bends as the knee below a thigh.
    Knee,
    /// Turns to look where the figure looks.
    Eye,
}

/// The knee and the thigh of a chain whose knee only bends about its X axis.
fn hinged(chain: &IkChain) -> Option<[NodeIndex; 2]> {
    let [knee, thigh] = chain.links.first_chunk::<2>()?;
    let limit = knee.limit?;
    let is_fixed = |axis: usize| Some(limit.min_rad.get(axis)? == limit.max_rad.get(axis)?);
    (is_fixed(1)? && is_fixed(2)?).then_some([knee.node, thigh.node])
}

impl<'a> RigRoles<'a> {
    pub(crate) fn of(body: &'a Body<'a>) -> Self {
        let scene = body.figure.scene;
        let mut model = Self { body, scene, roles: vec![Role::Rest; scene.nodes.len()] };
        model.cast();
        model
    }

    /// The node of a bone.
    pub(crate) fn node(&self, bone: HumanBone) -> Option<usize> {
        self.body.figure.node(bone).map(|node| node.0)
    }

    /// The goals of legs and of toes.
    pub(crate) fn goals(&self) -> impl Iterator<Item = NodeIndex> {
        let feet = FEET.into_iter().filter_map(|[foot, _]| self.body.figure.node(foot));
        let chains = feet.flat_map(|foot| self.leg(foot).into_iter().chain(self.sole(foot)));
        chains.map(|chain| chain.goal)
    }

    fn cast(&mut self) {
        let bones: Vec<usize> = self.body.bones.values().map(|bone| bone.node).collect();
        for node in bones {
            self.give(node, Role::Bone);
        }
        if let Some(carrier) = self.body.figure.humanoid.root_motion {
            self.give(carrier.0, Role::Carrier);
        }
        if let Some(centre) = self.centre() {
            self.give(centre, Role::Centre);
        }
        for eye in self.eyes() {
            self.give(eye.0, Role::Eye);
        }
        for [foot, toes] in FEET {
            self.pull(foot, toes);
        }
    }

    fn give(&mut self, node: usize, role: Role) {
        if let Some(slot) = self.roles.get_mut(node) {
            *slot = role;
        }
    }

    /// Lets IK bring a foot to its position, if the model has IK. Joints of the leg turn as bones all the
    /// same, so that knees point in the right direction before the chain is solved.
    fn pull(&mut self, foot: HumanBone, toes: HumanBone) {
        let Some(ankle) = self.body.figure.node(foot) else { return };
        let Some(goal) = self.leg(ankle).map(|leg| leg.goal) else { return };
        let tip = self.sole(ankle).map(|sole| sole.effector);
        if let Some([knee, thigh]) = self.leg(ankle).and_then(hinged) {
            self.give(thigh.0, Role::Thigh { knee: knee.0 });
            self.give(knee.0, Role::Knee);
        }
        self.give(goal.0, Role::Goal(foot));
        match self.body.figure.node(toes) {
            Some(node) if Some(node) == tip => self.give(node.0, Role::Rest),
            Some(node) => self.give(node.0, Role::Toes(foot)),
            None => {}
        }
    }

    /// The chain that brings a foot to its goal.
    fn leg(&self, foot: NodeIndex) -> Option<&IkChain> {
        self.scene.rig.ik.iter().find(|chain| chain.effector == foot)
    }

    /// The chain that turns a foot.
    fn sole(&self, foot: NodeIndex) -> Option<&IkChain> {
        self.scene.rig.ik.iter().find(|chain| chain.links.iter().any(|link| link.node == foot))
    }

    /// The node that moves both halves of the body.
    fn centre(&self) -> Option<usize> {
        let (hips, spine) = (self.body.figure.node(B::Hips)?, self.body.figure.node(B::Spine)?);
        let is_named =
            |node: &NodeIndex| self.scene.node(*node).is_some_and(|n| n.name == Vocabulary::CENTRE);
        let shared = || upwards(self.scene, hips).find(|node| hangs_on(self.scene, spine, *node));
        upwards(self.scene, hips).find(is_named).or_else(shared).map(|node| node.0)
    }

    /// The node that turns both eyes, or else the eyes.
    fn eyes(&self) -> Vec<NodeIndex> {
        let eyes = [B::LeftEye, B::RightEye].into_iter().filter_map(|eye| self.body.figure.node(eye));
        let leader = |eye: NodeIndex| {
            let joints = self.scene.rig.joints.iter().filter(|joint| joint.node == eye);
            let append =
                joints.filter_map(|joint| joint.append).find(|append| append.rotation && append.ratio == 1.0);
            append.map(|append| append.source)
        };
        let mut all: Vec<NodeIndex> = eyes.map(|eye| leader(eye).unwrap_or(eye)).collect();
        all.dedup();
        all
    }
}
