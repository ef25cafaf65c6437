//! One of two animations: where its joints are at a moment.

use super::Animation;
use super::abreast::Mover;
use super::lane::{Accuracy, Lane};
use super::moments::{Moment, Moments};
use super::pieces::{Size, Twist};
use crate::beside::Beside;
use dopesheet_core::model::{Clip, NodeIndex, PoseRelation, Property, Scene, Transform};
use dopesheet_curve as curve;
use glam::{DMat3, DQuat, DVec3};
use std::sync::Arc;

/// Translation, rotation and scale of a joint relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Local {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

impl Local {
    /// Not moved at all.
    pub(super) const NONE: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    fn of(transform: &Transform) -> Self {
        Self {
            translation: transform.translation.into(),
            rotation: DQuat::from_array(curve::quat_normalise_or_identity(transform.rotation)),
            scale: transform.scale.into(),
        }
    }

    fn linear(&self) -> DMat3 {
        let m = DMat3::from_quat(self.rotation);
        DMat3::from_cols(m.x_axis * self.scale.x, m.y_axis * self.scale.y, m.z_axis * self.scale.z)
    }
}

/// A joint in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) position: DVec3,
    /// The product of all rotations up to the root.
    pub(super) rotation: DQuat,
    /// Rotations and scales together; kept only where something is scaled.
    pub(super) linear: DMat3,
}

impl Place {
    const ROOT: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY, linear: DMat3::IDENTITY };

    /// A joint alone.
    pub(super) fn of(local: &Local) -> Self {
        Self { position: local.translation, rotation: local.rotation, linear: local.linear() }
    }

    /// Position and rotation of what hangs on it, where nothing is scaled.
    fn rigid(&self, local: &Local) -> (DVec3, DQuat) {
        (self.position + self.rotation * local.translation, self.rotation * local.rotation)
    }

    fn scaled(&self, parent_is_rigid: bool, local: &Local) -> Self {
        let linear = if parent_is_rigid { DMat3::from_quat(self.rotation) } else { self.linear };
        Self {
            position: self.position + linear * local.translation,
            rotation: self.rotation * local.rotation,
            linear: linear * local.linear(),
        }
    }

    /// Rotations and scales together.
    pub(super) fn linear(&self, is_rigid: bool) -> DMat3 {
        if is_rigid { DMat3::from_quat(self.rotation) } else { self.linear }
    }
}

/// Where the joints of a scene are in a pose, in model space; each by itself where that is not wanted.
pub(super) fn places(scene: &Scene, pose: &[Transform], in_model_space: bool) -> Vec<Place> {
    let mut out: Vec<Place> = Vec::with_capacity(pose.len());
    for (node, local) in scene.nodes.iter().zip(pose) {
        let parent = node.parent.filter(|_| in_model_space).and_then(|parent| out.get(parent.0));
        out.push(parent.unwrap_or(&Place::ROOT).scaled(false, &Local::of(local)));
    }
    out
}

/// What a lane of a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Translation,
    Rotation,
    Scale,
    Placement,
}

impl Part {
    const fn of(property: &Property) -> Option<Self> {
        match property {
            Property::Translation => Some(Self::Translation),
            Property::Rotation => Some(Self::Rotation),
            Property::Scale => Some(Self::Scale),
            Property::Placement => Some(Self::Placement),
            _ => None,
        }
    }

    const fn overlaps(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Translation, Self::Translation | Self::Placement)
                | (Self::Rotation, Self::Rotation | Self::Placement)
                | (Self::Scale, Self::Scale)
                | (Self::Placement, Self::Translation | Self::Rotation | Self::Placement)
        )
    }
}

/// Whether a property is part of where a joint is.
pub(super) const fn is_placing(property: &Property) -> bool {
    Part::of(property).is_some()
}

/// What the values of a lane mean to a joint.
#[derive(Clone, Copy)]
pub(super) struct Onto {
    part: Part,
    /// What the values come on top of.
    base: Local,
}

