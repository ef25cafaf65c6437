//! Transforms of all nodes at an instant, and states of switches.

use dopesheet_core::model::{Channel, Clip, Property, Rebase, Scene, TargetKind, Track};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{Pose, local_pose, model_pose};
use dopesheet_motion::sample::rig::{self, Behaviour};
use dopesheet_motion::{Side, channel_at};
use glam::{DAffine3, DVec3};
use std::collections::{HashMap, HashSet};

/// All of a scene at an instant.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// From each node's space to metres and glTF's axes.
    pub(crate) places: Vec<DAffine3>,
    /// The weights of each morph set.
    pub(crate) weights: Vec<Vec<f32>>,
    /// For each node whether its mesh is shown.
    pub(crate) is_shown: Vec<bool>,
    /// For each track of a ray: its origin and its direction, of unit length.
    pub(crate) rays: Vec<[DVec3; 2]>,
    /// Switches of hands: the node, the name and the state of each.
    pub(crate) switches: Vec<Switch>,
    /// For each camera node with an animated field of view: the vertical field of view in radians.
    pub(crate) yfov_rad: HashMap<usize, f64>,
    /// For each light node with an animated colour: the colour, linear RGB.
    pub(crate) light_color: HashMap<usize, [f32; 3]>,
}

/// A switch of a hand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Switch {
    /// The node that shows the switch.
    pub(crate) node: usize,
    /// The name of the switch: `pinch`, `tracked`.
    pub(crate) name: String,
    pub(crate) is_on: bool,
}

impl Moment {
    /// Position of a node, in metres and glTF's axes; `None` if the node does not exist or its position is
    /// not finite.
    pub(crate) fn point(&self, node: usize) -> Option<DVec3> {
        self.places.get(node).map(|place| place.translation).filter(|point| point.is_finite())
    }
}

