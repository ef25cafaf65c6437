//! Where nodes are in the world over time.

use super::places::Names;
use super::rows::{Leaving, Row};
use crate::animation::document::{Keyframe, NumberCurve, NumberKeys, Wrap};
use crate::animation::wrap;
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, NodeIndex, Property, Scene, TargetKind, Transform,
    weighted_keys,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{hermite_per_second, lerp, quat_normalise_or_identity, slerp, step};
use glam::{DQuat, DVec3};
use std::collections::{HashMap, HashSet};

/// Keys per second where a node moves with others, so that its own keys do not tell where it is.
const SAMPLES_PER_S: f64 = 60.0;
/// Most keys that are inserted like that: four hours.
const MOST_SAMPLES: f64 = 864_000.0;

/// The curves that move one node.
#[derive(Clone, Copy, Default)]
pub(super) struct Local<'a> {
    pub(super) translation: Option<&'a Curve>,
    pub(super) rotation: Option<&'a Curve>,
    pub(super) scale: Option<&'a Curve>,
}

impl<'a> Local<'a> {
    fn curves(&self) -> impl Iterator<Item = &'a Curve> {
        [self.translation, self.rotation, self.scale].into_iter().flatten()
    }
}

/// From which side a time is looked at, where values jump.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// A clip, by the nodes that it moves.
pub(super) struct Motion<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    locals: HashMap<NodeIndex, Local<'a>>,
    /// Positions and rotations by component.
    components: HashMap<NodeIndex, Components<'a>>,
}

/// The curves of a position and of a rotation, where each component has its own.
type Components<'a> = [Option<&'a [Curve]>; 2];

