//! Cameras and their paths, lights, and rays of gaze.

use crate::drawing::{Drawing, Line};
use crate::extent::Extent;
use crate::moment::Moment;
use crate::theme::{Theme, shown};
use crate::view::View;
use dopesheet_core::model::{Clip, Lens, LightKind, Scene};
use dopesheet_core::order::ascend;
use glam::{DAffine3, DVec3};

/// Length of the pyramid of a camera's view, as a share of the size of the scene.
const CAMERA: f64 = 0.11;
/// Distance of a light, and length of its arrow, as shares of the size of the scene.
const LIGHT: [f64; 2] = [0.75, 0.2];
/// Factor by which arrows are darker than their lights, so that white stands out from the background.
const DARKER: f32 = 0.78;
/// Length of a ray, as a share of the size of the scene.
const RAY: f64 = 0.6;

/// A step of a path is a cut if it is this many times as long as nine in ten of the steps.
const JUMP: f64 = 4.0;

/// The cameras and lights of a scene.
#[derive(Debug)]
pub(crate) struct Optics {
    extent: Extent,
    cameras: Vec<Eye>,
    /// Node, axis of the light if it has one, colour.
    lights: Vec<(usize, Option<DVec3>, [f32; 3])>,
    /// The steps of the cameras' paths.
    paths: Vec<[DVec3; 2]>,
}

/// A camera of a scene.
#[derive(Clone, Copy, Debug)]
struct Eye {
    node: usize,
    /// The local axis along which the camera looks.
    axis: DVec3,
    /// Vertical field of view unless animated.
    yfov_rad: f64,
    /// Width over height.
    aspect: f64,
}

impl Optics {
    /// `moments` are moments of the clip, in order; `extent` is the extent of everything else.
    pub(crate) fn new(scene: &Scene, clip: &Clip, moments: &[Moment], extent: Extent) -> Self {
        let mut optics = Self { extent, cameras: Vec::new(), lights: Vec::new(), paths: Vec::new() };
        let looks = DVec3::from(scene.basis.camera_looks.vector());
        let shines = DVec3::from(scene.basis.light_shines.vector());
        let moves = |node: usize| {
            clip.tracks.iter().any(|track| track.target.node.is_some_and(|target| target.0 == node))
        };
        for (index, node) in scene.nodes.iter().enumerate() {
            if let Some(camera) = node.camera.and_then(|camera| scene.cameras.get(camera.0)) {
                let (yfov_rad, aspect) = match camera.lens {
                    Lens::Perspective { yfov_rad, aspect } => (yfov_rad, aspect.unwrap_or(16.0 / 9.0)),
                    Lens::Orthographic { half_width, half_height } => (0.2, half_width / half_height),
                };
                let aspect = aspect.clamp(0.1, 10.0);
                optics.cameras.push(Eye { node: index, axis: looks, yfov_rad, aspect });
                if moves(index) {
                    optics.paths.extend(path(index, moments));
                }
            }
            if let Some(light) = node.light.and_then(|light| scene.lights.get(light.0)) {
                let axis = (!matches!(light.kind, LightKind::Point { .. })).then_some(shines);
                optics.lights.push((index, axis, light.color.map(|x| x as f32)));
            }
        }
        optics
    }

    pub(crate) fn draw(&self, moment: &Moment, theme: &Theme, drawing: &mut Drawing) {
        let [r, g, b] = theme.camera;
        drawing.lines.extend(self.paths.iter().map(|step| line(*step, [r, g, b, 90], 1.5)));
        for eye in &self.cameras {
            let yfov_rad = moment.yfov_rad.get(&eye.node).copied().unwrap_or(eye.yfov_rad);
            if let Some(place) = moment.places.get(eye.node) {
                self.camera(place, &Eye { yfov_rad, ..*eye }, [r, g, b, 255], drawing);
            }
        }
        for (node, axis, color) in &self.lights {
            let color = moment.light_color.get(node).copied().unwrap_or(*color);
            if let Some(place) = moment.places.get(*node) {
                self.light(place, *axis, color, drawing);
            }
        }
        let [r, g, b] = theme.gaze;
        for [origin, direction] in &moment.rays {
            let end = *origin + *direction * self.extent.size * RAY;
            drawing.marks.push(line([*origin, end], [r, g, b, 220], 2.0));
            drawing.lines.push(line([*origin; 2], [r, g, b, 255], 6.0));
        }
    }

