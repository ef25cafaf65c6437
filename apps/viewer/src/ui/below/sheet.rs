//! The dope sheet, drawn.

use crate::model::rows::{Line, Mark, Span, marks, neighbour, ticks};
use crate::model::sheet::Sheet;
use crate::ui::theme::rgb;
use crate::viewer::Viewer;
use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Response, ScrollArea, Sense, Shape, Stroke, TextEdit, Ui,
    pos2, vec2,
};

/// Heights of a line and of the ruler, in points.
const LINE: f32 = 20.0;
const RULER: f32 = 22.0;
/// Half of a diamond's width.
const DIAMOND: f32 = 4.5;
/// Largest width of the column of names, in points and as a share of the whole.
const NAMES: (f32, f32) = (210.0, 0.36);
/// Points between labels of the ruler.
const ROOM: f32 = 64.0;
/// Points of a wheel's way for a factor of e.
const WHEEL: f32 = 300.0;

impl Viewer {
    /// The tools beside the names of the tabs.
    pub(crate) fn sheet_tools(&mut self, ui: &mut Ui) {
        let Some(sheet) = &mut self.sheet else { return };
        ui.separator();
        let filter = TextEdit::singleline(&mut sheet.wanted).hint_text("Filter names").desired_width(120.0);
        let filter = ui.add(filter).on_hover_text("Rows whose names have this in them (/)");
        if std::mem::take(&mut self.panels.wants_filter) {
            filter.request_focus();
        }
        self.controls.note("filter", &filter);
        let all = ui.button("All").on_hover_text("All of the clip (double click)");
        self.controls.note("all", &all);
        if all.clicked() {
            sheet.show_all();
        }
    }

    pub(crate) fn dope_sheet(&mut self, ui: &mut Ui) {
        self.prepare_sheet();
        let Some(mut sheet) = self.sheet.take() else { return };
        let names = (ui.available_width() * NAMES.1).min(NAMES.0);
        self.ruler(ui, &mut sheet, names);
        let count = sheet.lines().len();
        if count == 0 {
            let text = if sheet.wanted.is_empty() { "No keys" } else { "No row has that in its name" };
            ui.weak(text);
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        area.show_rows(ui, LINE, count, |ui, range| {
            for line in range {
                let Some(line) = sheet.lines().get(line).copied() else { continue };
                self.line(ui, &mut sheet, line, names);
            }
        });
        self.sheet = Some(sheet);
    }

    /// The ruler of round times, also the bar for dragging the time.
    pub(crate) fn ruler(&mut self, ui: &mut Ui, sheet: &mut Sheet, names: f32) {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), RULER), Sense::click_and_drag());
        let times = times_of(rect, names);
        sheet.span.width = times.width();
        self.controls.place("ruler", times);
        if let Some(pointer) = response.interact_pointer_pos().filter(|at| at.x >= times.left()) {
            self.clock.seek(sheet.span.time(pointer.x - times.left()));
        }
        move_span(ui, &response, times, &mut sheet.span, false);
        let painter = ui.painter_at(rect);
        let fps = self.clock.in_frames.then(|| self.clock.fps());
        let (times_of_ticks, _) = ticks(&sheet.span, ROOM, fps);
        let color = ui.visuals().weak_text_color();
        for tick in times_of_ticks {
            let x = times.left() + sheet.span.at(tick);
            painter.vline(x, rect.bottom() - 5.0..=rect.bottom(), (1.0, color));
            let text = match fps {
                Some(fps) => format!("{:.0}", tick * fps),
                // What is added makes 0 of what is rounded to -0.
                None => format!("{}", (tick * 1e4).round() / 1e4 + 0.0),
            };
            painter.text(
                pos2(x, rect.top() + 2.0),
                Align2::CENTER_TOP,
                text,
                FontId::proportional(11.0),
                color,
            );
        }
        let markers =
            self.sight.casts.first().map(|cast| cast.stage.clip().markers.clone()).unwrap_or_default();
        for marker in markers {
            let x = times.left() + sheet.span.at(marker.time.0);
            painter.vline(x, rect.y_range(), (1.0, rgb(self.sight.theme.accent)));
        }
        self.cursor(&painter, rect, times, &sheet.span);
    }

    /// A line at the present time.
    pub(crate) fn cursor(&self, painter: &Painter, rect: Rect, times: Rect, span: &Span) {
        let x = times.left() + span.at(self.clock.time);
        if times.x_range().contains(x) {
            painter.vline(x, rect.y_range(), (1.5, rgb(self.sight.theme.bone)));
        }
    }

    fn line(&mut self, ui: &mut Ui, sheet: &mut Sheet, line: Line, names: f32) {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click_and_drag());
        let times = times_of(rect, names);
        move_span(ui, &response, times, &mut sheet.span, true);
        let painter = ui.painter_at(rect);
        let is_selected = matches!(line, Line::Row(g, r) if sheet.selected == Some([g, r]));
        if is_selected {
            painter.rect_filled(rect, 0.0, ui.visuals().selection.bg_fill.gamma_multiply(0.5));
        } else if response.hovered() {
            painter.rect_filled(rect, 0.0, ui.visuals().widgets.hovered.weak_bg_fill.gamma_multiply(0.4));
        }
        painter.hline(
            rect.x_range(),
            rect.bottom(),
            (0.5, ui.visuals().widgets.noninteractive.bg_stroke.color),
        );
        let (text, keys, is_group) = described(sheet, line);
        let color = if is_group { ui.visuals().strong_text_color() } else { ui.visuals().text_color() };
        let names_painter = painter.with_clip_rect(rect.with_max_x(times.left() - 4.0));
        names_painter.text(
            rect.left_center() + vec2(4.0, 0.0),
            Align2::LEFT_CENTER,
            text,
            FontId::proportional(12.5),
            color,
        );
        // On white, less of a colour is soon nothing.
        let share = if ui.visuals().dark_mode { 0.6 } else { 0.85 };
        let key_color = rgb(self.sight.theme.joint).gamma_multiply(if is_group { share } else { 1.0 });
        let key_painter = painter.with_clip_rect(times.expand2(vec2(DIAMOND, 0.0)));
        for mark in marks(keys, &sheet.span, DIAMOND * 2.0) {
            draw_mark(&key_painter, times, &mark, key_color);
        }
        self.cursor(&painter, rect, times, &sheet.span);
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.clicked()) {
            self.click(sheet, line, pointer, times);
        }
        if response.double_clicked() {
            sheet.show_all();
        }
    }

    /// Handles a click: on a name, opens a group or selects a row; on a key, goes to its time.
    fn click(&mut self, sheet: &mut Sheet, line: Line, pointer: Pos2, times: Rect) {
        if let Line::Row(group, row) = line {
            sheet.selected = Some([group, row]);
        }
        if pointer.x < times.left() - DIAMOND {
            if let Line::Group(group) = line {
                sheet.fold(group);
            }
            return;
        }
        let (_, keys, _) = described(sheet, line);
        let at = pointer.x - times.left();
        let before = neighbour(keys, sheet.span.time(at), false);
        let near = before.into_iter().chain(neighbour(keys, sheet.span.time(at), true));
        let off = |time: &f64| (sheet.span.at(*time) - at).abs();
        let nearest = near.min_by(|a, b| off(a).total_cmp(&off(b))).filter(|time| off(time) <= DIAMOND * 2.0);
        self.clock.seek(nearest.unwrap_or_else(|| sheet.span.time(at)));
    }

    /// Goes to a key of the chosen row, or of all rows.
    pub(crate) fn seek_key(&mut self, is_after: bool) {
        self.prepare_sheet();
        let Some(sheet) = &self.sheet else { return };
        if let Some(time) = sheet.row().and_then(|(_, row)| neighbour(&row.keys, self.clock.time, is_after)) {
            self.clock.seek(time);
        }
    }
}

