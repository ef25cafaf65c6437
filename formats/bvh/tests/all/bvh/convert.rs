//! Motions that conversion has brought within the capabilities of the format.

use dopesheet_bvh::Bvh;
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::format::{Format, FromScene, ToScene};
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind,
    Times, Timing, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::{Conform, arrange, conform};

/// A root with keys at odd times: eased steps of a translation, and a scale.
fn scene() -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(Node::new("root", None, Transform::IDENTITY));
    let eased = Law { timing: Timing::Ease { from: 0.5, to: 0.5 }, blend: Blend::Lerp };
    let times = || Times::Seconds([0.0, 0.31, 1.0].into());
    let places = vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0];
    let place = Curve::new(times(), 3, places, Laws::uniform(eased));
    let sizes =
        Curve::new(times(), 3, vec![1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0], Laws::uniform(Law::LINEAR));
    let channels = vec![Channel::whole(Property::Translation, place), Channel::whole(Property::Scale, sizes)];
    let target = Target::new(TargetKind::Joint, "root", 0, Some(NodeIndex(0)));
    let tracks = vec![Track { target, channels }];
    scene.clips.push(Clip { duration: Seconds(1.0), tracks, ..Clip::default() });
    scene
}

fn converted(bake: Option<FrameRate>) -> (Scene, Report) {
    let (mut scene, mut report) = (scene(), Report::default());
    let capabilities = &Bvh::INFO.capabilities;
    arrange(&mut scene, capabilities);
    conform(&mut scene, capabilities, &Conform { bake, ..Conform::default() }, &mut report);
    let document = Bvh::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
    (Bvh::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap(), report)
}

#[test]
fn a_clip_gets_a_key_on_every_frame_of_the_rate_that_is_asked_for() {
    for (bake, fps) in [(None, 24.0), (FrameRate::new(60, 1), 60.0), (FrameRate::new(120, 1), 120.0)] {
        let (scene, report) = converted(bake);
        let clip = &scene.clips[0];
        assert_eq!(clip.grid.map(FrameRate::fps), Some(fps));
        assert_eq!(clip.tracks[0].channels[0].composition.curves().next().unwrap().len(), fps as usize + 1);
        let measured = report.losses.iter().find_map(|loss| match loss {
            Loss::Approximated { max_error, .. } if max_error.unit == ErrorUnit::Metre => {
                Some(max_error.value)
            }
            _ => None,
        });
        // An authored key between two frames is cut off by what moves there in a frame.
        assert!(measured.is_some_and(|error| error > 0.0 && error < 15.0 / fps), "{measured:?} at {fps}");
    }
}

#[test]
fn a_scale_is_dropped_and_said() {
    let (_, report) = converted(None);
    let dropped: Vec<_> = report.losses.iter().filter(|loss| matches!(loss, Loss::Dropped { .. })).collect();
    let [Loss::Dropped { what, .. }] = dropped.as_slice() else { panic!("{dropped:?}") };
    assert_eq!(what, "3 scale keys of 1 joint target");
}
