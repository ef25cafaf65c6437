//! Colours and sizes of the panels around the scene, matched to the colours of the scene.

use dopesheet::draw::Theme;
use eframe::egui::{self, Color32, Context, FontId, TextStyle, Visuals};

/// Colours and sizes for both themes.
pub(crate) fn set(context: &Context) {
    context.set_visuals_of(egui::Theme::Dark, visuals(Visuals::dark(), &Theme::DARK, 14));
    context.set_visuals_of(egui::Theme::Light, visuals(Visuals::light(), &Theme::LIGHT, 10));
    context.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(8.0, 6.0);
        style.spacing.button_padding = egui::vec2(8.0, 4.0);
        style.spacing.interact_size.y = 24.0;
        for (text, size) in [(TextStyle::Small, 11.5), (TextStyle::Body, 13.5), (TextStyle::Button, 13.5)] {
            style.text_styles.insert(text, FontId::proportional(size));
        }
    });
}

fn visuals(base: Visuals, theme: &Theme, step: u8) -> Visuals {
    let [r, g, b, _] = theme.background;
    let raised = Color32::from_rgb(
        raise(r, step, base.dark_mode),
        raise(g, step, base.dark_mode),
        raise(b, step, base.dark_mode),
    );
    let accent = rgb(theme.bone);
    // The colour of bones is too pale for letters on white.
    let link = if base.dark_mode { accent } else { Color32::from_rgb(52, 84, 156) };
    let [text, weak] = if base.dark_mode { [210, 158] } else { [45, 95] }.map(Color32::from_gray);
    let mut visuals = Visuals { panel_fill: raised, window_fill: raised, hyperlink_color: link, ..base };
    visuals.widgets.noninteractive.fg_stroke.color = text;
    visuals.weak_text_color = Some(weak);
    visuals.selection.bg_fill = accent.gamma_multiply(0.45);
    visuals.selection.stroke.color = if visuals.dark_mode { Color32::WHITE } else { Color32::from_gray(20) };
    visuals
}

/// A colour raised from its background: lighter than a dark colour, darker than a light colour.
const fn raise(x: u8, step: u8, is_dark: bool) -> u8 {
    if is_dark { x.saturating_add(step) } else { x.saturating_sub(step) }
}

/// The colours of the scene to match the window.
pub(crate) fn of(context: &Context) -> Theme {
    match context.theme() {
        egui::Theme::Dark => Theme::DARK,
        egui::Theme::Light => Theme::LIGHT,
    }
}

/// A colour of a theme.
pub(crate) const fn rgb([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}
