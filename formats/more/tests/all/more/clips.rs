//! Clips are played by their own time: speed, warp, repetition and layers.

use crate::more::bytes::File;
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{Clip as SceneClip, Property, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_more::More;
use dopesheet_more::more::animation::Animation;
use dopesheet_more::more::clip::{Clip, ClipContent, SubResource, TimeMap};
use dopesheet_more::more::{Document, Resource};
use dopesheet_motion::{Side, channel_at};
use dopesheet_testkit::{close, read, rotation_angle};
use proptest::prelude::*;

/// An animation of 2 s from the tracks that are written.
fn animation(tracks: u32, write: impl FnOnce(&mut File)) -> Animation {
    let mut file = File::animation(tracks);
    write(&mut file);
    let document = read::<More>(&file.u32(0).done());
    document.animation().unwrap().clone()
}

/// A number of every law, two rotations and one of angles, and two events.
fn everything() -> Animation {
    animation(7, |f| {
        f.track(0x01, b"step", 3).f32s(&[0.0, 1.0, 0.7, 5.0, 1.5, 2.0]);
        f.track(0x04, b"line", 3).f32s(&[0.2, 1.0, 0.7, 5.0, 1.9, 2.0]);
        f.track(0x07, b"curve", 3);
        f.f32s(&[0.0, 0.0, 0.0, 3.0])
            .u8(0)
            .f32s(&[1.2, 4.0, -1.0, 2.0])
            .u8(0)
            .f32s(&[2.0, 1.0, 5.0, 0.0])
            .u8(0);
        f.track(0x0A, b"eased", 2);
        f.f32s(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 2.0]);
        f.f32s(&[2.0, 3.0, 0.0, 0.0, 0.0, 0.25, 0.0, 2.0, 0.0]);
        f.track(0x06, b"arc.Rotation", 2).f32s(&[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.6, 0.0, 0.8]);
        f.track(0x09, b"squad.Rotation", 3);
        for (time, [x, w]) in [(0.0, [0.0, 1.0]), (0.9, [0.6, 0.8]), (2.0, [0.8, 0.6])] {
            f.f32s(&[time, x, 0.0, 0.0, w, x, 0.0, 0.28, w]).u8(0);
        }
        f.u32(0x0E).text(b"ding").u32(2).f32s(&[0.0]).u32(1).text(b"").f32s(&[1.5]).u32(2).text(b"");
    })
}

fn clip(content: ClipContent) -> Clip {
    Clip { layer_id: 0, is_looping: false, time_scale: 1.0, transition: None, time_warp: None, content }
}

fn playing(animation: Animation) -> Clip {
    clip(ClipContent::Simple(SubResource::Embedded(Box::new(animation))))
}

fn layered(layers: Vec<(Animation, f32, bool)>) -> Clip {
    clip(ClipContent::Synchronised {
        blendings: layers.iter().map(|l| l.1).collect(),
        adjust_durations: layers.iter().map(|l| l.2).collect(),
        layers: layers.into_iter().map(|l| SubResource::Embedded(Box::new(l.0))).collect(),
    })
}

fn scene(clip: Clip, as_stored: bool) -> (Scene, Report) {
    let mut report = Report::default();
    let options = ToScene { as_stored, ..ToScene::default() };
    let scene = More::to_scene(&Document::new(Resource::Clip(clip)), &options, &mut report).unwrap();
    for curve in scene.clips[0].tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves()) {
        curve.validate().unwrap();
    }
    (scene, report)
}

fn value(clip: &SceneClip, track: usize, time: f64) -> Vec<f64> {
    let mut out = Vec::new();
    assert!(channel_at(&clip.tracks[track].channels[0], Seconds(time), Side::At, &mut out));
    out
}

