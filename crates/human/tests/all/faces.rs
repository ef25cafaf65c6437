//! Faces of captures, models and avatars, each as those of another.

use crate::figures::standing;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Channel, Clip, Expression, Humanoid, Law, MorphSet, Property, Scene, Target, TargetKind, Track,
};
use dopesheet_core::units::Seconds;
use dopesheet_human::{Carry, CarryOptions, Figure, Planted, carry, propose};
use dopesheet_testkit::curves::line;

/// A standing figure with a clip of a second whose morphs have keys at times.
fn moving(morphs: &[(&str, &[f64], &[f32], Law)]) -> Scene {
    let mut scene = standing();
    let tracks = morphs.iter().enumerate().map(|(index, (name, times, values, law))| Track {
        target: Target::new(TargetKind::Morph, *name, index, None),
        channels: vec![Channel::whole(Property::Weight, line(times, values, *law))],
    });
    scene.clips.push(Clip { duration: Seconds(1.0), tracks: tracks.collect(), ..Clip::default() });
    scene
}

fn pair<'a>(name: &'a str, values: &'a [f32]) -> (&'a str, &'a [f64], &'a [f32], Law) {
    (name, &[0.0, 1.0], values, Law::LINEAR)
}

/// Name, key times and values of each face of a clip.
type Face = (String, Vec<f64>, Vec<f32>);

fn faces(scene: &Scene) -> Vec<Face> {
    let tracks = scene.clips[0].tracks.iter().filter(|track| track.target.kind == TargetKind::Morph);
    let curve = |track: &Track| {
        let curve = track.channels[0].composition.curves().next().unwrap().clone();
        (track.target.name.clone(), curve.times.iter().map(|time| time.0).collect(), curve.values)
    };
    tracks.map(curve).collect()
}

fn names_of(faces: &[Face]) -> Vec<&str> {
    faces.iter().map(|(name, ..)| name.as_str()).collect()
}

fn for_avatars(scene: &Scene, names: &NameMap) -> Vec<Face> {
    for_avatars_and_said(scene, names).0
}

fn for_avatars_and_said(scene: &Scene, names: &NameMap) -> (Vec<Face>, Report) {
    let humanoid = propose(scene, &NameMap::default()).humanoid;
    let mut report = Report::default();
    let way = Carry { from: Figure { scene, humanoid: &humanoid }, to: None, goals: None };
    (faces(&carry(&way, &CarryOptions::new(names), &mut report).unwrap().scene), report)
}

/// A standing figure with morphs of some names, and faces that it says are made of them.
fn with_morphs(morphs: &[&str], stated: &[(&str, &[(&str, f64)])]) -> Scene {
    let mut scene = standing();
    let rest = vec![0.0; morphs.len()];
    let morphs = morphs.iter().map(|name| (*name).to_owned()).collect();
    scene.morph_sets.push(MorphSet { name: "face".into(), morphs, rest });
    let expressions = stated.iter().map(|(name, morphs)| Expression {
        name: (*name).to_owned(),
        morphs: morphs.iter().map(|(morph, weight)| ((*morph).to_owned(), *weight)).collect(),
    });
    let bones = propose(&scene, &NameMap::default()).humanoid.bones;
    scene.humanoid = Some(Humanoid { bones, expressions: expressions.collect(), ..Humanoid::default() });
    scene
}

fn on_figure(scene: &Scene, target: &Scene) -> Vec<Face> {
    let none = NameMap::default();
    let (humanoid, target_humanoid) = (propose(scene, &none).humanoid, propose(target, &none).humanoid);
    let (from, to) =
        (Figure { scene, humanoid: &humanoid }, Figure { scene: target, humanoid: &target_humanoid });
    let options = CarryOptions { planted: Planted::Nothing, ..CarryOptions::new(&none) };
    let way = Carry { from, to: Some(to), goals: None };
    faces(&carry(&way, &options, &mut Report::default()).unwrap().scene)
}

#[test]
fn shapes_of_both_sides_of_a_face_are_one_expression() {
    let scene = moving(&[
        pair("mouthSmileLeft", &[0.0, 1.0]),
        ("mouthSmileRight", &[0.0, 0.5, 1.0], &[0.0, 0.5, 0.5], Law::LINEAR),
        pair("eyeBlinkLeft", &[0.0, 0.25]),
        pair("JawOpen", &[0.0, 0.75]),
        pair("cheekPuff", &[0.0, 1.0]),
    ]);
    let (made, report) = for_avatars_and_said(&scene, &NameMap::default());
    assert!(!format!("{report:?}").contains("sums"), "straight ones are exact: {report:?}");
    let expected = [
        // Of straight curves with keys at other times the sum has the keys of both.
        ("happy".to_owned(), vec![0.0, 0.5, 1.0], vec![0.0, 0.5, 0.75]),
        ("blinkLeft".to_owned(), vec![0.0, 1.0], vec![0.0, 0.25]),
        ("aa".to_owned(), vec![0.0, 1.0], vec![0.0, 0.75]),
        ("cheekPuff".to_owned(), vec![0.0, 1.0], vec![0.0, 1.0]),
    ];
    assert_eq!(made, expected);
}

#[test]
fn an_expression_of_its_own_counts_before_shapes_that_would_make_it() {
    let scene = moving(&[pair("mouthSmileLeft", &[0.0, 1.0]), pair("happy", &[0.0, 0.5])]);
    let made = for_avatars(&scene, &NameMap::default());
    assert_eq!(names_of(&made), ["mouthSmileLeft", "happy"]);
    assert_eq!(made[1].2, [0.0, 0.5]);
}

