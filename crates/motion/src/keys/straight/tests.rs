use super::*;
use crate::difference::{difference, straight_at};
use crate::keys::grid::without_grid;
use dopesheet_core::model::{Blend, Composition, EulerOrder, Law, Laws, Times, Timing};
use dopesheet_core::units::FrameRate;
use dopesheet_curve::lerp;
use proptest::prelude::*;

const ALLOWED: f64 = 1e-4;

fn within(allowed: f64) -> Allowance {
    Allowance { value: allowed, angle_rad: allowed }
}

/// The segments between the first and the last key of a channel.
fn pieces(channel: &Channel, allowed: f64) -> Vec<Piece> {
    let source = without_grid(channel);
    let mut fit = Straight::new(&source, Seen::of(channel), Some(within(allowed)));
    let times = source.composition.curves().find_map(|curve| curve.times.span()).unwrap();
    fit.pieces(times.0, times.1)
}

fn eased([x1, y1, x2, y2]: [f32; 4], blend: Blend) -> Laws {
    Laws::uniform(Law { blend, timing: Timing::Bezier { x1, y1, x2, y2 } })
}

/// One segment of 6 s to another position, without a grid.
fn moved(timing: [f32; 4], by: f32) -> Channel {
    let times = Times::Seconds([0.0, 6.0].into());
    let values = vec![0.0, 0.0, 0.0, by, 0.0, by];
    Channel::whole(Property::Translation, Curve::new(times, 3, values, eased(timing, Blend::Lerp)))
}

/// One segment of 1 s, with each number eased in its own way.
fn moved_apart(by: f32) -> Channel {
    let curve = |timing: [f32; 4], by: f32| {
        Curve::new(Times::Seconds([0.0, 1.0].into()), 1, vec![0.0, by], eased(timing, Blend::Lerp))
    };
    let timings = [[0.25, 0.1, 0.25, 1.0], [0.5, 0.0, 0.5, 1.0], [0.1, 0.6, 0.9, 0.2]];
    let curves = timings.into_iter().zip([by, -0.4 * by, 0.7 * by]).map(|(t, by)| curve(t, by));
    let composition = Composition::Components(curves.collect());
    Channel { property: Property::Translation, composition, native: None }
}

/// Angles with two that change evenly.
fn spin(angle_rad: f32) -> Channel {
    let values = vec![0.0, 0.0, 0.0, angle_rad, angle_rad, 0.0];
    let times = Times::Seconds([0.0, 1.0].into());
    let angles = vec![Curve::new(times, 3, values, Laws::uniform(Law::LINEAR))];
    let composition = Composition::Euler { order: EulerOrder::Xyz, angles };
    Channel { property: Property::Rotation, composition, native: None }
}

/// The largest error of segments at visible times, with `looks` samples of each, and its time.
fn farthest(channel: &Channel, pieces: &[Piece], looks: u32) -> (f64, f64) {
    let source = without_grid(channel);
    let (mut exact, seen) = (Sampler::new(&source), Seen::of(channel));
    let [mut own, mut straight] = [const { Vec::new() }; 2];
    let (start, end) = source.composition.curves().find_map(|curve| curve.times.span()).unwrap();
    let (mut last, mut from) = (start, Vec::new());
    exact.value_at(start, Side::After, &mut from);
    let mut from: Vec<f32> = from.into_iter().map(narrow).collect();
    let mut largest = (0.0f64, 0.0);
    for piece in pieces {
        exact.value_at(Seconds(seen.exact(piece.time.0)), Side::Before, &mut own);
        let to = piece.value.clone().unwrap_or_else(|| own.iter().copied().map(narrow).collect());
        let [a, b] = [last, piece.time].map(|time| f64::from(narrow(time.0)));
        for n in 0..=looks {
            // Nothing has times in between.
            let time = f64::from(narrow(lerp(a, b, f64::from(n) / f64::from(looks))));
            let share = (time - a) / (b - a);
            // A frame that is passed is seen a little early or late, whatever passes it.
            let is_passed = a < time && time < b && seen.exact(time) != time;
            let is_seen = seen.after(start.0) <= time && time <= seen.before(end.0) && !is_passed;
            if is_seen {
                exact.value_at(Seconds(seen.exact(time)), Side::At, &mut own);
                straight_at(&from, &to, share, rotation_start(&channel.property), &mut straight);
                let off = difference(&channel.property, &own, &straight);
                if off > largest.0 {
                    largest = (off, time);
                }
            }
        }
        (last, from) = (piece.time, to);
    }
    largest
}

#[test]
fn keys_stand_beside_the_curve_so_that_segments_are_longer() {
    let smooth = [[0.25, 0.1, 0.25, 1.0], [0.5, 0.0, 0.5, 1.0], [0.1, 0.6, 0.9, 0.2]];
    for channel in smooth.map(|timing| moved(timing, 1.0)).into_iter().chain([moved_apart(1.0), spin(2.0)]) {
        let fitted = pieces(&channel, ALLOWED);
        assert!(fitted.iter().take(fitted.len() - 1).all(|piece| piece.value.is_some()));
        // Of 1.1 allowances in all, chords through the curve would have that, and be 1/√2 as long.
        let chords = pieces(&channel, 0.5 * ALLOWED).len();
        assert!(fitted.len() <= chords, "{} and {chords}", fitted.len());
        let (largest, _) = farthest(&channel, &fitted, 40);
        assert!((0.9 * ALLOWED..1.02 * ALLOWED).contains(&largest), "{largest} of {channel:?}");
    }
}

