//! Spherical cubics, their controls, and turns beyond half and whole ones.

use dopesheet_curve::{
    QUAT_IDENTITY, Tcb, TcbHandles, TcbRotationKey, Turn, ease, quat_angle, quat_exp, quat_log, slerp, squad,
    squad_control, squad_signed, tcb_controls, turn_squad,
};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, TAU};

fn length(q: [f64; 4]) -> f64 {
    q.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn negated(q: [f64; 4]) -> [f64; 4] {
    q.map(|v| -v)
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    (0..4).map(|n| a[n] * b[n]).sum()
}

/// Largest difference of a component, of `a` and `b` or −`b`.
fn apart(a: [f64; 4], b: [f64; 4]) -> f64 {
    let by = |sign: f64| (0..4).map(|n| (a[n] - sign * b[n]).abs()).fold(0.0, f64::max);
    by(1.0).min(by(-1.0))
}

fn turned(axis: DVec3, angle: f64) -> [f64; 4] {
    DQuat::from_axis_angle(axis, angle).to_array()
}

fn times(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    (DQuat::from_array(a) * DQuat::from_array(b)).to_array()
}

fn about_y(degrees: f64) -> [f64; 4] {
    turned(DVec3::Y, degrees.to_radians())
}

/// The great circle as a turn at constant speed.
fn arc(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let between = DQuat::from_array(a).conjugate() * DQuat::from_array(b);
    let sine = between.xyz().length();
    if sine == 0.0 {
        return a;
    }
    times(a, turned(between.xyz() / sine, 2.0 * u * sine.atan2(between.w)))
}

fn axis() -> impl Strategy<Value = DVec3> {
    (-1.0..=1.0, 0.0..TAU).prop_map(|(z, a): (f64, f64)| {
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * a.cos(), r * a.sin(), z).normalize()
    })
}

fn rotation() -> impl Strategy<Value = [f64; 4]> {
    (axis(), -TAU..TAU).prop_map(|(axis, angle)| DQuat::from_axis_angle(axis, angle).normalize().to_array())
}

/// A rotation by at most `angle` radians.
fn small(angle: f64) -> impl Strategy<Value = [f64; 4]> {
    (axis(), 0.0..angle).prop_map(|(axis, angle)| turned(axis, angle))
}

const ODD: [f64; 9] = [0.0, 1.0, -1.0, 1e-320, 1e200, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

#[test]
fn logarithm_and_exponential_have_known_values() {
    assert_eq!(quat_log(QUAT_IDENTITY), [0.0; 3]);
    assert_eq!(quat_log(negated(QUAT_IDENTITY)), [0.0; 3]);
    assert_eq!(quat_log([1.0, 0.0, 0.0, 0.0]), [FRAC_PI_2, 0.0, 0.0]);
    assert_eq!(quat_exp([0.0; 3]), QUAT_IDENTITY);
    for degrees in [1e-9, 30.0, 200.0, 359.0] {
        let [x, y, z] = quat_log(about_y(degrees));
        assert!((y - degrees.to_radians() / 2.0).abs() < 1e-15 && x == 0.0 && z == 0.0);
    }
}

#[test]
fn logarithm_and_exponential_take_any_number() {
    for v in ODD {
        assert!(quat_log([v, 0.5, v, -0.5]).iter().all(|x| x.is_finite()));
        assert!((length(quat_exp([v, 0.5, v])) - 1.0).abs() < 4e-15);
    }
}

/// The great circle as the signs say: a spherical cubic whose controls are its keys.
fn slerp_signed(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    squad_signed(a, a, b, b, u)
}

#[test]
fn slerp_signed_goes_the_way_of_the_signs() {
    for degrees in [10.0, 170.0, 190.0, 200.0, 350.0] {
        for u in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let got = slerp_signed(QUAT_IDENTITY, about_y(degrees), u);
            assert!(apart(got, about_y(u * degrees)) < 3e-15, "{degrees}° at {u}");
        }
    }
    let (a, b) = (about_y(10.0), about_y(250.0));
    assert_eq!([slerp_signed(a, b, 0.0), slerp_signed(a, b, 1.0)], [a, b]);
}

