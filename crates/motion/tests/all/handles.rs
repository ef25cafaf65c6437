//! The reference evaluator's laws with handles: weighted tangents, easing, control quaternions and counted turns.

use crate::kit::*;
use dopesheet_core::model::{Blend, Channel, Curve, Handles, Law, Outside, Property, Timing};
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;
use dopesheet_motion::Side;
use proptest::prelude::*;

const THIRD: f32 = 1.0 / 3.0;

fn handles(arriving: &[f32], leaving: &[f32]) -> Option<Box<Handles>> {
    Some(Box::new(Handles { arriving: arriving.to_vec(), leaving: leaving.to_vec() }))
}

/// From −0.5 to 1.25 in 1.5 seconds, leaving with 2 and arriving with −1 per second.
fn weighted(leaving: f32, arriving: f32) -> Curve {
    Curve {
        handles: handles(&[0.0, -1.0], &[2.0, 0.0]),
        weights: handles(&[0.0, arriving], &[leaving, 0.0]),
        ..line(&[0.0, 1.5], &[-0.5, 1.25], law(Blend::WeightedBezier))
    }
}

#[test]
fn weights_draw_the_curves_of_unity() {
    // Computed by an independent program.
    let table = [
        (0.0, 0.0, 0.3125, -0.13541666666666666),
        (1.0, 1.0, 0.59375, 0.9988080774817831),
        (0.0, 1.0, 0.046875, 0.2173225160431217),
        (1.0, 0.0, 0.59375, 0.6070893852588398),
        (THIRD, THIRD, 0.59375, 0.6809715120522044),
        (0.999, 0.001, 0.59375, 0.6071832155345609),
    ];
    for (leaving, arriving, time, expected) in table {
        let got = at(&weighted(leaving, arriving), time);
        assert!((got - expected).abs() < 1e-7, "{leaving}, {arriving} at {time}: {got}");
    }
}

#[test]
fn weights_of_a_third_are_hermite_bit_for_bit() {
    let plain = hermite(&[0.0, 1.5], &[-0.5, 1.25], &[0.0, -1.0], &[2.0, 0.0]);
    for n in 0..=60 {
        let time = f64::from(n) / 40.0;
        assert_eq!(at(&weighted(THIRD, THIRD), time), at(&plain, time));
    }
}

#[test]
fn an_infinite_tangent_holds_whatever_its_weight() {
    for weight in [0.0, THIRD, 1.0, 1e6, f32::NAN] {
        let mut curve = weighted(weight, weight);
        curve.handles.as_mut().unwrap().leaving[0] = f32::NEG_INFINITY;
        assert_eq!(at(&curve, 1.4), -0.5);
        assert_eq!(before_at_after(&curve, 1.5), [-0.5, 1.25, 1.25]);
    }
}

#[test]
fn a_tangent_that_is_not_a_number_counts_as_level() {
    for blend in [Blend::Hermite, Blend::WeightedBezier] {
        let level = Curve {
            handles: handles(&[0.0; 2], &[0.0; 2]),
            weights: handles(&[0.4; 2], &[0.4; 2]),
            ..line(&[0.0, 1.0], &[1.0, 3.0], law(blend))
        };
        let nan = Curve { handles: handles(&[f32::NAN; 2], &[f32::NAN; 2]), ..level.clone() };
        assert_eq!([0.2, 0.7, 1.0].map(|t| at(&nan, t)), [0.2, 0.7, 1.0].map(|t| at(&level, t)));
    }
}

#[test]
fn every_component_has_weights_of_its_own() {
    let (a, b) = (weighted(0.2, 0.9), weighted(0.8, 0.0));
    let side_by_side = |of: fn(&Curve) -> &Vec<f32>| -> Vec<f32> {
        (0..2).flat_map(|key| [of(&a)[key], of(&b)[key]]).collect()
    };
    let both = Curve {
        handles: handles(&[0.0, 0.0, -1.0, -1.0], &[2.0, 2.0, 0.0, 0.0]),
        weights: handles(
            &side_by_side(|c| &c.weights.as_ref().unwrap().arriving),
            &side_by_side(|c| &c.weights.as_ref().unwrap().leaving),
        ),
        ..wide(seconds(&[0.0, 1.5]), 2, &side_by_side(|c| &c.values), law(Blend::WeightedBezier))
    };
    for time in [0.1, 0.75, 1.2] {
        assert_eq!(curve_value(&both, time, Side::At), [at(&a, time), at(&b, time)]);
    }
}

