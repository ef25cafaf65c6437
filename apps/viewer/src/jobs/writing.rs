//! Export of a file: format, variant, job and report.

use crate::files::document::Document;
use crate::files::inputs::Inputs;
use crate::jobs::{Job, finished};
use crate::model::export;
use crate::platform;
use crate::work::{Done, Tone, Work};
use dopesheet::core::format::AnyFormat;
use eframe::egui::Context;

/// Format, variant, job and report of an export.
pub(crate) struct Writing {
    /// Id of the format.
    pub(crate) target: &'static str,
    /// Position of the variant in the format's list.
    pub(crate) variant: usize,
    /// The running job.
    pub(crate) job: Option<Job>,
    /// The report of the last conversion, line by line.
    pub(crate) report: Vec<(Tone, String)>,
}

/// Code of the finding about an avatar with a motion inside.
pub(crate) const PLAYERS: &str = "vrm-players";

/// The format that most programs open.
const USUAL: &str = "glb";

impl Default for Writing {
    fn default() -> Self {
        Self { target: USUAL, variant: 0, job: None, report: Vec::new() }
    }
}

impl Writing {
    /// The chosen format; some formats are offered for a figure alone.
    pub(crate) fn target(&self, figure: Option<&Document>) -> Option<&'static dyn AnyFormat> {
        let find = |id: &str| export::targets(figure).find(|format| format.info().id == id);
        find(self.target).or_else(|| find(USUAL))
    }

    /// Word of the chosen variant; `None` for the first, the default.
    pub(crate) fn variant_of(&self, target: &dyn AnyFormat) -> Option<&'static str> {
        let variant = target.info().variants.get(self.variant).filter(|_| self.variant > 0);
        variant.map(|variant| variant.name)
    }

    /// Starts a job. The error is the reason of a failure to start.
    pub(crate) fn start(
        &mut self,
        context: &Context,
        what: &str,
        name: String,
        work: &Work,
        inputs: Inputs,
    ) -> Result<(), String> {
        self.report.clear();
        self.job = None;
        self.job = Some(Job::start(context, what, name, work, inputs)?);
        Ok(())
    }

    /// Saves the file of a finished job. Returns a message with its place, or with the reason of a failure.
    pub(crate) fn collect(&mut self) -> Option<String> {
        let (job, result) = finished(&mut self.job)?;
        let saved = result.and_then(|Done { output, said, .. }| {
            self.report = said;
            let output = output.ok_or("expected a file, found none")?;
            platform::save(&job.name, &output)
        });
        Some(saved.unwrap_or_else(|why| why))
    }
}
