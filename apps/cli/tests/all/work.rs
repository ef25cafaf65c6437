//! The work of each verb grows with its input, not with its square, and that of a conversion without new keys is not in measuring:
//! instructions are counted, which other programs on the machine do not change.

use crate::common::Folder;
use std::fmt::Write as _;
use std::process::Command;

/// Inputs of these sizes are compared.
const SIZES: [usize; 3] = [60, 120, 240];

/// Most growth of the work from the second step between [`SIZES`] to the third beside that from the first to the second: 2 is in
/// proportion, 4 is the square.
const MOST: f64 = 2.6;

/// Most instructions of a capture that keeps its frames beside those of the same one with a key on every frame.
const MOST_BESIDE_BAKE: f64 = 1.3;

/// Most instructions of a capture with damaged angles beside those of a sound one.
const MOST_BESIDE_SOUND: f64 = 25.0;

/// A skeleton that is one chain of joints, which turn in two frames.
fn chain(joints: usize) -> String {
    let mut out = "HIERARCHY\n".to_owned();
    for index in 0..joints {
        let word = if index == 0 { "ROOT" } else { "JOINT" };
        let _ = writeln!(out, "{word} j{index}\n{{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation");
    }
    out += "End Site\n{\nOFFSET 0 1 0\n}\n";
    out += &"}\n".repeat(joints);
    out += "MOTION\nFrames: 2\nFrame Time: 0.0333333\n";
    for frame in 0..2 {
        for column in 0..3 * joints {
            let _ = write!(out, "{} ", (frame * 7 + column) % 90);
        }
        out.push('\n');
    }
    out
}

/// Nodes side by side, each pair with one name, that turn in a second.
fn row(nodes: usize) -> String {
    let node = |index: usize| {
        let (name, turn) = (index / 2, index % 90);
        format!(
            r#"{{"name":"n{name}","defaults":{{"s":[1,1,1]}},"keys":[{{"t":0,"p":[0,0,0],"r":[0,0,0]}},{{"t":1,"p":[0,{index},0],"r":[0,{turn},0]}}]}}"#
        )
    };
    let nodes: Vec<String> = (0..nodes).map(node).collect();
    format!(r#"{{"animation":{{"version":4,"name":"row","duration":1,"nodes":[{}]}}}}"#, nodes.join(","))
}

/// Number of instructions of a run, by valgrind.
fn instructions(folder: &Folder, arguments: &[&str]) -> f64 {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", env!("CARGO_BIN_EXE_dopesheet")]);
    command.args(arguments).current_dir(folder.path("")).env("RAYON_NUM_THREADS", "1");
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "{arguments:?}: {said}");
    let counted = said.lines().find_map(|line| line.split_once("Collected : "));
    counted.unwrap_or_else(|| panic!("{said}")).1.trim().parse().unwrap()
}

/// True, with a note, if instructions cannot be counted here.
fn cannot_count() -> bool {
    let is_missing = Command::new("valgrind").arg("--version").output().is_err();
    if is_missing {
        dopesheet_testkit::note_skip("valgrind, which counts instructions, is not there");
    }
    is_missing
}

fn assert_in_proportion(extension: &str, make: fn(usize) -> String, verbs: &[&str]) {
    if cannot_count() {
        return;
    }
    let folder = Folder::new();
    for verb in verbs {
        let counts = SIZES.map(|size| {
            let name = format!("in.{extension}");
            folder.put(&name, make(size).as_bytes());
            let arguments: Vec<String> = verb.split(' ').map(|word| word.replace('@', &name)).collect();
            instructions(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
        });
        let growth = (counts[2] - counts[1]) / (counts[1] - counts[0]);
        assert!(growth < MOST, "{verb}: {counts:?} instructions for {SIZES:?}");
    }
}

#[test]
#[ignore = "costly"]
fn a_skeleton_twice_as_deep_takes_twice_the_work() {
    let verbs = [
        "info @",
        "check @",
        "sample @ --times 0,0.03",
        "plot @ -o p.svg --force",
        "convert @ -t bvh -o out --force -j 1",
    ];
    assert_in_proportion("bvh", chain, &verbs);
}

#[test]
#[ignore = "costly"]
fn twice_as_many_nodes_take_twice_the_work() {
    let verbs = [
        "info @",
        "check @",
        "sample @ --times 0,0.5",
        "diff @ @",
        "plot @ -o p.svg --force",
        "convert @ -t glb -o out --force -j 1",
        "convert @ -t playcanvas -o out --force -j 1",
    ];
    assert_in_proportion("json", row, &verbs);
}

/// A capture of 31 joints at 120 frames a second. The angle about one axis of the joint `spun`, if any, goes on beyond a turn.
fn capture(frames: usize, spun: Option<usize>) -> String {
    let mut out = chain(31);
    let start = out.find("MOTION").unwrap();
    out.truncate(start);
    let _ = writeln!(out, "MOTION\nFrames: {frames}\nFrame Time: 0.0083333");
    for frame in 0..frames {
        for joint in 0..31 {
            let time = frame as f64 / 120.0;
            let turn = if spun == Some(joint) { 720.0 * time } else { 0.0 };
            let [a, b, c] = [1.3, 2.1, 4.3].map(|speed| 20.0 * (speed * time + joint as f64).sin());
            let _ = write!(out, "{:.4} {b:.4} {c:.4} ", a + turn);
        }
        out.push('\n');
    }
    out
}

#[test]
#[ignore = "costly"]
fn a_capture_that_keeps_its_frames_costs_little_more_than_its_own_bake() {
    if cannot_count() {
        return;
    }
    let folder = Folder::new();
    for spun in [None, Some(7)] {
        // What more frames cost: a closer look at the farthest joints costs the same for any number.
        let more = |options: &[&str]| {
            let [few, many] = [120, 240].map(|frames| {
                folder.put("in.bvh", capture(frames, spun).as_bytes());
                instructions(&folder, &[&["convert", "in.bvh", "-o", "out.glb", "--force"], options].concat())
            });
            many - few
        };
        let (kept, baked) = (more(&[]), more(&["--bake", "120"]));
        assert!(kept < MOST_BESIDE_BAKE * baked, "{spun:?}: {kept} instructions, {baked} with --bake");
    }
}

#[test]
#[ignore = "costly"]
fn a_search_ends_where_no_keys_follow_damaged_angles() {
    if cannot_count() {
        return;
    }
    let folder = Folder::new();
    let sound = capture(60, None);
    let mut damaged: Vec<String> = sound.lines().map(str::to_owned).collect();
    for (angle, frame, column) in [("1e9", 20, 10), ("1e38", 25, 40), ("1e30", 30, 4)] {
        let first = damaged.len() - 60;
        let row = &mut damaged[first + frame];
        let mut angles: Vec<&str> = row.split_whitespace().collect();
        angles[column] = angle;
        *row = angles.join(" ");
    }
    folder.put("sound.bvh", sound.as_bytes());
    folder.put("damaged.bvh", damaged.join("\n").as_bytes());
    for options in
        ["glb", "glb --lossy", "playcanvas --lossy", "unity-anim --lossy", "glb@meshopt,rot16 --lossy"]
    {
        let line = |name| format!("convert {name} -o out --force -t {options}");
        let count = |line: &str| instructions(&folder, &line.split(' ').collect::<Vec<_>>());
        let counts = ["sound.bvh", "damaged.bvh"].map(|name| count(&line(name)));
        assert!(counts[1] < MOST_BESIDE_SOUND * counts[0], "{options}: {counts:?}");
    }
}
