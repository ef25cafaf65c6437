//! Playing: start and stop, steps, speed, and the time.

use crate::model::clock::SPEEDS;
use crate::ui::icons::{Icon, button};
use crate::viewer::Viewer;
use eframe::egui::{Align, Button, ComboBox, Layout, Rect, RichText, Sense, StrokeKind, Ui, pos2, vec2};

/// Height of the bar for dragging the time, in points.
const BAR: f32 = 20.0;

impl Viewer {
    /// A row of buttons, and the bar for dragging the time.
    pub(crate) fn transport(&mut self, ui: &mut Ui, is_narrow: bool) {
        ui.add_space(4.0);
        let mut bar = ui.horizontal(|ui| {
            self.buttons(ui);
            let text = format!("{} / {}", self.clock.text(self.clock.time), self.clock.text(self.clock.end));
            let units = ui.add(Button::new(RichText::new(text).monospace()).frame(false));
            let units = units.on_hover_text("Frames or seconds (F)");
            self.controls.note("units", &units);
            if units.clicked() {
                self.clock.in_frames = !self.clock.in_frames;
            }
            if is_narrow {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| self.pace(ui));
            } else {
                self.pace(ui);
                return Some(self.scrub(ui));
            }
            None
        });
        let bar = bar.inner.take().unwrap_or_else(|| self.scrub(ui));
        self.stands(ui, bar.x_range());
    }

    fn buttons(&mut self, ui: &mut Ui) {
        let back = button(ui, Icon::Back, "A frame back (←)");
        self.controls.note("back", &back);
        if back.clicked() {
            self.clock.step(-1);
        }
        let (icon, hint) = match self.clock.is_playing {
            true => (Icon::Pause, "Pause (Space)"),
            false => (Icon::Play, "Play (Space)"),
        };
        let play = button(ui, icon, hint);
        self.controls.note("play", &play);
        if play.clicked() {
            self.clock.toggle();
        }
        let on = button(ui, Icon::On, "A frame on (→)");
        self.controls.note("on", &on);
        if on.clicked() {
            self.clock.step(1);
        }
    }

    fn pace(&mut self, ui: &mut Ui) {
        let repeat = ui
            .selectable_label(self.clock.loops, "Loop")
            .on_hover_text("Start anew at the end (L); [ and ] set where it starts and ends");
        self.controls.note("loop", &repeat);
        if repeat.clicked() {
            self.clock.loops = !self.clock.loops;
        }
        let combo =
            ComboBox::from_id_salt("speed").width(56.0).selected_text(format!("{}×", self.clock.speed));
        let response = combo.show_ui(ui, |ui| {
            for speed in SPEEDS {
                ui.selectable_value(&mut self.clock.speed, speed, format!("{speed}×"));
            }
        });
        self.controls.note("speed", &response.response);
    }

    /// Draws the bar and returns its rectangle.
    fn scrub(&mut self, ui: &mut Ui) -> Rect {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), BAR), Sense::click_and_drag());
        self.controls.note("scrub", &response);
        if let Some(pointer) = response.interact_pointer_pos() {
            let share = f64::from((pointer.x - rect.left()) / rect.width().max(1.0));
            self.clock.seek(share * self.clock.end);
        }
        let share = if self.clock.end > 0.0 { (self.clock.time / self.clock.end) as f32 } else { 0.0 };
        let visuals = ui.visuals();
        let track = rect.shrink2(vec2(0.0, 7.0));
        let at = |time: f64| rect.left() + rect.width() * (time / self.clock.end.max(1e-9)) as f32;
        let mut done = track;
        done.set_right(rect.left() + rect.width() * share.clamp(0.0, 1.0));
        let painter = ui.painter();
        painter.rect_filled(track, 3.0, visuals.widgets.inactive.bg_fill);
        painter.rect_filled(done, 3.0, visuals.selection.bg_fill);
        for marker in self.sight.casts.first().iter().flat_map(|cast| &cast.stage.clip().markers) {
            painter.vline(at(marker.time.0), rect.y_range(), (1.0, visuals.warn_fg_color));
        }
        if let Some([start, end]) = self.clock.part {
            let part = Rect::from_x_y_ranges(at(start)..=at(end), rect.y_range());
            painter.rect_stroke(part, 2.0, (1.5, visuals.strong_text_color()), StrokeKind::Inside);
        }
        painter.circle_filled(pos2(done.right(), rect.center().y), 7.0, visuals.hyperlink_color);
        rect
    }
}
