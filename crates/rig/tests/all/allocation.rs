//! Playing must not allocate.

use crate::build::{append, chain, joint, knee, leg, pose};
use allocation_counter::measure;
use dopesheet_core::model::{Rig, RigJoint};
use dopesheet_rig::{Behaviour, RigPose, Solver};

#[test]
fn solving_does_not_allocate() {
    let nodes = leg([0.0, 3.0, -1.0]);
    let rig = Rig {
        joints: vec![RigJoint { append: append(0, 0.5), ..joint(3) }],
        ik: vec![chain(3, 2, 40, 2.0, &[(1, Some(knee())), (0, None)])],
        ..Rig::default()
    };
    let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a sound rig");
    let local = pose(&nodes);
    let mut out = solver.pose();
    let counted = measure(|| solver.solve(&RigPose { local: &local, ..RigPose::default() }, &mut out));
    assert_eq!(counted.count_total, 0);
}
