//! Joints of both animations, compared in model space and each by itself.

mod between;
mod frames;
mod measure;
mod near;
mod skim;

use super::blocks::{Above, Own};
use super::matching::{Match, Nodes};
use super::moments::Moment;
use super::norm::{Gap, angle, displaced, displacement, half_sine};
use super::pieces::Twist;
use super::stage::{Joint, Local, Place, Stage, is_placing};
use super::{Animation, Bound, Difference, Scope};
use crate::Tolerance;
use crate::measure::Worst;
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Channel, Composition, NodeIndex, Target};
use glam::DVec3;
use measure::Wanted;
use std::ops::Range;

/// The channel of [`Difference`]s between points around a joint in model space.
pub(crate) const MODEL_SPACE: &str = "model-space";

/// What the difference of directions is called.
pub(crate) const GAZE: &str = "gaze";

/// How the direction of something that looks or shines is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gaze {
    /// Cameras: its whole rotation.
    Whole,
    /// Lights and rays: this local axis, because a roll about it means nothing.
    Along(DVec3),
}

/// Where a joint of one animation is compared with one of the other, or with its own rest.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    a: Option<usize>,
    b: Option<usize>,
    /// How often each side had moved when it was measured.
    seen: [u32; 2],
    /// What moves in A, and in B.
    pub(super) targets: [Option<&'a Target>; 2],
    pub(super) name: &'a str,
    /// Whether its displacement is wanted.
    is_asked_for: bool,
    /// Whether it leads to something of which the displacement is wanted.
    is_needed: bool,
    gaze: Option<Gaze>,
    /// The pairs that hang on it, on either side.
    children: Vec<usize>,
    /// What its distance is bounded by.
    above: Above,
    /// In model space.
    displacement: Worst,
    /// The angle in model space at that time.
    rotation_rad: f64,
    gaze_rad: Worst,
    /// Of the transforms relative to the parents.
    translation: Worst,
    half_sine: Worst,
    scale: Worst,
    /// As [`Pair::displacement`], relative to the parent.
    own: Worst,
    /// How large a displacement may be at times that were not looked at.
    unseen: f64,
    /// How many moments are its own, if it has any.
    moments: Option<usize>,
}

/// All pairs, and both stages.
#[derive(Clone)]
pub(super) struct Joints<'a> {
    a: Stage<'a>,
    b: Stage<'a>,
    pairs: Vec<Pair<'a>>,
    nodes: &'a Nodes,
    shell: f64,
    is_known: bool,
    /// Below this, only the largest displacement of all is looked for.
    exact_above: f64,
    /// What is measured, if that is not all of the time.
    windows: Option<&'a [Range<f64>]>,
    /// The largest displacement so far.
    largest: f64,
    /// The number of the last moment.
    number: usize,
    /// Pairs that are still to be measured; kept to be used again.
    line: Vec<usize>,
}

/// How a joint is apart at a moment, relative to its parent.
#[derive(Clone, Copy, Debug)]
struct Seen {
    own: Own,
    twist: Twist,
    /// Where it is in A.
    at: Local,
    /// The moment as A has it, and as B has it.
    times: [f64; 2],
}

impl Seen {
    const NOTHING: Self = Self { own: Own::NOTHING, twist: Twist::NOTHING, at: Local::NONE, times: [0.0; 2] };

    fn between(a: &Local, b: &Local) -> Self {
        let twist = Twist::between(a, b);
        Self { own: Own::of(&twist, a), twist, at: *a, times: [0.0; 2] }
    }
}

