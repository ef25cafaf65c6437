//! Hair: a bob in locks, open in front of the face, and a clip on either side.

use super::form::FORM;
use crate::puppet::math::{mix, smooth};
use crate::puppet::pieces::{CLIP, HAIR};
use crate::puppet::surface::{Point, Surface};
use crate::puppet::tube;
use crate::puppet::weights::only;
use glam::DVec3;

const COLUMNS: usize = 72;
const ROWS: usize = 11;
const CROWN: f64 = 20.02;
/// Where the longest locks end, about.
const LONGEST: f64 = 16.7;
/// Below this the hair falls straight.
const WIDEST: f64 = 18.1;
/// Shares of a turn that a lock takes.
const LOCK: f64 = 1.0 / 18.0;

/// 0 between two locks, 1 in the middle of one.
fn lock(turns: f64) -> f64 {
    let share = (turns - 0.5) / LOCK;
    let inside = share - share.floor();
    1.0 - (2.0 * inside - 1.0).abs()
}

/// Share of the way from the middle of the face, 0, to the middle of the back, 1.
fn behind(turns: f64) -> f64 {
    2.0 * (turns - 0.5).abs()
}

/// Where a lock ends.
fn end(turns: f64) -> f64 {
    let behind = behind(turns);
    let bangs = 18.86 - 0.2 * behind - 0.16 * lock(turns);
    let sides = 17.1 - 0.14 * lock(turns) - 0.25 * smooth(0.5, 1.0, behind);
    mix(bangs, sides, smooth(0.27, 0.36, behind))
}

/// A point of the hair; `depth` 0 is its surface, 1 a little under that of the head.
fn place(turns: f64, y: f64, depth: f64) -> DVec3 {
    let up = ((y - WIDEST) / (CROWN - WIDEST)).clamp(0.0, 1.0);
    // Round like a ball towards the crown, whatever the head under it does.
    let round = (1.0 - up * up * up * up).sqrt();
    let [_, half, front, back, ..] = tube::ring(&FORM, WIDEST);
    let fall = smooth(WIDEST, LONGEST, y);
    let thick = 0.14 + 0.05 * lock(turns) * smooth(19.6, 18.4, y);
    let thick = mix(thick, -0.05, depth) + 0.24 * fall * (1.0 - fall) - 0.1 * fall;
    let sized = |size: f64, thick: f64| (size + thick) * round;
    let ring = [y, sized(half, thick), sized(front + 0.03, thick), sized(back + 0.06, thick), 0.0, 0.0, 0.0];
    let [side, forward] = tube::across(&ring, turns);
    DVec3::new(side, y, -forward)
}

pub(super) fn surface() -> Surface {
    locks().and(clip().on_both_sides())
}

/// Rows behind the tips: up again along the head, with how far up and how deep.
const INSIDE: [[f64; 2]; 3] = [[0.0, 0.5], [0.06, 0.95], [0.9, 1.0]];

fn locks() -> Surface {
    let mut surface = Surface::default();
    let (rows, columns) = (ROWS + INSIDE.len(), COLUMNS + 1);
    for row in 0..rows {
        let [lift, depth] = (row + 1).checked_sub(ROWS + 1).map_or([0.0; 2], |inside| INSIDE[inside]);
        let down = (row + 1).min(ROWS) as f64 / ROWS as f64;
        // Close rows at the crown, where the surface is nearly level.
        let share = down * down * (1.8 - 0.8 * down);
        for column in 0..columns {
            let turns = (column % COLUMNS) as f64 / COLUMNS as f64;
            let y = CROWN - (CROWN - end(turns)) * share + lift;
            surface.points.push(point(place(turns, y, depth), column as f64 / COLUMNS as f64));
        }
    }
    surface.grid(0, [rows, columns], false);
    surface.points.push(point(DVec3::new(0.0, CROWN, 0.0), 0.5));
    surface.fan(0..columns, rows * columns, true);
    surface.smoothed()
}

fn point(position: DVec3, turns: f64) -> Point {
    let pixel = HAIR.pixel(turns, (CROWN - position.y) / (CROWN - LONGEST));
    Point { position, normal: DVec3::ZERO, pixel, weights: only("頭") }
}

/// A diamond on the left side.
fn clip() -> Surface {
    const TURNS: f64 = 0.5 - 0.125;
    const HEIGHT: f64 = 18.98;
    let at = |turns: f64, y: f64, out: f64| place(TURNS + turns, HEIGHT + y, -out);
    let corners = [at(0.0, 0.2, 0.1), at(0.022, 0.0, 0.1), at(0.0, -0.2, 0.1), at(-0.022, 0.0, 0.1)];
    let raised = at(0.0, 0.0, 0.45);
    let mut surface = Surface::default();
    let out = raised - (corners[0] + corners[2]) * 0.5;
    for n in 0..4 {
        let [a, b] = [corners[n], corners[(n + 1) % 4]];
        let first = surface.points.len();
        for (corner, position) in [raised, a, b].into_iter().enumerate() {
            let pixel = CLIP.pixel(0.2 + 0.2 * n as f64, corner as f64 / 2.0);
            surface.points.push(Point { position, normal: DVec3::ZERO, pixel, weights: only("頭") });
        }
        let faces_out = (a - raised).cross(b - raised).dot(out) > 0.0;
        let order = if faces_out { [0, 1, 2] } else { [0, 2, 1] };
        surface.triangles.push(order.map(|corner| first + corner));
    }
    surface.smoothed()
}
