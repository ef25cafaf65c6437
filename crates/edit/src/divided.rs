//! Cost of dividing curves.

use crate::held::reach;
use crate::refused::Reason;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{Basis, Channel, Curve, Outside, Property, Target, ValueKind};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::keys::Allowance;
use dopesheet_motion::keys::cut::{Cut, baked, cut_or_baked, cut_to};
use dopesheet_motion::{Tolerance, error_unit};
use std::borrow::Cow;

/// Numbers of divided curves and of baked curves, and the largest error, for each unit.
pub(crate) struct Divided {
    metres_per_unit: Option<f64>,
    all: Vec<(ErrorUnit, [usize; 2], MaxError)>,
}

impl Divided {
    /// None so far, of curves in a basis.
    pub(crate) const fn of(basis: &Basis) -> Self {
        Self { metres_per_unit: basis.metres_per_unit, all: Vec::new() }
    }

    /// Records the cut of a channel.
    pub(crate) fn meet(&mut self, cut: &Cut, target: &Target) {
        if cut.largest.value == 0.0 {
            return;
        }
        let (unit, factor) = error_unit(&cut.channel.property, self.metres_per_unit);
        let target = target.label().to_owned();
        let error = MaxError { value: cut.largest.value * factor, unit, target, time: cut.largest.time };
        match self.all.iter_mut().find(|(listed_unit, ..)| *listed_unit == unit) {
            Some((_, counts, largest_error)) => {
                counts[usize::from(cut.is_baked)] += 1;
                if largest_error.value < error.value {
                    *largest_error = error;
                }
            }
            None if cut.is_baked => self.all.push((unit, [0, 1], error)),
            None => self.all.push((unit, [1, 0], error)),
        }
    }

    /// Error allowed to straight segments that replace an indivisible curve: the default tolerance, taken for
    /// the channel alone.
    fn allowance(&self, property: &Property) -> Allowance {
        let tolerance = Tolerance::DEFAULT;
        let value = match property {
            Property::Color => Tolerance::COLOUR,
            Property::YFov | Property::Direction => Tolerance::ANGLE_RAD,
            property if property.kind() == ValueKind::Position => {
                tolerance.length_m / self.metres_per_unit.unwrap_or(1.0)
            }
            _ => Tolerance::WEIGHT,
        };
        // Where no hierarchy is known, points are farther from joints.
        let angle_rad = tolerance.length_m / tolerance.shell_m(false);
        Allowance { value: BY_ITSELF * value, angle_rad: BY_ITSELF * angle_rad }
    }

    /// Reports all of them.
    pub(crate) fn tell(self, report: &mut Report) {
        self.tell_of(report, "where the clip is cut");
    }

    /// Reports all cuts, with words for the position of the division.
    pub(crate) fn tell_of(self, report: &mut Report, place: &str) {
        let divided: usize = self.all.iter().map(|(_, [divided, _], _)| divided).sum();
        let baked: usize = self.all.iter().map(|(_, [_, baked], _)| baked).sum();
        let divided = (divided > 0).then(|| format!("{} divided", counted(divided, "curve")));
        let baked = (baked > 0).then(|| {
            format!("{} made straight, which have no halves of their own kind,", counted(baked, "curve"))
        });
        let what = divided.into_iter().chain(baked).collect::<Vec<String>>().join(" and ");
        for (.., error) in self.all {
            report.approximated(format!("{what} {place}"), error);
        }
    }
}

/// Share of a tolerance that leaves room for rounding.
const BY_ITSELF: f64 = 0.9;

/// The part of a channel between two times, as a separate channel whose keys stay at their times; curves that
/// cannot be divided exactly in kind become straight.
pub(crate) fn part(
    channel: &Channel,
    target: &Target,
    range: (Option<Seconds>, Seconds),
    divided: &mut Divided,
) -> Result<Channel, Reason> {
    let allowance = divided.allowance(&channel.property);
    let cut = |channel: &Channel| cut_or_baked(channel, range.0, range.1, allowance);
    part_by(cut, channel, target, range, divided)
}

/// Makes a channel straight between two times if curves repeat within them, so that everything played has
/// keys.
pub(crate) fn unroll(
    channel: &mut Channel,
    target: &Target,
    start: Seconds,
    end: Seconds,
    divided: &mut Divided,
) {
    let is_heard = |curve: &Curve| {
        let Some((first, last)) = curve.times.span() else { return false };
        (repeats(&curve.before) && start.0 < first.0) || (repeats(&curve.after) && last.0 < end.0)
    };
    if channel.composition.curves().any(is_heard) {
        straighten(channel, target, Some(start), end, divided);
    }
}

/// A channel with keys for everything played between two times, if curves repeat within them.
pub(crate) fn once<'a>(
    channel: &'a Channel,
    target: &Target,
    range: (Seconds, Seconds),
    divided: &mut Divided,
) -> Cow<'a, Channel> {
    let mut channel = Cow::Borrowed(channel);
    if channel.composition.curves().any(has_cycle) {
        unroll(channel.to_mut(), target, range.0, range.1, divided);
    }
    channel
}

