//! Fates of things that a target holds but no player of it shows.
#![cfg(all(feature = "unity", feature = "gltf", feature = "more"))]

use dopesheet::convert::Telling;
use dopesheet::core::model::{
    Basis, Channel, Clip, Curve, Law, Laws, Node, Property, Scene, Target, TargetKind, Times, Track,
    Transform,
};
use dopesheet::core::units::Seconds;
use dopesheet::{ConvertOptions, Opened, ReadOptions, convert, registry};

/// A clip with a fade of one material, and with `extra` curves of positions.
fn fade(extra: &str) -> String {
    format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: fade\n  \
         m_PositionCurves: {extra}\n  m_FloatCurves:\n  - curve:\n      m_Curve:\n{}{}      m_PreInfinity: 2\n      \
         m_PostInfinity: 2\n    attribute: m_Color.a\n    path: Panel/Fade\n    classID: 114\n  m_SampleRate: 60\n  \
         m_Events: []\n",
        key(0, "0"),
        key(1, "1"),
    )
}

fn key(time: u8, value: &str) -> String {
    let slope = if value.starts_with('{') { "{x: 1, y: 0, z: 0}" } else { "1" };
    format!(
        "      - time: {time}\n        value: {value}\n        inSlope: {slope}\n        outSlope: {slope}\n"
    )
}

fn lines(text: &str, to: &str) -> (Vec<String>, serde_json::Value) {
    let source =
        dopesheet::read("fade.anim", text.as_bytes(), &ReadOptions::default(), &mut |_| None).unwrap();
    let made = convert(&[source], &ConvertOptions::to(registry::by_id(to).unwrap())).unwrap();
    let telling = Telling { inputs: "fade.anim", output: "out", way_to_more: "--verbose" };
    let lines = made.report.brief(&telling).into_iter().map(|line| line.text).collect();
    (lines, made.report.to_json("out"))
}

#[test]
fn fades_of_a_material_are_data_in_a_glb_and_a_warning_says_that_nothing_moves() {
    let (said, json) = lines(&fade("[]"), "glb");
    let warning = said.iter().find(|line| line.starts_with("warning")).unwrap();
    assert!(
        warning.contains("(m_Color.a)") && warning.contains("nothing moves [nothing-moves]"),
        "{said:#?}"
    );
    assert!(said.contains(&"  kept as data that no player shows: m_Color.a".to_owned()), "{said:#?}");
    assert!(!said.iter().any(|line| line.starts_with("  kept:")), "{said:#?}");
    assert_eq!(json["kept_as_data"], serde_json::json!(["m_Color.a: 1 channel, 2 keys"]));
    assert_eq!(json["kept"], serde_json::json!([]));
}

#[test]
fn what_moves_beside_a_fade_is_kept_and_nothing_is_warned_of() {
    let place = |time, x| key(time, &format!("{{x: {x}, y: 0, z: 0}}"));
    let moved = format!(
        "\n  - curve:\n      m_Curve:\n{}{}      m_PreInfinity: 2\n      m_PostInfinity: 2\n    path: Panel",
        place(0, 0),
        place(1, 1)
    );
    let (said, json) = lines(&fade(&moved), "glb");
    assert!(!said.iter().any(|line| line.contains("nothing-moves")), "{said:#?}");
    assert_eq!(json["kept_as_data"], serde_json::json!(["m_Color.a: 1 channel, 2 keys"]));
    assert!(json["kept"][0].as_str().unwrap().starts_with("translation: 1 channel"), "{json}");
    // A track of numbers is something that players of MORE know.
    let (said, json) = lines(&fade("[]"), "more");
    assert!(!said.iter().any(|line| line.contains("nothing-moves")), "{said:#?}");
    assert_eq!(json["kept_as_data"], serde_json::json!([]));
}

#[test]
fn a_figure_that_a_clip_scales_to_nothing_is_told_and_a_hidden_one_is_not() {
    let scaled = |scale: [f32; 3], extra: Vec<Channel>| {
        let mut scene = Scene::new(Basis::GLTF);
        let node = scene.push_node(Node::new("Hips", None, Transform::IDENTITY));
        let curve = Curve::new(Times::Seconds([0.0].into()), 3, scale.to_vec(), Laws::uniform(Law::LINEAR));
        let channels = [vec![Channel::whole(Property::Scale, curve)], extra].concat();
        let target = Target::new(TargetKind::Joint, "Hips", 0, Some(node));
        scene.clips = vec![Clip {
            duration: Seconds(1.0),
            tracks: vec![Track { target, channels }],
            ..Clip::default()
        }];
        let source = Opened::from_scene("in", &scene).unwrap();
        let report = convert(&[source], &ConvertOptions::to(registry::by_id("glb").unwrap())).unwrap().report;
        report.report.findings.iter().any(|finding| finding.fault.code == "scaled-away")
    };
    assert!(scaled([0.0; 3], Vec::new()));
    assert!(!scaled([0.5, 0.0, 1.0], Vec::new()));
    let switch = Curve::new(Times::Seconds([0.0].into()), 1, vec![0.0], Laws::uniform(Law::STEP));
    assert!(!scaled([0.0; 3], vec![Channel::whole(Property::Visible, switch)]));
}
