//! Changes within the format.

use super::document::{Document, KeyShape, Keyframe, NumberCurve, NumberKeys, Pose, Ray, Version};
use super::info::{ID, INFO, VARIANT_1_0, VARIANT_1_1, VARIANT_1_1_DOC, variant_of};
use super::resample::{self, LargestCurveError};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, ErrorUnit, MaxError, Report};
use dopesheet_core::format::Edit;
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;

/// Largest error of straight keys, per component: 0.05 mm for positions and 0.02° for rotations, so that no
/// point within 3 cm of a joint moves by more than 0.1 mm.
const TOLERANCE_M: f64 = 5e-5;
/// For components of rotations and directions.
const TOLERANCE: f64 = 1e-4;

pub(super) fn edit(document: &mut Document, edit: &Edit, report: &mut Report) -> Result<(), ConvertError> {
    if let Some(variant) = &edit.variant {
        let (version, shape) = version_and_shape(variant)?;
        if variant_of(document) != variant {
            set_variant(document, version, shape, report);
        }
    }
    if edit.sort {
        sort(document);
    }
    Ok(())
}

/// Version and key shape requested by a word after `@`.
pub(super) fn version_and_shape(variant: &str) -> Result<(Version, KeyShape), ConvertError> {
    match variant {
        VARIANT_1_1 => Ok((Version::V1_1, KeyShape::Simple)),
        VARIANT_1_0 => Ok((Version::V1_0, KeyShape::Full)),
        VARIANT_1_1_DOC => Ok((Version::V1_1, KeyShape::Full)),
        other => {
            let names: Vec<_> = INFO.variants.iter().map(|v| v.name).collect();
            let what = format!("the variant {other:?} is unknown; known are {}", names.join(", "));
            Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)))
        }
    }
}

/// Converts to another version or to keys of another shape, and adds a marker list if there is none, because
/// MRTK loads no file without it.
pub(super) fn set_variant(document: &mut Document, version: Version, shape: KeyShape, report: &mut Report) {
    document.version = version;
    document.markers.get_or_insert_default();
    if version == Version::V1_0 {
        document.camera.get_or_insert_default();
        document.hands.get_or_insert_default();
        drop_gaze(document, report);
    }
    match shape {
        KeyShape::Full => document.number_curves_mut().for_each(make_full),
        KeyShape::Simple => make_simple(document, report),
    }
}

fn drop_gaze(document: &mut Document, report: &mut Report) {
    let Some(gaze) = document.gaze.take() else { return };
    let keys = gaze.curves().map(|curve| curve.keys.len()).sum::<usize>();
    if keys > 0 {
        report.dropped(counted(keys, "gaze key"), "version 1.0 has no gaze");
    }
}

/// Exact: a simple key equals a full key with weights of 0.
fn make_full(curve: &mut NumberCurve) {
    if let NumberKeys::Simple(keys) = &curve.keys {
        curve.keys = NumberKeys::Full(keys.iter().copied().map(Keyframe::from).collect());
    }
}

/// Result for the curves of one kind.
#[derive(Default)]
struct KindCounts {
    exact: usize,
    approximated: usize,
    largest: LargestCurveError,
    target: String,
}

impl KindCounts {
    fn simplify<'a>(
        &mut self,
        target: &dyn std::fmt::Display,
        curves: impl IntoIterator<Item = &'a mut NumberCurve>,
        tolerance: f64,
    ) {
        for curve in curves {
            if resample::is_straight(curve) {
                self.exact += curve.keys.len();
            } else {
                self.approximated += curve.keys.len();
            }
            let (simple, largest_error) = resample::simple(curve, tolerance);
            *curve = simple;
            if largest_error.value > self.largest.value {
                (self.largest, self.target) = (largest_error, target.to_string());
            }
        }
    }

    fn report(self, what: &str, unit: ErrorUnit, report: &mut Report) {
        if self.exact > 0 {
            report.kept(counted(self.exact, &format!("{what} key")));
        }
        if self.approximated == 0 {
            return;
        }
        let how = "with tangents, as straight lines for each component";
        let what = format!("{} {how}", counted(self.approximated, &format!("{what} key")));
        if self.largest.value > 0.0 {
            let time = Seconds(self.largest.time_s);
            report
                .approximated(what, MaxError { value: self.largest.value, unit, target: self.target, time });
        } else {
            report.kept(what);
        }
    }
}

fn make_simple(document: &mut Document, report: &mut Report) {
    let (mut places, mut turns) = (KindCounts::default(), KindCounts::default());
    let mut pose = |name: &dyn std::fmt::Display, pose: &mut Pose| {
        places.simplify(name, &mut pose.position, TOLERANCE_M);
        turns.simplify(name, &mut pose.rotation, TOLERANCE);
    };
    if let Some(camera) = &mut document.camera {
        pose(&super::names::PoseName::Camera, camera);
    }
    for (name, joint) in document.hands.iter_mut().flat_map(|hands| hands.poses_mut()) {
        pose(&name, joint);
    }
    if let Some(Ray { origin, direction }) = &mut document.gaze {
        places.simplify(&"gaze", origin, TOLERANCE_M);
        turns.simplify(&"gaze", direction, TOLERANCE);
    }
    places.report("position", ErrorUnit::Metre, report);
    turns.report("rotation and direction", ErrorUnit::One, report);
}

/// Sorts keys and markers by time; keys of equal times keep their order, because the last one counts.
fn sort(document: &mut Document) {
    for curve in document.number_curves_mut() {
        match &mut curve.keys {
            NumberKeys::Simple(keys) => by_number(keys, |key| key.time.into()),
            NumberKeys::Full(keys) => by_number(keys, |key| key.time.into()),
        }
    }
    for curve in document.hands.iter_mut().flat_map(|h| h.tracked.iter_mut().chain(&mut h.pinch)) {
        by_number(&mut curve.keys, |key| key.time.into());
    }
    if let Some(markers) = &mut document.markers {
        by_number(markers, |marker| marker.time.into());
    }
}
