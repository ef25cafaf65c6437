//! A file of 1,628 bytes may last for hours: every verb and every operation answers soon and in little memory, or refuses with the option
//! that allows more.

use crate::common::Folder;
use crate::hostile::{most_memory, run_limited};
use dopesheet::core::bytes::ByteBuilder;

/// センター, 上半身, 頭, 左腕, 右腕, 左足ＩＫ, 右足ＩＫ.
const BONES: [&[u8]; 7] = [
    b"\x83\x5a\x83\x93\x83\x5e\x81\x5b",
    b"\x8f\xe3\x94\xbc\x90\x67",
    b"\x93\xaa",
    b"\x8d\xb6\x98\x72",
    b"\x89\x45\x98\x72",
    b"\x8d\xb6\x91\xab\x82\x68\x82\x6a",
    b"\x89\x45\x91\xab\x82\x68\x82\x6a",
];

/// A VMD with seven bones, each with a key at the start and one at the end.
fn motion(seconds: u32) -> Vec<u8> {
    let mut out = ByteBuilder::default();
    let padded = |out: &mut ByteBuilder, text: &[u8], length: usize| {
        out.bytes(text).bytes(&vec![0; length - text.len()]);
    };
    padded(&mut out, b"Vocaloid Motion Data 0002", 30);
    padded(&mut out, b"dancer", 20);
    out.u32(14);
    for name in BONES {
        for (frame, at) in [(0, 0.0), (30 * seconds, 1.0)] {
            padded(&mut out, name, 15);
            out.u32(frame).f32s(&[at, 2.0 * at, at]).f32s(&[0.0, 0.1 * at, 0.0, 1.0]);
            let row: Vec<u8> = [20, 60, 100, 107].iter().flat_map(|point| [*point; 4]).collect();
            (0..4).for_each(|shift| padded(&mut out, &row[shift..], 16));
        }
    }
    out.u32(0).u32(0).u32(0).u32(0).u32(0);
    out.finish()
}

/// Verbs with their options; `@` is the file.
const VERBS: [&str; 20] = [
    "info @",
    "check @",
    "info @ -m standard",
    "check @ -m standard",
    "sample @ --fps 30",
    "sample @ --fps 30 --json",
    "sample @ --fps 30 --axes gltf -m standard -o s.csv",
    "sample @ --fps 30 --space model -m standard -o s.npz",
    "diff @ @",
    "diff @ @ -m standard",
    "plot @ -o p.svg",
    "plot @ -o q.svg -m standard",
    "render @ -o r.png --size 16x16",
    "render @ -o r.gif --size 16x16",
    "convert @ -o c.glb",
    "convert @ -o d.glb -m standard",
    "convert @ -o c.bvh",
    "convert @ -o c.npz -m standard",
    "convert @ -o c.more -t more",
    "convert @ -o c.json -t playcanvas --bake 30",
];

/// Operations by their words, each with options that a motion of hours takes.
const OPERATIONS: [&str; 29] = [
    "trim 1:2000",
    "delete 1:3",
    "split 5",
    "repeat 2",
    "repeat 18446744073709551615",
    "concat @",
    "merge @",
    "shift 1s",
    "retime --speed 0.37",
    "retime --duration 100s",
    "reverse",
    "mirror",
    "loop",
    "keys move 0:0 1s",
    "keys insert 5",
    "keys delete 0:0",
    "keys copy 0:0 5",
    "keys scale 0:1 2",
    "keys law 0:1 linear",
    "markers add 1 m",
    "markers move m 2",
    "markers remove m",
    "resample 30",
    "reduce",
    "reduce --editable",
    "move --by 1m,0,0 --turn 30 --ground",
    "smooth",
    "rename --from mmd --to unity",
    "select *",
];

