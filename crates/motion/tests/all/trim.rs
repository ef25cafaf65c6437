//! Cutting and moving clips in time.

use crate::kit::*;
use dopesheet_core::model::{Channel, Clip, Composition, Law, Marker, Outside, Property, TargetKind, Times};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::keys::trim::{delay, first_key};
use dopesheet_motion::{Range, Side, trim};
use proptest::prelude::*;

fn range(start: f64, end: f64) -> Range {
    Range { start: Seconds(start), end: Seconds(end) }
}

fn marker(time: f64) -> Marker {
    Marker { time: Seconds(time), name: String::new(), data: None }
}

fn with(channels: Vec<Channel>) -> Clip {
    clip(10.0, vec![track(TargetKind::Custom, "it", channels)])
}

fn times(clip: &Clip) -> &Times {
    &only_curve(&clip.tracks[0].channels[0]).times
}

#[test]
fn the_start_becomes_zero_and_the_length_the_duration() {
    let mut clip = with(vec![weight(line(&[0.0, 4.0], &[0.0, 4.0], Law::LINEAR))]);
    trim(&mut clip, range(1.0, 3.5));
    assert_eq!((times(&clip), clip.duration), (&seconds(&[-1.0, 3.0]), Seconds(2.5)));
}

#[test]
fn markers_inside_move_along_and_others_are_left_out() {
    let mut clip = Clip { markers: [0.5, 1.0, 2.0, 3.0, 3.5].map(marker).into(), ..with(vec![]) };
    trim(&mut clip, range(1.0, 3.0));
    assert_eq!(clip.markers, [0.0, 1.0, 2.0].map(marker));
}

#[test]
fn whole_frames_stay_whole_frames() {
    let mut clip = with(vec![weight(wide(frames(&[0, 45, 90]), 1, &[0.0; 3], Law::LINEAR))]);
    clip.grid = Some(FPS_30);
    trim(&mut clip, range(1.0, 3.0));
    assert_eq!(
        (times(&clip), clip.grid, clip.duration),
        (&frames(&[-30, 15, 60]), Some(FPS_30), Seconds(2.0))
    );
}

#[test]
fn ends_near_a_frame_are_that_frame() {
    let mut clip = with(vec![weight(wide(frames(&[0, 10, 20]), 1, &[0.0; 3], Law::LINEAR))]);
    clip.grid = Some(FPS_30);
    let third = f64::from((1.0f64 / 3.0) as f32);
    clip.markers = vec![marker(1.0 / 3.0)];
    trim(&mut clip, range(third, 2.0 * third));
    assert_eq!((times(&clip), clip.duration), (&frames(&[-10, 0, 10]), FPS_30.seconds(10.0)));
    assert_eq!(clip.markers, [marker(0.0)]);
}

#[test]
fn a_key_at_the_end_stays_at_the_end() {
    for (start, end) in [(1, 8), (7, 100), (13, 6_007), (299, 300)] {
        let mut clip = with(vec![weight(wide(frames(&[0, end]), 1, &[0.0; 2], Law::LINEAR))]);
        clip.grid = Some(FPS_30);
        trim(&mut clip, range(start as f64 / 30.0, end as f64 / 30.0));
        assert_eq!(times(&clip).span().unwrap().1, clip.duration);
    }
}

#[test]
fn a_shift_between_frames_leaves_the_grid() {
    let mut clip = with(vec![weight(wide(frames(&[0, 30]), 1, &[0.0; 2], Law::LINEAR))]);
    clip.grid = Some(FPS_30);
    trim(&mut clip, range(0.05, 1.0));
    assert_eq!((times(&clip), clip.grid), (&seconds(&[-0.05, 0.95]), None));
}

