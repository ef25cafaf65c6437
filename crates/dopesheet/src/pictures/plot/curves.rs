//! Panels of curves: every component with its law, its keys and its handles.

use super::axis::{Axis, label};
use super::canvas::{Anchor, Canvas, FAINT, INK, LINE, QUIET, Short, shortened};
use super::law::{Component, Frame, between};
use super::rows::ChannelRow;
use crate::playing::rotation::turn_degrees;
use dopesheet_core::model::Property;
use dopesheet_core::units::Seconds;
use dopesheet_motion::{Sampler, Side};
use std::fmt::Write;

/// Height of a panel with the gap below it, in pixels.
pub(super) const PANEL: f64 = 132.0;
/// Height of the curves in a panel, in pixels.
pub(super) const HEIGHT: f64 = 112.0;
/// Smallest width of a segment whose handles are drawn, in pixels.
const HANDLES: f64 = 26.0;
/// Smallest distance of keys that are drawn as dots, in pixels.
const DOTS: f64 = 5.0;
/// Range shown above and below a value that never changes, as a share of the value.
const ROOM: f64 = 0.1;

const COLOURS: [&str; 6] = ["#dc2626", "#16a34a", "#2563eb", "#9333ea", "#d97706", "#0891b2"];
const AXES: [&str; 3] = ["x", "y", "z"];

/// A curve to be drawn.
struct CurveDrawing {
    name: String,
    path: String,
    dots: Vec<String>,
    handles: String,
    knobs: Vec<String>,
}

/// Draws panels below each other from `top` on.
pub(super) fn draw(canvas: &mut Canvas, rows: &[&ChannelRow<'_>], time: &Axis, top: f64, names: [f64; 2]) {
    for (index, row) in rows.iter().enumerate() {
        let top = top + PANEL * index as f64;
        canvas.group(&row.path());
        panel(canvas, row, time, top, names);
        canvas.end_group();
    }
}

fn panel(canvas: &mut Canvas, row: &ChannelRow<'_>, time: &Axis, top: f64, names: [f64; 2]) {
    let turned = row.is_rotation().then(|| turns(row, time));
    let bounds = match &turned {
        Some(turns) => bounds(turns.iter().flat_map(|(_, v)| *v)),
        None => bounds(components(row).flat_map(|component| component.bounds().collect::<Vec<_>>())),
    };
    let (left, right) = (time.at(time.from), time.at(time.to));
    let value = Axis::new(bounds[0], bounds[1], top + HEIGHT - 6.0, top + 6.0);
    grid(canvas, &value, [left, right], top, names[1]);
    let lines = match turned {
        Some(turns) => turned_lines(row, time, value, &turns),
        None => plain_lines(row, time, value),
    };
    canvas.text([names[0], top + 16.0], 12.0, INK, Anchor::Start, &shortened(row.target, 22));
    let unit = if row.is_rotation() { " (°)" } else { "" };
    canvas.text(
        [names[0], top + 31.0],
        10.5,
        QUIET,
        Anchor::Start,
        &format!("{}{unit}", shortened(row.name, 22)),
    );
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        canvas.stroke(&line.handles, colour, 0.8, " stroke-opacity=\".45\"");
        canvas.stroke(&line.path, colour, 1.6, " stroke-linejoin=\"round\"");
        canvas.fill(&discs(&line.knobs, 1.6), colour);
        canvas.fill(&discs(&line.dots, 2.4), colour);
        if lines.len() > 1 && index < COLOURS.len() {
            let x = names[0] + 30.0 * (index % 3) as f64;
            let y = top + 49.0 + 15.0 * (index / 3) as f64;
            canvas.stroke(&format!("M{} {}h10", Short(x), Short(y - 4.0)), colour, 2.0, "");
            canvas.text([x + 13.0, y], 10.5, QUIET, Anchor::Start, &line.name);
        }
    }
}

/// A frame, and lines at round values.
fn grid(canvas: &mut Canvas, value: &Axis, [left, right]: [f64; 2], top: f64, names: f64) {
    let ticks = Some(value.ticks(28.0)).filter(|ticks| ticks.len() > 1).unwrap_or_else(|| value.ticks(14.0));
    for tick in ticks {
        let y = value.at(tick);
        canvas.stroke(&format!("M{} {}H{}", Short(left), Short(y), Short(right)), LINE, 1.0, "");
        canvas.text([names, y + 3.5], 10.0, FAINT, Anchor::End, &label(tick, value.to - value.from));
    }
    let frame = format!("M{} {}V{}", Short(left), Short(top), Short(top + HEIGHT));
    canvas.stroke(&frame, "#d1d5db", 1.0, "");
}

