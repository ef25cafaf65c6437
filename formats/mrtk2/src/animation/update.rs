//! Bring a document up to a scene made from this document and changed since: keys from the file keep details
//! not shown in the scene (ineffective weights, the spelling of switches), and the document keeps its flags,
//! wrap modes and markers.

use super::document::{
    AnyCurve, Document, Hands, Key, Keyframe, Marker, NumberCurve, NumberKeys, Pose, Ray, SwitchCurve, Wrap,
};
use super::from_scene::{from_scene, narrow};
use super::names::{CurveName, Hand};
use super::to_scene::{PINCH, TRACKED};
use super::wrap;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Outside, Property, Scene, TargetKind, Track, WeightedKey,
};
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let scene = &with_a_place(scene);
    let mut written = from_scene(scene, options, report)?;
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    written.flag_bytes = document.flag_bytes;
    // Parts that had no keys before stay. Those that lost them go: MRTK would play them at the origin.
    if document.camera.as_ref().is_some_and(Pose::is_absent) {
        written.camera.get_or_insert_default();
    }
    if document.hands.as_deref().is_some_and(Hands::is_absent) {
        written.hands.get_or_insert_default();
    }
    if document.gaze.as_ref().is_some_and(Ray::is_absent) {
        written.gaze.get_or_insert_default();
    }
    numbers(document, &mut written, clip);
    switches(document, &mut written, clip);
    markers(document, &mut written);
    keep_length(document, &mut written, clip);
    *document = written;
    Ok(())
}

/// Share of a time by which rounding may move a last key off the end of its clip.
const ROUNDING: f32 = 1e-6;

/// A scene without the tracks for parts of the file without keys, which Unity plays as 0.
fn with_a_place(scene: &Scene) -> Cow<'_, Scene> {
    let is_empty = |track: &Track| track.target.kind != TargetKind::Hand && track.target.node.is_none();
    if !scene.tracks().any(is_empty) {
        return Cow::Borrowed(scene);
    }
    let mut placed = scene.clone();
    placed.clips.iter_mut().for_each(|clip| clip.tracks.retain(|track| !is_empty(track)));
    Cow::Owned(placed)
}

fn numbers(old: &Document, document: &mut Document, clip: &Clip) {
    let names: Vec<CurveName> =
        document.curves().map(|(name, _)| name).filter(|name| !name.is_switch()).collect();
    let old_curves: HashMap<String, &NumberCurve> = old
        .curves()
        .filter_map(|(name, curve)| match curve {
            AnyCurve::Number(curve) => Some((name.to_string(), curve)),
            AnyCurve::Switch(_) => None,
        })
        .collect();
    for (name, new) in names.into_iter().zip(document.number_curves_mut()) {
        let Some(old_curve) = old_curves.get(&name.to_string()) else { continue };
        let source = curve(clip, name).filter(|curve| curve.len() == new.keys.len());
        restore_keys(old_curve, new, source);
        if old_curve.keys.is_empty() && stands_for_nothing(new, source) {
            new.keys = NumberKeys::empty(new.keys.shape());
        }
        new.wrap = restored_wrap(old_curve.wrap, new.wrap);
    }
}

/// True of the single key made for a curve without keys, which Unity plays as 0.
fn stands_for_nothing(curve: &NumberCurve, source: Option<&Curve>) -> bool {
    let is_zero = curve.keys.len() <= 1 && curve.keys.iter().all(|key| key.value == 0.0);
    is_zero && source.is_none_or(|source| source.source(0).is_none())
}

/// Wrap modes of the file if they have the same meaning.
fn restored_wrap(old: Wrap, new: Wrap) -> Wrap {
    let same = |old: i32, new: i32| if wrap::outside(old) == wrap::outside(new) { old } else { new };
    Wrap { before: same(old.before, new.before), after: same(old.after, new.after) }
}

fn restore_keys(stored: &NumberCurve, new: &mut NumberCurve, source: Option<&Curve>) {
    let old = |key: usize| source?.source(key).and_then(|position| stored.keys.get(position as usize));
    match &mut new.keys {
        NumberKeys::Full(keys) if matches!(stored.keys, NumberKeys::Full(_)) => {
            for (at, key) in keys.iter_mut().enumerate() {
                if let Some(old) = old(at).filter(|old| plays_alike(old, key)) {
                    *key = Keyframe { time: key.time, ..old };
                }
            }
        }
        NumberKeys::Full(_) | NumberKeys::Simple(_) => {}
    }
}

/// True if two keys differ at most in their times and in ineffective weights.
fn plays_alike(a: &Keyframe, b: &Keyframe) -> bool {
    let counted = |key: &Keyframe| {
        let key = WeightedKey::from(key);
        // A weight that does not count is a third.
        let weight = |counts: bool, weight: f32| if counts { weight } else { 1.0 / 3.0 };
        let weights =
            [weight(key.weighted.arriving, key.in_weight), weight(key.weighted.leaving, key.out_weight)];
        ([key.value, key.in_slope, key.out_slope].map(f32::to_bits), weights.map(f32::to_bits))
    };
    counted(a) == counted(b)
}