#[test]
fn slerp_signed_between_opposites_is_their_chord() {
    let q = about_y(50.0);
    for (u, expected) in [(0.0, q), (0.25, q), (0.5, QUAT_IDENTITY), (0.75, negated(q)), (1.0, negated(q))] {
        assert!((0..4).all(|n| (slerp_signed(q, negated(q), u)[n] - expected[n]).abs() < 1e-15), "{u}");
    }
}

#[test]
fn slerp_signed_has_no_step_where_the_arc_gives_way_to_the_chord() {
    for angle in [0.9e-6, 1.9e-6, 1.999_999e-6, 2.000_001e-6, 2.1e-6] {
        for u in [0.1, 0.5, 0.9] {
            let got = slerp_signed(QUAT_IDENTITY, turned(DVec3::Z, angle), u);
            assert!(quat_angle(got, turned(DVec3::Z, u * angle)) < 1e-15, "{angle} at {u}");
        }
    }
}

/// Keys `[x, y, z, w]` and controls of a Bezier rotation of MORE (Myst IV: Revelation) made for tests, and the
/// rotations an independent program plays at some fractions of its first and last segment. Two of the
/// controls have the sign opposite to their key's, and so have the last two keys.
#[test]
fn squad_plays_what_an_independent_program_plays() {
    let keys = [
        [0.0612430051, -0.0581021681, -0.0939038917, 0.991995692],
        [-0.0170085318, -0.0396661907, -0.120613709, 0.99176085],
        [0.464238346, 0.533152103, 0.483690083, -0.516018867],
        [-0.786870003, -0.0653736144, -0.137340739, 0.598079741],
    ];
    let controls = [
        [-0.100238979, 0.0671719536, 0.0802840814, -0.989441514],
        [0.0600623637, -0.103142641, -0.0578182153, 0.991166592],
        [-0.30092603, -0.752598941, -0.503918231, 0.298504233],
        [-0.818678319, 0.194466293, 0.0708059892, 0.535663307],
    ];
    let table = [
        (0, 0.3457 / 0.566666663, [0.0431750671, -0.067064172, -0.0895909041, 0.992779825]),
        (0, 0.5327 / 0.566666663, [-0.0038770087, -0.0476070877, -0.112350863, 0.992519933]),
        (
            2,
            (1.5505 - 1.51666665) / (2.0 - 1.51666665),
            [0.482342355, 0.536455689, 0.470156521, -0.508442712],
        ),
        (
            2,
            (1.5795 - 1.51666665) / (2.0 - 1.51666665),
            [0.504750432, 0.529726598, 0.454750853, -0.507758204],
        ),
    ];
    for (n, u, expected) in table {
        let got = squad(keys[n], controls[n], controls[n + 1], keys[n + 1], u);
        assert!(apart(got, expected) < 1e-8, "segment {n} at {u}: {got:?}");
    }
}

#[test]
fn a_control_without_direction_counts_as_its_key() {
    let (a, b) = (about_y(20.0), about_y(120.0));
    for none in [[0.0; 4], [5e-7, 0.0, 0.0, 0.0], [f64::NAN; 4]] {
        for law in [squad, squad_signed] {
            assert!(quat_angle(law(a, none, none, b, 0.3), slerp(a, b, 0.3)) < 1e-14);
        }
    }
}

#[test]
fn controls_of_an_even_turn_are_its_keys() {
    let keys = [0.0, 40.0, 80.0].map(about_y);
    assert!(apart(squad_control(Some(keys[0]), keys[1], Some(keys[2])), keys[1]) < 1e-15);
    assert!(apart(squad_control(Some(negated(keys[0])), keys[1], Some(negated(keys[2]))), keys[1]) < 1e-15);
    assert_eq!(squad_control(None, keys[1], None), keys[1]);
    // The only neighbour stands for both: half a step away from it.
    assert!(apart(squad_control(None, keys[0], Some(keys[1])), about_y(-20.0)) < 1e-15);
    assert!(apart(squad_control(Some(keys[0]), keys[1], None), about_y(60.0)) < 1e-15);
}

