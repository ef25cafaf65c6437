//! Skeletons that are none of a human, with names that riggers give them and with names that tell nothing: refused, and nothing is written.

use crate::common::Folder;
use dopesheet_testkit::{corpus, files, workspace};
use std::fmt::Write as _;

type Offset = [f64; 3];

/// A skeleton under construction: names, parents and offsets in centimetres.
#[derive(Default)]
struct Rig(Vec<(String, Option<usize>, Offset)>);

impl Rig {
    fn root(name: &str, at: Offset) -> Self {
        Self(vec![(name.to_owned(), None, at)])
    }

    /// Joints each below the one before; the last of them.
    fn chain(&mut self, mut parent: usize, names: &str, offsets: &[Offset]) -> usize {
        let names: Vec<&str> = names.split(' ').collect();
        for (index, offset) in offsets.iter().enumerate() {
            let name =
                names.get(index).map_or_else(|| format!("{}{index}", names[0]), |name| (*name).to_owned());
            self.0.push((name, Some(parent), *offset));
            parent = self.0.len() - 1;
        }
        parent
    }

    /// A chain on the left and one on the right.
    fn pair(&mut self, parent: usize, names: &str, offsets: &[Offset]) {
        for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
            let names: Vec<String> = names.split(' ').map(|name| format!("{side}{name}")).collect();
            let mirrored: Vec<Offset> = offsets.iter().map(|[x, y, z]| [sign * x, *y, *z]).collect();
            self.chain(parent, &names.join(" "), &mirrored);
        }
    }

    /// As BVH, in which everything turns a little; names tell nothing if that is wanted.
    fn bvh(&self, is_named: bool) -> String {
        let mut text = String::from("HIERARCHY\n");
        self.joint(0, is_named, &mut text);
        let row = |turn: &str| format!("0 0 0 {}\n", vec![turn; 3 * self.0.len()].join(" "));
        text + "MOTION\nFrames: 2\nFrame Time: 0.033333333\n" + &row("0") + &row("4")
    }

    fn joint(&self, index: usize, is_named: bool, text: &mut String) {
        let (name, parent, [x, y, z]) = &self.0[index];
        let word = if parent.is_some() { "JOINT" } else { "ROOT" };
        let name = if is_named { name.clone() } else { format!("n{index}") };
        let channels = if parent.is_some() { "3" } else { "6 Xposition Yposition Zposition" };
        write!(
            text,
            "{word} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {channels} Zrotation Xrotation Yrotation\n"
        )
        .unwrap();
        let below: Vec<usize> = (0..self.0.len()).filter(|other| self.0[*other].1 == Some(index)).collect();
        below.iter().for_each(|other| self.joint(*other, is_named, text));
        text.push_str(if below.is_empty() { "End Site\n{\nOFFSET 0 0 5\n}\n}\n" } else { "}\n" });
    }
}

/// The same offset so many times.
fn times(count: usize, offset: Offset) -> Vec<Offset> {
    vec![offset; count]
}

/// An animal on four legs with the names of a human's limbs, and so many joints in its neck and its tail.
fn four_legs(leg: f64, trunk: f64, neck: usize, tail: usize) -> Rig {
    let mut rig = Rig::root("Hips", [0.0, leg, 0.0]);
    let half = leg / 2.0;
    let chest = rig.chain(0, "Spine Spine1", &times(2, [0.0, 0.0, trunk / 2.0]));
    let neck = rig.chain(chest, "Neck", &times(neck, [0.0, leg / 4.0, leg / 4.0]));
    rig.chain(neck, "Head", &[[0.0, 0.0, leg / 4.0]]);
    let limb =
        [[leg / 6.0, 0.0, 0.0], [0.0, -half, leg / 10.0], [0.0, -half, -leg / 10.0], [0.0, 0.0, leg / 8.0]];
    rig.pair(0, "UpLeg Leg Foot ToeBase", &limb);
    rig.pair(chest, "Arm ForeArm Hand HandMiddle1", &limb);
    rig.chain(0, "Tail", &times(tail, [0.0, 0.0, -leg / 4.0]));
    rig
}

