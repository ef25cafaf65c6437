//! Scene → file → scene.

use crate::common::*;
use dopesheet_core::diag::{ConvertErrorKind, Report};
use dopesheet_core::format::{Format, FromScene, ToScene};
use dopesheet_core::model::*;
use dopesheet_core::units::Seconds;
use dopesheet_gltf::Glb;
use serde_json::json;

/// One node "a" under "root", moved by these channels.
fn one(duration: f64, channels: Vec<Channel>) -> Scene {
    let mut scene = scene(&[("root", None), ("a", Some(0))]);
    let track = joint(&scene, 1, channels);
    scene.clips.push(clip("one", duration, vec![track]));
    scene
}

#[test]
fn every_law_comes_back_as_it_went() {
    let t = [0.0, 0.5, 2.0];
    let v3 = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let slopes = [0.0, 0.0, 0.0, 1.0, -1.0, 2.0, 3.0, 3.0, 3.0];
    let leaving = [4.0, 5.0, 6.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0];
    let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8, 0.6, 0.0, 0.0, 0.8];
    let channels = vec![
        Channel::whole(Property::Translation, cubic(&t, 3, &v3, &slopes, &leaving)),
        Channel::whole(Property::Rotation, curve(&t, 4, &q, Law::SLERP)),
        Channel::whole(Property::Scale, curve(&t, 3, &v3, Law::STEP)),
    ];
    let scene = one(2.0, channels);
    let (document, report) = written("laws", &scene);
    let back = to_scene(&document).0;
    assert_eq!(back.clips, scene.clips);
    assert_eq!(back.nodes, scene.nodes);
    assert_eq!(report, Report::default());
}

#[test]
fn shortest_numbers_are_written_and_defaults_left_out() {
    let mut scene = one(1.0, vec![moves(&[0.0, 1.0], &[0.0; 6])]);
    scene.nodes[1].rest = Transform { translation: [0.1, 1.0 / 3.0, 1e-9], ..Transform::IDENTITY };
    let (document, _) = written("numbers", &scene);
    assert!(
        document.json.contains(r#"{"name":"a","translation":[0.1,0.33333334,1e-9]}"#),
        "{}",
        document.json
    );
}

#[test]
fn equal_inputs_and_outputs_are_stored_once_across_clips() {
    let mut scene = one(1.0, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0])]);
    let mut again = scene.clips[0].clone();
    again.name = Some("two".into());
    again.tracks[0].channels.push(turns(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]));
    scene.clips.push(again);
    let (document, _) = written("shared", &scene);
    assert_eq!(document.parts.accessors.len(), 3);
    assert_eq!(document.parts.buffer_views.len(), 3);
    assert_eq!(to_scene(&document).0.clips, scene.clips);
}

#[test]
fn a_cubic_output_is_not_shared_with_others() {
    let values = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0, 0.0, 0.0, 0.0];
    let mut scene = one(5.0, vec![moves(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &values)]);
    let zero = [0.0; 6];
    let ends = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    scene.clips[0].tracks[0]
        .channels
        .push(Channel::whole(Property::Scale, cubic(&[0.0, 5.0], 3, &ends, &zero, &zero)));
    let (document, _) = written("cubic-alone", &scene);
    assert_eq!(document.parts.accessors.len(), 4);
}

#[test]
fn names_are_made_unique_and_come_back() {
    let names = [("Arm", None), ("Arm", Some(0)), ("Arm_1", Some(0)), ("", Some(1)), ("Arm", Some(0))];
    let mut scene = scene(&names);
    scene.nodes[3].extras = Some(json!({"mine": 1}));
    let tracks = (0..5)
        .map(|n| joint(&scene, n, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, n as f32 + 1.0, 0.0, 0.0])]))
        .collect();
    scene.clips.push(clip("all", 1.0, tracks));
    let (document, _) = written("names", &scene);
    let nodes = value(&document)["nodes"].clone();
    let stored: Vec<&str> = nodes.as_array().unwrap().iter().map(|n| n["name"].as_str().unwrap()).collect();
    assert_eq!(stored, ["Arm", "Arm_2", "Arm_1", "node_3", "Arm_3"]);
    assert_eq!(nodes[1]["extras"], json!({"originalName": "Arm"}));
    assert_eq!(nodes[3]["extras"], json!({"mine": 1, "originalName": ""}));
    let back = to_scene(&document).0;
    assert_eq!(back.nodes, scene.nodes);
    let target = &back.clips[0].tracks[1].target;
    assert_eq!((target.name.as_str(), target.label.as_deref(), target.index), ("Arm", Some("Arm_2"), 1));
}

