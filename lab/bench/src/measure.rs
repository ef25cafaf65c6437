//! Alternating runs and their medians, as rows of a table.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Time for which the two sides of a comparison run together.
const BUDGET: Duration = Duration::from_secs(2);
/// Fewest runs of each side.
const MIN_RUNS: usize = 15;

/// One comparison.
pub(crate) struct Row {
    /// The operation that is measured.
    pub(crate) what: String,
    /// On which data.
    pub(crate) data: String,
    /// Bytes that one run works through; 0 where that makes no sense.
    pub(crate) bytes: usize,
    /// Median of our runs, in seconds.
    pub(crate) ours_s: f64,
    /// Who we are compared with, and the median of its runs in seconds.
    pub(crate) peer: Option<(String, f64)>,
    /// The goal: the least ratio (peer over ours), or the largest time in seconds.
    pub(crate) wanted: String,
}

/// The medians of two functions that run alternately. Each returns a sum of all it made, which must not be optimised
/// away.
pub(crate) fn side_by_side(mut ours: impl FnMut() -> f64, mut peer: impl FnMut() -> f64) -> (f64, f64) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let started = Instant::now();
    while a.len() < MIN_RUNS || started.elapsed() < BUDGET {
        a.push(seconds(&mut ours));
        b.push(seconds(&mut peer));
    }
    (median(a), median(b))
}

/// The median of one function.
pub(crate) fn alone(mut ours: impl FnMut() -> f64) -> f64 {
    let mut runs = Vec::new();
    let started = Instant::now();
    while runs.len() < MIN_RUNS || started.elapsed() < BUDGET / 2 {
        runs.push(seconds(&mut ours));
    }
    median(runs)
}

fn seconds(run: &mut impl FnMut() -> f64) -> f64 {
    let started = Instant::now();
    black_box(run());
    started.elapsed().as_secs_f64()
}

/// The middle one.
pub(crate) fn median(mut runs: Vec<f64>) -> f64 {
    runs.sort_by(f64::total_cmp);
    runs[runs.len() / 2]
}

/// All rows as a Markdown page.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "# Benchmarks\n\nMade by `cargo xtask bench --write`, or a section alone by `cargo xtask bench --write` and its name (`growth`). \
         Below each section stands where and when it was made. Both sides of a row ran alternately in one process; medians. \
         Ratios are peer over ours: above 1 we are faster. Reading means that every field is decoded, validated and \
         summed.\n\n",
    );
    out.push_str("| what | data | ours | peer | ratio | wanted |\n| --- | --- | --- | --- | --- | --- |\n");
    for row in rows {
        let (peer, ratio) = match &row.peer {
            Some((name, seconds)) => {
                (format!("{name}: {}", time(*seconds, row.bytes)), format!("{:.2}", seconds / row.ours_s))
            }
            None => ("–".into(), "–".into()),
        };
        let ours = time(row.ours_s, row.bytes);
        let _ = writeln!(out, "| {} | {} | {ours} | {peer} | {ratio} | {} |", row.what, row.data, row.wanted);
    }
    out
}

fn time(seconds: f64, bytes: usize) -> String {
    let time =
        if seconds < 1e-3 { format!("{:.1} µs", seconds * 1e6) } else { format!("{:.2} ms", seconds * 1e3) };
    if bytes == 0 { time } else { format!("{time} ({:.0} MB/s)", bytes as f64 / seconds / 1e6) }
}

/// The line below a section.
pub(crate) fn where_and_when() -> String {
    format!("Machine: {}. Date: {}.", machine(), date())
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|l| l.strip_prefix("model name"))
        .map(|l| l.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} ({cores} cores), {}", model.unwrap_or("unknown processor"), std::env::consts::OS)
}

/// Today in UTC, by the algorithm of days since 1970 (Howard Hinnant, "chrono-compatible low-level date algorithms").
pub(crate) fn date() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let days = (since.as_secs() / 86_400) as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
