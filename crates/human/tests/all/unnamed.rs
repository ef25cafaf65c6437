//! Figures whose bones have names that tell nothing, and skeletons that are none of a human.

use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Axis, Basis, Channel, Clip, Curve, HumanBone as B, Law, Laws, Node, NodeIndex, Property, Scene, Target,
    TargetKind, Times, Track, Transform, rebase,
};
use dopesheet_human::propose;
use glam::{DQuat, DVec3};

/// A skeleton under construction, whose joints are called by their numbers.
struct Made(Scene);

impl Made {
    fn new() -> Self {
        Self(Scene::new(Basis::GLTF))
    }

    fn joint(&mut self, parent: Option<usize>, at: [f64; 3]) -> usize {
        let rest = Transform { translation: at, ..Transform::IDENTITY };
        let name = format!("j{}", self.0.nodes.len());
        self.0.push_node(Node::new(name, parent.map(NodeIndex), rest)).0
    }

    /// Joints each below the one before.
    fn chain(&mut self, parent: usize, offsets: &[[f64; 3]]) -> Vec<usize> {
        let mut above = parent;
        let joints = offsets.iter().map(|at| {
            above = self.joint(Some(above), *at);
            above
        });
        joints.collect()
    }
}

/// What a person is made of.
#[derive(Clone, Copy, Debug)]
struct Build {
    /// Angle of the arms below the horizontal, in degrees.
    arms: f64,
    /// Collar bones, fingers, toes, a joint of twist in each limb.
    parts: [bool; 4],
    scale: f64,
}

/// A person that faces +Z, and its bones.
fn person(build: Build) -> (Scene, Vec<(B, usize)>) {
    let [collars, fingers, toes, twists] = build.parts;
    let mut made = Made::new();
    let s = build.scale;
    let hips = made.joint(None, [0.0, 0.95 * s, 0.0]);
    let trunk = made.chain(hips, &[[0.0, 0.12 * s, 0.0], [0.0, 0.15 * s, 0.0]]);
    let neck = made.chain(trunk[1], &[[0.0, 0.22 * s, 0.0], [0.0, 0.1 * s, 0.02 * s]]);
    made.joint(Some(neck[1]), [0.0, 0.2 * s, 0.0]);
    let mut bones = vec![(B::Hips, hips), (B::Spine, trunk[0]), (B::Head, neck[1])];
    let sides = [
        (
            1.0,
            [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot],
            [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand],
        ),
        (
            -1.0,
            [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot],
            [B::RightUpperArm, B::RightLowerArm, B::RightHand],
        ),
    ];
    // A half of a bone, as a joint of twist stands in it.
    let bone = |offset: [f64; 3]| match twists {
        true => vec![offset.map(|x| x / 2.0); 2],
        false => vec![offset],
    };
    for (x, leg, arm) in sides {
        let mut offsets = vec![[0.09 * x * s, -0.04 * s, 0.0]];
        offsets.extend(bone([0.0, -0.42 * s, 0.01 * s]));
        let knee = offsets.len() - 1;
        offsets.extend(bone([0.0, -0.41 * s, -0.02 * s]));
        let ankle = offsets.len() - 1;
        if toes {
            offsets.extend([[0.0, -0.06 * s, 0.13 * s], [0.0, 0.0, 0.06 * s]]);
        }
        let joints = made.chain(hips, &offsets);
        bones.extend([(leg[0], joints[0]), (leg[1], joints[knee]), (leg[2], joints[ankle])]);
        let down = build.arms.to_radians();
        let along = |length: f64| [length * x * down.cos() * s, -length * down.sin() * s, 0.0];
        let mut offsets = match collars {
            true => vec![[0.04 * x * s, 0.18 * s, 0.0], [0.13 * x * s, 0.0, 0.0]],
            false => vec![[0.17 * x * s, 0.18 * s, 0.0]],
        };
        let shoulder = offsets.len() - 1;
        offsets.extend(bone(along(0.28)));
        let elbow = offsets.len() - 1;
        offsets.extend(bone(along(0.25)));
        let joints = made.chain(trunk[1], &offsets);
        let wrist = joints[joints.len() - 1];
        for finger in 0..if fingers { 5 } else { 1 } {
            let aside = 0.02 * (f64::from(finger) - 2.0) * s;
            let mut first = along(if finger == 0 { 0.05 } else { 0.09 });
            first[2] += if fingers { aside } else { 0.0 };
            let knuckle = made.joint(Some(wrist), first);
            if fingers {
                made.chain(knuckle, &[along(0.04), along(0.03)]);
            }
        }
        bones.extend([(arm[0], joints[shoulder]), (arm[1], joints[elbow]), (arm[2], wrist)]);
    }
    (made.0, bones)
}

