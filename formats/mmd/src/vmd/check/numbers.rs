//! Values of keys.

use super::DocumentCheck;
use super::faults::fault_in_list;
use crate::rotation::REMARKABLE;
use crate::vmd::codes;
use crate::vmd::document::Section::{Bones, Cameras, Lights, Models, Morphs, Shadows};
use crate::vmd::layout::{Field, bone, camera, light, model, morph, shadow};

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    nonfinite(look);
    let is_odd = |weight: f32| weight.is_finite() && !(0.0..=1.0).contains(&weight);
    for (at, key) in document.morphs.iter().enumerate().filter(|(_, key)| is_odd(key.weight)) {
        let what = || ("0 to 1", format!("{} ({}, frame {})", key.weight, key.name, key.frame));
        look.say(codes::MORPH_WEIGHT, Morphs, at, morph::WEIGHT, what);
    }
    rotations(look);
    for (at, key) in document.cameras.iter().enumerate().filter(|(_, key)| !(1..=180).contains(&key.fov_deg))
    {
        let what = || ("1° to 180°", format!("{}°", key.fov_deg));
        look.say(codes::FOV, Cameras, at, camera::FOV, what);
    }
    for (at, _) in document.lights.iter().enumerate().filter(|(_, key)| key.direction == [0.0; 3]) {
        look.say(codes::LIGHT_DIRECTION, Lights, at, light::DIRECTION, || ("a direction", "0, 0, 0"));
    }
    let shadows = || document.shadows.iter().enumerate();
    for (at, key) in shadows().filter(|(_, key)| key.mode > 2) {
        look.say(codes::SHADOW_MODE, Shadows, at, shadow::MODE, || ("0, 1 or 2", key.mode.to_string()));
    }
    let panel = |distance: f32| ((0.1 - f64::from(distance)) * 100_000.0).round();
    let is_odd = |distance: f32| distance.is_finite() && !(0.0..=9999.0).contains(&panel(distance));
    for (at, key) in shadows().filter(|(_, key)| is_odd(key.distance)) {
        let what = || ("0.00001 to 0.1", key.distance.to_string());
        look.say(codes::SHADOW_DISTANCE, Shadows, at, shadow::DISTANCE, what);
    }
    flags(look);
}

fn nonfinite(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let mut finite = |section, at, field: Field, numbers: &[f32]| {
        if numbers.iter().any(|number| !number.is_finite()) {
            let listed = || numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(", ");
            look.say(codes::NONFINITE, section, at, field, || ("finite numbers", listed()));
        }
    };
    for (at, key) in document.bones.iter().enumerate() {
        finite(Bones, at, bone::TRANSLATION, &key.translation);
        finite(Bones, at, bone::ROTATION, &key.rotation);
    }
    for (at, key) in document.morphs.iter().enumerate() {
        finite(Morphs, at, morph::WEIGHT, &[key.weight]);
    }
    for (at, key) in document.cameras.iter().enumerate() {
        finite(Cameras, at, camera::DISTANCE, &[key.distance]);
        finite(Cameras, at, camera::TARGET, &key.target);
        finite(Cameras, at, camera::ANGLES, &key.angles);
    }
    for (at, key) in document.lights.iter().enumerate() {
        finite(Lights, at, light::COLOR, &key.color);
        finite(Lights, at, light::DIRECTION, &key.direction);
    }
    for (at, key) in document.shadows.iter().enumerate() {
        finite(Shadows, at, shadow::DISTANCE, &[key.distance]);
    }
}

fn rotations(look: &mut DocumentCheck<'_>) {
    let bones = look.document.bones.iter().enumerate();
    for (at, key) in bones.clone().filter(|(_, key)| key.rotation == [0.0; 4]) {
        let what = || ("a rotation", format!("0, 0, 0, 0 ({}, frame {})", key.name, key.frame));
        look.say(codes::ZERO_QUATERNION, Bones, at, bone::ROTATION, what);
    }
    for (at, key) in bones {
        let length = key.rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        if length.is_finite() && length > 0.0 && (length - 1.0).abs() > REMARKABLE {
            let actual = || format!("length {length:.6} ({}, frame {})", key.name, key.frame);
            let what = || ("a rotation of length 1", actual());
            look.say(codes::QUATERNION_NORM, Bones, at, bone::ROTATION, what);
        }
    }
}

fn flags(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let what = |byte: u8| ("0 or 1", byte.to_string());
    for (at, key) in document.cameras.iter().enumerate().filter(|(_, key)| key.perspective_off > 1) {
        look.say(codes::FLAG_BYTE, Cameras, at, camera::PERSPECTIVE, || what(key.perspective_off));
    }
    for (at, key) in document.models.iter().enumerate() {
        if key.visible > 1 {
            look.say(codes::FLAG_BYTE, Models, at, model::VISIBLE, || what(key.visible));
        }
        for (entry, switch) in key.ik.iter().enumerate().filter(|(_, switch)| switch.enabled > 1) {
            let fault = || fault_in_list(document, at, entry, model::ENABLED, what(switch.enabled));
            look.seen.add(codes::FLAG_BYTE, fault);
        }
    }
}
