//! Scenes of every shape survive a file, and documents survive being read.

use crate::common::*;
use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Format, FromScene, ReadOptions, Source, WriteOptions};
use dopesheet_core::model::*;
use dopesheet_gltf::{Glb, Gltf};
use dopesheet_testkit as testkit;
use proptest::collection::vec;
use proptest::prelude::*;

/// Times that f32 keeps apart: multiples of 1/64 s.
fn key_times(most: usize) -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::btree_set(0u32..100_000, 1..most)
        .prop_map(|set| set.into_iter().map(|n| f64::from(n) / 64.0).collect())
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Step,
    Linear,
    Cubic,
}

fn channel(property: Property, width: usize) -> impl Strategy<Value = Channel> {
    let number = prop_oneof![-1e3f32..1e3, Just(0.0), Just(f32::MIN_POSITIVE), Just(1.0)];
    let kind = prop_oneof![Just(Kind::Step), Just(Kind::Linear), Just(Kind::Cubic)];
    (key_times(8), kind).prop_flat_map(move |(times, kind)| {
        let property = property.clone();
        vec(number.clone(), times.len() * width * 3).prop_map(move |numbers| {
            let n = times.len() * width;
            let (mut values, mut slopes) = (numbers[..n].to_vec(), numbers[n..].to_vec());
            if property == Property::Rotation {
                // Less than half a turn apart, where the way round is not a matter of rounding.
                for q in values.chunks_exact_mut(4) {
                    q[..3].iter_mut().for_each(|x| *x *= 5e-4);
                    q[3] = 1.0;
                    normalise(q);
                }
                // Steep ones would lead past zero, where the smallest rounding turns everything round.
                slopes.iter_mut().for_each(|slope| *slope *= 1e-7);
            }
            let straight = if property == Property::Rotation { Law::SLERP } else { Law::LINEAR };
            let curve = match kind {
                Kind::Step => curve(&times, width, &values, Law::STEP),
                Kind::Cubic if times.len() > 1 => cubic(&times, width, &values, &slopes[..n], &slopes[n..]),
                _ => curve(&times, width, &values, straight),
            };
            Channel::whole(property.clone(), curve)
        })
    })
}

fn normalise(q: &mut [f32]) {
    let length = q.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        q[3] = 1.0;
    } else {
        q.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
    }
}

fn scenes() -> impl Strategy<Value = Scene> {
    let name = prop_oneof!["[a-z]{0,2}", "\\PC{0,8}", Just("Root".to_owned())];
    let parent = any::<prop::sample::Index>();
    let node = (name, any::<bool>(), parent, vec(-10.0f32..10.0, 3), vec(-1.0f32..1.0, 4));
    let joints = vec(node, 1..6);
    let channels = vec(
        (
            any::<prop::sample::Index>(),
            prop_oneof![
                channel(Property::Translation, 3),
                channel(Property::Rotation, 4),
                channel(Property::Scale, 3),
                channel(Property::Weights, 2),
            ],
        ),
        1..8,
    );
    (joints, channels, proptest::option::of("\\PC{1,9}")).prop_map(|(joints, channels, name)| {
        let mut scene = Scene::new(Basis::GLTF);
        scene.morph_sets.push(MorphSet {
            name: "set".into(),
            morphs: vec!["a".into(), "b".into()],
            rest: vec![0.5, 0.0],
        });
        for (index, (name, is_root, parent, t, mut q)) in joints.into_iter().enumerate() {
            normalise(&mut q);
            let parent = (index > 0 && !is_root).then(|| NodeIndex(parent.index(index)));
            let rest = Transform {
                translation: [f64::from(t[0]), f64::from(t[1]), f64::from(t[2])],
                rotation: [q[0], q[1], q[2], q[3]].map(f64::from),
                ..Transform::IDENTITY
            };
            let mut node = Node::new(name, parent, rest);
            node.morphs = Some(MorphSetIndex(0));
            scene.push_node(node);
        }
        let mut tracks: Vec<Track> = (0..scene.nodes.len()).map(|n| joint(&scene, n, Vec::new())).collect();
        for (node, channel) in channels {
            let track = node.index(tracks.len());
            if tracks[track].channels.iter().all(|c| c.property != channel.property) {
                tracks[track].channels.push(channel);
            }
        }
        tracks.retain(|track| !track.channels.is_empty());
        let curves = tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves());
        let end = curves.filter_map(|c| c.times.span()).map(|(_, end)| end.0).fold(0.0, f64::max);
        let mut clip = clip("", end, tracks);
        clip.name = name;
        scene.clips.push(clip);
        scene
    })
}

/// The value of a curve, or what a node has where nothing moves it.
fn at(clip: &Clip, scene: &Scene, node: usize, property: &Property, time: f64) -> Vec<f64> {
    let target = |track: &&Track| track.target.node == Some(NodeIndex(node));
    let tracks = clip.tracks.iter().filter(target);
    let channel = tracks.flat_map(|t| &t.channels).find(|c| c.property == *property);
    let mut out = Vec::new();
    match channel {
        Some(channel) => {
            dopesheet_motion::channel_at(
                channel,
                dopesheet_core::units::Seconds(time),
                dopesheet_motion::Side::At,
                &mut out,
            );
        }
        None => {
            let rest = scene.nodes[node].rest;
            let set = &scene.morph_sets[0];
            out = match property {
                Property::Translation => rest.translation.to_vec(),
                Property::Rotation => rest.rotation.to_vec(),
                Property::Scale => rest.scale.to_vec(),
                _ => set.rest.iter().map(|w| f64::from(*w)).collect(),
            };
        }
    }
    out
}

