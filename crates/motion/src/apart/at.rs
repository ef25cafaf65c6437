//! How far joints are apart at one moment, by the measure of [`apart`](fn@super::apart).

use super::Animation;
use super::matching::Nodes;
use super::norm::displacement;
use super::stage::{Place, places};
use crate::pose::local_pose;
use dopesheet_core::model::{Hierarchy, NodeIndex};
use dopesheet_core::units::Seconds;

/// How far a joint is apart at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointApart {
    /// The node of A.
    pub a: NodeIndex,
    /// The node of B.
    pub b: NodeIndex,
    /// How far a point around it is off, in metres; infinite where one side has numbers that are none.
    pub value_m: f64,
}

/// How far each joint that both have is apart at a time, for points within `shell_m` around it, in metres: in model space,
/// or relative to its parent where a hierarchy is unknown. Matched as [`apart`](fn@super::apart) does; in A's order.
#[must_use]
pub fn joints_at(a: Animation<'_>, b: Animation<'_>, time: Seconds, shell_m: f64) -> Vec<JointApart> {
    let is_known = [a, b].iter().all(|side| side.scene.hierarchy == Hierarchy::Known);
    let nodes = Nodes::new(a.scene, b.scene);
    let [of_a, of_b] = [a, b].map(|side| {
        let local = local_pose(side.scene, side.clip, time);
        places(side.scene, &local.0, is_known)
    });
    let one = |found: &super::matching::Match| {
        let (a, b) = (found.a?, found.b?);
        let [own, other]: [&Place; 2] = [of_a.get(a)?, of_b.get(b)?];
        let value_m = displacement((own, false), (other, false), shell_m);
        Some(JointApart { a: NodeIndex(a), b: NodeIndex(b), value_m })
    };
    nodes.matches.iter().filter_map(one).collect()
}
