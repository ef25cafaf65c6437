//! Document to scene: interprets, repairs, and reports its repairs.

mod bones;
mod english;
mod extras;
mod materials;
mod mesh;
mod morphs;
mod numbers;
mod skin;
mod textures;

use super::document::Document;
use super::info::ID;
use crate::BASIS;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::model::{MeshIndex, MorphSetIndex, Node, Scene, SkinIndex, Transform};

pub(super) fn to_scene(document: &Document, report: &mut Report) -> Result<Scene, ConvertError> {
    let mut scene = Scene::new(BASIS);
    let name = document.model_name();
    scene.name = Some(name.clone()).filter(|name| !name.is_empty());
    scene.english = english::names(document);
    let nodes = bones::nodes(document, &mut scene);
    bones::rig(document, &nodes, &mut scene, report);
    scene.rig.morphs = morphs::rig(document, &nodes, report);
    let pictures = textures::load(document, &mut scene, report);
    scene.materials = materials::materials(document, &pictures, report);
    let surface = mesh::mesh(document, report)
        .map_err(|reason| ConvertError::new(ID, ConvertErrorKind::Unsupported(reason)))?;
    extras::report_losses(document, report);
    add_surface(document, surface, &nodes, &mut scene);
    Ok(scene)
}

/// The node with the surface and the file's statements about the model as a whole; left out if there are
/// neither.
fn add_surface(document: &Document, surface: mesh::Surface, nodes: &bones::Nodes, scene: &mut Scene) {
    let name = document.model_name();
    let mut node = Node::new(name.clone(), None, Transform::IDENTITY);
    node.extras = extras::model(document);
    if !surface.mesh.primitives.is_empty() {
        scene.meshes.push(surface.mesh);
        node.mesh = Some(MeshIndex(0));
        if !document.bones.is_empty() {
            scene.skins.push(skin::skin(document, &name, nodes));
            node.skin = Some(SkinIndex(0));
        }
        if !surface.morphs.morphs.is_empty() {
            scene.morph_sets.push(surface.morphs);
            node.morphs = Some(MorphSetIndex(0));
        }
    }
    if node.mesh.is_some() || node.extras.is_some() {
        scene.push_node(node);
    }
}
