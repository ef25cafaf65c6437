//! The scene, seen from a movable eye, with its captions and messages.

use super::theme::rgb;
use crate::files::Placing;
use crate::files::document::Document;
use crate::platform;
use crate::view::camera::Orbit;
use crate::view::{ASPECT, Cast, gpu};
use crate::viewer::Viewer;
use dopesheet::draw::View;
use eframe::egui::{
    Align2, Color32, FontId, PaintCallback, Painter, PointerButton, Pos2, Rect, Response, RichText, Sense,
    Ui, pos2, vec2,
};
use eframe::egui_glow::CallbackFn;
use std::sync::Arc;

/// Length of a drag for a full turn around the target, in points.
const AROUND: f32 = 700.0;
/// Scrolled points for a zoom by a factor of e.
const WHEEL: f32 = 400.0;
/// Largest distance from the pointer to a joint for the joint to be named, in points.
const REACH: f32 = 14.0;
/// Time for which the name of a passed marker is shown, in seconds.
const FLASH: f64 = 0.6;
/// Most missing files in a message.
const NAMED: usize = 4;

impl Viewer {
    pub(crate) fn viewport(&mut self, ui: &mut Ui) {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        self.controls.note("scene", &response);
        let scale = ui.ctx().pixels_per_point();
        self.sight.size_px = [rect.width(), rect.height()].map(|x| (x * scale).round().max(1.0) as u32);
        let [r, g, b, _] = self.sight.theme.background;
        ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
        if self.sight.casts.is_empty() {
            self.welcome(ui, rect);
            self.warm_up(ui, rect);
        } else {
            self.move_eye(ui, &response);
            self.scenes(ui, rect, &response);
        }
        if let Some(fault) = gpu::fault() {
            let text = format!("The scene cannot be drawn: {fault}");
            ui.painter().text(
                rect.center(),
                Align2::CENTER_CENTER,
                text,
                FontId::default(),
                ui.visuals().error_fg_color,
            );
        }
        if ui.input(|input| !input.raw.hovered_files.is_empty()) {
            ui.painter().rect_stroke(
                rect.shrink(6.0),
                8.0,
                (3.0, rgb(self.sight.theme.bone)),
                eframe::egui::StrokeKind::Inside,
            );
        }
        self.notice(ui, rect);
        self.failures(ui, rect);
        self.offers(ui, rect);
    }

    fn welcome(&mut self, ui: &mut Ui, rect: Rect) {
        let mut inner = ui.new_child(eframe::egui::UiBuilder::new().max_rect(rect.shrink(24.0)));
        inner.vertical_centered(|ui| {
            ui.add_space((rect.height() * 0.3).max(0.0));
            ui.label(RichText::new("Drop animation files here").heading());
            ui.label("A motion and its model together, or two files to compare. They are read on this machine and sent nowhere.");
            let formats = dopesheet::registry::formats().iter();
            let names: Vec<&str> = formats.map(|format| format.info().name).collect();
            ui.add_space(8.0);
            ui.scope(|ui| {
                ui.set_max_width(ui.available_width().min(560.0));
                ui.label(RichText::new(names.join(" · ")).weak());
            });
            ui.add_space(8.0);
            if cfg!(target_arch = "wasm32") {
                let choose = ui.button("Choose files…");
                self.controls.note("choose", &choose);
                if choose.clicked() {
                    platform::choose_files(&self.inbox, ui.ctx());
                }
                let sample = ui.button("Try a sample");
                self.controls.note("sample", &sample);
                if sample.clicked() {
                    platform::open_sample(&self.inbox, ui.ctx());
                }
            }
        });
    }

    /// A line about missing pictures of a model, whose surfaces are grey without them.
    fn notice(&self, ui: &Ui, rect: Rect) {
        let missing: Vec<&str> = self.files.missing().collect();
        if missing.is_empty() || self.sight.casts.is_empty() {
            return;
        }
        let names = missing.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = missing.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let text = format!("Not found: {names}{more}. Drop them together with the model.");
        let at = rect.left_bottom() + vec2(10.0, -8.0);
        ui.painter().text(
            at,
            Align2::LEFT_BOTTOM,
            text,
            FontId::proportional(13.0),
            ui.visuals().warn_fg_color,
        );
    }

    fn move_eye(&mut self, ui: &Ui, response: &Response) {
        let Some(orbit) = &mut self.sight.orbit else { return };
        let height = response.rect.height().max(1.0);
        let moved = response.drag_delta();
        let shift = ui.input(|input| input.modifiers.shift);
        let pans = response.dragged_by(PointerButton::Secondary)
            || response.dragged_by(PointerButton::Middle)
            || (shift && response.dragged());
        let touch =
            ui.input(|input| input.multi_touch()).filter(|_| response.dragged() || response.hovered());
        if let Some(touch) = touch {
            orbit.pan(-touch.translation_delta.x / height, touch.translation_delta.y / height);
            orbit.zoom(touch.zoom_delta);
        } else if pans {
            orbit.pan(-moved.x / height, moved.y / height);
        } else if response.dragged() {
            orbit.circle(-moved.x / AROUND * std::f32::consts::TAU, moved.y / AROUND * std::f32::consts::TAU);
        }
        if response.dragged() && moved != eframe::egui::Vec2::ZERO {
            self.sight.camera = None;
        }
        if response.hovered() && touch.is_none() {
            let (scrolled, pinched) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
            orbit.zoom((scrolled / WHEEL).exp() * pinched);
        }
        if response.double_clicked() {
            self.sight.orbit = None;
        }
    }

