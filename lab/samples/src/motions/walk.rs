//! walk.vmd: from standing, six steps and the one that brings the feet together. The feet are moved by their IK
//! bones and do not slide: between touching down and lifting off they have the same offset.

use super::vmd::{ARRIVING, LEAVING, Motion, SMOOTH, STEADY, Side, turned};
use dopesheet_mmd::vmd::Document;

/// Frames from one touch-down to the next.
const STEP: u32 = 15;
/// Frames a foot is in the air.
const FLIGHT: u32 = 11;
/// Frame of the first touch-down.
const FIRST: u32 = 18;
/// Touch-downs, the last of which closes the stance.
const STEPS: u32 = 7;
/// Distance of the feet at a touch-down, in MikuMikuDance's units of 8 cm.
const STRIDE: f64 = 6.2;
const END: u32 = FIRST + (STEPS - 1) * STEP + 24;

/// Draws it.
pub(super) fn document() -> Document {
    let mut motion = Motion::new("初音ミク");
    motion.feet_on();
    Side::BOTH.into_iter().for_each(|side| feet(&mut motion, side));
    hips(&mut motion);
    trunk(&mut motion);
    Side::BOTH.into_iter().for_each(|side| arm(&mut motion, side));
    motion.morph("まばたき", &[(0, 0.0), (31, 0.0), (33, 1.0), (36, 0.0), (84, 0.0), (86, 1.0), (89, 0.0)]);
    motion.0
}

fn frame(step: u32) -> u32 {
    FIRST + step * STEP
}

/// Which foot touches down; the first is the left one.
fn foot(step: u32) -> Side {
    if step.is_multiple_of(2) { Side::Left } else { Side::Right }
}

/// Distance forward at which it touches down. The first step is half a stride, and the last one goes no further than the one
/// before it. Forward is −Z.
fn place(step: u32) -> f64 {
    -STRIDE * (f64::from(step.min(STEPS - 2)) + 0.5)
}

fn feet(motion: &mut Motion, side: Side) {
    let bone = side.of("足ＩＫ");
    let mut key =
        |frame, y, z, pitch, curve| motion.key(&bone, frame, [0.0, y, z], turned([pitch, 0.0, 0.0]), curve);
    key(0, 0.0, 0.0, 0.0, STEADY);
    let mut from = 0.0;
    for step in (0..STEPS).filter(|s| foot(*s) == side) {
        let (down, to, closes) = (frame(step), place(step), step == STEPS - 1);
        let lift = down - FLIGHT;
        key(lift.saturating_sub(4), 0.0, from, 0.0, STEADY);
        key(lift, 0.45, from, -26.0, LEAVING);
        key(lift + 5, 1.5, from + 0.55 * (to - from), -14.0, STEADY);
        key(down, 0.12, to, if closes { 4.0 } else { 16.0 }, ARRIVING);
        key(down + 3, 0.0, to, 0.0, ARRIVING);
        from = to;
    }
}

fn hips(motion: &mut Motion) {
    let mut key =
        |frame, x, y, z, curve| motion.key("センター", frame, [x, y, z], glam::DQuat::IDENTITY, curve);
    key(0, 0.0, 0.0, 0.0, STEADY);
    // Falling forward onto the first step.
    key(4, -0.25, -0.2, -0.3, SMOOTH);
    let mut behind = 0.0;
    for step in 0..STEPS {
        let (ahead, closes) = (place(step), step == STEPS - 1);
        let sway = 0.3 * foot(step).sign();
        if closes {
            key(frame(step) + 2, sway, -0.25, ahead + 0.2, ARRIVING);
        } else {
            // Lowest while both feet are down, highest when one leg stands upright.
            key(frame(step) + 2, 0.0, -0.75, 0.45 * behind + 0.55 * ahead, STEADY);
            key(frame(step) + 2 + STEP / 2, sway, -0.2, ahead - 0.08 * STRIDE, STEADY);
        }
        behind = ahead;
    }
    key(END - 8, 0.0, 0.05, behind, SMOOTH);
    key(END, 0.0, 0.0, behind, SMOOTH);
}

fn trunk(motion: &mut Motion) {
    // The hip of the foot that is ahead goes with it; chest and head turn back.
    let turns = [
        ("下半身", [0.0, 8.0, 2.0]),
        ("上半身", [-3.0, -6.0, -1.5]),
        ("上半身2", [0.0, -4.0, 0.0]),
        ("頭", [2.0, 4.0, 1.0]),
    ];
    for (bone, [pitch, yaw, roll]) in turns {
        let mut keys = vec![(0, [0.0; 3], STEADY)];
        for step in 0..STEPS - 1 {
            let sign = foot(step).sign();
            keys.push((frame(step), [pitch, yaw * sign, roll * sign], SMOOTH));
        }
        keys.push((frame(STEPS - 1) + 2, [-0.4 * pitch, 0.0, 0.0], SMOOTH));
        keys.push((END, [0.0; 3], SMOOTH));
        motion.turn(bone, &keys);
    }
}

fn arm(motion: &mut Motion, side: Side) {
    let hanging = -46.0 * side.sign();
    let (mut swing, mut bend) = (vec![(0, [2.0, 0.0, hanging], STEADY)], vec![(0, 12.0, STEADY)]);
    for step in 0..STEPS - 1 {
        // An arm swings against the leg of its side, and a little later.
        let is_ahead = foot(step) != side;
        swing.push((frame(step) + 1, [if is_ahead { 24.0 } else { -20.0 }, 0.0, hanging], SMOOTH));
        bend.push((frame(step) + 3, if is_ahead { 34.0 } else { 10.0 }, SMOOTH));
    }
    swing.push((END - 10, [5.0, 0.0, hanging], SMOOTH));
    swing.push((END, [2.0, 0.0, hanging], SMOOTH));
    bend.push((END - 6, 14.0, SMOOTH));
    motion.turn(&side.of("腕"), &swing);
    motion.bend(side, &bend);
}
