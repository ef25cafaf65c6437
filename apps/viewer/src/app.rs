//! The program in its window: the work of each frame.

use crate::files::inbox::Inbox;
use crate::model::tab::Tab;
use crate::platform;
use crate::state::{Address, State};
use crate::timing::smooth;
use crate::ui::theme;
use crate::view::gpu;
use crate::viewer::Viewer;
use dopesheet::draw::Theme;
use eframe::egui::{Context, Ui, Visuals};

/// The viewer in its window.
pub(crate) struct App {
    viewer: Viewer,
    address: Address,
}

impl App {
    /// The viewer in a new window, with an inbox of files.
    pub(crate) fn boxed(context: &eframe::CreationContext<'_>, inbox: Inbox) -> Box<dyn eframe::App> {
        theme::set(&context.egui_ctx);
        let address = Address::new(&platform::remembered());
        Box::new(Self { viewer: Viewer::new(Theme::DARK, inbox), address })
    }

    /// Opens delivered files.
    fn receive(&mut self, context: &Context) {
        let dropped = context.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        let viewer = &mut self.viewer;
        if !dropped.is_empty() {
            platform::take(dropped, &viewer.inbox, context);
        }
        for delivery in viewer.inbox.take() {
            viewer.timing.arrived();
            let before = viewer.files.documents.len();
            viewer.files.open(delivery);
            if viewer.files.documents.len() > before {
                viewer.staged();
                viewer.note_figure();
                if viewer.files.figure.is_some() {
                    viewer.panels.side = Tab::Figure;
                } else if viewer.files.other.is_some() {
                    viewer.panels.side = Tab::Compare;
                } else if viewer.files.awaits_figure() {
                    viewer.panels.side = Tab::Figure;
                    if let Some(figure) = viewer.files.only_figure() {
                        viewer.put_on(Some(figure));
                    }
                }
                if let Some(state) = self.address.wanted.take() {
                    resume(viewer, &state);
                }
            }
        }
    }

    /// Keeps the state in the address, while nothing moves.
    fn keep_state(&mut self) {
        let viewer = &self.viewer;
        if !viewer.clock.is_playing && !viewer.files.documents.is_empty() {
            self.address.keep(&State {
                time: Some(viewer.clock.time),
                tab: Some(viewer.panels.tab),
                other: viewer.files.other,
            });
        }
    }

    /// Lets time pass, and poses the scenes for it.
    fn advance(&mut self, context: &Context) {
        let viewer = &mut self.viewer;
        let now = platform::now_ms();
        viewer.clock.pass(viewer.timing.passed(now));
        viewer.sight.go_to(viewer.clock.time);
        if viewer.clock.is_playing {
            context.request_repaint();
        }
        smooth(&mut viewer.timing.speeds.pose_ms, platform::now_ms() - now);
    }
}

/// Restores the state of an address.
fn resume(viewer: &mut Viewer, state: &State) {
    if let Some(tab) = state.tab {
        viewer.panels.open(tab);
    }
    if let Some(other) = state.other {
        viewer.compare(Some(other));
    }
    if let Some(time) = state.time {
        viewer.clock.seek(time);
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let theme = theme::of(&context);
        if theme != self.viewer.sight.theme {
            self.viewer.sight.theme = theme;
            self.viewer.restaged();
        }
        self.receive(&context);
        self.viewer.collect(&context);
        self.viewer.load_fonts(&context);
        self.advance(&context);
        self.viewer.draw(ui);
        self.viewer.note_step(&context);
        self.viewer.timing.measure(frame.info().cpu_usage, gpu::painted_ms());
        if self.viewer.panels.count() {
            self.viewer.timing.forget_frames();
            context.request_repaint();
        }
        self.keep_state();
        platform::publish(self.viewer.status());
    }

    fn clear_color(&self, _: &Visuals) -> [f32; 4] {
        self.viewer.sight.theme.background.map(|x| f32::from(x) / 255.0)
    }
}
