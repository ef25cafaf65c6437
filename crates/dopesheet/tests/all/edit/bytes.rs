//! Edits within a format: what an operation does not touch stays to the byte, and operations undo each other.

use crate::refusals::Refusals;
use dopesheet::core::diag::ErrorUnit;
use dopesheet::core::model::{TargetKind, Track};
use dopesheet::edit::{
    Concat, Delete, Kept, KeyChange, Keys, Mirror, Operation, Pace, Rename, Repeat, Set, Shift, Trim,
};
use dopesheet::formats::mmd::vmd::{BoneChannel, Document};
use dopesheet::times::{RangeSpec, TimeValue};
use dopesheet::{ClipChoice, Loss, NameMap, Opened, ReadOptions, SampleOptions, TimeSpec, WriteOptions};
use dopesheet_testkit::{bytes, corpus, files, note_skip, workspace};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn opened(path: &Path, bytes: &[u8]) -> Option<Opened> {
    dopesheet::read(&path.to_string_lossy(), bytes, &ReadOptions::default(), &mut |_| None).ok()
}

pub(crate) fn sample(name: &str) -> Opened {
    let path = workspace().join("samples").join(name);
    opened(&path, &bytes(&path)).unwrap()
}

fn edited(file: &Opened, operations: &[Operation]) -> Opened {
    dopesheet::edit(file.clone(), operations, &ClipChoice::All)
        .unwrap_or_else(|error| panic!("{}: {error}", file.name))
}

fn written(file: &Opened) -> Vec<u8> {
    file.format().write(&file.document, &WriteOptions::default()).unwrap().main
}

fn trim(range: &str) -> Operation {
    Operation::Trim(Trim { range: RangeSpec::parse(range).unwrap(), keep_time: false, snap: false })
}

fn shift(by: f64) -> Operation {
    Operation::Shift(Shift { by: TimeValue::Frames(by), snap: false })
}

fn rename(pairs: &[(&str, &str)]) -> Operation {
    let pairs = pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned()));
    Operation::Rename(Rename { names: NameMap::new(pairs), bones: None })
}

/// All VMD files at hand that can be read: our own, and those of the corpus where it is there.
fn motions() -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = files(&workspace().join("samples"), &["vmd"], 3);
    for (fixtures, at_least) in [("valid", 4), ("quirk", 20)] {
        paths.extend(files(
            &workspace().join("formats/mmd/src/vmd/fixtures").join(fixtures),
            &["vmd"],
            at_least,
        ));
    }
    match corpus("mmd") {
        Some(folder) => paths.extend(files(&folder.join("vmd"), &["vmd"], 8)),
        None => note_skip("the motions of the corpus"),
    }
    let read = |path: PathBuf| {
        let bytes = bytes(&path);
        opened(&path, &bytes).is_some().then_some((path, bytes))
    };
    paths.into_iter().filter_map(read).collect()
}

/// Checks that a file is to the byte as it was after operations that undo each other.
fn assert_undone(operations: &[Operation]) {
    assert_undone_where(|_| true, operations);
}

/// The same of the files that a test passes.
fn assert_undone_where(is_meant: impl Fn(&Opened) -> bool, operations: &[Operation]) {
    let files = motions().into_iter().map(|(path, bytes)| (opened(&path, &bytes).unwrap(), path, bytes));
    let files: Vec<_> = files.filter(|(file, ..)| is_meant(file)).collect();
    assert!(files.len() >= 20, "{}", files.len());
    for (file, path, bytes) in files {
        assert!(written(&edited(&file, operations)) == bytes, "{}: {operations:?}", path.display());
    }
}

#[test]
fn what_no_operation_touches_stays_to_the_byte() {
    assert_undone(&[shift(0.0)]);
}

#[test]
fn a_motion_shifted_there_and_back_is_the_same_to_the_byte() {
    assert_undone(&[shift(10.0), shift(-10.0)]);
}

#[test]
fn a_motion_slowed_down_and_sped_up_is_the_same_to_the_byte() {
    let speed = |speed| Operation::Retime(Pace::Speed(speed).into());
    assert_undone(&[speed(0.5), speed(2.0)]);
}

