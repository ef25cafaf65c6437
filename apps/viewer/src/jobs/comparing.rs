//! The comparison of the two shown files, and its job.

use crate::files::inputs::Inputs;
use crate::jobs::{Job, finished};
use crate::model::compare::Compared;
use crate::work::Work;
use eframe::egui::Context;

/// The comparison of the two shown files.
#[derive(Default)]
pub(crate) struct Comparing {
    /// The finished comparison of the shown files.
    pub(crate) compared: Option<Compared>,
    /// The job of a comparison in progress.
    pub(crate) job: Option<Job>,
}

impl Comparing {
    /// Starts to compare the shown files unless it is done or under way. The error is the reason of a failure to start.
    pub(crate) fn prepare(&mut self, context: &Context, inputs: Option<Inputs>) -> Result<(), String> {
        let Some(inputs) = inputs.filter(|inputs| inputs.other.is_some()) else {
            *self = Self::default();
            return Ok(());
        };
        if self.compared.as_ref().is_some_and(|compared| compared.inputs.are(&inputs)) {
            return Ok(());
        }
        self.compared = None;
        if self.job.as_ref().is_some_and(|job| job.is_of(&inputs)) {
            return Ok(());
        }
        self.job = None;
        self.job = Some(Job::start(context, "Comparing", String::new(), &Work::Compare, inputs)?);
        Ok(())
    }

    /// Takes over the result of a finished job. The error is the reason of a failure.
    pub(crate) fn collect(&mut self) -> Result<(), String> {
        let Some((job, result)) = finished(&mut self.job) else { return Ok(()) };
        let measured = result?.measured.ok_or("expected numbers, found none")?;
        self.compared = Some(Compared::new(&job.inputs, measured).map_err(|error| error.to_string())?);
        Ok(())
    }
}