/// A body with so many legs on each side, and pincers.
fn many_legs(legs: usize, pincers: &str) -> Rig {
    let mut rig = Rig::root("Body", [0.0, 20.0, 0.0]);
    for leg in 0..legs {
        let z = 6.0 * (leg as f64 - legs as f64 / 2.0);
        rig.pair(
            0,
            &format!("Coxa{leg} Femur{leg} Tibia{leg}"),
            &[[8.0, 0.0, z], [15.0, 8.0, z], [12.0, -25.0, z]],
        );
    }
    if !pincers.is_empty() {
        rig.pair(0, pincers, &[[5.0, 0.0, 20.0], [10.0, 5.0, 15.0], [0.0, 0.0, 12.0]]);
    }
    rig
}

/// One chain.
fn line(name: &str, count: usize, offset: Offset) -> Rig {
    let mut rig = Rig::root(&format!("{name}Root"), [0.0, 50.0, 0.0]);
    rig.chain(0, name, &times(count, offset));
    rig
}

/// Chains around a stem, as petals and tentacles are.
fn around(name: &str, stem: usize, count: usize, joints: usize) -> Rig {
    let mut rig = Rig::root("Root", [0.0; 3]);
    let top = rig.chain(0, "Stem", &times(stem, [0.0, 20.0, 0.0]));
    for index in 0..count {
        let (sine, cosine) = (std::f64::consts::TAU * index as f64 / count as f64).sin_cos();
        rig.chain(top, &format!("{name}{index}_"), &times(joints, [10.0 * cosine, -2.0, 10.0 * sine]));
    }
    rig
}

fn hand() -> Rig {
    let mut rig = Rig::root("Wrist", [0.0; 3]);
    for (index, finger) in ["Thumb", "Index", "Middle", "Ring", "Pinky"].into_iter().enumerate() {
        let first = [2.0 * (index as f64 - 2.0), if index == 0 { 3.0 } else { 9.0 }, 0.0];
        rig.chain(0, finger, &[first, [0.0, 4.0, 0.0], [0.0, 3.0, 0.0]]);
    }
    rig
}

fn robot_arm() -> Rig {
    let mut rig = Rig::root("Base", [0.0; 3]);
    let wrist = rig.chain(
        0,
        "Shoulder UpperArm ForeArm Wrist",
        &[[0.0, 30.0, 0.0], [0.0, 60.0, 0.0], [0.0, 0.0, 50.0], [0.0, 0.0, 20.0]],
    );
    rig.pair(wrist, "Grip GripTip", &[[4.0, 0.0, 5.0], [0.0, 0.0, 8.0]]);
    rig
}

fn tree() -> Rig {
    let mut rig = Rig::root("Trunk", [0.0; 3]);
    let crown = rig.chain(0, "Trunk", &times(3, [0.0, 100.0, 0.0]));
    rig.pair(crown, "Branch Twig Leaf", &[[60.0, 50.0, 0.0], [40.0, 30.0, 10.0], [20.0, 10.0, 0.0]]);
    rig.pair(
        crown - 1,
        "LowBranch LowTwig LowLeaf",
        &[[80.0, 30.0, 20.0], [50.0, 10.0, 0.0], [20.0, 0.0, 0.0]],
    );
    rig
}

fn fish() -> Rig {
    let mut rig = Rig::root("Body", [0.0, 50.0, 0.0]);
    rig.chain(0, "Head Jaw", &[[0.0, 0.0, 10.0], [0.0, -2.0, 6.0]]);
    rig.chain(0, "Tail", &times(6, [0.0, 0.0, -8.0]));
    rig.pair(0, "PectoralFin FinTip", &[[4.0, -2.0, 4.0], [8.0, -3.0, -2.0]]);
    rig.chain(0, "DorsalFin", &[[0.0, 6.0, 0.0]]);
    rig
}

