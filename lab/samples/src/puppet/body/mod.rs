//! The body: trunk, arms, hands, legs and shoes.

mod arm;
mod hand;
mod leg;
mod trunk;

pub(super) use leg::shoe_height;

use super::surface::Surface;

/// The dressed parts.
pub(super) fn clothes() -> Surface {
    trunk::jacket().and(trunk::collar()).and(arm::sleeves()).and(leg::legs()).and(leg::shoes())
}

/// The bare parts, without the head.
pub(super) fn skin() -> Surface {
    trunk::neck().and(hand::hands())
}
