//! The bones: names and parents as in all models of MikuMikuDance, places of our own.
//!
//! Units of 8 cm; the figure is 158 cm tall, faces −Z and has its left at +X. Arms point 35° below the horizontal.

use dopesheet_mmd::pmx::BoneFlags;

const TURNS: u16 = BoneFlags::ROTATABLE | BoneFlags::VISIBLE | BoneFlags::OPERABLE;
const MOVES: u16 = TURNS | BoneFlags::MOVABLE;
const HIDDEN: u16 = BoneFlags::ROTATABLE;

/// A bone; names are those of the left side.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) english: &'static str,
    pub(super) parent: &'static str,
    pub(super) head: [f64; 3],
    pub(super) flags: u16,
    pub(super) level: i32,
    pub(super) end: End,
    pub(super) append: Option<(&'static str, f32)>,
    pub(super) axis: Option<[f64; 3]>,
    pub(super) ik: Option<Chain>,
}

/// Where a bone ends.
pub(super) enum End {
    Bone(&'static str),
    Offset([f64; 3]),
}

/// An IK chain. Links say whether they only bend, as knees do.
pub(super) struct Chain {
    pub(super) target: &'static str,
    pub(super) rounds: i32,
    pub(super) step_rad: f32,
    pub(super) links: &'static [(&'static str, bool)],
}

const fn turns(name: &'static str, english: &'static str, parent: &'static str, head: [f64; 3]) -> Row {
    let end = End::Offset([0.0; 3]);
    Row { name, english, parent, head, flags: TURNS, level: 0, end, append: None, axis: None, ik: None }
}

const fn moves(name: &'static str, english: &'static str, parent: &'static str, head: [f64; 3]) -> Row {
    Row { flags: MOVES, ..turns(name, english, parent, head) }
}

const fn hidden(name: &'static str, english: &'static str, parent: &'static str, head: [f64; 3]) -> Row {
    Row { flags: HIDDEN, ..turns(name, english, parent, head) }
}

impl Row {
    const fn to(self, bone: &'static str) -> Self {
        Self { end: End::Bone(bone), ..self }
    }

    const fn by(self, offset: [f64; 3]) -> Self {
        Self { end: End::Offset(offset), ..self }
    }

    const fn follows(self, bone: &'static str, ratio: f32) -> Self {
        Self { append: Some((bone, ratio)), ..self }
    }

    const fn twists(self) -> Self {
        Self { axis: Some(ARM), ..self }
    }

    const fn level(self, level: i32) -> Self {
        Self { level, ..self }
    }

    const fn pulls(self, target: &'static str, rounds: i32, step_rad: f32, links: Links) -> Self {
        Self { ik: Some(Chain { target, rounds, step_rad, links }), level: 1, ..self }
    }
}

type Links = &'static [(&'static str, bool)];

/// Along the left arm: cosine and sine of 35° below the horizontal.
pub(in crate::puppet) const ARM: [f64; 3] = [0.819_152_044_288_991_8, -0.573_576_436_351_046, 0.0];
const SHOULDER: [f64; 3] = [1.16, 15.72, 0.12];
/// From the shoulder to the elbow, and to the wrist.
pub(in crate::puppet) const ELBOW: f64 = 2.5;
pub(in crate::puppet) const WRIST: f64 = 4.72;

/// A point on the arm's line.
const fn arm(along: f64) -> [f64; 3] {
    [SHOULDER[0] + ARM[0] * along, SHOULDER[1] + ARM[1] * along, SHOULDER[2]]
}

/// A point of the hand: how far past the wrist, towards the thumb, towards the back of the hand.
const fn hand(along: f64, thumb: f64, back: f64) -> [f64; 3] {
    let line = arm(WRIST + along);
    [line[0] - ARM[1] * back, line[1] + ARM[0] * back, line[2] - thumb]
}

/// Knuckles of index, middle, ring and little finger: past the wrist, towards the thumb.
pub(in crate::puppet) const KNUCKLES: [[f64; 2]; 4] =
    [[0.74, 0.27], [0.79, 0.09], [0.75, -0.09], [0.67, -0.26]];
