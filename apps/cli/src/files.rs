//! From what was typed to files, and back from results to file names.

use dopesheet::{Archive, Error, ReadOptions, registry};
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Where it is; `-` is standard input.
    pub(crate) path: PathBuf,
    /// What of its path is kept below an output folder.
    pub(crate) below: PathBuf,
    /// Whether a pattern found it, rather than somebody who named it.
    pub(crate) by_pattern: bool,
}

impl Input {
    pub(crate) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// The file's bytes. Those of standard input are to be had only once, by [`Input::open`].
    pub(crate) fn bytes(&self, lenient: bool) -> Result<Vec<u8>, Error> {
        if self.is_standard_input() {
            return Err(Error::Usage("expected a file, found standard input".into()));
        }
        dopesheet::file_bytes(&self.path, lenient)
    }

    /// Reads the file.
    pub(crate) fn open(&self, read: &crate::args::ReadArgs) -> Result<dopesheet::Opened, Error> {
        let mut opened = self.read(read)?;
        if let Some(facts) = &read.assume {
            opened.assume(facts)?;
        }
        Ok(opened)
    }

    fn read(&self, read: &crate::args::ReadArgs) -> Result<dopesheet::Opened, Error> {
        let options = ReadOptions { lenient: read.lenient, ..ReadOptions::default() };
        let format = read.from.as_deref().map(registry::wanted).transpose()?;
        if !self.is_standard_input() {
            return dopesheet::open(&self.path, format, &options);
        }
        let mut bytes = Vec::new();
        let io = |source| Error::Io { path: "standard input".into(), source };
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(io)?;
        match format {
            Some(format) => dopesheet::read_as(format, "-", &bytes, &options, &mut |_| None),
            None => dopesheet::read("-", &bytes, &options, &mut |_| None),
        }
    }
}

/// All files that the arguments name, in their order; each glob's in the order of their names.
pub(crate) fn expand(arguments: &[String]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for argument in arguments {
        let path = Path::new(argument);
        if !argument.contains(['*', '?', '[']) || path.exists() {
            let below = path.file_name().map_or_else(|| path.to_owned(), PathBuf::from);
            inputs.push(Input { path: path.to_owned(), below, by_pattern: false });
            continue;
        }
        let before = inputs.len();
        let options = glob::MatchOptions { case_sensitive: true, ..glob::MatchOptions::default() };
        // Two stars alone match folders; who ends with them means what is in them.
        let pattern = if argument.ends_with("**") { format!("{argument}/*") } else { argument.clone() };
        let found =
            glob::glob_with(&pattern, options).map_err(|e| Error::Usage(format!("{argument}: {e}")))?;
        let fixed = fixed_part(path);
        for path in found.filter_map(Result::ok).filter(|p| p.is_file()) {
            let below = path.strip_prefix(&fixed).unwrap_or(&path).to_owned();
            inputs.push(Input { path, below, by_pattern: true });
        }
        if inputs.len() == before {
            return Err(Error::Usage(format!("expected files that match {argument}, found none")));
        }
    }
    Ok(inputs)
}

/// Archives among the inputs become those of their entries, nested ones included, whose format is known.
pub(crate) fn open_archives(inputs: Vec<Input>, lenient: bool) -> Vec<Input> {
    let mut all = Vec::with_capacity(inputs.len());
    for input in inputs {
        match entries(&input, lenient) {
            Ok(Some(entries)) => all.extend(entries),
            // What cannot be read fails when its turn comes, and holds nothing else back.
            Ok(None) | Err(_) => all.push(input),
        }
    }
    all
}

/// The files of known formats in an archive; `None` if the input is no archive.
fn entries(input: &Input, lenient: bool) -> Result<Option<Vec<Input>>, Error> {
    let archive = if input.path.is_file() { Archive::open(&input.path, lenient)? } else { None };
    let Some(archive) = archive else { return Ok(None) };
    let mut all = Vec::new();
    for entry in archive.entries(true)?.into_iter().filter(|e| !e.is_archive) {
        let known = dopesheet::detect(&entry.path, &archive.bytes(&entry)?).is_ok();
        if let (true, Ok(names)) = (known, &entry.names) {
            let path = PathBuf::from(format!("{}:{}", input.name(), entry.path));
            let below =
                std::iter::once(input.below.with_extension("")).chain(names.iter().map(PathBuf::from));
            all.push(Input { path, below: below.collect(), by_pattern: input.by_pattern });
        }
    }
    Ok(Some(all))
}

