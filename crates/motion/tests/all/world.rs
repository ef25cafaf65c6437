//! Nodes that are put into the world.

use crate::kit::*;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Channel, Law, NodeIndex, Property, Transform};
use dopesheet_motion::{Side, Tolerance, put_in_world};

#[test]
fn parents_that_hang_on_each_other_come_to_an_end() {
    let place = |x| Transform { translation: [x, 1.0, 0.0], ..Transform::IDENTITY };
    let mut scene = chain(&[place(1.0), place(2.0), place(4.0)]);
    // The first hangs on the last; parents stand before what hangs on them, so that counts for nothing.
    scene.nodes[0].parent = Some(NodeIndex(2));
    let along = wide(seconds(&[0.0, 1.0]), 3, &[0.0, 0.0, 0.0, 0.0, 0.0, 8.0], Law::LINEAR);
    let turn = wide(seconds(&[0.0]), 4, &[0.0, 0.0, 0.0, 1.0], Law::SLERP);
    let channels =
        vec![Channel::whole(Property::Translation, along), Channel::whole(Property::Rotation, turn)];
    scene.clips = vec![clip(1.0, vec![joint("bone", 1, channels)])];
    let nodes: Vec<NodeIndex> = (0..3).map(NodeIndex).collect();
    put_in_world(&mut scene, &nodes, &Tolerance::default(), &mut Report::default());
    let tracks = &scene.clips[0].tracks;
    let places: Vec<(usize, Vec<f64>)> = tracks
        .iter()
        .map(|track| (track.target.node.unwrap().0, value(&track.channels[0], 1.0, Side::At)))
        .collect();
    let expected = [(0, vec![1.0, 1.0, 0.0]), (1, vec![1.0, 1.0, 8.0]), (2, vec![5.0, 2.0, 8.0])];
    assert_eq!(places, expected);
    assert!(scene.nodes.iter().all(|node| node.parent.is_none() && node.rest == Transform::IDENTITY));
}
