//! Bytes laid out by hand.

use crate::pmx::everything::everything;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, ReadOptions, Source, WriteOptions};
use dopesheet_mmd::Pmx;
use dopesheet_mmd::pmx::{
    Anchor, AppendParts, Bone, BoneFlags, DisplayFrame, Document, Encoding, FrameElement, GroupOffset,
    Header, Index, IndexSize, IndexSizes, Material, MaterialFlags, Morph, MorphOffsets, Skinning, Tail, Text,
    Toon, Version, Vertex, VertexOffset,
};
use dopesheet_testkit::read;

/// A file with one record in each section up to the display frames, spelled out.
const SPELLED_OUT: &[&[u8]] = &[
    b"PMX \x00\x00\x00\x40",
    b"\x08\x01\x01\x01\x01\x01\x02\x01\x01",
    b"\x04\x00\x00\x00Miku\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00hi",
    b"\x01\x00\x00\x00",
    b"\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\xbf",
    b"\x00\x00\x00\x3f\x00\x00\x80\x3e",
    b"\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x80\xbf",
    b"\x01\x00\x00\xff\xff\x00\x00\x80\x3f",
    b"\x00\x00\x80\x3f",
    b"\x03\x00\x00\x00\x00\x00\x00",
    b"\x01\x00\x00\x00\x05\x00\x00\x00a.bmp",
    b"\x01\x00\x00\x00\x01\x00\x00\x00m\x00\x00\x00\x00",
    b"\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x00\x3f",
    b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xa0\x40",
    b"\x00\x00\x00\x3f\x00\x00\x00\x3f\x00\x00\x00\x3f\x11",
    b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x80\x3f",
    b"\x00\xff\x00\x01\x02\x00\x00\x00\x00\x03\x00\x00\x00",
    b"\x01\x00\x00\x00\x01\x00\x00\x00b\x00\x00\x00\x00",
    b"\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x00\xff\xff\x02\x00\x00\x00\x1f\x00\x00\x00",
    b"\x02\x00\x00\x00\x01\x00\x00\x00v\x00\x00\x00\x00\x04\x01\x01\x00\x00\x00",
    b"\x00\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x00",
    b"\x01\x00\x00\x00g\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x3f",
    b"\x01\x00\x00\x00\x04\x00\x00\x00Root\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x00\x00\x01\x01",
    b"\x00\x00\x00\x00",
    b"\x00\x00\x00\x00",
    b"end",
];

fn text(text: &str) -> Text {
    Text::new(text, Encoding::Utf8)
}

fn spelled_out() -> Document {
    let sizes = IndexSizes {
        vertex: IndexSize::One,
        texture: IndexSize::One,
        material: IndexSize::One,
        bone: IndexSize::Two,
        morph: IndexSize::One,
        body: IndexSize::One,
    };
    let mut document = Document {
        header: Header { additional_uvs: 1, index_sizes: sizes, ..Header::default() },
        name: text("Miku"),
        english_comment: text("hi"),
        vertices: vec![Vertex {
            position: [1.0, 2.0, 3.0],
            normal: [0.0, 0.0, -1.0],
            uv: [0.5, 0.25],
            skinning: Skinning::Bdef2([Index(0), Index::NONE], 1.0),
            edge_scale: 1.0,
        }],
        faces: vec![0; 3],
        textures: vec![text("a.bmp")],
        materials: vec![material()],
        bones: vec![Bone {
            name: text("b"),
            head: [0.0, 1.0, 0.0],
            level: 2,
            flags: BoneFlags(
                BoneFlags::ROTATABLE | BoneFlags::MOVABLE | BoneFlags::VISIBLE | BoneFlags::OPERABLE,
            ),
            tail: Tail::Bone(Index(0)),
            ..Bone::default()
        }],
        trailing: b"end".to_vec(),
        ..Document::default()
    };
    document.additional_uvs[0] = vec![[0.0, 1.0, 0.0, -1.0]];
    let offset = VertexOffset { vertex: 0, offset: [0.0, 1.0, 0.0] };
    document.morphs = vec![
        Morph { name: text("v"), panel: 4, offsets: MorphOffsets::Vertex(vec![offset]), ..Morph::default() },
        Morph {
            name: text("g"),
            offsets: MorphOffsets::Group(vec![GroupOffset { morph: Index(0), ratio: 0.5 }]),
            ..Morph::default()
        },
    ];
    document.display_frames = vec![DisplayFrame {
        name: text("Root"),
        special: 1,
        elements: vec![FrameElement::Bone(Index(0)), FrameElement::Morph(Index(1))],
        ..DisplayFrame::default()
    }];
    document
}

fn material() -> Material {
    Material {
        name: text("m"),
        diffuse: [1.0, 1.0, 1.0, 0.5],
        shininess: 5.0,
        ambient: [0.5; 3],
        flags: MaterialFlags(MaterialFlags::DOUBLE_SIDED | MaterialFlags::OUTLINE),
        edge_color: [0.0, 0.0, 0.0, 1.0],
        edge_size: 1.0,
        texture: Index(0),
        toon: Toon::Shared(2),
        index_count: 3,
        ..Material::default()
    }
}

#[test]
fn a_file_is_read_field_by_field() {
    assert_eq!(read::<Pmx>(&SPELLED_OUT.concat()), spelled_out());
}

