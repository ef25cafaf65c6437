//! The slow first drawing, done while the user does not wait for it.

use crate::files::document::{Document, Shown};
use crate::view::camera::Orbit;
use crate::view::{Cast, gpu};
use crate::viewer::Viewer;
use eframe::egui::{PaintCallback, Rect, Ui, vec2};
use eframe::egui_glow::CallbackFn;
use std::sync::Arc;

impl Viewer {
    /// Once the welcome has been seen, draws the library's own puppet into its corner, in a single point and a single frame:
    /// afterwards drivers have compiled the shaders, and browsers the code of poses.
    pub(crate) fn warm_up(&mut self, ui: &Ui, rect: Rect) {
        if self.is_warm {
            return;
        }
        ui.ctx().request_repaint();
        if self.timing.speeds.first_frame_ms.is_none() {
            return;
        }
        self.is_warm = true;
        let Ok(model) = dopesheet::puppet::standard_model() else { return };
        let Ok(shown) = Shown::new(&Document::new(model, 0), None, &mut self.files.textures) else { return };
        let mut cast = Cast::new(shown.stage, self.sight.theme);
        let view = Orbit::onto(cast.frame(), 1.0).view();
        let frame = gpu::Frame { layers: cast.layers(&self.sight.options, [1.0; 4]), view };
        let draw = CallbackFn::new(move |area, painter| gpu::paint(&frame, &area, painter));
        let point = Rect::from_min_size(rect.left_top(), vec2(1.0, 1.0));
        ui.painter().add(PaintCallback { rect: point, callback: Arc::new(draw) });
    }
}
