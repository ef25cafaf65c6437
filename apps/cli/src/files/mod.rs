//! From arguments to files, and back from results to file names.

mod pattern;

use crate::args::ReadArgs;
use crate::console;
use dopesheet::core::format::container::{ENTRY_OVERLAP, UNSAFE_NAME};
use dopesheet::{Archive, Error, Opened, archive::Refused, registry, save};
use pattern::Pattern;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Path of the file; `-` is standard input.
    pub(crate) path: PathBuf,
    /// The part of the path that is kept below an output folder.
    pub(crate) below: PathBuf,
    /// True if a pattern matched the file and no argument named it.
    pub(crate) by_pattern: bool,
    /// The reason for a refusal without any attempt, if there is one. A refused input fails like any other
    /// file, so that it is never left out in silence.
    pub(crate) refused: Option<Refusal>,
}

/// The reason why something is an input in name only.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    kind: io::ErrorKind,
    what: String,
}

impl Refusal {
    fn of_name(what: &str) -> Self {
        Self { kind: io::ErrorKind::InvalidFilename, what: what.into() }
    }

    fn of_entry(refused: &Refused) -> Self {
        let Refused { code, why } = refused;
        match *code {
            UNSAFE_NAME => Self::of_name(&format!("a name that is not safe to write: {why}")),
            ENTRY_OVERLAP => {
                let what = format!("an entry that is never taken out [{code}]: {why}");
                Self { kind: io::ErrorKind::InvalidData, what }
            }
            _ => Self::of_name(&format!("a name that is taken [{code}]: {why}")),
        }
    }
}

impl Input {
    fn found(path: PathBuf, fixed: &Path) -> Self {
        let below = path.strip_prefix(fixed).unwrap_or(&path).to_owned();
        let refused = path.to_str().is_none().then(|| {
            Refusal::of_name("a name that is not UTF-8 (each %XX is one byte of it); rename the file")
        });
        Self { path, below, by_pattern: true, refused }
    }

    fn refused(path: PathBuf, refusal: Refusal) -> Self {
        Self { path, below: PathBuf::new(), by_pattern: true, refused: Some(refusal) }
    }

    /// Name of the input in messages and JSON. Bytes that are no UTF-8, and `%` beside such bytes, become
    /// `%XX`.
    pub(crate) fn name(&self) -> String {
        self.path.to_str().map_or_else(|| escaped(&self.path), str::to_owned)
    }

    /// The reason for a refusal without any attempt, if there is one.
    pub(crate) fn refusal(&self) -> Option<Error> {
        let Refusal { kind, what } = self.refused.as_ref()?;
        Some(Error::Io { path: self.name().into(), source: io::Error::new(*kind, what.clone()) })
    }

    pub(crate) fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// The file's bytes. Standard input can be read only once, by [`Input::open`].
    pub(crate) fn bytes(&self, lenient: bool) -> Result<Vec<u8>, Error> {
        if let Some(refusal) = self.refusal() {
            return Err(refusal);
        }
        if self.is_standard_input() {
            return Err(Error::Usage("standard input cannot be read here; name a file".into()));
        }
        dopesheet::open::file_bytes(&self.path, lenient)
    }

    /// Reads the file.
    pub(crate) fn open(&self, read: &ReadArgs) -> Result<Opened, Error> {
        let mut opened = self.read(read)?;
        if let Some(facts) = &read.assume {
            opened.assume(facts)?;
        }
        Ok(opened)
    }

    fn read(&self, read: &ReadArgs) -> Result<Opened, Error> {
        if let Some(refusal) = self.refusal() {
            return Err(refusal);
        }
        if self.path.is_dir() {
            let name = self.name();
            let below = name.trim_end_matches(std::path::is_separator);
            let text = format!(
                "{name} is a folder; '{below}/*' names the files in it, '{below}/**' those below, too"
            );
            return Err(Error::Usage(text));
        }
        let options = read.options();
        let format = read.from.as_deref().map(registry::wanted).transpose()?;
        let bytes = if self.is_standard_input() {
            let io = |source| Error::Io { path: "standard input".into(), source };
            dopesheet::open::stream(io::stdin().lock(), read.longest_pipe()).map_err(io)?
        } else if read.pipes && is_special(&self.path) {
            let io = |source| Error::Io { path: self.path.clone(), source };
            File::open(&self.path)
                .and_then(|pipe| dopesheet::open::stream(pipe, read.longest_pipe()))
                .map_err(io)?
        } else {
            return dopesheet::open(&self.path, format, &options);
        };
        let name = self.name();
        match format {
            Some(format) => dopesheet::open::read_as(format, &name, &bytes, &options, &mut |_| None),
            None => dopesheet::read(&name, &bytes, &options, &mut |_| None),
        }
    }
}

