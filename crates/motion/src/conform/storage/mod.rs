//! Values as the target stores them, so that the tolerance holds for the written file. `search` measures the
//! cost of rounding alone, and `adapt` acts on it.
//!
//! Where keys may change within the tolerance, a joint also makes good the rounding errors of the rotations
//! above, as long as the joints share its key times: errors of rounding then do not add up along a chain, and
//! values can be far coarser.

mod coarseness;
pub(super) mod finer;
mod grid;
pub(super) mod shared_times;
mod short_times;
pub(super) mod size;

use crate::conform::laws::Destination;
use crate::difference::{difference, unit};
use crate::keys::Worst;
use crate::sample::moving::is_constant;
use crate::single::narrow;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::format::{KeyStorage, Rounding, TimeRounding};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Law, Laws, NodeIndex, Property, Scene, TargetKind, Times,
    Track, ValueKind,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::{counted, number};
use dopesheet_curve::quat_normalise_or_identity;
use glam::DQuat;
use grid::{Grid, in_digits};
use short_times::{Movement, move_keys};

/// For each node, the approximate distance by which its values may be rounded: the largest error is up to
/// twice as much.
#[derive(Clone, Debug)]
pub(in crate::conform) struct Coarseness {
    pub angles_rad: Vec<f64>,
    /// Also for scales and weights.
    pub lengths: Vec<f64>,
}

/// The largest changes by rounding, of rotations and of everything else, and their targets.
#[derive(Clone, Debug, Default)]
pub(in crate::conform) struct Rounded {
    pub rotations: Option<(Worst, String)>,
    pub numbers: Option<(Worst, String)>,
    /// The largest movement of keys whose times are stored in 16 bits.
    pub moved: Option<(Movement, String)>,
    /// Number of joints whose rotations are stored more finely than others, and the name of one.
    pub finer: Option<(usize, String)>,
}

impl Rounded {
    /// Takes the larger changes of two.
    pub(in crate::conform) fn add(&mut self, other: Self) {
        for (own, other) in [(&mut self.rotations, other.rotations), (&mut self.numbers, other.numbers)] {
            if let Some((error, target)) = other {
                keep_larger(own, error, &target);
            }
        }
        if let Some((movement, target)) = other.moved {
            self.move_keys(movement, &target);
        }
        if self.finer.as_ref().map(|own| own.0) < other.finer.as_ref().map(|other| other.0) {
            self.finer = other.finer;
        }
    }

    /// Notes a movement of keys.
    fn move_keys(&mut self, movement: Movement, target: &str) {
        let largest = self.moved.as_ref().map_or(0.0, |(largest, _)| largest.by_s);
        if movement.by_s > largest {
            self.moved = Some((movement, target.to_owned()));
        }
    }

    /// True if nothing was rounded.
    pub(in crate::conform) const fn is_empty(&self) -> bool {
        self.rotations.is_none() && self.numbers.is_none() && self.moved.is_none()
    }

    /// A line for each kind of rounded values.
    pub(in crate::conform) fn report(
        self,
        metres_per_unit: Option<f64>,
        storage: KeyStorage,
        report: &mut Report,
    ) {
        if let Some((count, one)) = self.finer {
            let fewer = match storage.rotations {
                Rounding::Packed48 => "16 with times of 16 bits",
                Rounding::Packed32 => "32 for all components together",
                _ => "16",
            };
            report.kept(format!(
                "rotations of {} ({one}{}) in 32 bits per component, because {fewer} exceed the tolerance",
                counted(count, "joint"),
                if count > 1 { ", …" } else { "" }
            ));
        }
        if let Some((movement, target)) = &self.moved {
            report.kept(format!(
                "key times of rotations in 16 bits, at most {} ms off ({target} at {:.3} s), within what is measured",
                number(1e3 * movement.by_s),
                movement.time.0
            ));
        }
        let words = match storage.rotations {
            Rounding::Shorts | Rounding::SmallestThree => "rotations, in 16 bits per component".to_owned(),
            Rounding::Packed48 => "rotations, x y z in 16 bits each".to_owned(),
            Rounding::Packed32 => "rotations, in 32 bits".to_owned(),
            Rounding::Digits(digits) => format!("rotations, as angles of {digits} digits"),
            Rounding::None | Rounding::Multiples(_) => "rotations, rounded for compression".to_owned(),
        };
        let of_numbers = match storage.numbers {
            Rounding::Digits(digits) => format!("numbers, in {digits} digits"),
            _ => "numbers, rounded for compression".to_owned(),
        };
        let numbers = (self.numbers, Property::Translation, of_numbers);
        for (found, property, words) in [numbers, (self.rotations, Property::Rotation, words)] {
            let Some((largest, target)) = found else { continue };
            let (unit, factor) = unit(&property, metres_per_unit);
            report.approximated(
                words,
                MaxError { value: largest.value * factor, unit, target, time: largest.time },
            );
        }
    }
}

