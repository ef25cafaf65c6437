//! The ground: a grid around the movement, and the axes.

use crate::drawing::{Drawing, Line};
use crate::theme::Theme;
use glam::Vec3;

/// Approximate number of cells along the extent of the movement.
const CELLS: f32 = 6.0;
/// Most cells from the middle to the edge.
const MOST: i32 = 16;

/// The plane y = 0 with a grid, as far as the grid helps to judge positions. Below a movement that floats
/// higher than it is large, the plane lies at a multiple of the cell below the movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// The length of a cell in metres: 1, 2 or 5 times a power of ten.
    pub cell: f32,
    /// The cell in the middle, counted from the origin.
    middle: [i32; 2],
    /// Cells from the middle to the edge.
    reach: i32,
    /// In metres.
    height: f32,
}

impl Ground {
    /// The ground below something with the given least and greatest coordinates.
    #[must_use]
    pub fn below([low, high]: [Vec3; 2]) -> Self {
        let size = (high - low).max_element().clamp(1e-6, 1e9);
        let cell = round(size / CELLS);
        let middle = (low + high) / 2.0 / cell;
        let across = (high.x - low.x).max(high.z - low.z).max(size * 0.7);
        let reach = ((across / cell / 2.0).ceil() as i32 + 3).clamp(3, MOST);
        let floats = low.y > size * 0.8;
        let height = if floats { (low.y / cell).floor() * cell } else { 0.0 };
        Self { height, cell, middle: [middle.x.round() as i32, middle.z.round() as i32], reach }
    }

    /// The grid, and the axes if the origin is on the grid.
    #[must_use]
    pub fn drawing(&self, theme: &Theme) -> Drawing {
        let mut drawing = Drawing::default();
        for line in -self.reach..=self.reach {
            for step in -self.reach..self.reach {
                self.step(line, step, theme, &mut drawing);
            }
        }
        self.axes(theme, &mut drawing);
        drawing
    }

    /// A cell's length of two lines, one along each axis; paler towards the edge of the grid.
    fn step(&self, line: i32, step: i32, theme: &Theme, drawing: &mut Drawing) {
        let away = libm::hypotf(line as f32, step as f32 + 0.5) / self.reach as f32;
        let alpha = 1.0 - away * away;
        if alpha <= 0.0 {
            return;
        }
        let [r, g, b] = theme.grid;
        let color = [r, g, b, (alpha * 150.0) as u8];
        let corner = |x: i32, z: i32| {
            [
                x.saturating_add(self.middle[0]) as f32 * self.cell,
                self.height,
                z.saturating_add(self.middle[1]) as f32 * self.cell,
            ]
        };
        for ends in
            [[corner(line, step), corner(line, step + 1)], [corner(step, line), corner(step + 1, line)]]
        {
            drawing.lines.push(Line { ends, color, width_px: 0.8 });
        }
    }

    /// The axes from the origin, a cell long each.
    fn axes(&self, theme: &Theme, drawing: &mut Drawing) {
        let is_near = |cell: &i32| cell.unsigned_abs() <= self.reach.unsigned_abs();
        let near = self.height == 0.0 && self.middle.iter().all(is_near);
        for (axis, color) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(theme.axes).filter(|_| near) {
            let [r, g, b] = color;
            let ends = [[0.0; 3], (axis * self.cell).to_array()];
            drawing.lines.push(Line { ends, color: [r, g, b, 220], width_px: 1.6 });
        }
    }
}

/// The largest of 1, 2 and 5 times a power of ten up to a length.
fn round(length: f32) -> f32 {
    let power = libm::powf(10.0, libm::log10f(length).floor());
    let steps = [5.0, 2.0, 1.0].map(|step| step * power);
    steps.into_iter().find(|step| *step <= length * 1.001).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_round_numbers() {
        assert_eq!([1.0, 1.9, 2.1, 7.0, 0.34].map(round), [1.0, 1.0, 2.0, 5.0, 0.2]);
    }

    #[test]
    fn the_ground_is_bounded_whatever_stands_on_it() {
        let wild = [Vec3::splat(-1e9), Vec3::splat(1e9)];
        let far = [Vec3::new(9e8, 0.0, 0.0), Vec3::new(9e8, 1e-3, 0.0)];
        for bounds in [wild, far, [Vec3::ZERO; 2]] {
            let drawing = Ground::below(bounds).drawing(&Theme::LIGHT);
            assert!(drawing.lines.len() < 5000 && drawing.points().flatten().all(f32::is_finite));
        }
    }
}
