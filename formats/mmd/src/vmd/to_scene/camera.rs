//! Camera and light.

use super::keys::{EffectiveKeys, Key, Repairs, all_finite, timing};
use crate::vmd::curves::CameraChannel;
use crate::vmd::defaults;
use crate::vmd::document::{CameraKeyframe, Document, LightKeyframe};
use crate::vmd::targets;
use dopesheet_core::model::{
    Camera, CameraIndex, Channel, Composition, EulerOrder, Lens, Light, LightIndex, LightKind, Native, Node,
    NodeIndex, Orbit, Property, Scene, Target, TargetKind, Timing, Track, Transform,
};
use dopesheet_curve::OrbitConvention;
use std::borrow::Cow;

impl Key for CameraKeyframe {
    const STEPS: bool = false;

    fn is_finite(&self) -> bool {
        self.distance.is_finite() && all_finite(&self.target) && all_finite(&self.angles)
    }

    fn looks_like(&self, other: &Self) -> bool {
        let same_place = self.target == other.target && self.angles == other.angles;
        let same_lens = self.fov_deg == other.fov_deg && self.perspective_off == other.perspective_off;
        same_place && same_lens && self.distance == other.distance
    }
}

impl Key for LightKeyframe {
    const STEPS: bool = false;

    fn is_finite(&self) -> bool {
        all_finite(&self.color) && all_finite(&self.direction)
    }

    fn looks_like(&self, other: &Self) -> bool {
        self.color == other.color && self.direction == other.direction
    }
}

/// The camera as an orbit around a target. The node rests at the origin, so that its placement is the same
/// whether it replaces the rest pose or comes on top of the rest pose.
pub(super) fn camera_track(document: &Document, scene: &mut Scene, repairs: &mut Repairs) -> Option<Track> {
    let keys = EffectiveKeys::sorted(&document.cameras, repairs)?;
    let node = camera_node(&keys, scene);
    let ease = |channel| move |key: &CameraKeyframe| timing(key.curve(channel));
    let fov = keys.curve_with_cuts(
        [defaults::FOV_DEG],
        |key| [fov_deg(key.fov_deg, repairs)],
        ease(CameraChannel::FieldOfView),
    );
    let native = Native { name: Cow::Borrowed(targets::FOV_DEG), scale: 1f64.to_radians() };
    let orthographic = keys.steps(0.0, |key| f32::from(u8::from(key.perspective_off != 0)));
    let channels = vec![
        Channel { property: Property::Placement, composition: orbit(&keys), native: None },
        Channel { native: Some(native), ..Channel::whole(Property::YFov, fov) },
        Channel::whole(Property::Orthographic, orthographic),
    ];
    Some(Track { target: Target::new(TargetKind::Camera, targets::CAMERA, 0, Some(node)), channels })
}

fn camera_node(keys: &EffectiveKeys<'_, CameraKeyframe>, scene: &mut Scene) -> NodeIndex {
    let first = keys.list.first().map_or(defaults::FOV_DEG, |key| key.fov_deg as f32);
    let (least, widest) = defaults::FOV_RANGE_DEG;
    let fov_deg = f64::from(first).clamp(f64::from(least), f64::from(widest));
    scene.cameras.push(Camera {
        name: targets::CAMERA.to_owned(),
        lens: Lens::Perspective { yfov_rad: fov_deg.to_radians(), aspect: None },
        near: defaults::NEAR,
        far: None,
    });
    let camera = Some(CameraIndex(scene.cameras.len() - 1));
    scene.push_node(Node { camera, ..Node::new(targets::CAMERA, None, Transform::IDENTITY) })
}

fn orbit(keys: &EffectiveKeys<'_, CameraKeyframe>) -> Composition {
    let ease = |channel| move |key: &CameraKeyframe| timing(key.curve(channel));
    let axes = [CameraChannel::X, CameraChannel::Y, CameraChannel::Z].into_iter().enumerate();
    let target =
        axes.map(|(n, axis)| keys.curve_with_cuts([defaults::TARGET[n]], |key| [key.target[n]], ease(axis)));
    let OrbitConvention { angle_signs, axis } = OrbitConvention::MMD;
    Composition::Orbit(Box::new(Orbit {
        target: target.collect(),
        angles: keys.curve_with_cuts(defaults::ANGLES, |key| key.angles, ease(CameraChannel::Angles)),
        distance: keys.curve_with_cuts(
            [defaults::DISTANCE],
            |key| [key.distance],
            ease(CameraChannel::Distance),
        ),
        order: EulerOrder::Yxz,
        angle_signs,
        axis,
    }))
}

fn fov_deg(stored: u32, repairs: &mut Repairs) -> f32 {
    let (least, widest) = defaults::FOV_RANGE_DEG;
    let limited = stored.clamp(least, widest);
    if repairs.as_stored || limited == stored {
        return stored as f32;
    }
    repairs.fovs += 1;
    limited as f32
}

/// The light: colour and direction, both straight from key to key.
pub(super) fn light_track(document: &Document, scene: &mut Scene, repairs: &mut Repairs) -> Option<Track> {
    let keys = EffectiveKeys::sorted(&document.lights, repairs)?;
    let node = light_node(&keys, scene);
    let even = |_: &LightKeyframe| Timing::Linear;
    let color = keys.curve_with_cuts(defaults::LIGHT_COLOR, |key| key.color, even);
    let direction =
        keys.curve_with_cuts(defaults::LIGHT_DIRECTION, |key| direction(key.direction, repairs), even);
    let channels =
        vec![Channel::whole(Property::Color, color), Channel::whole(Property::Direction, direction)];
    Some(Track { target: Target::new(TargetKind::Light, targets::LIGHT, 0, Some(node)), channels })
}

fn light_node(keys: &EffectiveKeys<'_, LightKeyframe>, scene: &mut Scene) -> NodeIndex {
    let color = keys.list.first().map_or(defaults::LIGHT_COLOR, |key| key.color);
    scene.lights.push(Light {
        name: targets::LIGHT.to_owned(),
        color: color.map(f64::from),
        intensity: 1.0,
        kind: LightKind::Directional,
    });
    let light = Some(LightIndex(scene.lights.len() - 1));
    scene.push_node(Node { light, ..Node::new(targets::LIGHT, None, Transform::IDENTITY) })
}

fn direction(stored: [f32; 3], repairs: &mut Repairs) -> [f32; 3] {
    if repairs.as_stored || stored != [0.0; 3] {
        return stored;
    }
    repairs.light_directions += 1;
    defaults::LIGHT_DIRECTION
}
