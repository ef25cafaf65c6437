//! Triangles.

use super::canvas::{Canvas, SAMPLES, Sample};
use super::light::{to_light, to_shown};
use crate::drawing::{Look, Surface};
use crate::light::Light;
use crate::texture::Texture;
use crate::view::View;
use dopesheet_core::model::AlphaMode;
use glam::{DVec2, DVec3, DVec4, Vec2, Vec3, Vec4};
use std::sync::Arc;

/// Less of a colour cannot be seen.
const FAINTEST: f32 = 1.0 / 255.0;

/// A corner before the eye.
#[derive(Clone, Copy, Debug)]
struct Corner {
    /// Right, up and ahead of the eye, in metres.
    seen: Vec3,
    uv: Vec2,
    color: Vec4,
    light: f32,
}

/// A corner in the picture. All fields except the place are divided by the distance, and so change evenly
/// across the picture.
#[derive(Clone, Copy, Debug)]
struct Flat {
    position: DVec2,
    nearness: f64,
    uv: DVec2,
    color: DVec4,
    light: f64,
}

/// The look, the texture and the nearest depth of triangles being drawn.
struct Brush<'a> {
    look: Look,
    texture: Option<&'a Texture>,
    /// True if the corners have colours.
    is_colored: bool,
    level: usize,
    near: f64,
}

/// Draws the triangles of a surface.
pub(super) fn draw(canvas: &mut Canvas, surface: &Surface, textures: &[Option<Arc<Texture>>], view: &View) {
    let look = surface.look;
    let texture = look.texture.and_then(|texture| textures.get(texture)).and_then(Option::as_deref);
    let texture = texture.filter(|_| surface.uvs.len() == surface.positions.len());
    let light = Light::of(view);
    let mut brush =
        Brush { look, texture, is_colored: !surface.colors.is_empty(), level: 0, near: view.near.into() };
    for triangle in surface.indices.as_chunks::<3>().0 {
        let Some(corners) = corners(surface, triangle, view, light) else { continue };
        let mut cut = [corners[0]; 4];
        let count = before(&corners, view.near, &mut cut);
        for i in 2..count {
            draw_one(canvas, [cut[0], cut[i - 1], cut[i]], &mut brush, view);
        }
    }
}

/// The corners of a triangle; `None` if a corner's position does not exist, or if only a back that is not
/// drawn would be visible.
fn corners(surface: &Surface, triangle: &[u32; 3], view: &View, light: Light) -> Option<[Corner; 3]> {
    let mut seen = [Vec3::ZERO; 3];
    for (seen, corner) in seen.iter_mut().zip(triangle) {
        *seen = view.seen(Vec3::from(*surface.positions.get(*corner as usize)?));
    }
    let [a, b, c] = seen.map(|seen| seen.as_dvec3());
    // The eye is at the origin, with what is ahead along +z: a left-handed space.
    let facing = (b - a).cross(c - a).dot(a);
    let shows_back = facing < 0.0;
    if !facing.is_finite() || (shows_back && !surface.look.double_sided) {
        return None;
    }
    let mut corners = seen.map(|seen| Corner { seen, uv: Vec2::ZERO, color: Vec4::ONE, light: 1.0 });
    for (corner, index) in corners.iter_mut().zip(triangle) {
        let index = *index as usize;
        if let Some(normal) = surface.normals.get(index).filter(|_| !surface.look.unlit) {
            let normal = Vec3::from(*normal);
            corner.light = light.on(if shows_back { -normal } else { normal });
        }
        if let Some(uv) = surface.uvs.get(index).filter(|uv| uv.iter().all(|x| x.is_finite())) {
            corner.uv = Vec2::from(*uv);
        }
        if let Some(color) = surface.colors.get(index).filter(|color| color.iter().all(|x| x.is_finite())) {
            corner.color = Vec4::from(*color);
        }
    }
    Some(corners)
}

/// Cuts a triangle to the part farther than `near`; its corners are the first of `out`, and their number is
/// returned.
fn before(corners: &[Corner; 3], near: f32, out: &mut [Corner; 4]) -> usize {
    let mut count = 0;
    let mut push = |corner: Corner| {
        if let Some(slot) = out.get_mut(count) {
            *slot = corner;
            count += 1;
        }
    };
    for i in 0..3 {
        let (corner, next) = (corners[i], corners[(i + 1) % 3]);
        if corner.seen.z >= near {
            push(corner);
        }
        if (corner.seen.z >= near) != (next.seen.z >= near) {
            let share = (near - corner.seen.z) / (next.seen.z - corner.seen.z);
            push(Corner {
                seen: corner.seen.lerp(next.seen, share).with_z(near),
                uv: corner.uv.lerp(next.uv, share),
                color: corner.color.lerp(next.color, share),
                light: corner.light + (next.light - corner.light) * share,
            });
        }
    }
    count
}

