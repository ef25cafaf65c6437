//! The tab of exports: formats, settings, and the report of a conversion.

use super::compare::busy;
use crate::files::choices::{Names, OF_FIGURES};
use crate::files::document::Document;
use crate::jobs::fitting::SETTINGS;
use crate::jobs::writing::PLAYERS;
use crate::model::export;
use crate::model::export::Shot;
use crate::platform;
use crate::viewer::Viewer;
use crate::work::{Tone, Work};
use dopesheet::core::format::Output;
use dopesheet::draw::raster;
use dopesheet::{
    Error, convert::Setting, convert::SettingKind, convert::settings, core::format::AnyFormat,
    render::RenderForm, render::picture_to_png,
};
use eframe::egui::{CollapsingHeader, ComboBox, Pos2, Rect, RichText, ScrollArea, TextEdit, Ui, vec2};
use std::sync::Arc;

/// Width of the values of settings, in points.
const GIVEN: f32 = 130.0;

/// Labels and examples of settings with a text whose word and form are those of a command line.
const WORDED: [(&str, &str, &str); 3] = [
    ("vocabulary", "naming of bones", "mixamo:vrm"),
    ("clip", "only clip", "its name or #0"),
    ("range", "only from:to", "0.5:2 or 15f:60f"),
];

/// Largest width and height of the pictures of a loop, in pixels.
const MOST_OF_LOOP: u32 = 640;

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

    pub(in crate::ui) fn setting(&mut self, ui: &mut Ui, setting: &'static Setting) {
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
        let is_free = self.writing.job.is_none();
        ui.horizontal_wrapped(|ui| {
            let mut asked = |ui: &mut Ui, word: &str, hint: &str| {
                let button = ui.add_enabled(is_free, eframe::egui::Button::new(word)).on_hover_text(hint);
                self.controls.note(word, &button);
                button.clicked()
            };
            let png = asked(ui, "View as PNG", "What is seen now, drawn without the graphics processor");
            let svg = asked(ui, "Dope sheet as SVG", "Keys, and the curves that move most");
            let hint = "What is played, from here, 25 pictures a second; of two figures the one that takes the motion";
            let gif = asked(ui, "Loop as GIF", hint);
            let apng = asked(ui, "Loop as APNG", &format!("{hint}. In all colours"));
            let fitted = self.files.fitted.as_ref().and(self.files.figure_document());
            let name = |extension| export::name_on(document, fitted.map(|figure| &**figure), extension);
            if png {
                let (name, size) = (name("png"), shrunk(self.sight.size_px, raster::MOST_ACROSS));
                let picture = picture_to_png(&self.sight.picture(size), self.sight.theme.background);
                self.keep(&name, picture.map(Output::new));
            } else if svg {
                let clip = self.files.shown.as_ref().map_or(0, |shown| shown.clip);
                self.write(ui.ctx(), "Drawing", export::name(document, "svg"), &Work::Sheet { clip });
            } else if gif || apng {
                let (form, extension) =
                    if gif { (RenderForm::Gif, "gif") } else { (RenderForm::Apng, "apng") };
                let name = name(extension);
                if let Some(shot) = self.shot() {
                    self.write(ui.ctx(), "Drawing", name, &Work::Loop { form, shot });
                }
            }
        });
    }

    /// A loop of the figure that took the motion, else of the motion, as it is seen.
    fn shot(&mut self) -> Option<Shot> {
        let fitted = self.files.other_shown.as_ref().filter(|_| self.files.fitted.is_some());
        let (side, shown) = (usize::from(fitted.is_some()), fitted.or(self.files.shown.as_ref())?);
        let [width, height] = self.sight.size_px.map(|x| x as f32);
        let part =
            self.sight.parts(Rect::from_min_size(Pos2::ZERO, vec2(width, height)))[..].last().copied()?;
        let range = self.clock.played();
        // An eye that follows is elsewhere at the start.
        self.sight.go_to(range[0]);
        let orbit = self.sight.orbit.map(|orbit| orbit.times(self.sight.scale(side)));
        self.sight.go_to(self.clock.time);
        let (target, view) = (orbit?.target, orbit?.view());
        Some(Shot {
            clip: shown.clip,
            range,
            size_px: shrunk([part.width() as u32, part.height() as u32], MOST_OF_LOOP),
            background: self.sight.theme.background,
            eye: [view.eye.x, view.eye.y, view.eye.z, target.x, target.y, target.z, view.tan_half],
            camera: self.sight.camera,
            follows: self.sight.options.follow,
        })
    }

    /// Saves a file, and shows its place or the reason of a failure.
    fn keep(&mut self, name: &str, result: Result<Output, Error>) {
        let kept = result.map_err(|error| error.to_string()).and_then(|output| platform::save(name, &output));
        self.said = kept.unwrap_or_else(|why| why);
    }
}

