//! Animations exchanged in files whose data stand in any order.

use crate::common::*;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ToScene};
use dopesheet_core::model::Scene;
use dopesheet_gltf::{Document, Glb};
use serde_json::{Value, json};

/// A leg that walks and nods, with the accessors and views of its animations before those of a mesh, a skin and a picture.
fn animations_first() -> Draft {
    let accessor = |view: usize, count: usize, shape: &str| json!({"bufferView": view, "componentType": 5126, "count": count, "type": shape});
    let times = |view: usize| {
        let mut own = accessor(view, 2, "SCALAR");
        (own["min"], own["max"]) = (json!([0]), json!([1]));
        own
    };
    let mut corners = accessor(7, 3, "VEC3");
    (corners["min"], corners["max"]) = (json!([0, 0, 0]), json!([1, 1, 0]));
    let sampler = |input: usize, output: usize| json!({"input": input, "output": output});
    let channel =
        |sampler: usize, path: &str| json!({"sampler": sampler, "target": {"node": 1, "path": path}});
    // Offsets and lengths in floats: twice times, places, turns, sizes; then corners, matrices, numbers of corners and a picture.
    let views = [2, 6, 8, 6, 2, 6, 0, 9, 32, 2, 1];
    let mut offset = 0;
    let views: Vec<Value> = views
        .into_iter()
        .map(|length: usize| {
            let view = json!({"buffer": 0, "byteOffset": offset * 4, "byteLength": length.max(1) * 4});
            offset += length;
            view
        })
        .collect();
    let json = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"name": "hip", "children": [1]}, {"name": "leg"}, {"name": "body", "mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 7}, "indices": 9}]}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 8}],
        "images": [{"bufferView": 10, "mimeType": "image/png"}],
        "animations": [
            {"name": "walk", "channels": [channel(0, "translation"), channel(1, "rotation"), channel(2, "scale")],
             "samplers": [sampler(0, 1), sampler(0, 2), sampler(0, 3)]},
            {"name": "nod", "channels": [channel(0, "translation")], "samplers": [sampler(4, 5)]},
        ],
        "accessors": [times(0), accessor(1, 2, "VEC3"), accessor(2, 2, "VEC4"), accessor(3, 2, "VEC3"),
            times(4), accessor(5, 2, "VEC3"), json!({"componentType": 5126, "count": 1, "type": "SCALAR"}),
            corners, accessor(8, 2, "MAT4"), json!({"bufferView": 9, "componentType": 5123, "count": 3, "type": "SCALAR"})],
        "bufferViews": views,
        "buffers": [{"@BUFFER": 0}],
    });
    let identity: Vec<f32> = (0..32).map(|at| f32::from(u8::from(at % 16 % 5 == 0))).collect();
    let mut numbers = vec![0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8];
    numbers.extend([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0]);
    numbers.extend([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    numbers.extend(identity);
    let mut data = floats(&numbers);
    data.extend([0, 0, 1, 0, 2, 0, 0, 0]);
    data.extend(*b"\x89PNG");
    Draft { json: json.to_string().replace("\"@BUFFER\":0", "@BUFFER"), data }
}

/// A document brought up to its scene after a change.
fn updated(draft: &Draft, change: impl FnOnce(&mut Scene)) -> Document {
    updated_and_told(draft, change).0
}

/// The same with what the update reports.
fn updated_and_told(draft: &Draft, change: impl FnOnce(&mut Scene)) -> (Document, Report) {
    let mut report = Report::default();
    let mut document = try_read(&draft.glb()).unwrap_or_else(|error| panic!("{error}"));
    let mut scene = Glb::to_scene(&document, &ToScene::to_update(), &mut Report::default()).unwrap();
    change(&mut scene);
    Glb::update(&mut document, &scene, &FromScene::default(), &mut report).unwrap();
    assert_eq!(read_back(&document), document);
    assert_eq!(said(&write(&document)), said(&draft.glb()), "{}", document.json);
    (document, report)
}

/// Corners, matrices, corner numbers and the picture that a document draws.
fn drawn(document: &Document) -> [Vec<u8>; 4] {
    let json = value(document);
    let primitive = &json["meshes"][0]["primitives"][0];
    let view = |accessor: &Value| &json["accessors"][accessor.as_u64().unwrap() as usize]["bufferView"];
    let views = [
        view(&primitive["attributes"]["POSITION"]),
        view(&json["skins"][0]["inverseBindMatrices"]),
        view(&primitive["indices"]),
        &json["images"][0]["bufferView"],
    ];
    views.map(|view| {
        let view = &document.parts.buffer_views[view.as_u64().unwrap() as usize];
        let start = view.byte_offset as usize;
        document.buffer(0).unwrap()[start..start + view.byte_length as usize].to_vec()
    })
}

/// Leaves channels of the first clip out, and shifts those that stay.
fn leave(scene: &mut Scene, channels: usize) {
    let tracks = &mut scene.clips[0].tracks;
    tracks[0].channels.truncate(channels);
    for channel in &mut tracks[0].channels {
        channel.composition.curves_mut().into_iter().for_each(|curve| curve.values[0] += 0.25);
    }
    tracks.retain(|track| !track.channels.is_empty());
}

#[test]
fn fewer_channels_before_a_mesh_leave_no_accessor_without_its_bytes() {
    let draft = animations_first();
    let before = drawn(&try_read(&draft.glb()).unwrap());
    for channels in 0..3 {
        let document = updated(&draft, |scene| leave(scene, channels));
        keep(&format!("fewer-{channels}.glb"), &write(&document));
        assert_eq!(drawn(&document), before, "{channels} channels");
        // Times and values of what stays, three of the other clip and of nothing, and three that are drawn.
        let stays = if channels == 0 { 0 } else { channels + 1 };
        assert_eq!(document.parts.accessors.len(), stays + 6, "{channels} channels");
        let clips = to_scene(&document).0.clips;
        assert_eq!(clips.last(), to_scene(&try_read(&draft.glb()).unwrap()).0.clips.last());
        assert_eq!(clips[0].tracks[0].channels.len(), channels.max(1));
    }
}

#[test]
fn a_file_without_any_animation_left_has_no_empty_lists() {
    let draft = walk();
    let document = updated(&draft, |scene| scene.clips[0].tracks.clear());
    let json = value(&document);
    for list in ["animations", "accessors", "bufferViews"] {
        assert_eq!(json.get(list), None, "{list}");
    }
    assert_eq!(document.parts.buffers[0].byte_length, 4);
}

#[test]
fn accessors_that_an_unknown_extension_may_name_stay_with_their_bytes_and_are_told() {
    for (from, to) in [
        (r#""name":"hip""#, r#""name":"hip","extensions":{"ACME_outline":{"edges":2}}"#),
        (r#""name":"hip""#, r#""name":"hip","extras":{"pathAccessor":2}"#),
    ] {
        let draft = animations_first().swap(from, to);
        let source = try_read(&draft.glb()).unwrap();
        let (document, report) = updated_and_told(&draft, |scene| leave(scene, 1));
        let words =
            "kept as data: the old keys of 1 animation, to which extras or an unknown extension may refer";
        assert!(report.losses.iter().any(|loss| loss.to_string() == words), "{report:?}");
        let (old, new) = (&source.parts, &document.parts);
        assert_eq!(new.accessors[..old.accessors.len()], old.accessors);
        assert_eq!(new.buffer_views[..old.buffer_views.len()], old.buffer_views);
        assert_eq!(document.buffer(0).unwrap()[..draft.data.len()], draft.data);
    }
}

#[test]
fn a_bone_called_an_accessory_in_extras_keeps_no_old_keys() {
    let extras = r#""name":"hip","extras":{"bone":"waist accessory","Accessories":{"hat":"Accessor 2"}}"#;
    let draft = animations_first().swap(r#""name":"hip""#, extras);
    let (document, report) = updated_and_told(&draft, |scene| leave(scene, 1));
    let plain = updated(&animations_first(), |scene| leave(scene, 1));
    assert_eq!(document.parts.accessors.len(), plain.parts.accessors.len());
    assert_eq!(document.buffer(0), plain.buffer(0));
    assert_eq!(report.losses, []);
}

#[test]
fn accessors_of_instances_follow_where_animations_before_them_shrink() {
    let instances =
        r#""name":"body","extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":7}}}"#;
    let draft = animations_first().swap(r#""name":"body""#, instances);
    let document = updated(&draft, |scene| leave(scene, 1));
    let json = value(&document);
    let own = &json["nodes"][2]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"];
    assert_eq!(own, &json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]);
    assert_eq!(own, 5);
}

#[test]
fn another_name_of_a_node_leaves_all_animations_as_they_were_written() {
    let draft = animations_first();
    let document = updated(&draft, |scene| {
        scene.nodes[1].name = "thigh".into();
        scene.clips.iter_mut().for_each(|clip| clip.tracks[0].target.name = "thigh".into());
    });
    let source = try_read(&draft.glb()).unwrap();
    assert_eq!(document.json.trim_end(), source.json.trim_end().replace("\"leg\"", "\"thigh\""));
    assert_eq!(document.buffer(0), source.buffer(0));
}

#[test]
fn an_animation_that_did_not_change_stays_beside_one_that_did() {
    let nod = r#""name":"nod""#;
    let draft = animations_first().swap(nod, r#""extensions":{}, "name" : "nod""#);
    let document = updated(&draft, |scene| leave(scene, 3));
    let stays = r#""extensions":{}, "name" : "nod""#;
    assert!(document.json.contains(stays), "{}", document.json);
    let accessors = |document: &Document| document.parts.animations[1].samplers[0].clone();
    assert_eq!(accessors(&document), accessors(&try_read(&draft.glb()).unwrap()));
}
