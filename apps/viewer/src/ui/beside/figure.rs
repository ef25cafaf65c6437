//! The tab of figures: a motion put onto another figure, and played beside the source.

use super::compare::busy;
use super::export::report_of;
use crate::files::Placing;
use crate::files::choices::PERSON;
use crate::files::document::Document;
use crate::jobs::fitting::SETTINGS;
use crate::model::command;
use crate::model::tab::Tab;
use crate::platform;
use crate::viewer::Viewer;
use crate::work::Tone;
use dopesheet::convert::{Setting, settings};
use dopesheet::core::format::Output;
use dopesheet::human::NOT_LIKE_THE_SOURCE;
use dopesheet::motion::length_m;
use dopesheet::persons::Persons;
use eframe::egui::{CollapsingHeader, ComboBox, RichText, ScrollArea, Slider, Ui};
use std::sync::Arc;

/// The setting of the space for arms, with the largest and the first value of its slider, in centimetres.
const ARM_SPACE: &str = "arm-space";
const MOST_ARM_SPACE: f64 = 20.0;
const FIRST_ARM_SPACE: f64 = 2.0;

/// The setting of the figure's height, with the largest value of its slider, in centimetres.
const RAISE: &str = "raise";
const MOST_RAISED: f64 = 20.0;

/// Height of the verdict with its buttons, and least height of a panel with a verdict above the scroll area, in points.
const VERDICT: f32 = 104.0;
const LEAST_ROOM: f32 = 320.0;

