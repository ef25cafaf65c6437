//! Standing feet keep their positions: thighs and shins are turned for that.
//!
//! Limbs are turned by [`limb`](dopesheet_human::limb); this module provides the positions of
//! standing feet.

use super::filter::Filter;
use crate::rotations::{Quat, key_times, put};
use dopesheet_core::diag::{ErrorUnit, Fault, MaxError, Place, Report, Severity};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Clip, Hierarchy, HumanBone, Humanoid, NodeIndex, PoseRelation, Property, Scene, TargetKind,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_human::limb::{Limb, Stand, correction};
use dopesheet_human::{ContactLimits, Contacts, contacts, propose};
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use glam::{DQuat, DVec3};
use std::collections::HashMap;

/// Code of the finding that standing feet may slide.
const FEET_NOT_HELD: &str = "feet-not-held";

/// Both legs of a figure in a clip.
pub(super) struct Feet<'a> {
    scene: &'a Scene,
    before: &'a Clip,
    smoothed: Clip,
    filter: Filter,
}

/// True of a figure with more than hands.
fn is_body(humanoid: &Humanoid) -> bool {
    use HumanBone as B;
    [B::Hips, B::Spine, B::Head, B::LeftFoot, B::RightFoot]
        .iter()
        .any(|bone| humanoid.bones.contains_key(bone))
}

/// Reports that feet may slide; as a warning if the figure is known to have feet.
fn not_held(expected: &'static str, found: &str, has_feet: bool, report: &mut Report) {
    let found = format!("{found}; feet that stand may slide");
    let severity = if has_feet { Severity::Warning } else { Severity::Info };
    report.push(severity, Fault::new(FEET_NOT_HELD, Place::File, expected, found));
}

/// A leg and its toes.
#[derive(Clone, Copy)]
struct Leg {
    limb: Limb,
    toes: Option<NodeIndex>,
}

impl<'a> Feet<'a> {
    /// Brings feet back to their standing positions, after the clip was filtered at some nodes.
    pub(super) fn hold(
        scene: &'a Scene,
        before: &'a Clip,
        made: &mut Clip,
        moved: &[NodeIndex],
        filter: Filter,
        report: &mut Report,
    ) {
        let humanoid = propose(scene, &NameMap::default()).humanoid;
        let legs = Leg::of(scene, &humanoid);
        let is_figure = scene.hierarchy == Hierarchy::Known && scene.rig.is_empty() && !legs.is_empty();
        let contacts_before =
            is_figure.then(|| contacts(scene, &humanoid, before, &ContactLimits::default())).flatten();
        let Some(contacts_before) = contacts_before else {
            // What has hands alone has no feet that could slide.
            if !moved.is_empty() && (humanoid.bones.is_empty() || is_body(&humanoid)) {
                not_held(
                    "a skeleton with legs that are known by their names",
                    "none",
                    is_body(&humanoid),
                    report,
                );
            }
            return;
        };
        let feet = Self { scene, before, smoothed: made.clone(), filter };
        let mut greatest = (0.0f64, Seconds(0.0), NodeIndex(0));
        let mut count = 0;
        for leg in legs {
            if !feet.is_moved(leg, moved) {
                continue;
            }
            if leg.limb.joints.iter().any(|node| feet.key_times(*node).is_empty()) {
                not_held("keys of the rotations of thigh, shin and foot", "a leg without them", true, report);
                continue;
            }
            let stands = feet.stands(leg, &contacts_before);
            count += stands.len();
            feet.turn(leg, &stands, made);
            for stand in &stands {
                let off = feet.off(stand, made);
                if off.0 >= greatest.0 {
                    greatest = (off.0, off.1, stand.node);
                }
            }
        }
        let (off, time, node) = greatest;
        if count > 0 {
            let target = scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
            let value = off * scene.basis.metres_per_unit.unwrap_or(1.0);
            let what = format!("feet held where they stand ({})", counted(count, "stand"));
            report.approximated(what, MaxError { value, unit: ErrorUnit::Metre, target, time });
        }
    }

    /// True if a filtered node moves a leg.
    fn is_moved(&self, leg: Leg, moved: &[NodeIndex]) -> bool {
        let above = |node: &NodeIndex| self.scene.node(*node).and_then(|node| node.parent);
        std::iter::successors(Some(leg.limb.joints[2]), above)
            .take(self.scene.nodes.len())
            .any(|node| moved.contains(&node))
    }

    /// The stands of a leg, on the frames of the keys of its thigh.
    fn stands(&self, leg: Leg, found: &Contacts) -> Vec<Stand> {
        let times = self.key_times(leg.limb.joints[0]);
        let [.., ankle] = leg.limb.bones;
        let mut stands = Vec::new();
        for (bone, node) in [(Some(ankle), Some(leg.limb.joints[2])), (leg.limb.ball(), leg.toes)] {
            let (Some(bone), Some(node)) = (bone, node) else { continue };
            for stand in found.of(bone) {
                let times_of_stand =
                    times.iter().copied().filter(|time| (stand.start.0..=stand.end.0).contains(time));
                let times: Vec<f64> = times_of_stand.collect();
                if !times.is_empty() {
                    stands.push(self.stand(node, times));
                }
            }
        }
        stands
    }

