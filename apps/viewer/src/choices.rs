//! The user's choices about motions and figures, as far as they can be undone.

use dopesheet::core::format::NameMap;
use dopesheet::{convert::Setting, convert::settings, edit::Line};
use std::collections::BTreeMap;

/// An operation: its word, and its options in JSON.
pub(crate) type Change = (String, String);

/// Names of nodes with the words of their bones, of the motion (0) and of the figure (1).
pub(crate) type Names = [Vec<(String, String)>; 2];

/// The user's choices about motions and figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Choices {
    /// Serial number of the figure that takes the motion.
    pub(crate) figure: Option<u32>,
    /// Ids and values of the chosen settings.
    pub(crate) asked: BTreeMap<&'static str, String>,
    /// Names of nodes with the words of their bones, of the motion (0) and of the figure (1).
    pub(crate) bones: [BTreeMap<String, String>; 2],
    /// Operations on files, by the files' serial numbers.
    pub(crate) changes: BTreeMap<u32, Vec<Change>>,
}

impl Choices {
    /// Chooses the value of a setting, or removes the setting.
    pub(crate) fn ask(&mut self, id: &'static str, value: Option<String>) {
        match value {
            Some(value) => drop(self.asked.insert(id, value)),
            None => drop(self.asked.remove(id)),
        }
    }

    /// Ids of the chosen settings with their values.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        self.asked.iter().map(|(id, value)| ((*id).to_owned(), value.clone())).collect()
    }

    /// Names of nodes with the words of their bones, of the motion (0) and of the figure (1).
    pub(crate) fn names(&self) -> Names {
        self.bones
            .each_ref()
            .map(|bones| bones.iter().map(|(node, bone)| (node.clone(), bone.clone())).collect())
    }

    /// True if a node was chosen for a bone.
    pub(crate) fn has_bones(&self) -> bool {
        self.bones.iter().any(|bones| !bones.is_empty())
    }

    /// True for a setting that is not chosen and excluded by a chosen one.
    pub(crate) fn excludes(&self, setting: &Setting) -> bool {
        let by =
            |other: &Setting| setting.excludes.contains(&other.id) || other.excludes.contains(&setting.id);
        !self.asked.contains_key(setting.id)
            && settings().iter().any(|other| self.asked.contains_key(other.id) && by(other))
    }

    /// Operations on a file.
    pub(crate) fn of(&self, serial: u32) -> &[Change] {
        self.changes.get(&serial).map_or(&[], Vec::as_slice)
    }

    /// The step from earlier choices to these, in words; `name` yields the name of a file by its serial number.
    pub(crate) fn since(&self, earlier: &Self, name: impl Fn(u32) -> Option<String>) -> String {
        let mut words = Vec::new();
        if self.figure != earlier.figure {
            let figure = self.figure.and_then(name);
            words.push(figure.map_or_else(|| "no figure".to_owned(), |figure| format!("onto {figure}")));
        }
        for (serial, changes) in &self.changes {
            let before = earlier.of(*serial);
            match changes.strip_prefix(before) {
                Some(added) => {
                    words.extend(added.iter().map(|(word, options)| line(word, options, word).text))
                }
                None => words.push("operations".to_owned()),
            }
        }
        for (id, value) in &self.asked {
            if earlier.asked.get(id) != Some(value) {
                words.push(format!("{} {value}", id.replace('-', " ")).trim_end().to_owned());
            }
        }
        let gone = earlier.asked.keys().filter(|id| !self.asked.contains_key(*id));
        words.extend(gone.map(|id| format!("{} as usual", id.replace('-', " "))));
        if self.bones != earlier.bones {
            let sides = self.bones.iter().zip(&earlier.bones);
            let new = sides.flat_map(|(bones, earlier)| {
                bones.iter().filter(|(node, bone)| earlier.get(*node) != Some(bone))
            });
            let new: Vec<String> = new.map(|(node, bone)| format!("{node} is {bone}")).collect();
            words.push(if new.is_empty() { "bones as found".to_owned() } else { new.join(", ") });
        }
        words.retain(|part| !part.is_empty());
        words.join("; ")
    }
}

/// The names of nodes and bones as a map for the library.
pub(crate) fn map([motion, figure]: &Names) -> NameMap {
    NameMap::new(motion.iter().cloned()).with_figure(NameMap::new(figure.iter().cloned()))
}

/// An operation as an argument of the command, with the file it names, whose name starts with `stem`; the operation as programs describe it
/// where the command has no such line.
pub(crate) fn line(word: &str, options: &str, stem: &str) -> Line {
    let described = || Line { text: format!("{word} {options}"), file: None };
    dopesheet::edit::line(word, options, stem).unwrap_or_else(described)
}
