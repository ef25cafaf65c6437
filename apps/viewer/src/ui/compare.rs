//! Two files compared: whether they agree, where they do not, and when.

use super::curves::Plot;
use super::theme::rgb;
use crate::app::App;
use crate::bench::Placing;
use crate::compare::{Compared, color, length};
use crate::curves::bounds;
use crate::rows::Span;
use crate::view::Dot;
use dopesheet::core::diag::ErrorUnit;
use dopesheet::motion::apart::Difference;
use eframe::egui::{ComboBox, Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};
use std::collections::HashMap;

/// How high the curve of the difference is, and how wide its column of values, in points.
const HEIGHT: f32 = 110.0;
const VALUES: f32 = 58.0;
/// How many targets are listed.
const LISTED: usize = 100;

impl App {
    /// The comparison of what is shown, made when it is first looked at.
    fn prepare_comparison(&mut self) {
        let (Some(a), Some(b)) = (self.bench.document(), self.bench.other_document()) else {
            self.compared = None;
            return;
        };
        let model = self.bench.model_document();
        if self.compared.as_ref().is_some_and(|compared| compared.is_of(a, b, model)) {
            return;
        }
        match Compared::new(a, b, model) {
            Ok(compared) => self.compared = Some(compared),
            Err(error) => {
                self.said = error.to_string();
                self.compared = None;
                self.bench.compare(None);
                self.staged();
            }
        }
    }

    pub(crate) fn comparison(&mut self, ui: &mut Ui) {
        self.choose_other(ui);
        if self.bench.other.is_none() {
            ui.weak("Choose a second file: they play side by side or over each other, with how far they are apart.");
            if !self.said.is_empty() {
                ui.label(&self.said);
            }
            return;
        }
        ui.horizontal(|ui| {
            for (placing, word) in [(Placing::Beside, "Side by side"), (Placing::Over, "Over each other")] {
                let choice = ui.radio_value(&mut self.bench.placing, placing, word);
                self.controls.note(word, &choice);
            }
        });
        self.prepare_comparison();
        let Some(mut compared) = self.compared.take() else { return };
        verdict(ui, &compared);
        self.error_curve(ui, &compared);
        self.differences(ui, &mut compared);
        self.compared = Some(compared);
    }

    fn choose_other(&mut self, ui: &mut Ui) {
        let name = |index: Option<usize>| match index.and_then(|index| self.bench.documents.get(index)) {
            Some(document) => document.name().to_owned(),
            None => "nothing".to_owned(),
        };
        let mut chosen = self.bench.other;
        ui.horizontal(|ui| {
            ui.label("With");
            let combo = ComboBox::from_id_salt("other").width(180.0).truncate().selected_text(name(chosen));
            let response = combo.show_ui(ui, |ui| {
                let none = ui.selectable_value(&mut chosen, None, name(None));
                self.controls.note("other nothing", &none);
                for (index, document) in self.bench.documents.iter().enumerate() {
                    if index != self.bench.active {
                        let choice = ui.selectable_value(&mut chosen, Some(index), document.name());
                        self.controls.note(format!("other {}", document.name()), &choice);
                    }
                }
            });
            self.controls.note("other", &response.response);
        });
        if chosen != self.bench.other {
            self.said.clear();
            self.bench.compare(chosen);
            let view = self.orbit;
            let time = self.clock.time;
            self.staged();
            self.orbit = view.filter(|_| self.bench.placing == Placing::Beside && chosen.is_none());
            self.clock.time = time.min(self.clock.end);
        }
    }

    /// The largest difference over time; a click goes there.
    fn error_curve(&mut self, ui: &mut Ui, compared: &Compared) {
        ui.label(RichText::new("Largest difference of a joint (mm)").small().weak());
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
        let times = Rect::from_min_max(
            pos2(rect.left() + VALUES, rect.top()),
            pos2(rect.right() - 8.0, rect.bottom()),
        );
        self.controls.place("error curve", times);
        let span = Span { from: 0.0, to: self.clock.end.max(1e-3), width: times.width() };
        let traces = std::slice::from_ref(&compared.over_time);
        let [_, high] = bounds(traces);
        let plot = Plot { times, span, values: [0.0, high.max(compared.limit_m() * 1.1e3)] };
        plot.draw(ui, traces);
        self.cursor(&ui.painter_at(rect), rect, times, &span);
        if let Some(pointer) = response.interact_pointer_pos() {
            self.clock.seek(span.time(pointer.x - times.left()));
        }
        if let Some(pointer) = response.hover_pos().filter(|at| times.contains(*at)) {
            plot.read(ui, traces, pointer, &self.clock.text(span.time(pointer.x - times.left())));
        }
    }

