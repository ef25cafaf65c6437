//! Whole rigs in motion: every bone, as MikuMikuDance's followers place it.
//!
//! Legitimate differences, which keep some bones from agreeing at every frame:
//!
//! * mmd-anim computes in single precision. Near the goal its angle of a step, the arc cosine of a number next to 1, is a
//!   multiple of 0.02°, so a chain of many links and rounds ends elsewhere on the same curve (ties and hair).
//! * A chain ends as soon as one link sees its effector in line with the goal. Whether that is so in a round can hang on
//!   the last bit, and then one of two poses of a nearly straight leg is as right as the other.

use crate::kit::{Model, numbers};
use dopesheet_core::model::Transform;
use dopesheet_rig::{Behaviour, Solver};
use dopesheet_testkit::{bytes, corpus, files, json, rotation_angle};
use glam::DVec3;
use serde_json::Value;
use std::path::Path;

/// Bone samples: all, those like MikuMikuDance's, those like either accepted answer.
#[derive(Default)]
struct Agreement {
    samples: usize,
    mmd: usize,
    either: usize,
}

#[test]
fn whole_rigs_move_as_in_mikumikudance() {
    let Some(folder) = corpus("mmd") else { return };
    let mut sum = Agreement::default();
    for file in expectations(&folder) {
        let found = agreement(&folder, &json(&file), Behaviour::Mmd);
        let share = found.mmd as f64 / found.samples as f64;
        assert!(share > 0.99, "{}: {} of {}", file.display(), found.mmd, found.samples);
        sum.samples += found.samples;
        sum.mmd += found.mmd;
    }
    assert!(sum.samples > 17_000, "only {} samples", sum.samples);
    assert!(sum.mmd as f64 > 0.996 * sum.samples as f64, "{} of {}", sum.mmd, sum.samples);
}

#[test]
fn whole_rigs_move_as_in_babylon() {
    let Some(folder) = corpus("mmd") else { return };
    for file in expectations(&folder) {
        let found = agreement(&folder, &json(&file), Behaviour::Babylon);
        assert_eq!(found.either, found.samples, "{}", file.display());
    }
}

fn expectations(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = files(&folder.join("expected"), &["json"], 9);
    found.retain(|file| file.file_name().is_some_and(|n| n.to_string_lossy().starts_with("world-")));
    assert!(found.len() >= 9, "only {} expectations", found.len());
    found
}

fn agreement(folder: &Path, expected: &Value, behaviour: Behaviour) -> Agreement {
    let mut model = Model::of_file(&folder.join(expected["model"].as_str().expect("a model")));
    let clip = model.clip(&bytes(&folder.join(expected["motion"].as_str().expect("a motion"))));
    let solver = Solver::new(&model.nodes, &model.rig, behaviour).expect("a sound rig");
    let mut out = solver.pose();
    let frames = expected["frames"].as_array().expect("frames").iter().map(|f| f.as_f64().expect("a frame"));
    let poses: Vec<Vec<Transform>> = frames
        .map(|frame| {
            solver.solve(&model.keyed(&clip, frame as f32).pose(), &mut out);
            out.model.clone()
        })
        .collect();
    let mut found = Agreement::default();
    for bone in expected["bones"].as_array().expect("bones") {
        let node = model.node(bone["bone"].as_str().expect("a name"));
        let (mmd, alternative) = (agreeing(bone, node, &poses), agreeing(&bone["alt"], node, &poses));
        found.samples += poses.len();
        found.mmd += mmd;
        found.either += mmd.max(alternative);
    }
    found
}

/// Number of poses that have the node where an answer has it, within the answer's own tolerances.
fn agreeing(answer: &Value, node: usize, poses: &[Vec<Transform>]) -> usize {
    let (Some(distance), Some(angle)) = (answer["tol_p"].as_f64(), answer["tol_r_deg"].as_f64()) else {
        return 0;
    };
    let agrees = |(at, pose): (usize, &Vec<Transform>)| {
        let place = DVec3::from(numbers::<3>(&answer["p"][at]));
        let turn = numbers::<4>(&answer["r"][at]);
        place.distance(pose[node].translation.into()) <= distance
            && rotation_angle(turn, pose[node].rotation).to_degrees() <= angle
    };
    poses.iter().enumerate().filter(|pose| agrees(*pose)).count()
}
