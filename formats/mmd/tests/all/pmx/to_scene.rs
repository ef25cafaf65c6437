//! Documents as scenes.

use crate::pmx::bytes::{
    BONES, FACES, File, Fill, MATERIALS, MORPHS, Of, PLAIN, VERTICES, bone, material, morph, record, vertex,
};
use crate::pmx::everything::everything;
use crate::pmx::fixtures::{self, leg};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{AlphaMode, Hierarchy, MaterialIndex, MorphDelta, MorphEffect, NodeIndex, Scene};
use dopesheet_mmd::{BASIS, Pmx};

fn convert(bytes: &[u8]) -> (Scene, Report) {
    let mut report = Report::default();
    let scene =
        Pmx::to_scene(&dopesheet_testkit::read::<Pmx>(bytes), &ToScene::default(), &mut report).unwrap();
    (scene, report)
}

fn fixture(name: &str) -> Scene {
    let (_, _, bytes) = fixtures::all().into_iter().find(|(_, own, _)| *own == name).unwrap();
    convert(&bytes).0
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

#[test]
fn bones_become_nodes_placed_from_their_parents() {
    let (scene, _) = convert(&File::small().done());
    assert_eq!(
        (scene.basis, scene.hierarchy, scene.name.as_deref()),
        (BASIS, Hierarchy::Known, Some("ミク"))
    );
    assert_eq!(names(&scene), ["センター", "頭", "ミク"]);
    let [center, head, model] = scene.nodes.as_slice() else { panic!("three nodes") };
    assert_eq!((center.parent, center.source_index), (None, Some(0)));
    assert_eq!((head.parent, head.source_index), (Some(NodeIndex(0)), Some(1)));
    assert_eq!(head.rest.translation, [0.0, 1.5, 0.25]);
    assert_eq!(head.rest.rotation, [0.0, 0.0, 0.0, 1.0]);
    assert_eq!((model.parent, model.source_index), (None, None));
    assert!(model.mesh.is_some() && model.skin.is_some() && model.morphs.is_some());
}

#[test]
fn parents_that_come_later_are_put_first() {
    let scene = fixture("forward-parent");
    assert_eq!(names(&scene), ["頭", "センター", "ミク"]);
    assert_eq!(scene.nodes[1].parent, Some(NodeIndex(0)));
    assert_eq!(
        scene.nodes.iter().map(|node| node.source_index).collect::<Vec<_>>(),
        [Some(1), Some(0), None]
    );
    assert_eq!(scene.skins[0].joints, [NodeIndex(1), NodeIndex(0)], "joints keep the order of the file");
}

#[test]
fn a_circle_of_parents_is_cut() {
    let scene = fixture("parent-cycle");
    assert_eq!(scene.nodes[0].parent, None);
    assert_eq!(scene.nodes[1].parent, Some(NodeIndex(0)));
}

#[test]
fn the_skin_undoes_where_bones_are() {
    let (scene, _) = convert(&File::small().done());
    let head = scene.skins[0].inverse_bind[1];
    assert_eq!(head, [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.5, -0.25, 1.0]);
}

#[test]
fn chains_appends_axes_and_flags_become_a_rig() {
    let (scene, report) = convert(&everything());
    let rig = &scene.rig;
    let node = |name: &str| NodeIndex(names(&scene).iter().position(|own| *own == name).unwrap());
    assert_eq!(rig.joints.len(), 6);
    let all = rig.joints.iter().find(|joint| joint.node == node("捩")).unwrap();
    assert_eq!((all.level, all.after_physics, all.fixed_axis), (2, true, Some([1.0, 0.0, 0.0])));
    let append = all.append.unwrap();
    assert_eq!((append.source, append.ratio), (node("膝"), -0.5));
    assert!(append.rotation && append.translation && append.local);
    let [chain] = rig.ik.as_slice() else { panic!("one chain") };
    assert_eq!(
        (chain.goal, chain.effector, chain.iterations, chain.step_rad),
        (node("足ＩＫ"), node("足首"), 40, 2.0)
    );
    assert_eq!(chain.links.iter().map(|link| link.node).collect::<Vec<_>>(), [node("ひざ"), node("足")]);
    assert_eq!(chain.links[0].limit.unwrap().min_rad, [-3.0, 0.0, 0.0]);
    assert!(
        !report.losses.iter().any(|loss| matches!(loss, Loss::Dropped { what, .. } if what.contains("IK")))
    );
}

#[test]
fn what_points_at_no_bone_is_left_out_and_counted() {
    let chain = leg(-1, |r| r.f(&[0.0; 3]).at(Of::Bone, 2).i32(40).f(&[2.0]).i32(1).at(Of::Bone, 99).u8(0));
    let chain = chain.with(
        BONES,
        crate::pmx::bytes::bone_with(PLAIN, ("先", [0.0; 3], -1), (0, 0x3e), |r| {
            r.f(&[0.0; 3]).at(Of::Bone, -7).i32(40).f(&[2.0]).i32(0)
        }),
    );
    let (scene, report) = convert(&chain.done());
    assert_eq!((scene.rig.ik.len(), scene.rig.ik[0].links.len()), (1, 0));
    insta::assert_snapshot!(losses(&report), @r"
    dropped 1 IK chain: points at no bone of the model
    dropped 1 IK link: points at no bone of the model
    ");
}

fn losses(report: &Report) -> String {
    let line = |loss: &Loss| match loss {
        Loss::Kept { what } => format!("kept {what}"),
        Loss::KeptAsData { what } => format!("kept as data {what}"),
        Loss::Bounded { what, bound, unit } => format!("approximated {what}: {bound:.4} {}", unit.symbol()),
        Loss::Approximated { what, max_error, .. } | Loss::Unsampled { what, max_error } => {
            format!(
                "approximated {what}: {:.4} {} at {}",
                max_error.value,
                max_error.unit.symbol(),
                max_error.target
            )
        }
        Loss::Dropped { what, why } => format!("dropped {what}: {why}"),
    };
    report.losses.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_material_gets_the_vertices_that_it_uses() {
    let (scene, _) = convert(&everything());
    let [mesh] = scene.meshes.as_slice() else { panic!("one mesh") };
    assert_eq!(mesh.name, "全部");
    let [square, corner] = mesh.primitives.as_slice() else { panic!("two primitives") };
    assert_eq!((square.material, corner.material), (Some(MaterialIndex(0)), Some(MaterialIndex(1))));
    assert_eq!(square.indices, [0, 1, 2, 2, 1, 3]);
    assert_eq!(square.positions, [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    assert_eq!(corner.indices, [0, 1, 2]);
    assert_eq!(corner.positions, [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]]);
    assert_eq!(corner.joints[1].weights, [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(square.joints[2].weights, [0.5, 0.25, 0.25, 0.0]);
}

#[test]
fn morphs_move_their_vertices_in_every_primitive() {
    let (scene, _) = convert(&everything());
    assert_eq!(scene.morph_sets[0].morphs, ["頂点", "UV", "UV1", "UV2"]);
    let [square, corner] = scene.meshes[0].primitives.as_slice() else { panic!("two primitives") };
    // Vertex 2 is third in the square and first in the corner.
    assert_eq!(square.morphs[0].positions, [(2, [0.0, 0.5, 0.25])]);
    assert_eq!(corner.morphs[0].positions, [(0, [0.0, 0.5, 0.25])]);
    assert_eq!(square.morphs[1].uv_sets, [[(1, [0.25, 0.5])]]);
    assert_eq!(square.morphs[3].uv_sets, [vec![], vec![], vec![(1, [0.25, 0.5])]]);
    assert_eq!(corner.morphs[1..], vec![MorphDelta::default(); 3]);
}

#[test]
fn additional_coordinates_are_further_sets_by_their_first_two_numbers() {
    let (scene, report) = convert(&everything());
    let [square, corner] = scene.meshes[0].primitives.as_slice() else { panic!("two primitives") };
    assert_eq!(square.uv_sets[1..], [[[0.0, 0.5]; 4], [[1.0, 0.5]; 4]]);
    assert_eq!(corner.uv_sets[1..], [[[0.0, 0.5]; 3], [[1.0, 0.5]; 3]]);
    let losses = losses(&report);
    let lost =
        "dropped the third and fourth numbers of 2 additional texture coordinates: texture coordinates of";
    assert!(losses.contains(lost), "{losses}");
    assert!(losses.contains("additional-UV (UV3) morph") && !losses.contains("(UV2)"), "{losses}");
}

#[test]
fn offsets_of_one_vertex_add_up_and_stand_in_order() {
    let offset = |vertex, up| record(PLAIN, |r| r.at(Of::Vertex, vertex).f(&[0.0, up, 0.0]));
    let file = File::small().replacing(
        MORPHS,
        0,
        morph(PLAIN, "あ", 1, &[offset(2, 1.0), offset(0, 0.25), offset(2, 0.5)]),
    );
    let (scene, _) = convert(&file.done());
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.indices, [0, 1, 2, 2, 1, 3]);
    assert_eq!(primitive.morphs[0].positions, [(0, [0.0, 0.25, 0.0]), (3, [0.0, 1.5, 0.0])]);
}

#[test]
fn all_morphs_stand_in_the_rig_in_the_order_of_the_file() {
    let (scene, _) = convert(&everything());
    let morphs = &scene.rig.morphs;
    assert_eq!(morphs.len(), 11);
    assert_eq!(morphs[0].effect, MorphEffect::Group(vec![(1, 0.5)]));
    assert_eq!((morphs[1].name.as_str(), &morphs[1].effect), ("頂点", &MorphEffect::Surface));
    let MorphEffect::Joints(offsets) = &morphs[2].effect else { panic!("a bone morph") };
    assert_eq!(offsets[0].translation, [0.0, 1.0, 0.0]);
    assert!((offsets[0].rotation[1] - 0.6).abs() < 1e-7);
    assert_eq!(morphs[9].effect, MorphEffect::Flip(vec![(2, 1.0)]));
    assert_eq!(morphs[10].effect, MorphEffect::Surface);
}

#[test]
fn materials_look_as_under_the_light_of_mikumikudance() {
    let (scene, _) = convert(&File::small().done());
    let face = &scene.materials[0];
    // min(1, 0.25 + 0.602 · 0.5), min(1, 0.125 + 0.602 · 0.25) and min(1, 0.5 + 0.602) as amounts of light.
    for (found, shown) in face.base_color.iter().zip([0.551, 0.2755, 1.0_f64]) {
        assert!((found - ((shown + 0.055) / 1.055).powf(2.4)).abs() < 1e-6, "{found}");
    }
    assert_eq!((face.base_color[3], face.metallic, face.roughness), (1.0, 0.0, 1.0));
    assert_eq!((face.alpha, face.double_sided), (AlphaMode::Opaque, true));
    let notes = face.extras.as_ref().unwrap();
    assert_eq!((&notes["texture"], &notes["toon"]), (&"tex\\face.png".into(), &"toon01.bmp".into()));
    assert_eq!(notes["memo"], "memo");
}

#[test]
fn what_a_scene_has_no_room_for_is_said() {
    insta::assert_snapshot!(losses(&convert(&everything()).1));
}

#[test]
fn physics_and_display_frames_are_notes_on_the_model() {
    let (scene, _) = convert(&everything());
    insta::assert_json_snapshot!(scene.nodes.last().unwrap().extras);
}

#[test]
fn triangles_without_material_or_with_corners_astray_are_dropped() {
    let file =
        [0, 1, 9, 0, 1, 2].into_iter().fold(File::small(), |file, index| file.with(FACES, vec![index]));
    let plain = |indices| {
        material(PLAIN, indices, |r| {
            r.at(Of::Texture, -1).at(Of::Texture, -1).u8(0).u8(0).at(Of::Texture, -1)
        })
    };
    let file = file.replacing(MATERIALS, 0, plain(3)).with(MATERIALS, plain(-3)).with(MATERIALS, plain(6));
    let (scene, report) = convert(&file.done());
    assert_eq!(
        scene.meshes[0].primitives.iter().map(|p| p.material).collect::<Vec<_>>(),
        [Some(MaterialIndex(0)), Some(MaterialIndex(2))]
    );
    assert_eq!(scene.materials.len(), 3);
    insta::assert_snapshot!(losses(&report), @r"
    dropped 1 triangle: belongs to no material
    dropped 1 triangle: has a corner that is no vertex of the model
    ");
}

#[test]
fn numbers_that_are_not_finite_become_zero() {
    let scene = fixture("nonfinite");
    assert_eq!(scene.nodes[1].rest.translation, [0.0; 3]);
    let odd = vertex(PLAIN, [f32::NAN, 1.0, f32::NEG_INFINITY], |r| r.u8(0).at(Of::Bone, 0));
    let (scene, _) = convert(&File::small().replacing(VERTICES, 0, odd).done());
    assert_eq!(scene.meshes[0].primitives[0].positions[0], [0.0, 1.0, 0.0]);
}

#[test]
fn vertices_that_many_materials_share_do_not_multiply_morphs_without_bound() {
    let plain =
        material(PLAIN, 3, |r| r.at(Of::Texture, -1).at(Of::Texture, -1).u8(0).u8(0).at(Of::Texture, -1));
    let mut file = File::small();
    file.sections[FACES] = [0_u8, 3, 1].repeat(2500).into_iter().map(|index| vec![index]).collect();
    file.sections[MATERIALS] = vec![plain; 2500];
    file.sections[MORPHS] = vec![morph(PLAIN, "あ", 1, &[]); 2000];
    let document = dopesheet_testkit::read::<Pmx>(&file.done());
    let error = Pmx::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(
        error.to_string(),
        @"pmx: 5,000,000 offsets of morphs for vertices that materials share (at most 4,194,304)"
    );
}

#[test]
fn a_model_of_bones_alone_has_no_mesh() {
    let file = File::empty(PLAIN).with(BONES, bone(PLAIN, "センター", [0.0; 3], -1));
    let (scene, report) = convert(&file.done());
    assert_eq!((names(&scene).len(), scene.meshes.len(), scene.skins.len()), (2, 0, 0));
    assert_eq!(report, Report::default());
}

/// Dropped morphs, with reasons.
fn dropped_morphs(report: &Report) -> Vec<String> {
    let dropped = report.losses.iter().filter_map(|loss| match loss {
        Loss::Dropped { what, why } => Some(format!("{what}: {why}")),
        _ => None,
    });
    dropped.filter(|text| text.contains("morph")).collect()
}

#[test]
fn several_morphs_of_a_kind_are_said_together() {
    let tint: Fill = |r| r.at(Of::Material, -1).u8(1).f(&[0.5; 28]);
    let tints = [record(PLAIN, tint), record(PLAIN, tint)];
    let file = File::small()
        .with(MORPHS, morph(PLAIN, "赤", 8, &tints))
        .with(MORPHS, morph(PLAIN, "青", 8, &tints[..1]));
    let (_, report) = convert(&file.done());
    let expected =
        "2 material morphs: 赤 (2 offsets), 青 (1 offset): a scene has no room for what it changes";
    assert_eq!(dropped_morphs(&report), [expected]);
}

#[test]
fn english_names_stand_beside_the_own_ones() {
    let (scene, _) = convert(&File::small().done());
    assert_eq!(scene.english.model.as_deref(), Some("Miku"));
    assert!(scene.english.nodes.is_empty(), "empty names are none: {:?}", scene.english.nodes);
    assert_eq!(scene.english.materials.get("顔").map(String::as_str), Some("face"));
}
