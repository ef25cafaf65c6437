//! Meanings of documents.

use crate::npz::fixtures::{PLAIN, amass, clip, f8, named, npz, text, with, without};
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{Assumptions, Format, ToScene};
use dopesheet_core::model::{Basis, Channel, Hierarchy, Property, Scene};
use dopesheet_core::units::FrameRate;
use dopesheet_curve::{quat_angle, quat_from_rotation_vector};
use dopesheet_numpy::{Npz, npz as room};
use dopesheet_testkit::{close, read};

fn scene(bytes: &[u8]) -> Scene {
    Npz::to_scene(&read::<Npz>(bytes), &ToScene::default(), &mut Report::default()).unwrap()
}

fn assumed(bytes: &[u8], facts: &str) -> Result<Scene, ConvertError> {
    let mut document = read::<Npz>(bytes);
    Npz::assume(&mut document, &facts.parse::<Assumptions>().unwrap())?;
    Npz::to_scene(&document, &ToScene::default(), &mut Report::default())
}

fn channel<'a>(scene: &'a Scene, joint: usize, property: &Property) -> &'a Channel {
    let track = scene.clips[0].tracks.iter().find(|track| track.target.index == joint).unwrap();
    track.channels.iter().find(|channel| channel.property == *property).unwrap()
}

fn row(channel: &Channel, frame: usize) -> Vec<f64> {
    let curve = channel.composition.curves().next().unwrap();
    curve.value(frame).unwrap().iter().map(|x| f64::from(*x)).collect()
}

#[test]
fn rotations_have_joints_times_and_axes() {
    let scene = scene(&named("clip"));
    assert_eq!((scene.hierarchy, scene.basis), (Hierarchy::Known, Basis::GLTF));
    let names: Vec<_> =
        scene.nodes.iter().map(|node| (node.name.as_str(), node.parent.map(|p| p.0))).collect();
    assert_eq!(names, [("hip", None), ("leg", Some(0))]);
    assert_eq!(scene.nodes[1].rest.translation, [1.0, 0.0, 0.0]);
    let clip = &scene.clips[0];
    assert_eq!((clip.grid, clip.duration.0), (FrameRate::new(30, 1), 1.0 / 30.0));
    assert!(!clip.places_only);
    let turn = row(channel(&scene, 0, &Property::Rotation), 1);
    assert!(turn.iter().zip([0.0, 0.0, 0.5f64.sqrt(), 0.5f64.sqrt()]).all(|(a, b)| close(*a, b, 1e-7)));
}

#[test]
fn the_real_part_may_come_first() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turns = [1.0, 0.0, 0.0, 0.0].repeat(2).into_iter().chain([half, 0.0, 0.0, half, 1.0, 0.0, 0.0, 0.0]);
    let arrays = with(clip(), "rotations", f8("(2, 2, 4)", &turns.collect::<Vec<_>>()));
    let first = scene(&npz(&with(arrays, "order", text("wxyz")), PLAIN));
    assert_eq!(first.clips[0].tracks, scene(&named("clip")).clips[0].tracks);
}

#[test]
fn places_become_translations_and_no_turn_is_made_up() {
    let scene = scene(&named("positions"));
    assert!(scene.clips[0].places_only);
    assert!(scene.clips[0].tracks.iter().all(|track| track.channels.len() == 1));
    assert_eq!(row(channel(&scene, 0, &Property::Translation), 1), [0.0, 1.0, 0.0]);
    assert_eq!(row(channel(&scene, 1, &Property::Translation), 1), [0.0, 1.0, 0.0]);
}

