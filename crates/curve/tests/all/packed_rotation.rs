//! Rotations and times in fewer bits.

use dopesheet_curve::{
    number_from_short, number_to_short, quat_angle, quat_from_32, quat_from_48, quat_normalise, quat_to_32,
    quat_to_48, round_half_up, seconds_from_short, seconds_to_short,
};

/// Unit quaternions of all kinds.
fn rotations() -> impl Iterator<Item = [f64; 4]> {
    (0..20_000_u32).filter_map(|n| {
        let at = |k: u32| f64::from(n.wrapping_mul(k).wrapping_add(k) % 2001) / 1000.0 - 1.0;
        quat_normalise([at(7919), at(104_729), at(15_485), at(32_452)])
    })
}

#[test]
fn every_code_of_a_number_comes_back_and_nothing_wraps() {
    for code in 0..=65_534_u16 {
        assert_eq!(seconds_to_short(seconds_from_short(code)), Some(code));
        let narrow = f64::from(seconds_from_short(code) as f32);
        assert_eq!(seconds_to_short(narrow), Some(code), "through f32");
        assert_eq!(number_to_short(number_from_short(code, 31.4), 31.4, round_half_up), Some(code));
    }
    assert_eq!((seconds_from_short(32_767), seconds_to_short(0.0)), (0.0, Some(32_767)));
    for beyond in [300.1, -300.1, f64::NAN, f64::INFINITY] {
        assert_eq!(seconds_to_short(beyond), None);
    }
}

#[test]
fn times_and_rotations_stay_within_their_stated_error() {
    let times = (0..100_000_u32).map(|n| f64::from(n) * 0.005_999 - 299.9);
    let late = times
        .map(|time| (seconds_from_short(seconds_to_short(time).unwrap()) - time).abs())
        .fold(0.0, f64::max);
    assert!((4.5e-3..=4.58e-3).contains(&late), "{late}");
    let [mut three, mut far_from_half, mut four] = [0.0_f64; 3];
    for q in rotations() {
        let turn = |made: [f64; 4]| quat_angle(q, made).to_degrees();
        let by_48 = turn(quat_from_48(quat_to_48(q, round_half_up).unwrap()));
        three = three.max(by_48);
        if q[3].abs() > 0.5 {
            far_from_half = far_from_half.max(by_48);
        }
        four = four.max(turn(quat_from_32(quat_to_32(q, round_half_up).unwrap()).0));
    }
    assert!(three <= 0.76 && four <= 0.27 && four > 0.1, "{three} {four}");
    assert!(far_from_half <= 0.01, "{far_from_half}");
}

#[test]
fn every_code_of_a_rotation_means_itself() {
    for q in rotations().take(2_000) {
        let code = quat_to_48(q, round_half_up).unwrap();
        // Half a turn has two signs, and either is one of its own.
        if q[3] != 0.0 {
            assert_eq!(quat_to_48(q.map(|x| -x), round_half_up), Some(code), "the sign is lost");
        }
        let again = quat_from_48(code);
        if again[3] > 0.01 {
            assert_eq!(quat_to_48(again, round_half_up), Some(code));
        }
    }
    assert_eq!((quat_to_48([0.0; 4], round_half_up), quat_to_32([0.0; 4], round_half_up)), (None, None));
    assert_eq!(quat_from_32(0xE008_0200), ([0.0, 0.0, 0.0, 1.0], false));
    assert!(quat_from_32(0).1, "three elements that are too long together");
}
