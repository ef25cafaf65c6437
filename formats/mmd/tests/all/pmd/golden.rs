//! Bytes laid out by hand.

use crate::pmd::bytes::{File, NONE, body, empty_end, joint, physics};
use crate::pmd::fixtures::{self, everything};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, ReadOptions, Source, WriteOptions};
use dopesheet_mmd::Pmd;
use dopesheet_mmd::pmd::{
    Bone, Document, English, FramedBone, Ik, Index, Joint, Material, Morph, MorphOffset, RigidBody,
    SphereMode, Vertex,
};
use dopesheet_mmd::text::Name;
use dopesheet_testkit::read;

fn name<const N: usize>(text: &str) -> Name<N> {
    Name::encode(text, false).unwrap().name
}

/// A name in front of bytes of 0xFD.
fn filled(text: &str) -> Name<20> {
    let mut name: Name<20> = name(text);
    let end = name.key().len() + 1;
    name.0[end..].fill(0xfd);
    name
}

fn bone(text: &str, parent: u16, tail: u16, kind: u8, source: u16, head: [f32; 3]) -> Bone {
    Bone { name: filled(text), parent: Index(parent), tail: Index(tail), kind, source, head }
}

fn vertex(position: [f32; 3], bones: [u16; 2], weight: u8) -> Vertex {
    let (normal, uv) = ([0.0, 0.0, -1.0], [0.25, 0.75]);
    Vertex { position, normal, uv, bones: bones.map(Index), weight, edge_off: 0 }
}

fn rigid_body(text: &str, bone: Index, shape: u8, position: [f32; 3]) -> RigidBody {
    RigidBody {
        name: name(text),
        bone,
        group: 3,
        mask: 0xfff7,
        shape,
        size: [1.0, 2.0, 3.0],
        position,
        rotation: [0.1, 0.2, 0.3],
        mass: 1.5,
        linear_damping: 0.5,
        angular_damping: 0.25,
        restitution: 0.125,
        friction: 0.75,
        mode: 1,
    }
}

fn english() -> English {
    let mut comment: Name<256> = name("made by hand");
    comment.0[13..].fill(0xfd);
    English {
        flag: 1,
        name: name("Miku"),
        comment,
        bones: ["center", "leg", "knee", "ankle", "leg IK"].map(name).to_vec(),
        morphs: vec![name("blink")],
        bone_frames: vec![name("Legs\n")],
    }
}

fn bones() -> Vec<Bone> {
    vec![
        bone("センター", NONE, 1, 1, 0, [0.0, 8.0, 0.0]),
        bone("左足", 0, 2, 4, 4, [1.0, 7.0, 0.0]),
        bone("左ひざ", 1, 3, 4, 4, [1.0, 4.0, -0.25]),
        bone("左足首", 2, 0, 6, 0, [1.0, 1.0, 0.0]),
        bone("左足ＩＫ", NONE, 3, 2, 3, [1.0, 1.0, 0.0]),
    ]
}

fn morphs() -> Vec<Morph> {
    vec![
        Morph {
            name: name("base"),
            panel: 0,
            offsets: vec![
                MorphOffset { index: 2, offset: [0.0, 1.0, 0.0] },
                MorphOffset { index: 0, offset: [0.0; 3] },
            ],
        },
        Morph {
            name: name("まばたき"),
            panel: 2,
            offsets: vec![MorphOffset { index: 0, offset: [0.0, -0.5, 0.0] }],
        },
    ]
}

fn joint_by_hand() -> Joint {
    let at = |n: f32| [n, n + 0.25, n + 0.5];
    Joint {
        name: name("j"),
        bodies: [0, 1],
        position: at(0.0),
        rotation: at(1.0),
        linear_min: at(2.0),
        linear_max: at(3.0),
        angular_min_rad: at(4.0),
        angular_max_rad: at(5.0),
        linear_spring: at(6.0),
        angular_spring: at(7.0),
    }
}

