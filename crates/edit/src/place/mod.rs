//! Moving, turning and scaling of the root of a motion.

mod channels;
mod ground;
mod mixed;
mod similar;

use crate::refused::{self, Reason};
use channels::Placed;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Hierarchy, Law, Laws, Node, NodeIndex, PoseRelation, Property, Scene,
    Target, TargetKind, Times, Track, Transform,
};
use dopesheet_curve::{quat_inverse, quat_product};
use dopesheet_human::{Vocabulary, propose};
use dopesheet_motion::sample::pose::{model_pose, rest_pose};
use similar::Similar;
use std::collections::{BTreeMap, HashSet};
use std::str::FromStr;

/// Options of [`move_root`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Move {
    /// Offset along the axes of the file, added last.
    pub by: Way,
    /// Turn about the line upwards through the origin, to a figure's left, in degrees.
    pub turn_deg: f64,
    /// Factor of the root's positions, and so of a figure's path; `None` is 1. Bones keep their lengths.
    pub scale: Option<f64>,
    /// True if standing feet are put on the ground, at height 0.
    pub grounds: bool,
}

/// An offset along three axes, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Way(pub [Length; 3]);

/// A length as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// In the file's unit of length.
    Units(f64),
    /// In metres.
    Metres(f64),
}

impl Default for Length {
    fn default() -> Self {
        Self::Units(0.0)
    }
}

impl FromStr for Way {
    type Err = Reason;

    /// Reads `1m,0,-20cm`; numbers without a unit are in units of the file.
    fn from_str(text: &str) -> Result<Self, Reason> {
        let fault = || {
            Reason::new(format!(
                "expected three lengths (1m,0,-20cm; without m, cm or mm in units of the file), found \"{text}\""
            ))
        };
        let length = |part: &str| {
            let part = part.trim();
            let (number, unit) =
                match (part.strip_suffix("mm"), part.strip_suffix("cm"), part.strip_suffix('m')) {
                    (Some(number), ..) => (number, Some(1000.0)),
                    (_, Some(number), _) => (number, Some(100.0)),
                    (.., Some(number)) => (number, Some(1.0)),
                    _ => (part, None),
                };
            let number =
                number.trim().parse::<f64>().ok().filter(|parsed| parsed.is_finite()).ok_or_else(fault)?;
            Ok(unit.map_or(Length::Units(number), |per_metre| Length::Metres(number / per_metre)))
        };
        let parts = text.split(',').map(length).collect::<Result<Vec<_>, Reason>>()?;
        Ok(Self(parts.try_into().map_err(|_| fault())?))
    }
}

const NO_ROOT: &str = "expected joints, a camera or a light, found a motion of none of them";

/// Bone that carries a whole model of MikuMikuDance.
const CARRIER: &str = "全ての親";

/// Bone that carries the whole body of a model.
const CENTRE: &str = "センター";

/// Moves a figure in its scene: the topmost node that moves, or the node that branches into all moving nodes,
/// is turned about the origin, its positions are scaled, and then the offset is added. Cameras, lights and
/// tracked hands move along. All keys keep their times and laws. If a turn mixes axes with different timings,
/// keys are exact and the largest difference between them is reported.
///
/// A motion whose bones are siblings, as in MikuMikuDance, is moved by the bone that carries all others,
/// which gets a key if it has no keys.
///
/// # Errors
/// If a factor is not above 0, or a turn is not finite; if a curve cannot be turned, no standing figure is
/// known to be grounded, or the file has no hierarchy.
pub fn move_root(scene: &mut Scene, clip: usize, options: &Move, report: &mut Report) -> Result<(), Reason> {
    let scale = options.scale.unwrap_or(1.0);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(refused::not_above_0(scale));
    }
    if !options.turn_deg.is_finite() {
        return Err(Reason::new(format!("expected a number of degrees, found {}", options.turn_deg)));
    }
    let per_unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let by = options.by.0.map(|length| match length {
        Length::Units(units) => units,
        Length::Metres(metres) => metres / per_unit,
    });
    let mut placed = Placed::new(&scene.basis);
    put(scene, clip, &Similar::new(&scene.basis, (by, options.turn_deg, scale)), &mut placed)?;
    if options.grounds {
        let by = ground::way(scene, clip)?.to_array();
        put(scene, clip, &Similar::new(&scene.basis, (by, 0.0, 1.0)), &mut placed)?;
    }
    placed.tell(report);
    Ok(())
}

fn put(scene: &mut Scene, clip: usize, similar: &Similar, placed: &mut Placed) -> Result<(), Reason> {
    if similar.is_none() || clip >= scene.clips.len() {
        return Ok(());
    }
    match scene.hierarchy {
        Hierarchy::Known => put_tree(scene, clip, similar, placed),
        Hierarchy::Unknown => put_side_by_side(scene, clip, similar, placed),
    }
}