#[test]
fn bones_renamed_there_and_back_are_the_same_to_the_byte() {
    let there = [("センター", "Centre 7"), ("頭", "Head 7"), ("左足ＩＫ", "Foot 7"), ("あ", "A 7")];
    let back = there.map(|(from, to)| (to, from));
    let has_name = |track: &Track| there.iter().any(|(from, _)| *from == track.target.name);
    let has_bones = |file: &Opened| file.scene().unwrap().clips[0].tracks.iter().any(has_name);
    assert_undone_where(has_bones, &[rename(&there), rename(&back)]);
}

#[test]
fn a_motion_reversed_twice_is_the_same_to_the_byte_where_all_tracks_start_at_once() {
    for name in ["bow.vmd", "walk.vmd", "camera.vmd"] {
        let file = sample(name);
        assert!(
            written(&edited(&file, &[Operation::Reverse, Operation::Reverse])) == written(&file),
            "{name}"
        );
    }
}

#[test]
fn a_reversed_motion_shows_on_each_frame_what_the_frame_as_far_from_its_end_showed() {
    for name in ["bow.vmd", "camera.vmd"] {
        let (forth, back) = (sample(name), edited(&sample(name), &[Operation::Reverse]));
        let last = (dopesheet::info(&forth).unwrap().clips[0].duration_s * 30.0).round();
        let frames: Vec<f64> = (0..=last as u32).map(f64::from).collect();
        let sampled = |file: &Opened, frames: &mut dyn Iterator<Item = f64>| {
            let times = TimeSpec::List(frames.map(TimeValue::Frames).collect());
            dopesheet::sample(file, &SampleOptions::at(times)).unwrap().tracks
        };
        let forth = sampled(&forth, &mut frames.iter().copied());
        let back = sampled(&back, &mut frames.iter().map(|frame| last - frame));
        assert!(!forth.is_empty() && forth.len() == back.len(), "{name}");
        for (a, b) in forth.iter().zip(&back).filter(|(a, _)| a.kind != TargetKind::Custom) {
            for (one, other) in a.channels.iter().zip(&b.channels) {
                let apart = one.values.iter().zip(&other.values).map(|(x, y)| (x - y).abs());
                let worst = apart.fold(0.0, f64::max);
                assert!(worst < 1e-4, "{name}: {} {} {worst}", a.target, one.name);
            }
        }
    }
}

#[test]
fn a_trim_keeps_every_key_inside_and_adds_at_most_one_at_each_end_of_a_track() {
    let bow = sample("bow.vmd");
    let part = edited(&bow, &[trim("30f:90f")]);
    let [before, after] = [&bow, &part].map(|file| file.document.get::<Document>().unwrap());
    let inside: Vec<_> = before.bones.iter().filter(|key| (30..=90).contains(&key.frame)).collect();
    assert!(inside.len() > 20);
    for key in &inside {
        let found = after.bones.iter().find(|new| new.name == key.name && new.frame == key.frame - 30);
        let found = found.unwrap_or_else(|| panic!("{} at {}", key.name.text(), key.frame));
        assert_eq!((found.translation, found.rotation), (key.translation, key.rotation));
    }
    let tracks = before.bone_tracks().len();
    assert!(after.bones.len() - inside.len() <= 2 * tracks, "{} keys", after.bones.len());
    for name in before.bone_tracks().iter().map(|(name, _)| name) {
        let new = after.bones.iter().filter(|key| key.name == *name).map(|key| key.frame);
        let old: Vec<u32> = inside.iter().filter(|key| key.name == *name).map(|key| key.frame - 30).collect();
        assert!(new.filter(|frame| !old.contains(frame)).all(|frame| frame == 0 || frame == 60));
    }
}

#[test]
fn a_trim_of_all_changes_nothing() {
    for (path, bytes) in motions() {
        let file = opened(&path, &bytes).unwrap();
        let end = dopesheet::info(&file).unwrap().clips[0].duration_s;
        let operation = trim(&format!("0:{end}"));
        if bytes.len() > 2_000 {
            assert!(written(&edited(&file, &[operation])) == bytes, "{}", path.display());
        }
    }
}

