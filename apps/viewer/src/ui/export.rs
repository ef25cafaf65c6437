//! The tab of exports: formats, settings, and the report of a conversion.

use super::compare::busy;
use crate::choices::Names;
use crate::document::Document;
use crate::fitting::{OF_FIGURES, SETTINGS};
use crate::viewer::Viewer;
use crate::work::{Tone, Work};
use crate::writing::PLAYERS;
use crate::{export, platform};
use dopesheet::core::format::Output;
use dopesheet::draw::Drawing;
use dopesheet::{
    Error, convert::Setting, convert::SettingKind, convert::settings, core::format::AnyFormat,
    render::RenderForm,
};
use eframe::egui::{CollapsingHeader, ComboBox, RichText, ScrollArea, TextEdit, Ui};
use std::sync::Arc;

/// Width of the values of settings, in points.
const GIVEN: f32 = 130.0;

/// Labels and examples of settings with a text whose word and form are those of a command line.
const WORDED: [(&str, &str, &str); 3] = [
    ("vocabulary", "naming of bones", "mixamo:vrm"),
    ("clip", "only clip", "its name or #0"),
    ("range", "only from:to", "0.5:2 or 15f:60f"),
];

/// The format that players of avatars play.
const PLAYED: &str = "vrma";

impl Viewer {
    pub(crate) fn export(&mut self, ui: &mut Ui) {
        let Some(document) = self.files.document().map(Arc::clone) else { return };
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            if let Some(figure) = self.files.figure_document() {
                ui.label(format!("{} takes the motion.", figure.name()));
            }
            self.convert(ui, &document);
            ui.separator();
            self.pictures(ui, &document);
            if let Some(job) = &self.writing.job {
                ui.add_space(6.0);
                let stop = busy(ui, job);
                self.controls.note("stop writing", &stop);
                if stop.clicked() {
                    self.writing.job = None;
                }
            }
            if !self.said.is_empty() {
                ui.add_space(6.0);
                ui.label(&self.said);
            }
            if self.writing.report.iter().any(|(_, text)| text.contains(PLAYERS)) {
                let vrma = ui
                    .button("Choose VRMA instead")
                    .on_hover_text("The motion alone, which players of VRM put on any avatar");
                self.controls.note("vrma instead", &vrma);
                if vrma.clicked() {
                    (self.writing.target, self.writing.variant) = (PLAYED, 0);
                }
            }
            report_of(ui, &self.writing.report);
        });
    }

    fn convert(&mut self, ui: &mut Ui, document: &Document) {
        let figure = self.files.figure_document().map(Arc::clone);
        let targets: Vec<_> = export::targets(figure.as_deref()).collect();
        let Some(target) = self.writing.target(figure.as_deref()) else { return };
        let mut chosen = self.writing.target;
        ui.horizontal_wrapped(|ui| {
            let combo = ComboBox::from_id_salt("target")
                .width(190.0)
                .height(460.0)
                .truncate()
                .selected_text(target.info().name);
            let response = combo.show_ui(ui, |ui| {
                for format in &targets {
                    let choice = ui.selectable_value(&mut chosen, format.info().id, format.info().name);
                    self.controls.note(format!("target {}", format.info().id), &choice);
                }
            });
            self.controls.note("target", &response.response);
            let convert =
                ui.add_enabled(self.writing.job.is_none(), eframe::egui::Button::new("Convert and save"));
            self.controls.note("convert", &convert);
            if convert.clicked() {
                self.start_conversion(ui, document, target);
            }
        });
        self.variants(ui, target);
        let title = match self.choices.settings().len() {
            0 => "Options".to_owned(),
            count => format!("Options ({count})"),
        };
        let options = CollapsingHeader::new(title).id_salt("options").show(ui, |ui| self.settings(ui));
        self.controls.note("options", &options.header_response);
        if chosen != self.writing.target {
            (self.writing.target, self.writing.variant) = (chosen, 0);
        }
    }

    fn start_conversion(&mut self, ui: &Ui, document: &Document, target: &'static dyn AnyFormat) {
        let info = target.info();
        let extension = info.extensions.first().copied().unwrap_or(info.id);
        let name = export::name_on(document, self.files.figure_document().map(|figure| &**figure), extension);
        let variant = self.writing.variant_of(target);
        let names = if self.files.figure.is_some() { self.choices.names() } else { Names::default() };
        let work = Work::Convert {
            format: info.id.to_owned(),
            variant: variant.map(str::to_owned),
            file_name: name.clone(),
            settings: self.choices.settings(),
            names,
        };
        self.write(ui.ctx(), "Converting to", name, &work);
    }

    /// The variant of the written format, for formats with several.
    fn variants(&mut self, ui: &mut Ui, target: &'static dyn AnyFormat) {
        let variants = target.info().variants;
        let Some(chosen) = variants.get(self.writing.variant).filter(|_| variants.len() > 1) else { return };
        let combo = ComboBox::from_id_salt("variant").width(190.0).truncate();
        let response = combo.selected_text(format!("{}: {}", chosen.name, chosen.about)).show_ui(ui, |ui| {
            for (index, variant) in variants.iter().enumerate() {
                let text = format!("{}: {}", variant.name, variant.about);
                let choice = ui.selectable_value(&mut self.writing.variant, index, text);
                self.controls.note(format!("variant {}", variant.name), &choice);
            }
        });
        self.controls.note("variant", &response.response);
    }

    /// Settings of conversions: a line for each setting of the library.
    fn settings(&mut self, ui: &mut Ui) {
        // What is about figures stands where they are chosen.
        let has_figure = self.files.figure.is_some();
        let stands_here = |id: &&str| !(if has_figure { &SETTINGS[..] } else { &OF_FIGURES }).contains(id);
        for setting in settings().iter().filter(|setting| stands_here(&setting.id)) {
            let is_excluded = self.choices.excludes(setting);
            ui.add_enabled_ui(!is_excluded, |ui| ui.horizontal_wrapped(|ui| self.setting(ui, setting)));
        }
    }

    pub(super) fn setting(&mut self, ui: &mut Ui, setting: &'static Setting) {
        let asked = self.choices.get(setting.id).cloned();
        let mut given = asked.clone().unwrap_or_default();
        let worded = WORDED.iter().find(|(id, ..)| *id == setting.id);
        let name = worded.map_or_else(|| setting.id.replace('-', " "), |(_, label, _)| (*label).to_owned());
        let response = match setting.kind {
            SettingKind::Switch => {
                let mut is_on = asked.is_some();
                let response = ui.checkbox(&mut is_on, name);
                self.choices.ask(setting.id, is_on.then(String::new));
                response
            }
            SettingKind::Text(form) => {
                ui.label(name).on_hover_text(setting.help);
                let response = ui.add(
                    TextEdit::singleline(&mut given)
                        .hint_text(worded.map_or(form, |own| own.2))
                        .desired_width(GIVEN),
                );
                self.choices.ask(setting.id, Some(given).filter(|given| !given.is_empty()));
                response
            }
            SettingKind::Choice(_, words) => {
                ui.label(name).on_hover_text(setting.help);
                let usual = words[0].0;
                let mut word = words.iter().map(|row| row.0).find(|word| *word == given).unwrap_or(usual);
                let combo = ComboBox::from_id_salt(setting.id).width(GIVEN).selected_text(word);
                let response = combo.show_ui(ui, |ui| {
                    for (listed, help) in words {
                        let choice = ui.selectable_value(&mut word, listed, *listed).on_hover_text(*help);
                        self.controls.note(format!("option {} {listed}", setting.id), &choice);
                    }
                });
                self.choices.ask(setting.id, (word != usual).then(|| word.to_owned()));
                response.response
            }
        };
        self.controls.note(format!("option {}", setting.id), &response);
        response.on_hover_text(setting.help);
    }

    fn pictures(&mut self, ui: &mut Ui, document: &Document) {
        let clip = self.files.shown.as_ref().map_or(0, |shown| shown.clip);
        let is_free = self.writing.job.is_none();
        ui.horizontal_wrapped(|ui| {
            let mut asked = |ui: &mut Ui, word: &str, hint: &str| {
                let button = ui.add_enabled(is_free, eframe::egui::Button::new(word)).on_hover_text(hint);
                self.controls.note(word, &button);
                button.clicked()
            };
            let png = asked(ui, "View as PNG", "What is seen now, drawn without the graphics processor");
            let svg = asked(ui, "Dope sheet as SVG", "Keys, and the curves that move most");
            let gif = asked(ui, "Loop as GIF", "The whole clip, 25 pictures a second");
            let apng = asked(ui, "Loop as APNG", "The whole clip, 25 pictures a second, in all colours");
            if png {
                let picture = self.picture();
                self.keep(&export::name(document, "png"), picture);
            } else if svg {
                self.write(ui.ctx(), "Drawing", export::name(document, "svg"), &Work::Sheet { clip });
            } else if gif || apng {
                let (form, extension) =
                    if gif { (RenderForm::Gif, "gif") } else { (RenderForm::Apng, "apng") };
                let work = Work::Loop { clip, form, background: self.sight.theme.background };
                self.write(ui.ctx(), "Drawing", export::name(document, extension), &work);
            }
        });
    }

    fn picture(&mut self) -> Result<Output, Error> {
        let view = self.sight.orbit.map(|orbit| self.sight.seen_from(0, orbit));
        let (Some(view), Some(cast)) = (view, self.sight.casts.first_mut()) else {
            return Err(Error::Usage("there is nothing to see yet".into()));
        };
        let layers = cast.layers(&self.sight.options, 0.1, [1.0; 4]);
        let drawings: Vec<&Drawing> = layers.iter().map(|layer| &*layer.drawing).collect();
        export::picture(&cast.stage, &drawings, &view, self.sight.size_px, &self.sight.theme)
    }

    /// Saves a file, and shows its place or the reason of a failure.
    fn keep(&mut self, name: &str, result: Result<Output, Error>) {
        let kept = result.map_err(|error| error.to_string()).and_then(|output| platform::save(name, &output));
        self.said = kept.unwrap_or_else(|why| why);
    }
}

/// The report of a conversion, line by line.
pub(super) fn report_of(ui: &mut Ui, report: &[(Tone, String)]) {
    ui.add_space(6.0);
    for (tone, text) in report {
        let color = match tone {
            Tone::Fine => ui.visuals().weak_text_color(),
            Tone::Plain => ui.visuals().text_color(),
            Tone::Warning => ui.visuals().warn_fg_color,
        };
        ui.label(RichText::new(text).small().color(color));
    }
}
