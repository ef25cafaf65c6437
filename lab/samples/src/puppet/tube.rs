//! Tubes: rings of points around a line, thick and thin by a profile.

use super::math::circle;
use super::pieces::Piece;
use super::surface::{Point, Surface, Weights};
use glam::DVec3;

/// Where a profile stands: from the origin along one axis, with two axes across.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) origin: DVec3,
    pub(super) along: DVec3,
    pub(super) side: DVec3,
    pub(super) up: DVec3,
}

impl Frame {
    /// From the ground upwards, with +X to the side and the front up.
    pub(super) const STANDING: Self =
        Self { origin: DVec3::ZERO, along: DVec3::Y, side: DVec3::X, up: DVec3::NEG_Z };

    /// The point at a distance along, to the side and up.
    pub(super) fn at(&self, along: f64, side: f64, up: f64) -> DVec3 {
        self.origin + self.along * along + self.side * side + self.up * up
    }
}

/// A place along a tube and the size there: distance along; half the width; height above and below the middle; how far
/// the middle is to the side and up; how square it is, 0 for an ellipse.
pub(super) type Ring = [f64; 7];

/// The ring at a distance along, on a smooth curve through all of a profile.
pub(super) fn ring(profile: &[Ring], at: f64) -> Ring {
    let last = profile.len() - 1;
    let behind = profile.iter().position(|ring| ring[0] > at).unwrap_or(last).clamp(1, last);
    let (a, b) = (&profile[behind - 1], &profile[behind]);
    let t = ((at - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0);
    let slope = |column: usize, n: usize| {
        let (before, after) = (&profile[n.saturating_sub(1)], &profile[(n + 1).min(last)]);
        (after[column] - before[column]) / (after[0] - before[0])
    };
    std::array::from_fn(|column| {
        if column == 0 {
            return at;
        }
        let length = b[0] - a[0];
        let (from, to) = (slope(column, behind - 1) * length, slope(column, behind) * length);
        let (t2, t3) = (t * t, t * t * t);
        a[column] * (2.0 * t3 - 3.0 * t2 + 1.0)
            + from * (t3 - 2.0 * t2 + t)
            + b[column] * (3.0 * t2 - 2.0 * t3)
            + to * (t3 - t2)
    })
}

/// Offsets of a point of a ring to the side and up, by its share of a turn that starts below.
pub(super) fn across(ring: &Ring, turns: f64) -> [f64; 2] {
    let [_, half, above, below, side, up, square] = *ring;
    let [cos, sin] = circle(turns - 0.25);
    let corner = 1.0 + square * 4.0 * cos * cos * sin * sin;
    let height = if sin > 0.0 { above } else { below };
    [side + half * cos * corner, up + height * sin * corner]
}

/// A tube to be made.
pub(super) struct Tube<'a> {
    pub(super) frame: Frame,
    pub(super) profile: &'a [Ring],
    /// Where the rings are, ascending.
    pub(super) rings: Vec<f64>,
    /// Where it is closed: a tip before the first ring, one behind the last.
    pub(super) tips: [Option<f64>; 2],
    /// Points around, not counting the doubled one at the seam.
    pub(super) segments: usize,
    pub(super) piece: Piece,
    /// By distance along and position.
    pub(super) weigh: &'a dyn Fn(f64, DVec3) -> Weights,
}

impl Tube<'_> {
    /// Its surface.
    pub(super) fn surface(&self) -> Surface {
        let mut surface = Surface::default();
        let columns = self.segments + 1;
        for at in &self.rings {
            let ring = ring(self.profile, *at);
            for column in 0..columns {
                let turns = column as f64 / self.segments as f64;
                // The seam's points are at the same place to the last bit.
                let [side, up] = across(&ring, (column % self.segments) as f64 / self.segments as f64);
                self.point(&mut surface, *at, [side, up], turns);
            }
        }
        let outwards = self.frame.side.cross(self.frame.up).dot(self.frame.along) > 0.0;
        surface.grid(0, [self.rings.len(), columns], outwards);
        let last = columns * (self.rings.len() - 1);
        for (tip, row, outwards) in [(self.tips[0], 0, !outwards), (self.tips[1], last, outwards)] {
            let Some(at) = tip else { continue };
            let middle = ring(self.profile, self.rings[row / columns]);
            self.point(&mut surface, at, [middle[4], middle[5]], 0.5);
            let tip = surface.points.len() - 1;
            surface.fan(row..row + columns, tip, outwards);
        }
        surface.smoothed()
    }

    fn point(&self, surface: &mut Surface, at: f64, [side, up]: [f64; 2], turns: f64) {
        let position = self.frame.at(at, side, up);
        surface.points.push(Point {
            position,
            normal: DVec3::ZERO,
            pixel: self.piece.pixel(turns, at),
            weights: (self.weigh)(at, position),
        });
    }
}

/// Distances with equal steps within each stretch: from, to, steps. The end of the last stretch is included.
pub(super) fn spaced(stretches: &[(f64, f64, u32)]) -> Vec<f64> {
    let steps = stretches.iter().flat_map(|&(from, to, steps)| {
        (0..steps).map(move |step| from + (to - from) * f64::from(step) / f64::from(steps))
    });
    steps.chain(stretches.last().map(|stretch| stretch.1)).collect()
}
