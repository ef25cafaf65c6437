//! Rotations in 16 bits per component: the representable rotations, and the nearest of them.

/// The number for 1 in a normalised 16-bit integer.
pub const SHORT_ONE: i16 = i16::MAX;

/// The bound of the second largest component of a unit quaternion.
const LARGEST_BUT_ONE: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// A quaternion as normalised 16-bit integers, component by component the nearest.
///
/// * Domain: components in −1..=1; numbers beyond become the end of the range.
/// * Error: each component within 1/65534; the length is only near 1 afterwards.
#[must_use]
pub fn quat_to_shorts(q: [f64; 4]) -> [i16; 4] {
    q.map(|x| (x * f64::from(SHORT_ONE)).round().clamp(-f64::from(SHORT_ONE), f64::from(SHORT_ONE)) as i16)
}

/// The quaternion of normalised 16-bit integers, as f32.
#[must_use]
pub fn quat_from_shorts(stored: [i16; 4]) -> [f32; 4] {
    stored.map(|x| (f64::from(x) / f64::from(SHORT_ONE)).max(-1.0) as f32)
}

/// The `step`th fineness for components stored by [`quat_to_three`], from the coarsest on; `None` past the
/// finest.
///
/// Each fineness is 2^⅛ times as fine as the previous fineness, from 8 to 16 bits. The lowest two bits are
/// set, because `KHR_meshopt_compression` keeps the position of the largest component in these bits.
#[must_use]
pub fn three_fineness(step: usize) -> Option<u16> {
    const STEPS: usize = 64;
    let exponent = 7.0 + 8.0 * (step as f64) / STEPS as f64;
    (step <= STEPS).then(|| (libm::exp2(exponent) as u16).saturating_sub(1) | 3)
}

/// A unit quaternion as three components but the largest, in multiples of 1/(√2·`fineness`), and as fourth
/// number the fineness with the position of the largest component in its lowest two bits.
///
/// * Source: the quaternion filter of `KHR_meshopt_compression`.
/// * Domain: a fineness of [`three_fineness`]. The sign of the quaternion is lost.
#[must_use]
pub fn quat_to_three(q: [f64; 4], fineness: u16) -> [i16; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut position, mut largest) = (0, 0.0f64);
    for (other, x) in q.into_iter().enumerate() {
        if x.abs() >= largest.abs() {
            (position, largest) = (other, x);
        }
    }
    let scale = std::f64::consts::SQRT_2 / length.copysign(largest) * f64::from(fineness);
    let mut turned = q;
    turned.rotate_left(position);
    let [_, x, y, z] = turned;
    let [x, y, z] = [x, y, z].map(|x| (x * scale).round() as i16);
    [x, y, z, (fineness & !3) as i16 | position as i16]
}

/// Three components for [`quat_from_three`] with the given quaternion of normalised 16-bit integers or its
/// opposite as result; `None` if no three components of the given fineness have this result.
#[must_use]
pub fn quat_three_of(shorts: [i16; 4], fineness: u16) -> Option<[i16; 4]> {
    let opposite = shorts.map(i16::saturating_neg);
    let makes = |three: &[i16; 4]| {
        let rebuilt = quat_from_three(*three);
        rebuilt == shorts || rebuilt == opposite
    };
    let largest = shorts.iter().map(|x| x.unsigned_abs()).max()?;
    // Rounding may have made another component the largest.
    let step = SHORT_ONE.unsigned_abs().checked_div(fineness)?.saturating_add(1).saturating_mul(2);
    let places = shorts.iter().enumerate().filter(|(_, x)| x.unsigned_abs().saturating_add(step) >= largest);
    places.filter_map(|(position, _)| near_three(shorts, position, fineness)).find_map(|near| {
        let [x, y, z, last] = near;
        // Rounding to 16 bits moves what is stored finely by up to one.
        let step = |n: usize| [0, 1, -1].get(n % 3).copied();
        let moved = |n: usize| {
            let by = [step(n)?, step(n / 3)?, step(n / 9)?];
            Some([x.checked_add(by[0])?, y.checked_add(by[1])?, z.checked_add(by[2])?, last])
        };
        let wanted = if fineness < FINE { 1 } else { 27 };
        (0..wanted).filter_map(moved).find(makes)
    })
}

