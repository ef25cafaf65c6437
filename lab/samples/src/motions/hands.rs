//! hands.bin: somebody takes hold of a thing in the air with both hands and pulls it apart, as MRTK 2.6 and later
//! record it. The left hand comes into view late and leaves it early; the eyes look around, then at what the hands do.

use super::hand::{OPEN, PINCH, Placed, RELAXED, Shape};
use dopesheet_mrtk2::animation::{
    Document, Hand, Hands, Joint, Key, Marker, NumberCurve, NumberKeys, Pose, Ray, SwitchCurve, Version,
};
use glam::{DQuat, DVec3};

/// In seconds.
const END: f64 = 6.0;
/// Frames per second at which it is recorded before it is thinned.
const RATE: f64 = 60.0;
/// Tolerances of thinning: of a point in metres, and of a rotation in radians.
const NEAR: (f64, f64) = (0.002, 0.015);
/// When the left hand is seen, in seconds.
const LEFT_SEEN: (f64, f64) = (1.0, 5.1);
/// Tips closer than the first number pinch, until they are further apart than the second; metres.
const PINCHES: (f64, f64) = (0.018, 0.03);

/// Draws it.
pub(super) fn document() -> Document {
    let mut document = Document::new(Version::V1_1);
    document.camera = Some(pose(&recorded((0.0, END), head)));
    let mut hands = Box::<Hands>::default();
    for hand in Hand::BOTH {
        let seen = if hand == Hand::Left { LEFT_SEEN } else { (0.0, END) };
        for joint in Joint::ALL.into_iter().filter(|joint| *joint != Joint::None) {
            let at = |time| posed(hand, time)[joint as usize].unwrap_or_default();
            hands.joints[hand as usize][joint as usize] = pose(&recorded(seen, at));
        }
        hands.tracked[hand as usize] = switch(|time| (seen.0..seen.1).contains(&time) || seen.1 == END);
        hands.pinch[hand as usize] = pinch(hand, seen);
    }
    document.markers = Some(markers(&hands));
    document.hands = Some(hands);
    document.gaze = Some(gaze());
    document
}

