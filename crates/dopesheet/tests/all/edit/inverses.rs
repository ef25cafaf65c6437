//! Operations that undo each other: mirror and reverse done twice, other names given and taken back.

use crate::edit::formats::{edited, fixture, opened, rename, text, written};
use dopesheet::core::diag::{Loss, Report};
use dopesheet::core::format::{FromScene, WriteOptions};
use dopesheet::core::model::{
    Basis, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Times,
    Track, Transform,
};
use dopesheet::core::units::Seconds;
use dopesheet::edit::{Mirror, Operation};
use dopesheet::formats::mmd::vmd;
use dopesheet::formats::more::more;
use dopesheet::formats::more::more::animation::{Body, Shape, Values};
use dopesheet::{ConvertOptions, FrameRate, Opened, SampleOptions, TimeSpec, sample};
use dopesheet_testkit::{bytes, workspace};

fn sampled(file: &Opened, times: &[f64]) -> Vec<Vec<f64>> {
    let times = times.iter().copied().map(dopesheet::times::TimeValue::Seconds).collect();
    let sampled = sample(file, &SampleOptions::at(TimeSpec::List(times))).unwrap();
    sampled.tracks.iter().flat_map(|track| &track.channels).map(|own| own.values.clone()).collect()
}

fn motion(name: &str) -> Opened {
    let path = workspace().join("samples").join(name);
    opened(&path, &bytes(&path)).unwrap()
}

fn twice(operation: Operation) -> [Operation; 2] {
    [operation.clone(), operation]
}

/// The dance with 0xFD behind the terminator of each name, as MikuMikuDance fills fields.
fn filled() -> Opened {
    let mut file = motion("bow.vmd");
    let document = file.document.get_mut::<vmd::Document>().unwrap();
    let fill = |name: &mut [u8; 15]| {
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(15);
        name.iter_mut().skip(end + 1).for_each(|byte| *byte = 0xfd);
    };
    document.bones.iter_mut().for_each(|key| fill(&mut key.name.0));
    document.morphs.iter_mut().for_each(|key| fill(&mut key.name.0));
    file
}

#[test]
fn names_that_are_filled_with_bytes_come_back_whole_after_others() {
    let file = filled();
    let pairs = [("頭", "Head"), ("センター", "Hips"), ("まばたき", "Blink")];
    let map = |[from, to]: [usize; 2]| {
        rename(
            pairs
                .iter()
                .map(|pair| [pair.0, pair.1])
                .map(|own| (own[from].to_owned(), own[to].to_owned()))
                .collect(),
        )
    };
    let there = edited(&file, &[map([0, 1])]);
    let named = |file: &Opened, name: &[u8]| written(file).windows(name.len()).any(|own| own == name);
    assert!(named(&there, b"Head\0\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd"));
    assert_eq!(written(&edited(&there, &[map([1, 0])])), written(&file));
    assert_eq!(
        written(&edited(
            &edited(&file, &[Operation::Mirror(Mirror::default())]),
            &[Operation::Mirror(Mirror::default())]
        )),
        written(&file)
    );
}

#[test]
fn a_morph_whose_partner_has_a_cut_name_keeps_its_keys_in_the_mirror() {
    let mut file = motion("bow.vmd");
    let document = file.document.get_mut::<vmd::Document>().unwrap();
    let names: [&[u8; 15]; 2] = [b"browOuterUpLeft", b"browOuterUpRigh"];
    let morphs: Vec<vmd::MorphKeyframe> = names
        .iter()
        .zip(&document.morphs)
        .map(|(name, key)| vmd::MorphKeyframe { name: dopesheet::formats::mmd::text::Name(**name), ..*key })
        .collect();
    document.morphs.extend(morphs);
    let mirrored = edited(&file, &[Operation::Mirror(Mirror::default())]);
    let count = |file: &Opened| file.document.get::<vmd::Document>().unwrap().morphs.len();
    assert_eq!(count(&mirrored), count(&file));
    assert!(
        mirrored.report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })),
        "{:?}",
        mirrored.report.losses
    );
    assert_eq!(written(&edited(&mirrored, &[Operation::Mirror(Mirror::default())])), written(&file));
}

#[test]
fn a_step_of_one_component_of_a_unity_clip_stays_one_backwards() {
    let whole = fixture("unity/src/animation", "valid/plain.anim");
    let back = edited(&whole, &[Operation::Reverse]);
    let times = [0.1, 0.4, 0.6, 0.9, 1.3];
    let backwards = times.map(|time| 1.5 - time);
    for (forth, back) in sampled(&whole, &times).iter().zip(sampled(&back, &backwards)) {
        assert!(forth.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-6), "{forth:?} and {back:?}");
    }
    assert_eq!(text(&edited(&back, &[Operation::Reverse])), text(&whole));
    assert!(!text(&back).contains("-0,") && !text(&back).contains("-Infinity"), "{}", text(&back));
}