impl<'a> Motion<'a> {
    pub(super) fn new(scene: &'a Scene, clip: &'a Clip) -> Self {
        let mut locals: HashMap<NodeIndex, Local<'a>> = HashMap::new();
        let mut components = HashMap::new();
        for track in &clip.tracks {
            let placed =
                matches!(track.target.kind, TargetKind::Joint | TargetKind::Camera | TargetKind::Light);
            let Some(node) = track.target.node.filter(|_| placed) else { continue };
            for channel in &track.channels {
                let curve = match &channel.composition {
                    Composition::Whole(curve) => curve,
                    Composition::Components(curves) | Composition::ComponentsNormalised(curves) => {
                        let own: &mut Components<'a> = components.entry(node).or_default();
                        match channel.property {
                            Property::Translation if curves.len() == 3 => own[0] = Some(curves),
                            Property::Rotation if curves.len() == 4 => own[1] = Some(curves),
                            _ => {}
                        }
                        continue;
                    }
                    _ => continue,
                };
                let local = locals.entry(node).or_default();
                match channel.property {
                    Property::Translation if curve.width == 3 => local.translation = Some(curve),
                    Property::Rotation if curve.width == 4 => local.rotation = Some(curve),
                    Property::Scale if curve.width == 3 => local.scale = Some(curve),
                    _ => {}
                }
            }
        }
        locals.retain(|_, local| local.curves().any(|curve| !curve.is_empty()));
        components.retain(|_, own: &mut Components<'a>| {
            own.iter().flatten().any(|c| c.iter().any(|c| !c.is_empty()))
        });
        Self { scene, clip, locals, components }
    }

    /// Whether every node that a file has room for stands in the world as its own curves say: what it hangs on neither moves
    /// nor is turned, moved or scaled at rest.
    pub(super) fn is_flat(scene: &Scene) -> bool {
        let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
        // A switch on a node says whether it is there, and moves nothing.
        let is_placed = |own: &Channel| own.property != Property::Visible;
        let placed = tracks.filter(|track| track.channels.iter().any(is_placed));
        let moved: HashSet<NodeIndex> = placed.filter_map(|track| track.target.node).collect();
        let mut is_still: Vec<bool> = Vec::with_capacity(scene.nodes.len());
        for (index, node) in scene.nodes.iter().enumerate() {
            let above = node.parent.is_none_or(|parent| is_still.get(parent.0).copied().unwrap_or(false));
            is_still.push(above && node.rest == Transform::IDENTITY && !moved.contains(&NodeIndex(index)));
        }
        let names = Names::get();
        scene
            .nodes
            .iter()
            .enumerate()
            .filter(|(index, _)| names.find_node(scene, NodeIndex(*index)).is_some())
            .all(|(_, node)| {
                node.parent.is_none_or(|parent| is_still.get(parent.0).copied().unwrap_or(false))
            })
    }

    /// The curves of a node's position or rotation as they are, if each component has its own.
    pub(super) fn components<const N: usize>(
        &self,
        node: NodeIndex,
        property: &Property,
    ) -> Option<[NumberCurve; N]> {
        let [position, rotation] = self.components.get(&node)?;
        let curves = if *property == Property::Rotation { rotation } else { position };
        let curves: &[Curve; N] = (*curves)?.try_into().ok()?;
        Some(curves.each_ref().map(number_curve))
    }

    /// A node and all that it hangs on, the root first.
    pub(super) fn chain(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let mut chain = vec![node];
        let mut next = self.scene.node(node).and_then(|node| node.parent);
        // Parents stand before their children, so this ends; the bound is for scenes that break that rule.
        while let Some(parent) = next.filter(|_| chain.len() <= self.scene.nodes.len()) {
            chain.push(parent);
            next = self.scene.node(parent).and_then(|node| node.parent);
        }
        chain.reverse();
        chain
    }

    /// Whether a node moves by itself.
    pub(super) fn moves(&self, node: NodeIndex) -> bool {
        self.locals.contains_key(&node) || self.components.contains_key(&node)
    }

    /// The curves of a node.
    pub(super) fn local(&self, node: NodeIndex) -> Local<'a> {
        self.locals.get(&node).copied().unwrap_or_default()
    }

    fn rest(&self, node: NodeIndex) -> Transform {
        self.scene.node(node).map_or(Transform::IDENTITY, |node| node.rest)
    }

    fn transform(&self, node: NodeIndex, time: Seconds, side: Side) -> Transform {
        let (rest, local) = (self.rest(node), self.local(node));
        let value = |curve: Option<&Curve>| curve.and_then(|curve| value_at(curve, time, side));
        let three = |curve| value(curve).and_then(|v| <[f64; 3]>::try_from(v).ok());
        let rotation = value(local.rotation).and_then(|v| <[f64; 4]>::try_from(v).ok());
        Transform {
            translation: three(local.translation).unwrap_or(rest.translation),
            rotation: rotation.unwrap_or(rest.rotation),
            scale: three(local.scale).unwrap_or(rest.scale),
        }
    }

    /// Where a chain of nodes ends.
    fn world(&self, chain: &[NodeIndex], time: Seconds, side: Side) -> Frame {
        let transforms = chain.iter().map(|node| self.transform(*node, time, side));
        transforms.fold(Frame::IDENTITY, |frame, transform| frame.then(&transform))
    }

    /// Position and rotation of a node in the world, at its own keys if nothing else in its chain moves, else sampled.
    pub(super) fn rows(&self, node: NodeIndex) -> (Vec<Row<3>>, Vec<Row<4>>, bool) {
        let chain = self.chain(node);
        let moving: Vec<usize> = (0..chain.len()).filter(|at| self.moves(chain[*at])).collect();
        if let [at] = moving[..]
            && let Some((translation, rotation)) = self.own_rows(&chain, at)
        {
            return (translation, rotation, false);
        }
        let (translation, rotation) = self.sampled(&chain);
        (translation, rotation, true)
    }

    /// The keys of the only moving node of a chain, seen from the world; `None` if what hangs on it is moved by its
    /// rotation.
    fn own_rows(&self, chain: &[NodeIndex], at: usize) -> Option<(Vec<Row<3>>, Vec<Row<4>>)> {
        let (above, below) = (chain.get(..at)?, chain.get(at + 1..)?);
        let (start, time) = (Seconds(0.0), Side::After);
        let (above, below) = (self.world(above, start, time), self.world(below, start, time));
        let own = *chain.get(at)?;
        let (rest, local) = (self.rest(own), self.local(own));
        if below.translation != DVec3::ZERO || local.scale.is_some() {
            return None;
        }
        let place = |v: [f64; 3]| above.point(v.into()).to_array();
        let along = |v: [f64; 3]| above.vector(v.into()).to_array();
        let turn = |q: [f64; 4]| (above.rotation * DQuat::from_array(q) * below.rotation).to_array();
        let translation = match local.translation {
            Some(curve) => super::rows::rows(curve, place, along),
            None => vec![Row::at(Seconds(0.0), place(rest.translation))],
        };
        let rotation = match local.rotation {
            Some(curve) => super::rows::rows(curve, turn, turn),
            None => vec![Row::at(Seconds(0.0), turn(rest.rotation))],
        };
        Some((translation, rotation))
    }

    fn sampled(&self, chain: &[NodeIndex]) -> (Vec<Row<3>>, Vec<Row<4>>) {
        let (mut translation, mut rotation) = (Vec::new(), Vec::new());
        for time in self.sample_times(chain) {
            let [before, after] = [Side::Before, Side::After].map(|side| self.world(chain, time, side));
            let frames = if before == after { vec![after] } else { vec![before, after] };
            for frame in frames {
                translation
                    .push(Row { leaving: Leaving::Straight, ..Row::at(time, frame.translation.to_array()) });
                rotation.push(Row { leaving: Leaving::Straight, ..Row::at(time, frame.rotation.to_array()) });
            }
        }
        (translation, rotation)
    }

    fn sample_times(&self, chain: &[NodeIndex]) -> Vec<Seconds> {
        let curves = chain.iter().flat_map(|node| self.local(*node).curves().collect::<Vec<_>>());
        let mut times: Vec<f64> =
            curves.flat_map(|curve| curve.times.iter().map(|t| t.0).collect::<Vec<_>>()).collect();
        let frames = (self.clip.duration.0 * SAMPLES_PER_S).clamp(0.0, MOST_SAMPLES);
        let mut frame = 0.0;
        while frame <= frames {
            times.push(frame / SAMPLES_PER_S);
            frame += 1.0;
        }
        ascend(&mut times);
        times.dedup();
        times.into_iter().map(Seconds).collect()
    }
}

