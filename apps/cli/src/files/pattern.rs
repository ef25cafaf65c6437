//! The files that match a pattern.
//!
//! A folder has as many paths as links lead to it, which are infinitely many if a link leads to a folder
//! around the link. `**` therefore searches each folder once: under its real path if the path is below the
//! pattern's fixed part, because links wait until everything else has been searched; else under the first
//! link to the folder, by name.

use dopesheet::Error;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A pattern: folders without wildcards, and the parts to match below them.
pub(super) struct Pattern {
    fixed: PathBuf,
    parts: Vec<PatternPart>,
}

/// The names that match a part of a path.
enum PatternPart {
    /// Any number of folders: `**`. Never the last part, nor twice in a row.
    Folders,
    /// This name.
    Name(OsString),
    /// Names with wildcards.
    Names(glob::Pattern),
}

/// Inputs that match a pattern, and problems met on the way.
#[derive(Default)]
pub(super) struct PatternMatches {
    /// Files, and broken links whose names match like a file's.
    pub(super) files: Vec<PathBuf>,
    /// Folders that may hold further matches, and the errors of reading them.
    pub(super) unreadable: Vec<(PathBuf, io::Error)>,
    /// Folders that were not searched, and the reasons why no match is lost.
    pub(super) passed_over: BTreeMap<PathBuf, String>,
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// If the text is no valid pattern.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let invalid = |error| Error::Usage(format!("{text}: {error}"));
        glob::Pattern::new(text).map_err(invalid)?;
        let all = || Path::new(text).components().filter(|part| *part != Component::CurDir);
        let mut parts = Vec::new();
        for part in all().skip_while(is_fixed) {
            let name = part.as_os_str();
            match &*name.to_string_lossy() {
                "**" if matches!(parts.last(), Some(PatternPart::Folders)) => {}
                "**" => parts.push(PatternPart::Folders),
                name if has_wildcard(name) => {
                    parts.push(PatternPart::Names(glob::Pattern::new(name).map_err(invalid)?));
                }
                _ => parts.push(PatternPart::Name(name.to_owned())),
            }
        }
        if matches!(parts.last(), Some(PatternPart::Folders)) {
            // Two stars alone match folders; who ends with them means what is in them.
            parts.push(PatternPart::Names(glob::Pattern::new("*").map_err(invalid)?));
        }
        Ok(Self { fixed: all().take_while(is_fixed).collect(), parts })
    }

    /// The folders before the first wildcard.
    pub(super) fn fixed(&self) -> &Path {
        &self.fixed
    }

    /// Looks for its files.
    pub(super) fn find(&self) -> PatternMatches {
        let mut search = Search { parts: &self.parts, ..Search::default() };
        search.visit(self.fixed.clone(), PartIndices::from([0]));
        // Not by one expression: links are taken only when no folder is left.
        while let Some((folder, at)) = search.folders.pop().or_else(|| search.links.pop_first()) {
            search.enter(&folder, at);
        }
        search.found
    }
}

/// True of a part of a path without wildcards.
fn is_fixed(part: &Component<'_>) -> bool {
    match part {
        Component::Normal(name) => !has_wildcard(&name.to_string_lossy()),
        _ => true,
    }
}

pub(super) fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Indices of the parts of a pattern that the next name may match; the number of all parts, if a path is
/// complete.
type PartIndices = BTreeSet<usize>;

#[derive(Default)]
struct Search<'a> {
    parts: &'a [PatternPart],
    found: PatternMatches,
    /// Folders that `**`, at its index in the pattern, has searched: the real path of each, and the path of
    /// the search.
    searched: HashMap<(PathBuf, usize), PathBuf>,
    folders: Vec<(PathBuf, PartIndices)>,
    links: BTreeMap<PathBuf, PartIndices>,
}

