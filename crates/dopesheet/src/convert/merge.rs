//! Several scenes as one: equal nodes are shared, clips stand side by side.

use dopesheet_core::model::{CameraIndex, Hierarchy, LightIndex, NodeIndex, Scene, SolvedChannel};

/// All scenes as a single scene. All must have the same basis. Nodes of equal names under equal parents are
/// merged.
///
/// An empty list yields an empty scene.
pub(super) fn merge(scenes: Vec<Scene>) -> Scene {
    let mut scenes = scenes.into_iter();
    let Some(mut all) = scenes.next() else { return Scene::new(dopesheet_core::model::Basis::GLTF) };
    for scene in scenes {
        add(&mut all, scene);
    }
    all
}

fn add(all: &mut Scene, mut scene: Scene) {
    let mut places: Vec<NodeIndex> = Vec::with_capacity(scene.nodes.len());
    for node in std::mem::take(&mut scene.nodes) {
        let parent = node.parent.and_then(|p| places.get(p.0)).copied();
        let camera = node.camera.and_then(|c| scene.cameras.get(c.0)).cloned();
        let light = node.light.and_then(|l| scene.lights.get(l.0)).cloned();
        let same = |n: &dopesheet_core::model::Node| {
            n.name == node.name
                && n.parent == parent
                && n.camera.is_some() == camera.is_some()
                && n.light.is_some() == light.is_some()
        };
        // Twice the same name among siblings of one scene stays twice.
        let twin = all.nodes.iter().position(same).map(NodeIndex).filter(|twin| !places.contains(twin));
        places.push(twin.unwrap_or_else(|| {
            let mut copy =
                dopesheet_core::model::Node { parent, mesh: None, skin: None, morphs: None, ..node };
            copy.camera = camera.map(|camera| {
                all.cameras.push(camera);
                CameraIndex(all.cameras.len() - 1)
            });
            copy.light = light.map(|light| {
                all.lights.push(light);
                LightIndex(all.lights.len() - 1)
            });
            all.push_node(copy)
        }));
    }
    for mut clip in scene.clips {
        for track in &mut clip.tracks {
            track.target.node = track.target.node.and_then(|n| places.get(n.0)).copied();
        }
        let moved = |channel: SolvedChannel| {
            places.get(channel.node.0).map(|node| SolvedChannel { node: *node, ..channel })
        };
        clip.solved = clip.solved.drain().filter_map(moved).collect();
        all.clips.push(clip);
    }
    if scene.hierarchy == Hierarchy::Known {
        all.hierarchy = Hierarchy::Known;
    }
}
