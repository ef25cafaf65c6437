//! Numbers computed once from the published formulas in double precision, checked by hand for the first rows.

use crate::build;
use crate::build::{chain, joint, knee, leg, pose};
use dopesheet_core::model::{AngleLimit, Rig, Transform};
use dopesheet_rig::{Behaviour, RigPose, Solver, share};
use dopesheet_testkit::rotation_angle;
use std::f64::consts::PI;

/// Goal, knee limited, rounds, step, rotations of knee and hip, where the ankle ends.
type Row = ([f64; 3], bool, u32, f64, [f64; 4], [f64; 4], [f64; 3]);

/// babylon-mmd's rounds: those of the file.
const LEGS: [Row; 6] = [
    (
        [0.0, 3.0, -1.0],
        true,
        1,
        2.0,
        [-0.004363, 0.0, 0.0, 0.99999],
        [0.089674, 0.0, 0.0, 0.995971],
        [0.0, 1.08775, -1.273179],
    ),
    (
        [0.0, 3.0, -1.0],
        true,
        2,
        2.0,
        [-0.294761, 0.0, 0.0, 0.955571],
        [0.235276, 0.0, 0.0, 0.971929],
        [0.0, 1.627386, -1.196088],
    ),
    (
        [0.0, 3.0, -1.0],
        true,
        40,
        2.0,
        [-0.576242, 0.0, 0.0, 0.817279],
        [0.385101, 0.0, 0.0, 0.922874],
        [0.0, 2.999367, -0.999633],
    ),
    (
        [1.0, 4.0, 2.0],
        true,
        40,
        0.1,
        [-0.663744, 0.0, 0.0, 0.747960],
        [0.217749, 0.032819, 0.071658, 0.972817],
        [1.000080, 3.999640, 2.000718],
    ),
    (
        [2.0, 3.0, -1.0],
        false,
        3,
        0.5,
        [0.149561, 0.022030, 0.313670, 0.937420],
        [0.005986, 0.004032, -0.021311, 0.999747],
        [2.317994, 1.887022, -1.158997],
    ),
    (
        [2.0, 3.0, -1.0],
        false,
        100,
        2.0,
        [0.259968, 0.033463, 0.537416, 0.801549],
        [-0.061887, 0.003257, -0.146574, 0.987256],
        [2.000669, 2.999450, -1.000295],
    ),
];

#[test]
fn legs_reach_for_their_goals() {
    for (goal, limited, iterations, step_rad, knee_turn, hip_turn, ankle) in LEGS {
        let limit = limited.then_some(knee());
        let rig =
            Rig { ik: vec![chain(3, 2, iterations, step_rad, &[(1, limit), (0, None)])], ..Rig::default() };
        let nodes = leg(goal);
        let solver = Solver::new(&nodes, &rig, Behaviour::Babylon).expect("a sound rig");
        let mut out = solver.pose();
        solver.solve(&RigPose { local: &pose(&nodes), ..RigPose::default() }, &mut out);
        let row = format!("goal {goal:?}, {iterations} rounds");
        assert!(
            rotation_angle(out.local[1].rotation, knee_turn) < 3e-6,
            "{row}: {:?}",
            out.local[1].rotation
        );
        assert!(rotation_angle(out.local[0].rotation, hip_turn) < 3e-6, "{row}: {:?}", out.local[0].rotation);
        let miss = glam::DVec3::from(out.model[2].translation).distance(ankle.into());
        assert!(miss < 2e-6, "{row}: ankle {:?}", out.model[2].translation);
    }
}

#[test]
fn shares_of_a_turn_go_beyond_its_ends() {
    let (s, c) = 20.0_f64.to_radians().sin_cos();
    let turn = [s, 0.0, 0.0, c];
    for (ratio, x, w) in [(-0.5, -0.173648, 0.984808), (1.5, 0.5, 0.866025), (0.0, 0.0, 1.0), (1.0, s, c)] {
        let [fx, _, _, fw] = share(turn, ratio);
        assert!((fx - x).abs() < 1e-6 && (fw - w).abs() < 1e-6, "ratio {ratio}: {fx}, {fw}");
    }
}

#[test]
fn a_share_of_a_long_way_round_is_of_the_short_way() {
    let (s, c) = (0.75 * PI).sin_cos();
    let [x, ..] = share([s, 0.0, 0.0, c], 0.5);
    assert!((x + (0.125 * PI).sin()).abs() < 1e-15, "{x}");
}

#[test]
fn mikumikudance_runs_more_rounds_than_a_file_asks_for() {
    let rounds_of = |behaviour: Behaviour, iterations: u32| {
        let limit = AngleLimit { min_rad: [0.0, 0.0, -PI], max_rad: [0.0, 0.0, PI] };
        let rig = Rig {
            joints: vec![joint(0)],
            ik: vec![chain(2, 1, iterations, 1e-5, &[(0, Some(limit))])],
            ..Rig::default()
        };
        let nodes = build::nodes(&[(None, [0.0; 3]), (Some(0), [1.0, 0.0, 0.0]), (None, [0.0, 1.0, 0.0])]);
        let solver = Solver::new(&nodes, &rig, behaviour).expect("a sound rig");
        let mut out = solver.pose();
        solver.solve(&RigPose { local: &pose(&nodes), ..RigPose::default() }, &mut out);
        (rotation_angle(out.local[0].rotation, Transform::IDENTITY.rotation) / 1e-5).round()
    };
    assert_eq!(rounds_of(Behaviour::Mmd, 1), 360.0);
    assert_eq!(rounds_of(Behaviour::Mmd, 720), 720.0);
    assert_eq!(rounds_of(Behaviour::Mmd, 5000), 1024.0);
    assert_eq!(rounds_of(Behaviour::Babylon, 1), 1.0);
    assert_eq!(rounds_of(Behaviour::Babylon, 5000), 256.0);
}
