//! Interpolation blocks.

use super::faults::{CheckedKeys, fault_in};
use super::{CheckFn, Subject};
use crate::vmd::codes;
use crate::vmd::curves::{BoneChannel, CameraChannel, Physics, has_one_row, rows_agree};
use crate::vmd::document::BoneKeyframe;
use crate::vmd::document::Section::{Bones, Cameras};
use crate::vmd::layout::{bone, camera};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Check;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[curve_range, curve_rows, curve_rows_missing, physics_byte];

fn curve_range(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let mut sightings = Sightings::of(codes::CURVE_RANGE);
    let is_out = |curve: &[u8; 4]| curve.iter().any(|byte| *byte > 127);
    let what = |channel: &str, curve: [u8; 4]| ("control points 0 to 127", format!("{channel} {curve:?}"));
    for (index, key) in document.bones.iter().enumerate() {
        for channel in BoneChannel::ALL {
            if let Some(curve) = Some(key.curve(channel)).filter(is_out) {
                let what = || what(&format!("{channel:?}"), curve);
                sightings.add(|| fault_in(document, Bones, index, bone::INTERPOLATION, what()));
            }
        }
    }
    for (index, key) in document.cameras.iter().enumerate() {
        for channel in CameraChannel::ALL {
            if let Some(curve) = Some(key.curve(channel)).filter(is_out) {
                let what = || what(&format!("{channel:?}"), curve);
                sightings.add(|| fault_in(document, Cameras, index, camera::INTERPOLATION, what()));
            }
        }
    }
    sightings.report(report);
}

fn each_bone_key(
    subject: &Subject<'_>,
    report: &mut Report,
    check: Check,
    is_odd: impl Fn(&BoneKeyframe) -> bool,
    (expected, found): (&'static str, impl Fn(&BoneKeyframe) -> String),
) {
    let keys =
        CheckedKeys { subject, all: &subject.document.bones, section: Bones, field: bone::INTERPOLATION };
    let actual = |key: &BoneKeyframe| format!("{} ({}, frame {})", found(key), key.name, key.frame);
    keys.each(report, check, is_odd, (expected, actual));
}

fn curve_rows(subject: &Subject<'_>, report: &mut Report) {
    let what = ("four shifted copies of the curves", |_: &BoneKeyframe| "copies that differ".to_owned());
    each_bone_key(subject, report, codes::CURVE_ROWS, |key| !rows_agree(&key.interpolation), what);
}

fn curve_rows_missing(subject: &Subject<'_>, report: &mut Report) {
    let is_odd = |key: &BoneKeyframe| has_one_row(&key.interpolation) && key.interpolation != [0; 64];
    let what = ("four shifted copies of the curves", |_: &BoneKeyframe| "one, followed by zeros".to_owned());
    each_bone_key(subject, report, codes::CURVE_ROWS_MISSING, is_odd, what);
}

fn physics_byte(subject: &Subject<'_>, report: &mut Report) {
    let is_odd = |key: &BoneKeyframe| key.physics() == Physics::Unknown;
    let actual = |key: &BoneKeyframe| format!("{:02X} {:02X}", key.interpolation[2], key.interpolation[3]);
    let expected = "00 00 (on), 63 0F (off), or copies of bytes 17 and 18, in bytes 2 and 3";
    each_bone_key(subject, report, codes::PHYSICS_BYTE, is_odd, (expected, actual));
}
