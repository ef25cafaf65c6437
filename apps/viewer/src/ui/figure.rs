//! The tab of figures: a motion is put onto another one, and played beside the source.

use super::compare::busy;
use super::export::report_of;
use crate::files::Placing;
use crate::fitting::SETTINGS;
use crate::viewer::Viewer;
use dopesheet::convert::settings;
use eframe::egui::{ComboBox, ScrollArea, Ui};

impl Viewer {
    pub(crate) fn figure(&mut self, ui: &mut Ui) {
        self.choose_figure(ui);
        if self.files.figure.is_none() {
            ui.weak("Choose a figure among the open files: it takes the motion, with feet that stand where the source's stand.");
            return;
        }
        ui.horizontal(|ui| {
            for (placing, word) in [(Placing::Beside, "Side by side"), (Placing::Over, "Over each other")] {
                let choice = ui.radio_value(&mut self.files.placing, placing, word);
                self.controls.note(word, &choice);
            }
        });
        for setting in settings().iter().filter(|setting| SETTINGS.contains(&setting.id)) {
            ui.horizontal_wrapped(|ui| self.setting(ui, setting));
        }
        self.prepare_fitting(ui.ctx());
        if let Some(job) = &self.fitting.job {
            let stop = busy(ui, job);
            self.controls.note("stop putting on", &stop);
            if stop.clicked() {
                self.put_on(None);
            }
        }
        if !self.said.is_empty() {
            ui.label(&self.said);
        }
        ui.weak("Export writes it in the format of your choice.");
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| report_of(ui, &self.fitting.report));
    }

    fn choose_figure(&mut self, ui: &mut Ui) {
        let name = |index: Option<usize>| match index.and_then(|index| self.files.documents.get(index)) {
            Some(document) => document.name().to_owned(),
            None => "nothing".to_owned(),
        };
        let mut chosen = self.files.figure;
        ui.horizontal(|ui| {
            ui.label("Onto");
            let combo = ComboBox::from_id_salt("figure").width(180.0).truncate().selected_text(name(chosen));
            let response = combo.show_ui(ui, |ui| {
                let none = ui.selectable_value(&mut chosen, None, name(None));
                self.controls.note("figure nothing", &none);
                for (index, document) in self.files.documents.iter().enumerate() {
                    if index != self.files.active {
                        let choice = ui.selectable_value(&mut chosen, Some(index), document.name());
                        self.controls.note(format!("figure {}", document.name()), &choice);
                    }
                }
            });
            self.controls.note("figure", &response.response);
        });
        if chosen != self.files.figure {
            self.said.clear();
            self.put_on(chosen);
        }
    }
}
