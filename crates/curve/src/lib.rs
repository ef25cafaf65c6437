//! Interpolation laws of keyframe animation as pure functions over numbers.
//!
//! A segment of a curve runs from one key to the next. Every function here answers the same question: given
//! the values (and handles) of the two keys and the passed fraction `u` of the segment, which value does the
//! curve have? There are no scenes, tracks or files in this crate, nothing allocates, nothing panics, and
//! everything is computed in `f64`.
//!
//! The caller chooses the key with the applicable law, and decides about times before the first and after the
//! last key.
//!
//! | Law | Function | Programs and formats that use it |
//! |---|---|---|
//! | hold | [`step`] | glTF `STEP`, flags everywhere |
//! | straight line | [`lerp`] | glTF `LINEAR`, morph weights, MikuMikuDance camera angles |
//! | great circle | [`slerp`] | glTF `LINEAR` rotations, PlayCanvas, MikuMikuDance bones |
//! | chord of the circle | [`nlerp`] | players that blend quaternions component by component |
//! | cubic by slopes | [`hermite`], [`hermite_per_second`] | glTF `CUBICSPLINE`, Unity curves without weights |
//! | cubic by handles | [`bezier`] | authoring tools whose handles stand at a third of the time |
//! | cubic by slopes with weights | [`weighted_bezier`] | Unity curves with weights |
//! | slopes from dials | [`tcb_slopes`], [`tcb_controls`] | TCB keys of 3ds Max, MORE |
//! | spherical cubic | [`squad`], [`squad_signed`] | Bezier rotations of 3ds Max, MORE |
//! | counted turns | [`turn_squad`] | TCB rotations of 3ds Max, MORE |
//! | eased time | [`bezier_timing`] | MikuMikuDance bones and cameras |
//! | gentle start and stop | [`ease`](ease()) | TCB keys of 3ds Max, MORE |
//! | time that repeats | [`wrap_loop`], [`wrap_ping_pong`] | Unity wrap modes |
//!
//! Around the laws stand the descriptions of a rotation that animation files use instead of a
//! quaternion: Euler angles ([`EulerAxes`]), rotation vectors, matrices and two columns of one, a matrix as a rotation
//! and scales ([`decompose`]), and the camera that orbits a target ([`OrbitConvention`]).
//!
//! # Conventions
//!
//! * Quaternions are `[x, y, z, w]`, products are Hamilton products acting on column vectors: `a·b` turns
//!   by `b` first.
//! * Angles are in radians unless the name says degrees.
//! * Every bound stated on a function is asserted by a test of this crate. The tests measure against
//!   independent formulas, so the stated bounds include their rounding.
//!
//! # Example
//!
//! Half-way between two keys of a MikuMikuDance bone, eased by the curve of the later key:
//!
//! ```
//! use dopesheet_curve::{BezierTiming, bezier_timing, lerp, slerp};
//!
//! let ease = BezierTiming::from_bytes([64, 0, 64, 127]);
//! let eased = bezier_timing(&ease, 0.25);
//! assert!((eased - 0.104103).abs() < 1e-6);
//!
//! let height = lerp(8.0, 12.0, eased);
//! assert!((height - 8.416412).abs() < 1e-5);
//!
//! let quarter_turn = [0.0, 0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt()];
//! let turned = slerp([0.0, 0.0, 0.0, 1.0], quarter_turn, eased);
//! assert!((turned[1] - (eased * std::f64::consts::FRAC_PI_4).sin()).abs() < 1e-15);
//! ```
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod angle;
mod bezier;
mod bezier_timing;
mod ease;
mod eased_way;
mod euler;
mod hermite;
mod lerp;
mod logarithm;
mod matrix;
mod orbit;
mod packed_rotation;
mod quaternion;
mod short_rotation;
mod slerp;
mod squad;
mod step;
mod tcb;
mod tcb_rotation;
mod turn;
mod weighted_bezier;
mod wrap;

pub use angle::wrap_angle;
pub use bezier::bezier;
pub use bezier_timing::{BezierTiming, TimingPoint, bezier_timing, bezier_timing_at, split_bezier_timing};
pub use ease::ease;
pub use eased_way::{Arch, EasedWay};
pub use euler::{
    EULER_YXZ, EULER_ZYX, EulerAxes, euler_bend, euler_from_quat, nearest_equivalent_euler,
    nearest_equivalent_zyx_degrees, quat_from_euler, quat_from_euler_degrees_zyx,
};
pub use hermite::{hermite, hermite_per_second, hermite_slope, hermite_weights};
pub use lerp::lerp;
pub use logarithm::{quat_exp, quat_from_rotation_vector, quat_log, rotation_vector_from_quat};
pub use matrix::{
    decompose, matrix_from_quat, quat_from_matrix, quat_from_two_columns, two_columns_from_quat,
};
pub use orbit::OrbitConvention;
pub use packed_rotation::{
    SHORT_SECONDS, number_from_short, number_to_short, quat_from_32, quat_from_48, quat_to_32, quat_to_48,
    round_half_up, seconds_from_short, seconds_to_short,
};
pub use quaternion::{
    QUAT_IDENTITY, QUAT_MIN_LENGTH, quat_angle, quat_inverse, quat_normalise, quat_normalise_above,
    quat_normalise_or_identity, quat_product, quat_rotate,
};
pub use short_rotation::{
    SHORT_ONE, quat_from_shorts, quat_from_three, quat_three_of, quat_to_shorts, quat_to_three,
    three_fineness,
};
pub use slerp::{GreatArc, nlerp, slerp};
pub use squad::{squad, squad_control, squad_signed};
pub use step::step;
pub use tcb::{Tcb, TcbHandles, TcbKey, tcb_slopes};
pub use tcb_rotation::{TcbRotationKey, tcb_controls};
pub use turn::{Turn, turn_squad};
pub use weighted_bezier::{WeightedEnd, split_weighted_bezier, weighted_bezier};
pub use wrap::{repeat, wrap_loop, wrap_ping_pong};
