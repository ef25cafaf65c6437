//! Counts of tests by their result, and the time of each part: the closing lines of every task that tests something.

use crate::repo::Outcome;
use std::fmt;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

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

/// The parts of a task, in the order in which they were run.
#[derive(Default)]
pub(crate) struct Parts {
    rows: Vec<Row>,
}

/// A part of a task that was run.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    name: String,
    tally: Tally,
    wall: Duration,
    /// Of all programs that the part started, where the system tells.
    processor: Option<Duration>,
}

impl Row {
    /// A part that could not be run.
    pub(crate) fn failed(name: &str) -> Self {
        Self { name: name.to_owned(), tally: Tally::one(false), wall: Duration::ZERO, processor: None }
    }

    /// The row that a line of another process's table shows, if it is one.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, wall, processor, passed, "passed,", failed, "failed,", skipped, "skipped"] = words[..]
        else {
            return None;
        };
        let seconds = |word: &str| word.parse().ok().map(Duration::from_secs);
        let tally = Tally {
            passed: passed.parse().ok()?,
            failed: failed.parse().ok()?,
            skipped: skipped.parse().ok()?,
        };
        Some(Self { name: name.to_owned(), tally, wall: seconds(wall)?, processor: seconds(processor) })
    }

    /// True if it is that of a part.
    pub(crate) fn is_of(&self, part: &str) -> bool {
        self.name == part
    }

    /// True if nothing in it failed.
    pub(crate) const fn has_held(&self) -> bool {
        self.tally.failed == 0
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let processor = self.processor.map_or("?".to_owned(), |time| format!("{:.0}", time.as_secs_f64()));
        write!(f, "{:<24} {:>8.0} {processor:>12}   {}", self.name, self.wall.as_secs_f64(), self.tally)
    }
}

impl Parts {
    /// Adds a part that ran elsewhere.
    pub(crate) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Runs a part and counts it. One that could not be finished says why and has failed; the others go on.
    pub(crate) fn run(&mut self, name: &str, part: impl FnOnce() -> Outcome<Tally>) {
        let (start, before) = (Instant::now(), processor_time());
        let tally = part().unwrap_or_else(|error| {
            eprintln!("error: {name}: {error}");
            Tally::one(false)
        });
        let processor = before.zip(processor_time()).map(|(before, after)| after.saturating_sub(before));
        self.rows.push(Row { name: name.to_owned(), tally, wall: start.elapsed(), processor });
    }

    /// Prints a line for each part, and the closing line. Whether nothing failed.
    pub(crate) fn close(&self) -> bool {
        let mut all = Tally::default();
        println!("\n{:<24} {:>8} {:>12}", "part", "seconds", "of processor");
        for row in &self.rows {
            println!("{row}");
            all += row.tally;
        }
        println!("\n{all}");
        all.failed == 0
    }
}

/// Processor time of all programs that this one has started and that have ended, theirs included; Linux alone tells it in a file.
fn processor_time() -> Option<Duration> {
    children_ticks(&std::fs::read_to_string("/proc/self/stat").ok()?)
        .map(|ticks| Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
}

/// `USER_HZ`, which is the same on all machines: proc(5) counts in it, whatever the kernel counts in.
const TICKS_PER_SECOND: u64 = 100;

/// The fields `cutime` and `cstime`, the 16th and 17th of proc(5). The 2nd is the program's name in brackets and may hold anything.
fn children_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<u64> = fields.split_whitespace().skip(13).take(2).map_while(|n| n.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum())
}

/// True if this run must not leave anything out.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").as_deref() == Ok("true")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_read_behind_any_name() {
        let stat = "12 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 150 50 20 0 1 0 100";
        assert_eq!(children_ticks(stat), Some(200));
        assert_eq!(children_ticks("12 (a) S 1 2"), None);
    }

    #[test]
    fn a_row_of_another_process_is_read_as_it_was_printed() {
        let tally = Tally { passed: 31, failed: 1, skipped: 2 };
        let seconds = Duration::from_secs;
        let mut row =
            Row { name: "big-endian".into(), tally, wall: seconds(247), processor: Some(seconds(251)) };
        assert_eq!(Row::parse(&row.to_string()).as_ref(), Some(&row));
        row.processor = None;
        assert_eq!(Row::parse(&row.to_string()).as_ref(), Some(&row));
        assert_eq!(Row::parse("31 passed, 1 failed, 2 skipped"), None);
    }

    #[test]
    fn a_part_that_could_not_be_finished_has_failed_and_the_next_one_runs() {
        let mut parts = Parts::default();
        parts.run("first", || Err("no such thing".into()));
        parts.run("second", || Ok(Tally { passed: 2, ..Tally::default() }));
        let counted: Vec<Tally> = parts.rows.iter().map(|row| row.tally).collect();
        assert_eq!(counted, [Tally::one(false), Tally { passed: 2, ..Tally::default() }]);
        assert!(!parts.close());
    }
}
