//! What is shown as files, and the report of a conversion.

use crate::app::App;
use crate::document::Document;
use crate::{export, platform};
use dopesheet::core::format::Output;
use dopesheet::draw::Drawing;
use dopesheet::{Error, Loss, RenderForm, Report};
use eframe::egui::{ComboBox, RichText, ScrollArea, Ui};
use std::rc::Rc;

impl App {
    pub(crate) fn export(&mut self, ui: &mut Ui) {
        let Some(document) = self.bench.document().map(Rc::clone) else { return };
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            self.convert(ui, &document);
            ui.separator();
            self.pictures(ui, &document);
            if !self.said.is_empty() {
                ui.add_space(6.0);
                ui.label(&self.said);
            }
            if let Some(report) = &self.report {
                report_of(ui, report);
            }
        });
    }

    fn convert(&mut self, ui: &mut Ui, document: &Document) {
        let targets: Vec<_> = export::targets().collect();
        let Some(target) = targets.get(self.target).or_else(|| targets.first()) else { return };
        let mut chosen = self.target;
        ui.horizontal_wrapped(|ui| {
            let combo = ComboBox::from_id_salt("target")
                .width(190.0)
                .height(460.0)
                .truncate()
                .selected_text(target.info().name);
            let response = combo.show_ui(ui, |ui| {
                for (index, format) in targets.iter().enumerate() {
                    let choice = ui.selectable_value(&mut chosen, index, format.info().name);
                    self.controls.note(format!("target {}", format.info().id), &choice);
                }
            });
            self.controls.note("target", &response.response);
            let convert = ui.button("Convert and save");
            self.controls.note("convert", &convert);
            if convert.clicked() {
                let extension = target.info().extensions.first().copied().unwrap_or(target.info().id);
                let name = export::name(document, extension);
                let model = self.bench.model_document().map(Rc::clone);
                match export::converted(document, model.as_deref(), *target, &name) {
                    Ok((output, report)) => {
                        self.report = Some(report.report);
                        self.keep(&name, Ok(output));
                    }
                    Err(error) => {
                        self.report = None;
                        self.said = error.to_string();
                    }
                }
            }
        });
        self.target = chosen;
    }

    fn pictures(&mut self, ui: &mut Ui, document: &Document) {
        let clip = self.bench.shown.as_ref().map_or(0, |shown| shown.clip);
        let model = self.bench.model_document().map(Rc::clone);
        ui.horizontal_wrapped(|ui| {
            let mut asked = |ui: &mut Ui, word: &str, hint: &str| {
                let button = ui.button(word).on_hover_text(hint);
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
                self.keep(&export::name(document, "svg"), export::sheet(document, clip));
            } else if gif || apng {
                let (form, extension) =
                    if gif { (RenderForm::Gif, "gif") } else { (RenderForm::Apng, "apng") };
                let made = export::animated(document, model.as_deref(), clip, form, &self.theme);
                self.keep(&export::name(document, extension), made);
            }
        });
    }

    fn picture(&mut self) -> Result<Output, Error> {
        let view = self.orbit.map(|orbit| self.seen_from(0, orbit));
        let (Some(view), Some(cast)) = (view, self.casts.first_mut()) else {
            return Err(Error::Usage("expected something that is seen, found nothing".into()));
        };
        let layers = cast.layers(&self.options, 0.1, [1.0; 4]);
        let drawings: Vec<&Drawing> = layers.iter().map(|layer| &*layer.drawing).collect();
        export::picture(&cast.stage, &drawings, &view, self.scene_px, &self.theme)
    }

    /// Hands a file to whoever keeps it, and says where it is or why there is none.
    fn keep(&mut self, name: &str, made: Result<Output, Error>) {
        let kept = made.map_err(|error| error.to_string()).and_then(|output| platform::save(name, &output));
        self.said = kept.unwrap_or_else(|why| why);
    }
}

/// What a conversion kept, approximated and dropped.
fn report_of(ui: &mut Ui, report: &Report) {
    ui.add_space(6.0);
    for finding in &report.findings {
        ui.label(RichText::new(finding.to_string()).small());
    }
    for loss in &report.losses {
        let (word, text) = match loss {
            Loss::Kept { what } => ("kept", what.clone()),
            Loss::Approximated { what, max_error } => {
                let value = format!("{:.3e} {}", max_error.value, max_error.unit.symbol());
                let place = format!("{} at {:.2} s", max_error.target, max_error.time.0);
                ("approximated", format!("{what}: at most {value} ({place})"))
            }
            Loss::Dropped { what, why } => ("dropped", format!("{what}: {why}")),
        };
        let color = match loss {
            Loss::Kept { .. } => ui.visuals().weak_text_color(),
            Loss::Approximated { .. } => ui.visuals().text_color(),
            Loss::Dropped { .. } => ui.visuals().warn_fg_color,
        };
        ui.label(RichText::new(format!("{word}: {text}")).small().color(color));
    }
}