#[test]
fn several_roots_get_one_above_them() {
    let (document, _) = written("roots", &scene(&[("Root", None), ("b", None), ("c", Some(1))]));
    let json = value(&document);
    assert_eq!(json["scenes"], json!([{"nodes": [3]}]));
    assert_eq!(json["nodes"][3], json!({"name": "Root_1", "children": [0, 1]}));
}

#[test]
fn a_scene_without_nodes_is_legal() {
    let (document, _) = written("empty", &scene(&[]));
    assert!(document.json.trim_end().ends_with(r#""scene":0,"scenes":[{}]}"#), "{}", document.json);
}

#[test]
fn clips_take_their_own_name_or_that_of_their_file() {
    let mut scene = one(1.0, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])]);
    let names = ["Take 001", "Take 001", "run", "", "run_1"];
    let first = scene.clips[0].clone();
    scene.clips = names
        .iter()
        .map(|name| Clip { name: (!name.is_empty()).then(|| (*name).into()), ..first.clone() })
        .collect();
    let stems = ["walk", "run", "x", "run", ""].map(String::from).to_vec();
    let (document, _) =
        written_with("clip-names", &scene, &FromScene { file_stems: stems, ..FromScene::default() });
    let json = value(&document);
    let stored: Vec<&str> =
        json["animations"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(stored, ["walk", "run", "run_1", "run_2", "run_1_1"]);
}

fn face() -> Scene {
    let mut scene = scene(&[("head", None), ("mask", Some(0))]);
    let set = MorphSet {
        name: "face".into(),
        morphs: vec!["smile".into(), "まばたき".into()],
        rest: vec![0.25, 0.0],
    };
    scene.morph_sets.push(set);
    for node in &mut scene.nodes {
        node.morphs = Some(MorphSetIndex(0));
    }
    let weights =
        Channel::whole(Property::Weights, curve(&[0.0, 1.0], 2, &[0.25, 0.0, -0.5, 1.5], Law::LINEAR));
    scene.clips.push(clip("face", 1.0, vec![joint(&scene, 0, vec![weights])]));
    scene
}

#[test]
fn morph_sets_without_geometry_get_a_placeholder() {
    let scene = face();
    let (document, report) = written("placeholder", &scene);
    let json = value(&document);
    assert_eq!(json["meshes"].as_array().unwrap().len(), 1, "nodes share it");
    assert_eq!(
        json["meshes"][0]["extras"],
        json!({"targetNames": ["smile", "まばたき"], "placeholder": true})
    );
    assert_eq!(json["meshes"][0]["weights"], json!([0.25, 0]));
    let (back, found) = to_scene(&document);
    assert_eq!((back.clips, back.nodes, back.morph_sets), (scene.clips, scene.nodes, scene.morph_sets));
    assert_eq!((report, found), Default::default());
}

#[test]
fn weights_that_do_not_fit_are_left_out_and_said() {
    let mut scene = face();
    scene.morph_sets[0].morphs.pop();
    let (document, report) = written("misfit", &scene);
    assert!(document.parts.animations.is_empty());
    assert!(format!("{:?}", report.losses).contains("2 weights where the mesh has 1 morph target"));
}