/// Yields the moments of a clip on its scene.
#[derive(Debug)]
pub struct Player<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    /// From the scene's space to metres and glTF's axes.
    axes: DAffine3,
    rigged: Option<rig::Player<'a>>,
    /// Positions of weights by the names of morphs: morph set, and index in the set.
    morphs: HashMap<&'a str, Vec<[usize; 2]>>,
    /// Morphs of the rig whose weights count: the first of each name.
    rig_morphs: Vec<(usize, &'a str)>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(scene: &'a Scene, clip: &'a Clip, axes: DAffine3) -> Self {
        // A rig that does not fit its nodes moves nothing, as in a conversion.
        let rigged = (!scene.rig.is_empty())
            .then(|| rig::Player::new(scene, clip, Behaviour::default()).ok())
            .flatten();
        let mut morphs: HashMap<&str, Vec<[usize; 2]>> = HashMap::new();
        for (set, morph_set) in scene.morph_sets.iter().enumerate() {
            for (index, name) in morph_set.morphs.iter().enumerate() {
                morphs.entry(name).or_default().push([set, index]);
            }
        }
        let mut names = HashSet::new();
        let in_rig = scene.rig.morphs.iter().map(|morph| morph.name.as_str()).enumerate();
        let rig_morphs = in_rig.filter(|(_, name)| names.insert(*name)).collect();
        Self { scene, clip, axes, rigged, morphs, rig_morphs }
    }

    /// The moment at a time. Times outside of the clip are as its curves say.
    pub fn at(&mut self, time: Seconds) -> Moment {
        let time = self.clip.grid.map_or(time, |grid| grid.snap(time));
        let mut moment = Moment {
            is_shown: vec![true; self.scene.nodes.len()],
            weights: self.resting_weights(),
            ..Moment::default()
        };
        let by_rig = match &mut self.rigged {
            Some(player) => {
                let solved = player.pose_at(time, Side::At);
                moment.places = places(self.scene, &Pose(solved.local.clone()), &self.axes);
                solved.morphs.clone()
            }
            None => {
                let pose = local_pose(self.scene, self.clip, time);
                moment.places = places(self.scene, &pose, &self.axes);
                Vec::new()
            }
        };
        let mut value = Vec::new();
        for track in &self.clip.tracks {
            for channel in &track.channels {
                if channel_at(channel, time, Side::At, &mut value) {
                    self.set(track, channel, &value, &mut moment);
                }
            }
            self.ray(track, time, &mut moment);
        }
        self.weigh_by_rig(&by_rig, &mut moment);
        moment
    }

    fn resting_weights(&self) -> Vec<Vec<f32>> {
        let resting = |set: &dopesheet_core::model::MorphSet| {
            let mut weights = set.rest.clone();
            weights.resize(set.morphs.len(), 0.0);
            weights
        };
        self.scene.morph_sets.iter().map(resting).collect()
    }

    fn set(&self, track: &Track, channel: &Channel, value: &[f64], moment: &mut Moment) {
        let node = track.target.node.map(|node| node.0);
        let number = value.first().copied().unwrap_or_default();
        match (&channel.property, node) {
            (Property::Weight, _) if track.target.kind == TargetKind::Morph => {
                self.set_weight(&track.target.name, number as f32, moment);
            }
            (Property::Weights, Some(node)) => {
                let set = self.scene.nodes.get(node).and_then(|node| node.morphs);
                if let Some(weights) = set.and_then(|set| moment.weights.get_mut(set.0)) {
                    weights.iter_mut().zip(value).for_each(|(weight, value)| *weight = *value as f32);
                }
            }
            (Property::Visible, Some(node)) => {
                moment.is_shown.iter_mut().skip(node).take(1).for_each(|shown| *shown = number != 0.0);
            }
            (Property::Visible, None) => moment.is_shown.fill(number != 0.0),
            (Property::YFov, Some(node)) => drop(moment.yfov_rad.insert(node, number)),
            (Property::Color, Some(node)) => {
                let colour = std::array::from_fn(|i| value.get(i).map_or(1.0, |x| *x as f32));
                moment.light_color.insert(node, colour);
            }
            (Property::Named(name), Some(node)) if track.target.kind == TargetKind::Hand => {
                moment.switches.push(Switch { node, name: name.to_string(), is_on: number != 0.0 });
            }
            _ => {}
        }
    }

    /// A target with an origin and a direction is a ray.
    fn ray(&self, track: &Track, time: Seconds, moment: &mut Moment) {
        let part = |property: Property| {
            let channel = track.channels.iter().find(|channel| channel.property == property)?;
            let mut value = Vec::new();
            channel_at(channel, time, Side::At, &mut value).then_some(())?;
            Some(DVec3::from_slice(value.get(..3)?))
        };
        let (Some(origin), Some(direction)) = (part(Property::Origin), part(Property::Direction)) else {
            return;
        };
        let direction = self.axes.transform_vector3(direction).normalize_or_zero();
        let origin = self.axes.transform_point3(origin);
        if origin.is_finite() && direction != DVec3::ZERO {
            moment.rays.push([origin, direction]);
        }
    }

    /// Weights after the rig: groups have their effect on their members.
    fn weigh_by_rig(&self, weights: &[f64], moment: &mut Moment) {
        for (morph, name) in &self.rig_morphs {
            if let Some(weight) = weights.get(*morph) {
                self.set_weight(name, *weight as f32, moment);
            }
        }
    }

    /// Sets the weight of all morphs of a name.
    fn set_weight(&self, name: &str, weight: f32, moment: &mut Moment) {
        for [set, index] in self.morphs.get(name).into_iter().flatten() {
            if let Some(current) = moment.weights.get_mut(*set).and_then(|weights| weights.get_mut(*index)) {
                *current = weight;
            }
        }
    }
}

/// Maps from each node's space to the space of the drawing.
fn places(scene: &Scene, pose: &Pose, axes: &DAffine3) -> Vec<DAffine3> {
    model_pose(scene, pose).0.into_iter().map(|transform| *axes * transform).collect()
}

/// The map between two bases as a matrix.
pub(crate) fn axes_matrix(map: &Rebase) -> DAffine3 {
    let column = |axis: [f64; 3]| DVec3::from(map.position(axis));
    DAffine3::from_cols(
        column([1.0, 0.0, 0.0]),
        column([0.0, 1.0, 0.0]),
        column([0.0, 0.0, 1.0]),
        DVec3::ZERO,
    )
}