/// Leaves out inputs that a pattern found and that are the outputs of others, or what a run keeps `beside` them: those of
/// an earlier run into a folder that the pattern reaches, too.
pub(crate) fn without_outputs(
    inputs: Vec<Input>,
    outputs: Vec<PathBuf>,
    beside: &[PathBuf],
) -> Vec<(Input, PathBuf)> {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let made: HashSet<PathBuf> = outputs.iter().chain(beside).map(|output| whole(output)).collect();
    let is_made = |(input, output): &(Input, PathBuf)| {
        let path = whole(&input.path);
        input.by_pattern && made.contains(&path) && path != whole(output)
    };
    inputs.into_iter().zip(outputs).filter(|pair| !is_made(pair)).collect()
}

/// The folders of a glob before its first wildcard.
fn fixed_part(pattern: &Path) -> PathBuf {
    let parts =
        pattern.components().take_while(|c| !c.as_os_str().to_string_lossy().contains(['*', '?', '[']));
    parts.collect()
}

/// Where each input's output goes below a folder. Two inputs for one output are refused.
pub(crate) fn outputs_below(folder: &Path, inputs: &[Input], extension: &str) -> Result<Vec<PathBuf>, Error> {
    let outputs: Vec<PathBuf> =
        inputs.iter().map(|i| folder.join(i.below.with_extension(extension))).collect();
    refuse_two_for_one(inputs, &outputs)?;
    Ok(outputs)
}

/// Refuses two inputs for one output.
pub(crate) fn refuse_two_for_one(inputs: &[Input], outputs: &[PathBuf]) -> Result<(), Error> {
    let mut first = HashMap::with_capacity(outputs.len());
    for (input, output) in inputs.iter().zip(outputs) {
        if let Some(other) = first.insert(output, input) {
            let text = format!(
                "expected one input for each output, found {} and {} for {}",
                other.name(),
                input.name(),
                output.display()
            );
            return Err(Error::Usage(text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_below_the_fixed_part_is_kept() {
        assert_eq!(fixed_part(Path::new("a/b/*/c.vmd")), Path::new("a/b"));
        assert_eq!(fixed_part(Path::new("*.vmd")), Path::new(""));
        let input = |p: &str, below: &str| Input { path: p.into(), below: below.into(), by_pattern: false };
        let inputs = [input("a/x/1.vmd", "x/1.vmd"), input("a/y/1.vmd", "y/1.vmd")];
        let outputs = outputs_below(Path::new("out"), &inputs, "glb").unwrap();
        assert_eq!(outputs, [Path::new("out/x/1.glb"), Path::new("out/y/1.glb")]);
    }

    #[test]
    fn what_a_run_made_is_not_an_input_of_the_next() {
        let input = |p: &str| Input { path: p.into(), below: p.into(), by_pattern: true };
        let inputs = vec![input("a.vmd"), input("out/a.vmd"), input("out/mine.vmd")];
        let outputs = outputs_below(Path::new("out"), &inputs, "vmd").unwrap();
        let left = without_outputs(inputs, outputs, &[]);
        let names: Vec<_> = left.iter().map(|(input, _)| input.name()).collect();
        assert_eq!(names, ["a.vmd", "out/mine.vmd"]);
        let same = vec![input("a.vmd")];
        let outputs = outputs_below(Path::new("."), &same, "vmd").unwrap();
        assert_eq!(without_outputs(same, outputs, &[]).len(), 1, "a file may be written over itself");
    }

    #[test]
    fn two_inputs_for_one_output_are_refused() {
        let input = |p: &str| Input { path: p.into(), below: "1.vmd".into(), by_pattern: false };
        let error =
            outputs_below(Path::new("out"), &[input("a/1.vmd"), input("b/1.vmd")], "glb").unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected one input for each output, found a/1.vmd and b/1.vmd for out/1.glb"
        );
    }
}
