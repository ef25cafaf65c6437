//! The table of bones of the motion and of the figure that takes the motion.

use crate::choices::Choices;
use crate::inputs::Inputs;
use crate::words::here;
use dopesheet::bone_table::{BonePairs, BoneTable, Certainty};
use dopesheet::core::model::HumanBone;
use dopesheet::vocabularies::Vocabularies;
use std::collections::{BTreeMap, HashMap};

/// The table of bones, and its inputs.
#[derive(Default)]
pub(crate) struct Bones {
    of: Option<Of>,
    pub(crate) table: BoneTable,
    /// Reason of a missing table.
    pub(crate) fault: Option<String>,
    /// True while the panel shows the table.
    pub(crate) is_open: bool,
    /// The bone for the next click on a joint.
    pub(crate) sought: Option<HumanBone>,
    /// Side and bone of the cell with an open list of nodes.
    pub(crate) listed: Option<(usize, &'static str)>,
}

struct Of {
    inputs: Inputs,
    pairs: BonePairs,
    names: BTreeMap<String, String>,
    vocabulary: Option<String>,
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
        let vocabulary = choices.asked.get("vocabulary").cloned();
        let is_same = |of: &Of| of.names == choices.bones && of.vocabulary == vocabulary;
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
                let parsed = vocabulary.as_deref().map(Vocabularies::parse).transpose();
                self.table = pairs.table(&choices.map(), parsed.ok().flatten().unwrap_or_default());
                self.fault = None;
                self.of = Some(Of { inputs, pairs, names: choices.bones.clone(), vocabulary });
            }
            Err(error) => {
                *self = Self { fault: Some(here(&error.to_string())), ..Self::default() };
            }
        }
    }

    /// Marks of bones on the joints of one side, by the names of their nodes.
    pub(crate) fn marks(&self, side: usize) -> HashMap<&str, Certainty> {
        let cells = self.table.rows.iter().filter_map(|row| row.cells.get(side));
        cells.filter_map(|cell| Some((cell.node.as_deref()?, cell.certainty))).collect()
    }

    /// Pairs of a map that make a node the sought bone. Ends the search.
    pub(crate) fn take(&mut self, side: usize, node: &str) -> Vec<(String, String)> {
        let pairs = self.sought.take().map(|bone| self.table.choose(side, bone, node)).unwrap_or_default();
        pairs.into_iter().map(|(node, bone)| (node, bone.word().to_owned())).collect()
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
    use crate::inbox::Delivery;
    use std::path::Path;

    #[test]
    fn a_clicked_joint_becomes_the_sought_bone_once_and_changes_places_with_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in ["jump.bvh", "avatar.vrm"] {
            delivery.add(name.to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let (mut files, mut bones, mut choices) = (Files::default(), Bones::default(), Choices::default());
        files.open(delivery);
        files.put_on(Some(1), None);
        bones.prepare(files.inputs(), &choices);
        assert_eq!(bones.marks(1).get("J_Bip_C_Hips"), Some(&Certainty::Certain));
        assert!(bones.take(0, "RightArm").is_empty(), "no bone is sought");
        bones.sought = Some(HumanBone::LeftUpperArm);
        choices.bones.extend(bones.take(0, "RightArm"));
        assert!(bones.take(0, "Head").is_empty(), "it is found");
        bones.prepare(files.inputs(), &choices);
        let marks = bones.marks(0);
        assert_eq!(
            [marks["RightArm"], marks["LeftArm"], marks["Head"]],
            [Certainty::Chosen, Certainty::Chosen, Certainty::Certain]
        );
    }
}
