//! Error of edits in model space, by the comparer that judges conversions.
//!
//! A draft keeps the exact scene and the times at which each clip shows it. An operation on times alone changes these times. Before an
//! operation on the motion itself the draft is measured, and its scene becomes the exact scene. An exact draft is not measured.

use crate::convert::TOLERANCE_EXCEEDED;
use crate::error::Error;
use dopesheet_core::diag::{ErrorUnit, Fault, Loss, MaxError, POINTS, Place, Report};
use dopesheet_core::model::{Hierarchy, Property, Scene, rebase};
use dopesheet_core::words::{counted, length, time};
use dopesheet_edit::{Operation, Shown};
use dopesheet_motion::compare::{ChannelDifference, Course, compare_along};
use dopesheet_motion::conform::{has_rays, in_units, place_rays};
use dopesheet_motion::{Animation, Comparison, Tolerance, compare};
use std::borrow::Cow;
use std::sync::Arc;

/// Largest error in metres that counts as rounding.
const NEGLIGIBLE_M: f64 = 1e-6;

/// Largest error of other units that counts as rounding.
const NEGLIGIBLE: f64 = 2e-6;

/// Errors of a draft so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    /// The exact scene; `None` for the draft's scene itself.
    exact: Option<Exact>,
    /// Words about approximations.
    words: Vec<String>,
    /// Largest measured error of each unit.
    largest: Vec<MaxError>,
    /// Largest difference of places and that of angles, of joints judged alone.
    alone: Vec<MaxError>,
    samples: usize,
    /// The largest share of a limit above 1, and words about its channel.
    beyond: Option<(f64, Fault)>,
    /// Words about the reason for the error.
    cause: Option<String>,
    /// The tolerance of the caller.
    pub(super) asked: Option<Tolerance>,
    /// The largest tolerance of an operation.
    given: Option<Tolerance>,
    /// True after an operation that samples all curves anew.
    samples_all: bool,
    /// Origin of the parents of nodes.
    hierarchy: Hierarchy,
}

/// The exact scene.
#[derive(Clone, Debug)]
struct Exact {
    scene: Arc<Scene>,
    /// Course of each clip; `None` for unchanged times.
    courses: Vec<Option<Course>>,
}

impl Exact {
    fn of(scene: Arc<Scene>) -> Self {
        Self { courses: vec![None; scene.clips.len()], scene }
    }

    /// Changes the course of a clip.
    fn move_to(&mut self, clip: usize, course: &Course) {
        if let Some(earlier_course) = self.courses.get_mut(clip) {
            let through = earlier_course.as_ref().map(|earlier| course.through(earlier));
            *earlier_course = Some(through.unwrap_or_else(|| course.clone()));
        }
    }
}

impl Measure {
    /// True of an exact draft.
    pub(super) const fn is_exact(&self) -> bool {
        self.exact.is_none()
    }

    /// True if an operation samples all curves anew.
    pub(super) const fn samples_all(&self) -> bool {
        self.samples_all
    }

    /// Takes note of tolerances.
    pub(super) fn ask(&mut self, tolerance: Option<Tolerance>, operation: &Operation) {
        self.asked = tolerance.or(self.asked);
        match operation {
            Operation::Resample(resample) => {
                self.samples_all = true;
                self.cause = Some(format!("a rate above {} comes nearer", resample.rate));
            }
            Operation::Reduce(reduce) => {
                let larger = self.given.filter(|given| given.length_m > reduce.tolerance.length_m);
                self.given = Some(larger.unwrap_or(reduce.tolerance));
            }
            _ => {}
        }
    }

    /// Takes note of an operation on clips of the scene `earlier`, with its reports.
    pub(super) fn meet(
        &mut self,
        operation: &Operation,
        earlier: &Arc<Scene>,
        now: &Scene,
        reports: Vec<(usize, Report)>,
        report: &mut Report,
    ) {
        let samples_anew = matches!(operation, Operation::Reduce(_) | Operation::Resample(_));
        let approximates = |clip_report: &Report| clip_report.losses.iter().any(is_approximated);
        let is_inexact = samples_anew || reports.iter().any(|(_, clip_report)| approximates(clip_report));
        if self.is_exact() && !is_inexact {
            reports.into_iter().for_each(|(_, clip_report)| report.extend(clip_report));
            return;
        }
        let shown = |at: usize| match (earlier.clips.get(at), now.clips.get(at)) {
            (Some(before), Some(after)) => operation.shown(before, after),
            _ => Shown::New,
        };
        for (at, mut clip_report) in reports {
            let shown = shown(at);
            if matches!(shown, Shown::Besides(_) | Shown::New) {
                self.settle(earlier);
            }
            if shown != Shown::New {
                let counts = |loss: &Loss| is_approximated(loss) || samples_anew;
                let words = clip_report.losses.iter().filter(|loss| counts(loss)).filter_map(words);
                self.words.extend(words);
                clip_report.losses.retain(|loss| !counts(loss));
            }
            report.extend(clip_report);
            match shown {
                Shown::Same => _ = self.exact(earlier),
                Shown::At(course) => self.exact(earlier).move_to(at, &course),
                Shown::Besides(course) if is_inexact => {
                    let mut exact = Exact::of(Arc::clone(earlier));
                    exact.move_to(at, &course);
                    self.measure(&exact, now, at);
                }
                Shown::Besides(_) | Shown::New => {}
            }
        }
    }