/// About Y by 90°, 200°, 360°, 900° and −450°: keys, controls, angles, and what an independent program plays.
#[test]
fn turns_go_as_far_round_as_they_say() {
    const A: f64 = 0.9713420867919922;
    const B: f64 = 0.237685889005661;
    let keys: [([f64; 2], [f64; 2], f64); 6] = [
        ([0.0, 1.0], [0.0, 1.0], 0.0),
        ([0.7071067690849304, 0.7071067690849304], [A, B], 1.5707963705062866),
        (
            [0.5735764503479004, -0.8191520571708679],
            [0.9762960076332092, -0.2164396047592163],
            3.4906585216522217,
        ),
        (
            [-0.5735764503479004, 0.8191520571708679],
            [-0.5735764503479004, 0.8191520571708679],
            6.2831854820251465,
        ),
        (
            [0.8191520571708679, 0.5735764503479004],
            [0.9848077297210693, -0.1736481785774231],
            15.707962989807129,
        ),
        (
            [-0.1736481785774231, -0.9848077297210693],
            [-0.1736481785774231, -0.9848077297210693],
            -7.8539814949035645,
        ),
    ];
    let expected = [
        (0.07, [0.0599128859, 0.99820361]),
        (0.29, [0.288729988, 0.957410567]),
        (1.13, [0.890213262, 0.455544013]),
        (1.61, [0.986389978, -0.164422661]),
        (2.13, [0.401979096, -0.915648844]),
        (2.5, [-0.819152067, -0.573576404]),
        (3.5, [0.173648105, 0.984807766]),
        (3.77, [0.748955794, -0.662619965]),
        (4.5, [-0.843391429, 0.537299634]),
        (4.61, [-0.9908659, 0.134850908]),
    ];
    let y = |[y, w]: [f64; 2]| [0.0, y, 0.0, w];
    for (time, expected) in expected {
        let n = time as usize;
        let ((a, leaving, _), (b, arriving, angle)) = (keys[n], keys[n + 1]);
        let turn = Turn { angle, axis: [0.0, 1.0, 0.0] };
        let got = turn_squad(y(a), y(leaving), y(arriving), y(b), turn, time - n as f64);
        assert!(apart(got, y(expected)) < 2e-9, "{time}: {got:?}");
    }
}

/// A curve of MORE (Myst IV: Revelation) made for tests: five keys with dials, and turns of 60°, 185°, 750° and −300°.
fn dialled() -> [TcbRotationKey; 5] {
    let key = |time, value, angle, axis, [tension, continuity, bias]: [f64; 3]| TcbRotationKey {
        time,
        value,
        turn: Turn { angle, axis },
        tcb: Tcb { tension, continuity, bias },
    };
    [
        key(
            0.0,
            [0.375863284, -0.497786939, -0.160764888, 0.764911473],
            1.3997848,
            [0.583515942, -0.772798598, -0.249582455],
            [0.0; 3],
        ),
        key(
            0.283333331,
            [0.47648555, -0.738085806, 0.157776162, 0.450885326],
            1.04719758,
            [0.78439045, -0.40844211, 0.466804773],
            [0.0382151604, -0.795849562, -0.522594512],
        ),
        key(
            0.858333349,
            [-0.336007804, -0.390424609, 0.615763247, -0.596240699],
            3.22885919,
            [0.525986135, -0.269954145, 0.806513071],
            [0.0; 3],
        ),
        key(
            1.39166665,
            [-0.274673641, -0.155580997, 0.66038543, -0.681351662],
            13.0899696,
            [0.374245048, -0.873248518, 0.312054008],
            [0.762232304, 0.0440507084, -0.37008369],
        ),
        key(
            2.0,
            [-0.21260266, 0.319743216, -0.679752648, 0.62490052],
            -5.23598766,
            [-0.843796015, -0.4129498, -0.342754692],
            [0.0; 3],
        ),
    ]
}

/// Arriving and leaving controls of the same curve, computed by an independent program.
const DIALLED_CONTROLS: [[[f64; 4]; 2]; 5] = [
    [[0.375863284, -0.497786939, -0.160764888, 0.764911473]; 2],
    [
        [0.43894282, -0.802623689, 0.312768519, 0.255539179],
        [0.552789271, -0.579876482, -0.0319333971, 0.597618222],
    ],
    [[-0.170721039, -0.870745182, 0.433989108, -0.155918479]; 2],
    [
        [-0.0552517362, 0.518846214, 0.53814435, -0.661926389],
        [-0.444734037, -0.0112879118, 0.60153991, -0.663501322],
    ],
    [[-0.21260266, 0.319743216, -0.679752648, 0.62490052]; 2],
];

