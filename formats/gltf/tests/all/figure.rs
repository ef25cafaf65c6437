//! Meshes, skins and materials of glTF files.

use crate::common::*;
use base64::Engine as _;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Edit, Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_core::model::*;
use dopesheet_gltf::gltf::Document;
use dopesheet_gltf::{Glb, Gltf};
use dopesheet_testkit as testkit;
use std::sync::Arc;

/// One white pixel.
#[rustfmt::skip]
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00,
    0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00, 0xb1, 0x38, 0xf6,
    0x14, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

const fn on(uv_set: u8, image: usize) -> MaterialImage {
    MaterialImage { image: ImageIndex(image), uv_set }
}

/// A bent strip of four triangles on two joints, with everything a surface, a morph and a material can say.
fn figure() -> Scene {
    let mut scene = scene(&[("root", None), ("hip", Some(0)), ("knee", Some(1)), ("skin", None)]);
    let positions: Vec<[f32; 3]> =
        (0..6).map(|n| [(n % 2) as f32, (n / 2) as f32 * 0.1, 0.3 / (n + 1) as f32]).collect();
    let bound = |n: usize| VertexJoints {
        joints: [0, 1, 0, 0],
        weights: [0.3 + n as f32 * 0.1, 0.7 - n as f32 * 0.1, 0.0, 0.0],
    };
    let primitive = Primitive {
        normals: vec![[0.0, 0.6, 0.8]; 6],
        tangents: [1.0, -1.0].map(|sign| vec![[0.0, 0.8, -0.6, sign]; 3]).concat(),
        uv_sets: [6.0, -7.0].map(|part| (0..6).map(|n| [n as f32 / part, 0.5]).collect()).to_vec(),
        colors: [7.0, 9.0].map(|part| (0..6).map(|n| [n as f32 / part, 0.1, 0.7, 0.3]).collect()).to_vec(),
        joints: (0..6).map(bound).collect(),
        indices: vec![0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5],
        material: Some(MaterialIndex(0)),
        morphs: vec![
            MorphDelta {
                positions: vec![(1, [0.0, 0.1, 0.0])],
                normals: vec![(1, [0.1, 0.2, -0.3]), (4, [0.0, 0.0, 1.0 / 3.0])],
                tangents: vec![(2, [0.7, 0.0, 0.0])],
                uv_sets: vec![vec![(2, [0.25, 0.0])], vec![(3, [0.0, 0.1])]],
            },
            MorphDelta::default(),
        ],
        positions,
    };
    scene.meshes.push(Mesh { name: "leg".into(), primitives: vec![primitive] });
    let names = vec!["bulge".into(), "still".into()];
    scene.morph_sets.push(MorphSet { name: "leg".into(), morphs: names, rest: vec![0.25, 0.0] });
    let mut away = [0.0; 16];
    for n in [0, 5, 10, 15] {
        away[n] = 1.0;
    }
    let mut bent = away;
    bent[13] = f64::from(-0.1_f32);
    let joints = vec![NodeIndex(1), NodeIndex(2)];
    scene.skins.push(Skin { name: "legs".into(), joints, inverse_bind: vec![away, bent] });
    for name in ["skin", "glow", "pores"] {
        scene.images.push(Image { name: name.into(), media_type: "image/png", bytes: Arc::from(PNG) });
    }
    scene.materials.push(Material {
        name: "skin".into(),
        base_color: [0.5, 0.25, 1.0, 0.75],
        base_color_image: Some(on(1, 0)),
        emissive: [0.0, 0.5, 0.0],
        emissive_image: Some(on(0, 1)),
        normal_map: Some(NormalMap { image: on(0, 2), scale: 0.5 }),
        metallic: 0.0,
        roughness: 0.5,
        alpha: AlphaMode::Mask(0.25),
        double_sided: true,
        unlit: true,
        extras: Some(serde_json::json!({"shader": "toon"})),
    });
    let node = &mut scene.nodes[3];
    (node.mesh, node.skin) = (Some(MeshIndex(0)), Some(SkinIndex(0)));
    node.morphs = Some(MorphSetIndex(0));
    scene
}