const fn ease(from: f32, to: f32, blend: Blend) -> Law {
    Law { timing: Timing::Ease { from, to }, blend }
}

#[test]
fn ease_slows_the_ends_of_every_law() {
    let straight = line(&[0.0, 1.0], &[0.0, 8.0], ease(0.5, 0.5, Blend::Lerp));
    assert_eq!([0.25, 0.5, 0.75, 1.0].map(|t| at(&straight, t)), [1.0, 4.0, 7.0, 8.0]);
    // Tension, continuity and bias with ease, computed by an independent program.
    let mut eased = hermite(&[0.0, 1.0], &[0.0, 1.0], &[0.0, 0.0], &[1.5, 0.0]);
    eased.laws.map(|_| ease(0.5, 0.5, Blend::Hermite));
    for (time, expected) in [(0.29, 0.249920707), (0.61, 0.875268515), (0.77, 0.983801684)] {
        assert!((at(&eased, time) - expected).abs() < 1e-8, "{time}");
    }
}

fn narrow(q: [f64; 4]) -> [f32; 4] {
    q.map(|v| v as f32)
}

/// A curve of quaternions with one control on each side of each key.
fn controlled(blend: Blend, keys: &[[f32; 4]], controls: &[[f32; 4]]) -> Channel {
    let times: Vec<f64> = (0..keys.len()).map(|n| n as f64).collect();
    let curve = Curve {
        handles: handles(&controls.concat(), &controls.concat()),
        ..wide(seconds(&times), 4, &keys.concat(), law(blend))
    };
    Channel::whole(Property::Rotation, curve)
}

fn counted(channel: &mut Channel, turns: &[[f32; 4]]) {
    if let dopesheet_core::model::Composition::Whole(curve) = &mut channel.composition {
        curve.turns = Some(turns.into());
        curve.validate().unwrap();
    }
}

#[test]
fn control_quaternions_bend_the_way_whatever_the_signs() {
    // A curve of MORE (Myst IV: Revelation) made for tests, as an independent program plays it.
    let keys = [
        [0.0612430051, -0.0581021681, -0.0939038917, 0.991995692],
        [-0.0170085318, -0.0396661907, -0.120613709, 0.99176085],
    ]
    .map(narrow);
    let controls = [
        [-0.100238979, 0.0671719536, 0.0802840814, -0.989441514],
        [0.0600623637, -0.103142641, -0.0578182153, 0.991166592],
    ]
    .map(narrow);
    let expected = [0.0431750671, -0.067064172, -0.0895909041, 0.992779825];
    let time = 0.3457 / 0.566666663;
    for (a, b) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let channel = controlled(
            Blend::Squad,
            &[keys[0], keys[1].map(|v| a * v)],
            &[controls[0].map(|v| b * v), controls[1]],
        );
        assert!(apart(&channel.property, &value(&channel, time, Side::At), &expected) < 1e-7);
    }
}

#[test]
fn a_control_of_zeros_counts_as_its_key() {
    let keys = [turn([0.0, 1.0, 0.0], 0.0), turn([0.0, 1.0, 0.0], 100.0)];
    let bent = controlled(Blend::Squad, &keys, &[[0.0; 4]; 2]);
    let even = Channel::whole(Property::Rotation, wide(seconds(&[0.0, 1.0]), 4, &keys.concat(), Law::SLERP));
    assert!(apart(&bent.property, &value(&bent, 0.3, Side::At), &value(&even, 0.3, Side::At)) < 1e-14);
}

#[test]
fn counted_turns_go_as_far_round_as_they_say() {
    // About Y by 90°, 200°, 360°, 900° and −450°, as an independent program plays it.
    let key = |y: f64, w: f64| narrow([0.0, y, 0.0, w]);
    let keys = [
        key(0.0, 1.0),
        key(0.70710677, 0.70710677),
        key(0.57357645, -0.81915206),
        key(-0.57357645, 0.81915206),
        key(0.81915206, 0.57357645),
        key(-0.17364818, -0.9848077),
    ];
    let controls = [
        keys[0],
        key(0.9713421, 0.23768589),
        key(0.976296, -0.2164396),
        keys[3],
        key(0.98480773, -0.17364818),
        keys[5],
    ];
    let mut channel = controlled(Blend::Turn, &keys, &controls);
    let angles = [0.0, 1.5707964, 3.4906585, 6.2831855, 15.707963, -7.8539815];
    counted(&mut channel, &angles.map(|angle| narrow([angle, 0.0, 1.0, 0.0])));
    let expected = [
        (0.29, [0.288729988, 0.957410567]),
        (1.13, [0.890213262, 0.455544013]),
        (1.61, [0.986389978, -0.164422661]),
        (2.13, [0.401979096, -0.915648844]),
        (2.5, [-0.819152067, -0.573576404]),
        (3.77, [0.748955794, -0.662619965]),
        (4.61, [-0.9908659, 0.134850908]),
    ];
    for (time, [y, w]) in expected {
        let got = value(&channel, time, Side::At);
        assert!(apart(&channel.property, &got, &[0.0, y, 0.0, w]) < 1e-6, "{time}: {got:?}");
    }
}

