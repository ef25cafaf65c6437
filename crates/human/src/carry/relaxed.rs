//! Fingers missing in a motion, bent as the fingers of an idle hand.

use crate::body::curves::constant;
use crate::body::figure::Figure;
use crate::body::ground::standing;
use crate::body::tracks::target;
use dopesheet_core::model::{
    Basis, Channel, Clip, HumanBone, Humanoid, NodeIndex, Property, Scene, TargetKind, Track, rebase,
};
use glam::DQuat;

/// Angles in degrees by which the bones of a finger bend, from the knuckle on; fingers bend more towards the
/// little finger.
const BENT_DEG: [[f64; 3]; 4] =
    [[18.0, 28.0, 18.0], [24.0, 32.0, 20.0], [28.0, 34.0, 20.0], [32.0, 34.0, 20.0]];

const FINGERS: [&str; 4] = ["Index", "Middle", "Ring", "Little"];
const PARTS: [&str; 3] = ["Proximal", "Intermediate", "Distal"];

/// Bends the fingers that no clip of a figure moves: each from its rest towards the palm. Yields the number
/// of bent bones.
pub fn relax_hands(figure: &mut Scene, humanoid: &Humanoid) -> usize {
    let mut rested = Scene { clips: Vec::new(), nodes: figure.nodes.clone(), ..Scene::new(figure.basis) };
    rebase(&mut rested, &Basis::GLTF, None);
    let Some(body) = standing(Figure { scene: &rested, humanoid }, true) else { return 0 };
    let mut bent: Vec<(NodeIndex, [f32; 4])> = Vec::new();
    for (side, sign) in [("left", -1.0), ("right", 1.0)] {
        let parts = FINGERS.iter().flat_map(|finger| PARTS.map(|part| format!("{side}{finger}{part}")));
        for (word, degrees) in parts.zip(BENT_DEG.iter().flatten()) {
            let Some(bone) = &HumanBone::from_word(&word) else { continue };
            let (Some(figure_bone), Some(node)) = (body.bones.get(bone), humanoid.bones.get(bone)) else {
                continue;
            };
            let Some(rest) = body.rest.get(node.0) else { continue };
            // In the T-pose a finger points aside, with the palm down.
            let curl = DQuat::from_rotation_z(sign * f64::to_radians(*degrees));
            let into = figure_bone.correction * body.facing * rest.rotation;
            let Some(local) = rested.node(*node).map(|node| DQuat::from_array(node.rest.rotation)) else {
                continue;
            };
            let turned = (local * into.conjugate() * curl * into).normalize();
            bent.push((*node, turned.to_array().map(|x| x as f32)));
        }
    }
    let mut count = 0;
    for clip in &mut figure.clips {
        let still = bent.iter().filter(|(node, _)| !moves(clip, *node)).copied().collect::<Vec<_>>();
        count = count.max(still.len());
        let tracks = still.into_iter().filter_map(|(node, turned)| {
            let joint = figure.nodes.get(node.0)?;
            let target = target(TargetKind::Joint, joint, node);
            let curve = constant(&Property::Rotation, &turned.map(f64::from));
            Some(Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] })
        });
        clip.tracks.extend(tracks);
    }
    count
}

fn moves(clip: &Clip, node: NodeIndex) -> bool {
    let turns = |track: &&Track| track.channels.iter().any(|channel| channel.property == Property::Rotation);
    clip.tracks.iter().filter(|track| track.target.node == Some(node)).any(|track| turns(&track))
}
