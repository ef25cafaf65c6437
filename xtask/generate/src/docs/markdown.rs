//! Headings and tables of pages.

/// The first lines of a generated page.
pub(super) fn head(title: &str) -> String {
    format!(
        "<!-- Written by `cargo xtask docs` from the registry of formats; edits are lost. -->\n\n# {title}\n\n"
    )
}

/// A row of a table.
pub(super) fn row<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|c| c.as_ref().replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The head of a table.
pub(super) fn header(titles: &[&str]) -> String {
    row(titles) + &row(titles.iter().map(|_| "---"))
}
