//! Adding clips to files that exist.

use crate::common::*;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{Attach, Format, NameMap};
use dopesheet_core::model::*;
use dopesheet_gltf::{Document, Glb, Gltf};
use serde_json::{Value, json};

fn attached(target: &[u8], scene: &Scene, options: &Attach) -> Result<(Document, Report), ConvertError> {
    let mut document = try_read(target).unwrap();
    let mut report = Report::default();
    match document.container {
        dopesheet_gltf::gltf::DocumentContainer::Text => {
            Gltf::attach(&mut document, scene, options, &mut report)?;
        }
        _ => {
            Glb::attach(&mut document, scene, options, &mut report)?;
        }
    }
    assert_eq!(read_back(&document), document);
    Ok((document, report))
}

/// A clip of one track on a node called `name`.
fn motion(name: &str, channels: Vec<Channel>) -> Scene {
    let mut scene = scene(&[(name, None)]);
    let track = joint(&scene, 0, channels);
    scene.clips.push(clip("new", 1.0, vec![track]));
    scene
}

fn lift(name: &str) -> Scene {
    motion(name, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0])])
}

fn leg_turns() -> Scene {
    motion("leg", vec![turns(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8])])
}

#[test]
fn text_grows_and_everything_else_stays() {
    let source =
        walk().swap("\"scene\":0", "\"scene\" : 0.0e0, \"extras\" : {\"x\": [1.50, {\"a\":1e2}]}").gltf();
    let (document, report) = attached(&source, &leg_turns(), &Attach::default()).unwrap();
    keep("attached.gltf", &write(&document));
    assert_eq!(report, Report::default());
    // Taking out what was added leaves the source.
    let new = &document.json;
    let source = String::from_utf8(source).unwrap();
    let (mut rest, mut kept) = (source.as_str(), 0);
    for piece in new.split_inclusive([',', '[', ']', '{', '}']) {
        if let Some(after) = rest.strip_prefix(piece) {
            (rest, kept) = (after, kept + piece.len());
        }
    }
    assert_eq!((rest, kept), ("", source.len()), "{new}");
    let json = value(&document);
    assert_eq!(
        json["animations"][1],
        json!({
            "name": "new",
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            "samplers": [{"input": 3, "output": 4}],
        })
    );
    assert_eq!(json["accessors"][3]["bufferView"], 3);
    assert_eq!(json["bufferViews"][3]["buffer"], 1);
    assert!(json["buffers"][1]["uri"].as_str().unwrap().starts_with("data:application/octet-stream;base64,"));
}

#[test]
fn a_bin_chunk_grows_from_the_length_of_its_buffer() {
    let mut draft = walk();
    draft.data.extend([1, 2]);
    let source = draft.glb();
    let (document, _) = attached(&source, &leg_turns(), &Attach::default()).unwrap();
    keep("attached.glb", &write(&document));
    assert_eq!(document.parts.buffers[0].byte_length, 100 + 8 + 32);
    assert_eq!(document.parts.buffer_views[3].byte_offset, 100, "padded from 98");
    let bytes = document.buffer(0).unwrap();
    assert_eq!((&bytes[..98], &bytes[98..100]), (&draft.data[..], &[0, 0][..]));
    let clips = to_scene(&document).0.clips;
    assert_eq!(clips[0], to_scene(&try_read(&source).unwrap()).0.clips[0]);
    assert_eq!(clips[1].tracks[0].channels, leg_turns().clips[0].tracks[0].channels);
}

#[test]
fn a_glb_without_a_bin_chunk_gets_one() {
    let json = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"leg"}]}"#;
    let (document, _) = attached(&glb(json, None), &lift("leg"), &Attach::default()).unwrap();
    keep("attached-bare.glb", &write(&document));
    assert!(document.json.starts_with(&json[..json.len() - 1]), "{}", document.json);
    assert_eq!(value(&document)["buffers"], json!([{"byteLength": 32}]));
}

#[test]
fn a_first_buffer_with_a_uri_moves_back_and_only_buffer_numbers_change() {
    let json = String::from_utf8(walk().gltf()).unwrap();
    let (document, _) = attached(&glb(&json, None), &lift("leg"), &Attach::default()).unwrap();
    let new = value(&document);
    assert_eq!(new["buffers"][0], json!({"byteLength": 32}));
    let numbers: Vec<&Value> =
        new["bufferViews"].as_array().unwrap().iter().map(|view| &view["buffer"]).collect();
    assert_eq!(numbers, [1, 1, 1, 0, 0]);
    assert_eq!(to_scene(&document).0.clips.len(), 2);
}

