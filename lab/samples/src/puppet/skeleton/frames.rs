//! The groups in which editors show bones and morphs.

use super::{Skeleton, name};
use dopesheet_mmd::pmx::{DisplayFrame, Encoding, FrameElement, Index, Text};

/// Name, name in English, bones; those on a side are of the left one.
type Group = (&'static str, &'static str, &'static [&'static str]);

const GROUPS: [Group; 7] = [
    ("センター", "center", &["操作中心", "センター", "グルーブ", "腰"]),
    ("体(上)", "upper body", &["上半身", "上半身2", "首", "頭", "両目", "左目"]),
    ("腕", "arms", &["左肩P", "左肩", "左腕", "左腕捩", "左ひじ", "左手捩", "左手首", "左ダミー"]),
    (
        "指",
        "fingers",
        &[
            "左親指０",
            "左親指１",
            "左親指２",
            "左人指１",
            "左人指２",
            "左人指３",
            "左中指１",
            "左中指２",
            "左中指３",
            "左薬指１",
            "左薬指２",
            "左薬指３",
            "左小指１",
            "左小指２",
            "左小指３",
        ],
    ),
    ("体(下)", "lower body", &["下半身"]),
    ("足", "legs", &["左足", "左ひざ", "左足首", "左足D", "左ひざD", "左足首D", "左足先EX"]),
    ("ＩＫ", "IK", &["左足IK親", "左足ＩＫ", "左つま先ＩＫ"]),
];

/// All of them, with the two that every model has in front.
pub(in crate::puppet) fn frames(skeleton: &Skeleton, morphs: usize) -> Vec<DisplayFrame> {
    let root = vec![FrameElement::Bone(skeleton.index("全ての親"))];
    let faces = (0..morphs).map(|morph| FrameElement::Morph(Index::of(morph))).collect();
    let mut frames = vec![frame("Root", "Root", 1, root), frame("表情", "Exp", 1, faces)];
    for (japanese, english, bones) in GROUPS {
        let elements = |mirrored: bool| {
            let on_this = bones.iter().filter(move |bone| !mirrored || bone.contains('左'));
            on_this.map(move |bone| FrameElement::Bone(skeleton.index(&name(bone, mirrored))))
        };
        frames.push(frame(japanese, english, 0, elements(false).chain(elements(true)).collect()));
    }
    frames
}

fn frame(japanese: &str, english: &str, special: u8, elements: Vec<FrameElement>) -> DisplayFrame {
    let [name, english_name] = [japanese, english].map(|text| Text::new(text, Encoding::Utf16));
    DisplayFrame { name, english_name, special, elements }
}