/// True of a track whose target has no parent in the scene.
fn is_free(track: &Track) -> bool {
    matches!(track.target.kind, TargetKind::Camera | TargetKind::Light)
        || track
            .channels
            .iter()
            .any(|channel| matches!(channel.property, Property::Origin | Property::Direction))
}

fn put_tree(scene: &mut Scene, clip: usize, similar: &Similar, placed: &mut Placed) -> Result<(), Reason> {
    let Some(source_clip) = scene.clips.get(clip) else { return Ok(()) };
    let relation = source_clip.relation;
    let roots = roots(scene, source_clip);
    if similar.scale != 1.0 && are_in_world(scene, source_clip, &roots) {
        return Err(Reason::new(
            "expected joints that hang on each other, found some that stand in the world each by itself, whose bones --scale would \
             make longer or shorter; leave --scale out",
        ));
    }
    let rest = model_pose(scene, &rest_pose(scene)).0;
    let mut seen = HashSet::new();
    let mut seats: BTreeMap<usize, (Similar, Transform)> = BTreeMap::new();
    for root in roots {
        let Some(node) = scene.node(root) else { continue };
        let above = node.parent.and_then(|parent| rest.get(parent.0));
        let local = above.map_or(Some(similar.clone()), |above| similar.seen_from(above));
        let local = local.ok_or_else(|| {
            Reason::new(format!(
                "expected nodes above \"{}\" that scale all axes alike, found others, which a turn would shear; turn it by 0",
                node.name
            ))
        })?;
        seats.insert(root.0, (local, node.rest));
    }
    let Some(target_clip) = scene.clips.get_mut(clip) else { return Ok(()) };
    if seats.is_empty() && !target_clip.tracks.iter().any(is_free) {
        return Err(Reason::new(NO_ROOT));
    }
    for track in &mut target_clip.tracks {
        let Some((local, rest)) = track.target.node.and_then(|node| seats.get(&node.0)) else {
            if track.target.node.is_none() && is_free(track) {
                placed.track(track, similar, None)?;
            }
            continue;
        };
        let base = (relation == PoseRelation::OnTopOfRest).then_some(*rest);
        placed.track(track, local, base)?;
        let moves = track.target.kind == TargetKind::Joint
            || track.channels.iter().any(|channel| places(&channel.property));
        if moves && seen.insert(track.target.node) {
            add_missing(track, local, rest, base);
        }
    }
    for (node, (local, rest)) in seats {
        let target = Some(NodeIndex(node));
        if target_clip.tracks.iter().any(|track| track.target.node == target) {
            continue;
        }
        let Some(named) = scene.nodes.get(node) else { continue };
        let index = named.source_index.unwrap_or(node);
        let mut track = Track {
            target: Target::new(TargetKind::Joint, &*named.name, index, target),
            channels: Vec::new(),
        };
        add_missing(&mut track, &local, &rest, (relation == PoseRelation::OnTopOfRest).then_some(rest));
        target_clip.tracks.push(track);
    }
    Ok(())
}

/// True if several joints are siblings in a space that is not in the file, so that nothing keeps their
/// distances.
fn are_in_world(scene: &Scene, clip: &Clip, roots: &[NodeIndex]) -> bool {
    let is_stored = |node: NodeIndex| scene.node(node).is_some_and(|node| node.source_index.is_some());
    let is_joint = |root: &&NodeIndex| {
        let mut tracks = clip.tracks.iter().filter(|track| track.target.node == Some(**root));
        let is_below = scene.node(**root).and_then(|node| node.parent).is_some_and(|above| !is_stored(above));
        is_stored(**root)
            && is_below
            && tracks.any(|track| track.target.kind == TargetKind::Joint && !is_free(track))
    };
    roots.iter().filter(is_joint).count() > 1
}

/// Adds keys for the parts of a root that no curve holds and that no longer equal the rest pose.
fn add_missing(track: &mut Track, local: &Similar, rest: &Transform, base: Option<Transform>) {
    let has = |property: &Property, of_ray: &Property| {
        let names = [property, of_ray, &Property::Placement];
        track.channels.iter().any(|channel| names.contains(&&channel.property))
    };
    let (position, rotation) = (local.place(rest.translation), local.rotation(rest.rotation));
    let mut missing = Vec::new();
    if !has(&Property::Translation, &Property::Origin) && position != rest.translation {
        let base = base.map_or([0.0; 3], |base| base.translation);
        let values = position.iter().zip(base).map(|(number, base)| (number - base) as f32).collect();
        missing.push(one_key(Property::Translation, values, Law::LINEAR));
    }
    if !has(&Property::Rotation, &Property::Direction) && local.turns() {
        let rotation = match base {
            Some(base) => quat_product(quat_inverse(base.rotation), rotation),
            None => rotation,
        };
        missing.push(one_key(Property::Rotation, rotation.iter().map(|x| *x as f32).collect(), Law::SLERP));
    }
    track.channels.extend(missing);
}

