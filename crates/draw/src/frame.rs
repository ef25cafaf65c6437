//! The view that has all of a movement in the picture.

use crate::view::{Direction, View};
use glam::Vec3;

/// Margin at each edge, as a share of the picture.
const MARGIN: f32 = 0.07;
/// Largest coordinate in metres; points beyond are ignored.
const FARTHEST: f32 = 1e9;
/// Smallest extent of a picture, in metres across at the distance of the nearest point.
const LEAST: f32 = 1e-6;

/// The frame of a picture, which grows with every point added.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    direction: View,
    /// Tangents of half the fields of view across and down, less the margins.
    slopes: [f32; 2],
    /// Offsets of the planes through the eye that bound the view, to the right, left, top and bottom.
    reach: [f32; 4],
    /// The least and greatest of each coordinate.
    bounds: [Vec3; 2],
}

impl Frame {
    /// An empty frame for pictures of a width over height.
    #[must_use]
    pub fn new(direction: Direction, aspect: f32) -> Self {
        let view = direction.onto(Vec3::ZERO, 1.0);
        let inner = view.tan_half * (1.0 - 2.0 * MARGIN);
        Self {
            direction: view,
            slopes: [inner * aspect.clamp(0.01, 100.0), inner],
            reach: [f32::NEG_INFINITY; 4],
            bounds: [Vec3::INFINITY, Vec3::NEG_INFINITY],
        }
    }

    /// Adds points that have to be in view. Points that are not finite or farther than a million kilometres
    /// are left out.
    pub fn add(&mut self, points: impl IntoIterator<Item = [f32; 3]>) {
        let View { right, up, ahead, .. } = self.direction;
        for point in points.into_iter().map(Vec3::from) {
            // This is false of what is no number, too.
            if !(point.abs().max_element() < FARTHEST && point.is_finite()) {
                continue;
            }
            let (x, y, z) = (point.dot(right), point.dot(up), point.dot(ahead));
            let offs = [
                x - self.slopes[0] * z,
                -x - self.slopes[0] * z,
                y - self.slopes[1] * z,
                -y - self.slopes[1] * z,
            ];
            self.reach.iter_mut().zip(offs).for_each(|(reach, off)| *reach = reach.max(off));
            self.bounds = [self.bounds[0].min(point), self.bounds[1].max(point)];
        }
    }

    /// The smallest frame around two frames of the same direction.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        self.reach.iter_mut().zip(other.reach).for_each(|(reach, other)| *reach = reach.max(other));
        self.bounds = [self.bounds[0].min(other.bounds[0]), self.bounds[1].max(other.bounds[1])];
        self
    }

    /// The least and greatest of each coordinate in view; `None` without points.
    #[must_use]
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        self.bounds[0].is_finite().then_some(self.bounds)
    }

    /// The nearest view with all points in it; a view from a metre off if there are no points.
    ///
    /// Four planes through the eye bound the view. Each has to be outside of all points, and the eye is as
    /// far ahead as opposite planes allow; across, the eye stands in the middle between opposite planes.
    #[must_use]
    pub fn view(&self) -> View {
        let Some([low, high]) = self.bounds() else { return View { near: 0.01, ..self.direction } };
        let [right, left, top, bottom] = self.reach;
        let ahead = [(right + left, self.slopes[0]), (top + bottom, self.slopes[1])];
        let ahead = ahead.map(|(both, slope)| -both / (2.0 * slope));
        let corner = |i: u8| Vec3::select(glam::BVec3::new(i & 1 == 0, i & 2 == 0, i & 4 == 0), low, high);
        let depths = (0..8).map(|i| corner(i).dot(self.direction.ahead));
        let (nearest, farthest) =
            depths.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), d| (a.min(d), b.max(d)));
        // A flat or single thing is seen from a little off.
        let room = (farthest - nearest).max((high - low).length()).max(LEAST);
        let z = ahead[0].min(ahead[1]).min(nearest - room * 0.05);
        let (x, y) = ((right - left) / 2.0, (top - bottom) / 2.0);
        let View { right, up, ahead, .. } = self.direction;
        let eye = right * x + up * y + ahead * z;
        View { eye, near: ((nearest - z) * 0.2).max(room * 1e-4), ..self.direction }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_inside_and_touches_the_margin() {
        let points = [[0.0, 0.0, 0.0], [3.0, 1.0, -2.0], [0.5, 4.0, 1.0], [-1.0, 0.2, 8.0]];
        for direction in [Direction::ThreeQuarter, Direction::Front, Direction::Side, Direction::Top] {
            let mut frame = Frame::new(direction, 1.5);
            frame.add(points);
            frame.add([[f32::NAN; 3], [f32::INFINITY, 0.0, 0.0], [1e30; 3]]);
            let view = frame.view();
            let size = [300, 200];
            let pixels = points.map(|point| view.pixel(view.seen(Vec3::from(point)), size));
            let margin = 200.0 * MARGIN - 0.1;
            let room = pixels
                .map(|p| (p.x * 200.0 / 300.0).min(p.y).min((300.0 - p.x) * 200.0 / 300.0).min(200.0 - p.y));
            let least = room.iter().copied().fold(f32::INFINITY, f32::min);
            assert!(least >= margin && least < margin + 0.5, "{direction:?}: {pixels:?}");
        }
    }

    #[test]
    fn nothing_and_a_single_point_have_a_view() {
        let empty = Frame::new(Direction::Front, 1.0);
        assert!(empty.view().eye.is_finite());
        let mut one = empty;
        one.add([[1.0, 2.0, 3.0]]);
        let view = one.view();
        assert!(view.eye.is_finite() && view.seen(Vec3::new(1.0, 2.0, 3.0)).z > 0.0, "{view:?}");
    }
}
