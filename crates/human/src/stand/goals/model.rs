//! Roles of a model's nodes in a figure.

use crate::body::figure::{Body, FEET};
use crate::who::names::Vocabulary;
use HumanBone as B;
use dopesheet_core::model::{HumanBone, Humanoid, IkChain, NodeIndex, Scene};

/// A model in glTF's axes.
pub(crate) struct Model {
    pub(crate) scene: Scene,
    pub(crate) humanoid: Humanoid,
    pub(crate) body: Body,
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

impl Model {
    /// A model with the measures of its figure.
    pub(crate) fn of(scene: Scene, humanoid: Humanoid, body: Body) -> Self {
        let mut model = Self { roles: vec![Role::Rest; scene.nodes.len()], scene, humanoid, body };
        model.cast();
        model
    }

    /// The node of a bone.
    pub(crate) fn node(&self, bone: HumanBone) -> Option<usize> {
        self.humanoid.bones.get(&bone).map(|node| node.0)
    }

    /// The goals of legs and of toes.
    pub(crate) fn goals(&self) -> impl Iterator<Item = NodeIndex> {
        let feet = FEET.into_iter().filter_map(|[foot, _]| self.humanoid.bones.get(&foot).copied());
        let chains = feet.flat_map(|foot| self.leg(foot).into_iter().chain(self.sole(foot)));
        chains.map(|chain| chain.goal)
    }

    fn cast(&mut self) {
        let bones: Vec<usize> = self.body.bones.values().map(|bone| bone.node).collect();
        for node in bones {
            self.give(node, Role::Bone);
        }
        if let Some(carrier) = self.humanoid.root_motion {
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
        let Some(ankle) = self.humanoid.bones.get(&foot).copied() else { return };
        let Some(goal) = self.leg(ankle).map(|leg| leg.goal) else { return };
        let tip = self.sole(ankle).map(|sole| sole.effector);
        if let Some([knee, thigh]) = self.leg(ankle).and_then(hinged) {
            self.give(thigh.0, Role::Thigh { knee: knee.0 });
            self.give(knee.0, Role::Knee);
        }
        self.give(goal.0, Role::Goal(foot));
        match self.humanoid.bones.get(&toes).copied() {
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
        let hips = self.humanoid.bones.get(&B::Hips).copied()?;
        let spine = self.humanoid.bones.get(&B::Spine).copied()?;
        let parent = |node: &NodeIndex| self.scene.node(*node)?.parent;
        let above = |node: NodeIndex| std::iter::successors(Some(node), parent);
        let is_named =
            |node: &NodeIndex| self.scene.node(*node).is_some_and(|n| n.name == Vocabulary::CENTRE);
        let shared = || above(hips).find(|node| above(spine).any(|other| other == *node));
        above(hips).find(is_named).or_else(shared).map(|node| node.0)
    }

    /// The node that turns both eyes, or else the eyes.
    fn eyes(&self) -> Vec<NodeIndex> {
        let eyes = [B::LeftEye, B::RightEye].into_iter();
        let eyes = eyes.filter_map(|eye| self.humanoid.bones.get(&eye).copied());
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
