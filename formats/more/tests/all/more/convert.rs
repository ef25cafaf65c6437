//! Documents and scenes.

use crate::more::bytes::{File, NO_TURN};
use crate::more::fixtures::{actor, clip_path, clip_warped, motion, rare};
use dopesheet_core::diag::{ConvertErrorKind, Report};
use dopesheet_core::format::{AnyDocument, Assumptions, Format, FromScene, ReadOptions, Source, ToScene};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, EulerOrder, Handles, Law, Laws, Looping, Marker, PoseRelation,
    Property, Scene, Target, TargetKind, Times, Timing, Track,
};
use dopesheet_core::units::Seconds;
use dopesheet_more::more::animation::{Animation, Body, Shape, Values};
use dopesheet_more::more::packed::EulerCode;
use dopesheet_more::more::{Document, Interpretation, Resource, TangentUnit, scene, skeleton};
use dopesheet_more::{BASIS, More};
use dopesheet_motion::{Side, channel_at};
use dopesheet_testkit::read;
use serde_json::json;

fn to_scene(bytes: &[u8]) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = More::to_scene(&read::<More>(bytes), &ToScene::default(), &mut report).unwrap();
    (scene, report)
}

fn channel<'a>(scene: &'a Scene, target: &str, property: &Property) -> &'a Channel {
    let mut tracks = scene.clips[0].tracks.iter().filter(|track| track.target.name == target);
    let found = tracks.find_map(|track| track.channels.iter().find(|c| c.property == *property));
    found.unwrap_or_else(|| panic!("no {property:?} of {target}"))
}

fn whole<'a>(scene: &'a Scene, target: &str, property: &Property) -> &'a Curve {
    match &channel(scene, target, property).composition {
        Composition::Whole(curve) => curve,
        other => panic!("one curve, not {other:?}"),
    }
}

#[test]
fn tracks_find_node_and_property_by_their_names() {
    let (scene, report) = to_scene(&motion());
    let described: Vec<_> = scene.clips[0]
        .tracks
        .iter()
        .map(|t| {
            let channels: Vec<_> = t.channels.iter().map(|c| c.property.word()).collect();
            (t.target.kind.word(), t.target.name.as_str(), t.target.index, channels)
        })
        .collect();
    assert_eq!(
        described,
        [
            ("custom", "Door.Visibility", 0, vec!["value"]),
            ("joint", "Door", 1, vec!["translation", "scale", "rotation"]),
            ("custom", "Light.Glow", 4, vec!["value"]),
        ]
    );
    assert_eq!(scene.nodes.len(), 1);
    assert_eq!(scene.basis, BASIS);
    assert!(report.findings.is_empty() && report.losses.is_empty(), "{report:?}");
}

#[test]
fn as_stored_every_track_stays_one_of_its_own() {
    let options = ToScene { as_stored: true, ..ToScene::default() };
    let scene = More::to_scene(&read::<More>(&motion()), &options, &mut Report::default()).unwrap();
    let labels: Vec<_> = scene.clips[0].tracks.iter().map(|t| (t.target.label(), t.target.index)).collect();
    assert_eq!(
        labels,
        [
            ("Door.Visibility", 0),
            ("Door.Position", 1),
            ("Door.Scale", 2),
            ("Door.Rotation", 3),
            ("Light.Glow", 4)
        ]
    );
}

#[test]
fn derivatives_become_slopes_and_flat_keys_become_steps() {
    let bytes = File::one_track(|f| {
        f.track(0x07, b"T", 3);
        f.f32s(&[0.0, 0.0, 9.0, 1.0])
            .u8(0)
            .f32s(&[0.5, 1.0, 2.0, 3.0])
            .u8(1)
            .f32s(&[2.0, 5.0, 4.0, 9.0])
            .u8(0);
    });
    let (scene, _) = to_scene(&bytes);
    let curve = whole(&scene, "T", &Property::Value);
    assert_eq!(curve.laws.get(0), Law { timing: Timing::Linear, blend: Blend::Hermite });
    assert_eq!(curve.laws.get(1), Law::STEP);
    let handles = curve.handles.as_ref().unwrap();
    assert_eq!(
        (handles.arriving.as_slice(), handles.leaving.as_slice()),
        (&[0.0, 4.0, 4.0 / 1.5][..], &[2.0, 2.0, 0.0][..])
    );
    let how = Interpretation { tangent_unit: TangentUnit::PerSecond, ..Interpretation::default() };
    let document = read::<More>(&bytes);
    let per_second = super_scene(&document, &how);
    let handles = whole(&per_second, "T", &Property::Value).handles.clone().unwrap();
    assert_eq!(handles.leaving, [1.0, 3.0, 0.0]);
}

