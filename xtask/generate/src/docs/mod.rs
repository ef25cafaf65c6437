//! `cargo xtask docs`: pages that are derived from the registry, and the output of commands shown in other pages.

mod checks;
mod formats;
mod markdown;
mod meshes;
mod sessions;

use std::path::Path;
use xtask_generate::{File, Outcome};

/// Pages in which commands are shown with what they print.
const PAGES_WITH_SESSIONS: [&str; 5] =
    ["README.md", "README.ja.md", "docs/journeys.md", "docs/editing.md", "docs/retargeting.md"];

/// All of them.
pub(crate) fn files(root: &Path, programs: &Path) -> Outcome<Vec<File>> {
    let formats: Vec<_> = dopesheet::registry::formats().iter().map(|format| format.info()).collect();
    let page = formats::page(&formats, &meshes::table(root, &formats)?);
    let mut files = vec![
        File { path: "docs/formats.md".into(), bytes: page.into_bytes() },
        File { path: "docs/checks.md".into(), bytes: checks::page(&formats).into_bytes() },
    ];
    for page in PAGES_WITH_SESSIONS {
        let text = std::fs::read_to_string(root.join(page))?;
        let text =
            if text.contains(TABLE[0]) { with_table(&text, &formats::overview(&formats))? } else { text };
        let (text, pictures) = sessions::refresh(root, programs, &text)?;
        files.push(File { path: page.into(), bytes: text.into_bytes() });
        files.extend(pictures);
    }
    Ok(files)
}

/// Between these stands the table of formats, in pages that are otherwise written by hand.
const TABLE: [&str; 2] = ["<!-- formats, by `cargo xtask docs` -->\n", "<!-- end -->\n"];

/// The page with the table of formats as it is now.
fn with_table(page: &str, table: &str) -> Outcome<String> {
    let parts =
        page.split_once(TABLE[0]).and_then(|(before, rest)| Some((before, rest.split_once(TABLE[1])?.1)));
    let (before, after) = parts.ok_or("expected a place for the table of formats")?;
    Ok([before, TABLE[0], table, TABLE[1], after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_replaced_and_nothing_else() {
        let page = ["# A\n", TABLE[0], "old\n", TABLE[1], "text\n"].concat();
        let new = with_table(&page, "new\n").unwrap();
        assert_eq!(new, page.replace("old", "new"));
        assert!(with_table("# A\n", "new\n").is_err());
    }
}