fn builds() -> impl Iterator<Item = Build> {
    let parts = (0..16).map(|bits| [0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1));
    parts.flat_map(|parts| [0.0, 40.0, 80.0].into_iter().map(move |arms| Build { arms, parts, scale: 1.0 }))
}

#[test]
fn bones_without_any_known_name_are_found_by_the_shape_of_the_figure() {
    let mut count = 0;
    for build in builds() {
        let [.., toes, _] = build.parts;
        let (scene, bones) = person(build);
        let found = propose(&scene, &NameMap::default());
        if !toes {
            // Knees that bend a little tell left from right, too.
            assert!(found.humanoid.missing().is_empty(), "{build:?}: {:?}", found.by_shape);
        }
        assert!(found.is_by_shape() && found.certainty >= 0.8, "{build:?}: {:?}", found.by_shape);
        for (bone, node) in bones {
            assert_eq!(found.humanoid.bones.get(&bone), Some(&NodeIndex(node)), "{build:?}: {bone:?}");
        }
        count += 1;
    }
    assert_eq!(count, 48);
}

#[test]
fn a_figure_is_found_in_any_axes_and_unit() {
    let build = Build { arms: 20.0, parts: [true; 4], scale: 1.0 };
    let upright_z = Basis { up: Axis::PosZ, front: Axis::NegY, ..Basis::GLTF };
    for (basis, scale) in [(Basis::UNITY, 1.0), (upright_z, 100.0), (Basis::GLTF, 0.01)] {
        let (mut scene, bones) = person(Build { scale, ..build });
        rebase(&mut scene, &basis, None);
        let found = propose(&scene, &NameMap::default()).humanoid;
        for (bone, node) in bones {
            assert_eq!(found.bones.get(&bone), Some(&NodeIndex(node)), "{basis:?}: {bone:?}");
        }
    }
}

#[test]
fn a_figure_that_rests_folded_is_found_where_its_clip_starts() {
    let (scene, bones) = person(Build { arms: 0.0, parts: [true, false, true, false], scale: 1.0 });
    // Every bone lies along +X at rest, as LAFAN1's, and the clip turns it to where it was.
    let mut folded = scene.clone();
    let mut tracks = Vec::new();
    let mut turns = vec![DQuat::IDENTITY; scene.nodes.len()];
    for (index, node) in scene.nodes.iter().enumerate() {
        let below = scene.nodes.iter().find(|own| own.parent == Some(NodeIndex(index)));
        let way = below.map(|own| DVec3::from(own.rest.translation).normalize_or_zero());
        let turn = way.map_or(DQuat::IDENTITY, |way| DQuat::from_rotation_arc(DVec3::X, way));
        let above = node.parent.map_or(DQuat::IDENTITY, |parent| turns[parent.0]);
        turns[index] = turn;
        folded.nodes[index].rest.translation =
            (above.conjugate() * DVec3::from(node.rest.translation)).to_array();
        let local = (above.conjugate() * turn).to_array().map(|x| x as f32).to_vec();
        let curve = Curve::new(Times::Seconds([0.0].into()), 4, local, Laws::uniform(Law::SLERP));
        let target = Target::new(TargetKind::Joint, node.name.clone(), index, Some(NodeIndex(index)));
        tracks.push(Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] });
    }
    assert!(!propose(&folded, &NameMap::default()).humanoid.missing().is_empty());
    folded.clips.push(Clip { tracks, ..Clip::default() });
    let found = propose(&folded, &NameMap::default()).humanoid;
    for (bone, node) in bones {
        assert_eq!(found.bones.get(&bone), Some(&NodeIndex(node)), "{bone:?}");
    }
}

#[test]
fn sides_that_nothing_tells_are_not_guessed() {
    let (mut scene, _) = person(Build { arms: 0.0, parts: [true, false, false, false], scale: 1.0 });
    for node in &mut scene.nodes {
        node.rest.translation[2] = 0.0;
    }
    let found = propose(&scene, &NameMap::default());
    assert!(!found.humanoid.missing().is_empty(), "{:?}", found.by_shape);
    assert!(found.by_shape.get(&B::LeftUpperLeg).is_some_and(|own| own.certainty < 0.8));
    assert!(found.by_shape.get(&B::Hips).is_some_and(|own| own.certainty >= 0.8));
}

/// Four legs below a trunk that lies, a neck and a tail; of a fox, a horse, a cat, a giraffe.
fn quadruped(leg: f64, trunk: f64, neck: [f64; 3], bend: f64) -> Scene {
    let mut made = Made::new();
    let hips = made.joint(None, [0.0, leg, 0.0]);
    let spine = made.chain(hips, &[[0.0, 0.0, trunk / 2.0], [0.0, 0.02, trunk / 2.0]]);
    made.chain(spine[1], &[neck, [0.0, 0.05, 0.12], [0.0, 0.0, 0.1]]);
    made.chain(hips, &[[0.0, 0.05, -0.1], [0.0, 0.0, -0.2], [0.0, 0.0, -0.2]]);
    for x in [0.1, -0.1] {
        let down = -leg / 2.0;
        made.chain(hips, &[[x, 0.0, 0.0], [0.0, down, bend], [0.0, down, -bend], [0.0, 0.0, 0.05]]);
        made.chain(spine[1], &[[x, -0.02, 0.0], [0.0, down, -bend], [0.0, down, bend], [0.0, 0.0, 0.05]]);
    }
    made.0
}

