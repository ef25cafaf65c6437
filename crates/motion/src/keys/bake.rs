//! Keys on the frames of a grid.

use super::plan::KeyPlan;
use dopesheet_core::format::MostFrames;
use dopesheet_core::units::{FrameRate, Seconds};

/// Most keys put between two authored ones. So many straight segments follow an eased segment more closely
/// than f32 can express, so that a key a year away costs no year of frames.
pub(super) const MAX_BETWEEN: f64 = 10_000.0;

/// Most frames of a whole clip, 46 hours at 60 fps; longer clips get every second frame, every third … Conversions refuse
/// such clips.
const MAX_FRAMES: f64 = MostFrames::LIMIT as f64;

/// Time of a key on a frame, and the time at which its value is taken.
pub(super) type OnFrame = (Seconds, Seconds);

/// A key on every frame of a range, and on its ends unless keys must lie on the grid; at least one.
pub(super) fn every_frame(plan: &KeyPlan, range: (Seconds, Seconds), authored: &[Seconds]) -> Vec<OnFrame> {
    let (rate, (start, end)) = (plan.rate, range);
    let (from, to) = (rate.frame(start), rate.frame(end));
    let may_hold = |frame: f64| !plan.only_on_grid || frame.fract() == 0.0;
    let snapped = |t: Seconds| if plan.only_on_grid { rate.snap(t) } else { t };
    let first = may_hold(from).then(|| snapped(start));
    let last = (to > from && may_hold(to)).then(|| snapped(end));
    let frames = first.into_iter().chain(whole_frames(rate, from, to, MAX_FRAMES)).chain(last);
    let mut out: Vec<OnFrame> = frames.map(|t| (t, authored_near(rate, t, authored))).collect();
    if out.is_empty() {
        out.push((rate.seconds(from.round()), start));
    }
    out
}

/// The frame's own time, or the last authored key that counts as this frame without being exactly there:
/// times given as f32 lie a little beside the frame.
fn authored_near(rate: FrameRate, frame: Seconds, authored: &[Seconds]) -> Seconds {
    let slack = rate.seconds(FrameRate::SNAP_FRAMES).0;
    let from = authored.partition_point(|t| t.0 < frame.0 - slack);
    let near = authored.iter().skip(from).take_while(|t| t.0 <= frame.0 + slack);
    near.copied().reduce(|last, t| if last == frame { last } else { t }).unwrap_or(frame)
}

/// The whole frames strictly between two times.
pub(super) fn frames_between(rate: FrameRate, a: Seconds, b: Seconds) -> impl Iterator<Item = Seconds> {
    whole_frames(rate, rate.frame(a), rate.frame(b), MAX_BETWEEN)
}

/// The whole frames strictly between two frames, or every n-th so that there are no more than `limit`.
fn whole_frames(rate: FrameRate, from: f64, to: f64, limit: f64) -> impl Iterator<Item = Seconds> {
    let stride = ((to - from) / limit).max(1.0).ceil();
    let first = from.floor() + 1.0;
    let count = ((to - first) / stride).ceil().min(limit);
    // Beyond 2^53 whole frames are no longer neighbours.
    let countable = from.abs().max(to.abs()) < 2f64.powi(53);
    let count = if countable && count > 0.0 { count as u64 } else { 0 };
    (0..count).map(move |n| rate.seconds(first + n as f64 * stride))
}
