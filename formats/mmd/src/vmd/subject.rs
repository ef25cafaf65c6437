//! The key that a finding is about.

use super::document::{Document, Section};
use super::layout::{bone, camera, light, shadow};
use super::targets;
use dopesheet_core::diag::{Fault, Subject};
use dopesheet_core::units::FrameRate;

/// Fields of keys, and their channels in a scene. A field without a channel concerns all channels.
const BONE: [(&str, &str); 2] = [(bone::TRANSLATION.name, "translation"), (bone::ROTATION.name, "rotation")];
const CAMERA: [(&str, &str); 5] = [
    (camera::DISTANCE.name, "distance"),
    (camera::TARGET.name, "target"),
    (camera::ANGLES.name, "angles_rad"),
    (camera::FOV.name, targets::FOV_DEG),
    (camera::PERSPECTIVE.name, "orthographic"),
];
const LIGHT: [(&str, &str); 2] = [(light::COLOR.name, "color"), (light::DIRECTION.name, "direction")];
const SHADOW: [(&str, &str); 2] =
    [(shadow::MODE.name, targets::SHADOW_MODE), (shadow::DISTANCE.name, targets::SHADOW_DISTANCE)];

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    let (section, key) =
        Section::ALL.into_iter().find_map(|section| Some((section, fault.position_in(section.word())?)))?;
    let field = fault.path.rsplit('.').next().unwrap_or_default();
    let channel = |all: &[(&str, &'static str)]| all.iter().find(|row| row.0 == field).map(|row| row.1);
    let subject = match section {
        Section::Bones => Subject::target(document.bones.get(key)?.name.text()).channel(channel(&BONE)),
        Section::Morphs => Subject::target(document.morphs.get(key)?.name.text()).channel(Some("weight")),
        Section::Cameras => Subject::target(targets::CAMERA).channel(channel(&CAMERA)),
        Section::Lights => Subject::target(targets::LIGHT).channel(channel(&LIGHT)),
        Section::Shadows => Subject::target(targets::SHADOW).channel(channel(&SHADOW)),
        Section::Models => {
            let switches = &document.models.get(key)?.ik;
            match fault.position_in("IK bones").and_then(|switch| switches.get(switch)) {
                Some(switch) => Subject::target(format!("{}{}", targets::IK_PREFIX, switch.bone().text()))
                    .channel(Some("enabled")),
                None => Subject::target(targets::MODEL).channel(Some("visible")),
            }
        }
    };
    let frame = document.frames(section).nth(key)?;
    Some(subject.at(Some(FrameRate::FPS_30.seconds(f64::from(frame)))))
}
