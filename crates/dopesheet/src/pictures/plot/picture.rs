//! The whole picture: title, scales of time, dope sheet, curves, markers.

use super::axis::{Axis, label};
use super::canvas::{Anchor, Canvas, FAINT, INK, LINE, MARKER, QUIET, Short, shortened, width};
use super::rows::{ChannelRow, SegmentKind};
use super::{curves, sheet};
use dopesheet_core::model::{Clip, Marker, TargetKind};
use dopesheet_core::order::{by_key, by_number};
use dopesheet_core::words::{agreeing, counted};
use std::fmt::Write;

const WIDTH: f64 = 1200.0;
/// Left ends of names of targets, and right ends of names of channels.
const NAMES: [f64; 2] = [16.0, 226.0];
const TIME: [f64; 2] = [240.0, 1176.0];
/// Left end of the time scales, in pixels from above.
const SCALES: f64 = 58.0;
const GAP: f64 = 28.0;

/// Most rows of a dope sheet for looking at without scrolling.
const MOST_ROWS: usize = 80;
/// Most rows up to which rows without motion are shown too.
const FEW_ROWS: usize = 40;
/// Height of a line of numbers or names above the sheet.
const LINE_HEIGHT: f64 = 15.0;
/// Panels when nobody chose any, and when somebody did.
const FEW_PANELS: usize = 5;
const MOST_PANELS: usize = 24;

/// Positions of the parts of the picture, from above.
struct Layout {
    sheet: [f64; 2],
    note: f64,
    legend: f64,
    panels: [f64; 2],
}

impl Layout {
    fn new(clip: &Clip, rows: usize, has_note: bool, panels: usize) -> Self {
        let lines = 1 + usize::from(clip.grid.is_some()) + usize::from(!clip.markers.is_empty());
        let top = SCALES + LINE_HEIGHT * lines as f64 + 4.0;
        let sheet_end = top + sheet::ROW * rows as f64;
        let legend = sheet_end + if has_note { 38.0 } else { 20.0 };
        let first_panel = legend + GAP;
        let panels = [first_panel, first_panel + curves::PANEL * panels as f64];
        Self { sheet: [top, sheet_end], note: sheet_end + 14.0, legend, panels }
    }

    /// The parts of the picture with times along them.
    fn timed(&self) -> [[f64; 2]; 2] {
        [self.sheet, [self.panels[0], self.panels[1] - (curves::PANEL - curves::HEIGHT)]]
    }
}

