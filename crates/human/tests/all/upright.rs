//! Figures whose way up is not their format's, and such as rest in no pose of a body.

use crate::planted::{ACTOR, Figure, LEGS, SHORT_SHINS, onto, pose, times, walk};
use dopesheet_core::model::{
    Axis, Basis, Composition, HumanBone as B, Humanoid, Property, Scene, Transform, rebase,
};
use dopesheet_human::{ContactLimits, Contacts, Planted, contacts, doubts};
use glam::{DQuat, DVec3};

const ARMS: [[B; 3]; 2] =
    [[B::LeftUpperArm, B::LeftLowerArm, B::LeftHand], [B::RightUpperArm, B::RightLowerArm, B::RightHand]];

fn found(figure: &Figure) -> Contacts {
    contacts(&figure.0, &figure.1, &figure.0.clips[0], &ContactLimits::default()).unwrap()
}

/// A figure with another axis up, whose scene says all the same that Y is.
fn with_up(figure: &Figure, [left, up, front]: [Axis; 3]) -> Figure {
    let mut scene = figure.0.clone();
    rebase(&mut scene, &Basis { left, up, front, ..Basis::GLTF }, None);
    scene.basis = Basis::GLTF;
    (scene, figure.1.clone())
}

/// The same motion of a figure whose nodes have other axes, so that all its bones point along +X at rest, as in LAFAN1.
fn folded(figure: &Figure) -> Figure {
    let (mut scene, mut humanoid) = figure.clone();
    humanoid.rests_in_t_pose = false;
    let child = |node: usize| {
        let own = |other: &&dopesheet_core::model::Node| other.parent.map(|parent| parent.0) == Some(node);
        scene.nodes.iter().find(own).map(|child| DVec3::from(child.rest.translation))
    };
    let axes = |node: usize| {
        let along = child(node).map_or(DVec3::X, DVec3::normalize);
        DQuat::from_rotation_arc(along, DVec3::X)
    };
    let axes: Vec<DQuat> = (0..scene.nodes.len()).map(axes).collect();
    let above = |parent: Option<usize>| parent.map_or(DQuat::IDENTITY, |parent| axes[parent]);
    let parents: Vec<Option<usize>> =
        scene.nodes.iter().map(|node| node.parent.map(|parent| parent.0)).collect();
    for (node, parent) in scene.nodes.iter_mut().zip(&parents) {
        let translation = (above(*parent) * DVec3::from(node.rest.translation)).to_array();
        node.rest = Transform { translation, ..Transform::IDENTITY };
    }
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let node = track.target.node.unwrap().0;
        for channel in track.channels.iter_mut().filter(|own| own.property == Property::Rotation) {
            let Composition::Whole(curve) = &mut channel.composition else { panic!() };
            for key in curve.values.as_chunks_mut::<4>().0 {
                let own = DQuat::from_array(key.map(f64::from));
                let turned = above(parents[node]) * own * axes[node].inverse();
                *key = turned.to_array().map(|x| x as f32);
            }
        }
    }
    (scene, humanoid)
}

/// Largest angle in degrees between limbs of a target with the motion of one figure and of another.
fn apart(a: &Scene, b: &Scene, humanoid: &Humanoid) -> f64 {
    let mut worst: f64 = 0.0;
    for time in times(a) {
        let (ours, theirs) = (pose(a, time), pose(b, time));
        for limb in LEGS.iter().chain(&ARMS) {
            let nodes = limb.map(|bone| humanoid.bones[&bone].0);
            for pair in nodes.windows(2) {
                let way = |pose: &[glam::DAffine3]| pose[pair[1]].translation - pose[pair[0]].translation;
                worst = worst.max(way(&ours).angle_between(way(&theirs)).to_degrees());
            }
        }
    }
    worst
}

