//! The rectangles of the controls.

use eframe::egui::{Rect, Response};

/// Names and rectangles of the controls, for programs that drive the viewer from outside.
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
