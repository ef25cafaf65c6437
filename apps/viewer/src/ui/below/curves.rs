//! The curves of the chosen row, drawn.

use super::sheet::move_span;
use crate::model::curves::{Trace, bounds, traces, value_at};
use crate::model::rows::{Group, Row, Span};
use crate::model::sheet::Sheet;
use crate::ui::theme::rgb;
use crate::viewer::Viewer;
use eframe::egui::{
    Align2, Color32, ComboBox, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};

/// Width of the column of values, in points.
const VALUES: f32 = 64.0;
/// Points between lines of values.
const ROOM: f32 = 34.0;
/// Largest number of named curves.
const MOST_NAMES: usize = 12;
/// Colours of components, dark and light.
const COLORS: [[[u8; 3]; 6]; 2] = [
    [[247, 118, 142], [158, 206, 106], [122, 162, 247], [187, 154, 247], [255, 158, 100], [125, 207, 255]],
    [[220, 38, 38], [22, 140, 64], [37, 99, 235], [147, 51, 234], [217, 119, 6], [8, 145, 178]],
];

impl Viewer {
    pub(crate) fn curve_view(&mut self, ui: &mut Ui) {
        self.prepare_sheet();
        let Some(mut sheet) = self.sheet.take() else { return };
        self.choose_row(ui, &mut sheet);
        self.ruler(ui, &mut sheet, VALUES);
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        let times = Rect::from_min_max(
            pos2(rect.left() + VALUES, rect.top()),
            pos2(rect.right() - 12.0, rect.bottom()),
        );
        self.controls.place("curves", times);
        move_span(ui, &response, times, &mut sheet.span, true);
        if response.double_clicked() {
            sheet.show_all();
        }
        match drawn(&sheet) {
            drawn if !drawn.is_empty() => {
                let view = Plot { times, span: sheet.span, values: bounds(&drawn) };
                view.draw(ui, &drawn);
                if let Some(pointer) = response.hover_pos().filter(|at| times.contains(*at)) {
                    view.read(
                        ui,
                        &drawn,
                        pointer,
                        &self.clock.text(sheet.span.time(pointer.x - times.left())),
                    );
                }
                self.cursor(&ui.painter_at(rect), rect, times, &sheet.span);
            }
            _ => drop(ui.painter().text(
                rect.center(),
                Align2::CENTER_CENTER,
                "No curve",
                FontId::default(),
                ui.visuals().weak_text_color(),
            )),
        }
        self.sheet = Some(sheet);
    }

    fn choose_row(&mut self, ui: &mut Ui, sheet: &mut Sheet) {
        let text = sheet.row().map_or_else(
            || "Choose a row".to_owned(),
            |(group, row)| format!("{} / {}", group.target, row.name),
        );
        let is_kept = sheet.selected.is_some_and(|selected| sheet.kept.contains(&selected));
        ui.horizontal(|ui| {
            let combo = ComboBox::from_id_salt("row")
                .width((ui.available_width() - 80.0).clamp(60.0, 320.0))
                .truncate()
                .selected_text(text);
            let wanted = sheet.wanted.to_lowercase();
            let response = combo.show_ui(ui, |ui| {
                for (g, group) in sheet.groups.iter().enumerate() {
                    for (r, row) in group.rows.iter().enumerate() {
                        let name = format!("{} / {}", group.target, row.name);
                        if name.to_lowercase().contains(&wanted) {
                            ui.selectable_value(&mut sheet.selected, Some([g, r]), name);
                        }
                    }
                }
            });
            self.controls.note("row", &response.response);
            let keep = ui.selectable_label(is_kept, "Keep");
            let keep = keep.on_hover_text("Show these curves also when another row is chosen");
            self.controls.note("keep", &keep);
            if keep.clicked() {
                sheet.keep();
            }
        });
    }
}

/// The curves of all shown rows; with several rows, the name of each curve starts with the names of its target and its row.
fn drawn(sheet: &Sheet) -> Vec<Trace> {
    let several = sheet.rows().count() > 1;
    let of_row = |(group, row): (&Group, &Row)| {
        let mut traces = traces(&sheet.clip, row.place, &row.keys, &sheet.span);
        if several {
            for trace in &mut traces {
                trace.name = format!("{} {} {}", group.target, row.name, trace.name);
            }
        }
        traces
    };
    sheet.rows().flat_map(of_row).collect()
}

/// The part of the window with the curves, and the times and values along its sides.
pub(in crate::ui) struct Plot {
    pub(in crate::ui) times: Rect,
    pub(in crate::ui) span: Span,
    pub(in crate::ui) values: [f64; 2],
}