    /// The exact scene; a given scene for an exact draft.
    fn exact(&mut self, scene: &Arc<Scene>) -> &mut Exact {
        self.exact.get_or_insert_with(|| Exact::of(Arc::clone(scene)))
    }

    /// Takes note of a scene brought within a format, on frames or not, with words about the changes; `asked` is the scene before of an
    /// exact draft.
    pub(super) fn fitted(
        &mut self,
        asked: Option<Scene>,
        on_frames: bool,
        words: impl Iterator<Item = String>,
    ) {
        self.cause = self.cause.take().or_else(|| on_frames.then(|| "keys stand on whole frames".to_owned()));
        self.exact = self.exact.take().or_else(|| asked.map(|asked| Exact::of(Arc::new(asked))));
        self.words.extend(words);
    }

    /// Measures a scene, which is the exact scene from now on.
    pub(super) fn settle(&mut self, now: &Scene) {
        if let Some(exact) = self.exact.take() {
            (0..now.clips.len()).for_each(|clip| self.measure(&exact, now, clip));
        }
    }
}

impl Measure {
    /// Measures a clip against the exact scene.
    fn measure(&mut self, exact: &Exact, now: &Scene, clip: usize) {
        let scenes = comparable(&exact.scene, now);
        let [scene, now] = scenes.each_ref().map(|scene| &**scene);
        let (Some(source), Some(edited)) = (scene.clips.get(clip), now.clips.get(clip)) else { return };
        let course = exact.courses.get(clip).and_then(Option::as_ref);
        if course.is_none() && source == edited {
            return;
        }
        let (a, b) = (Animation { scene, clip: source }, Animation { scene: now, clip: edited });
        let limit = in_units(now, &self.tolerance());
        let comparison = match course {
            Some(course) => compare_along(a, course, b, &limit),
            None => compare(a, b, &limit),
        };
        self.samples = self.samples.max(comparison.samples);
        let metres = now.basis.metres_per_unit.unwrap_or(1.0);
        let largest = largest(differences(&comparison), metres);
        let beyond = differences(&comparison).max_by(|a, b| a.1.share().total_cmp(&b.1.share()));
        if let Some((target, difference)) = beyond.filter(|(_, difference)| difference.share() > 1.0)
            && self.beyond.as_ref().is_none_or(|(share, _)| *share < difference.share())
        {
            let has_hierarchy = now.hierarchy == Hierarchy::Known;
            let shell_m = Some(self.tolerance().shell_m(has_hierarchy));
            let asked = Tolerance { shell_m, ..self.tolerance() };
            let mut fault = beyond_limit(target, difference, metres, asked);
            if let Some(cause) = &self.cause {
                fault.found = format!("{}; {cause}", fault.found).into();
            }
            self.beyond = Some((difference.share(), fault));
        }
        add_up(&mut self.largest, largest);
        if now.hierarchy != Hierarchy::Known {
            add_up(&mut self.alone, self::largest(of_joints(&comparison), metres));
        }
        self.hierarchy = now.hierarchy;
    }

    /// The tolerance of the result.
    fn tolerance(&self) -> Tolerance {
        self.asked.or(self.given).unwrap_or_default()
    }

