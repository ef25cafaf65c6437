//! The parts of the viewer, and the few things that concern several of them.

use crate::clock::Clock;
use crate::comparing::Comparing;
use crate::controls::Controls;
use crate::document::Document;
use crate::files::Files;
use crate::fitting::Fitting;
use crate::fonts::is_japanese;
use crate::inbox::Inbox;
use crate::jobs::TICK;
use crate::panels::Panels;
use crate::platform;
use crate::sheet::Sheet;
use crate::status::Status;
use crate::timing::Timing;
use crate::view::Sight;
use crate::work::Work;
use crate::writing::Writing;
use dopesheet::core::model::Clip;
use dopesheet::draw::Theme;
use eframe::egui::Context;
use std::sync::Arc;

/// The parts of the viewer.
pub(crate) struct Viewer {
    pub(crate) files: Files,
    pub(crate) clock: Clock,
    pub(crate) sight: Sight,
    pub(crate) panels: Panels,
    /// The dope sheet of what is shown, once somebody has looked at it.
    pub(crate) sheet: Option<Sheet>,
    pub(crate) comparing: Comparing,
    pub(crate) fitting: Fitting,
    pub(crate) writing: Writing,
    pub(crate) inbox: Inbox,
    pub(crate) controls: Controls,
    pub(crate) timing: Timing,
    /// The answer to what somebody asked for last.
    pub(crate) said: String,
    /// True once everything that draws was tried.
    pub(crate) is_warm: bool,
    /// True once letters of Japanese were asked for.
    has_japanese: bool,
}

impl Viewer {
    pub(crate) fn new(theme: Theme, inbox: Inbox) -> Self {
        Self {
            files: Files::default(),
            clock: Clock::of(&Clip::default()),
            sight: Sight::new(theme),
            panels: Panels::new(),
            sheet: None,
            comparing: Comparing::default(),
            fitting: Fitting::default(),
            writing: Writing::default(),
            inbox,
            controls: Controls::default(),
            timing: Timing::default(),
            said: String::new(),
            is_warm: false,
            has_japanese: false,
        }
    }

    /// Shows the files that are chosen now: from the start of their clips, as a whole.
    pub(crate) fn staged(&mut self) {
        self.restaged();
        self.panels.restart();
        self.sight.reset_eye();
        if let Some(cast) = self.sight.casts.first() {
            self.clock = Clock { in_frames: self.clock.in_frames, ..Clock::of(cast.stage.clip()) };
        }
        if let Some(other) = self.sight.casts.get(1) {
            self.clock = self.clock.until(other.stage.clip());
        }
    }

    /// Shows the files that are chosen now, at the same time and from the same place.
    pub(crate) fn restaged(&mut self) {
        let shown = [&self.files.shown, &self.files.other_shown];
        self.sight.show(shown.into_iter().flatten().map(|shown| Arc::clone(&shown.stage)));
    }

    /// Compares with another file, or with none.
    pub(crate) fn compare(&mut self, other: Option<usize>) {
        self.files.compare(other);
        self.staged();
    }

    /// Makes the dope sheet of what is shown, unless that is done.
    pub(crate) fn prepare_sheet(&mut self) {
        let (Some(document), Some(shown)) = (self.files.document(), &self.files.shown) else {
            self.sheet = None;
            return;
        };
        if self.sheet.as_ref().is_none_or(|sheet| !sheet.is_of(document, shown.clip)) {
            self.sheet = Some(Sheet::new(document, shown.clip));
        }
    }

    /// Starts the comparison of what is shown, unless that is done or under way.
    pub(crate) fn prepare_comparison(&mut self, context: &Context) {
        if let Err(why) = self.comparing.prepare(context, self.files.inputs()) {
            self.said = why;
        }
    }

    /// Has a figure take the motion of what is shown, or none.
    pub(crate) fn put_on(&mut self, figure: Option<usize>) {
        self.show_fitted(figure, None);
    }

