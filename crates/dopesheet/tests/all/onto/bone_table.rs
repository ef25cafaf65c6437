//! The table of bones of a motion and of the figure that takes it, as it is looked at and mended.
#![cfg(all(feature = "mmd", feature = "gltf", feature = "bvh"))]

use dopesheet::bone_table::{BonePairs, BoneTable, Certainty};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::HumanBone as B;
use dopesheet::persons::Persons;
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
    let table = pairs.table(&NameMap::default(), Vocabularies::default(), Persons::default());
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
    let table = pairs.table(&NameMap::default(), Vocabularies::default(), Persons::default());
    assert_eq!(cells(&table, B::LeftUpperArm)[0].0, Some("LeftArm"));
    let chosen = table.choose(0, B::LeftUpperArm, "RightArm");
    assert_eq!(chosen, [("RightArm".to_owned(), B::LeftUpperArm), ("LeftArm".to_owned(), B::RightUpperArm)]);
    let mended = pairs.table(&map(&chosen), Vocabularies::default(), Persons::default());
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
        (verdict.complaints().len(), verdict.to_string())
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
fn names_that_both_files_have_are_mended_in_the_motion_alone() {
    let (motion, figure) = (jump(crossed), sample("jump.bvh"));
    let pairs = BonePairs::of(&motion, None, &figure).unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default(), Persons::default());
    let names = map(&table.choose(0, B::LeftUpperArm, "RightArm")).with_figure(NameMap::default());
    let mended = pairs.table(&names, Vocabularies::default(), Persons::default());
    assert_eq!(
        cells(&mended, B::LeftUpperArm),
        [(Some("RightArm"), Certainty::Chosen), (Some("LeftArm"), Certainty::Certain)]
    );
    let onto = |motion: &Opened, names: NameMap| {
        let options = ConvertOptions {
            onto: Some(&figure),
            names,
            ..ConvertOptions::to(registry::by_id("glb").unwrap())
        };
        convert(std::slice::from_ref(motion), &options).unwrap().output.main
    };
    assert!(onto(&motion, names) == onto(&sample("jump.bvh"), NameMap::default()));
}

#[test]
fn a_motion_that_is_no_human_has_a_table_that_says_what_is_missing() {
    let pairs = BonePairs::of(&sample("door.json"), None, &sample("avatar.vrm")).unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default(), Persons::default());
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
    let table = pairs.table(&NameMap::default(), Vocabularies::default(), Persons::default());
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
    let table = pairs.table(&NameMap::default(), Vocabularies::default(), Persons::default());
    let shaped = [Certainty::Certain, Certainty::Likely, Certainty::Guessed];
    assert!(shaped.contains(&cells(&table, B::Hips)[0].1), "{:?}", cells(&table, B::Hips));
    let guesses: Vec<_> = table.guesses(0).map(|(node, bone)| (node.to_owned(), bone)).collect();
    let taken = pairs.table(&map(&guesses), Vocabularies::default(), Persons::default());
    assert_eq!(taken.guesses(0).count(), 0);
}

/// A motion of two figures a metre apart, the second with a prefix, backwards.
fn two() -> Opened {
    jump(|text| {
        let (head, motion) = text.split_once("MOTION").unwrap();
        let (intro, root) = head.split_once("ROOT ").unwrap();
        let second = root.replace("JOINT ", "JOINT second:");
        let (counts, rows) = motion.split_at(motion.match_indices('\n').nth(2).unwrap().0);
        let rows: Vec<&str> = rows.trim().lines().collect();
        let both = rows.iter().zip(rows.iter().rev()).map(|(a, b)| format!("{a} {b}\n")).collect::<String>();
        format!("{intro}ROOT {root}ROOT second:{second}MOTION{counts}\n{both}")
    })
}

#[test]
fn of_two_figures_in_a_file_the_second_is_taken_if_the_options_say_so() {
    let (motion, figure) = (two(), sample("avatar.vrm"));
    let pairs = BonePairs::of(&motion, None, &figure).unwrap();
    assert_eq!(pairs.persons(0), ["Hips", "second:Hips"]);
    let second = Persons::parse("2").unwrap();
    let table = pairs.table(&NameMap::default(), Vocabularies::default(), second);
    assert_eq!(cells(&table, B::LeftHand)[0].0, Some("second:LeftHand"));
    let onto = |motion: &Opened, persons: Option<Persons>| {
        let options = ConvertOptions {
            onto: Some(&figure),
            persons,
            ..ConvertOptions::to(registry::by_id("glb").unwrap())
        };
        convert(std::slice::from_ref(motion), &options)
    };
    let of_one = onto(&sample("jump.bvh"), None).unwrap();
    let [of_first, of_second] = [None, Some(second)].map(|persons| onto(&motion, persons).unwrap());
    assert!(of_first.output.main == of_one.output.main && of_second.output.main != of_one.output.main);
    let told = |made: &dopesheet::Conversion| {
        made.report.report.findings.iter().any(|finding| finding.fault.code == "several-persons")
    };
    assert!(told(&of_first) && !told(&of_second) && !told(&of_one));
    let error = onto(&motion, Persons::parse("3").ok()).unwrap_err().to_string();
    assert!(error.contains("expected at least 3 human figures in the motion, found 2"), "{error}");
}

#[test]
fn info_tells_the_bones_of_the_second_figure_on_either_side() {
    use dopesheet::info::{OntoInfo, info_by};
    let (two, names) = (two(), NameMap::default());
    let bones = |person| info_by(&two, None, &names, None, person).unwrap().humanoid.unwrap();
    let of_figure = |person| OntoInfo::of(&two, &names, None, person).unwrap().humanoid;
    for (person, hips) in [(0, "Hips"), (1, "second:Hips")] {
        assert_eq!(bones(person).node(B::Hips), Some(hips));
        assert_eq!(of_figure(person).node(B::Hips), Some(hips));
    }
    let error = info_by(&two, None, &names, None, 2).unwrap_err().to_string();
    assert!(error.contains("expected at least 3 human figures in") && error.contains("found 2"), "{error}");
}