    fn scenes(&mut self, ui: &Ui, rect: Rect, response: &Response) {
        self.sight.is_split = self.sight.casts.len() > 1 && self.files.placing == Placing::Beside;
        let parts = self.sight.parts(rect);
        let together =
            if self.sight.scale(1) == 1.0 { &self.sight.casts[..] } else { &self.sight.casts[..1] };
        let orbit = *self
            .sight
            .orbit
            .get_or_insert_with(|| Orbit::onto(&whole(together), ASPECT / parts[0].aspect_ratio()));
        for (index, part) in parts.iter().enumerate() {
            let (view, mut layers) = self.sight.seen(index, orbit);
            layers.push(Cast::dots(&self.error_dots(ui.ctx(), index)));
            layers.push(Cast::dots(&self.bone_dots(index, ui.visuals().dark_mode)));
            let frame = gpu::Frame { layers, view };
            let draw = CallbackFn::new(move |area, painter| gpu::paint(&frame, &area, painter));
            ui.painter().add(PaintCallback { rect: *part, callback: Arc::new(draw) });
            let scale = self.sight.is_split.then(|| self.sight.scale(index));
            self.captions(ui, *part, index, scale);
            if let Some(pointer) =
                response.hover_pos().filter(|at| self.sight.options.names && part.contains(*at))
            {
                self.name_joint(ui, *part, &view, pointer, index);
            }
            if let Some(pointer) =
                response.interact_pointer_pos().filter(|at| response.clicked() && part.contains(*at))
            {
                self.click_joint(*part, &view, pointer, index);
            }
        }
    }

    /// Names of the files in a picture, which has its own scale if it is one of two.
    fn captions(&self, ui: &Ui, part: Rect, index: usize, scale: Option<f32>) {
        let is_split = scale.is_some();
        let painter = ui.painter();
        if self.sight.casts.len() > 1 {
            let name = |document: &Arc<Document>| document.name().to_owned();
            let beside = self.files.fitted_name().or_else(|| self.files.beside().map(name));
            let names = [self.files.document().map(name), beside];
            let shown: Vec<usize> = if is_split { vec![index] } else { vec![0, 1] };
            for (line, side) in shown.into_iter().enumerate() {
                let Some(name) = &names[side] else { continue };
                let size = match scale.filter(|_| side == 1) {
                    Some(factor) if factor > 1.0 => format!(" (drawn {factor:.0} times smaller)"),
                    Some(factor) if factor < 1.0 => format!(" (drawn {:.0} times larger)", 1.0 / factor),
                    _ => String::new(),
                };
                let text = format!("{}  {name}{size}", ["A", "B"][side]);
                let color = if side == 1 && !is_split {
                    rgb(self.sight.theme.accent)
                } else {
                    ui.visuals().strong_text_color()
                };
                let at = part.left_top() + vec2(10.0, 8.0 + 18.0 * line as f32);
                painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(13.0), color);
            }
        }
        let Some(cast) = self.sight.casts.get(index) else { return };
        let color = rgb(self.sight.theme.accent);
        for (line, (name, left)) in cast.flashes(FLASH).enumerate() {
            let at = part.center_top() + vec2(0.0, 10.0 + 20.0 * line as f32);
            let name = if name.is_empty() { "●" } else { name };
            painter.text(
                at,
                Align2::CENTER_TOP,
                name,
                FontId::proportional(16.0),
                color.gamma_multiply(left),
            );
        }
    }

    /// Assigns a clicked joint to the bone being sought in the table of bones.
    fn click_joint(&mut self, part: Rect, view: &View, pointer: Pos2, index: usize) {
        if self.bones.sought.is_none() || !self.shows_bones() {
            return;
        }
        let size = [part.width(), part.height()].map(|x| x.max(1.0) as u32);
        let at = pointer - part.left_top();
        let Some(cast) = self.sight.casts.get(index) else { return };
        if let Some((joint, _)) = cast.joint_at(view, size, [at.x, at.y], REACH) {
            let joint = joint.to_owned();
            self.choose_joint(index, &joint);
        }
    }

    fn name_joint(&self, ui: &Ui, part: Rect, view: &View, pointer: Pos2, index: usize) {
        let size = [part.width(), part.height()].map(|x| x.max(1.0) as u32);
        let offset = pointer - part.left_top();
        let Some(cast) = self.sight.casts.get(index) else { return };
        if let Some((name, [x, y])) = cast.joint_at(view, size, [offset.x, offset.y], REACH) {
            let at = part.left_top() + vec2(x, y);
            ui.painter().circle_stroke(at, 5.0, (1.5, ui.visuals().strong_text_color()));
            label(ui.painter(), at + vec2(10.0, -10.0), name, ui, part);
        }
    }
}

/// Draws a name on a plate, within a part of the window.
fn label(painter: &Painter, at: Pos2, text: &str, ui: &Ui, inside: Rect) {
    let color = ui.visuals().strong_text_color();
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), color);
    let mut plate = Rect::from_min_size(pos2(at.x, at.y - galley.size().y), galley.size()).expand(4.0);
    if plate.right() > inside.right() {
        plate = plate.translate(vec2(inside.right() - plate.right(), 0.0));
    }
    painter.rect_filled(plate, 4.0, ui.visuals().extreme_bg_color.gamma_multiply(0.9));
    painter.galley(plate.min + vec2(4.0, 4.0), galley, color);
}

/// A frame of all that is shown.
fn whole(casts: &[Cast]) -> dopesheet::draw::Frame {
    let mut frames = casts.iter().map(|cast| *cast.frame());
    let first = frames
        .next()
        .unwrap_or_else(|| dopesheet::draw::Frame::new(dopesheet::draw::Direction::ThreeQuarter, 1.0));
    frames.fold(first, |a, b| a.join(&b))
}
