//! Omissions and repairs on the way into the scene.

use crate::more::codes;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::words::counted;

#[derive(Debug, Default)]
pub(super) struct Repairs {
    /// Values are taken as they are stored, as far as they can be played.
    pub(super) as_stored: bool,
    /// Keys whose time is not finite.
    pub(super) timeless: usize,
    /// Keys with other numbers that are not finite.
    pub(super) nonfinite: usize,
    /// Quaternions of another length than 1.
    pub(super) long_quaternions: usize,
    /// Tracks whose keys were not sorted.
    pub(super) unsorted: usize,
}

impl Repairs {
    pub(super) fn new(as_stored: bool) -> Self {
        Self { as_stored, ..Self::default() }
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.timeless > 0 {
            report.dropped(
                format!("{} without a finite time", counted(self.timeless, "key")),
                "they cannot be played",
            );
        }
        if self.nonfinite > 0 {
            let what = format!("{} with numbers that are not finite", counted(self.nonfinite, "key"));
            report.dropped(what, "they would affect the whole track");
        }
        let mut mended =
            |check: dopesheet_core::format::Check, count: usize, expected: &'static str, actual: &str| {
                if count > 0 {
                    let fault = Fault::new(check.code, Place::File, expected, format!("{count} {actual}"));
                    report.push(check.severity, fault);
                }
            };
        let actual = "of another length; normalised";
        mended(codes::QUAT_NOT_UNIT, self.long_quaternions, "quaternions of length 1", actual);
        mended(
            codes::KEYS_UNSORTED,
            self.unsorted,
            "tracks whose keys are in the order of their times",
            "unsorted; sorted",
        );
    }
}
