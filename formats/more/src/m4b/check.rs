//! All faults and remarkable facts of an archive: one function per code.

use super::codes;
use super::document::{Directory, Document, File};
use crate::text::Name;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Check;
use dopesheet_core::format::container::unsafe_name;
use dopesheet_core::order::by_number;
use dopesheet_core::words::counted;
use std::collections::HashMap;

pub(super) fn check(document: &Document, report: &mut Report) {
    let mut items = Vec::new();
    collect(&document.root, "", &mut items);
    unsafe_names(&items, report);
    empty_names(&items, report);
    duplicate_names(&document.root, "", report);
    overlaps(document, &items, report);
}

/// A file or folder.
struct Item<'a> {
    path: String,
    name: &'a Name,
    file: Option<&'a File>,
}

fn joined(path: &str, name: &Name) -> String {
    if path.is_empty() { name.text().into_owned() } else { format!("{path}/{name}") }
}

fn collect<'a>(directory: &'a Directory, path: &str, items: &mut Vec<Item<'a>>) {
    for inner in &directory.directories {
        let path = joined(path, &inner.name);
        items.push(Item { path: path.clone(), name: &inner.name, file: None });
        collect(inner, &path, items);
    }
    for file in &directory.files {
        items.push(Item { path: joined(path, &file.name), name: &file.name, file: Some(file) });
    }
}

fn push(report: &mut Report, check: &Check, path: &str, expected: &'static str, found: String) {
    let path: String = path.chars().flat_map(char::escape_debug).collect();
    report.push(check.severity, Fault::new(check.code, Place::File, expected, found).at_path(path));
}

/// Each of them, because each is refused by itself.
fn unsafe_names(items: &[Item<'_>], report: &mut Report) {
    for item in items {
        let name = item.name.text();
        if let Some(why) = unsafe_name(&name) {
            let actual = format!("\"{}\": {why}", name.escape_debug());
            push(report, &codes::UNSAFE_NAME, &item.path, "a name that can be extracted anywhere", actual);
        }
    }
}

fn empty_names(items: &[Item<'_>], report: &mut Report) {
    let mut empty = items.iter().filter(|item| item.name.is_empty());
    let (Some(first), further) = (empty.next(), empty.count()) else { return };
    let kind = if first.file.is_some() { "a file" } else { "a folder" };
    let actual = match further {
        0 => format!("{kind} without one"),
        _ => format!("{kind} without one; {} in all", counted(further + 1, "such name")),
    };
    push(report, &codes::EMPTY_NAME, &first.path, "a name", actual);
}

fn duplicate_names(directory: &Directory, path: &str, report: &mut Report) {
    let folders = directory.directories.iter().map(|inner| &inner.name);
    let names = folders.chain(directory.files.iter().map(|file| &file.name));
    // By names in lower case: the first, and the number of those that are the same but for case.
    let (mut seen, mut alike): (HashMap<_, usize>, HashMap<String, (String, usize)>) = Default::default();
    for name in names {
        let text = name.text();
        let count = seen.entry(text.clone()).or_default();
        *count += 1;
        let (first, variants) = alike.entry(text.to_lowercase()).or_insert_with(|| (text.to_string(), 0));
        *variants += usize::from(*first != *text);
        let (check, expected, actual) = match (*count, *variants) {
            (2, _) => (&codes::DUPLICATE_ENTRY_NAME, "one entry of each name", format!("\"{name}\" again")),
            (1, 1) if *first != *text => {
                let expected = "names that differ in more than case";
                (&codes::NAME_CASE, expected, format!("\"{name}\" beside \"{first}\""))
            }
            _ => continue,
        };
        push(report, check, &joined(path, name), expected, actual);
    }
    for inner in &directory.directories {
        duplicate_names(inner, &joined(path, &inner.name), report);
    }
}

fn overlaps(document: &Document, items: &[Item<'_>], report: &mut Report) {
    let mut files: Vec<_> = items.iter().filter_map(|item| Some((item.file?, item))).collect();
    files.retain(|(file, _)| file.size > 0);
    by_number(&mut files, |(file, _)| file.size.into());
    by_number(&mut files, |(file, _)| file.position.into());
    let (mut end, mut owner) = (document.index_size() as u64, "the index");
    let (mut count, mut first) = (0, None);
    for (file, item) in &files {
        if u64::from(file.position) < end {
            count += 1;
            first.get_or_insert((item, owner));
        }
        let own_end = u64::from(file.position) + u64::from(file.size);
        if own_end > end {
            (end, owner) = (own_end, &item.path);
        }
    }
    if let Some((item, owner)) = first {
        let actual = match count {
            1 => format!("bytes of {owner}"),
            _ => format!("bytes of {owner}; {} in all", counted(count, "such file")),
        };
        push(report, &codes::ENTRY_OVERLAP, &item.path, "bytes that no other file has", actual);
    }
}
