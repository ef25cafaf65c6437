//! Bytes built by hand, and what they say.

use crate::animation::fixtures::{named, plain};
use dopesheet_core::format::{Confidence, Format, Hint, WriteOptions};
use dopesheet_testkit::read;
use dopesheet_unity::UnityAnim;
use dopesheet_unity::animation::{Clip, Document, File, Keyframe, ObjectReference};

#[test]
fn a_clip_says_what_its_text_says() {
    let document = read::<UnityAnim>(plain().as_bytes());
    let [clip] = &document.file().clips[..] else { panic!("one clip") };
    assert_eq!((clip.file_id, clip.name.as_str(), clip.serialized_version), (7_400_000, "Wave", Some(6)));
    assert_eq!((clip.sample_rate, clip.wrap_mode, clip.legacy), (60.0, 0, false));
    assert_eq!((clip.settings.stop_time, clip.settings.loop_time), (1.5, true));
    let position = &clip.position_curves[0];
    assert_eq!(position.path, "Armature/Hips");
    let third = 1.0 / 3.0;
    let first = Keyframe {
        time: 0.0,
        value: [1.0, 2.0, 3.0],
        in_slope: [0.0; 3],
        out_slope: [4.0, 2.0, f32::INFINITY],
        tangent_mode: 0,
        weighted_mode: 2,
        in_weight: [third; 3],
        out_weight: [0.5, 0.25, third],
    };
    assert_eq!(position.curve.keys[0], first);
    assert_eq!(position.curve.keys.iter().map(|key| key.time).collect::<Vec<_>>(), [0.0, 0.5, 1.5]);
    let rotation = &clip.rotation_curves[0];
    assert_eq!((rotation.path.as_str(), rotation.curve.post_infinity), ("Armature/Hips/Spine", 1));
    assert_eq!(rotation.curve.keys[1].value, [0.0, 0.707_106_77, 0.0, 0.707_106_77]);
    let smile = &clip.float_curves[0];
    assert_eq!(
        (smile.attribute.as_str(), smile.path.as_str(), smile.class_id),
        ("blendShape.笑い", "Body", 137)
    );
    assert_eq!((smile.flags, smile.curve.keys[0].tangent_mode), (None, 103));
    let step = &clip.events[1];
    let object = ObjectReference {
        file_id: 8_300_000,
        guid: Some("0123456789abcdef0123456789abcdef".into()),
        kind: Some(3),
    };
    assert_eq!((step.function_name.as_str(), step.data.as_str()), ("Footstep", "left"));
    assert_eq!((&step.object_reference, step.float_parameter, step.int_parameter), (&object, 0.75, -2));
    assert_eq!(clip.events[0].data, "スタート");
}

#[test]
fn members_that_are_absent_are_what_unity_takes_for_them() {
    let document = read::<UnityAnim>(&named("without-weights"));
    let key = document.file().clips[0].float_curves[0].curve.keys[0];
    assert_eq!((key.weighted_mode, key.in_weight, key.out_weight), (0, [1.0 / 3.0], [1.0 / 3.0]));
    let document = read::<UnityAnim>(&named("flags"));
    let clip = &document.file().clips[0];
    assert_eq!((clip.serialized_version, clip.float_curves[0].flags), (Some(7), Some(16)));
}

#[test]
fn references_and_packed_curves_are_counted_and_kept() {
    let document = read::<UnityAnim>(&named("object-curves"));
    let sprites = &document.file().clips[0].object_curves[0];
    assert_eq!((sprites.attribute.as_str(), sprites.class_id, sprites.keys.len()), ("m_Sprite", 212, 2));
    assert_eq!(sprites.keys[0].1.file_id, 21_300_000);
    assert_eq!((sprites.keys[1].0, sprites.keys[1].1.clone()), (0.1, ObjectReference::default()));
    assert_eq!(read::<UnityAnim>(&named("compressed")).file().clips[0].compressed_rotation_curves, 1);
}

/// Unity writes it this way, except for the members of a clip that mean nothing for motion.
#[test]
fn a_file_of_our_own_reads_as_it_was_meant_and_is_laid_out_as_unitys() {
    let theirs = read::<UnityAnim>(plain().as_bytes());
    let mut ours = theirs.clone();
    ours.rewrite();
    let text = String::from_utf8(UnityAnim::write(&ours, &WriteOptions::default()).unwrap().main).unwrap();
    assert_eq!(read::<UnityAnim>(text.as_bytes()).file(), theirs.file());
    // Everything up to what follows the curves is the same text, but for the blank that Unity has behind a colon.
    let until = |text: &str| text[..text.find("  m_Bounds").unwrap()].to_owned();
    assert_eq!(until(&text), until(&plain()));
    insta::assert_snapshot!(text);
}

#[test]
fn numbers_are_the_shortest_that_are_read_back() {
    let third = 1.0 / 3.0;
    let cases = [
        (third, "0.33333334"),
        (1e-7, "1.0e-7"),
        (-0.0, "-0"),
        (100.0, "100"),
        (1.5e-10, "1.5e-10"),
        (f32::MAX, "3.4028235e+38"),
    ];
    for (number, text) in cases {
        let clip = Clip { sample_rate: number, ..Clip::default() };
        let document = Document::new(File { clips: vec![clip], other_objects: 0 });
        let written =
            String::from_utf8(UnityAnim::write(&document, &WriteOptions::default()).unwrap().main).unwrap();
        assert!(written.contains(&format!("  m_SampleRate: {text}\n")), "{number}: {written}");
        let back = read::<UnityAnim>(written.as_bytes()).file().clips[0].sample_rate;
        assert_eq!(back.to_bits(), number.to_bits());
    }
}

#[test]
fn the_start_of_a_file_tells_what_it_is() {
    let anim = Hint { extension: Some("anim".into()) };
    assert_eq!(UnityAnim::probe(plain().as_bytes(), &Hint::default()), Confidence::Certain);
    assert_eq!(UnityAnim::probe(b"%YAML 1.1\n", &Hint::default()), Confidence::Plausible);
    assert_eq!(UnityAnim::probe(b"\0\0", &anim), Confidence::ByName);
    assert_eq!(UnityAnim::probe(b"animVersion 1.1;", &Hint::default()), Confidence::No);
}
