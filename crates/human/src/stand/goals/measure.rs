//! Errors of the model's hands, feet and head by the work of its rig.

use super::poser::Poser;
use HumanBone as B;
use dopesheet_core::diag::{ErrorUnit, Fault, MaxError, Place, Report};
use dopesheet_core::model::{Clip, HumanBone};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::length;
use dopesheet_motion::Side;
use dopesheet_motion::keys::Worst;
use dopesheet_motion::sample::rig::{Behaviour, Player};
use glam::DVec3;

/// At how many sample_times the model is measured at most.
const MOST_MOMENTS: u32 = 400;
/// Length in metres up to which an error counts as nothing.
const NOTHING_M: f64 = 1e-6;

/// Code of the finding about a rig that does not follow the motion.
pub const RIG_OFF: &str = "rig-off";
/// Distance in metres beyond which an error becomes a finding.
const FAR_M: f64 = 0.02;

/// Parts of the body that are measured, with their bones.
const PARTS: [(&str, &[HumanBone]); 3] = [
    ("wrists", &[B::LeftHand, B::RightHand]),
    ("ankles", &[B::LeftFoot, B::RightFoot]),
    ("head", &[B::Head]),
];

/// Plays a clip on the model with its rig, and reports the largest distance of its joints from their
/// positions without a rig.
pub(crate) fn report(poser: &Poser<'_>, clip: &Clip, behaviour: Behaviour, report: &mut Report) {
    let model = poser.model;
    let Ok(mut player) = Player::new(&model.scene, clip, behaviour) else { return };
    let mut largest = PARTS.map(|_| (Worst::default(), None));
    for time in sample_times(clip) {
        let pose = poser.at(time);
        let solved = &player.pose_at(time, Side::At).model;
        for ((_, bones), (largest, node)) in PARTS.iter().zip(&mut largest) {
            for bone in *bones {
                let joint = model.node(*bone);
                let there = joint.and_then(|joint| solved.get(joint)).zip(pose.joint(*bone));
                let Some((solved, wanted)) = there else { continue };
                let off = DVec3::from(solved.translation).distance(wanted);
                if off > largest.value {
                    *node = joint;
                }
                largest.meet(off, time);
            }
        }
    }
    for ((part, _), (largest, node)) in PARTS.iter().zip(largest) {
        if largest.value > NOTHING_M {
            let what =
                format!("{part} of the model with its rig beside those that its bones have without it");
            let node = node.and_then(|node| model.scene.nodes.get(node));
            let target = node.map(|node| node.name.clone()).unwrap_or_default();
            if largest.value > FAR_M {
                let expected = format!("a rig that brings {part} where the motion has them");
                let actual = format!("{} off ({target} at {:.3} s)", length(largest.value), largest.time.0);
                report.warn(Fault::new(RIG_OFF, Place::File, expected, actual));
            }
            let error = MaxError { value: largest.value, unit: ErrorUnit::Metre, target, time: largest.time };
            report.approximated(what, error);
        }
    }
}

fn sample_times(clip: &Clip) -> impl Iterator<Item = Seconds> {
    let Seconds(end) = clip.end();
    let count = if end > 0.0 { MOST_MOMENTS } else { 0 };
    (0..=count).map(move |n| Seconds(end * f64::from(n) / f64::from(MOST_MOMENTS)))
}