#[test]
fn a_body_of_amass_is_set_upright_and_its_joints_turn_as_stored() {
    let bytes = npz(&amass(), PLAIN);
    let upright = scene(&bytes);
    assert_eq!(upright.basis, Basis::GLTF);
    let stored = read::<Npz>(&bytes);
    let poses = stored.array("poses").unwrap().numbers().unwrap();
    let vector = |frame: usize, joint: usize| -> [f64; 3] {
        std::array::from_fn(|axis| poses[66 * frame + 3 * joint + axis])
    };
    let found = |frame: usize, joint: usize| -> [f64; 4] {
        row(channel(&upright, joint, &Property::Rotation), frame).try_into().unwrap()
    };
    for (frame, joint) in [(0, 1), (1, 7), (2, 21)] {
        let expected = quat_from_rotation_vector(vector(frame, joint));
        assert!(quat_angle(found(frame, joint), expected) < 1e-6, "{frame} {joint}");
    }
    // (x, y, z) with Z up is (x, z, −y) with Y up.
    let gone = row(channel(&upright, 0, &Property::Translation), 2);
    assert!(gone.iter().zip([0.2, 1.0, 0.1]).all(|(a, b)| close(*a, b, 1e-6)), "{gone:?}");
    let options = ToScene { as_stored: true, ..ToScene::default() };
    let native = Npz::to_scene(&stored, &options, &mut Report::default()).unwrap();
    assert_eq!(native.basis.up, dopesheet_core::model::Axis::PosZ);
    let turn: [f64; 4] = row(channel(&native, 0, &Property::Rotation), 1).try_into().unwrap();
    assert!(quat_angle(turn, quat_from_rotation_vector(vector(1, 0))) < 1e-6);
    assert_eq!(native.clips[0].source.as_ref().unwrap()["gender"], "male");
}

#[test]
fn a_body_with_offsets_of_its_own_starts_where_it_rests() {
    let offsets: Vec<f64> = (0..66).map(|n| 0.01 * f64::from(n)).collect();
    let scene = scene(&npz(&with(amass(), "offsets", f8("(22, 3)", &offsets)), PLAIN));
    let place = row(channel(&scene, 0, &Property::Translation), 0);
    // The file has (0, 0, 1) and rests at (0, 0.01, 0.02): (0, 0.01, 1.02) with Z up.
    assert!(place.iter().zip([0.0, 1.02, -0.01]).all(|(a, b)| close(*a, b, 1e-6)), "{place:?}");
}

#[test]
fn what_is_missing_is_asked_for_and_may_be_assumed() {
    for (missing, code, facts) in [
        ("fps", "npz-rate-unknown", "rate=30"),
        ("axes", "npz-axes-unknown", "axes=yup"),
        ("order", "npz-order-unknown", "order=xyzw"),
    ] {
        let bytes = npz(&without(clip(), missing), PLAIN);
        let document = read::<Npz>(&bytes);
        let error = Npz::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap_err();
        let (word, _) = facts.split_once('=').unwrap();
        assert!(error.to_string().contains(&format!("--assume {word}=…")), "{error}");
        assert!(dopesheet_testkit::codes_of::<Npz>(&bytes).contains(&code));
        let stated = assumed(&bytes, facts).unwrap();
        assert_eq!(stated.clips[0].tracks, scene(&named("clip")).clips[0].tracks, "{facts}");
        let options = ToScene { as_stored: true, ..ToScene::default() };
        let bare = Npz::to_scene(&document, &options, &mut Report::default()).unwrap();
        assert!(bare.clips.is_empty() && bare.nodes.len() == 2, "what can be said of it is said");
    }
}

#[test]
fn all_that_is_missing_is_asked_for_at_once() {
    let asked = |missing: &[&str], facts: Option<&str>| {
        let bare = missing.iter().fold(clip(), |members, name| without(members, name));
        let mut document = read::<Npz>(&npz(&bare, PLAIN));
        if let Some(facts) = facts {
            Npz::assume(&mut document, &facts.parse::<Assumptions>().unwrap()).unwrap();
        }
        Npz::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap_err().to_string()
    };
    let all = asked(&["order", "axes", "fps"], None);
    assert!(all.contains("--assume rate=…,axes=…,order=…"), "{all}");
    let two = asked(&["order", "axes", "fps"], Some("axes=zup"));
    assert!(two.contains("--assume rate=…,order=…"), "{two}");
    let one = asked(&["order"], None);
    assert!(one.contains("--assume order=…"), "{one}");
}

#[test]
fn what_a_file_says_is_not_replaced_by_what_is_assumed() {
    let scene = assumed(&named("clip"), "rate=60,axes=zup,order=wxyz,unit=0.01").unwrap();
    assert_eq!((scene.clips[0].grid, scene.basis), (FrameRate::new(30, 1), Basis::GLTF));
}