/// The turn still to be made good by a joint's children, after which all points are in their exact positions.
#[derive(Clone, Debug, Default)]
enum RemainingTurn<'a> {
    #[default]
    Not,
    Constantly(DQuat),
    At(&'a Times, Vec<DQuat>),
}

impl<'a> RemainingTurn<'a> {
    /// The turn that a joint can make good at a key; `None` if it has other key times than the joint above.
    fn at(&self, key: usize, has_same_times: bool) -> Option<DQuat> {
        match self {
            Self::Constantly(turn) => Some(*turn),
            Self::At(_, turns) if has_same_times => turns.get(key).copied(),
            _ => None,
        }
    }

    /// The same turn as seen below a rounded rotation.
    fn below(&self, rounded: DQuat, exact: DQuat) -> Self {
        let seen = |turn: &DQuat| (rounded.inverse() * *turn * exact).normalize();
        match self {
            Self::Not => Self::Constantly(seen(&DQuat::IDENTITY)),
            Self::Constantly(turn) => Self::Constantly(seen(turn)),
            Self::At(times, turns) => Self::At(times, turns.iter().map(seen).collect()),
        }
    }
}

/// Rounds all values of a clip to the target's storage: to the finest values without a `coarseness`. `None`
/// where all of f32 is stored.
pub(in crate::conform) fn round(
    scene: &Scene,
    exact: &Clip,
    target: &Destination<'_>,
    coarseness: Option<&Coarseness>,
) -> Option<(Clip, Rounded)> {
    let storage = &target.storage;
    if storage.rotations == Rounding::None && storage.numbers == Rounding::None {
        return None;
    }
    let whole = matches!(storage.numbers, Rounding::Digits(_)).then(|| with_rest(scene, exact));
    let exact = whole.as_ref().unwrap_or(exact);
    let mut rounder = Rounder { scene, target, coarseness, clip: exact.clone(), rounded: Rounded::default() };
    rounder.numbers();
    rounder.rotations(exact);
    rounder.held_rotations();
    rounder.note_finer(exact);
    Some((rounder.clip, rounder.rounded))
}

/// A clip whose joints have channels for all parts of their transforms: text formats write the rest pose with
/// every key.
fn with_rest(scene: &Scene, clip: &Clip) -> Clip {
    let mut whole = clip.clone();
    for track in whole.tracks.iter_mut().filter(|track| track.target.kind == TargetKind::Joint) {
        let Some(rest) = track.target.node.and_then(|node| scene.node(node)).map(|node| node.rest) else {
            continue;
        };
        for (property, value, law) in [
            (Property::Translation, &rest.translation[..], Law::LINEAR),
            (Property::Rotation, &rest.rotation[..], Law::SLERP),
            (Property::Scale, &rest.scale[..], Law::LINEAR),
        ] {
            if track.channels.iter().all(|channel| channel.property != property) {
                let times = Times::Seconds([0.0].into());
                let values = value.iter().map(|x| narrow(*x)).collect();
                let curve = Curve::new(times, value.len(), values, Laws::uniform(law));
                track.channels.push(Channel::whole(property, curve));
            }
        }
    }
    whole
}