impl Onto {
    pub(super) const fn is_rotation(&self) -> bool {
        matches!(self.part, Part::Rotation)
    }

    /// What the values come on top of.
    pub(super) const fn base(&self) -> &Local {
        &self.base
    }

    pub(super) const fn is_translation(&self) -> bool {
        matches!(self.part, Part::Translation)
    }

    pub(super) const fn is_placement(&self) -> bool {
        matches!(self.part, Part::Placement)
    }

    /// A turn in the space of the values in that of the parent.
    pub(super) fn turned_on(&self, turn: DVec3) -> DVec3 {
        self.base.rotation * turn
    }

    pub(super) fn apply(&self, value: &[f64], local: &mut Local) {
        let base = &self.base;
        match (self.part, value) {
            (Part::Translation, &[x, y, z]) => local.translation = base.translation + DVec3::new(x, y, z),
            (Part::Scale, &[x, y, z]) => local.scale = base.scale * DVec3::new(x, y, z),
            (Part::Rotation, &[x, y, z, w]) => {
                local.rotation = base.rotation * DQuat::from_xyzw(x, y, z, w);
            }
            (Part::Placement, &[x, y, z, qx, qy, qz, qw]) => {
                local.translation = DVec3::new(x, y, z);
                local.rotation = DQuat::from_xyzw(qx, qy, qz, qw);
            }
            _ => {}
        }
    }
}

#[derive(Clone)]
struct JointLane<'a> {
    lane: Lane<'a>,
    onto: Onto,
}

impl JointLane<'_> {
    fn apply(&self, local: &mut Local) {
        self.onto.apply(&self.lane.value, local);
    }
}

/// One joint.
#[derive(Clone)]
pub(super) struct Joint<'a> {
    pub(super) parent: Option<usize>,
    lanes: Vec<JointLane<'a>>,
    /// Its own times; `None` until they are known.
    moments: Option<Arc<Moments>>,
    /// The number of the instant that it was near.
    near: usize,
    /// Whether something moves it, or what it hangs on.
    pub(super) is_driven: bool,
    /// Whether nothing scales it or what it hangs on.
    pub(super) is_rigid: bool,
    pub(super) rest: Local,
    pub(super) local: Local,
    pub(super) place: Place,
    /// Rises with every change of [`Joint::local`].
    pub(super) turns: u32,
    /// Rises with every change of [`Joint::place`].
    pub(super) moves: u32,
    /// [`Joint::turns`], and the parent's [`Joint::moves`], when it was placed.
    placed_at: (u32, u32),
    /// Which moment it was brought to.
    moment: usize,
}

/// Where a joint is beside ways at constant speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct BesideWays {
    pub(super) moved: Beside,
    pub(super) turned: Beside,
}

/// One of two animations: where its joints are at a moment.
#[derive(Clone)]
pub(super) struct Stage<'a> {
    /// 0 (A) or 1 (B).
    side: usize,
    pub(super) joints: Vec<Joint<'a>>,
    /// Joints to be brought to a moment, the child first; kept to be used again.
    path: Vec<usize>,
}