#[test]
fn a_path_shorter_than_what_is_allowed_is_one_segment() {
    for timing in [[0.25, 0.1, 0.25, 1.0], [0.5, 0.0, 0.5, 1.0], [0.1, 0.6, 0.9, 0.2]] {
        for allowed in [1.5e-5, 4e-5, 1.0] {
            assert_eq!(pieces(&moved(timing, 1e-5), allowed).len(), 1, "{timing:?} within {allowed}");
        }
    }
}

#[test]
fn a_rotation_that_spins_without_end_has_no_more_keys_than_the_bound() {
    let few = pieces(&spin(10.0), ALLOWED).len();
    assert!((10..1_000).contains(&few), "{few}");
    for angle_rad in [1e6, 1e12, f32::MAX] {
        let limit = MAX_INSERTED.0 + 2 * MAX_INSERTED.1 + 1;
        assert!(pieces(&spin(angle_rad), ALLOWED).len() <= limit, "{angle_rad}");
    }
}

#[test]
fn values_beyond_the_tolerance_are_followed_as_closely_as_single_precision_and_no_closer() {
    let few = pieces(&moved([0.5, 0.0, 0.5, 1.0], 1e4), ALLOWED).len();
    for by in [1e8, 1e24, 1e38] {
        let huge = pieces(&moved([0.5, 0.0, 0.5, 1.0], by), ALLOWED).len();
        assert!(huge <= 2 * few && few < 4_000, "{huge} and {few}");
    }
}

#[test]
fn a_channel_gets_no_more_keys_than_in_proportion_to_its_own() {
    let segments = 60;
    let times: Vec<f64> = (0..=segments).map(f64::from).collect();
    let values = (0..=segments).map(|n| if n % 2 == 0 { 0.0 } else { 1e24 }).collect();
    let laws = eased([0.5, 0.0, 0.5, 1.0], Blend::Lerp);
    let channel = Channel::whole(Property::Weight, Curve::new(Times::Seconds(times.into()), 1, values, laws));
    let mut fit = Straight::new(&channel, Seen::of(&channel), Some(within(ALLOWED)));
    let limit = fit.left;
    let ends = (0..segments).map(|n| (Seconds(n.into()), Seconds((n + 1).into())));
    let keys: usize = ends.map(|(a, b)| fit.pieces(a, b).len() - 1).sum();
    assert_eq!(limit, MAX_INSERTED.0 + (segments as usize + 1) * MAX_INSERTED.1);
    assert!(keys <= limit && keys > limit / 2, "{keys} of {limit}");
}

/// Bytes of the format, with many that are vertical.
fn any_timing() -> impl Strategy<Value = [f32; 4]> {
    let byte = || prop_oneof![Just(0u8), Just(127), 0u8..=127];
    [byte(), byte(), byte(), byte()].prop_map(|bytes| bytes.map(|byte| f32::from(byte) / 127.0))
}

proptest! {
    #[test]
    fn segments_never_miss_by_more_than_is_allowed_nor_than_they_say(
        timings in prop::array::uniform3(any_timing()),
        (start, frames) in (0i64..20_000, 1i64..40),
        (by, exponent) in (prop::array::uniform3(-2.0f32..2.0), -5.0..-3.0f64),
        shape in 0..3,
    ) {
        let times = Times::Frames { rate: FrameRate::FPS_30, frames: [start, start.saturating_add(frames)].into() };
        let channel = match shape {
            0 => {
                let values = [0.0, 0.0, 0.0, by[0], by[1], 1.0].to_vec();
                Channel::whole(Property::Translation, Curve::new(times, 3, values, eased(timings[0], Blend::Lerp)))
            }
            1 => {
                let half = f64::from(by[0]);
                let values = [0.0, 0.0, 0.0, 1.0, 0.0, half.sin() as f32, 0.0, half.cos() as f32].to_vec();
                Channel::whole(Property::Rotation, Curve::new(times, 4, values, eased(timings[0], Blend::Slerp)))
            }
            _ => {
                let curve = |n: usize| Curve::new(times.clone(), 1, vec![0.0, by[n]], eased(timings[n], Blend::Lerp));
                let composition = Composition::Components((0..3).map(curve).collect());
                Channel { property: Property::Translation, composition, native: None }
            }
        };
        let allowed = 10f64.powf(exponent);
        let fitted = pieces(&channel, allowed);
        prop_assert!(fitted.is_sorted_by(|a, b| narrow(a.time.0) < narrow(b.time.0)), "{:?}", fitted);
        prop_assert!(fitted.iter().all(|piece| piece.misses.is_bound));
        let stated = fitted.iter().map(|piece| piece.misses.largest[0].value).fold(0.0, f64::max);
        let (largest, at) = farthest(&channel, &fitted, 16);
        // Between times that are next to each other no key can be, however steep the curve is.
        let starts = [Seconds(start as f64 / 30.0)].into_iter().chain(fitted.iter().map(|piece| piece.time));
        let roomy = fitted.iter().zip(starts).filter(|(piece, from)| narrow(from.0).next_up() < narrow(piece.time.0));
        let chosen = roomy.map(|(piece, _)| piece.misses.largest[0].value).fold(0.0, f64::max);
        prop_assert!(largest <= stated && chosen <= 1.001 * allowed, "{} at {} where {} are said and {} allowed: {:?}", largest, at, stated, allowed, fitted);
    }
}
