//! Cost of curves that are divided.

use crate::refused::Reason;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{Basis, Channel, Curve, Outside, Target};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::error_unit;
use dopesheet_motion::keys::cut::{Cut, cut_to};

/// Number of curves that were divided, and the largest error of each unit.
#[derive(Default)]
pub(crate) struct Divided(Vec<(ErrorUnit, usize, MaxError)>);

impl Divided {
    /// Takes note of a channel that was cut.
    pub(crate) fn meet(&mut self, cut: &Cut, target: &Target, basis: &Basis) {
        if cut.worst.value == 0.0 {
            return;
        }
        let (unit, factor) = error_unit(&cut.channel.property, basis.metres_per_unit);
        let target = target.label().to_owned();
        let error = MaxError { value: cut.worst.value * factor, unit, target, time: cut.worst.time };
        match self.0.iter_mut().find(|(known, ..)| *known == unit) {
            Some((_, count, known)) => {
                *count += 1;
                if known.value < error.value {
                    *known = error;
                }
            }
            None => self.0.push((unit, 1, error)),
        }
    }

    /// Reports all of them.
    pub(crate) fn tell(self, report: &mut Report) {
        self.tell_of(report, "where the clip is cut");
    }

    /// Reports all of them, with the place where they were divided.
    pub(crate) fn tell_of(self, report: &mut Report, place: &str) {
        let count: usize = self.0.iter().map(|(_, count, _)| count).sum();
        for (.., error) in self.0 {
            report.approximated(format!("{} divided {place}", counted(count, "curve")), error);
        }
    }
}

/// The part of a channel between two times, as a channel of its own whose keys stay at their times; from its first key on without a
/// start.
pub(crate) fn part(
    channel: &Channel,
    target: &Target,
    (start, end): (Option<Seconds>, Seconds),
    basis: &Basis,
    divided: &mut Divided,
) -> Result<Channel, Reason> {
    let (mut whole, rules) = without_repeats(channel, start, end);
    if let Some(cut) = cut_to(&whole, start, end) {
        divided.meet(&cut, target, basis);
        whole = cut.channel;
    } else if !channel.composition.curves().all(|curve| is_within(curve, start, end)) {
        return Err(Reason::Undividable { target: target.label().to_owned(), start, end });
    }
    for (curve, [before, after]) in whole.composition.curves_mut().into_iter().zip(rules) {
        if repeats(&before) {
            curve.before = before;
        }
        if repeats(&after) {
            curve.after = after;
        }
    }
    Ok(whole)
}

const fn repeats(rule: &Outside) -> bool {
    matches!(rule, Outside::Loop | Outside::PingPong)
}

/// A channel whose curves hold their ends where repeating them is not heard of between two times; and their rules.
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

/// True if a curve has nothing to leave out.
fn is_within(curve: &Curve, start: Option<Seconds>, end: Seconds) -> bool {
    let Some((first, last)) = curve.times.span() else { return true };
    let first = match &curve.before {
        Outside::Ramp { start, .. } => start.0.min(first.0),
        _ => first.0,
    };
    start.is_none_or(|start| start.0 <= first) && last.0 <= end.0
}
