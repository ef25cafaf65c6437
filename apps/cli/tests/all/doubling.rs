//! Twice the tracks, keys, frames or nodes take twice the time and the memory, by every verb that plays a motion and by every operation.
//! Instructions and bytes are counted, by one run of valgrind's massif.

use crate::common::Folder;
use dopesheet::core::bytes::ByteBuilder;
use dopesheet::core::model::Marker;
use dopesheet::core::units::Seconds;
use dopesheet::{ConvertOptions, Opened, ReadOptions, convert, registry};
use std::process::Command;

/// Limits of the growth of instructions and of bytes beyond those of a small file, where the input is twice as large.
struct Limits {
    most: [f64; 2],
    /// Growth below this is that of buffers and of what is done once.
    few: [f64; 2],
}

const LIMITS: Limits = Limits { most: [2.3, 2.2], few: [3e6, 1.5e6] };

/// Of `--lossy`, which may try a few candidates more or less; memory is that of the candidates.
const LOSSY: Limits = Limits { most: [2.4, f64::INFINITY], few: [2e7, 1.5e6] };

/// Verbs that play a motion; `@` is the file.
const VERBS: [&str; 5] = [
    "diff @ @",
    "sample @ --fps 30 -o s.csv --force",
    "sample @ --fps 30 --axes gltf --json",
    "plot @ -o p.svg --force",
    "render @ -o r.png --force --times 0,0.1 --size 16x16",
];

/// Operations that change each track.
const OPERATIONS: [&str; 6] =
    ["trim 0.05:0.15 --snap", "concat @", "shift 0.1 --snap", "retime --speed 0.5", "reverse", "mirror"];

/// Operations that change the keys of a few frames, some tracks, or what is said of them.
const FURTHER: [&str; 17] = [
    "delete 2f:4f",
    "repeat 2",
    "loop --over 4f",
    "keys move 7f:7f 1f",
    "keys insert 9f",
    "keys delete 2f:3f",
    "keys copy 1f:1f 9f",
    "keys scale 6f:7f 2",
    "keys law 1f:4f linear",
    "resample 60",
    "reduce --tolerance 1mm",
    "smooth",
    "rename names",
    "select *_L",
    "drop b0_*",
    "set --model-name puppet",
    "trim 0f:4f",
];

/// Operations whose work grows with the length of a motion.
const LONG: [&str; 6] =
    ["resample 30", "reduce --tolerance 1mm", "smooth", "keys delete 2f:3f", "loop --over 1f", "reverse"];

/// Operations and verbs that look at a skeleton.
const JOINTS: [&str; 4] = ["mirror", "move --by 1m,0,0", "reduce --tolerance 1mm", "smooth"];

/// Changes of markers.
const MARKERS: [&str; 3] = ["markers add 0.05 cue --snap", "markers move m7 0.1 --snap", "markers remove m7"];

/// Stands for the sign between a format and its variant.
const VARIANT: char = '~';

/// Second file of what is put together of two.
const OTHER: &str = "other_@";

/// A VMD with bones of two sides whose names start with a letter, and that have keys so many frames apart.
fn motion(letter: char, bones: usize, keys: usize, apart: usize) -> Vec<u8> {
    let mut out = ByteBuilder::default();
    let padded = |out: &mut ByteBuilder, text: &[u8], length: usize| {
        out.bytes(text).bytes(&vec![0; length - text.len()]);
    };
    padded(&mut out, b"Vocaloid Motion Data 0002", 30);
    padded(&mut out, b"dancer", 20);
    out.u32((bones * keys) as u32);
    let row: Vec<u8> = [20, 60, 100, 107].iter().flat_map(|point| [*point; 4]).collect();
    for bone in 0..bones {
        let name = format!("{letter}{}_{}", bone / 2, ["L", "R"][bone % 2]);
        for key in 0..keys {
            padded(&mut out, name.as_bytes(), 15);
            let [at, half] = [(key + bone) as f32, (key as f32 * 0.7 + bone as f32).sin() * 0.15];
            out.u32((key * apart) as u32).f32s(&[at.sin(), half, 0.0]).f32s(&[
                half.sin(),
                0.0,
                0.0,
                half.cos(),
            ]);
            (0..4).for_each(|shift| padded(&mut out, &row[shift..], 16));
        }
    }
    out.u32(0).u32(0).u32(0).u32(0).u32(0);
    out.finish()
}

