//! Shortcuts of the keyboard.

use crate::model::tab::Tab;
use crate::platform;
use crate::viewer::Viewer;
use dopesheet::draw::Direction;
use eframe::egui::{Align2, Area, Context, Frame, Grid, Id, Key, Modifiers, Ui};

/// The shortcuts as they are listed for people.
pub(crate) const KEYS: [(&str, &str); 22] = [
    ("Space", "play, pause"),
    ("← →", "a frame back, on"),
    ("Shift ← →", "ten frames back, on"),
    ("↑ ↓", "the key before, after, of what is selected"),
    ("1 2 3 4", "from the front and above, the front, the left, above"),
    ("Home", "everything in sight"),
    ("L", "loop"),
    ("[ ]", "start, end, of what is played here"),
    ("\\", "play all of the clip"),
    ("F", "frames or seconds"),
    ("G", "ground"),
    ("B", "bones"),
    ("N", "names under the pointer"),
    ("K", "onion skin"),
    ("W", "follow the figure"),
    ("C", "the clip's camera"),
    ("P", "the panel beside the scene"),
    ("T", "light or dark"),
    ("S V", "dope sheet, curves"),
    ("Ctrl Z, Ctrl Shift Z", "undo, redo"),
    ("/", "filter names"),
    ("?", "these keys"),
];

impl Viewer {
    /// Handles the keys of shortcuts, unless the user is writing.
    pub(crate) fn shortcuts(&mut self, context: &Context) {
        if context.egui_wants_keyboard_input() {
            return;
        }
        let pressed = |key: Key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let shifted = |key: Key| context.input_mut(|input| input.consume_key(Modifiers::SHIFT, key));
        for (key, frames) in [(Key::ArrowLeft, -1), (Key::ArrowRight, 1)] {
            if shifted(key) {
                self.clock.step(frames * 10);
            } else if pressed(key) {
                self.clock.step(frames);
            }
        }
        for (key, is_after) in [(Key::ArrowUp, false), (Key::ArrowDown, true)] {
            if pressed(key) {
                self.seek_key(is_after);
            }
        }
        if pressed(Key::Space) {
            self.clock.toggle();
        }
        if pressed(Key::OpenBracket) {
            self.clock.start_here();
        }
        if pressed(Key::CloseBracket) {
            self.clock.end_here();
        }
        if pressed(Key::Backslash) {
            self.clock.part = None;
        }
        if pressed(Key::Questionmark) || shifted(Key::Slash) || shifted(Key::Questionmark) {
            self.panels.shows_keys = !self.panels.shows_keys;
        } else if pressed(Key::Slash) {
            self.panels.wants_filter = true;
        }
        if pressed(Key::O) {
            platform::choose_files(&self.inbox, context);
        }
        if pressed(Key::T) {
            self.switch_theme(context);
        }
        if pressed(Key::Home) {
            self.sight.reset_eye();
        }
        if pressed(Key::C) {
            self.sight.camera = if self.sight.camera.is_some() || self.sight.camera_names().is_empty() {
                None
            } else {
                Some(0)
            };
        }
        self.step_keys(context);
        self.look_keys(context);
        self.switch_keys(context);
    }

    /// Shortcuts that undo and redo a step.
    fn step_keys(&mut self, context: &Context) {
        let pressed = |modifiers, key| context.input_mut(|input| input.consume_key(modifiers, key));
        // The one with more modifiers first: the other one would take it.
        if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y) {
            self.go_to_step(self.history.after());
        } else if pressed(Modifiers::COMMAND, Key::Z) {
            self.go_to_step(self.history.before());
        }
    }

    /// The keys, listed over everything.
    pub(crate) fn keys(&self, context: &Context) {
        if self.panels.shows_keys {
            let area = Area::new(Id::unique("keys")).anchor(Align2::CENTER_CENTER, [0.0, 0.0]);
            area.show(context, |ui| drop(Frame::popup(ui.style()).show(ui, list)));
        }
    }

    /// Shortcuts that choose the direction of view and the tab.
    fn look_keys(&mut self, context: &Context) {
        let pressed = |key: Key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let sides = [
            (Key::Num1, Direction::ThreeQuarter),
            (Key::Num2, Direction::Front),
            (Key::Num3, Direction::Side),
            (Key::Num4, Direction::Top),
        ];
        for (_, direction) in sides.into_iter().filter(|(key, _)| pressed(*key)) {
            self.sight.look_from(direction);
        }
        for (key, tab) in [(Key::S, Tab::Sheet), (Key::V, Tab::Curves)] {
            if pressed(key) {
                self.panels.tab = tab;
            }
        }
    }

    /// Shortcuts that switch something on or off.
    fn switch_keys(&mut self, context: &Context) {
        let pressed = |key: Key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let options = &mut self.sight.options;
        let switches = [
            (Key::L, &mut self.clock.loops),
            (Key::F, &mut self.clock.in_frames),
            (Key::G, &mut options.ground),
            (Key::B, &mut options.bones),
            (Key::N, &mut options.names),
            (Key::K, &mut options.onion),
            (Key::W, &mut options.follow),
            (Key::P, &mut self.panels.shows_side),
        ];
        for (key, switch) in switches {
            if pressed(key) {
                *switch = !*switch;
            }
        }
    }
}

/// The keys and their effects.
fn list(ui: &mut Ui) {
    Grid::new("keys").num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        for (key, what) in KEYS {
            ui.monospace(key);
            ui.label(what);
            ui.end_row();
        }
    });
}
