//! Rays and switches as poses of nodes, for formats without rays and switches.

use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, Node, NodeIndex, Property, Scene, Target, TargetKind, Track,
};
use std::collections::HashSet;

/// True if a scene has a ray of a node, not yet put as the node's pose.
#[must_use]
pub fn has_rays(scene: &Scene) -> bool {
    let tracks = scene.tracks();
    let mut channels = tracks.filter(|track| is_of_node(track)).flat_map(|track| &track.channels);
    channels.any(|channel| matches!(channel.property, Property::Origin | Property::Direction))
}

fn is_of_node(track: &Track) -> bool {
    track.target.kind == TargetKind::Joint && track.target.node.is_some()
}

/// Makes the ray of a node the node's pose: the node stands at the origin, and its front points along the
/// ray.
pub fn place_rays(scene: &mut Scene) {
    let axis = scene.basis.front.vector();
    let tracks = scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks);
    for track in tracks.filter(|track| is_of_node(track)) {
        let has = |property: Property| track.channels.iter().any(|c| c.property == property);
        let (has_place, has_turn) = (has(Property::Translation), has(Property::Rotation));
        for channel in &mut track.channels {
            match channel.property {
                Property::Origin if !has_place => channel.property = Property::Translation,
                Property::Direction if !has_turn => swing(channel, axis),
                _ => {}
            }
        }
    }
}

fn swing(channel: &mut Channel, axis: [f64; 3]) {
    let direction = match &channel.composition {
        Composition::Whole(curve) => vec![curve.clone()],
        Composition::Components(curves) => curves.clone(),
        _ => return,
    };
    channel.composition = Composition::Swing { direction, axis };
    channel.property = Property::Rotation;
}

/// A switch of a node also scales the node: as at rest, or as a scale without change has the node, where the switch is on, by 0 where
/// off. The switch itself stays. A switch that is never off needs no scale, and a scale has no effect on a skinned mesh. The scale of a
/// joint, or of a node above joints, would shrink the skin, which the switch leaves as it is.
pub(in crate::conform) fn show_switches(scene: &mut Scene) {
    let mut above_skins = HashSet::new();
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        let mut node = Some(*joint);
        while let Some(index) = node.filter(|node| above_skins.insert(*node)) {
            node = scene.node(index).and_then(|node| node.parent);
        }
    }
    let bears_skin = |target: &Target| target.node.is_some_and(|node| above_skins.contains(&node));
    for clip in &mut scene.clips {
        let switched = clip.tracks.iter().filter(|track| !bears_skin(&track.target));
        let shown: Vec<Track> =
            switched.filter_map(|track| shown(track, &clip.tracks, &scene.nodes)).collect();
        for Target { node, .. } in shown.iter().map(|track| &track.target) {
            let of_node = clip.tracks.iter_mut().filter(|track| track.target.node == *node);
            of_node.for_each(|track| track.channels.retain(|channel| channel.property != Property::Scale));
        }
        clip.tracks.retain(|track| !track.channels.is_empty());
        clip.tracks.extend(shown);
    }
}

/// Takes away scales that repeat a switch of the same node, or a switch without a node, for formats that know
/// switches.
pub(in crate::conform) fn hide_switches(scene: &mut Scene) {
    let Scene { nodes, clips, .. } = scene;
    for clip in clips {
        let switches = clip.tracks.iter().filter(|track| is_placeless(track.target.kind));
        let switch_curves: Vec<(Option<NodeIndex>, Curve)> = switches
            .filter_map(|track| Some((track.target.node, track.channels.iter().find_map(switch)?.clone())))
            .collect();
        let is_shown = |node: NodeIndex, channel: &Channel| {
            let Composition::Whole(curve) = &channel.composition else { return false };
            let Some(rest) = nodes.get(node.0).map(|node| node.rest.scale) else { return false };
            let mut of_node = switch_curves.iter().filter(|(of, _)| of.is_none_or(|of| of == node));
            channel.property == Property::Scale
                && of_node.any(|(_, switch)| {
                    scale(switch, rest).values == curve.values && switch.times.iter().eq(curve.times.iter())
                })
        };
        for track in clip.tracks.iter_mut().filter(|track| track.target.kind == TargetKind::Joint) {
            let Some(node) = track.target.node else { continue };
            track.channels.retain(|channel| !is_shown(node, channel));
        }
        clip.tracks.retain(|track| !track.channels.is_empty());
    }
}

fn shown(track: &Track, all: &[Track], nodes: &[Node]) -> Option<Track> {
    let index = track.target.node.filter(|_| is_placeless(track.target.kind))?;
    let node = nodes.get(index.0).filter(|node| node.skin.is_none())?;
    let mut switches = track.channels.iter().filter_map(switch);
    let curve = switches.next().filter(|curve| curve.values.contains(&0.0))?;
    let size = constant_scale(all, index).map_or(Some(node.rest.scale), |constant| constant)?;
    let target = Target::new(TargetKind::Joint, &node.name, index.0, Some(index));
    Some(Track { target, channels: vec![Channel::whole(Property::Scale, scale(curve, size))] })
}