/// A BVH with joints in chains of a length below the hips, on twelve frames.
fn skeleton(joints: usize, chain: usize) -> Vec<u8> {
    let mut text = String::from("HIERARCHY\nROOT hips\n{\nOFFSET 0 90 0\n");
    text += "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    for joint in 0..joints {
        let (number, side) = (joint / 2, ["L", "R"][joint % 2]);
        text +=
            &format!("JOINT b{number}_{side}\n{{\nOFFSET 0 3 1\nCHANNELS 3 Zrotation Xrotation Yrotation\n");
        if (joint + 1) % chain == 0 || joint + 1 == joints {
            text += "End Site\n{\nOFFSET 0 1 0\n}\n";
            text += &"}\n".repeat(joint % chain + 1);
        }
    }
    text += "}\nMOTION\nFrames: 12\nFrame Time: 0.0333333\n";
    for frame in 0..12 {
        let row: Vec<String> =
            (0..6 + 3 * joints).map(|at| ((at * 7 + frame * 5) % 11).to_string()).collect();
        text += &format!("{}\n", row.join(" "));
    }
    text.into_bytes()
}

/// A GLB of joints in a chain, all with a key on each frame of a motion that repeats each second: candidates for twice as many
/// frames are the same ones, twice.
fn recording(frames: usize) -> Vec<u8> {
    let skeleton = String::from_utf8(skeleton(3, 3)).unwrap();
    let mut text = skeleton.split("MOTION").next().unwrap().to_owned();
    text += &format!("MOTION\nFrames: {frames}\nFrame Time: 0.0333333\n");
    for frame in 0..frames {
        let turn = (frame % 30) as f64 / 30.0 * std::f64::consts::TAU;
        let angle = |column: usize| {
            let shaken = 0.3 * ((7 * (frame % 30) + 5 * column) % 11) as f64;
            (30.0 * ((1 + column % 4) as f64 * turn + column as f64).sin() + shaken).to_string()
        };
        text += &format!("{}\n", (0..15).map(angle).collect::<Vec<_>>().join(" "));
    }
    let bvh = dopesheet::read("in.bvh", text.as_bytes(), &ReadOptions::default(), &mut |_| None).unwrap();
    convert(&[bvh], &ConvertOptions::to(registry::by_id("glb").unwrap())).unwrap().output.main
}

/// A file of a format with the joints of [`skeleton`], of which every second one moves, the first or the second of two, and with markers.
fn marked(format: &str, moving: usize, joints: usize, markers: usize) -> Vec<u8> {
    let bvh = dopesheet::read("in.bvh", &skeleton(joints, 4), &ReadOptions::default(), &mut |_| None);
    let mut scene = dopesheet::edit::scene(&bvh.unwrap()).unwrap();
    let clip = &mut scene.clips[0];
    clip.tracks = std::mem::take(&mut clip.tracks).into_iter().skip(moving).step_by(2).collect();
    let marker = |at: usize| {
        let time = Seconds(0.36 * at as f64 / markers as f64);
        Marker { time, name: format!("m{at}"), data: None }
    };
    clip.markers = (0..markers).map(marker).collect();
    let input = Opened::from_scene("in", &scene).unwrap();
    convert(&[input], &ConvertOptions::to(registry::by_id(format).unwrap())).unwrap().output.main
}

