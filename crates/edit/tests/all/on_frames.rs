//! Keys on the nearest frames.

use crate::identities::scene;
use dopesheet_core::model::{Clip, Curve, Law, Laws, Times, Timing};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_edit::{OnFrames, on_frames};

/// A clip of a curve with keys at numbers of frames, each with its value and the law that it is left by.
fn clip(keys: &[(f64, f32, Law)]) -> Clip {
    let times: Vec<f64> = keys.iter().map(|key| key.0 / 30.0).collect();
    let laws = Laws::from_segments(keys.iter().map(|key| key.2));
    let values = keys.iter().map(|key| key.1).collect();
    let mut clip = scene(Curve::new(Times::Seconds(times.into()), 1, values, laws)).clips.remove(0);
    clip.duration = Seconds(keys[keys.len() - 1].0 / 30.0);
    clip
}

fn keys(clip: &Clip) -> Vec<(i64, f32, Law)> {
    let curve = clip.tracks[0].channels[0].composition.curves().next().unwrap();
    let key = |key| (curve.times.frame(key).unwrap().0, curve.values[key], curve.laws.get(key));
    (0..curve.len()).map(key).collect()
}

#[test]
fn keys_go_to_the_nearest_frames_with_their_laws() {
    let eased =
        Law { timing: Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 }, blend: Law::LINEAR.blend };
    let mut clip = clip(&[(0.0, 0.0, eased), (12.5, 1.0, Law::LINEAR), (26.2, 2.0, Law::LINEAR)]);
    assert_eq!(on_frames(&mut clip, FrameRate::FPS_30), OnFrames { moved: 1, lost: 0 });
    assert_eq!(keys(&clip), [(0, 0.0, eased), (13, 1.0, Law::LINEAR), (26, 2.0, Law::LINEAR)]);
    assert_eq!(clip.duration, FrameRate::FPS_30.seconds(26.0));
    assert_eq!(on_frames(&mut clip, FrameRate::FPS_30), OnFrames::default());
}

#[test]
fn of_keys_on_one_frame_the_latest_stays_with_the_way_that_led_to_it() {
    let eased =
        Law { timing: Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 }, blend: Law::LINEAR.blend };
    let mut clip = clip(&[
        (0.0, 0.0, Law::LINEAR),
        (9.6, 1.0, eased),
        (10.4, 2.0, Law::LINEAR),
        (20.0, 3.0, Law::LINEAR),
    ]);
    assert_eq!(on_frames(&mut clip, FrameRate::FPS_30), OnFrames { moved: 1, lost: 1 });
    assert_eq!(keys(&clip), [(0, 0.0, eased), (10, 2.0, Law::LINEAR), (20, 3.0, Law::LINEAR)]);
}

#[test]
fn a_cut_within_a_frame_stays_a_cut() {
    let mut clip = clip(&[
        (0.0, 0.0, Law::LINEAR),
        (9.6, 1.0, Law::STEP),
        (10.4, 5.0, Law::LINEAR),
        (20.0, 6.0, Law::LINEAR),
    ]);
    assert_eq!(on_frames(&mut clip, FrameRate::FPS_30), OnFrames { moved: 1, lost: 0 });
    assert_eq!(keys(&clip).iter().map(|key| key.0).collect::<Vec<_>>(), [0, 9, 10, 20]);
}
