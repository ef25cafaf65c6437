//! Document to scene.

use crate::vpd::fixtures::{CENTER, ELBOW, File, NO_TURN, REST, pose, with_morph};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{
    Channel, Composition, Curve, Hierarchy, PoseRelation, Property, Scene, TargetKind, Track,
};
use dopesheet_core::units::{FrameIndex, FrameRate, Seconds};
use dopesheet_mmd::{BASIS, Vmd, Vpd, text::Name, vmd};
use dopesheet_testkit::read;

fn scene_with(text: &[u8], options: &ToScene) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = Vpd::to_scene(&read::<Vpd>(text), options, &mut report).unwrap();
    (scene, report)
}

fn scene(text: &[u8]) -> (Scene, Report) {
    scene_with(text, &ToScene::default())
}

fn curve(track: &Track, property: Property) -> &Curve {
    let channel = track.channels.iter().find(|channel| channel.property == property).unwrap();
    let Channel { composition: Composition::Whole(curve), .. } = channel else { panic!("one curve") };
    curve
}

#[test]
fn a_pose_is_a_clip_of_one_frame_on_top_of_rest() {
    let options = ToScene { fallback_name: Some("bow".into()), ..ToScene::default() };
    let (scene, report) = scene_with(&pose(), &options);
    assert_eq!(report, Report::default());
    assert_eq!((scene.basis, scene.hierarchy), (BASIS, Hierarchy::Unknown));
    let names: Vec<_> = scene.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
    assert_eq!(names, [("センター", None), ("左ひじ", None)]);
    let [clip] = scene.clips.as_slice() else { panic!("one clip") };
    assert_eq!((clip.name.as_deref(), clip.duration), (Some("bow"), Seconds(0.0)));
    assert_eq!((clip.grid, clip.relation), (Some(FrameRate::FPS_30), PoseRelation::OnTopOfRest));
    let [center, elbow] = clip.tracks.as_slice() else { panic!("two tracks") };
    assert_eq!((center.target.kind, center.target.index), (TargetKind::Joint, 0));
    let place = curve(center, Property::Translation);
    assert_eq!((place.len(), place.times.frame(0)), (1, Some(FrameIndex(0))));
    assert_eq!(place.value(0), Some([0.5, -1.25, 3.0].as_slice()));
    assert_eq!(curve(elbow, Property::Rotation).value(0), Some([0.0, 0.0, 0.5, 0.866_025].as_slice()));
}

#[test]
fn a_pose_is_played_as_a_motion_with_the_same_keys_at_frame_0() {
    let rotation = [0.0, 0.0, 0.5, 0.866_025];
    let key = |name, translation, rotation| vmd::BoneKeyframe {
        name: Name::encode(name, false).unwrap().name,
        frame: 0,
        translation,
        rotation,
        interpolation: vmd::BoneKeyframe::interpolation_bytes([vmd::LINEAR; 4], vmd::Physics::On),
    };
    let motion = vmd::Document {
        bones: vec![
            key("センター", [0.5, -1.25, 3.0], [0.0, 0.0, 0.0, 1.0]),
            key("左ひじ", [0.0; 3], rotation),
        ],
        ..vmd::Document::new(vmd::Version::V0002, &Name::EMPTY)
    };
    let motion = Vmd::to_scene(&motion, &ToScene::default(), &mut Report::default()).unwrap();
    let (scene, _) = scene(&pose());
    assert_eq!(scene.clips[0].tracks, motion.clips[0].tracks);
    assert_eq!(scene.nodes, motion.nodes);
}

#[test]
fn morphs_become_weights() {
    let (scene, _) = scene(&with_morph());
    assert_eq!(scene.morph_sets[0].morphs, ["まばたき"]);
    let track = &scene.clips[0].tracks[1];
    assert_eq!((track.target.kind, track.target.name.as_str()), (TargetKind::Morph, "まばたき"));
    assert_eq!(curve(track, Property::Weight).value(0), Some([0.75].as_slice()));
}

#[test]
fn of_equal_names_the_last_counts_in_the_place_of_the_first() {
    let text = File::new("3")
        .bone("0", CENTER, "1,1,1", NO_TURN)
        .bone("1", ELBOW, REST, NO_TURN)
        .bone("2", CENTER, "2,2,2", NO_TURN)
        .done();
    let (scene, report) = scene(&text);
    let names: Vec<_> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["センター", "左ひじ"]);
    let value = curve(&scene.clips[0].tracks[0], Property::Translation).value(0);
    assert_eq!(value, Some([2.0; 3].as_slice()));
    insta::assert_snapshot!(report.findings[0], @r#"warning mmd-duplicate-name: file: expected every name once, found 1 overruled by a later one of the same name"#);
}

#[test]
fn rotations_are_mended_and_reported_unless_they_are_wanted_as_stored() {
    let text = File::new("2").bone("0", CENTER, REST, "0,0,0,0").bone("1", ELBOW, REST, "0,0,3,4").done();
    let (mended, report) = scene(&text);
    let turns = |scene: &Scene| -> Vec<Vec<f32>> {
        let tracks = scene.clips[0].tracks.iter();
        tracks.map(|track| curve(track, Property::Rotation).values.clone()).collect()
    };
    assert_eq!(turns(&mended), [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8]]);
    let findings: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(findings.join("\n"), @r#"
    warning mmd-zero-quaternion: file: expected rotations of any length but 0, found 1 zero; read as no rotation
    info mmd-quaternion-norm: file: expected rotations of length 1, found 1 of another length; normalised
    "#);
    let (stored, _) = scene_with(&text, &ToScene { as_stored: true, ..ToScene::default() });
    assert_eq!(turns(&stored), [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 3.0, 4.0]]);
}

#[test]
fn bones_that_cannot_be_placed_keep_their_node_and_lose_their_track() {
    let text = File::new("1").bone("0", CENTER, "nan,inf,0", NO_TURN).morph("0", b"m", "inf").done();
    let (scene, report) = scene(&text);
    assert_eq!((scene.nodes.len(), scene.clips[0].tracks.len()), (1, 0));
    insta::assert_debug_snapshot!(report.losses, @r#"
    [
        Dropped {
            what: "2 bones and morphs with numbers that are not finite",
            why: "nothing can be placed there",
        },
    ]
    "#);
}
