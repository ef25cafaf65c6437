//! Values of keys.

use super::faults::{CheckedKeys, fault_in, fault_in_list, listed};
use super::{CheckFn, Subject};
use crate::rotation::REMARKABLE;
use crate::vmd::codes;
use crate::vmd::document::Section::{Bones, Cameras, Lights, Models, Morphs, Shadows};
use crate::vmd::document::{BoneKeyframe, CameraKeyframe, LightKeyframe, MorphKeyframe, ShadowKeyframe};
use crate::vmd::layout::{Field, bone, camera, light, model, morph, shadow};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[
    nonfinite,
    morph_weight,
    zero_quaternion,
    quaternion_norm,
    fov,
    light_direction,
    shadow_mode,
    shadow_distance,
    flag_byte,
];

fn nonfinite(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let mut sightings = Sightings::of(codes::NONFINITE);
    let mut look = |section, index, field: Field, numbers: &[f32]| {
        if numbers.iter().any(|number| !number.is_finite()) {
            let what = ("finite numbers", listed(numbers));
            sightings.add(|| fault_in(document, section, index, field, what));
        }
    };
    for (index, key) in document.bones.iter().enumerate() {
        look(Bones, index, bone::TRANSLATION, &key.translation);
        look(Bones, index, bone::ROTATION, &key.rotation);
    }
    for (index, key) in document.morphs.iter().enumerate() {
        look(Morphs, index, morph::WEIGHT, &[key.weight]);
    }
    for (index, key) in document.cameras.iter().enumerate() {
        look(Cameras, index, camera::DISTANCE, &[key.distance]);
        look(Cameras, index, camera::TARGET, &key.target);
        look(Cameras, index, camera::ANGLES, &key.angles);
    }
    for (index, key) in document.lights.iter().enumerate() {
        look(Lights, index, light::COLOR, &key.color);
        look(Lights, index, light::DIRECTION, &key.direction);
    }
    for (index, key) in document.shadows.iter().enumerate() {
        look(Shadows, index, shadow::DISTANCE, &[key.distance]);
    }
    sightings.report(report);
}

fn morph_weight(subject: &Subject<'_>, report: &mut Report) {
    let keys = CheckedKeys { subject, all: &subject.document.morphs, section: Morphs, field: morph::WEIGHT };
    let is_odd = |key: &MorphKeyframe| key.weight.is_finite() && !(0.0..=1.0).contains(&key.weight);
    let actual = |key: &MorphKeyframe| format!("{} ({}, frame {})", key.weight, key.name, key.frame);
    keys.each(report, codes::MORPH_WEIGHT, is_odd, ("0 to 1", actual));
}

fn rotations<'a>(subject: &'a Subject<'_>) -> CheckedKeys<'a, BoneKeyframe> {
    CheckedKeys { subject, all: &subject.document.bones, section: Bones, field: bone::ROTATION }
}

fn zero_quaternion(subject: &Subject<'_>, report: &mut Report) {
    let is_odd = |key: &BoneKeyframe| key.rotation == [0.0; 4];
    let actual = |key: &BoneKeyframe| format!("0, 0, 0, 0 ({}, frame {})", key.name, key.frame);
    rotations(subject).each(report, codes::ZERO_QUATERNION, is_odd, ("a rotation", actual));
}

fn quaternion_norm(subject: &Subject<'_>, report: &mut Report) {
    let length = |key: &BoneKeyframe| key.rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    let is_odd = |key: &BoneKeyframe| {
        let length = length(key);
        length.is_finite() && length > 0.0 && (length - 1.0).abs() > REMARKABLE
    };
    let actual =
        |key: &BoneKeyframe| format!("length {:.6} ({}, frame {})", length(key), key.name, key.frame);
    rotations(subject).each(report, codes::QUATERNION_NORM, is_odd, ("a rotation of length 1", actual));
}

fn fov(subject: &Subject<'_>, report: &mut Report) {
    let keys = CheckedKeys { subject, all: &subject.document.cameras, section: Cameras, field: camera::FOV };
    let is_odd = |key: &CameraKeyframe| !(1..=180).contains(&key.fov_deg);
    keys.each(report, codes::FOV, is_odd, ("1° to 180°", |key| format!("{}°", key.fov_deg)));
}

fn light_direction(subject: &Subject<'_>, report: &mut Report) {
    let keys =
        CheckedKeys { subject, all: &subject.document.lights, section: Lights, field: light::DIRECTION };
    let is_odd = |key: &LightKeyframe| key.direction == [0.0; 3];
    keys.each(report, codes::LIGHT_DIRECTION, is_odd, ("a direction", |_| "0, 0, 0".to_owned()));
}

fn shadow_mode(subject: &Subject<'_>, report: &mut Report) {
    let keys = CheckedKeys { subject, all: &subject.document.shadows, section: Shadows, field: shadow::MODE };
    keys.each(report, codes::SHADOW_MODE, |key| key.mode > 2, ("0, 1 or 2", |key| key.mode.to_string()));
}

fn shadow_distance(subject: &Subject<'_>, report: &mut Report) {
    let keys =
        CheckedKeys { subject, all: &subject.document.shadows, section: Shadows, field: shadow::DISTANCE };
    let is_odd = |key: &ShadowKeyframe| {
        let panel = ((0.1 - f64::from(key.distance)) * 100_000.0).round();
        key.distance.is_finite() && !(0.0..=9999.0).contains(&panel)
    };
    keys.each(report, codes::SHADOW_DISTANCE, is_odd, ("0.00001 to 0.1", |key| key.distance.to_string()));
}

fn flag_byte(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let mut sightings = Sightings::of(codes::FLAG_BYTE);
    let what = |byte: u8| ("0 or 1", byte.to_string());
    for (index, key) in document.cameras.iter().enumerate().filter(|(_, key)| key.perspective_off > 1) {
        sightings.add(|| fault_in(document, Cameras, index, camera::PERSPECTIVE, what(key.perspective_off)));
    }
    for (index, key) in document.models.iter().enumerate() {
        if key.visible > 1 {
            sightings.add(|| fault_in(document, Models, index, model::VISIBLE, what(key.visible)));
        }
        for (entry, switch) in key.ik.iter().enumerate().filter(|(_, switch)| switch.enabled > 1) {
            sightings.add(|| fault_in_list(document, index, entry, model::ENABLED, what(switch.enabled)));
        }
    }
    sightings.report(report);
}