#[test]
fn the_first_of_several_nodes_in_depth_first_order_of_the_default_scene_moves() {
    let json = r#"{"asset":{"version":"2.0"},"scene":1,"scenes":[{"nodes":[0]},{"nodes":[1]}],"nodes":[{"name":"x"},{"children":[2,4]},{"name":"y","children":[3]},{"name":"x"},{"name":"x"}]}"#;
    let (document, report) = attached(json.as_bytes(), &lift("x"), &Attach::default()).unwrap();
    assert_eq!(document.parts.animations[0].channels[0].node, Some(3));
    assert_eq!(report.findings.len(), 1);
    assert_eq!(
        report.findings[0].to_string(),
        "warning gltf-w-ambiguous-name: file: expected one node for each name, found several for x; the first in depth-first order is moved"
    );
}

#[test]
fn of_a_joint_and_a_mesh_with_one_name_the_joint_moves() {
    let json = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],"meshes":[{"primitives":[{"attributes":{}}]}],"nodes":[{"name":"x","mesh":0},{"name":"x"}]}"#;
    let (document, report) = attached(json.as_bytes(), &lift("x"), &Attach::default()).unwrap();
    assert_eq!(document.parts.animations[0].channels[0].node, Some(1));
    assert_eq!(report.findings, []);
}

#[test]
fn names_are_mapped_and_misses_listed_once() {
    let mut motion = scene(&[("Bein", None), ("Fuss", None), ("Zeh", None)]);
    let tracks = (0..3).map(|n| joint(&motion, n, lift("x").clips[0].tracks[0].channels.clone())).collect();
    motion.clips.push(clip("new", 1.0, tracks));
    let names = NameMap::new([("Bein".to_owned(), "leg".to_owned())]);
    let (document, report) =
        attached(&walk().glb(), &motion, &Attach { names, ..Attach::default() }).unwrap();
    assert_eq!(document.parts.animations[1].channels.len(), 1);
    assert_eq!(report.findings.len(), 1);
    assert_eq!(
        report.findings[0].to_string(),
        "warning gltf-w-dropped: file: expected a node for every name that a clip moves, found none for 2: Fuss, Zeh"
    );
}

#[test]
fn no_match_at_all_is_an_error_and_changes_nothing() {
    let error = attached(&walk().glb(), &lift("arm"), &Attach::default()).unwrap_err();
    assert_eq!(error.to_string(), "glb: expected a node with one of the clip's names, found none of: arm");
    let mut document = try_read(&walk().glb()).unwrap();
    assert!(Glb::attach(&mut document, &lift("arm"), &Attach::default(), &mut Report::default()).is_err());
    assert_eq!(write(&document), walk().glb());
}

