//! Work in progress beside the window.

pub(crate) mod comparing;
pub(crate) mod editing;
pub(crate) mod fitting;
pub(crate) mod writing;

use crate::files::inputs::Inputs;
use crate::platform::{self, Running};
use crate::work::{Done, Work};
use eframe::egui::Context;
use std::time::Duration;

/// Time between two updates of a job's seconds in the window.
pub(crate) const TICK: Duration = Duration::from_millis(250);

/// Work in progress.
pub(crate) struct Job {
    /// The work in a word or two: "Converting to".
    pub(crate) what: String,
    /// Name of the file to write; empty for work without a file.
    pub(crate) name: String,
    pub(crate) inputs: Inputs,
    since_ms: f64,
    running: Running,
}

impl Job {
    /// Starts work. The error is the reason of a failure to start.
    pub(crate) fn start(
        context: &Context,
        what: &str,
        name: String,
        work: &Work,
        inputs: Inputs,
    ) -> Result<Self, String> {
        let since_ms = platform::now_ms();
        let running = platform::start(work, &inputs, context)?;
        Ok(Self { what: what.to_owned(), name, inputs, since_ms, running })
    }

    /// Seconds since the start of the work.
    pub(crate) fn seconds(&self) -> f64 {
        (platform::now_ms() - self.since_ms) / 1e3
    }

    /// True for work on the same documents.
    pub(crate) fn is_of(&self, inputs: &Inputs) -> bool {
        self.inputs.are(inputs)
    }
}

/// Takes a finished job out of its slot, with its result.
pub(crate) fn finished(slot: &mut Option<Job>) -> Option<(Job, Result<Done, String>)> {
    let result = slot.as_ref()?.running.poll()?;
    Some((slot.take()?, result))
}