/// The picture of a file's rows.
pub(super) fn picture(file: &str, clip: &Clip, all: &[ChannelRow<'_>], is_selected: bool) -> String {
    let shown = shown(all);
    let panels = panels(all, is_selected);
    let left_out = left_out(all, &shown);
    let layout = Layout::new(clip, shown.len(), !left_out.is_empty(), panels.len());
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut canvas = Canvas::new(WIDTH, layout.panels[1], &format!("{name}: keys and curves over time"));
    let time = time_axis(clip, all);
    header(&mut canvas, name, clip, all);
    sheet::bands(&mut canvas, &shown, TIME[1], layout.sheet[0], NAMES[0] - 8.0);
    scales(&mut canvas, clip, &time, &layout);
    sheet::draw(&mut canvas, &shown, &time, layout.sheet[0], NAMES);
    canvas.text([NAMES[0], layout.note], 11.0, QUIET, Anchor::Start, &left_out);
    sheet::legend(&mut canvas, &kinds(&shown), [TIME[0], layout.legend]);
    curves::draw(&mut canvas, &panels, &time, layout.panels[0], NAMES);
    markers(&mut canvas, clip, &time, &layout);
    canvas.finish()
}

/// From 0 to the end, and as far as keys lie outside.
fn time_axis(clip: &Clip, rows: &[ChannelRow<'_>]) -> Axis {
    let keys = || rows.iter().flat_map(|row| [row.keys.first(), row.keys.last()]).flatten().copied();
    Axis::new(keys().fold(0.0, f64::min), keys().fold(clip.duration.0, f64::max), TIME[0], TIME[1])
}

/// The rows that fit: if there are many, only rows with motion.
fn shown<'a, 'b>(all: &'a [ChannelRow<'b>]) -> Vec<&'a ChannelRow<'b>> {
    if all.len() <= FEW_ROWS || !all.iter().any(ChannelRow::moves) {
        return all.iter().take(MOST_ROWS).collect();
    }
    all.iter().filter(|row| row.moves()).take(MOST_ROWS).collect()
}

fn left_out(all: &[ChannelRow<'_>], shown: &[&ChannelRow<'_>]) -> String {
    let moving = all.iter().filter(|row| row.moves()).count();
    let hidden = moving - shown.iter().filter(|row| row.moves()).count();
    let still = all.len() - shown.len() - hidden;
    let part =
        |count: usize, what: &str| (count > 0).then(|| format!("{} {what}", counted(count, "channel")));
    let parts: Vec<String> = [
        part(hidden, agreeing(hidden, "that moves (--select shows it)", "that move (--select shows them)")),
        part(still, agreeing(still, "that never moves", "that never move")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { String::new() } else { format!("… and {}", parts.join(", and ")) }
}

/// The rows whose curves are drawn: the selected rows, else the rows with the most motion, in the order of
/// the file.
fn panels<'a, 'b>(all: &'a [ChannelRow<'b>], is_selected: bool) -> Vec<&'a ChannelRow<'b>> {
    let limit = if is_selected { MOST_PANELS } else { FEW_PANELS };
    let busy = |row: &ChannelRow<'_>| row.spans.iter().filter(|span| **span == SegmentKind::Moving).count();
    let mut chosen: Vec<usize> = (0..all.len()).filter(|i| is_selected || all[*i].moves()).collect();
    by_key(&mut chosen, |i| (!all[*i].moves(), usize::MAX - busy(&all[*i])));
    chosen.truncate(limit);
    chosen.sort_unstable();
    chosen.into_iter().map(|i| &all[i]).collect()
}

fn kinds(rows: &[&ChannelRow<'_>]) -> Vec<TargetKind> {
    let mut kinds: Vec<TargetKind> = rows.iter().map(|row| row.kind).collect();
    by_key(&mut kinds, |kind| *kind);
    kinds.dedup();
    kinds
}

fn header(canvas: &mut Canvas, name: &str, clip: &Clip, all: &[ChannelRow<'_>]) {
    canvas.text([NAMES[0], 30.0], 17.0, INK, Anchor::Start, name);
    let keys: usize = all.iter().map(|row| row.keys.len()).sum();
    let mut tracks: Vec<usize> = all.iter().map(|row| row.track).collect();
    tracks.dedup();
    let clip_name = clip.name.as_ref().map_or(String::new(), |name| format!("{}, ", shortened(name, 60)));
    let rate = clip.grid.map_or(String::new(), |grid| format!(", {grid}"));
    let duration = label(clip.duration.0, clip.duration.0 / 100.0);
    let facts = format!(
        "{clip_name}{duration} s{rate}, {}, {}, {}",
        counted(tracks.len(), "target"),
        counted(all.len(), "channel"),
        counted(keys, "key")
    );
    canvas.text([NAMES[0], 48.0], 11.5, QUIET, Anchor::Start, &facts);
}

/// Seconds and frames above, and thin lines down through everything.
fn scales(canvas: &mut Canvas, clip: &Clip, time: &Axis, layout: &Layout) {
    let ticks = time.ticks(70.0);
    let mut path = String::new();
    for tick in &ticks {
        let x = Short(time.at(*tick));
        for [from, to] in layout.timed() {
            let _ = write!(path, "M{x} {}V{}", Short(from), Short(to));
        }
    }
    canvas.stroke(&path, LINE, 1.0, "");
    for [from, to] in layout.timed() {
        outside(canvas, clip, time, from, to);
    }
    let last = ticks.len().saturating_sub(1);
    for (index, tick) in ticks.iter().enumerate() {
        let unit = if index == last { " s" } else { "" };
        let text = format!("{}{unit}", label(*tick, time.to - time.from));
        canvas.text([time.at(*tick), SCALES + 12.0], 11.0, QUIET, Anchor::Middle, &text);
    }
    let Some(rate) = clip.grid else { return };
    let y = SCALES + 12.0 + LINE_HEIGHT;
    for (frame, at) in time.frames(rate, 44.0) {
        canvas.text([time.at(at), y], 10.0, FAINT, Anchor::Middle, &frame.to_string());
    }
    canvas.text([NAMES[1], y], 10.0, FAINT, Anchor::End, "frame");
}

/// Shades the times before 0 and after the clip's end.
fn outside(canvas: &mut Canvas, clip: &Clip, time: &Axis, top: f64, bottom: f64) {
    for (from, to) in [(time.from, 0.0), (clip.duration.0, time.to)] {
        let (from, to) = (time.at(from), time.at(to));
        if to - from > 0.5 && bottom > top {
            canvas.rect([from, top, to - from, bottom - top], "#f3f4f6");
        }
    }
}

fn markers(canvas: &mut Canvas, clip: &Clip, time: &Axis, layout: &Layout) {
    let mut free = f64::NEG_INFINITY;
    let top = layout.sheet[0] - 12.0;
    let mut sorted: Vec<&Marker> = clip.markers.iter().collect();
    by_number(&mut sorted, |marker| marker.time.0);
    // Those at one time share a line and its text.
    for together in sorted.chunk_by(|a, b| a.time == b.time) {
        let x = together.first().map_or(0.0, |marker| time.at(marker.time.0));
        let down = |[from, to]: [f64; 2]| format!("M{} {}V{}", Short(x), Short(from), Short(to));
        canvas.group(&together.iter().map(|marker| marker.name.as_str()).collect::<Vec<_>>().join(", "));
        let line: String = layout.timed().into_iter().map(down).collect();
        canvas.stroke(&line, MARKER, 1.0, " stroke-dasharray=\"4 3\" stroke-opacity=\".6\"");
        canvas.fill(&format!("M{} {}v12M{0} {1}l7 4-7 4z", Short(x), Short(top - 1.0)), MARKER);
        let name = together.iter().map(|marker| shortened(&marker.name, 18)).collect::<Vec<_>>().join(", ");
        let room = 16.0 + 7.0 * width(&name) as f64;
        // Names that would run into each other are left to the tooltip.
        if x > free && x + room < WIDTH {
            canvas.text([x + 9.0, top + 7.0], 10.5, MARKER, Anchor::Start, &name);
            free = x + room;
        } else if x - room > free {
            canvas.text([x - 4.0, top + 7.0], 10.5, MARKER, Anchor::End, &name);
            free = x + 9.0;
        }
        canvas.end_group();
    }
}