#[test]
fn channels_that_equal_the_rest_pose_are_left_out_unless_asked_for() {
    let target = walk()
        .swap("\"name\":\"leg\"", "\"name\":\"leg\",\"translation\":[100,0,0],\"rotation\":[0,0.6,0,0.8]");
    let near = [100.0001, 0.0, 0.0, 100.0, 0.0001, 0.0];
    let motion = motion(
        "leg",
        vec![
            moves(&[0.0, 1.0], &near),
            turns(&[0.0, 1.0], &[0.0, -0.6, 0.0, -0.8, 0.0, 0.600_000_6, 0.0, 0.799_999_6]),
            Channel::whole(
                Property::Scale,
                curve(&[0.0, 1.0], 3, &[1.0, 1.0, 1.0, 2.0, 1.0, 1.0], Law::LINEAR),
            ),
        ],
    );
    let paths = |keep_constant| {
        let (document, _) =
            attached(&target.glb(), &motion, &Attach { keep_constant, ..Attach::default() }).unwrap();
        document.parts.animations[1].channels.iter().map(|c| c.path.word().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(false), ["scale"]);
    assert_eq!(paths(true), ["translation", "rotation", "scale"]);
}

#[test]
fn only_animated_matrices_are_taken_apart() {
    let matrix = "\"matrix\": [0,2,0,0, -2,0,0,0, 0,0,2,0, 5,6,7,1]";
    let target = walk()
        .swap("\"name\":\"hip\"", &format!("\"name\":\"hip\",{matrix}"))
        .swap("{\"name\":\"leg\"}", &format!("{{ {matrix} ,\"name\":\"arm\"}}"));
    let (document, _) = attached(&target.glb(), &lift("arm"), &Attach::default()).unwrap();
    let json = value(&document);
    assert!(json["nodes"][0].get("matrix").is_some());
    let arm = &json["nodes"][1];
    assert_eq!(
        (arm.get("matrix"), &arm["translation"], &arm["scale"]),
        (None, &json!([5, 6, 7]), &json!([2, 2, 2]))
    );
    assert!(document.json.contains("{ \"translation\":[5,6,7],\"rotation\":[0,0,0.70710677,0.70710677],\"scale\":[2,2,2] ,\"name\":\"arm\"}"), "{}", document.json);
}

#[test]
fn an_identity_matrix_still_leaves_a_member() {
    let target =
        walk().swap("\"name\":\"leg\"", "\"name\":\"leg\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]");
    let (document, _) = attached(&target.glb(), &lift("leg"), &Attach::default()).unwrap();
    assert_eq!(value(&document)["nodes"][1], json!({"name": "leg", "translation": [0, 0, 0]}));
}

#[test]
fn a_sheared_matrix_cannot_be_animated() {
    let target =
        walk().swap("\"name\":\"leg\"", "\"name\":\"leg\",\"matrix\":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,2,0,1]");
    let error = attached(&target.glb(), &lift("leg"), &Attach::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "glb: line 1, column 125 (/nodes/1/matrix): expected a matrix without shear on a node that is to be animated, found one with shear"
    );
    assert!(attached(&target.glb(), &lift("hip"), &Attach::default()).is_ok());
}

#[test]
fn names_of_animations_are_unique_in_the_file() {
    let mut two = lift("leg");
    two.clips.push(two.clips[0].clone());
    let names = |clips: [&str; 2], options: &Attach| {
        let mut scene = two.clone();
        for (clip, name) in scene.clips.iter_mut().zip(clips) {
            clip.name = (!name.is_empty()).then(|| name.to_owned());
        }
        let (document, _) = attached(&walk().glb(), &scene, options).unwrap();
        document.parts.animations.iter().map(|a| a.name.as_deref().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let stems = Attach { file_stems: vec!["a".into(), "b".into()], ..Attach::default() };
    assert_eq!(names(["walk", "run"], &stems), ["walk", "walk_1", "run"]);
    assert_eq!(names(["Take 001", "Take 001"], &stems), ["walk", "a", "b"]);
    assert_eq!(names(["", "walk"], &stems), ["walk", "a", "walk_1"]);
    assert_eq!(names(["walk", "run"], &Attach { replace: true, ..stems }), ["walk", "run"]);
}

#[test]
fn a_skinned_node_is_moved_with_a_warning() {
    let target = walk()
        .swap("\"scene\":0", "\"skins\":[{\"joints\":[0]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],\"scene\":0")
        .swap("\"name\":\"leg\"", "\"name\":\"leg\",\"mesh\":0,\"skin\":0");
    let (_, report) = attached(&target.glb(), &lift("leg"), &Attach::default()).unwrap();
    assert_eq!(report.findings[0].fault.code, "ANIMATION_CHANNEL_TARGET_NODE_SKIN");
}

#[test]
fn weights_need_the_same_number_of_morph_targets() {
    let mesh = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"targets\":[{\"POSITION\":1},{\"POSITION\":1}]}]}],\"scene\":0";
    let target = walk().swap("\"scene\":0", mesh).swap("\"name\":\"leg\"", "\"name\":\"leg\",\"mesh\":0");
    let weights = |width: usize| {
        let values: Vec<f32> = (0..2 * width).map(|n| n as f32).collect();
        motion(
            "leg",
            vec![
                Channel::whole(Property::Weights, curve(&[0.0, 1.0], width, &values, Law::LINEAR)),
                moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
            ],
        )
    };
    let (document, report) = attached(&target.glb(), &weights(2), &Attach::default()).unwrap();
    assert_eq!((document.parts.animations[1].channels.len(), report), (2, Report::default()));
    let (document, report) = attached(&target.glb(), &weights(3), &Attach::default()).unwrap();
    assert_eq!(document.parts.animations[1].channels.len(), 1);
    assert!(format!("{:?}", report.losses).contains("3 weights where the mesh has 2 morph targets"));
}

#[test]
fn cameras_are_animated_by_pointers_that_are_declared_once() {
    let camera =
        "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1}}],\"scene\":0";
    let target = walk().swap("\"scene\":0", camera).swap("\"name\":\"leg\"", "\"name\":\"leg\",\"camera\":0");
    let zoom = Channel::whole(Property::YFov, curve(&[0.0, 1.0], 1, &[1.0, 0.5], Law::LINEAR));
    let mut scene = motion("leg", vec![zoom]);
    scene.clips[0].tracks[0].target.kind = TargetKind::Camera;
    let (document, _) = attached(&target.glb(), &scene, &Attach::default()).unwrap();
    keep("attached-camera.glb", &write(&document));
    assert_eq!(document.parts.extensions_used, ["KHR_animation_pointer"]);
    assert_eq!(
        document.parts.animations[1].channels[0].pointer.as_deref(),
        Some("/cameras/0/perspective/yfov")
    );
    let (again, _) = attached(&write(&document), &scene, &Attach::default()).unwrap();
    assert_eq!(again.parts.extensions_used, ["KHR_animation_pointer"]);
    assert_eq!(again.parts.animations[2].name.as_deref(), Some("new_1"));
}

#[test]
fn events_and_clips_without_a_match_are_taken_over_or_said() {
    let mut scene = lift("leg");
    scene.clips[0].markers.push(Marker {
        time: dopesheet_core::units::Seconds(0.5),
        name: "step".into(),
        data: None,
    });
    scene.clips.push(clip("lost", 1.0, vec![joint(&scene, 0, vec![])]));
    let (document, report) = attached(&walk().glb(), &scene, &Attach::default()).unwrap();
    assert_eq!(
        value(&document)["animations"][1]["extras"],
        json!({"events": [{"time": 0.5, "name": "step"}]})
    );
    assert_eq!(document.parts.animations.len(), 2);
    assert!(format!("{:?}", report.losses).contains("lost"));
}

#[test]
fn an_unknown_required_extension_is_refused() {
    let target = walk()
        .swap("\"scene\":0", "\"extensionsUsed\":[\"EXT_x\"],\"extensionsRequired\":[\"EXT_x\"],\"scene\":0");
    let error = attached(&target.glb(), &lift("leg"), &Attach::default()).unwrap_err();
    assert!(error.to_string().contains("EXT_x"), "{error}");
}

#[test]
fn other_files_stay_beside_the_main_one() {
    use dopesheet_core::format::{ReadOptions, Source, WriteOptions};
    let draft = walk().swap("@BUFFER", r#""byteLength":96,"uri":"walk.bin""#);
    let mut source = Source::new(draft.json.as_bytes());
    source.resources.insert("walk.bin".into(), draft.data.clone());
    let mut report = Report::default();
    let mut document = Gltf::read(&source, &ReadOptions::default(), &mut report).unwrap();
    Gltf::attach(&mut document, &lift("leg"), &Attach::default(), &mut report).unwrap();
    let output = Gltf::write(&document, &WriteOptions::default()).unwrap();
    assert_eq!(output.resources, [("walk.bin".to_owned(), draft.data)]);
    assert_eq!(document.parts.buffers.len(), 2);
}

fn replacing() -> Attach {
    Attach { replace: true, ..Attach::default() }
}

#[test]
fn replaced_animations_leave_nothing_behind() {
    let (small, large) = (lift("leg"), leg_turns());
    for target in [walk().glb(), walk().gltf()] {
        let (once, _) = attached(&target, &large, &replacing()).unwrap();
        assert_eq!((once.parts.accessors.len(), once.parts.buffer_views.len()), (2, 2));
        let (twice, _) = attached(&write(&once), &small, &replacing()).unwrap();
        assert_eq!(twice.parts.accessors.len(), 2);
        let (_, report) = to_scene(&twice);
        assert_eq!(report, Report::default());
        if target.starts_with(b"glTF") {
            let (again, _) = attached(&write(&twice), &large, &replacing()).unwrap();
            assert_eq!(again.json.trim_end(), once.json.trim_end());
            assert_eq!(again.buffer(0), once.buffer(0));
            assert!(write(&once).len() < target.len());
            keep("replaced.glb", &write(&again));
        }
    }
}

#[test]
fn what_others_use_stays_when_animations_are_replaced() {
    let mesh = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],\"scene\":0";
    let target = walk().swap("\"scene\":0", mesh);
    let (document, _) = attached(&target.glb(), &leg_turns(), &replacing()).unwrap();
    assert_eq!(document.parts.accessors.len(), 3);
    let positions = &to_scene(&document).0.meshes[0].primitives[0].positions;
    assert_eq!(positions, &[[0.0, -1.0, 0.0], [0.0, -1.0, 0.5], [0.0, -1.0, 0.0]]);
    let unknown = walk().swap("\"scene\":0", "\"extensionsUsed\":[\"EXT_instances\"],\"scene\":0");
    let (document, _) = attached(&unknown.glb(), &leg_turns(), &replacing()).unwrap();
    assert_eq!(document.parts.accessors.len(), 5, "an unknown extension may use any of them");
}

#[test]
fn more_keys_than_before_take_the_old_places_and_new_ones() {
    let mut scene = leg_turns();
    for n in 0..5 {
        let times = [0.0, 1.0 + f64::from(n)];
        let mut track = scene.clips[0].tracks[0].clone();
        track.channels = vec![turns(&times, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8])];
        let name = format!("clip {n}");
        scene.clips.push(clip(&name, 1.0 + f64::from(n), vec![track]));
    }
    let (document, _) = attached(&walk().glb(), &scene, &replacing()).unwrap();
    assert_eq!(document.parts.accessors.len(), 6, "five lists of times, one of rotations");
    assert_eq!(document.parts.buffer_views.len(), 2);
    assert_eq!(to_scene(&document).0.clips.len(), 6);
}
