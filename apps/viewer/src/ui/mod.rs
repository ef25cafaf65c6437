//! What is drawn and listened to around the scene.

mod compare;
mod curves;
mod export;
mod failures;
mod icons;
mod panels;
mod sheet;
mod shortcuts;
pub(crate) mod theme;
mod top;
mod transport;
mod viewport;
mod warm;

use crate::app::{App, smooth};
use crate::platform;
use eframe::egui::{CentralPanel, Frame, Panel, Rect, Response, Ui};

/// Windows less wide than this are those of phones, in points.
const NARROW: f32 = 700.0;
/// How much of a narrow window's height is below the scene.
const BELOW: f32 = 0.5;
/// How high what is below the scene is at first, and how wide what is beside it, in points.
const HEIGHT: f32 = 280.0;
const WIDTH: f32 = 310.0;

/// What stands below or beside the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    #[default]
    Sheet,
    Curves,
    Facts,
    Findings,
    Compare,
    Export,
}

impl Tab {
    pub(crate) const BELOW: [Self; 2] = [Self::Sheet, Self::Curves];
    pub(crate) const BESIDE: [Self; 4] = [Self::Facts, Self::Findings, Self::Compare, Self::Export];

    pub(crate) const ALL: [Self; 6] =
        [Self::Sheet, Self::Curves, Self::Facts, Self::Findings, Self::Compare, Self::Export];

    /// Its word in addresses.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Sheet => "sheet",
            Self::Curves => "curves",
            Self::Facts => "facts",
            Self::Findings => "findings",
            Self::Compare => "compare",
            Self::Export => "export",
        }
    }

    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Sheet => "Dope sheet",
            Self::Curves => "Curves",
            Self::Facts => "Facts",
            Self::Findings => "Findings",
            Self::Compare => "Compare",
            Self::Export => "Export",
        }
    }
}

/// Where things are that can be clicked, for whoever drives the viewer from outside.
#[derive(Debug, Default)]
pub(crate) struct Controls(pub(crate) Vec<(String, [f32; 4])>);

impl Controls {
    pub(crate) fn note(&mut self, name: impl Into<String>, response: &Response) {
        self.place(name, response.rect);
    }

    pub(crate) fn place(&mut self, name: impl Into<String>, rect: Rect) {
        self.0.push((name.into(), [rect.left(), rect.top(), rect.width(), rect.height()]));
    }
}

impl App {
    /// The whole window.
    pub(crate) fn draw(&mut self, ui: &mut Ui) {
        self.shortcuts(ui.ctx());
        let size = ui.available_size();
        let is_narrow = size.x < NARROW;
        Panel::top("top").show(ui, |ui| self.top(ui, is_narrow));
        if self.bench.document().is_some() {
            if is_narrow {
                Panel::bottom("below").exact_size(size.y * BELOW).show(ui, |ui| {
                    self.transport(ui, true);
                    let mut tab = self.tab;
                    self.tabs(ui, &[&Tab::BELOW[..], &Tab::BESIDE].concat(), &mut tab);
                    self.tab = tab;
                    self.tab(ui, tab);
                });
            } else {
                self.around(ui, size.y);
            }
        }
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| self.viewport(ui));
    }
}

impl App {
    /// What stands below and beside the scene of a wide window.
    fn around(&mut self, ui: &mut Ui, height: f32) {
        if self.shows_side {
            let side = Panel::right("side").default_size(WIDTH).size_range(220.0..=560.0).resizable(true);
            side.show(ui, |ui| {
                ui.add_space(4.0);
                let mut side = self.side;
                self.tabs(ui, &Tab::BESIDE, &mut side);
                self.side = side;
                self.tab(ui, side);
            });
        }
        let below =
            Panel::bottom("below").default_size(HEIGHT).size_range(90.0..=height * 0.8).resizable(true);
        below.show(ui, |ui| {
            self.transport(ui, false);
            let mut tab = if Tab::BELOW.contains(&self.tab) { self.tab } else { Tab::Sheet };
            self.tabs(ui, &Tab::BELOW, &mut tab);
            self.tab = tab;
            self.tab(ui, tab);
        });
    }

    fn tabs(&mut self, ui: &mut Ui, tabs: &[Tab], chosen: &mut Tab) {
        ui.horizontal_wrapped(|ui| {
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
        if !self.is_time_for(tab) {
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
            Tab::Export => self.export(ui),
        }
        if Tab::BELOW.contains(&tab) {
            smooth(&mut self.speeds.sheet_ms, platform::now_ms() - start);
        }
    }
}
