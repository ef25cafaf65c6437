//! Frame rate of clips that get a value on every frame.

use super::laws::is_simple;
use dopesheet_core::format::Capabilities;
use dopesheet_core::model::{Clip, Times};
use dopesheet_core::units::{FrameRate, Seconds};

/// Frames per second tried for the keys of clips without a grid, in this order.
const USUAL_FPS: [u32; 7] = [24, 25, 30, 48, 50, 60, 120];

/// Safety factor on an error when a finer rate is proposed.
const CAUTION: f64 = 1.2;

/// Most frames per second to propose.
const MOST_FPS: f64 = 1000.0;

/// Frame rate of a clip with a value on every frame: the rate of the target or of a bake; else of the clip's
/// grid; else the first usual rate with all keys on its frames, or with all keys but those at both ends at
/// the same distance beside its frames; else 60 frames per second.
#[must_use]
pub fn frame_rate(clip: &Clip, capabilities: &Capabilities, bake: Option<FrameRate>) -> FrameRate {
    let stated = capabilities.grid.or(bake).or(clip.grid);
    stated.or_else(|| rate_of_keys(clip)).unwrap_or(FrameRate::FPS_60)
}

/// Frames with a key on each.
pub(super) struct Frames {
    rate: FrameRate,
    /// The rate of the frames with the source's keys, if there is one.
    of_keys: Option<FrameRate>,
    /// True if all curves of the source are straight between keys.
    is_straight: bool,
    /// True if the format has no other rate.
    is_fixed: bool,
}

impl Frames {
    pub(super) fn of(source: &Clip, rate: FrameRate, is_fixed: bool) -> Self {
        let of_keys = source.grid.or_else(|| rate_of_keys(source));
        let is_straight = source.channels().all(is_simple);
        Self { rate, of_keys, is_straight, is_fixed }
    }

    /// The reason for an error with this share of its limit, and the rate that may keep the tolerance.
    pub(super) fn cause(&self, share: f64) -> String {
        let frames = format!("one key per frame at {}", self.rate);
        if self.is_fixed {
            return format!("{frames} is all that the format holds");
        }
        match self.finer(share) {
            Some(fps) => format!("{frames} is too few, try --bake {fps}"),
            None => format!("{frames} is too few, and so is any rate up to {MOST_FPS} fps"),
        }
    }

    /// Frames per second at which an error would be below its limit: between frames with keys the error falls
    /// with the square of the frames' distance, else in proportion to it.
    fn finer(&self, share: f64) -> Option<f64> {
        let share = CAUTION * share;
        let fps = match self.of_keys {
            Some(own) if own != self.rate && self.is_straight => own.fps(),
            Some(own) => own.fps() * (share.sqrt() * self.rate.fps() / own.fps()).ceil().max(1.0),
            None => self.rate.fps() * share.ceil(),
        };
        (fps <= MOST_FPS).then_some(fps)
    }
}

/// The first usual rate with the keys of a clip on its frames; `None` if there is none, or no key but at the
/// start.
fn rate_of_keys(clip: &Clip) -> Option<FrameRate> {
    let end = clip.end();
    let lists = key_times(clip);
    let all = || lists.iter().flat_map(|times| times.iter());
    if all().all(|time| time.0 == 0.0) {
        return None;
    }
    let usual = || USUAL_FPS.into_iter().filter_map(|fps| FrameRate::new(fps, 1));
    let stands = |rate: FrameRate| all().all(|time| stands_on(rate, time));
    let ends_on = |rate: &FrameRate| stands(*rate) && stands_on(*rate, end);
    let beside = |rate: &FrameRate| {
        let mut inside = all().filter(|time| 0.0 < time.0 && time.0 < end.0);
        let Some(first) = inside.next() else { return false };
        inside.all(|time| stands_on(*rate, Seconds(time.0 - first.0)))
    };
    usual().find(ends_on).or_else(|| usual().find(|rate| stands(*rate))).or_else(|| usual().find(beside))
}

/// The lists of key times of a clip; curves in succession with the same list count once.
fn key_times(clip: &Clip) -> Vec<&Times> {
    let mut lists: Vec<&Times> = Vec::new();
    for curve in clip.curves() {
        if lists.last().is_none_or(|last| !last.is_same_list(&curve.times)) {
            lists.push(&curve.times);
        }
    }
    lists
}

/// True of a time that counts as a frame, or is the f32 next to a frame.
fn stands_on(rate: FrameRate, time: Seconds) -> bool {
    let frame = time.0 * rate.fps();
    let step = f64::from((time.0.abs() as f32).next_up()) - time.0.abs();
    (frame - frame.round()).abs() <= FrameRate::SNAP_FRAMES.max(step * rate.fps())
}