#[test]
fn recordings_and_captures_are_themselves_when_they_are_reversed_or_mirrored_twice() {
    let mut seen = 0;
    for name in ["jump.bvh", "hands.bin", "pinch.json", "wave.json"] {
        let file = motion(name);
        for operation in [Operation::Reverse, Operation::Mirror(Mirror::default())] {
            let back = edited(&file, &twice(operation.clone()));
            assert!(written(&back) == written(&file), "{name} {operation:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 8);
}

/// A file of a format of seconds with a joint that steps.
fn stepping(format: &str, times: &[f64]) -> Opened {
    let values = (0..times.len() * 3).map(|at| at as f32).collect();
    let curve = Curve::new(Times::Seconds(times.into()), 3, values, Laws::uniform(Law::STEP));
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(Node::new("Hips", None, Transform::IDENTITY));
    let target = Target::new(TargetKind::Joint, "Hips", 0, Some(NodeIndex(0)));
    let track = Track { target, channels: vec![Channel::whole(Property::Translation, curve)] };
    scene.clips.push(Clip { duration: Seconds(2.0), tracks: vec![track], ..Clip::default() });
    let to = dopesheet::registry::by_id(format).unwrap();
    let document = to.from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap();
    let bytes = to.write(&document, &WriteOptions::default()).unwrap().main;
    opened(format!("steps.{format}").as_ref(), &bytes).unwrap()
}

#[test]
fn a_step_on_the_last_key_is_there_again_after_two_reversals() {
    for times in [[0.0, 1.0, 2.0], [0.0, 0.5, 1.5]] {
        let file = stepping("glb", &times);
        let back = edited(&file, &[Operation::Reverse]);
        let again = opened("again.glb".as_ref(), &written(&edited(&back, &[Operation::Reverse]))).unwrap();
        let at = [0.0, 0.25, 0.75, 1.25, 1.75, 2.0];
        assert_eq!(sampled(&again, &at), sampled(&file, &at), "{times:?}");
        let backwards = at.map(|time| 2.0 - time);
        assert_eq!(sampled(&back, &backwards[1..5]), sampled(&file, &at[1..5]).clone(), "{times:?}");
    }
}

/// A capture as MORE keys with tension, continuity and bias, with eases and with slopes that differ on both sides.
fn with_sliders() -> Opened {
    let to = dopesheet::registry::by_id("more").unwrap();
    let variant = Some("keys=tcb".to_owned());
    let options = ConvertOptions { variant, bake: FrameRate::from_fps(4.0), ..ConvertOptions::to(to) };
    let made = dopesheet::convert(&[motion("jump.bvh")], &options).unwrap();
    let mut file = opened("jump.ubi".as_ref(), &made.output.main).unwrap();
    let document = file.document.get_mut::<more::Document>().unwrap();
    let more::Resource::Animation(animation) = &mut document.resource else { panic!("no animation") };
    let mut count = 0;
    for track in &mut animation.tracks {
        let Body::Keys(keys) = &mut track.body else { continue };
        let Shape::Tcb(tcb) = &mut keys.shape else { continue };
        for (key, settings) in tcb.settings.iter_mut().enumerate() {
            (settings.bias, settings.ease_to, settings.ease_from) = (0.05 * key as f32, 0.3, 0.1);
        }
        if let (Values::Vectors(arriving), Values::Vectors(leaving)) = (&mut tcb.der_src, &mut tcb.der_dst) {
            arriving.iter_mut().for_each(|slope| slope[0] += 0.25);
            leaving.iter_mut().for_each(|slope| slope[1] -= 0.125);
        }
        count += 1;
    }
    assert!(count > 10, "{count}");
    opened("sliders.ubi".as_ref(), &written(&file)).unwrap()
}

#[test]
fn keys_with_sliders_keep_their_number_backwards_and_are_themselves_after_two_reversals() {
    let file = with_sliders();
    let tracks = |file: &Opened| {
        let tracks = file.document.get::<more::Document>().unwrap().animation().unwrap().tracks.clone();
        let keys = |body: &Body| if let Body::Keys(keys) = body { keys.len() } else { 0 };
        tracks.iter().map(|track| (track.track_type, keys(&track.body))).collect::<Vec<_>>()
    };
    let back = edited(&file, &[Operation::Reverse]);
    assert_eq!(tracks(&back), tracks(&file));
    assert!(back.report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{:?}", back.report);
    let back = opened("back.ubi".as_ref(), &written(&back)).unwrap();
    let times: Vec<f64> = (0..50).map(|step| 0.05 * f64::from(step) + 0.01).collect();
    let backwards: Vec<f64> = times.iter().map(|time| 2.5 - time).collect();
    for (forth, back) in sampled(&file, &times).iter().zip(sampled(&back, &backwards)) {
        assert!(forth.iter().zip(&back).all(|(a, b)| (a - b).abs() < 2e-5), "{forth:?} and {back:?}");
    }
    assert!(written(&edited(&back, &[Operation::Reverse])) == written(&file));
}
