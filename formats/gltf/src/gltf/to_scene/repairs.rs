//! All repairs made on the way to a scene.

use super::Repair;
use crate::checks::code;

const fn repair(code: &'static str, expected: &'static str, found: &'static str) -> Repair {
    Repair { code, expected, found }
}

pub(super) const SHEAR: Repair =
    repair(code::W_SHEAR, "a matrix without shear", "one with shear, which was left out");
pub(super) const NODE_ROTATION: Repair =
    repair(code::ROTATION_NON_UNIT, "a rotation of unit length", "another length; made unit");
pub(super) const NEGATIVE_TIME: Repair =
    repair(code::ACCESSOR_ANIMATION_INPUT_NEGATIVE, "key times of 0 or more", "keys before 0; kept");
pub(super) const TIME_ORDER: Repair = repair(
    code::ACCESSOR_ANIMATION_INPUT_NON_INCREASING,
    "increasing key times",
    "others; sorted, and of equal times the first and the last kept",
);
pub(super) const INPUT_FORMAT: Repair = repair(
    code::SAMPLER_INPUT_INVALID_FORMAT,
    "single numbers as key times",
    "others; the channel was left out",
);
pub(super) const OUTPUT_FORMAT: Repair = repair(
    code::SAMPLER_OUTPUT_INVALID_FORMAT,
    "values of the type that the target takes",
    "others; the channel was left out",
);
pub(super) const NOT_FINITE: Repair =
    repair(code::ACCESSOR_INVALID_FLOAT, "finite numbers", "keys with others; left out");
pub(super) const ROTATION_LENGTH: Repair =
    repair(code::NON_NORMALIZED_QUATERNION, "rotations of unit length", "keys of other lengths; made unit");
pub(super) const INTERPOLATION: Repair =
    repair(code::VALUE_NOT_IN_LIST, "STEP, LINEAR or CUBICSPLINE", "another interpolation; taken for LINEAR");
pub(super) const CUBIC_KEYS: Repair = repair(
    code::SAMPLER_INPUT_TOO_FEW_ELEMENTS,
    "two keys or more in a CUBICSPLINE",
    "one; its value was kept",
);
pub(super) const NO_TARGET: Repair =
    repair(code::W_DROPPED, "a channel with a target that exists", "one without; left out");
pub(super) const NO_MORPHS: Repair = repair(
    code::CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS,
    "weights of a node with morph targets",
    "a node without; the channel was left out",
);
pub(super) const UNKNOWN_PATH: Repair =
    repair(code::VALUE_NOT_IN_LIST, "a path that glTF knows", "another; the channel was left out");
pub(super) const DUPLICATE: Repair =
    repair(code::ANIMATION_DUPLICATE_TARGETS, "one channel for each target", "another; left out");
