//! Types of tracks that are written where they are asked for.

use dopesheet_core::diag::{Loss, Report, Severity};
use dopesheet_core::format::{Format, FromScene, Rounding, ToScene, VariantWords, WriteOptions};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Handles, Law, Laws, Node, NodeIndex, Property, Scene, Target,
    TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_more::more::animation::{Animation, Body, KeyLaw, Shape, Stored, Tcb};
use dopesheet_more::more::packed::{quat32, quat48, time};
use dopesheet_more::more::{ACTOR, Document, Resource};
use dopesheet_more::{BASIS, More};
use dopesheet_motion::{Side, channel_at};
use dopesheet_testkit::{close, read, rotation_angle};
use proptest::collection::vec;
use proptest::prelude::*;

/// A joint with channels, under another that stands still.
fn moving(channels: Vec<Channel>) -> Scene {
    let mut scene = Scene::new(BASIS);
    let mut push = |name: &str, parent| scene.push_node(Node::new(name, parent, Transform::IDENTITY));
    let root = push("Root", None);
    push("Arm", Some(root));
    let target = Target::new(TargetKind::Joint, "Root", 0, Some(NodeIndex(0)));
    let ends = channels
        .iter()
        .flat_map(|channel| channel.composition.curves())
        .filter_map(|curve| curve.times.span());
    let duration = ends.map(|(_, last)| last).fold(Seconds(0.0), |a, b| if b > a { b } else { a });
    scene.clips.push(Clip { duration, tracks: vec![Track { target, channels }], ..Clip::default() });
    scene
}

fn curve(times: &[f64], width: usize, values: Vec<f32>, law: Law) -> Curve {
    Curve::new(Times::Seconds(times.into()), width, values, Laws::uniform(law))
}

fn rotation(times: &[f64], values: &[[f32; 4]], law: Law) -> Channel {
    Channel::whole(Property::Rotation, curve(times, 4, values.concat(), law))
}

fn written(scene: &Scene, variant: &str, rounded: bool) -> (Document, Report) {
    let mut report = Report::default();
    let options = FromScene { variant: Some(variant.into()), rounded, ..FromScene::default() };
    let document =
        More::from_scene(scene, &options, &mut report).unwrap_or_else(|e| panic!("{variant}: {e}"));
    let bytes = More::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<More>(&bytes), document, "{variant}");
    (document, report)
}

fn animation(document: &Document) -> &Animation {
    document.animation().unwrap()
}

/// Codes of the types of the tracks.
fn types(document: &Document) -> Vec<u32> {
    animation(document).tracks.iter().map(|track| track.track_type.code()).collect()
}

fn back(document: &Document) -> Scene {
    More::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap()
}

/// What a channel of the first track shows at a time.
fn shown(scene: &Scene, property: &Property, at: f64) -> Vec<f64> {
    let channels = scene.clips[0].tracks.iter().flat_map(|track| &track.channels);
    let channel = channels.into_iter().find(|channel| channel.property == *property).unwrap();
    let mut out = Vec::new();
    assert!(channel_at(channel, Seconds(at), Side::After, &mut out));
    out
}

fn turn(radians: f64) -> [f32; 4] {
    [0.0, 0.0, (radians / 2.0).sin() as f32, (radians / 2.0).cos() as f32]
}

/// Findings of `check` that are no mere guesses or rarities.
fn remarks(document: &Document) -> Vec<(&'static str, String)> {
    let mut report = Report::default();
    More::check(document, &mut report);
    let all = report.findings.iter().filter(|finding| finding.severity != Severity::Info);
    all.map(|finding| (finding.fault.code, finding.fault.to_string())).collect()
}

