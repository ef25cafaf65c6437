//! The common model: the contents of a file after interpretation by the rules of its format.
//!
//! A motion and a model are both a [`Scene`]. Lengths are in the unit of the scene's [`Basis`], times in seconds,
//! angles in radians, rotations unit quaternions x y z w relative to the parent.

mod basis;
mod camera;
mod channel;
mod clip;
mod columns;
mod curve;
mod english;
mod hand;
mod humanoid;
mod index;
mod key_times;
mod light;
mod mesh;
mod node;
mod rebase;
mod rig;
mod scene;
mod transform;
mod weighted_key;

pub use basis::{Axis, Basis};
pub use camera::{Camera, Lens};
pub use channel::{Channel, Composition, EulerOrder, Native, Orbit, Property, ValueKind};
pub use clip::{Clip, Looping, Marker, PoseRelation, SolvedChannel, Target, TargetKind, Track};
pub use curve::{Blend, Curve, Handles, InvalidCurve, JumpSide, Law, Laws, Outside, Timing, Weighted};
pub use english::EnglishNames;
pub use hand::{HAND_JOINTS, HandJointNames, plain_name};
pub use humanoid::{Expression, HumanBone, Humanoid, LookAt, PRESET_EXPRESSIONS};
pub use index::NodeIndex;
pub use key_times::Times;
pub use light::{Light, LightKind};
pub use mesh::{
    AlphaMode, Image, ImageIndex, Material, MaterialImage, MaterialIndex, Mesh, MorphDelta, MorphSet,
    MorphSetIndex, NormalMap, Primitive, Skin, SkinIndex, VertexJoints,
};
pub use node::{CameraIndex, LightIndex, MeshIndex, Node};
pub use rebase::{Rebase, rebase};
pub use rig::{AngleLimit, Append, IkChain, IkLink, JointOffset, MorphEffect, Rig, RigJoint, RigMorph};
pub use scene::{Hierarchy, RestPose, Scene};
pub use transform::Transform;
pub use weighted_key::{WeightedKey, curve_of_weighted_keys, weighted_keys};