fn one_key(property: Property, values: Vec<f32>, law: Law) -> Channel {
    let times = Times::Seconds([0.0].into());
    let curve = Curve::new(times, values.len(), values, Laws::uniform(law));
    Channel { property, composition: Composition::Whole(curve), native: None }
}

/// True of a property that holds the position or orientation of its target.
const fn places(property: &Property) -> bool {
    use Property as P;
    matches!(property, P::Translation | P::Rotation | P::Scale | P::Placement | P::Origin | P::Direction)
}

/// From each top of the hierarchy down to the first node that moves, or that has more than one moving branch.
/// Nodes that are not in the file, such as the space of a recording, cannot be roots.
fn roots(scene: &Scene, clip: &Clip) -> Vec<NodeIndex> {
    let is_moving = |track: &&Track| track.channels.iter().any(|channel| places(&channel.property));
    let tracks = clip.tracks.iter().filter(is_moving);
    let moved: HashSet<usize> = tracks.filter_map(|track| Some(track.target.node?.0)).collect();
    // Number of children that something moves on or below.
    let mut below = vec![0usize; scene.nodes.len()];
    for (at, node) in scene.nodes.iter().enumerate().rev() {
        let counts = moved.contains(&at) || below.get(at).is_some_and(|count| *count > 0);
        if let Some(parent) = node.parent.filter(|_| counts).and_then(|parent| below.get_mut(parent.0)) {
            *parent += 1;
        }
    }
    let has_numbers = scene.nodes.iter().any(|node| node.source_index.is_some());
    // True of a node below which roots are sought.
    let mut opens = vec![false; scene.nodes.len()];
    let mut roots = Vec::new();
    for (at, (node, below)) in scene.nodes.iter().zip(below).enumerate() {
        if node.parent.is_some_and(|parent| opens.get(parent.0) != Some(&true)) {
            continue;
        }
        let is_stored = node.source_index.is_some() || !has_numbers;
        if moved.contains(&at) || (below > 1 && is_stored) {
            roots.push(NodeIndex(at));
        } else if let Some(is_open) = opens.get_mut(at) {
            *is_open = below > 0;
        }
    }
    roots
}

fn put_side_by_side(
    scene: &mut Scene,
    clip: usize,
    similar: &Similar,
    placed: &mut Placed,
) -> Result<(), Reason> {
    let (basis, is_dancer) = (scene.basis, is_dancer(scene, clip));
    let Some(target_clip) = scene.clips.get_mut(clip) else { return Ok(()) };
    let joints = |track: &Track| track.target.kind == TargetKind::Joint;
    match target_clip.tracks.iter().any(joints) {
        true if !is_dancer || target_clip.relation == PoseRelation::Absolute => {
            return Err(Reason::new(
                "expected a file that says which joint hangs on which, found one that only names them; convert it with the model it is \
                 for first (-m)",
            ));
        }
        false if !target_clip.tracks.iter().any(is_free) => return Err(Reason::new(NO_ROOT)),
        _ => {}
    }
    let scaled = similar.scaling(&basis);
    for track in target_clip.tracks.iter_mut().filter(|track| joints(track)) {
        placed.track(track, &scaled, None)?;
    }
    for track in target_clip.tracks.iter_mut().filter(|track| !joints(track) && is_free(track)) {
        placed.track(track, similar, None)?;
    }
    let rigid = similar.without_scale();
    if rigid.is_none() || !target_clip.tracks.iter().any(joints) {
        return Ok(());
    }
    if let Some(carrier) =
        target_clip.tracks.iter_mut().find(|track| joints(track) && track.target.name == CARRIER)
    {
        placed.track(carrier, &rigid, None)?;
        add_missing(carrier, &rigid, &Transform::IDENTITY, None);
        return Ok(());
    }
    let index = target_clip.tracks.iter().map(|track| track.target.index + 1).max().unwrap_or(0);
    let at = scene.nodes.iter().position(|node| node.name == CARRIER).map(NodeIndex);
    let node = at.unwrap_or_else(|| scene.push_node(Node::new(CARRIER, None, Transform::IDENTITY)));
    let target = Target::new(TargetKind::Joint, CARRIER, index, Some(node));
    let mut track = Track { target, channels: Vec::new() };
    add_missing(&mut track, &rigid, &Transform::IDENTITY, None);
    if let Some(target_clip) = scene.clips.get_mut(clip) {
        target_clip.tracks.push(track);
    }
    Ok(())
}

/// True of a motion whose bones have the names of MikuMikuDance's models.
fn is_dancer(scene: &Scene, clip: usize) -> bool {
    let is_centre = |track: &Track| [CARRIER, CENTRE].contains(&&*track.target.name);
    let has_centre = scene.clips.get(clip).is_some_and(|clip| clip.tracks.iter().any(is_centre));
    has_centre || propose(scene, &NameMap::default()).vocabulary == Some(Vocabulary::Mmd)
}
