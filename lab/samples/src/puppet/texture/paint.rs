//! The paint on each piece: the colour at a share of a turn around it and a distance along.

use super::super::body::shoe_height;
use super::super::head;
use super::super::math::{bump, circle, distance, mix, smooth};
use super::Colour;

const SKIN: Colour = [0.984, 0.882, 0.808];
const BLUSH: Colour = [0.969, 0.647, 0.588];
const INDIGO: Colour = [0.239, 0.298, 0.553];
const NIGHT: Colour = [0.165, 0.184, 0.310];
const CREAM: Colour = [0.968, 0.933, 0.867];
const ORANGE: Colour = [0.996, 0.620, 0.392];
const COPPER: Colour = [0.710, 0.373, 0.243];
const CHESTNUT: Colour = [0.490, 0.235, 0.165];
const INK: Colour = [0.180, 0.125, 0.165];
const WHITE: Colour = [1.0; 3];

fn over(under: Colour, colour: Colour, cover: f64) -> Colour {
    std::array::from_fn(|part| mix(under[part], colour[part], cover))
}

/// 1 between two values, 0 outside.
fn band(from: f64, to: f64, x: f64) -> f64 {
    if x > from && x < to { 1.0 } else { 0.0 }
}

/// 1 inside a diamond of that half width and half height.
fn diamond([x, y]: [f64; 2], [width, height]: [f64; 2]) -> f64 {
    if x.abs() / width + y.abs() / height < 1.0 { 1.0 } else { 0.0 }
}

/// Distance from the middle of the front, in shares of a turn.
fn from_front(turns: f64) -> f64 {
    turns - 0.5
}

pub(super) fn jacket(turns: f64, y: f64) -> Colour {
    // The girth of the chest, so that a diamond is as wide as it is meant to be.
    let x = from_front(turns) * 6.2;
    let cloth = over(INDIGO, NIGHT, 0.35 * smooth(14.5, 11.0, y));
    let seam = band(-0.015, 0.015, x) * band(12.95, 16.2, y);
    let cloth = over(cloth, NIGHT, 0.8 * seam);
    let cloth = over(cloth, CREAM, band(12.68, 12.98, y));
    let cloth = over(cloth, ORANGE, diamond([x, y - 12.83], [0.2, 0.24]));
    let cloth = over(cloth, CREAM, diamond([x, y - 14.95], [0.44, 0.5]));
    over(cloth, ORANGE, diamond([x, y - 14.95], [0.3, 0.35]))
}

pub(super) fn sleeve(_turns: f64, at: f64) -> Colour {
    let cloth = over(INDIGO, CREAM, band(0.62, 9.0, at));
    let cloth = over(cloth, ORANGE, band(0.5, 0.66, at));
    over(cloth, INDIGO, 0.12 * smooth(3.0, 4.4, at))
}

pub(super) fn leg(_turns: f64, y: f64) -> Colour {
    let shorts = over(INDIGO, NIGHT, 0.35 * smooth(14.5, 11.0, y));
    let cloth = over(NIGHT, shorts, band(9.05, 20.0, y));
    over(cloth, CREAM, band(8.9, 9.12, y))
}

pub(super) fn shoe(turns: f64, at: f64) -> Colour {
    let leather = over(COPPER, CHESTNUT, 0.3 * smooth(0.6, 1.5, at));
    over(leather, CREAM, band(-1.0, 0.13, shoe_height(turns, at)))
}

pub(super) fn shaft(_turns: f64, y: f64) -> Colour {
    over(COPPER, CREAM, band(2.08, 9.0, y))
}

pub(super) fn roll(_turns: f64, _at: f64) -> Colour {
    ORANGE
}

pub(super) fn neck(_turns: f64, y: f64) -> Colour {
    over(SKIN, BLUSH, 0.25 * smooth(16.6, 17.1, y))
}

pub(super) fn hand(_turns: f64, at: f64) -> Colour {
    over(SKIN, BLUSH, 0.3 * smooth(0.4, 0.95, at))
}

pub(super) fn head(turns: f64, y: f64) -> Colour {
    let [side, front] = head::across(turns, y);
    let cheek = |x: f64| if front > 0.0 { bump(distance([side - x, y - 17.68], [0.3, 0.2])) } else { 0.0 };
    let skin = over(SKIN, BLUSH, 0.55 * (cheek(0.62) + cheek(-0.62)).min(1.0));
    let nose = if front > 0.0 { bump(distance([side, y - 17.79], [0.14, 0.12])) } else { 0.0 };
    over(skin, BLUSH, 0.35 * nose)
}

/// The eye as a disc: `turns` from left to right, `y` from −1 to 1.
pub(super) fn eye(turns: f64, y: f64) -> Colour {
    let x = 2.0 * turns - 1.0;
    let spot = |[cx, cy]: [f64; 2], radii: [f64; 2]| {
        if distance([x - cx, y - cy], radii) < 1.0 { 1.0 } else { 0.0 }
    };
    let iris = over([0.16, 0.2, 0.42], [0.48, 0.66, 0.97], smooth(0.55, -0.85, y));
    let colour = over(INK, iris, spot([0.0, -0.02], [0.86, 0.9]));
    let colour = over(colour, INK, spot([0.0, 0.08], [0.46, 0.46]));
    let colour = over(colour, WHITE, spot([-0.3, 0.42], [0.3, 0.25]));
    over(colour, WHITE, 0.9 * spot([0.34, -0.42], [0.16, 0.13]))
}

/// From the upper lip (0) to the lower lip (1).
pub(super) fn mouth(_turns: f64, down: f64) -> Colour {
    let inside = over([0.55, 0.13, 0.16], [0.93, 0.47, 0.45], smooth(0.5, 0.75, down));
    over(inside, [0.42, 0.12, 0.13], 1.0 - band(0.12, 0.88, down))
}

pub(super) fn line(_turns: f64, _at: f64) -> Colour {
    INK
}

pub(super) fn brow(_turns: f64, _at: f64) -> Colour {
    CHESTNUT
}

pub(super) fn clip(_turns: f64, _at: f64) -> Colour {
    ORANGE
}

/// From the crown (0) to the height of the longest locks (1), in strands.
pub(super) fn hair(turns: f64, down: f64) -> Colour {
    let strand = |count: f64, shift: f64| 0.5 + 0.5 * circle(turns * count + shift)[0];
    let strands = 0.5 * strand(32.0, 0.5) + 0.3 * strand(61.0, 0.2) + 0.2 * strand(97.0, 0.7);
    let shine = bump((down - 0.24 - 0.02 * strand(18.0, 0.0)) / 0.08);
    let hair = over(COPPER, CHESTNUT, 0.25 * strands + 0.35 * smooth(0.5, 1.0, down));
    over(hair, [0.95, 0.66, 0.47], 0.5 * shine)
}

pub(super) fn rest(_turns: f64, _at: f64) -> Colour {
    CREAM
}
