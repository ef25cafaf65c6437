//! Doc comments say what a thing is.

use super::texts::{Faults, Text};

/// First words of a comment that asks instead.
const ASKING: [&str; 3] = ["What", "How", "Whether"];
/// Most comments of a crate that may begin so, in percent.
const MOST_PERCENT: usize = 2;

/// At most [`MOST_PERCENT`] of the doc comments of a crate begin with one of [`ASKING`].
pub(super) fn check(folders: &[String], texts: &[Text]) -> Faults {
    folders.iter().filter_map(|folder| fault(folder, texts)).collect()
}

fn fault(folder: &str, texts: &[Text]) -> Option<String> {
    let inside = |text: &&Text| {
        let path = text.path.strip_prefix(folder).and_then(|path| path.strip_prefix('/'));
        path.is_some_and(|path| {
            path.ends_with(".rs") && (path.starts_with("src/") || path.starts_with("tests/"))
        })
    };
    let (mut all, mut asking) = (0, Vec::new());
    for text in texts.iter().filter(inside) {
        for (line, comment) in doc_comments(&text.text) {
            all += 1;
            if ASKING.contains(&comment.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default()) {
                asking.push(format!("{}:{line}", text.path));
            }
        }
    }
    (asking.len() * 100 > all * MOST_PERCENT).then(|| {
        format!(
            "{folder}: {} of {all} doc comments begin with {}; say what the thing is: {}",
            asking.len(),
            ASKING.join(", "),
            asking.join(", ")
        )
    })
}

/// First lines of doc comments, with their numbers.
fn doc_comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let comment = |line: &'_ str| {
        let line = line.trim_start();
        let marker = ["///", "//!"].into_iter().find(|marker| line.starts_with(marker))?;
        line.strip_prefix(marker).filter(|rest| !rest.starts_with('/')).map(str::len)
    };
    let mut was_comment = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let length = comment(line);
        let is_first = length.is_some() && !was_comment;
        was_comment = length.is_some();
        length.filter(|_| is_first).map(|length| (index + 1, line[line.len() - length..].trim_start()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::texts::text;
    use super::*;

    fn found(code: &str) -> Option<String> {
        fault("crates/x", &[text("crates/x/src/lib.rs", code)])
    }

    #[test]
    fn comments_that_ask_are_named() {
        assert_eq!(found("//! A crate.\n//! How it ends does not count."), None);
        let fault = found("//! A crate.\n\n    /// Whether it is.\n    fn f() {}").unwrap();
        assert!(fault.contains("1 of 2") && fault.contains("crates/x/src/lib.rs:3"), "{fault}");
        assert!(found("/// How far.").is_some() && found("/// What it is.").is_some());
        assert_eq!(found("/// However it is.\n//// How\n// What"), None);
    }

    #[test]
    fn a_few_among_many_are_allowed() {
        let many = |asking: usize| {
            ["/// A thing.\n\n".repeat(100 - asking), "/// What.\n\n".repeat(asking)].concat()
        };
        assert_eq!(found(&many(2)), None);
        assert!(found(&many(3)).is_some());
    }
}
