//! The parts of the viewer, and the operations on several parts at once.

use crate::controls::Controls;
use crate::files::Files;
use crate::files::choices::Choices;
use crate::files::document::Document;
use crate::files::history::History;
use crate::files::inbox::Inbox;
use crate::files::inputs::Inputs;
use crate::fonts::is_japanese;
use crate::jobs::comparing::Comparing;
use crate::jobs::editing::Editing;
use crate::jobs::fitting::{CLIP, Fitting};
use crate::jobs::writing::Writing;
use crate::jobs::{Job, TICK};
use crate::model::bones::Bones;
use crate::model::clock::Clock;
use crate::model::command;
use crate::model::draft::Draft;
use crate::model::panels::Panels;
use crate::model::sheet::Sheet;
use crate::platform;
use crate::status::{FitStatus, Status};
use crate::timing::Timing;
use crate::view::Sight;
use crate::work::Work;
use dopesheet::ClipChoice;
use dopesheet::bone_table::BoneRow;
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
    /// The dope sheet of the shown clip, from the first look at the sheet on.
    pub(crate) sheet: Option<Sheet>,
    pub(crate) comparing: Comparing,
    pub(crate) choices: Choices,
    pub(crate) history: History,
    pub(crate) bones: Bones,
    pub(crate) fitting: Fitting,
    pub(crate) editing: Editing,
    /// The operation being chosen.
    pub(crate) draft: Draft,
    pub(crate) writing: Writing,
    pub(crate) inbox: Inbox,
    pub(crate) controls: Controls,
    pub(crate) timing: Timing,
    /// The answer to the last request of the user.
    pub(crate) said: String,
    /// True once the drawing code was tried, so that the first scene of the user is drawn without a delay.
    pub(crate) is_warm: bool,
    /// True once Japanese letters were asked for.
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
            choices: Choices::default(),
            history: History::default(),
            bones: Bones::default(),
            fitting: Fitting::default(),
            editing: Editing::default(),
            draft: Draft::default(),
            writing: Writing::default(),
            inbox,
            controls: Controls::default(),
            timing: Timing::default(),
            said: String::new(),
            is_warm: false,
            has_japanese: false,
        }
    }

    /// Shows the chosen files from the start of their clips, as a whole.
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

    /// Shows the chosen files at the same time and from the same point of view.
    pub(crate) fn restaged(&mut self) {
        let shown = [&self.files.shown, &self.files.other_shown];
        self.sight.show(shown.into_iter().flatten().map(|shown| Arc::clone(&shown.stage)));
    }

    /// Compares with another file, or with none.
    pub(crate) fn compare(&mut self, other: Option<usize>) {
        self.files.compare(other);
        self.staged();
    }

    /// Makes the dope sheet of the shown clip unless there is one.
    pub(crate) fn prepare_sheet(&mut self) {
        let (Some(document), Some(shown)) = (self.files.document(), &self.files.shown) else {
            self.sheet = None;
            return;
        };
        if self.sheet.as_ref().is_none_or(|sheet| !sheet.is_of(document, shown.clip)) {
            self.sheet = Some(Sheet::new(document, shown.clip));
        }
    }

    /// Starts the comparison of the shown files unless it is done or under way.
    pub(crate) fn prepare_comparison(&mut self, context: &Context) {
        if let Err(why) = self.comparing.prepare(context, self.files.inputs()) {
            self.said = why;
        }
    }

    /// Shows the chosen files in their new state, at the same time and from the same point of view.
    fn refresh(&mut self) {
        self.restaged();
        self.panels.restart();
        let mut casts = self.sight.casts.iter().map(|cast| cast.stage.clip());
        let Some(clip) = casts.next() else { return };
        let clock = casts.fold(Clock::of(clip), |clock, other| clock.until(other));
        self.clock = Clock {
            end: clock.end,
            rate: clock.rate,
            time: self.clock.time.min(clock.end),
            part: self.clock.part.filter(|[_, end]| *end <= clock.end),
            ..self.clock
        };
    }

    /// Puts the shown motion onto a figure, or onto none.
    pub(crate) fn put_on(&mut self, figure: Option<usize>) {
        let Clock { time, is_playing, .. } = self.clock;
        self.files.put_on(figure, None);
        self.staged();
        (self.clock.time, self.clock.is_playing) = (time.min(self.clock.end), is_playing);
        self.note_figure();
    }

    /// Notes the figure among the choices.
    pub(crate) fn note_figure(&mut self) {
        let figure = self.files.figure.and_then(|figure| self.files.documents.get(figure));
        self.choices.figure = figure.map(|figure| figure.file_serial());
    }

    /// Starts to put the shown motion onto the chosen figure unless it is done or under way.
    fn prepare_fitting(&mut self, context: &Context) {
        let asked = self.choices.get(CLIP).filter(|_| self.files.figure.is_some());
        if asked.is_some_and(|asked| self.files.choose_clip(&ClipChoice::parse(asked))) {
            self.staged();
        }
        let shown = self.files.shown.as_ref().filter(|shown| shown.clips.len() > 1);
        let clip = shown.map(|shown| shown.clip);
        if let Err(why) = self.fitting.prepare(context, self.files.inputs(), clip, &self.choices) {
            self.said = why;
        }
    }

    /// Adds the choices since the last step to the history, unless the user is still typing or pressing a button.
    pub(crate) fn note_step(&mut self, context: &Context) {
        let is_at_it = context.egui_wants_keyboard_input() || context.input(|input| input.pointer.any_down());
        if !is_at_it && self.choices != *self.history.choices() {
            let file = |serial| self.files.documents.get(self.files.of_serial(serial)?);
            let name = |serial| file(serial).map(|document| document.name().to_owned());
            let words = self.choices.since(self.history.choices(), name);
            self.history.add(words, &self.choices);
        }
    }

    /// Goes to an earlier or a later step.
    pub(crate) fn go_to_step(&mut self, step: Option<usize>) {
        let Some(mut choices) = step.and_then(|step| self.history.go_to(step)) else { return };
        self.said.clear();
        (self.editing.job, self.bones.exchanged) = (None, None);
        let figure = choices.figure.and_then(|serial| self.files.of_serial(serial));
        choices.shown = self.choices.shown;
        self.choices = choices;
        if figure != self.files.figure {
            self.put_on(figure);
        }
    }

    /// Starts to write a file.
    pub(crate) fn write(&mut self, context: &Context, what: &str, name: String, work: &Work) {
        self.said.clear();
        let Some(inputs) = self.files.inputs() else { return };
        // A loop is of the figure that took the motion, which has everything.
        let fitted = self.files.fitted.as_ref().filter(|_| matches!(work, Work::Loop { .. }));
        let document = fitted.map_or(inputs.document, Arc::clone);
        let inputs = Inputs { document, other: None, ..inputs };
        if let Err(why) = self.writing.start(context, what, name, work, inputs) {
            self.said = why;
        }
    }

    /// Takes over the results of finished jobs.
    pub(crate) fn collect(&mut self, context: &Context) {
        let shown = [self.files.document(), self.files.figure_document()];
        self.choices.shown = shown.map(|document| Some(document?.file_serial()));
        if let Some(answer) = self.writing.collect() {
            self.said = answer;
        }
        if let Err(why) = self.comparing.collect() {
            self.said = why;
            self.compare(None);
        }
        self.collect_edits(context);
        self.prepare_fitting(context);
        match self.fitting.collect() {
            Ok(None) => {}
            Ok(Some(fitted)) => {
                let is_new = self.files.fitted.is_none();
                self.files.put_on(self.files.figure, Some(fitted));
                if is_new {
                    self.sight.reset_eye();
                }
                self.refresh();
            }
            Err(why) => {
                self.said = why;
                self.files.put_on(self.files.figure, None);
                self.refresh();
            }
        }
        if self.jobs().next().is_some() {
            context.request_repaint_after(TICK);
        }
    }

    /// Brings the files to the state after the chosen operations.
    fn collect_edits(&mut self, context: &Context) {
        let done = match self.editing.collect(&mut self.files, &mut self.choices) {
            Ok(false) => self.editing.prepare(context, &mut self.files, &self.choices),
            done => done,
        };
        match done {
            Ok(false) => {}
            Ok(true) => self.refresh(),
            Err(why) => self.said = why,
        }
    }

    /// The jobs in progress.
    fn jobs(&self) -> impl Iterator<Item = &Job> {
        let all = [&self.writing.job, &self.comparing.job, &self.fitting.job, &self.editing.job];
        all.into_iter().flatten()
    }

    /// The lines of the command that write the chosen export.
    pub(crate) fn command(&self) -> Vec<String> {
        let Some(inputs) = self.files.inputs() else { return Vec::new() };
        let Some(to) = self.writing.target(inputs.figure.as_deref()) else { return Vec::new() };
        let wanted = command::Wanted {
            document: &inputs.document,
            model: inputs.model.as_ref(),
            figure: inputs.figure.as_ref(),
            to: to.info(),
            variant: self.writing.variant_of(to),
        };
        command::lines(&wanted, &self.choices)
    }

    /// Loads Japanese letters as soon as a shown name has one.
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

    /// The status of the viewer, for programs that drive it from outside. Moves the positions of the controls into the status.
    pub(crate) fn status(&mut self) -> Status {
        let name = |document: &Arc<Document>| document.name().to_owned();
        Status {
            files: self.files.documents.iter().map(name).collect(),
            active: self.files.document().map(name),
            compared_with: self.files.other_document().map(name),
            fitted: self.files.fitted_name(),
            verdict: self.fitting.verdict(),
            failures: self.files.failures.iter().map(|f| [f.name.clone(), f.why.clone()]).collect(),
            offers: self.files.offers.iter().map(|offer| offer.archive.clone()).collect(),
            time_s: self.clock.time,
            end_s: self.clock.end,
            is_playing: self.clock.is_playing,
            tab: self.panels.tab.word(),
            findings: self.files.document().and_then(|document| document.known_findings()),
            rows: self.sheet.as_ref().map_or(0, Sheet::row_count),
            agree: self.comparing.compared.as_ref().map(|compared| compared.measured.is_within),
            busy: self.jobs().map(|job| job.what.clone()).collect(),
            fit: self.fit_status(),
            said: self.said.clone(),
            speeds: self.timing.speeds,
            controls: std::mem::take(&mut self.controls.0),
        }
    }

    /// Choices about figures, and their results.
    fn fit_status(&self) -> FitStatus {
        let (steps, step) = self.history.list();
        let row = |row: &BoneRow| {
            let [motion, figure] = row
                .cells
                .clone()
                .map(|cell| [cell.node.unwrap_or_default(), cell.certainty.word().to_owned()]);
            (row.bone.word(), [motion, figure])
        };
        FitStatus {
            command: self.command(),
            steps: steps.map(str::to_owned).collect(),
            step,
            bones: self.bones.table.rows.iter().map(row).collect(),
            stands: self.fitting.stands.len(),
            off: self.fitting.off.clone(),
            exchanged: self.bones.exchanged.clone(),
            worst_s: self.fitting.worst.as_ref().map(|(_, time)| *time),
            cost: self.fitting.cost,
            memory: platform::memory(),
            changes: self.files.document().map_or(0, |document| document.changes().len()),
        }
    }
}
