//! Judgements of pairs by the command and by the judge, side by side.

use crate::tally::Tally;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Words of both for a pair.
const GOOD: &str = "good";
const LOOK: &str = "look at it";
const BAD: &str = "bad";
const NOT_JUDGED: &str = "not judged";

/// Code of the warning that a motion is not well on its figure.
const NOT_LIKE_THE_SOURCE: &str = "not-like-the-source";

/// Warnings that are not about the motion: nothing of a mesh is in a file without one.
const ABOUT_THE_FILE: [&str; 1] = ["nothing-to-see"];

/// A pair of a motion and a figure.
#[derive(Default)]
pub(super) struct Row {
    pub(super) pair: String,
    /// Message of the command if it refused the pair.
    pub(super) refusal: Option<String>,
    /// The report of the conversion.
    pub(super) report: Value,
    /// The judge's job and answer.
    pub(super) job: Option<Value>,
    pub(super) judged: Value,
}

impl Row {
    /// Everything about the pair, for later.
    pub(super) fn line(&self) -> Value {
        match &self.refusal {
            Some(refusal) => json!({ "pair": self.pair, "refusal": refusal }),
            None => {
                json!({ "pair": self.pair, "told": self.told(), "warnings": self.warnings(), "judged": self.judged })
            }
        }
    }

    /// Judgement of the command: the worst of its verdicts.
    fn told(&self) -> &'static str {
        let verdicts = self.report["verdicts"].as_array();
        let is_said =
            |word: &&str| verdicts.into_iter().flatten().any(|verdict| verdict["judgement"] == **word);
        [BAD, LOOK].into_iter().find(is_said).unwrap_or(GOOD)
    }

    fn judgement(&self) -> &str {
        self.judged["verdict"].as_str().unwrap_or(NOT_JUDGED)
    }

    fn findings(&self) -> impl Iterator<Item = &Value> {
        let findings = self.report["findings"].as_array().into_iter().flatten();
        findings.filter(|finding| finding["severity"] == "warning")
    }

    fn warnings(&self) -> Vec<&str> {
        self.findings().filter_map(|finding| finding["code"].as_str()).collect()
    }

    /// Warnings about the motion besides the verdict.
    fn others(&self) -> Vec<&str> {
        let is_other = |code: &&str| *code != NOT_LIKE_THE_SOURCE && !ABOUT_THE_FILE.contains(code);
        self.warnings().into_iter().filter(is_other).collect()
    }

    /// The numbers of both sides.
    fn numbers(&self) -> String {
        let reasons = self.judged["reasons"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let verdicts = self.report["verdicts"].as_array().into_iter().flatten();
        let verdicts = verdicts.filter_map(|verdict| verdict["text"].as_str());
        let told: Vec<&str> = verdicts.collect();
        let error = self.judged["error"].as_str().unwrap_or_default();
        format!("{}{error}; told: {}", reasons.collect::<Vec<_>>().join(", "), told.join("; "))
    }
}

/// Counts of pairs by what is said of them.
pub(super) struct Table<'a> {
    rows: &'a [Row],
    written: Vec<&'a Row>,
}

/// A share of pairs with the largest that is allowed, in percent.
struct Share {
    what: &'static str,
    count: usize,
    of: usize,
    limit: f64,
}

impl Share {
    fn percent(&self) -> f64 {
        100.0 * self.count as f64 / self.of.max(1) as f64
    }

    fn holds(&self) -> bool {
        self.of > 0 && self.percent() <= self.limit
    }
}

impl<'a> Table<'a> {
    pub(super) fn of(rows: &'a [Row]) -> Self {
        Self { rows, written: rows.iter().filter(|row| row.refusal.is_none()).collect() }
    }

    fn count(&self, is_counted: impl Fn(&Row) -> bool) -> usize {
        self.written.iter().filter(|row| is_counted(row)).count()
    }

    fn cell(&self, told: &str, judgement: &str) -> usize {
        self.count(|row| row.told() == told && row.judgement() == judgement)
    }