impl Search<'_> {
    /// Handles an entry whose path matches so far.
    fn visit(&mut self, path: PathBuf, mut at: PartIndices) {
        let is_link = match on_disk(&path).symlink_metadata() {
            Ok(about) => about.is_symlink(),
            // A name without wildcards need not be there.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return;
            }
            Err(error) => return self.found.unreadable.push((path, error)),
        };
        let is_whole = at.remove(&self.parts.len());
        match on_disk(&path).metadata() {
            Ok(about) if about.is_dir() && at.is_empty() => {}
            Ok(about) if about.is_dir() && is_link => drop(self.links.insert(path, at)),
            Ok(about) if about.is_dir() => self.folders.push((path, at)),
            Ok(about) if is_whole && about.is_file() => self.found.files.push(path),
            Ok(_) => {}
            // It fails when its turn comes.
            Err(_) if is_whole => self.found.files.push(path),
            Err(error) if is_link => {
                self.found.passed_over.insert(path, format!("a broken link: {error}"));
            }
            Err(error) => self.found.unreadable.push((path, error)),
        }
    }

    /// Handles the entries of a folder.
    fn enter(&mut self, folder: &Path, at: PartIndices) {
        let entered = self.once(folder, at).and_then(|at| self.names(folder, &at));
        match entered {
            Ok(names) => names.into_iter().for_each(|(name, at)| self.visit(folder.join(name), at)),
            Err(error) => self.found.unreadable.push((folder.to_owned(), error)),
        }
    }

    /// The parts still to match, without any `**` that has already searched this folder, and with the part
    /// after each remaining `**`, because `**` matches no folder, too.
    fn once(&mut self, folder: &Path, at: PartIndices) -> io::Result<PartIndices> {
        let mut left = PartIndices::new();
        for part in at {
            if matches!(self.parts.get(part), Some(PatternPart::Folders)) {
                let identity = (on_disk(folder).canonicalize()?, part);
                if let Some(first) = self.searched.get(&identity) {
                    let text =
                        format!("the same folder as {}, which is searched once", on_disk(first).display());
                    self.found.passed_over.insert(folder.to_owned(), text);
                    continue;
                }
                self.searched.insert(identity, folder.to_owned());
                left.insert(part + 1);
            }
            left.insert(part);
        }
        Ok(left)
    }

    /// Matching names in a folder, and the parts that may follow each.
    fn names(&self, folder: &Path, at: &PartIndices) -> io::Result<BTreeMap<OsString, PartIndices>> {
        let mut names: BTreeMap<OsString, PartIndices> = BTreeMap::new();
        let mut has_wildcards = false;
        for part in at {
            match self.parts.get(*part) {
                Some(PatternPart::Name(name)) => {
                    names.entry(name.clone()).or_default().insert(part + 1);
                }
                Some(_) => has_wildcards = true,
                None => {}
            }
        }
        // Names are found without a look at the others, so that they are where the system ignores case, too, and `..` is.
        let entries = has_wildcards.then(|| on_disk(folder).read_dir()).transpose()?;
        for entry in entries.into_iter().flatten() {
            let name = entry?.file_name();
            let text = name.to_string_lossy();
            let next = at.iter().filter_map(|part| match self.parts.get(*part)? {
                PatternPart::Folders => Some(*part),
                PatternPart::Names(pattern) => pattern.matches(&text).then_some(part + 1),
                PatternPart::Name(_) => None,
            });
            let next: PartIndices = next.collect();
            if !next.is_empty() {
                names.entry(name).or_default().extend(next);
            }
        }
        Ok(names)
    }
}

/// The path by which the system knows a folder: an empty path means the current folder.
fn on_disk(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The crate `glob`, which also walks folders, as the judge for trees without links.
    #[test]
    fn without_links_the_same_is_found_as_by_the_crate_glob() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["1.vmd", ".hidden/2.vmd", "a/1.vmd", "a/[x].vmd", "a/b/1.vmd", "a/b/a/b/3.pmx", "b/a.vmd/4.txt"]
        {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let patterns = [
            "*",
            "**/*",
            "**/*.vmd",
            "*/*.vmd",
            "**/b/*",
            "**/a/**/b/*",
            "a/**/*.[vp]m?",
            "**/**/1.vmd",
            "*/../*.vmd",
            "a/[[]x].vmd",
            "?/1.*",
            "**/b/1.vmd",
            "nowhere/**/*",
            "A/*.vmd",
            "*/b/../1.vmd",
            "b/*.vmd/*",
        ];
        let mut count = 0;
        for pattern in patterns.map(|pattern| format!("{}/{pattern}", folder.path().display())) {
            let theirs = glob::glob(&pattern).unwrap().map(Result::unwrap).filter(|path| path.is_file());
            let theirs: BTreeSet<PathBuf> = theirs.collect();
            let matches = Pattern::parse(&pattern).unwrap().find();
            assert!(matches.unreadable.is_empty() && matches.passed_over.is_empty(), "{pattern}");
            assert_eq!(BTreeSet::from_iter(matches.files), theirs, "{pattern}");
            count += theirs.len();
        }
        assert!(count >= 35, "{count}");
        let in_it = |text: &str| {
            Pattern::parse(&format!("{}/{text}", folder.path().display())).unwrap().find().files.len()
        };
        assert_eq!((in_it("**"), in_it("a/**")), (7, 4), "two stars at the end mean what is in the folders");
        assert!(matches!(Pattern::parse("a**/b"), Err(Error::Usage(_))));
        assert!(matches!(Pattern::parse("a/[b"), Err(Error::Usage(_))));
    }
}
