//! The table of bones of a motion and of the figure that takes it, as it is looked at and mended.
#![cfg(all(feature = "mmd", feature = "gltf", feature = "bvh"))]

use dopesheet::bone_table::{BonePairs, BoneTable, Certainty};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::HumanBone as B;
use dopesheet::vocabularies::Vocabularies;
use dopesheet::{ConvertOptions, Opened, ReadOptions, convert, open, registry};
use dopesheet_testkit::workspace;

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn read(name: &str, text: &str) -> Opened {
    dopesheet::read(name, text.as_bytes(), &ReadOptions::default(), &mut |_| None).unwrap()
}

fn jump(change: impl Fn(&str) -> String) -> Opened {
    read("jump.bvh", &change(&std::fs::read_to_string(workspace().join("samples/jump.bvh")).unwrap()))
}

/// The text of a motion whose upper arms have each other's names.
fn crossed(text: &str) -> String {
    text.replace(" LeftArm\n", " ?\n").replace(" RightArm\n", " LeftArm\n").replace(" ?\n", " RightArm\n")
}

fn cells(table: &BoneTable, bone: B) -> [(Option<&str>, Certainty); 2] {
    let row = table.rows.iter().find(|row| row.bone == bone).unwrap();
    row.cells.each_ref().map(|cell| (cell.node.as_deref(), cell.certainty))
}

fn map(pairs: &[(String, B)]) -> NameMap {
    NameMap::new(pairs.iter().map(|(node, bone)| (node.clone(), bone.word().to_owned())))
}

#[test]
fn a_table_has_the_nodes_that_a_conversion_takes_with_their_certainty() {
    let pairs = BonePairs::of(&sample("jump.bvh"), None, &sample("avatar.vrm")).unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default());
    assert_eq!(
        cells(&table, B::LeftUpperArm),
        [(Some("LeftArm"), Certainty::Certain), (Some("J_Bip_L_UpperArm"), Certainty::Certain)]
    );
    assert!(
        pairs.nodes(0).any(|node| node == "LeftForeArm") && pairs.nodes(1).any(|node| node == "J_Bip_C_Hips")
    );
}

#[test]
fn choosing_a_node_exchanges_two_bones_and_the_conversion_takes_both() {
    let (motion, figure) = (jump(crossed), sample("avatar.vrm"));
    let pairs = BonePairs::of(&motion, None, &figure).unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default());
    assert_eq!(cells(&table, B::LeftUpperArm)[0].0, Some("LeftArm"));
    let chosen = table.choose(0, B::LeftUpperArm, "RightArm");
    assert_eq!(chosen, [("RightArm".to_owned(), B::LeftUpperArm), ("LeftArm".to_owned(), B::RightUpperArm)]);
    let mended = pairs.table(&map(&chosen), Vocabularies::default());
    assert_eq!(cells(&mended, B::LeftUpperArm)[0], (Some("RightArm"), Certainty::Chosen));
    assert_eq!(cells(&mended, B::RightUpperArm)[0], (Some("LeftArm"), Certainty::Chosen));
    let onto = |motion: &Opened, names: NameMap| {
        let options = ConvertOptions {
            onto: Some(&figure),
            names,
            ..ConvertOptions::to(registry::by_id("glb").unwrap())
        };
        let verdict =
            convert(std::slice::from_ref(motion), &options).unwrap().report.report.verdicts.remove(0);
        (verdict.off.len(), verdict.to_string())
    };
    let [(crossed_off, _), (mended_off, mended), (right_off, right)] = [
        onto(&motion, NameMap::default()),
        onto(&motion, map(&chosen)),
        onto(&sample("jump.bvh"), NameMap::default()),
    ];
    assert!(crossed_off > mended_off && mended_off == right_off, "{crossed_off} {mended_off} {right_off}");
    assert_eq!(mended, right);
}

#[test]
fn a_motion_that_is_no_human_has_a_table_that_says_what_is_missing() {
    let pairs = BonePairs::of(&sample("door.json"), None, &sample("avatar.vrm")).unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default());
    let missing = table.rows.iter().filter(|row| row.bone.is_required());
    assert!(
        missing.clone().count() >= 15
            && missing.clone().all(|row| row.cells[0].certainty == Certainty::Missing)
    );
    let [motion, figure] = cells(&table, B::Hips);
    assert_eq!((motion.0, figure.0), (None, Some("J_Bip_C_Hips")));
}

#[test]
fn a_motion_of_mikumikudance_without_a_model_has_the_bones_of_the_puppet() {
    let pairs = BonePairs::of(&sample("walk.vmd"), None, &sample("avatar.vrm")).unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default());
    assert_eq!(cells(&table, B::LeftUpperLeg)[0].0, Some("左足"));
    assert!(table.rows.iter().all(|row| row.cells[0].certainty != Certainty::Missing));
}

#[test]
fn bones_that_only_the_shape_tells_are_guesses_until_they_are_taken() {
    // With names that nobody knows, only the shape tells which bones its nodes are.
    let mut count = 0;
    let mut unnamed = |text: &str| {
        let lines = text.lines().map(|line| match line.trim_start().split_once(' ') {
            Some((word @ ("ROOT" | "JOINT"), _)) => {
                count += 1;
                format!("{word} n{count}")
            }
            _ => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let text = std::fs::read_to_string(workspace().join("samples/jump.bvh")).unwrap();
    let motion = read("unnamed.bvh", &unnamed(&text));
    let pairs = BonePairs::of(&motion, None, &sample("avatar.vrm")).unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default());
    let shaped = [Certainty::Certain, Certainty::Likely, Certainty::Guessed];
    assert!(shaped.contains(&cells(&table, B::Hips)[0].1), "{:?}", cells(&table, B::Hips));
    let guesses: Vec<_> = table.guesses().map(|(node, bone)| (node.to_owned(), bone)).collect();
    let taken = pairs.table(&map(&guesses), Vocabularies::default());
    assert_eq!(taken.guesses().count(), 0);
}