/// Gives a clip the key times that the target stores and players see. Returns true if any time changed.
pub(in crate::conform) fn time(clip: &mut Clip, storage: &KeyStorage) -> bool {
    let round = |time: f64| match storage.times {
        TimeRounding::None => time,
        TimeRounding::Single => narrow(time).into(),
        TimeRounding::Digits(digits) => in_digits(time, digits),
    };
    if storage.times == TimeRounding::None {
        return false;
    }
    if let TimeRounding::Digits(_) = storage.times {
        // The last key stays at the end, which is written as all other times are.
        clip.duration = Seconds(round(clip.duration.0));
    }
    let mut moves = false;
    let mut lists: Vec<(Times, Times)> = Vec::new();
    let channels = clip.tracks.iter_mut().flat_map(|track| &mut track.channels);
    for curve in channels.flat_map(|channel| channel.composition.curves_mut()) {
        let rounded = lists.iter().rev().find(|(exact, _)| exact.is_same_list(&curve.times));
        if let Some((_, stored)) = rounded {
            curve.times = stored.clone();
        } else if !is_stored(&curve.times, round) {
            let stored = Times::Seconds(curve.times.iter().map(|time| round(time.0)).collect());
            moves |= curve.times.iter().zip(stored.iter()).any(|(exact, stored)| exact != stored);
            let exact = std::mem::replace(&mut curve.times, stored.clone());
            lists.push((exact, stored));
        }
    }
    moves
}

/// True if times are seconds that rounding leaves alone.
fn is_stored(times: &Times, round: impl Fn(f64) -> f64) -> bool {
    match times {
        Times::Seconds(times) => times.iter().all(|time| round(*time) == *time),
        Times::Frames { .. } => false,
    }
}

/// Track and channel of each node's straight rotation curve.
pub(in crate::conform) fn rotation_curves(scene: &Scene, clip: &Clip) -> Vec<Option<[usize; 2]>> {
    let mut places = vec![None; scene.nodes.len()];
    for (track, moved) in clip.tracks.iter().enumerate() {
        let Some(place) = moved.target.node.and_then(|node| places.get_mut(node.0)) else { continue };
        let is_own = |c: &Channel| c.property == Property::Rotation;
        let channel = moved.channels.iter().position(|c| is_own(c) && straight(&c.composition).is_some());
        *place = channel.map(|channel| [track, channel]);
    }
    places
}

/// For each node, true if the node turns, by whatever law.
fn turning(scene: &Scene, clip: &Clip) -> Vec<bool> {
    let mut turning = vec![false; scene.nodes.len()];
    for track in &clip.tracks {
        let turns =
            track.channels.iter().any(|c| matches!(c.property, Property::Rotation | Property::Placement));
        if let Some(own) = track.target.node.and_then(|node| turning.get_mut(node.0)) {
            *own |= turns;
        }
    }
    turning
}

/// The only curve of straight rotations.
fn straight(composition: &Composition) -> Option<&Curve> {
    let Composition::Whole(curve) = composition else { return None };
    let is_straight = curve.width == 4 && curve.laws.all(|law| law == Law::SLERP);
    (is_straight && !curve.is_empty()).then_some(curve)
}

struct Rounder<'a> {
    scene: &'a Scene,
    target: &'a Destination<'a>,
    coarseness: Option<&'a Coarseness>,
    clip: Clip,
    rounded: Rounded,
}

