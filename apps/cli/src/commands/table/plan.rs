//! The assignment of inputs to chunks, before any work.

use crate::args::TableArgs;
use crate::{files, folder};
use dopesheet::Error;
use dopesheet::table::TableForm;
use std::path::{Path, PathBuf};

/// Denominator of a chunk's share of the inputs: chunks of a 64th give work to many cores and lose little
/// when killed. The other two bounds keep files from being needlessly small, and the inputs of a chunk from
/// becoming too many to keep track of.
const SHARE: usize = 64;
const FEWEST: usize = 8;
const MOST: usize = 1024;

/// Inputs in sequence, cut into chunks by their number alone: neither their contents nor the number of cores
/// changes the chunks.
pub(super) fn plan(args: &TableArgs, form: TableForm) -> Result<Vec<folder::Job>, Error> {
    let output = &args.output;
    if output.is_file() || output.as_os_str() == "-" {
        let text = format!("a dataset is written to a folder, and {} is not one", output.display());
        return Err(Error::Usage(text));
    }
    let inputs = files::open_archives(files::expand(&args.inputs)?, args.read.lenient);
    let inputs: Vec<_> = inputs.into_iter().filter(|input| !is_made(input, output)).collect();
    let (tried, names): (Vec<_>, Vec<PathBuf>) = inputs
        .iter()
        .filter(|input| input.refused.is_none())
        .map(|input| (input, input.below.clone()))
        .unzip();
    files::refuse_two_for_one(tried, &names)?;
    let size = args.chunk_files.map_or_else(|| inputs.len().div_ceil(SHARE).clamp(FEWEST, MOST), usize::from);
    let chunk = |(number, inputs): (usize, &[files::Input])| folder::Job {
        inputs: folder::Sources::Many(inputs.to_vec()),
        output: output.join(format!("part-{number:05}.{}", form.id())),
    };
    Ok(inputs.chunks(size).enumerate().map(chunk).collect())
}

/// True for files that an earlier run has written.
fn is_made(input: &files::Input, output: &Path) -> bool {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    input.by_pattern && whole(&input.path).starts_with(whole(output))
}

/// Name of a file in rows: its path below the pattern's fixed part, with slashes.
pub(super) fn id(input: &files::Input) -> String {
    let parts = input.below.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}
