//! Each rule of a rig on the smallest skeleton that shows it.

use crate::build::{append, chain, joint, knee, leg, nodes, pose, solved, turn};
use dopesheet_core::model::{AngleLimit, Append, NodeIndex, Rig, RigJoint, Transform};
use dopesheet_rig::{Behaviour, RigFinding, RigPose, Solver};
use dopesheet_testkit::rotation_angle;
use std::f64::consts::PI;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn assert_turn(found: [f64; 4], expected: [f64; 4]) {
    let off = rotation_angle(found, expected);
    assert!(off < 1e-12, "found {found:?}, expected {expected:?}, {off} rad apart");
}

/// Bones side by side at the origin.
fn loose(count: usize) -> Vec<dopesheet_core::model::Node> {
    nodes(&vec![(None, [0.0; 3]); count])
}

fn appended(node: usize, source: usize, ratio: f64, level: i32) -> RigJoint {
    RigJoint { append: append(source, ratio), level, ..joint(node) }
}

#[test]
fn an_appended_turn_follows_the_own_one() {
    let nodes = loose(2);
    let rig = Rig { joints: vec![appended(1, 0, -0.5, 1)], ..Rig::default() };
    let mut local = pose(&nodes);
    local[0].rotation = turn(X, 40.0);
    local[1].rotation = turn(Y, 90.0);
    let out = solved(&nodes, &rig, Behaviour::Mmd, &local);
    let own = glam::DQuat::from_array(turn(Y, 90.0)) * glam::DQuat::from_array(turn(X, -20.0));
    assert_turn(out.local[1].rotation, own.to_array());
    assert_turn(out.local[0].rotation, turn(X, 40.0));
}