impl<'a> Joints<'a> {
    /// One pair for each match, in the same order.
    pub(super) fn new(
        [a, b]: [&Animation<'a>; 2],
        nodes: &'a Nodes,
        is_known: bool,
        tolerance: &Tolerance,
        scope: Scope<'a>,
    ) -> Self {
        let asks_for =
            |a: Option<usize>| a.is_none_or(|a| scope.only.is_none_or(|only| only.get(a) == Some(&true)));
        let stage = |side: usize, animation: &Animation<'a>| {
            let place = |node| nodes.place(side, Some(node)).and_then(|place| nodes.matches.get(place));
            Stage::new(side, animation, is_known, |node| place(node).is_none_or(|found| asks_for(found.a)))
        };
        let stages = [stage(0, a), stage(1, b)];
        let targets = [a, b].map(targets);
        let gazes = [a, b].map(gazes);
        let pair = |found: &Match| {
            let of = |side: usize, node: Option<usize>| targets[side].get(node?).copied().flatten();
            let gaze = |side: usize, node: Option<usize>| gazes[side].get(node?).copied().flatten();
            let node = |side: &Animation<'a>, at: Option<usize>| side.scene.nodes.get(at?);
            let name = node(a, found.a).or(node(b, found.b)).map_or("", |node| node.name.as_str());
            let gaze = gaze(0, found.a).or(gaze(1, found.b));
            let is_asked_for = asks_for(found.a);
            Pair { is_asked_for, ..Pair::new(*found, [of(0, found.a), of(1, found.b)], name, gaze) }
        };
        let pairs = nodes.matches.iter().map(pair).collect();
        let [a, b] = stages;
        let shell = tolerance.shell_m(is_known);
        let mut joints = Self {
            a,
            b,
            pairs,
            nodes,
            shell,
            is_known,
            exact_above: scope.exact_above,
            windows: scope.windows,
            largest: scope.largest,
            number: 0,
            line: Vec::new(),
        };
        joints.join();
        joints
    }

    /// Notes which pairs hang on which.
    fn join(&mut self) {
        for place in 0..self.pairs.len() {
            let pair = &self.pairs[place];
            let joints = [pair.a.map(|node| &self.a.joints[node]), pair.b.map(|node| &self.b.joints[node])];
            let above = joints.map(|joint| joint.and_then(|joint| joint.parent));
            let parents = [0, 1].map(|side: usize| self.nodes.place(side, above[side]));
            let are_rigid = joints.iter().all(|joint| joint.is_some_and(|joint| joint.is_rigid));
            let is_bounded = are_rigid && parents[0] == parents[1] && pair.gaze.is_none();
            self.pairs[place].above = match parents[0] {
                Some(parent) if is_bounded => Above::Pair(parent),
                None if is_bounded => Above::Nothing,
                _ => Above::Unknown,
            };
            for (side, parent) in parents.into_iter().enumerate() {
                let is_new = side == 0 || parents[0] != parents[1];
                if let Some(parent) = parent.filter(|_| is_new) {
                    self.pairs[parent].children.push(place);
                }
            }
        }
        let mut needed = vec![Wanted::Nothing; self.pairs.len()];
        for place in (0..self.pairs.len()).filter(|place| self.pairs[*place].is_asked_for) {
            needed[place] = Wanted::Itself;
            self.want_way_to(place, &mut needed);
        }
        for (pair, needed) in self.pairs.iter_mut().zip(needed) {
            pair.is_needed = needed != Wanted::Nothing;
        }
    }

    /// Pairs that were compared: all that both have, and all that move. Where parents are unknown the rest poses mean
    /// little, and joints that nothing moves are left out.
    pub(super) fn compared(&self) -> impl Iterator<Item = &Pair<'a>> {
        let counts =
            move |p: &&Pair<'_>| p.targets.iter().any(Option::is_some) || (self.is_known && p.is_shared());
        self.pairs.iter().filter(counts)
    }

    /// For each of so many nodes of A, how far apart it is at most.
    pub(super) fn bounds(&self, nodes: usize) -> Vec<Bound> {
        let mut bounds = vec![Bound { at_most: f64::INFINITY, moments: None }; nodes];
        for pair in &self.pairs {
            if let Some(bound) = pair.a.and_then(|node| bounds.get_mut(node)) {
                // Where joints stand alone more is known of that than was seen; chains were looked at wherever they may be farther.
                let unseen = if self.is_known { self.exact_above } else { pair.unseen };
                let is_all = pair.is_asked_for && self.windows.is_none();
                let at_most = if is_all { pair.displacement.value.max(unseen) } else { f64::INFINITY };
                *bound = Bound { at_most, moments: pair.moments };
            }
        }
        bounds
    }

    /// Whether parents are known, so that displacements are those in model space.
    pub(super) const fn is_known(&self) -> bool {
        self.is_known
    }
}

