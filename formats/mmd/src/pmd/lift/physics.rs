//! Rigid bodies and joints.

use super::fields::{index, text};
use crate::pmd::document::{Document, Joint, RigidBody};
use crate::pmx;

pub(super) fn rigid_bodies(document: &Document) -> Vec<pmx::RigidBody> {
    document.rigid_bodies.iter().flatten().map(|body| rigid_body(document, body)).collect()
}

/// Positions become positions in the model. A body without a bone is placed relative to the first bone
/// (Blender's MMD tools).
fn rigid_body(document: &Document, body: &RigidBody) -> pmx::RigidBody {
    let head = document.bones.get(body.bone.get().unwrap_or(0)).map_or([0.0; 3], |bone| bone.head);
    let [x, y, z] = body.position;
    pmx::RigidBody {
        name: text(&body.name),
        english_name: pmx::Text::default(),
        bone: index(body.bone),
        group: body.group,
        mask: body.mask,
        shape: body.shape,
        size: body.size,
        position: [x + head[0], y + head[1], z + head[2]],
        rotation: body.rotation,
        mass: body.mass,
        linear_damping: body.linear_damping,
        angular_damping: body.angular_damping,
        restitution: body.restitution,
        friction: body.friction,
        mode: body.mode,
    }
}

pub(super) fn joints(document: &Document) -> Vec<pmx::Joint> {
    document.joints.iter().flatten().map(joint).collect()
}

fn joint(joint: &Joint) -> pmx::Joint {
    let body = |position: u32| usize::try_from(position).map_or(pmx::Index::NONE, pmx::Index::of);
    pmx::Joint {
        name: text(&joint.name),
        english_name: pmx::Text::default(),
        kind: 0,
        bodies: joint.bodies.map(body),
        position: joint.position,
        rotation: joint.rotation,
        linear_min: joint.linear_min,
        linear_max: joint.linear_max,
        angular_min_rad: joint.angular_min_rad,
        angular_max_rad: joint.angular_max_rad,
        linear_spring: joint.linear_spring,
        angular_spring: joint.angular_spring,
    }
}
