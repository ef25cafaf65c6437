//! Small skeletons and rigs, built by hand.

use dopesheet_core::model::{AngleLimit, Append, IkChain, IkLink, Node, NodeIndex, Rig, RigJoint, Transform};
use dopesheet_rig::{Behaviour, RigPose, SolvedPose, Solver};

/// Nodes by parent and position as seen from the scene.
pub(crate) fn nodes(places: &[(Option<usize>, [f64; 3])]) -> Vec<Node> {
    let node = |(parent, at): &(Option<usize>, [f64; 3])| {
        let above = parent.map_or([0.0; 3], |p| places[p].1);
        let translation = [0, 1, 2].map(|k| at[k] - above[k]);
        Node::new("", parent.map(NodeIndex), Transform { translation, ..Transform::IDENTITY })
    };
    places.iter().map(node).collect()
}

/// Hip, knee, ankle, goal.
pub(crate) fn leg(goal: [f64; 3]) -> Vec<Node> {
    let above = |k: usize| Some(k);
    nodes(&[
        (None, [0.0, 10.0, 0.0]),
        (above(0), [0.0, 5.5, -0.1]),
        (above(1), [0.0, 1.0, 0.3]),
        (None, goal),
    ])
}

/// A knee that bends backwards only, as models of MikuMikuDance have it.
pub(crate) fn knee() -> AngleLimit {
    AngleLimit { min_rad: [-std::f64::consts::PI, 0.0, 0.0], max_rad: [(-0.5_f64).to_radians(), 0.0, 0.0] }
}

pub(crate) fn chain(
    goal: usize,
    effector: usize,
    iterations: u32,
    step_rad: f64,
    links: &[(usize, Option<AngleLimit>)],
) -> IkChain {
    let links = links.iter().map(|(node, limit)| IkLink { node: NodeIndex(*node), limit: *limit }).collect();
    IkChain { goal: NodeIndex(goal), effector: NodeIndex(effector), iterations, step_rad, links }
}

pub(crate) fn joint(node: usize) -> RigJoint {
    RigJoint { node: NodeIndex(node), level: 0, after_physics: false, append: None, fixed_axis: None }
}

/// An append of rotation only.
pub(crate) fn append(source: usize, ratio: f64) -> Option<Append> {
    Some(Append { source: NodeIndex(source), ratio, rotation: true, translation: false, local: false })
}

/// The pose in which nothing is keyed.
pub(crate) fn pose(nodes: &[Node]) -> Vec<Transform> {
    nodes.iter().map(|node| node.rest).collect()
}

pub(crate) fn solved(nodes: &[Node], rig: &Rig, behaviour: Behaviour, local: &[Transform]) -> SolvedPose {
    let solver = Solver::new(nodes, rig, behaviour).expect("a sound rig");
    let mut out = solver.pose();
    solver.solve(&RigPose { local, ..RigPose::default() }, &mut out);
    out
}

/// A turn about an axis of the parent, in degrees.
pub(crate) fn turn(axis: [f64; 3], degrees: f64) -> [f64; 4] {
    glam::DQuat::from_axis_angle(axis.into(), degrees.to_radians()).to_array()
}