impl Viewer {
    pub(crate) fn figure(&mut self, ui: &mut Ui) {
        self.choose_figure(ui);
        if self.files.figure.is_none() {
            ui.weak("Choose a figure among the open files: it takes the motion, with feet that stand where the source's stand. Drop another file to have one more to choose from.");
            return;
        }
        ui.horizontal_wrapped(|ui| {
            for (placing, word) in [(Placing::Beside, "Side by side"), (Placing::Over, "Over each other")] {
                let choice = ui.radio_value(&mut self.files.placing, placing, word);
                self.controls.note(word, &choice);
            }
        });
        self.bones.prepare(self.files.inputs(), &self.choices);
        // Where there is room, the verdict stays in sight and in its place while bones are mended.
        let has_room = ui.available_height() > LEAST_ROOM;
        if has_room {
            ui.scope(|ui| {
                ui.set_min_height(VERDICT);
                self.outcome(ui);
            });
            ui.separator();
        }
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            if !has_room {
                self.outcome(ui);
            }
            let rest = self.fitting.report.get(2..).unwrap_or_default();
            // What the verdict does not say, such as that a figure lies, is not to be looked for.
            let (urgent, rest): (Vec<_>, Vec<_>) =
                rest.iter().cloned().partition(|line| line.0 == Tone::Warning && !is_of_verdict(line));
            report_of(ui, &urgent);
            self.bone_table(ui);
            let known = |id: &str| settings().iter().find(|setting| setting.id == id);
            for setting in SETTINGS.into_iter().filter_map(known) {
                if setting.id == PERSON {
                    self.persons(ui, setting);
                    continue;
                }
                ui.horizontal_wrapped(|ui| match setting.id {
                    ARM_SPACE => self.arm_space(ui, setting),
                    RAISE => self.raise(ui, setting),
                    _ => self.setting(ui, setting),
                });
            }
            self.command_lines(ui);
            report_of(ui, &rest);
        });
    }

    /// The verdict, or the running job.
    fn outcome(&mut self, ui: &mut Ui) {
        if let Some(job) = &self.fitting.job {
            let stop = busy(ui, job);
            self.controls.note("stop putting on", &stop);
            if stop.clicked() {
                self.put_on(None);
                return;
            }
        }
        if !self.said.is_empty() {
            ui.label(&self.said);
        }
        let [(tone, verdict), (_, numbers), ..] = self.fitting.report.as_slice() else { return };
        let verdict = RichText::new(verdict);
        let label = ui.label(match tone {
            Tone::Warning => verdict.color(ui.visuals().warn_fg_color),
            _ => verdict.strong(),
        });
        label.on_hover_text(numbers);
        if let Some(exchanged) = &self.bones.exchanged {
            ui.label(RichText::new(exchanged).small());
        }
        ui.horizontal_wrapped(|ui| self.ways_on(ui));
    }

    /// Buttons for the worst moment, for the row of the bone farthest off, and for the export.
    fn ways_on(&mut self, ui: &mut Ui) {
        if let Some((bone, time)) = self.fitting.worst.clone() {
            let words = format!("Worst moment: {bone} at {}", self.clock.text(time));
            let go =
                ui.button(words).on_hover_text("The moment at which the figure is farthest from the source");
            self.controls.note("worst moment", &go);
            if go.clicked() {
                self.clock.seek(time);
            }
        }
        if let Some((bone, _)) = self.fitting.off.first() {
            let show = ui.button(format!("Show {bone}")).on_hover_text("Its row in the table of bones");
            self.controls.note("show bone", &show);
            if show.clicked() {
                self.bones.wanted = Some(bone.clone());
            }
        }
        let export = ui.button("Export…").on_hover_text("Save the figure with the motion as a file");
        self.controls.note("to export", &export);
        if export.clicked() {
            self.panels.open(Tab::Export);
        }
    }

    /// A list of the human figures in each file with several.
    fn persons(&mut self, ui: &mut Ui, setting: &'static Setting) {
        let given = self.choices.get(PERSON).cloned();
        let persons = given.as_deref().and_then(|given| Persons::parse(given).ok()).unwrap_or_default();
        let mut chosen = [persons.motion, persons.figure];
        let mut is_chosen = false;
        for (side, word) in ["motion", "figure"].into_iter().enumerate() {
            let all = &self.bones.persons[side];
            if all.len() < 2 {
                continue;
            }
            ui.horizontal_wrapped(|ui| {
                ui.label(format!("person of the {word}")).on_hover_text(setting.help);
                let text = all.get(chosen[side]).map_or("", String::as_str);
                let combo = ComboBox::from_id_salt(("person", side)).selected_text(text);
                let response = combo.show_ui(ui, |ui| {
                    for (position, hips) in all.iter().enumerate() {
                        // Without a choice the first is taken, but not if all names are there twice; it may be chosen.
                        let is_taken = given.is_some() && chosen[side] == position;
                        let choice = ui.selectable_label(is_taken, hips);
                        self.controls.note(format!("person {hips}"), &choice);
                        if choice.clicked() {
                            (chosen[side], is_chosen) = (position, true);
                        }
                    }
                });
                self.controls.note(format!("person of the {word}"), &response.response);
            });
        }
        if is_chosen {
            let [motion, figure] = chosen.map(|position| position + 1);
            self.choices.ask(PERSON, Some(format!("{motion}:{figure}")));
        }
    }

    fn raise(&mut self, ui: &mut Ui, setting: &'static Setting) {
        let given = self.choices.get(RAISE).and_then(|value| length_m(value));
        let mut centimetres = given.map_or(0.0, |metres| metres * 100.0);
        ui.label("height").on_hover_text(setting.help);
        let slider = Slider::new(&mut centimetres, -MOST_RAISED..=MOST_RAISED).step_by(0.5).suffix(" cm");
        let slider = ui.add(slider);
        self.controls.note("slider raise", &slider);
        if slider.changed() {
            self.choices.ask(RAISE, (centimetres != 0.0).then(|| format!("{centimetres}cm")));
        }
    }

    fn arm_space(&mut self, ui: &mut Ui, setting: &'static Setting) {
        let mut given = self.choices.get(ARM_SPACE).and_then(|value| value.parse::<f64>().ok());
        let mut is_on = given.is_some();
        let switch = ui.checkbox(&mut is_on, "keep hands off the body").on_hover_text(setting.help);
        self.controls.note("option arm-space", &switch);
        match (is_on, given) {
            (true, None) => given = Some(FIRST_ARM_SPACE),
            (false, _) => given = None,
            (true, Some(_)) => {}
        }
        if let Some(centimetres) = &mut given {
            let slider = Slider::new(centimetres, 0.0..=MOST_ARM_SPACE).step_by(0.5).suffix(" cm");
            let slider = ui.add(slider);
            self.controls.note("slider arm-space", &slider);
        }
        self.choices.ask(ARM_SPACE, given.map(|centimetres| centimetres.to_string()));
    }

    /// The command with the same output as Export, and the files that it names.
    fn command_lines(&mut self, ui: &mut Ui) {
        let header =
            CollapsingHeader::new("The same on the command line").id_salt("command").show(ui, |ui| {
                let text = self.command().join("\n");
                let figure = self.files.figure_document().map(|figure| &**figure);
                let document = self.files.document();
                let files = document.map(|document| command::files(document, figure, &self.choices));
                self.command_text(ui, "copy command", text, files.unwrap_or_default());
            });
        self.controls.note("command", &header.header_response);
    }

    /// Lines of the command, with buttons to copy them and to save the files named in them.
    pub(in crate::ui) fn command_text(
        &mut self,
        ui: &mut Ui,
        copy_id: &str,
        text: String,
        files: Vec<(String, String)>,
    ) {
        ui.label(RichText::new(&text).monospace().small());
        ui.horizontal_wrapped(|ui| {
            let copy = ui.button("Copy");
            self.controls.note(copy_id, &copy);
            if copy.clicked() {
                ui.copy_text(text);
            }
            for (name, contents) in files {
                let save = ui.button(format!("Save {name}")).on_hover_text("The command names it");
                self.controls.note(format!("save {name}"), &save);
                if save.clicked() {
                    let output = Output::new(contents.into_bytes());
                    self.said = platform::save(&name, &output).unwrap_or_else(|why| why);
                }
            }
        });
    }

    fn choose_figure(&mut self, ui: &mut Ui) {
        let name = |index: Option<usize>| match index.and_then(|index| self.files.documents.get(index)) {
            Some(document) => document.name().to_owned(),
            None => "nothing".to_owned(),
        };
        let (mut chosen, mut wants_puppet) = (self.files.figure, false);
        ui.horizontal(|ui| {
            ui.label("Onto");
            let combo = ComboBox::from_id_salt("figure").width(180.0).truncate().selected_text(name(chosen));
            let response = combo.show_ui(ui, |ui| {
                let none = ui.selectable_value(&mut chosen, None, name(None));
                self.controls.note("figure nothing", &none);
                if !self.files.documents.iter().any(|document| document.is_puppet) {
                    let puppet = ui.selectable_label(false, "our puppet");
                    self.controls.note("figure puppet", &puppet);
                    wants_puppet = puppet.clicked();
                }
                for (index, document) in self.files.documents.iter().enumerate() {
                    if index != self.files.active {
                        let choice = ui.selectable_value(&mut chosen, Some(index), document.name());
                        self.controls.note(format!("figure {}", document.name()), &choice);
                    }
                }
            });
            self.controls.note("figure", &response.response);
        });
        if wants_puppet && let Ok(puppet) = Document::puppet() {
            self.files.documents.push(Arc::new(puppet));
            chosen = Some(self.files.documents.len() - 1);
        }
        if chosen != self.files.figure {
            self.said.clear();
            self.put_on(chosen);
        }
    }
}

/// True of a warning about a difference between motion and source.
fn is_of_verdict(line: &(Tone, String)) -> bool {
    line.0 == Tone::Warning && line.1.contains(NOT_LIKE_THE_SOURCE)
}