impl Rounder<'_> {
    /// Rounds all channels except rotations; rotations by laws other than straight ones stay unchanged.
    fn numbers(&mut self) {
        for track in &mut self.clip.tracks {
            for channel in &mut track.channels {
                let Composition::Whole(curve) = &mut channel.composition else { continue };
                if channel.property.kind() == ValueKind::Rotation || channel.native.is_some() {
                    continue;
                }
                let allowed = self.coarseness.zip(track.target.node).filter(|_| is_coarse(&channel.property));
                let allowed = allowed.and_then(|(all, node)| all.lengths.get(node.0)).copied();
                let grid = Grid::of_numbers(self.target.storage.numbers, allowed);
                if !grid.is_text() && is_at_rest(self.scene, track.target.node, &channel.property, curve) {
                    continue;
                }
                if let Some(largest) = grid.round_numbers(curve, &channel.property) {
                    keep_larger(&mut self.rounded.numbers, largest, &track.target.name);
                }
            }
        }
    }

    fn rotations(&mut self, exact: &Clip) {
        let places = rotation_curves(self.scene, exact);
        let turning = turning(self.scene, exact);
        let mut turned: Vec<RemainingTurn<'_>> = Vec::with_capacity(self.scene.nodes.len());
        for (index, node) in self.scene.nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| turned.get(parent.0)).cloned().unwrap_or_default();
            let position = places.get(index).copied().flatten();
            let curve = position.and_then(|place| curve_at(exact, place));
            let writes_rest = matches!(self.target.storage.rotations, Rounding::Digits(_));
            let stays = |curve: &&Curve| {
                !writes_rest && is_at_rest(self.scene, Some(NodeIndex(index)), &Property::Rotation, curve)
            };
            let curve = curve.filter(|curve| !stays(curve));
            let (Some(place), Some(curve)) = (position, curve) else {
                let rest = DQuat::from_array(quat_normalise_or_identity(node.rest.rotation));
                let turns = position.is_none() && turning.get(index).copied().unwrap_or(false);
                turned.push(if turns { RemainingTurn::Not } else { above.below(rest, rest) });
                continue;
            };
            let allowed = self.coarseness.and_then(|all| all.angles_rad.get(index)).copied();
            let allowed = allowed.filter(|_| !is_constant(curve));
            let grid = Grid::of_rotations(self.target.rounding(index), allowed);
            let (values, left) = self.turn(curve, &grid, &above);
            self.note(exact, place, curve, &values);
            if let Some(channel) =
                self.clip.tracks.get_mut(place[0]).and_then(|t| t.channels.get_mut(place[1]))
                && let Composition::Whole(made) = &mut channel.composition
            {
                made.values = values;
                if grid == Grid::Packed48
                    && let Some(track) = exact.tracks.get(place[0])
                {
                    self.rounded.move_keys(move_keys(made), &track.target.name);
                }
            }
            turned.push(left);
        }
    }

    /// The rounded values of a curve, and the turn still to be made good below.
    fn turn<'b>(
        &self,
        curve: &'b Curve,
        grid: &Grid,
        above: &RemainingTurn<'b>,
    ) -> (Vec<f32>, RemainingTurn<'b>) {
        let mut values = Vec::with_capacity(curve.values.len());
        let mut left = Vec::with_capacity(curve.len());
        let single = is_constant(curve);
        // Two lists of times are compared once, not at each of their keys.
        let has_same_times =
            matches!(above, RemainingTurn::At(times, _) if !single && **times == curve.times);
        let mut previous = None;
        for key in 0..curve.len() {
            let stored = curve.value(key).and_then(<[f32]>::first_chunk::<4>).copied().unwrap_or_default();
            let rotation = DQuat::from_array(quat_normalise_or_identity(stored.map(f64::from)));
            let above = above.at(key, has_same_times).filter(|_| self.target.lossy);
            let goal = above.map_or(rotation, |turn| turn * rotation);
            let rounded = grid.rotation(goal.to_array(), stored, &mut previous);
            values.extend(rounded);
            let rounded = DQuat::from_array(quat_normalise_or_identity(rounded.map(f64::from)));
            left.push((rounded.inverse() * goal).normalize());
        }
        let left = match left.as_slice() {
            _ if !self.target.lossy => RemainingTurn::Not,
            [turn, ..] if single => match above {
                RemainingTurn::At(..) => {
                    let exact = curve.value(0).and_then(<[f32]>::first_chunk::<4>).copied();
                    let exact = DQuat::from_array(quat_normalise_or_identity(
                        exact.unwrap_or_default().map(f64::from),
                    ));
                    above.below((exact * turn.inverse()).normalize(), exact)
                }
                _ => RemainingTurn::Constantly(*turn),
            },
            _ => RemainingTurn::At(&curve.times, left),
        };
        (values, left)
    }

    /// Rounds rotations that are only held: no joint below makes good their errors.
    fn held_rotations(&mut self) {
        for track in &mut self.clip.tracks {
            let Some(node) = track.target.node else { continue };
            let grid = Grid::of_rotations(self.target.rounding(node.0), None);
            for channel in track.channels.iter_mut().filter(|c| c.property == Property::Rotation) {
                let Composition::Whole(curve) = &mut channel.composition else { continue };
                if curve.width != 4 || !curve.laws.all(|law| law.blend == Blend::Step) {
                    continue;
                }
                let (mut largest, mut previous) = (Worst::default(), None);
                for (key, value) in curve.values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    let goal = quat_normalise_or_identity(value.map(f64::from));
                    let rounded = grid.rotation(goal, *value, &mut previous);
                    let apart = difference(&Property::Rotation, &goal, &rounded.map(f64::from));
                    largest.note(apart, curve.times.get(key).unwrap_or_default());
                    *value = rounded;
                }
                if largest.value > 0.0 {
                    keep_larger(&mut self.rounded.rotations, largest, &track.target.name);
                }
                if grid == Grid::Packed48 {
                    self.rounded.move_keys(move_keys(curve), &track.target.name);
                }
            }
        }
    }

    /// Notes the joints stored more finely than others.
    fn note_finer(&mut self, exact: &Clip) {
        let is_finer = |track: &&Track| {
            track.target.node.is_some_and(|node| self.target.fine.get(node.0) == Some(&true))
        };
        let mut finer = exact.tracks.iter().filter(is_finer);
        if let Some(first) = finer.next() {
            self.rounded.finer = Some((finer.count().saturating_add(1), first.target.name.clone()));
        }
    }

    /// Notes how far rounding turned the keys of a curve at most.
    fn note(&mut self, exact: &Clip, [track, _]: [usize; 2], curve: &Curve, values: &[f32]) {
        let mut largest = Worst::default();
        let wide = |q: &[f32]| q.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
        for ((key, old), new) in curve.values.chunks_exact(4).enumerate().zip(values.chunks_exact(4)) {
            let Some(time) = curve.times.get(key) else { break };
            largest.note(difference(&Property::Rotation, &wide(old), &wide(new)), time);
        }
        if largest.value > 0.0
            && let Some(track) = exact.tracks.get(track)
        {
            keep_larger(&mut self.rounded.rotations, largest, &track.target.name);
        }
    }
}

