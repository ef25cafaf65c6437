//! Formats that key all channels of a target together.

use crate::evaluate::{Side, curve_at};
use dopesheet_core::model::{Channel, Clip, Composition, Curve, Laws, Target, TargetKind, Times, ValueKind};
use dopesheet_core::units::Seconds;

/// Gives all channels of each node the union of their key times. Between the keys of a straight segment its own
/// value is inserted, so nothing changes.
pub(super) fn share_times(clip: &mut Clip) {
    let nodes = |t: &Target| t.kind == TargetKind::Joint;
    for track in clip.tracks.iter_mut().filter(|t| nodes(&t.target)) {
        let lists: Vec<&Times> =
            track.channels.iter().flat_map(|c| c.composition.curves()).map(|c| &c.times).collect();
        let Some(first) = lists.first() else { continue };
        if lists.iter().all(|times| times == first) {
            continue;
        }
        let union = union(&lists);
        for channel in &mut track.channels {
            resample(channel, &union);
        }
    }
}

/// All times of all lists, each as often as the list that has it most often (a jump has it twice).
fn union(lists: &[&Times]) -> Times {
    if let Times::Frames { rate, .. } = lists[0]
        && lists.iter().all(|l| matches!(l, Times::Frames { rate: r, .. } if r == rate))
    {
        let frames = |l: &Times| (0..l.len()).filter_map(|k| l.frame(k)).map(|f| f.0).collect::<Vec<_>>();
        let frames = merged(lists.iter().map(|l| frames(l)), |a, b| a.cmp(b));
        return Times::Frames { rate: *rate, frames: frames.into() };
    }
    let seconds = |l: &Times| l.iter().map(|t| t.0).collect::<Vec<_>>();
    Times::Seconds(merged(lists.iter().map(|l| seconds(l)), f64::total_cmp).into())
}

fn merged<T: Copy>(
    lists: impl Iterator<Item = Vec<T>>,
    order: impl Fn(&T, &T) -> std::cmp::Ordering,
) -> Vec<T> {
    lists.fold(Vec::new(), |a, b| {
        let mut out = Vec::with_capacity(a.len().max(b.len()));
        let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (None, None) => return out,
                (Some(_), None) => a.next(),
                (None, Some(_)) => b.next(),
                (Some(x), Some(y)) => match order(x, y) {
                    std::cmp::Ordering::Less => a.next(),
                    std::cmp::Ordering::Greater => b.next(),
                    std::cmp::Ordering::Equal => b.next().and(a.next()),
                },
            };
            out.extend(next);
        }
    })
}

fn resample(channel: &mut Channel, times: &Times) {
    let rotates = channel.property.kind() == ValueKind::Rotation;
    let law = crate::linearise::straight_law(&channel.property);
    let Composition::Whole(curve) = &mut channel.composition else { return };
    if curve.times == *times {
        return;
    }
    let mut values: Vec<f32> = Vec::with_capacity(times.len() * curve.width);
    let mut value = Vec::new();
    for key in 0..times.len() {
        let Some(time) = times.get(key) else { break };
        let repeats = times.get(key + 1) == Some(time);
        curve_at(curve, Seconds(time.0), if repeats { Side::Before } else { Side::After }, &mut value);
        let previous = values.len().checked_sub(curve.width).and_then(|at| values.get(at..));
        let flips = rotates
            && previous
                .is_some_and(|p| p.iter().zip(&value).map(|(a, b)| f64::from(*a) * b).sum::<f64>() < 0.0);
        values.extend(value.iter().map(|v| if flips { -*v as f32 } else { *v as f32 }));
    }
    *curve = Curve::new(times.clone(), curve.width, values, Laws::uniform(law));
}