fn by_hand() -> Document {
    let mut toons = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(|n| name(&format!("toon{n:02}.bmp")));
    toons[1] = name("skin.bmp");
    Document {
        name: filled("初音ミク"),
        comment: name("by hand\n"),
        vertices: vec![
            vertex([0.0; 3], [0, 0], 100),
            vertex([1.0, 0.0, 0.0], [0, 1], 25),
            vertex([0.0, 1.0, 0.0], [1, 0], 0),
        ],
        faces: vec![0, 1, 2],
        materials: vec![Material {
            diffuse: [0.5, 0.25, 0.125, 0.5],
            shininess: 5.0,
            specular: [0.1, 0.2, 0.3],
            ambient: [0.4, 0.5, 0.6],
            toon: 1,
            edge: 1,
            index_count: 3,
            texture: name("skin.bmp*shine.spa"),
        }],
        bones: bones(),
        ik: vec![Ik {
            bone: Index(4),
            target: Index(3),
            iterations: 40,
            weight: 0.5,
            links: vec![Index(2), Index(1)],
        }],
        morphs: morphs(),
        panel_morphs: vec![1],
        bone_frames: vec![name("足\n")],
        framed_bones: vec![FramedBone { bone: Index(1), frame: 1 }, FramedBone { bone: Index(4), frame: 1 }],
        english: Some(english()),
        toons: Some(toons),
        rigid_bodies: Some(vec![
            rigid_body("a", Index(1), 0, [0.5, 0.0, 0.0]),
            rigid_body("b", Index::NONE, 2, [0.0, 0.25, 0.0]),
        ]),
        joints: Some(vec![joint_by_hand()]),
        ..Document::new(&Name::EMPTY)
    }
}

fn written(document: &Document) -> Vec<u8> {
    Pmd::write(document, &WriteOptions::default()).unwrap().main
}

#[test]
fn a_file_is_read_field_by_field() {
    assert_eq!(read::<Pmd>(&everything().done()), by_hand());
}

#[test]
fn a_document_made_by_hand_is_written_field_by_field() {
    assert_eq!(written(&by_hand()), everything().done());
}

#[test]
fn sizes_are_those_of_the_layout() {
    let file = everything().done();
    let lists = 4 + 3 * 38 + 4 + 3 * 2 + 4 + 70 + 2 + 5 * 39 + 2 + 11 + 2 * 2 + 2 + (25 + 32) + (25 + 16);
    let frames = 1 + 2 + 1 + 50 + 4 + 2 * 3;
    let end = 1 + 20 + 256 + 5 * 20 + 20 + 50 + 1000 + 4 + 2 * 83 + 4 + 124;
    assert_eq!(file.len(), 283 + lists + frames + end);
}

#[test]
fn changing_one_field_changes_only_its_bytes() {
    let before = everything().done();
    let mut document = read::<Pmd>(&before);
    document.bones[1].head[1] = 9.0;
    let after = written(&document);
    let changed: Vec<_> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
    // The second bone starts behind three vertices, three faces, a material and the first bone.
    let head = 283 + (4 + 3 * 38) + (4 + 6) + (4 + 70) + 2 + 39 + 27;
    assert_eq!(changed, [head + 6, head + 7]);
    assert_eq!(read::<Pmd>(&after), document);
}

#[test]
fn the_end_is_written_as_far_as_it_goes() {
    for (name, bytes) in fixtures::short_files() {
        assert_eq!(written(&read::<Pmd>(&bytes)), bytes, "{name}");
    }
    let joints_only = Document { joints: Some(Vec::new()), ..read::<Pmd>(&fixtures::short_files()[0].1) };
    assert_eq!(written(&joints_only), File::new().done(), "what stands in front of a part is empty");
}

#[test]
fn what_has_no_count_or_too_small_a_one_is_not_written() {
    let error = |change: fn(&mut Document)| {
        let mut document = by_hand();
        change(&mut document);
        Pmd::write(&document, &WriteOptions::default()).unwrap_err().to_string()
    };
    let english = error(|document| document.english.as_mut().unwrap().bones.truncate(2));
    insta::assert_snapshot!(english, @"pmd: file (English bones): expected 5 names, found 2");
    let frames = error(|document| {
        document.bone_frames = vec![Name::EMPTY; 256];
        document.english = None;
    });
    insta::assert_snapshot!(frames, @"pmd: byte 0x322 (bone frames): expected at most 255 of them, found 256");
    let links = error(|document| document.ik[0].links = vec![Index(0); 256]);
    insta::assert_snapshot!(links, @"pmd: byte 0x2b0 (links): expected at most 255 of them, found 256");
}