/// True if a path leads to a pipe, a socket or a device.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// A path that is not UTF-8, as text from which its bytes can be recovered.
fn escaped(path: &Path) -> String {
    let mut out = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        out.push_str(&chunk.valid().replace('%', "%25"));
        for byte in chunk.invalid() {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// All files named by the arguments, in their order, with the matches of each glob sorted by name. Folders
/// that a glob could not read are included as refused inputs.
pub(crate) fn expand(arguments: &[String]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    refuse_torn_names(arguments)?;
    for argument in arguments {
        let path = Path::new(argument);
        if !pattern::has_wildcard(argument) || path.exists() {
            let below = path.file_name().map_or_else(|| path.to_owned(), PathBuf::from);
            inputs.push(Input { path: path.to_owned(), below, by_pattern: false, refused: None });
            continue;
        }
        let mut matching = matching(argument)?;
        if matching.is_empty() {
            return Err(Error::Usage(format!("no file matches {argument}")));
        }
        inputs.append(&mut matching);
    }
    Ok(inputs)
}

/// Refuses arguments that are the pieces of a single file name with spaces, given without quotes.
fn refuse_torn_names(arguments: &[String]) -> Result<(), Error> {
    for (start, first) in arguments.iter().enumerate() {
        if Path::new(first).exists() {
            continue;
        }
        let mut name = first.clone();
        for piece in &arguments[start + 1..] {
            name = format!("{name} {piece}");
            if Path::new(&name).is_file() {
                let text = format!(
                    "{first}: no such file, but there is \"{name}\"; put a name with spaces in quotes"
                );
                return Err(Error::Usage(text));
            }
        }
    }
    Ok(())
}

/// Inputs that match a glob, in the order of their names.
fn matching(glob: &str) -> Result<Vec<Input>, Error> {
    let pattern = Pattern::parse(glob)?;
    // A pattern that ends in a slash means folders.
    let matches = if glob.ends_with(std::path::is_separator) { Default::default() } else { pattern.find() };
    for (path, why) in matches.passed_over {
        console::say(&format!("warning: {}: {why}", path.display()));
    }
    let unreadable = matches.unreadable.into_iter().map(|(path, error)| {
        let what = format!("a folder that cannot be read: {error}");
        Input::refused(path, Refusal { kind: error.kind(), what })
    });
    let files = matches.files.into_iter().map(|path| Input::found(path, pattern.fixed()));
    let mut inputs: Vec<_> = files.chain(unreadable).collect();
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(inputs)
}

/// Replaces archives among the inputs by their entries of known formats, nested entries included.
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

/// The files of known formats in an archive, and all files with unsafe names; `None` if the input is no
/// archive.
fn entries(input: &Input, lenient: bool) -> Result<Option<Vec<Input>>, Error> {
    let may_be_one = input.refused.is_none() && input.path.is_file();
    let archive = if may_be_one { Archive::open(&input.path, lenient)? } else { None };
    let Some(archive) = archive else { return Ok(None) };
    let mut all = Vec::new();
    for entry in archive.entries(true)?.into_iter().filter(|e| !e.is_archive) {
        let names = match &entry.names {
            Ok(names) => names,
            Err(why) => {
                let path = format!("{}:{}", input.name(), entry.path.escape_debug());
                all.push(Input::refused(path.into(), Refusal::of_entry(why)));
                continue;
            }
        };
        if dopesheet::open::detect(&entry.path, &archive.bytes(&entry)?).is_ok() {
            let path = PathBuf::from(format!("{}:{}", input.name(), entry.path));
            let below =
                std::iter::once(input.below.with_extension("")).chain(names.iter().map(PathBuf::from));
            all.push(Input { path, below: below.collect(), by_pattern: input.by_pattern, refused: None });
        }
    }
    Ok(Some(all))
}

/// Leaves out inputs matched by a pattern that are outputs of other inputs, or files that a run keeps
/// beside them (`kept_files`), including the files of an earlier run into a folder that the pattern reaches.
pub(crate) fn without_outputs(
    inputs: Vec<Input>,
    outputs: Vec<PathBuf>,
    kept_files: &[PathBuf],
) -> Vec<(Input, PathBuf)> {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let written: HashSet<PathBuf> = outputs.iter().chain(kept_files).map(|output| whole(output)).collect();
    let is_made = |(input, output): &(Input, PathBuf)| {
        let path = whole(&input.path);
        input.by_pattern && written.contains(&path) && path != whole(output)
    };
    inputs.into_iter().zip(outputs).filter(|pair| !is_made(pair)).collect()
}

/// The path of each input's output below a folder. Two inputs for the same output are refused.
pub(crate) fn outputs_below(
    folder: &Path,
    inputs: &[Input],
    extension: Option<&str>,
) -> Result<Vec<PathBuf>, Error> {
    let name = |input: &Input| match extension {
        Some(extension) => input.below.with_extension(extension),
        None => input.below.clone(),
    };
    let outputs: Vec<PathBuf> = inputs.iter().map(|input| folder.join(name(input))).collect();
    refuse_two_for_one(inputs, &outputs)?;
    Ok(outputs)
}

/// Refuses a file named by an option if it is among `named_files`, each given with its role.
pub(crate) fn refuse_one_name<'a>(
    option: &str,
    named: &Path,
    named_files: impl IntoIterator<Item = (&'a str, &'a Path)>,
) -> Result<(), Error> {
    let named_id = save::identity(named);
    match named_files.into_iter().find(|(_, other)| save::identity(other) == named_id) {
        Some((role, other)) => {
            let alias = if other == named { String::new() } else { format!(" ({})", other.display()) };
            let text = format!("{option} names {}, which is {role}{alias} too", named.display());
            Err(Error::Usage(text + "; name another file"))
        }
        None => Ok(()),
    }
}

/// Refuses two inputs for the same output.
pub(crate) fn refuse_two_for_one<'a>(
    inputs: impl IntoIterator<Item = &'a Input>,
    outputs: &[PathBuf],
) -> Result<(), Error> {
    let mut first = HashMap::with_capacity(outputs.len());
    for (input, output) in inputs.into_iter().zip(outputs) {
        if let Some(other) = first.insert(output, input) {
            let text = format!(
                "{} and {} would both be written to {}",
                other.name(),
                input.name(),
                output.display()
            );
            return Err(Error::Usage(text));
        }
    }
    Ok(())
}

