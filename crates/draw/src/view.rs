//! Position and direction of a camera.

use glam::{Vec2, Vec3};

/// Tangent of half the vertical field of view: 26° in all, for little distortion.
const TAN_HALF: f32 = 0.230_868;

/// The side from which a scene is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the front, a figure's left, and above.
    #[default]
    ThreeQuarter,
    /// A figure faces the viewer.
    Front,
    /// From a figure's left; its front points to the left in the picture.
    Side,
    /// From above; the front of a figure points down in the picture.
    Top,
}

impl Direction {
    /// A view from this direction onto a point, from some distance.
    #[must_use]
    pub fn onto(self, target: Vec3, distance: f32) -> View {
        let (back, up) = match self {
            Self::ThreeQuarter => (Vec3::new(0.52, 0.3, 0.8), Vec3::Y),
            Self::Front => (Vec3::new(0.0, 0.06, 1.0), Vec3::Y),
            Self::Side => (Vec3::new(1.0, 0.06, 0.0), Vec3::Y),
            Self::Top => (Vec3::Y, Vec3::NEG_Z),
        };
        View::new(target + back.normalize() * distance, target, up, TAN_HALF)
    }
}

/// An eye with a lens, as a camera of drawings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the eye, in metres.
    pub eye: Vec3,
    /// To the right of the picture; unit length, as the next two.
    pub right: Vec3,
    /// Unit vector to the top of the picture.
    pub up: Vec3,
    /// Unit vector in the direction of view.
    pub ahead: Vec3,
    /// Half the vertical field of view, as its tangent.
    pub tan_half: f32,
    /// Distance of the nearest visible points, in metres.
    pub near: f32,
}

impl View {
    /// An eye that looks at a target. If `up` is parallel to the direction, any direction at right angles
    /// takes its place.
    #[must_use]
    pub fn new(eye: Vec3, target: Vec3, up: Vec3, tan_half: f32) -> Self {
        let ahead = (target - eye).normalize_or(Vec3::NEG_Z);
        let right = ahead.cross(up).normalize_or(ahead.any_orthonormal_vector());
        let near = ((target - eye).length() * 0.02).max(1e-6);
        Self { eye, right, up: right.cross(ahead), ahead, tan_half, near }
    }

    /// Right, up and ahead of the eye, in metres.
    #[must_use]
    pub fn seen(&self, point: Vec3) -> Vec3 {
        let off = point - self.eye;
        Vec3::new(off.dot(self.right), off.dot(self.up), off.dot(self.ahead))
    }

    /// Position in a picture of a point in the view's axes ([`seen`](Self::seen)), in pixels from the top
    /// left.
    #[must_use]
    pub fn pixel(&self, seen: Vec3, [width, height]: [u32; 2]) -> Vec2 {
        let scale = height as f32 / 2.0 / self.tan_half;
        let centre = Vec2::new(width as f32, height as f32) / 2.0;
        centre + Vec2::new(seen.x, -seen.y) * (scale / seen.z)
    }
}
