//! Counts of the parts of a figure left out of the scene.

use dopesheet_core::diag::Report;

/// Kinds of parts left out, each with the reason and the count.
#[derive(Default)]
pub(super) struct LeftOutParts(Vec<(String, &'static str, usize)>);

impl LeftOutParts {
    /// Counts one more part of a kind; `what` is the plural of the kind.
    pub(super) fn add(&mut self, what: &str, why: &'static str) {
        match self.0.iter_mut().find(|(lost, reason, _)| lost == what && *reason == why) {
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
