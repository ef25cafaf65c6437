//! Joints of both animations, compared in model space and each by itself.

use super::matching::{Match, Nodes};
use super::moments::{Moment, Moments};
use super::norm::{Gap, angle, displaced, displacement, half_sine};
use super::schedule::Schedule;
use super::stage::{Joint, Local, Place, Stage, is_placing};
use super::{Animation, Difference};
use crate::Tolerance;
use crate::measure::Worst;
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Channel, Composition, NodeIndex, Target};
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// The channel of [`Difference`]s between points around a joint in model space.
pub(crate) const MODEL_SPACE: &str = "model-space";

/// The part of a length, and the angle in radians, by which rounding may put what hangs on a long chain elsewhere.
const ROUNDING: f64 = 1e-12;

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
    /// How often each side had turned and moved when it was measured.
    seen: [(u32, u32); 2],
    /// The number of the moment at which it was measured.
    moment: usize,
    /// What moves in A, and in B.
    pub(super) targets: [Option<&'a Target>; 2],
    pub(super) name: &'a str,
    gaze: Option<Gaze>,
    /// The pairs that hang on it, on either side.
    children: Vec<usize>,
    /// How far it is from what it hangs on at most, where that is one pair too and both sides stand to it alike.
    arm: Option<f64>,
    /// How far it was apart when it was measured, and what rounding may add to that.
    gap: Gap,
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
    /// The number of the last moment.
    number: usize,
    /// Pairs that are still to be measured, and at most how far apart each one's parent is; kept to be used again.
    line: Vec<(usize, Gap)>,
}

