//! Commands in a page together with what they print, so that no page shows output that nobody gets.
//!
//! A session is a fenced block marked `console`: lines that start with `$ ` are commands, and what stands between them
//! is their output.

use std::path::Path;
use std::process::Command;
use xtask_generate::{File, Outcome};

const START: &str = "```console\n";
const END: &str = "```\n";
const PROMPT: &str = "$ ";

/// Folder for pictures that the page shows, beside the samples and below docs.
const PICTURES: &str = "pictures";

/// The page with the output of its commands as it is now, and the pictures that they made. They run one after the other in a folder that
/// holds a copy of the samples.
pub(super) fn refresh(root: &Path, programs: &Path, page: &str) -> Outcome<(String, Vec<File>)> {
    let folder = programs.join("sessions");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("samples"))?;
    std::fs::create_dir_all(folder.join(PICTURES))?;
    for entry in std::fs::read_dir(root.join("samples"))? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join("samples").join(entry.file_name()))?;
    }
    let text = rewrite(page, |command| output(programs, &folder, command))?;
    let mut pictures = Vec::new();
    for entry in std::fs::read_dir(folder.join(PICTURES))? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let path_in_docs = format!("docs/{PICTURES}/{}", name.to_string_lossy());
        pictures.push(File { path: path_in_docs, bytes: std::fs::read(path)? });
    }
    pictures.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((text, pictures))
}

/// The page with each command's output replaced.
fn rewrite(page: &str, mut run: impl FnMut(&str) -> Outcome<String>) -> Outcome<String> {
    let mut result = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(START) {
        let (session, behind) = after.split_once(END).ok_or("a console block has no end")?;
        result += before;
        result += START;
        for line in session.lines().filter(|line| line.starts_with(PROMPT)) {
            result += line;
            result.push('\n');
            result += &run(line.trim_start_matches(PROMPT))?;
        }
        result += END;
        rest = behind;
    }
    Ok(result + rest)
}

/// The output of a command, standard output and standard error.
fn output(programs: &Path, folder: &Path, command: &str) -> Outcome<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(paths)?)
        .env("NO_COLOR", "1")
        .output()?;
    let mut text = String::from_utf8(output.stdout)?;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stay_and_their_output_is_replaced() {
        let page = "# A\n```console\n$ one\nold\n$ two\n```\ntext\n```sh\n$ three\n```\n";
        let new = rewrite(page, |command| Ok(format!("output of {command}\n"))).unwrap();
        let expected =
            "# A\n```console\n$ one\noutput of one\n$ two\noutput of two\n```\ntext\n```sh\n$ three\n```\n";
        assert_eq!(new, expected);
        assert_eq!(rewrite(&new, |command| Ok(format!("output of {command}\n"))).unwrap(), new);
    }

    #[test]
    fn a_block_without_an_end_is_an_error() {
        assert!(rewrite("```console\n$ one\n", |_| Ok(String::new())).is_err());
    }
}