/// Opens the only file of a name or pattern.
pub(crate) fn open_one(name: &String, read: &ReadArgs) -> Result<Opened, Error> {
    match &expand(std::slice::from_ref(name))?[..] {
        [input] => input.open(read),
        all => Err(Error::Usage(format!("{} files match; name one", all.len()))),
    }
}

/// The file of a picture; `None` is standard output, which is refused together with JSON.
pub(crate) fn output(path: &Path, json: bool) -> Result<Option<&Path>, Error> {
    match (path.as_os_str() == "-", json) {
        (true, true) => Err(Error::Usage("--json and -o - both write to standard output; choose one".into())),
        (true, false) => Ok(None),
        (false, _) => Ok(Some(path)),
    }
}

/// Writes a whole file, or to standard output.
pub(crate) fn put(file: Option<&Path>, bytes: &[u8], force: bool) -> Result<(), Error> {
    match file {
        Some(path) => save::bytes_to(path, bytes, force),
        None => console::data(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_below_the_fixed_part_is_kept() {
        let fixed = |pattern: &str| Pattern::parse(pattern).unwrap().fixed().to_owned();
        assert_eq!(fixed("a/b/*/c.vmd"), Path::new("a/b"));
        assert_eq!(fixed("./a/**"), Path::new("a"));
        assert_eq!(fixed("*.vmd"), Path::new(""));
        let inputs = ["a/x/1.vmd", "a/y/1.vmd"].map(|path| Input::found(path.into(), Path::new("a")));
        let outputs = outputs_below(Path::new("out"), &inputs, Some("glb")).unwrap();
        assert_eq!(outputs, [Path::new("out/x/1.glb"), Path::new("out/y/1.glb")]);
    }

    #[test]
    fn names_that_are_no_utf_8_can_be_told_from_their_text() {
        assert_eq!(escaped(Path::new("50%.vmd")), "50%25.vmd");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let path = Path::new(std::ffi::OsStr::from_bytes(b"\x83Z%\xe3\x81.vmd"));
            assert_eq!(Input::found(path.to_owned(), Path::new("")).name(), "%83Z%25%E3%81.vmd");
        }
    }

    #[test]
    fn what_a_run_made_is_not_an_input_of_the_next() {
        let input = |p: &str| Input::found(p.into(), Path::new(""));
        let inputs = vec![input("a.vmd"), input("out/a.vmd"), input("out/mine.vmd")];
        let outputs = outputs_below(Path::new("out"), &inputs, Some("vmd")).unwrap();
        let left = without_outputs(inputs, outputs, &[]);
        let names: Vec<_> = left.iter().map(|(input, _)| input.name()).collect();
        assert_eq!(names, ["a.vmd", "out/mine.vmd"]);
        let same = vec![input("a.vmd")];
        let outputs = outputs_below(Path::new("."), &same, Some("vmd")).unwrap();
        assert_eq!(without_outputs(same, outputs, &[]).len(), 1, "a file may be written over itself");
    }

    #[test]
    fn two_inputs_for_one_output_are_refused() {
        let inputs =
            ["a", "b"].map(|folder| Input::found(format!("{folder}/1.vmd").into(), Path::new(folder)));
        let error = outputs_below(Path::new("out"), &inputs, Some("glb")).unwrap_err();
        assert_eq!(error.to_string(), "a/1.vmd and b/1.vmd would both be written to out/1.glb");
    }
}
