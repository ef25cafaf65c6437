//! All that the viewer knows, and what happens from frame to frame.

use crate::bench::Bench;
use crate::clock::Clock;
use crate::compare::Compared;
use crate::inbox::Inbox;
use crate::jobs::Job;
use crate::platform;
use crate::sheet::Sheet;
use crate::state::State;
use crate::status::{Speeds, Status};
use crate::ui::{Controls, Tab, theme};
use crate::view::camera::Orbit;
use crate::view::{Cast, Options, gpu};
use crate::work::Tone;
use dopesheet::draw::Theme;
use eframe::egui::{Context, Ui};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much of a measured time comes from the last frame.
const FRESH: f64 = 0.1;
/// After how many frames all that is shown of a file is there.
const SETTLED: u8 = 8;
/// Longest time that passes between two frames, in seconds: after a pause a clip goes on where it was.
const LONGEST: f64 = 0.1;

/// The viewer.
pub(crate) struct App {
    pub(crate) bench: Bench,
    pub(crate) clock: Clock,
    /// None until something is seen.
    pub(crate) orbit: Option<Orbit>,
    /// The camera of the scene through which it is seen, if not through `orbit`.
    pub(crate) camera: Option<usize>,
    /// What is shown, and what it is compared with.
    pub(crate) casts: Vec<Cast>,
    pub(crate) options: Options,
    pub(crate) tab: Tab,
    pub(crate) side: Tab,
    pub(crate) shows_side: bool,
    pub(crate) inbox: Inbox,
    pub(crate) controls: Controls,
    pub(crate) speeds: Speeds,
    /// What was said last to somebody who asked for something.
    pub(crate) said: String,
    pub(crate) theme: Theme,
    /// The dope sheet of what is shown, once somebody has looked at it.
    pub(crate) sheet: Option<Sheet>,
    /// The comparison of what is shown, once somebody has looked at it.
    pub(crate) compared: Option<Compared>,
    /// The format that is converted to.
    pub(crate) target: usize,
    /// Which of its variants, and what else is asked: words of settings and what each is given.
    pub(crate) variant: usize,
    pub(crate) asked: BTreeMap<&'static str, String>,
    /// What is being written, and what the last of that said.
    pub(crate) writing: Option<Job>,
    pub(crate) report: Vec<(Tone, String)>,
    /// What is being measured.
    pub(crate) measuring: Option<Job>,
    /// How large the scene is drawn, in pixels.
    pub(crate) scene_px: [u32; 2],
    /// Where the middle of what is followed was.
    pub(crate) followed: Option<glam::Vec3>,
    last_frame_ms: Option<f64>,
    /// When bytes came whose pose was not seen yet.
    arrived_ms: Option<f64>,
    /// How many frames what is shown now was seen in.
    seen_frames: u8,
    /// Whether letters of Japanese were asked for.
    pub(crate) has_japanese: bool,
    /// Whether everything that draws was tried once.
    pub(crate) is_warm: bool,
    /// What the address says is to be shown, until there is something to show.
    wanted: Option<State>,
    kept: String,
}

impl App {
    pub(crate) fn new(context: &eframe::CreationContext<'_>, inbox: Inbox) -> Self {
        theme::set(&context.egui_ctx);
        Self {
            bench: Bench::default(),
            clock: Clock::of(&dopesheet::core::model::Clip::default()),
            orbit: None,
            camera: None,
            casts: Vec::new(),
            options: Options::default(),
            tab: Tab::Sheet,
            side: Tab::Facts,
            shows_side: true,
            inbox,
            controls: Controls::default(),
            speeds: Speeds::default(),
            said: String::new(),
            theme: Theme::DARK,
            sheet: None,
            compared: None,
            target: 0,
            variant: 0,
            asked: BTreeMap::new(),
            writing: None,
            report: Vec::new(),
            measuring: None,
            scene_px: [640, 480],
            followed: None,
            last_frame_ms: None,
            arrived_ms: None,
            seen_frames: 0,
            has_japanese: false,
            is_warm: false,
            wanted: Some(State::parse(&platform::remembered())),
            kept: String::new(),
        }
    }

    /// Opens what has come.
    fn receive(&mut self, context: &Context) {
        let dropped = context.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        if !dropped.is_empty() {
            platform::take(dropped, &self.inbox, context);
        }
        for delivery in self.inbox.take() {
            self.arrived_ms = Some(platform::now_ms());
            let before = self.bench.documents.len();
            self.bench.open(delivery);
            if self.bench.documents.len() > before {
                self.staged();
                if self.bench.other.is_some() {
                    self.side = Tab::Compare;
                }
                if let Some(state) = self.wanted.take() {
                    self.resume(&state);
                }
            }
        }
    }

    /// Shows what an address said.
    fn resume(&mut self, state: &State) {
        if let Some(tab) = state.tab {
            self.tab = tab;
            if Tab::BESIDE.contains(&tab) {
                self.side = tab;
            }
        }
        if let Some(other) = state.other {
            self.bench.compare(Some(other));
            self.staged();
        }
        if let Some(time) = state.time {
            self.clock.seek(time);
        }
    }

