//! Surfaces: points with weights, and triangles between them.

use glam::DVec3;
use std::collections::BTreeMap;

/// Bones and how much each moves a point; those on a side are of the left one.
pub(super) type Weights = Vec<(String, f64)>;

/// A point of a surface.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) position: DVec3,
    /// Unit vector outwards; zero until [`Surface::smoothed`].
    pub(super) normal: DVec3,
    /// In pixels of the texture.
    pub(super) pixel: [f64; 2],
    pub(super) weights: Weights,
}

/// A point that a morph moves.
#[derive(Clone)]
pub(super) struct Shift {
    pub(super) morph: &'static str,
    pub(super) point: usize,
    pub(super) offset: DVec3,
}

/// Points and triangles whose cross product of edges, from the first corner, points outwards.
#[derive(Clone, Default)]
pub(super) struct Surface {
    pub(super) points: Vec<Point>,
    pub(super) triangles: Vec<[usize; 3]>,
    pub(super) shifts: Vec<Shift>,
}

impl Surface {
    /// Triangles between `rows` of points that follow each other, `columns` in each. `outwards` says whether the
    /// cross product of a step along a row and a step to the next row points outwards.
    pub(super) fn grid(&mut self, first: usize, [rows, columns]: [usize; 2], outwards: bool) {
        for row in 1..rows {
            for column in 1..columns {
                let d = first + row * columns + column;
                let (a, b, c) = (d - columns - 1, d - columns, d - 1);
                // Diagonals mirror each other, as the sides of a figure do.
                let halves =
                    if 2 * column < columns { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] };
                for [x, y, z] in halves {
                    self.triangles.push(if outwards { [x, y, z] } else { [x, z, y] });
                }
            }
        }
    }

    /// Triangles between a row of points and one further point.
    pub(super) fn fan(&mut self, row: std::ops::Range<usize>, tip: usize, outwards: bool) {
        for column in row.start + 1..row.end {
            let [a, b] = if outwards { [column - 1, column] } else { [column, column - 1] };
            self.triangles.push([a, b, tip]);
        }
    }

    /// With normals that are shared by all points of one place, and without triangles that have no area.
    pub(super) fn smoothed(mut self) -> Self {
        let place = |p: DVec3| p.to_array().map(|x| (x * 1e6).round() as i64);
        let mut sums: BTreeMap<[i64; 3], DVec3> = BTreeMap::new();
        let points = &self.points;
        self.triangles.retain(|corners| {
            let [a, b, c] = corners.map(|corner| points[corner].position);
            let cross = (b - a).cross(c - a);
            for corner in [a, b, c] {
                *sums.entry(place(corner)).or_default() += cross;
            }
            cross.length() > 1e-7
        });
        for point in &mut self.points {
            point.normal = sums.get(&place(point.position)).copied().unwrap_or_default().normalize_or_zero();
        }
        self
    }

    /// The same on the other side.
    pub(super) fn mirrored(&self) -> Self {
        let flip = |v: DVec3| DVec3::new(-v.x, v.y, v.z);
        let point = |p: &Point| Point {
            position: flip(p.position),
            normal: flip(p.normal),
            pixel: p.pixel,
            weights: p.weights.iter().map(|(bone, weight)| (other_side(bone), *weight)).collect(),
        };
        let shift = |s: &Shift| Shift {
            morph: if s.morph == "ウィンク" { "ウィンク右" } else { s.morph },
            point: s.point,
            offset: flip(s.offset),
        };
        Self {
            points: self.points.iter().map(point).collect(),
            triangles: self.triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect(),
            shifts: self.shifts.iter().map(shift).collect(),
        }
    }

    /// With another surface behind this one.
    pub(super) fn and(mut self, other: Self) -> Self {
        let first = self.points.len();
        self.points.extend(other.points);
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
        self.shifts.extend(other.shifts.into_iter().map(|s| Shift { point: s.point + first, ..s }));
        self
    }

    /// With the same on the other side.
    pub(super) fn on_both_sides(self) -> Self {
        let mirrored = self.mirrored();
        self.and(mirrored)
    }
}

/// The name of a bone of the left side on the right one; others stay.
pub(super) fn other_side(bone: &str) -> String {
    bone.replace('左', "右")
}

/// The smallest volume among the pieces of a surface: negative if one is inside out. Pieces share no points; each is
/// measured from its own middle, so that openings matter little.
#[cfg(test)]
pub(super) fn smallest_volume(surface: &Surface) -> f64 {
    let place = |corner: usize| surface.points[corner].position.to_array().map(|x| (x * 1e6).round() as i64);
    let mut piece_of: BTreeMap<[i64; 3], usize> = BTreeMap::new();
    for (number, triangle) in surface.triangles.iter().enumerate() {
        let joined: Vec<usize> = triangle.iter().filter_map(|c| piece_of.get(&place(*c)).copied()).collect();
        for piece in piece_of.values_mut().filter(|piece| joined.contains(piece)) {
            *piece = number;
        }
        piece_of.extend(triangle.iter().map(|corner| (place(*corner), number)));
    }
    let mut pieces: BTreeMap<usize, Vec<[DVec3; 3]>> = BTreeMap::new();
    for triangle in &surface.triangles {
        let corners = triangle.map(|corner| surface.points[corner].position);
        pieces.entry(piece_of[&place(triangle[0])]).or_default().push(corners);
    }
    let volume = |piece: &Vec<[DVec3; 3]>| {
        let middle = piece.iter().flatten().sum::<DVec3>() / (3 * piece.len()) as f64;
        piece.iter().map(|[a, b, c]| (a - middle).dot((b - middle).cross(c - middle)) / 6.0).sum::<f64>()
    };
    pieces.values().map(volume).fold(f64::MAX, f64::min)
}