    /// Shows a figure beside what is shown, from the same place and at the same time.
    fn show_fitted(&mut self, figure: Option<usize>, fitted: Option<Document>) {
        let time = self.clock.time;
        self.files.put_on(figure, fitted);
        self.staged();
        self.clock.time = time.min(self.clock.end);
    }

    /// Starts to put what is shown onto the chosen figure, unless that is done or under way.
    pub(crate) fn prepare_fitting(&mut self, context: &Context) {
        let settings = self.writing.settings();
        if let Err(why) = self.fitting.prepare(context, self.files.inputs(), &settings) {
            self.said = why;
        }
    }

    /// Starts to write a file.
    pub(crate) fn write(&mut self, context: &Context, what: &str, name: String, work: &Work) {
        self.said.clear();
        let Some(inputs) = self.files.inputs() else { return };
        if let Err(why) = self.writing.start(context, what, name, work, inputs) {
            self.said = why;
        }
    }

    /// Takes over the results of jobs that are done.
    pub(crate) fn collect(&mut self, context: &Context) {
        if let Some(answer) = self.writing.collect() {
            self.said = answer;
        }
        if let Err(why) = self.comparing.collect() {
            self.said = why;
            self.compare(None);
        }
        match self.fitting.collect() {
            Ok(None) => {}
            Ok(Some(fitted)) => self.show_fitted(self.files.figure, Some(fitted)),
            Err(why) => {
                self.said = why;
                self.show_fitted(self.files.figure, None);
            }
        }
        if [&self.writing.job, &self.comparing.job, &self.fitting.job].iter().any(|job| job.is_some()) {
            context.request_repaint_after(TICK);
        }
    }

    /// Loads the letters of Japanese once something that has them is shown.
    pub(crate) fn load_fonts(&mut self, context: &Context) {
        if !self.has_japanese && self.needs_japanese() {
            self.has_japanese = true;
            platform::load_japanese(context);
        }
    }

    fn needs_japanese(&self) -> bool {
        let names = self.files.documents.iter().any(|document| is_japanese(document.name()));
        let failures = || self.files.failures.iter().any(|f| is_japanese(&f.name) || is_japanese(&f.why));
        let scenes = || {
            self.sight.casts.iter().any(|cast| {
                let scene = cast.stage.scene();
                let targets = cast.stage.clip().tracks.iter().map(|track| track.target.label());
                scene.nodes.iter().map(|node| node.name.as_str()).chain(targets).any(is_japanese)
            })
        };
        names || failures() || scenes()
    }

    /// The state of the viewer, for programs that drive it from outside. The places of controls are handed over.
    pub(crate) fn status(&mut self) -> Status {
        let name = |document: &Arc<Document>| document.name().to_owned();
        let jobs = [&self.writing.job, &self.comparing.job, &self.fitting.job];
        Status {
            files: self.files.documents.iter().map(name).collect(),
            active: self.files.document().map(name),
            compared_with: self.files.other_document().map(name),
            fitted: self.files.fitted.as_ref().map(name),
            verdict: self.fitting.report.first().map(|(_, line)| line.clone()),
            failures: self.files.failures.iter().map(|f| [f.name.clone(), f.why.clone()]).collect(),
            offers: self.files.offers.iter().map(|offer| offer.archive.clone()).collect(),
            time_s: self.clock.time,
            end_s: self.clock.end,
            is_playing: self.clock.is_playing,
            tab: self.panels.tab.word(),
            findings: self.files.document().and_then(|document| document.known_findings()),
            rows: self.sheet.as_ref().map_or(0, Sheet::row_count),
            agree: self.comparing.compared.as_ref().map(|compared| compared.measured.is_within),
            busy: jobs.into_iter().flatten().map(|job| job.what.clone()).collect(),
            said: self.said.clone(),
            speeds: self.timing.speeds,
            controls: std::mem::take(&mut self.controls.0),
        }
    }
}