impl Plot {
    fn at(&self, [time, value]: [f64; 2]) -> Pos2 {
        let [low, high] = self.values;
        let share = ((value - low) / (high - low)).clamp(-10.0, 11.0) as f32;
        pos2(
            self.times.left() + self.span.at(time).clamp(-1e5, 1e5),
            self.times.bottom() - self.times.height() * share,
        )
    }

    pub(in crate::ui) fn draw(&self, ui: &Ui, traces: &[Trace]) {
        self.grid(ui);
        let painter = ui.painter_at(self.times);
        for (index, trace) in traces.iter().enumerate() {
            let color = color(ui, index);
            for [key, end] in &trace.handles {
                let ends = [self.at(*key), self.at(*end)];
                painter.line_segment(ends, (1.0, color.gamma_multiply(0.5)));
                painter.circle_filled(ends[1], 2.0, color);
            }
            painter.line(trace.points.iter().map(|point| self.at(*point)).collect(), (1.6, color));
            trace.keys.iter().for_each(|key| diamond(&painter, self.at(*key), color));
        }
        if traces.len() > 1 {
            // Short names stand side by side, long ones below each other.
            let is_short = traces.iter().all(|trace| trace.name.chars().count() <= 2);
            for (index, trace) in traces.iter().enumerate().take(MOST_NAMES) {
                let from_right = traces.len().min(MOST_NAMES) - 1 - index;
                let at = match is_short {
                    true => vec2(-8.0 - 16.0 * from_right as f32, 4.0),
                    false => vec2(-8.0, 4.0 + 15.0 * index as f32),
                };
                painter.text(
                    self.times.right_top() + at,
                    Align2::RIGHT_TOP,
                    &trace.name,
                    FontId::proportional(13.0),
                    color(ui, index),
                );
            }
        }
    }

    /// Lines at round values.
    fn grid(&self, ui: &Ui) {
        let upright = Span { from: self.values[0], to: self.values[1], width: self.times.height() };
        let (values, step) = crate::model::rows::ticks(&upright, ROOM, None);
        let line = ui.visuals().widgets.noninteractive.bg_stroke.color;
        let digits = (-step.log10().floor()).clamp(0.0, 8.0) as usize;
        for tick in values {
            let y = self.at([self.span.from, tick]).y;
            ui.painter().hline(self.times.x_range(), y, (0.7, line));
            let at = pos2(self.times.left() - 6.0, y);
            let text = format!("{:.digits$}", if tick.abs() < step * 1e-6 { 0.0 } else { tick });
            ui.painter().text(
                at,
                Align2::RIGHT_CENTER,
                text,
                FontId::proportional(11.0),
                ui.visuals().weak_text_color(),
            );
        }
    }

    /// The values under the pointer.
    pub(in crate::ui) fn read(&self, ui: &Ui, traces: &[Trace], pointer: Pos2, time: &str) {
        let at = self.span.time(pointer.x - self.times.left());
        let painter = ui.painter_at(self.times);
        painter.vline(pointer.x, self.times.y_range(), (0.7, ui.visuals().weak_text_color()));
        let values =
            traces.iter().filter_map(|trace| Some(format!("{} {:.4}", trace.name, value_at(trace, at)?)));
        let text = format!("{time}\n{}", values.take(12).collect::<Vec<_>>().join("\n"));
        let is_right = pointer.x > self.times.center().x;
        let galley = painter.layout_no_wrap(text, FontId::monospace(12.0), ui.visuals().strong_text_color());
        let left = if is_right { pointer.x - galley.size().x - 14.0 } else { pointer.x + 14.0 };
        let top = (pointer.y - galley.size().y / 2.0).clamp(
            self.times.top() + 2.0,
            (self.times.bottom() - galley.size().y - 2.0).max(self.times.top() + 2.0),
        );
        let plate = Rect::from_min_size(pos2(left, top), galley.size());
        painter.rect_filled(plate.expand(4.0), 4.0, ui.visuals().extreme_bg_color.gamma_multiply(0.92));
        painter.galley(plate.min, galley, Color32::WHITE);
    }
}

fn color(ui: &Ui, index: usize) -> Color32 {
    let palette = &COLORS[usize::from(!ui.visuals().dark_mode)];
    rgb(palette[index % palette.len()])
}

fn diamond(painter: &Painter, at: Pos2, color: Color32) {
    let corners =
        [vec2(-3.5, 0.0), vec2(0.0, -3.5), vec2(3.5, 0.0), vec2(0.0, 3.5)].map(|corner| at + corner);
    painter.add(Shape::convex_polygon(corners.to_vec(), color, Stroke::NONE));
}
