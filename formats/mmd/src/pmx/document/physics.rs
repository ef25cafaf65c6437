//! Bodies of the physics engine and the joints between them.

use super::header::{Index, Text};

/// A body of fixed shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidBody {
    /// Name.
    pub name: Text,
    /// Name in English.
    pub english_name: Text,
    /// The bone that moves with the body, or is moved by the body.
    pub bone: Index,
    /// Its collision group, 0..=15.
    pub group: u8,
    /// The groups colliding with the body, one bit each.
    pub mask: u16,
    /// 0 sphere, 1 box, 2 capsule.
    pub shape: u8,
    /// Radius; half the edges; or radius and height; in MikuMikuDance's units.
    pub size: [f32; 3],
    /// Position of the body, in model space.
    pub position: [f32; 3],
    /// Angles about X, Y and Z in radians, applied as Y·X·Z.
    pub rotation: [f32; 3],
    /// Mass.
    pub mass: f32,
    /// Share of velocity lost per second, 0..=1.
    pub linear_damping: f32,
    /// Share of angular velocity lost per second, 0..=1.
    pub angular_damping: f32,
    /// Bounciness, 0..=1.
    pub restitution: f32,
    /// Friction, 0..=1.
    pub friction: f32,
    /// 0 follows its bone, 1 moved by physics, 2 moved by physics but placed by its bone.
    pub mode: u8,
}

/// Joint of two rigid bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Name.
    pub name: Text,
    /// Name in English.
    pub english_name: Text,
    /// 0 six degrees of freedom with springs, the only kind of version 2.0; 1 without springs, 2 point to
    /// point, 3 cone twist, 4 slider, 5 hinge.
    pub kind: u8,
    /// The two bodies.
    pub bodies: [Index; 2],
    /// Position of the joint, in model space.
    pub position: [f32; 3],
    /// Angles about X, Y and Z in radians.
    pub rotation: [f32; 3],
    /// Lowest offsets, in MikuMikuDance's units.
    pub linear_min: [f32; 3],
    /// Highest offsets, in MikuMikuDance's units.
    pub linear_max: [f32; 3],
    /// Lowest angles in radians.
    pub angular_min_rad: [f32; 3],
    /// Highest angles in radians.
    pub angular_max_rad: [f32; 3],
    /// Strength of the springs along the axes.
    pub linear_spring: [f32; 3],
    /// Strength of the springs about the axes.
    pub angular_spring: [f32; 3],
}

/// A body that bends: cloth or rope. Version 2.1 only; the words are from the Bullet engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftBody {
    /// Name.
    pub name: Text,
    /// Name in English.
    pub english_name: Text,
    /// 0 mesh, 1 rope.
    pub shape: u8,
    /// The material whose triangles the body moves.
    pub material: Index,
    /// Its collision group, 0..=15.
    pub group: u8,
    /// The groups colliding with the body, one bit each.
    pub mask: u16,
    /// 1 makes bending links, 2 makes clusters, 4 randomises links.
    pub flags: u8,
    /// Distance of bending links.
    pub bending_distance: i32,
    /// Number of clusters.
    pub clusters: i32,
    /// Total mass.
    pub mass: f32,
    /// Collision margin.
    pub margin: f32,
    /// 0..=4: aerodynamics of points, or of one or two sides of vertices or faces.
    pub aero_model: i32,
    /// Bullet's VCF, DP, DG, LF, PR, VC, DF, MT, CHR, KHR, SHR and AHR.
    pub config: [f32; 12],
    /// Bullet's SRHR, SKHR, SSHR, SR_SPLT, SK_SPLT and SS_SPLT of clusters.
    pub cluster_config: [f32; 6],
    /// Bullet's V, P, D and C iterations.
    pub iterations: [i32; 4],
    /// Bullet's LST, AST and VST stiffness. Programs disagree whether the file has floats or integers; Bullet has floats.
    pub stiffness: [f32; 3],
    /// Vertices attached to rigid bodies.
    pub anchors: Vec<Anchor>,
    /// Vertices fixed to their bones.
    pub pins: Vec<u32>,
}

/// A vertex attached to a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// The body.
    pub body: Index,
    /// The vertex.
    pub vertex: u32,
    /// 1 if the vertex also collides with the rigid body.
    pub near: u8,
}