impl<'a> Stage<'a> {
    /// The joints as they are at [`Moment::START`]. Without `hierarchy` each stands alone, and only those that are wanted move.
    ///
    /// Of several channels that move the same, the first counts, as it does in files that have room for one.
    pub(super) fn new(
        side: usize,
        animation: &Animation<'a>,
        hierarchy: bool,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let Animation { scene, clip } = *animation;
        let rests: Vec<Local> = scene.nodes.iter().map(|node| Local::of(&node.rest)).collect();
        let lanes = lanes(clip, &rests, |node| hierarchy || is_wanted(node));
        let mut stage = Self { side, joints: Vec::with_capacity(rests.len()), path: Vec::new() };
        for ((node, rest), mut lanes) in rests.iter().enumerate().zip(lanes) {
            let parent = scene.nodes[node].parent.map(|p| p.0).filter(|p| hierarchy && *p < node);
            let mut local = *rest;
            for lane in &mut lanes {
                lane.lane.advance(&Moment::START, Moment::START.time.0, Accuracy::Exact);
                lane.apply(&mut local);
            }
            lanes.retain(|lane| !lane.lane.is_constant());
            let is_scaled =
                local.scale != DVec3::ONE || lanes.iter().any(|lane| lane.onto.part == Part::Scale);
            let is_rigid = !is_scaled && parent.is_none_or(|p| stage.joints[p].is_rigid);
            let is_driven = !lanes.is_empty() || parent.is_some_and(|p| stage.joints[p].is_driven);
            stage.joints.push(Joint {
                parent,
                lanes,
                moments: None,
                near: 0,
                is_driven,
                is_rigid,
                rest: *rest,
                local,
                place: Place::ROOT,
                turns: 1,
                moves: 0,
                placed_at: (0, 0),
                moment: 0,
            });
            stage.place(node);
        }
        stage
    }

    /// Whether something moves a joint relative to its parent.
    pub(super) fn has_lanes(&self, node: usize) -> bool {
        !self.joints[node].lanes.is_empty()
    }

    /// What a joint's own times are.
    pub(super) fn follow(&mut self, node: usize, moments: &Arc<Moments>) {
        self.joints[node].moments = Some(Arc::clone(moments));
    }

    /// Brings a joint, and what it hangs on, to a moment. `number` rises from moment to moment and is never 0.
    pub(super) fn bring(&mut self, node: usize, moment: &Moment, number: usize, accuracy: Accuracy) {
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| self.joints[*node].moment != number) {
            self.path.push(node);
            next = self.joints[node].parent;
        }
        while let Some(node) = self.path.pop() {
            self.joints[node].moment = number;
            let own = self.joints[node].own(moment);
            self.advance(node, moment, own, accuracy);
            self.place(node);
        }
    }

    /// Brings a joint to a moment relative to its parent, as A has that moment and as B has it.
    pub(super) fn advance(&mut self, node: usize, moment: &Moment, own: [f64; 2], accuracy: Accuracy) {
        self.joints[node].advance(moment, own[self.side], accuracy);
    }

    /// How far a joint's translation, and its rotation in radians, get from ways at constant speed between two moments, each as A
    /// has it and as B has it; `None` where that is not known.
    pub(super) fn bend(&mut self, node: usize, moments: [[f64; 2]; 2]) -> Option<Size> {
        let own = moments.map(|own| own[self.side]);
        let joint = &mut self.joints[node];
        let mut bend = Size::default();
        for lane in &mut joint.lanes {
            let own = lane.lane.bend(own)?;
            match lane.onto.part {
                Part::Translation => bend.moved += own,
                Part::Rotation => bend.turned += own,
                Part::Scale | Part::Placement if own > 0.0 => return None,
                Part::Scale | Part::Placement => {}
            }
        }
        joint.is_rigid.then_some(bend)
    }

    /// Where a joint's translation, and its rotation in the space of its parent, are between two moments, each as A has it and as B
    /// has it, beside ways at constant speed with such ends; `None` where that is not known.
    pub(super) fn beside(
        &mut self,
        node: usize,
        moments: [[f64; 2]; 2],
        ends: [Twist; 2],
    ) -> Option<BesideWays> {
        let own = moments.map(|own| own[self.side]);
        let joint = &mut self.joints[node];
        let (moved, turned) = (ends.map(|twist| twist.moved), ends.map(|twist| twist.turned));
        let mut beside = BesideWays { moved: Beside::straight(moved), turned: Beside::straight(turned) };
        for lane in &mut joint.lanes {
            match lane.onto.part {
                Part::Translation => beside.moved = lane.lane.beside(own, moved)?,
                Part::Rotation => {
                    // The base turns what the value turns about.
                    let base = lane.onto.base.rotation;
                    let own = lane.lane.beside(own, turned.map(|end| base.conjugate() * end))?;
                    beside.turned = Beside { centre: base * own.centre, ..own };
                }
                Part::Scale | Part::Placement if lane.lane.bend(own)? > 0.0 => return None,
                Part::Scale | Part::Placement => {}
            }
        }
        joint.is_rigid.then_some(beside)
    }

    /// Puts a joint where it hangs on its parent.
    pub(super) fn place(&mut self, node: usize) {
        let joint = &self.joints[node];
        let parent = joint.parent.map(|p| &self.joints[p]);
        let at = (joint.turns, parent.map_or(0, |p| p.moves));
        if joint.placed_at == at {
            return;
        }
        let (above, is_rigid) = parent.map_or((&Place::ROOT, true), |p| (&p.place, p.is_rigid));
        if joint.is_rigid {
            let (position, rotation) = above.rigid(&joint.local);
            let place = &mut self.joints[node].place;
            (place.position, place.rotation) = (position, rotation);
        } else {
            self.joints[node].place = above.scaled(is_rigid, &joint.local);
        }
        let joint = &mut self.joints[node];
        joint.placed_at = at;
        joint.moves = joint.moves.wrapping_add(1);
    }
}

