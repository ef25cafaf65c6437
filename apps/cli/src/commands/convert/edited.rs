//! Files that are edited before their conversion.

use super::told::CAMERA_WITH_BONES;
use crate::args::Edits;
use crate::files;
use dopesheet::convert::convert_owned;
use dopesheet::core::format::Pieces;
use dopesheet::core::words::counted;
use dopesheet::edit::Draft;
use dopesheet::{ClipChoice, Conversion, ConvertOptions, Error, Opened, ReadOptions};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The message about a motion that is not split.
const ONLY_ONE: &str = "expected the motion of a model and that of a camera, found only one of them";

/// Names of inputs, for people.
pub(super) fn names(inputs: &[files::Input]) -> Vec<String> {
    inputs.iter().map(files::Input::name).collect()
}

/// Name of an input, or the number of several inputs, for a report.
pub(super) fn called(inputs: &[files::Input]) -> String {
    if let [input] = inputs { input.name() } else { counted(inputs.len(), "file") }
}

/// Files after their operations: a single file if the first file takes in all others. The second result has
/// the cameras and lights of a split.
pub(super) fn edited_files(
    mut opened: Vec<Opened>,
    edits: &Edits,
) -> Result<(Vec<Opened>, Option<Opened>), Error> {
    let mut operations = edits.operations.clone();
    if edits.takes_all && !opened.is_empty() {
        let rest = opened.split_off(1);
        let scenes = rest.iter().map(|other| dopesheet::edit::scene(other).map(Arc::new));
        operations = edits.with(scenes.collect::<Result<_, _>>()?);
    }
    if !edits.splits {
        let edited = opened.into_iter().map(|opened| dopesheet::edit(opened, &operations, &edits.options));
        return Ok((edited.collect::<Result<_, _>>()?, None));
    }
    let [first] = <[Opened; 1]>::try_from(opened).map_err(|opened| {
        let count = opened.len();
        Error::Usage(format!("merge --split writes one motion in two files, found {count} motions"))
    })?;
    let mut draft = Draft::new(Arc::new(first))?;
    operations.iter().try_for_each(|operation| draft.apply(operation, &edits.options))?;
    let Some(camera) = draft.split_camera(&edits.options.clips)? else {
        return Err(Error::Usage(format!("merge --split: {ONLY_ONE}")));
    };
    Ok((vec![draft.finish()?], Some(camera)))
}

/// A converted file as two files: cameras and lights get the file `OUT-camera`.
pub(super) fn apart(
    path: PathBuf,
    whole: Conversion<Pieces>,
    options: &ConvertOptions<'_>,
) -> Result<Vec<(PathBuf, Conversion<Pieces>)>, Error> {
    let plain = |opened, path: &Path| {
        let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let variant = options.variant.clone();
        convert_owned(
            vec![opened],
            None,
            &ConvertOptions { file_name, variant, ..ConvertOptions::to(options.to) },
        )
    };
    let name = path.to_string_lossy();
    let read = ReadOptions::default();
    let opened =
        dopesheet::open::read_as(options.to, &name, &whole.output.main.concat(), &read, &mut |_| None)?;
    let mut draft = Draft::new(Arc::new(opened))?;
    let Some(camera) = draft.split_camera(&ClipChoice::All)? else {
        return Err(Error::Usage(format!("--split: {ONLY_ONE}")));
    };
    let model = plain(draft.finish()?, &path)?;
    let Conversion { mut report, .. } = whole;
    report.report.findings.retain(|finding| finding.fault.code != CAMERA_WITH_BONES);
    let beside = beside(&path, "-camera");
    let camera = plain(camera, &beside)?;
    Ok(vec![(path, Conversion { output: model.output, report }), (beside, camera)])
}

/// A path with something behind the stem of its name.
pub(super) fn beside(path: &Path, behind: &str) -> PathBuf {
    let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = (text(path.file_stem()), text(path.extension()));
    path.with_file_name(format!("{stem}{behind}.{extension}"))
}
