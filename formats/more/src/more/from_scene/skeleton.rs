//! The nodes of a scene as an actor.

use crate::more::actor::{ActorModel, Bone, BoneScale};
use crate::more::document::{Document, Resource};
use crate::more::wanted::ACTOR_VERSION;
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::model::Scene;

/// The hierarchy and rest pose of a scene as an actor of version 0x7, with the track names of converted
/// animations for its bones.
///
/// The scene must be in [`BASIS`](crate::BASIS).
///
/// # Errors
/// If there are more than 32767 nodes, the range of a father's index.
pub fn skeleton(scene: &Scene) -> Result<Document, ConvertError> {
    let index = |node: usize| {
        i16::try_from(node).map_err(|_| {
            let what = format!(
                "an actor holds at most {} bones, and there are {} nodes",
                i16::MAX,
                scene.nodes.len()
            );
            ConvertError::new(crate::more::info::ID, ConvertErrorKind::Unsupported(what))
        })
    };
    let bones = scene.nodes.iter().map(|node| {
        let named = |ending: &str| Name::new(&format!("{}.{ending}", node.name));
        let narrow = |v: [f64; 3]| v.map(|x| x as f32);
        Ok(Bone {
            name: Name::new(&node.name),
            position_name: named("Position"),
            rotation_name: named("Rotation"),
            father: node.parent.map_or(Ok(-1), |parent| index(parent.0))?,
            position: narrow(node.rest.translation),
            rotation: node.rest.rotation.map(|x| x as f32),
            scale: BoneScale::Named {
                value_name: named("Scale"),
                orientation_name: named("ScaleOrientation"),
                use_scale: true,
                value: narrow(node.rest.scale),
                orientation: [0.0, 0.0, 0.0, 1.0],
            },
        })
    });
    let actor = ActorModel { bones: bones.collect::<Result<_, _>>()?, ..ActorModel::default() };
    Ok(Document { version: ACTOR_VERSION, ..Document::new(Resource::Actor(actor)) })
}
