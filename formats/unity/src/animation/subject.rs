//! The key that a finding is about.

use super::curves::{BLEND_SHAPE, FIELD_OF_VIEW, IS_ACTIVE, ORTHOGRAPHIC, class};
use super::document::{AnimationCurve, Clip, Document, FloatCurve, TransformCurve};
use super::notes::Component;
use super::to_scene::{ANGLES, PERCENT, YFOV_DEG, parameter, part};
use dopesheet_core::diag::{Fault, Subject};
use dopesheet_core::units::Seconds;
use std::borrow::Cow;

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    let number = fault.position_in("clips")?;
    let clip = document.file().clips.get(number)?;
    Some(of_clip(clip, fault)?.in_clip(number))
}

fn of_clip(clip: &Clip, fault: &Fault) -> Option<Subject> {
    if let Some(event) = fault.position_in("m_Events") {
        return Some(Subject::moment(Seconds(clip.events.get(event)?.time.into())));
    }
    let at = |list: &str| fault.position_in(list);
    if let Some(curve) = at("m_RotationCurves").and_then(|at| clip.rotation_curves.get(at)) {
        return Some(transform(curve, "rotation", fault));
    }
    let vectors = [
        ("m_EulerCurves", &clip.euler_curves, ANGLES),
        ("m_PositionCurves", &clip.position_curves, "translation"),
        ("m_ScaleCurves", &clip.scale_curves, "scale"),
    ];
    for (list, curves, channel) in vectors {
        if let Some(curve) = at(list).and_then(|at| curves.get(at)) {
            return Some(transform(curve, channel, fault));
        }
    }
    let curve = clip.float_curves.get(at("m_FloatCurves")?)?;
    Some(row(curve).at(time(&curve.curve, fault)))
}

fn transform<const N: usize>(stored: &TransformCurve<N>, channel: &'static str, fault: &Fault) -> Subject {
    let name = stored.path.rsplit('/').next().unwrap_or_default();
    Subject::target(name).channel(Some(channel)).at(time(&stored.curve, fault))
}

fn time<const N: usize>(curve: &AnimationCurve<N>, fault: &Fault) -> Option<Seconds> {
    let key = curve.keys.get(fault.position_in("m_Curve")?)?;
    Some(Seconds(key.time.into()))
}

/// The row of a curve of numbers, as in the scene.
fn row(stored: &FloatCurve) -> Subject {
    let word = stored.attribute.as_str();
    let on_path = || Subject::target(stored.path.as_str());
    match stored.class_id {
        class::TRANSFORM if part(word).is_some() => {
            let name = stored.path.rsplit('/').next().unwrap_or_default();
            Subject::target(name).channel(part(word))
        }
        class::OBJECT if word == IS_ACTIVE => on_path().channel(Some("visible")),
        class::SKINNED_MESH if word.starts_with(BLEND_SHAPE) => {
            Subject::target(format!("{}/{word}", stored.path)).channel(Some(PERCENT))
        }
        class::CAMERA if word == FIELD_OF_VIEW => on_path().channel(Some(YFOV_DEG)),
        class::CAMERA if word == ORTHOGRAPHIC => on_path().channel(Some("orthographic")),
        class::ANIMATOR if stored.path.is_empty() && stored.script.file_id == 0 => {
            Subject::target(word).channel(Some(Cow::Owned(parameter(stored).word().to_owned())))
        }
        _ => Subject::target(Component::of(stored).label()).channel(Some(Cow::Owned(word.to_owned()))),
    }
}
