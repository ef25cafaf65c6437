//! How time goes on at the ends of a clip.

use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::clock::{AtEnd, advance};
use proptest::prelude::*;

fn steps(at_end: AtEnd, by: f64, count: usize) -> Vec<f64> {
    let mut time = Seconds(0.0);
    let mut step = || {
        time = advance(time, Seconds(by), Seconds(1.0), at_end);
        time.0
    };
    (0..count).map(|_| step()).collect()
}

#[test]
fn staying_stops_at_the_end() {
    assert_eq!(steps(AtEnd::Stay, 0.375, 4), [0.375, 0.75, 1.0, 1.0]);
    assert_eq!(steps(AtEnd::Stay, -1.0, 1), [0.0]);
}

#[test]
fn wrapping_keeps_what_goes_beyond() {
    assert_eq!(steps(AtEnd::Wrap, 0.375, 4), [0.375, 0.75, 0.125, 0.5]);
    assert_eq!(steps(AtEnd::Wrap, 0.5, 2), [0.5, 0.0], "the end is the start");
    assert_eq!(steps(AtEnd::Wrap, -0.25, 2), [0.75, 0.5]);
    assert_eq!(steps(AtEnd::Wrap, -1e-300, 1), [0.0]);
}

#[test]
fn restarting_loses_what_goes_beyond_and_shows_the_end() {
    assert_eq!(steps(AtEnd::Restart, 0.375, 4), [0.375, 0.75, 0.0, 0.375]);
    assert_eq!(steps(AtEnd::Restart, 0.5, 3), [0.5, 1.0, 0.0]);
    assert_eq!(steps(AtEnd::Restart, -0.25, 2), [1.0, 0.75]);
}

proptest! {
    #[test]
    fn time_never_leaves_the_clip(time: f64, by: f64, duration: f64) {
        for at_end in [AtEnd::Stay, AtEnd::Wrap, AtEnd::Restart] {
            let next = advance(Seconds(time), Seconds(by), Seconds(duration), at_end).0;
            prop_assert!((0.0..=duration.max(0.0)).contains(&next), "{}", next);
        }
    }
}
