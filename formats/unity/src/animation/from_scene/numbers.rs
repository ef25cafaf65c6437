//! Channels of single numbers → curves by class and property.

use super::Writer;
use super::lanes::{WeightedLane, lane};
use super::merge::{Merged, merged};
use crate::animation::curves::{
    BLEND_SHAPE, COLOR, FIELD_OF_VIEW, INTENSITY, IS_ACTIVE, ORTHOGRAPHIC, class,
};
use crate::animation::document::FloatCurve;
use crate::animation::notes::Component;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, NodeIndex, Property, Target, TargetKind};

/// Word of a scene for the switch of a tracked hand.
const TRACKED: &str = "tracked";

/// The axes of values with several numbers.
const AXES: [&str; 4] = ["x", "y", "z", "w"];

impl Writer<'_> {
    /// Any channel other than a transform; `false` if the channel cannot be written.
    pub(super) fn number(&mut self, target: &Target, channel: &Channel) -> bool {
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let per_degree = 1f64.to_radians();
        let noted = self.notes.components.get(target.label()).cloned();
        let at = |class_id: i64, path: String| Component { path, class_id, ..Component::default() };
        match (&channel.property, target.kind) {
            (Property::Named(name), TargetKind::Custom) if noted.is_some() => {
                self.curves(&noted.unwrap_or_default(), |_| name.to_string(), channel, scale)
            }
            (Property::Weight, TargetKind::Morph) => {
                let path = self.mesh_of(target);
                let word = format!("{BLEND_SHAPE}{}", target.name);
                // Weights are in percent; what is so already stays the number that it is.
                let factor = if scale == 0.01 { 1.0 } else { scale * 100.0 };
                self.curves(&at(class::SKINNED_MESH, path), |_| word.clone(), channel, factor)
            }
            (Property::YFov, _) => {
                let factor = if scale == per_degree { 1.0 } else { scale / per_degree };
                let component = at(class::CAMERA, self.path(target).into_owned());
                self.curves(&component, |_| FIELD_OF_VIEW.to_owned(), channel, factor)
            }
            (Property::Orthographic, _) => {
                let component = at(class::CAMERA, self.path(target).into_owned());
                self.curves(&component, |_| ORTHOGRAPHIC.to_owned(), channel, scale)
            }
            (Property::Color, _) => {
                let component = at(class::LIGHT, self.path(target).into_owned());
                self.curves(
                    &component,
                    |n| COLOR.get(n).copied().unwrap_or_default().to_owned(),
                    channel,
                    scale,
                )
            }
            (Property::Intensity, _) => {
                let component = at(class::LIGHT, self.path(target).into_owned());
                self.curves(&component, |_| INTENSITY.to_owned(), channel, scale)
            }
            (Property::Visible, _) => {
                let component = at(class::OBJECT, self.shown_path(target));
                self.curves(&component, |_| IS_ACTIVE.to_owned(), channel, scale)
            }
            _ if target.node.is_some() && is_switch(channel) => {
                let component = at(class::OBJECT, self.switched_path(target, &channel.property));
                self.curves(&component, |_| IS_ACTIVE.to_owned(), channel, scale)
            }
            _ => self.parameter(target, channel, scale),
        }
    }

    /// Path of a switch. A hand is active while it is tracked.
    fn switched_path(&self, target: &Target, property: &Property) -> String {
        let is_whole = matches!(property, Property::Named(word) if word == TRACKED);
        let hand = target.node.filter(|_| is_whole && target.kind == TargetKind::Hand);
        let above = hand.and_then(|node| self.paths.above(node));
        above.map_or_else(|| self.path(target).into_owned(), str::to_owned)
    }

    /// The path from the target's label in a scene made from a clip, or the path of the target's node; the
    /// root for other targets without a node.
    fn shown_path(&self, target: &Target) -> String {
        match target.node {
            None if self.notes.is_own => target.label().to_owned(),
            None => String::new(),
            Some(_) => self.path(target).into_owned(),
        }
    }

    /// Adds a number without an object: a parameter of the Animator, where scripts read such numbers.
    fn parameter(&mut self, target: &Target, channel: &Channel, scale: f64) -> bool {
        let width: usize = channel.composition.curves().map(|curve| curve.width).sum();
        let name = match &channel.property {
            Property::Value | Property::Muscle => target.name.clone(),
            property => format!("{}.{}", target.name, property.word()),
        };
        let word = |n: usize| match width {
            1 => name.clone(),
            2..=4 => format!("{name}.{}", AXES.get(n).copied().unwrap_or_default()),
            _ => format!("{name}[{n}]"),
        };
        let animator = Component { class_id: class::ANIMATOR, ..Component::default() };
        let is_written = self.curves(&animator, word, channel, scale);
        self.counts.parameters += if is_written && !self.notes.is_own { width } else { 0 };
        is_written
    }

    /// A curve per number of a channel; `false` for an unsupported composition.
    fn curves(
        &mut self,
        component: &Component,
        word: impl Fn(usize) -> String,
        channel: &Channel,
        factor: f64,
    ) -> bool {
        let lanes: Vec<WeightedLane> = match &channel.composition {
            Composition::Whole(curve) => (0..curve.width).map(|n| lane(curve, n, factor)).collect(),
            Composition::Components(curves) => curves.iter().map(|curve| lane(curve, 0, factor)).collect(),
            _ => return false,
        };
        lanes.iter().enumerate().for_each(|(n, lane)| self.float(component, word(n), lane));
        true
    }

    fn float(&mut self, component: &Component, attribute: String, keys: &WeightedLane) {
        let Merged { curve, sources, .. } = merged::<1>(std::slice::from_ref(keys));
        let Component { path, class_id, script } = component.clone();
        self.written.float_curves.push(FloatCurve { attribute, path, class_id, script, flags: None, curve });
        self.sources.float.push(sources);
    }

    /// A value whose components cannot share their keys, as numbers of the transform.
    pub(super) fn apart(&mut self, path: &str, property: &Property, is_angles: bool, lanes: &[WeightedLane]) {
        let word = match property {
            Property::Rotation if is_angles => "localEulerAnglesRaw",
            Property::Rotation => "m_LocalRotation",
            Property::Scale => "m_LocalScale",
            _ => "m_LocalPosition",
        };
        let is_own = self.is_of_numbers(lanes);
        self.counts.apart += usize::from(!is_own);
        let component =
            Component { path: path.to_owned(), class_id: class::TRANSFORM, ..Component::default() };
        // Components that the clip has no curve of have one key, which stands for none.
        let stands_for_none =
            |lane: &WeightedLane| lane.keys.len() <= 1 && lane.sources.iter().all(Option::is_none);
        for (axis, lane) in AXES.iter().zip(lanes).filter(|(_, lane)| !is_own || !stands_for_none(lane)) {
            self.float(&component, format!("{word}.{axis}"), lane);
        }
    }

    /// Path of the mesh with a morph.
    fn mesh_of(&mut self, target: &Target) -> String {
        let label = format!("/{BLEND_SHAPE}{}", target.name);
        if let Some(path) = target.label().strip_suffix(&label).filter(|_| self.notes.is_own) {
            return path.to_owned();
        }
        let has = |node: &dopesheet_core::model::Node| {
            let set = node.morphs.and_then(|set| self.scene.morph_sets.get(set.0));
            set.is_some_and(|set| set.morphs.contains(&target.name))
        };
        let mesh_node = target.node.or_else(|| self.scene.nodes.iter().position(has).map(NodeIndex));
        match mesh_node.and_then(|node| self.paths.get(node)) {
            Some(path) => path.to_owned(),
            None => {
                self.counts.homeless += 1;
                String::new()
            }
        }
    }
}

/// True if a channel only ever holds 0 or 1.
fn is_switch(channel: &Channel) -> bool {
    let holds = |curve: &Curve| {
        curve.width == 1
            && curve.laws.all(|law| law.blend == Blend::Step)
            && curve.values.iter().all(|value| *value == 0.0 || *value == 1.0)
    };
    matches!(&channel.composition, Composition::Whole(curve) if holds(curve))
}
