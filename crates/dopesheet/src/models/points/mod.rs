//! Bones that turn, from joints given by their positions alone.
//!
//! A joint with a single child joint turns the shortest way, relative to its parent, from the child's
//! direction at rest to its present direction: least swing, no twist. A joint with several children turns so
//! that the sum of the squares of the children's distances from their positions is least (G. Wahba, "A Least
//! Squares Estimate of Satellite Attitude", SIAM Review 7, 1965; solved as B. Horn, "Closed-form Solution of
//! Absolute Orientation Using Unit Quaternions", 1987). An angle left open, as where all children lie in a
//! line, stays as the parent has it. Bones keep their average length, so that joints are off where lengths
//! change.
//!
//! A joint whose distance from its parent changes far more than is usual in the figure (the hips of a figure
//! that stands on a root, the goal of a limb) hangs on no bone: it slides, keeps its position and turns
//! nothing.

mod slides;
mod solve;

use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Hierarchy, Law, Laws, NodeIndex, Property, Scene, TargetKind, Times,
    Track,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::{counted, length};
use dopesheet_motion::inside::swing_rotation;
use glam::{DQuat, DVec3};
use solve::least_squares;

/// Bones shorter than this part of the longest have no direction.
const NO_LENGTH: f64 = 1e-6;

/// Turns the bones of all clips whose joints have positions alone, gives bones their average length, and
/// reports the distance of joints from their positions then.
///
/// Clips with an unknown hierarchy, or with keys of joints at different times, stay as they are.
pub fn turn_points(scene: &mut Scene, report: &mut Report) {
    if scene.hierarchy == Hierarchy::Unknown {
        return;
    }
    for index in 0..scene.clips.len() {
        let Some(clip) = scene.clips.get(index).filter(|clip| clip.places_only) else { continue };
        let Some(points) = Points::of(scene, clip) else { continue };
        let slides = slides::sliding(scene, points.frames());
        let offsets = points.offsets(scene, &slides);
        let turned = points.turned(scene, &offsets, slides);
        for (node, offset) in scene.nodes.iter_mut().zip(&offsets) {
            node.rest.translation = offset.to_array();
            node.rest.rotation = [0.0, 0.0, 0.0, 1.0];
        }
        turned.report(scene, &points, report);
        if let Some(clip) = scene.clips.get_mut(index) {
            put(clip, &points, &turned);
        }
    }
}

/// Positions of all joints, frame by frame.
struct Points {
    times: Times,
    /// Relative to a joint's parent; a row per frame with an entry per node.
    local: Vec<DVec3>,
    nodes: usize,
}

impl Points {
    fn of(scene: &Scene, clip: &Clip) -> Option<Self> {
        let nodes = scene.nodes.len();
        let mut curves: Vec<Option<&Curve>> = vec![None; nodes];
        for track in clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint) {
            let slot = curves.get_mut(track.target.node?.0)?;
            let places = track.channels.iter().find(|channel| channel.property == Property::Translation);
            if let Some(Composition::Whole(curve)) = places.map(|channel| &channel.composition) {
                slot.get_or_insert(curve);
            }
        }
        let times = curves.iter().flatten().next()?.times.clone();
        if curves.iter().flatten().any(|curve| curve.times != times || curve.width != 3) {
            return None;
        }
        let mut local = Vec::with_capacity(times.len().saturating_mul(nodes));
        for frame in 0..times.len() {
            for (curve, node) in curves.iter().zip(&scene.nodes) {
                let row = curve.and_then(|curve| curve.value(frame)?.first_chunk::<3>());
                local.push(
                    row.map_or(DVec3::from(node.rest.translation), |row| DVec3::from(row.map(f64::from))),
                );
            }
        }
        Some(Self { times, local, nodes })
    }

    fn frames(&self) -> impl Iterator<Item = &[DVec3]> {
        self.local.chunks_exact(self.nodes.max(1))
    }

    /// Bones at rest: as in the scene, with their average length. Bones without a direction get the direction
    /// of the first frame. Joints that slide rest in their positions of before.
    fn offsets(&self, scene: &Scene, slides: &[bool]) -> Vec<DVec3> {
        let count = self.times.len().max(1) as f64;
        let offset = |(index, node): (usize, &dopesheet_core::model::Node)| {
            let rest = DVec3::from(node.rest.translation);
            if node.parent.is_none() || slides.get(index).is_some_and(|slides| *slides) {
                return rest;
            }
            let mean =
                self.frames().filter_map(|row| row.get(index)).map(|bone| bone.length()).sum::<f64>() / count;
            let first = self.local.get(index).copied().unwrap_or_default();
            rest.try_normalize().or_else(|| first.try_normalize()).unwrap_or_default() * mean
        };
        scene.nodes.iter().enumerate().map(offset).collect()
    }

    /// The rotations of all joints, and how far joints are off then.
    fn turned(&self, scene: &Scene, offsets: &[DVec3], slides: Vec<bool>) -> PointBones {
        let longest = offsets.iter().map(|offset| offset.length()).fold(0.0, f64::max);
        let mut children = vec![Vec::new(); self.nodes];
        for (index, node) in scene.nodes.iter().enumerate() {
            let has_length = offsets.get(index).is_some_and(|offset| offset.length() > NO_LENGTH * longest);
            let is_held = has_length && slides.get(index).is_some_and(|slides| !slides);
            if let Some(NodeIndex(parent)) = node.parent.filter(|_| is_held)
                && let Some(bones) = children.get_mut(parent)
            {
                bones.push(index);
            }
        }
        let parents: Vec<Option<usize>> =
            scene.nodes.iter().map(|node| node.parent.map(|parent| parent.0)).collect();
        let roots = parents.iter().enumerate().filter(|(_, parent)| parent.is_none()).map(|(node, _)| node);
        let roots = roots.collect();
        let mut turned = PointBones { children, roots, slides, ..PointBones::default() };
        let mut before = vec![DQuat::IDENTITY; self.nodes];
        for (frame, row) in self.frames().enumerate() {
            turned.take(frame, row, offsets, &parents, &mut before);
        }
        turned
    }
}