/// Where something is in the world. Scales are multiplied component by component, which is exact as long as nothing
/// turned hangs on something unevenly scaled.
#[derive(Clone, Copy, PartialEq)]
struct Frame {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

impl Frame {
    const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    fn point(&self, point: DVec3) -> DVec3 {
        self.translation + self.vector(point)
    }

    fn vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * (self.scale * vector)
    }

    fn then(self, local: &Transform) -> Self {
        let own = DQuat::from_array(quat_normalise_or_identity(local.rotation));
        Self {
            translation: self.point(local.translation.into()),
            rotation: self.rotation * own,
            scale: self.scale * DVec3::from(local.scale),
        }
    }
}

/// A curve of one number as the file has it.
fn number_curve(curve: &Curve) -> NumberCurve {
    let keys = weighted_keys(curve, 0, 1.0).iter().map(Keyframe::from).collect();
    let wrap = Wrap { before: wrap::mode(&curve.before), after: wrap::mode(&curve.after) };
    NumberCurve { wrap, keys: NumberKeys::Full(keys) }
}

/// The value of a curve at a time; `None` without keys.
pub(super) fn value_at(curve: &Curve, time: Seconds, side: Side) -> Option<Vec<f64>> {
    let wide = |key: usize| curve.value(key).map(|v| v.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
    let until = match side {
        Side::Before => curve.times.count_before(time),
        Side::After => curve.times.count_until(time),
    };
    let Some(key) = until.checked_sub(1) else { return wide(0) };
    let (Some(from), Some(to)) = (wide(key), wide(key + 1)) else { return wide(key) };
    let (start, end) = (curve.times.get(key)?.0, curve.times.get(key + 1)?.0);
    let share = if end > start { (time.0 - start) / (end - start) } else { 1.0 };
    let each = |mix: &dyn Fn(usize) -> f64| Some((0..curve.width).map(mix).collect());
    match curve.laws.get(key).blend {
        // Approached from before, a step still has its old value where it ends.
        Blend::Step if side == Side::Before => Some(from),
        Blend::Step => each(&|n| step(from[n], to[n], share)),
        Blend::Hermite => {
            let handles = curve.handles.as_ref()?;
            let slope = |column: &[f32], key: usize, n: usize| {
                column.get(key * curve.width + n).copied().map_or(0.0, f64::from)
            };
            each(&|n| {
                let (leaving, arriving) =
                    (slope(&handles.leaving, key, n), slope(&handles.arriving, key + 1, n));
                hermite_per_second(from[n], leaving, to[n], arriving, end - start, share)
            })
        }
        Blend::Slerp | Blend::Nlerp | Blend::Squad | Blend::Turn => {
            let (a, b) = (<[f64; 4]>::try_from(from).ok()?, <[f64; 4]>::try_from(to).ok()?);
            Some(slerp(a, b, share).to_vec())
        }
        Blend::Lerp | Blend::WeightedBezier => each(&|n| lerp(from[n], to[n], share)),
    }
}
