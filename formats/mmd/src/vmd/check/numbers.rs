//! Values of keys.

use super::faults::{fault_in, fault_in_list, listed};
use super::{CheckFn, Subject};
use crate::rotation::REMARKABLE;
use crate::vmd::codes;
use crate::vmd::document::Section::{Bones, Cameras, Lights, Models, Morphs, Shadows};
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
    let mut sightings = Sightings::of(codes::MORPH_WEIGHT);
    for (index, key) in subject.document.morphs.iter().enumerate() {
        if key.weight.is_finite() && !(0.0..=1.0).contains(&key.weight) {
            let what = ("0 to 1", format!("{} ({}, frame {})", key.weight, key.name, key.frame));
            sightings.add(|| fault_in(subject.document, Morphs, index, morph::WEIGHT, what));
        }
    }
    sightings.report(report);
}

fn zero_quaternion(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::ZERO_QUATERNION);
    for (index, key) in subject.document.bones.iter().enumerate() {
        if key.rotation == [0.0; 4] {
            let found = || format!("0, 0, 0, 0 ({}, frame {})", key.name, key.frame);
            sightings
                .add(|| fault_in(subject.document, Bones, index, bone::ROTATION, ("a rotation", found())));
        }
    }
    sightings.report(report);
}

fn quaternion_norm(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::QUATERNION_NORM);
    for (index, key) in subject.document.bones.iter().enumerate() {
        let length = key.rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        if length.is_finite() && length > 0.0 && (length - 1.0).abs() > REMARKABLE {
            let found = || format!("length {length:.6} ({}, frame {})", key.name, key.frame);
            sightings.add(|| {
                fault_in(subject.document, Bones, index, bone::ROTATION, ("a rotation of length 1", found()))
            });
        }
    }
    sightings.report(report);
}

fn fov(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::FOV);
    for (index, key) in subject.document.cameras.iter().enumerate() {
        if !(1..=180).contains(&key.fov_deg) {
            let what = ("1° to 180°", format!("{}°", key.fov_deg));
            sightings.add(|| fault_in(subject.document, Cameras, index, camera::FOV, what));
        }
    }
    sightings.report(report);
}

fn light_direction(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::LIGHT_DIRECTION);
    for (index, key) in subject.document.lights.iter().enumerate() {
        if key.direction == [0.0; 3] {
            let what = ("a direction", "0, 0, 0");
            sightings.add(|| fault_in(subject.document, Lights, index, light::DIRECTION, what));
        }
    }
    sightings.report(report);
}

fn shadow_mode(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::SHADOW_MODE);
    for (index, key) in subject.document.shadows.iter().enumerate() {
        if key.mode > 2 {
            let what = ("0, 1 or 2", key.mode.to_string());
            sightings.add(|| fault_in(subject.document, Shadows, index, shadow::MODE, what));
        }
    }
    sightings.report(report);
}

fn shadow_distance(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::SHADOW_DISTANCE);
    for (index, key) in subject.document.shadows.iter().enumerate() {
        let panel = ((0.1 - f64::from(key.distance)) * 100_000.0).round();
        if key.distance.is_finite() && !(0.0..=9999.0).contains(&panel) {
            let what = ("0.00001 to 0.1", key.distance.to_string());
            sightings.add(|| fault_in(subject.document, Shadows, index, shadow::DISTANCE, what));
        }
    }
    sightings.report(report);
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
            sightings.add(|| fault_in_list(document, (index, entry), model::ENABLED, what(switch.enabled)));
        }
    }
    sightings.report(report);
}
