//! Key times in 16 bits, of rotations stored in few bits.

use dopesheet_core::model::{Composition, Curve, Law, Laws, Times};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{seconds_from_short, seconds_to_short};

/// The largest movement of a key, and the time of that key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::conform) struct Movement {
    pub by_s: f64,
    pub time: Seconds,
}

/// True if all key times of a rotation are within the range.
pub(in crate::conform) fn fits(composition: &Composition) -> bool {
    composition.curves().all(|curve| curve.times.iter().all(|time| seconds_to_short(time.0).is_some()))
}

/// Moves the keys of a curve with one law to the nearest storable times. Of keys with the same new time only
/// the last is left, but a jump stays a jump.
pub(in crate::conform) fn move_keys(curve: &mut Curve) -> Movement {
    let mut movement = Movement::default();
    let Some(codes) = curve.times.iter().map(|time| seconds_to_short(time.0)).collect::<Option<Vec<_>>>()
    else {
        return movement;
    };
    let mut kept: Vec<(usize, u16, f64)> = Vec::with_capacity(codes.len());
    for ((key, code), time) in codes.into_iter().enumerate().zip(curve.times.iter()) {
        let by_s = (seconds_from_short(code) - time.0).abs();
        if by_s > movement.by_s {
            movement = Movement { by_s, time };
        }
        while kept.last().is_some_and(|(_, last, at)| *last == code && *at != time.0) {
            kept.pop();
        }
        kept.push((key, code, time.0));
    }
    let law: Law = curve.laws.get(0);
    let values = kept.iter().filter_map(|(key, ..)| curve.value(*key)).flatten().copied().collect();
    let times = Times::Seconds(kept.iter().map(|(_, code, _)| seconds_from_short(*code)).collect());
    let moved = Curve::new(times, curve.width, values, Laws::uniform(law));
    *curve = Curve { before: curve.before.clone(), after: curve.after.clone(), ..moved };
    movement
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(times: &[f64]) -> Curve {
        let values = (0..times.len()).flat_map(|key| [0.0, 0.0, 0.0, key as f32]).collect();
        Curve::new(Times::Seconds(times.into()), 4, values, Laws::uniform(Law::SLERP))
    }

    #[test]
    fn keys_move_by_half_a_step_at_most_and_keep_their_order() {
        let mut moved = curve(&[0.0, 0.1, 0.104, 0.2, 0.2, 299.99]);
        let movement = move_keys(&mut moved);
        assert!(movement.by_s > 1e-3 && movement.by_s <= 4.58e-3, "{movement:?}");
        let times: Vec<f64> = moved.times.iter().map(|time| time.0).collect();
        // The keys at 0.1 and 0.104 s fall on one time; the jump at 0.2 s is one still.
        assert_eq!((times.len(), times[0], times[2]), (5, 0.0, times[3]));
        assert!(times.is_sorted());
        let last: Vec<f32> = moved.values.iter().skip(3).step_by(4).copied().collect();
        assert_eq!(last, [0.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(moved.validate().is_ok());
    }

    #[test]
    fn times_beyond_the_range_stay() {
        let mut late = curve(&[0.0, 301.0]);
        assert!(!fits(&Composition::Whole(late.clone())));
        assert_eq!(
            (move_keys(&mut late), late.times.iter().nth(1)),
            (Movement::default(), Some(Seconds(301.0)))
        );
    }
}
