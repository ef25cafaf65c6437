//! A file that has every kind of record and every optional part of one.

use crate::pmx::bytes::{
    BODIES, BONES, FACES, FRAMES, File, Fill, JOINTS, MATERIALS, MORPHS, Of, Record, Style, TEXTURES,
    VERTICES, bone, bone_with, material, morph, record, vertex,
};

/// Version 2.1, UTF-16, and indices of all sizes.
const STYLE: Style = Style { version: 2.1, utf16: true, uvs: 2, sizes: [1, 1, 2, 2, 4, 1] };

const SOFT_BODIES: usize = 9;

/// The bytes of the file.
pub(crate) fn everything() -> Vec<u8> {
    let file = surface(File::empty(STYLE));
    let file = bones(file);
    let file = morphs(file);
    physics(file).done()
}

fn surface(mut file: File) -> File {
    file.texts = record(STYLE, |r| r.names("全部", "everything").names("注釈", "comment"));
    let skins: [Fill; 5] = [
        |r| r.u8(0).at(Of::Bone, 3),
        |r| r.u8(1).at(Of::Bone, 0).at(Of::Bone, 1).f(&[0.25]),
        |r| {
            r.u8(2)
                .at(Of::Bone, 0)
                .at(Of::Bone, 1)
                .at(Of::Bone, 2)
                .at(Of::Bone, -1)
                .f(&[0.5, 0.25, 0.25, 0.0])
        },
        |r| {
            r.u8(3).at(Of::Bone, 1).at(Of::Bone, 2).f(&[0.5]).f(&[0.0, 1.0, 0.0]);
            r.f(&[0.0, 0.5, 0.0]).f(&[0.0, 1.5, 0.0])
        },
        |r| {
            r.u8(4)
                .at(Of::Bone, 0)
                .at(Of::Bone, 1)
                .at(Of::Bone, 2)
                .at(Of::Bone, 3)
                .f(&[0.25, 0.25, 0.25, 0.25])
        },
    ];
    for (corner, skin) in [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 0.0]].into_iter().zip(skins)
    {
        file = file.with(VERTICES, vertex(STYLE, [corner[0], corner[1], 0.0], skin));
    }
    for index in [0, 1, 2, 2, 1, 3, 2, 3, 4] {
        file = file.with(FACES, vec![index]);
    }
    let shared: Fill = |r| r.at(Of::Texture, 0).at(Of::Texture, 1).u8(2).u8(1).u8(9);
    let own: Fill = |r| r.at(Of::Texture, -1).at(Of::Texture, -1).u8(255).u8(0).at(Of::Texture, 2);
    file.with(TEXTURES, record(STYLE, |r| r.text("顔.bmp")))
        .with(TEXTURES, record(STYLE, |r| r.text("a.spa")))
        .with(TEXTURES, record(STYLE, |r| r.text("toon/t.bmp")))
        .with(MATERIALS, material(STYLE, 6, shared))
        .with(MATERIALS, material(STYLE, 3, own))
}

fn bones(file: File) -> File {
    let goal: Fill = |r| {
        r.at(Of::Bone, 3).at(Of::Bone, 2).i32(40).f(&[2.0]).i32(2);
        r.at(Of::Bone, 1).u8(1).f(&[-3.0, 0.0, 0.0]).f(&[-0.5, 0.0, 0.0]).at(Of::Bone, 0).u8(0)
    };
    let all: Fill = |r| {
        r.f(&[0.0, 0.0, 1.0]).at(Of::Bone, 3).f(&[-0.5]).f(&[1.0, 0.0, 0.0]);
        r.f(&[1.0, 0.0, 0.0]).f(&[0.0, 0.0, 1.0]).i32(7)
    };
    // Flags: the tail is a bone, and IK; then all others that have data.
    file.with(BONES, bone(STYLE, "足", [0.0, 4.0, 0.0], -1))
        .with(BONES, bone(STYLE, "ひざ", [0.0, 2.0, 0.0], 0))
        .with(BONES, bone(STYLE, "足首", [0.0, 0.5, 0.0], 1))
        .with(BONES, bone(STYLE, "膝", [0.0, 2.0, 0.5], -1))
        .with(BONES, bone_with(STYLE, ("足ＩＫ", [0.0, 0.5, 0.0], -1), (1, 0x003f), goal))
        .with(BONES, bone_with(STYLE, ("捩", [0.0, 3.0, 0.0], 0), (2, 0x3f98), all))
}