/// True if a curve leaves its node at rest; such channels need not be written.
fn is_at_rest(scene: &Scene, node: Option<NodeIndex>, property: &Property, curve: &Curve) -> bool {
    let Some(rest) = node.and_then(|node| scene.nodes.get(node.0)).map(|node| node.rest) else {
        return false;
    };
    let same = |rest: &[f64]| {
        let is_rest = |row: &[f32]| row.iter().zip(rest).all(|(x, rest)| *x == narrow(*rest));
        curve.width == rest.len()
            && curve.handles.is_none()
            && curve.values.chunks_exact(rest.len()).all(is_rest)
    };
    match property {
        Property::Translation => same(&rest.translation),
        Property::Scale => same(&rest.scale),
        Property::Rotation => same(&rest.rotation) || same(&rest.rotation.map(|x| -x)),
        _ => false,
    }
}

/// True if a property may be rounded as coarsely as the tolerance allows.
const fn is_coarse(property: &Property) -> bool {
    matches!(property, Property::Translation)
}

fn curve_at(clip: &Clip, [track, channel]: [usize; 2]) -> Option<&Curve> {
    straight(&clip.tracks.get(track)?.channels.get(channel)?.composition)
}

fn keep_larger(largest: &mut Option<(Worst, String)>, error: Worst, target: &str) {
    if largest.as_ref().is_none_or(|(most, _)| error.value > most.value) {
        *largest = Some((error, target.to_owned()));
    }
}
