//! The window: all drawing and all input.

mod below;
mod beside;
mod failures;
mod icons;
mod offers;
mod shortcuts;
pub(crate) mod theme;
mod top;
mod viewport;
mod warm;

use crate::model::tab::Tab;
use crate::platform;
use crate::timing::smooth;
use crate::viewer::Viewer;
use eframe::egui::{CentralPanel, Frame, Panel, Ui};

/// Least width of a window with panels beside the scene, in points; phones are narrower.
const NARROW: f32 = 700.0;
/// Share of a narrow window's height for the panel below the scene.
const BELOW: f32 = 0.5;
/// Height of the panel below the scene and width of the panel beside the scene at first, in points.
const HEIGHT: f32 = 280.0;
const WIDTH: f32 = 400.0;
/// Gap between tabs, in points.
const TABS: f32 = 2.0;

impl Viewer {
    /// The whole window.
    pub(crate) fn draw(&mut self, ui: &mut Ui) {
        self.shortcuts(ui.ctx());
        self.keys(ui.ctx());
        let size = ui.available_size();
        let is_narrow = size.x < NARROW;
        Panel::top("top").show(ui, |ui| self.top(ui, is_narrow));
        if self.files.document().is_some() {
            if is_narrow {
                Panel::bottom("below").exact_size(size.y * BELOW).show(ui, |ui| {
                    self.transport(ui, true);
                    let mut tab = self.panels.tab;
                    self.tabs(ui, &[&Tab::BELOW[..], &Tab::BESIDE].concat(), &mut tab);
                    self.panels.tab = tab;
                    self.tab(ui, tab);
                });
            } else {
                self.around(ui, size.y);
            }
        }
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| self.viewport(ui));
    }
}

impl Viewer {
    /// The panels below and beside the scene of a wide window.
    fn around(&mut self, ui: &mut Ui, height: f32) {
        if self.panels.shows_side {
            let side = Panel::right("side").default_size(WIDTH).size_range(220.0..=560.0).resizable(true);
            side.show(ui, |ui| {
                ui.add_space(4.0);
                let mut side = self.panels.side;
                self.tabs(ui, &Tab::BESIDE, &mut side);
                self.panels.side = side;
                self.tab(ui, side);
            });
        }
        let below =
            Panel::bottom("below").default_size(HEIGHT).size_range(90.0..=height * 0.8).resizable(true);
        below.show(ui, |ui| {
            self.transport(ui, false);
            let mut tab = if Tab::BELOW.contains(&self.panels.tab) { self.panels.tab } else { Tab::Sheet };
            self.tabs(ui, &Tab::BELOW, &mut tab);
            self.panels.tab = tab;
            self.tab(ui, tab);
        });
    }

    fn tabs(&mut self, ui: &mut Ui, tabs: &[Tab], chosen: &mut Tab) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = TABS;
            for tab in tabs {
                let label = ui.selectable_label(tab == chosen, tab.word());
                self.controls.note(tab.word(), &label);
                if label.clicked() {
                    *chosen = *tab;
                }
            }
            if tabs.contains(&Tab::Sheet) && Tab::BELOW.contains(chosen) {
                self.sheet_tools(ui);
            }
        });
        ui.separator();
    }

    fn tab(&mut self, ui: &mut Ui, tab: Tab) {
        if !self.panels.is_time_for(tab) {
            // Empty, it would be as small as that.
            ui.allocate_space(ui.available_size());
            return;
        }
        // What is done once is no part of what a frame takes.
        self.prepare_sheet();
        let start = platform::now_ms();
        match tab {
            Tab::Sheet => self.dope_sheet(ui),
            Tab::Curves => self.curve_view(ui),
            Tab::Facts => self.facts(ui),
            Tab::Findings => self.findings(ui),
            Tab::Compare => self.comparison(ui),
            Tab::Figure => self.figure(ui),
            Tab::Change => self.change(ui),
            Tab::Export => self.export(ui),
        }
        if Tab::BELOW.contains(&tab) {
            smooth(&mut self.timing.speeds.sheet_ms, platform::now_ms() - start);
        }
    }
}