    /// Keeps what is shown in the address, while nothing moves.
    fn keep_state(&mut self) {
        if self.clock.is_playing || self.bench.documents.is_empty() {
            return;
        }
        let state = State { time: Some(self.clock.time), tab: Some(self.tab), other: self.bench.other };
        let text = state.to_string();
        if text != self.kept {
            platform::remember(&text);
            self.kept = text;
        }
    }

    /// Takes over what the bench shows now: from its start, seen as a whole.
    pub(crate) fn staged(&mut self) {
        self.restaged();
        self.seen_frames = 0;
        self.orbit = None;
        self.camera = None;
        if let Some(cast) = self.casts.first() {
            self.clock = Clock { in_frames: self.clock.in_frames, ..Clock::of(cast.stage.clip()) };
        }
        if let Some(other) = self.casts.get(1) {
            self.clock = self.clock.until(other.stage.clip());
        }
    }

    /// Takes over what the bench shows now, without a change of time and view.
    pub(crate) fn restaged(&mut self) {
        let shown = [&self.bench.shown, &self.bench.other_shown];
        let casts = shown.into_iter().flatten().map(|shown| Cast::new(Arc::clone(&shown.stage), self.theme));
        self.casts = casts.collect();
        self.followed = None;
    }

    /// Lets time pass, and brings everything to where it is then.
    fn advance(&mut self, context: &Context) {
        let now = platform::now_ms();
        let passed = self.last_frame_ms.map_or(0.0, |last| ((now - last) / 1e3).clamp(0.0, LONGEST));
        self.last_frame_ms = Some(now);
        self.clock.pass(passed);
        for cast in &mut self.casts {
            cast.go_to(self.clock.time);
        }
        if self.options.follow {
            self.follow();
        } else {
            self.followed = None;
        }
        if self.clock.is_playing {
            context.request_repaint();
        }
        smooth(&mut self.speeds.pose_ms, platform::now_ms() - now);
    }

    fn follow(&mut self) {
        let middle = self.casts.first().and_then(Cast::middle);
        if let (Some(orbit), Some(before), Some(now)) = (&mut self.orbit, self.followed, middle) {
            orbit.target += now - before;
        }
        self.followed = middle;
    }

    fn measure(&mut self, frame: &eframe::Frame) {
        if let Some(seconds) = frame.info().cpu_usage {
            smooth(&mut self.speeds.frame_ms, f64::from(seconds) * 1e3);
        }
        self.speeds.first_frame_ms.get_or_insert_with(platform::now_ms);
        // Nothing is painted before all of the frame is known; so this is about the frame before.
        if let (Some(arrived), Some(painted)) = (self.arrived_ms, gpu::painted_ms())
            && painted > arrived
        {
            self.arrived_ms = None;
            self.speeds.to_pose_ms = Some(painted - arrived);
        }
    }

    /// Whether it is time for what stands around the scene: the pose is seen first, and then one part after the other.
    pub(crate) fn is_time_for(&self, tab: Tab) -> bool {
        self.seen_frames > if Tab::BELOW.contains(&tab) { 0 } else { 1 }
    }

    /// Counts a frame. Those follow in which there is more to see; what frames take is looked at once all is there.
    fn count(&mut self, context: &Context) {
        if self.seen_frames < SETTLED {
            self.seen_frames += 1;
            (self.speeds.frame_ms, self.speeds.pose_ms, self.speeds.sheet_ms) = (0.0, 0.0, 0.0);
            context.request_repaint();
        }
    }

    /// How it is, for whoever asks.
    fn status(&mut self) -> Status {
        let names = |document: &Arc<crate::document::Document>| document.name().to_owned();
        Status {
            files: self.bench.documents.iter().map(names).collect(),
            active: self.bench.document().map(names),
            compared_with: self.bench.other_document().map(names),
            failures: self.bench.failures.iter().map(|f| [f.name.clone(), f.why.clone()]).collect(),
            time_s: self.clock.time,
            end_s: self.clock.end,
            is_playing: self.clock.is_playing,
            tab: self.tab.word(),
            findings: self.bench.document().and_then(|document| document.known_findings()),
            rows: self.sheet.as_ref().map_or(0, Sheet::row_count),
            agree: self.compared.as_ref().map(|compared| compared.measured.is_within),
            busy: [&self.writing, &self.measuring]
                .into_iter()
                .flatten()
                .map(|job| job.what.clone())
                .collect(),
            said: self.said.clone(),
            speeds: self.speeds,
            controls: std::mem::take(&mut self.controls.0),
        }
    }
}

/// Mixes a measurement into those before it.
pub(crate) fn smooth(mean: &mut f64, new: f64) {
    *mean = if *mean == 0.0 { new } else { *mean + (new - *mean) * FRESH };
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let theme = theme::of(&context);
        if theme != self.theme {
            self.theme = theme;
            self.restaged();
        }
        self.receive(&context);
        self.collect(&context);
        self.load_fonts(&context);
        self.advance(&context);
        self.draw(ui);
        self.measure(frame);
        self.count(&context);
        self.keep_state();
        platform::publish(self.status());
    }

    fn clear_color(&self, _: &eframe::egui::Visuals) -> [f32; 4] {
        self.theme.background.map(|x| f32::from(x) / 255.0)
    }
}