    fn differences(&mut self, ui: &mut Ui, compared: &mut Compared) {
        let limit = compared.limit_m();
        let now: HashMap<String, f64> = compared.at(self.clock.time).iter().cloned().collect();
        let mut wanted = None;
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().interact_size.y = 16.0;
            for track in compared.diff.apart.tracks.iter().take(LISTED) {
                let Some(worst) = track.channels.iter().max_by(|a, b| a.share().total_cmp(&b.share())) else {
                    continue;
                };
                let [r, g, b, _] = color(now.get(&track.target).copied().unwrap_or(0.0), limit);
                ui.horizontal_wrapped(|ui| {
                    ui.colored_label(rgb([r, g, b]), "●");
                    let text = format!(
                        "{}  {} {} at {}",
                        track.target,
                        worst.channel,
                        amount(worst),
                        self.clock.text(worst.time.0)
                    );
                    let label = ui.link(RichText::new(text).small());
                    if label.clicked() {
                        wanted = Some(worst.time.0);
                    }
                });
            }
            for (side, lone) in [("A", &compared.diff.apart.only_in_a), ("B", &compared.diff.apart.only_in_b)]
            {
                if !lone.is_empty() {
                    let names: Vec<&str> =
                        lone.iter().take(LISTED).map(|lone| lone.target.as_str()).collect();
                    ui.label(RichText::new(format!("Only in {side}: {}", names.join(", "))).small());
                }
            }
        });
        if let Some(time) = wanted {
            self.clock.seek(time);
        }
    }

    /// Marks on the joints of one side, coloured by how far they are apart now; none where nothing is compared.
    pub(crate) fn error_dots(&mut self, index: usize) -> Vec<Dot> {
        let is_wanted = self.bench.other.is_some()
            && (self.tab == super::Tab::Compare || self.side == super::Tab::Compare);
        if !is_wanted {
            return Vec::new();
        }
        self.prepare_comparison();
        let (Some(compared), Some(cast)) = (&mut self.compared, self.casts.get(index)) else {
            return Vec::new();
        };
        let limit = compared.limit_m();
        let off: HashMap<&str, f64> =
            compared.at(self.clock.time).iter().map(|(name, off)| (name.as_str(), *off)).collect();
        let joints = cast.stage.joints(&cast.moment);
        let dot = |(node, point): (dopesheet::core::model::NodeIndex, [f32; 3])| {
            let name = cast.stage.scene().node(node)?.name.as_str();
            Some(Dot { point, color: color(*off.get(name)?, limit) })
        };
        joints.filter_map(dot).collect()
    }
}

fn verdict(ui: &mut Ui, compared: &Compared) {
    let apart = &compared.diff.apart;
    let text = match (apart.is_within, &apart.worst) {
        (true, None) => "They are the same.".to_owned(),
        (true, Some(_)) => format!("They agree within {}.", length(compared.limit_m())),
        (false, Some(worst)) => format!(
            "They differ: {} by {} at {:.2} s.",
            worst.target,
            amount(&worst.difference),
            worst.difference.time.0
        ),
        (false, None) => "They move different things.".to_owned(),
    };
    let color = if apart.is_within { rgb([70, 170, 90]) } else { ui.visuals().warn_fg_color };
    ui.label(RichText::new(text).strong().color(color));
}

fn amount(difference: &Difference) -> String {
    match difference.unit {
        ErrorUnit::Metre => length(difference.value),
        ErrorUnit::Radian => format!("{:.3}°", difference.value.to_degrees()),
        ErrorUnit::One => format!("{:.4}", difference.value),
    }
}
