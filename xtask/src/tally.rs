//! How many of each: the closing line of every task that tests something.

use std::fmt;
use std::ops::AddAssign;

/// Counts of tests by their result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Held.
    pub(crate) passed: usize,
    /// Did not hold, or could not be tried although they had to be.
    pub(crate) failed: usize,
    /// Not tried, because something they need is not there.
    pub(crate) skipped: usize,
}

impl Tally {
    /// One test that held or did not.
    pub(crate) fn one(held: bool) -> Self {
        Self { passed: usize::from(held), failed: usize::from(!held), skipped: 0 }
    }

    /// `count` tests that need something which is not there. In CI, where everything has to be there, that is a
    /// failure.
    pub(crate) fn missing(count: usize, what: &str, how_to_get_it: &str) -> Self {
        let in_ci = in_ci();
        eprintln!("\n{}: {what} is not there; {how_to_get_it}", if in_ci { "FAILED" } else { "SKIPPED" });
        if in_ci {
            Self { failed: count, ..Self::default() }
        } else {
            Self { skipped: count, ..Self::default() }
        }
    }

    /// Prints the closing line. Whether nothing failed.
    pub(crate) fn close(self) -> bool {
        println!("\n{self}");
        self.failed == 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// Whether this run must not leave anything out.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").as_deref() == Ok("true")
}