#[test]
fn a_lenient_reader_keeps_whole_records_in_front_of_a_fault() {
    let lenient = |bytes: &[u8]| {
        let mut report = Report::default();
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let document = Pmd::read(&Source::new(bytes), &options, &mut report).unwrap();
        let [finding] = report.findings.as_slice() else { panic!("one finding: {report:?}") };
        (document, finding.to_string())
    };
    let file = everything().done();
    let bones = 283 + (4 + 3 * 38) + (4 + 6) + (4 + 70) + 2;
    let (document, finding) = lenient(&file[..bones + 2 * 39 + 5]);
    assert_eq!((document.bones.len(), document.ik.len(), document.english), (2, 0, None));
    insta::assert_snapshot!(finding, @"error mmd-count: byte 0x1e5 (bones count): expected at most 2 records (83 bytes left, 39 each), found 5 (kept 2 of 5 bones)");
    let english = file.len() - (4 + 124) - (4 + 2 * 83) - 1000 - 60;
    let (document, finding) = lenient(&file[..english]);
    assert_eq!((document.framed_bones.len(), document.english, document.toons), (2, None, None));
    insta::assert_snapshot!(finding, @"error mmd-truncated: byte 0x4d8 (English morphs[0].name): expected 20 bytes, found 10 bytes left");
    assert_eq!(document.trailing, b"", "what is broken is not taken for something else");
}

/// As Blender's MMD tools read it: programs have left out zeros at the end of the last joint.
#[test]
fn a_lenient_reader_fills_up_the_last_joint() {
    let bodies = [body(b"a", 0, 0, [0.0; 3])];
    let end = [&empty_end()[..1001], &physics(&bodies, &[joint(b"j", [0, 0]), joint(b"k", [0, 0])])].concat();
    let mut file = File::new().with(|file| file.end = end).done();
    file.truncate(file.len() - 24);
    let mut report = Report::default();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let document = Pmd::read(&Source::new(&file), &options, &mut report).unwrap();
    let joints = document.joints.unwrap();
    assert_eq!(joints.len(), 2);
    assert_eq!((joints[1].angular_max_rad, joints[1].linear_spring), ([5.0, 5.25, 5.5], [0.0; 3]));
    assert_eq!(report.findings.len(), 1);
}

#[test]
fn a_texture_field_names_a_colour_and_a_sphere_in_either_order() {
    let pictures = |text: &str| {
        let texture = name(text);
        let material = Material { texture, ..Material::default() };
        let pictures = material.pictures();
        let owned = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (pictures.color.map(owned), pictures.sphere.map(|(path, mode)| (owned(path), mode)))
    };
    let color = Some("a.bmp".to_owned());
    let sphere = |path: &str, mode| Some((path.to_owned(), mode));
    assert_eq!(pictures(""), (None, None));
    assert_eq!(pictures("a.bmp"), (color.clone(), None));
    assert_eq!(pictures("a.bmp*b.sph"), (color.clone(), sphere("b.sph", SphereMode::Multiply)));
    assert_eq!(pictures("b.SPA*a.bmp"), (color, sphere("b.SPA", SphereMode::Add)));
    assert_eq!(pictures("b.spa"), (None, sphere("b.spa", SphereMode::Add)));
}

#[test]
fn probing_looks_at_the_bytes_first() {
    let by_name = Hint::from_file_name("miku.PMD");
    let none = Hint::default();
    assert_eq!(Pmd::probe(&everything().done(), &none), Confidence::Certain);
    assert_eq!(Pmd::probe(b"Pmd\0\0\0\0", &none), Confidence::Plausible);
    assert_eq!(Pmd::probe(b"PMX \0\0\0\x40", &by_name), Confidence::ByName);
    assert_eq!(Pmd::probe(b"PMX \0\0\0\x40", &none), Confidence::No);
    assert_eq!(Pmd::probe(b"", &by_name), Confidence::ByName);
}