fn shot() -> Scene {
    let mut scene = scene(&[("eye", None), ("sun", Some(0)), ("lamp", Some(0))]);
    let lens = Lens::Perspective { yfov_rad: 0.5, aspect: Some(1.5) };
    scene.cameras.push(Camera { name: "unused".into(), lens, near: 1.0, far: None });
    scene.cameras.push(Camera { name: "cam".into(), lens, near: 0.1, far: Some(100.0) });
    scene.nodes[0].camera = Some(CameraIndex(1));
    scene.lights.push(Light {
        name: "key".into(),
        color: [1.0, 0.5, 0.25],
        intensity: 2.0,
        kind: LightKind::Directional,
    });
    let spot = LightKind::Spot { range: Some(10.0), inner_rad: 0.25, outer_rad: 0.5 };
    scene.lights.push(Light { name: String::new(), color: [1.0; 3], intensity: 1.0, kind: spot });
    scene.nodes[1].light = Some(LightIndex(0));
    scene.nodes[2].light = Some(LightIndex(1));
    let mut yfov = Channel::whole(Property::YFov, curve(&[0.0, 1.0], 1, &[90.0, 45.0], Law::LINEAR));
    yfov.native = Some(Native { name: "yfov_deg".into(), scale: std::f64::consts::PI / 180.0 });
    let target = |kind, name: &str, node| Target::new(kind, name, 0, Some(NodeIndex(node)));
    let tracks = vec![
        Track {
            target: target(TargetKind::Camera, "eye", 0),
            channels: vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]), yfov],
        },
        Track {
            target: target(TargetKind::Light, "sun", 1),
            channels: vec![
                Channel::whole(
                    Property::Color,
                    curve(&[0.0, 1.0], 3, &[1.0, 0.5, 0.25, 0.0, 0.0, 0.0], Law::LINEAR),
                ),
                Channel::whole(Property::Intensity, curve(&[0.0, 1.0], 1, &[2.0, 0.0], Law::STEP)),
            ],
        },
        Track {
            target: target(TargetKind::Light, "lamp", 2),
            channels: vec![Channel::whole(
                Property::Named("outerConeAngle".into()),
                curve(&[0.0, 1.0], 1, &[0.5, 1.0], Law::LINEAR),
            )],
        },
    ];
    scene.clips.push(clip("shot", 1.0, tracks));
    scene
}

#[test]
fn cameras_and_lights_are_animated_by_pointers() {
    let (document, report) = written("shot", &shot());
    let json = value(&document);
    assert_eq!(json["extensionsUsed"], json!(["KHR_animation_pointer", "KHR_lights_punctual"]));
    assert_eq!(json.get("extensionsRequired"), None);
    assert_eq!(json["cameras"].as_array().unwrap().len(), 1, "unused ones are left out");
    let half = std::f32::consts::FRAC_PI_2;
    assert_eq!(
        json["cameras"][0]["perspective"]["yfov"].as_f64().map(|y| y as f32),
        Some(half),
        "the first key"
    );
    let fov = &json["animations"][0]["extras"]["cameraFov"];
    assert_eq!(fov[0][1].as_f64().map(|y| y as f32), Some(half));
    assert_eq!(fov[1][0], json!(1));
    let pointers: Vec<&str> =
        document.parts.animations[0].channels.iter().filter_map(|c| c.pointer.as_deref()).collect();
    assert_eq!(
        pointers,
        [
            "/cameras/0/perspective/yfov",
            "/extensions/KHR_lights_punctual/lights/0/color",
            "/extensions/KHR_lights_punctual/lights/0/intensity",
            "/extensions/KHR_lights_punctual/lights/1/spot/outerConeAngle",
        ]
    );
    let back = to_scene(&document).0;
    let targets: Vec<(TargetKind, &str, &str)> = back.clips[0]
        .tracks
        .iter()
        .map(|t| (t.target.kind, t.target.name.as_str(), t.target.label()))
        .collect();
    assert_eq!(
        targets[..3],
        [
            (TargetKind::Joint, "eye", "eye"),
            (TargetKind::Camera, "eye", "/cameras/0/perspective/yfov"),
            (TargetKind::Light, "sun", "/extensions/KHR_lights_punctual/lights/0/color"),
        ]
    );
    assert_eq!(back.lights, shot().lights);
    assert_eq!(report, Report::default());
}

