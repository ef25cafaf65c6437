//! Things drawn on the face: flat shapes laid on it, and the shapes that morphs give them.

use super::form::{face_normal, on_face};
use crate::puppet::surface::{Point, Shift, Surface};
use crate::puppet::weights::only;

/// A flat shape seen from the front: x to the figure's left, y up.
pub(super) type Shape = Vec<[f64; 2]>;

/// A shape that lies on the face.
pub(super) struct Patch {
    pub(super) surface: Surface,
    rest: Shape,
    lift: f64,
}

impl Patch {
    /// With the points of a shape and where they are in the picture; triangles are still missing.
    pub(super) fn new(rest: Shape, pixels: Vec<[f64; 2]>, lift: f64, bone: &str) -> Self {
        let point = |(&[x, y], pixel): (&[f64; 2], [f64; 2])| Point {
            position: on_face(x, y, lift),
            normal: face_normal(x, y),
            pixel,
            weights: only(bone),
        };
        let points = rest.iter().zip(pixels).map(point).collect();
        Self { surface: Surface { points, ..Surface::default() }, rest, lift }
    }

    /// A morph that gives it another shape.
    pub(super) fn morph(&mut self, morph: &'static str, shape: &Shape) {
        for (point, (from, to)) in self.rest.iter().zip(shape).enumerate() {
            let offset = on_face(to[0], to[1], self.lift) - on_face(from[0], from[1], self.lift);
            if offset.length() > 1e-6 {
                self.surface.shifts.push(Shift { morph, point, offset });
            }
        }
    }
}
