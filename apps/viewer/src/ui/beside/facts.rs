//! The tabs of facts about the shown file, and of its findings.

use crate::files::document::Document;
use crate::model::jump::jump;
use crate::model::tab::Tab;
use crate::viewer::Viewer;
use crate::words::here;
use dopesheet::core::words::counted;
use dopesheet::{Info, Severity, core::diag::Subject};
use eframe::egui::{Color32, ComboBox, CursorIcon, Grid, Label, RichText, ScrollArea, Sense, Ui};
use std::sync::Arc;

impl Viewer {
    pub(crate) fn facts(&mut self, ui: &mut Ui) {
        let Some(document) = self.files.document().map(Arc::clone) else { return };
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.label(RichText::new(document.name()).strong());
            match document.info() {
                Ok(info) => drop(ui.scope(|ui| facts_of(ui, info, document.size))),
                Err(why) => drop(ui.colored_label(ui.visuals().error_fg_color, why)),
            }
            self.model(ui, &document);
            if let Some(shown) = self.files.shown.as_ref().filter(|shown| !shown.report.findings.is_empty()) {
                ui.add_space(6.0);
                ui.label(RichText::new("To show it").strong());
                for finding in &shown.report.findings {
                    ui.label(RichText::new(here(&finding.to_string())).small());
                }
            }
        });
    }

    /// The choice of the model under a motion.
    fn model(&mut self, ui: &mut Ui, document: &Arc<Document>) {
        if !document.wants_model() {
            return;
        }
        ui.add_space(6.0);
        let name = |index: Option<usize>| match index.and_then(|index| self.files.documents.get(index)) {
            Some(model) => model.name().to_owned(),
            None => "none, or our own puppet".to_owned(),
        };
        let mut chosen = self.files.model;
        ui.horizontal(|ui| {
            ui.label("Plays on");
            let combo = ComboBox::from_id_salt("model").truncate().selected_text(name(chosen));
            let response = combo.show_ui(ui, |ui| {
                ui.selectable_value(&mut chosen, None, name(None));
                for (index, model) in
                    self.files.documents.iter().enumerate().filter(|(_, model)| model.is_model())
                {
                    ui.selectable_value(&mut chosen, Some(index), model.name());
                }
            });
            self.controls.note("model", &response.response);
        });
        if self.files.model.is_some() && self.files.shown.as_ref().is_some_and(|shown| shown.model.is_none())
        {
            ui.label(RichText::new("That model has nothing of what this motion moves.").small().weak());
        }
        if chosen != self.files.model {
            self.files.play_on(chosen);
            self.staged();
        }
    }

    pub(crate) fn findings(&mut self, ui: &mut Ui) {
        let Some(document) = self.files.document().map(Arc::clone) else { return };
        let findings = &document.findings().findings;
        if findings.is_empty() {
            ui.label("Nothing is wrong with it.");
            return;
        }
        ui.label(summary(findings.iter().map(|finding| finding.severity)));
        ui.add_space(4.0);
        let mut clicked = None;
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            for (index, finding) in findings.iter().enumerate() {
                let color = color(ui, finding.severity);
                ui.label(
                    RichText::new(format!("{} {}", finding.severity.word(), finding.fault.code))
                        .strong()
                        .color(color),
                );
                let text = Label::new(finding.fault.to_string()).wrap();
                if let Some(subject) = &finding.subject {
                    let text = ui.add(text.sense(Sense::click())).on_hover_text("Go to what it is about");
                    let text = text.on_hover_cursor(CursorIcon::PointingHand);
                    self.controls.note(format!("finding {index}"), &text);
                    if text.clicked() {
                        clicked = Some(subject);
                    }
                } else {
                    ui.add(text);
                }
                ui.add_space(6.0);
            }
        });
        if let Some(subject) = clicked {
            self.go_to(subject);
        }
    }

    /// Goes to the key named in a finding.
    fn go_to(&mut self, subject: &Subject) {
        let is_other = self.files.shown.as_ref().is_some_and(|shown| shown.clip != subject.clip);
        if is_other && let Some(shown) = &mut self.files.shown {
            shown.choose(subject.clip, &mut self.files.textures);
            self.staged();
        }
        self.prepare_sheet();
        let Some(sheet) = &mut self.sheet else { return };
        let jump = jump(subject, &sheet.groups);
        if let Some([group, row]) = jump.row {
            sheet.selected = Some([group, row]);
            sheet.wanted.clone_from(&sheet.groups[group].target);
        }
        if let Some(time) = jump.time {
            self.clock.seek(time);
        }
        if !Tab::BELOW.contains(&self.panels.tab) {
            self.panels.tab = Tab::Sheet;
        }
    }
}

fn facts_of(ui: &mut Ui, info: &Info, size: usize) {
    ui.spacing_mut().interact_size.y = 16.0;
    Grid::new("facts").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
        let mut fact = |name: &str, value: String| {
            ui.weak(name);
            ui.add(Label::new(value).wrap());
            ui.end_row();
        };
        fact("Format", info.format_name.to_owned());
        if let Some(version) = &info.summary.version {
            fact("Version", version.clone());
        }
        if let Some(variant) = &info.summary.variant {
            fact("Variant", variant.clone());
        }
        fact("Size", bytes(size));
        if info.nodes > 0 {
            fact("Nodes", info.nodes.to_string());
        }
        for (name, count) in &info.parts {
            fact(&capital(name), count.to_string());
        }
        for clip in &info.clips {
            let name = clip.name.as_deref().filter(|name| !name.is_empty()).unwrap_or("Clip");
            let rate = clip.rate_fps.map(|fps| format!(", {fps} fps")).unwrap_or_default();
            let (tracks, keys) = (counted(clip.tracks, "track"), counted(clip.keys, "key"));
            fact(name, format!("{:.2} s{rate}, {tracks}, {keys}", clip.duration_s));
        }
        for (name, value) in &info.summary.facts {
            fact(&capital(name), value.clone());
        }
    });
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn bytes(size: usize) -> String {
    match size {
        0..10_000 => format!("{size} bytes"),
        10_000..10_000_000 => format!("{:.1} kB", size as f64 / 1e3),
        _ => format!("{:.1} MB", size as f64 / 1e6),
    }
}

fn summary(severities: impl Iterator<Item = Severity>) -> String {
    let all: Vec<Severity> = severities.collect();
    let count = |severity| all.iter().filter(|other| **other == severity).count();
    let part = |severity: Severity, word: &str| match count(severity) {
        0 => None,
        1 => Some(format!("1 {word}")),
        n => Some(format!("{n} {word}s")),
    };
    let parts =
        [part(Severity::Error, "error"), part(Severity::Warning, "warning"), part(Severity::Info, "remark")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn color(ui: &Ui, severity: Severity) -> Color32 {
    match severity {
        Severity::Error => ui.visuals().error_fg_color,
        Severity::Warning => ui.visuals().warn_fg_color,
        Severity::Info => ui.visuals().weak_text_color(),
    }
}
