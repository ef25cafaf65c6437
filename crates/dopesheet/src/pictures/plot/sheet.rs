//! The dope sheet: a row for each channel, with its keys and the segments between them.

use super::axis::Axis;
use super::canvas::{Anchor, BAND, Canvas, FAINT, INK, LINE, QUIET, Short, shortened, width};
use super::rows::{ChannelRow, SegmentKind};
use dopesheet_core::model::TargetKind;
use dopesheet_core::words::counted;
use std::fmt::Write;

/// Height of a row in pixels.
pub(super) const ROW: f64 = 17.0;
/// Half the height of a key.
const KEY: f64 = 4.5;
/// Half-width characters available to the names of a target and a channel together.
const NAMES_WIDTH: usize = 32;
/// Distance of keys, in pixels, below which they become a single bar.
const DENSE: f64 = 3.5;

/// Colours of keys, and of the motion between them.
pub(super) const fn colours(kind: TargetKind) -> (&'static str, &'static str) {
    match kind {
        TargetKind::Joint => ("#2563eb", "#bfdbfe"),
        TargetKind::Morph => ("#db2777", "#fbcfe8"),
        TargetKind::Camera => ("#d97706", "#fde68a"),
        TargetKind::Light => ("#ca8a04", "#fef08a"),
        TargetKind::Hand => ("#0d9488", "#99f6e4"),
        TargetKind::Custom => ("#7c3aed", "#ddd6fe"),
    }
}

/// True if a row is the first of its target.
fn is_first(rows: &[&ChannelRow<'_>], index: usize) -> bool {
    let of = |row: &ChannelRow<'_>| (row.kind, row.target.to_owned(), row.index);
    index == 0 || of(rows[index - 1]) != of(rows[index])
}

/// Shades every second target from `top` on; to be drawn below everything else.
pub(super) fn bands(canvas: &mut Canvas, rows: &[&ChannelRow<'_>], right: f64, top: f64, left: f64) {
    let mut is_shaded = false;
    for index in 0..rows.len() {
        is_shaded ^= is_first(rows, index);
        if is_shaded {
            canvas.rect([left, top + ROW * index as f64, right - left, ROW], BAND);
        }
    }
}

/// Draws rows below each other from `top` on.
pub(super) fn draw(canvas: &mut Canvas, rows: &[&ChannelRow<'_>], time: &Axis, top: f64, names: [f64; 2]) {
    let (left, right) = (time.at(time.from), time.at(time.to));
    for (index, row) in rows.iter().enumerate() {
        let y = top + ROW * index as f64;
        canvas.group(&format!("{}: {}", row.path(), counted(row.keys.len(), "key")));
        if is_first(rows, index) {
            let room = NAMES_WIDTH.saturating_sub(width(row.name)).max(16);
            let name =
                if row.target.is_empty() { "(no name)".to_owned() } else { shortened(row.target, room) };
            canvas.text([names[0], y + ROW - 4.5], 12.0, INK, Anchor::Start, &name);
        }
        canvas.text([names[1], y + ROW - 5.0], 10.0, FAINT, Anchor::End, &shortened(row.name, 14));
        spans(canvas, row, time, y + ROW / 2.0);
        keys(canvas, row, time, y + ROW / 2.0);
        canvas.end_group();
    }
    let bottom = top + ROW * rows.len() as f64;
    canvas.stroke(&format!("M{} {}H{}", Short(left), Short(bottom), Short(right)), LINE, 1.0, "");
}

/// Bars for moving segments, lines for held segments; a step has a riser at the change of value.
fn spans(canvas: &mut Canvas, row: &ChannelRow<'_>, time: &Axis, y: f64) {
    let (mut moving, mut held, mut stepped) = (String::new(), String::new(), String::new());
    for (pair, span) in row.keys.windows(2).zip(&row.spans) {
        let (from, to) = (Short(time.at(pair[0])), Short(time.at(pair[1])));
        let _ = match span {
            SegmentKind::Moving => write!(moving, "M{from} {}H{to}", Short(y)),
            SegmentKind::Held => write!(held, "M{from} {}H{to}", Short(y)),
            SegmentKind::Stepped => write!(stepped, "M{from} {}H{to}V{}", Short(y + 3.0), Short(y - 3.0)),
        };
    }
    let (strong, tint) = colours(row.kind);
    canvas.stroke(&moving, tint, 6.0, "");
    canvas.stroke(&held, "#d1d5db", 1.2, "");
    canvas.stroke(&stepped, strong, 1.2, " stroke-opacity=\".75\"");
}

/// Diamonds, or a single bar if the diamonds would cover each other.
fn keys(canvas: &mut Canvas, row: &ChannelRow<'_>, time: &Axis, y: f64) {
    let places: Vec<f64> = row.keys.iter().map(|key| time.at(*key)).collect();
    let (colour, _) = colours(row.kind);
    let mut path = String::new();
    for run in places.chunk_by(|a, b| b - a < DENSE) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        if last - first < 2.0 * KEY {
            run.iter().for_each(|x| diamond(&mut path, *x, y));
        } else {
            bar(&mut path, *first, *last, y);
        }
    }
    canvas.fill(&path, colour);
}

fn diamond(path: &mut String, x: f64, y: f64) {
    let _ = write!(path, "M{} {}l{KEY} {KEY}-{KEY} {KEY}-{KEY}-{KEY}z", Short(x), Short(y - KEY));
}

/// A diamond drawn out to a bar.
fn bar(path: &mut String, first: f64, last: f64, y: f64) {
    let _ = write!(
        path,
        "M{} {}H{}l{KEY} {KEY}-{KEY} {KEY}H{}l-{KEY}-{KEY}z",
        Short(first),
        Short(y - KEY),
        Short(last),
        Short(first)
    );
}

/// Legend of the signs, on a single line.
pub(super) fn legend(canvas: &mut Canvas, kinds: &[TargetKind], [left, y]: [f64; 2]) {
    let mut x = left;
    let middle = y - 4.0;
    let mut entry = |canvas: &mut Canvas, draw: &dyn Fn(&mut Canvas, f64), text: &str| {
        draw(canvas, x);
        canvas.text([x + 26.0, y], 10.5, QUIET, Anchor::Start, text);
        x += 26.0 + 6.2 * text.chars().count() as f64 + 22.0;
    };
    for kind in kinds {
        let diamond_of = |canvas: &mut Canvas, x: f64| {
            let mut path = String::new();
            diamond(&mut path, x + 14.0, middle);
            canvas.fill(&path, colours(*kind).0);
        };
        entry(canvas, &diamond_of, &format!("{} key", kind.word()));
    }
    let tint = kinds.first().map_or("#bfdbfe", |kind| colours(*kind).1);
    let line = |x: f64, y: f64| format!("M{} {}h22", Short(x), Short(y));
    entry(canvas, &|c, x| c.stroke(&line(x, middle), tint, 6.0, ""), "moves");
    entry(canvas, &|c, x| c.stroke(&line(x, middle), "#d1d5db", 1.2, ""), "held");
    let riser = |x: f64| line(x, middle + 3.0) + "v-6";
    let strong = kinds.first().map_or("#2563eb", |kind| colours(*kind).0);
    entry(canvas, &|c, x| c.stroke(&riser(x), strong, 1.2, " stroke-opacity=\".75\""), "step");
}