fn same_figure(a: &Scene, b: &Scene) {
    assert_eq!(a.meshes, b.meshes);
    assert_eq!(a.skins, b.skins);
    assert_eq!(a.materials, b.materials);
    assert_eq!(a.images, b.images);
    assert_eq!(a.morph_sets, b.morph_sets);
    let placed = |scene: &Scene| -> Vec<_> {
        scene.nodes.iter().map(|n| (n.name.clone(), n.mesh, n.skin, n.morphs)).collect()
    };
    assert_eq!(placed(a), placed(b));
}

#[test]
fn a_figure_comes_back_as_it_went() {
    let scene = figure();
    let (document, report) = written("figure", &scene);
    assert_eq!(report, Report::default());
    let (back, report) = to_scene(&document);
    same_figure(&back, &scene);
    assert_eq!(report, Report::default());
    let (again, _) = written("figure-again", &back);
    same_figure(&to_scene(&again).0, &scene);
    assert_eq!(again.json, document.json);
}

#[test]
fn the_sample_character_keeps_its_figure() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/character.glb");
    let (document, _) = testkit::read_reporting::<Glb>(&testkit::bytes(&path));
    let (first, _) = to_scene(&document);
    let triangles: usize = first.meshes.iter().flat_map(|m| &m.primitives).map(|p| p.indices.len() / 3).sum();
    assert_eq!((first.meshes.len(), first.materials.len(), triangles), (1, 1, 12));
    assert!(first.nodes.iter().filter(|node| node.mesh.is_some()).count() > 10);
    let (second, _) = to_scene(&written("character", &first).0);
    same_figure(&first, &second);
    assert_eq!(first.nodes, second.nodes);
}

#[test]
fn texture_coordinates_stay_where_the_picture_was_not_found() {
    let mut scene = figure();
    let material = &mut scene.materials[0];
    (material.base_color_image, material.emissive_image, material.normal_map) = (None, None, None);
    let (document, report) = written("figure-plain", &scene);
    assert_eq!(report, Report::default());
    let (back, _) = to_scene(&document);
    assert_eq!(back.meshes, scene.meshes);
    // Nothing can be put on a single point of a picture.
    scene.meshes[0].primitives[0].uv_sets = vec![vec![[0.5, 0.5]; 6]];
    assert!(!written("figure-plain", &scene).0.json.contains("TEXCOORD_0"));
}

/// One primitive over six vertices, with its members after the positions.
fn drawn(members: &str) -> Draft {
    let json = format!(
        concat!(
            r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"#,
            r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0@ATTRIBUTES}}{}}}]}}],@MORE"#,
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3"}},"#,
            r#"{{"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"}},"#,
            r#"{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC4"}}],"#,
            r#""bufferViews":[{{"buffer":0,"byteLength":72}},{{"buffer":0,"byteOffset":72,"byteLength":8}}],"#,
            r#""buffers":[{{@BUFFER}}]}}"#
        ),
        members
    );
    let positions: Vec<f32> = (0..18).map(|n| n as f32).collect();
    let mut data = floats(&positions);
    data.extend([5, 4, 3, 2, 1, 0, 0, 0]);
    Draft { json, data }
}

/// The scene of a draft, and the things dropped, as `what: why`.
fn shown(draft: Draft) -> (Scene, Vec<String>) {
    let text = draft.json.replace("@ATTRIBUTES", "").replace("@MORE", "");
    let (scene, report) = to_scene(&try_read(&Draft { json: text, ..draft }.glb()).unwrap());
    let dropped = report.losses.iter().map(|loss| match loss {
        Loss::Dropped { what, why } => format!("{what}: {why}"),
        other => panic!("{other:?}"),
    });
    (scene, dropped.collect())
}

