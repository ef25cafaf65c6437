//! Solids of few triangles: bones, balls, sticks.

use crate::drawing::{Look, Surface};
use glam::Vec3;
use std::f32::consts::TAU;

/// Number of sides of round solids.
const SIDES: u32 = 10;
/// Number of rings of a ball from pole to pole.
const RINGS: u32 = 6;

/// Many solids of the same look.
#[derive(Debug)]
pub(crate) struct Solids {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    indices: Vec<u32>,
    look: Look,
}

impl Solids {
    pub(crate) const fn new(look: Look) -> Self {
        Self { positions: Vec::new(), normals: Vec::new(), indices: Vec::new(), look }
    }

    /// The surface of all solids; `None` without solids.
    pub(crate) fn surface(self) -> Option<Surface> {
        let Self { positions, normals, indices, look } = self;
        let (uvs, colors) = Default::default();
        let is_any = !indices.is_empty();
        is_any.then(|| Surface { positions, normals, uvs, colors, indices: indices.into(), look })
    }

    fn vertex(&mut self, at: Vec3, normal: Vec3) -> u32 {
        let index = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
        self.positions.push(at.to_array());
        self.normals.push(normal.to_array());
        index
    }

    /// A flat triangle that shares no corners.
    pub(crate) fn triangle(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let indices = corners.map(|corner| self.vertex(corner, normal));
        self.indices.extend(indices);
    }

    /// A bone: an octahedron that is thickest near its base.
    pub(crate) fn bone(&mut self, from: Vec3, to: Vec3, thickness: f32) {
        let along = to - from;
        if !along.is_finite() || along.length_squared() == 0.0 {
            return;
        }
        let [side, other] = across(along).map(|axis| axis * thickness);
        let ring = [side, other, -side, -other].map(|off| from + along * 0.16 + off);
        for i in 0..4 {
            let (a, b) = (ring[i], ring[(i + 1) % 4]);
            self.triangle([from, b, a]);
            self.triangle([to, a, b]);
        }
    }

    /// A ball.
    pub(crate) fn ball(&mut self, centre: Vec3, radius: f32) {
        self.rounded([centre; 2], [radius; 2], Vec3::Y);
    }

    /// A stick with round ends, each of a given radius.
    pub(crate) fn stick(&mut self, ends: [Vec3; 2], radii: [f32; 2]) {
        self.rounded(ends, radii, (ends[1] - ends[0]).normalize_or(Vec3::Y));
    }

    /// Two half balls and the side between them.
    fn rounded(&mut self, ends: [Vec3; 2], radii: [f32; 2], axis: Vec3) {
        if !(ends[0].is_finite() && ends[1].is_finite() && radii.iter().all(|radius| radius.is_finite())) {
            return;
        }
        let [side, other] = across(axis);
        let mut rings = Vec::new();
        for ring in 0..=RINGS + 1 {
            // The ring in the middle stands twice: once at each end.
            let (end, step) = if ring <= RINGS / 2 { (0, ring) } else { (1, ring - 1) };
            let (width, cosine) = libm::sincosf(step as f32 / RINGS as f32 * TAU / 2.0);
            let height = -cosine;
            let first = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
            for corner in 0..SIDES {
                let (sine, cosine) = libm::sincosf(corner as f32 / SIDES as f32 * TAU);
                let normal = axis * height + (side * cosine + other * sine) * width;
                self.vertex(ends[end] + normal * radii[end], normal);
            }
            rings.push(first);
        }
        for pair in rings.windows(2) {
            for corner in 0..SIDES {
                let next = (corner + 1) % SIDES;
                let [a, b, c, d] = [pair[0] + corner, pair[0] + next, pair[1] + corner, pair[1] + next];
                self.indices.extend([a, b, c, c, b, d]);
            }
        }
    }
}

/// Two unit vectors at right angles to a vector and to each other; with the vector as third, the three are
/// right-handed.
fn across(along: Vec3) -> [Vec3; 2] {
    let along = along.normalize_or(Vec3::Y);
    let other = if along.y.abs() < 0.9 { Vec3::Y } else { Vec3::X };
    let side = other.cross(along).normalize_or(Vec3::Z);
    [side, along.cross(side)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if all triangles of a convex solid around a point face away from the point.
    fn faces_outwards(solids: Solids, inside: Vec3) -> bool {
        let surface = solids.surface().unwrap();
        let corner = |i: u32| Vec3::from(surface.positions[i as usize]);
        surface.indices.as_chunks::<3>().0.iter().all(|triangle| {
            let [a, b, c] = triangle.map(corner);
            let normal = (b - a).cross(c - a);
            normal.length() < 1e-5 || normal.dot((a + b + c) / 3.0 - inside) > 0.0
        })
    }

    #[test]
    fn solids_face_outwards() {
        let look = Look::matt([0; 3]);
        for to in [Vec3::X, Vec3::Y, -Vec3::Y, Vec3::new(1.0, -2.0, 0.5)] {
            let mut bone = Solids::new(look);
            bone.bone(Vec3::ZERO, to, 0.1);
            assert!(faces_outwards(bone, to * 0.2), "{to}");
            let mut stick = Solids::new(look);
            stick.stick([Vec3::ZERO, to], [0.1, 0.05]);
            assert!(faces_outwards(stick, to * 0.5), "{to}");
        }
        let mut ball = Solids::new(look);
        ball.ball(Vec3::ONE, 2.0);
        assert!(faces_outwards(ball, Vec3::ONE));
    }

    #[test]
    fn what_has_no_place_is_no_solid() {
        let mut solids = Solids::new(Look::matt([0; 3]));
        solids.bone(Vec3::ZERO, Vec3::ZERO, 0.1);
        solids.bone(Vec3::NAN, Vec3::ZERO, 0.1);
        solids.ball(Vec3::INFINITY, 0.1);
        assert!(solids.surface().is_none());
    }
}
