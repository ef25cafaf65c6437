//! Facts stated by a caller for a file that leaves them open.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A fact that files of a format may leave open, and a caller can state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumable {
    /// The word before `=`.
    pub word: &'static str,
    /// Meaning and possible values, as a phrase.
    pub about: &'static str,
}

/// Facts stated by a caller for a file that leaves them open: `rate=30,axes=yup`.
///
/// An assumption never replaces a fact stated in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions(BTreeMap<String, String>);

impl Assumptions {
    /// Facts by their words; a later fact replaces an earlier fact of the same word.
    pub fn new(facts: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(facts.into_iter().collect())
    }

    /// The value assumed under a word.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<&str> {
        self.0.get(word).map(String::as_str)
    }

    /// All words, sorted.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// True if nothing is assumed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for Assumptions {
    type Err = NotAnAssumption;

    /// Reads `WORD=VALUE,WORD=VALUE`, each word once.
    fn from_str(text: &str) -> Result<Self, NotAnAssumption> {
        let mut facts = BTreeMap::new();
        for part in text.split(',') {
            let fault = || NotAnAssumption(part.to_owned());
            let (word, value) = part.split_once('=').ok_or_else(fault)?;
            let (word, value) = (word.trim(), value.trim());
            let is_new = facts.insert(word.to_owned(), value.to_owned()).is_none();
            if word.is_empty() || value.is_empty() || !is_new {
                return Err(fault());
            }
        }
        Ok(Self(facts))
    }
}

/// A part of a list of assumptions without a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnAssumption(String);

impl fmt::Display for NotAnAssumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected WORD=VALUE,WORD=VALUE with each word once, found \"{}\"", self.0.escape_debug())
    }
}

impl std::error::Error for NotAnAssumption {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_pairs_and_each_word_comes_once() {
        let facts = "rate=30, axes=yup".parse::<Assumptions>().unwrap();
        assert_eq!(
            (facts.get("rate"), facts.get("axes"), facts.get("order")),
            (Some("30"), Some("yup"), None)
        );
        assert_eq!(facts.words().collect::<Vec<_>>(), ["axes", "rate"]);
        for bad in ["", "rate", "rate=", "=30", "rate=30,rate=60", "rate=30,"] {
            let error = bad.parse::<Assumptions>().unwrap_err().to_string();
            assert!(error.starts_with("expected WORD=VALUE"), "{error}");
        }
    }
}
