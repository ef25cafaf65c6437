//! Bodies of the SMPL family, and the joints of HumanML3D.

use super::super::array::Array;
use super::super::document::Document;
use super::super::info::ID;
use super::super::layout::Z_UP;
use super::super::smpl::{BODY_JOINTS, SmplJoint, joints};
use super::super::to_scene::upright;
use super::frames::Frames;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::model::{Clip, HumanBone, Scene};
use dopesheet_core::words::{agreeing, counted};
use dopesheet_curve::rotation_vector_from_quat;
use glam::{DQuat, DVec3};
use serde_json::Value;

/// Number of shape parameters of a body in AMASS.
const BETAS: usize = 16;

/// The joints of a body, and for each the node of the figure that is its bone.
struct Seats {
    joints: Vec<SmplJoint>,
    nodes: Vec<Option<usize>>,
}

impl Seats {
    fn of(scene: &Scene, count: usize, report: &mut Report) -> Result<Self, ConvertError> {
        let refused = |what: &str| ConvertError::new(ID, ConvertErrorKind::Unsupported(what.to_owned()));
        let joints = joints(count).ok_or_else(|| refused("there is no body with that many joints"))?;
        let humanoid = scene.humanoid.as_ref().filter(|humanoid| humanoid.missing().is_empty());
        let humanoid = humanoid
            .ok_or_else(|| refused("it only holds the motion of a human figure, and the scene has none"))?;
        let node =
            |joint: &SmplJoint| joint.bone.and_then(|bone| humanoid.bones.get(&bone)).map(|node| node.0);
        let nodes: Vec<Option<usize>> = joints.iter().map(node).collect();
        let still = joints.iter().zip(&nodes).filter(|(_, node)| node.is_none());
        let still: Vec<&str> = still.map(|(joint, _)| joint.name.as_str()).collect();
        if !still.is_empty() {
            report.dropped(
                format!(
                    "the motion of {} ({}), which {}",
                    counted(still.len(), "joint"),
                    shortened(&still),
                    agreeing(still.len(), "rests", "rest")
                ),
                "the figure has no such bones",
            );
        }
        let known: Vec<HumanBone> = joints.iter().filter_map(|joint| joint.bone).collect();
        let lost: Vec<&str> =
            humanoid.bones.keys().filter(|bone| !known.contains(bone)).map(|bone| bone.word()).collect();
        if !lost.is_empty() {
            report.dropped(
                format!("the motion of {} ({})", counted(lost.len(), "bone"), shortened(&lost)),
                format!("a body with {count} joints lacks them"),
            );
        }
        Ok(Self { joints, nodes })
    }
}

/// The first of some names.
fn shortened(names: &[&str]) -> String {
    match names {
        [first, second, third, _, ..] => format!("{first}, {second}, {third} …"),
        _ => names.join(", "),
    }
}

/// A body as AMASS has it.
pub(super) fn smpl(
    scene: &Scene,
    clip: &Clip,
    frames: &Frames<'_>,
    count: usize,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let seats = Seats::of(scene, count, report)?;
    let lying = upright(&Z_UP).inverse();
    let (mut poses, mut gone) = (Vec::new(), Vec::new());
    for frame in 0..frames.count {
        for (joint, node) in seats.nodes.iter().enumerate() {
            let local = node.map(|node| frames.local(node, frame));
            let rotation = local.map_or(DQuat::IDENTITY, |local| DQuat::from_array(local.rotation));
            let turned = if joint == 0 { lying * rotation } else { rotation };
            poses.extend(rotation_vector_from_quat(turned.to_array()));
            if let (0, Some(local)) = (joint, local) {
                gone.extend((lying * DVec3::from(local.translation)).to_array());
            }
        }
    }
    let notes = clip.source.as_ref().filter(|notes| notes["format"] == ID);
    let gender = notes.and_then(|notes| notes["gender"].as_str()).unwrap_or("neutral");
    let stated = notes.and_then(|notes| notes["betas"].as_array());
    let betas = match stated {
        Some(betas) => betas.iter().filter_map(Value::as_f64).collect(),
        None => vec![0.0; BETAS],
    };
    if stated.is_none() {
        report.dropped(
            "lengths of bones",
            "the shape parameters of a body belong to its own model; those of the mean are written",
        );
    }
    let rate = if count == 55 { "mocap_frame_rate" } else { "mocap_framerate" };
    Ok(Document::of_arrays([
        ("poses".to_owned(), Array::f64s(&[frames.count, 3 * count], poses)),
        ("trans".to_owned(), Array::f64s(&[frames.count, 3], gone)),
        ("betas".to_owned(), Array::f64s(&[betas.len()], betas)),
        ("gender".to_owned(), Array::texts(&[], &[gender])),
        (rate.to_owned(), Array::f64s(&[], [frames.rate.fps()])),
    ]))
}

/// Positions of the joints of HumanML3D. A joint that the figure lacks has the position of its parent.
pub(super) fn humanml3d(
    scene: &Scene,
    frames: &Frames<'_>,
    report: &mut Report,
) -> Result<Array, ConvertError> {
    let seats = Seats::of(scene, BODY_JOINTS, report)?;
    let mut numbers = Vec::with_capacity(3 * BODY_JOINTS * frames.count);
    for frame in 0..frames.count {
        let places = frames.places(frame);
        let mut own: Vec<DVec3> = Vec::with_capacity(BODY_JOINTS);
        for (joint, node) in seats.joints.iter().zip(&seats.nodes) {
            let above = joint.parent.and_then(|parent| own.get(parent)).copied().unwrap_or_default();
            own.push(node.and_then(|node| places.get(node)).copied().unwrap_or(above));
        }
        numbers.extend(own.iter().flat_map(|place| place.as_vec3().to_array()));
    }
    Ok(Array::f32s(&[frames.count, BODY_JOINTS, 3], numbers))
}