/// Discs as a single path.
fn discs(centres: &[String], radius: f64) -> String {
    let mut path = String::new();
    let wide = 2.0 * radius;
    for centre in centres {
        let _ = write!(
            path,
            "M{centre}m-{radius} 0a{radius} {radius} 0 1 0 {wide} 0a{radius} {radius} 0 1 0-{wide} 0z"
        );
    }
    path
}

/// The range of all values, widened if all values are equal.
fn bounds(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|v| v.is_finite()) {
        (least, most) = (least.min(value), most.max(value));
    }
    match (least, most) {
        (least, most) if least < most => [least, most],
        (least, _) if least.is_finite() => {
            let room = if least == 0.0 { 1.0 } else { least.abs() * ROOM };
            [least - room, least + room]
        }
        _ => [-1.0, 1.0],
    }
}

/// Every component of every curve of a row.
fn components<'a>(row: &ChannelRow<'a>) -> impl Iterator<Item = Component<'a>> + use<'a> {
    // Values are shown as stored, in the unit that the channel's name states.
    row.curves.iter().flat_map(|curve| (0..curve.width).map(move |index| Component { curve, index }))
}

fn plain_lines(row: &ChannelRow<'_>, time: &Axis, value: Axis) -> Vec<CurveDrawing> {
    let names: &[&str] = match row.channel.property {
        Property::Color => &["r", "g", "b"],
        _ if row.is_spatial() => &AXES,
        _ => &[],
    };
    let line = |(index, component): (usize, Component<'_>)| {
        let frame = Frame { time: *time, value };
        let mut handles = String::new();
        let mut knobs = Vec::new();
        for handle in component.handles(&frame, HANDLES) {
            let end = frame.point(handle.end[0], handle.end[1]);
            let _ = write!(handles, "M{}L{end}", frame.point(handle.key[0], handle.key[1]));
            knobs.push(end);
        }
        let keys = (0..component.curve.len()).filter_map(|k| Some((component.time(k)?, component.value(k)?)));
        let dots = dots(keys, time).into_iter().map(|(t, v)| frame.point(t, v)).collect();
        let name = names.get(index).map_or_else(|| index.to_string(), |name| (*name).to_owned());
        CurveDrawing { name, path: component.path(&frame), dots, handles, knobs }
    };
    components(row).enumerate().map(line).collect()
}

/// Keys to be drawn as dots: no keys if they are too dense.
fn dots(keys: impl Iterator<Item = (f64, f64)>, time: &Axis) -> Vec<(f64, f64)> {
    let keys: Vec<_> = keys.collect();
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return keys };
    let width = (time.at(last.0) - time.at(first.0)).abs();
    if width < DOTS * (keys.len() - 1) as f64 { Vec::new() } else { keys }
}

/// A rotation over time, as rotation vectors in degrees: axis times angle, about x, y and z. Of the two equal
/// turns, the turn nearer to the one before is taken, so that the lines do not break.
fn turns(row: &ChannelRow<'_>, time: &Axis) -> Vec<(f64, [f64; 3])> {
    let mut sampler = Sampler::new(row.channel);
    let (mut value, mut out) = (Vec::new(), Vec::<(f64, [f64; 3])>::new());
    let mut add = |time: f64, side: Side| {
        sampler.value_at(Seconds(time), side, &mut value);
        let Some(q) = value.first_chunk::<4>() else { return };
        let turn = turn_degrees(*q, out.last().map(|(_, last)| *last));
        out.push((time, turn));
    };
    add(time.from, Side::At);
    for pair in row.keys.windows(2) {
        add(pair[0], Side::Before);
        add(pair[0], Side::After);
        between(time, pair[0], pair[1]).for_each(|t| add(t, Side::At));
    }
    if let Some(last) = row.keys.last() {
        add(*last, Side::Before);
        add(*last, Side::At);
    }
    add(time.to, Side::At);
    out
}

fn turned_lines(
    row: &ChannelRow<'_>,
    time: &Axis,
    value: Axis,
    turns: &[(f64, [f64; 3])],
) -> Vec<CurveDrawing> {
    let frame = Frame { time: *time, value };
    let line = |(index, name): (usize, &&str)| {
        let mut path = String::new();
        for (at, (time, turn)) in turns.iter().enumerate() {
            let _ = write!(path, "{}{}", if at == 0 { 'M' } else { 'L' }, frame.point(*time, turn[index]));
        }
        let is_key = |time: f64| row.keys.binary_search_by(|key| key.total_cmp(&time)).is_ok();
        let keys = turns.iter().filter(|(time, _)| is_key(*time)).map(|(time, turn)| (*time, turn[index]));
        let dots = dots(keys, time).into_iter().map(|(t, v)| frame.point(t, v)).collect();
        CurveDrawing { name: (*name).to_owned(), path, dots, handles: String::new(), knobs: Vec::new() }
    };
    AXES.iter().enumerate().map(line).collect()
}