    /// A stand whose path is the earlier path, filtered by itself, without influence of the steps around.
    fn stand(&self, node: NodeIndex, times: Vec<f64>) -> Stand {
        let mut rows: Vec<f64> =
            times.iter().flat_map(|time| self.place(self.before, node, *time).to_array()).collect();
        let metres = self.scene.basis.metres_per_unit.unwrap_or(1.0);
        self.filter.apply(&times, &mut rows, 3, metres);
        let places = rows.as_chunks::<3>().0.iter().map(|row| DVec3::from(*row)).collect();
        Stand { node, times, places }
    }

    fn place(&self, clip: &Clip, node: NodeIndex, time: f64) -> DVec3 {
        let model = model_pose(self.scene, &local_pose(self.scene, clip, Seconds(time)));
        model.0.get(node.0).map(|transform| transform.translation).unwrap_or_default()
    }

    /// Times of the keys of a joint's rotation, ascending.
    fn key_times(&self, node: NodeIndex) -> Vec<f64> {
        let tracks =
            self.smoothed.tracks.iter().filter(|track| is_joint(track.target.kind, track.target.node, node));
        let channels = tracks.flat_map(|track| &track.channels);
        let rotations = channels.filter(|channel| channel.property == Property::Rotation);
        let mut times: Vec<f64> =
            rotations.filter_map(key_times).flat_map(|times| times.iter().map(|time| time.0)).collect();
        ascend(&mut times);
        times.dedup();
        times
    }

    /// Turns a leg at all keys near a stand.
    fn turn(&self, leg: Leg, stands: &[Stand], made: &mut Clip) {
        let mut solved: HashMap<u64, Option<[Quat; 3]>> = HashMap::new();
        for track in &mut made.tracks {
            let Some(index) = leg
                .limb
                .joints
                .iter()
                .position(|joint| is_joint(track.target.kind, track.target.node, *joint))
            else {
                continue;
            };
            let rest =
                track.target.node.and_then(|node| self.scene.node(node)).map(|node| node.rest.rotation);
            let base = match made.relation {
                PoseRelation::OnTopOfRest => DQuat::from_array(rest.unwrap_or([0.0, 0.0, 0.0, 1.0])),
                PoseRelation::Absolute => DQuat::IDENTITY,
            };
            for channel in track.channels.iter_mut().filter(|channel| channel.property == Property::Rotation)
            {
                let times: Vec<f64> = key_times(channel)
                    .map(|times| times.iter().map(|time| time.0).collect())
                    .unwrap_or_default();
                for (key, time) in times.into_iter().enumerate() {
                    let turned =
                        solved.entry(time.to_bits()).or_insert_with(|| self.solve(leg, stands, time));
                    if let Some(turned) = turned {
                        let local = DQuat::from_array(turned[index]);
                        put(channel, key, (base.conjugate() * local).to_array());
                    }
                }
            }
        }
    }

    /// The local rotations of thigh, shin and foot at a time; `None` far from any stand.
    fn solve(&self, leg: Leg, stands: &[Stand], time: f64) -> Option<[Quat; 3]> {
        let place = |node: NodeIndex, time: f64| self.place(&self.smoothed, node, time);
        let (by, _) = correction(stands, time, place)?;
        let placed = leg.limb.placed(self.scene, &local_pose(self.scene, &self.smoothed, Seconds(time)));
        let [.., ankle] = placed.places;
        placed.brought_to(ankle + by).map(|turned| turned.map(|rotation| rotation.to_array()))
    }

    /// Largest distance of a joint from its stand, and its time.
    fn off(&self, stand: &Stand, made: &Clip) -> (f64, Seconds) {
        let off = |time: &f64| self.place(made, stand.node, *time).distance(stand.place(*time));
        stand.times.iter().fold((0.0, Seconds(0.0)), |greatest, time| {
            let distance = off(time);
            if distance > greatest.0 { (distance, Seconds(*time)) } else { greatest }
        })
    }
}

fn is_joint(kind: TargetKind, node: Option<NodeIndex>, own: NodeIndex) -> bool {
    kind == TargetKind::Joint && node == Some(own)
}

impl Leg {
    fn of(scene: &Scene, humanoid: &Humanoid) -> Vec<Self> {
        let front = DVec3::from(scene.basis.front.vector());
        let toes = |limb: &Limb| humanoid.bones.get(&limb.ball()?).copied();
        let legs = Limb::legs(scene, humanoid, front).into_iter();
        legs.map(|limb| Self { limb, toes: toes(&limb) }).collect()
    }
}