/// The largest difference of each track from the animation at the clip's local time, away from jumps.
fn differences(played: &Clip, scene: &Scene, times: impl Iterator<Item = f64>) -> Vec<f64> {
    let ClipContent::Simple(SubResource::Embedded(animation)) = &played.content else {
        panic!("one animation")
    };
    let document = Document::new(Resource::Animation((**animation).clone()));
    let original = More::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    let (clip, original) = (&scene.clips[0], &original.clips[0]);
    let mut worst = vec![0.0_f64; clip.tracks.len()];
    for time in times {
        let local = played.local_time(time, animation.duration.into());
        for (track, worst) in worst.iter_mut().enumerate() {
            let (found, want) = (value(clip, track, time), value(original, track, local));
            let difference = match clip.tracks[track].channels[0].property {
                Property::Rotation => {
                    let q = |v: &[f64]| -> [f64; 4] { v.try_into().unwrap() };
                    rotation_angle(q(&found), q(&want))
                }
                _ => found.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
            };
            *worst = worst.max(difference);
        }
    }
    worst
}

/// Times that fall on no key and no bend.
fn odd_times(end: f64) -> impl Iterator<Item = f64> {
    (0..997).map(move |n| end * (f64::from(n) + 0.437) / 997.0)
}

#[test]
fn a_warp_bends_every_law_and_what_cannot_be_cut_is_followed_and_measured() {
    let warp = vec![[0.0, 0.0], [0.3, 0.6], [0.45, 0.6], [0.7, 0.1], [1.0, 1.0]];
    let played = Clip { time_warp: Some(warp), ..playing(everything()) };
    let (scene, report) = scene(played.clone(), false);
    let found = differences(&played, &scene, odd_times(2.0));
    for (track, difference) in found.iter().enumerate() {
        let name = &scene.clips[0].tracks[track].target.name;
        let bound = if ["eased", "squad"].contains(&name.as_str()) { 1e-3 } else { 1e-6 };
        assert!(*difference < bound, "{name}: {difference}");
    }
    let Loss::Approximated { what, max_error, .. } = &report.losses[0] else { panic!("{report:?}") };
    assert!(what.starts_with("1 channel bent by the clip's timing and layers"), "{what}");
    assert_eq!((max_error.unit, max_error.target.as_str()), (ErrorUnit::Radian, "squad"));
    assert!(max_error.value < 0.05_f64.to_radians());
    assert_eq!(report.losses.len(), 2, "{:?}", report.losses);
    let markers: Vec<_> = scene.clips[0].markers.iter().map(|m| (m.time.0 * 1e4).round() / 1e4).collect();
    assert_eq!(markers, [0.0, 1.8333], "1.5 s are passed once, in the last piece");
}

#[test]
fn a_clip_that_runs_backwards_passes_its_events_backwards() {
    let played = Clip { is_looping: true, time_scale: -0.5, ..playing(everything()) };
    let (scene, report) = scene(played.clone(), false);
    let found = differences(&played, &scene, odd_times(4.0));
    assert!(found.iter().all(|difference| *difference < 1e-6), "{found:?}");
    assert_eq!(report.losses, [], "all laws can be turned around");
    assert_eq!(scene.clips[0].duration, Seconds(4.0));
    assert_eq!(scene.clips[0].markers.iter().map(|m| m.time.0).collect::<Vec<_>>(), [4.0, 1.0]);
}

#[test]
fn a_clip_that_stands_still_shows_its_start() {
    for (is_looping, time_scale) in [(true, 0.0), (false, 0.0), (false, -1.0)] {
        let (scene, _) = scene(Clip { is_looping, time_scale, ..playing(everything()) }, false);
        assert!(
            scene.clips[0].tracks.iter().all(|t| t.channels[0].composition.curves().all(|c| c.len() == 1))
        );
        assert_eq!(value(&scene.clips[0], 2, 1.0), [0.0]);
        assert_eq!(scene.clips[0].duration, Seconds(2.0));
    }
}

#[test]
fn as_stored_a_looping_clip_goes_on_in_both_directions() {
    let played = Clip { is_looping: true, time_scale: 1.25, ..playing(everything()) };
    let (scene, _) = scene(played.clone(), true);
    let found = differences(&played, &scene, odd_times(9.0).map(|t| t - 4.0));
    assert!(found.iter().all(|difference| *difference < 1e-5), "{found:?}");
}

fn line(name: &[u8], to: f32) -> Animation {
    animation(1, |f| {
        f.track(0x05, name, 2).f32s(&[0.0, 0.0, 0.0, 0.0, 2.0, to, 0.0, 0.0]);
    })
}