#[test]
fn controls_from_dials_are_those_of_an_independent_program() {
    for (n, [arriving, leaving]) in DIALLED_CONTROLS.into_iter().enumerate() {
        let got = tcb_controls(&dialled(), n);
        let off = |a: [f64; 4], b: [f64; 4]| (0..4).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
        assert!(off(got.arriving, arriving).max(off(got.leaving, leaving)) < 2e-7, "key {n}: {got:?}");
    }
}

#[test]
fn a_dialled_curve_is_played_as_an_independent_program_plays_it() {
    let (keys, eases) =
        (dialled(), [[0.26913324, 0.0], [0.0, 0.0], [0.0, 0.736830831], [0.184753835, 0.626351297]]);
    let expected = [
        (0.1728, [0.44594269, -0.686243034, 0.0598899729, 0.571505737]),
        (0.2663, [0.471129122, -0.738696735, 0.155657121, 0.456218528]),
        (0.4501, [0.333967117, -0.848682374, 0.311062629, 0.267290542]),
        (0.6341, [0.074501121, -0.873236837, 0.480244145, -0.0356731089]),
        (0.8957, [-0.0596048444, 0.0927628294, 0.720609192, -0.684517869]),
        (0.9277, [0.12566648, 0.731885061, 0.404953383, -0.533446296]),
        (1.4342, [-0.334030785, -0.127469025, 0.644567622, -0.675801497]),
        (1.8601, [-0.375962968, 0.360610746, -0.641902049, 0.562648644]),
    ];
    for (time, expected) in expected {
        let n = keys.iter().rposition(|k| k.time <= time).unwrap();
        let (a, b) = (keys[n], keys[n + 1]);
        let u = ease((time - a.time) / (b.time - a.time), eases[n][0], eases[n][1]);
        let (leaving, arriving) = (DIALLED_CONTROLS[n][1], DIALLED_CONTROLS[n + 1][0]);
        let got = turn_squad(a.value, leaving, arriving, b.value, b.turn, u);
        assert!(apart(got, expected) < 2e-7, "{time}: {got:?}");
    }
}

#[test]
fn a_turn_knows_whether_it_fits_its_keys() {
    let turn = |degrees: f64| Turn { angle: degrees.to_radians(), axis: [0.0, 1.0, 0.0] };
    for degrees in [0.0, 30.0, 200.0, 360.0, -450.0, 900.0] {
        let (from, to) = (turned(DVec3::X, 0.4), times(turned(DVec3::X, 0.4), about_y(degrees)));
        assert!(turn(degrees).fits(from, to) && turn(degrees).fits(negated(from), to), "{degrees}°");
        assert!(turn(degrees + 4.0).fits(from, to) && !turn(degrees + 6.0).fits(from, to), "{degrees}°");
    }
    let fits = |axis| Turn { angle: 1.0, axis }.fits(QUAT_IDENTITY, turned(DVec3::Y, 1.0));
    assert!(fits([0.0, 1.009, 0.0]) && !fits([0.0, 1.02, 0.0]) && !fits([0.0; 3]) && !fits([f64::NAN; 3]));
}

#[test]
fn a_whole_turn_that_does_not_fit_goes_the_shorter_way() {
    let (a, b) = (about_y(10.0), about_y(70.0));
    for turn in [
        Turn { angle: 2.5 * TAU, axis: [0.0, 1.0, 0.0] },
        Turn { angle: TAU, axis: [0.0; 3] },
        Turn { angle: f64::INFINITY, axis: [0.0, 1.0, 0.0] },
        Turn { angle: f64::NAN, axis: [0.0, 1.0, 0.0] },
    ] {
        for sign in [1.0, -1.0] {
            let end = b.map(|v| sign * v);
            assert!(quat_angle(turn_squad(a, a, end, end, turn, 0.5), about_y(40.0)) < 1e-14, "{turn:?}");
        }
    }
}

