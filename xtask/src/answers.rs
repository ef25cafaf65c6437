//! Programs that are asked about files: one JSON document per line in, one per line out.

use crate::repo::Outcome;
use crate::tally::Tally;
use serde_json::Value;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Counts the answers that are `good`, shows the others, and counts as failed what was not answered.
pub(crate) fn judge(what: &str, answers: &[Value], expected: usize, good: impl Fn(&Value) -> bool) -> Tally {
    let passed = answers.iter().filter(|a| good(a)).count();
    for answer in answers.iter().filter(|a| !good(a)) {
        println!("FAILED: {what} {answer}");
    }
    if answers.len() < expected {
        println!("FAILED: {what}: {} of {expected} were not answered", expected - answers.len());
    }
    Tally { passed, failed: expected.saturating_sub(passed), skipped: 0 }
}

/// The answers of a program to some jobs.
pub(crate) fn ask(command: &mut Command, jobs: &[Value]) -> Outcome<Vec<Value>> {
    let lines: String = jobs.iter().map(|job| format!("{job}\n")).collect();
    json_lines(command, lines.as_bytes())
}

/// Runs a program with some standard input and reads the JSON documents that it prints, one per line.
pub(crate) fn json_lines(command: &mut Command, input: &[u8]) -> Outcome<Vec<Value>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let input = input.to_owned();
    // The program may answer before it has read everything, and nobody would take its answer.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output()?;
    // A program that ended early has said why on standard error.
    let _ = writer.join();
    let text = String::from_utf8(output.stdout)?;
    text.lines().map(|line| serde_json::from_str(line).map_err(Into::into)).collect()
}

/// SplitMix64: the same numbers in every run. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014.
pub(crate) struct Random(u64);

impl Random {
    /// The first of them.
    pub(crate) fn new() -> Self {
        Self(0x000D_09E5_4EE7)
    }

    /// The first of those that a seed decides.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 up to 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn random_numbers_spread_over_the_unit_interval() {
        let mut random = Random::new();
        let numbers: Vec<f64> = (0..1000).map(|_| random.next()).collect();
        assert!(numbers.iter().all(|n| (0.0..1.0).contains(n)));
        let mean = numbers.iter().sum::<f64>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
    }

    #[test]
    fn what_was_not_answered_has_failed() {
        let answers = [json!({ "agrees": true }), json!({ "agrees": false })];
        let tally = judge("compare", &answers, 4, |a| a["agrees"] == true);
        assert_eq!(tally, Tally { passed: 1, failed: 3, skipped: 0 });
    }
}
