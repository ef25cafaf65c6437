//! Clips made ready to be played: compiled once, then sampled at any time without allocating.
//!
//! A [`CompiledClip`] gives the values of [`channel_at`](crate::sample::channel_at()) and
//! [`local_pose`](crate::sample::pose::local_pose()) in f32. Nothing is resampled: it holds the keys of its source, and every law
//! stays the law it is. With `V` the largest magnitude among a channel's keys, rest value and tangents times their
//! segment, the results differ from the reference by at most
//!
//! * 1e-6 radians for rotations,
//! * 1e-6·V in each component for everything else.
//!
//! Times are counted from a curve's key, in f64, before anything is rounded to f32, so the bounds hold after hours too.
//! Where a Bezier timing is vertical (control bytes 127, ·, 0, ·) a law itself tells no more than
//! [`bezier_timing`](dopesheet_curve::bezier_timing()) says.
//!
//! How a channel is played depends on what it is:
//!
//! | Channel | Played as |
//! |---|---|
//! | the same at all keys | a constant |
//! | step, lerp, slerp, nlerp with the keys of many others | rows of keys, eight channels at once |
//! | the same with keys of its own, eased or not; Hermite | lanes, eight at once, whose segments are kept between samples |
//! | all else: repetitions, squad, Euler angles, orbits … | the reference evaluator |
//!
//! ```
//! use dopesheet_core::model::{Basis, Clip, Node, Scene, Transform};
//! use dopesheet_core::units::Seconds;
//! use dopesheet_motion::sample::player::{CompiledClip, Policies};
//!
//! let mut scene = Scene::new(Basis::GLTF);
//! scene.push_node(Node::new("hips", None, Transform::IDENTITY));
//! let clip = CompiledClip::new(&scene, &Clip::default());
//! let (mut cursor, mut pose) = (clip.cursor(), clip.pose());
//! clip.sample(Seconds(0.5), Policies::default(), &mut cursor, &mut pose);
//! assert_eq!(pose.joint(0).map(|joint| joint.scale), Some([1.0; 3]));
//! ```

mod arc;
mod batch;
mod clip;
mod compile;
mod exact;
mod fill;
mod gathered;
mod keyed;
mod knots;
mod lanes;
mod output;
mod piece;
mod rows;
mod timing;
mod wanted;

pub use super::policy::{LoopingPolicy, Policies, RoundingPolicy};
pub use batch::Job;
pub use clip::{CompiledClip, Cursor, PlayedLaw, Slot};
pub use output::{JointTransform, SoaPose};
