//! Operations as programs describe them, and chains of them.

use dopesheet::core::model::{Clip, Looping, TargetKind};
use dopesheet::edit::{
    Draft, EditOption, Editable, Filter, Form, Kept, KeyChange, KeyLaw, Keys, Length, Loop, Move, OPERATIONS,
    Operation, Pace, Reduce, Rename, Resample, Set, Shape, Smooth, TimeMap, Trim, Way, described,
};
use dopesheet::formats::mmd::vmd;
use dopesheet::human::{Naming, Vocabulary};
use dopesheet::times::{RangeSpec, TimeValue};
use dopesheet::{
    ClipChoice, Error, FrameRate, NameMap, Opened, ReadOptions, SampleOptions, TimeSpec, WriteOptions,
};
use dopesheet_testkit::{bytes, workspace};
use std::sync::Arc;

fn sample(name: &str) -> Opened {
    let path = workspace().join("samples").join(name);
    dopesheet::read(name, &bytes(&path), &ReadOptions::default(), &mut |_| None).unwrap()
}

fn written(file: &Opened) -> Vec<u8> {
    file.format().write(&file.document, &WriteOptions::default()).unwrap().main
}

fn operation(word: &str, options: &str) -> Operation {
    described(word, options, Vec::new()).unwrap_or_else(|error| panic!("{options}: {error}"))
}

fn refused(word: &str, options: &str) -> String {
    described(word, options, Vec::new()).unwrap_err().to_string()
}

const fn seconds(start: f64, end: f64) -> RangeSpec {
    RangeSpec { start: TimeValue::Seconds(start), end: TimeValue::Seconds(end) }
}