#[test]
fn a_divided_curve_is_reported_with_its_error() {
    let part = edited(&sample("bow.vmd"), &[trim("30f:90f")]);
    let told = part.report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.contains("divided where the clip is cut") => {
            Some((max_error.unit, max_error.value))
        }
        _ => None,
    });
    let told: Vec<(ErrorUnit, f64)> = told.collect();
    // Half a tenth of a degree a metre from the joint, of which nobody knows what hangs on it.
    let is_near = |error: f64| (0.5e-3..1.5e-3).contains(&error);
    assert!(matches!(told[..], [(ErrorUnit::Metre, error)] if is_near(error)), "{told:?}");
}

#[test]
fn a_name_that_is_too_long_is_cut_and_reported() {
    let named = edited(&sample("bow.vmd"), &[rename(&[("頭", "こんなに長い名前は入らない")])]);
    let cut = named.report.losses.iter().any(|loss| loss.to_string().contains("names have 15 bytes"));
    assert!(cut, "{:?}", named.report.losses);
}

#[test]
fn what_a_format_does_not_say_is_refused() {
    let set = |set| dopesheet::edit(sample("bow.vmd"), &[Operation::Set(set)], &ClipChoice::All);
    let looping = Some(dopesheet::core::model::Looping::Loop);
    let error = set(Set { looping, ..Set::default() }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "set: vmd files do not say if a clip starts again at its end; convert the file to another format first, and edit that"
    );
    let named = set(Set { model_name: Some("ミク".into()), ..Set::default() }).unwrap();
    assert_eq!(named.document.get::<Document>().unwrap().model.text(), "ミク");
}

#[test]
fn a_model_name_that_is_too_long_is_cut_and_said_to_be() {
    let model_name = Some("a model with a very long name".to_owned());
    let set = Operation::Set(Set { model_name, ..Set::default() });
    let named = dopesheet::edit(sample("bow.vmd"), &[set], &ClipChoice::All).unwrap();
    assert_eq!(named.document.get::<Document>().unwrap().model.text(), "a model with a very ");
    let lost = |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what.contains("model name"));
    assert!(named.report.losses.iter().any(lost), "{:?}", named.report.losses);
}

#[test]
fn ranges_and_names_that_make_no_sense_are_refused_with_the_way_out() {
    let refused = |operation: Operation| {
        let error = dopesheet::edit(sample("bow.vmd"), &[operation], &ClipChoice::All).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused(trim("30f:200f")),
        "trim: expected a range within the clip, which is 0f:126f, found 30f:200f"
    );
    assert_eq!(refused(trim("90f:30f")), "trim: expected a range that ends after it starts, found 90f:30f");
    assert_eq!(refused(trim("1.01:2")), "trim: expected a time on a frame, found 1.01 s between 30f and 31f");
    assert_eq!(
        refused(Operation::Retime(Pace::Speed(0.0).into())),
        "retime: expected a number above 0, found 0"
    );
    assert_eq!(
        refused(rename(&[("頭", "首")])),
        "rename: expected a name that nothing else has for \"頭\", found \"首\""
    );
    let unknown = refused(rename(&[("Kopf", "頭"), ("Hals", "首")]));
    let expected = "rename: expected the name of something that moves, found \"Hals\"; there are センター, ";
    assert!(unknown.starts_with(expected), "{unknown}");
    assert_eq!(refused(rename(&[("頭", "𠮷")])), "vmd: expected a name that CP932 can encode, found \"𠮷\"");
}

/// A GLB with meshes, materials and one motion.
fn dancing() -> Opened {
    let glb = dopesheet::registry::by_id("glb").unwrap();
    let model = dopesheet::puppet::open_model("standard".as_ref()).unwrap();
    let options = dopesheet::ConvertOptions { model: Some(&model), ..dopesheet::ConvertOptions::to(glb) };
    let made = dopesheet::convert(&[sample("bow.vmd")], &options).unwrap();
    opened("dancing.glb".as_ref(), &made.output.main).unwrap()
}

