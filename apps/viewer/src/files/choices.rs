//! The user's choices about motions and figures, as far as they can be undone.

use dopesheet::core::format::NameMap;
use dopesheet::{convert::Setting, convert::settings, edit::Line};
use std::collections::BTreeMap;

/// An operation: its word, and its options in JSON.
pub(crate) type Change = (String, String);

/// Names of nodes with the words of their bones, of the motion (0) and of the figure (1).
pub(crate) type Names = [Vec<(String, String)>; 2];

/// Ids of the settings that have no effect without a figure.
pub(crate) const OF_FIGURES: [&str; 7] =
    ["contacts", "hands", "arm-space", "floor", "raise", "vocabulary", PERSON];
/// Id of the setting of the human figures that count.
pub(crate) const PERSON: &str = "person";

/// Serial numbers of the file to which a setting belongs, and of the figure if the setting is about figures; and the id of the setting.
pub(crate) type Key = (Option<u32>, Option<u32>, &'static str);

/// The user's choices about motions and figures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// Serial number of the figure that takes the motion.
    pub(crate) figure: Option<u32>,
    /// Values of the chosen settings of all files.
    pub(crate) asked: BTreeMap<Key, String>,
    /// Words of bones, by the serial number of the file and the name of the node.
    pub(crate) bones: BTreeMap<(Option<u32>, String), String>,
    /// Operations on files, by the files' serial numbers.
    pub(crate) changes: BTreeMap<u32, Vec<Change>>,
    /// Serial numbers of the shown file (0) and of its figure (1): whose settings and bones are meant. No choice themselves.
    pub(crate) shown: [Option<u32>; 2],
}

impl PartialEq for Choices {
    fn eq(&self, other: &Self) -> bool {
        let [ours, theirs] = [self, other].map(|of| (of.figure, &of.asked, &of.bones, &of.changes));
        ours == theirs
    }
}

impl Choices {
    fn key(&self, id: &'static str) -> Key {
        let [file, figure] = self.shown;
        (file, figure.filter(|_| OF_FIGURES.contains(&id)), id)
    }

    /// The value of a setting, if it was chosen.
    pub(crate) fn get(&self, id: &'static str) -> Option<&String> {
        self.asked.get(&self.key(id))
    }

    /// Chooses the value of a setting, or removes the setting.
    pub(crate) fn ask(&mut self, id: &'static str, value: Option<String>) {
        let key = self.key(id);
        match value {
            Some(value) => drop(self.asked.insert(key, value)),
            None => drop(self.asked.remove(&key)),
        }
    }

    /// Ids of the chosen settings with their values, by id.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        let asked = self.asked.iter().filter(|(key, _)| self.key(key.2) == **key);
        let by_id: BTreeMap<_, _> = asked.map(|(key, value)| (key.2.to_owned(), value.clone())).collect();
        by_id.into_iter().collect()
    }

    /// Names of nodes with the words of their bones, of the motion (0) and of the figure (1).
    pub(crate) fn names(&self) -> Names {
        self.shown.map(|file| {
            let bones = self.bones.iter().filter(|((of, _), _)| file.is_some() && *of == file);
            bones.map(|((_, node), bone)| (node.clone(), bone.clone())).collect()
        })
    }

    /// Chooses bones for nodes of the motion (0) or of the figure (1).
    pub(crate) fn name(&mut self, side: usize, pairs: impl IntoIterator<Item = (String, String)>) {
        let file = self.shown[side];
        self.bones.extend(pairs.into_iter().map(|(node, bone)| ((file, node), bone)));
    }

    /// Takes back all bones chosen for nodes of the motion and of the figure.
    pub(crate) fn unname(&mut self) {
        let shown = self.shown;
        self.bones.retain(|(file, _), _| !shown.contains(file));
    }

    /// True if a node was chosen for a bone.
    pub(crate) fn has_bones(&self) -> bool {
        self.bones.keys().any(|(file, _)| self.shown.contains(file))
    }

    /// True for a setting that is not chosen and excluded by a chosen one.
    pub(crate) fn excludes(&self, setting: &Setting) -> bool {
        let by =
            |other: &Setting| setting.excludes.contains(&other.id) || other.excludes.contains(&setting.id);
        self.get(setting.id).is_none()
            && settings().iter().any(|other| self.get(other.id).is_some() && by(other))
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
        for (key, value) in &self.asked {
            if earlier.asked.get(key) != Some(value) {
                words.push(format!("{} {value}", key.2.replace('-', " ")).trim_end().to_owned());
            }
        }
        let gone = earlier.asked.keys().filter(|key| !self.asked.contains_key(*key));
        words.extend(gone.map(|key| format!("{} as usual", key.2.replace('-', " "))));
        if self.bones != earlier.bones {
            let new = self.bones.iter().filter(|(key, bone)| earlier.bones.get(*key) != Some(bone));
            let new: Vec<String> = new.map(|((_, node), bone)| format!("{node} is {bone}")).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_mended_and_settings_chosen_for_one_motion_are_not_used_for_the_next_and_come_back_with_it() {
        let [first, second, avatar, hero] = [Some(1), Some(2), Some(3), Some(4)];
        let mut choices = Choices { shown: [first, avatar], ..Choices::default() };
        choices.name(0, [("LeftArm".into(), "rightUpperArm".into())]);
        choices.name(1, [("J_Hips".into(), "hips".into())]);
        choices.ask("range", Some("0:1".into()));
        choices.ask("person", Some("2:1".into()));
        let chosen = (choices.settings(), choices.names());
        assert_eq!((chosen.0.len(), chosen.1[0].len(), chosen.1[1].len()), (2, 1, 1));
        let before = choices.clone();
        choices.shown = [second, avatar];
        assert_eq!((choices.settings(), choices.get("range"), choices.get("person")), (vec![], None, None));
        assert_eq!(
            (choices.names()[0].len(), &choices.names()[1]),
            (0, &chosen.1[1]),
            "the figure is the same"
        );
        choices.shown = [second, None];
        assert!(!choices.has_bones() && choices == before, "to show a file is no choice");
        choices.shown = [first, hero];
        assert_eq!(
            choices.settings(),
            [("range".to_owned(), "0:1".to_owned())],
            "no person of another figure"
        );
        choices.shown = [first, avatar];
        assert_eq!((choices.settings(), choices.names()), chosen);
        choices.unname();
        assert!(!choices.has_bones());
        assert_eq!(choices.since(&before, |_| None), "bones as found");
    }
}
