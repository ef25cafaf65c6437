//! The space that the contents of a scene take.

use crate::moment::Moment;
use glam::DVec3;
use std::collections::BTreeSet;

/// The space that the contents of a scene take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) centre: DVec3,
    /// Length of the diagonal of the box around all things, in metres; 1 if there is nothing.
    pub(crate) size: f64,
}

impl Extent {
    /// The extent of some nodes over all moments.
    pub(crate) fn of(nodes: &BTreeSet<usize>, moments: &[Moment]) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for moment in moments {
            for point in nodes.iter().filter_map(|node| moment.point(*node)) {
                (low, high) = (low.min(point), high.max(point));
            }
        }
        let (centre, size) = ((low + high) / 2.0, (high - low).length());
        Self {
            centre: if centre.is_finite() { centre } else { DVec3::ZERO },
            size: if size.is_finite() && size > 1e-9 { size } else { 1.0 },
        }
    }
}
