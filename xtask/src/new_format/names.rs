//! The names of a new format: one word that becomes a folder, a module, a type and a crate.

use crate::repo::Outcome;

/// The names of a new format.
pub(super) struct Names {
    /// On the command line: `foo-bar`
    pub(super) format: String,
    /// The crate it lives in: `foo`
    pub(super) family: String,
}

impl Names {
    /// Checked, because they become names of files, modules and types.
    pub(super) fn new(format: &str, family: Option<&str>) -> Outcome<Self> {
        let family = family.unwrap_or(format);
        let is_word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        match [format, family].into_iter().find(|word| !is_word(word)) {
            None => Ok(Self { format: format.to_owned(), family: family.to_owned() }),
            Some(word) => {
                Err(format!("an id has only lower-case letters, digits and hyphens: \"{word}\"").into())
            }
        }
    }

    /// `foo_bar`
    pub(super) fn module(&self) -> String {
        self.format.replace('-', "_")
    }

    /// `FooBar`
    pub(super) fn type_name(&self) -> String {
        let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
        self.format.split('-').filter(|word| !word.is_empty()).map(capital).collect()
    }

    /// A template with these names in it.
    pub(super) fn fill(&self, template: &str) -> String {
        template
            .replace("dopesheet___family__", &format!("dopesheet_{}", self.family.replace('-', "_")))
            .replace("__family__", &self.family)
            .replace("__Format__", &self.type_name())
            .replace("__module__", &self.module())
            .replace("__format__", &self.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_modules_and_types() {
        let names = Names::new("foo-bar2", Some("foo")).unwrap();
        assert_eq!((names.module().as_str(), names.type_name().as_str()), ("foo_bar2", "FooBar2"));
        assert_eq!(
            names.fill("dopesheet___family__::__module__::__Format__ \"__format__\""),
            "dopesheet_foo::foo_bar2::FooBar2 \"foo-bar2\""
        );
    }

    #[test]
    fn names_that_cannot_be_files_are_refused() {
        for word in ["", "Foo", "../x", "1a", "a b", "ä"] {
            assert!(Names::new(word, None).is_err(), "{word}");
        }
    }
}