#[test]
fn every_way_of_listing_triangles_becomes_one() {
    for (members, indices) in [
        ("", &[0, 1, 2, 3, 4, 5][..]),
        (r#","indices":1"#, &[5, 4, 3, 2, 1, 0]),
        (r#","mode":5"#, &[0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4]),
        (r#","mode":6"#, &[1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0]),
        (r#","mode":5,"indices":1"#, &[5, 4, 3, 4, 2, 3, 3, 2, 1, 2, 0, 1]),
    ] {
        let (scene, dropped) = shown(drawn(members));
        assert_eq!(scene.meshes[0].primitives[0].indices, indices, "{members}");
        assert_eq!(scene.meshes[0].primitives[0].positions[5], [15.0, 16.0, 17.0]);
        assert!(dropped.is_empty(), "{dropped:?}");
    }
}

#[test]
fn what_has_no_place_is_said() {
    let base = || drawn("");
    let attribute = |name: &str| base().swap("@ATTRIBUTES", &format!(",\"{name}\":0"));
    let extension = r#","extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{}}}"#;
    for (draft, meshes, words) in [
        (drawn(r#","mode":0"#), 0, "points or lines (1)"),
        (drawn(r#","mode":3"#), 0, "points or lines (1)"),
        (drawn(extension), 0, "Draco primitives (1)"),
        (attribute("TANGENT"), 1, "another type or count"),
        (attribute("COLOR_0"), 1, ""),
        (attribute("TEXCOORD_1"), 1, "another type or count"),
        (attribute("TEXCOORD_256"), 1, "programs' own (1)"),
        (attribute("COLOR_00"), 1, "programs' own (1)"),
        (attribute("JOINTS_1"), 1, "further joints of primitives (1)"),
        (attribute("_AGE"), 1, "programs' own (1)"),
        (attribute("TEXCOORD_0"), 1, "another type or count"),
        (drawn(r#","targets":[{"NORMAL":0,"TANGENT":0}]"#), 1, ""),
        (drawn(r#","targets":[{"COLOR_0":0}]"#), 1, "colours and other attributes of morph targets (1)"),
        (base().swap("\"count\":6,\"type\":\"SCALAR\"", "\"count\":4,\"type\":\"SCALAR\""), 1, ""),
    ] {
        let (scene, dropped) = shown(draft.clone());
        assert_eq!(scene.meshes.len(), meshes, "{words}: {}", draft.json);
        match words {
            "" => assert!(dropped.is_empty()),
            words => assert!(dropped.iter().any(|line| line.contains(words)), "{words}: {dropped:?}"),
        }
        assert_eq!(scene.nodes[0].mesh.is_some(), meshes > 0);
    }
}

/// A triangle with colours of a kind of number.
fn colored(component: u32, shape: &str, normalized: bool, colors: &[u8]) -> Draft {
    let json = format!(
        concat!(
            r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"#,
            r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"COLOR_0":1}}}}]}}],"#,
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},"#,
            r#"{{"bufferView":1,"componentType":{},"normalized":{},"count":3,"type":"{}"}}],"#,
            r#""bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":{}}}],"#,
            r#""buffers":[{{@BUFFER}}]}}"#
        ),
        component,
        normalized,
        shape,
        colors.len()
    );
    Draft { json, data: [&floats(&[0.0; 9]), colors].concat() }
}

#[test]
fn colours_of_every_kind_of_number_become_the_shares_that_they_stand_for() {
    let shorts: Vec<u8> = [0_u16, 1, 65535].repeat(4).into_iter().flat_map(u16::to_le_bytes).collect();
    let share = |number: f32, of: f32| (f64::from(number) / f64::from(of)) as f32;
    let small = [0.1, 0.25, 1.0, 0.0, 0.5, 0.75, 1e-30, 0.3, 0.9];
    for (draft, first, last) in [
        (colored(5121, "VEC4", true, &(1..=12).collect::<Vec<u8>>()), share(1.0, 255.0), share(12.0, 255.0)),
        (colored(5123, "VEC4", true, &shorts), 0.0, 1.0),
        (colored(5126, "VEC3", false, &floats(&small)), 0.1, 1.0),
    ] {
        let (scene, report) = to_scene(&try_read(&draft.glb()).unwrap());
        assert_eq!(report, Report::default());
        let colors = &scene.meshes[0].primitives[0].colors;
        assert_eq!((colors.len(), colors[0].len()), (1, 3));
        assert_eq!([colors[0][0][0], colors[0][2][3]].map(f32::to_bits), [first, last].map(f32::to_bits));
        let (back, _) = to_scene(&written("figure-colors", &scene).0);
        let bits = |scene: &Scene| {
            scene.meshes[0].primitives[0].colors[0]
                .as_flattened()
                .iter()
                .map(|x| x.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&back), bits(&scene));
    }
}

#[test]
fn colours_that_are_no_numbers_or_beyond_the_range_are_told() {
    let odd = [f32::NAN, 0.5, 0.5, f32::INFINITY, 1.0, 1.0, 1.0, 1.75, -0.5, 0.0, 0.0, 0.0];
    let (scene, report) = to_scene(&try_read(&colored(5126, "VEC4", false, &floats(&odd)).glb()).unwrap());
    let words: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    assert_eq!(words, ["dropped: numbers of COLOR_0 (1): 0 replaces infinities and NaN"]);
    assert_eq!(scene.meshes[0].primitives[0].colors[0][0], [0.0, 0.5, 0.5, 0.0]);
    let (document, report) = written("figure-bright", &scene);
    let [Loss::Approximated { what, max_error, .. }] = &report.losses[..] else { panic!("{report:?}") };
    assert_eq!((&**what, max_error.value), ("vertex colours outside 0 to 1, which glTF clamps", 0.75));
    assert_eq!(to_scene(&document).0.meshes[0].primitives[0].colors[0][1], [1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn colours_of_another_count_than_the_positions_are_told_by_their_reason() {
    let draft = colored(5121, "VEC4", true, &[9; 12]);
    let short = draft.swap(r#""normalized":true,"count":3"#, r#""normalized":true,"count":2"#);
    let (scene, report) = to_scene(&try_read(&short.glb()).unwrap());
    assert!(scene.meshes[0].primitives[0].colors[0].is_empty());
    assert!(report.losses[0].to_string().contains("another type or count than the positions ask for"));
}

#[test]
fn sixty_four_sets_of_texture_coordinates_come_back() {
    let mut scene = figure();
    let set = |n: usize| (0..6).map(|v| [v as f32 / 3.0, n as f32]).collect();
    scene.meshes[0].primitives[0].uv_sets = (0..64).map(set).collect();
    scene.materials[0].base_color_image = Some(on(63, 0));
    let (document, report) = written("figure-64-sets", &scene);
    assert_eq!(report, Report::default());
    let (back, report) = to_scene(&document);
    same_figure(&back, &scene);
    assert_eq!(report, Report::default());
}

#[test]
fn tangents_and_morphed_normals_without_normals_are_told() {
    let mut scene = figure();
    scene.meshes[0].primitives[0].normals.clear();
    let (document, report) = written("figure-bare", &scene);
    let words: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    let lost = "dropped: tangents and directions of morphs of 1 primitive: glTF has them beside normals only";
    assert_eq!(words, [lost]);
    assert!(!document.json.contains("TANGENT") && !document.json.contains("NORMAL"));
}

#[test]
fn all_morphs_of_a_primitive_state_normals_if_any_does() {
    let (document, _) = written("figure-normals-of-morphs", &figure());
    let json: serde_json::Value = serde_json::from_str(&document.json).unwrap();
    let targets = json["meshes"][0]["primitives"][0]["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 2);
    assert!(targets.iter().all(|target| target["NORMAL"].is_u64() && target["TANGENT"].is_u64()));
}

#[test]
fn triangles_without_vertices_are_left_out() {
    let mut draft = drawn(r#","indices":1"#);
    draft.data[72] = 9;
    let (scene, dropped) = shown(draft);
    assert_eq!(scene.meshes[0].primitives[0].indices, [2, 1, 0]);
    assert_eq!(dropped.len(), 1);
}

#[test]
fn materials_say_what_a_scene_has_no_place_for() {
    let material = concat!(
        r#""materials":[{"occlusionTexture":{"index":0},"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"#,
        r#""extensions":{"KHR_texture_transform":{"scale":[2,2]}}}},"extensions":{"KHR_materials_ior":{}}}],"#,
        r#""textures":[{"source":0,"sampler":0}],"samplers":[{}],"images":[{"uri":"@URI"}],"#
    );
    for (uri, images, lost) in [
        ("data:image/png;base64,iVBORw0KGgo=", 1, 4),
        ("data:image/webp;base64,UklGRg==", 0, 5),
        ("data:image/png;base64,***", 0, 5),
        ("elsewhere.png", 0, 5),
    ] {
        let text = material.replace("@URI", uri);
        let (scene, dropped) = shown(drawn(r#","material":0"#).swap("@MORE", &text));
        assert_eq!((scene.images.len(), dropped.len()), (images, lost), "{uri}: {dropped:?}");
        assert_eq!(scene.materials[0].base_color_image.is_some(), images == 1);
    }
}

#[test]
fn pictures_of_a_material_keep_their_sets_of_texture_coordinates() {
    let more = concat!(
        r#""materials":[{"normalTexture":{"index":0,"texCoord":1,"scale":-2},"#,
        r#""pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":256}},"#,
        r#""emissiveTexture":{"index":0}}],"textures":[{"source":0}],"#,
        r#""images":[{"uri":"data:image/png;base64,iVBORw0KGgo="}],"#
    );
    let (scene, dropped) = shown(drawn(r#","material":0"#).swap("@MORE", more));
    let material = &scene.materials[0];
    assert_eq!(material.normal_map, Some(NormalMap { image: on(1, 0), scale: -2.0 }));
    assert_eq!((material.emissive_image, material.base_color_image), (Some(on(0, 0)), None));
    assert_eq!(dropped, ["pictures (1): a scene has at most 256 sets of texture coordinates"]);
    let (document, _) = written("figure-sets", &scene);
    let (back, _) = to_scene(&document);
    assert_eq!(back.materials, scene.materials);
    assert_eq!(
        back.meshes[0].primitives[0].uv_sets,
        [[[0.0; 2]; 6], [[0.0; 2]; 6]],
        "the pictures need them"
    );
}

#[test]
fn normal_and_emissive_pictures_alone_ask_for_texture_coordinates() {
    let mut scene = figure();
    scene.materials[0].base_color_image = None;
    scene.meshes[0].primitives[0].uv_sets = vec![vec![[0.5, 0.5]; 6]];
    let (document, _) = written("figure-normals", &scene);
    assert!(document.json.contains("TEXCOORD_0") && !document.json.contains("TEXCOORD_1"));
    let (back, _) = to_scene(&document);
    let material = &back.materials[0];
    assert_eq!(back.images.len(), 2, "a picture that nothing shows is left out");
    assert_eq!(material.emissive_image, Some(on(0, 0)));
    assert_eq!(material.normal_map, Some(NormalMap { image: on(0, 1), scale: 0.5 }));
}

#[test]
fn pictures_beside_the_main_file_are_taken() {
    let more = concat!(
        r#""materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":1}}}],"#,
        r#""textures":[{"source":0}],"images":[{"uri":"a%20b.png","name":"ab"}],"#
    );
    let draft = drawn(r#","material":0"#).swap("@MORE", more);
    let text = Draft { json: draft.json.replace("@ATTRIBUTES", ""), data: draft.data }.gltf();
    let mut source = Source::new(&text);
    source.resources.insert("a b.png".into(), PNG.to_vec());
    let document = Gltf::read(&source, &ReadOptions::default(), &mut Report::default()).unwrap();
    let scene = Gltf::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    assert_eq!((&*scene.images[0].name, &*scene.images[0].bytes), ("ab", PNG));
}

#[test]
fn indices_of_figures_must_lead_somewhere() {
    for (members, more) in [
        (r#","material":0"#, ""),
        (r#","indices":3"#, ""),
        (r#","targets":[{"POSITION":9}]"#, ""),
        ("", r#""textures":[{"source":0}],"#),
        ("", r#""images":[{"bufferView":7}],"#),
        ("", r#""materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"#),
        ("", r#""materials":[{"normalTexture":{"index":0}}],"#),
        ("", r#""materials":[{"emissiveTexture":{"index":0}}],"#),
    ] {
        let draft = drawn(members);
        let json = draft.json.replace("@ATTRIBUTES", "").replace("@MORE", more);
        let error = try_read(&Draft { json, ..draft }.glb()).unwrap_err();
        assert_eq!(error.fault.code, "UNRESOLVED_REFERENCE", "{members} {more}");
    }
}

#[test]
fn a_small_file_cannot_become_a_huge_figure() {
    let primitive = r#"{"attributes":{"POSITION":0}}"#;
    let many = vec![primitive; 3_000].join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{many}]}}],"accessors":[{{"componentType":5126,"count":16777216,"type":"VEC3"}}]}}"#
    );
    let (scene, report) = to_scene(&try_read(&glb(&json, None)).unwrap());
    assert!(scene.meshes.is_empty());
    assert_eq!(report.losses.len(), 1, "{:?}", report.losses);
}

#[test]
fn empty_sets_of_coordinates_count_as_numbers() {
    let target = r#"{"TEXCOORD_255":1}"#;
    let many = vec![target; 20_000].join(",");
    let json = format!(
        concat!(
            r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{}]}}]}}],"#,
            r#""accessors":[{{"componentType":5126,"count":3,"type":"VEC3"}},"#,
            r#"{{"componentType":5126,"count":3,"type":"VEC2"}}]}}"#
        ),
        many
    );
    let (scene, report) = to_scene(&try_read(&glb(&json, None)).unwrap());
    assert!(scene.meshes.is_empty());
    let lost = "dropped: primitives (1): they have more numbers than the size of the file allows for";
    assert_eq!(report.losses.iter().map(ToString::to_string).collect::<Vec<_>>(), [lost]);
}

#[test]
fn a_figure_is_written_beside_compressed_motion() {
    let mut scene = figure();
    let times: Vec<f64> = (0..200).map(f64::from).collect();
    let values: Vec<f32> = (0..600).map(|n| (n as f32 * 0.01).sin()).collect();
    let track = joint(&scene, 1, vec![moves(&times, &values)]);
    scene.clips.push(clip("bob", 199.0, vec![track]));
    let options = FromScene { variant: Some("meshopt".into()), ..FromScene::default() };
    let (document, _) = written_with("figure-meshopt", &scene, &options);
    let (back, _) = to_scene(&document);
    same_figure(&back, &scene);
    assert_eq!(back.clips.len(), 1);
}

/// A `.gltf` with pictures, as `name`-less images of these members, and a buffer if it has one.
fn pictured(images: &[String], buffer: &str) -> Vec<u8> {
    format!(
        r#"{{"asset":{{"version":"2.0"}},{buffer}"images":[{}],"textures":[{{"source":0}}]}}"#,
        images.join(",")
    )
    .into_bytes()
}

fn data_uri(kind: &str, bytes: &[u8]) -> String {
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!(r#"{{"name":"p","uri" : "data:{kind};base64,{data}"}}"#)
}

/// The GLB of a `.gltf`, its text, and the pictures in its views with their media types.
fn packed(gltf: &[u8]) -> (Document, serde_json::Value, Vec<(String, Vec<u8>)>) {
    let text = try_read(gltf).unwrap();
    let written = Glb::write(&text, &WriteOptions::default()).unwrap();
    assert!(written.resources.is_empty());
    let document = try_read(&written.main).unwrap();
    let json: serde_json::Value = serde_json::from_str(&document.json).unwrap();
    let number = |value: &serde_json::Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let bin = document.buffer(0).unwrap();
    let images = json["images"].as_array().unwrap().iter().filter(|image| image["uri"].is_null());
    let pictures = images.map(|image| {
        let view = &json["bufferViews"][number(&image["bufferView"])];
        assert_eq!(view["buffer"], 0);
        let start = number(&view["byteOffset"]);
        let bytes = bin[start..start + number(&view["byteLength"])].to_vec();
        (image["mimeType"].as_str().unwrap().to_owned(), bytes)
    });
    let pictures = pictures.collect();
    (document, json, pictures)
}

#[test]
fn pictures_in_data_uris_are_packed_into_a_glb() {
    let png = ("image/png".to_owned(), PNG.to_vec());
    let images = [
        data_uri("image/png", PNG),
        // What the bytes are counts, whatever the text says.
        data_uri("application/octet-stream", PNG),
        data_uri("image/webp", b"RIFF-not-known-here"),
    ];
    let webp = ("image/webp".to_owned(), b"RIFF-not-known-here".to_vec());
    let with_buffer = r#""buffers":[{"byteLength":5,"uri":"data:;base64,AQIDBAU="}],"bufferViews":[{"buffer":0,"byteLength":5}],"#;
    for buffer in ["", with_buffer] {
        let (document, json, pictures) = packed(&pictured(&images, buffer));
        assert_eq!(pictures, [png.clone(), png.clone(), webp.clone()], "{buffer}");
        assert!(!document.json.contains("data:"));
        assert_eq!(json["buffers"].as_array().unwrap().len(), 1);
        assert_eq!(json["images"][0]["name"], "p");
        if !buffer.is_empty() {
            assert_eq!(document.buffer(0).unwrap()[..5], [1, 2, 3, 4, 5]);
        }
    }
}

#[test]
fn a_picture_of_unknown_kind_stays_in_the_text_of_a_glb() {
    let unknown = data_uri("application/octet-stream", b"?");
    let (document, json, pictures) = packed(&pictured(&[unknown, data_uri("image/png", PNG)], ""));
    assert_eq!(pictures.len(), 1);
    assert!(document.json.contains("data:application/octet-stream"));
    assert_eq!(json["images"][1]["bufferView"], 0);
}

/// The figure with a material of the same name before its own, which nothing shows, and colours that move.
fn flickering() -> Scene {
    let mut scene = figure();
    scene.materials.insert(0, Material { base_color: [0.0; 4], ..scene.materials[0].clone() });
    scene.meshes[0].primitives[0].material = Some(MaterialIndex(1));
    let fades = curve(&[0.0, 0.5, 2.0], 4, &[1., 0., 0., 1., 1., 1., 0., 0.5, 0., 0., 1., 0.], Law::LINEAR);
    let glows = cubic(&[0.0, 2.0], 3, &[0., 0., 0., 1., 1., 1.], &[0.0; 6], &[2., 1., 0., 0., 0., 0.]);
    let channels =
        vec![Channel::whole(Property::BASE_COLOR, fades), Channel::whole(Property::EMISSIVE, glows)];
    let target = Target::new(TargetKind::Custom, "skin", 1, None);
    scene.clips.push(clip("flicker", 2.0, vec![Track { target, channels }]));
    scene
}

#[test]
fn moving_colours_of_materials_are_pointers_and_come_back() {
    let scene = flickering();
    for variant in ["plain", "meshopt,exact"] {
        let options = FromScene { variant: Some(variant.into()), ..FromScene::default() };
        let (document, report) = written_with(&format!("flicker-{variant}"), &scene, &options);
        assert_eq!(report, Report::default());
        let channels = &document.parts.animations[0].channels;
        let pointers: Vec<_> = channels.iter().filter_map(|channel| channel.pointer.as_deref()).collect();
        let expected = ["/materials/0/pbrMetallicRoughness/baseColorFactor", "/materials/0/emissiveFactor"];
        assert_eq!(pointers, expected, "a material that nothing shows is left out");
        let (back, report) = to_scene(&document);
        assert_eq!(report, Report::default());
        let tracks = &back.clips[0].tracks;
        assert!(tracks.iter().all(|track| (&*track.target.name, track.target.index) == ("skin", 0)));
        let channels = |scene: &Scene| scene.clips[0].channels().cloned().collect::<Vec<_>>();
        assert_eq!(channels(&back), channels(&scene));
    }
}

#[test]
fn moving_colours_are_stored_anew_and_put_onto_materials_of_the_same_name() {
    let (plain, _) = written("flicker", &flickering());
    let mut still = flickering();
    let motion = Scene { clips: std::mem::take(&mut still.clips), ..scene(&[]) };
    let (mut target, _) = written("flicker-still", &still);
    Glb::attach(&mut target, &motion, &Default::default(), &mut Report::default()).unwrap();
    let mut packed = plain.clone();
    let edit = Edit { variant: Some("meshopt,exact".into()), ..Edit::default() };
    Glb::edit(&mut packed, &edit, &mut Report::default()).unwrap();
    let clips = |document: &Document| to_scene(document).0.clips;
    assert_eq!((clips(&target), clips(&packed)), (clips(&plain), clips(&plain)));
}

#[test]
fn moving_colours_without_their_material_stay_in_extras() {
    let mut scene = flickering();
    scene.clips[0].tracks[0].target.name = "hair".into();
    let (document, _) = written("flicker-extras", &scene);
    let (back, _) = to_scene(&document);
    assert!(document.parts.animations.is_empty());
    assert!(back.clips[0].channels().eq(scene.clips[0].channels()));
}