fn bird() -> Rig {
    let mut rig = Rig::root("Pelvis", [0.0, 25.0, 0.0]);
    let chest = rig.chain(0, "Spine Chest", &[[0.0, 2.0, 6.0], [0.0, 2.0, 6.0]]);
    rig.chain(chest, "Neck Neck1 Neck2 Head Beak", &times(5, [0.0, 4.0, 3.0]));
    rig.pair(
        0,
        "Thigh Shin Tarsus Toe",
        &[[3.0, -2.0, 0.0], [0.0, -8.0, 4.0], [0.0, -8.0, -6.0], [0.0, -6.0, 4.0]],
    );
    rig.pair(
        chest,
        "Wing Wing1 Wing2 Feather",
        &[[4.0, 2.0, 0.0], [12.0, 2.0, -2.0], [14.0, 0.0, -4.0], [16.0, 0.0, -6.0]],
    );
    rig.chain(0, "Tail", &times(2, [0.0, 0.0, -6.0]));
    rig
}

fn dragon() -> Rig {
    let mut rig = four_legs(80.0, 160.0, 5, 8);
    let chest = rig.0.iter().position(|(name, ..)| name == "Spine1").unwrap();
    rig.pair(
        chest,
        "Wing Wing1 Wing2 WingTip",
        &[[10.0, 20.0, 0.0], [60.0, 20.0, 0.0], [60.0, 0.0, -20.0], [50.0, 0.0, -20.0]],
    );
    rig
}

fn elephant() -> Rig {
    let mut rig = four_legs(180.0, 200.0, 1, 4);
    let head = rig.0.iter().position(|(name, ..)| name == "Head").unwrap();
    rig.chain(head, "Trunk", &times(7, [0.0, -20.0, 6.0]));
    rig
}

fn chair() -> Rig {
    let mut rig = Rig::root("Seat", [0.0, 45.0, 0.0]);
    rig.chain(0, "Back BackTop", &[[0.0, 10.0, -20.0], [0.0, 40.0, 0.0]]);
    rig.pair(0, "FrontLeg FrontFoot", &[[20.0, 0.0, 20.0], [0.0, -45.0, 0.0]]);
    rig.pair(0, "BackLeg BackFoot", &[[20.0, 0.0, -20.0], [0.0, -45.0, 0.0]]);
    rig
}

fn skeletons() -> Vec<(&'static str, Rig)> {
    vec![
        ("fox", four_legs(40.0, 50.0, 1, 4)),
        ("horse", four_legs(110.0, 120.0, 3, 3)),
        ("elephant", elephant()),
        ("dragon", dragon()),
        ("lizard", many_legs(2, "")),
        ("spider", many_legs(4, "")),
        ("crab", many_legs(4, "Claw ClawLower ClawTip")),
        ("scorpion", many_legs(4, "Pincer PincerLower PincerTip")),
        ("snake", line("Spine", 30, [0.0, 0.0, -8.0])),
        ("worm", line("Segment", 12, [0.0, 0.0, -2.0])),
        ("rope", line("Rope", 50, [0.0, -4.0, 0.0])),
        ("lamp", line("Arm", 4, [0.0, 30.0, 10.0])),
        ("octopus", around("Tentacle", 1, 8, 8)),
        ("flower", around("Petal", 5, 6, 2)),
        ("hand", hand()),
        ("robot-arm", robot_arm()),
        ("tree", tree()),
        ("fish", fish()),
        ("bird", bird()),
        ("chair", chair()),
    ]
}

