//! Files that were read and edited, before they are converted.

use crate::args::Edits;
use crate::files;
use dopesheet::core::format::{AnyFormat, Hint};
use dopesheet::edit::Draft;
use dopesheet::{Error, Opened, registry};
use std::path::Path;
use std::sync::Arc;

/// Names of inputs, for people.
pub(super) fn names(inputs: &[files::Input]) -> Vec<String> {
    inputs.iter().map(files::Input::name).collect()
}

/// Files with the operations done: one file if the first of them takes all. The second one has the cameras and lights that go apart.
pub(super) fn edited_files(
    mut opened: Vec<Opened>,
    edits: &Edits,
) -> Result<(Vec<Opened>, Option<Opened>), Error> {
    let mut operations = edits.operations.clone();
    if edits.takes_all && !opened.is_empty() {
        let others = opened.split_off(1);
        let scenes = others.iter().map(|other| dopesheet::edit::scene(other).map(Arc::new));
        operations = edits.with(scenes.collect::<Result<_, _>>()?);
    }
    if !edits.splits {
        let edited = opened.into_iter().map(|opened| dopesheet::edit(opened, &operations, &edits.options));
        return Ok((edited.collect::<Result<_, _>>()?, None));
    }
    let [first] = <[Opened; 1]>::try_from(opened).map_err(|opened| {
        let found = opened.len();
        Error::Usage(format!("merge --split writes one motion in two files, found {found} motions"))
    })?;
    let mut draft = Draft::new(Arc::new(first))?;
    operations.iter().try_for_each(|operation| draft.apply(operation, &edits.options))?;
    let Some(camera) = draft.split_camera(&edits.options.clips)? else {
        let text =
            "merge --split: expected the motion of a model and that of a camera, found only one of them";
        return Err(Error::Usage(text.into()));
    };
    Ok((vec![draft.finish()?], Some(camera)))
}

/// The format of an output that no `-t` is given for: that of its input, unless its name says another.
pub(super) fn format_of(output: &Path, input: &Opened) -> Result<&'static dyn AnyFormat, Error> {
    let own = input.format();
    let name = output.to_string_lossy();
    let extension = Hint::from_file_name(&name).extension;
    match extension {
        Some(extension) if !own.info().extensions.contains(&&*extension) => registry::by_file_name(&name),
        _ => Ok(own),
    }
}