#[test]
fn layers_that_move_the_same_are_mixed_by_weight_and_others_stand_beside_them() {
    let turn = |x: f32, w: f32| {
        animation(2, |f| {
            f.track(0x06, b"Door.Rotation", 2).f32s(&[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, x, 0.0, 0.0, w]);
            f.track(0x01, b"state", 1).f32s(&[0.0, x]);
        })
    };
    let layers = vec![
        (line(b"Door.Position", 4.0), 3.0, false),
        (line(b"Door.Position", 8.0), 1.0, false),
        (line(b"Window.Position", 6.0), 1.0, false),
    ];
    let (mixed, report) = scene(layered(layers), false);
    let clip = &mixed.clips[0];
    let names: Vec<_> = clip.tracks.iter().map(|t| (t.target.name.as_str(), t.target.index)).collect();
    assert_eq!(names, [("Door", 0), ("Window", 1)]);
    assert_eq!((value(clip, 0, 1.0)[0], value(clip, 1, 1.0)[0]), (2.5, 3.0));
    assert_eq!(clip.tracks[0].channels[0].composition.curves().next().unwrap().len(), 2, "lines stay lines");
    assert_eq!((mixed.nodes.len(), report.losses.as_slice()), (2, &[][..]));
    let layers = vec![(turn(0.0, 1.0), 1.0, false), (turn(0.6, 0.8), 1.0, false)];
    let (mixed, report) = scene(layered(layers), false);
    let half = 0.5 * (0.6_f64).asin();
    assert!(close(value(&mixed.clips[0], 0, 2.0)[0], half.sin(), 1e-6), "two rotations meet in the middle");
    let what = report.losses.iter().map(|loss| match loss {
        Loss::Approximated { what, .. } | Loss::Unsampled { what, .. } => what.as_str(),
        Loss::Dropped { why, .. } => why,
        Loss::Kept { .. } | Loss::KeptAsData { .. } | Loss::Bounded { .. } => "",
    });
    insta::assert_debug_snapshot!(what.collect::<Vec<_>>(), @r#"
    [
        "states, and values of different kinds, cannot be mixed",
        "1 channel bent by the clip's timing and layers, as 1 straight piece",
    ]
    "#);
}

#[test]
fn what_a_layer_cannot_play_is_said_with_its_numbers() {
    let marked = |count: usize| {
        let mut animation = line(b"Door.Position", 4.0);
        animation.instants.resize(count, dopesheet_more::more::animation::Instant { time: 0.5, id: 1 });
        animation
    };
    let short = Animation { duration: 0.75, ..line(b"Window.Position", 1.0) };
    let layers = vec![
        (marked(1), 1.0, false),
        (marked(2), 1.0, false),
        (marked(1), 0.0, false),
        (Animation { instants: marked(1).instants, ..short }, 1.0, false),
    ];
    let (mixed, report) = scene(Clip { is_looping: true, ..layered(layers) }, false);
    insta::assert_debug_snapshot!(report.losses, @r#"
    [
        Dropped {
            what: "layer 1 of the clip",
            why: "the game ignores a layer with 2 instants if the first has 1",
        },
        Dropped {
            what: "layer 2 of the clip",
            why: "its weight is 0",
        },
        Dropped {
            what: "the rhythm of layer 3, 0.75 s, beyond the clip's first 2 s",
            why: "a scene repeats as a whole; by then the layer has repeated 2.667 times",
        },
    ]
    "#);
    assert_eq!(mixed.clips[0].duration, Seconds(2.0));
    let local = |time: f64| value(&mixed.clips[0], 1, time)[0];
    assert!(close(local(0.7), 0.35, 1e-6) && close(local(0.8), 0.025, 1e-6), "it starts again by itself");
}

#[test]
fn an_adjusted_layer_meets_the_instants_of_the_first() {
    let marked = |time: f32, name: &[u8]| {
        let mut animation = line(name, 2.0);
        animation.instants.push(dopesheet_more::more::animation::Instant { time, id: 1 });
        animation
    };
    let layers =
        vec![(marked(0.5, b"Left.Position"), 1.0, false), (marked(1.5, b"Right.Position"), 1.0, true)];
    let (mixed, _) = scene(layered(layers), false);
    let at = |time: f64| [0, 1].map(|track| value(&mixed.clips[0], track, time)[0]);
    for (time, expected) in
        [(0.0, [0.0, 0.0]), (0.25, [0.25, 0.75]), (0.5, [0.5, 1.5]), (1.25, [1.25, 1.75]), (2.0, [2.0, 2.0])]
    {
        let found = at(time);
        assert!(found.iter().zip(expected).all(|(a, b)| close(*a, b, 1e-6)), "{time}: {found:?}");
    }
}

#[test]
fn a_warp_that_asks_for_too_much_is_cut_short_and_said() {
    let keys: Vec<f32> =
        (0..2000_u16).flat_map(|key| [f32::from(key) / 1000.0, f32::from(key % 7)]).collect();
    let animation = animation(1, |f| {
        f.track(0x04, b"T", 2000).f32s(&keys);
    });
    let back_and_forth = (0..1000_u16).map(|n| [f32::from(n) / 999.0, f32::from(n % 2)]).collect();
    let (scene, report) = scene(Clip { time_warp: Some(back_and_forth), ..playing(animation) }, false);
    let curve = scene.clips[0].tracks[0].channels[0].composition.curves().next().unwrap();
    assert!((1_000_000..1_020_000).contains(&curve.len()), "{}", curve.len());
    let Loss::Dropped { what, .. } = &report.losses[0] else { panic!("{report:?}") };
    assert_eq!(what, "the rest of 1 channel");
}

#[test]
fn only_paths_below_the_clip_are_asked_for() {
    let wanted = |path: &str| {
        let document =
            Document::new(Resource::Clip(clip(ClipContent::Simple(SubResource::Path(path.into())))));
        More::wants(&More::write(&document, &Default::default()).unwrap().main)
    };
    assert_eq!(wanted("anims/door.ubi"), ["anims/door.ubi"]);
    for path in ["../door.ubi", "/etc/passwd", "a/../../b", "C:/door.ubi", "a\\..\\b"] {
        assert!(wanted(path).is_empty(), "{path}");
    }
}

#[test]
fn times_are_found_at_which_a_map_yields_a_value() {
    let map = TimeMap::new(vec![[0.0, 0.0], [1.0, 2.0], [2.0, 2.0], [3.0, 1.0], [3.0, 5.0]]);
    assert_eq!(
        [0.0, 1.5, 2.0, 5.0, 9.0].map(|v| map.when(v)),
        [vec![0.0], vec![0.75, 2.5], vec![2.0], vec![3.0], vec![]]
    );
    assert_eq!([-1.0, 0.5, 1.5, 3.0, 4.0].map(|t| map.at(t)), [0.0, 1.0, 2.0, 5.0, 5.0]);
}

#[test]
fn a_pass_ends_when_the_next_one_starts_to_the_last_digit() {
    for time_scale in [1.25, -1.25, 0.3] {
        let played = Clip { is_looping: true, time_scale, ..playing(Animation::default()) };
        let map = played.time_map(2.0, f64::MAX, 1000);
        assert_eq!(map.points().len(), 2001, "at {time_scale}");
        assert!(map.points().is_sorted_by(|a, b| a[0] <= b[0]), "times go back at {time_scale}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: dopesheet_testkit::cases(200), ..ProptestConfig::default() })]

    /// The pieces are the formula, and none of it depends on how many there are.
    #[test]
    fn the_pieces_of_a_clip_are_its_local_time(
        warp in prop::option::of(prop::collection::vec([0.0..1.0f32, -0.2..1.2f32], 0..5)),
        is_looping: bool,
        scale in -3.0..3.0f32,
        duration in 0.01..20.0f64,
        share in 0.001..0.999f64,
    ) {
        let played = Clip { is_looping, time_scale: scale, time_warp: warp, ..playing(Animation::default()) };
        let end = 2.5 * played.pass_s(duration);
        let map = played.time_map(duration, end, 3);
        let time = share * end;
        let near_bend = map.points().iter().any(|p| (p[0] - time).abs() < 1e-6 * end);
        prop_assume!(!near_bend);
        let (found, want) = (map.at(time), played.local_time(time, duration));
        prop_assert!((found - want).abs() < 1e-6 * duration, "{found} is not {want}");
    }
}