fn draw_one(canvas: &mut Canvas, corners: [Corner; 3], brush: &mut Brush<'_>, view: &View) {
    let size = canvas.size();
    let flat = corners.map(|corner| {
        let nearness = 1.0 / f64::from(corner.seen.z);
        Flat {
            position: view.pixel(corner.seen, size).as_dvec2() * f64::from(SAMPLES),
            nearness,
            uv: corner.uv.as_dvec2() * nearness,
            color: corner.color.as_dvec4() * nearness,
            light: f64::from(corner.light) * nearness,
        }
    });
    let [a, b, c] = flat.map(|corner| corner.position);
    let area = (b - a).perp_dot(c - a);
    if !area.is_finite() || area == 0.0 {
        return;
    }
    brush.level = brush.texture.map_or(0, |texture| level(texture, &corners, area.abs()));
    let (top, bottom) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
    for row in canvas.rows(top, bottom) {
        let y = f64::from(row) + 0.5;
        let Some([from, to]) = reach([a, b, c], area, y) else { continue };
        canvas.span(row, from, to, |x| {
            let point = DVec2::new(x, y);
            let share = |p: DVec2, q: DVec2| (q - p).perp_dot(point - p) / area;
            brush.sample(&flat, DVec3::new(share(b, c), share(c, a), share(a, b)))
        });
    }
}

/// The stretch of a row inside all three edges.
fn reach([a, b, c]: [DVec2; 3], area: f64, y: f64) -> Option<[f64; 2]> {
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    for (p, q) in [(b, c), (c, a), (a, b)] {
        let along = (q - p) * area.signum();
        // Inside is where along × (place − p) is not negative: along.x·(y − p.y) − along.y·(x − p.x) ≥ 0.
        let rest = along.x * (y - p.y);
        if along.y > 0.0 {
            to = to.min(p.x + rest / along.y);
        } else if along.y < 0.0 {
            from = from.max(p.x + rest / along.y);
        } else if rest < 0.0 {
            return None;
        }
    }
    (from <= to).then_some([from, to])
}

/// The level of a texture whose texels are about as large as the samples of a triangle.
fn level(texture: &Texture, corners: &[Corner; 3], area: f64) -> usize {
    let [a, b, c] = corners.map(|corner| corner.uv);
    let size = texture.full().size;
    let texels = f64::from((b - a).perp_dot(c - a).abs()) * f64::from(size[0]) * f64::from(size[1]);
    // A cast makes 0 of what is negative or no number.
    (libm::log2(texels / area) / 2.0).round() as usize
}

impl Brush<'_> {
    /// The colour at the point with the given shares of the corners.
    fn sample(&self, [a, b, c]: &[Flat; 3], share: DVec3) -> Option<Sample> {
        let nearness = a.nearness * share.x + b.nearness * share.y + c.nearness * share.z;
        let [mut red, mut green, mut blue, mut alpha] = self.look.color;
        if let Some(texture) = self.texture {
            let uv = (a.uv * share.x + b.uv * share.y + c.uv * share.z) / nearness;
            let [r, g, b, texture_alpha] = texture.at(uv.as_vec2().to_array(), self.level);
            let [r, g, b] = to_light([r, g, b]);
            (red, green, blue, alpha) = (red * r, green * g, blue * b, alpha * texture_alpha / 255.0);
        }
        if self.is_colored {
            let color = (a.color * share.x + b.color * share.y + c.color * share.z) / nearness;
            let [r, g, b, a] = color.as_vec4().to_array();
            (red, green, blue, alpha) = (red * r, green * g, blue * b, alpha * a);
        }
        match self.look.alpha {
            AlphaMode::Opaque => alpha = 1.0,
            AlphaMode::Mask(cutoff) if f64::from(alpha) < cutoff => return None,
            AlphaMode::Mask(_) => alpha = 1.0,
            AlphaMode::Blend => {}
        }
        if alpha.is_nan() || alpha < FAINTEST {
            return None;
        }
        let light = ((a.light * share.x + b.light * share.y + c.light * share.z) / nearness) as f32;
        let color = to_shown([red, green, blue].map(|x| x * light));
        let depth = (self.near * nearness) as f32;
        Some(Sample { depth, color, alpha: alpha.min(1.0), is_solid: true })
    }
}
