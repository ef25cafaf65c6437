//! An eye that circles a point.

use dopesheet::draw::{Direction, Frame, View};
use glam::Vec3;

/// Largest angle up and down: short of the poles, where left and right would change places.
const STEEPEST: f32 = 1.55;
/// Smallest and largest distance from the target, as factors of the distance from which everything is seen.
const REACH: [f32; 2] = [0.005, 50.0];

/// An eye that circles a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Orbit {
    /// The point in the middle of the picture, in metres.
    pub(crate) target: Vec3,
    /// Angle from +z towards +x, in radians.
    yaw: f32,
    /// Angle above the horizon, in radians.
    pitch: f32,
    /// Distance of the eye from the target, in metres.
    distance: f32,
    /// Distance from which everything is seen, in metres.
    whole: f32,
    tan_half: f32,
}

impl Orbit {
    /// The eye that sees all of a frame: at the frame's distance times `narrower`, the frame's aspect ratio over the picture's,
    /// limited to 1 to 10.
    pub(crate) fn onto(frame: &Frame, narrower: f32) -> Self {
        let view = frame.view();
        let middle = frame.bounds().map_or(view.eye + view.ahead, |[low, high]| (low + high) / 2.0);
        let distance = (middle - view.eye).dot(view.ahead).max(1e-5);
        let target = view.eye + view.ahead * distance;
        let back = -view.ahead;
        // A picture without a size has no shape.
        let distance = distance * if narrower.is_finite() { narrower.clamp(1.0, 10.0) } else { 1.0 };
        Self {
            target,
            yaw: back.x.atan2(back.z),
            pitch: back.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST),
            distance,
            whole: distance,
            tan_half: view.tan_half,
        }
    }

    /// Looks at the same point from another side.
    pub(crate) fn turn_to(&mut self, direction: Direction) {
        let back = -direction.onto(Vec3::ZERO, 1.0).ahead;
        self.yaw = back.x.atan2(back.z);
        self.pitch = back.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST);
    }

    /// The same eye for a scene that is so many times as large around the origin.
    pub(crate) fn times(self, factor: f32) -> Self {
        Self { target: self.target * factor, distance: self.distance * factor, ..self }
    }

    /// The view from the eye.
    pub(crate) fn view(&self) -> View {
        let level = self.pitch.cos();
        let back = Vec3::new(self.yaw.sin() * level, self.pitch.sin(), self.yaw.cos() * level);
        View::new(self.target + back * self.distance, self.target, Vec3::Y, self.tan_half)
    }

    /// Circles the target by angles in radians: to the right, and up.
    pub(crate) fn circle(&mut self, right: f32, up: f32) {
        self.yaw = (self.yaw + right) % std::f32::consts::TAU;
        self.pitch = (self.pitch + up).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves the target in the plane of the picture: by shares of the picture's height, to the right and up.
    pub(crate) fn pan(&mut self, right: f32, up: f32) {
        let View { right: x, up: y, .. } = self.view();
        self.target += (x * right + y * up) * (2.0 * self.tan_half * self.distance);
    }

    /// Comes nearer by a factor above 1, or goes away by a factor below 1. Other numbers change nothing.
    pub(crate) fn zoom(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance / factor).clamp(self.whole * REACH[0], self.whole * REACH[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let mut frame = Frame::new(Direction::ThreeQuarter, 1.5);
        frame.add([[0.0, 0.0, 0.0], [1.0, 2.0, 0.5], [-1.0, 1.0, -0.5]]);
        frame
    }

    #[test]
    fn it_starts_where_everything_is_seen() {
        let (view, start) = (frame().view(), Orbit::onto(&frame(), 1.0).view());
        assert!((view.eye - start.eye).length() < 1e-4 && (view.ahead - start.ahead).length() < 1e-4);
    }

    #[test]
    fn it_never_flips_over_and_never_arrives() {
        let mut orbit = Orbit::onto(&frame(), 1.0);
        for _ in 0..100 {
            orbit.circle(0.3, 0.4);
            orbit.zoom(3.0);
        }
        let view = orbit.view();
        assert!(view.up.y > 0.0 && view.eye.is_finite() && (view.eye - orbit.target).length() > 1e-4);
        orbit.zoom(0.0);
        orbit.zoom(f32::NAN);
        assert!(orbit.view().eye.is_finite());
    }

    #[test]
    fn what_is_dragged_stays_under_the_pointer() {
        let mut orbit = Orbit::onto(&frame(), 1.0);
        let before = orbit.view().pixel(orbit.view().seen(orbit.target), [600, 400]);
        let target = orbit.target;
        orbit.pan(-0.25, 0.0);
        let after = orbit.view().pixel(orbit.view().seen(target), [600, 400]);
        assert!((after.x - before.x - 100.0).abs() < 0.01, "{before} {after}");
    }
}