/// Lengths of their parts.
pub(in crate::puppet) const PARTS: [[f64; 3]; 4] =
    [[0.38, 0.25, 0.21], [0.42, 0.28, 0.22], [0.39, 0.26, 0.21], [0.3, 0.2, 0.19]];

const fn finger(number: usize, part: usize) -> [f64; 3] {
    let [along, thumb] = KNUCKLES[number];
    let parts = PARTS[number];
    let further = if part == 0 {
        0.0
    } else if part == 1 {
        parts[0]
    } else {
        parts[0] + parts[1]
    };
    hand(along + further, thumb, 0.0)
}

const fn fingertip(number: usize) -> [f64; 3] {
    let length = PARTS[number][2];
    [ARM[0] * length, ARM[1] * length, 0.0]
}

const HIP: [f64; 3] = [0.8, 11.15, 0.05];
const KNEE: [f64; 3] = [0.82, 6.3, -0.02];
const ANKLE: [f64; 3] = [0.84, 1.25, 0.22];
const BALL: [f64; 3] = [0.86, 0.4, -0.72];
const TOE: [f64; 3] = [0.88, 0.32, -1.45];
const HALF_TURN_AND_MORE: f32 = 4.0;

/// The bones of the middle.
pub(super) const ROWS: [Row; 11] = [
    moves("操作中心", "view cnt", "", [0.0; 3]),
    moves("全ての親", "mother", "", [0.0; 3]).to("センター"),
    moves("センター", "center", "全ての親", [0.0, 8.0, 0.0]).by([0.0, -8.0, 0.0]),
    moves("グルーブ", "groove", "センター", [0.0, 8.3, 0.0]).by([0.0, 1.2, 0.0]),
    turns("腰", "waist", "グルーブ", [0.0, 12.0, 0.1]).by([0.0, 0.7, -0.1]),
    turns("下半身", "lower body", "腰", [0.0, 12.8, 0.0]).by([0.0, -1.7, 0.05]),
    turns("上半身", "upper body", "腰", [0.0, 12.8, 0.0]).to("上半身2"),
    turns("上半身2", "upper body2", "上半身", [0.0, 14.1, -0.04]).to("首"),
    turns("首", "neck", "上半身2", [0.0, 16.35, 0.12]).to("頭"),
    turns("頭", "head", "首", [0.0, 17.1, 0.08]).by([0.0, 2.6, 0.0]),
    turns("両目", "eyes", "頭", [0.0, 20.8, -0.4]).by([0.0, 0.0, -0.8]),
];

