//! Feet that hang on no shin, as of characters that are animated by goals at their feet: they go where the shins end.

use crate::body::curves::Sampled;
use crate::body::moves::Moves;
use crate::body::tracks::put;
use dopesheet_core::model::{Channel, Clip, HumanBone, Humanoid, NodeIndex, Property, Scene};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::{Side, Tolerance};
use glam::{DAffine3, DQuat};

/// Length of a foot in metres, over which a rotation may move points by the tolerance.
const FOOT_M: f64 = 0.3;

/// Keys feet of a figure, by its `stored` bones, to the joints made in their places at the ends of the shins. Returns the
/// keyed bones.
pub(super) fn follow(
    scene: &mut Scene,
    stored: &Humanoid,
    with_ends: &Humanoid,
    tolerance: &Tolerance,
) -> Vec<HumanBone> {
    let pairs: Vec<(HumanBone, NodeIndex, NodeIndex)> = with_ends
        .bones
        .iter()
        .filter_map(|(bone, end)| Some((*bone, *stored.bones.get(bone)?, *end)))
        .filter(|(_, foot, end)| foot != end)
        .collect();
    let mut clips = std::mem::take(&mut scene.clips);
    for clip in &mut clips {
        for (_, foot, end) in &pairs {
            let channels = channels(scene, clip, [*foot, *end], tolerance);
            channels.into_iter().for_each(|channel| put(clip, scene, *foot, channel));
        }
    }
    scene.clips = clips;
    pairs.into_iter().map(|(bone, ..)| bone).collect()
}

/// The channels of a foot that keep it where it is at rest, as seen from the end of its shin.
fn channels(scene: &Scene, clip: &Clip, [foot, end]: [NodeIndex; 2], tolerance: &Tolerance) -> Vec<Channel> {
    let still = Clip::default();
    let (resting, moves) = (Moves::of(scene, &still), Moves::of(scene, clip));
    let ways = [Some(end.0), moves.parent(foot.0)].map(|node| node.map(|node| moves.way(None, node)));
    let at = |moves: &Moves<'_>, time: Seconds, side: Side| {
        let places = ways
            .each_ref()
            .map(|way| way.as_ref().map_or(ChainTransform::IDENTITY, |way| moves.end(way, time, side)));
        let [end, parent] = places;
        (parent.matrix.inverse() * end.matrix, parent.rotation.conjugate() * end.rotation)
    };
    let rest = ChainTransform::from(&resting.local(foot.0, Seconds(0.0), Side::At));
    let (end_at_rest, turned_at_rest) = at(&resting, Seconds(0.0), Side::At);
    let offset: (DAffine3, DQuat) =
        (end_at_rest.inverse() * rest.matrix, turned_at_rest.conjugate() * rest.rotation);
    let local = |time: Seconds, side: Side| {
        let (end, turned) = at(&moves, time, side);
        ((end * offset.0).translation, (turned * offset.1).normalize())
    };
    let translation = |time, side| local(time, side).0.to_array().to_vec();
    let rotation = |time, side| local(time, side).1.to_array().to_vec();
    let rate = clip.grid.unwrap_or(FrameRate::FPS_30);
    let frames = rate.frame(clip.end()).ceil().max(0.0) as u64;
    let times: Vec<f64> = (0..=frames).map(|frame| rate.seconds(frame as f64).0.min(clip.end().0)).collect();
    let channel = |property: Property, allowance: f64, value: &dyn Fn(Seconds, Side) -> Vec<f64>| {
        let (curve, _) = Sampled { property: property.clone(), allowance, value }.curve(&times);
        Channel::whole(property, curve)
    };
    vec![
        channel(Property::Translation, tolerance.length_m, &translation),
        channel(Property::Rotation, tolerance.length_m / FOOT_M, &rotation),
    ]
}