/// The largest number that has a part in the values of a channel.
fn size(clip: &Clip, node: usize, property: &Property) -> f64 {
    let tracks = clip.tracks.iter().filter(|track| track.target.node == Some(NodeIndex(node)));
    let channels = tracks.flat_map(|t| &t.channels).filter(|c| c.property == *property);
    let curves = channels.flat_map(|c| c.composition.curves());
    let largest = |list: &[f32]| list.iter().fold(0.0f64, |most, v| most.max(f64::from(v.abs())));
    let of_curve = |curve: &Curve| {
        let slopes = curve.handles.as_ref().map_or(0.0, |h| largest(&h.arriving).max(largest(&h.leaving)));
        largest(&curve.values) + slopes * clip.duration.0
    };
    curves.map(of_curve).fold(1.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: dopesheet_testkit::cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    /// Within 1e-5 of the size of the curve's numbers, tangents over the longest segment included.
    #[test]
    fn what_a_scene_shows_is_what_its_file_shows(scene in scenes()) {
        let mut report = Report::default();
        let document = Glb::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
        let bytes = write(&document);
        testkit::assert_identity::<Glb>(&bytes, "scene");
        let (again, found) = testkit::read_reporting::<Glb>(&bytes);
        prop_assert!(found.worst() < Some(Severity::Warning), "{:?}", found.findings);
        let (back, _) = to_scene(&again);
        prop_assert_eq!(&back.clips[0].name, &scene.clips[0].name);
        prop_assert_eq!(back.clips[0].duration, scene.clips[0].duration);
        for (node, original) in scene.nodes.iter().enumerate() {
            // A root that was added comes last in the file and first in the scene.
            let place = back.nodes.iter().position(|back| back.source_index == Some(node)).unwrap();
            prop_assert_eq!(&back.nodes[place].name, &original.name);
            for property in [Property::Translation, Property::Rotation, Property::Scale, Property::Weights] {
                let end = scene.clips[0].duration.0;
                for time in (0..=40).map(|n| (f64::from(n) / 40.0 * end * 64.0).round() / 64.0 + 0.003) {
                    let want = at(&scene.clips[0], &scene, node, &property, time);
                    let got = at(&back.clips[0], &back, place, &property, time);
                    let sound = if property == Property::Rotation {
                        testkit::rotation_angle(got[..4].try_into().unwrap(), want[..4].try_into().unwrap()) < 2e-4
                    } else {
                        got.iter().zip(&want).all(|(g, w)| (g - w).abs() <= 1e-5 * size(&scene.clips[0], node, &property))
                    };
                    prop_assert!(sound, "node {} {:?} at {}: {:?} became {:?}", node, property, time, want, got);
                }
            }
        }
    }

    /// Writing what was read from what was written changes nothing more.
    #[test]
    fn a_document_that_is_made_is_the_one_that_its_bytes_are_read_as(scene in scenes()) {
        let made = Glb::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap();
        let bytes = Glb::write(&made, &WriteOptions::default()).unwrap().main;
        let read = Glb::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default()).unwrap();
        prop_assert_eq!(made, read);
    }

    #[test]
    fn a_second_pass_changes_nothing(scene in scenes()) {
        let first = Glb::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap();
        let (mut once, _) = to_scene(&read_back(&first));
        let second = Glb::from_scene(&once, &FromScene::default(), &mut Report::default()).unwrap();
        let (mut twice, _) = to_scene(&read_back(&second));
        // A root that was added has moved to the front.
        for scene in [&mut once, &mut twice] {
            scene.nodes.iter_mut().for_each(|node| node.source_index = None);
            for track in &mut scene.clips[0].tracks {
                (track.target.index, track.target.label) = (0, None);
            }
        }
        prop_assert_eq!(once.nodes, twice.nodes);
        prop_assert_eq!(once.morph_sets, twice.morph_sets);
        prop_assert_eq!(once.clips, twice.clips);
    }

    /// Text and bytes that are no glTF are refused, never worse.
    #[test]
    fn any_text_and_any_bytes_are_an_answer(text in "\\PC{0,200}", bytes in vec(any::<u8>(), 0..200)) {
        let _ = try_read(format!("{{{text}").as_bytes());
        let _ = try_read(&[&b"glTF\x02\0\0\0"[..], &bytes].concat());
    }
}

#[test]
fn corpus_files_are_written_back_byte_for_byte() {
    let Some(gltf) = testkit::corpus("gltf") else { return };
    let root = gltf.parent().unwrap();
    let mut seen = 0;
    for folder in ["gltf", "playcanvas", "playcanvas/attach", "bench"] {
        for file in testkit::files(&root.join(folder), &["glb", "gltf"], 2) {
            let bytes = testkit::bytes(&file);
            match file.extension().unwrap() == "glb" {
                true => testkit::assert_identity::<Glb>(&bytes, &file.display().to_string()),
                false => testkit::assert_identity::<Gltf>(&bytes, &file.display().to_string()),
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 14);
}

#[test]
fn every_flip_of_corpus_files() {
    let Some(folder) = testkit::corpus("gltf") else { return };
    for file in testkit::files(&folder, &["glb"], 5) {
        testkit::assert_every_flip::<Glb>(&testkit::bytes(&file));
    }
    for file in testkit::files(&folder, &["gltf"], 1) {
        testkit::assert_every_flip::<Gltf>(&testkit::bytes(&file));
    }
}
