//! The PMX model that a PMD model becomes. Each test names where its rule comes from.

use crate::pmd::bytes::{
    BLINK, CENTER, File, KNEE, NONE, body, bone, field, ik, joint, material, morph, physics, plain, toons,
    vertex,
};
use crate::pmd::fixtures::everything;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_mmd::Pmd;
use dopesheet_mmd::pmx::{
    self, Append, AppendParts, BoneFlags, DisplayFrame, FrameElement, MaterialFlags, MorphOffsets, Skinning,
    Tail, Toon, VertexOffset,
};
use dopesheet_testkit::read;

fn lifted_reporting(file: &File) -> (pmx::Document, Report) {
    let mut report = Report::default();
    let lifted = read::<Pmd>(&file.done()).lift(&mut report);
    (lifted, report)
}

fn lifted(file: &File) -> pmx::Document {
    lifted_reporting(file).0
}

fn with_bones(bones: Vec<Vec<u8>>) -> pmx::Document {
    lifted(&File::new().with(|file| file.bones = bones))
}

fn text(text: &str) -> pmx::Text {
    pmx::Text::new(text, pmx::Encoding::Utf8)
}

const SEEN: u16 = BoneFlags::ROTATABLE | BoneFlags::VISIBLE | BoneFlags::OPERABLE;
const AT: [f32; 3] = [0.0; 3];

#[test]
fn texts_become_utf_8_and_english_names_find_their_places() {
    let model = lifted(&everything());
    assert_eq!(model.header, pmx::Header::default());
    assert_eq!((model.model_name(), model.text(&model.comment)), ("初音ミク".into(), "by hand\n".into()));
    assert_eq!(
        (model.english_name.clone(), model.english_comment.clone()),
        (text("Miku"), text("made by hand"))
    );
    let names: Vec<_> =
        model.bones.iter().map(|bone| (bone.name.clone(), bone.english_name.clone())).collect();
    assert_eq!(names[2], (text("左ひざ"), text("knee")));
    // The base has no English name, so that the first one is that of the second morph.
    assert_eq!(
        (model.morphs[0].name.clone(), model.morphs[0].english_name.clone()),
        (text("まばたき"), text("blink"))
    );
    assert_eq!(model.display_frames[2].english_name, text("Legs"));
}

/// Flags: Blender's MMD tools; the table of types: the PMD editor's own list.
#[test]
fn types_of_bones_become_flags() {
    let model = with_bones((0..8).map(|kind| bone(CENTER, NONE, 0, kind, 0, AT)).collect());
    let flags: Vec<_> = model.bones.iter().map(|bone| bone.flags.0).collect();
    let moves = SEEN | BoneFlags::MOVABLE;
    let hidden = SEEN & !BoneFlags::VISIBLE;
    assert_eq!(flags, [SEEN, moves, moves, SEEN, SEEN, SEEN, hidden, BoneFlags::ROTATABLE]);
}

/// Nobody defines more; such bones turn like the others.
#[test]
fn bones_of_unknown_types_turn() {
    let model = with_bones(vec![bone(CENTER, NONE, 0, 200, 0, AT)]);
    assert_eq!(model.bones[0].flags.0, SEEN);
}

/// Type 5: all programs that follow it; models that exist in both formats have their eyes so.
#[test]
fn type_5_follows_the_bone_in_the_ik_field() {
    let model = with_bones(vec![plain(b"eyes", NONE), bone(b"eye", 0, 0, 5, 0, AT)]);
    let append = Append { source: pmx::Index(0), ratio: 1.0, parts: AppendParts::Rotation };
    assert_eq!(model.bones[1].append, Some(append));
    assert_eq!(model.bones[0].append, None);
}

