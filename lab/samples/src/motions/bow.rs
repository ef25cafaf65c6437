//! bow.vmd: a bow as on a stage, with a breath before and a little pride after it.

use super::vmd::{ARRIVING, LEAVING, Motion, SMOOTH, SNAPPING, STEADY, Side};
use dopesheet_mmd::vmd::Document;

/// Its last frame.
pub(super) const END: u32 = 126;

/// Draws it. The body leads, neck and head follow a few frames later, as a body does.
pub(super) fn document() -> Document {
    let mut motion = Motion::new("初音ミク");
    motion.feet_on();
    body(&mut motion);
    head(&mut motion);
    arms(&mut motion);
    face(&mut motion);
    motion.0
}

fn body(motion: &mut Motion) {
    motion.shift(
        "センター",
        &[
            (0, [0.0, 0.0, 0.0], STEADY),
            (13, [0.0, 0.18, -0.12], SMOOTH),
            (38, [0.0, -0.08, 1.25], SMOOTH),
            (66, [0.0, -0.12, 1.4], ARRIVING),
            (94, [0.0, 0.10, -0.10], SMOOTH),
            (110, [0.0, 0.0, 0.0], SMOOTH),
            (END, [0.0, 0.0, 0.0], STEADY),
        ],
    );
    let bend: [(&str, u32, f64, f64); 3] =
        [("下半身", 0, -1.0, -9.0), ("上半身", 0, 3.0, -34.0), ("上半身2", 3, 4.0, -22.0)];
    for (bone, late, breath, down) in bend {
        motion.turn(
            bone,
            &[
                (0, [0.0, 0.0, 0.0], STEADY),
                (13 + late, [breath, 0.0, 0.0], ARRIVING),
                (38 + late, [down, 0.0, 0.0], SMOOTH),
                (66 + late, [down * 1.06, 0.0, 0.0], ARRIVING),
                (94 + late, [breath * 0.8, 0.0, 0.0], SMOOTH),
                (112 + late, [0.0, 0.0, 0.0], SMOOTH),
            ],
        );
    }
    for foot in Side::BOTH.map(|side| side.of("足ＩＫ")) {
        motion.shift(&foot, &[(0, [0.0; 3], STEADY)]);
    }
}

fn head(motion: &mut Motion) {
    motion.turn(
        "首",
        &[
            (0, [0.0, 0.0, 0.0], STEADY),
            (15, [4.0, 0.0, 0.0], ARRIVING),
            (44, [-10.0, 0.0, 0.0], SMOOTH),
            (72, [-12.0, 0.0, 0.0], ARRIVING),
            (99, [3.0, 0.0, 0.0], SMOOTH),
            (116, [0.0, 0.0, 0.0], SMOOTH),
        ],
    );
    // While the head is down it hangs; on the way up it comes last, and tilts.
    motion.turn(
        "頭",
        &[
            (0, [0.0, 0.0, 0.0], STEADY),
            (16, [6.0, 0.0, 0.0], ARRIVING),
            (47, [-17.0, 0.0, 0.0], SMOOTH),
            (75, [-19.0, 0.0, 0.0], ARRIVING),
            (103, [5.0, -4.0, 5.0], SMOOTH),
            (END, [0.0, -2.0, 4.0], SMOOTH),
        ],
    );
}

fn arms(motion: &mut Motion) {
    // The right hand goes to the heart and, on the way up, opens to the audience.
    motion.turn(
        "右腕",
        &[
            (0, [4.0, 0.0, 46.0], STEADY),
            (14, [-8.0, 0.0, 34.0], ARRIVING),
            (36, [34.0, -18.0, 40.0], SNAPPING),
            (68, [36.0, -18.0, 42.0], STEADY),
            (90, [14.0, -44.0, -16.0], SMOOTH),
            (100, [12.0, -38.0, -10.0], ARRIVING),
            (122, [4.0, 0.0, 46.0], SMOOTH),
        ],
    );
    motion.bend(
        Side::Right,
        &[
            (0, 12.0, STEADY),
            (14, 24.0, ARRIVING),
            (36, 112.0, SNAPPING),
            (68, 114.0, STEADY),
            (90, 30.0, LEAVING),
            (100, 22.0, ARRIVING),
            (122, 12.0, SMOOTH),
        ],
    );
    // The left arm is swept back to keep the balance.
    motion.turn(
        "左腕",
        &[
            (0, [4.0, 0.0, -46.0], STEADY),
            (14, [10.0, 0.0, -38.0], ARRIVING),
            (42, [22.0, 12.0, -30.0], SMOOTH),
            (70, [16.0, 14.0, -27.0], ARRIVING),
            (98, [8.0, 0.0, -43.0], SMOOTH),
            (114, [4.0, 0.0, -46.0], SMOOTH),
        ],
    );
    motion.bend(
        Side::Left,
        &[
            (0, 12.0, STEADY),
            (14, 22.0, ARRIVING),
            (42, 6.0, SMOOTH),
            (98, 20.0, SMOOTH),
            (114, 12.0, SMOOTH),
        ],
    );
    motion.turn(
        "右手首",
        &[
            (0, [0.0; 3], STEADY),
            (40, [0.0, 12.0, 14.0], ARRIVING),
            (70, [0.0, 12.0, 14.0], STEADY),
            (96, [0.0, -8.0, -22.0], ARRIVING),
            (122, [0.0; 3], SMOOTH),
        ],
    );
}

fn face(motion: &mut Motion) {
    motion.morph(
        "まばたき",
        &[(0, 0.0), (18, 0.0), (26, 1.0), (78, 1.0), (88, 0.0), (107, 0.0), (109, 1.0), (112, 0.0)],
    );
    motion.morph("にこり", &[(0, 0.0), (84, 0.0), (100, 0.8), (END, 0.7)]);
    motion.morph("あ", &[(0, 0.0), (6, 0.0), (12, 0.25), (20, 0.0)]);
}
