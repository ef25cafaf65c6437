//! [`Document`](super::Document) to scene.

use super::document::{MeshInstance, Model, Node, Skin, VertexBuffer};
use super::meshes::Primitives;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::model::{
    Basis, Hierarchy, Mesh, MeshIndex, MorphSet, MorphSetIndex, Node as SceneNode, NodeIndex, Scene,
    Skin as SceneSkin, SkinIndex, Transform,
};
use dopesheet_core::words::counted;
use dopesheet_curve::quat_from_euler_degrees_zyx;
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) fn to_scene(model: &Model, report: &mut Report) -> Result<Scene, ConvertError> {
    let mut scene = Scene::new(Basis { metres_per_unit: None, ..Basis::GLTF });
    scene.hierarchy = Hierarchy::Known;
    let places = nodes(model, &mut scene);
    scene.skins = skins(model, &places);
    scene.morph_sets = model
        .morphs
        .iter()
        .map(|morph| MorphSet {
            morphs: morph.targets.iter().map(|target| target.name.clone()).collect(),
            ..MorphSet::default()
        })
        .collect();
    let skins = model.effective_skins();
    let primitives = Primitives::new(model, &skins);
    let mut instances = Instances { model, primitives, skins: &skins, meshes: HashMap::new() };
    instances.place_meshes(&places, &mut scene)?;
    if instances.primitives.beyond > 0 {
        report.dropped(
            counted(instances.primitives.beyond, "vertex weight"),
            "they refer to bones that the skin lacks",
        );
    }
    let has_colors = |buffer: &&VertexBuffer| buffer.attribute("color").is_some();
    let colored = model.vertices.iter().filter(has_colors).count();
    if colored > 0 {
        let what = format!("colours of {}", counted(colored, "vertex buffer"));
        report.dropped(what, "the use of vertex colours is up to materials, which are in another file");
    }
    Ok(scene)
}

/// Appends all nodes, parents before children, and yields the new index of each. The order of the file is
/// kept if parents already come before children.
fn nodes(model: &Model, scene: &mut Scene) -> Vec<NodeIndex> {
    let ordered = model.nodes.iter().enumerate().all(|(index, node)| node.parent.is_none_or(|p| p < index));
    let order = if ordered { (0..model.nodes.len()).collect() } else { model.depth_first() };
    let mut places = vec![NodeIndex(0); model.nodes.len()];
    for index in order {
        let node = &model.nodes[index];
        let mut placed =
            SceneNode::new(node.name.as_str(), node.parent.map(|parent| places[parent]), rest(node));
        placed.source_index = Some(index);
        places[index] = scene.push_node(placed);
    }
    places
}

fn rest(node: &Node) -> Transform {
    Transform {
        translation: node.position,
        rotation: quat_from_euler_degrees_zyx(node.rotation),
        scale: node.scale,
    }
}

fn skins(model: &Model, places: &[NodeIndex]) -> Vec<SceneSkin> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    for index in model.depth_first() {
        first.entry(&model.nodes[index].name).or_insert(index);
    }
    let skin = |skin: &Skin| SceneSkin {
        name: String::new(),
        joints: skin
            .bone_names
            .iter()
            .map(|name| places[first.get(name.as_str()).copied().unwrap_or(0)])
            .collect(),
        inverse_bind: skin.inverse_bind.clone(),
    };
    model.skins.iter().map(skin).collect()
}

/// Meshes drawable at one node: meshes with the same skin and the same set of morphs.
type MeshGroup = (Option<usize>, Option<usize>);

struct Instances<'a> {
    model: &'a Model,
    primitives: Primitives<'a>,
    /// The skin for each mesh.
    skins: &'a [Option<usize>],
    /// Meshes of the scene by the meshes of the file they are made of.
    meshes: HashMap<Vec<usize>, MeshIndex>,
}

impl Instances<'_> {
    fn place_meshes(&mut self, places: &[NodeIndex], scene: &mut Scene) -> Result<(), ConvertError> {
        for (node, kinds) in self.grouped() {
            for (number, ((skin, morph), meshes)) in kinds.into_iter().enumerate() {
                let Some(mesh) = self.mesh(meshes, scene)? else { continue };
                let at = match number {
                    0 => places[node],
                    _ => add_part_node(places[node], number, scene),
                };
                let node = &mut scene.nodes[at.0];
                node.mesh = Some(mesh);
                node.skin = skin.map(SkinIndex);
                node.morphs = morph.map(MorphSetIndex);
            }
        }
        Ok(())
    }

    /// The meshes of each node by kind, each once, in the order of the file.
    fn grouped(&self) -> BTreeMap<usize, Vec<(MeshGroup, Vec<usize>)>> {
        let mut nodes: BTreeMap<usize, Vec<(MeshGroup, Vec<usize>)>> = BTreeMap::new();
        let mut drawn = HashSet::new();
        let mut groups = HashMap::new();
        for MeshInstance { node, mesh } in &self.model.mesh_instances {
            let Some(stored) = self.model.meshes.get(*mesh) else { continue };
            if !drawn.insert((*node, *mesh)) {
                continue;
            }
            let kind = (self.skins.get(*mesh).copied().flatten(), stored.morph);
            let kinds = nodes.entry(*node).or_default();
            let group = *groups.entry((*node, kind)).or_insert(kinds.len());
            match kinds.get_mut(group) {
                Some((_, meshes)) => meshes.push(*mesh),
                None => kinds.push((kind, vec![*mesh])),
            }
        }
        nodes
    }

    fn mesh(&mut self, meshes: Vec<usize>, scene: &mut Scene) -> Result<Option<MeshIndex>, ConvertError> {
        if let Some(index) = self.meshes.get(&meshes) {
            return Ok(Some(*index));
        }
        let mut mesh = Mesh::default();
        for index in &meshes {
            mesh.primitives.extend(self.primitives.primitive(*index)?);
        }
        if mesh.primitives.is_empty() {
            return Ok(None);
        }
        scene.meshes.push(mesh);
        let index = MeshIndex(scene.meshes.len() - 1);
        self.meshes.insert(meshes, index);
        Ok(Some(index))
    }
}

/// A node at the same place, for meshes that cannot share a node because of different skins or morphs.
fn add_part_node(node: NodeIndex, number: usize, scene: &mut Scene) -> NodeIndex {
    let name = format!("{} (part {})", scene.nodes[node.0].name, number + 1);
    scene.push_node(SceneNode::new(name, Some(node), Transform::IDENTITY))
}
