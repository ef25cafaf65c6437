//! Clips of a few keys that last for a day, where every frame gets a key: refused with a way out, and never cut.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "mmd", feature = "numpy"))]

use dopesheet::core::format::MostFrames;
use dopesheet::{
    Conversion, ConvertOptions, Error, Opened, ReadOptions, convert, registry, times::RangeSpec,
};

/// The frame almost a day after the first, at 30 a second, within the day that is played.
const FAR: u32 = 2_500_000;

/// A motion of MikuMikuDance that moves one bone from its first frame to another.
fn motion(last: u32) -> Opened {
    let mut bytes = b"Vocaloid Motion Data 0002".to_vec();
    bytes.resize(50, 0);
    bytes.extend(2u32.to_le_bytes());
    for (frame, place) in [(0, 0.0f32), (last, 1.0)] {
        let mut name = b"\x83\x5a\x83\x93\x83\x5e\x81\x5b".to_vec();
        name.resize(15, 0);
        bytes.extend(name);
        bytes.extend(frame.to_le_bytes());
        [place, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([20u8; 64]);
    }
    bytes.extend([0; 12]);
    dopesheet::read("far.vmd", &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn converted(source: &Opened, to: &str, set: impl Fn(&mut ConvertOptions<'_>)) -> Result<Conversion, Error> {
    let mut options = ConvertOptions::to(registry::by_id(to).unwrap());
    set(&mut options);
    convert(&[source], &options)
}

fn refusal(result: Result<Conversion, Error>) -> String {
    match result {
        Err(Error::Convert(error)) => error.to_string(),
        other => panic!("expected a refusal, found {:?}", other.map(|made| made.output.main.len())),
    }
}

#[test]
fn a_clip_of_a_day_is_refused_where_every_frame_gets_a_key() {
    let far = motion(FAR);
    let bake = |options: &mut ConvertOptions<'_>| options.bake = convert::rate(30.0).ok();
    let plain = |_: &mut ConvertOptions<'_>| {};
    for said in [
        refusal(converted(&far, "bvh", plain)),
        refusal(converted(&far, "npz", plain)),
        refusal(converted(&far, "glb", bake)),
        // Without a model the motion plays on our puppet, whose legs are solved on every frame.
        refusal(converted(&far, "vrma", plain)),
    ] {
        assert!(said.ends_with("found 2,500,001 frames"), "{said}");
    }
    let first = refusal(converted(&far, "bvh", plain));
    assert_eq!(first, "bvh: expected at most 1,428,571 frames with 7 numbers each, found 2,500,001 frames");
}

#[test]
fn a_clip_of_a_day_is_converted_where_only_its_own_keys_are_written() {
    let made = converted(&motion(FAR), "vmd", |options| options.lossy = true).unwrap();
    assert!(made.output.main.len() < 1000);
    let made = converted(&motion(FAR), "glb", |_| {}).unwrap();
    assert!(made.output.main.len() < 100_000);
}

/// A motion of MikuMikuDance in which the camera moves between some frames.
fn filmed(frames: &[u32]) -> Opened {
    let mut bytes = b"Vocaloid Motion Data 0002".to_vec();
    bytes.resize(50, 0);
    [0, 0, u32::try_from(frames.len()).unwrap()].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    for (key, frame) in frames.iter().enumerate() {
        let far = f32::from(u8::try_from(key).unwrap());
        bytes.extend(frame.to_le_bytes());
        [-10.0 - far, far, 2.0, 0.0, 0.1, 0.3 * far, 0.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([[64, 0, 64, 127]; 6].as_flattened());
        bytes.extend([30, 0, 0, 0, 0]);
    }
    bytes.extend([0; 12]);
    dopesheet::read("far.vmd", &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

#[test]
fn a_few_camera_keys_over_a_day_are_kept_or_refused_where_others_have_to_be_found_on_every_frame() {
    let shift = |options: &mut ConvertOptions<'_>| options.shift = true;
    let scaled = |options: &mut ConvertOptions<'_>| options.metres_per_unit = Some(0.1);
    let kept = converted(&filmed(&[0, 900, FAR]), "vmd", scaled).unwrap();
    assert!(kept.output.main.len() < 1000);
    // Two at one frame are a jump, which this format has no keys for.
    let odd = filmed(&[0, 0, 900, FAR]);
    for set in [&shift as &dyn Fn(&mut ConvertOptions<'_>), &scaled] {
        let said = refusal(converted(&odd, "vmd", set));
        assert!(
            said.starts_with("vmd: expected at most ") && said.ends_with("found 2,500,000 frames"),
            "{said}"
        );
    }
}

#[test]
fn a_few_keys_of_a_placed_camera_over_a_day_are_refused_by_a_format_whose_cameras_circle() {
    let glb = converted(&filmed(&[0, 900, FAR]), "glb", |_| {}).unwrap().output.main;
    let placed = dopesheet::read("far.glb", &glb, &ReadOptions::default(), &mut |_| None).unwrap();
    let said = refusal(converted(&placed, "vmd", |_| {}));
    assert!(said.ends_with("found 2,500,001 frames"), "{said}");
    let few = converted(&placed, "vmd", |options| options.range = RangeSpec::parse("0:20").ok()).unwrap();
    assert!(few.output.main.len() < 61 * 600, "{}", few.output.main.len());
}

#[test]
fn a_part_of_a_clip_of_a_day_is_converted() {
    for to in ["bvh", "npz", "vrma"] {
        let range =
            |options: &mut ConvertOptions<'_>| options.range = RangeSpec::parse("1200000f:1200030f").ok();
        let made = converted(&motion(FAR), to, range).unwrap();
        assert!(made.output.main.len() < 1_000_000, "{to}");
    }
}

#[test]
fn frames_beyond_those_that_are_allowed_are_refused_and_not_cut() {
    let short = motion(60);
    let with = |most: u64| {
        converted(&short, "bvh", move |options| options.limits.max_frames = MostFrames::new(most).unwrap())
    };
    assert!(refusal(with(60)).starts_with("bvh: expected at most 60 frames"));
    let text = String::from_utf8(with(61).unwrap().output.main).unwrap();
    assert!(text.contains("\nFrames: 61\n"));
    // What is allowed counts, however many numbers that is.
    let long = motion(1_500_000);
    let most =
        |options: &mut ConvertOptions<'_>| options.limits.max_frames = MostFrames::new(1_499_999).unwrap();
    assert!(refusal(converted(&long, "bvh", most)).contains("expected at most 1,499,999 frames"));
}
