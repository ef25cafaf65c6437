//! Losses of a scene on its way into the file.

use super::plan::Plan;
use dopesheet_core::diag::Report;
use dopesheet_core::words::counted;

/// Why something is left out.
pub(super) const NO_PLACE: &str = "the format has no place for them";

/// Counts of parts without a place in the file, by kind.
#[derive(Default)]
pub(super) struct Losses {
    /// Subject, reason and number of losses.
    counts: Vec<(String, &'static str, usize)>,
    /// Targets that were written, or left out only because they stay at rest.
    pub(super) held: usize,
    at_rest: usize,
    pub(super) bent_jumps: usize,
    straightened: usize,
}

impl Losses {
    /// Counts a lost part; `what` is the singular of its kind.
    pub(super) fn add(&mut self, what: impl Into<String>, why: &'static str) {
        let what = what.into();
        match self.counts.iter_mut().find(|(w, y, _)| *w == what && *y == why) {
            Some((_, _, count)) => *count += 1,
            None => self.counts.push((what, why, 1)),
        }
    }

    /// Counts a channel without a place in the file.
    pub(super) fn without_place(&mut self, property: &str, kind: &str) {
        self.add(format!("{kind} {property} channel"), NO_PLACE);
    }

    /// Notes the losses of a target. `false` if the target need not be written.
    pub(super) fn plan(&mut self, plan: &Plan, keep_constant: bool) -> bool {
        self.held += 1;
        if plan.is_at_rest && !keep_constant {
            self.at_rest += 1;
            return false;
        }
        self.bent_jumps += plan.bent_jumps;
        self.straightened += plan.straightened;
        true
    }

    pub(super) fn report(&self, report: &mut Report) {
        for (what, why, count) in &self.counts {
            report.dropped(counted(*count, what), *why);
        }
        if self.at_rest > 0 {
            report.dropped(
                format!("keys of {} at rest", counted(self.at_rest, "target")),
                "nothing moves there without keys, either",
            );
        }
        if self.bent_jumps > 0 {
            let what = format!("the old side of {}", counted(self.bent_jumps, "jump"));
            report.dropped(what, "there is a key one frame earlier already");
        }
        if self.straightened > 0 {
            let what = format!("the shape of {}", counted(self.straightened, "segment"));
            let why = "straight lines are written for them: other laws are unknown, and keys of a target are shared";
            report.dropped(what, why);
        }
    }
}