/// Makes a channel straight from a time, or its first key, to another time.
pub(crate) fn straighten(
    channel: &mut Channel,
    target: &Target,
    start: Option<Seconds>,
    end: Seconds,
    divided: &mut Divided,
) {
    if let Some(cut) = baked(channel, start, end, divided.allowance(&channel.property)) {
        divided.meet(&cut, target);
        *channel = cut.channel;
    }
}

/// As [`part`], in the place of the channel.
pub(crate) fn cut_off(
    channel: &mut Channel,
    target: &Target,
    range: (Option<Seconds>, Seconds),
    divided: &mut Divided,
) -> Result<(), Reason> {
    if is_all_within(channel, range.0, range.1) {
        return Ok(());
    }
    // Most channels need no copy.
    let cut = match channel.composition.curves().any(has_cycle) {
        true => None,
        false => cut_or_baked(channel, range.0, range.1, divided.allowance(&channel.property)),
    };
    *channel = match cut {
        Some(cut) => {
            divided.meet(&cut, target);
            cut.channel
        }
        None => part(channel, target, range, divided)?,
    };
    Ok(())
}

/// As [`part`], without straightening: curves that cannot be divided in kind are an error.
pub(crate) fn half(
    channel: &Channel,
    target: &Target,
    range: (Option<Seconds>, Seconds),
    divided: &mut Divided,
) -> Result<Channel, Reason> {
    part_by(|channel| cut_to(channel, range.0, range.1), channel, target, range, divided)
}

/// The error that a curve cannot be divided; `start` is `None` if the kept part starts with the curve.
fn undividable(target: &str, start: Option<Seconds>, end: Seconds) -> Reason {
    let start = start.map_or_else(String::new, |start| format!("{} s or ", start.0));
    Reason::new(format!(
        "expected curves that can be divided, found one of \"{target}\" that has no halves of its own kind at {start}{} s; choose the time \
         of a key, or give it straight keys first (resample)",
        end.0
    ))
}

/// The part of a channel between two times, as a separate channel whose keys stay at their times; from the
/// first key on without a start.
fn part_by(
    cut: impl FnOnce(&Channel) -> Option<Cut>,
    channel: &Channel,
    target: &Target,
    range: (Option<Seconds>, Seconds),
    divided: &mut Divided,
) -> Result<Channel, Reason> {
    let (start, end) = range;
    let (mut whole, rules) = without_repeats(channel, start, end);
    if let Some(cut) = cut(&whole) {
        divided.meet(&cut, target);
        if cut.is_baked {
            return Ok(cut.channel);
        }
        whole = cut.channel;
    } else if !is_all_within(channel, start, end) {
        return Err(undividable(target.label(), start, end));
    }
    for (curve, [before, after]) in whole.composition.curves_mut().into_iter().zip(rules) {
        // What is held at an end is no part of what repeats but by a key.
        if repeats(&before) {
            start.into_iter().for_each(|start| _ = reach(curve, start));
            curve.before = before;
        }
        if repeats(&after) {
            reach(curve, end);
            curve.after = after;
        }
    }
    Ok(whole)
}

/// True if a curve starts again before or behind its keys, so that its first and last keys bound a cycle.
pub(crate) const fn has_cycle(curve: &Curve) -> bool {
    repeats(&curve.before) || repeats(&curve.after)
}

const fn repeats(rule: &Outside) -> bool {
    matches!(rule, Outside::Loop | Outside::PingPong)
}

/// A channel whose curves hold their ends if repeats have no effect between two times, and the replaced
/// rules.
fn without_repeats(channel: &Channel, start: Option<Seconds>, end: Seconds) -> (Channel, Vec<[Outside; 2]>) {
    let mut held = channel.clone();
    let mut rules = Vec::new();
    for curve in held.composition.curves_mut() {
        rules.push([curve.before.clone(), curve.after.clone()]);
        let Some((first, last)) = curve.times.span() else { continue };
        if repeats(&curve.before) && start.is_none_or(|start| first.0 <= start.0) {
            curve.before = Outside::Hold;
        }
        if repeats(&curve.after) && last.0 >= end.0 {
            curve.after = Outside::Hold;
        }
    }
    (held, rules)
}

fn is_all_within(channel: &Channel, start: Option<Seconds>, end: Seconds) -> bool {
    channel.composition.curves().all(|curve| is_within(curve, start, end))
}

/// True if a curve has nothing to leave out.
fn is_within(curve: &Curve, start: Option<Seconds>, end: Seconds) -> bool {
    let Some((first, last)) = curve.times.span() else { return true };
    let first = match &curve.before {
        Outside::Ramp { start, .. } => start.0.min(first.0),
        _ => first.0,
    };
    start.is_none_or(|start| start.0 <= first) && last.0 <= end.0
}