fn spider() -> Scene {
    let mut made = Made::new();
    let body = made.joint(None, [0.0, 0.3, 0.0]);
    let head = made.chain(body, &[[0.0, 0.02, 0.2], [0.0, 0.0, 0.1]]);
    for x in [1.0, -1.0] {
        made.chain(head[0], &[[0.03 * x, 0.0, 0.1], [0.0, -0.05, 0.02]]);
        for z in [-0.15, -0.05, 0.05, 0.15] {
            made.chain(
                body,
                &[[0.08 * x, 0.0, z], [0.3 * x, 0.3, z], [0.3 * x, -0.2, z], [0.1 * x, -0.4, 0.0]],
            );
        }
    }
    made.0
}

fn snake(joints: usize) -> Scene {
    let mut made = Made::new();
    let head = made.joint(None, [0.0; 3]);
    made.chain(head, &vec![[0.0, 0.0, -0.1]; joints]);
    made.0
}

fn hand(joints: usize) -> Scene {
    let mut made = Made::new();
    let wrist = made.joint(None, [0.0, 1.0, 0.0]);
    for finger in 0..5 {
        let mut offsets = vec![[0.02 * f64::from(finger) - 0.04, 0.09, 0.0]];
        offsets.extend(vec![[0.0, 0.03, 0.005]; joints]);
        made.chain(wrist, &offsets);
    }
    made.0
}

fn robot_arm(grip: usize) -> Scene {
    let mut made = Made::new();
    let base = made.joint(None, [0.0; 3]);
    let arm = made.chain(base, &[[0.0, 0.3, 0.0], [0.0, 0.6, 0.0], [0.5, 0.1, 0.0], [0.2, 0.0, 0.0]]);
    for x in [1.0, -1.0] {
        made.chain(arm[3], &vec![[0.05, 0.0, 0.03 * x]; grip]);
    }
    made.0
}

/// A trunk that divides in two again and again.
fn tree(depth: u32, spread: f64) -> Scene {
    let mut made = Made::new();
    let root = made.joint(None, [0.0; 3]);
    let mut tips = made.chain(root, &[[0.0, 0.5, 0.0], [0.0, 0.5, 0.0]]).split_off(1);
    for level in 0..depth {
        let length = 0.6 * 0.7_f64.powi(level as i32);
        tips = tips
            .into_iter()
            .flat_map(|tip| {
                [1.0, -1.0].map(|x| {
                    let turned = if level % 2 == 0 { [x * spread, 1.0, 0.0] } else { [0.0, 1.0, x * spread] };
                    made.joint(Some(tip), turned.map(|way| way * length))
                })
            })
            .collect();
    }
    made.0
}

#[test]
fn no_animal_no_plant_and_no_machine_is_taken_for_a_human() {
    let others = [
        ("fox", quadruped(0.35, 0.4, [0.0, 0.1, 0.15], 0.05)),
        ("cat", quadruped(0.25, 0.35, [0.0, 0.05, 0.1], 0.04)),
        ("horse", quadruped(1.1, 1.2, [0.0, 0.5, 0.4], 0.1)),
        ("giraffe", quadruped(1.6, 1.2, [0.0, 1.6, 0.4], 0.05)),
        ("dachshund", quadruped(0.12, 0.5, [0.0, 0.1, 0.1], 0.01)),
        ("spider", spider()),
        ("snake", snake(20)),
        ("long snake", snake(300)),
        ("hand", hand(2)),
        ("hand with tips", hand(3)),
        ("robot arm", robot_arm(1)),
        ("robot arm with fingers", robot_arm(3)),
        ("tree", tree(5, 0.5)),
        ("broad tree", tree(6, 1.2)),
        ("bush", tree(3, 0.8)),
    ];
    for (name, mut scene) in others {
        for upright in [Basis::GLTF, Basis { up: Axis::PosZ, front: Axis::NegY, ..Basis::GLTF }] {
            rebase(&mut scene, &upright, None);
            let found = propose(&scene, &NameMap::default());
            assert!(!found.humanoid.missing().is_empty(), "{name}: {:?}", found.by_shape);
            let least = B::ALL.into_iter().filter(|bone| bone.is_required());
            let least = least.map(|bone| found.by_shape.get(&bone).map_or(0.0, |own| own.certainty));
            assert!(least.fold(1.0, f64::min) < 0.6, "{name}: {:?}", found.by_shape);
        }
    }
}
