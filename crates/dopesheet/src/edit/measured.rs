//! Error of edits in model space, by the comparer that judges conversions.
//!
//! A draft keeps the scene that counts as exact, and the times at which each clip shows it. Operations that change only times change those;
//! those that change the motion by intent are measured before and make another scene the exact one. What stays exact is not measured.

use crate::convert::TOLERANCE_EXCEEDED;
use crate::error::Error;
use dopesheet_core::diag::{ErrorUnit, Fault, Loss, MaxError, POINTS, Place, Report};
use dopesheet_core::model::{Hierarchy, Scene, rebase};
use dopesheet_core::words::{counted, length, time};
use dopesheet_edit::{Operation, Shown};
use dopesheet_motion::compare::{ChannelDifference, Course, compare_along};
use dopesheet_motion::target::{has_rays, in_units, place_rays};
use dopesheet_motion::{Animation, Comparison, Tolerance, compare};
use std::borrow::Cow;
use std::sync::Arc;

/// Length up to which an error is none, in metres.
const NEGLIGIBLE_M: f64 = 1e-6;

/// Size up to which other errors are none.
const NEGLIGIBLE: f64 = 2e-6;

/// Errors of a draft so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    /// The scene that counts as exact, where that is not the draft's.
    exact: Option<Exact>,
    /// Words of what was approximated.
    words: Vec<String>,
    /// Largest error of each unit, over all that was measured.
    largest: Vec<MaxError>,
    samples: usize,
    /// Words about the channel that takes the largest share of its limit, where that is above 1.
    beyond: Option<(f64, Fault)>,
    /// Words about what keeps it from being nearer.
    cause: Option<String>,
    /// The tolerance that somebody asked for.
    pub(super) asked: Option<Tolerance>,
    /// The largest one that an operation was given.
    given: Option<Tolerance>,
    samples_all: bool,
    /// Origin of the parents of nodes.
    hierarchy: Hierarchy,
}

/// A scene that counts as exact.
#[derive(Clone, Debug)]
struct Exact {
    scene: Arc<Scene>,
    /// For each clip, the times at which it is shown; `None` where these are its own.
    courses: Vec<Option<Course>>,
}

impl Exact {
    fn of(scene: Arc<Scene>) -> Self {
        Self { courses: vec![None; scene.clips.len()], scene }
    }

    /// Has a clip shown at other times.
    fn move_to(&mut self, clip: usize, course: &Course) {
        if let Some(own) = self.courses.get_mut(clip) {
            *own = Some(own.as_ref().map_or_else(|| course.clone(), |earlier| course.through(earlier)));
        }
    }
}

impl Measure {
    /// True if the draft's scene counts as exact.
    pub(super) const fn is_exact(&self) -> bool {
        self.exact.is_none()
    }

    /// True if an operation samples all curves anew.
    pub(super) const fn samples_all(&self) -> bool {
        self.samples_all
    }

    /// Takes note of what is asked for.
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