impl<'a> Joints<'a> {
    /// One pair for each match, in the same order.
    pub(super) fn new(
        [a, b]: [&Animation<'a>; 2],
        nodes: &'a Nodes,
        is_known: bool,
        tolerance: &Tolerance,
    ) -> Self {
        let stages = [Stage::new(0, a, is_known), Stage::new(1, b, is_known)];
        let targets = [a, b].map(targets);
        let gazes = [a, b].map(gazes);
        let pair = |found: &Match| {
            let of = |side: usize, node: Option<usize>| targets[side].get(node?).copied().flatten();
            let gaze = |side: usize, node: Option<usize>| gazes[side].get(node?).copied().flatten();
            let node = |side: &Animation<'a>, at: Option<usize>| side.scene.nodes.get(at?);
            let name = node(a, found.a).or(node(b, found.b)).map_or("", |node| node.name.as_str());
            let gaze = gaze(0, found.a).or(gaze(1, found.b));
            Pair::new(*found, [of(0, found.a), of(1, found.b)], name, gaze)
        };
        let pairs = nodes.matches.iter().map(pair).collect();
        let [a, b] = stages;
        let shell = tolerance.shell_m(is_known);
        let mut joints = Self { a, b, pairs, nodes, shell, is_known, number: 0, line: Vec::new() };
        joints.join();
        joints
    }

    /// Notes which pairs hang on which.
    fn join(&mut self) {
        for place in 0..self.pairs.len() {
            let pair = &self.pairs[place];
            let of = |stage: &Stage<'a>, node: Option<usize>| node.map(|node| stage.joints[node].parent);
            let above = [of(&self.a, pair.a), of(&self.b, pair.b)];
            let parents = [0, 1].map(|side: usize| self.nodes.place(side, above[side].flatten()));
            if let (Some(a), Some(b), true) =
                (pair.a, pair.b, parents[0] == parents[1] && pair.gaze.is_none())
            {
                self.pairs[place].arm = self.a.joints[a].arm(&self.b.joints[b]);
            }
            for (side, parent) in parents.into_iter().enumerate() {
                let is_new = side == 0 || parents[0] != parents[1];
                if let Some(parent) = parent.filter(|_| is_new) {
                    self.pairs[parent].children.push(place);
                }
            }
        }
    }

    /// Measures everything, from 0 to `end`. Yields at how many times.
    pub(super) fn measure(&mut self, [a, b]: [&Animation<'_>; 2], end: f64) -> usize {
        self.number = 1;
        // What nothing drives is measured once; all others at moments of their own.
        for place in 0..self.pairs.len() {
            if !self.is_driven(place) {
                self.measure_pair(place, &Moment::START);
            }
        }
        let channels = [a, b].map(channels);
        let mut schedule = Schedule::default();
        let mut count = 1;
        for (place, pair) in self.nodes.matches.iter().enumerate() {
            let has_lanes = |stage: &Stage<'_>, node: Option<usize>| node.is_some_and(|n| stage.has_lanes(n));
            if !has_lanes(&self.a, pair.a) && !has_lanes(&self.b, pair.b) {
                continue;
            }
            let of = |side: usize, node: Option<usize>| node.map_or(&[][..], |node| &channels[side][node]);
            let (mut in_a, mut in_b) = (of(0, pair.a).iter().copied(), of(1, pair.b).iter().copied());
            let moments = Moments::of([&mut in_a, &mut in_b], end);
            if self.is_known {
                schedule.add(place, moments);
            } else {
                for moment in moments.iter() {
                    self.number += 1;
                    count += 1;
                    self.measure_pair(place, &moment);
                }
            }
        }
        count + self.measure_all(&schedule)
    }

    /// Measures all moments of a schedule, stretches of time side by side. Yields at how many times.
    fn measure_all(&mut self, schedule: &Schedule) -> usize {
        let measured = |stretch: &Range<f64>| {
            let mut joints = self.clone();
            let count = schedule.each(stretch, |moment, pairs| joints.measure_below(moment, pairs));
            (joints.pairs, count)
        };
        let parts: Vec<(Vec<Pair<'a>>, usize)> = schedule.stretches().par_iter().map(measured).collect();
        let mut count = 0;
        for (pairs, own) in parts {
            self.pairs.iter_mut().zip(&pairs).for_each(|(pair, later)| pair.meet(later));
            count += own;
        }
        count
    }

    /// Whether something moves a joint of a pair, or what it hangs on.
    fn is_driven(&self, place: usize) -> bool {
        let pair = &self.pairs[place];
        let of = |stage: &Stage<'_>, node: Option<usize>| node.is_some_and(|n| stage.joints[n].is_driven);
        of(&self.a, pair.a) || of(&self.b, pair.b)
    }

    /// Measures some pairs and everything that hangs on them, unless what a pair hangs on tells that it is nearer than it
    /// was before.
    fn measure_below(&mut self, moment: &Moment, pairs: &mut dyn Iterator<Item = usize>) {
        self.number += 1;
        self.line.extend(pairs.map(|place| (place, Gap::UNKNOWN)));
        // Parents first: what hangs on them may then be known without being looked at.
        self.line.sort_unstable_by_key(|(place, _)| std::cmp::Reverse(*place));
        while let Some((place, above)) = self.line.pop() {
            let pair = &mut self.pairs[place];
            if pair.moment == self.number {
                continue;
            }
            let gap = match pair.nearer(&above, self.shell, moment) {
                Some(gap) => {
                    pair.moment = self.number;
                    gap
                }
                None => self.measure_pair(place, moment),
            };
            self.line.extend(self.pairs[place].children.iter().map(|child| (*child, gap)));
        }
    }

    /// Yields how far the pair is apart.
    fn measure_pair(&mut self, place: usize, moment: &Moment) -> Gap {
        let pair = &mut self.pairs[place];
        pair.moment = self.number;
        if let Some(a) = pair.a {
            self.a.bring(a, moment, self.number);
        }
        if let Some(b) = pair.b {
            self.b.bring(b, moment, self.number);
        }
        pair.measure(&self.a, &self.b, self.shell, moment);
        pair.gap
    }

    /// Pairs that were compared: all that both have, and all that move. Where parents are unknown the rest poses mean
    /// little, and joints that nothing moves are left out.
    pub(super) fn compared(&self) -> impl Iterator<Item = &Pair<'a>> {
        let is_shared = |pair: &Pair<'_>| pair.a.is_some() && pair.b.is_some();
        let counts =
            move |p: &&Pair<'_>| p.targets.iter().any(Option::is_some) || (self.is_known && is_shared(p));
        self.pairs.iter().filter(counts)
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
            seen: [(0, 0); 2],
            moment: 0,
            targets,
            name,
            gaze,
            children: Vec::new(),
            arm: None,
            gap: Gap::UNKNOWN,
            displacement: none,
            rotation_rad: 0.0,
            gaze_rad: none,
            translation: none,
            half_sine: none,
            scale: none,
            own: none,
        }
    }

    /// How far it is apart at most, given how far what it hangs on is, if at some time it was farther.
    fn nearer(&self, above: &Gap, shell: f64, moment: &Moment) -> Option<Gap> {
        let arm = self.arm.filter(|_| moment.own[0] == moment.own[1])?;
        let gap = Gap { moved: above.moved + above.turned * arm + arm * ROUNDING, turned: above.turned };
        (gap.reaches(shell) < self.displacement.value).then_some(gap)
    }

    /// Takes note of what was found at later moments.
    fn meet(&mut self, later: &Self) {
        if later.displacement.value > self.displacement.value {
            (self.displacement, self.rotation_rad) = (later.displacement, later.rotation_rad);
        }
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

    fn measure(&mut self, a: &Stage<'_>, b: &Stage<'_>, shell: f64, moment: &Moment) {
        let joints = [(a, self.a), (b, self.b)].map(|(stage, node)| node.map(|node| &stage.joints[node]));
        let now = joints.map(|joint| joint.map_or((0, 0), |j| (j.turns, j.moves)));
        let before = std::mem::replace(&mut self.seen, now);
        if before == now {
            return;
        }
        let turned = now.iter().zip(&before).any(|(now, before)| now.0 != before.0);
        match joints {
            [Some(a), Some(b)] => {
                if turned && self.targets.iter().any(Option::is_some) {
                    self.measure_locals(&a.local, &b.local, shell, moment);
                }
                self.measure_places(a, b, shell, moment);
            }
            [Some(only), None] | [None, Some(only)] if turned => {
                self.measure_locals(&only.local, &only.rest, shell, moment);
            }
            _ => {}
        }
    }

    fn measure_places(&mut self, a: &Joint<'_>, b: &Joint<'_>, shell: f64, moment: &Moment) {
        self.gap = Gap::between((&a.place, a.is_rigid), (&b.place, b.is_rigid));
        let apart = displaced(&a.place, &b.place, &self.gap, shell);
        if apart > self.displacement.value {
            self.displacement.meet(apart, moment.time);
            self.rotation_rad = angle(half_sine(a.place.rotation, b.place.rotation));
        }
        let away = a.place.position.abs().element_sum();
        self.gap = Gap {
            moved: self.gap.moved * (1.0 + ROUNDING) + away * ROUNDING,
            turned: self.gap.turned + ROUNDING,
        };
        if let Some(gaze) = self.gaze {
            self.gaze_rad.meet(gaze.angle(&a.place, &b.place), moment.time);
        }
    }

    fn measure_locals(&mut self, a: &Local, b: &Local, shell: f64, moment: &Moment) {
        if a == b {
            return;
        }
        let time = moment.time;
        self.translation.meet(number(a.translation.distance(b.translation)), time);
        self.half_sine.meet(number(half_sine(a.rotation, b.rotation)), time);
        self.scale.meet(number((a.scale - b.scale).abs().max_element()), time);
        if self.targets.iter().any(Option::is_none) {
            let is_rigid = a.scale == DVec3::ONE && b.scale == DVec3::ONE;
            let apart = displacement((&Place::of(a), is_rigid), (&Place::of(b), is_rigid), shell);
            self.own.meet(apart, time);
        }
    }

    /// The largest difference of points around the joint; `None` where the other side has no such joint.
    pub(super) fn displacement(&self, tolerance: &Tolerance) -> Option<Difference> {
        let is_shared = self.a.is_some() && self.b.is_some();
        is_shared.then(|| Difference {
            channel: MODEL_SPACE.to_owned(),
            component: None,
            value: self.displacement.value,
            unit: ErrorUnit::Metre,
            time: self.displacement.time,
            limit: Some(tolerance.length_m),
        })
    }

    /// The angle between the joint's rotations where [`Pair::displacement`] is largest, in radians.
    pub(super) const fn rotation_rad(&self) -> f64 {
        self.rotation_rad
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
        let gaze =
            self.gaze.map(|_| own("gaze", self.gaze_rad, ErrorUnit::Radian, Some(Tolerance::ANGLE_RAD)));
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

/// For each node, the channels that move it.
fn channels<'a>(animation: &Animation<'a>) -> Vec<Vec<&'a Channel>> {
    let mut channels = vec![Vec::new(); animation.scene.nodes.len()];
    for track in &animation.clip.tracks {
        if let Some(of_node) = track.target.node.and_then(|NodeIndex(node)| channels.get_mut(node)) {
            of_node.extend(track.channels.iter().filter(|c| is_placing(&c.property)));
        }
    }
    channels
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

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{
        Basis, Clip, Curve, Law, Laws, Node, Property, Scene, TargetKind, Times, Track, Transform,
    };
    use dopesheet_core::units::Seconds;

    /// Four joints, each of which hangs on the one before.
    fn scene() -> Scene {
        let mut scene = Scene::new(Basis::GLTF);
        for index in 0..4usize {
            let rest = Transform { translation: [0.1, 0.2, 0.05 * index as f64], ..Transform::IDENTITY };
            scene.push_node(Node::new(format!("n{index}"), index.checked_sub(1).map(NodeIndex), rest));
        }
        scene
    }

    fn swaying(node: usize, keys: usize, by: f64) -> Track {
        let time = |key: usize| 10.0 * key as f64 / (keys - 1) as f64;
        let angle = |time: f64| by * (time * (1.0 + node as f64)).sin();
        let rotation = |key| DVec3::new(1.0, 2.0, node as f64).normalize() * angle(time(key));
        let values = (0..keys).flat_map(|key| {
            let half = rotation(key) / 2.0;
            let sine = half.length().sin() / half.length().max(1e-300);
            [half.x * sine, half.y * sine, half.z * sine, half.length().cos()].map(|x| x as f32)
        });
        let times = Times::Seconds((0..keys).map(time).collect());
        let curve = Curve::new(times, 4, values.collect(), Laws::uniform(Law::SLERP));
        let target = Target::new(TargetKind::Joint, format!("n{node}"), node, Some(NodeIndex(node)));
        Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] }
    }