#[test]
fn a_motion_of_hours_in_a_small_file_is_answered_soon_by_every_verb_and_operation() {
    let folder = Folder::new();
    folder.put("long.vmd", &motion(12 * 3600));
    assert_eq!(folder.get("long.vmd").len(), 1628);
    let words = |text: &str| text.split(' ').map(|word| word.replace('@', "long.vmd")).collect::<Vec<_>>();
    let edits = OPERATIONS.iter().map(|operation| {
        let line = operation.replace('@', "long.vmd");
        ["edit", "long.vmd", "-o", "e.vmd", "--force", "-e", &line].map(str::to_owned).to_vec()
    });
    let mut faults = Vec::new();
    for arguments in VERBS.iter().map(|verb| words(verb)).chain(edits) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = run_limited(&folder, most_memory(1628), &arguments);
        let said = [ran.stdout, ran.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let is_refused = ran.status.code() == Some(1) && said.contains("--max-frames ");
        // Not of words that mean nothing.
        let is_usage =
            ran.status.code() == Some(2) && said.contains("error: ") && !said.contains("dopesheet help");
        if !(ran.status.code() == Some(0) || is_refused || is_usage) {
            let shown: String = said.chars().take(200).collect();
            faults.push(format!("{} → {}: {shown:?}", arguments.join(" "), ran.status));
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
    for known in dopesheet::edit::OPERATIONS {
        let is_tried = OPERATIONS.iter().any(|own| own.starts_with(known.word));
        assert!(is_tried || ["drop", "set"].contains(&known.word), "{}", known.word);
    }
}

#[test]
fn three_quarters_of_an_hour_of_few_keys_are_compared_and_sampled_in_little_memory_or_refused() {
    let folder = Folder::new();
    folder.put("long.vmd", &motion(45 * 60));
    for (arguments, code) in [
        ("diff long.vmd long.vmd -m standard", 1),
        ("sample long.vmd --fps 30 -o s.csv", 0),
        ("sample long.vmd --fps 1 --json", 0),
    ] {
        let ran = run_limited(&folder, most_memory(1628), &arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status.code(), Some(code), "{arguments}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    assert!(folder.get("s.csv").len() > 100_000_000, "a row for each number");
}

#[test]
fn frames_that_are_refused_are_allowed_by_the_option_that_the_message_names() {
    let folder = Folder::new();
    folder.put("long.vmd", &motion(3600));
    for arguments in [
        "sample long.vmd --fps 0.02 --max-frames 10 -o s.csv",
        "sample long.vmd --fps 0.02 --max-frames 10 -o s.npz",
        "diff line.vmd line.vmd -m standard --max-frames 10",
        "render long.vmd --fps 0.005 --max-frames 10 -o r.png --size 16x16",
        "edit line.vmd -e resample_30 --max-frames 10 -o e.vmd",
        "convert line.vmd -m standard --max-frames 10 -o c.glb",
    ] {
        let words = |most: &str| -> Vec<String> {
            let words = arguments.replace("--max-frames 10", &format!("--max-frames {most}"));
            words.split(' ').map(|word| word.replace('_', " ")).collect()
        };
        let run = |words: Vec<String>| folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let refused = run(words("10"));
        let said = &refused.err;
        assert!(refused.code != Some(0) && said.contains("--max-frames"), "{arguments}: {said}");
        let needed = said.split("found ").nth(1).unwrap().split([' ', ';']).next().unwrap().replace(',', "");
        let allowed = run(words(&needed));
        assert_eq!(allowed.code, Some(0), "{arguments} --max-frames {needed}: {}", allowed.err);
    }
}

#[test]
fn a_song_of_four_minutes_on_the_standard_model_runs_without_any_option() {
    let folder = Folder::new();
    folder.put("song.vmd", &motion(240));
    for arguments in [
        "sample song.vmd -m standard --space model --fps 30 -o s.csv",
        "sample song.vmd -m standard --space model --fps 60 -o s.csv --force",
        "sample song.vmd -m standard --space model --fps 30 -o s.npz",
        "sample song.vmd -m standard --space model --fps 30 --json -o s.json",
        "diff song.vmd song.vmd -m standard",
        "plot song.vmd -m standard -o p.svg",
        "render song.vmd -m standard -o r.png --size 32x32",
        "convert song.vmd -m standard -o c.glb",
        "edit song.vmd -e mirror -o e.vmd",
        "edit song.vmd -e resample_30 -o e.vmd --force",
    ] {
        let words: Vec<String> = arguments.split(' ').map(|word| word.replace("_", " ")).collect();
        let ran = folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.err);
    }
}
