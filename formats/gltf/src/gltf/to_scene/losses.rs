//! Counts of the parts of a figure that were left out.

use dopesheet_core::diag::Report;

/// Kinds of things that were left out, why, and how many.
#[derive(Default)]
pub(super) struct Losses(Vec<(String, &'static str, usize)>);

impl Losses {
    /// One more thing of a kind; `what` is its plural.
    pub(super) fn add(&mut self, what: &str, why: &'static str) {
        match self.0.iter_mut().find(|(own, known, _)| own == what && *known == why) {
            Some((.., count)) => *count += 1,
            None => self.0.push((what.to_owned(), why, 1)),
        }
    }

    pub(super) fn report(self, report: &mut Report) {
        for (what, why, count) in self.0 {
            report.dropped(format!("{what} ({count})"), why);
        }
    }
}
