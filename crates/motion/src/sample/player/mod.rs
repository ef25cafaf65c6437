//! The player: clips compiled once, then sampled at any time without allocating.
//!
//! A [`CompiledClip`] gives the values of [`channel_at`](crate::sample::channel_at()) and
//! [`local_pose`](crate::sample::pose::local_pose()) in f32. Nothing is resampled: it holds the keys of its source, and every
//! law stays the law it is. With `V` the largest magnitude among a channel's keys, rest value and tangents times their
//! segment, the results differ from the reference by at most
//!
//! * 1e-6 radians for rotations,
//! * 1e-6·V in each component for everything else.
//!
//! Times are counted from a key, in f64, before anything is rounded to f32, so the bounds hold after hours too.
//! Where a Bezier timing is vertical (control bytes 127, ·, 0, ·) a law itself tells no more than
//! [`bezier_timing`](dopesheet_curve::bezier_timing()) says.
//!
//! A channel is played by what it is:
//!
//! | Channel | Played as |
//! |---|---|
//! | the same at all keys | a constant |
//! | lerp, slerp, nlerp, Hermite, with the key times of others and no timings | rows of keys, eight curves at once |
//! | the same with key times of its own, with timings, or with steps | eight curves at once, whose segments are kept between samples |
//! | rotations of four numbers that move by themselves, straight or as cubics | as above, then made unit quaternions |
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

mod block;
mod clip;
mod compile;
mod curve;
mod exact;
mod key_times;
mod outputs;
mod own;
mod pose;
mod shared;
mod slerp;
mod timing_code;

pub use super::policy::{LoopingPolicy, Policies, RoundingPolicy};
pub use clip::{CompiledClip, Cursor, PlayedLaw};
pub use outputs::Slot;
pub use pose::{JointTransform, SoaPose};