impl<'a> Pair<'a> {
    fn new(found: Match, targets: [Option<&'a Target>; 2], name: &'a str, gaze: Option<Gaze>) -> Self {
        let none = Worst::default();
        Self {
            a: found.a,
            b: found.b,
            seen: [0; 2],
            targets,
            name,
            is_asked_for: true,
            is_needed: true,
            gaze,
            children: Vec::new(),
            above: Above::Unknown,
            displacement: none,
            rotation_rad: 0.0,
            gaze_rad: none,
            translation: none,
            half_sine: none,
            scale: none,
            own: none,
            unseen: 0.0,
            moments: None,
        }
    }

    /// Takes note of what was found at later moments.
    fn meet(&mut self, later: &Self) {
        if later.displacement.value > self.displacement.value {
            (self.displacement, self.rotation_rad) = (later.displacement, later.rotation_rad);
        }
        self.unseen = self.unseen.max(later.unseen);
        let own = [
            (&mut self.gaze_rad, later.gaze_rad),
            (&mut self.translation, later.translation),
            (&mut self.half_sine, later.half_sine),
            (&mut self.scale, later.scale),
            (&mut self.own, later.own),
        ];
        for (own, later) in own {
            own.meet(later.value, later.time);
        }
    }

    /// Both sides relative to their parents; a side that is not there is what the other one is at rest.
    fn locals(&self, a: &Stage<'_>, b: &Stage<'_>) -> Option<[Local; 2]> {
        match (self.a.map(|node| &a.joints[node]), self.b.map(|node| &b.joints[node])) {
            (Some(a), Some(b)) => Some([a.local, b.local]),
            (Some(only), None) | (None, Some(only)) => Some([only.local, only.rest]),
            (None, None) => None,
        }
    }

    /// How both sides are apart relative to their parents.
    fn own_gap(&self, a: &Stage<'_>, b: &Stage<'_>) -> Seen {
        self.locals(a, b).map_or(Seen::NOTHING, |[a, b]| Seen::between(&a, &b))
    }

    fn measure_own(&mut self, a: &Stage<'_>, b: &Stage<'_>, shell: f64, moment: &Moment) -> Seen {
        let Some([a, b]) = self.locals(a, b) else { return Seen::NOTHING };
        let seen = Seen::between(&a, &b);
        if a == b || self.targets.iter().all(Option::is_none) {
            return seen;
        }
        let own = seen.own;
        let time = moment.time;
        self.translation.meet(number(own.moved), time);
        self.half_sine.meet(number(own.turned / 2.0), time);
        self.scale.meet(number((a.scale - b.scale).abs().max_element()), time);
        if self.targets.iter().any(Option::is_none) {
            let is_rigid = a.scale == DVec3::ONE && b.scale == DVec3::ONE;
            let apart = displacement((&Place::of(&a), is_rigid), (&Place::of(&b), is_rigid), shell);
            self.own.meet(apart, time);
        }
        seen
    }

    fn measure_place(&mut self, a: &Joint<'_>, b: &Joint<'_>, shell: f64, moment: &Moment) {
        let now = [a.moves, b.moves];
        if std::mem::replace(&mut self.seen, now) == now {
            return;
        }
        let gap = Gap::between((&a.place, a.is_rigid), (&b.place, b.is_rigid));
        let apart = displaced(&a.place, &b.place, &gap, shell);
        if apart > self.displacement.value {
            self.displacement.meet(apart, moment.time);
            self.rotation_rad = angle(half_sine(a.place.rotation, b.place.rotation));
        }
        if let Some(gaze) = self.gaze {
            self.gaze_rad.meet(gaze.angle(&a.place, &b.place), moment.time);
        }
    }

    /// The largest difference of points around the joint. Where the other side has no such joint, it is the difference from the
    /// joint's own rest, relative to what it hangs on.
    pub(super) fn displacement(&self, tolerance: &Tolerance) -> Difference {
        let worst = if self.is_shared() { self.displacement } else { self.own };
        Difference {
            channel: MODEL_SPACE.to_owned(),
            component: None,
            value: worst.value,
            unit: ErrorUnit::Metre,
            time: worst.time,
            limit: Some(tolerance.length_m),
        }
    }

    /// True if both sides have such a joint.
    const fn is_shared(&self) -> bool {
        self.a.is_some() && self.b.is_some()
    }

    /// The angle between the joint's rotations where [`Pair::displacement`] is largest, in radians; `None` where the other side
    /// has no such joint.
    pub(super) fn rotation_rad(&self) -> Option<f64> {
        self.is_shared().then_some(self.rotation_rad)
    }

    /// The largest differences of what moves, relative to the parent.
    pub(super) fn differences(&self) -> impl Iterator<Item = Difference> {
        let own = |channel: &str, worst: Worst, unit, limit| Difference {
            channel: channel.to_owned(),
            component: None,
            value: worst.value,
            unit,
            time: worst.time,
            limit,
        };
        let turned = Worst { value: angle(self.half_sine.value), ..self.half_sine };
        let gaze = self.gaze.map(|_| own(GAZE, self.gaze_rad, ErrorUnit::Radian, Some(Tolerance::ANGLE_RAD)));
        let all = [
            own("translation", self.translation, ErrorUnit::Metre, None),
            own("rotation", turned, ErrorUnit::Radian, None),
            own("scale", self.scale, ErrorUnit::One, None),
        ];
        gaze.into_iter().chain(all)
    }

    /// Whether it moves in A only, or in B only, and by more than the tolerance from what the other side shows.
    pub(super) fn is_only_in(&self, tolerance: &Tolerance) -> (bool, bool) {
        let differs = self.own.value > tolerance.length_m;
        (differs && self.targets[1].is_none(), differs && self.targets[0].is_none())
    }
}

/// Differences that are no numbers are larger than any.
fn number(difference: f64) -> f64 {
    if difference.is_nan() { f64::INFINITY } else { difference }
}

impl Gaze {
    fn angle(self, a: &Place, b: &Place) -> f64 {
        match self {
            Self::Whole => angle(half_sine(a.rotation, b.rotation)),
            Self::Along(axis) => {
                let (a, b) = (a.rotation * axis, b.rotation * axis);
                a.cross(b).length().atan2(a.dot(b))
            }
        }
    }
}

/// For each node, what a clip moves there.
fn targets<'a>(animation: &Animation<'a>) -> Vec<Option<&'a Target>> {
    let mut targets = vec![None; animation.scene.nodes.len()];
    for track in &animation.clip.tracks {
        let places =
            |c: &Channel| is_placing(&c.property) && c.composition.curves().any(|curve| !curve.is_empty());
        if let Some(slot) = track.target.node.and_then(|NodeIndex(node)| targets.get_mut(node))
            && slot.is_none()
            && track.channels.iter().any(places)
        {
            *slot = Some(&track.target);
        }
    }
    targets
}

/// For each node, how its direction counts, if it looks or shines.
fn gazes(animation: &Animation<'_>) -> Vec<Option<Gaze>> {
    let shines = DVec3::from(animation.scene.basis.light_shines.vector());
    let of_node = |node: &dopesheet_core::model::Node| match (node.camera, node.light) {
        (Some(_), _) => Some(Gaze::Whole),
        (None, Some(_)) => Some(Gaze::Along(shines)),
        (None, None) => None,
    };
    let mut gazes: Vec<Option<Gaze>> = animation.scene.nodes.iter().map(of_node).collect();
    for track in &animation.clip.tracks {
        let ray = track.channels.iter().find_map(|channel| match channel.composition {
            Composition::Swing { axis, .. } => Some(Gaze::Along(axis.into())),
            _ => None,
        });
        if let Some(slot) = track.target.node.and_then(|NodeIndex(node)| gazes.get_mut(node)) {
            *slot = slot.or(ray);
        }
    }
    gazes
}