/// The part of a line with the keys.
fn times_of(rect: Rect, names: f32) -> Rect {
    Rect::from_min_max(pos2(rect.left() + names, rect.top()), pos2(rect.right() - 12.0, rect.bottom()))
}

/// The text and the keys of a line, and true for a line of several rows.
fn described(sheet: &Sheet, line: Line) -> (String, &[f64], bool) {
    match line {
        Line::Group(index) => {
            let group = &sheet.groups[index];
            let sign = if group.is_open { "▾" } else { "▸" };
            (format!("{sign} {}", group.target), &group.keys, true)
        }
        Line::Row(index, row) => {
            let group = &sheet.groups[index];
            let row = &group.rows[row];
            let text = match group.is_open && group.rows.len() > 1 {
                true => format!("      {}", row.name),
                false => format!("{}  {}", group.target, row.name),
            };
            (text, &row.keys, false)
        }
    }
}

/// Draws a diamond for a key, or a bar for keys too near to be seen one by one.
fn draw_mark(painter: &Painter, times: Rect, mark: &Mark, color: Color32) {
    let y = times.center().y;
    let (from, to) = (times.left() + mark.from, times.left() + mark.to);
    if mark.count > 1 && to - from > 1.0 {
        let bar = Rect::from_min_max(pos2(from - 2.0, y - 3.0), pos2(to + 2.0, y + 3.0));
        painter.rect_filled(bar, 3.0, color.gamma_multiply(0.6));
        return;
    }
    let corners = vec![
        pos2(from - DIAMOND, y),
        pos2(from, y - DIAMOND),
        pos2(from + DIAMOND, y),
        pos2(from, y + DIAMOND),
    ];
    painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
}

/// A wheel with Ctrl, or a pinch, zooms; a wheel to the side, or a drag, moves.
pub(crate) fn move_span(ui: &Ui, response: &Response, times: Rect, span: &mut Span, drags: bool) {
    if drags && response.dragged() {
        span.pan(-response.drag_delta().x);
    }
    let Some(pointer) = response.hover_pos() else { return };
    let (scrolled, pinched, alt) =
        ui.input(|input| (input.smooth_scroll_delta, input.zoom_delta(), input.modifiers.alt));
    let wheel = if alt { f64::from(scrolled.y / WHEEL).exp() } else { 1.0 };
    let factor = f64::from(pinched) * wheel;
    if factor != 1.0 {
        span.zoom(factor, pointer.x - times.left());
    }
    if scrolled.x != 0.0 {
        span.pan(-scrolled.x);
    }
}