/// Instructions and largest number of bytes of a run.
fn counted(folder: &Folder, arguments: &[String]) -> [f64; 2] {
    let mut command = Command::new("valgrind");
    command.args(["--tool=massif", "--massif-out-file=massif", "--depth=1", "--threshold=100"]);
    command.arg(env!("CARGO_BIN_EXE_dopesheet")).args(arguments);
    let ran = command.current_dir(folder.path("")).env("RAYON_NUM_THREADS", "1").output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "{arguments:?}: {said}");
    let snapshots = String::from_utf8(folder.get("massif")).unwrap();
    let largest = |word: &str| {
        let values = snapshots.lines().filter_map(|line| line.strip_prefix(word)?.parse::<f64>().ok());
        values.fold(0.0, f64::max)
    };
    [largest("time="), largest("mem_heap_B=")]
}

/// Makes a file of a size.
type Make<'a> = &'a dyn Fn(usize) -> Vec<u8>;

/// Runs on three files of a name, the last of which is twice as large as the one before.
fn assert_doubles(name: &str, make: Make<'_>, sizes: [usize; 3], lines: &[Vec<String>]) {
    assert_both_double(name, [make, &|_| Vec::new()], sizes, lines, &LIMITS);
}

/// As [`assert_doubles`], beside other files as large ([`OTHER`]).
fn assert_both_double(
    name: &str,
    make: [Make<'_>; 2],
    sizes: [usize; 3],
    lines: &[Vec<String>],
    Limits { most, few }: &Limits,
) {
    if Command::new("valgrind").arg("--version").output().is_err() {
        dopesheet_testkit::note_skip("valgrind, which counts instructions, is not there");
        return;
    }
    let folder = Folder::new();
    folder.put("names", b"b0_L = first\n");
    let mut faults = Vec::new();
    let mut small = None;
    let files = sizes.map(|size| make.map(|make| make(size)));
    for line in lines {
        let named = |word: &String| word.replace('@', name).replace(VARIANT, "@");
        let arguments: Vec<String> = line.iter().map(named).collect();
        let on = |[file, other]: &[Vec<u8>; 2]| {
            folder.put(name, file);
            folder.put(&OTHER.replace('@', name), other);
            counted(&folder, &arguments)
        };
        // What any run takes on a file with next to nothing in it.
        let least = *small.get_or_insert_with(|| on(&files[0]));
        let [half, whole] = [on(&files[1]), on(&files[2])];
        let growth = [0, 1].map(|of| (whole[of] - least[of]) / (half[of] - least[of]).max(few[of]));
        if growth[0] > most[0] || growth[1] > most[1] {
            faults.push(format!("{}: {growth:.2?}, {half:?} → {whole:?}", line.join(" ")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Command lines of verbs and of edits.
fn lines(verbs: &[&str], operations: &[&str]) -> Vec<Vec<String>> {
    let verbs = verbs.iter().map(|verb| verb.split(' ').map(str::to_owned).collect());
    let edit = |operation: &&str| {
        ["edit", "@", "-o", "out_@", "--force", "-e", operation].map(str::to_owned).to_vec()
    };
    verbs.chain(operations.iter().map(edit)).collect()
}

#[test]
fn every_operation_is_counted() {
    let lines = [&OPERATIONS[..], &FURTHER, &LONG, &JOINTS, &MARKERS].concat();
    for known in dopesheet::edit::OPERATIONS {
        // It needs a second file.
        let is_merge = known.word == "merge";
        assert!(is_merge || lines.iter().any(|line| line.starts_with(known.word)), "{}", known.word);
    }
}

#[test]
#[ignore = "costly"]
fn twice_as_many_tracks_take_twice_the_time_and_memory() {
    assert_doubles("in.vmd", &|bones| motion('b', bones, 8, 1), [16, 512, 1024], &lines(&VERBS, &OPERATIONS));
    assert_doubles("in.vmd", &|bones| motion('b', bones, 8, 1), [16, 256, 512], &lines(&[], &FURTHER));
}

#[test]
#[ignore = "costly"]
fn twice_as_many_keys_take_twice_the_time_and_memory() {
    assert_doubles("in.vmd", &|keys| motion('b', 8, keys, 1), [16, 1500, 3000], &lines(&VERBS, &LONG));
}

#[test]
#[ignore = "costly"]
fn twice_as_many_frames_take_twice_the_time_and_memory() {
    assert_doubles(
        "in.vmd",
        &|apart| motion('b', 8, 3, apart),
        [16, 1024, 2048],
        &lines(&VERBS[..4], &LONG[..1]),
    );
}

#[test]
#[ignore = "costly"]
fn twice_as_many_joints_take_twice_the_time_and_memory() {
    let more = [&VERBS[..], &["convert @ -o o.glb --force"]].concat();
    let reading = lines(&["check @", "info @"], &[]);
    for chain in [1, 256] {
        assert_doubles("in.bvh", &|joints| skeleton(joints, chain), [16, 4096, 8192], &reading);
    }
    for chain in [4, 64] {
        assert_doubles("in.bvh", &|joints| skeleton(joints, chain), [16, 512, 1024], &lines(&more, &JOINTS));
    }
}

#[test]
#[ignore = "costly"]
fn twice_as_many_joints_in_chains_twice_as_long_take_twice_the_time_and_memory() {
    let lines = lines(&["check @", "info @"], &["reverse"]);
    assert_doubles("in.bvh", &|joints| skeleton(joints, joints / 2), [16, 2048, 4096], &lines);
}

#[test]
#[ignore = "costly"]
fn merging_motions_twice_as_large_takes_twice_the_time_and_memory() {
    let merge = lines(&[], &[&format!("merge {OTHER}")]);
    let bones = |letter| move |bones| motion(letter, bones, 8, 1);
    assert_both_double("in.vmd", [&bones('b'), &bones('c')], [16, 512, 1024], &merge, &LIMITS);
    let keys = |letter| move |keys| motion(letter, 8, keys, 1);
    assert_both_double("in.vmd", [&keys('b'), &keys('c')], [16, 1500, 3000], &merge, &LIMITS);
    let frames = |letter| move |apart| motion(letter, 8, 3, apart);
    assert_both_double("in.vmd", [&frames('b'), &frames('c')], [16, 1024, 2048], &merge, &LIMITS);
    let joints = |moving| move |joints| marked("glb", moving, joints, 16);
    assert_both_double("in.glb", [&joints(0), &joints(1)], [16, 512, 1024], &merge, &LIMITS);
}

#[test]
#[ignore = "costly"]
fn packing_twice_as_many_keys_with_losses_takes_twice_the_time() {
    let targets = [
        "glb",
        "glb~meshopt",
        "glb~meshopt,rot16",
        "glb~khr-meshopt,rot16",
        "more~0x11,quat=3u16",
        "unity-anim",
        "bvh",
    ];
    let line = |target: &str| {
        let line = format!("convert @ -t {target} -o out --lossy --force");
        line.split(' ').map(str::to_owned).collect()
    };
    let packing: Vec<Vec<String>> = targets.map(line).to_vec();
    assert_both_double("in.glb", [&recording, &|_| Vec::new()], [30, 750, 1500], &packing, &LOSSY);
}

#[test]
#[ignore = "costly"]
fn changing_a_marker_of_motions_twice_as_large_takes_twice_the_time_and_memory() {
    let markers = lines(&[], &MARKERS);
    assert_doubles("in.glb", &|joints| marked("glb", 0, joints, 16), [16, 512, 1024], &markers);
    for (name, format) in [("in.glb", "glb"), ("in.ubi", "more")] {
        assert_doubles(name, &|count| marked(format, 0, 16, count), [16, 4096, 8192], &markers);
    }
}
