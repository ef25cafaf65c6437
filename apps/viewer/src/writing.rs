//! The file that is written: its format, the job that writes it, and the report.

use crate::document::Document;
use crate::export;
use crate::inputs::Inputs;
use crate::jobs::{Job, finished};
use crate::platform;
use crate::work::{Done, Tone, Work};
use dopesheet::core::format::AnyFormat;
use eframe::egui::Context;

/// The file that is written.
pub(crate) struct Writing {
    /// Id of the format.
    pub(crate) target: &'static str,
    /// Position of the variant among those of the format.
    pub(crate) variant: usize,
    /// The job that writes it.
    pub(crate) job: Option<Job>,
    /// The report of the last conversion, line by line.
    pub(crate) report: Vec<(Tone, String)>,
}

/// The format that most programs open.
const USUAL: &str = "glb";

impl Default for Writing {
    fn default() -> Self {
        Self { target: USUAL, variant: 0, job: None, report: Vec::new() }
    }
}

impl Writing {
    /// The format that is written, for a figure if one takes the motion.
    pub(crate) fn target(&self, figure: Option<&Document>) -> Option<&'static dyn AnyFormat> {
        let find = |id: &str| export::targets(figure).find(|format| format.info().id == id);
        find(self.target).or_else(|| find(USUAL))
    }

    /// The word of its variant; none of the first, which is what is written without a word.
    pub(crate) fn variant_of(&self, target: &dyn AnyFormat) -> Option<&'static str> {
        let variant = target.info().variants.get(self.variant).filter(|_| self.variant > 0);
        variant.map(|variant| variant.name)
    }

    /// Starts to write a file. The error says why it cannot be started.
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

    /// Saves the file of a job that is done. Returns the place of the file, or why there is none.
    pub(crate) fn collect(&mut self) -> Option<String> {
        let (job, made) = finished(&mut self.job)?;
        let saved = made.and_then(|Done { output, said, .. }| {
            self.report = said;
            let output = output.ok_or("expected a file, found none")?;
            platform::save(&job.name, &output)
        });
        Some(saved.unwrap_or_else(|why| why))
    }
}