/// Joints turned so that bones point from joint to joint, and their remaining distances from the points.
#[derive(Default)]
struct PointBones {
    /// The joints that each joint holds by a bone.
    children: Vec<Vec<usize>>,
    /// The joints that hang on nothing.
    roots: Vec<usize>,
    /// True of each joint below another that moves by itself.
    slides: Vec<bool>,
    /// Rotations and positions relative to a joint's parent; a row per frame.
    local: Vec<(DQuat, DVec3)>,
    /// The largest distance of a joint, the joint's index, and the frame.
    worst: (f64, usize, usize),
    /// The sum of all distances, and their number.
    sum: f64,
    count: usize,
}

impl PointBones {
    /// Turns the joints on a frame. `before` has the rotations of the joints in model space on the frame
    /// before.
    fn take(
        &mut self,
        frame: usize,
        row: &[DVec3],
        offsets: &[DVec3],
        parents: &[Option<usize>],
        before: &mut [DQuat],
    ) {
        // Parents stand before children.
        let mut model: Vec<(DQuat, DVec3, DVec3)> = Vec::with_capacity(row.len());
        let joints = row.iter().zip(offsets).zip(parents).zip(before).enumerate();
        for (index, (((position, offset), parent), before)) in joints {
            let above = parent.and_then(|parent| model.get(parent).copied());
            let (turn, is, should) = above.unwrap_or((*before, DVec3::ZERO, DVec3::ZERO));
            let rotation = self.rotation(index, turn, row, offsets);
            let should = should + position;
            let is_free = above.is_none() || self.slides.get(index).is_some_and(|slides| *slides);
            let (parent, is) = (is, if is_free { should } else { is + turn * offset });
            model.push((rotation, is, should));
            *before = rotation;
            let back = if above.is_some() { turn.inverse() } else { DQuat::IDENTITY };
            self.local.push(((back * rotation).normalize(), back * (is - parent)));
            let off = is.distance(should);
            if above.is_some() {
                self.sum += off;
                self.count = self.count.saturating_add(1);
            }
            if off > self.worst.0 {
                self.worst = (off, index, frame);
            }
        }
    }

    /// Rotation of a joint in model space, if its parent has the rotation `above`.
    fn rotation(&self, index: usize, above: DQuat, row: &[DVec3], offsets: &[DVec3]) -> DQuat {
        let bone = |child: &usize| Some((*offsets.get(*child)?, *row.get(*child)?));
        match self.children.get(index).map(Vec::as_slice).unwrap_or_default() {
            [] => above,
            [child] => {
                let Some((rest, to)) = bone(child) else { return above };
                let to = above.inverse() * to;
                above * DQuat::from_array(swing_rotation(to.to_array(), rest.to_array()))
            }
            children => least_squares(children.iter().filter_map(bone), above),
        }
    }

    /// The values of a joint on all frames.
    fn rows(&self, node: usize, nodes: usize) -> impl Iterator<Item = &(DQuat, DVec3)> {
        self.local.iter().skip(node).step_by(nodes.max(1))
    }

    fn report(&self, scene: &Scene, points: &Points, report: &mut Report) {
        let (off, joint, frame) = self.worst;
        let metres = scene.basis.metres_per_unit.unwrap_or(1.0);
        let mean = metres * self.sum / self.count.max(1) as f64;
        let sliding = match self.slides.iter().filter(|slides| **slides).count() {
            0 => String::new(),
            1 => "; one of them moves by itself".to_owned(),
            many => format!("; {many} of them move by themselves"),
        };
        let what = format!(
            "places of {}, as rotations of bones of constant length (on average {} off{sliding})",
            counted(points.nodes, "joint"),
            length(mean)
        );
        let max_error = MaxError {
            value: metres * off,
            unit: ErrorUnit::Metre,
            target: scene.nodes.get(joint).map(|node| node.name.clone()).unwrap_or_default(),
            time: points.times.get(frame).unwrap_or(Seconds(0.0)),
        };
        report.approximated(what, max_error);
    }
}

/// Replaces translations with rotations; joints that hang on nothing or slide keep translations, too.
fn put(clip: &mut Clip, points: &Points, turned: &PointBones) {
    clip.places_only = false;
    clip.source = None;
    let curve = |width, values, law| Curve::new(points.times.clone(), width, values, Laws::uniform(law));
    clip.tracks.retain_mut(|track: &mut Track| {
        let Some(NodeIndex(node)) = track.target.node else { return true };
        let rows = || turned.rows(node, points.nodes);
        let is_root = turned.roots.contains(&node);
        track.channels.retain(|channel| is_root || channel.property != Property::Translation);
        if turned.slides.get(node).is_some_and(|slides| *slides) {
            let values = rows().flat_map(|(_, position)| position.as_vec3().to_array()).collect();
            track.channels.push(Channel::whole(Property::Translation, curve(3, values, Law::LINEAR)));
        }
        if turned.children.get(node).is_some_and(|children| !children.is_empty()) {
            let values = rows().flat_map(|(turn, _)| turn.as_quat().to_array()).collect();
            track.channels.push(Channel::whole(Property::Rotation, curve(4, values, Law::SLERP)));
        }
        !track.channels.is_empty()
    });
}