fn super_scene(document: &Document, how: &Interpretation) -> Scene {
    scene(document, &ToScene::default(), how, &mut Report::default()).unwrap()
}

#[test]
fn rotations_can_be_turned_around() {
    let how = Interpretation { conjugate_rotations: true, ..Interpretation::default() };
    let scene = super_scene(&read::<More>(&rare()), &how);
    let curve = whole(&scene, "Root", &Property::Rotation);
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    assert_eq!(curve.value(1), Some(&[-0.0, -quarter, -0.0, quarter][..]));
    assert_eq!(curve.turns.as_ref().unwrap()[1], [std::f32::consts::FRAC_PI_2, -0.0, -1.0, -0.0]);
    let as_printed = Interpretation { euler_code: EulerCode::AsPrinted, ..Interpretation::default() };
    let scene = super_scene(&read::<More>(&rare()), &as_printed);
    let Composition::Euler { angles, .. } = &channel(&scene, "Head", &Property::Rotation).composition else {
        panic!("angles")
    };
    assert!(angles[0].values.iter().all(|angle| *angle < 0.0));
}

#[test]
fn rare_types_are_displacements_events_and_angles() {
    let (scene, _) = to_scene(&rare());
    let root = scene.clips[0].tracks.iter().find(|t| t.target.name == "Root").unwrap();
    assert_eq!(root.target.label(), "Root/position");
    assert_eq!(
        root.channels.iter().map(|c| c.property.word()).collect::<Vec<_>>(),
        ["translation", "rotation"]
    );
    assert_eq!(whole(&scene, "Root", &Property::Rotation).laws.get(0).blend, Blend::Turn);
    let neck = channel(&scene, "Neck", &Property::Rotation);
    assert!(matches!(neck.composition, Composition::Euler { order: EulerOrder::Zyx, .. }));
    let mut q = Vec::new();
    assert!(channel_at(neck, Seconds(0.0), Side::At, &mut q));
    assert_eq!(q.len(), 4);
    let markers = &scene.clips[0].markers;
    assert_eq!((markers[0].name.as_str(), markers[0].time), ("Steps", Seconds(0.5)));
    assert_eq!(markers[0].data, Some(json!({"value": 1, "userData": "left", "track": 1})));
    assert_eq!(scene.clips[0].source.as_ref().unwrap()["user"], json!([[2, 0x11, "Wind", true]]));
    assert!(scene.clips[0].tracks.iter().all(|t| t.target.name != "Foot"), "no keys, no track");
}