/// The text of a GLB as a value, without what holds its motion.
fn without_motion(file: &Opened) -> serde_json::Value {
    let document = file.document.get::<dopesheet::formats::gltf::gltf::Document>().unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&document.json).unwrap();
    for member in ["animations", "accessors", "bufferViews", "buffers"] {
        value.as_object_mut().unwrap().remove(member);
    }
    value
}

#[test]
fn an_edited_glb_keeps_everything_but_its_motion() {
    let whole = dancing();
    let part =
        edited(&whole, &[trim("1:2"), Operation::Set(Set { name: Some("half".into()), ..Set::default() })]);
    let info = dopesheet::info(&part).unwrap();
    assert_eq!((info.clips[0].name.as_deref(), info.clips[0].duration_s), (Some("half"), 1.0));
    let mut before = without_motion(&whole);
    let mut after = without_motion(&part);
    // Accessors that only the old motion used make room, so that others move up.
    for value in [&mut before, &mut after] {
        value.as_object_mut().unwrap().remove("meshes");
        value.as_object_mut().unwrap().remove("skins");
    }
    assert_eq!(before, after);
    assert!(written(&part).len() < written(&whole).len());
}

#[test]
fn a_renamed_node_of_a_glb_changes_only_its_name() {
    let whole = dancing();
    let named = edited(&whole, &[rename(&[("頭", "Head 7")])]);
    let text =
        |file: &Opened| file.document.get::<dopesheet::formats::gltf::gltf::Document>().unwrap().json.clone();
    assert!(text(&named).contains("\"Head 7\"") && !text(&whole).contains("\"Head 7\""));
    let back = edited(&named, &[rename(&[("Head 7", "頭")])]);
    assert_eq!(without_motion(&back), without_motion(&whole));
}

