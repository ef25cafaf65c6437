//! The motion of a root as a single track.

use crate::more::animation::{Body, Displacement, Track, TrackType, ValueType};
use crate::text::Name;
use dopesheet_core::diag::Report;
use dopesheet_core::model::Scene;

/// Joins the position and the rotation of the first parentless joint with both.
pub(super) fn join(scene: &Scene, tracks: &mut Vec<Track>, report: &mut Report) {
    let roots = scene.nodes.iter().filter(|node| node.parent.is_none());
    let matches = roots.filter_map(|node| {
        let position_of = |ending: &str| {
            let name = format!("{}.{ending}", node.name);
            tracks.iter().position(|track| track.name.text() == name)
        };
        let (position, rotation) = (position_of("Position")?, position_of("Rotation")?);
        let is_vector = tracks.get(position)?.track_type.value() == Some(ValueType::Vector);
        (is_vector && tracks.get(rotation)?.track_type.is_rotation()).then_some((node, position, rotation))
    });
    let Some((node, position, rotation)) = matches.take(1).next() else {
        return report
            .dropped("the displacement that was asked for", "no joint without a parent moves and turns");
    };
    let body = Body::Displacement(Box::new(Displacement {
        position: tracks[position].clone(),
        rotation: tracks[rotation].clone(),
    }));
    tracks[position] = Track { track_type: TrackType::DISPLACEMENT, name: Name::new(&node.name), body };
    tracks.remove(rotation);
    report.kept(format!("position and rotation of \"{}\" as a displacement", node.name));
}