#[test]
fn a_model_says_by_which_names_its_bones_move() {
    let mut file = File::animation(4);
    file.track(0x05, b"hips.POSITION", 1).f32s(&[0.0, 1.0, 2.0, 3.0]);
    file.track(0x06, b"Chest.Rotation", 1).f32s(&[0.0]).f32s(&NO_TURN);
    file.track(0x05, b"Chest.Scale", 1).f32s(&[0.0, 2.0, 2.0, 2.0]);
    file.track(0x05, b"Tail.Position", 1).f32s(&[0.0; 4]).u32(0);
    let (motion, model) = (read::<More>(&file.done()), read::<More>(&actor([-1, 0], 1)));
    let mut report = Report::default();
    let on = AnyDocument::new(&More, model);
    let options = ToScene { model: Some(&on), ..ToScene::default() };
    let scene = More::to_scene(&motion, &options, &mut report).unwrap();
    let names: Vec<_> = scene.clips[0]
        .tracks
        .iter()
        .map(|t| (t.target.name.as_str(), t.target.kind.word(), t.channels.len()))
        .collect();
    assert_eq!(names, [("Hips", "joint", 1), ("Chest", "joint", 2), ("Tail.Position", "custom", 1)]);
    let messages: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(messages.join("\n"), @r#"
    info name-case: file: expected tracks by the names that the model lists, found "hips.POSITION", matched to "Hips.Position", which differs only in case
    info unbound-track: file: expected tracks by the names that the model lists, found none of the name "Tail.Position"
    "#);
    let (model, _) = to_scene(&actor([-1, 0], 1));
    let bound = dopesheet_motion::bind(scene, model, &Default::default(), &mut report);
    assert!(
        bound.clips[0].tracks.iter().all(|t| t.target.kind == TargetKind::Custom || t.target.node.is_some())
    );
}

#[test]
fn two_tracks_on_one_property_conflict() {
    let mut file = File::animation(2);
    file.track(0x05, b"Door.Position", 1).f32s(&[0.0, 1.0, 2.0, 3.0]);
    file.track(0x05, b"Door_pos", 1).f32s(&[0.0, 4.0, 5.0, 6.0]).u32(0);
    let (scene, report) = to_scene(&file.done());
    assert_eq!(whole(&scene, "Door", &Property::Translation).values, [1.0, 2.0, 3.0]);
    insta::assert_snapshot!(format!("{}\n{:?}", report.findings[0], report.losses), @r#"
    warning target-conflict: file: expected tracks that move different properties, found "Door_pos" for the same property as an earlier track
    [Dropped { what: "the track \"Door_pos\"", why: "another one moves the translation of \"Door\"" }]
    "#);
}

#[test]
fn actors_are_nodes_with_fathers_first() {
    let (scene, _) = to_scene(&actor([1, -1], 1));
    let nodes: Vec<_> =
        scene.nodes.iter().map(|n| (n.name.as_str(), n.source_index, n.parent.map(|p| p.0))).collect();
    assert_eq!(
        nodes,
        [
            ("Chest", Some(1), None),
            ("Hips", Some(0), Some(0)),
            ("foot", Some(2), Some(1)),
            ("voice", Some(3), Some(0)),
        ]
    );
    let cycle = More::to_scene(&read::<More>(&actor([1, 0], 1)), &ToScene::default(), &mut Report::default());
    insta::assert_snapshot!(cycle.unwrap_err(), @"more: file (bones): expected fathers that lead to a root, found a cycle: Hips, Chest");
}

#[test]
fn a_skeleton_comes_back_as_an_actor() {
    let (scene, _) = to_scene(&actor([-1, 0], 1));
    let document = skeleton(&scene).unwrap();
    let mut report = Report::default();
    let back = More::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    assert_eq!(
        scene.nodes.iter().map(|n| (&n.name, n.parent, n.rest)).collect::<Vec<_>>(),
        back.nodes.iter().map(|n| (&n.name, n.parent, n.rest)).collect::<Vec<_>>()
    );
    More::check(&document, &mut report);
    assert!(report.findings.is_empty(), "{report:?}");
}

#[test]
fn a_clip_plays_its_animation_at_its_speed() {
    let (scene, report) = to_scene(&clip_warped());
    let clip = &scene.clips[0];
    assert_eq!((clip.duration, clip.looping), (Seconds(2.0 / 1.25), Looping::Loop));
    assert_eq!(whole(&scene, "Door", &Property::Translation).times.get(1), Some(Seconds(2.0 / 1.25)));
    assert_eq!(report.losses, [], "a warp that bends nothing costs nothing");
    let linked = {
        let bytes = clip_path();
        let mut source = Source::new(&bytes);
        source.resources.insert("anims/door.ubi".into(), motion());
        More::read(&source, &ReadOptions::default(), &mut Report::default()).unwrap()
    };
    let scene = More::to_scene(&linked, &ToScene::default(), &mut Report::default()).unwrap();
    assert_eq!(scene.clips[0].tracks.len(), 3);
    let curve = whole(&scene, "Door", &Property::Scale);
    assert_eq!(curve.handles.as_ref().unwrap().leaving[0], 0.25 * 1.25);
    let alone = More::to_scene(&read::<More>(&clip_path()), &ToScene::default(), &mut Report::default());
    insta::assert_snapshot!(alone.unwrap_err(), @"nothing to convert: a clip that plays anims/door.ubi, which was not found");
}

#[test]
fn opaque_resources_are_not_converted() {
    let bytes = File::new(4, "snd::SoundList").raw(b"abc").done();
    let error =
        More::to_scene(&read::<More>(&bytes), &ToScene::default(), &mut Report::default()).unwrap_err();
    assert!(matches!(error.kind, ConvertErrorKind::Unsupported(_)));
    insta::assert_snapshot!(error, @"more: a resource of class snd::SoundList cannot be converted: its class is not one of animations, clips and actors");
}

#[test]
fn keys_that_cannot_be_played_are_left_out_and_counted() {
    let bytes = File::one_track(|f| {
        let keys = [1.0, 1.0, f32::NAN, 2.0, 0.5, f32::INFINITY, 0.25, 3.0];
        f.track(0x04, b"T", 4).f32s(&keys);
    });
    let (scene, report) = to_scene(&bytes);
    let curve = whole(&scene, "T", &Property::Value);
    assert_eq!((curve.values.as_slice(), curve.times.len()), (&[3.0, 1.0][..], 2));
    insta::assert_debug_snapshot!(report, @r#"
    Report {
        findings: [
            Finding {
                severity: Warning,
                fault: Fault {
                    code: "keys-unsorted",
                    place: File,
                    path: "",
                    expected: "tracks whose keys are in the order of their times",
                    found: "1 unsorted; sorted",
                },
            },
        ],
        losses: [
            Dropped {
                what: "1 key without a finite time",
                why: "they cannot be played",
            },
            Dropped {
                what: "1 key with numbers that are not finite",
                why: "they would affect the whole track",
            },
        ],
        slides: [],
        verdicts: [],
    }
    "#);
}

fn moving(property: Property, curve: Curve) -> Scene {
    let mut scene = Scene::new(BASIS);
    let node = scene.push_node(dopesheet_core::model::Node::new("Arm", None, Default::default()));
    let target = Target::new(TargetKind::Joint, "Arm", 0, Some(node));
    let track = Track { target, channels: vec![Channel::whole(property, curve)] };
    scene.clips.push(Clip { duration: Seconds(2.0), tracks: vec![track], ..Clip::default() });
    scene
}

fn from_scene(scene: &Scene) -> (Document, Report) {
    let mut report = Report::default();
    let document = More::from_scene(scene, &FromScene::default(), &mut report).unwrap();
    (document, report)
}

fn mixed_curve() -> Curve {
    let laws = [Blend::Hermite, Blend::Lerp, Blend::Step].map(|blend| Law { timing: Timing::Linear, blend });
    let values = [0.0_f32, 1.0, 4.0, 2.0].iter().flat_map(|v| [*v, 0.0, -*v]).collect();
    let times = Times::Seconds([0.0, 0.5, 1.0, 2.0].into());
    let mut curve = Curve::new(times, 3, values, Laws::from_segments(laws));
    let tangents = vec![1.0; 12];
    curve.handles = Some(Box::new(Handles { arriving: tangents.clone(), leaving: tangents }));
    curve
}

#[test]
fn steps_lines_and_cubics_side_by_side_are_one_bezier_track() {
    let scene = moving(Property::Translation, mixed_curve());
    let (document, report) = from_scene(&scene);
    let track = &document.animation().unwrap().tracks[0];
    assert_eq!((track.track_type.code(), track.name.text().as_ref()), (0x08, "Arm.Position"));
    let Body::Keys(keys) = &track.body else { panic!("keys") };
    let Shape::Bezier(bezier) = &keys.shape else { panic!("Bezier keys") };
    assert_eq!(bezier.flat_out, [false, false, true, false]);
    let Some(Values::Vectors(dst)) = &bezier.der_dst else { panic!("vectors") };
    assert_eq!(dst[0][0], 0.5, "a slope of 1 per second over half a second");
    assert_eq!(dst[1][0], 3.0, "a line is its own derivative");
    let again = More::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    for step in 0..=200 {
        let time = Seconds(f64::from(step) / 100.0);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        channel_at(channel(&scene, "Arm", &Property::Translation), time, Side::At, &mut a);
        channel_at(channel(&again, "Arm", &Property::Translation), time, Side::At, &mut b);
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-6), "{time:?}: {a:?} {b:?}");
    }
    insta::assert_debug_snapshot!(report, @r#"
    Report {
        findings: [],
        losses: [
            Kept {
                what: "1 track",
            },
        ],
        slides: [],
        verdicts: [],
    }
    "#);
}

#[test]
fn derivatives_of_huge_values_stay_finite() {
    let mut curve = mixed_curve();
    for (at, value) in curve.values.iter_mut().enumerate() {
        *value = if at / 3 % 2 == 0 { f32::MAX } else { f32::MIN };
    }
    curve.handles.as_mut().unwrap().leaving.fill(f32::MAX);
    let (document, _) = from_scene(&moving(Property::Translation, curve));
    let mut report = Report::default();
    More::check(&document, &mut report);
    assert!(report.findings.iter().all(|finding| finding.fault.code != "non-finite"), "{report:?}");
}

#[test]
fn uniform_laws_are_simple_and_linear_tracks() {
    let times = Times::Seconds([0.0, 1.0].into());
    let types = |property, width: usize, law| {
        let mut values = vec![0.0; 2 * width];
        if width == 4 {
            (values[3], values[7]) = (1.0, 1.0);
        }
        let (document, _) =
            from_scene(&moving(property, Curve::new(times.clone(), width, values, Laws::uniform(law))));
        document.animation().unwrap().tracks[0].track_type.code()
    };
    assert_eq!(types(Property::Translation, 3, Law::STEP), 0x02);
    assert_eq!(types(Property::Scale, 3, Law::LINEAR), 0x05);
    assert_eq!(types(Property::Rotation, 4, Law::STEP), 0x03);
    assert_eq!(types(Property::Rotation, 4, Law::SLERP), 0x06);
}

#[test]
fn what_only_more_knows_comes_back() {
    let (mut scene, _) = to_scene(&rare());
    scene.clips[0].source.as_mut().unwrap()["instants"] = json!([[0.5, 3]]);
    scene.clips[0].tracks.retain(|t| t.target.kind == TargetKind::Custom);
    let (document, _) = from_scene(&scene);
    let animation = document.animation().unwrap();
    assert_eq!(animation.instants.len(), 1);
    let Body::Events(events) = &animation.tracks[0].body else { panic!("events") };
    assert_eq!((events.len(), events[0].user_data.text().as_ref(), events[1].value), (2, "left", 2));
    assert_eq!(animation.tracks[1].name.text(), "Wind");
    assert_eq!(animation.duration, 2.0);
}

#[test]
fn markers_of_others_become_events_with_text() {
    let mut scene = moving(Property::Translation, mixed_curve());
    let marker = |data| Marker { time: Seconds(1.0), name: "hit".into(), data };
    scene.clips[0].markers =
        vec![marker(Some(json!({"damage": 3}))), marker(None), marker(Some(json!("text")))];
    let (document, _) = from_scene(&scene);
    let Body::Events(events) = &document.animation().unwrap().tracks[1].body else { panic!("events") };
    let texts: Vec<_> = events.iter().map(|e| e.user_data.text().into_owned()).collect();
    assert_eq!(texts, [r#"{"damage":3}"#, "", "text"]);
}

#[test]
fn what_has_no_place_is_dropped_with_a_count() {
    let mut scene = moving(Property::Translation, mixed_curve());
    let curve = |width: usize, law| {
        Curve::new(Times::Seconds([0.0, 1.0].into()), width, vec![0.0; 2 * width], Laws::uniform(law))
    };
    let eased = Law { timing: Timing::Ease { from: 0.5, to: 0.5 }, blend: Blend::Lerp };
    let custom = |name: &str, property, curve| Track {
        target: Target::new(TargetKind::Custom, name, 0, None),
        channels: vec![Channel::whole(property, curve)],
    };
    scene.clips[0].tracks.push(custom("five", Property::Value, curve(5, Law::LINEAR)));
    scene.clips[0].tracks.push(custom("eased", Property::Value, curve(1, eased)));
    scene.clips[0].tracks.push(custom("hand", Property::Named("grip".into()), curve(1, Law::STEP)));
    let (document, report) = from_scene(&scene);
    let names: Vec<_> =
        document.animation().unwrap().tracks.iter().map(|t| t.name.text().into_owned()).collect();
    assert_eq!(names, ["Arm.Position", "eased", "hand.grip"]);
    insta::assert_debug_snapshot!(report.losses, @r#"
    [
        Dropped {
            what: "channels of 5 numbers (1)",
            why: "only numbers, vectors and rotations have tracks",
        },
        Dropped {
            what: "segments with a law of their own (1)",
            why: "tracks hold steps, straight segments and cubics; these became straight",
        },
        Kept {
            what: "3 tracks",
        },
    ]
    "#);
    scene.clips[0].tracks.drain(..1);
    scene.clips[0].tracks.truncate(1);
    let error = More::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    assert!(matches!(error.kind, ConvertErrorKind::NothingToConvert(_)), "{error}");
}

#[test]
fn a_variant_chooses_version_and_byte_order() {
    let scene = moving(Property::Translation, mixed_curve());
    let options = FromScene { variant: Some("0x0e,be".into()), ..FromScene::default() };
    let document = More::from_scene(&scene, &options, &mut Report::default()).unwrap();
    assert_eq!((document.version, document.endian), (0x0e, dopesheet_core::bytes::Endian::Big));
    let options = FromScene { variant: Some("0x99".into()), ..FromScene::default() };
    assert!(More::from_scene(&scene, &options, &mut Report::default()).is_err());
}

#[test]
fn an_animation_of_offsets_is_relative_to_the_rest_pose() {
    let bytes = {
        let mut file = File::new(0x11, "MORE::Animation");
        file.f32s(&[2.0]).u8(1).u32(0).u32(0).done()
    };
    assert_eq!(to_scene(&bytes).0.clips[0].relation, PoseRelation::OnTopOfRest);
    assert!(matches!(read::<More>(&bytes).resource, Resource::Animation(_)));
}

#[test]
fn what_is_only_inferred_is_chosen_by_name() {
    let assume = |word: &str, value: &str| {
        let mut document = Document::new(Resource::Animation(Animation::default()));
        let facts = Assumptions::new([(word.to_owned(), value.to_owned())]);
        More::assume(&mut document, &facts).map(|()| document.assumed)
    };
    for fact in More::assumable() {
        let values = fact.about.split_once(": ").unwrap().1;
        let mut found: Vec<Interpretation> =
            values.split([' ', ',']).filter_map(|value| assume(fact.word, value).ok()).collect();
        found.dedup();
        assert_eq!(found.len(), 2, "{}: {values}", fact.word);
        assert_eq!(found[0], Interpretation::default(), "{}", fact.word);
    }
    insta::assert_snapshot!(assume("tangents", "key").unwrap_err(), @r#"more: "key" is no value of tangents (unit of the derivatives of Bezier keys: segment or second)"#);
    insta::assert_snapshot!(assume("unit", "m").unwrap_err(), @r#"more: nothing can be assumed about "unit", only about tangents, rotations, angles, rounding"#);
}

#[test]
fn offsets_without_a_model_are_warned_of_and_stay_offsets() {
    let offsets = Animation { is_delta: true, duration: 1.0, ..Animation::default() };
    let mut document = Document::new(Resource::Animation(offsets));
    let mut report = Report::default();
    let scene = More::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    let codes: Vec<_> = report.findings.iter().map(|finding| finding.fault.code).collect();
    assert_eq!(codes, ["delta-alone"]);
    let back = More::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
    assert!(back.animation().unwrap().is_delta);
    document.resource = Resource::Animation(Animation::default());
    report = Report::default();
    More::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    assert!(report.findings.is_empty());
}