#[test]
fn files_of_every_format_that_nothing_changes_stay_to_the_byte() {
    let formats = [
        ("bvh/src/bvh", "bvh"),
        ("gltf/src/gltf", "gltf"),
        ("mmd/src/vpd", "vpd"),
        ("mrtk2/src/animation", "bin"),
        ("playcanvas/src/animation", "json"),
        ("numpy/src/npz", "npz"),
        ("more/src/more", "ubi"),
        ("unity/src/animation", "anim"),
    ];
    let (mut count, mut refusals) = (0, Refusals::default());
    for (room, extension) in formats {
        let folder = workspace().join("formats").join(room).join("fixtures/valid");
        for path in files(&folder, &[extension], 2) {
            let bytes = bytes(&path);
            let Some(file) = opened(&path, &bytes) else { panic!("{}", path.display()) };
            let nothing = Operation::Shift(Shift { by: TimeValue::Seconds(0.0), snap: false });
            let Some(same) = refusals.edited(&path, file, &[nothing]) else { continue };
            assert!(written(&same) == bytes, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 20, "{count} {refusals:?}");
}

/// The lines of a BVH from its frames on, and those before.
fn halves(file: &Opened) -> (Vec<String>, Vec<String>) {
    let text = String::from_utf8(written(file)).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = lines.iter().position(|line| line.starts_with("Frame Time")).unwrap() + 1;
    (lines[at..].to_vec(), lines[..at].to_vec())
}

#[test]
fn frames_of_a_trimmed_or_reversed_bvh_keep_their_text() {
    let whole = sample("jump.bvh");
    let (frames, head) = halves(&whole);
    let (part, part_head) = halves(&edited(&whole, &[trim("10f:20f")]));
    assert_eq!(part, frames[10..=20]);
    assert_eq!(part_head.len(), head.len());
    let (back, _) = halves(&edited(&whole, &[Operation::Reverse]));
    assert!(back.iter().rev().eq(&frames));
}

#[test]
fn a_bvh_meant_for_another_rate_differs_in_its_frame_time_alone() {
    let whole = sample("jump.bvh");
    let rate = dopesheet::FrameRate::from_fps(60.0).unwrap();
    let (frames, head) = halves(&edited(&whole, &[Operation::Retime(Pace::Frames(rate).into())]));
    let (old_frames, old_head) = halves(&whole);
    assert_eq!(frames, old_frames);
    let differ: Vec<_> = head.iter().zip(&old_head).filter(|(a, b)| a != b).collect();
    assert_eq!(differ.len(), 1, "{differ:?}");
    assert_eq!(differ[0].0, "Frame Time: 0.016667");
}

#[test]
fn a_renamed_joint_of_a_bvh_changes_one_line() {
    let whole = sample("jump.bvh");
    let named = written(&edited(&whole, &[rename(&[("Hips", "Root")])]));
    let old = String::from_utf8(written(&whole)).unwrap();
    assert!(String::from_utf8(named).unwrap() == old.replace("ROOT Hips", "ROOT Root"));
    let error = dopesheet::edit(whole, &[rename(&[("Hips", "The Root")])], &ClipChoice::All).unwrap_err();
    assert!(error.to_string().contains("without blanks and braces"), "{error}");
}

#[test]
fn a_trimmed_motion_whose_keys_end_early_lasts_as_long_as_was_asked_for() {
    let bow = sample("bow.vmd");
    let document = bow.document.get::<Document>().unwrap();
    let mut frames: Vec<u32> = document.bones.iter().map(|key| key.frame).collect();
    frames.sort_unstable();
    frames.dedup();
    let last = *frames.last().unwrap();
    let short = edited(&bow, &[trim(&format!("0f:{last}f"))]);
    assert!(written(&short) == written(&bow));
    for end in [40, 41, 55] {
        let part = edited(&bow, &[trim(&format!("10f:{end}f"))]);
        assert_eq!(dopesheet::info(&part).unwrap().clips[0].duration_s, f64::from(end - 10) / 30.0, "{end}");
    }
    // One bone that rests from frame 1 on.
    let mut resting = bow.clone();
    let document = resting.document_mut::<Document>().unwrap();
    document.bones.retain(|key| key.frame == 0);
    document.morphs.clear();
    document.models.clear();
    let mut end = document.bones[0];
    end.frame = 100;
    document.bones.push(end);
    let part = edited(&resting, &[trim("0f:60f")]);
    assert_eq!(part.document.get::<Document>().unwrap().bones.iter().map(|key| key.frame).max(), Some(60));
}

#[test]
fn a_camera_at_half_the_speed_gets_one_key_more_for_a_cut() {
    let camera = sample("camera.vmd");
    let slow = edited(&camera, &[Operation::Retime(Pace::Speed(0.5).into())]);
    let frames = |file: &Opened| {
        file.document.get::<Document>().unwrap().cameras.iter().map(|key| key.frame).collect()
    };
    let [before, after]: [Vec<u32>; 2] = [frames(&camera), frames(&slow)];
    let cuts: Vec<u32> =
        before.windows(2).filter(|pair| pair[1] - pair[0] == 1).map(|pair| 2 * pair[1] - 1).collect();
    let mut wanted: Vec<u32> = before.iter().map(|frame| 2 * frame).chain(cuts).collect();
    wanted.sort_unstable();
    assert!(wanted.len() > before.len());
    assert_eq!(after, wanted);
}

#[test]
fn a_recording_slowed_down_is_written_and_sped_up_again_to_the_byte() {
    let speed = |speed| Operation::Retime(Pace::Speed(speed).into());
    let hands = sample("hands.bin");
    let slow = written(&edited(&hands, &[speed(0.5)]));
    assert!(slow != written(&hands));
    let slow = opened("slow.bin".as_ref(), &slow).unwrap();
    assert!(written(&edited(&slow, &[speed(2.0)])) == written(&hands));
}

#[test]
fn a_trimmed_recording_has_at_most_two_keys_a_curve_more_than_the_original_there() {
    use dopesheet::formats::mrtk2::animation::Document as Recording;
    let hands = sample("hands.bin");
    let part = edited(&hands, &[trim("1:3")]);
    let [before, after] = [&hands, &part].map(|file| file.document.get::<Recording>().unwrap());
    let mut count = 0;
    for ((name, old), (other, new)) in before.curves().zip(after.curves()) {
        assert_eq!(name.to_string(), other.to_string());
        let inside = old.times().filter(|time| (1.0..=3.0).contains(time)).count();
        assert!(new.len() <= inside + 2, "{name}: {} of {inside}", new.len());
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
fn edits_that_ask_for_too_many_frames_are_refused_at_once() {
    let seconds = |by| Operation::Shift(Shift { by: TimeValue::Seconds(by), snap: false });
    for operation in [
        seconds(1e12),
        Operation::Retime(Pace::Speed(1e-9).into()),
        Operation::Retime(Pace::Speed(1e-300).into()),
    ] {
        let error = dopesheet::edit(sample("jump.bvh"), &[operation], &ClipChoice::All).unwrap_err();
        assert!(error.to_string().contains("expected at most 114,942 frames"), "{error}");
    }
    let error = dopesheet::edit(sample("bow.vmd"), &[seconds(1e12)], &ClipChoice::All).unwrap_err();
    assert!(error.to_string().contains("to frame 4294967295"), "{error}");
}

#[test]
fn a_motion_mirrored_twice_is_the_same_to_the_byte() {
    let mirror = || Operation::Mirror(Mirror::default());
    let (mut twice, mut refused) = (0, 0);
    for (path, bytes) in motions() {
        let file = opened(&path, &bytes).unwrap();
        match dopesheet::edit(file, &[mirror(), mirror()], &ClipChoice::All) {
            Ok(made) => {
                assert!(written(&made) == bytes, "{}", path.display());
                twice += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains("expected names of a left and a right side"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(twice >= 10, "{twice} and {refused} refused");
}

#[test]
fn a_mirrored_arm_moves_as_the_mirror_image_of_the_other_one() {
    let bow = sample("bow.vmd");
    let made = edited(&bow, &[Operation::Mirror(Mirror::default())]);
    let [before, after] = [&bow, &made].map(|file| file.document.get::<Document>().unwrap());
    assert_eq!(before.bones.len(), after.bones.len());
    for (old, new) in before.bones.iter().zip(&after.bones) {
        let (old_name, new_name) = (old.name.text(), new.name.text());
        let swapped: String = old_name
            .chars()
            .map(|own| match own {
                '左' => '右',
                '右' => '左',
                other => other,
            })
            .collect();
        assert_eq!((swapped, old.frame, old.interpolation), (new_name, new.frame, new.interpolation));
        let ([x, y, z], [a, b, c, w]) = (old.translation, old.rotation);
        assert_eq!((new.translation, new.rotation), ([-x, y, z], [a, -b, -c, w]));
    }
}

fn concat(other: &Opened) -> Operation {
    let others = vec![Arc::new(dopesheet::edit::scene(other).unwrap())];
    Operation::Concat(Concat { others, ..Concat::default() })
}

fn end_of(file: &Opened) -> f64 {
    (dopesheet::info(file).unwrap().clips[0].duration_s * 30.0).round()
}

#[test]
fn a_motion_cut_in_two_where_all_tracks_have_a_key_and_put_together_has_the_same_keys() {
    let mut cuts = 0;
    let insert = KeyChange::Insert { at: TimeValue::Frames(60.0) };
    let bow = edited(
        &sample("bow.vmd"),
        &[
            Operation::Select(Kept { names: vec!["上半身*".parse().unwrap()], ..Kept::default() }),
            Operation::Keys(Keys { on: Kept::default(), change: insert, snap: false }),
        ],
    );
    let own = (PathBuf::from("a part of bow.vmd"), written(&bow));
    for (path, bytes) in motions().into_iter().chain([own]) {
        let file = opened(&path, &bytes).unwrap();
        let document = file.document.get::<Document>().unwrap();
        let is_plain =
            document.morphs.is_empty() && document.models.is_empty() && document.shadows.is_empty();
        let tracks = document.bone_tracks();
        let has_key =
            |frame: u32, keys: &[u32]| keys.iter().any(|key| document.bones[*key as usize].frame == frame);
        let end = end_of(&file);
        let common = (1..end as u32).find(|frame| tracks.iter().all(|(_, keys)| has_key(*frame, keys)));
        let Some(frame) =
            common.filter(|_| is_plain && document.cameras.is_empty() && document.lights.is_empty())
        else {
            continue;
        };
        let first = edited(&file, &[trim(&format!("0:{frame}f"))]);
        let second = edited(&file, &[trim(&format!("{frame}f:{end}f"))]);
        let whole = edited(&first, &[concat(&second)]);
        // Which keys switch physics is no motion, and stays in the file that it is in.
        let keys = |file: &Opened| {
            let bones = &file.document.get::<Document>().unwrap().bones;
            let mut keys: Vec<_> = bones
                .iter()
                .map(|key| {
                    let curves = BoneChannel::ALL.map(|channel| key.curve(channel));
                    (key.name.text(), key.frame, curves, key.translation, key.rotation)
                })
                .collect();
            keys.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
            keys
        };
        assert!(keys(&file) == keys(&whole), "{} at {frame}f", path.display());
        cuts += 1;
    }
    assert!(cuts > 0);
}

#[test]
fn a_motion_behind_itself_has_each_key_twice_but_for_those_at_the_seam() {
    let walk = sample("walk.vmd");
    let twice = edited(&walk, &[Operation::Repeat(Repeat { times: 2 })]);
    let [before, after] = [&walk, &twice].map(|file| file.document.get::<Document>().unwrap().bones.len());
    // A track that rests before the seam gets a key there.
    let tracks = walk.document.get::<Document>().unwrap().bone_tracks().len();
    assert!(after > before && after <= 2 * before + tracks, "{before} and {after}");
    let (once, end) = (end_of(&walk), end_of(&twice));
    assert!(end == 2.0 * once || end == 2.0 * once + 1.0, "{once} and {end}");
    let again = edited(&walk, &[concat(&walk)]);
    assert!(written(&again) == written(&twice));
}

#[test]
fn a_deleted_range_leaves_all_other_keys_as_they_were() {
    let bow = sample("bow.vmd");
    let range = RangeSpec::parse("30f:60f").unwrap();
    let made = edited(&bow, &[Operation::Delete(Delete { range, snap: false })]);
    assert_eq!(end_of(&made), end_of(&bow) - 30.0);
    let [before, after] = [&bow, &made].map(|file| file.document.get::<Document>().unwrap());
    let kept = before.bones.iter().filter(|key| key.frame < 29 || key.frame > 60);
    for key in kept {
        let frame = if key.frame < 30 { key.frame } else { key.frame - 30 };
        let is_it = after.bones.iter().any(|new| {
            new.name == key.name
                && new.frame == frame
                && (new.translation, new.rotation) == (key.translation, key.rotation)
        });
        assert!(is_it, "{} at {}", key.name.text(), key.frame);
    }
}

#[test]
fn a_key_of_one_bone_moves_alone() {
    let bow = sample("bow.vmd");
    let [frame, name] = {
        let key = bow.document.get::<Document>().unwrap().bones.iter().find(|key| key.frame > 0).unwrap();
        [key.frame.to_string(), key.name.text()]
    };
    let range = RangeSpec::parse(&format!("{frame}f:{frame}f")).unwrap();
    let on = Kept { names: vec![name.parse().unwrap()], ..Kept::default() };
    let shift = |by: f64, range| {
        let change = KeyChange::Move { range, by: TimeValue::Frames(by) };
        Operation::Keys(Keys { on: on.clone(), change, snap: false })
    };
    let later: f64 = frame.parse::<f64>().unwrap() + 1.0;
    let moved = edited(&bow, &[shift(1.0, range)]);
    let [before, after] = [&bow, &moved].map(|file| file.document.get::<Document>().unwrap().bones.clone());
    let changed: Vec<_> = before.iter().zip(&after).filter(|(old, new)| old != new).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].1.frame, changed[0].0.frame + 1);
    let range = RangeSpec::parse(&format!("{later}f:{later}f")).unwrap();
    assert!(written(&edited(&moved, &[shift(-1.0, range)])) == written(&bow));
}
