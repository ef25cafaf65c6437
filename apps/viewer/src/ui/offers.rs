//! The user's choice of files to open from an archive.

use crate::viewer::Viewer;
use dopesheet::core::words::counted;
use eframe::egui::{Align2, Area, Button, Frame, Id, Rect, RichText, ScrollArea, Ui};

/// Largest width of the question, in points.
const WIDTH: f32 = 520.0;

/// An answer of the user.
enum Answer {
    Open,
    Cancel,
}

impl Viewer {
    /// Asks about the first archive without an answer.
    pub(crate) fn offers(&mut self, ui: &Ui, rect: Rect) {
        let Some(offer) = self.files.offers.first_mut() else { return };
        let width = (rect.width() - 24.0).min(WIDTH);
        let area = Area::new(Id::unique("offers"))
            .anchor(Align2::CENTER_CENTER, rect.center() - ui.ctx().content_rect().center());
        let mut answer = None;
        let controls = &mut self.controls;
        area.show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_width(width);
                let holds = counted(offer.entries.len(), "file");
                ui.label(
                    RichText::new(format!("{} holds {holds}. Which are to be opened?", offer.archive))
                        .strong(),
                );
                ScrollArea::vertical()
                    .max_height((rect.height() * 0.6).max(80.0))
                    .min_scrolled_width(width)
                    .show(ui, |ui| {
                        for entry in &mut offer.entries {
                            let check = ui.checkbox(&mut entry.is_chosen, &entry.path);
                            controls.note(format!("open {}", entry.path), &check);
                        }
                    });
                ui.horizontal(|ui| {
                    let open = ui.add_enabled(offer.has_choice(), Button::new("Open"));
                    controls.note("open chosen", &open);
                    let all = ui.button("Open all");
                    controls.note("open all", &all);
                    let cancel = ui.button("Cancel");
                    controls.note("open nothing", &cancel);
                    if all.clicked() {
                        offer.entries.iter_mut().for_each(|entry| entry.is_chosen = true);
                    }
                    if open.clicked() || all.clicked() {
                        answer = Some(Answer::Open);
                    } else if cancel.clicked() {
                        answer = Some(Answer::Cancel);
                    }
                });
            });
        });
        match answer {
            Some(Answer::Open) => {
                self.files.open_chosen();
                self.staged();
            }
            Some(Answer::Cancel) => drop(self.files.offers.remove(0)),
            None => {}
        }
    }
}