/// A size in pixels of the same shape, and no larger each way.
fn shrunk([width, height]: [u32; 2], most: u32) -> [u32; 2] {
    let scale = (most as f32 / width.max(height) as f32).min(1.0);
    [width, height].map(|x| ((x as f32 * scale).round() as u32).max(1))
}

/// The report of a conversion, line by line.
pub(in crate::ui) fn report_of(ui: &mut Ui, report: &[(Tone, String)]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::choices::Names;
    use crate::files::inbox::{Delivery, Inbox};
    use crate::files::incoming::Incoming;
    use crate::files::read_all;
    use crate::view::camera::Orbit;
    use dopesheet::draw::{Picture, Theme};
    use eframe::egui::Context;
    use std::path::Path;

    const SIZE: [u32; 2] = [160, 100];

    /// A jump beside the avatar that took it.
    fn pair() -> Viewer {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in ["jump.bvh", "avatar.vrm"] {
            delivery.add(name.to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let mut viewer = Viewer::new(Theme::DARK, Inbox::default());
        viewer.files.open(delivery);
        viewer.files.put_on(Some(1), None);
        let inputs = viewer.files.inputs().unwrap();
        let (output, _) = export::converted(&inputs, "glb", None, "x.glb", &[], &Names::default()).unwrap();
        let glb = Incoming { name: "x.glb".into(), bytes: output.main };
        viewer.files.put_on(Some(1), Some(read_all(&[glb]).0.remove(0)));
        viewer.staged();
        viewer.sight.is_split = true;
        viewer.sight.orbit = Some(Orbit::onto(viewer.sight.casts[0].frame(), 1.6));
        viewer.sight.size_px = SIZE;
        viewer
    }

    /// Pixels with a figure, left and right of the middle.
    fn seen(picture: &Picture) -> [usize; 2] {
        let mut count = [0, 0];
        for (index, pixel) in picture.pixels.iter().enumerate() {
            let side = usize::from(index as u32 % SIZE[0] >= SIZE[0] / 2);
            count[side] += usize::from(*pixel != Theme::DARK.background);
        }
        count
    }

    #[test]
    fn a_loop_is_of_the_figure_that_took_the_motion_from_the_same_side_in_the_played_range() {
        let mut viewer = pair();
        viewer.sight.orbit.as_mut().unwrap().circle(1.0, 0.1);
        (viewer.clock.part, viewer.clock.time) = (Some([0.4, 0.8]), 0.9);
        viewer.sight.go_to(0.9);
        let shot = viewer.shot().unwrap();
        let view = viewer.sight.orbit.unwrap().view();
        assert_eq!((shot.eye[..3].to_vec(), shot.follows), (view.eye.to_array().to_vec(), false));
        assert_eq!((shot.range, shot.size_px), ([0.4, 0.8], [80, 100]));
        viewer.sight.options.follow = true;
        viewer.sight.go_to(0.8);
        viewer.sight.go_to(0.9);
        let following = viewer.shot().unwrap();
        assert!(following.follows && following.eye != shot.eye, "it is elsewhere at the start");
        let work = Work::Loop { form: RenderForm::Apng, shot: shot.clone() };
        viewer.write(&Context::default(), "Drawing", "x.apng".into(), &work);
        let inputs = viewer.writing.job.take().unwrap().inputs;
        assert!(Arc::ptr_eq(&inputs.document, viewer.files.fitted.as_ref().unwrap()));
        let bytes = |shot: Shot, inputs| {
            let work = Work::Loop { form: RenderForm::Apng, shot };
            Work::from_json(&work.to_json()).unwrap().perform(inputs).unwrap().output.unwrap().main
        };
        let drawn = bytes(shot.clone(), &inputs);
        let control = drawn.windows(4).position(|tag| tag == b"acTL").unwrap();
        assert_eq!(drawn[control + 4..control + 8], [0, 0, 0, 11], "pictures");
        let turned = Shot { eye: pair().shot().unwrap().eye, ..shot.clone() };
        assert!(bytes(turned, &inputs) != drawn, "from another side");
        let source = viewer.files.inputs().unwrap();
        assert!(bytes(shot, &source) != drawn, "the source");
    }

    #[test]
    fn a_picture_has_both_figures_as_the_window_does() {
        let mut sight = pair().sight;
        sight.options.ground = false;
        sight.go_to(0.9);
        let beside = sight.picture(SIZE);
        let [left, right] = seen(&beside);
        assert!(left > 20 && right > 20 && left != right, "{left} {right}");
        sight.options.bones = true;
        assert!(sight.picture(SIZE) != beside, "bones in front of the surface");
        (sight.options.bones, sight.is_split) = (false, false);
        let over = sight.picture(SIZE);
        sight.casts.truncate(1);
        assert!(sight.picture(SIZE) != over, "the second one is there, too");
        assert_eq!(shrunk([4000, 1000], 2000), [2000, 500]);
    }
}