/// A conversion is refused with what is missing or doubtful, and writes nothing.
fn assert_refused(folder: &Folder, name: &str, arguments: &[&str]) {
    let ran = folder.run(&[&["convert", name], arguments].concat());
    let what = format!("{name} {arguments:?}: {}", ran.err);
    assert_eq!(ran.code, Some(1), "{what}");
    assert!(ran.err.contains("--map") && ran.err.contains("found"), "{what}");
    assert!(!folder.path("out.vrma").exists() && !folder.path("out.glb").exists(), "{what}");
}

#[test]
fn twenty_skeletons_of_no_human_are_refused_whatever_their_names_say() {
    let folder = Folder::new();
    folder.put("character.glb", &std::fs::read(workspace().join("samples/character.glb")).unwrap());
    let all = skeletons();
    assert_eq!(all.len(), 20);
    for (name, rig) in all {
        for is_named in [true, false] {
            let file = format!("{name}{}.bvh", if is_named { "" } else { "-nameless" });
            folder.put(&file, rig.bvh(is_named).as_bytes());
            assert_refused(&folder, &file, &["-o", "out.vrma"]);
            assert_refused(&folder, &file, &["--onto", "character.glb", "-o", "out.glb"]);
        }
    }
}

/// A human figure, whose legs are left out or on the wrong side if that is wanted.
fn human(legs: Option<f64>) -> Rig {
    let mut rig = Rig::root("Hips", [0.0, 95.0, 0.0]);
    let chest = rig.chain(0, "Spine Spine1", &[[0.0, 12.0, 0.0], [0.0, 15.0, 0.0]]);
    rig.chain(chest, "Neck Head", &[[0.0, 22.0, 0.0], [0.0, 10.0, 2.0]]);
    rig.pair(chest, "Arm ForeArm Hand", &[[17.0, 18.0, 0.0], [28.0, 0.0, 0.0], [25.0, 0.0, 0.0]]);
    if let Some(side) = legs {
        let leg = [[9.0 * side, -4.0, 0.0], [0.0, -42.0, 1.0], [0.0, -41.0, -2.0], [0.0, -6.0, 13.0]];
        rig.pair(0, "UpLeg Leg Foot ToeBase", &leg);
    }
    rig
}

#[test]
fn figures_without_legs_or_with_sides_exchanged_are_refused_with_the_bones_at_fault() {
    let folder = Folder::new();
    folder.put("character.glb", &std::fs::read(workspace().join("samples/character.glb")).unwrap());
    folder.put("whole.bvh", human(Some(1.0)).bvh(true).as_bytes());
    let ran = folder.run(&["convert", "whole.bvh", "-o", "whole.vrma"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for (name, legs, at_fault) in
        [("legless.bvh", None, "leftUpperLeg"), ("crossed.bvh", Some(-1.0), "is on the right side")]
    {
        folder.put(name, human(legs).bvh(true).as_bytes());
        for arguments in [&["-o", "out.vrma"][..], &["--onto", "character.glb", "-o", "out.glb"]] {
            assert_refused(&folder, name, arguments);
            let ran = folder.run(&[&["convert", name], arguments].concat());
            assert!(ran.err.contains(at_fault), "{name} {arguments:?}: {}", ran.err);
        }
    }
}

#[test]
fn animals_of_the_corpus_are_refused_as_sources_and_as_targets() {
    let Some(nonhuman) = corpus("wild/nonhuman") else { return };
    let folder = Folder::new();
    folder.put("jump.bvh", &std::fs::read(workspace().join("samples/jump.bvh")).unwrap());
    folder.put("character.glb", &std::fs::read(workspace().join("samples/character.glb")).unwrap());
    for path in files(&nonhuman, &["glb"], 2) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        folder.put(&name, &std::fs::read(&path).unwrap());
        assert_refused(&folder, &name, &["-o", "out.vrma"]);
        assert_refused(&folder, &name, &["--onto", "character.glb", "-o", "out.glb"]);
        assert_refused(&folder, "jump.bvh", &["--onto", &name, "-o", "out.glb"]);
    }
}