#[test]
fn every_input_gives_a_unit_quaternion() {
    for v in ODD {
        let q = [v, 0.5, v, -0.5];
        let keys: Vec<TcbRotationKey> = (0..3)
            .map(|n| TcbRotationKey {
                time: v * f64::from(n),
                value: q,
                turn: Turn { angle: 7.0, axis: [v, 0.0, 1.0] },
                tcb: Tcb { tension: v, continuity: 0.0, bias: v },
            })
            .collect();
        let handles = (0..4).map(|n| tcb_controls(&keys, n)).flat_map(|h| [h.arriving, h.leaving]);
        let blends = [0.0, 0.4, 1.0, -2.5, f64::NAN, f64::INFINITY].into_iter().flat_map(|u| {
            let one = QUAT_IDENTITY;
            let turn = |angle, axis| turn_squad(q, one, q, one, Turn { angle, axis }, u);
            [
                slerp_signed(q, one, u),
                squad(q, one, q, one, u),
                squad_signed(one, q, one, q, u),
                turn(v, [0.0, 0.0, 1.0]),
                turn(9.0, [v, 0.0, 1.0]),
            ]
        });
        for got in handles.chain(blends).chain([squad_control(Some(q), q, None)]) {
            assert!((length(got) - 1.0).abs() < 4e-15, "{v:e}: {got:?}");
        }
    }
}

#[test]
fn keys_that_are_not_there_have_the_identity_for_controls() {
    let none = TcbHandles { arriving: QUAT_IDENTITY, leaving: QUAT_IDENTITY };
    assert_eq!(tcb_controls(&[], 0), none);
    assert_eq!(tcb_controls(&dialled(), usize::MAX), none);
    let [first, ..] = dialled();
    assert!(apart(tcb_controls(&[first], 0).leaving, first.value) < 1e-7);
}

fn half_angle() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..3.1_f64, (0.0..200.0_f64).prop_map(|e| 10.0_f64.powf(-e))]
}

