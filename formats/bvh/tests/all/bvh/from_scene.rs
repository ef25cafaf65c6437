//! Scenes as files: what is written, and what is said of it.

use crate::bvh::fixtures::{named, plain};
use dopesheet_bvh::Bvh;
use dopesheet_bvh::bvh::{Channel, Document, JointKind};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, FromScene, ToScene, WriteOptions};
use dopesheet_core::model::{
    Basis, Channel as Moves, Clip, Curve, EulerOrder, Law, Laws, MeshIndex, Node, NodeIndex, Property, Scene,
    Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::quat_from_euler;
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_testkit::read;

fn written(scene: &Scene) -> (Document, Report) {
    let mut report = Report::default();
    let document = Bvh::from_scene(scene, &FromScene::default(), &mut report).unwrap();
    let bytes = Bvh::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<Bvh>(&bytes).motion(), document.motion(), "it is read as it was written");
    (document, report)
}

fn scene_of(document: &Document) -> Scene {
    Bvh::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap()
}

/// A joint that turns as `turn` says on each of so many frames.
fn turning(nodes: Vec<Node>, joint: usize, frames: i64, turn: impl Fn(i64) -> [f64; 4]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    scene.nodes = nodes;
    let rate = FrameRate::FPS_30;
    let times = Times::Frames { rate, frames: (0..frames).collect() };
    let values = (0..frames).flat_map(&turn).map(|x| x as f32).collect();
    let curve = Curve::new(times, 4, values, Laws::uniform(Law::SLERP));
    let target =
        Target::new(TargetKind::Joint, scene.nodes[joint].name.clone(), joint, Some(NodeIndex(joint)));
    let tracks = vec![Track { target, channels: vec![Moves::whole(Property::Rotation, curve)] }];
    let duration = rate.seconds((frames - 1) as f64);
    scene.clips.push(Clip { duration, tracks, grid: Some(rate), ..Clip::default() });
    scene
}

fn node(name: &str, parent: Option<usize>, translation: [f64; 3], rotation: [f64; 4]) -> Node {
    Node::new(name, parent.map(NodeIndex), Transform { translation, rotation, scale: [1.0; 3] })
}

const PLAIN: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

#[test]
fn a_file_comes_back_from_a_scene_as_it_was() {
    for name in ["plain", "orders", "named-end", "crlf"] {
        let document = read::<Bvh>(&named(name));
        let (back, _) = written(&scene_of(&document));
        let again = scene_of(&back);
        // Joints with fewer channels get all that is usual, beside those they have.
        for track in &scene_of(&document).clips[0].tracks {
            let same =
                again.clips[0].tracks.iter().find(|other| other.target.name == track.target.name).unwrap();
            let found: Vec<_> = same.channels.iter().filter(|c| track.channels.contains(c)).collect();
            assert_eq!(found.len(), track.channels.len(), "{name}: {}", track.target.name);
        }
    }
    let document = read::<Bvh>(plain().as_bytes());
    let (back, report) = written(&scene_of(&document));
    let text = Bvh::write(&back, &WriteOptions::default()).unwrap().main;
    assert_eq!(String::from_utf8(text).unwrap(), plain());
    assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{report:?}");
}

#[test]
fn rest_poses_with_turns_are_taken_out() {
    // A lying root, a bent child, and a tip.
    let lying = quat_from_euler(EulerOrder::Xyz.axes(), [1.2, 0.3, -0.4]);
    let bent = quat_from_euler(EulerOrder::Xyz.axes(), [-0.5, 0.8, 0.1]);
    let nodes = vec![
        node("root", None, [1.0, 2.0, 3.0], lying),
        node("bent", Some(0), [0.0, 5.0, 0.0], bent),
        node("tip", Some(1), [1.0, 4.0, 0.5], PLAIN),
    ];
    let scene = turning(nodes, 1, 30, |frame| {
        quat_from_euler(EulerOrder::Zxy.axes(), [0.05, 0.03, 0.1].map(|a| a * frame as f64))
    });
    let (document, _) = written(&scene);
    let made = scene_of(&document);
    assert!(made.nodes.iter().all(|node| node.rest.rotation == PLAIN));
    let rest = |scene: &Scene, time| model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time)));
    let place = |scene: &Scene, name: &str, time| {
        let index = scene.nodes.iter().position(|node| node.name == name).unwrap();
        rest(scene, time).0[index].translation
    };
    for frame in 0..30 {
        let time = FrameRate::FPS_30.seconds(f64::from(frame)).0;
        for name in ["root", "bent", "tip"] {
            let (a, b) = (place(&scene, name, time), place(&made, name, time));
            let off = a.distance(b);
            assert!(off < 1e-5, "{name}, frame {frame}: {off}");
        }
    }
}

