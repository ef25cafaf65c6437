//! Meanings of a file's curves: the classes and properties for which the format has words, and the playback
//! of their keys.

use super::document::Keyframe;
use dopesheet_core::model::{EulerOrder, Weighted, WeightedKey};

/// Numbers of Unity's classes.
pub(super) mod class {
    /// `GameObject`
    pub(in super::super) const OBJECT: i64 = 1;
    /// `Transform`
    pub(in super::super) const TRANSFORM: i64 = 4;
    /// `Camera`
    pub(in super::super) const CAMERA: i64 = 20;
    /// `Animator`
    pub(in super::super) const ANIMATOR: i64 = 95;
    /// `Light`
    pub(in super::super) const LIGHT: i64 = 108;
    /// `SkinnedMeshRenderer`
    pub(in super::super) const SKINNED_MESH: i64 = 137;
}

/// Property with the value 1 while an object is active.
pub(super) const IS_ACTIVE: &str = "m_IsActive";
/// Prefix of the name of a blend shape, whose weights are in percent.
pub(super) const BLEND_SHAPE: &str = "blendShape.";
/// Vertical, in degrees.
pub(super) const FIELD_OF_VIEW: &str = "field of view";
/// Property with the value 1 while a camera projects in parallel.
pub(super) const ORTHOGRAPHIC: &str = "orthographic";
/// The strength of a light.
pub(super) const INTENSITY: &str = "m_Intensity";
/// The colour of a light, component by component.
pub(super) const COLOR: [&str; 3] = ["m_Color.r", "m_Color.g", "m_Color.b"];

/// The order of a number of Unity.
pub(super) fn order(rotation_order: i64) -> Option<EulerOrder> {
    EulerOrder::ALL.get(usize::try_from(rotation_order).ok()?).copied()
}

/// The number of an order: the inverse of [`order`].
pub(super) fn rotation_order(order: EulerOrder) -> i64 {
    EulerOrder::ALL.into_iter().zip(0..).find(|(known, _)| *known == order).map_or(0, |(_, number)| number)
}

/// One component of a key, in the form of curves of scenes.
pub(super) const fn weighted_key<const N: usize>(key: &Keyframe<N>, at: usize) -> WeightedKey {
    WeightedKey {
        time: key.time,
        value: key.value[at],
        in_slope: key.in_slope[at],
        out_slope: key.out_slope[at],
        weighted: Weighted { arriving: key.weighted_mode & IN != 0, leaving: key.weighted_mode & OUT != 0 },
        in_weight: key.in_weight[at],
        out_weight: key.out_weight[at],
    }
}

/// The bit of a weighted mode for the weights of the segment that ends at a key.
pub(super) const IN: i64 = Keyframe::<1>::IN;
/// As [`IN`], for the segment that starts at the key.
pub(super) const OUT: i64 = Keyframe::<1>::OUT;

/// The mode for the effective weights.
pub(super) const fn weighted_mode(weighted: Weighted) -> i64 {
    (if weighted.arriving { IN } else { 0 }) | (if weighted.leaving { OUT } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_numbers() {
        for number in 0..6 {
            assert_eq!(order(number).map(rotation_order), Some(number));
        }
        assert_eq!((order(6), order(-1)), (None, None));
    }
}
