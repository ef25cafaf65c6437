//! Morphs that move joints, groups and flips.

use crate::build::{nodes, turn};
use dopesheet_core::model::{JointOffset, MorphEffect, NodeIndex, Rig, RigMorph, Transform};
use dopesheet_rig::{Behaviour, RigError, RigPose, SolvedPose, Solver};
use dopesheet_testkit::rotation_angle;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];

fn moves(translation: [f64; 3], rotation: [f64; 4]) -> MorphEffect {
    MorphEffect::Joints(vec![JointOffset { node: NodeIndex(0), translation, rotation }])
}

fn solver(effects: Vec<MorphEffect>) -> Result<Solver, RigError> {
    let morphs = effects.into_iter().map(|effect| RigMorph { name: String::new(), effect }).collect();
    Solver::new(&nodes(&[(None, [0.0; 3])]), &Rig { morphs, ..Rig::default() }, Behaviour::Mmd)
}

fn solved(effects: Vec<MorphEffect>, weights: &[f64], keyed: [f64; 4]) -> SolvedPose {
    let solver = solver(effects).expect("sound morphs");
    let mut out = solver.pose();
    let local = [Transform { rotation: keyed, ..Transform::IDENTITY }];
    solver.solve(&RigPose { local: &local, morphs: weights, ik: &[] }, &mut out);
    out
}

fn assert_turn(found: [f64; 4], expected: [f64; 4]) {
    assert!(rotation_angle(found, expected) < 1e-12, "found {found:?}, expected {expected:?}");
}

#[test]
fn a_weight_moves_and_turns_in_proportion() {
    let out = solved(vec![moves([4.0, 0.0, 0.0], turn(X, 80.0))], &[0.25], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(out.local[0].translation, [1.0, 0.0, 0.0]);
    assert_turn(out.local[0].rotation, turn(X, 20.0));
}

#[test]
fn morphs_turn_after_the_keys_and_after_each_other() {
    let effects = vec![moves([0.0; 3], turn(X, 90.0)), moves([0.0; 3], turn(Y, 90.0))];
    let q = |axis, angle| glam::DQuat::from_array(turn(axis, angle));
    let out = solved(effects, &[1.0, 1.0], turn(X, 30.0));
    assert_turn(out.local[0].rotation, (q(Y, 90.0) * q(X, 90.0) * q(X, 30.0)).to_array());
}

#[test]
fn a_group_adds_to_the_weights_of_others_but_not_of_groups() {
    let effects = vec![
        moves([8.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]),
        MorphEffect::Group(vec![(0, 0.5)]),
        MorphEffect::Group(vec![(1, 1.0), (0, 0.25)]),
        MorphEffect::Surface,
    ];
    let out = solved(effects, &[0.125, 0.5, 1.0, 0.75], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(out.morphs, [0.625, 0.5, 1.0, 0.75]);
    assert_eq!(out.local[0].translation, [5.0, 0.0, 0.0]);
}

#[test]
fn a_flip_sets_the_one_that_its_weight_chooses() {
    let flip = || MorphEffect::Flip(vec![(0, 0.5), (1, 1.0), (0, 0.25)]);
    let weights = |weight: f64| {
        solved(vec![MorphEffect::Surface, MorphEffect::Surface, flip()], &[0.1, 0.2, weight], turn(X, 0.0))
            .morphs
    };
    assert_eq!(weights(0.0)[..2], [0.1, 0.2]);
    assert_eq!(weights(0.24)[..2], [0.1, 0.2]);
    assert_eq!(weights(0.25)[..2], [0.5, 0.2]);
    assert_eq!(weights(0.5)[..2], [0.1, 1.0]);
    assert_eq!(weights(1.0)[..2], [0.25, 0.2]);
    assert_eq!(weights(7.0)[..2], [0.25, 0.2]);
}

#[test]
fn names_that_are_not_there_are_refused_in_words() {
    let message = |effect| solver(vec![effect]).expect_err("a rig that cannot be solved").to_string();
    assert_eq!(message(MorphEffect::Group(vec![(3, 1.0)])), "rig: expected one of 1 morph, found number 3");
    assert_eq!(message(MorphEffect::Flip(vec![(1, 1.0)])), "rig: expected one of 1 morph, found number 1");
    let nowhere = JointOffset { node: NodeIndex(4), translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
    assert_eq!(message(MorphEffect::Joints(vec![nowhere])), "rig: expected one of 1 node, found number 4");
}