    /// What is measured of two clips, of which only the first and the last joint differ.
    fn measured(change: impl FnOnce(&mut Joints<'_>)) -> (usize, Vec<[Worst; 4]>) {
        let scene = scene();
        let clip = |keys, by| {
            let tracks = vec![swaying(0, keys, by), swaying(1, 300, 0.5), swaying(3, keys, by)];
            Clip { duration: Seconds(10.0), tracks, ..Clip::default() }
        };
        let clips = [clip(1_500, 0.8), clip(1_200, 0.801)];
        let [a, b] = [0, 1].map(|side: usize| Animation { scene: &scene, clip: &clips[side] });
        let nodes = Nodes::new(&scene, &scene);
        let mut joints = Joints::new([&a, &b], &nodes, true, &Tolerance::DEFAULT);
        change(&mut joints);
        let count = joints.measure([&a, &b], 10.0);
        let of = |p: &Pair<'_>| {
            let turned = Worst { value: p.rotation_rad, ..p.displacement };
            [p.displacement, turned, p.translation, p.half_sine]
        };
        (count, joints.pairs.iter().map(of).collect())
    }

    #[test]
    fn what_is_not_looked_at_is_never_farther_apart_than_what_is() {
        let arms = |joints: &mut Joints<'_>| {
            let known: Vec<bool> = joints.pairs.iter().map(|pair| pair.arm.is_some()).collect();
            assert_eq!(known, [false, true, true, false]);
        };
        let all = measured(|joints| joints.pairs.iter_mut().for_each(|pair| pair.arm = None));
        assert_eq!(measured(arms), all);
        assert!(all.1.iter().all(|[displacement, ..]| displacement.value > 1e-5), "{all:?}");
    }

    #[test]
    fn any_number_of_threads_measures_the_same() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| measured(|_| ()))
        };
        assert_eq!(on(1), on(5));
    }
}
