//! The file that is written: its format, the settings of the conversion, the job that writes it, and the report.

use crate::export;
use crate::inputs::Inputs;
use crate::jobs::{Job, finished};
use crate::platform;
use crate::work::{Done, Tone, Work};
use dopesheet::{convert::Setting, convert::settings};
use eframe::egui::Context;
use std::collections::BTreeMap;

/// The file that is written.
pub(crate) struct Writing {
    /// Position of the format among those that can be written.
    pub(crate) target: usize,
    /// Position of the variant among those of the format.
    pub(crate) variant: usize,
    /// Ids of the settings that were chosen, and their values.
    pub(crate) asked: BTreeMap<&'static str, String>,
    /// The job that writes it.
    pub(crate) job: Option<Job>,
    /// The report of the last conversion, line by line.
    pub(crate) report: Vec<(Tone, String)>,
}

/// The format that most programs open.
const USUAL: &str = "glb";

impl Default for Writing {
    fn default() -> Self {
        Self {
            target: export::targets().position(|format| format.info().id == USUAL).unwrap_or_default(),
            variant: 0,
            asked: BTreeMap::new(),
            job: None,
            report: Vec::new(),
        }
    }
}

impl Writing {
    /// Chooses the value of a setting, or none.
    pub(crate) fn ask(&mut self, id: &'static str, value: Option<String>) {
        match value {
            Some(value) => drop(self.asked.insert(id, value)),
            None => drop(self.asked.remove(id)),
        }
    }

    /// Ids of the chosen settings with their values.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        self.asked.iter().map(|(id, value)| ((*id).to_owned(), value.clone())).collect()
    }

    /// True if a setting cannot be combined with those that are chosen.
    pub(crate) fn excludes(&self, setting: &Setting) -> bool {
        let by =
            |other: &Setting| setting.excludes.contains(&other.id) || other.excludes.contains(&setting.id);
        !self.asked.contains_key(setting.id)
            && settings().iter().any(|other| self.asked.contains_key(other.id) && by(other))
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
