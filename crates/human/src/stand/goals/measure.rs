//! Errors of the model's hands, feet and head by the work of its rig.

use super::poser::Poser;
use crate::body::tracks::{metres_off, nothing_off};
use HumanBone as B;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::model::{Clip, HumanBone, NodeIndex};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::length;
use dopesheet_motion::Side;
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

/// Plays a clip from a time on on the model with its rig, and reports the largest distance of its joints from their
/// positions without a rig.
pub(crate) fn report(
    poser: &Poser<'_>,
    clip: &Clip,
    start: Seconds,
    behaviour: Behaviour,
    report: &mut Report,
) {
    let model = poser.model;
    let Ok(mut player) = Player::new(model.scene, clip, behaviour) else { return };
    let mut largest = PARTS.map(|_| nothing_off());
    for time in sample_times(clip).filter(|time| time.0 >= start.0) {
        let pose = poser.at(time);
        let solved = &player.pose_at(time, Side::At).model;
        for ((_, bones), largest) in PARTS.iter().zip(&mut largest) {
            for bone in *bones {
                let Some(joint) = model.node(*bone) else { continue };
                let Some((solved, wanted)) = solved.get(joint).zip(pose.joint(*bone)) else { continue };
                let off = DVec3::from(solved.translation).distance(wanted);
                if off > largest.value {
                    *largest = metres_off(model.scene, NodeIndex(joint), off, time);
                }
            }
        }
    }
    for ((part, _), largest) in PARTS.iter().zip(largest).filter(|(_, largest)| largest.value > NOTHING_M) {
        let what = format!("{part} of the model with its rig beside those that its bones have without it");
        if largest.value > FAR_M {
            let expected = format!("a rig that brings {part} where the motion has them");
            let (off, target, time) = (length(largest.value), &largest.target, largest.time.0);
            let actual = format!("{off} off ({target} at {time:.3} s)");
            report.warn(Fault::new(RIG_OFF, Place::File, expected, actual));
        }
        report.approximated(what, largest);
    }
}

fn sample_times(clip: &Clip) -> impl Iterator<Item = Seconds> {
    let Seconds(end) = clip.end();
    let count = if end > 0.0 { MOST_MOMENTS } else { 0 };
    (0..=count).map(move |n| Seconds(end * f64::from(n) / f64::from(MOST_MOMENTS)))
}