    /// States the errors, and the largest error beyond the tolerance.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for an error beyond the caller's tolerance.
    pub(super) fn state(&mut self, now: &Scene, report: &mut Report) -> Result<(), Error> {
        self.settle(now);
        let mut words = Vec::new();
        std::mem::take(&mut self.words).into_iter().for_each(|word| {
            if !words.contains(&word) {
                words.push(word)
            }
        });
        let words = words.join("; ");
        let has_hierarchy = self.hierarchy == Hierarchy::Known;
        let shell = length(self.tolerance().shell_m(has_hierarchy));
        let [in_model, alone] = POINTS;
        let space = if has_hierarchy { in_model } else { alone };
        let points =
            format!("{space}, up to {shell} from any joint, measured at {}", counted(self.samples, "time"));
        self.largest.retain(is_told);
        if self.largest.is_empty() && !words.is_empty() {
            report.kept(words);
            return Ok(());
        }
        for error in std::mem::take(&mut self.largest) {
            let what = match error.unit {
                ErrorUnit::Metre => format!("{points}; {words}"),
                _ => words.clone(),
            };
            report.approximated(what, error);
        }
        for error in std::mem::take(&mut self.alone).into_iter().filter(is_told) {
            let what =
                if error.unit == ErrorUnit::Metre { "positions of joints" } else { "rotations of joints" };
            report.approximated(what, error);
        }
        match (self.beyond.take(), self.asked) {
            (Some((_, fault)), Some(_)) => {
                let what = format!("expected {}, found {}", fault.expected, fault.found);
                Err(Error::Forbidden { code: TOLERANCE_EXCEEDED, what })
            }
            (Some((_, fault)), None) => {
                report.warn(fault);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }
}

/// Two scenes in the axes of the second scene; rays are poses if one scene has poses for them.
fn comparable<'a>(exact: &'a Scene, now: &'a Scene) -> [Cow<'a, Scene>; 2] {
    let mut scenes = [Cow::Borrowed(exact), Cow::Borrowed(now)];
    if exact.basis != now.basis {
        rebase(scenes[0].to_mut(), &now.basis, None);
    }
    if has_rays(exact) != has_rays(now) {
        scenes.iter_mut().for_each(|scene| place_rays(scene.to_mut()));
    }
    scenes
}

/// Differences with a limit, of tracks and of the farthest joint.
fn differences(comparison: &Comparison) -> impl Iterator<Item = (&str, &ChannelDifference)> {
    let of_tracks = comparison
        .tracks
        .iter()
        .flat_map(|track| track.channels.iter().map(|difference| (track.target.as_str(), difference)));
    let farthest = comparison.farthest.iter().map(|joint| (joint.target.as_str(), &joint.difference));
    of_tracks.chain(farthest).filter(|(_, difference)| difference.limit.is_some())
}

/// Differences of the positions and rotations of joints beside their parents.
fn of_joints(comparison: &Comparison) -> impl Iterator<Item = (&str, &ChannelDifference)> {
    let is_of_joints = |difference: &&ChannelDifference| {
        [Property::Translation, Property::Rotation]
            .iter()
            .any(|property| property.word() == difference.channel)
    };
    comparison.tracks.iter().flat_map(move |track| {
        let differences = track.channels.iter().filter(is_of_joints);
        differences.map(|difference| (track.target.as_str(), difference))
    })
}

/// The largest difference of each unit.
fn largest<'a>(
    differences: impl Iterator<Item = (&'a str, &'a ChannelDifference)>,
    metres: f64,
) -> Vec<MaxError> {
    let mut largest: Vec<MaxError> = Vec::new();
    for (target, difference) in differences {
        let value = in_unit(difference.value, difference.unit, metres);
        match largest.iter_mut().find(|listed| listed.unit == difference.unit) {
            Some(listed) if listed.value >= value => {}
            Some(listed) => *listed = error(target, value, difference),
            None => largest.push(error(target, value, difference)),
        }
    }
    largest
}

/// Adds errors to those measured before, on top of which they come.
fn add_up(totals: &mut Vec<MaxError>, errors: Vec<MaxError>) {
    for error in errors {
        match totals.iter_mut().find(|total| total.unit == error.unit) {
            Some(total) => *total = MaxError { value: total.value + error.value, ..error },
            None => totals.push(error),
        }
    }
}

/// True of an error above the rounding of values and times to single precision.
fn is_told(error: &MaxError) -> bool {
    error.value > if error.unit == ErrorUnit::Metre { NEGLIGIBLE_M } else { NEGLIGIBLE }
}

fn in_unit(value: f64, unit: ErrorUnit, metres: f64) -> f64 {
    if unit == ErrorUnit::Metre { value * metres } else { value }
}

fn error(target: &str, value: f64, difference: &ChannelDifference) -> MaxError {
    MaxError { value, unit: difference.unit, target: target.to_owned(), time: difference.time }
}

/// The fault of a difference beyond its limit.
fn beyond_limit(target: &str, difference: &ChannelDifference, metres: f64, asked: Tolerance) -> Fault {
    let in_words = |value: f64| difference.unit.in_words(in_unit(value, difference.unit, metres));
    let limit = difference.limit.unwrap_or_default();
    let expected = format!("{} at most {} off (tolerance {asked})", difference.channel, in_words(limit));
    let error = format!("{} ({target} at {})", in_words(difference.value), time(difference.time));
    Fault::new(TOLERANCE_EXCEEDED, Place::File, expected, error)
}

const fn is_approximated(loss: &Loss) -> bool {
    matches!(loss, Loss::Approximated { .. } | Loss::Bounded { .. } | Loss::Unsampled { .. })
}

/// Words about a change, without the size of its error.
pub(super) fn words(loss: &Loss) -> Option<String> {
    match loss {
        Loss::Kept { what }
        | Loss::Approximated { what, .. }
        | Loss::Bounded { what, .. }
        | Loss::Unsampled { what, .. } => {
            let is_of_points = POINTS.iter().any(|start| what.starts_with(start));
            (!is_of_points).then(|| what.clone())
        }
        Loss::Dropped { .. } | Loss::KeptAsData { .. } => None,
    }
}
