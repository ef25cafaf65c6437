//! Which letters there are. Those of Japanese are many, and loaded when the first of them is needed.

use crate::app::App;
use crate::platform;
use eframe::egui::Context;

/// Whether a text has letters that only a Japanese font has.
pub(crate) fn is_japanese(text: &str) -> bool {
    text.chars()
        .any(|c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}'))
}

impl App {
    /// Loads what letters are missing, once something that has them is shown.
    pub(crate) fn load_fonts(&mut self, context: &Context) {
        if self.has_japanese || !self.needs_japanese() {
            return;
        }
        self.has_japanese = true;
        platform::load_japanese(context);
    }

    fn needs_japanese(&self) -> bool {
        let names = self.bench.documents.iter().any(|document| is_japanese(document.name()));
        let failures = || self.bench.failures.iter().any(|f| is_japanese(&f.name) || is_japanese(&f.why));
        let scenes = || {
            self.casts.iter().any(|cast| {
                let scene = cast.stage.scene();
                let targets = cast.stage.clip().tracks.iter().map(|track| track.target.label());
                scene.nodes.iter().map(|node| node.name.as_str()).chain(targets).any(is_japanese)
            })
        };
        names || failures() || scenes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_is_told_from_what_every_font_has() {
        assert!(["センター", "左腕", "ＩＫ", "abc、"].into_iter().all(is_japanese));
        assert!(!["walk.vmd", "Überblendung – 12 µm", "▸ ×", ""].into_iter().any(is_japanese));
    }
}
