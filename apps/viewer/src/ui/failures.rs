//! Files that could not be opened, with the reasons, shown over the scene.

use crate::viewer::Viewer;
use eframe::egui::{Align2, Area, Frame, Id, Rect, RichText, ScrollArea, Ui};

/// Largest width of a message, in points.
const WIDTH: f32 = 520.0;

impl Viewer {
    pub(crate) fn failures(&mut self, ui: &Ui, rect: Rect) {
        if self.files.failures.is_empty() {
            return;
        }
        let width = (rect.width() - 24.0).min(WIDTH);
        let area = Area::new(Id::unique("failures"))
            .anchor(Align2::CENTER_CENTER, rect.center() - ui.ctx().content_rect().center());
        let mut closed = None;
        area.show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_width(width);
                let all = &self.files.failures;
                ui.horizontal(|ui| {
                    ui.label(RichText::new(heading(all.len())).strong().color(ui.visuals().error_fg_color));
                    let close = ui.button("Close");
                    self.controls.note("close failures", &close);
                    if close.clicked() {
                        closed = Some(());
                    }
                });
                ScrollArea::vertical()
                    .max_height((rect.height() * 0.6).max(80.0))
                    .min_scrolled_width(width)
                    .show(ui, |ui| {
                        for failure in all.iter().rev() {
                            ui.label(RichText::new(&failure.name).strong());
                            ui.label(&failure.why);
                            ui.add_space(4.0);
                        }
                    });
            });
        });
        if closed.is_some() {
            self.files.failures.clear();
        }
    }
}

fn heading(count: usize) -> String {
    match count {
        1 => "A file could not be opened".to_owned(),
        _ => format!("{count} files could not be opened"),
    }
}