#[test]
fn a_document_made_by_hand_is_written_field_by_field() {
    let written = Pmx::write(&spelled_out(), &WriteOptions::default()).unwrap();
    assert_eq!(written.main, SPELLED_OUT.concat());
    assert_eq!(written.resources, []);
}

#[test]
fn changing_one_field_changes_only_its_bytes() {
    let before = everything();
    let mut document = read::<Pmx>(&before);
    let number = f32::from_bits(document.joints[0].angular_spring[2].to_bits() ^ 0x0101_0101);
    document.joints[0].angular_spring[2] = number;
    let after = Pmx::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(before.len(), after.len());
    let changed: Vec<_> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
    // The soft bodies follow the number, behind their count.
    let place = before.windows(4).rposition(|bytes| bytes == 1_u32.to_le_bytes()).unwrap_or(0);
    assert_eq!((changed.len(), changed.windows(2).all(|pair| pair[1] == pair[0] + 1)), (4, true), "{place}");
    assert_eq!(read::<Pmx>(&after), document);
}

#[test]
fn every_optional_part_of_a_record_is_read() {
    let document = read::<Pmx>(&everything());
    assert_eq!((document.header.version, document.header.encoding), (Version::V2_1, Encoding::Utf16));
    assert_eq!(document.model_name(), "全部");
    assert_eq!(document.additional_uvs.each_ref().map(Vec::len), [5, 5, 0, 0]);
    assert!(matches!(&document.vertices[3].skinning, Skinning::Sdef(sdef) if sdef.r1 == [0.0, 1.5, 0.0]));
    assert!(matches!(document.vertices[4].skinning, Skinning::Qdef(_, weights) if weights == [0.25; 4]));
    assert_eq!(
        document.materials.iter().map(|m| m.toon).collect::<Vec<_>>(),
        [Toon::Shared(9), Toon::Texture(Index(2))]
    );
    let [.., goal, all] = document.bones.as_slice() else { panic!("six bones") };
    let limit = goal.ik.as_ref().unwrap().links[0].limit.unwrap();
    assert_eq!((limit.min_rad, limit.max_rad), ([-3.0, 0.0, 0.0], [-0.5, 0.0, 0.0]));
    assert_eq!(all.append.map(|append| (append.ratio, append.parts)), Some((-0.5, AppendParts::Both)));
    assert_eq!((all.fixed_axis, all.external_parent), (Some([1.0, 0.0, 0.0]), Some(7)));
    assert_eq!(all.flags, BoneFlags(0x1098));
    let kinds: Vec<_> = document.morphs.iter().map(|morph| morph.offsets.kind()).collect();
    assert_eq!(kinds, (0..=10).collect::<Vec<_>>());
    let cloth = &document.soft_bodies.as_ref().unwrap()[0];
    assert_eq!((cloth.iterations, cloth.stiffness), ([1, 2, 3, 4], [0.125, 0.5, 1.0]));
    assert_eq!(cloth.anchors, [Anchor { body: Index(0), vertex: 4, near: 1 }]);
    assert_eq!(cloth.pins, [0, 3]);
    assert_eq!((document.joints[0].kind, document.joints[0].bodies), (5, [Index(0), Index::NONE]));
}

#[test]
fn indices_of_vertices_have_no_sign_but_all_others_have() {
    let mut bytes = SPELLED_OUT.concat();
    let faces: usize = SPELLED_OUT[..9].iter().map(|part| part.len()).sum();
    bytes[faces + 4] = 0xff;
    let document = Pmx::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default()).unwrap();
    assert_eq!(document.faces, [255, 0, 0]);
    assert_eq!(document.materials[0].sphere_texture, Index::NONE);
}

#[test]
fn what_the_file_has_no_room_for_is_refused() {
    let refusal = |change: fn(&mut Document)| {
        let mut document = spelled_out();
        change(&mut document);
        Pmx::write(&document, &WriteOptions::default()).unwrap_err().to_string()
    };
    insta::assert_snapshot!(
        [
            refusal(|d| d.faces[1] = 256),
            refusal(|d| d.bones[0].parent = Index(40_000)),
            refusal(|d| d.additional_uvs[1].push([0.0; 4])),
            refusal(|d| d.header.additional_uvs = 5),
            refusal(|d| d.header.magic = *b"PMXx"),
            refusal(|d| d.header.extra = vec![0; 300]),
            refusal(|d| d.soft_bodies = Some(Vec::new())),
            refusal(|d| d.header.version = Version::V2_1),
            refusal(|d| d.morphs[0].offsets = MorphOffsets::Uv { set: 5, offsets: Vec::new() }),
        ]
        .join("\n")
    );
}

#[test]
fn probing_looks_at_the_bytes_first() {
    let by_name = Hint::from_file_name("miku.PMX");
    let none = Hint::default();
    let probe = |head: &[u8], hint: &Hint| Pmx::probe(head, hint);
    assert_eq!(probe(&everything(), &none), Confidence::Certain);
    assert_eq!(probe(b"PMX \x00\x00\x40\x40", &none), Confidence::Plausible);
    assert_eq!(probe(b"PMX\xa0\x00\x00\x00\x40", &none), Confidence::Certain);
    assert_eq!(probe(b"PMY \x00\x00\x00\x40", &by_name), Confidence::ByName);
    assert_eq!(probe(b"Pmd\x00\x00\x80\x3f", &none), Confidence::No);
    assert_eq!(probe(b"", &by_name), Confidence::ByName);
}
