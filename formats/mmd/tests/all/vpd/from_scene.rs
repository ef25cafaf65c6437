//! Scene to document.

use crate::vpd::fixtures::{pose, with_morph};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ToScene, WriteOptions};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Law, Laws, Marker, Node, Outside, Property, Scene, Target, TargetKind,
    Times, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_mmd::vpd::{Document, Pose};
use dopesheet_mmd::{BASIS, Vpd};
use dopesheet_testkit::read;

fn written(scene: &Scene, options: &FromScene) -> (Document, Report) {
    let mut report = Report::default();
    let document = Vpd::from_scene(scene, options, &mut report).unwrap();
    (document, report)
}

fn vector(frames: &[i64], values: &[f32]) -> Curve {
    let times = Times::Frames { rate: FrameRate::FPS_30, frames: frames.into() };
    Curve::new(times, 3, values.to_vec(), Laws::uniform(Law::LINEAR))
}

fn number(frames: &[i64], values: &[f32]) -> Curve {
    Curve { width: 1, ..vector(frames, values) }
}

/// A scene whose bones have one channel each.
fn moved(bones: &[(&str, Channel)]) -> Scene {
    let mut scene = Scene::new(BASIS);
    let mut clip = Clip { duration: Seconds(1.0), ..Clip::default() };
    for (index, (name, channel)) in bones.iter().enumerate() {
        let node = scene.push_node(Node::new(*name, None, Transform::IDENTITY));
        let target = Target::new(TargetKind::Joint, *name, index, Some(node));
        clip.tracks.push(Track { target, channels: vec![channel.clone()] });
    }
    scene.clips.push(clip);
    scene
}

fn translation(curve: Curve) -> Channel {
    Channel::whole(Property::Translation, curve)
}

fn losses(report: &Report) -> String {
    report.losses.iter().map(|loss| format!("{loss:?}\n")).collect()
}

#[test]
fn a_pose_comes_back_as_it_was_with_the_name_of_its_model() {
    for text in [pose(), with_morph()] {
        let document = read::<Vpd>(&text);
        let scene = Vpd::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
        let (back, _) = written(&scene, &FromScene::default());
        assert_eq!(back.pose(), document.pose());
        assert_eq!(Vpd::write(&back, &WriteOptions::default()).unwrap().main, text);
    }
}

#[test]
fn a_longer_clip_gives_the_pose_at_its_start_and_the_other_keys_are_counted() {
    let mut late = vector(&[15], &[9.0; 3]);
    let held = translation(late.clone());
    late.before = Outside::Ramp { start: Seconds(0.0), from: Box::new([4.0; 3]), law: Law::LINEAR };
    let axes = [number(&[0, 5], &[1.0, 7.0]), number(&[0, 5], &[2.0, 7.0]), number(&[0, 5], &[3.0, 7.0])];
    let axes = Channel {
        property: Property::Translation,
        composition: Composition::Components(axes.into()),
        native: None,
    };
    let jump = translation(vector(&[0, 0, 1], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0]));
    let scene = moved(&[("held", held), ("ramp", translation(late)), ("axes", axes), ("jump", jump)]);
    let (document, report) = written(&scene, &FromScene::default());
    let places: Vec<_> =
        document.pose().bones.iter().map(|bone| (bone.name.as_str(), bone.translation)).collect();
    let expected = [("held", [9.0; 3]), ("ramp", [4.0; 3]), ("axes", [1.0, 2.0, 3.0]), ("jump", [2.0; 3])];
    assert_eq!(places, expected);
    assert_eq!((document.pose().announced_bones, document.pose().parent.as_str()), (4, "model.osm"));
    insta::assert_snapshot!(losses(&report), @r#"
    Kept { what: "4 bones" }
    Dropped { what: "4 keys after the start", why: "a pose is one moment" }
    "#);
}

#[test]
fn numbers_are_rounded_to_six_decimals_and_the_worst_is_reported() {
    let scene = moved(&[
        ("a", translation(vector(&[0], &[0.123_456_7, 0.0, -0.000_000_1]))),
        ("b", translation(vector(&[0], &[0.000_000_3, 0.5, 0.0]))),
    ]);
    let (document, report) = written(&scene, &FromScene::default());
    assert_eq!(document.pose().bones[0].translation, [0.123_457, 0.0, 0.0]);
    insta::assert_snapshot!(losses(&report), @r#"
    Approximated { what: "translations, rounded to six decimals", max_error: MaxError { value: 2.5148244274777924e-8, unit: Metre, target: "a", time: Seconds(0.0) }, bound: None }
    Kept { what: "2 bones" }
    "#);
    let bytes = Vpd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<Vpd>(&bytes).pose(), document.pose());
}

#[test]
fn names_that_cannot_be_written_are_refused_or_replaced() {
    let rest = || translation(vector(&[0], &[0.0; 3]));
    let scene = moved(&[("한a", rest()), ("line\nbreak", rest()), ("blank ", rest()), ("?a", rest())]);
    let error = Vpd::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @r#"vpd: expected a name that CP932 can encode, found "한a""#);
    let options = FromScene { replace_unencodable: true, ..FromScene::default() };
    let (document, report) = written(&scene, &options);
    let names: Vec<_> = document.pose().bones.iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["?a", "line?break", "blank"]);
    assert_eq!(Vpd::node_names(&scene), ["?a", "line?break", "blank", "?a"]);
    assert_eq!(Vpd::stored_name("左ひじ "), "左ひじ");
    insta::assert_snapshot!(losses(&report), @r#"
    Dropped { what: "characters of the bone name \"한a\"", why: "CP932 lacks them; it is written as \"?a\"" }
    Dropped { what: "characters of the bone name \"line\\nbreak\"", why: "CP932 lacks them; it is written as \"line?break\"" }
    Dropped { what: "the blanks behind the bone name \"blank \"", why: "names end with their line" }
    Dropped { what: "bone \"?a\"", why: "an earlier one has the same name" }
    Kept { what: "3 bones" }
    "#);
}

#[test]
fn what_has_no_place_is_counted() {
    let mut scene = moved(&[("a", translation(vector(&[0], &[0.0; 3])))]);
    let clip = &mut scene.clips[0];
    clip.tracks[0].channels.push(Channel::whole(Property::Scale, vector(&[0], &[2.0; 3])));
    clip.markers.push(Marker { time: Seconds(0.0), name: "here".into(), data: None });
    let target = Target::new(TargetKind::Light, "light", 0, None);
    let color = Channel::whole(Property::Color, vector(&[0], &[1.0; 3]));
    clip.tracks.push(Track { target, channels: vec![color] });
    let (_, report) = written(&scene, &FromScene::default());
    insta::assert_snapshot!(losses(&report), @r#"
    Kept { what: "1 bone" }
    Dropped { what: "2 channels of other kinds", why: "the format has no place for them" }
    Dropped { what: "1 marker", why: "the format has no place for them" }
    "#);
    scene.clips[0].tracks.remove(0);
    let error = Vpd::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @r#"nothing to convert: 1 track, none of which moves a bone or morph"#);
}

#[test]
fn an_empty_scene_is_an_empty_pose() {
    let (document, report) = written(&Scene::new(BASIS), &FromScene::default());
    assert_eq!(*document.pose(), Pose { parent: "model.osm".into(), ..Pose::default() });
    assert_eq!(report, Report::default());
}