#[test]
fn frames_that_would_overflow_become_seconds() {
    let mut clip = with(vec![weight(wide(frames(&[i64::MAX - 1]), 1, &[0.0], Law::LINEAR))]);
    delay(&mut clip, 1.0);
    assert!(matches!(times(&clip), Times::Seconds(_)));
    let mut clip = with(vec![weight(wide(frames(&[0]), 1, &[0.0], Law::LINEAR))]);
    delay(&mut clip, 1e300);
    assert_eq!(times(&clip), &seconds(&[1e300]));
}

#[test]
fn curves_that_shared_their_times_still_do() {
    let list = seconds(&[0.0, 1.0]);
    let of = || wide(list.clone(), 1, &[0.0, 1.0], Law::LINEAR);
    let axes = composed(Property::Translation, Composition::Components(vec![of(), of(), of()]));
    let mut clip = with(vec![axes, weight(of())]);
    trim(&mut clip, range(0.5, 1.0));
    let curves: Vec<_> = clip.tracks[0].channels.iter().flat_map(|c| c.composition.curves()).collect();
    assert!(curves.iter().all(|c| c.times.is_same_list(&curves[0].times)));
    assert_eq!(times_of(curves[0]), [-0.5, 0.5]);
}

#[test]
fn a_range_that_ends_before_it_starts_is_an_instant() {
    let mut clip = with(vec![weight(line(&[0.0, 4.0], &[0.0, 4.0], Law::LINEAR))]);
    trim(&mut clip, range(3.0, 1.0));
    assert_eq!(clip.duration, Seconds(0.0));
}

#[test]
fn delaying_moves_everything_later_and_the_end_too() {
    let ramp = Outside::Ramp { start: Seconds(-2.0), from: [9.0].into(), law: Law::LINEAR };
    let mut curve = line(&[-1.0, 4.0], &[0.0, 4.0], Law::LINEAR);
    curve.before = ramp;
    let mut clip = Clip { markers: vec![marker(1.0)], ..with(vec![weight(curve)]) };
    assert_eq!(first_key(&clip), Some(Seconds(-1.0)));
    delay(&mut clip, 1.0);
    assert_eq!(
        (times(&clip), clip.duration, &clip.markers[0]),
        (&seconds(&[0.0, 5.0]), Seconds(11.0), &marker(2.0))
    );
    assert!(matches!(
        only_curve(&clip.tracks[0].channels[0]).before,
        Outside::Ramp { start: Seconds(-1.0), .. }
    ));
    delay(&mut clip, -99.0);
    assert_eq!(clip.duration, Seconds(0.0));
    assert_eq!(first_key(&with(vec![])), None);
}

#[test]
fn ten_thousand_channels_are_moved_at_once() {
    let channels = (0..10_000).map(|_| weight(line(&[0.0, 1.0], &[0.0, 1.0], Law::LINEAR))).collect();
    let mut clip = with(channels);
    let started = std::time::Instant::now();
    trim(&mut clip, range(0.5, 1.0));
    assert!(started.elapsed().as_secs() < 5, "took {:?}", started.elapsed());
}

proptest! {
    #[test]
    fn a_trimmed_clip_shows_the_same_at_shifted_times(
        channels in prop::collection::vec(any_channel(), 1..3),
        start in (-60i32..60).prop_map(|n| f64::from(n) / 60.0),
        on_grid in any::<bool>(),
        length in 0.0..3.0f64,
    ) {
        let whole = Clip { grid: on_grid.then_some(FrameRate::FPS_30), ..with(channels) };
        let mut cut = whole.clone();
        trim(&mut cut, range(start, start + length));
        // Between frames, so that rounding does not decide on which side of a jump they are.
        for time in (0..200).map(|n| f64::from(n) / 60.0 + 0.006) {
            for (a, b) in whole.tracks[0].channels.iter().zip(&cut.tracks[0].channels) {
                let (a, b) = (value(a, start + time, Side::At), value(b, time, Side::At));
                let error = a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                prop_assert!(error < 1e-3, "{} at {}", error, time);
            }
        }
    }
}