/// The bones of the left side.
pub(super) const SIDE_ROWS: [Row; 43] = [
    turns("左目", "eye_L", "頭", [0.4, 18.15, 0.1]).by([0.1, 0.0, -1.0]).follows("両目", 1.0).level(2),
    turns("左肩P", "shoulderP_L", "上半身2", [0.2, 15.95, 0.12]),
    turns("左肩", "shoulder_L", "左肩P", [0.2, 15.95, 0.12]).to("左腕"),
    hidden("左肩C", "shoulderC_L", "左肩", SHOULDER).follows("左肩P", -1.0),
    turns("左腕", "arm_L", "左肩C", SHOULDER).to("左ひじ"),
    turns("左腕捩", "arm twist_L", "左腕", arm(0.55 * ELBOW)).twists(),
    hidden("左腕捩1", "arm twist1_L", "左腕", arm(0.25 * ELBOW)).follows("左腕捩", 0.25),
    hidden("左腕捩2", "arm twist2_L", "左腕", arm(0.5 * ELBOW)).follows("左腕捩", 0.5),
    hidden("左腕捩3", "arm twist3_L", "左腕", arm(0.75 * ELBOW)).follows("左腕捩", 0.75),
    turns("左ひじ", "elbow_L", "左腕捩", arm(ELBOW)).to("左手首"),
    turns("左手捩", "wrist twist_L", "左ひじ", arm(ELBOW + 0.55 * (WRIST - ELBOW))).twists(),
    hidden("左手捩1", "wrist twist1_L", "左ひじ", arm(ELBOW + 0.25 * (WRIST - ELBOW)))
        .follows("左手捩", 0.25),
    hidden("左手捩2", "wrist twist2_L", "左ひじ", arm(ELBOW + 0.5 * (WRIST - ELBOW))).follows("左手捩", 0.5),
    hidden("左手捩3", "wrist twist3_L", "左ひじ", arm(ELBOW + 0.75 * (WRIST - ELBOW)))
        .follows("左手捩", 0.75),
    turns("左手首", "wrist_L", "左手捩", arm(WRIST)).to("左中指１"),
    moves("左ダミー", "dummy_L", "左手首", hand(0.5, 0.0, -0.3)).by([-ARM[1] * -0.8, ARM[0] * -0.8, 0.0]),
    turns("左親指０", "thumb0_L", "左手首", hand(0.14, 0.2, -0.06)).to("左親指１"),
    turns("左親指１", "thumb1_L", "左親指０", hand(0.38, 0.45, -0.14)).to("左親指２"),
    turns("左親指２", "thumb2_L", "左親指１", hand(0.62, 0.6, -0.2)).by([0.17, -0.17, -0.12]),
    turns("左人指１", "fore1_L", "左手首", finger(0, 0)).to("左人指２"),
    turns("左人指２", "fore2_L", "左人指１", finger(0, 1)).to("左人指３"),
    turns("左人指３", "fore3_L", "左人指２", finger(0, 2)).by(fingertip(0)),
    turns("左中指１", "middle1_L", "左手首", finger(1, 0)).to("左中指２"),
    turns("左中指２", "middle2_L", "左中指１", finger(1, 1)).to("左中指３"),
    turns("左中指３", "middle3_L", "左中指２", finger(1, 2)).by(fingertip(1)),
    turns("左薬指１", "third1_L", "左手首", finger(2, 0)).to("左薬指２"),
    turns("左薬指２", "third2_L", "左薬指１", finger(2, 1)).to("左薬指３"),
    turns("左薬指３", "third3_L", "左薬指２", finger(2, 2)).by(fingertip(2)),
    turns("左小指１", "little1_L", "左手首", finger(3, 0)).to("左小指２"),
    turns("左小指２", "little2_L", "左小指１", finger(3, 1)).to("左小指３"),
    turns("左小指３", "little3_L", "左小指２", finger(3, 2)).by(fingertip(3)),
    hidden("腰キャンセル左", "waist cancel_L", "下半身", HIP).follows("腰", -1.0),
    turns("左足", "leg_L", "腰キャンセル左", HIP).to("左ひざ"),
    turns("左ひざ", "knee_L", "左足", KNEE).to("左足首"),
    turns("左足首", "ankle_L", "左ひざ", ANKLE).to("左つま先"),
    hidden("左つま先", "toe_L", "左足首", TOE),
    moves("左足IK親", "leg IKP_L", "全ての親", [ANKLE[0], 0.0, ANKLE[2]]).to("左足ＩＫ"),
    moves("左足ＩＫ", "leg IK_L", "左足IK親", ANKLE).by([0.0, 0.0, 1.3]).pulls(
        "左足首",
        40,
        2.0,
        &[("左ひざ", true), ("左足", false)],
    ),
    moves("左つま先ＩＫ", "toe IK_L", "左足ＩＫ", TOE).by([0.0, -0.6, 0.0]).pulls(
        "左つま先",
        15,
        HALF_TURN_AND_MORE,
        &[("左足首", false)],
    ),
    turns("左足D", "legD_L", "腰キャンセル左", HIP).to("左ひざD").follows("左足", 1.0).level(2),
    turns("左ひざD", "kneeD_L", "左足D", KNEE).to("左足首D").follows("左ひざ", 1.0).level(2),
    turns("左足首D", "ankleD_L", "左ひざD", ANKLE).to("左足先EX").follows("左足首", 1.0).level(2),
    turns("左足先EX", "toe2_L", "左足首D", BALL).by([0.02, -0.08, -0.73]).level(2),
];