#[test]
fn an_orthographic_camera_has_no_field_of_view_to_point_at() {
    let mut scene = shot();
    scene.cameras[1].lens = Lens::Orthographic { half_width: 2.0, half_height: 1.0 };
    let (document, _) = written("orthographic", &scene);
    assert!(!document.json.contains("yfov\"}"));
    let tracks = &value(&document)["animations"][0]["extras"]["tracks"];
    assert_eq!(tracks[0]["property"], "yfov");
}

fn with_extras() -> Scene {
    let mut scene = one(2.5, vec![moves(&[0.0, 2.5], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])]);
    let clip = &mut scene.clips[0];
    clip.markers = vec![
        Marker { time: Seconds(0.1), name: "step".into(), data: Some(json!({"foot": "left"})) },
        Marker { time: Seconds(1.25), name: String::new(), data: None },
    ];
    clip.looping = Looping::Loop;
    clip.source = Some(json!({"format": "playcanvas-json", "version": 4}));
    let mut switch = Target::new(TargetKind::Custom, "ik", 3, None);
    switch.label = Some("ＩＫ".into());
    let mixed = Curve::new(
        seconds(&[0.0, 1.0, 2.0]),
        2,
        vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        Laws::from_segments([Law::STEP, Law::LINEAR]),
    );
    let hand = Target::new(TargetKind::Hand, "left.hand", 0, None);
    clip.tracks.extend([
        Track {
            target: switch,
            channels: vec![Channel::whole(
                Property::Enabled,
                curve(&[-0.5, 1.0, 1.0], 1, &[0.0, 1.0, 0.0], Law::STEP),
            )],
        },
        Track {
            target: hand,
            channels: vec![Channel::whole(
                Property::Named("pinch".into()),
                cubic(&[0.0, 1.0], 1, &[0.0, 1.0], &[1.0, 2.0], &[3.0, 4.0]),
            )],
        },
        Track {
            target: Target::new(TargetKind::Custom, "pair", 0, None),
            channels: vec![Channel::whole(Property::Value, mixed)],
        },
    ]);
    scene
}

#[test]
fn what_gltf_has_no_place_for_goes_into_extras_and_comes_back() {
    let scene = with_extras();
    let (document, report) = written("extras", &scene);
    let extras = value(&document)["animations"][0]["extras"].clone();
    assert_eq!(extras["events"][0], json!({"time": 0.1, "name": "step", "data": {"foot": "left"}}));
    assert_eq!(extras["loop"], json!(true));
    assert_eq!(
        extras["tracks"][0],
        json!({
            "name": "ik", "kind": "custom", "index": 3, "label": "ＩＫ", "property": "enabled",
            "times": [-0.5, 1, 1], "values": [0, 1, 0], "law": "STEP",
        })
    );
    assert_eq!(extras["tracks"][1]["values"], json!([1, 0, 3, 2, 1, 4]));
    assert_eq!(extras["tracks"][2]["law"], json!(["STEP", "LINEAR"]));
    assert_eq!(to_scene(&document).0.clips, scene.clips);
    assert_eq!(report, Report::default());
}

#[test]
fn a_clip_without_channels_goes_into_the_extras_of_the_scene() {
    let mut scene = with_extras();
    scene.clips[0].tracks.remove(0);
    let (document, _) = written("no-channels", &scene);
    let json = value(&document);
    assert_eq!(json.get("animations"), None);
    assert_eq!(json["scenes"][0]["extras"]["clips"][0]["name"], "one");
    assert_eq!(to_scene(&document).0.clips, scene.clips);
}

#[test]
fn members_of_events_that_we_do_not_know_are_kept_as_their_data() {
    let json = walk().json.replace(
        r#""name":"walk","#,
        r#""name":"walk","extras":{"events":[{"time":1,"name":"x","strength":3}]},"#,
    );
    let (back, _) = to_scene(&try_read(&Draft { json, ..walk() }.glb()).unwrap());
    assert_eq!(back.clips[0].markers[0].data, Some(json!({"strength": 3})));
}