    /// Takes note of an operation on clips of the scene that was `earlier`, with what it told of each.
    pub(super) fn meet(
        &mut self,
        operation: &Operation,
        (earlier, now): (&Arc<Scene>, &Scene),
        told: Vec<(usize, Report)>,
        report: &mut Report,
    ) {
        let samples_anew = matches!(operation, Operation::Reduce(_) | Operation::Resample(_));
        let is_inexact = samples_anew || told.iter().any(|(_, told)| told.losses.iter().any(is_approximated));
        if self.is_exact() && !is_inexact {
            told.into_iter().for_each(|(_, told)| report.extend(told));
            return;
        }
        let shown = |at: usize| match (earlier.clips.get(at), now.clips.get(at)) {
            (Some(before), Some(after)) => operation.shown(before, after),
            _ => Shown::New,
        };
        for (at, mut told) in told {
            let shown = shown(at);
            if matches!(shown, Shown::Besides(_) | Shown::New) {
                self.settle(earlier);
            }
            if shown != Shown::New {
                let counts = |loss: &Loss| is_approximated(loss) || samples_anew;
                let words = told.losses.iter().filter(|loss| counts(loss)).filter_map(words);
                self.words.extend(words);
                told.losses.retain(|loss| !counts(loss));
            }
            report.extend(told);
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

    /// The scene that counts as exact, which is one from now on if there was none.
    fn exact(&mut self, scene: &Arc<Scene>) -> &mut Exact {
        self.exact.get_or_insert_with(|| Exact::of(Arc::clone(scene)))
    }

    /// Takes note of what was brought within a format, on frames or not, with such words; `asked` is the scene before, where it counts as
    /// exact.
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

    /// Measures a scene, which counts as exact from now on.
    pub(super) fn settle(&mut self, now: &Scene) {
        if let Some(exact) = self.exact.take() {
            (0..now.clips.len()).for_each(|clip| self.measure(&exact, now, clip));
        }
    }
}

impl Measure {
    /// Takes note of how far a clip is from what it shows.
    fn measure(&mut self, exact: &Exact, now: &Scene, clip: usize) {
        let scenes = comparable(&exact.scene, now);
        let [scene, now] = scenes.each_ref().map(|scene| &**scene);
        let (Some(source), Some(made)) = (scene.clips.get(clip), now.clips.get(clip)) else { return };
        let course = exact.courses.get(clip).and_then(Option::as_ref);
        if course.is_none() && source == made {
            return;
        }
        let (a, b) = (Animation { scene, clip: source }, Animation { scene: now, clip: made });
        let limit = in_units(now, &self.tolerance());
        let found = match course {
            Some(course) => compare_along(a, course, b, &limit),
            None => compare(a, b, &limit),
        };
        self.samples = self.samples.max(found.samples);
        let metres = now.basis.metres_per_unit.unwrap_or(1.0);
        let mut largest: Vec<MaxError> = Vec::new();
        for (target, difference) in differences(&found) {
            let value = in_unit(difference.value, difference.unit, metres);
            match largest.iter_mut().find(|known| known.unit == difference.unit) {
                Some(known) if known.value >= value => {}
                Some(known) => *known = error(target, value, difference),
                None => largest.push(error(target, value, difference)),
            }
        }
        let beyond = differences(&found).max_by(|a, b| a.1.share().total_cmp(&b.1.share()));
        if let Some((target, most)) = beyond.filter(|(_, most)| most.share() > 1.0)
            && self.beyond.as_ref().is_none_or(|(share, _)| *share < most.share())
        {
            let known = now.hierarchy == Hierarchy::Known;
            let asked = Tolerance { shell_m: Some(self.tolerance().shell_m(known)), ..self.tolerance() };
            let mut fault = beyond_limit(target, most, (metres, asked));
            if let Some(cause) = &self.cause {
                fault.found = format!("{}; {cause}", fault.found).into();
            }
            self.beyond = Some((most.share(), fault));
        }
        // What was measured before comes on top.
        for error in largest {
            match self.largest.iter_mut().find(|known| known.unit == error.unit) {
                Some(known) => *known = MaxError { value: known.value + error.value, ..error },
                None => self.largest.push(error),
            }
        }
        self.hierarchy = now.hierarchy;
    }

    /// The tolerance within which the result has to be.
    fn tolerance(&self) -> Tolerance {
        self.asked.or(self.given).unwrap_or_default()
    }

    /// States the errors, and what is beyond the tolerance.
    ///
    /// # Errors
    /// [`Error::Forbidden`] if it was asked for and is not kept.
    pub(super) fn state(&mut self, now: &Scene, report: &mut Report) -> Result<(), Error> {
        self.settle(now);
        let mut words = Vec::new();
        std::mem::take(&mut self.words).into_iter().for_each(|word| {
            if !words.contains(&word) {
                words.push(word)
            }
        });
        let words = words.join("; ");
        let known = self.hierarchy == Hierarchy::Known;
        let shell = length(self.asked.or(self.given).unwrap_or_default().shell_m(known));
        let [in_model, alone] = POINTS;
        let whose = if known { in_model } else { alone };
        let points =
            format!("{whose}, up to {shell} from any joint, measured at {}", counted(self.samples, "time"));
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

/// Two scenes in the axes of the second one, and with rays as poses where the other one has those.
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

/// Differences that have a limit, and those of joints that nothing moves but what they hang on.
fn differences(found: &Comparison) -> impl Iterator<Item = (&str, &ChannelDifference)> {
    let of_tracks = found
        .tracks
        .iter()
        .flat_map(|track| track.channels.iter().map(|difference| (track.target.as_str(), difference)));
    let farthest = found.farthest.iter().map(|most| (most.target.as_str(), &most.difference));
    of_tracks.chain(farthest).filter(|(_, difference)| difference.limit.is_some())
}

/// True of an error that is more than what single precision makes of values and times.
fn is_told(error: &MaxError) -> bool {
    error.value > if error.unit == ErrorUnit::Metre { NEGLIGIBLE_M } else { NEGLIGIBLE }
}

fn in_unit(value: f64, unit: ErrorUnit, metres: f64) -> f64 {
    if unit == ErrorUnit::Metre { value * metres } else { value }
}

fn error(target: &str, value: f64, difference: &ChannelDifference) -> MaxError {
    MaxError { value, unit: difference.unit, target: target.to_owned(), time: difference.time }
}

/// The fault of a difference that is beyond its limit.
fn beyond_limit(target: &str, most: &ChannelDifference, (metres, asked): (f64, Tolerance)) -> Fault {
    let in_words = |value: f64| most.unit.in_words(in_unit(value, most.unit, metres));
    let limit = most.limit.unwrap_or_default();
    let expected = format!("{} at most {} off (tolerance {asked})", most.channel, in_words(limit));
    let found = format!("{} ({target} at {})", in_words(most.value), time(most.time));
    Fault::new(TOLERANCE_EXCEEDED, Place::File, expected, found)
}

const fn is_approximated(loss: &Loss) -> bool {
    matches!(loss, Loss::Approximated { .. } | Loss::Bounded { .. } | Loss::Unsampled { .. })
}

/// Words of what was done, without the size of what it costs.
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