#[test]
fn angles_run_through_the_pole_without_a_jump() {
    let nodes = vec![node("root", None, [0.0; 3], PLAIN), node("arm", Some(0), [0.0, 1.0, 0.0], PLAIN)];
    // X is the middle of three: from 60° over 90° to 120°, while the others creep on.
    let turn = |frame: i64| {
        quat_from_euler(EulerOrder::Zxy.axes(), [1.0 + 0.02 * frame as f64, 0.001 * frame as f64, 0.3])
    };
    let scene = turning(nodes, 1, 60, turn);
    let (document, _) = written(&scene);
    let motion = document.motion();
    let rows: Vec<_> = motion.values.chunks_exact(motion.width()).collect();
    for (frame, pair) in rows.windows(2).enumerate() {
        for (from, to) in pair[0].iter().zip(pair[1]) {
            assert!((from - to).abs() < 20.0, "frame {frame}: {from} to {to}");
        }
    }
    // Two turns and more go on beyond 360.
    let nodes = vec![node("root", None, [0.0; 3], PLAIN)];
    let (document, _) = written(&turning(nodes, 0, 100, |frame| {
        quat_from_euler(EulerOrder::Zxy.axes(), [0.0, 0.2 * frame as f64, 0.0])
    }));
    let last = document.motion().values.last().copied().unwrap();
    assert!((last - (0.2f64 * 99.0).to_degrees()).abs() < 1e-4, "{last}");
}

#[test]
fn roots_have_positions_and_others_where_they_move() {
    let nodes = vec![
        node("a b", None, [0.0; 3], PLAIN),
        node("", Some(0), [0.0, 1.0, 0.0], PLAIN),
        node("slides", Some(0), [0.0, 1.0, 0.0], PLAIN),
        node("slides_end", Some(2), [0.0, 2.0, 0.0], PLAIN),
        Node { mesh: Some(MeshIndex(0)), ..node("body", Some(0), [0.0; 3], PLAIN) },
    ];
    let mut scene = turning(nodes, 0, 2, |_| PLAIN);
    let times = scene.clips[0].tracks[0].channels[0].composition.curves().next().unwrap().times.clone();
    let curve = Curve::new(times, 3, vec![0.0, 1.0, 0.0, 0.25, 1.0, 0.0], Laws::uniform(Law::LINEAR));
    let target = Target::new(TargetKind::Joint, "slides", 2, Some(NodeIndex(2)));
    scene.clips[0].tracks.push(Track { target, channels: vec![Moves::whole(Property::Translation, curve)] });
    let (document, report) = written(&scene);
    let joints = &document.motion().joints;
    let shape: Vec<_> = joints.iter().map(|j| (j.kind, j.name.as_str(), j.channels.len())).collect();
    let expected = [
        (JointKind::Root, "a_b", 6),
        (JointKind::Joint, "_", 3),
        (JointKind::EndSite, "", 0),
        (JointKind::Joint, "slides", 6),
        (JointKind::EndSite, "", 0),
    ];
    assert_eq!(shape, expected);
    assert_eq!(joints[4].offset, [0.0, 2.0, 0.0]);
    assert_eq!(joints[0].channels[3..], [Channel::Rotation(2), Channel::Rotation(0), Channel::Rotation(1)]);
    let said: Vec<_> = report.losses.iter().map(|loss| format!("{loss:?}")).collect();
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(Bvh::node_names(&scene), ["a_b", "_", "slides", "slides_end", "body"]);
}

#[test]
fn a_skeleton_alone_is_one_frame_at_rest() {
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(node(
        "root",
        None,
        [0.0, 1.5, 0.0],
        quat_from_euler(EulerOrder::Xyz.axes(), [0.5, 0.0, 0.0]),
    ));
    let (document, _) = written(&scene);
    assert_eq!(document.motion().values, [0.0, 1.5, 0.0, 0.0, 0.0, 0.0]);
    let nothing = Bvh::from_scene(&Scene::new(Basis::GLTF), &FromScene::default(), &mut Report::default());
    let error = nothing.unwrap_err().to_string();
    assert_eq!(error, "nothing to convert: 0 nodes, none of which is a joint");
}

/// Joints `a` and `b`, of which `b` goes along X, below what is given.
fn going(mut nodes: Vec<Node>) -> Scene {
    let parent = nodes.len() - 1;
    nodes.push(node("hips", Some(parent), [0.0, 0.0, 1.0], PLAIN));
    nodes.push(node("spine", Some(parent + 1), [0.0, 0.0, 0.5], PLAIN));
    let mut scene = turning(nodes, parent + 2, 3, |frame| {
        quat_from_euler(EulerOrder::Xyz.axes(), [0.0, 0.1 * frame as f64, 0.0])
    });
    let rate = FrameRate::FPS_30;
    let times = Times::Frames { rate, frames: (0..3).collect() };
    let values = (0..3).flat_map(|frame| [frame as f32, 0.0, 1.0]).collect();
    let curve = Curve::new(times, 3, values, Laws::uniform(Law::LINEAR));
    let target = Target::new(TargetKind::Joint, "hips", parent + 1, Some(NodeIndex(parent + 1)));
    let channels = vec![Moves::whole(Property::Translation, curve)];
    scene.clips[0].tracks.insert(0, Track { target, channels });
    scene
}

