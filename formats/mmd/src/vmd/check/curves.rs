//! Interpolation blocks.

use super::DocumentCheck;
use crate::vmd::codes;
use crate::vmd::curves::{BoneChannel, CameraChannel, Physics, has_one_row, rows_agree};
use crate::vmd::document::BoneKeyframe;
use crate::vmd::document::Section::{Bones, Cameras};
use crate::vmd::layout::{bone, camera};
use dopesheet_core::format::Check;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    curve_range(look);
    let copies = "four shifted copies of the curves";
    let is_odd = |key: &BoneKeyframe| !rows_agree(&key.interpolation);
    bone_keys(look, codes::CURVE_ROWS, copies, is_odd, |_| "copies that differ".to_owned());
    let is_odd = |key: &BoneKeyframe| has_one_row(&key.interpolation) && key.interpolation != [0; 64];
    bone_keys(look, codes::CURVE_ROWS_MISSING, copies, is_odd, |_| "one, followed by zeros".to_owned());
    let expected = "00 00 (on), 63 0F (off), or copies of bytes 17 and 18, in bytes 2 and 3";
    let is_odd = |key: &BoneKeyframe| key.physics() == Physics::Unknown;
    let actual = |key: &BoneKeyframe| format!("{:02X} {:02X}", key.interpolation[2], key.interpolation[3]);
    bone_keys(look, codes::PHYSICS_BYTE, expected, is_odd, actual);
}

fn curve_range(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let is_out = |curve: &[u8; 4]| curve.iter().any(|byte| *byte > 127);
    let what = |channel: String, curve: [u8; 4]| ("control points 0 to 127", format!("{channel} {curve:?}"));
    for (at, key) in document.bones.iter().enumerate() {
        for channel in BoneChannel::ALL {
            if let Some(curve) = Some(key.curve(channel)).filter(is_out) {
                let what = || what(format!("{channel:?}"), curve);
                look.say(codes::CURVE_RANGE, Bones, at, bone::INTERPOLATION, what);
            }
        }
    }
    for (at, key) in document.cameras.iter().enumerate() {
        for channel in CameraChannel::ALL {
            if let Some(curve) = Some(key.curve(channel)).filter(is_out) {
                let what = || what(format!("{channel:?}"), curve);
                look.say(codes::CURVE_RANGE, Cameras, at, camera::INTERPOLATION, what);
            }
        }
    }
}

fn bone_keys(
    look: &mut DocumentCheck<'_>,
    check: Check,
    expected: &'static str,
    is_odd: impl Fn(&BoneKeyframe) -> bool,
    actual: impl Fn(&BoneKeyframe) -> String,
) {
    for (at, key) in look.document.bones.iter().enumerate().filter(|(_, key)| is_odd(key)) {
        let what = || (expected, format!("{} ({}, frame {})", actual(key), key.name, key.frame));
        look.say(check, Bones, at, bone::INTERPOLATION, what);
    }
}