fn morphs(file: File) -> File {
    let one = |fill: Fill| [record(STYLE, fill)];
    let uv = one(|r| r.at(Of::Vertex, 1).f(&[0.25, 0.5, 0.0, 0.0]));
    let tinted = one(|r| r.at(Of::Material, -1).u8(1).f(&[0.5; 28]));
    let kinds: [(&str, u8, &[Vec<u8>]); 11] = [
        ("グループ", 0, &one(|r| r.at(Of::Morph, 1).f(&[0.5]))),
        ("頂点", 1, &one(|r| r.at(Of::Vertex, 2).f(&[0.0, 0.5, 0.25]))),
        ("ボーン", 2, &one(|r| r.at(Of::Bone, 3).f(&[0.0, 1.0, 0.0]).f(&[0.0, 0.6, 0.0, 0.8]))),
        ("UV", 3, &uv),
        ("UV1", 4, &uv),
        ("UV2", 5, &uv),
        ("UV3", 6, &uv),
        ("UV4", 7, &uv),
        ("材質", 8, &tinted),
        ("フリップ", 9, &one(|r| r.at(Of::Morph, 2).f(&[1.0]))),
        ("衝撃", 10, &one(|r| r.at(Of::Body, 0).u8(1).f(&[0.0, 1.0, 0.0]).f(&[0.5, 0.0, 0.0]))),
    ];
    kinds
        .into_iter()
        .fold(file, |file, (name, kind, offsets)| file.with(MORPHS, morph(STYLE, name, kind, offsets)))
}

fn physics(file: File) -> File {
    let frame: Fill = |r| {
        r.names("表情", "Exp").u8(1).i32(2).u8(1).at(Of::Morph, 10);
        r.u8(0).at(Of::Bone, 5)
    };
    let body: Fill = |r| {
        r.names("髪", "hair").at(Of::Bone, 1).u8(15).u16(0xfffe).u8(2);
        r.f(&[0.5, 1.0, 0.0]).f(&[0.0, 2.0, 0.0]).f(&[0.0, 0.0, 1.5]).f(&[1.0, 0.5, 0.25, 0.0, 0.75]).u8(2)
    };
    let joint: Fill = |r| {
        r.names("関節", "joint").u8(5).at(Of::Body, 0).at(Of::Body, -1);
        (0..8).fold(r, |r, n| r.f(&[n as f32, n as f32 + 0.25, n as f32 + 0.5]))
    };
    file.with(FRAMES, record(STYLE, frame))
        .with(BODIES, record(STYLE, body))
        .with(JOINTS, record(STYLE, joint))
        .with(SOFT_BODIES, record(STYLE, soft_body))
}

fn soft_body(r: &mut Record) -> &mut Record {
    r.names("布", "cloth")
        .u8(1)
        .at(Of::Material, 1)
        .u8(3)
        .u16(0x00ff)
        .u8(7)
        .i32(2)
        .i32(4)
        .f(&[1.5, 0.25])
        .i32(4);
    r.f(&[0.5; 12]).f(&[0.25; 6]).i32(1).i32(2).i32(3).i32(4).f(&[0.125, 0.5, 1.0]);
    r.i32(1).at(Of::Body, 0).at(Of::Vertex, 4).u8(1).i32(2).at(Of::Vertex, 0).at(Of::Vertex, 3)
}