#[test]
fn rotations_are_packed_on_request_and_what_that_costs_is_reported() {
    let scene = moving(vec![rotation(&[0.0, 0.5, 1.0], &[turn(0.0), turn(0.7), turn(1.3)], Law::SLERP)]);
    for (word, code, size, most_rad) in [("quat=3u16", 0x19, 8, 1e-4), ("quat=u32", 0x14, 8, 4.8e-3)] {
        let (document, report) = written(&scene, word, false);
        assert_eq!((types(&document), document.version), (vec![code], 0x11), "{word}");
        let track_type = animation(&document).tracks[0].track_type;
        assert_eq!(track_type.stored().size() + if code == 0x19 { 2 } else { 4 }, size);
        let errors: Vec<_> = report
            .losses
            .iter()
            .filter_map(|loss| match loss {
                Loss::Approximated { what, max_error, .. } => Some((what.as_str(), max_error.value)),
                _ => None,
            })
            .collect();
        let [(what, said)] = errors[..] else { panic!("{word}: {report:?}") };
        assert_eq!(what, "rotations in fewer bits");
        let again = back(&document);
        let key_times: Vec<f64> = match &again.clips[0].tracks[0].channels[0].composition {
            Composition::Whole(curve) => curve.times.iter().map(|time| time.0).collect(),
            other => panic!("{other:?}"),
        };
        let mut largest = 0.0_f64;
        for (made, time) in key_times.iter().zip([0.0, 0.5, 1.0]) {
            assert!(close(*made, time, if code == 0x19 { 4.58e-3 } else { 0.0 }));
            let pair = [(&scene, time), (&again, *made)]
                .map(|(scene, time)| shown(scene, &Property::Rotation, time));
            let [a, b] = pair.map(|q| q.first_chunk::<4>().copied().unwrap());
            largest = largest.max(rotation_angle(a, b));
        }
        assert!(largest > 0.0 && said <= most_rad && close(said, largest, 1e-7), "{word}: {said} {largest}");
        assert_eq!(report.findings.len(), usize::from(code == 0x19), "only short times move: {report:?}");
        assert_eq!(remarks(&document), []);
    }
}

#[test]
fn what_is_no_code_stays_in_floats_where_conversion_has_rounded() {
    let exact = quat48::decode([40_000, 32_767, 30_000]).map(|x| x as f32);
    let on_steps = [time::decode(32_767), time::decode(33_000)];
    let one = |times: &[f64], q: [f32; 4]| moving(vec![rotation(times, &[turn(0.0), q], Law::SLERP)]);
    for (scene, code) in
        [(one(&on_steps, exact), 0x19), (one(&[0.0, 1.0], exact), 0x06), (one(&on_steps, turn(0.7)), 0x06)]
    {
        let (document, report) = written(&scene, "quat=3u16", true);
        assert_eq!(types(&document), [code]);
        assert!(report.findings.is_empty(), "{report:?}");
    }
    let still = moving(vec![rotation(&[0.0, 0.01, 1.0], &[exact; 3], Law::SLERP)]);
    assert_eq!(
        types(&written(&still, "quat=3u16", true).0),
        [0x19],
        "what never moves may have its keys anywhere"
    );
    let coarse = quat32::decode(0xE008_03F0).0.map(|x| x as f32);
    assert_eq!(types(&written(&one(&[0.0, 1.0], coarse), "quat=u32", true).0), [0x14]);
    assert_eq!(types(&written(&one(&[0.0, 1.0], exact), "quat=u32", true).0), [0x06]);
}

#[test]
fn older_versions_have_short_times_only_where_their_types_have() {
    let steps = moving(vec![rotation(&[0.0, 0.25], &[turn(0.0), turn(1.0)], Law::STEP)]);
    for (variant, bytes_per_key) in [("0x0f,quat=3u16", 10), ("0x10,quat=3u16", 8)] {
        let (document, _) = written(&steps, variant, false);
        assert_eq!(types(&document), [0x18]);
        let empty = Document { resource: Resource::Animation(Animation::default()), ..document.clone() };
        let length =
            |document: &Document| More::write(document, &WriteOptions::default()).unwrap().main.len();
        // The name counts below 0xF.
        let around = 4 + 4 + "Root.Rotation".len() + 1 + 4;
        assert_eq!(length(&document) - length(&empty), around + 2 * bytes_per_key, "{variant}");
    }
}

