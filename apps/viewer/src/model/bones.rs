//! The table of bones of the motion and of the figure that takes the motion.

use crate::files::choices::{Choices, Names, PERSON, map};
use crate::files::inputs::Inputs;
use crate::words::here;
use dopesheet::bone_table::{BonePairs, BoneTable, Certainty};
use dopesheet::core::model::HumanBone;
use dopesheet::persons::Persons;
use dopesheet::vocabularies::Vocabularies;
use std::collections::HashMap;

/// Most names whose common start is a chance.
const FEW: usize = 7;

/// The table of bones, and its inputs.
#[derive(Default)]
pub(crate) struct Bones {
    of: Option<Of>,
    pub(crate) table: BoneTable,
    /// Reason of a missing table.
    pub(crate) fault: Option<String>,
    /// True while the panel shows the table.
    pub(crate) is_open: bool,
    /// True while the table shows small bones.
    pub(crate) shows_details: bool,
    /// The bone for the next click on a joint.
    pub(crate) sought: Option<HumanBone>,
    /// Side and bone of the cell with an open list of nodes.
    pub(crate) listed: Option<(usize, &'static str)>,
    /// Names of the hips of all human figures of the motion (0) and of the figure's file (1).
    pub(crate) persons: [Vec<String>; 2],
    /// Word of the bone whose row is to be shown.
    pub(crate) wanted: Option<String>,
    /// The line about the nodes that changed places last.
    pub(crate) exchanged: Option<String>,
    /// Lengths of what all names start with in the motion and in the figure, up to a mark.
    prefixes: [usize; 2],
}

struct Of {
    inputs: Inputs,
    pairs: BonePairs,
    names: Names,
    vocabulary: Option<String>,
    person: Option<String>,
}

impl Bones {
    /// Makes the table, unless it is up to date.
    pub(crate) fn prepare(&mut self, inputs: Option<Inputs>, choices: &Choices) {
        let Some((inputs, figure)) =
            inputs.and_then(|inputs| inputs.figure.clone().map(|figure| (inputs, figure)))
        else {
            *self = Self::default();
            return;
        };
        let inputs = Inputs { other: None, ..inputs };
        let vocabulary = choices.get("vocabulary").cloned();
        let person = choices.get(PERSON).cloned();
        let names = choices.names();
        let is_same = |of: &Of| of.names == names && of.vocabulary == vocabulary && of.person == person;
        let pairs = match self.of.take_if(|of| of.inputs.are(&inputs)) {
            Some(of) if is_same(&of) => return self.of = Some(of),
            Some(of) => Ok(of.pairs),
            None => {
                let model = inputs.model.as_ref().map(|model| &model.opened);
                BonePairs::of(&inputs.document.opened, model, &figure.opened)
            }
        };
        match pairs {
            Ok(pairs) => {
                let known = vocabulary.as_deref().map(Vocabularies::parse).transpose();
                let persons =
                    person.as_deref().and_then(|person| Persons::parse(person).ok()).unwrap_or_default();
                let known = known.ok().flatten().unwrap_or_default();
                self.table = pairs.table(&map(&names), known, persons);
                self.persons = [0, 1].map(|side| pairs.persons(side));
                self.fault = None;
                self.prefixes = [0, 1].map(|side| self.prefix(side));
                self.of = Some(Of { inputs, pairs, names, vocabulary, person });
            }
            Err(error) => {
                *self = Self { fault: Some(here(&error.to_string())), ..Self::default() };
            }
        }
    }

    /// Marks of the bones that pass a test on the joints of one side, by the names of their nodes.
    pub(crate) fn marks(
        &self,
        side: usize,
        is_shown: impl Fn(HumanBone) -> bool,
    ) -> HashMap<&str, Certainty> {
        let rows = self.table.rows.iter().filter(|row| is_shown(row.bone));
        let cells = rows.filter_map(|row| row.cells.get(side));
        cells.filter_map(|cell| Some((cell.node.as_deref()?, cell.certainty))).collect()
    }

    /// Notes among the choices that a node is the sought bone. Ends the search.
    pub(crate) fn take(&mut self, side: usize, node: &str, choices: &mut Choices) {
        let pairs = self.sought.take().map(|bone| self.table.choose(side, bone, node)).unwrap_or_default();
        self.exchanged = match &pairs[..] {
            [(node, bone), (other, exchanged)] => {
                let [bone, exchanged] = [bone, exchanged].map(|bone| bone.word());
                Some(format!("{node} is {bone} now, and {other} took its place as {exchanged}."))
            }
            _ => None,
        };
        let pairs = pairs.into_iter().map(|(node, bone)| (node, bone.word().to_owned()));
        choices.name(side, pairs);
    }

    /// A name in the table without what all names of that side start with.
    pub(crate) fn short<'a>(&self, side: usize, node: &'a str) -> &'a str {
        self.prefixes.get(side).and_then(|length| node.get(*length..)).unwrap_or(node)
    }

    /// Length of what the names of all bones of a side start with, up to a mark.
    fn prefix(&self, side: usize) -> usize {
        let cells = self.table.rows.iter().filter_map(|row| row.cells.get(side)?.node.as_deref());
        let alike = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let Some(first) = cells.clone().next().filter(|_| cells.clone().count() > FEW) else { return 0 };
        let length = cells.map(|name| alike(first, name)).min().unwrap_or_default();
        let is_mark = |byte: &u8| b":_|-. ".contains(byte);
        first.bytes().take(length).collect::<Vec<_>>().iter().rposition(is_mark).map_or(0, |mark| mark + 1)
    }

    /// Names of the nodes to choose from, for bones of the motion (0) or of the figure (1).
    pub(crate) fn nodes(&self, side: usize) -> Vec<String> {
        self.of.iter().flat_map(|of| of.pairs.nodes(side)).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use crate::files::inbox::Delivery;
    use std::path::Path;

    #[test]
    fn a_clicked_joint_becomes_the_sought_bone_once_and_changes_places_with_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in ["jump.bvh", "avatar.vrm"] {
            delivery.add(name.to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let (mut files, mut bones) = (Files::default(), Bones::default());
        let mut choices = Choices { shown: [Some(1), Some(2)], ..Choices::default() };
        files.open(delivery);
        files.put_on(Some(1), None);
        bones.prepare(files.inputs(), &choices);
        assert_eq!(bones.marks(1, |_| true).get("J_Bip_C_Hips"), Some(&Certainty::Certain));
        assert_eq!((bones.short(0, "LeftArm"), bones.short(1, "J_Bip_C_Hips")), ("LeftArm", "C_Hips"));
        bones.take(0, "RightArm", &mut choices);
        assert!(!choices.has_bones(), "no bone is sought");
        bones.sought = Some(HumanBone::LeftUpperArm);
        bones.take(0, "RightArm", &mut choices);
        assert_eq!(
            bones.exchanged.take().as_deref(),
            Some("RightArm is leftUpperArm now, and LeftArm took its place as rightUpperArm.")
        );
        bones.take(0, "Head", &mut choices);
        assert_eq!(choices.names()[0].len(), 2, "it is found");
        bones.prepare(files.inputs(), &choices);
        let marks = bones.marks(0, |_| true);
        assert_eq!(
            [marks["RightArm"], marks["LeftArm"], marks["Head"]],
            [Certainty::Chosen, Certainty::Chosen, Certainty::Certain]
        );
    }
}
