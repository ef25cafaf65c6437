//! What is being done beside the window, and what becomes of it.

use crate::app::App;
use crate::compare::Compared;
use crate::platform::{self, Running};
use crate::work::{Done, Inputs, Work};
use eframe::egui::Context;
use std::sync::Arc;
use std::time::Duration;

/// How often it is said for how long something is being done.
const TICK: Duration = Duration::from_millis(250);

/// Something that is being done.
pub(crate) struct Job {
    /// What, in a word or two.
    pub(crate) what: String,
    /// The file that is written, if one is.
    pub(crate) name: String,
    pub(crate) inputs: Inputs,
    since_ms: f64,
    running: Running,
}

impl Job {
    /// For how long it is being done, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        (platform::now_ms() - self.since_ms) / 1e3
    }

    /// Whether it is about the same documents.
    pub(crate) fn is_of(&self, inputs: &Inputs) -> bool {
        self.inputs.are(inputs)
    }
}

impl App {
    /// What work is done with: what is shown, the model that it is on, and what it is compared with.
    pub(crate) fn inputs(&self) -> Option<Inputs> {
        let document = Arc::clone(self.bench.document()?);
        let [model, other] = [self.bench.model_document(), self.bench.other_document()];
        Some(Inputs { document, model: model.map(Arc::clone), other: other.map(Arc::clone) })
    }

    /// Starts to write a file.
    pub(crate) fn write(&mut self, context: &Context, what: &str, name: String, work: &Work) {
        self.said.clear();
        self.report.clear();
        if let Some(inputs) = self.inputs() {
            self.writing = self.started(context, what, name, work, inputs);
        }
    }

    /// Starts to compare what is shown.
    pub(crate) fn measure_apart(&mut self, context: &Context, inputs: Inputs) {
        self.measuring = self.started(context, "Comparing", String::new(), &Work::Compare, inputs);
    }

    fn started(
        &mut self,
        context: &Context,
        what: &str,
        name: String,
        work: &Work,
        inputs: Inputs,
    ) -> Option<Job> {
        let since_ms = platform::now_ms();
        match platform::start(work, &inputs, context) {
            Ok(running) => Some(Job { what: what.to_owned(), name, inputs, since_ms, running }),
            Err(why) => {
                self.said = why;
                None
            }
        }
    }

    /// Takes in what was done.
    pub(crate) fn collect(&mut self, context: &Context) {
        if let Some((job, made)) = finished(&mut self.writing) {
            let kept = made.and_then(|Done { output, said, .. }| {
                self.report = said;
                let output = output.ok_or("expected a file, found none")?;
                platform::save(&job.name, &output)
            });
            self.said = kept.unwrap_or_else(|why| why);
        }
        if let Some((job, made)) = finished(&mut self.measuring) {
            let measured =
                made.and_then(|done| done.measured.ok_or_else(|| "expected numbers, found none".into()));
            let compared = measured
                .and_then(|measured| Compared::new(&job.inputs, measured).map_err(|error| error.to_string()));
            match compared {
                Ok(compared) => self.compared = Some(compared),
                Err(why) => {
                    self.said = why;
                    self.bench.compare(None);
                    self.staged();
                }
            }
        }
        if self.writing.is_some() || self.measuring.is_some() {
            context.request_repaint_after(TICK);
        }
    }
}

/// A job that is done, and what came of it.
fn finished(slot: &mut Option<Job>) -> Option<(Job, Result<Done, String>)> {
    let made = slot.as_ref()?.running.poll()?;
    Some((slot.take()?, made))
}
