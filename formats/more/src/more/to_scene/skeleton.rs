//! Actors: bones and emitters as nodes, fathers before children.

use crate::BASIS;
use crate::more::actor::{ActorModel, BoneScale};
use crate::more::codes;
use crate::more::info::ID;
use crate::more::interpretation::Interpretation;
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::model::{Node, NodeIndex, Scene, Transform};
use dopesheet_core::words::counted;
use dopesheet_curve::quat_normalise_or_identity;

/// Cycles of fathers: for each, its bones.
pub(in crate::more) fn cycles(actor: &ActorModel) -> Vec<Vec<usize>> {
    // 0: not seen; otherwise the number of the walk that saw it.
    let mut seen = vec![0_usize; actor.bones.len()];
    let mut cycles = Vec::new();
    for start in 0..actor.bones.len() {
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(bone) = at.filter(|bone| seen[*bone] == 0) {
            seen[bone] = start + 1;
            path.push(bone);
            at = father(actor, actor.bones[bone].father);
        }
        if let Some(bone) = at.filter(|bone| seen[*bone] == start + 1) {
            let from = path.iter().position(|b| *b == bone).unwrap_or(0);
            cycles.push(path.split_off(from));
        }
    }
    cycles
}

/// The father among the bones, if the bone exists.
fn father(actor: &ActorModel, index: i16) -> Option<usize> {
    usize::try_from(index).ok().filter(|father| *father < actor.bones.len())
}

pub(super) fn scene(
    actor: &ActorModel,
    how: &Interpretation,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    if let Some(cycle) = cycles(actor).first() {
        let names: Vec<_> = cycle.iter().map(|bone| actor.bones[*bone].name.text()).collect();
        let actual = format!("a cycle: {}", names.join(", "));
        let fault = Fault::new(codes::BONE_CYCLE.code, Place::File, "fathers that lead to a root", actual);
        return Err(ConvertError::new(ID, ConvertErrorKind::Fault(Box::new(fault.at_path("bones")))));
    }
    let mut scene = Scene::new(BASIS);
    let places = bones(actor, how, &mut scene, report);
    emitters(actor, how, &places, &mut scene);
    Ok(scene)
}

/// Appends the bones, fathers first, else in their order; yields the node of each.
fn bones(actor: &ActorModel, how: &Interpretation, scene: &mut Scene, report: &mut Report) -> Vec<NodeIndex> {
    let mut places: Vec<Option<NodeIndex>> = vec![None; actor.bones.len()];
    let mut turned_scales = 0;
    for start in 0..actor.bones.len() {
        let mut line = Vec::new();
        let mut at = Some(start);
        while let Some(bone) = at.filter(|bone| places[*bone].is_none()) {
            line.push(bone);
            at = father(actor, actor.bones[bone].father);
        }
        for index in line.into_iter().rev() {
            let bone = &actor.bones[index];
            turned_scales += usize::from(is_scaled_askew(&bone.scale));
            let parent = father(actor, bone.father).and_then(|father| places[father]);
            let rest = Transform {
                translation: bone.position.map(f64::from),
                rotation: rotation(bone.rotation, how),
                scale: bone.scale.factors(),
            };
            let node = Node { source_index: Some(index), ..Node::new(bone.name.text(), parent, rest) };
            places[index] = Some(scene.push_node(node));
        }
    }
    if turned_scales > 0 {
        let actual = counted(turned_scales, "bone")
            + " scaled along other axes; the factors are used along the own axes";
        let check = codes::SCALE_ORIENTATION;
        report.push(
            check.severity,
            Fault::new(check.code, Place::File, "bones scaled along their axes", actual),
        );
    }
    places.into_iter().flatten().collect()
}

/// Smallest reported difference of factors or angles.
const REMARKABLE: f64 = 1e-4;

/// True if a scale acts along axes other than the bone's.
fn is_scaled_askew(scale: &BoneScale) -> bool {
    let [x, y, z] = scale.factors();
    let is_even = (x - y).abs() <= REMARKABLE && (y - z).abs() <= REMARKABLE;
    let [qx, qy, qz, _] = quat_normalise_or_identity(scale.orientation().map(f64::from));
    !is_even && (qx * qx + qy * qy + qz * qz).sqrt() > REMARKABLE
}

fn rotation(stored: [f32; 4], how: &Interpretation) -> [f64; 4] {
    let [x, y, z, w] = quat_normalise_or_identity(stored.map(f64::from));
    if how.conjugate_rotations { [-x, -y, -z, w] } else { [x, y, z, w] }
}

fn emitters(actor: &ActorModel, how: &Interpretation, places: &[NodeIndex], scene: &mut Scene) {
    let events = actor.event_emitters.iter().map(|e| (&e.name, e.father, e.position, e.rotation));
    let sounds = actor.sound_emitters.iter().map(|s| (&s.name, s.father, s.position, [0.0, 0.0, 0.0, 1.0]));
    let all: Vec<(&Name, i16, [f32; 3], [f32; 4])> = events.chain(sounds).collect();
    for (number, (name, father_index, position, turn)) in all.into_iter().enumerate() {
        let parent = father(actor, father_index).and_then(|father| places.get(father)).copied();
        let rest = Transform {
            translation: position.map(f64::from),
            rotation: rotation(turn, how),
            ..Transform::IDENTITY
        };
        let source_index = Some(actor.bones.len() + number);
        scene.push_node(Node { source_index, ..Node::new(name.text(), parent, rest) });
    }
}