#[test]
fn handles_that_are_missing_leave_the_nearest_relative() {
    let keys = [turn([1.0, 0.0, 0.0], 0.0), turn([1.0, 0.0, 0.0], 120.0)];
    let of = |blend| curve_value(&wide(seconds(&[0.0, 1.0]), 4, &keys.concat(), law(blend)), 0.3, Side::At);
    assert_eq!(of(Blend::Squad), of(Blend::Slerp));
    assert_eq!(of(Blend::Turn), of(Blend::Slerp));
    assert_eq!(at(&line(&[0.0, 1.0], &[2.0, 4.0], law(Blend::WeightedBezier)), 0.25), 2.0);
    let unweighted = Curve { weights: None, ..weighted(0.9, 0.9) };
    assert_eq!(at(&unweighted, 0.5), at(&weighted(THIRD, THIRD), 0.5));
}

#[test]
fn a_ramp_of_any_law_leads_to_the_first_key() {
    for blend in [Blend::WeightedBezier, Blend::Hermite] {
        let before = Outside::Ramp { start: Seconds(-1.0), from: [2.5].into(), law: law(blend) };
        assert_eq!(at(&Curve { before, ..weighted(0.3, 0.9) }, -0.5), 1.0);
    }
}

/// Numbers of damaged files.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        -2.0f32..2.0,
        any::<f32>(),
        prop::sample::select(vec![0.0, 1e6, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]),
    ]
}

proptest! {
    #[test]
    fn finite_keys_have_finite_values_whatever_the_handles(
        values in prop::array::uniform8(-2.0f32..2.0),
        [arriving, leaving] in prop::array::uniform2(prop::array::uniform8(any_number())),
        [arriving_weights, leaving_weights] in prop::array::uniform2(prop::array::uniform8(any_number())),
        turns in prop::array::uniform2(prop::array::uniform4(any_number())),
        eased in prop::array::uniform2(any_number()),
        time in 0.0..=1.0,
    ) {
        for blend in [Blend::Hermite, Blend::WeightedBezier, Blend::Squad, Blend::Turn] {
            let curve = Curve {
                handles: handles(&arriving, &leaving),
                weights: handles(&arriving_weights, &leaving_weights),
                turns: Some(turns.into()),
                ..wide(seconds(&[0.0, 1.0]), 4, &values, ease(eased[0], eased[1], blend))
            };
            curve.validate().unwrap();
            for side in [Side::Before, Side::At, Side::After] {
                let got = curve_value(&curve, time, side);
                prop_assert!(got.len() == 4 && got.iter().all(|v| v.is_finite()), "{:?}: {:?}", blend, got);
            }
        }
    }

    #[test]
    fn rotations_with_handles_arrive_at_their_keys(
        rotations in prop::array::uniform2(any_rotation()),
        controls in prop::array::uniform2(any_rotation()),
        angle in -20.0f32..20.0,
    ) {
        let mut channel = controlled(Blend::Squad, &rotations.map(narrow), &controls.map(narrow));
        let near = |channel: &Channel| {
            let got = value(channel, 1.0 - 1e-9, Side::At);
            let [a, b] = [got, value(channel, 1.0, Side::At)].map(|v| [v[0], v[1], v[2], v[3]]);
            curve::quat_angle(a, b) < 1e-6
        };
        prop_assert!(near(&channel));
        if let dopesheet_core::model::Composition::Whole(curve) = &mut channel.composition {
            curve.laws.map(|_| law(Blend::Turn));
        }
        counted(&mut channel, &[[0.0; 4], [angle, 0.0, 1.0, 0.0]]);
        prop_assert!(near(&channel));
    }
}