#[test]
fn an_appended_move_is_a_multiple_of_the_move_from_rest() {
    let nodes = nodes(&[(None, [5.0, 0.0, 0.0]), (None, [0.0, 2.0, 0.0])]);
    let append =
        Append { source: NodeIndex(0), ratio: 1.5, rotation: false, translation: true, local: false };
    let rig = Rig { joints: vec![RigJoint { append: Some(append), ..joint(1) }], ..Rig::default() };
    let mut local = pose(&nodes);
    local[0].translation = [7.0, -2.0, 0.0];
    local[0].rotation = turn(Z, 30.0);
    let out = solved(&nodes, &rig, Behaviour::Mmd, &local);
    assert_eq!(out.local[1].translation, [3.0, -1.0, 0.0]);
    assert_eq!(out.local[1].rotation, [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_source_passes_on_its_own_turn_and_what_it_takes_itself() {
    let nodes = loose(3);
    let rig = Rig { joints: vec![appended(1, 0, 1.0, 2), appended(2, 1, -0.7, 2)], ..Rig::default() };
    let mut local = pose(&nodes);
    local[0].rotation = turn(X, 10.0);
    local[1].rotation = turn(X, 20.0);
    for behaviour in [Behaviour::Mmd, Behaviour::Babylon] {
        assert_turn(solved(&nodes, &rig, behaviour, &local).local[2].rotation, turn(X, -21.0));
    }
}

#[test]
fn a_source_whose_turn_is_later_passes_on_its_keys() {
    let nodes = loose(3);
    let rig = Rig { joints: vec![appended(1, 0, 1.0, 5), appended(2, 1, 1.0, 2)], ..Rig::default() };
    let mut local = pose(&nodes);
    local[0].rotation = turn(X, 10.0);
    local[1].rotation = turn(X, 20.0);
    assert_turn(solved(&nodes, &rig, Behaviour::Mmd, &local).local[2].rotation, turn(X, 20.0));
}

#[test]
fn joints_after_physics_have_their_turn_after_all_levels() {
    let nodes = loose(3);
    let late = RigJoint { after_physics: true, ..appended(1, 0, 1.0, -9) };
    let rig = Rig { joints: vec![late, appended(2, 1, 1.0, 9)], ..Rig::default() };
    let mut local = pose(&nodes);
    local[0].rotation = turn(X, 10.0);
    assert_turn(solved(&nodes, &rig, Behaviour::Mmd, &local).local[2].rotation, turn(X, 0.0));
}

#[test]
fn a_local_append_takes_the_motion_as_seen_from_the_scene() {
    let nodes = nodes(&[(None, [0.0; 3]), (Some(0), [0.0, 1.0, 0.0]), (None, [0.0; 3])]);
    let append = Append { source: NodeIndex(1), ratio: 1.0, rotation: true, translation: true, local: true };
    let rig = Rig { joints: vec![RigJoint { append: Some(append), ..joint(2) }], ..Rig::default() };
    let mut local = pose(&nodes);
    local[0].rotation = turn(Z, 90.0);
    let out = solved(&nodes, &rig, Behaviour::Mmd, &local);
    assert_turn(out.local[2].rotation, turn(Z, 90.0));
    let [x, y, z] = out.local[2].translation;
    assert!((x + 1.0).abs() < 1e-15 && (y + 1.0).abs() < 1e-15 && z == 0.0, "{x} {y} {z}");
}

#[test]
fn appends_in_a_circle_are_found_and_cut() {
    let nodes = loose(3);
    let rig = Rig { joints: vec![appended(0, 1, 1.0, 0), appended(1, 0, 1.0, 1)], ..Rig::default() };
    let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a rig that can be solved");
    assert_eq!(solver.findings(), [RigFinding::AppendCycle { node: NodeIndex(0), source: NodeIndex(1) }]);
    let mut local = pose(&nodes);
    local[0].rotation = turn(X, 10.0);
    local[1].rotation = turn(X, 20.0);
    let out = solved(&nodes, &rig, Behaviour::Mmd, &local);
    assert_turn(out.local[0].rotation, turn(X, 30.0));
    assert_turn(out.local[1].rotation, turn(X, 50.0));
}

#[test]
fn a_parent_of_a_later_level_is_solved_before_its_child() {
    let nodes = nodes(&[(None, [0.0; 3]), (Some(0), [0.0; 3]), (None, [0.0; 3])]);
    let rig = Rig { joints: vec![appended(0, 2, 1.0, 7), appended(1, 0, 1.0, 0)], ..Rig::default() };
    let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a rig that can be solved");
    assert_eq!(
        solver.findings(),
        [RigFinding::ParentSolvedLater { node: NodeIndex(1), parent: NodeIndex(0) }]
    );
    let mut local = pose(&nodes);
    local[2].rotation = turn(X, 10.0);
    assert_turn(solved(&nodes, &rig, Behaviour::Mmd, &local).local[1].rotation, turn(X, 10.0));
}

#[test]
fn a_fixed_axis_keeps_the_angle_and_replaces_the_axis() {
    let nodes = loose(1);
    let rig = Rig { joints: vec![RigJoint { fixed_axis: Some(Z), ..joint(0) }], ..Rig::default() };
    for (keyed, expected) in [
        (turn([0.0, 0.6, 0.8], 50.0), turn(Z, 50.0)),
        (turn([0.0, 0.6, -0.8], 50.0), turn(Z, -50.0)),
        (turn(X, 50.0), turn(Z, 50.0)),
        ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]),
    ] {
        let local = [Transform { rotation: keyed, ..Transform::IDENTITY }];
        assert_turn(solved(&nodes, &rig, Behaviour::Mmd, &local).local[0].rotation, expected);
    }
}

/// A leg with an unlimited or a limited knee and a joint that follows the hip.
fn leg_with_follower(follower_level: i32, goal_level: i32) -> (Vec<dopesheet_core::model::Node>, Rig) {
    let mut nodes = leg([0.0, 4.0, -1.0]);
    nodes.insert(0, nodes[3].clone());
    nodes.remove(4);
    nodes[2].parent = Some(NodeIndex(1));
    nodes[3].parent = Some(NodeIndex(2));
    nodes.insert(0, nodes[0].clone());
    for node in &mut nodes[2..] {
        node.parent = node.parent.map(|p| NodeIndex(p.0 + 1));
    }
    // 0 follower, 1 goal, 2 hip, 3 knee, 4 ankle
    let goal = RigJoint { level: goal_level, ..joint(1) };
    let rig = Rig {
        joints: vec![appended(0, 2, 1.0, follower_level), goal],
        ik: vec![chain(1, 4, 40, 2.0, &[(3, Some(knee())), (2, None)])],
        ..Rig::default()
    };
    (nodes, rig)
}

#[test]
fn an_append_after_a_chain_takes_what_the_chain_made() {
    let (nodes, rig) = leg_with_follower(2, 1);
    for behaviour in [Behaviour::Mmd, Behaviour::Babylon] {
        let out = solved(&nodes, &rig, behaviour, &pose(&nodes));
        assert!(rotation_angle(out.local[2].rotation, turn(X, 0.0)) > 0.3);
        assert_turn(out.local[0].rotation, out.local[2].rotation);
    }
}

#[test]
fn an_append_of_an_earlier_level_than_the_chain_takes_the_keys() {
    let (nodes, rig) = leg_with_follower(0, 1);
    let out = solved(&nodes, &rig, Behaviour::Mmd, &pose(&nodes));
    assert_turn(out.local[0].rotation, turn(X, 0.0));
}

#[test]
fn an_append_of_the_same_level_is_added_again_after_the_chain() {
    let (nodes, rig) = leg_with_follower(1, 1);
    let out = solved(&nodes, &rig, Behaviour::Mmd, &pose(&nodes));
    assert_turn(out.local[0].rotation, out.local[2].rotation);
    let out = solved(&nodes, &rig, Behaviour::Babylon, &pose(&nodes));
    assert_turn(out.local[0].rotation, turn(X, 0.0));
}

#[test]
fn a_chain_that_is_off_leaves_the_keys() {
    let nodes = leg([0.0, 3.0, -1.0]);
    let rig = Rig { ik: vec![chain(3, 2, 40, 2.0, &[(1, None), (0, None)])], ..Rig::default() };
    let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a sound rig");
    let mut local = pose(&nodes);
    local[1].rotation = turn(X, -30.0);
    let mut out = solver.pose();
    solver.solve(&RigPose { local: &local, ik: &[false], ..RigPose::default() }, &mut out);
    assert_eq!(out.local[1].rotation, local[1].rotation);
    assert_eq!(out.local[0].rotation, local[0].rotation);
}

#[test]
fn a_straight_knee_bends_backwards_in_few_rounds() {
    let nodes = leg([0.0, 4.0, -0.5]);
    let rig = Rig { ik: vec![chain(3, 2, 40, 2.0, &[(1, Some(knee())), (0, None)])], ..Rig::default() };
    let out = solved(&nodes, &rig, Behaviour::Mmd, &pose(&nodes));
    let [x, y, z, w] = out.local[1].rotation;
    assert!(2.0 * x.atan2(w) < -1.0 && y == 0.0 && z == 0.0, "knee {:?}", out.local[1].rotation);
    let [ax, ay, az] = out.model[2].translation;
    assert!((ax.powi(2) + (ay - 4.0).powi(2) + (az + 0.5).powi(2)).sqrt() < 0.01, "ankle {ax} {ay} {az}");
}

#[test]
fn the_step_grows_with_the_number_of_the_link() {
    let nodes = nodes(&[
        (None, [0.0; 3]),
        (Some(0), [1.0, 0.0, 0.0]),
        (Some(1), [2.0, 0.0, 0.0]),
        (None, [0.0, 2.0, 0.0]),
    ]);
    let rig = Rig { ik: vec![chain(3, 2, 1, 0.01, &[(1, None), (0, None)])], ..Rig::default() };
    let out = solved(&nodes, &rig, Behaviour::Babylon, &pose(&nodes));
    assert_turn(out.local[1].rotation, turn(Z, 0.01_f64.to_degrees()));
    assert_turn(out.local[0].rotation, turn(Z, 0.02_f64.to_degrees()));
}

#[test]
fn a_link_without_any_freedom_stays_as_keyed() {
    let nodes = leg([0.0, 3.0, -1.0]);
    let stiff = AngleLimit { min_rad: [0.0; 3], max_rad: [0.0; 3] };
    let rig = Rig { ik: vec![chain(3, 2, 40, 2.0, &[(1, Some(stiff)), (0, None)])], ..Rig::default() };
    let mut local = pose(&nodes);
    local[1].rotation = turn(Y, 25.0);
    let out = solved(&nodes, &rig, Behaviour::Mmd, &local);
    assert_eq!(out.local[1].rotation, local[1].rotation);
    assert!(rotation_angle(out.local[0].rotation, turn(X, 0.0)) > 0.1);
}

#[test]
fn limits_the_wrong_way_round_are_exchanged() {
    let nodes = leg([0.0, 3.0, -1.0]);
    let AngleLimit { min_rad, max_rad } = knee();
    let reversed = AngleLimit { min_rad: max_rad, max_rad: min_rad };
    let ankle = |limit| {
        let rig = Rig { ik: vec![chain(3, 2, 40, 2.0, &[(1, Some(limit)), (0, None)])], ..Rig::default() };
        solved(&nodes, &rig, Behaviour::Mmd, &pose(&nodes)).model[2]
    };
    assert_eq!(ankle(reversed), ankle(knee()));
}

#[test]
fn a_link_with_a_fixed_axis_takes_the_component_about_it() {
    let nodes = nodes(&[(None, [0.0; 3]), (Some(0), [1.0, 0.0, 0.0]), (None, [0.0, 1.0, 0.0])]);
    let turned = |axis: [f64; 3], behaviour| {
        let rig = Rig {
            joints: vec![RigJoint { fixed_axis: Some(axis), ..joint(0) }],
            ik: vec![chain(2, 1, 1, 4.0, &[(0, None)])],
            ..Rig::default()
        };
        solved(&nodes, &rig, behaviour, &pose(&nodes)).local[0].rotation
    };
    assert_turn(turned(X, Behaviour::Mmd), turn(X, 0.0));
    assert_turn(turned(X, Behaviour::Babylon), turn(Z, 90.0));
    assert!(rotation_angle(turned(Z, Behaviour::Mmd), turn(Z, 90.0)) < 1e-7);
}

/// Hip, knee, ankle, toe, goals of leg and toe, as models of MikuMikuDance have them.
fn foot(toe_level: i32) -> (Vec<dopesheet_core::model::Node>, Rig) {
    let nodes = nodes(&[
        (None, [0.0, 10.0, 0.0]),
        (Some(0), [0.0, 5.5, -0.1]),
        (Some(1), [0.0, 1.0, 0.3]),
        (Some(2), [0.0, 0.0, -1.5]),
        (None, [1.0, 3.0, -1.0]),
        (Some(4), [1.5, 2.0, -2.5]),
    ]);
    let level = |node, level| RigJoint { level, ..joint(node) };
    let rig = Rig {
        joints: vec![level(3, toe_level), level(4, 1), level(5, 1)],
        ik: vec![chain(4, 2, 40, 2.0, &[(1, None), (0, None)]), chain(5, 3, 3, 4.0, &[(2, None)])],
        ..Rig::default()
    };
    (nodes, rig)
}

#[test]
fn a_toe_of_an_earlier_level_turns_the_ankle_about_the_foot() {
    let solve = |level, behaviour| {
        let (nodes, rig) = foot(level);
        solved(&nodes, &rig, behaviour, &pose(&nodes))
    };
    let (early, fresh) = (solve(0, Behaviour::Mmd), solve(0, Behaviour::Babylon));
    let apart = rotation_angle(early.model[2].rotation, fresh.model[2].rotation).to_degrees();
    assert!(apart > 1.0, "{apart} degrees apart");
    for k in 0..3 {
        assert!(
            (early.model[3].translation[k] - fresh.model[3].translation[k]).abs() < 1e-2,
            "the toe moved"
        );
    }
}

#[test]
fn an_effector_loses_its_append_to_a_chain_of_a_later_level() {
    let (nodes, mut rig) = foot(0);
    rig.joints[0].append = append(0, 1.0);
    let mut local = pose(&nodes);
    local[0].rotation = turn(Y, 30.0);
    assert_turn(solved(&nodes, &rig, Behaviour::Mmd, &local).local[3].rotation, turn(Y, 0.0));
    assert_turn(solved(&nodes, &rig, Behaviour::Babylon, &local).local[3].rotation, turn(Y, 30.0));
}

#[test]
fn a_link_that_the_effector_does_not_hang_on_stays_and_is_found() {
    let nodes = leg([0.0, 3.0, -1.0]);
    let rig = Rig { ik: vec![chain(3, 2, 40, 2.0, &[(1, None), (3, None)])], ..Rig::default() };
    let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a rig that can be solved");
    assert_eq!(solver.findings(), [RigFinding::IdleLink { chain: 0, node: NodeIndex(3) }]);
    assert_eq!(solver.touched(), [false, true, false, false]);
}

#[test]
fn rest_rotations_change_nothing_as_seen_from_the_scene() {
    let (plain, rig) = foot(0);
    // The same joints at the same places with axes of their own; limits and axes are relative to those, so there are none.
    let axes: Vec<glam::DQuat> =
        (0..plain.len()).map(|i| glam::DQuat::from_euler(glam::EulerRot::XYZ, i as f64, 2.0, 0.5)).collect();
    let mut turned = plain.clone();
    for (i, node) in plain.iter().enumerate() {
        let above = node.parent.map_or(glam::DQuat::IDENTITY, |p| axes[p.0]).conjugate();
        turned[i].rest.rotation = (above * axes[i]).to_array();
        turned[i].rest.translation = (above * glam::DVec3::from(node.rest.translation)).to_array();
    }
    let expected = solved(&plain, &rig, Behaviour::Mmd, &pose(&plain));
    let found = solved(&turned, &rig, Behaviour::Mmd, &pose(&turned));
    for (i, axes) in axes.iter().enumerate() {
        let back = glam::DQuat::from_array(found.model[i].rotation) * axes.conjugate();
        assert!(rotation_angle(back.to_array(), expected.model[i].rotation) < 1e-9, "joint {i}");
        let [found, expected] = [&found, &expected].map(|pose| glam::DVec3::from(pose.model[i].translation));
        assert!(found.distance(expected) < 1e-9, "joint {i}");
    }
}

#[test]
fn the_first_limit_decides_nothing_when_it_is_wide() {
    let nodes = leg([1.0, 4.0, 2.0]);
    let wide = AngleLimit { min_rad: [-PI; 3], max_rad: [PI; 3] };
    let free = Rig { ik: vec![chain(3, 2, 40, 2.0, &[(1, None), (0, None)])], ..Rig::default() };
    let limited = Rig { ik: vec![chain(3, 2, 40, 2.0, &[(1, Some(wide)), (0, None)])], ..Rig::default() };
    let (free, limited) = (
        solved(&nodes, &free, Behaviour::Mmd, &pose(&nodes)),
        solved(&nodes, &limited, Behaviour::Mmd, &pose(&nodes)),
    );
    assert!(rotation_angle(free.local[1].rotation, limited.local[1].rotation) < 1e-9);
}

#[test]
fn an_effector_whose_append_comes_after_the_chain_has_it_in_every_pose() {
    let (nodes, mut rig) = foot(0);
    rig.joints[0] = appended(3, 4, 1.0, 2);
    let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a sound rig");
    let (mut first, mut second) = (pose(&nodes), pose(&nodes));
    first[4].rotation = turn(X, 40.0);
    second[4].rotation = turn(Y, 10.0);
    let mut out = solver.pose();
    for local in [&first, &second] {
        solver.solve(&RigPose { local, ..RigPose::default() }, &mut out);
        assert_turn(out.local[3].rotation, local[4].rotation);
    }
}

#[test]
fn a_rig_without_end_is_cut_to_what_a_pose_may_cost() {
    const DEEP: usize = 3000;
    let line: Vec<_> = (0..DEEP).map(|i| (i.checked_sub(1), [i as f64, 0.0, 0.0])).collect();
    let nodes = nodes(&line);
    let links: Vec<_> = (DEEP - 200..DEEP - 1).rev().map(|node| (node, None)).collect();
    let far = chain(0, DEEP - 1, 9, 1.0, &[(5, None)]);
    let costly = chain(0, DEEP - 1, u32::MAX, 1.0, &links);
    let ik: Vec<_> = [far].into_iter().chain(std::iter::repeat_n(costly, 3000)).collect();
    let rig = Rig {
        joints: (0..DEEP).map(|node| appended(node, DEEP - 1, 1.0, 0)).collect(),
        ik,
        ..Rig::default()
    };
    let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a rig that can be solved");
    assert!(solver.findings().contains(&RigFinding::IdleLink { chain: 0, node: NodeIndex(5) }));
    assert!(solver.findings().contains(&RigFinding::RoundsCut { chain: 3000, iterations: u32::MAX }));
    let mut out = solver.pose();
    solver.solve(&RigPose { local: &pose(&nodes), ..RigPose::default() }, &mut out);
    assert!(out.model.iter().all(|t| t.translation.iter().all(|x| x.is_finite())));
}
