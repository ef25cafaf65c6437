//! Distinct names.

use dopesheet_core::format::DistinctNames;
use dopesheet_core::model::{Clip, Node};
use std::collections::{HashMap, HashSet};

/// Names for nodes, given in `order`, joints before nodes with a mesh: the first of several nodes with a common name keeps that name,
/// and no new name equals an existing name.
pub(super) fn node_names(nodes: &[Node], order: &[usize]) -> (Vec<String>, DistinctNames) {
    let mut taken = DistinctNames::new(nodes.iter().map(|node| node.name.clone()));
    let mut seen: HashSet<&str> = HashSet::new();
    let mut names = vec![String::new(); nodes.len()];
    let of_kind =
        |has_mesh: bool| order.iter().filter(move |index| nodes[**index].mesh.is_some() == has_mesh);
    for index in of_kind(false).chain(of_kind(true)) {
        let name = nodes[*index].name.as_str();
        names[*index] = if name.is_empty() {
            taken.add(&format!("node_{index}"))
        } else if seen.insert(name) {
            name.to_owned()
        } else {
            taken.add(name)
        };
    }
    (names, taken)
}

/// Names for animations: the name of the clip if no other of these clips has the same name, else the name of
/// its file, made different from the names in `taken`.
pub(in crate::gltf) fn clip_names(
    clips: &[Clip],
    file_stems: &[String],
    mut taken: DistinctNames,
) -> Vec<Option<String>> {
    let clip_name = |clip: &Clip| clip.name.clone().filter(|name| !name.is_empty());
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in clips.iter().filter_map(clip_name) {
        *counts.entry(name).or_insert(0) += 1;
    }
    let choose = |(index, clip): (usize, &Clip)| {
        let name = clip_name(clip);
        let is_single = name.as_ref().is_some_and(|name| counts.get(name) == Some(&1));
        let stem = file_stems.get(index).filter(|stem| !stem.is_empty()).cloned();
        let base = if is_single { name } else { stem.or(name) };
        base.map(|base| taken.add(&base))
    };
    clips.iter().enumerate().map(choose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{MeshIndex, Transform};

    #[test]
    fn a_joint_keeps_its_name_and_a_mesh_before_it_gets_another() {
        let joint = Node::new("head", None, Transform::IDENTITY);
        let mesh = Node { mesh: Some(MeshIndex(0)), ..joint.clone() };
        assert_eq!(node_names(&[mesh, joint], &[0, 1]).0, ["head_1", "head"]);
    }
}