#[test]
fn sums_of_steps_step_and_sums_of_bent_curves_are_sampled() {
    let step = (&[0.0, 0.5][..], &[0.0, 1.0][..], Law::STEP);
    let scene =
        moving(&[("browDownLeft", step.0, step.1, step.2), ("browDownRight", &[0.0], &[0.5], Law::STEP)]);
    let made = for_avatars(&scene, &NameMap::default());
    assert_eq!(made, [("angry".to_owned(), vec![0.0, 0.5], vec![0.25, 0.75])]);
    let mixed = moving(&[("browDownLeft", step.0, step.1, step.2), pair("browDownRight", &[0.0, 1.0])]);
    let (made, report) = for_avatars_and_said(&mixed, &NameMap::default());
    let (_, times, values) = &made[0];
    assert_eq!(times.len(), 17);
    // The step lies between two samples.
    let found = report.losses.iter().find_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.contains("sums") => Some(max_error),
        _ => None,
    });
    let found = found.expect("an error");
    assert!((found.value - 0.25).abs() < 1e-6 && found.target == "angry", "{found:?}");
    assert_eq!((values[7], values[8], values[16]), (0.21875, 0.75, 1.0));
}

#[test]
fn a_map_says_which_morphs_make_an_expression_and_by_what_share() {
    let scene = moving(&[
        pair("tongueOut", &[0.0, 1.0]),
        pair("cheekPuff", &[0.0, 0.5]),
        pair("noseSneerLeft", &[0.0, 1.0]),
        pair("noseSneerRight", &[0.0, 0.0]),
    ]);
    let map = [
        ("tongueOut", "ee * 0.25"),
        ("cheekPuff", "ee * 1"),
        // Without shares each counts as much as the others.
        ("noseSneerLeft", "sneer"),
        ("noseSneerRight", "sneer"),
    ];
    let names = NameMap::new(map.map(|(a, b)| (a.to_owned(), b.to_owned())));
    let made = for_avatars(&scene, &names);
    let values: Vec<_> = made.iter().map(|(name, _, values)| (name.as_str(), values[1])).collect();
    assert_eq!(values, [("ee", 0.75), ("sneer", 0.5)]);
}

#[test]
fn a_capture_moves_the_shapes_that_a_figure_has_and_else_its_presets() {
    let scene = moving(&[
        pair("mouthSmileLeft", &[0.0, 1.0]),
        pair("mouthSmileRight", &[0.0, 0.5]),
        pair("jawOpen", &[0.0, 0.5]),
        pair("tongueOut", &[0.0, 1.0]),
    ]);
    let same = with_morphs(&["jawOpen", "mouthSmileRight", "mouthSmileLeft", "tongueOut"], &[]);
    assert_eq!(
        names_of(&on_figure(&scene, &same)),
        ["mouthSmileLeft", "mouthSmileRight", "jawOpen", "tongueOut"]
    );
    let mmd = with_morphs(&["笑い", "あ"], &[]);
    let made = on_figure(&scene, &mmd);
    assert_eq!(
        made.iter().map(|(name, _, values)| (name.as_str(), values[1])).collect::<Vec<_>>(),
        [("笑い", 0.75), ("あ", 0.5)]
    );
}

#[test]
fn presets_move_all_shapes_that_make_them() {
    let scene = moving(&[pair("aa", &[0.0, 1.0]), pair("ウィンク", &[0.0, 0.5]), pair("happy", &[0.0, 1.0])]);
    let made = on_figure(
        &scene,
        &with_morphs(&["jawOpen", "eyeBlinkLeft", "mouthSmileLeft", "mouthSmileRight"], &[]),
    );
    assert_eq!(names_of(&made), ["jawOpen", "eyeBlinkLeft", "mouthSmileLeft", "mouthSmileRight"]);
}

#[test]
fn an_expression_moves_the_morphs_that_the_avatar_says_make_it() {
    let scene = moving(&[pair("aa", &[0.0, 1.0]), pair("happy", &[0.0, 0.5]), pair("あ２", &[0.0, 1.0])]);
    let stated: &[(&str, &[(&str, f64)])] =
        &[("aa", &[("M_open", 0.5), ("Lips", 1.0)]), ("happy", &[("Lips", 0.5)])];
    let made = on_figure(&scene, &with_morphs(&["M_open", "Lips", "あ"], stated));
    let values: Vec<_> = made.iter().map(|(name, _, values)| (name.as_str(), values[1])).collect();
    assert_eq!(values, [("M_open", 0.5), ("Lips", 1.25)]);
}

#[test]
fn emotions_reach_a_face_of_arkit_and_come_back() {
    let shapes = [
        "mouthSmileLeft",
        "mouthSmileRight",
        "browDownLeft",
        "browDownRight",
        "mouthFrownLeft",
        "mouthFrownRight",
        "browInnerUp",
        "eyeWideLeft",
        "eyeWideRight",
        "eyeSquintLeft",
        "eyeSquintRight",
        "eyeBlinkLeft",
        "eyeBlinkRight",
        "jawOpen",
    ];
    let face = with_morphs(&shapes, &[]);
    for emotion in ["happy", "angry", "sad", "surprised"] {
        let there = on_figure(&moving(&[pair(emotion, &[0.0, 0.8])]), &face);
        assert!(there.len() >= 2, "{emotion}: {there:?}");
        let rows: Vec<_> = there.iter().map(|(name, _, values)| pair(name, values)).collect();
        let back = for_avatars(&moving(&rows), &NameMap::default());
        let own = back.iter().find(|(name, ..)| name == emotion).unwrap();
        assert!((own.2[1] - 0.8).abs() < 1e-6, "{emotion}: {own:?}");
    }
    for lone in ["relaxed", "blink"] {
        assert!(on_figure(&moving(&[pair(lone, &[0.0, 1.0])]), &face).len() >= 2, "{lone}");
    }
}