    /// The view of each camera, with its node. Cameras without a finite transform have no view.
    pub(crate) fn views(&self, moment: &Moment) -> impl Iterator<Item = (usize, View)> {
        self.cameras.iter().filter_map(|eye| {
            let place = moment.places.get(eye.node).filter(|place| place.is_finite())?;
            let yfov_rad = moment.yfov_rad.get(&eye.node).copied().unwrap_or(eye.yfov_rad);
            let direction = |local: DVec3| place.transform_vector3(local).normalize_or_zero().as_vec3();
            let from = place.translation.as_vec3();
            let to = from + direction(eye.axis) * self.extent.size as f32;
            let tan_half = libm::tan(yfov_rad.clamp(0.01, 3.0) / 2.0) as f32;
            Some((eye.node, View::new(from, to, direction(DVec3::Y), tan_half)))
        })
    }

    /// The pyramid of a camera's view, with a mark at its upper edge.
    fn camera(&self, place: &DAffine3, eye: &Eye, color: [u8; 4], drawing: &mut Drawing) {
        let Eye { axis, yfov_rad, aspect, .. } = *eye;
        let depth = self.extent.size * CAMERA;
        let half = depth * libm::tan(yfov_rad.clamp(0.05, 2.6) / 2.0);
        // Wide lenses would have a picture larger than the scene.
        let (depth, half) = if half > depth { (depth * depth / half, depth) } else { (depth, half) };
        let direction = |local: DVec3| place.transform_vector3(local).normalize_or_zero();
        let eye = place.translation;
        let (up, ahead) = (direction(DVec3::Y), direction(axis));
        let side = direction(axis.cross(DVec3::Y)) * half * aspect;
        let middle = eye + ahead * depth;
        let corners =
            [up * half - side, up * half + side, side - up * half, -up * half - side].map(|c| middle + c);
        for i in 0..4 {
            drawing.lines.push(line([eye, corners[i]], color, 1.5));
            drawing.lines.push(line([corners[i], corners[(i + 1) % 4]], color, 1.5));
        }
        let top = middle + up * half * 1.45;
        drawing.lines.push(line([corners[0] * 0.7 + corners[1] * 0.3, top], color, 1.5));
        drawing.lines.push(line([corners[0] * 0.3 + corners[1] * 0.7, top], color, 1.5));
        drawing.lines.push(line([eye; 2], color, 5.0));
    }

    /// An arrow along the light; a dot for a light that shines all around.
    fn light(&self, place: &DAffine3, axis: Option<DVec3>, color: [f32; 3], drawing: &mut Drawing) {
        let brightest = color.iter().copied().fold(0.05, f32::max);
        let [r, g, b] = color.map(|x| (shown(x / brightest) * DARKER) as u8);
        let color = [r, g, b, 255];
        let Some(axis) = axis else {
            drawing.marks.push(line([place.translation; 2], color, 10.0));
            return;
        };
        let along = place.transform_vector3(axis).normalize_or_zero();
        let [off, length] = LIGHT.map(|share| share * self.extent.size);
        // Light that comes from everywhere at once has no place; its arrow points to the middle.
        let from = self.extent.centre - along * off;
        let to = from + along * length;
        drawing.marks.push(line([from, to], color, 3.0));
        let [side, other] = [along.any_orthonormal_vector(), along.cross(along.any_orthonormal_vector())];
        for head in [side, -side, other, -other] {
            drawing.marks.push(line([to, to - (along - head * 0.5) * length * 0.3], color, 3.0));
        }
        drawing.marks.push(line([from; 2], color, 12.0));
    }
}

/// The path of a node, without its cuts: steps far longer than most.
fn path(node: usize, moments: &[Moment]) -> Vec<[DVec3; 2]> {
    let points: Vec<DVec3> = moments.iter().filter_map(|moment| moment.point(node)).collect();
    let steps = points.array_windows::<2>().copied().filter(|[a, b]| a != b);
    let mut lengths: Vec<f64> = steps.clone().map(|[a, b]| a.distance(b)).collect();
    ascend(&mut lengths);
    let longest_step = lengths.get(lengths.len() * 9 / 10).map_or(0.0, |length| length * JUMP);
    steps.filter(|[a, b]| a.distance(*b) <= longest_step).collect()
}

fn line(ends: [DVec3; 2], color: [u8; 4], width_px: f32) -> Line {
    Line { ends: ends.map(|end| end.as_vec3().to_array()), color, width_px }
}
