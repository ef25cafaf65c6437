//! Facts without a place in a scene, as notes on the model's node.

use super::numbers::dropped;
use crate::pmx::document::{Document, FrameElement, Index, Joint, RigidBody, SoftBody};
use dopesheet_core::diag::Report;
use dopesheet_core::words::counted;
use serde_json::{Map, Value, json};

/// Reports parts kept in the notes only.
pub(super) fn report_losses(document: &Document, report: &mut Report) {
    let why = "a scene has no physics; the notes of the model's node describe it";
    let soft = document.soft_bodies.as_ref().map_or(0, Vec::len);
    let counts = [(document.rigid_bodies.len(), "rigid body"), (soft, "soft body")];
    for (count, noun) in counts.into_iter().filter(|(count, _)| *count > 0) {
        report.dropped(counted(count, noun), why);
    }
    dropped(report, document.joints.len(), "physics joint", why);
}

/// Notes on the model as a whole; `None` if they would be empty.
pub(super) fn model(document: &Document) -> Option<Value> {
    let mut notes = Map::new();
    for (key, text) in [
        ("english_name", &document.english_name),
        ("comment", &document.comment),
        ("english_comment", &document.english_comment),
    ] {
        if !text.0.is_empty() {
            notes.insert(key.into(), document.text(text).into());
        }
    }
    let mut list = |key: &str, values: Vec<Value>| {
        if !values.is_empty() {
            notes.insert(key.into(), values.into());
        }
    };
    list(
        "display_frames",
        document.display_frames.iter().map(|frame| display_frame(document, frame)).collect(),
    );
    list("rigid_bodies", document.rigid_bodies.iter().map(|body| rigid_body(document, body)).collect());
    list("joints", document.joints.iter().map(|stored| joint(document, stored)).collect());
    list(
        "soft_bodies",
        document.soft_bodies.iter().flatten().map(|body| soft_body(document, body)).collect(),
    );
    if notes.is_empty() {
        return None;
    }
    notes.insert("format".into(), super::ID.into());
    Some(notes.into())
}

/// A position in a list of the file, or null.
fn position(index: Index) -> Value {
    index.get().map_or(Value::Null, Value::from)
}

fn display_frame(document: &Document, frame: &crate::pmx::document::DisplayFrame) -> Value {
    let element = |element: &FrameElement| match element {
        FrameElement::Bone(bone) => json!({ "bone": position(*bone) }),
        FrameElement::Morph(morph) => json!({ "morph": position(*morph) }),
    };
    json!({
        "name": document.text(&frame.name),
        "english_name": document.text(&frame.english_name),
        "special": frame.special,
        "elements": frame.elements.iter().map(element).collect::<Value>(),
    })
}

fn rigid_body(document: &Document, body: &RigidBody) -> Value {
    json!({
        "name": document.text(&body.name),
        "english_name": document.text(&body.english_name),
        "bone": position(body.bone),
        "group": body.group,
        "mask": body.mask,
        "shape": body.shape,
        "size": body.size,
        "position": body.position,
        "rotation": body.rotation,
        "mass": body.mass,
        "linear_damping": body.linear_damping,
        "angular_damping": body.angular_damping,
        "restitution": body.restitution,
        "friction": body.friction,
        "mode": body.mode,
    })
}

fn joint(document: &Document, joint: &Joint) -> Value {
    json!({
        "name": document.text(&joint.name),
        "english_name": document.text(&joint.english_name),
        "type": joint.kind,
        "bodies": joint.bodies.map(position),
        "position": joint.position,
        "rotation": joint.rotation,
        "linear_min": joint.linear_min,
        "linear_max": joint.linear_max,
        "angular_min": joint.angular_min_rad,
        "angular_max": joint.angular_max_rad,
        "linear_spring": joint.linear_spring,
        "angular_spring": joint.angular_spring,
    })
}

fn soft_body(document: &Document, body: &SoftBody) -> Value {
    let anchor = |anchor: &crate::pmx::document::Anchor| json!({ "body": position(anchor.body), "vertex": anchor.vertex, "near": anchor.near });
    json!({
        "name": document.text(&body.name),
        "english_name": document.text(&body.english_name),
        "shape": body.shape,
        "material": position(body.material),
        "group": body.group,
        "mask": body.mask,
        "flags": body.flags,
        "bending_distance": body.bending_distance,
        "clusters": body.clusters,
        "mass": body.mass,
        "margin": body.margin,
        "aero_model": body.aero_model,
        "config": body.config,
        "cluster_config": body.cluster_config,
        "iterations": body.iterations,
        "stiffness": body.stiffness,
        "anchors": body.anchors.iter().map(anchor).collect::<Value>(),
        "pins": body.pins,
    })
}
