//! The rows of a plot: a row for each channel of each target.

use super::PlotOptions;
use dopesheet_core::model::{Blend, Channel, Clip, Composition, Curve, Property, TargetKind, ValueKind};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_motion::native_parts;

/// A channel of a target.
pub(super) struct ChannelRow<'a> {
    /// Position of the target in the clip.
    pub(super) track: usize,
    pub(super) target: &'a str,
    pub(super) kind: TargetKind,
    /// The target's number in its source.
    pub(super) index: usize,
    pub(super) channel: &'a Channel,
    /// Name in the source, with its unit.
    pub(super) name: &'a str,
    pub(super) curves: &'a [Curve],
    /// Times of all keys, ascending, each once.
    pub(super) keys: Vec<f64>,
    /// Segments from each key to the next.
    pub(super) spans: Vec<SegmentKind>,
}

/// Kind of a segment from a key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SegmentKind {
    /// Nothing.
    Held,
    /// Nothing, until the value changes at once.
    Stepped,
    /// The value changes all along.
    Moving,
}

impl ChannelRow<'_> {
    /// True if its value ever changes.
    pub(super) fn moves(&self) -> bool {
        self.spans.iter().any(|span| *span != SegmentKind::Held) || self.jumps()
    }

    /// True if two keys stand at the same time.
    fn jumps(&self) -> bool {
        let jumps = |c: &Curve| c.times.iter().zip(c.times.iter().skip(1)).any(|(a, b)| a == b);
        self.curves.iter().any(jumps)
    }

    /// `target/channel`
    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.target, self.name)
    }

    /// True if the value is a single quaternion.
    pub(super) fn is_rotation(&self) -> bool {
        let whole =
            matches!(self.channel.composition, Composition::Whole(_) | Composition::ComponentsNormalised(_));
        whole && self.channel.property.kind() == ValueKind::Rotation
    }

    /// True if its components are about axes.
    pub(super) fn is_spatial(&self) -> bool {
        let width: usize = self.curves.iter().map(|curve| curve.width).sum();
        width == 3 && self.channel.property != Property::Color && self.channel.property != Property::Weights
    }
}

/// The selected rows of a clip, in the clip's order; channels without keys are left out.
pub(super) fn rows<'a>(clip: &'a Clip, options: &PlotOptions<'_>) -> Vec<ChannelRow<'a>> {
    let mut rows = Vec::new();
    for (track, moved) in clip.tracks.iter().enumerate() {
        for channel in &moved.channels {
            for (name, curves) in native_parts(channel) {
                let (target, kind, index) = (moved.target.label(), moved.target.kind, moved.target.index);
                let keys = keys(curves);
                let spans = keys.windows(2).map(|pair| span(curves, pair[0], pair[1])).collect();
                let row = ChannelRow { track, target, kind, index, channel, name, curves, keys, spans };
                let is_wanted = options.select.is_none_or(|select| select(row.target) || select(&row.path()));
                if is_wanted && !row.keys.is_empty() {
                    rows.push(row);
                }
            }
        }
    }
    rows
}

fn keys(curves: &[Curve]) -> Vec<f64> {
    let mut keys: Vec<f64> = curves.iter().flat_map(|curve| curve.times.iter()).map(|t| t.0).collect();
    ascend(&mut keys);
    keys.dedup();
    keys
}

/// The segment of the curves between two neighbouring key times.
fn span(curves: &[Curve], from: f64, to: f64) -> SegmentKind {
    curves.iter().map(|curve| span_of(curve, from, to)).max().unwrap_or(SegmentKind::Held)
}

fn span_of(curve: &Curve, from: f64, to: f64) -> SegmentKind {
    let Some(key) = curve.times.count_until(Seconds(from)).checked_sub(1) else { return SegmentKind::Held };
    let Some(end) = curve.times.get(key + 1) else { return SegmentKind::Held };
    let is_same = curve.value(key) == curve.value(key + 1);
    let is_flat = || {
        let flat = |column: &[f32], key: usize| {
            let slopes = key.checked_mul(curve.width).and_then(|at| column.get(at..at + curve.width));
            slopes.is_none_or(|slopes| slopes.iter().all(|s| *s == 0.0))
        };
        curve.handles.as_deref().is_none_or(|h| flat(&h.leaving, key) && flat(&h.arriving, key + 1))
    };
    match curve.laws.get(key).blend {
        Blend::Step if is_same || end.0 > to => SegmentKind::Held,
        Blend::Step => SegmentKind::Stepped,
        Blend::Hermite | Blend::WeightedBezier if is_same && is_flat() => SegmentKind::Held,
        Blend::Lerp | Blend::Slerp | Blend::Nlerp if is_same => SegmentKind::Held,
        _ => SegmentKind::Moving,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Law, Laws, Times};

    #[test]
    fn moving_stepped_and_held_spans_are_told_apart() {
        let laws = Laws::from_segments([Law::LINEAR, Law::LINEAR, Law::STEP, Law::STEP]);
        let times = Times::Seconds([0.0, 1.0, 2.0, 3.0, 4.0].into());
        let curve = Curve::new(times, 1, vec![0.0, 1.0, 1.0, 2.0, 2.0], laws);
        let other =
            Curve::new(Times::Seconds([0.0, 4.0].into()), 1, vec![0.0; 2], Laws::uniform(Law::LINEAR));
        let curves = [curve, other];
        let keys = keys(&curves);
        let spans: Vec<_> = keys.windows(2).map(|pair| span(&curves, pair[0], pair[1])).collect();
        assert_eq!(spans, [SegmentKind::Moving, SegmentKind::Held, SegmentKind::Stepped, SegmentKind::Held]);
    }
}
