//! The command line with the effect of the user's choices.

use crate::files::choices::{Choices, line};
use crate::files::document::Document;
use dopesheet::core::format::FormatInfo;
use dopesheet::edit::Line;
use dopesheet::puppet::STANDARD_MODEL;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the file with the map of bones.
pub(crate) const MAP: &str = "bones.json";

/// The files and the target of a conversion, as its command line names them.
pub(crate) struct Wanted<'a> {
    pub(crate) document: &'a Document,
    pub(crate) model: Option<&'a Arc<Document>>,
    pub(crate) figure: Option<&'a Arc<Document>>,
    pub(crate) to: &'a FormatInfo,
    /// Word of a variant other than the first.
    pub(crate) variant: Option<&'a str>,
}

/// Names and contents of all files that the lines of a conversion name and that the user has not.
pub(crate) fn files(
    document: &Document,
    figure: Option<&Document>,
    choices: &Choices,
) -> Vec<(String, String)> {
    let map = (figure.is_some() && choices.has_bones()).then(|| (MAP.to_owned(), map(choices)));
    let changed = [Some(document), figure].into_iter().flatten().flat_map(edit_files);
    map.into_iter().chain(changed).collect()
}

/// The lines that write a file in another format, after the lines of operations on the inputs.
pub(crate) fn lines(export: &Wanted<'_>, choices: &Choices) -> Vec<String> {
    let (mut lines, mut inputs) = (Vec::new(), Vec::new());
    for document in [Some(export.document), export.figure.map(|figure| &**figure)].into_iter().flatten() {
        let changed = changed_name(document);
        lines.extend(edit(document, &changed));
        if document.is_puppet {
            inputs.push(STANDARD_MODEL.to_owned());
            continue;
        }
        inputs.push(if document.changes().is_empty() { document.name().to_owned() } else { changed });
    }
    let mut words = vec!["dopesheet".to_owned(), "convert".to_owned()];
    words.push(inputs.remove(0));
    let model = export.model.filter(|_| export.document.wants_model());
    words.extend(model.into_iter().flat_map(|model| ["-m".to_owned(), model.name().to_owned()]));
    if let Some(figure) = inputs.pop() {
        words.extend(["--onto".to_owned(), figure]);
        if choices.has_bones() {
            words.extend(["--map".to_owned(), MAP.to_owned()]);
        }
    }
    for (id, value) in choices.settings() {
        words.push(if value.is_empty() { format!("--{id}") } else { format!("--{id}={value}") });
    }
    if let Some(variant) = export.variant {
        words.extend(["-t".to_owned(), format!("{}@{variant}", export.to.id)]);
    }
    let extension = export.to.extensions.first().copied().unwrap_or(export.to.id);
    words.extend([
        "-o".to_owned(),
        crate::model::export::name_on(export.document, export.figure.map(|figure| &**figure), extension),
    ]);
    lines.push(quoted(&words));
    lines
}

/// The line that applies the operations on a file and writes the file `to`; `None` without operations.
pub(crate) fn edit(document: &Document, to: &str) -> Option<String> {
    let edits = operations(document).flat_map(|line| ["-e".to_owned(), line.text]);
    let words: Vec<String> =
        ["dopesheet", "edit", document.name()].map(str::to_owned).into_iter().chain(edits).collect();
    let is_changed = !document.changes().is_empty();
    is_changed.then(|| quoted(&[words, vec!["-o".to_owned(), to.to_owned()]].concat()))
}

/// The operations on a file as arguments of the command.
pub(crate) fn operations(document: &Document) -> impl Iterator<Item = Line> {
    let stem = |word: &str, index: usize| format!("{}-{word}-{}", document.opened.stem(), index + 1);
    let changes = document.changes().iter().enumerate();
    changes.map(move |(index, (word, options))| line(word, options, &stem(word, index)))
}

/// Names and contents of the files that the line of operations on a file names.
pub(crate) fn edit_files(document: &Document) -> Vec<(String, String)> {
    operations(document).filter_map(|line| line.file).collect()
}

/// The path of a file after operations. The file keeps its name, because clips without a name get the name of the file.
fn changed_name(document: &Document) -> String {
    format!("changed/{}", document.name())
}

/// The map of bones as JSON, the text of the file for `--map`.
fn map(choices: &Choices) -> String {
    let sides = ["motion", "figure"].into_iter().zip(choices.names()).filter(|(_, bones)| !bones.is_empty());
    let sides = sides.map(|(side, bones)| (side, bones.into_iter().collect::<BTreeMap<_, _>>()));
    serde_json::to_string_pretty(&sides.collect::<BTreeMap<_, _>>()).unwrap_or_default()
}

/// Words as a line for a shell, in quotes where a shell would divide or change a word.
fn quoted(words: &[String]) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./:=@+,%".contains(letter);
    let word = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false if !word.contains(['"', '\\', '$', '`', '!']) => format!("\"{word}\""),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use crate::files::inbox::Delivery;
    use dopesheet::registry;
    use std::path::Path;

    #[test]
    fn the_line_says_all_that_was_chosen_and_quotes_what_a_shell_would_divide() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for (name, opened_name) in [("jump.bvh", "my jump.bvh"), ("avatar.vrm", "avatar.vrm")] {
            delivery.add(opened_name.to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let mut files = Files::default();
        files.open(delivery);
        let mut choices = Choices { shown: [Some(1), Some(2)], ..Choices::default() };
        choices.ask("contacts", Some("off".into()));
        choices.ask("lossy", Some(String::new()));
        choices.name(0, [("LeftArm".into(), "rightUpperArm".into())]);
        let wanted = Wanted {
            document: &files.documents[0],
            model: None,
            figure: files.documents.get(1),
            to: registry::by_id("glb").unwrap().info(),
            variant: Some("meshopt"),
        };
        let expected = "dopesheet convert \"my jump.bvh\" --onto avatar.vrm --map bones.json --contacts=off --lossy \
                        -t glb@meshopt -o \"my jump on avatar.glb\"";
        assert_eq!(lines(&wanted, &choices), [expected]);
        assert_eq!(quoted(&["a'$b".into()]), r"'a'\''$b'");
        assert_eq!(map(&choices), "{\n  \"motion\": {\n    \"LeftArm\": \"rightUpperArm\"\n  }\n}");
    }
}