#[test]
fn laws_that_extras_have_no_word_for_are_taken_for_straight_and_said() {
    let mut scene = with_extras();
    let law = Law { timing: Timing::Bezier { x1: 0.0, y1: 1.0, x2: 1.0, y2: 0.0 }, blend: Blend::Lerp };
    scene.clips[0].tracks[1].channels[0] =
        Channel::whole(Property::Value, curve(&[0.0, 1.0], 1, &[0.0, 1.0], law));
    let (_, report) = written("laws-unknown", &scene);
    assert!(format!("{:?}", report.losses).contains("the laws of 1 segment"));
}

#[test]
fn what_gltf_cannot_play_is_refused_by_name() {
    let eased = Law { timing: Timing::Bezier { x1: 0.0, y1: 1.0, x2: 1.0, y2: 0.0 }, blend: Blend::Lerp };
    let mixed = Laws::from_segments([Law::STEP, Law::LINEAR]);
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    for (broken, why) in [
        (curve(&[0.0, 1.0], 3, &values[..6], eased), "the law"),
        (
            Curve::new(seconds(&[0.0, 1.0, 2.0]), 3, values.to_vec(), mixed),
            "segments of different laws in one curve",
        ),
        (curve(&[-1.0, 1.0], 3, &values[..6], Law::LINEAR), "keys before time 0"),
        (curve(&[0.0, 1.0], 2, &values[..4], Law::LINEAR), "2 numbers per key where 3 are expected"),
    ] {
        let scene = one(1.0, vec![Channel::whole(Property::Translation, broken)]);
        let error = Glb::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
        let ConvertErrorKind::Unsupported(text) = &error.kind else { panic!("{error}") };
        assert!(text.starts_with("translation of \"a\": ") && text.contains(why), "{text}");
    }
}

#[test]
fn two_channels_of_one_property_cannot_both_be_written() {
    let mut scene = one(1.0, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])]);
    let twin = scene.clips[0].tracks[0].clone();
    scene.clips[0].tracks.push(twin);
    let (document, report) = written("twice", &scene);
    assert_eq!(document.parts.animations[0].channels.len(), 1);
    assert_eq!(report.losses.len(), 1);
}

#[test]
fn tracks_without_a_node_are_left_out_and_said() {
    let mut scene = one(1.0, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])]);
    scene.clips[0].tracks[0].target.node = None;
    let (document, report) = written("no-node", &scene);
    assert!(document.parts.animations.is_empty());
    assert_eq!(
        report.findings[0].to_string(),
        "warning gltf-w-dropped: file: expected a node for every name that a clip moves, found none for 1: a"
    );
}

