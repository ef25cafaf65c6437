//! A part of a clip, spread over it, that tells nearly what all of it would.

use crate::linearise::straight_law;
use dopesheet_core::model::{Blend, Clip, Curve, Law, Laws, Outside};
use dopesheet_core::units::Seconds;
use std::ops::Range;

/// One of so many seconds is looked at, at least, in all but short clips.
const ONE_OF: usize = 4;

/// A clip is short as long as that part of it has fewer keys.
const SHORT: usize = 1_000;

/// About so many of a clip's keys are looked at where that are fewer.
const KEYS: usize = 5_000;

/// In so many windows, evenly spaced.
const WINDOWS: usize = 16;

/// But in none that is shorter, in seconds.
const SHORTEST_S: f64 = 0.2;

/// A clip of which only some windows are of interest.
pub(super) struct Glimpse {
    /// Ascending.
    pub(super) windows: Vec<Range<f64>>,
    /// As the source in the windows. What is not straight elsewhere goes straight, so that no keys have to be found for it.
    pub(super) source: Clip,
}

impl Glimpse {
    pub(super) fn of(clip: &Clip) -> Self {
        let windows = windows(clip);
        let mut source = clip.clone();
        for channel in source.tracks.iter_mut().flat_map(|track| &mut track.channels) {
            let law = straight_law(&channel.property);
            let curves = channel.composition.curves_mut();
            curves.into_iter().for_each(|curve| straighten(curve, law, &windows));
        }
        Self { windows, source }
    }
}

fn windows(clip: &Clip) -> Vec<Range<f64>> {
    let curves = clip.tracks.iter().flat_map(|track| &track.channels).flat_map(|c| c.composition.curves());
    let keys: usize = curves.map(Curve::len).sum();
    let one_of = (keys / SHORT).clamp(1, ONE_OF).max(keys / KEYS) as f64;
    let Seconds(end) = clip.end();
    let count = ((end / one_of / SHORTEST_S) as usize).clamp(1, WINDOWS);
    let each = end / count as f64;
    // The middle of each part.
    let from = |n: usize| each * (n as f64 + 0.5 - 0.5 / one_of);
    (0..count).map(|n| from(n)..from(n) + each / one_of).collect()
}

/// Segments that are in no window go straight, unless they hold; rotations by a law that single numbers of them do not have.
fn straighten(curve: &mut Curve, law: Law, windows: &[Range<f64>]) {
    let repeats = |outside: &Outside| matches!(outside, Outside::Loop | Outside::PingPong);
    if curve.len() < 2 || repeats(&curve.before) || repeats(&curve.after) {
        return;
    }
    let straight = if curve.width == 4 { law } else { Law::LINEAR };
    let is_seen = |[Seconds(from), Seconds(to)]: [Seconds; 2]| {
        let next = windows.partition_point(|window| window.end < from);
        windows.get(next).is_some_and(|window| window.start <= to)
    };
    let segments = (0..curve.len() - 1).map(|segment| {
        let law = curve.laws.get(segment);
        let ends = [segment, segment + 1].map(|key| curve.times.get(key).unwrap_or_default());
        if law.blend == Blend::Step || is_seen(ends) { law } else { straight }
    });
    curve.laws = Laws::from_segments(segments);
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Channel, Property, Target, TargetKind, Times, Timing, Track};

    const EASED: Law =
        Law { blend: Blend::Lerp, timing: Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 } };

    fn clip(keys: usize, duration: f64, law: Law) -> Clip {
        let times = Times::Seconds((0..keys).map(|n| duration * n as f64 / (keys - 1) as f64).collect());
        let curve = Curve::new(times, 1, (0..keys).map(|n| n as f32).collect(), Laws::uniform(law));
        let target = Target::new(TargetKind::Custom, "t", 0, None);
        let tracks = vec![Track { target, channels: vec![Channel::whole(Property::Weight, curve)] }];
        Clip { duration: Seconds(duration), tracks, ..Clip::default() }
    }

    fn seconds(windows: &[Range<f64>]) -> f64 {
        windows.iter().map(|window| window.end - window.start).sum()
    }

    #[test]
    fn windows_are_a_part_of_the_clip_that_is_spread_over_it() {
        let few = windows(&clip(4_000, 100.0, EASED));
        assert_eq!(few.len(), WINDOWS);
        assert!((seconds(&few) - 25.0).abs() < 1e-9, "a quarter");
        assert!(few.windows(2).all(|pair| pair[0].end < pair[1].start));
        assert!((few[0].start - (100.0 - few[15].end)).abs() < 1e-9, "as far from both ends");
        assert!((seconds(&windows(&clip(50_000, 100.0, EASED))) - 10.0).abs() < 1e-9, "5,000 keys");
        assert_eq!(windows(&clip(4_000, 1.0, EASED)), [0.375..0.625]);
        assert_eq!(windows(&clip(10, 0.3, EASED)), [0.0..0.3], "all of what is short");
        assert_eq!(windows(&clip(2, 0.0, EASED)), [0.0..0.0]);
    }

    #[test]
    fn segments_in_windows_are_the_source_and_others_go_straight_unless_they_hold() {
        let source = clip(4_001, 10.0, EASED);
        let glimpse = Glimpse::of(&source);
        let laws = |clip: &Clip| clip.tracks[0].channels[0].composition.curves().next().unwrap().laws.clone();
        let laws_of = laws(&glimpse.source);
        for segment in 0..4_000 {
            let [from, to] = [segment, segment + 1].map(|key| f64::from(key) * 0.0025);
            let is_seen = glimpse.windows.iter().any(|window| window.start <= to && from <= window.end);
            let law = laws_of.get(segment as usize);
            assert_eq!(law, if is_seen { EASED } else { Law::LINEAR }, "{from}");
        }
        assert!(glimpse.windows.len() > 1 && laws_of.runs().count() > 2);
        let steps = clip(4_001, 10.0, Law::STEP);
        assert_eq!(laws(&Glimpse::of(&steps).source), laws(&steps));
    }

    #[test]
    fn what_repeats_stays_as_it_is() {
        let mut source = clip(4_001, 10.0, EASED);
        source.tracks[0].channels[0].composition.curves_mut()[0].after = Outside::Loop;
        assert_eq!(Glimpse::of(&source).source, source);
    }
}
