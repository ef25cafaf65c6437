//! The words after `@` in the name of a target.

use super::info::Variant;
use std::fmt;

/// The words after `@` in the name of a target: a variant of the format, and words that refine the variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantWords {
    /// Name of the variant; `None` if only words are there.
    pub variant: Option<&'static str>,
    /// The words after the variant, in their order.
    pub words: Vec<&'static str>,
}

impl VariantWords {
    /// Reads `VARIANT,WORD,WORD`, in which each part is optional. Of words with the same `key=` only one is
    /// allowed.
    ///
    /// # Errors
    /// With the first part that is neither, and the list of all choices.
    pub fn parse(
        variants: &'static [Variant],
        words: &'static [Variant],
        text: &str,
    ) -> Result<Self, UnknownVariant> {
        let mut parsed = Self::default();
        let mut rest = Some(text);
        // A variant's own name may have commas.
        let starts = |name: &str| {
            let behind = text.strip_prefix(name)?;
            (behind.is_empty() || behind.starts_with(',')).then_some(behind)
        };
        let named = variants.iter().filter_map(|variant| Some((variant.name, starts(variant.name)?)));
        if let Some((name, behind)) = named.max_by_key(|(name, _)| name.len()) {
            parsed.variant = Some(name);
            rest = behind.strip_prefix(',');
        }
        for part in rest.into_iter().flat_map(|rest| rest.split(',')) {
            let unknown = || UnknownVariant { variants, words, text: text.to_owned(), part: part.to_owned() };
            let word = words.iter().find(|word| word.name == part).ok_or_else(unknown)?;
            if parsed.words.iter().any(|other| key(other) == key(word.name)) {
                return Err(unknown());
            }
            parsed.words.push(word.name);
        }
        Ok(parsed)
    }

    /// True if a word is there.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }
}

/// The part of a word that must be unique.
fn key(word: &str) -> &str {
    word.split_once('=').map_or(word, |(key, _)| key)
}

/// A part after `@` that is unknown to the format, or contradicts a word before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariant {
    variants: &'static [Variant],
    words: &'static [Variant],
    text: String,
    part: String,
}

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |all: &[Variant]| all.iter().map(|one| one.name).collect::<Vec<_>>().join(", ");
        f.write_str("expected ")?;
        match (self.variants, self.words) {
            ([], []) => f.write_str("no variant")?,
            ([], words) => write!(f, "words of {}, one of a kind", list(words))?,
            (variants, []) => write!(f, "one of {}", list(variants))?,
            (variants, words) => {
                write!(f, "one of {}, then words of {}, one of a kind", list(variants), list(words))?;
            }
        }
        write!(f, "; found \"{}\"", self.part.escape_debug())?;
        if self.part != self.text {
            write!(f, " in \"{}\"", self.text.escape_debug())?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownVariant {}

#[cfg(test)]
mod tests {
    use super::*;

    const VARIANTS: &[Variant] = &[
        Variant { name: "1", about: "" },
        Variant { name: "2", about: "" },
        Variant { name: "2,x", about: "" },
    ];
    const WORDS: &[Variant] = &[
        Variant { name: "be", about: "" },
        Variant { name: "size=1", about: "" },
        Variant { name: "size=2", about: "" },
    ];

    #[test]
    fn a_variant_and_its_words_in_any_order() {
        let parse = |text| VariantWords::parse(VARIANTS, WORDS, text);
        let parsed = |variant, words: &[&'static str]| Ok(VariantWords { variant, words: words.into() });
        assert_eq!(parse("1"), parsed(Some("1"), &[]));
        assert_eq!(parse("2,x"), parsed(Some("2,x"), &[]));
        assert_eq!(parse("2,x,be"), parsed(Some("2,x"), &["be"]));
        assert_eq!(parse("2,size=2,be"), parsed(Some("2"), &["size=2", "be"]));
        assert_eq!(parse("be"), parsed(None, &["be"]));
    }

    #[test]
    fn what_is_unknown_or_said_twice_is_named_with_all_that_may_be_said() {
        for (text, part) in [
            ("3", "3"),
            ("1,", ""),
            ("", ""),
            ("1,size=3", "size=3"),
            ("size=1,size=2", "size=2"),
            ("be,1", "1"),
        ] {
            let error = VariantWords::parse(VARIANTS, WORDS, text).unwrap_err().to_string();
            let choices = "expected one of 1, 2, 2,x, then words of be, size=1, size=2, one of a kind";
            assert!(error.starts_with(&format!("{choices}; found \"{part}\"")), "{error}");
        }
        let error = VariantWords::parse(VARIANTS, &[], "3").unwrap_err().to_string();
        assert_eq!(error, "expected one of 1, 2, 2,x; found \"3\"");
        assert_eq!(
            VariantWords::parse(&[], &[], "a").unwrap_err().to_string(),
            "expected no variant; found \"a\""
        );
    }
}
