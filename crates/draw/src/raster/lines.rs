//! Lines.

use super::canvas::{Canvas, SAMPLES, Sample};
use crate::drawing::Line;
use crate::view::View;
use glam::{DVec2, Vec3};

/// Height of a picture, in pixels, in which lines have exactly their stated width.
const HEIGHT: f32 = 480.0;
/// Factor by which lines are nearer than the surfaces under them.
const NEARER: f64 = 1.002;

/// A line in samples, with the depth of each end.
struct Flat {
    ends: [DVec2; 2],
    depths: [f64; 2],
    radius: f64,
}

/// Draws a line. Transparent lines have flat ends, so that no sample is drawn twice at a joint of lines.
pub(super) fn draw(canvas: &mut Canvas, line: &Line, view: &View) {
    let Some(flat) = flat(canvas, line, view) else { return };
    let [r, g, b, alpha] = line.color;
    let sample = Sample {
        depth: 0.0,
        color: [r, g, b].map(f32::from),
        alpha: f32::from(alpha) / 255.0,
        is_solid: alpha == 255,
    };
    let (top, bottom) = (flat.ends[0].y.min(flat.ends[1].y), flat.ends[0].y.max(flat.ends[1].y));
    for row in canvas.rows(top - flat.radius, bottom + flat.radius) {
        let y = f64::from(row) + 0.5;
        let [from, to] = flat.reach(y);
        canvas.span(row, from - flat.radius, to + flat.radius, |x| {
            let depth = flat.depth(DVec2::new(x, y), !sample.is_solid)?;
            Some(Sample { depth: depth as f32, ..sample })
        });
    }
}

/// The line in picture coordinates; `None` if the line is behind the eye, without width or not finite.
fn flat(canvas: &Canvas, line: &Line, view: &View) -> Option<Flat> {
    let [mut a, mut b] = line.ends.map(|end| view.seen(Vec3::from(end)));
    if !(a.is_finite() && b.is_finite() && line.width_px > 0.0) || a.z.max(b.z) < view.near {
        return None;
    }
    let cut = |from: Vec3, to: Vec3| from.lerp(to, ((view.near - from.z) / (to.z - from.z)).clamp(0.0, 1.0));
    if a.z < view.near {
        a = cut(a, b);
    } else if b.z < view.near {
        b = cut(b, a);
    }
    let size = canvas.size();
    let position = |seen: Vec3| view.pixel(seen, size).as_dvec2() * f64::from(SAMPLES);
    let depth = |seen: Vec3| f64::from(view.near / seen.z) * NEARER;
    // Thin lines would be made of gaps.
    let wider = (size[1] as f32 / HEIGHT).clamp(0.75, 4.0);
    let radius = (line.width_px * wider / 2.0 * SAMPLES as f32).clamp(0.71, 64.0);
    let flat = Flat { ends: [position(a), position(b)], depths: [depth(a), depth(b)], radius: radius.into() };
    flat.ends.iter().all(|end| end.is_finite()).then_some(flat)
}

impl Flat {
    /// The least and greatest x of the part of the line near a height.
    fn reach(&self, y: f64) -> [f64; 2] {
        let [a, b] = self.ends;
        let rise = b.y - a.y;
        let at = |height: f64| {
            let share = if rise == 0.0 { 0.0 } else { ((height - a.y) / rise).clamp(0.0, 1.0) };
            a.x + (b.x - a.x) * share
        };
        let ends = if rise == 0.0 { [a.x, b.x] } else { [at(y - self.radius), at(y + self.radius)] };
        [ends[0].min(ends[1]), ends[0].max(ends[1])]
    }

    /// The depth at a point, if the line covers the point.
    fn depth(&self, point: DVec2, has_flat_ends: bool) -> Option<f64> {
        let [a, b] = self.ends;
        let along = b - a;
        let length = along.length_squared();
        let share = if length > 0.0 { (point - a).dot(along) / length } else { 0.0 };
        if has_flat_ends && length > 0.0 && !(0.0..1.0).contains(&share) {
            return None;
        }
        let share = share.clamp(0.0, 1.0);
        let is_near = (point - (a + along * share)).length_squared() <= self.radius * self.radius;
        is_near.then(|| self.depths[0] + (self.depths[1] - self.depths[0]) * share)
    }
}