#[test]
fn an_assumption_that_makes_no_sense_is_refused() {
    for (facts, said) in [
        (
            "arrays=positions",
            "npz: \"positions\" is no value of arrays (names that arrays stand for, before the names that they have, as in \
             positions:kp3d+fps:rate)",
        ),
        ("rate=0", "npz: \"0\" is no value of rate (frames per second)"),
        (
            "axes=+x+x+y",
            "npz: \"+x+x+y\" is no value of axes (yup, zup, or the directions of a figure's left, up and front, as in +x+z-y)",
        ),
        (
            "speed=3",
            "npz: nothing can be assumed about \"speed\", only about layout, rate, axes, order, unit, joints, arrays",
        ),
    ] {
        assert_eq!(assumed(&named("clip"), facts).unwrap_err().to_string(), said);
    }
}

#[test]
fn an_array_may_stand_for_another_but_not_for_one_that_is_there() {
    let renamed = |arrays: Vec<(&'static str, Vec<u8>)>| {
        let name = |own: &'static str| match own {
            "positions" => "kp3d",
            "fps" => "rate",
            _ => own,
        };
        npz(&arrays.into_iter().map(|(own, array)| (name(own), array)).collect::<Vec<_>>(), PLAIN)
    };
    let positions = crate::npz::fixtures::positions();
    let made = assumed(&renamed(positions.clone()), "arrays=positions:kp3d+fps:rate").unwrap();
    assert_eq!(made, scene(&npz(&positions, PLAIN)));
    let own = assumed(&npz(&positions, PLAIN), "arrays=positions:offsets+fps:nothing").unwrap();
    assert_eq!(own, scene(&npz(&positions, PLAIN)));
}

#[test]
fn an_array_without_a_name_is_known_by_its_shape_or_by_what_is_assumed() {
    let bare = scene(&f8("(1, 22, 3)", &[0.5; 66]));
    assert_eq!((bare.nodes[3].name.as_str(), bare.clips[0].grid), ("spine1", FrameRate::new(20, 1)));
    let facts = "layout=positions,rate=50,axes=zup,joints=smpl";
    let stated = assumed(&f8("(1, 22, 3)", &[0.5; 66]), facts).unwrap();
    assert_eq!((stated.nodes[3].name.as_str(), stated.clips[0].grid), ("spine1", FrameRate::new(50, 1)));
    let vectors = assumed(&f8("(1, 24, 3)", &[0.0; 72]), "layout=smpl,rate=30,axes=yup").unwrap();
    assert_eq!((vectors.nodes.len(), vectors.clips[0].places_only), (24, false));
}

#[test]
fn what_is_not_finite_is_as_it_was_before() {
    let scene = scene(&named("nonfinite"));
    assert_eq!(row(channel(&scene, 0, &Property::Translation), 0), [0.0, 0.0, 0.0]);
}

#[test]
fn the_figure_that_stands_for_an_unknown_one_has_the_joints_of_the_body() {
    for count in [22, 24, 52, 55] {
        assert_eq!(room::smpl_offsets(count).unwrap().len(), room::smpl_joints(count).unwrap().len());
    }
}

#[test]
fn no_frames_of_more_joints_than_there_is_room_for_are_no_motion() {
    for (name, shape) in [
        ("positions", "(0, 99999999999, 3)"),
        ("rotations", "(0, 99999999999, 4)"),
        ("poses", "(0, 99999999999, 3)"),
        ("posed_joints", "(0, 99999999999, 3)"),
        ("body_pos_w", "(0, 99999999999, 3)"),
    ] {
        let bytes = npz(&[(name, f8(shape, &[])), ("body_quat_w", f8("(0, 99999999999, 4)", &[]))], PLAIN);
        assert!(dopesheet_testkit::codes_of::<Npz>(&bytes).contains(&"npz-shape"), "{name}");
    }
    let bytes = npz(
        &[
            ("root_rot", f8("(0, 4)", &[])),
            ("root_pos", f8("(0, 3)", &[])),
            ("local_body_pos", f8("(0, 99999999999, 3)", &[])),
        ],
        PLAIN,
    );
    assert!(dopesheet_testkit::codes_of::<Npz>(&bytes).contains(&"npz-shape"));
}
