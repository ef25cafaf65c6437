//! Curves of single numbers: blend shapes, lenses, activity of objects, parts of transforms, and all other
//! numbers.

use super::{ANGLES, Builder, PERCENT, YFOV_DEG, degrees};
use crate::animation::curves::{BLEND_SHAPE, FIELD_OF_VIEW, IS_ACTIVE, ORTHOGRAPHIC, class};
use crate::animation::document::{Clip, FloatCurve};
use crate::animation::muscles::is_muscle;
use crate::animation::notes::Component;
use crate::animation::spans::ClipList;
use dopesheet_core::model::{
    Camera, CameraIndex, Channel, Composition, Curve, EulerOrder, Law, Laws, Lens, Native, NodeIndex,
    Property, Target, TargetKind, Times,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Unity's near and far plane of a new camera, in metres.
const NEAR_M: f64 = 0.3;
const FAR_M: f64 = 1000.0;

/// Parts of a transform that a curve of numbers may move, instead of a curve of the whole value.
const PARTS: [(&str, Property, &[f32]); 4] = [
    ("m_LocalPosition", Property::Translation, &[0.0, 0.0, 0.0]),
    ("m_LocalRotation", Property::Rotation, &[0.0, 0.0, 0.0, 1.0]),
    ("localEulerAnglesRaw", Property::Rotation, &[0.0, 0.0, 0.0]),
    ("m_LocalScale", Property::Scale, &[1.0, 1.0, 1.0]),
];

/// Component by component, by path and by the place in [`PARTS`].
type Parts = BTreeMap<(String, usize), [Option<Curve>; 4]>;

impl Builder<'_> {
    pub(super) fn numbers(&mut self, clip: &Clip) {
        let mut parts = Parts::new();
        for (at, number) in clip.float_curves.iter().enumerate() {
            let what = || format!("{} of {:?}", number.attribute, number.path);
            let curves = self.curves(&number.curve, (ClipList::Float, at), what);
            let Some(curve) = curves.and_then(|mut curves| curves.pop()) else { continue };
            self.number(number, curve, &mut parts);
        }
        for ((path, part), curves) in parts {
            if let Some(node) = self.objects.get(&path) {
                self.part(node, part, curves);
            }
        }
    }

    fn number(&mut self, stored: &FloatCurve, curve: Curve, parts: &mut Parts) {
        let node = self.objects.get(&stored.path);
        let word = stored.attribute.as_str();
        match stored.class_id {
            class::TRANSFORM if part_and_axis(word).is_some() => {
                let (part, axis) = part_and_axis(word).unwrap_or_default();
                let slots = parts.entry((stored.path.clone(), part)).or_default();
                slots[axis].get_or_insert(curve);
            }
            class::OBJECT if word == IS_ACTIVE => self.shown(stored, node, curve),
            class::SKINNED_MESH if word.starts_with(BLEND_SHAPE) => self.morph(stored, node, curve),
            class::CAMERA if matches!(word, FIELD_OF_VIEW | ORTHOGRAPHIC) => self.lens(stored, node, curve),
            class::ANIMATOR if stored.path.is_empty() && stored.script.file_id == 0 => {
                let target = Target::new(TargetKind::Custom, word, self.tracks.len(), None);
                self.channel(target, Channel::whole(parameter(stored), curve));
            }
            _ => self.other(stored, curve),
        }
    }

    /// Adds the curve of an object's activity, held from key to key.
    fn shown(&mut self, stored: &FloatCurve, node: Option<NodeIndex>, mut curve: Curve) {
        curve.laws = Laws::uniform(Law::STEP);
        let index = node.map_or(self.tracks.len(), |node| node.0);
        let target = Target {
            label: Some(stored.path.clone()),
            ..Target::new(TargetKind::Custom, last(&stored.path), index, node)
        };
        self.channel(target, Channel::whole(Property::Visible, curve));
    }

    fn morph(&mut self, stored: &FloatCurve, node: Option<NodeIndex>, curve: Curve) {
        let name = stored.attribute.strip_prefix(BLEND_SHAPE).unwrap_or_default();
        let label = Some(format!("{}/{}", stored.path, stored.attribute));
        let target = Target { label, ..Target::new(TargetKind::Morph, name, self.tracks.len(), node) };
        let native = Some(Native { name: Cow::Borrowed(PERCENT), scale: 0.01 });
        self.channel(target, Channel { native, ..Channel::whole(Property::Weight, curve) });
    }

    fn lens(&mut self, stored: &FloatCurve, node: Option<NodeIndex>, curve: Curve) {
        let (property, native) = match stored.attribute.as_str() {
            ORTHOGRAPHIC => (Property::Orthographic, None),
            _ => {
                let native = Native { name: Cow::Borrowed(YFOV_DEG), scale: 1f64.to_radians() };
                (Property::YFov, Some(native))
            }
        };
        let name = last(&stored.path);
        if let Some(node) =
            node.and_then(|node| self.scene.nodes.get_mut(node.0)).filter(|n| n.camera.is_none())
        {
            let degrees = curve.values.first().map_or(60.0, |first| f64::from(*first));
            let yfov_rad = if property == Property::YFov { degrees.to_radians() } else { 60f64.to_radians() };
            node.camera = Some(CameraIndex(self.scene.cameras.len()));
            let lens = Lens::Perspective { yfov_rad, aspect: None };
            self.scene.cameras.push(Camera { name: name.to_owned(), lens, near: NEAR_M, far: Some(FAR_M) });
        }
        let index = node.map_or(self.tracks.len(), |node| node.0);
        let label = Some(stored.path.clone());
        let target = Target { label, ..Target::new(TargetKind::Camera, name, index, node) };
        self.channel(target, Channel { native, ..Channel::whole(property, curve) });
    }

    /// Any other number keeps its name; its component is stored in the notes of the clip.
    fn other(&mut self, stored: &FloatCurve, curve: Curve) {
        let component = Component::of(stored);
        let label = component.label();
        let is_new = !self.places.contains_key(&(TargetKind::Custom, label.clone(), None));
        self.components.extend(is_new.then_some(component));
        let target = Target::new(TargetKind::Custom, last(&stored.path), self.tracks.len(), None);
        let channel = Channel::whole(Property::Named(Cow::Owned(stored.attribute.clone())), curve);
        self.channel(Target { label: Some(label), ..target }, channel);
    }

    /// A part of a transform; components may be missing.
    fn part(&mut self, node: NodeIndex, part: usize, mut curves: [Option<Curve>; 4]) {
        let Some((word, property, rest)) = PARTS.get(part) else { return };
        let still =
            |value: f32| Curve::new(Times::Seconds([0.0].into()), 1, vec![value], Laws::uniform(Law::STEP));
        let curves: Vec<Curve> = curves
            .iter_mut()
            .zip(*rest)
            .map(|(curve, value)| curve.take().unwrap_or_else(|| still(*value)))
            .collect();
        let (composition, native) = match (*word, property) {
            ("localEulerAnglesRaw", _) => {
                (Composition::Euler { order: EulerOrder::Yxz, angles: curves }, Some(degrees()))
            }
            (_, Property::Rotation) => (Composition::ComponentsNormalised(curves), None),
            _ => (Composition::Components(curves), None),
        };
        debug_assert!(native.as_ref().is_none_or(|native| native.name == ANGLES));
        self.joint(node, Channel { property: property.clone(), composition, native });
    }
}

/// The property of a scene for a number of the Animator.
pub(in super::super) fn parameter(stored: &FloatCurve) -> Property {
    if is_muscle(stored) { Property::Muscle } else { Property::Value }
}

/// Channel of a transform that a property belongs to, in the words of a scene.
pub(in super::super) fn part(attribute: &str) -> Option<&'static str> {
    Some(match PARTS.get(part_and_axis(attribute)?.0)?.1 {
        Property::Translation => "translation",
        Property::Scale => "scale",
        _ if attribute.starts_with("local") => ANGLES,
        _ => "rotation",
    })
}

/// Index of the transform's part that a property belongs to, and of its component.
fn part_and_axis(attribute: &str) -> Option<(usize, usize)> {
    let (word, axis) = attribute.rsplit_once('.')?;
    let part = PARTS.iter().position(|(stem, _, rest)| *stem == word && !rest.is_empty())?;
    let axis = ["x", "y", "z", "w"].iter().position(|name| *name == axis)?;
    (axis < PARTS.get(part)?.2.len()).then_some((part, axis))
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