/// Angle of a key, whole turns included, from −3 to 5 turns.
fn any_angle() -> impl Strategy<Value = f64> {
    prop_oneof![-3.0 * TAU..5.0 * TAU, Just(TAU), Just(-TAU), Just(TAU - 1e-4), Just(0.0)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(2000)))]

    #[test]
    fn exponential_undoes_the_logarithm(q in rotation()) {
        prop_assert!((0..4).all(|n| (quat_exp(quat_log(q))[n] - q[n]).abs() <= 2e-15));
    }

    #[test]
    fn logarithm_is_half_the_angle_along_the_axis(axis in axis(), half in half_angle()) {
        let got = quat_log([axis.x * half.sin(), axis.y * half.sin(), axis.z * half.sin(), half.cos()]);
        prop_assert!((DVec3::from(got) - axis * half).length() <= 2e-15);
        let back = quat_exp((axis * half).to_array());
        // The length of the axis is rounded, too.
        prop_assert!((back[3] - half.cos()).abs() <= 4e-16 + 4e-16 * half);
    }

    #[test]
    fn slerp_signed_turns_at_constant_speed([a, b] in [rotation(), rotation()], u in 0.0..=1.0) {
        let sine = (1.0 - dot(a, b) * dot(a, b)).max(0.0).sqrt();
        prop_assume!(sine > 1e-3);
        prop_assert!(quat_angle(slerp_signed(a, b, u), arc(a, b, u)) <= 8e-15 / sine);
        prop_assert!((length(slerp_signed(a, b, u)) - 1.0).abs() <= 2e-15);
    }

    #[test]
    fn squad_is_the_formula_as_printed(q0 in rotation(), [step, s0, s1] in [small(3.0), small(0.6), small(0.6)], u in 0.0..=1.0) {
        let q1 = times(q0, step);
        let (s0, s1) = (times(q0, s0), times(q1, s1));
        let expected = arc(arc(q0, q1, u), arc(s0, s1, u), 2.0 * u * (1.0 - u));
        prop_assert!(quat_angle(squad_signed(q0, s0, s1, q1, u), expected) <= 3e-14);
    }

    #[test]
    fn signs_mean_nothing_to_squad([q0, q1] in [rotation(), rotation()], [s0, s1] in [small(0.6), small(0.6)], u in 0.0..=1.0, signs in any::<[bool; 4]>()) {
        prop_assume!(dot(q0, q1).abs() > 1e-3);
        let (s0, s1) = (times(q0, s0), times(q1, s1));
        let flipped = |q: [f64; 4], n: usize| if signs[n] { negated(q) } else { q };
        let got = squad(flipped(q0, 0), flipped(s0, 1), flipped(s1, 2), flipped(q1, 3), u);
        prop_assert!(quat_angle(got, squad(q0, s0, s1, q1, u)) <= 1e-13);
    }

    #[test]
    fn squad_is_exact_at_its_ends([q0, q1] in [rotation(), rotation()], [s0, s1] in [rotation(), rotation()]) {
        prop_assert!(quat_angle(squad(q0, s0, s1, q1, 0.0), q0) <= 4e-15);
        prop_assert!(quat_angle(squad(q0, s0, s1, q1, 1.0), q1) <= 4e-15);
    }

    /// The angular speed on both sides of a key, from small steps.
    #[test]
    fn authored_controls_pass_keys_smoothly(q in rotation(), [before, after] in [small(1.5), small(1.5)]) {
        let (p, n) = (times(q, before), times(q, after));
        let (cp, c, cn) = (squad_control(None, p, Some(q)), squad_control(Some(p), q, Some(n)), squad_control(Some(q), n, None));
        let d = 1e-5;
        let came = quat_log(times(DQuat::from_array(squad(p, cp, c, q, 1.0 - d)).conjugate().to_array(), q));
        let went = quat_log(times(DQuat::from_array(q).conjugate().to_array(), squad(q, c, cn, n, d)));
        let positive = |v: [f64; 3]| if DVec3::from(v).length() > FRAC_PI_2 { DVec3::ZERO } else { DVec3::from(v) };
        prop_assert!((positive(came) - positive(went)).length() / d <= 1e-3);
    }

    #[test]
    fn a_turn_ends_at_its_keys_and_never_jumps(q0 in rotation(), axis in axis(), angle in any_angle(), [s0, s1] in [small(0.5), small(0.5)], sign in any::<bool>()) {
        let end = times(q0, quat_exp((0.5 * angle * axis).to_array()));
        let q1 = if sign { negated(end) } else { end };
        let turn = Turn { angle, axis: axis.to_array() };
        let (s0, s1) = (times(q0, s0), times(q1, s1));
        let at = |u: f64| turn_squad(q0, s0, s1, q1, turn, u);
        prop_assert!(apart(at(0.0), q0) <= 1e-14 && apart(at(1.0), q1) <= 1e-14);
        let mut before = at(0.0);
        for n in 1..=2000 {
            let now = at(f64::from(n) / 2000.0);
            // Five turns in 2000 steps are 0.016 each, and controls may treble the pace.
            prop_assert!(quat_angle(before, now) <= 0.06, "step {}: {}", n, quat_angle(before, now));
            before = now;
        }
    }

    #[test]
    fn a_plain_turn_covers_its_whole_angle(q0 in rotation(), axis in axis(), angle in any_angle()) {
        // Controls that equal their keys leave only the turn itself, at an even pace below a whole turn.
        let q1 = times(q0, quat_exp((0.5 * angle * axis).to_array()));
        let turn = Turn { angle, axis: axis.to_array() };
        let mut covered = 0.0;
        let mut before = q0;
        for n in 1..=1000 {
            let now = turn_squad(q0, q0, q1, q1, turn, f64::from(n) / 1000.0);
            covered += quat_angle(before, now);
            before = now;
        }
        prop_assert!((covered - angle.abs()).abs() <= 1e-9 * angle.abs().max(1.0), "{} of {}", covered, angle);
    }

    #[test]
    fn dials_at_zero_and_even_times_are_the_authored_controls(q in rotation(), [before, after] in [small(2.5), small(2.5)]) {
        let values = [times(q, before), q, times(q, after)];
        let keys: Vec<TcbRotationKey> = (0..3)
            .map(|n| TcbRotationKey { time: n as f64, value: values[n], turn: Turn::default(), tcb: Tcb::default() })
            .collect();
        let handles = tcb_controls(&keys, 1);
        let authored = squad_control(Some(values[0]), q, Some(values[2]));
        prop_assert!(apart(handles.arriving, authored).max(apart(handles.leaving, authored)) <= 8e-15);
    }
}