/// Type 9: Blender's MMD tools, mmd-anim; the metal Miku has 25, 50 and 75 on the way along the upper arm.
#[test]
fn type_9_follows_the_bone_in_the_tail_field_by_hundredths() {
    let model = with_bones(vec![plain(b"twist", NONE), bone(b"twist1", NONE, 0, 9, 25, AT)]);
    let append = Append { source: pmx::Index(0), ratio: 0.25, parts: AppendParts::Rotation };
    assert_eq!(model.bones[1].append, Some(append));
    assert_eq!(model.bones[1].flags.0, SEEN & !BoneFlags::VISIBLE);
    assert_eq!(model.bones[1].tail, Tail::Offset([0.0; 3]), "the tail field is no tail");
}

/// Type 8: Blender's MMD tools, babylon-mmd.
#[test]
fn type_8_turns_about_the_way_to_its_tail() {
    let model = with_bones(vec![
        bone(b"arm", NONE, 1, 8, 0, [1.0, 2.0, 3.0]),
        bone(b"tip", 0, 0, 7, 0, [4.0, 2.0, -1.0]),
        bone(b"odd", NONE, 1, 8, 0, [4.0, 2.0, -1.0]),
    ]);
    assert_eq!(model.bones[0].fixed_axis, Some([0.6, 0.0, -0.8]));
    assert_eq!(model.bones[0].tail, Tail::Offset([0.0; 3]));
    assert_eq!(model.bones[2].fixed_axis, None, "a way of no length is no axis");
}

/// 0 and 0xFFFF: files; the first bone is never a tail.
#[test]
fn a_tail_of_0_is_none() {
    let model = with_bones(vec![
        bone(b"a", NONE, 1, 0, 0, AT),
        bone(b"b", 0, 0, 0, 0, AT),
        bone(b"c", 0, NONE, 0, 0, AT),
    ]);
    let tails: Vec<_> = model.bones.iter().map(|bone| bone.tail).collect();
    assert_eq!(tails, [Tail::Bone(pmx::Index(1)), Tail::Offset([0.0; 3]), Tail::Offset([0.0; 3])]);
    let parents: Vec<_> = model.bones.iter().map(|bone| bone.parent.0).collect();
    assert_eq!(parents, [-1, 0, 0]);
}

/// Levels: Blender's MMD tools.
#[test]
fn goals_are_solved_behind_other_bones_and_what_follows_behind_goals() {
    let model = with_bones(vec![
        plain(b"tip", 3),
        plain(CENTER, NONE),
        bone(b"goal", 1, 0, 2, 0, AT),
        plain(b"on goal", 2),
        bone(b"eye", 1, 0, 5, 1, AT),
        plain(b"on eye", 4),
        bone(b"part", 1, 1, 9, 50, AT),
    ]);
    let levels: Vec<_> = model.bones.iter().map(|bone| bone.level).collect();
    assert_eq!(levels, [1, 0, 1, 1, 2, 2, 0], "a bone is not solved before its parent");
}

#[test]
fn levels_in_a_circle_of_parents_come_to_an_end() {
    let model = with_bones(vec![plain(b"a", 2), bone(b"b", 0, 0, 2, 0, AT), plain(b"c", 1), plain(b"d", 3)]);
    assert_eq!(model.bones.len(), 4);
    assert!(model.bones[1].level == 1 && model.bones[2].level == 1);
}

/// The factor 4: models that exist in both formats. The angles: the same models. Where the name is looked for: saba and
/// DxLib.
#[test]
fn ik_chains_get_four_times_their_weight_and_knees_their_limits() {
    let model = lifted(&everything());
    let chain = model.bones[4].ik.clone().unwrap();
    assert_eq!((chain.target, chain.iterations, chain.step_rad), (pmx::Index(3), 40, 2.0));
    let [knee, leg] = chain.links.as_slice() else { panic!("two links") };
    assert_eq!((knee.bone, leg.bone, leg.limit), (pmx::Index(2), pmx::Index(1), None));
    let limit = knee.limit.unwrap();
    assert_eq!((limit.min_rad[0], limit.max_rad[0]), ((-180f32).to_radians(), (-0.5f32).to_radians()));
    assert_eq!((&limit.min_rad[1..], &limit.max_rad[1..]), (&[0.0, 0.0][..], &[0.0, 0.0][..]));
    let names = [&[b"x", KNEE].concat()[..], &[KNEE, b"D"].concat()];
    for name in names {
        let file = File::new().with(|file| {
            file.bones = vec![plain(CENTER, NONE), plain(name, NONE), plain(b"tip", 1)];
            file.ik = vec![ik(0, 2, 1, 1.0, &[1])];
        });
        assert!(lifted(&file).bones[0].ik.clone().unwrap().links[0].limit.is_some(), "anywhere in the name");
    }
}

