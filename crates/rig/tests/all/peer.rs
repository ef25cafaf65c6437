//! Whole motions beside mmd-anim, every bone at every frame.
//!
//! Legitimate differences are those of `worlds.rs`: an early end of a chain a few rounds apart turns knees, ties and hair by up
//! to 3 degrees, and as many more rounds would do so again. And:
//!
//! * mmd-anim leaves a bone where it was when its turn is before a chain that moves its parent; here it follows.

use crate::kit::Model;
use dopesheet_core::model::NodeIndex;
use dopesheet_rig::{Behaviour, Solver};
use dopesheet_testkit::{bytes, corpus, rotation_angle};
use glam::DVec3;

/// Bone samples of one model and motion.
#[derive(Debug, Default)]
struct Agreement {
    samples: u32,
    /// Within 0.1 degrees and 0.005 units.
    close: u32,
    /// Within 3 degrees and 0.2 units.
    near: u32,
}

fn agreement(model: &str, motion: &str, step: usize) -> Option<Agreement> {
    let folder = corpus("mmd")?;
    let mut model = Model::of_file(&folder.join(format!("pmx/{model}.pmx")));
    let clip = model.clip(&bytes(&folder.join(format!("vmd/{motion}.vmd"))));
    let solver = Solver::new(&model.nodes, &model.rig, Behaviour::Mmd).expect("a sound rig");
    let mut out = solver.pose();
    let mut found = Agreement::default();
    let last = clip.frame_range().map_or(0, |(_, last)| last);
    for frame in (0..=last).step_by(step) {
        solver.solve(&model.keyed(&clip, frame as f32).pose(), &mut out);
        for (NodeIndex(node), turn, at) in model.peer_worlds(&clip, frame as f32) {
            let off = rotation_angle(turn, out.model[node].rotation).to_degrees();
            let away = DVec3::from(at).distance(out.model[node].translation.into());
            found.samples += 1;
            found.close += u32::from(off <= 0.1 && away <= 0.005);
            found.near += u32::from(off <= 3.0 && away <= 0.2);
        }
    }
    Some(found)
}

#[test]
fn whole_motions_move_as_in_mmd_anim() {
    let pairs = [
        ("yw_test_model", "mmd_tools_test", 1),
        ("yw_test_model", "walk", 7),
        ("yw_test_model", "synth_semi_standard", 1),
        ("miku_animasa", "kishimen", 7),
        ("miku_animasa", "run", 7),
        ("miku_animasa", "synth_legs", 1),
        ("nanoem_test", "run", 7),
        ("test_semi_basic_bone", "synth_semi_standard", 1),
        ("test_append_bone", "test_append_bone", 1),
        ("test_fix_axis", "synth_fix_axis", 1),
    ];
    let mut samples = 0;
    for (model, motion, step) in pairs {
        let Some(found) = agreement(model, motion, step) else { return };
        let share = |n: u32| f64::from(n) / f64::from(found.samples);
        assert!(share(found.near) > 0.999 && share(found.close) > 0.9, "{model} + {motion}: {found:?}");
        samples += found.samples;
    }
    assert!(samples > 130_000, "only {samples} samples");
}
