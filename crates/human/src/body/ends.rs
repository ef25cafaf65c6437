//! Hands and feet of figures that lack them: the ends of their limbs.

use super::figure::{ARMS, Figure, LEGS, Placed, hangs_on};
use dopesheet_core::model::{HumanBone, Humanoid, Node, NodeIndex, Scene, Transform};
use glam::DVec3;

/// Parts of names of joints that twist a limb and end none.
const TWISTS: [&str; 2] = ["twist", "roll"];

/// The only joint below a forearm or a shin of a human figure becomes its missing hand or foot.
pub(crate) fn find(scene: &Scene, humanoid: &mut Humanoid) {
    if !humanoid.is_human() {
        return;
    }
    for [_, lower, end] in LEGS.into_iter().chain(ARMS) {
        let under = humanoid.bones.get(&lower).copied().filter(|_| !humanoid.bones.contains_key(&end));
        let Some(under) = under else { continue };
        let is_below = |node: &Node| node.parent == Some(under) && node.mesh.is_none();
        let mut below = (0..).zip(&scene.nodes).filter(|(_, node)| is_below(node));
        if let (Some((joint, node)), None) = (below.next(), below.next())
            && !TWISTS.iter().any(|part| node.name.to_lowercase().contains(part))
        {
            humanoid.bones.insert(end, NodeIndex(joint));
        }
    }
}

/// Makes joints for hands and feet that a human figure lacks, behind the nodes of its scene: where limbs end, as far
/// below the middle joint as that is below the upper one.
pub fn make_ends(scene: &mut Scene, humanoid: &mut Humanoid) {
    make(scene, humanoid, &[LEGS, ARMS].concat(), false);
}

/// As [`make_ends`], of some limbs; with `detached` also in place of ends that do not hang on their limbs. Returns
/// the bones made.
pub(crate) fn make(
    scene: &mut Scene,
    humanoid: &mut Humanoid,
    limbs: &[[HumanBone; 3]],
    detached: bool,
) -> Vec<HumanBone> {
    let figure = Figure { scene, humanoid };
    let hangs = |bone, other| {
        let both = figure.node(bone).zip(figure.node(other));
        both.is_some_and(|(bone, other)| hangs_on(figure.scene, bone, other))
    };
    let lacks = |[upper, lower, end]: [HumanBone; 3]| {
        figure.node(end).is_none() || detached && hangs(lower, upper) && !hangs(end, lower)
    };
    if !humanoid.is_human() || !limbs.iter().any(|limb| lacks(*limb)) {
        return Vec::new();
    }
    let rest = figure.at_rest();
    let joints = limbs
        .iter()
        .filter(|limb| lacks(**limb))
        .filter_map(|limb| Some((limb[2], joint(figure, &rest, *limb)?)));
    let joints: Vec<(HumanBone, Node)> = joints.collect();
    let bones = joints.iter().map(|(bone, _)| *bone).collect();
    for (bone, joint) in joints {
        humanoid.bones.insert(bone, scene.push_node(joint));
    }
    bones
}

/// The joint at the end of a limb: where its bone is at rest, or on from its other bones.
fn joint(figure: Figure<'_>, rest: &Placed, [upper, lower, end]: [HumanBone; 3]) -> Option<Node> {
    let under = figure.node(lower)?;
    let onwards = || Some(figure.place(rest, lower)? + figure.way(rest, [upper, lower])?);
    let position: DVec3 = figure.place(rest, end).or_else(onwards)?;
    let local = rest.get(under.0)?.matrix.inverse().transform_point3(position);
    let name = format!("the end of {}", figure.scene.node(under)?.name);
    let local_rest = Transform { translation: local.to_array(), ..Transform::IDENTITY };
    local.is_finite().then(|| Node::new(name, Some(under), local_rest))
}
