//! The top row: files, options of drawing, and the theme.

use crate::jobs::fitting::CLIP;
use crate::platform;
use crate::viewer::Viewer;
use dopesheet::draw::Direction;
use eframe::egui::{self, Align, ComboBox, Label, Layout, RichText, ThemePreference, Ui};

/// Sides to look from, their names and keys.
const SIDES: [(Direction, &str); 4] = [
    (Direction::ThreeQuarter, "From the front and above (1)"),
    (Direction::Front, "From the front (2)"),
    (Direction::Side, "From the left (3)"),
    (Direction::Top, "From above (4)"),
];

/// Hint about more files to drop, and the width left for the buttons on the right, in points.
const MORE: &str =
    "Drop more files: a model to play on, a figure to put the motion on, or another motion to compare with";
const RIGHT: f32 = 240.0;

impl Viewer {
    pub(crate) fn top(&mut self, ui: &mut Ui, is_narrow: bool) {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            self.open_button(ui);
            self.files(ui, is_narrow);
            self.clips(ui);
            if !is_narrow && !self.files.documents.is_empty() {
                let more = Label::new(RichText::new(MORE).small().weak()).truncate();
                let width = (ui.available_width() - RIGHT).max(0.0);
                ui.add_sized([width, ui.spacing().interact_size.y], more).on_hover_text(MORE);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let sign = if ui.visuals().dark_mode { "Light" } else { "Dark" };
                let theme = ui.button(sign).on_hover_text("Light or dark (T)");
                self.controls.note("theme", &theme);
                if theme.clicked() {
                    self.switch_theme(ui.ctx());
                }
                let keys = ui.button("?").on_hover_text("Keys of the keyboard (?)");
                self.controls.note("keys", &keys);
                if keys.clicked() {
                    self.panels.shows_keys = !self.panels.shows_keys;
                }
                let view = ui.menu_button("View", |ui| self.view_menu(ui));
                self.controls.note("view", &view.response);
                if !is_narrow {
                    let side = ui
                        .selectable_label(self.panels.shows_side, "Panel")
                        .on_hover_text("Show or hide the panel beside the scene (P)");
                    self.controls.note("panel", &side);
                    if side.clicked() {
                        self.panels.shows_side = !self.panels.shows_side;
                    }
                }
            });
        });
        ui.add_space(2.0);
    }

    fn open_button(&mut self, ui: &mut Ui) {
        if !cfg!(target_arch = "wasm32") {
            return;
        }
        let open = ui.button("Open…").on_hover_text("Files of this machine; they stay on it (O)");
        self.controls.note("open", &open);
        if open.clicked() {
            platform::choose_files(&self.inbox, ui.ctx());
        }
    }

    fn files(&mut self, ui: &mut Ui, is_narrow: bool) {
        let Some(document) = self.files.document() else { return };
        let width = if is_narrow { 120.0 } else { 200.0 };
        let combo = ComboBox::from_id_salt("file").width(width).truncate().selected_text(document.name());
        let (mut chosen, mut closed) = (None, None);
        let response = combo.show_ui(ui, |ui| {
            for (index, document) in self.files.documents.iter().enumerate() {
                ui.horizontal(|ui| {
                    if ui.small_button("×").on_hover_text("Close").clicked() {
                        closed = Some(index);
                    }
                    let choice = ui.selectable_label(index == self.files.active, document.name());
                    self.controls.note(format!("file {}", document.name()), &choice);
                    if choice.clicked() {
                        chosen = Some(index);
                        ui.close();
                    }
                });
            }
        });
        self.controls.note("file", &response.response);
        if let Some(index) = chosen {
            self.files.show(index);
        } else if let Some(index) = closed {
            self.files.close(index);
        } else {
            return;
        }
        self.staged();
        self.note_figure();
    }

    fn clips(&mut self, ui: &mut Ui) {
        let Some(shown) = self.files.shown.as_mut().filter(|shown| shown.clips.len() > 1) else { return };
        let combo = ComboBox::from_id_salt("clip")
            .width(110.0)
            .truncate()
            .selected_text(shown.clips[shown.clip].as_str());
        let mut chosen = shown.clip;
        let response = combo.show_ui(ui, |ui| {
            for (index, name) in shown.clips.iter().enumerate() {
                let choice = ui.selectable_value(&mut chosen, index, name);
                self.controls.note(format!("clip {name}"), &choice);
            }
        });
        self.controls.note("clip", &response.response);
        if chosen != shown.clip {
            shown.choose(chosen, &mut self.files.textures);
            if self.files.figure.is_some() && self.choices.get(CLIP).is_some() {
                self.choices.ask(CLIP, Some(format!("#{chosen}")));
            }
            self.staged();
        }
    }

    fn view_menu(&mut self, ui: &mut Ui) {
        for (direction, name) in SIDES {
            if ui.button(name).clicked() {
                self.sight.look_from(direction);
                ui.close();
            }
        }
        if ui.button("Everything (Home)").clicked() {
            self.sight.orbit = None;
            ui.close();
        }
        ui.separator();
        ui.checkbox(&mut self.sight.options.ground, "Ground (G)");
        ui.checkbox(&mut self.sight.options.bones, "Bones (B)");
        ui.checkbox(&mut self.sight.options.names, "Names of joints under the pointer (N)");
        ui.checkbox(&mut self.sight.options.onion, "Onion skin: ghosts of earlier and later poses (K)");
        ui.checkbox(&mut self.sight.options.follow, "Follow the figure (W)");
        let cameras = self.sight.camera_names();
        if cameras.is_empty() {
            return;
        }
        ui.separator();
        ui.radio_value(&mut self.sight.camera, None, "My own eyes (C)");
        for (index, name) in cameras.into_iter().enumerate() {
            ui.radio_value(&mut self.sight.camera, Some(index), format!("Camera {name}"));
        }
    }

    /// From light to dark, and back.
    pub(crate) fn switch_theme(&mut self, context: &egui::Context) {
        context.set_theme(match context.theme() {
            egui::Theme::Dark => ThemePreference::Light,
            egui::Theme::Light => ThemePreference::Dark,
        });
    }
}
