//! Cameras and lights.

use super::numbers::finite;
use crate::fbx::play::{Optics, angle};
use dopesheet_core::model::{Camera, CameraIndex, Lens, Light, LightIndex, LightKind};

/// Views that MotionBuilder and files of old versions have in every scene, as cameras.
const PRODUCERS: [&str; 7] = ["Perspective", "Front", "Back", "Right", "Left", "Top", "Bottom"];

/// True of a view of an editor, and of the switcher between its views.
pub(super) fn is_producer(node: &ufbx::Node) -> bool {
    let view = node.element.name.strip_prefix("Producer ").filter(|_| node.camera.is_some());
    view.is_some_and(|view| PRODUCERS.contains(&view))
        || node.attrib_type == ufbx::ElementType::CameraSwitcher
}

/// The cameras of a file without the views of its editor, by ascending numbers of the library.
pub(super) fn seen(file: &ufbx::Scene) -> Vec<&ufbx::Camera> {
    let is_seen = |camera: &&ufbx::Camera| !camera.element.instances.iter().any(|node| is_producer(node));
    file.cameras.into_iter().filter(is_seen).collect()
}

/// The position of a camera in the scene.
pub(super) fn index(camera: &ufbx::Camera, seen: &[&ufbx::Camera]) -> Option<CameraIndex> {
    let number = |camera: &ufbx::Camera| camera.element.typed_id;
    seen.binary_search_by_key(&number(camera), |seen| number(seen)).ok().map(CameraIndex)
}

/// The position of a light in the scene.
pub(super) fn light_index(light: &ufbx::Light) -> LightIndex {
    LightIndex(light.element.typed_id as usize)
}

pub(super) fn camera(camera: &ufbx::Camera) -> Camera {
    let lens = match camera.projection_mode {
        ufbx::ProjectionMode::Perspective => Lens::Perspective {
            yfov_rad: angle(camera.field_of_view_deg.y.to_radians()),
            aspect: above_0(camera.aspect_ratio),
        },
        ufbx::ProjectionMode::Orthographic => Lens::Orthographic {
            half_width: above_0(camera.orthographic_size.x / 2.0).unwrap_or(1.0),
            half_height: above_0(camera.orthographic_size.y / 2.0).unwrap_or(1.0),
        },
    };
    let near = above_0(camera.near_plane).unwrap_or(0.1);
    let far = above_0(camera.far_plane).filter(|far| *far > near);
    Camera { name: camera.element.name.to_string(), lens, near, far }
}

fn above_0(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite() && *number > 0.0)
}

/// The optics of a camera behind one of its properties; `None` if the field of view does not follow from this property.
pub(super) fn optics(camera: &ufbx::Camera, property: &str) -> Option<Optics> {
    use ufbx::ApertureMode as Mode;
    let tangents = &camera.field_of_view_tan;
    match (camera.aperture_mode, property) {
        (Mode::FocalLength, "FocalLength") => Some(Optics::FocalLength(tangents.y * camera.focal_length_mm)),
        (Mode::Vertical, "FieldOfView") | (Mode::HorizontalAndVertical, "FieldOfViewY") => {
            Some(Optics::Vertical)
        }
        (Mode::Horizontal, "FieldOfView") => Some(Optics::Horizontal(tangents.y / tangents.x)),
        _ => None,
    }
}

pub(super) fn light(light: &ufbx::Light) -> Light {
    let kind = match light.type_ {
        ufbx::LightType::Directional => LightKind::Directional,
        ufbx::LightType::Spot => {
            let half = |degrees: f64| (finite(degrees) / 2.0).to_radians();
            let outer_rad = half(light.outer_angle).clamp(1e-3, std::f64::consts::FRAC_PI_2);
            let inner_rad = half(light.inner_angle).clamp(0.0, outer_rad * 0.999);
            LightKind::Spot { range: None, inner_rad, outer_rad }
        }
        _ => LightKind::Point { range: None },
    };
    let color = [light.color.x, light.color.y, light.color.z].map(|part| finite(part).clamp(0.0, 1.0));
    Light { name: light.element.name.to_string(), color, intensity: finite(light.intensity).max(0.0), kind }
}
