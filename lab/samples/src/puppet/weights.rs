//! Which bones move a point.

use super::math::smooth;
use super::surface::Weights;

/// A bone that takes over from the one before it: where, within how much on either side.
pub(super) type Handover = (&'static str, f64, f64);

/// One bone alone.
pub(super) fn only(bone: &str) -> Weights {
    vec![(bone.to_owned(), 1.0)]
}

/// Along a limb that starts with a bone.
pub(super) fn along(first: &str, chain: &[Handover], at: f64) -> Weights {
    let mut weights = only(first);
    for (bone, place, within) in chain {
        weights = shared(weights, bone, smooth(place - within, place + within, at));
    }
    weights
}

/// With a share for a further bone.
pub(super) fn shared(weights: Weights, bone: &str, share: f64) -> Weights {
    if share <= 0.0 {
        return weights;
    }
    if share >= 1.0 {
        return only(bone);
    }
    let mut weights: Weights =
        weights.into_iter().map(|(name, weight)| (name, weight * (1.0 - share))).collect();
    weights.push((bone.to_owned(), share));
    weights
}