#[test]
fn numbers_that_step_become_integers_on_request() {
    let target = |name: &str| Target::new(TargetKind::Custom, name, 0, None);
    let custom = |name: &str, values: Vec<f32>, law| Track {
        target: target(name),
        channels: vec![Channel::whole(Property::Value, curve(&[0.0, 0.1], 1, values, law))],
    };
    let mut scene = moving(Vec::new());
    scene.clips[0].tracks = vec![
        custom("Door.Visibility", vec![0.0, 1.0], Law::STEP),
        custom("Half", vec![0.0, 0.5], Law::STEP),
        custom("Glow", vec![0.0, 1.0], Law::LINEAR),
        custom("Mesh", vec![65_535.0, -1.0], Law::STEP),
    ];
    let (document, report) = written(&scene, "steps=u16", true);
    assert_eq!(types(&document), [0x00, 0x01, 0x04, 0x01]);
    let moved: Vec<_> = report.findings.iter().map(|finding| finding.fault.code).collect();
    assert_eq!(moved, ["time-moved"], "a tenth of a second lies between two steps");
    assert_eq!(types(&written(&scene, "0x11", true).0), [0x01, 0x01, 0x04, 0x01]);
}

/// The dials of the keys of the first track.
fn tcb(document: &Document) -> Option<&Tcb> {
    match &animation(document).tracks[0].body {
        Body::Keys(keys) => match &keys.shape {
            Shape::Tcb(tcb) => Some(tcb),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn straight_ways_become_keys_with_continuity_that_go_straight() {
    let values = vec![0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 2.0, 5.0, -3.0];
    let straight = curve(&[0.0, 0.3, 2.0], 3, values, Law::LINEAR);
    let turning = rotation(&[0.0, 0.3, 2.0], &[turn(0.0), turn(1.0).map(|x| -x), turn(-1.5)], Law::SLERP);
    let scene = moving(vec![Channel::whole(Property::Translation, straight), turning]);
    let (document, _) = written(&scene, "keys=tcb", true);
    assert_eq!(types(&document), [0x0B, 0x0C]);
    assert_eq!(tcb(&document).unwrap().settings[1].continuity, -1.0);
    assert_eq!(remarks(&document), [], "the dials mean what is stored");
    let again = back(&document);
    for step in 0..=40 {
        let at = f64::from(step) * 0.05;
        let pair = |property| [&scene, &again].map(|scene| shown(scene, &property, at));
        let [a, b] = pair(Property::Translation);
        assert!(a.iter().zip(&b).all(|(a, b)| close(*a, *b, 1e-6)), "{at}: {a:?} {b:?}");
        let [a, b] = pair(Property::Rotation).map(|q| q.first_chunk::<4>().copied().unwrap());
        assert!(rotation_angle(a, b) < 1e-6, "{at}: {a:?} {b:?}");
    }
}

#[test]
fn cubics_that_no_dials_give_keep_their_kind_of_key() {
    let mut bent = curve(&[0.0, 1.0, 2.0], 3, vec![0.0; 9], Law::HERMITE);
    bent.values[3] = 1.0;
    // Leaves the line on which all keys lie.
    let handles = vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    bent.handles = Some(Box::new(Handles { arriving: handles.clone(), leaving: handles }));
    let scene = moving(vec![Channel::whole(Property::Translation, bent)]);
    let (document, report) = written(&scene, "keys=tcb", true);
    assert_eq!(types(&document), [0x08]);
    let said: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    assert!(
        said.contains(
            &"kept: 0 tracks with tension, continuity and bias, 1 whose curves need other keys".into()
        ),
        "{said:?}"
    );
}

#[test]
fn position_and_rotation_of_the_root_become_a_displacement_on_request() {
    let walk = || {
        Channel::whole(
            Property::Translation,
            curve(&[0.0, 1.0], 3, vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0], Law::LINEAR),
        )
    };
    let spin = || rotation(&[0.0, 1.0], &[turn(0.0), turn(1.0)], Law::SLERP);
    let scene = moving(vec![walk(), spin()]);
    let (document, _) = written(&scene, "root=displacement,quat=u32", false);
    assert_eq!(types(&document), [0x0D]);
    let Body::Displacement(pair) = &animation(&document).tracks[0].body else { panic!("a displacement") };
    assert_eq!(pair.rotation.track_type.stored(), Stored::Quaternion32);
    let again = back(&document);
    let joints: Vec<_> = again.clips[0].tracks.iter().map(|track| track.target.name.as_str()).collect();
    assert_eq!(joints, ["Root"]);
    assert_eq!(shown(&again, &Property::Translation, 0.5), [0.5, 1.0, 1.5]);
    assert_eq!(remarks(&document), []);
    let (alone, report) = written(&moving(vec![walk()]), "root=displacement", false);
    assert_eq!(types(&alone), [0x05]);
    assert!(report.losses.iter().any(|loss| loss.to_string().contains("moves and turns")), "{report:?}");
}

#[test]
fn a_skeleton_becomes_an_actor_on_request() {
    let scene = moving(vec![rotation(&[0.0], &[turn(1.0)], Law::STEP)]);
    for (variant, version) in [("actor", 0x07), ("0x06,actor", 0x06), ("0x07,be,actor", 0x07)] {
        let (document, _) = written(&scene, variant, true);
        assert_eq!((document.resource.class(), document.version), (ACTOR, version), "{variant}");
        let names: Vec<_> =
            back(&document).nodes.iter().map(|node| (node.name.clone(), node.parent)).collect();
        assert_eq!(names, [("Root".into(), None), ("Arm".into(), Some(NodeIndex(0)))]);
    }
    let options = FromScene { variant: Some("actor,quat=u32".into()), ..FromScene::default() };
    let error = More::from_scene(&scene, &options, &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @"more: an actor has no tracks, so only a version and be stand beside that word");
    let options = FromScene { variant: Some("0x11,actor".into()), ..FromScene::default() };
    let error = More::from_scene(&scene, &options, &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @"more: the form of bones and emitters in version 0x11 is undocumented");
}

#[test]
fn every_word_is_known_and_a_wrong_one_is_answered_with_all() {
    for word in More::variant_words() {
        assert!(VariantWords::parse(More::INFO.variants, More::variant_words(), word.name).is_ok());
        written(&moving(vec![rotation(&[0.0], &[turn(1.0)], Law::STEP)]), word.name, false);
    }
    let options = FromScene { variant: Some("0x11,quat=3u8".into()), ..FromScene::default() };
    let scene = moving(vec![rotation(&[0.0], &[turn(1.0)], Law::STEP)]);
    let error = More::from_scene(&scene, &options, &mut Report::default()).unwrap_err().to_string();
    assert!(error.contains("found \"quat=3u8\" in \"0x11,quat=3u8\""), "{error}");
    assert!(More::variant_words().iter().all(|word| error.contains(word.name)), "{error}");
}

#[test]
fn conversion_knows_how_rotations_are_stored() {
    let rounding = |variant| More::storage(variant).rotations;
    assert_eq!(rounding(None), Rounding::None);
    assert_eq!(rounding(Some("0x0e,quat=3u16,be")), Rounding::Packed48);
    assert_eq!(rounding(Some("quat=u32")), Rounding::Packed32);
    assert!(More::edits_variants("0x0e,be") && !More::edits_variants("0x0e,quat=u32"));
}

/// Slopes of keys with dials, as a scene has them.
fn dialled(values: &[[f32; 3]], dials: &[[f64; 3]], times: &[f64]) -> Curve {
    let keys: Vec<_> = values
        .iter()
        .zip(dials)
        .zip(times)
        .map(|((value, [tension, continuity, bias]), time)| dopesheet_curve::TcbKey {
            time: *time,
            value: value.map(f64::from),
            tcb: dopesheet_curve::Tcb { tension: *tension, continuity: *continuity, bias: *bias },
        })
        .collect();
    let mut made = curve(times, 3, values.concat(), Law::HERMITE);
    let length = |at: usize| times.get(at + 1).zip(times.get(at)).map_or(1.0, |(b, a)| b - a);
    let (mut arriving, mut leaving) = (Vec::new(), Vec::new());
    for key in 0..keys.len() {
        let slopes = dopesheet_curve::tcb_slopes(&keys, key);
        arriving.extend(slopes.arriving.map(|x| (x / length(key.saturating_sub(1))) as f32));
        leaving.extend(slopes.leaving.map(|x| (x / length(key)) as f32));
    }
    made.handles = Some(Box::new(Handles { arriving, leaving }));
    made
}

fn coordinate() -> impl Strategy<Value = f32> {
    (-8i8..=8).prop_map(|x| f32::from(x) / 4.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(64)))]

    /// A curve that was made of dials is written with dials, and plays as before.
    #[test]
    fn curves_of_dials_come_back(
        values in vec([coordinate(), coordinate(), coordinate()], 2..6),
        dials in vec([(-3i8..=3), (-3i8..=3), (-3i8..=3)], 6),
        gaps in vec(1u8..4, 6),
    ) {
        let times: Vec<f64> = gaps.iter().scan(0.0, |at, gap| { *at += f64::from(*gap) / 4.0; Some(*at) }).take(values.len()).collect();
        // At the ends only tension counts.
        let last = values.len() - 1;
        let dials: Vec<_> = dials.iter().take(values.len()).enumerate().map(|(key, d)| {
            let [t, c, b] = d.map(|x| f64::from(x) / 4.0);
            if key == 0 || key == last { [t, 0.0, 0.0] } else { [t, c, b] }
        }).collect();
        let spread = values.windows(3).all(|three| {
            let (a, b) = (glam::Vec3::from(three[1]) - glam::Vec3::from(three[0]), glam::Vec3::from(three[2]) - glam::Vec3::from(three[1]));
            a.cross(b).length() > 0.1
        });
        prop_assume!(spread);
        let scene = moving(vec![Channel::whole(Property::Translation, dialled(&values, &dials, &times))]);
        let (document, _) = written(&scene, "keys=tcb", true);
        prop_assert_eq!(animation(&document).tracks[0].track_type.law(), KeyLaw::Tcb);
        prop_assert_eq!(remarks(&document), vec![]);
        let again = back(&document);
        for step in 0..=16 {
            let at = times[0] + (times[last] - times[0]) * f64::from(step) / 16.0;
            let [a, b] = [&scene, &again].map(|scene| shown(scene, &Property::Translation, at));
            prop_assert!(a.iter().zip(&b).all(|(a, b)| close(*a, *b, 2e-5)), "{}: {:?} {:?}", at, a, b);
        }
    }

    /// Whatever is asked for of whatever turns and steps, at every version: the file is read as it was written, and no key moves
    /// farther than the form allows.
    #[test]
    fn packed_rotations_stay_within_their_stated_error(
        turns in vec([-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, 0.1f32..1.0], 1..8),
        gaps in vec(0.02f64..20.0, 8),
        word in prop_oneof![Just(("quat=3u16", 0.0134)), Just(("quat=u32", 0.0048))],
        steps in any::<bool>(),
        version in proptest::sample::select(More::INFO.variants),
    ) {
        let times: Vec<f64> = gaps.iter().scan(0.0, |at, gap| { *at += gap; Some(*at) }).take(turns.len()).collect();
        let law = if steps { Law::STEP } else { Law::SLERP };
        let scene = moving(vec![rotation(&times, &turns, law)]);
        let (document, _) = written(&scene, &format!("{},{},be", version.name, word.0), false);
        let again = back(&document);
        let curves: Vec<_> = again.clips[0].tracks[0].channels[0].composition.curves().collect();
        prop_assert_eq!(curves[0].len(), turns.len());
        for (key, (turn, time)) in turns.iter().zip(&times).enumerate() {
            let made = curves[0].value(key).unwrap().first_chunk::<4>().unwrap().map(f64::from);
            prop_assert!(rotation_angle(turn.map(f64::from), made) < word.1);
            prop_assert!(close(curves[0].times.get(key).unwrap().0, *time, 4.58e-3));
        }
    }
}
