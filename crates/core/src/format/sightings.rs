//! First occurrence of a fault, and the number of occurrences.

use super::Check;
use crate::diag::{Fault, Report};

/// Collects the occurrences of a fault, so that a recurring fault is a single finding: the first place, and
/// the number of places.
#[derive(Clone, Debug)]
pub struct Sightings {
    check: Check,
    first: Option<Fault>,
    count: usize,
}

impl Sightings {
    /// No occurrences so far.
    #[must_use]
    pub const fn of(check: Check) -> Self {
        Self { check, first: None, count: 0 }
    }

    /// Adds an occurrence; the fault's code becomes the code of this check.
    pub fn add(&mut self, fault: impl FnOnce() -> Fault) {
        self.count = self.count.saturating_add(1);
        if self.first.is_none() {
            self.first = Some(fault());
        }
    }

    /// Reports the first place and the count; nothing without occurrences.
    pub fn report(self, report: &mut Report) {
        let Some(mut fault) = self.first else { return };
        fault.code = self.check.code;
        if self.count > 1 {
            fault.found = format!("{}; {} such places in all", fault.found, self.count).into();
        }
        report.push(self.check.severity, fault);
    }
}

/// Occurrences of several faults, for a single walk over a document that looks for all of them.
#[derive(Clone, Debug, Default)]
pub struct SightingsByCode(Vec<Sightings>);

impl SightingsByCode {
    /// Adds an occurrence of a fault; its code becomes the code of the check.
    pub fn add(&mut self, check: Check, fault: impl FnOnce() -> Fault) {
        match self.0.iter_mut().rev().find(|seen| seen.check.code == check.code) {
            Some(seen) => seen.add(fault),
            None => {
                let mut seen = Sightings::of(check);
                seen.add(fault);
                self.0.push(seen);
            }
        }
    }

    /// Reports the first place and the count of each, in the order of their first occurrences.
    pub fn report(self, report: &mut Report) {
        self.0.into_iter().for_each(|seen| seen.report(report));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Place, Severity};

    #[test]
    fn the_first_place_stands_for_all() {
        let check = Check { code: "odd", severity: Severity::Warning, about: "Something is odd." };
        let mut report = Report::default();
        Sightings::of(check).report(&mut report);
        assert!(report.findings.is_empty());
        let mut seen = Sightings::of(check);
        for n in 3..6 {
            seen.add(|| Fault::new("", Place::File, "an even number", n.to_string()));
        }
        seen.report(&mut report);
        let finding = report.findings[0].to_string();
        assert_eq!(finding, "warning odd: file: expected an even number, found 3; 3 such places in all");
    }
    #[test]
    fn each_code_is_one_finding_in_the_order_of_its_first_place() {
        let check = |code| Check { code, severity: Severity::Info, about: "Something." };
        let mut seen = SightingsByCode::default();
        for code in ["b", "a", "b"] {
            seen.add(check(code), || Fault::new("", Place::File, "none", "one"));
        }
        let mut report = Report::default();
        seen.report(&mut report);
        let findings: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
        let twice = "info b: file: expected none, found one; 2 such places in all";
        assert_eq!(findings, [twice, "info a: file: expected none, found one"]);
    }
}
