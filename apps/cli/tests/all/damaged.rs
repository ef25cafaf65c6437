//! Models with pictures and rigs that are made to hurt, and texts that are nested without end: refused or gone around, soon.

use crate::common::{DOOR, Folder, motion};
use crate::hostile::{most_memory, run_limited};
use dopesheet::formats::mmd::pmx::{self, Append, AppendParts, Bone, Ik, IkLimit, IkLink, Index, Text};
use dopesheet_testkit::workspace;

/// The small model of the fixtures, changed.
fn model(change: impl FnOnce(&mut pmx::Document)) -> Vec<u8> {
    let path = workspace().join("formats/mmd/src/pmx/fixtures/valid/small.pmx");
    let mut opened = dopesheet::open(&path, None, &Default::default()).unwrap();
    change(opened.document_mut().unwrap());
    opened.format().write(&opened.document, &Default::default()).unwrap().main
}

/// A number in the order of bytes of PNG and JPEG, or that of all others.
fn big(number: u32) -> [u8; 4] {
    number.to_be_bytes()
}

fn little(number: u32) -> [u8; 4] {
    number.to_le_bytes()
}

/// The check sum of a PNG chunk.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [kind, data].concat();
    [&big(data.len() as u32)[..], &body, &big(crc(&body))].concat()
}

/// A PNG that announces so many texels across and down, and has none of them.
fn png(across: u32) -> Vec<u8> {
    let header = [&big(across)[..], &big(across), &[8, 6, 0, 0, 0]].concat();
    let parts = [chunk(b"IHDR", &header), chunk(b"IDAT", &[0x78, 0x9c, 0x03]), chunk(b"IEND", b"")];
    [&b"\x89PNG\r\n\x1a\n"[..], &parts.concat()].concat()
}

fn bmp(across: u32, bits: u8, compression: u8) -> Vec<u8> {
    let head =
        [&b"BM"[..], &little(70), &little(0), &little(54), &little(40), &little(across), &little(across)];
    let rest = [1, 0, bits, 0, compression, 0, 0, 0];
    [&head.concat()[..], &rest, &[0; 20], &[0, 2, 255, 255, 0, 2, 255, 255]].concat()
}

fn tga(across: u16, kind: u8) -> Vec<u8> {
    let [low, high] = across.to_le_bytes();
    [&[0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, low, high, low, high, 32, 8][..], &[255; 9]].concat()
}

fn dds(across: u32, kind: &[u8; 4]) -> Vec<u8> {
    let mut dds = vec![0; 136];
    dds[..4].copy_from_slice(b"DDS ");
    let numbers = [
        (4, 124),
        (8, 0x2_1007),
        (12, across),
        (16, across),
        (28, 1 << 31),
        (76, 32),
        (80, 4),
        (108, 0x1000),
    ];
    for (at, value) in numbers {
        dds[at..at + 4].copy_from_slice(&little(value));
    }
    dds[84..88].copy_from_slice(kind);
    dds
}

fn jpeg() -> Vec<u8> {
    let frame = [0xff, 0xc2, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3, 1, 0x44, 0, 2, 0x11, 0, 3, 0x11, 0];
    [&[0xff, 0xd8][..], &frame, &[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0], &[0xff, 0xda, 0, 2].repeat(100)]
        .concat()
}

/// Pictures of a few bytes, by the names of their files.
fn pictures() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("face.png", png(30_000)),
        ("face.png", png(0)),
        ("face.bmp", bmp(30_000, 24, 0)),
        ("face.bmp", bmp(30_000, 8, 1)),
        ("face.bmp", bmp(0x8000_0000, 32, 3)),
        ("face.tga", tga(65_535, 10)),
        ("face.tga", tga(30_000, 2)),
        ("face.tga", tga(0, 9)),
        ("face.dds", dds(32_768, b"DXT5")),
        ("face.dds", dds(u32::MAX, b"DXT1")),
        ("face.dds", dds(4, b"DX10")),
        ("face.jpg", jpeg()),
        ("face.jpg", vec![0xff, 0xd8, 0xff, 0xff, 0xff]),
    ]
}

