//! `cargo xtask docs --sentences`: length of the sentences on pages for users.

use crate::repo::{Outcome, Repo};

/// Most words of a sentence that is read in one go.
const LONGEST: usize = 35;

/// Pages for users outside of `docs/`.
const PAGES: [&str; 5] = [
    "README.md",
    "apps/cli/README.md",
    "bindings/python/README.md",
    "bindings/wasm/README.md",
    "crates/dopesheet/README.md",
];

/// Start of the second half of a link.
const ADDRESS: &str = "](";

/// A sentence, or an item of a list that is none.
struct Sentence {
    /// On the page, from 1.
    line: usize,
    words: Vec<String>,
}

impl Sentence {
    /// True if a full stop ends it, or the colon before a list or code. Other items are short, and would lower the mean.
    fn is_whole(&self) -> bool {
        self.words.last().is_some_and(|word| ends_sentence(word) || word.ends_with(':'))
    }
}

/// Mean length of each page's sentences, and every sentence or item over [`LONGEST`] words.
pub(crate) fn report(repo: &Repo) -> Outcome<()> {
    let is_shown = |path: &String| {
        let in_docs = path.strip_prefix("docs/").is_some_and(|name| !name.contains('/'));
        PAGES.contains(&path.as_str()) || in_docs && path.ends_with(".md")
    };
    for path in repo.files()?.iter().filter(|path| is_shown(path)) {
        let sentences = sentences(&std::fs::read_to_string(repo.root.join(path))?);
        println!("{path}: {:.1} words a sentence", mean_length(&sentences));
        for Sentence { line, words } in sentences.iter().filter(|sentence| sentence.words.len() > LONGEST) {
            println!("  {path}:{line}: {} words: {} …", words.len(), words[..LONGEST / 4].join(" "));
        }
    }
    Ok(())
}

/// Mean number of words of the whole sentences.
#[allow(clippy::cast_precision_loss, reason = "pages have fewer than 2^53 words")]
fn mean_length(sentences: &[Sentence]) -> f64 {
    let whole: Vec<_> = sentences.iter().filter(|sentence| sentence.is_whole()).collect();
    let words: usize = whole.iter().map(|sentence| sentence.words.len()).sum();
    words as f64 / whole.len().max(1) as f64
}

/// The sentences of a page. Headings, tables, fenced code, pictures and comments have none; code within a line is a word.
fn sentences(page: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let (mut paragraph, mut first_line, mut in_fence) = (String::new(), 1, false);
    for (index, line) in page.lines().chain([""]).enumerate() {
        let text = line.trim_start();
        in_fence ^= text.starts_with("```");
        let is_prose =
            !in_fence && !["```", "#", "|", "![", "<!--"].iter().any(|mark| text.starts_with(mark));
        let item = item(text);
        if !is_prose || text.is_empty() || item.is_some() {
            divide(&paragraph, first_line, &mut sentences);
            paragraph.clear();
        }
        if is_prose {
            first_line = if paragraph.is_empty() { index + 1 } else { first_line };
            paragraph += item.unwrap_or(text);
            paragraph.push('\n');
        }
    }
    sentences
}

/// The text of a list's item behind its marker.
fn item(line: &str) -> Option<&str> {
    let numberless = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = numberless.strip_prefix(". ").filter(|_| numberless.len() < line.len());
    numbered.or_else(|| line.strip_prefix("* ")).or_else(|| line.strip_prefix("- "))
}

/// Adds the sentences of a paragraph. Each ends with a full stop before white space, or with the paragraph.
fn divide(paragraph: &str, first_line: usize, sentences: &mut Vec<Sentence>) {
    let mut words = Vec::new();
    let mut start = first_line;
    for (index, line) in without_addresses(&without_code(paragraph)).lines().enumerate() {
        for word in line.split_whitespace() {
            if words.is_empty() {
                start = first_line + index;
            }
            if word.contains(char::is_alphanumeric) {
                words.push(word.to_owned());
            }
            if ends_sentence(word) && !words.is_empty() {
                sentences.push(Sentence { line: start, words: std::mem::take(&mut words) });
            }
        }
    }
    if !words.is_empty() {
        sentences.push(Sentence { line: start, words });
    }
}

/// True for a word with a full stop, also before a bracket, a quotation mark or the end of bold text.
fn ends_sentence(word: &str) -> bool {
    word.trim_end_matches([')', '"', '*', ']']).ends_with(['.', '!', '?'])
}

/// The paragraph with a word for each code. Its lines stay, so that sentences are found on them.
fn without_code(paragraph: &str) -> String {
    let parts = paragraph.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 0 { part.into() } else { code_word(part) }).collect()
}

fn code_word(code: &str) -> String {
    "code".to_owned() + &"\n".repeat(code.matches('\n').count())
}

/// The paragraph with the texts of its links alone.
fn without_addresses(paragraph: &str) -> String {
    let mut text = String::new();
    for (index, part) in paragraph.split(ADDRESS).enumerate() {
        let behind = part.split_once(')').filter(|_| index > 0);
        text += behind.map_or(part, |(_, behind)| behind);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines and lengths of the sentences of a page.
    fn lengths(page: &str) -> Vec<(usize, usize)> {
        sentences(page).iter().map(|sentence| (sentence.line, sentence.words.len())).collect()
    }

    #[test]
    fn sentences_end_with_full_stops_and_start_on_their_line() {
        assert_eq!(
            lengths("One two.\nThree of\nVRM 1.0 are here (really.) Five\n"),
            [(1, 2), (2, 7), (3, 1)]
        );
    }

    #[test]
    fn items_of_lists_are_sentences_without_their_markers() {
        assert_eq!(
            lengths("Three:\n\n* a dance\n  in a line\n- two words\n12. the last.\n"),
            [(1, 1), (3, 5), (5, 2), (6, 2)]
        );
    }

    #[test]
    fn the_mean_is_that_of_whole_sentences() {
        let mean = |page: &str| mean_length(&sentences(page));
        assert!((mean("One two three:\n\n* item\n* item\n\nThis one is longer.\n") - 3.5).abs() < 1e-9);
        assert!(mean("* item\n") == 0.0, "a page of items has no mean");
    }

    #[test]
    fn code_is_a_word_and_addresses_are_none() {
        assert_eq!(lengths("Run `a b\nc`, see [the page](a.md#b), then stop – **now**.\n"), [(1, 8)]);
        assert_eq!(lengths("`-o a.glb` is there.\nNext [is](x).\n"), [(1, 3), (2, 2)]);
    }

    #[test]
    fn what_is_no_prose_does_not_count() {
        let page =
            "# A title\n```sh\nrun it. now.\n```\n| a | b |\n![a picture](a.png)\n<!-- note -->\nProse.\n";
        assert_eq!(lengths(page), [(8, 1)]);
    }
}