const fn is_placeless(kind: TargetKind) -> bool {
    matches!(kind, TargetKind::Hand | TargetKind::Custom)
}

/// The scale of a node by its channels; `None` in place of a changing one, and `None` altogether without a channel.
fn constant_scale(tracks: &[Track], node: NodeIndex) -> Option<Option<[f64; 3]>> {
    let of_node = tracks.iter().filter(|track| track.target.node == Some(node));
    let channel = of_node.flat_map(|track| &track.channels).find(|c| c.property == Property::Scale)?;
    let rows = channel.composition.curves().map(|curve| {
        let mut rows = curve.values.chunks_exact(curve.width.max(1));
        let first = rows.next()?;
        rows.all(|row| row == first).then_some(first)
    });
    let row = rows.collect::<Option<Vec<&[f32]>>>().map(|rows| rows.concat());
    Some(row.and_then(|row| <[f32; 3]>::try_from(row).ok()).map(|row| row.map(f64::from)))
}

/// The curve of a switch: one number that holds only 0 or 1.
fn switch(channel: &Channel) -> Option<&Curve> {
    let Composition::Whole(curve) = &channel.composition else { return None };
    let holds = curve.laws.all(|law| law.blend == Blend::Step);
    let is_switch = holds && curve.width == 1 && curve.values.iter().all(|v| *v == 0.0 || *v == 1.0);
    (is_switch && !curve.is_empty()).then_some(curve)
}

