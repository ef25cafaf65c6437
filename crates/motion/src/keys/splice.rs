//! Stretches in which two clips with the same channels differ, and channels joined from two sources by
//! stretches.

use dopesheet_core::model::{Channel, Clip, Composition, Curve, Handles, Laws, NodeIndex, Times};
use dopesheet_core::units::Seconds;
use std::collections::BTreeSet;
use std::ops::Range;

/// Stretches of time in seconds, ascending.
pub(crate) type Stretches = Vec<Range<f64>>;

/// Differences of two clips.
#[derive(Debug, Default)]
pub(crate) struct Differing {
    /// Stretches of time with differences, in no order.
    pub(crate) stretches: Stretches,
    /// Nodes with differences in some of these stretches.
    pub(crate) nodes: BTreeSet<NodeIndex>,
}

/// Differences of two clips; `None` if all their parts may differ.
pub(crate) fn differing(a: &Clip, b: &Clip) -> Option<Differing> {
    if a.duration != b.duration || a.tracks.len() != b.tracks.len() {
        return None;
    }
    let mut all = Differing::default();
    for (a, b) in a.tracks.iter().zip(&b.tracks) {
        if a.channels.len() != b.channels.len() {
            return None;
        }
        let mut stretches = Vec::new();
        for (a, b) in a.channels.iter().zip(&b.channels) {
            for (a, b) in curves_of(a, b)? {
                stretches.extend(apart(a, b)?);
            }
        }
        all.nodes.extend(b.target.node.filter(|_| !stretches.is_empty()));
        all.stretches.append(&mut stretches);
    }
    Some(all)
}

/// A channel with the keys of a `finer` one in some stretches, extended to the nearest keys that both have;
/// `None` if the channels are of different kinds.
pub(crate) fn spliced(channel: &Channel, finer: &Channel, stretches: &[Range<f64>]) -> Option<Channel> {
    let curves = curves_of(channel, finer)?;
    let spliced =
        curves.map(|(old, finer)| spliced_curve(old, finer, stretches)).collect::<Option<Vec<Curve>>>()?;
    let mut channel = channel.clone();
    channel.composition.curves_mut().into_iter().zip(spliced).for_each(|(curve, spliced)| *curve = spliced);
    Some(channel)
}

/// The curves of two channels side by side, if both channels are of one kind.
fn curves_of<'a>(a: &'a Channel, b: &'a Channel) -> Option<impl Iterator<Item = (&'a Curve, &'a Curve)>> {
    let kind = |channel: &Channel| std::mem::discriminant::<Composition>(&channel.composition);
    let is_same = a.property == b.property
        && kind(a) == kind(b)
        && a.composition.curves().count() == b.composition.curves().count();
    is_same.then(|| a.composition.curves().zip(b.composition.curves()))
}

/// True of curves with other columns than values and slopes.
const fn has_more(curve: &Curve) -> bool {
    curve.weights.is_some() || curve.weighted.is_some() || curve.turns.is_some() || curve.sources.is_some()
}

/// Positions of the common keys of two curves, ascending in both; `None` if the curves are of different
/// kinds.
fn common(a: &Curve, b: &Curve) -> Option<Vec<[usize; 2]>> {
    let has_same_kind = a.width == b.width
        && a.handles.is_some() == b.handles.is_some()
        && (&a.before, &a.after, a.jump) == (&b.before, &b.after, b.jump)
        && !has_more(a)
        && !has_more(b);
    if !has_same_kind {
        return None;
    }
    let mut both = Vec::new();
    let (mut of_a, mut of_b) = (0usize, 0usize);
    while let (Some(x), Some(y)) = (a.times.get(of_a), b.times.get(of_b)) {
        if x == y && a.value(of_a) == b.value(of_b) {
            both.push([of_a, of_b]);
        }
        of_a = of_a.saturating_add(usize::from(x.0 <= y.0));
        of_b = of_b.saturating_add(usize::from(y.0 <= x.0));
    }
    Some(both)
}

/// True if the segments behind two keys are the same, or both curves end there.
fn is_same_segment([a, b]: [&Curve; 2], [from_a, from_b]: [usize; 2]) -> bool {
    let [to_a, to_b] = [from_a, from_b].map(|key| key.saturating_add(1));
    let has_same_slopes = match (a.handles.as_deref(), b.handles.as_deref()) {
        (Some(of_a), Some(of_b)) => {
            a.row(&of_a.leaving, from_a) == b.row(&of_b.leaving, from_b)
                && a.row(&of_a.arriving, to_a) == b.row(&of_b.arriving, to_b)
        }
        _ => true,
    };
    has_same_slopes && a.laws.get(from_a) == b.laws.get(from_b)
}

/// The stretches in which two curves differ; `None` if they are of different kinds.
fn apart(a: &Curve, b: &Curve) -> Option<Stretches> {
    if a == b {
        return Some(Vec::new());
    }
    let both = common(a, b)?;
    let mut stretches = Vec::new();
    let (mut next, mut start) = ([0, 0], f64::NEG_INFINITY);
    let mut was_same = true;
    for keys in both {
        let end = a.times.get(keys[0]).unwrap_or_default().0;
        if keys != next || !was_same {
            stretches.push(start..end);
        }
        start = end;
        was_same = is_same_segment([a, b], keys);
        next = keys.map(|key| key.saturating_add(1));
    }
    if next != [a.len(), b.len()] {
        stretches.push(start..f64::INFINITY);
    }
    Some(stretches)
}