/// Slow, fast, slow, with no jerk at either end: the minimum-jerk curve of Flash and Hogan, 1985.
fn smooth(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// The keys around a time, and how far it is from one to the other.
fn between<T: Copy>(keys: &[(f64, T)], time: f64) -> (T, T, f64) {
    let after = keys.partition_point(|(t, _)| *t <= time);
    let (t0, from) = keys[after.saturating_sub(1)];
    let (t1, to) = keys[after.min(keys.len() - 1)];
    (from, to, if t1 > t0 { smooth((time - t0) / (t1 - t0)) } else { 0.0 })
}

fn vector(keys: &[(f64, [f64; 3])], time: f64) -> DVec3 {
    let (from, to, share) = between(keys, time);
    DVec3::from(from).lerp(to.into(), share)
}

/// Degrees about Y, X and Z, applied Z first.
fn turn(degrees: DVec3) -> DQuat {
    let [yaw, pitch, roll] = degrees.to_array().map(f64::to_radians);
    DQuat::from_rotation_y(yaw) * DQuat::from_rotation_x(pitch) * DQuat::from_rotation_z(roll)
}

pub(super) fn head(time: f64) -> Placed {
    let place: [(f64, [f64; 3]); 5] = [
        (0.0, [0.0, 1.62, 0.0]),
        (1.4, [0.012, 1.617, 0.015]),
        (2.6, [-0.008, 1.615, 0.03]),
        (4.0, [0.0, 1.62, 0.01]),
        (END, [0.004, 1.622, -0.004]),
    ];
    let degrees: [(f64, [f64; 3]); 6] = [
        (0.0, [-9.0, 3.0, 0.0]),
        (0.9, [8.0, 4.0, -0.6]),
        (1.5, [7.0, 13.0, -1.2]),
        (2.5, [-5.0, 14.0, 1.0]),
        (3.9, [0.0, 9.0, 0.0]),
        (END, [2.0, 4.0, 0.0]),
    ];
    (vector(&place, time), turn(vector(&degrees, time)))
}

/// All joints of a hand.
pub(super) fn posed(hand: Hand, time: f64) -> [Option<Placed>; 27] {
    let (late, side) = if hand == Hand::Left { (0.75, -1.0) } else { (0.0, 1.0) };
    let place: [(f64, [f64; 3]); 6] = [
        (0.1 + late, [0.23, 1.06, 0.16]),
        (1.4 + late, [0.15, 1.34, 0.3]),
        (2.9, [0.145, 1.345, 0.305]),
        (3.9, [0.29, 1.37, 0.28]),
        (4.3, [0.285, 1.375, 0.275]),
        (5.3, [0.25, 1.08, 0.17]),
    ];
    let degrees: [(f64, [f64; 3]); 5] = [
        (0.1 + late, [-6.0, 18.0, 12.0]),
        (1.4 + late, [-14.0, -34.0, 24.0]),
        (2.9, [-15.0, -33.0, 24.0]),
        (3.9, [4.0, -38.0, 30.0]),
        (5.3, [-4.0, 14.0, 10.0]),
    ];
    let shapes: [(f64, Shape); 7] = [
        (0.2 + late, RELAXED),
        (0.95 + late, OPEN),
        (1.2 + late, OPEN),
        (1.55 + late, PINCH),
        (4.2, PINCH),
        (4.55, OPEN),
        (5.4, RELAXED),
    ];
    let mirror = DVec3::new(side, 1.0, 1.0);
    // About Y and Z, mirrored hands turn the other way.
    let wrist = (vector(&place, time) * mirror, turn(vector(&degrees, time) * DVec3::new(side, 1.0, side)));
    let (from, to, share) = between(&shapes, time);
    from.mixed(&to, share).posed(hand, wrist)
}

fn between_tips(hand: Hand, time: f64) -> f64 {
    let joints = posed(hand, time);
    let place = |joint: Joint| joints[joint as usize].unwrap_or_default().0;
    place(Joint::ThumbTip).distance(place(Joint::IndexTip))
}

/// Points that the eyes look at: first along a shelf, then at the hands, what they hold, and the hand that leaves.
fn look_at(time: f64) -> DVec3 {
    let held = |hand| posed(hand, time)[Joint::IndexTip as usize].unwrap_or_default().0;
    let (right, left) = (held(Hand::Right), held(Hand::Left));
    let along = smooth(time / 0.8);
    let shelf = DVec3::new(-0.5 + along, 1.52 - 0.05 * along, 1.1);
    let places: [(f64, DVec3); 6] =
        [(0.0, shelf), (0.9, right), (1.9, left), (2.7, (left + right) / 2.0), (3.5, left), (3.8, right)];
    let after = places.partition_point(|(start, _)| *start <= time).max(1);
    let (start, to) = places[after - 1];
    let from = places[after.saturating_sub(2)].1;
    // Eyes leap within 50 ms, and rest in between.
    from.lerp(to, smooth((time - start) / 0.05))
}

fn frames((start, end): (f64, f64)) -> impl Iterator<Item = f64> {
    let (first, last) = ((start * RATE).round() as u32, (end * RATE).round() as u32);
    (first..=last).map(|frame| f64::from(frame) / RATE)
}

/// A value at every frame.
fn recorded<T>(seen: (f64, f64), value: impl Fn(f64) -> T) -> Vec<(f64, T)> {
    frames(seen).map(|time| (time, value(time))).collect()
}

/// Position and rotation thinned each for itself, as MRTK does it.
fn pose(frames: &[(f64, Placed)]) -> Pose {
    let places: Vec<(f64, [f64; 3])> = frames.iter().map(|(t, (place, _))| (*t, place.to_array())).collect();
    let mut turns: Vec<(f64, [f64; 4])> = Vec::with_capacity(frames.len());
    for (time, (_, turn)) in frames {
        let near = turns.last().is_none_or(|(_, last)| DQuat::from_array(*last).dot(*turn) >= 0.0);
        turns.push((*time, if near { *turn } else { -*turn }.to_array()));
    }
    let apart = |a: [f64; 4], b: [f64; 4]| {
        DQuat::from_array(a).normalize().angle_between(DQuat::from_array(b).normalize())
    };
    Pose {
        position: curves(&thinned(&places, NEAR.0, distance)),
        rotation: curves(&thinned(&turns, NEAR.1, apart)),
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    DVec3::from(a).distance(b.into())
}

/// The keys that straight lines between them suffice for: Ramer, 1972; Douglas and Peucker, 1973.
fn thinned<const N: usize>(
    keys: &[(f64, [f64; N])],
    near: f64,
    apart: impl Fn([f64; N], [f64; N]) -> f64,
) -> Vec<(f64, [f64; N])> {
    let mut kept = vec![0, keys.len() - 1];
    let mut open = vec![(0, keys.len() - 1)];
    while let Some((a, b)) = open.pop() {
        let ((t0, from), (t1, to)) = (keys[a], keys[b]);
        let error = |n: &usize| {
            let share = (keys[*n].0 - t0) / (t1 - t0);
            apart(keys[*n].1, std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share))
        };
        let worst = (a + 1..b).max_by(|x, y| error(x).total_cmp(&error(y)));
        if let Some(worst) = worst.filter(|n| error(n) > near) {
            kept.push(worst);
            open.extend([(a, worst), (worst, b)]);
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|n| keys[n]).collect()
}

fn curves<const N: usize>(keys: &[(f64, [f64; N])]) -> [NumberCurve; N] {
    std::array::from_fn(|i| {
        let keys = keys.iter().map(|(time, value)| Key { time: *time as f32, value: value[i] as f32 });
        NumberCurve { keys: NumberKeys::Simple(keys.collect()), ..NumberCurve::default() }
    })
}

fn gaze() -> Ray {
    let looks = recorded((0.0, END), |time| {
        let eyes = head(time).0 + head(time).1 * DVec3::new(0.0, -0.03, 0.06);
        (eyes.to_array(), (look_at(time) - eyes).normalize().to_array())
    });
    let (origins, directions): (Vec<_>, Vec<_>) =
        looks.into_iter().map(|(time, (origin, direction))| ((time, origin), (time, direction))).unzip();
    Ray {
        origin: curves(&thinned(&origins, NEAR.0, distance)),
        direction: curves(&thinned(&directions, NEAR.1, distance)),
    }
}

/// A key at the start and one at every change.
fn switch(is_on: impl Fn(f64) -> bool) -> SwitchCurve {
    let mut curve = SwitchCurve::default();
    for time in frames((0.0, END)) {
        let value = f32::from(u8::from(is_on(time)));
        if curve.keys.last().is_none_or(|key| key.value != value) {
            curve.keys.push(Key { time: time as f32, value });
        }
    }
    curve
}

/// True if a hand pinches at a time, before which it did or did not.
pub(super) fn pinches(hand: Hand, time: f64, did: bool) -> bool {
    between_tips(hand, time) < if did { PINCHES.1 } else { PINCHES.0 }
}

fn pinch(hand: Hand, seen: (f64, f64)) -> SwitchCurve {
    let mut curve = switch(|_| false);
    let mut is_on = false;
    for time in frames(seen) {
        let is_now = pinches(hand, time, is_on);
        if is_now != is_on {
            curve.keys.push(Key { time: time as f32, value: f32::from(u8::from(is_now)) });
            is_on = is_now;
        }
    }
    curve
}

/// The moments at which the hands take hold and let go.
fn markers(hands: &Hands) -> Vec<Marker> {
    let changes = Hand::BOTH.into_iter().zip(&hands.pinch).flat_map(|(hand, curve)| {
        curve.keys.iter().skip(1).map(move |key| {
            let what = if key.value > 0.5 { "takes hold" } else { "lets go" };
            Marker::new(key.time, &format!("{} hand {what}", hand.word()))
        })
    });
    let mut markers: Vec<Marker> = changes.chain([Marker::new(2.9, "pull")]).collect();
    markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    markers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_keep_their_lengths_and_tips_meet_in_a_pinch() {
        let bones = [
            (Joint::IndexKnuckle, Joint::IndexMiddleJoint, 0.043),
            (Joint::PinkyDistalJoint, Joint::PinkyTip, 0.02),
            (Joint::ThumbProximalJoint, Joint::ThumbDistalJoint, 0.034),
        ];
        for (hand, time) in
            Hand::BOTH.into_iter().flat_map(|hand| [0.4, 1.7, 2.6, 4.4].map(|time| (hand, time)))
        {
            let joints = posed(hand, time);
            let place = |joint: Joint| joints[joint as usize].unwrap().0;
            for (from, to, length) in bones {
                let found = place(from).distance(place(to));
                assert!((found - length).abs() < 1e-12, "{hand:?} {from:?} at {time}: {found}");
            }
        }
        for hand in Hand::BOTH {
            assert!(between_tips(hand, 3.0) < 0.008);
            assert!(between_tips(hand, 5.0) > 0.07);
        }
    }

    #[test]
    fn hands_are_mirror_images() {
        let [left, right] = Hand::BOTH.map(|hand| posed(hand, 3.2));
        for (left, right) in left.iter().zip(&right).filter_map(|(l, r)| Some(((*l)?, (*r)?))) {
            assert!((left.0 * DVec3::new(-1.0, 1.0, 1.0)).abs_diff_eq(right.0, 1e-12));
        }
    }

    #[test]
    fn each_hand_takes_hold_once_while_it_is_seen() {
        let document = document();
        let hands = document.hands.as_ref().unwrap();
        for (tracked, pinch) in hands.tracked.iter().zip(&hands.pinch) {
            assert_eq!(pinch.keys.iter().map(|k| k.value).collect::<Vec<_>>(), [0.0, 1.0, 0.0]);
            assert!(tracked.keys.len() == 1 || tracked.keys[1].time < pinch.keys[1].time);
        }
        assert_eq!(document.markers.as_ref().unwrap().len(), 5);
        assert_eq!(document.duration_s(), 6.0);
    }
}