#[expect(clippy::too_many_lines, reason = "plain data")]
fn cube() -> Scene {
    let mut scene = scene(&[("root", None), ("bone", Some(0)), ("body", None), ("hat", Some(1))]);
    scene.materials.push(Material {
        name: "skin".into(),
        base_color: [1.0, 0.5, 0.25, 1.0],
        base_color_image: Some(MaterialImage { image: ImageIndex(0), uv_set: 0 }),
        emissive: [0.0, 2.0, 0.0],
        emissive_image: None,
        normal_map: None,
        metallic: 0.0,
        roughness: 0.5,
        alpha: AlphaMode::Mask(0.25),
        double_sided: true,
        unlit: true,
        extras: Some(json!({"edge": 1})),
    });
    scene.images.push(Image { name: "dot".into(), media_type: "image/png", bytes: DOT.to_vec().into() });
    let joints = |weights| VertexJoints { joints: [1, 1, 0, 9], weights };
    let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let lifted = vec![(1, [0.0, 0.0, 0.5]), (77, [1.0; 3])];
    let moved = |positions| MorphDelta { positions, ..MorphDelta::default() };
    let body = Primitive {
        normals: vec![[0.0, 0.0, 2.0]; 4],
        uv_sets: vec![vec![[0.0, 1.0]; 4]],
        indices: vec![0, 1, 2, 0, 2, 3, 0, 1, 99],
        joints: vec![
            joints([0.25, 0.25, 0.25, 0.7]),
            joints([0.0; 4]),
            joints([1.0, 1.0, 0.0, 0.0]),
            joints([0.1, 0.2, 0.9, 0.0]),
        ],
        material: Some(MaterialIndex(0)),
        positions: positions.clone(),
        morphs: vec![
            MorphDelta { uv_sets: vec![vec![(0, [0.5, 0.5])]], ..moved(lifted) },
            MorphDelta::default(),
            moved((0..4).map(|v| (v, [v as f32 + 1.0, 0.0, 0.0])).collect()),
        ],
        ..Primitive::default()
    };
    let hat = Primitive {
        positions: positions[..3].to_vec(),
        material: Some(MaterialIndex(0)),
        ..Primitive::default()
    };
    scene.meshes = vec![
        Mesh { name: "body".into(), primitives: vec![body] },
        Mesh { name: "hat".into(), primitives: vec![hat, Primitive::default()] },
    ];
    scene.skins.push(Skin {
        name: "rig".into(),
        joints: vec![NodeIndex(0), NodeIndex(1)],
        inverse_bind: vec![
            [1.0, 0.0, 0.0, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 1.0];
            2
        ],
    });
    scene.morph_sets.push(MorphSet {
        name: String::new(),
        morphs: ["a", "b", "c"].map(String::from).to_vec(),
        rest: Vec::new(),
    });
    (scene.nodes[2].mesh, scene.nodes[2].skin, scene.nodes[2].morphs) =
        (Some(MeshIndex(0)), Some(SkinIndex(0)), Some(MorphSetIndex(0)));
    scene.nodes[2].rest.translation = [5.0, 0.0, 0.0];
    scene.nodes[3].mesh = Some(MeshIndex(1));
    scene
}

/// A PNG of one pixel.
#[rustfmt::skip]
const DOT: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0,
    0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf, 0xa4, 0x71,
    0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