#[test]
fn a_picture_that_announces_what_no_memory_holds_is_left_out() {
    for (name, picture) in pictures() {
        let folder = Folder::new();
        folder.put("a.pmx", &model(|document| document.textures[0] = text(name)));
        folder.put(name, &picture);
        for arguments in [
            &["info", "a.pmx"][..],
            &["check", "a.pmx"],
            &["convert", "a.pmx", "-o", "a.glb", "--verbose"],
            &["render", "a.pmx", "-o", "a.png", "--size", "16x16"],
        ] {
            let ran = run_limited(&folder, most_memory(0), arguments);
            let said = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(ran.status.code(), Some(0), "{name} of {}: {arguments:?}: {said}", picture.len());
            if arguments[0] == "convert" {
                let told = String::from_utf8_lossy(&ran.stdout) + said;
                assert!(told.contains(name) && told.contains("cannot be decoded"), "{name}: {told}");
            }
        }
    }
}

#[test]
fn a_picture_in_a_glb_that_announces_what_no_memory_holds_is_not_drawn() {
    let folder = Folder::new();
    folder.put("a.pmx", &model(|document| document.textures[0] = text("face.png")));
    // One red texel.
    let header = [&big(1)[..], &big(1), &[8, 2, 0, 0, 0]].concat();
    let texel = [0x78, 0x01, 0x01, 4, 0, 0xfb, 0xff, 0, 255, 0, 0, 0x03, 0x01, 0x01, 0x00];
    let parts = [chunk(b"IHDR", &header), chunk(b"IDAT", &texel), chunk(b"IEND", b"")];
    let sound = [&b"\x89PNG\r\n\x1a\n"[..], &parts.concat()].concat();
    folder.put("face.png", &sound);
    let made = folder.run(&["convert", "a.pmx", "-o", "a.glb"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let glb = folder.get("a.glb");
    let at = glb.windows(sound.len()).position(|bytes| bytes == sound).expect("the picture as it was");
    for picture in [png(30_000), vec![0xff; 60], jpeg(), bmp(30_000, 24, 0)] {
        let mut damaged = glb.clone();
        let length = picture.len().min(sound.len());
        damaged[at..at + length].copy_from_slice(&picture[..length]);
        folder.put("b.glb", &damaged);
        for arguments in [
            &["render", "b.glb", "-o", "b.png", "--force", "--size", "16x16"][..],
            &["convert", "b.glb", "-o", "c.gltf", "--force", "--show-bones"],
            &["info", "b.glb"],
        ] {
            let ran = run_limited(&folder, most_memory(glb.len() as u64), arguments);
            let said = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(ran.status.code(), Some(0), "{arguments:?}: {said}");
        }
    }
}

fn text(name: &str) -> Text {
    Text::new(name, pmx::Encoding::Utf8)
}

/// A chain of bones one above another, and as many goals far away that each turn all of them, by little and without end. Two of
/// the bones append each other's motion.
fn without_end(document: &mut pmx::Document) {
    const BONES: usize = 60;
    let narrow = IkLimit { min_rad: [-1e-3; 3], max_rad: [1e-3; 3] };
    let links =
        (0..BONES - 1).rev().map(|bone| IkLink { bone: Index::of(bone), limit: Some(narrow) }).collect();
    let ik = Ik { target: Index::of(BONES - 1), iterations: i32::MAX, step_rad: 1e-3, links };
    let plain = Bone { append: None, ik: None, ..document.bones[0].clone() };
    let bone = |index: usize| Bone {
        name: text(&if index == 0 { "センター".into() } else { format!("b{index}") }),
        head: [0.0, index as f32, 0.0],
        parent: index.checked_sub(1).map_or(Index::NONE, Index::of),
        append: matches!(index, 3 | 4).then(|| Append {
            source: Index::of(7 - index),
            ratio: 1.0,
            parts: AppendParts::Both,
        }),
        ..plain.clone()
    };
    let goal = |index: u8| Bone {
        name: text(&format!("goal{index}")),
        head: [1e4, 5.0, f32::from(index)],
        parent: Index::NONE,
        ik: Some(ik.clone()),
        ..plain.clone()
    };
    document.bones = (0..BONES).map(bone).chain((0..12).map(goal)).collect();
}

#[test]
fn chains_of_two_thousand_million_rounds_and_circles_of_appends_end_soon_with_a_finding() {
    let folder = Folder::new();
    folder.put("a.pmx", &model(without_end));
    let checked = folder.run(&["check", "a.pmx"]);
    assert!(checked.out.contains("mmd-append-cycle"), "{}{}", checked.out, checked.err);
    for program in ["mmd", "babylon"] {
        let arguments =
            ["convert", "line.vmd", "-m", "a.pmx", "-o", "a.glb", "--force", "--verbose", "--ik", program];
        let ran = run_limited(&folder, 4 * most_memory(0), &arguments);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(0), "{program}: {said}");
        for expected in ["12 chains: goal0 (2147483647), ", "circles, which are cut, found 1 circle: b3"] {
            assert!(said.contains(expected), "{program}: expected {expected}, found {said}");
        }
    }
}

#[test]
fn a_long_motion_on_a_costly_rig_is_refused_with_the_option_that_lets_it() {
    let folder = Folder::new();
    folder.put("a.pmx", &model(without_end));
    let mut long = motion([20, 20, 107, 107]);
    // The frame of the second key.
    let at = 50 + 4 + 111 + 15;
    long[at..at + 4].copy_from_slice(&little(20_000));
    folder.put("long.vmd", &long);
    let ran = run_limited(&folder, most_memory(0), &["convert", "long.vmd", "-m", "a.pmx", "-o", "a.glb"]);
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(said.contains("found 20,001 frames") && said.contains("--max-frames"), "{said}");
}

/// Texts that are nested deeper than any stack, by the names of their files.
fn nested() -> Vec<(&'static str, String)> {
    const DEEP: usize = 200_000;
    let (arrays, objects) = ("[".repeat(DEEP), "{\"a\":".repeat(DEEP));
    let lists = "%YAML 1.1\n--- !u!74 &7400000\nAnimationClip:\n  m_Events:\n";
    let clip = "%YAML 1.1\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: ";
    let steps: String = (2..1500).map(|depth| "  ".repeat(depth) + "a:\n").collect();
    vec![
        ("a.gltf", format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{arrays}")),
        ("b.gltf", format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":{objects}")),
        ("c.json", DOOR.replace("\"keys\":[", &format!("\"keys\":{arrays}"))),
        ("d.json", format!("{{\"animation\":{objects}")),
        ("e.anim", format!("{clip}{arrays}")),
        ("f.anim", format!("{clip}{}", "{a: ".repeat(DEEP))),
        ("g.anim", format!("{lists}  {}", "- ".repeat(DEEP))),
        ("h.anim", format!("{lists}{steps}")),
    ]
}

#[test]
fn texts_nested_without_end_are_refused_rather_than_followed() {
    let folder = Folder::new();
    for (name, text) in nested() {
        folder.put(name, text.as_bytes());
        for (arguments, codes) in [
            (&["info", name][..], &[1][..]),
            (&["check", name, "--lenient"], &[1]),
            // What is sound beside it may be left.
            (&["convert", name, "-t", "bvh", "-o", "out", "--lenient", "--force"], &[0, 1]),
        ] {
            let ran = run_limited(&folder, most_memory(text.len() as u64), arguments);
            let said =
                String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
            let code = ran.status.code();
            assert!(code.is_some_and(|code| codes.contains(&code)), "{arguments:?}: {code:?}: {said:.300}");
            let says_why =
                said.contains("expected") || arguments[0] == "convert" && said.contains("nothing to");
            assert!(says_why, "{arguments:?}: {said:.300}");
        }
    }
}
