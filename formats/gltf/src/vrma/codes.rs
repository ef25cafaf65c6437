//! Every code that reading or checking VRM animations may report in addition to the codes of GLB, once.

use crate::checks::{GLB_CHECKS, joined};
use dopesheet_core::codes;
use dopesheet_core::format::Check;

codes! {
    BETWEEN "vrma-between" Warning "A node between two bones is animated, which no player carries over."
    BONE_MISSING "vrma-bone-missing" Error "A bone is missing that every humanoid has."
    BONE_NODE_TWICE "vrma-bone-node-twice" Error "Two bones, expressions or the gaze share a node."
    BONE_ORDER "vrma-bone-order" Error "The node of a bone is not below that of the bone it hangs on."
    BONE_PARENT "vrma-bone-parent" Error "A bone is there without the bone that it needs."
    BONE_UNKNOWN "vrma-bone-unknown" Warning "A bone has a word that VRM 1.0 does not know."
    CLIPS "vrma-clips" Info "There are several animations, of which players need only play the first."
    CUBIC "vrma-cubic" Warning "Keys are joined by another law than LINEAR, which players bend."
    EXPRESSION_CHANNEL "vrma-expression-channel" Error "An expression's node does more than move."
    EXPRESSION_CUSTOM "vrma-expression-custom" Error "A custom expression has the name of a preset."
    EXPRESSION_LOOK "vrma-expression-look" Error "An expression is one that only the gaze may make."
    EXPRESSION_PRESET "vrma-expression-preset" Error "A preset expression has a name that VRM 1.0 does not know."
    EXTENSION_MISSING "vrma-extension-missing" Error "The file is no VRM animation: its extension is not there."
    EYE "vrma-eye" Error "An eye is a bone; eyes are moved by the gaze."
    HIPS_HEIGHT "vrma-hips-height" Warning "The hips do not rest above the ground, so that players cannot scale their way."
    LOOK_AT_CHANNEL "vrma-look-at-channel" Warning "The node of the gaze does more than turn."
    MODEL "vrma-model" Warning "The file is a VRM model as well."
    NODE_SCALE "vrma-node-scale" Warning "A bone's node is scaled at rest, which burdens players."
    POINTER "vrma-pointer" Warning "A channel moves something else than a node, which makes some players fail."
    SCALE "vrma-scale" Error "The scale of a bone is animated."
    STRUCTURE "vrma-structure" Error "A member of the extension has the wrong type or is missing."
    T_POSE "vrma-t-pose" Warning "The rest pose is not the T-pose."
    TRANSLATION "vrma-translation" Error "The position of a bone other than the hips is animated."
    VERSION "vrma-version" Warning "The version of the extension is not 1.0."
    WEIGHT_RANGE "vrma-weight-range" Warning "The weight of an expression leaves the range from 0 to 1."
}

/// The checks of VRM animations: the checks of the extension, then the checks of GLB files.
pub(super) const CHECKS: &[Check] = &joined::<{ ALL.len() + GLB_CHECKS.len() }>(ALL, GLB_CHECKS);