/// From this fineness on, 16 bits are no finer.
const FINE: u16 = 8192;

fn near_three(shorts: [i16; 4], place: usize, fineness: u16) -> Option<[i16; 4]> {
    let scale = std::f64::consts::SQRT_2 * f64::from(fineness) / f64::from(SHORT_ONE);
    let scale = scale.copysign(f64::from(*shorts.get(place)?));
    let mut turned = shorts;
    turned.rotate_left(place);
    let [_, x, y, z] = turned;
    let [x, y, z] = [x, y, z].map(|x| (f64::from(x) * scale).round() as i16);
    Some([x, y, z, (fineness & !3) as i16 | place as i16])
}

/// The normalised 16-bit integers for three components as stored by [`quat_to_three`]. The largest component
/// is positive.
///
/// * Source: the quaternion filter of `KHR_meshopt_compression`, in f32 like its decoders.
#[must_use]
pub fn quat_from_three(stored: [i16; 4]) -> [i16; 4] {
    let [x, y, z, last] = stored;
    let one = f32::from(last | 3);
    let [x, y, z] = [x, y, z].map(|v| f32::from(v) / one * LARGEST_BUT_ONE);
    let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut turned = [largest, x, y, z];
    turned.rotate_right(usize::from(last.cast_unsigned() & 3));
    turned.map(|v| away(v * f32::from(SHORT_ONE)) as i16)
}

/// A number with the nearest whole number as its integer part, so that a cast rounds; halves go away from
/// zero. The processor's own rounding is a function call where code must run on every x86-64.
fn away(value: f32) -> f32 {
    value + 0.5_f32.copysign(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{quat_angle, quat_normalise_or_identity};

    fn rotations() -> impl Iterator<Item = [f64; 4]> {
        (0..2000).map(|n| {
            let x = f64::from(n);
            quat_normalise_or_identity([
                (x * 0.37).sin(),
                (x * 1.31).cos(),
                (x * 0.11).sin(),
                (x * 0.77).cos(),
            ])
        })
    }

    fn angle(q: [f64; 4], stored: [i16; 4]) -> f64 {
        let stored = quat_normalise_or_identity(quat_from_shorts(stored).map(f64::from));
        let opposite = stored.map(|x| -x);
        quat_angle(q, stored).min(quat_angle(q, opposite))
    }

    #[test]
    fn shorts_are_within_their_bound() {
        assert!(rotations().all(|q| angle(q, quat_to_shorts(q)) <= 6.2e-5));
        assert_eq!(quat_to_shorts([0.0, -2.0, 0.5, 1.0]), [0, -32767, 16384, 32767]);
    }

    #[test]
    fn three_components_are_within_their_bound() {
        let mut last = 0;
        for fineness in (0..).map_while(three_fineness) {
            assert!(fineness > last && fineness & 3 == 3, "{fineness}");
            let bound = 3.5 / std::f64::consts::SQRT_2 / f64::from(fineness) + 6.2e-5;
            for q in rotations() {
                let actual = angle(q, quat_from_three(quat_to_three(q, fineness)));
                assert!(actual <= bound, "{actual} of {bound} at {fineness}");
            }
            last = fineness;
        }
        assert_eq!(last, 32767);
    }

    #[test]
    fn what_is_fine_is_not_found_coarse() {
        let coarse = |q: &[f64; 4]| quat_three_of(quat_to_shorts(*q), 127).is_some();
        assert!(rotations().filter(coarse).count() < 5);
    }

    #[test]
    fn what_is_stored_stays_what_it_is() {
        for (q, fineness) in rotations().zip((0..).map_while(three_fineness).cycle()) {
            let stored = quat_from_three(quat_to_three(q, fineness));
            assert_eq!(quat_to_shorts(quat_from_shorts(stored).map(f64::from)), stored);
            let again = quat_three_of(stored, fineness).map(quat_from_three);
            assert!(again == Some(stored) || again == Some(stored.map(|x| -x)), "{stored:?} at {fineness}");
        }
    }
}