    fn shares(&self) -> [Share; 5] {
        let share = |what, limit, of, count| Share { what, count, of, limit };
        let good = self.count(|row| row.judgement() == GOOD);
        let (looks, bads) = (self.cell(LOOK, GOOD), self.cell(BAD, GOOD));
        let warned = self.count(|row| row.judgement() == GOOD && !row.others().is_empty());
        let told_good = self.cell(GOOD, GOOD) + self.cell(GOOD, BAD);
        let unjudged = self.count(|row| row.judgement() == NOT_JUDGED);
        [
            share("told good, judged bad", 2.0, told_good, self.cell(GOOD, BAD)),
            share("judged good, told bad", 2.0, good, bads),
            share("judged good, told bad or look", 15.0, good, bads + looks),
            share("judged good, with other warnings", 5.0, good, warned),
            share("written, but not judged", 2.0, self.written.len(), unjudged),
        ]
    }

    /// True if the shares are as small as they have to be.
    pub(super) fn tally(&self) -> Tally {
        let shares = self.shares();
        let passed = shares.iter().filter(|share| share.holds()).count();
        Tally { passed, failed: shares.len() - passed, skipped: 0 }
    }

    pub(super) fn print(&self) {
        for row in &self.written {
            if row.told() != row.judgement() {
                println!("{}: told {}, judge: {}; {}", row.pair, row.told(), row.judgement(), row.numbers());
            }
        }
        let mut refusals = BTreeMap::<&str, Vec<&str>>::new();
        for row in self.rows {
            if let Some(refusal) = &row.refusal {
                refusals.entry(gist(refusal)).or_default().push(&row.pair);
            }
        }
        for (gist, pairs) in &refusals {
            println!("refused {}: {gist} ({}, …)", pairs.len(), pairs.first().unwrap_or(&""));
        }
        println!("\n{:<16}{:>12}{:>12}{:>12}", "", "judged good", "judged bad", NOT_JUDGED);
        for told in [GOOD, LOOK, BAD] {
            let [good, bad, none] = [GOOD, BAD, NOT_JUDGED].map(|judgement| self.cell(told, judgement));
            println!("told {told:<11}{good:>12}{bad:>12}{none:>12}");
        }
        println!("refused {}\n", self.rows.len() - self.written.len());
        for share in self.shares() {
            let Share { what, count, of, limit } = &share;
            let word = if share.holds() { "" } else { "FAILED: " };
            println!("{word}{what}: {count} of {of}, {:.1} % (at most {limit} %)", share.percent());
        }
    }
}

/// A message without the paths in it and its end, so that equal ones are counted together.
fn gist(message: &str) -> &str {
    let text = message.rsplit_once("expected ").map_or(message, |(_, text)| text);
    text.char_indices().nth(120).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(told: &str, warnings: &[&str], judgement: Option<&str>) -> Row {
        let finding = |code: &&str| json!({ "severity": "warning", "code": code, "found": "much" });
        let findings: Vec<Value> = warnings.iter().map(finding).collect();
        Row {
            report: json!({ "findings": findings, "verdicts": [{ "judgement": told }] }),
            judged: json!({ "verdict": judgement }),
            ..Row::default()
        }
    }

    #[test]
    fn shares_are_of_the_pairs_that_they_name() {
        let refused = Row { refusal: Some("no".into()), ..Row::default() };
        let rows = [
            row("good", &[], Some("good")),
            row("good", &["nothing-to-see"], Some("good")),
            row("look at it", &["figure-lies"], Some("good")),
            row("bad", &["not-like-the-source"], Some("good")),
            row("bad", &["not-like-the-source"], Some("bad")),
            row("good", &[], Some("bad")),
            row("good", &[], None),
            refused,
        ];
        let table = Table::of(&rows);
        let shares = table.shares().map(|share| (share.count, share.of));
        assert_eq!(shares, [(1, 3), (1, 4), (2, 4), (1, 4), (1, 7)]);
        assert_eq!(table.tally(), Tally { passed: 0, failed: 5, skipped: 0 });
    }

    #[test]
    fn nothing_judged_is_a_failure() {
        assert_eq!(Table::of(&[]).tally().passed, 0);
    }

    #[test]
    fn equal_refusals_of_several_files_have_one_gist() {
        let of = |file: &str| format!("error: {file}: glb: expected a human figure, found none");
        assert_eq!(gist(&of("a.bvh")), gist(&of("b.bvh")));
    }
}
