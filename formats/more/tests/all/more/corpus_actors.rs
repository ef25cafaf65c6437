//! The actors of the corpus' manifest.

use crate::more::corpus::{documents, list, manifest, number, numbers, same_float, text};
use dopesheet_more::more::Resource;
use serde_json::Value;

#[test]
fn actors_have_the_parts_of_the_manifest() {
    let Some((folder, manifest)) = manifest() else { return };
    let mut bones = 0;
    for (entry, document) in documents(&folder, &manifest, "actor") {
        let (file, Resource::Actor(actor)) = (text(&entry["file"]), &document.resource) else {
            panic!("an actor")
        };
        assert_eq!(actor.bones_name.text(), text(&entry["bonesName"]), "{file}");
        assert_eq!(actor.bones_file.text(), text(&entry["bonesGeometricFileName"]), "{file}");
        assert_eq!(actor.bones.len(), list(&entry["bones"]).len(), "{file}");
        for (bone, expected) in actor.bones.iter().zip(list(&entry["bones"])) {
            compare_bone(bone, expected, file);
            bones += 1;
        }
        compare_emitters(actor, &entry, file);
        let states = list(&entry["stateModels"]);
        assert_eq!(actor.state_models.len(), states.len(), "{file}");
        for (state, expected) in actor.state_models.iter().zip(states) {
            assert_eq!(state.name.text(), text(&expected["name"]), "{file}");
            assert_eq!(
                state.track_names.iter().map(|n| n.text()).collect::<Vec<_>>(),
                texts(&expected["trackNames"])
            );
        }
        let channels = list(&entry["channels"]);
        assert_eq!(actor.channels.len(), channels.len(), "{file}");
        for (channel, expected) in actor.channels.iter().zip(channels) {
            assert_eq!(channel.name.text(), text(&expected["name"]), "{file}");
            assert_eq!(ids(&channel.bone_ids), numbers(&expected["boneIDs"]), "{file}");
            if !expected["graphicObjectIDs"].is_null() {
                assert_eq!(
                    ids(&channel.graphic_object_ids),
                    numbers(&expected["graphicObjectIDs"]),
                    "{file}"
                );
            }
            assert_eq!(Some(channel.is_deformable), expected["isDeformable"].as_bool(), "{file}");
            let or_false = |name: &str| expected[name].as_bool().unwrap_or_default();
            assert_eq!(channel.is_multiple_meshes, or_false("isMultipleMeshes"), "{file}");
            assert_eq!(channel.is_visibility_animated, or_false("isVisibilityAnimated"), "{file}");
        }
        let names: Vec<_> = actor.graphic_object_names.iter().map(|n| n.text()).collect();
        assert_eq!(names, texts(&entry["graphicObjectNames"]), "{file}");
    }
    assert_eq!(bones, 62);
}

fn texts(value: &Value) -> Vec<&str> {
    list(value).iter().map(text).collect()
}

fn ids(ids: &[u16]) -> Vec<f64> {
    ids.iter().copied().map(f64::from).collect()
}

fn same_floats(found: &[f32], expected: &Value, place: &str) {
    let expected = list(expected);
    assert!(found.len() == expected.len(), "{place}");
    assert!(found.iter().zip(expected).all(|(a, b)| same_float(*a, b)), "{place}: {found:?}, {expected:?}");
}

fn compare_bone(bone: &dopesheet_more::more::actor::Bone, expected: &Value, file: &str) {
    use dopesheet_more::more::actor::BoneScale;
    assert_eq!(bone.name.text(), text(&expected["name"]), "{file}");
    assert_eq!(bone.position_name.text(), text(&expected["positionName"]), "{file}");
    assert_eq!(bone.rotation_name.text(), text(&expected["rotationName"]), "{file}");
    assert_eq!(Some(i64::from(bone.father)), expected["fatherIndex"].as_i64(), "{file}");
    same_floats(&bone.position, &expected["defaultPosition"], file);
    same_floats(&bone.rotation, &expected["defaultRotation"], file);
    match &bone.scale {
        BoneScale::Fixed { value, orientation, determinant } => {
            same_floats(value, &expected["scaleValue"], file);
            same_floats(orientation, &expected["scaleOrientation"], file);
            assert!(same_float(*determinant, &expected["matrixDeterminant"]), "{file}");
        }
        BoneScale::Named { value_name, orientation_name, use_scale, value, orientation } => {
            assert_eq!(value_name.text(), text(&expected["scaleValueName"]), "{file}");
            assert_eq!(orientation_name.text(), text(&expected["scaleOrientationName"]), "{file}");
            assert_eq!(f64::from(u8::from(*use_scale)), number(&expected["useScale"]), "{file}");
            same_floats(value, &expected["defaultScaleValue"], file);
            same_floats(orientation, &expected["defaultScaleOrientation"], file);
        }
    }
}

fn compare_emitters(actor: &dopesheet_more::more::actor::ActorModel, entry: &Value, file: &str) {
    let (events, sounds) = (list(&entry["eventEmitters"]), list(&entry["soundEmitters"]));
    assert_eq!(
        (actor.event_emitters.len(), actor.sound_emitters.len()),
        (events.len(), sounds.len()),
        "{file}"
    );
    for (found, expected) in actor.event_emitters.iter().zip(events) {
        assert_eq!(found.name.text(), text(&expected["name"]), "{file}");
        assert_eq!(found.position_name.text(), text(&expected["positionName"]), "{file}");
        assert_eq!(found.rotation_name.text(), text(&expected["rotationName"]), "{file}");
        assert_eq!(Some(i64::from(found.father)), expected["fatherIndex"].as_i64(), "{file}");
        same_floats(&found.position, &expected["defaultPosition"], file);
        same_floats(&found.rotation, &expected["defaultRotation"], file);
        let names: Vec<_> = found.event_track_names.iter().map(|n| n.text()).collect();
        assert_eq!(names, texts(&expected["eventTrackNames"]), "{file}");
        compare_bounds(found.bounds, &expected["box"], file);
    }
    for (found, expected) in actor.sound_emitters.iter().zip(sounds) {
        assert_eq!(found.name.text(), text(&expected["name"]), "{file}");
        assert_eq!(found.position_name.text(), text(&expected["positionName"]), "{file}");
        assert_eq!(Some(i64::from(found.father)), expected["fatherIndex"].as_i64(), "{file}");
        same_floats(&found.position, &expected["defaultPosition"], file);
        let names: Vec<_> = found.sound_track_names.iter().map(|n| n.text()).collect();
        assert_eq!(names, texts(&expected["soundTrackNames"]), "{file}");
        compare_bounds(found.bounds, &expected["box"], file);
    }
}

fn compare_bounds(found: Option<[[f32; 3]; 2]>, expected: &Value, file: &str) {
    match found {
        Some(bounds) => bounds.iter().zip(list(expected)).for_each(|(a, b)| same_floats(a, b, file)),
        None => assert!(expected.is_null(), "{file}"),
    }
}
