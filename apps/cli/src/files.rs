//! From what was typed to files, and back from results to file names.

use dopesheet::{Archive, Error, ReadOptions, registry};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Where it is; `-` is standard input.
    pub(crate) path: PathBuf,
    /// What of its path is kept below an output folder.
    pub(crate) below: PathBuf,
}

impl Input {
    pub(crate) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == "-"
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
            inputs.push(Input { path: path.to_owned(), below });
            continue;
        }
        let before = inputs.len();
        let options = glob::MatchOptions { case_sensitive: true, ..glob::MatchOptions::default() };
        let found =
            glob::glob_with(argument, options).map_err(|e| Error::Usage(format!("{argument}: {e}")))?;
        let fixed = fixed_part(path);
        for path in found.filter_map(Result::ok).filter(|p| p.is_file()) {
            let below = path.strip_prefix(&fixed).unwrap_or(&path).to_owned();
            inputs.push(Input { path, below });
        }
        if inputs.len() == before {
            return Err(Error::Usage(format!("expected files that match {argument}, found none")));
        }
    }
    Ok(inputs)
}

/// Archives among the inputs become those of their entries, nested ones included, whose format is known.
pub(crate) fn open_archives(inputs: Vec<Input>, lenient: bool) -> Result<Vec<Input>, Error> {
    let mut all = Vec::with_capacity(inputs.len());
    for input in inputs {
        let archive = if input.path.is_file() { Archive::open(&input.path, lenient)? } else { None };
        let Some(archive) = archive else {
            all.push(input);
            continue;
        };
        for entry in archive.entries(true)?.into_iter().filter(|e| !e.is_archive) {
            let known = dopesheet::detect(&entry.path, &archive.bytes(&entry)?).is_ok();
            if let (true, Ok(names)) = (known, &entry.names) {
                let path = PathBuf::from(format!("{}:{}", input.name(), entry.path));
                let below =
                    std::iter::once(input.below.with_extension("")).chain(names.iter().map(PathBuf::from));
                all.push(Input { path, below: below.collect() });
            }
        }
    }
    Ok(all)
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
    for (index, output) in outputs.iter().enumerate() {
        if let Some(first) = outputs.iter().take(index).position(|o| o == output) {
            let text = format!(
                "expected one input for each output, found {} and {} for {}",
                inputs[first].name(),
                inputs[index].name(),
                output.display()
            );
            return Err(Error::Usage(text));
        }
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_below_the_fixed_part_is_kept() {
        assert_eq!(fixed_part(Path::new("a/b/*/c.vmd")), Path::new("a/b"));
        assert_eq!(fixed_part(Path::new("*.vmd")), Path::new(""));
        let input = |p: &str, below: &str| Input { path: p.into(), below: below.into() };
        let inputs = [input("a/x/1.vmd", "x/1.vmd"), input("a/y/1.vmd", "y/1.vmd")];
        let outputs = outputs_below(Path::new("out"), &inputs, "glb").unwrap();
        assert_eq!(outputs, [Path::new("out/x/1.glb"), Path::new("out/y/1.glb")]);
    }

    #[test]
    fn two_inputs_for_one_output_are_refused() {
        let input = |p: &str| Input { path: p.into(), below: "1.vmd".into() };
        let error =
            outputs_below(Path::new("out"), &[input("a/1.vmd"), input("b/1.vmd")], "glb").unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected one input for each output, found a/1.vmd and b/1.vmd for out/1.glb"
        );
    }
}
