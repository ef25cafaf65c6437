//! Buttons with drawn signs, independent of fonts.

use eframe::egui::{Painter, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};

/// A sign on a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
    Play,
    Pause,
    Back,
    On,
}

/// Size of a button in points: as large as a fingertip needs.
const SIZE: Vec2 = vec2(34.0, 28.0);
/// Reach of a sign from the middle, in points.
const REACH: f32 = 6.0;

/// A button with a sign. The hint is also the button's name for screen readers.
pub(super) fn button(ui: &mut Ui, icon: Icon, hint: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(SIZE, Sense::click());
    let visuals = ui.style().interact(&response);
    ui.painter().rect(
        rect,
        visuals.corner_radius,
        visuals.weak_bg_fill,
        visuals.bg_stroke,
        eframe::egui::StrokeKind::Inside,
    );
    draw(ui.painter(), rect, icon, visuals.fg_stroke.color);
    response.widget_info(|| WidgetInfo::labeled(eframe::egui::Role::Button, true, hint));
    response.on_hover_text(hint)
}

fn draw(painter: &Painter, rect: Rect, icon: Icon, color: eframe::egui::Color32) {
    let centre = rect.center();
    let bar = |x: f32| {
        let middle = centre + vec2(x, 0.0);
        painter.rect_filled(Rect::from_center_size(middle, vec2(3.5, 2.0 * REACH)), 1.0, color);
    };
    let arrow = |from: f32, to: f32| {
        let corners = [(from, -REACH), (to, 0.0), (from, REACH)];
        let corners = corners.map(|(x, y)| pos2(centre.x + x, centre.y + y)).to_vec();
        painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
    };
    match icon {
        Icon::Play => arrow(-REACH * 0.7, REACH),
        Icon::Pause => [-3.5, 3.5].into_iter().for_each(bar),
        Icon::Back => {
            bar(-REACH);
            arrow(REACH, -REACH * 0.5);
        }
        Icon::On => {
            bar(REACH);
            arrow(-REACH, REACH * 0.5);
        }
    }
}
