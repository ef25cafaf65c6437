//! Stands of feet and hands as bars below the time, coloured by how far they slide.

use crate::model::stands::{Stand, bones};
use crate::ui::theme::rgb;
use crate::viewer::Viewer;
use eframe::egui::{Align2, Color32, FontId, Pos2, Rangef, Rect, Sense, Ui, pos2, vec2};

/// Height of a row of bars and of the gap below it, in points.
const ROW: f32 = 10.0;
const GAP: f32 = 2.0;
/// Width of the longest name of a standing bone, in points.
const NAMES: f32 = 70.0;
/// Smallest slide with a red bar, in millimetres; a bar is yellow at half of it.
const RED_MM: f64 = 20.0;

impl Viewer {
    /// A row of bars for each standing bone: above, its slide without held contacts; below, its slide as written. A click goes to the stand.
    pub(in crate::ui) fn stands(&mut self, ui: &mut Ui, times: Rangef) {
        if self.files.fitted.is_none() || self.fitting.stands.is_empty() || self.clock.end <= 0.0 {
            return;
        }
        let bones = bones(&self.fitting.stands);
        let height = (ROW + GAP) * bones.len() as f32;
        let (whole, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
        let rect = Rect::from_x_y_ranges(times, whole.y_range());
        self.controls.place("stands", rect);
        names(ui, whole, rect.left(), &bones);
        let bar = |stand: &Stand| {
            let row = bones.iter().position(|bone| *bone == stand.bone).unwrap_or_default();
            bar(rect, stand, row, self.clock.end)
        };
        let painter = ui.painter_at(rect);
        for stand in &self.fitting.stands {
            let (above, below) = bar(stand).split_top_bottom_at_fraction(0.5);
            for (part, slide) in [above, below].into_iter().zip(stand.slide_mm) {
                painter.rect_filled(part, 1.0, color(slide));
            }
        }
        let at =
            |pointer: Pos2| self.fitting.stands.iter().find(|stand| bar(stand).expand(1.0).contains(pointer));
        if let Some(stand) = response.hover_pos().and_then(at) {
            response.clone().on_hover_text(self.words_of(stand));
        }
        let start = response.interact_pointer_pos().filter(|_| response.clicked()).and_then(at);
        if let Some(time) = start.map(|stand| stand.span[0]) {
            self.clock.seek(time);
        }
    }

    fn words_of(&self, contact: &Stand) -> String {
        let [from, to] = contact.span.map(|time| self.clock.text(time));
        let [before, after] = contact.slide_mm;
        format!(
            "{} stands from {from} to {to}; it slides {after:.1} mm ({before:.1} mm if nothing held it)",
            contact.bone
        )
    }
}

/// Names of rows on their left, if there is room.
fn names(ui: &Ui, whole: Rect, right: f32, bones: &[&str]) {
    let room = right - whole.left();
    for (row, bone) in bones.iter().enumerate().filter(|_| room >= NAMES) {
        let at = pos2(right - 8.0, whole.top() + (ROW + GAP) * row as f32 + ROW / 2.0);
        let weak = ui.visuals().weak_text_color();
        ui.painter().text(at, Align2::RIGHT_CENTER, bone, FontId::proportional(10.0), weak);
    }
}

fn bar(rect: Rect, contact: &Stand, row: usize, end: f64) -> Rect {
    let x = contact.span.map(|time| rect.left() + rect.width() * (time / end).clamp(0.0, 1.0) as f32);
    let top = rect.top() + (ROW + GAP) * row as f32;
    Rect::from_min_max(pos2(x[0], top), pos2(x[1].max(x[0] + 2.0), top + ROW))
}

/// From green over yellow to red.
fn color(slide_mm: f64) -> Color32 {
    let share = (slide_mm / RED_MM).clamp(0.0, 1.0);
    let mix = |from: f64, to: f64, share: f64| (from + (to - from) * share) as u8;
    match share < 0.5 {
        true => {
            rgb([mix(70.0, 230.0, share * 2.0), mix(170.0, 180.0, share * 2.0), mix(90.0, 60.0, share * 2.0)])
        }
        false => {
            let share = share * 2.0 - 1.0;
            rgb([mix(230.0, 225.0, share), mix(180.0, 60.0, share), mix(60.0, 60.0, share)])
        }
    }
}
