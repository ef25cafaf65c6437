//! Results of MikuMikuDance 9.32 on small rigs, as published with the crate mmd-anim, and that crate's own results on
//! the same and further rigs.

use crate::kit::{Model, numbers};
use dopesheet_core::model::{NodeIndex, Transform};
use dopesheet_rig::{Behaviour, Solver};
use dopesheet_testkit::{bytes, corpus, files, json, rotation_angle};
use glam::{DQuat, DVec3};
use serde_json::Value;

/// Degrees. What MikuMikuDance rounds to single precision in every step is exact here.
const TOLERANCE_DEG: f64 = 0.03;

#[test]
fn small_rigs_are_solved_as_in_mikumikudance() {
    let Some(folder) = corpus("mmd") else { return };
    let captures = json(&folder.join("expected/mmd932-ik-captures.json"));
    let mut compared = 0;
    for case in captures["cases"].as_array().expect("a list of cases") {
        let name = case["name"].as_str().expect("a name");
        let mut model = Model::of_file(&folder.join(case["model"].as_str().expect("a model")));
        let clip = model.clip(&bytes(&folder.join(case["motion"].as_str().expect("a motion"))));
        let keyed = model.keyed(&clip, case["frame"].as_f64().expect("a frame") as f32);
        let solver = Solver::new(&model.nodes, &model.rig, Behaviour::Mmd).expect("a sound rig");
        let mut out = solver.pose();
        solver.solve(&keyed.pose(), &mut out);
        for (bone, expected) in case["expect"].as_object().expect("bones") {
            let node = model.node(bone);
            let off = degrees_off(expected, &out.local[node], &out.model[node]);
            assert!(off < TOLERANCE_DEG, "{name}, {bone}: {off} degrees off");
            compared += 1;
        }
    }
    assert!(compared >= 45, "only {compared} bones compared");
}

/// The largest difference in degrees; a position counts as an angle seen from a unit away.
fn degrees_off(expected: &Value, local: &Transform, model: &Transform) -> f64 {
    let mut worst = 0.0_f64;
    if expected["world_r"].is_array() {
        worst = worst.max(rotation_angle(numbers(&expected["world_r"]), model.rotation).to_degrees());
    }
    if expected["world_p"].is_array() {
        let at = DVec3::from(numbers::<3>(&expected["world_p"]));
        worst = worst.max(at.distance(model.translation.into()).to_degrees());
    }
    if expected["world_x_axis"].is_array() {
        let axis = DVec3::from(numbers::<3>(&expected["world_x_axis"]));
        worst = worst.max(axis.angle_between(DQuat::from_array(model.rotation) * DVec3::X).to_degrees());
    }
    if let Some(angle) = expected["local_angle_rad"].as_f64() {
        let axis = DVec3::from(numbers::<3>(&expected["axis"])).normalize();
        let turn = DQuat::from_axis_angle(axis, angle).to_array();
        worst = worst.max(rotation_angle(turn, local.rotation).to_degrees());
    }
    worst
}

#[test]
fn small_rigs_are_solved_as_in_mmd_anim() {
    let Some(folder) = corpus("mmd/ik_captures") else { return };
    for file in files(&folder, &["pmx"], 40) {
        let mut model = Model::of_file(&file);
        let clip = model.clip(&bytes(&folder.join("neutral.vmd")));
        let keyed = model.keyed(&clip, 10.0);
        let theirs = model.peer_worlds(&clip, 10.0);
        let solver = Solver::new(&model.nodes, &model.rig, Behaviour::Mmd).expect("a sound rig");
        let mut out = solver.pose();
        solver.solve(&keyed.pose(), &mut out);
        for (NodeIndex(node), turn, at) in theirs {
            let off = rotation_angle(turn, out.model[node].rotation).to_degrees();
            let away = DVec3::from(at).distance(out.model[node].translation.into());
            let name = &model.nodes[node].name;
            assert!(off < 0.01 && away < 3e-4, "{}, {name}: {off} degrees, {away} off", file.display());
        }
    }
}
