//! Scene → file → scene.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ToScene, WriteOptions};
use dopesheet_core::model::*;
use dopesheet_core::units::Seconds;
use dopesheet_gltf::{Glb, Gltf};
use dopesheet_testkit as testkit;

fn seconds(times: &[f64]) -> Times {
    Times::Seconds(times.into())
}

fn simple() -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let root = scene.push_node(Node::new("hip", None, Transform::IDENTITY));
    let leg = scene.push_node(Node::new("leg", Some(root), Transform { translation: [0.0, -1.0, 0.0], ..Transform::IDENTITY }));
    let track = Track {
        target: Target::new(TargetKind::Joint, "leg", 1, Some(leg)),
        channels: vec![
            Channel::whole(Property::Translation, Curve::new(seconds(&[0.0, 1.0]), 3, vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0], Laws::uniform(Law::LINEAR))),
            Channel::whole(Property::Rotation, Curve::new(seconds(&[0.0, 1.0]), 4, vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8], Laws::uniform(Law::SLERP))),
        ],
    };
    scene.clips.push(Clip { name: Some("walk".into()), duration: Seconds(1.0), tracks: vec![track], ..Clip::default() });
    scene
}

#[test]
fn thin() {
    let mut report = Report::default();
    let document = Glb::from_scene(&simple(), &FromScene::default(), &mut report).unwrap();
    let bytes = Glb::write(&document, &WriteOptions::default()).unwrap().main;
    println!("{}", document.json);
    std::fs::write("/tmp/thin.glb", &bytes).unwrap();
    testkit::assert_identity::<Glb>(&bytes, "thin");
    let back = Glb::to_scene(&testkit::read::<Glb>(&bytes), &ToScene::default(), &mut report).unwrap();
    assert_eq!(back.clips, simple().clips);
    let document = Gltf::from_scene(&simple(), &FromScene::default(), &mut report).unwrap();
    let out = Gltf::write(&document, &WriteOptions::default()).unwrap();
    std::fs::write("/tmp/thin.gltf", &out.main).unwrap();
}

#[test]
fn corpus() {
    let Some(folder) = testkit::corpus("gltf") else { return };
    for file in testkit::files(&folder, &["glb"], 5) {
        testkit::assert_identity::<Glb>(&testkit::bytes(&file), &file.display().to_string());
        let mut report = Report::default();
        let scene = Glb::to_scene(&testkit::read::<Glb>(&testkit::bytes(&file)), &ToScene::default(), &mut report).unwrap();
        println!("{} {} {:?}", file.display(), scene.clips[0].tracks.len(), report);
        let doc = Glb::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
        println!("{}", doc.json);
    }
}