impl<'a> Joint<'a> {
    /// Whether some of what moves it has eased segments.
    pub(super) fn is_eased(&self) -> bool {
        self.lanes.iter().any(|lane| lane.lane.is_eased())
    }

    /// All that moves it relative to its parent, if that is one position or rotation, and nothing is scaled.
    pub(super) fn only_lane(&mut self) -> Option<(&mut Lane<'a>, Onto)> {
        match &mut self.lanes[..] {
            [JointLane { lane, onto }] if matches!(onto.part, Part::Translation | Part::Rotation) => {
                self.is_rigid.then_some((lane, *onto))
            }
            _ => None,
        }
    }

    /// What moves it, to be looked at at four times at once.
    pub(super) fn mover(&self) -> Mover<'a> {
        let lanes = self.lanes.iter().map(|lane| (lane.lane.clone(), lane.onto));
        Mover::new(self.parent, &self.local, lanes)
    }

    /// A moment as A has it, and as B has it.
    pub(super) fn own(&mut self, moment: &Moment) -> [f64; 2] {
        let time = moment.time.0;
        self.moments.as_ref().map_or([time; 2], |moments| moments.own(time, &mut self.near))
    }

    fn advance(&mut self, moment: &Moment, own: f64, accuracy: Accuracy) {
        for lane in &mut self.lanes {
            if lane.lane.advance(moment, own, accuracy) {
                lane.apply(&mut self.local);
                self.turns = self.turns.wrapping_add(1);
            }
        }
    }
}

/// For each joint, what moves it.
fn lanes<'a>(clip: &'a Clip, rests: &[Local], moves: impl Fn(usize) -> bool) -> Vec<Vec<JointLane<'a>>> {
    let mut lanes: Vec<Vec<JointLane<'a>>> = rests.iter().map(|_| Vec::new()).collect();
    for track in &clip.tracks {
        let Some(NodeIndex(node)) = track.target.node.filter(|node| moves(node.0)) else { continue };
        let (Some(rest), Some(lanes)) = (rests.get(node), lanes.get_mut(node)) else { continue };
        let base = match clip.relation {
            PoseRelation::Absolute => Local::of(&Transform::IDENTITY),
            PoseRelation::OnTopOfRest => *rest,
        };
        for channel in &track.channels {
            let Some(part) = Part::of(&channel.property) else { continue };
            if lanes.iter().any(|other| other.onto.part.overlaps(part)) {
                continue;
            }
            lanes.extend(Lane::new(channel).map(|lane| JointLane { lane, onto: Onto { part, base } }));
        }
    }
    lanes
}