#[test]
fn values_are_numbers_of_seconds_or_words_of_the_command() {
    let trim = |range, keep_time| Operation::Trim(Trim { range, keep_time, snap: false });
    assert_eq!(operation("trim", r#"{"range": [1, 2.5]}"#), trim(seconds(1.0, 2.5), false));
    let frames = RangeSpec { start: TimeValue::Frames(30.0), end: TimeValue::Seconds(2.0) };
    assert_eq!(operation("trim", r#"{"range": ["30f", "2s"], "keep-time": true}"#), trim(frames, true));
    assert_eq!(operation("trim", r#"{"range": "30f:2", "snap": null}"#), trim(frames, false));
    let over = |over, travels| Operation::Loop(Loop { over, travels });
    assert_eq!(operation("loop", "{}"), over(None, false));
    assert_eq!(
        operation("loop", r#"{"over": "10f", "travel": true}"#),
        over(Some(TimeValue::Frames(10.0)), true)
    );
    assert_eq!(
        operation("resample", r#"{"fps": 30}"#),
        Operation::Resample(Resample { rate: FrameRate::FPS_30 })
    );
    let reduce = Reduce { tolerance: "1cm".parse().unwrap(), editable: true };
    assert_eq!(operation("reduce", r#"{"tolerance": "1cm", "editable": true}"#), Operation::Reduce(reduce));
    let set = Set { name: Some("a".into()), model_name: None, looping: Some(Looping::Once) };
    assert_eq!(operation("set", r#"{"name": "a", "loop": false}"#), Operation::Set(set));
    let points = vec![(TimeValue::Seconds(0.0), TimeValue::Seconds(1.0)); 2];
    let bent = Operation::Retime(Pace::Curve(TimeMap { points }).into());
    assert_eq!(operation("retime", r#"{"curve": [[0, 1], ["0s", "1"]]}"#), bent);
    let names = NameMap::new([("a".to_owned(), "b".to_owned())]);
    let rename = |names, bones| Operation::Rename(Rename { names, bones });
    assert_eq!(operation("rename", r#"{"names": {"a": "b"}}"#), rename(names, None));
    let bones = Some((Naming::Of(Vocabulary::Acclaim), Naming::Unity));
    assert_eq!(operation("rename", r#"{"from": "cmu", "to": "unity"}"#), rename(NameMap::default(), bones));
}

#[test]
fn places_and_filters_are_told_as_the_command_tells_them() {
    let by = Way([Length::Metres(1.0), Length::Units(0.0), Length::Metres(-0.25)]);
    let place = Operation::Move(Move { by, turn_deg: 90.0, ..Move::default() });
    assert_eq!(operation("move", r#"{"by": "1m,0,-25cm", "turn": 90}"#), place);
    assert_eq!(operation("move", r#"{"by": ["1m", 0, "-25cm"], "turn": 90}"#), place);
    let ground = Move { scale: Some(1.5), grounds: true, ..Move::default() };
    assert_eq!(operation("move", r#"{"scale": 1.5, "ground": true}"#), Operation::Move(ground));
    let smooth =
        |filter, lets_feet_slide| Operation::Smooth(Smooth { on: Kept::default(), filter, lets_feet_slide });
    let usual = Filter::ZeroPhase { cutoff_hz: Filter::CUTOFF_HZ };
    assert_eq!(operation("smooth", r#"{"let-feet-slide": true}"#), smooth(usual, true));
    assert_eq!(operation("smooth", r#"{"cutoff": 4}"#), smooth(Filter::ZeroPhase { cutoff_hz: 4.0 }, false));
    let one_euro = Filter::OneEuro { min_cutoff_hz: Filter::MIN_CUTOFF_HZ, beta: 2.0 };
    assert_eq!(operation("smooth", r#"{"one-euro": true, "beta": 2}"#), smooth(one_euro, false));
    assert!(refused("move", "{}").starts_with("move: by: expected some of by, turn, scale and ground"));
    assert!(refused("move", r#"{"by": [1, 2]}"#).starts_with("move: by: expected a way along three axes"));
    assert!(refused("smooth", r#"{"beta": 2}"#).starts_with("smooth: one-euro: expected true with"));
    let both = refused("smooth", r#"{"cutoff": 4, "one-euro": true}"#);
    assert_eq!(both, "smooth: cutoff: expected min-cutoff with one-euro, found 4");
}

#[test]
fn keys_are_told_by_a_time_or_a_range_and_by_their_tracks() {
    let on = Kept {
        names: vec!["左*".parse().unwrap()],
        kinds: vec![TargetKind::Joint, TargetKind::Morph],
        properties: vec!["rotation".to_owned()],
    };
    let law = KeyChange::SetLaw { range: seconds(1.0, 1.0), law: KeyLaw::Bezier([0.25, 0.0, 0.75, 1.0]) };
    let found = operation(
        "keys law",
        r#"{"range": 1, "law": [0.25, 0, 0.75, 1], "names": "左*", "kind": ["joint", "morph"], "property": "rotation"}"#,
    );
    assert_eq!(found, Operation::Keys(Keys { on, change: law, snap: false }));
    assert_eq!(
        operation("keys law", r#"{"range": "1", "law": "0.25,0,0.75,1"}"#),
        Operation::Keys(Keys { on: Kept::default(), change: law, snap: false })
    );
}

#[test]
fn what_makes_no_sense_is_refused_by_the_name_of_its_option() {
    assert_eq!(
        refused("trim", r#"{"keep_time": true}"#),
        "trim: keep_time: expected one of the options range, keep-time, snap, found keep_time"
    );
    assert_eq!(
        refused("trim", "{}"),
        "trim: range: expected a start and an end, in seconds or as \"45f\", found nothing"
    );
    assert_eq!(
        refused("repeat", r#"{"times": 1.5}"#),
        "repeat: times: expected a whole number from 1 up, found 1.5"
    );
    assert_eq!(refused("trim", "[1]"), "trim: options: expected values by the names of options, found [1]");
    assert_eq!(refused("reverse", r#"{"snap": true}"#), "reverse: snap: expected no options, found snap");
    assert_eq!(
        refused("retime", r#"{"speed": 1, "fps": 30}"#),
        "retime: speed: expected one of speed, duration, fps and curve, found several"
    );
    assert_eq!(
        refused("select", r#"{"kind": "bone"}"#),
        "select: kind: expected some of joint, morph, camera, light, hand, custom, found \"bone\""
    );
    assert!(refused("rename", r#"{"from": "cmu"}"#).starts_with("rename: to: expected one of unity, mmd, "));
    assert!(refused("set", "{}").starts_with("set: name: expected some of name, model-name and loop"));
    assert!(
        refused("keys law", r#"{"range": 1, "law": "fast"}"#)
            .contains("expected step, linear, or four numbers")
    );
    assert!(refused("trimm", "{}").starts_with("trimm: operation: expected one of trim, delete, "));
    let error = described("trim", "{}", Vec::new()).unwrap_err();
    assert_eq!(error.to_json()["code"], "usage");
    assert!(matches!(error, Error::Option(wrong) if wrong.option == "range"));
}

/// Values of the options that have to be given, of every operation.
const GIVEN: [(&str, &str); 9] = [
    ("range", "\"0:1\""),
    ("times", "2"),
    ("by", "1"),
    ("at", "1"),
    ("to", "1"),
    ("factor", "2"),
    ("law", "\"step\""),
    ("marker", "\"a\""),
    ("name", "\"a\""),
];

#[test]
fn every_option_of_an_operation_is_looked_at() {
    for known in OPERATIONS {
        for option in known.names() {
            // There nothing has to be given, or one of two.
            let is_free = ["rename", "move"].contains(&known.word);
            let given =
                GIVEN.iter().filter(|(name, _)| !is_free && known.names().any(|known| known == *name));
            let others = given
                .filter(|(name, _)| *name != option)
                .map(|(name, value)| format!("\"{name}\": {value}, "));
            // Nothing may be that.
            let options = format!("{{{}\"{option}\": [[[]]]}}", others.collect::<String>());
            let told = refused(known.word, &options);
            assert!(told.starts_with(&format!("{}: {option}: expected ", known.word)), "{options}: {told}");
            assert!(told.ends_with(", found [[[]]]"), "{options}: {told}");
        }
    }
}

/// Two values of an option, each of which it takes.
fn values(option: &EditOption) -> [&'static str; 2] {
    match (option.shape, option.value) {
        (Shape::Switch | Shape::OnOff, _) => ["true", "false"],
        (Shape::Names, _) => [r#"{"a": "b"}"#, r#"{"a": "c"}"#],
        (Shape::Spans, _) => ["[[0, 0], [1, 2]]", r#"[[0, 0], "1:3"]"#],
        (_, "X,Y,Z") => ["[1, 2, 3]", "\"1m,0,-20cm\""],
        (_, "LAW") => ["\"step\"", "\"linear\""],
        (_, "NAMING") => ["\"mmd\"", "\"vrm\""],
        (_, "LENGTH") => ["\"2cm\"", "\"1mm@2cm\""],
        (_, "KIND,…") => ["\"hand\"", r#"["joint", "morph"]"#],
        (Shape::Span, _) => ["[0, 1]", "\"2f:3\""],
        (Shape::Name | Shape::List, _) => ["\"a\"", "\"b\""],
        (Shape::Amount, _) => ["2", "3"],
    }
}

#[test]
fn every_option_changes_its_operation_and_its_default_is_what_it_is_without() {
    for known in OPERATIONS {
        for option in known.options {
            let needed = known.options.iter().filter(|other| {
                let is_needed = match known.word {
                    "rename" => ["from", "to"].contains(&other.name) && option.name != "names",
                    "retime" => other.name == "speed" && option.name == "exact",
                    "smooth" => other.name == "one-euro" && ["min-cutoff", "beta"].contains(&option.name),
                    _ => other.form == Form::Required || known.needs.first() == Some(&other.name),
                };
                is_needed && other.name != option.name
            });
            let needed = needed.map(|other| format!("\"{}\": {}, ", other.name, values(other)[0]));
            let needed = needed.collect::<String>();
            let with = |value: &str| {
                let options = format!("{{{needed}\"{}\": {value}}}", option.name);
                format!("{:?}", operation(known.word, &options))
            };
            let [first, second] = values(option);
            assert_ne!(with(first), with(second), "{} {}", known.word, option.name);
            if let Some(default) = option.default {
                assert_eq!(with(&format!("\"{default}\"")), with("null"), "{} {}", known.word, option.name);
            }
        }
    }
}

#[test]
fn a_chain_is_what_the_operations_are_together_and_each_step_stays() {
    let (bow, all) = (sample("bow.vmd"), ClipChoice::All);
    let operations = [operation("trim", r#"{"range": [1, 3]}"#), operation("retime", r#"{"speed": 0.7}"#)];
    let together = written(&dopesheet::edit(bow.clone(), &operations, &all).unwrap());
    let whole = Editable::new(bow.clone());
    let part = whole.after("trim", r#"{"range": [1, 3]}"#, &[], &all).unwrap();
    let slow = part.after("retime", r#"{"speed": 0.7}"#, &[], &all).unwrap();
    assert!(written(&slow.opened().unwrap()) == together);
    let trimmed = written(&dopesheet::edit(bow.clone(), &operations[..1], &all).unwrap());
    assert!(written(&part.opened().unwrap()) == trimmed && trimmed != together);
    assert!(written(&whole.opened().unwrap()) == written(&bow));
    assert!(Arc::ptr_eq(&slow.opened().unwrap(), &slow.clone().opened().unwrap()));
}

#[test]
fn on_the_way_a_motion_may_be_what_its_format_cannot_hold() {
    let all = ClipChoice::All;
    let (bow, camera) = (Editable::new(sample("bow.vmd")), Editable::new(sample("camera.vmd")));
    let both = bow.after("merge", "{}", &[(&camera, None)], &all).unwrap();
    assert!(both.opened().unwrap_err().to_string().contains("never both of one file"));
    let steps = [
        ("drop", r#"{"kind": ["camera", "light"]}"#),
        ("drop", r#"{"names": "self-shadow"}"#),
        ("trim", r#"{"range": [0, 4.2]}"#),
    ];
    let back = steps.iter().fold(both, |file, (word, options)| file.after(word, options, &[], &all).unwrap());
    assert!(written(&back.opened().unwrap()) == written(&bow.opened().unwrap()));
}

#[test]
fn a_camera_goes_to_a_file_of_its_own_and_keeps_its_keys() {
    let (bow, camera) = (sample("bow.vmd"), sample("camera.vmd"));
    let mut draft = Draft::new(Arc::new(bow.clone())).unwrap();
    assert!(draft.split_camera(&ClipChoice::All).unwrap().is_none(), "there is none");
    let others = vec![Arc::new(dopesheet::edit::scene(&camera).unwrap())];
    draft.apply(&described("merge", "{}", others).unwrap(), &ClipChoice::All).unwrap();
    let apart = draft.split_camera(&ClipChoice::All).unwrap().unwrap();
    let vmd = dopesheet::ConvertOptions::to(dopesheet::registry::by_id("vmd").unwrap());
    let made = dopesheet::convert(&[apart], &vmd).unwrap();
    let made =
        dopesheet::read("camera.vmd", &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
    assert_eq!(written(&made), written(&camera));
    assert!(written(&draft.finish().unwrap()) == written(&bow));
}

#[test]
fn a_model_and_a_camera_that_were_merged_come_apart_in_the_format_of_the_file() {
    let all = ClipChoice::All;
    let (bow, camera) = (Editable::new(sample("bow.vmd")), Editable::new(sample("camera.vmd")));
    let bytes = |file: &Editable| written(&file.opened().unwrap());
    for [own, other] in [[&bow, &camera], [&camera, &bow]] {
        let [model, lens] = own.merged_apart(&[(other, None)], &all).unwrap();
        let format = |file: &Editable| file.opened().unwrap().format().info().id;
        assert_eq!([format(&model), format(&lens)], ["vmd"; 2]);
        let [made, wanted] = [&model, &bow].map(|file| file.opened().unwrap());
        let vmd = |file: &Opened| file.document.get::<vmd::Document>().unwrap().clone();
        let [made, wanted] = [vmd(&made), vmd(&wanted)];
        // Keys that come from another file stand in another order.
        assert!(bytes(&model) == bytes(&bow) || std::ptr::eq(own, &camera), "{}", own.source().name);
        assert_eq!(made.bones.len(), wanted.bones.len());
        assert_eq!(made.morphs.len(), wanted.morphs.len());
        assert_eq!(made.model.text(), wanted.model.text());
        assert!(bytes(&lens) == bytes(&camera), "{}", own.source().name);
    }
    let part = |word| bow.after(word, r#"{"kind": "morph"}"#, &[], &all).unwrap();
    let refused = part("drop").merged_apart(&[(&part("select"), None)], &all);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "merge: split: expected the motion of a model and that of a camera, found only one of them"
    );
    assert!(bow.merged_apart(&[], &all).unwrap_err().to_string().contains("another motion"));
}

#[test]
fn a_camera_is_taken_out_of_the_chosen_clip_alone() {
    let (bow, camera) = (sample("bow.vmd"), sample("camera.vmd"));
    let mut draft = Draft::new(Arc::new(bow)).unwrap();
    let others = vec![Arc::new(dopesheet::edit::scene(&camera).unwrap())];
    draft.apply(&described("merge", "{}", others).unwrap(), &ClipChoice::All).unwrap();
    let mut both = draft.scene().clone();
    both.clips.push(both.clips[0].clone());
    let mut draft = Draft::new(Arc::new(Opened::from_scene("both", &both).unwrap())).unwrap();
    let apart = draft.split_camera(&ClipChoice::Position(1)).unwrap().unwrap();
    let kinds =
        |clip: &Clip| clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Camera).count();
    assert_eq!(draft.scene().clips.iter().map(kinds).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(dopesheet::edit::scene(&apart).unwrap().clips.iter().map(kinds).collect::<Vec<_>>(), [1]);
}

fn edited(file: &Opened, operations: &[Operation]) -> Opened {
    dopesheet::edit(file.clone(), operations, &ClipChoice::All).unwrap()
}

#[test]
fn bones_in_the_words_of_vrm_and_back_are_the_same_to_the_byte() {
    let rename = |from, to| Operation::Rename(Rename { names: NameMap::default(), bones: Some((from, to)) });
    for name in ["bow.vmd", "walk.vmd"] {
        let file = sample(name);
        let there = edited(&file, &[rename(Naming::Of(Vocabulary::Mmd), Naming::Of(Vocabulary::Vrm))]);
        let scene = dopesheet::edit::scene(&there).unwrap();
        let names: Vec<&str> = scene.clips[0].tracks.iter().map(|track| track.target.name.as_str()).collect();
        assert!(names.contains(&"hips") && names.contains(&"センター"), "{names:?}");
        assert!(
            written(&edited(&there, &[rename(Naming::Of(Vocabulary::Vrm), Naming::Of(Vocabulary::Mmd))]))
                == written(&file),
            "{name}"
        );
    }
}

#[test]
fn bones_in_the_words_of_any_naming_and_back_are_the_same_to_the_byte() {
    let rename = |from, to| Operation::Rename(Rename { names: NameMap::default(), bones: Some((from, to)) });
    let jump = edited(&sample("jump.bvh"), &[rename(Naming::Of(Vocabulary::Mixamo), Naming::Unity)]);
    let mut count = 0;
    for naming in Naming::all() {
        let Ok(there) = dopesheet::edit(jump.clone(), &[rename(Naming::Unity, naming)], &ClipChoice::All)
        else {
            continue;
        };
        assert!(naming == Naming::Unity || written(&there) != written(&jump), "{naming:?}");
        assert!(written(&edited(&there, &[rename(naming, Naming::Unity)])) == written(&jump), "{naming:?}");
        count += 1;
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn lists_of_namings_written_by_hand_are_whole() {
    let words: Vec<&str> = Naming::all().map(Naming::word).collect();
    let rename = OPERATIONS.iter().find(|operation| operation.word == "rename").unwrap();
    let from = rename.options.iter().find(|option| option.name == "from").unwrap();
    assert_eq!(from.expected, format!("one of {}", words.join(", ")));
    assert_eq!(rename.details, format!("NAMING is {}.", from.expected));
    let select = OPERATIONS.iter().find(|operation| operation.word == "select").unwrap();
    let kind = select.options.iter().find(|option| option.name == "kind").unwrap();
    let kinds = TargetKind::ALL.map(|kind| kind.word());
    assert_eq!(kind.expected, format!("some of {}", kinds.join(", ")));
    assert!(kinds.iter().all(|word| kind.help.contains(word)), "{}", kind.help);
    for (path, start, end) in [
        ("bindings/python/python/dopesheet/edits.py", "Naming = Literal[", "]"),
        ("bindings/wasm/js/index.d.ts", "export type Naming = ", ";"),
    ] {
        let text = String::from_utf8(bytes(&workspace().join(path))).unwrap();
        let list = text.split_once(start).and_then(|(_, rest)| rest.split_once(end));
        let (list, _) = list.unwrap_or_else(|| panic!("{path}: expected a list after {start:?}"));
        let listed: Vec<&str> = list
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .filter(|word| !["", "and"].contains(word))
            .collect();
        assert_eq!(listed, words, "{path}");
    }
}

#[test]
fn a_name_that_a_recording_of_hands_cannot_have_is_refused_though_another_joint_has_its_start() {
    let hands = sample("hands.bin");
    let scene = dopesheet::edit::scene(&hands).unwrap();
    let names: Vec<&str> = scene.clips[0].tracks.iter().map(|track| track.target.name.as_str()).collect();
    let [first, second] = [names[0], names[1]];
    let names = NameMap::new(vec![(first.to_owned(), format!("{second}Z"))]);
    let operation = Operation::Rename(Rename { names, bones: None });
    let error = dopesheet::edit(hands, &[operation], &ClipChoice::All).unwrap_err().to_string();
    assert!(error.contains(&format!("cannot have the name \"{second}Z\"")), "{error}");
}

/// Angle between two rotations in radians, whatever the signs of their quaternions.
fn angle(a: &[f64], b: &[f64]) -> f64 {
    let chord = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    4.0 * (chord(1.0).min(chord(-1.0)) / 2.0).asin()
}

/// Rotations of a bone at 60 times a second.
fn rotations(file: &Opened, bone: &str) -> Vec<[f64; 4]> {
    let sampled = dopesheet::sample(file, &SampleOptions::at(TimeSpec::Rate(60.0))).unwrap();
    let track = sampled.tracks.iter().find(|track| track.target == bone).unwrap();
    let rotation = track.channels.iter().find(|channel| channel.name == "rotation").unwrap();
    rotation.values.chunks_exact(4).map(|row| [row[0], row[1], row[2], row[3]]).collect()
}

#[test]
fn a_capture_gets_few_keys_on_the_same_frames_for_a_whole_arm() {
    let dense = edited(&sample("bow.vmd"), &[operation("resample", r#"{"fps": 30}"#)]);
    let few = edited(&dense, &[operation("reduce", r#"{"tolerance": "1mm", "editable": true}"#)]);
    let keys = |file: &Opened| dopesheet::info(file).unwrap().clips[0].keys;
    assert!(keys(&few) * 4 < keys(&dense), "{} of {}", keys(&few), keys(&dense));
    let scene = dopesheet::edit::scene(&few).unwrap();
    let times = |bone: &str| {
        let track = scene.clips[0].tracks.iter().find(|track| track.target.name == bone).unwrap();
        track.channels.iter().flat_map(|own| own.composition.curves()).next().unwrap().times.clone()
    };
    assert_eq!(times("右腕"), times("右ひじ"));
    let allowed = 1e-3 / dopesheet::Tolerance::DEFAULT.shell_m(false);
    for bone in ["右腕", "右ひじ", "頭", "上半身"] {
        let (before, after) = (rotations(&dense, bone), rotations(&few, bone));
        assert_eq!(before.len(), after.len());
        let angles = before.iter().zip(&after).map(|(a, b)| angle(a, b));
        let worst = angles.fold(0.0, f64::max);
        assert!(worst <= allowed * 1.02 + 1e-5, "{bone}: {worst} of {allowed}");
    }
}

#[test]
fn keys_to_work_with_need_frames() {
    let door = dopesheet::edit(
        sample("door.json"),
        &[operation("reduce", r#"{"editable": true}"#)],
        &ClipChoice::All,
    );
    assert!(door.unwrap_err().to_string().contains("expected a file with frames"));
}

#[test]
fn a_motion_with_a_speed_that_changes_has_each_pose_at_its_new_time() {
    let bow = sample("bow.vmd");
    let bent = edited(&bow, &[operation("retime", r#"{"curve": [[0, 0], [1, 1], [2, 4], [4.2, 6.2]]}"#)]);
    assert!((dopesheet::info(&bent).unwrap().clips[0].duration_s - 6.2).abs() < 1e-9);
    let off = |bone: &str, old: f64, new: f64| {
        let at = |file: &Opened, time: f64| {
            let times = TimeSpec::List(vec![TimeValue::Seconds(time)]);
            let sampled = dopesheet::sample(file, &SampleOptions::at(times)).unwrap();
            let track = sampled.tracks.iter().find(|track| track.target == bone).unwrap();
            track.channels.iter().find(|channel| channel.name == "rotation").unwrap().values.clone()
        };
        angle(&at(&bow, old), &at(&bent, new))
    };
    for bone in ["頭", "上半身", "右ひじ"] {
        for (old, new) in [(0.5, 0.5), (1.0, 1.0), (1.25, 1.75), (1.5, 2.5), (2.0, 4.0), (3.3, 5.3)] {
            assert!(off(bone, old, new) < 4e-3, "{bone} at {old} s: {}", off(bone, old, new));
        }
    }
}
