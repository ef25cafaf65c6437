//! Two files compared: the verdict, the largest differences with their times, and the difference over time.

use crate::files::Placing;
use crate::jobs::Job;
use crate::model::compare::{Compared, Measured, color};
use crate::model::curves::bounds;
use crate::model::rows::Span;
use crate::model::tab::Tab;
use crate::ui::below::curves::Plot;
use crate::ui::theme::rgb;
use crate::view::Dot;
use crate::viewer::Viewer;
use eframe::egui::{ComboBox, Context, Rect, Response, RichText, ScrollArea, Sense, Ui, pos2, vec2};
use std::collections::HashMap;

/// Height of the curve of the difference, and width of its column of values, in points.
const HEIGHT: f32 = 110.0;
const VALUES: f32 = 58.0;

impl Viewer {
    pub(crate) fn comparison(&mut self, ui: &mut Ui) {
        self.choose_other(ui);
        if self.files.other.is_none() {
            ui.weak("Choose a second file: they play side by side or over each other, with how far they are apart.");
            if !self.said.is_empty() {
                ui.label(&self.said);
            }
            return;
        }
        ui.horizontal(|ui| {
            for (placing, word) in [(Placing::Beside, "Side by side"), (Placing::Over, "Over each other")] {
                let choice = ui.radio_value(&mut self.files.placing, placing, word);
                self.controls.note(word, &choice);
            }
        });
        self.prepare_comparison(ui.ctx());
        let mut compared = self.comparing.compared.take();
        if let Some(compared) = &mut compared {
            verdict(ui, &compared.measured);
            self.error_curve(ui, compared);
            self.differences(ui, compared);
        } else if let Some(job) = &self.comparing.job {
            let stop = busy(ui, job);
            self.controls.note("stop comparing", &stop);
            if stop.clicked() {
                self.comparing.job = None;
                self.compare(None);
            }
        }
        self.comparing.compared = compared;
    }

    fn choose_other(&mut self, ui: &mut Ui) {
        let name = |index: Option<usize>| match index.and_then(|index| self.files.documents.get(index)) {
            Some(document) => document.name().to_owned(),
            None => "nothing".to_owned(),
        };
        let mut chosen = self.files.other;
        ui.horizontal(|ui| {
            ui.label("With");
            let combo = ComboBox::from_id_salt("other").width(180.0).truncate().selected_text(name(chosen));
            let response = combo.show_ui(ui, |ui| {
                let none = ui.selectable_value(&mut chosen, None, name(None));
                self.controls.note("other nothing", &none);
                for (index, document) in self.files.documents.iter().enumerate() {
                    if index != self.files.active {
                        let choice = ui.selectable_value(&mut chosen, Some(index), document.name());
                        self.controls.note(format!("other {}", document.name()), &choice);
                    }
                }
            });
            self.controls.note("other", &response.response);
        });
        if chosen != self.files.other {
            self.said.clear();
            let view = self.sight.orbit;
            let time = self.clock.time;
            self.compare(chosen);
            self.sight.orbit = view.filter(|_| self.files.placing == Placing::Beside && chosen.is_none());
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
        let traces = std::slice::from_ref(&compared.trace);
        let [_, high] = bounds(traces);
        let plot = Plot { times, span, values: [0.0, high.max(compared.measured.limit_m * 1.1e3)] };
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
        let limit = compared.measured.limit_m;
        let now: HashMap<String, f64> = compared.at(self.clock.time).iter().cloned().collect();
        let mut wanted = None;
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().interact_size.y = 16.0;
            for line in &compared.measured.lines {
                // What is no joint is nowhere.
                let weak = ui.visuals().weak_text_color();
                let dot = now.get(&line.target).map(|off| color(*off, limit));
                ui.horizontal_wrapped(|ui| {
                    ui.colored_label(dot.map_or(weak, |[r, g, b, _]| rgb([r, g, b])), "●");
                    let text = format!("{}  {} at {}", line.target, line.what, self.clock.text(line.time));
                    let label = ui.link(RichText::new(text).small());
                    if label.clicked() {
                        wanted = Some(line.time);
                    }
                });
            }
            for (side, names) in ["A", "B"].into_iter().zip(&compared.measured.lone) {
                if !names.is_empty() {
                    ui.label(RichText::new(format!("Only in {side}: {}", names.join(", "))).small());
                }
            }
        });
        if let Some(time) = wanted {
            self.clock.seek(time);
        }
    }

    /// Marks on the joints of one side, coloured by their present difference; empty without a comparison.
    pub(crate) fn error_dots(&mut self, context: &Context, index: usize) -> Vec<Dot> {
        let is_wanted = self.files.other.is_some()
            && self.panels.is_time_for(Tab::Compare)
            && self.panels.shows(Tab::Compare);
        if !is_wanted {
            return Vec::new();
        }
        self.prepare_comparison(context);
        let (Some(compared), Some(cast)) = (&mut self.comparing.compared, self.sight.casts.get(index)) else {
            return Vec::new();
        };
        let limit = compared.measured.limit_m;
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

fn verdict(ui: &mut Ui, measured: &Measured) {
    let color = if measured.is_within { rgb([70, 170, 90]) } else { ui.visuals().warn_fg_color };
    ui.label(RichText::new(&measured.verdict).strong().color(color));
}

/// A job and its time so far, with a button to stop the job. Returns the button's response.
pub(in crate::ui) fn busy(ui: &mut Ui, job: &Job) -> Response {
    ui.horizontal(|ui| {
        ui.spinner();
        ui.label(format!("{} {}… {:.0} s", job.what, job.name, job.seconds()));
        ui.button("Stop")
    })
    .inner
}
