//! Where a fault was seen first, and how often.

use super::Check;
use crate::diag::{Fault, Report};

/// Collects the places of one fault, so that a fault that recurs is one finding: its first place, and how many there
/// are.
#[derive(Clone, Debug)]
pub struct Sightings {
    check: Check,
    first: Option<Fault>,
    count: usize,
}

impl Sightings {
    /// None so far.
    #[must_use]
    pub const fn of(check: Check) -> Self {
        Self { check, first: None, count: 0 }
    }

    /// One more place; the fault's code becomes that of these sightings.
    pub fn add(&mut self, fault: impl FnOnce() -> Fault) {
        self.count = self.count.saturating_add(1);
        if self.first.is_none() {
            self.first = Some(fault());
        }
    }

    /// Reports the first place and the count; nothing if there was none.
    pub fn report(self, report: &mut Report) {
        let Some(mut fault) = self.first else { return };
        fault.code = self.check.code;
        if self.count > 1 {
            fault.found = format!("{}; {} such places in all", fault.found, self.count).into();
        }
        report.push(self.check.severity, fault);
    }
}

/// Sightings of several faults, where one walk over a document looks for all of them.
#[derive(Clone, Debug, Default)]
pub struct SightingsByCode(Vec<Sightings>);

impl SightingsByCode {
    /// One more place of a fault; its code becomes that of the check.
    pub fn add(&mut self, check: Check, fault: impl FnOnce() -> Fault) {
        match self.0.iter_mut().find(|seen| seen.check.code == check.code) {
            Some(seen) => seen.add(fault),
            None => {
                let mut seen = Sightings::of(check);
                seen.add(fault);
                self.0.push(seen);
            }
        }
    }

    /// Reports the first place and the count of each, in the order in which they were met first.
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
        let found: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
        let twice = "info b: file: expected none, found one; 2 such places in all";
        assert_eq!(found, [twice, "info a: file: expected none, found one"]);
    }
}
