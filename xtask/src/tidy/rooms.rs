//! Every format is a room with the same doors; docs/adding-a-format.md draws it.

use super::texts::{Faults, Text};

/// The doors of a room: files, or folders of that name where one file would be too long.
const DOORS: [&str; 6] = ["document", "read", "write", "check", "to_scene", "from_scene"];
/// Pages of every room.
const PAGES: [&str; 2] = ["README.md", "LAYOUT.md"];
const FIXTURES: [&str; 3] = ["valid", "invalid", "quirk"];

/// Every folder that implements `Format` has the same doors, pages and kinds of fixtures.
pub(super) fn check(files: &[String], texts: &[Text]) -> Faults {
    let rooms: Vec<Room<'_>> = texts.iter().filter_map(Room::of).collect();
    let mut faults: Faults = rooms.iter().flat_map(|room| room.faults(files)).collect();
    if rooms.is_empty() {
        faults.push("formats: expected rooms, found none".into());
    }
    faults
}

struct Room<'a> {
    /// `formats/mmd/src/vmd`
    folder: &'a str,
    /// A format that is another one in a wrapper has the document, and so the doors, of that other room.
    is_wrapper: bool,
    /// Formats that are only read have no way out of a scene.
    is_written: bool,
}

impl<'a> Room<'a> {
    /// The room that a file introduces, if it does.
    fn of(file: &'a Text) -> Option<Self> {
        let folder = file.path.strip_suffix("/mod.rs").filter(|f| f.starts_with("formats/"))?;
        let has = |words: &str| file.text.contains(words);
        has("impl Format for ").then(|| Self {
            folder,
            is_wrapper: !has("mod document;"),
            is_written: has("from_scene"),
        })
    }

    fn faults(&self, files: &[String]) -> Faults {
        let exists = |path: &str| files.iter().any(|f| f.strip_prefix(path) == Some(""));
        let has_files = |path: &str| files.iter().any(|f| f.starts_with(path));
        let mut faults = Faults::new();
        for page in PAGES.map(|page| format!("{}/{page}", self.folder)) {
            if !exists(&page) {
                faults.push(format!("{page}: expected this page"));
            }
        }
        let doors = DOORS.iter().filter(|d| !self.is_wrapper && (self.is_written || **d != "from_scene"));
        for door in doors.map(|door| format!("{}/{door}", self.folder)) {
            if !exists(&format!("{door}.rs")) && !exists(&format!("{door}/mod.rs")) {
                faults.push(format!("{door}.rs: expected this door"));
            }
        }
        for kind in FIXTURES.map(|kind| format!("{}/fixtures/{kind}/", self.folder)) {
            if !has_files(&kind) {
                faults.push(format!("{kind}: expected fixtures"));
            }
        }
        if !exists(&format!("{}/fixtures/README.md", self.folder)) {
            faults.push(format!("{}/fixtures/README.md: expected origin, licence and reason", self.folder));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::super::texts::text;
    use super::*;

    const MOD: &str = "formats/a/src/foo/mod.rs";
    const INTRODUCTION: &str = "mod document; impl Format for Foo { fn from_scene() }";

    fn complete() -> Vec<String> {
        let doors = DOORS.map(|d| format!("{d}.rs"));
        let fixtures = FIXTURES.map(|f| format!("fixtures/{f}/x.foo"));
        let all = doors.into_iter().chain(fixtures).chain(PAGES.map(str::to_owned));
        all.chain(["fixtures/README.md".into()]).map(|f| format!("formats/a/src/foo/{f}")).collect()
    }

    #[test]
    fn a_room_lacks_what_is_removed_from_it() {
        let introduction = [text(MOD, INTRODUCTION)];
        assert_eq!(check(&complete(), &introduction), Faults::new());
        for missing in 0..complete().len() {
            let mut files = complete();
            let removed = files.remove(missing);
            assert_eq!(check(&files, &introduction).len(), 1, "{removed}");
        }
    }

    #[test]
    fn a_door_may_be_a_folder() {
        let files: Vec<String> = complete().iter().map(|f| f.replace("check.rs", "check/mod.rs")).collect();
        assert!(check(&files, &[text(MOD, INTRODUCTION)]).is_empty());
    }

    #[test]
    fn a_wrapper_has_pages_and_fixtures_but_no_doors_of_its_own() {
        let files: Vec<String> = complete().into_iter().filter(|f| !f.ends_with(".rs")).collect();
        let wrapper = "use crate::bar::Document; impl Format for Foo { fn from_scene() }";
        assert!(check(&files, &[text(MOD, wrapper)]).is_empty());
        assert_eq!(check(&files, &[text(MOD, INTRODUCTION)]).len(), DOORS.len());
    }

    #[test]
    fn a_house_without_rooms_is_a_fault() {
        assert_eq!(check(&complete(), &[]).len(), 1);
    }
}