#[test]
fn meshes_skins_and_materials_are_written_as_far_as_they_are_sound() {
    let (document, _) = written("cube", &cube());
    let json = value(&document);
    assert_eq!(json["scenes"][0]["nodes"], json!([0, 2]), "a skinned mesh stands alone");
    assert_eq!(json["nodes"][2], json!({"name": "body", "mesh": 0, "skin": 0}), "without a transform");
    let body = &json["meshes"][0]["primitives"][0];
    assert_eq!(body["attributes"].as_object().unwrap().len(), 5);
    assert_eq!(
        json["accessors"][body["indices"].as_u64().unwrap() as usize]["count"],
        6,
        "no triangle of missing vertices"
    );
    let target = |n: usize| &json["accessors"][body["targets"][n]["POSITION"].as_u64().unwrap() as usize];
    assert_eq!(target(0)["sparse"]["count"], 1);
    assert_eq!((target(1).get("sparse"), target(1).get("bufferView")), (None, None), "nothing moves");
    assert!(target(2).get("bufferView").is_some(), "whole, because that is smaller");
    assert_eq!(json["meshes"][1]["primitives"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["materials"][0]["emissiveFactor"], json!([0, 1, 0]));
    assert_eq!(
        (json["textures"].as_array().map(Vec::len), json["images"][0]["mimeType"].as_str()),
        (Some(1), Some("image/png"))
    );
    assert_eq!(json["extensionsUsed"], json!(["KHR_materials_unlit"]));
}

#[test]
fn a_node_with_a_matrix_is_read_as_translation_rotation_and_scale() {
    let draft = walk().swap(r#""name":"hip""#, r#""name":"hip","matrix":[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1]"#);
    let (scene, report) = to_scene(&try_read(&draft.glb()).unwrap());
    let rest = scene.nodes[0].rest;
    assert_eq!((rest.translation, rest.scale), ([5.0, 6.0, 7.0], [2.0; 3]));
    assert!((rest.rotation[2] - 0.5f64.sqrt()).abs() < 1e-12);
    assert_eq!(report, Report::default());
}

#[test]
fn pointers_to_nodes_are_plain_channels_and_unknown_ones_custom_tracks() {
    let pointer = |target: &str| {
        format!(r#"{{"path":"pointer","extensions":{{"KHR_animation_pointer":{{"pointer":"{target}"}}}}}}"#)
    };
    let draft = walk()
        .swap(r#"{"node":1,"path":"rotation"}"#, &pointer("/nodes/1/rotation"))
        .swap(r#"{"node":1,"path":"translation"}"#, &pointer("/materials/0/alphaCutoff"));
    let (scene, report) = to_scene(&try_read(&draft.glb()).unwrap());
    let tracks = &scene.clips[0].tracks;
    assert_eq!(
        (tracks[0].target.kind, tracks[0].target.name.as_str()),
        (TargetKind::Custom, "/materials/0/alphaCutoff")
    );
    assert_eq!(
        (
            tracks[0].channels[0].property.clone(),
            tracks[0].channels[0].composition.curves().next().unwrap().width
        ),
        (Property::Value, 3)
    );
    assert_eq!((tracks[1].target.index, tracks[1].channels[0].property.clone()), (1, Property::Rotation));
    assert_eq!(report.losses.len(), 1);
}

#[test]
fn nodes_come_parents_first_whatever_their_order_in_the_file() {
    let json = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"c"},{"name":"b","children":[0]},{"name":"a","children":[1,3]},{"name":"d"}]}"#;
    let (scene, _) = to_scene(&try_read(json.as_bytes()).unwrap());
    let nodes: Vec<_> =
        scene.nodes.iter().map(|n| (n.name.as_str(), n.source_index, n.parent.map(|p| p.0))).collect();
    assert_eq!(
        nodes,
        [("a", Some(2), None), ("b", Some(1), Some(0)), ("c", Some(0), Some(1)), ("d", Some(3), Some(0))]
    );
}

#[test]
fn a_long_chain_of_nodes_needs_no_stack() {
    let count = 20_000;
    let node = |n: usize| if n + 1 < count { format!(r#"{{"children":[{}]}}"#, n + 1) } else { "{}".into() };
    let nodes: Vec<String> = (0..count).map(node).collect();
    let json = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}]}}"#, nodes.join(","));
    assert_eq!(to_scene(&try_read(json.as_bytes()).unwrap()).0.nodes.len(), count);
}

#[test]
fn a_small_file_cannot_ask_for_a_huge_scene() {
    let channels: Vec<String> =
        (0..300).map(|n| format!(r#"{{"sampler":0,"target":{{"node":{n},"path":"scale"}}}}"#)).collect();
    let nodes = vec!["{}"; 300].join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"animations":[{{"channels":[{}],"samplers":[{{"input":0,"output":1}}]}}],"accessors":[{{"componentType":5126,"count":100000,"type":"SCALAR"}},{{"componentType":5126,"count":100000,"type":"VEC3"}}]}}"#,
        channels.join(",")
    );
    let error =
        Glb::to_scene(&try_read(json.as_bytes()).unwrap(), &ToScene::default(), &mut Report::default())
            .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected no more numbers in all animations than the file's size allows for"),
        "{error}"
    );
}

#[test]
fn as_stored_leaves_rotations_as_they_are_and_nameless_clips_take_a_given_name() {
    let document = try_read(&walk().float(15, 2.0).glb()).unwrap();
    let options = ToScene { as_stored: true, fallback_name: Some("x".into()), ..ToScene::default() };
    let scene = Glb::to_scene(&document, &options, &mut Report::default()).unwrap();
    let curve = scene.clips[0].tracks[0].channels[1].composition.curves().next().unwrap();
    assert_eq!(curve.value(0).unwrap()[3], 2.0);
    assert_eq!(scene.clips[0].name.as_deref(), Some("walk"));
    let nameless = walk().swap("\"name\":\"walk\",", "");
    let scene = Glb::to_scene(&try_read(&nameless.glb()).unwrap(), &options, &mut Report::default()).unwrap();
    assert_eq!(scene.clips[0].name.as_deref(), Some("x"));
}
