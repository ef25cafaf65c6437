//! Documents of drafts, updated to the operations so far.

use super::fitted::{Fitted, fit};
use super::measured::words;
use super::{Draft, own_variant, read};
use crate::convert::{ConvertOptions, TOLERANCE_EXCEEDED};
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{Finding, Loss, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::Scene;
use std::sync::Arc;

impl Draft {
    /// Updates the document to the operations so far, and continues from the document's scene.
    pub(super) fn store(&mut self) -> Result<(), Error> {
        if self.opened.is_in_memory() || self.scene == *self.before {
            return Ok(());
        }
        self.fit()?;
        let asked = self.scene.clips.clone();
        let before = self.report.losses.len();
        self.update()?;
        let kept = self.report.losses.split_off(before);
        let (kept, lost): (Vec<Loss>, Vec<Loss>) = kept.into_iter().partition(is_kept);
        self.kept = kept;
        self.report.losses.extend(lost);
        let stored = read(&self.opened)?;
        self.said.check(self.opened.format().info(), &asked, &stored.clips)?;
        if names(&stored) != names(&self.scene) {
            self.measure.settle(&self.scene);
        }
        self.before = Arc::new(stored.clone());
        self.earlier = Some(Arc::clone(&self.before));
        self.scene = stored;
        Ok(())
    }

    /// Brings the scene within the capabilities of the file's format. Yields the finding about an error
    /// beyond the tolerance.
    pub(super) fn fit(&mut self) -> Result<Option<Finding>, Error> {
        if self.opened.is_in_memory() || self.scene == *self.before {
            return Ok(None);
        }
        let options = ConvertOptions {
            variant: own_variant(&self.opened),
            keep_constant: true,
            tolerance: self.measure.asked,
            limits: self.limits,
            ..ConvertOptions::to(self.opened.format())
        };
        let mut report = Report::default();
        let is_exact = self.measure.is_exact();
        let Fitted { asked, words: played, is_rounded } =
            fit(&mut self.scene, &self.opened, &self.before, &options, is_exact, &mut report)?;
        let is_beyond = |finding: &Finding| finding.fault.code == TOLERANCE_EXCEEDED;
        let (beyond, remaining): (Vec<_>, Vec<_>) = report.findings.into_iter().partition(is_beyond);
        self.report.findings.extend(remaining);
        let (kept, lost): (Vec<Loss>, Vec<Loss>) = report.losses.into_iter().partition(is_kept);
        let (dropped, inexact): (Vec<Loss>, Vec<Loss>) =
            lost.into_iter().partition(|loss| matches!(loss, Loss::Dropped { .. }));
        self.report.losses.extend(dropped);
        // What all curves are sampled for stays nothing as it was.
        self.kept = if self.measure.samples_all() { Vec::new() } else { kept };
        if !inexact.is_empty() || !played.is_empty() {
            let on_frames = self.scene.clips.iter().any(|clip| clip.grid.is_some());
            let words = inexact.iter().filter_map(words).chain(played.into_iter().map(str::to_owned));
            self.measure.fitted(asked, on_frames, words);
        }
        self.earlier = None;
        self.is_rounded = is_rounded;
        Ok(beyond.into_iter().next())
    }

    /// Brings the document up to the scene.
    pub(super) fn update(&mut self) -> Result<(), Error> {
        if self.opened.is_in_memory() {
            self.opened = Arc::new(Opened::from_scene(self.opened.name.clone(), &self.scene)?);
            return Ok(());
        }
        let from_scene = FromScene {
            variant: own_variant(&self.opened),
            keep_constant: true,
            rounded: true,
            most_frames: self.limits.max_frames,
            ..FromScene::default()
        };
        let format = self.opened.format();
        let opened = Arc::make_mut(&mut self.opened);
        format.update(&mut opened.document, &self.scene, &from_scene, &mut self.report)?;
        Ok(())
    }
}

fn is_kept(loss: &Loss) -> bool {
    matches!(loss, Loss::Kept { .. } | Loss::KeptAsData { .. })
}

/// Names of moving targets, in order.
fn names(scene: &Scene) -> Vec<&str> {
    let tracks = scene.tracks();
    let mut names: Vec<&str> = tracks.map(|track| track.target.name.as_str()).collect();
    names.sort_unstable();
    names
}