#[test]
fn a_figure_with_another_axis_up_stands_as_it_does_with_y_up() {
    let plain = walk(&ACTOR, 30.0, 0.0);
    let stands = found(&plain);
    assert!(stands.stands.len() >= 8, "{stands:?}");
    let target = SHORT_SHINS.figure();
    let (held, _) = onto(&plain, &target, Planted::Feet);
    for axes in [
        [Axis::PosX, Axis::PosZ, Axis::NegY],
        [Axis::PosZ, Axis::PosX, Axis::PosY],
        [Axis::PosY, Axis::NegZ, Axis::NegX],
    ] {
        let up = axes[1];
        let turned = with_up(&plain, axes);
        let own = found(&turned);
        assert_eq!(own.up, DVec3::from(up.vector()));
        assert_eq!(own.stands, stands.stands, "{up:?}");
        assert_eq!(doubts(&turned.0, &turned.1), [""; 0], "{up:?}");
        let (made, report) = onto(&turned, &target, Planted::Feet);
        let off = apart(&held, &made, &target.1);
        assert!(off < 0.05, "{up:?}: {off}°");
        assert!(format!("{report:?}").contains("stands, which slide by"), "{up:?}: {report:?}");
    }
}

#[test]
fn a_figure_that_rests_folded_stands_as_it_starts_to_move() {
    let plain = walk(&ACTOR, 30.0, 0.0);
    let folded = folded(&plain);
    assert_eq!(found(&folded).stands, found(&plain).stands);
    assert_eq!(doubts(&folded.0, &folded.1), [""; 0]);
    let target = SHORT_SHINS.figure();
    for (planted, most) in [(Planted::Nothing, 0.05), (Planted::Feet, 1.0)] {
        let [ours, theirs] = [&folded, &plain].map(|source| onto(source, &target, planted).0);
        let off = apart(&theirs, &ours, &target.1);
        assert!(off < most, "{planted:?}: {off}°");
        let hips = |scene: &Scene| pose(scene, 1.0)[target.1.bones[&B::Hips].0].translation;
        assert!(hips(&ours).distance(hips(&theirs)) < 0.02, "{} and {}", hips(&ours), hips(&theirs));
    }
}

#[test]
fn a_figure_that_starts_lying_down_has_the_way_up_of_its_rest() {
    let mut lying = walk(&ACTOR, 30.0, 0.0);
    for track in lying.0.clips.iter_mut().flat_map(|clip| &mut clip.tracks).take(1) {
        for channel in track.channels.iter_mut().filter(|own| own.property == Property::Rotation) {
            let Composition::Whole(curve) = &mut channel.composition else { panic!() };
            for key in curve.values.as_chunks_mut::<4>().0 {
                let own = DQuat::from_array(key.map(f64::from));
                let turned = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2) * own;
                *key = turned.to_array().map(|x| x as f32);
            }
        }
    }
    assert_eq!(found(&lying).up, DVec3::Y);
}

#[test]
fn a_figure_that_crouches_with_its_trunk_forward_has_the_way_up_of_its_format() {
    let mut crouching = walk(&ACTOR, 30.0, 0.0);
    let spine = crouching.1.bones[&B::Spine];
    crouching.0.nodes[spine.0].rest.rotation = DQuat::from_rotation_x(1.3).to_array();
    assert_eq!(found(&crouching).up, DVec3::Y);
    assert_eq!(doubts(&crouching.0, &crouching.1), [""; 0]);
}

#[test]
fn a_rest_that_is_a_moment_of_a_turn_does_not_turn_the_whole_motion() {
    let plain = walk(&ACTOR, 30.0, 0.0);
    let mut posed = plain.clone();
    let at = |figure: &mut Figure, bone: B, turn: DQuat| {
        let node = figure.1.bones[&bone].0;
        figure.0.nodes[node].rest.rotation = turn.to_array();
    };
    posed.1.rests_in_t_pose = false;
    at(&mut posed, B::Hips, DQuat::from_rotation_y(-1.45));
    at(&mut posed, B::LeftUpperLeg, DQuat::from_rotation_x(-0.7));
    at(&mut posed, B::RightUpperLeg, DQuat::from_rotation_x(0.5));
    let target = SHORT_SHINS.figure();
    let [ours, theirs] = [&posed, &plain].map(|source| onto(source, &target, Planted::Nothing).0);
    let across = |scene: &Scene| {
        let places = pose(scene, 1.0);
        let place = |bone: B| places[target.1.bones[&bone].0].translation;
        (place(B::LeftUpperLeg) - place(B::RightUpperLeg)).normalize()
    };
    assert!(across(&ours).dot(across(&theirs)) > 0.99, "{} and {}", across(&ours), across(&theirs));
}