fn scale(switch: &Curve, rest: [f64; 3]) -> Curve {
    let mut scale = switch.clone();
    scale.width = 3;
    scale.values = switch.values.iter().flat_map(|v| rest.map(|part| v * part as f32)).collect();
    (scale.handles, scale.weights, scale.weighted) = (None, None, None);
    scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Basis, Clip, Law, Laws, Skin, SkinIndex, Times, Transform};

    fn curve(width: usize, values: &[f32], law: Law) -> Curve {
        let times = values.chunks_exact(width).enumerate().map(|(key, _)| key as f64).collect();
        Curve::new(Times::Seconds(times), width, values.to_vec(), Laws::uniform(law))
    }

    /// One node, moved by one track.
    fn scene(kind: TargetKind, channels: Vec<Channel>) -> Scene {
        let mut scene = Scene::new(Basis::GLTF);
        let node = scene.push_node(Node::new("Pinch", None, Transform::IDENTITY));
        let target = Target::new(kind, "Pinch", 0, Some(node));
        scene.clips.push(Clip { tracks: vec![Track { target, channels }], ..Clip::default() });
        scene
    }

    #[test]
    fn a_switch_shows_as_scale_once_and_stays() {
        let switch = Channel::whole(Property::Named("pinch".into()), curve(1, &[0.0, 1.0], Law::STEP));
        let mut scene = scene(TargetKind::Hand, vec![switch.clone()]);
        show_switches(&mut scene);
        show_switches(&mut scene);
        let [first, second] = &scene.clips[0].tracks[..] else { panic!("{:?}", scene.clips[0].tracks) };
        assert_eq!((&first.channels[..], second.target.kind), (&[switch][..], TargetKind::Joint));
        let expected = Channel::whole(Property::Scale, curve(3, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], Law::STEP));
        assert_eq!(second.channels, [expected]);
    }

    #[test]
    fn a_switch_shows_a_node_as_large_as_at_rest() {
        let switch = Channel::whole(Property::Visible, curve(1, &[1.0, 0.0], Law::STEP));
        let mut half = scene(TargetKind::Custom, vec![switch]);
        half.nodes[0].rest.scale = [1.0, 0.5, -2.0];
        let before = half.clone();
        show_switches(&mut half);
        let expected = curve(3, &[1.0, 0.5, -2.0, 0.0, 0.0, 0.0], Law::STEP);
        assert_eq!(half.clips[0].tracks[1].channels, [Channel::whole(Property::Scale, expected)]);
        hide_switches(&mut half);
        assert_eq!(half.clips, before.clips);
    }

    #[test]
    fn a_scale_without_change_gives_way_to_a_switch_and_any_other_stays() {
        let switch = Channel::whole(Property::Visible, curve(1, &[1.0, 0.0], Law::STEP));
        let parts = [1.0, 0.5, 3.0].map(|part| curve(1, &[part], Law::LINEAR)).to_vec();
        let held = Channel {
            composition: Composition::Components(parts),
            ..Channel::whole(Property::Scale, curve(3, &[], Law::LINEAR))
        };
        let changing =
            Channel::whole(Property::Scale, curve(3, &[1.0, 1.0, 1.0, 2.0, 1.0, 1.0], Law::LINEAR));
        for (channel, expected) in [
            (held, curve(3, &[1.0, 0.5, 3.0, 0.0, 0.0, 0.0], Law::STEP)),
            (changing.clone(), curve(3, &[1.0, 1.0, 1.0, 2.0, 1.0, 1.0], Law::LINEAR)),
        ] {
            let mut scene = scene(TargetKind::Custom, vec![switch.clone()]);
            let target = Target::new(TargetKind::Joint, "Pinch", 0, Some(NodeIndex(0)));
            scene.clips[0].tracks.push(Track { target, channels: vec![channel] });
            show_switches(&mut scene);
            assert_eq!(scene.clips[0].tracks.len(), 2);
            assert_eq!(scene.clips[0].tracks[1].channels, [Channel::whole(Property::Scale, expected)]);
        }
    }

    #[test]
    fn a_switch_that_is_never_off_or_of_a_skinned_mesh_scales_nothing() {
        for (values, skin) in [(&[1.0, 1.0], None), (&[1.0, 0.0], Some(SkinIndex(0)))] {
            let switch = Channel::whole(Property::Visible, curve(1, values, Law::STEP));
            let mut scene = scene(TargetKind::Custom, vec![switch]);
            scene.nodes[0].skin = skin;
            show_switches(&mut scene);
            assert_eq!(scene.clips[0].tracks.len(), 1);
        }
    }

    #[test]
    fn a_switch_of_a_joint_or_of_a_node_above_joints_leaves_the_skin_at_its_size() {
        let switch = Channel::whole(Property::Visible, curve(1, &[0.0], Law::STEP));
        let mut figure = scene(TargetKind::Custom, vec![switch]);
        let hips = figure.push_node(Node::new("Hips", Some(NodeIndex(0)), Transform::IDENTITY));
        let mut prop = figure.clone();
        let joints = vec![hips];
        figure.skins.push(Skin { joints, ..Skin::default() });
        for (scene, scales) in [(&mut figure, 0), (&mut prop, 1)] {
            show_switches(scene);
            let channels = scene.clips[0].tracks.iter().flat_map(|track| &track.channels);
            let count = channels.filter(|channel| channel.property == Property::Scale).count();
            assert_eq!(count, scales, "{:?}", scene.clips[0].tracks);
        }
    }

    #[test]
    fn a_scale_that_only_shows_a_switch_goes_and_any_other_stays() {
        let switch = Channel::whole(Property::Named("pinch".into()), curve(1, &[0.0, 1.0], Law::STEP));
        let mut scene = scene(TargetKind::Hand, vec![switch]);
        let before = scene.clone();
        show_switches(&mut scene);
        let shown = scene.clone();
        hide_switches(&mut scene);
        assert_eq!(scene.clips, before.clips);
        // glTF does not say of which node a switch is.
        scene = shown.clone();
        scene.clips[0].tracks[0].target.node = None;
        hide_switches(&mut scene);
        assert_eq!(scene.clips[0].tracks.len(), 1);
        let other = Channel::whole(Property::Scale, curve(3, &[0.0, 0.0, 0.0, 1.0, 1.0, 2.0], Law::STEP));
        scene = shown;
        scene.clips[0].tracks[1].channels = vec![other];
        hide_switches(&mut scene);
        assert_eq!(scene.clips[0].tracks.len(), 2);
    }

    #[test]
    fn numbers_are_no_switches() {
        for values in [&[0.0, 0.5][..], &[]] {
            let channel = Channel::whole(Property::Value, curve(1, values, Law::STEP));
            let mut scene = scene(TargetKind::Custom, vec![channel]);
            show_switches(&mut scene);
            assert_eq!(scene.clips[0].tracks.len(), 1);
        }
    }

    #[test]
    fn a_ray_becomes_the_pose_of_its_node_unless_it_has_one() {
        let origin = Channel::whole(Property::Origin, curve(3, &[1.0, 2.0, 3.0], Law::LINEAR));
        let direction = Channel::whole(Property::Direction, curve(3, &[1.0, 0.0, 0.0], Law::LINEAR));
        let mut ray = scene(TargetKind::Joint, vec![origin.clone(), direction.clone()]);
        place_rays(&mut ray);
        let channels = &ray.clips[0].tracks[0].channels;
        assert_eq!(channels[0], Channel { property: Property::Translation, ..origin.clone() });
        assert_eq!(channels[1].property, Property::Rotation);
        assert!(matches!(&channels[1].composition, Composition::Swing { axis: [0.0, 0.0, 1.0], .. }));
        let translation = Channel::whole(Property::Translation, curve(3, &[0.0; 3], Law::LINEAR));
        let mut both = scene(TargetKind::Joint, vec![translation, origin.clone()]);
        place_rays(&mut both);
        assert_eq!(both.clips[0].tracks[0].channels[1], origin);
    }
}
