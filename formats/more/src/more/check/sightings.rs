//! Where each fault was seen first, and how often.

use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::Check;

/// Collects the places of faults; reports the first of each kind, and how many there are.
#[derive(Default)]
pub(super) struct Sightings(Vec<(Check, Fault, usize)>);

impl Sightings {
    /// One more place; the fault's code is filled in.
    pub(super) fn add(&mut self, check: Check, fault: impl FnOnce() -> Fault) {
        match self.0.iter_mut().find(|(known, ..)| known.code == check.code) {
            Some((.., count)) => *count += 1,
            None => self.0.push((check, Fault { code: check.code, ..fault() }, 1)),
        }
    }

    pub(super) fn report(self, report: &mut Report) {
        for (check, mut fault, count) in self.0 {
            if count > 1 {
                fault.found = format!("{}; {count} such places in all", fault.found).into();
            }
            report.push(check.severity, fault);
        }
    }
}

/// Numbers as they are listed in messages.
pub(super) fn listed<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    numbers.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}
