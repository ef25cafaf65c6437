//! The tab of changes: operations on the shown file, and the steps to undo.

use super::compare::busy;
use super::export::report_of;
use crate::files::document::Document;
use crate::model::command;
use crate::model::draft::{Draft, offered};
use crate::platform;
use crate::viewer::Viewer;
use dopesheet::core::format::Output;
use dopesheet::edit::{EditOption, Shape};
use eframe::egui::{Button, CollapsingHeader, ComboBox, RichText, ScrollArea, TextEdit, Ui};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Width of the values of options, in points.
const GIVEN: f32 = 110.0;

impl Viewer {
    pub(crate) fn change(&mut self, ui: &mut Ui) {
        let Some(document) = self.files.document().map(Arc::clone) else { return };
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            self.choose_operation(ui);
            self.options(ui);
            let is_free = self.editing.job.is_none();
            let apply = ui.add_enabled(is_free, Button::new("Apply"));
            self.controls.note("apply", &apply);
            if apply.clicked() {
                self.apply(ui, &document);
            }
            if let Some(job) = &self.editing.job {
                let stop = busy(ui, job);
                self.controls.note("stop changing", &stop);
                if stop.clicked() {
                    self.editing.job = None;
                    self.choices.changes.insert(document.file_serial(), document.changes().to_vec());
                }
            }
            if !self.said.is_empty() {
                ui.label(&self.said);
            }
            self.changed_file(ui, &document);
            report_of(ui, &self.editing.report);
            ui.separator();
            self.steps(ui);
        });
    }

    fn choose_operation(&mut self, ui: &mut Ui) {
        let chosen = self.draft.operation;
        let combo = ComboBox::from_id_salt("operation").width(120.0).height(320.0).selected_text(chosen.word);
        let response = combo.show_ui(ui, |ui| {
            for operation in offered() {
                let is_chosen = operation.word == chosen.word;
                let choice = ui.selectable_label(is_chosen, operation.word).on_hover_text(operation.help);
                self.controls.note(format!("operation {}", operation.word), &choice);
                if choice.clicked() && !is_chosen {
                    self.draft = Draft { operation, given: Map::new() };
                }
            }
        });
        self.controls.note("operation", &response.response);
        ui.label(RichText::new(self.draft.operation.help).small().weak());
    }

    /// A field for each option of the chosen operation. The played range is the default of a range.
    fn options(&mut self, ui: &mut Ui) {
        for option in self.draft.operation.options {
            let name = option.name;
            let usual = Draft::usual(name, &self.clock);
            ui.horizontal_wrapped(|ui| {
                let given = self.draft.given.get(name);
                let response = if option.shape == Shape::Switch {
                    let mut is_on = given.or(usual.as_ref()) == Some(&Value::Bool(true));
                    let response = ui.checkbox(&mut is_on, name.replace('-', " "));
                    if response.changed() {
                        self.draft.given.insert(name.to_owned(), Value::Bool(is_on));
                    }
                    response
                } else {
                    ui.label(name.replace('-', " "));
                    let mut text =
                        given.or(usual.as_ref()).and_then(Value::as_str).unwrap_or_default().to_owned();
                    let field = TextEdit::singleline(&mut text).hint_text(hint(option)).desired_width(GIVEN);
                    let response = ui.add(field);
                    if response.changed() {
                        self.draft.given.insert(name.to_owned(), Value::String(text));
                    } else if given.is_none() && !text.is_empty() {
                        // What is played may change until something is written.
                        response.clone().on_hover_text("The range that is played; [ and ] set it");
                    }
                    response
                };
                self.controls.note(format!("change {name}"), &response.on_hover_text(option.help));
            });
        }
    }

    fn apply(&mut self, ui: &Ui, document: &Arc<Document>) {
        self.said.clear();
        let options = self.draft.options(&self.clock);
        let change = (self.draft.operation.word.to_owned(), Value::Object(options).to_string());
        let changes = document.changes().iter().cloned().chain([change]).collect();
        if let Err(why) = self.editing.start(ui.ctx(), document, changes) {
            self.said = why;
        }
    }

    /// Operations on the file so far, and a button to save the file.
    fn changed_file(&mut self, ui: &mut Ui, document: &Document) {
        if document.changes().is_empty() {
            return;
        }
        for line in command::operations(document) {
            ui.label(RichText::new(line.text).monospace().small());
        }
        let save = ui.button(format!("Save {}", document.name()));
        let save = save.on_hover_text("In its own format; what no operation touched stays to the byte");
        self.controls.note("save", &save);
        if save.clicked() {
            self.said = saved(document);
        }
        let header = CollapsingHeader::new("The same on the command line").id_salt("edit").show(ui, |ui| {
            let text = command::edit(document, &format!("changed/{}", document.name())).unwrap_or_default();
            self.command_text(ui, "copy edit", text, command::edit_files(document));
        });
        self.controls.note("edit command", &header.header_response);
    }

    /// All steps, each with a button back to its state.
    fn steps(&mut self, ui: &mut Ui) {
        ui.label(RichText::new("Steps").strong());
        self.undo_buttons(ui);
        let mut wanted = None;
        let (words, now) = self.history.list();
        for (step, words) in words.enumerate() {
            let text = RichText::new(words).small();
            let label = ui.selectable_label(step == now, if step > now { text.weak() } else { text });
            self.controls.note(format!("step {step}"), &label);
            if label.clicked() {
                wanted = Some(step);
            }
        }
        self.go_to_step(wanted);
    }

    /// The buttons for a step back and a step on.
    pub(in crate::ui) fn undo_buttons(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let steps = [("Undo", self.history.before()), ("Redo", self.history.after())];
            for (word, step) in steps {
                let button = ui.add_enabled(step.is_some(), Button::new(word));
                self.controls.note(word, &button);
                if button.clicked() {
                    self.go_to_step(step);
                }
            }
        });
    }
}

/// Saves the file of a document, and yields a message with its place or the reason of a failure.
fn saved(document: &Document) -> String {
    let Some((files, position)) = &document.origin else { return String::new() };
    let mut parts = files.iter().enumerate();
    let Some((_, main)) = parts.clone().find(|(index, _)| index == position) else { return String::new() };
    let resources = parts.by_ref().filter(|(index, _)| index != position);
    let resources = resources.map(|(_, part)| (part.name.clone(), part.bytes.clone())).collect();
    let output = Output { main: main.bytes.clone(), resources };
    platform::save(document.name(), &output).unwrap_or_else(|why| why)
}

/// Default or form of an option's value.
fn hint(option: &EditOption) -> &'static str {
    match option.shape {
        Shape::Names => r#"{"A": "B"}"#,
        Shape::Spans => "[[0, 0], [1, 2]]",
        _ => option.default.unwrap_or(option.value),
    }
}