/// Blender's MMD tools, babylon-mmd.
#[test]
fn further_chains_of_a_bone_move_to_copies_of_it() {
    let file = File::new().with(|file| {
        file.bones =
            vec![bone(CENTER, NONE, 1, 2, 0, [1.0, 2.0, 3.0]), plain(b"tip", NONE), plain(b"link", NONE)];
        file.ik = vec![ik(0, 1, 1, 1.0, &[2]), ik(0, 2, 5, 0.25, &[1]), ik(9, 2, 5, 0.25, &[1])];
    });
    let model = lifted(&file);
    assert_eq!(model.bones.len(), 4, "a chain without a bone is left out");
    let copy = &model.bones[3];
    assert_eq!(
        (copy.name.clone(), copy.parent, copy.head),
        (text("センター+"), pmx::Index(0), [1.0, 2.0, 3.0])
    );
    assert_eq!((copy.level, copy.flags.0), (1, SEEN & !BoneFlags::VISIBLE | BoneFlags::MOVABLE));
    assert_eq!(copy.ik.as_ref().map(|ik| (ik.target, ik.iterations)), Some((pmx::Index(2), 5)));
    assert_eq!(model.bones[0].ik.as_ref().map(|ik| ik.iterations), Some(1));
}

/// Hundredths: files. Byte 0 has the outline: nanoem, Blender's MMD tools.
#[test]
fn weights_are_hundredths_and_byte_0_has_an_outline() {
    let mut without_outline = vertex(AT, [0, 0], 100);
    without_outline[37] = 1;
    let file = File::new().with(|file| {
        file.bones.push(plain(b"b", 0));
        file.vertices = vec![
            vertex([1.0, 2.0, 3.0], [0, 1], 25),
            vertex(AT, [0, 1], 100),
            vertex(AT, [0, 1], 0),
            vertex(AT, [1, 1], 30),
            vertex(AT, [0, 1], 200),
            without_outline,
        ];
    });
    let model = lifted(&file);
    let skinning: Vec<_> = model.vertices.iter().map(|vertex| vertex.skinning).collect();
    let one = |bone| Skinning::Bdef1(pmx::Index(bone));
    let two = Skinning::Bdef2([pmx::Index(0), pmx::Index(1)], 0.25);
    assert_eq!(skinning, [two, one(0), one(1), one(1), one(0), one(0)]);
    let first = model.vertices[0];
    assert_eq!((first.position, first.normal, first.uv), ([1.0, 2.0, 3.0], [0.0, 0.0, -1.0], [0.25, 0.75]));
    let edges: Vec<_> = model.vertices.iter().map(|vertex| vertex.edge_scale).collect();
    assert_eq!(edges, [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
}

fn painted(materials: Vec<Vec<u8>>, names: Option<[&[u8]; 10]>) -> pmx::Document {
    lifted(&File::new().with(|file| {
        file.materials = materials;
        if let Some(names) = names {
            file.end = [&[0][..], &toons(names), &physics(&[], &[])].concat();
        }
    }))
}

/// Alpha and edge: Blender's MMD tools, babylon-mmd.
#[test]
fn alpha_and_edge_become_switches_of_a_material() {
    let model = painted(
        vec![
            material(1.0, 255, 1, 6, b""),
            material(0.5, 255, 0, 3, b""),
            material(0.98, 255, 0, 0, b""),
            material(0.979, 255, 0, 0, b""),
        ],
        None,
    );
    let flags: Vec<_> = model.materials.iter().map(|material| material.flags.0).collect();
    let shadows = MaterialFlags::CASTS_SHADOW | MaterialFlags::RECEIVES_SHADOW;
    let edge = MaterialFlags::OUTLINE | MaterialFlags::GROUND_SHADOW;
    let double = MaterialFlags::DOUBLE_SIDED;
    assert_eq!(flags, [shadows | edge, shadows | double, double, shadows | double]);
    let first = &model.materials[0];
    assert_eq!((first.name.clone(), first.english_name.clone()), (text("材質1"), text("Material1")));
    assert_eq!((first.diffuse, first.shininess), ([0.5, 0.25, 0.125, 1.0], 5.0));
    assert_eq!((first.specular, first.ambient), ([0.1, 0.2, 0.3], [0.4, 0.5, 0.6]));
    assert_eq!((first.edge_color, first.edge_size, first.index_count), ([0.0, 0.0, 0.0, 1.0], 1.0, 6));
}

/// Files of MikuMikuDance: `a.bmp*b.sph`; 1 multiplies and 2 adds, as PMX counts.
#[test]
fn the_texture_field_is_split_into_pictures_each_listed_once() {
    let model = painted(
        vec![
            material(1.0, 255, 0, 0, b"a.bmp*b.sph"),
            material(1.0, 255, 0, 0, b"c.SPA"),
            material(1.0, 255, 0, 0, b"a.bmp"),
            material(1.0, 255, 0, 0, b"\x8a\xe7.bmp*b.sph"),
        ],
        None,
    );
    assert_eq!(model.textures, ["b.sph", "a.bmp", "c.SPA", "顔.bmp"].map(text));
    let used: Vec<_> =
        model.materials.iter().map(|m| (m.texture.0, m.sphere_texture.0, m.sphere_mode)).collect();
    assert_eq!(used, [(1, 0, 1), (-1, 2, 2), (1, -1, 0), (3, 0, 1)]);
}

/// Which names are those of the pictures that every program has: Blender's MMD tools.
#[test]
fn shades_are_shared_pictures_unless_the_file_names_others() {
    let usual: [&[u8]; 10] = [b"TOON01.BMP", b"skin.bmp", b"toon10.bmp", b"", b"", b"", b"", b"", b"", b""];
    let all = || [0, 1, 2, 9, 10, 255].map(|toon| material(1.0, toon, 0, 0, b"skin.bmp")).to_vec();
    let toons = |model: &pmx::Document| model.materials.iter().map(|m| m.toon).collect::<Vec<_>>();
    let none = Toon::Texture(pmx::Index::NONE);
    let named = painted(all(), Some(usual));
    let expected =
        [Toon::Shared(0), Toon::Texture(pmx::Index(0)), Toon::Shared(9), Toon::Shared(9), none, none];
    assert_eq!(toons(&named), expected);
    assert_eq!(named.textures, [text("skin.bmp")]);
    let old = lifted(&File::new().with(|file| {
        file.materials = all();
        file.end.clear();
    }));
    let expected = [Toon::Shared(0), Toon::Shared(1), Toon::Shared(2), Toon::Shared(9), none, none];
    assert_eq!(toons(&old), expected, "a file without names uses the shared ones");
}

/// The base: all programs; it disappears as in Blender's MMD tools.
#[test]
fn morphs_find_their_vertices_through_the_base() {
    let file = File::new().with(|file| {
        file.vertices = vec![vertex(AT, [0, 0], 100); 9];
        file.morphs = vec![
            morph(b"base", 0, &[(7, AT), (2, AT)]),
            morph(BLINK, 2, &[(1, [0.0, 1.0, 0.0]), (0, [1.0, 0.0, 0.0]), (2, [9.0; 3])]),
            morph(b"a", 3, &[]),
        ];
        file.panel = vec![2, 0, 1, 7];
    });
    let (model, report) = lifted_reporting(&file);
    let names: Vec<_> = model.morphs.iter().map(|morph| (model.text(&morph.name), morph.panel)).collect();
    assert_eq!(names, [("まばたき".to_owned(), 2), ("a".to_owned(), 3)]);
    let offset = |vertex, offset| VertexOffset { vertex, offset };
    let offsets = vec![offset(2, [0.0, 1.0, 0.0]), offset(7, [1.0, 0.0, 0.0])];
    assert_eq!(model.morphs[0].offsets, MorphOffsets::Vertex(offsets));
    let [Loss::Dropped { what, .. }] = report.losses.as_slice() else { panic!("{report:?}") };
    assert_eq!(what, "1 offset of morphs");
    let panel = [FrameElement::Morph(pmx::Index(1)), FrameElement::Morph(pmx::Index(0))];
    assert_eq!(model.display_frames[1].elements, panel, "positions do not count the base");
}

#[test]
fn morphs_without_a_base_move_nothing() {
    let file = File::new().with(|file| file.morphs = vec![morph(b"a", 1, &[(0, [1.0; 3])])]);
    let (model, report) = lifted_reporting(&file);
    assert_eq!(model.morphs[0].offsets, MorphOffsets::Vertex(Vec::new()));
    assert_eq!(report.losses.len(), 1);
}

/// The two special frames: PMX files that the PMX editor made of PMD files. Line feeds and counting from 1: files.
#[test]
fn frames_lose_their_line_feeds_and_follow_two_special_ones() {
    let file = File::new().with(|file| {
        file.frames = vec![field(b"IK\n", 50, 0), field(b"arms\r\n", 50, 0)];
        file.framed = vec![(0, 2), (3, 1), (0, 0), (0, 3)];
    });
    let model = lifted(&file);
    let frame = |name: &str, english: &str, special, elements: &[FrameElement]| DisplayFrame {
        name: text(name),
        english_name: text(english),
        special,
        elements: elements.to_vec(),
    };
    let bone = |bone| FrameElement::Bone(pmx::Index(bone));
    let expected = [
        frame("Root", "Root", 1, &[bone(0)]),
        frame("表情", "Exp", 1, &[]),
        frame("IK", "", 0, &[bone(3)]),
        frame("arms", "", 0, &[bone(0)]),
    ];
    assert_eq!(model.display_frames, expected);
}

/// Blender's MMD tools, babylon-mmd.
#[test]
fn bodies_get_positions_in_the_model() {
    let file = File::new().with(|file| {
        file.bones =
            vec![bone(b"a", NONE, 0, 0, 0, [0.0, 8.0, 0.0]), bone(b"b", 0, 0, 0, 0, [1.0, 2.0, 3.0])];
        let bodies =
            [body(b"x", 1, 2, [0.5, 0.25, 0.0]), body(b"y", NONE, 0, [0.0, 1.0, 0.0]), body(b"z", 9, 0, AT)];
        let joints = [joint(b"j", [0, 1]), joint(b"k", [u32::MAX, 2])];
        file.end = [&[0][..], &[0; 1000], &physics(&bodies, &joints)].concat();
    });
    let model = lifted(&file);
    let places: Vec<_> = model.rigid_bodies.iter().map(|body| (body.bone.0, body.position)).collect();
    assert_eq!(places, [(1, [1.5, 2.25, 3.0]), (-1, [0.0, 9.0, 0.0]), (9, [0.0; 3])]);
    let body = &model.rigid_bodies[0];
    assert_eq!((body.group, body.mask, body.shape, body.mode), (3, 0xfff7, 2, 1));
    assert_eq!((body.size, body.rotation), ([1.0, 2.0, 3.0], [0.1, 0.2, 0.3]));
    let dynamics = [body.mass, body.linear_damping, body.angular_damping, body.restitution, body.friction];
    assert_eq!(dynamics, [1.5, 0.5, 0.25, 0.125, 0.75]);
    let joint = &model.joints[0];
    assert_eq!((joint.kind, joint.bodies), (0, [pmx::Index(0), pmx::Index(1)]));
    assert_eq!((joint.linear_max, joint.angular_spring), ([3.0, 3.25, 3.5], [7.0, 7.25, 7.5]));
    assert_eq!(model.joints[1].bodies[0], pmx::Index::NONE);
}