/// The roots of a document, and the joints below with positions.
fn roots(document: &Document) -> (Vec<&str>, Vec<&str>) {
    let name = |kind: fn(&dopesheet_bvh::bvh::Joint) -> bool| {
        document.motion().joints.iter().filter(|joint| kind(joint)).map(|joint| joint.name.as_str()).collect()
    };
    let has_positions = |joint: &dopesheet_bvh::bvh::Joint| {
        joint.kind == JointKind::Joint && joint.channels.iter().any(|own| matches!(own, Channel::Position(_)))
    };
    (name(|joint| joint.kind == JointKind::Root), name(has_positions))
}

#[test]
fn joints_that_stand_still_above_the_hips_are_no_roots_of_a_bvh() {
    let lying = quat_from_euler(EulerOrder::Xyz.axes(), [-std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    let mut armature = node("armature", Some(0), [0.0, 2.0, 0.0], lying);
    armature.rest.scale = [0.5; 3];
    let mut nodes = vec![node("scene", None, [3.0, 0.0, 0.0], PLAIN), armature];
    nodes.insert(1, node("target", Some(0), [0.0; 3], PLAIN));
    nodes[2].parent = Some(NodeIndex(0));
    let scene = going(nodes);
    let (document, report) = written(&scene);
    assert_eq!(roots(&document), (vec!["hips"], vec![]));
    let told: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|line| line.starts_with("dropped: 2 joints above the root that stand still")),
        "{told:?}"
    );
    assert!(
        told.iter().any(|line| line.starts_with("dropped: 1 joint beside the root that stands still")),
        "{told:?}"
    );
    assert_eq!(report.findings, []);
    // All that is left is where it was, in centimetres or not.
    let back = scene_of(&document);
    for frame in 0..3 {
        let time = FrameRate::FPS_30.seconds(f64::from(frame));
        let [before, after] =
            [&scene, &back].map(|own| model_pose(own, &local_pose(own, &own.clips[0], time)));
        for (joint, name) in ["hips", "spine"].iter().enumerate() {
            let index = scene.nodes.iter().position(|node| node.name == *name).unwrap();
            let apart = before.0[index].translation - after.0[joint].translation;
            assert!(apart.abs().max_element() < 1e-5, "{name} at frame {frame}: {apart}");
        }
    }
}

#[test]
fn roots_that_cannot_be_one_are_warned_of() {
    let scene = going(vec![node("limb", None, [0.0; 3], PLAIN), node("armature", None, [0.0; 3], PLAIN)]);
    let with_tip = |parent: usize| {
        let mut scene = scene.clone();
        scene.nodes.push(node("tip", Some(parent), [0.0, 1.0, 0.0], PLAIN));
        scene
    };
    let (document, report) = written(&scene);
    assert_eq!((roots(&document).0, report.findings.len()), (vec!["hips"], 0), "a point beside is no figure");
    let (document, report) = written(&with_tip(0));
    assert_eq!(roots(&document).0.len(), 2);
    assert_eq!(report.findings[0].fault.code, "bvh-several-roots");
    // What has two limbs is no mere parent of the hips.
    let mut limbs = with_tip(1);
    limbs.nodes.push(node("end", Some(4), [0.0, 1.0, 0.0], PLAIN));
    assert_eq!(roots(&written(&limbs).0), (vec!["armature"], vec!["hips"]));
}

#[test]
fn joints_that_only_tremble_get_offsets_instead_of_positions() {
    let mut scene = going(vec![node("armature", None, [0.0; 3], PLAIN)]);
    let rate = FrameRate::FPS_30;
    let mut add = |name: &'static str, x: [f32; 3]| {
        let parent = scene.nodes.len() - 1;
        scene.nodes.push(node(name, Some(parent), [2.0, 0.0, 0.0], PLAIN));
        let times = Times::Frames { rate, frames: (0..3).collect() };
        let values = x.into_iter().flat_map(|x| [x, 0.0, 0.0]).collect();
        let curve = Curve::new(times, 3, values, Laws::uniform(Law::LINEAR));
        let target = Target::new(TargetKind::Joint, name, parent + 1, Some(NodeIndex(parent + 1)));
        let channels = vec![Moves::whole(Property::Translation, curve)];
        scene.clips[0].tracks.push(Track { target, channels });
    };
    add("elsewhere", [3.0; 3]);
    add("beside", [2.0001; 3]);
    add("trembling", [2.0, 2.000_001, 2.000_002]);
    add("sliding", [2.0, 2.001, 2.002]);
    let (document, report) = written(&scene);
    assert_eq!(roots(&document), (vec!["hips"], vec!["elsewhere", "sliding"]));
    let joint = |name: &str| document.motion().joints.iter().find(|joint| joint.name == name).unwrap();
    assert_eq!(joint("elsewhere").offset, [2.0, 0.0, 0.0], "another pose than at rest");
    assert_eq!(joint("beside").offset, [2.0001, 0.0, 0.0]);
    assert_eq!(joint("trembling").offset, [2.000_001, 0.0, 0.0]);
    let told: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    let line =
        "approximated: places of joints that only tremble, as their offsets; largest error 0.954 µm (sliding";
    assert!(told.iter().any(|own| own.starts_with(line)), "{told:?}");
}