/// Keys of one of two curves, one after the other.
struct Run {
    is_finer: bool,
    keys: Range<usize>,
}

fn spliced_curve(coarse: &Curve, finer: &Curve, stretches: &[Range<f64>]) -> Option<Curve> {
    let both = common(coarse, finer)?;
    let mut runs: Vec<Run> = Vec::new();
    let mut next = 0usize;
    for stretch in stretches {
        let time = |keys: &[usize; 2]| coarse.times.get(keys[0]).unwrap_or_default().0;
        let from = both.get(both.partition_point(|keys| time(keys) <= stretch.start).wrapping_sub(1));
        let to = both.get(both.partition_point(|keys| time(keys) < stretch.end));
        let [from_coarse, from_finer] = from.copied().unwrap_or_default();
        let [to_coarse, to_finer] = to.copied().unwrap_or([coarse.len(), finer.len()]);
        let keys = from_finer..to_finer;
        match runs.last_mut() {
            // It begins before the last one ended.
            Some(last) if from_coarse < next => last.keys.end = last.keys.end.max(keys.end),
            _ => {
                runs.push(Run { is_finer: false, keys: next..from_coarse });
                runs.push(Run { is_finer: true, keys });
            }
        }
        next = next.max(to_coarse);
    }
    runs.push(Run { is_finer: false, keys: next..coarse.len() });
    Some(joined(coarse, finer, &runs))
}

/// The keys of runs. At the first key of a run, the arriving slope is taken from the run before.
fn joined(coarse: &Curve, finer: &Curve, runs: &[Run]) -> Curve {
    let (mut times, mut values, mut laws) = (Vec::new(), Vec::new(), Vec::new());
    let mut handles =
        coarse.handles.as_ref().map(|_| Box::new(Handles { arriving: Vec::new(), leaving: Vec::new() }));
    let mut before: Option<(&Curve, usize)> = None;
    for run in runs {
        let curve = if run.is_finer { finer } else { coarse };
        for key in run.keys.clone() {
            times.extend(curve.times.get(key).map(|time| time.0));
            values.extend_from_slice(curve.value(key).unwrap_or_default());
            laws.push(curve.laws.get(key));
            let (arrives, at) = before.map_or((curve, key), |(curve, key)| (curve, key.saturating_add(1)));
            let slopes = (arrives.handles.as_deref(), curve.handles.as_deref(), &mut handles);
            if let (Some(arriving), Some(leaving), Some(made)) = slopes {
                made.arriving.extend_from_slice(arrives.row(&arriving.arriving, at).unwrap_or_default());
                made.leaving.extend_from_slice(curve.row(&leaving.leaving, key).unwrap_or_default());
            }
            before = Some((curve, key));
        }
    }
    let times = match &coarse.times {
        Times::Frames { rate, .. } => {
            let frames = times.iter().map(|time| rate.frame(Seconds(*time)).round() as i64);
            Times::Frames { rate: *rate, frames: frames.collect() }
        }
        Times::Seconds(_) => Times::Seconds(times.into()),
    };
    Curve { times, values, laws: Laws::from_segments(laws), handles, ..coarse.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Law, Property};

    fn curve(times: &[f64], values: &[f32]) -> Curve {
        Curve::new(Times::Seconds(times.into()), 1, values.to_vec(), Laws::uniform(Law::LINEAR))
    }

    #[test]
    fn two_curves_differ_between_the_common_keys_around_others() {
        let a = curve(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0]);
        let b = curve(&[0.0, 1.0, 1.5, 2.0, 3.0], &[0.0, 1.0, 1.4, 2.0, 3.0]);
        assert_eq!(apart(&a, &b), Some(vec![1.0..2.0]));
        assert_eq!(apart(&a, &curve(&[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0])), Some(vec![2.0..f64::INFINITY]));
        let held = Curve { laws: Laws::from_segments([Law::LINEAR, Law::STEP, Law::LINEAR]), ..a.clone() };
        assert_eq!(apart(&a, &held), Some(vec![1.0..2.0]));
        assert_eq!(apart(&a, &a.clone()), Some(vec![]));
        assert_eq!(apart(&a, &Curve { width: 2, ..a.clone() }), None);
    }

    #[test]
    fn a_channel_takes_finer_keys_out_to_the_nearest_that_both_have() {
        let coarse = Channel::whole(Property::Weight, curve(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 0.0, 1.0]));
        let times = [0.0, 0.5, 1.0, 1.2, 1.6, 2.0, 2.5, 3.0];
        let finer =
            Channel::whole(Property::Weight, curve(&times, &[0.0, 0.4, 1.0, 0.9, 0.3, 0.0, 0.6, 1.0]));
        let result = spliced(&coarse, &finer, &[1.3..1.4, 1.5..1.7]).unwrap();
        let expected = curve(&[0.0, 1.0, 1.2, 1.6, 2.0, 3.0], &[0.0, 1.0, 0.9, 0.3, 0.0, 1.0]);
        assert_eq!(result.composition, Composition::Whole(expected));
        assert_eq!(spliced(&coarse, &finer, &[f64::NEG_INFINITY..f64::INFINITY]).unwrap(), finer);
    }
}