fn switches(old: &Document, document: &mut Document, clip: &Clip) {
    let (Some(old_hands), Some(new)) = (old.hands.as_deref(), document.hands.as_deref_mut()) else { return };
    for hand in Hand::BOTH {
        let at = hand as usize;
        for (name, old_switch, new) in [
            (CurveName::Tracked(hand), &old_hands.tracked[at], &mut new.tracked[at]),
            (CurveName::Pinch(hand), &old_hands.pinch[at], &mut new.pinch[at]),
        ] {
            restore_switch(old_switch, new, curve(clip, name));
        }
    }
}

fn restore_switch(stored: &SwitchCurve, new: &mut SwitchCurve, source: Option<&Curve>) {
    new.wrap = restored_wrap(stored.wrap, new.wrap);
    if source.is_some_and(is_placeholder) {
        new.keys.clear();
        return;
    }
    let Some(source) = source.filter(|curve| curve.len() == new.keys.len()) else {
        if stored.keys.is_empty() {
            // What is supposed of a hand that moves is no key of the file.
            new.keys.clear();
        }
        return;
    };
    for (at, key) in new.keys.iter_mut().enumerate() {
        let old = source.source(at).and_then(|position| stored.keys.get(position as usize));
        if let Some(old) = old.filter(|old| (old.value > 0.5) == (key.value > 0.5)) {
            *key = Key { value: old.value, ..*key };
        }
    }
}

/// True of the curve made for a switch without keys, also of the other hand.
fn is_placeholder(curve: &Curve) -> bool {
    curve.values.as_slice() == [0.0] && curve.source(0).is_none()
}

/// Holds a last value until the clip ends, if changed keys leave its end without a key: the length of a
/// recording is the length of its keys. If tracks were left out, the recording ends with the remaining
/// tracks.
fn keep_length(old: &Document, document: &mut Document, clip: &Clip) {
    let keyed = |document: &Document| document.curves().filter(|(_, curve)| !curve.is_empty()).count();
    let (end, length) = (narrow(clip.duration.0), document.duration_s());
    let lacks_tracks = f64::from(old.duration_s()) == clip.duration.0 && keyed(old) != keyed(document);
    if lacks_tracks || end - length <= ROUNDING * end {
        return;
    }
    let holds = |wrap: Wrap| wrap::outside(wrap.after) == Outside::Hold;
    let last = |curve: &AnyCurve<'_>| curve.times().last().filter(|time| time.is_finite());
    let held = document.curves().filter(|(_, curve)| holds(curve.wrap()));
    let latest = held.filter_map(|(_, curve)| last(&curve)).fold(f32::MIN, f32::max);
    let numbers = document.number_curves_mut().filter(|curve| holds(curve.wrap));
    for curve in numbers {
        match &mut curve.keys {
            NumberKeys::Simple(keys) => {
                if let Some(last) = keys.last().copied().filter(|last| last.time == latest) {
                    return keys.push(Key { time: end, ..last });
                }
            }
            NumberKeys::Full(keys) => {
                if let Some(last) = keys.last_mut().filter(|last| last.time == latest) {
                    last.out_tangent = 0.0;
                    let key = Key { time: end, value: last.value };
                    return keys.push(Keyframe::from(key));
                }
            }
        }
    }
    let hands = document.hands.as_deref_mut();
    let switches = hands.into_iter().flat_map(|hands| hands.tracked.iter_mut().chain(&mut hands.pinch));
    for curve in switches.filter(|curve| holds(curve.wrap)) {
        if let Some(last) = curve.keys.last().copied().filter(|last| last.time == latest) {
            return curve.keys.push(Key { time: end, ..last });
        }
    }
}

fn markers(old: &Document, document: &mut Document) {
    let Some(new) = &mut document.markers else { return };
    for marker in new.iter_mut() {
        let same = old.markers.iter().flatten().find(|same| same.text() == marker.text());
        if let Some(same) = same {
            *marker = Marker { time: marker.time, ..same.clone() };
        }
    }
    if new.is_empty() && old.markers.is_none() {
        document.markers = None;
    }
}

/// The curve of a scene made from a curve of a file.
fn curve(clip: &Clip, name: CurveName) -> Option<&Curve> {
    let (label, property, part) = match name {
        CurveName::Pose(pose, part) if part < 3 => (pose.to_string(), Property::Translation, part),
        CurveName::Pose(pose, part) => (pose.to_string(), Property::Rotation, part - 3),
        CurveName::Gaze(part) if part < 3 => ("gaze".to_owned(), Property::Origin, part),
        CurveName::Gaze(part) => ("gaze".to_owned(), Property::Direction, part - 3),
        CurveName::Tracked(hand) => (format!("{}.hand", hand.word()), Property::Named(TRACKED.into()), 0),
        CurveName::Pinch(hand) => (format!("{}.hand", hand.word()), Property::Named(PINCH.into()), 0),
    };
    let tracks = clip.tracks.iter().filter(|track| track.target.label() == label);
    let channel = tracks.flat_map(|track| &track.channels).find(|channel| channel.property == property)?;
    component(channel, part)
}

fn component(channel: &Channel, part: usize) -> Option<&Curve> {
    match &channel.composition {
        Composition::Whole(curve) if part == 0 && curve.width == 1 => Some(curve),
        Composition::Components(curves) | Composition::ComponentsNormalised(curves) => curves.get(part),
        _ => None,
    }
}
