//! The codes of faults and findings, once.

use dopesheet_core::bytes::json::JsonCodes;
use dopesheet_core::codes;

/// The codes of faults in the text itself.
pub(super) const JSON: JsonCodes = JsonCodes { syntax: SYNTAX.code };

codes! {
    SYNTAX "pcm-json" Error
        "The text is not JSON: broken, cut off, not UTF-8, nested too deeply, or a number too large."
    ROOT "pcm-root" Error
        "The root is not an object."
    MODEL "pcm-model" Error
        "There is no `model` object; the file may be another kind of PlayCanvas JSON."
    VERSION "pcm-version" Error
        "The version is not a number above 1; the engine reads 2 and 3."
    NODES "pcm-nodes" Error
        "`nodes` is absent, not an array or empty."
    NODE "pcm-node" Error
        "A node is not an object, or its position, rotation or scale is not three numbers."
    PARENTS "pcm-parents" Error
        "`parents` does not have one valid entry for each node, or the parents form a cycle."
    SKINS "pcm-skins" Error
        "A skin does not have one matrix of 16 numbers for each bone name."
    VERTICES "pcm-vertices" Error
        "A vertex attribute has no type, or its number of values does not match the positions."
    MESHES "pcm-meshes" Error
        "A mesh is invalid."
    MORPHS "pcm-morphs" Error
        "A morph target is invalid."
    INSTANCES "pcm-mesh-instances" Error
        "A mesh instance does not name a node and a mesh."
    INDEX "pcm-index" Error
        "An index refers to something that does not exist, or is not a whole number."
    W_VERSION "pcm-w-version" Warning
        "The version is absent or above 3; no known file is like that."
    W_SCALE_COMPENSATION "pcm-w-scale-compensation" Warning
        "A node ignores its parent's scale (Maya's segment scale compensation)."
    W_BONE_UNKNOWN "pcm-w-bone-unknown" Warning
        "A bone's name is not that of a node; the root node is used."
    W_BONE_AMBIGUOUS "pcm-w-bone-ambiguous" Warning
        "Several nodes have a bone's name; the first, depth first, is used."
    W_NOT_DRAWN "pcm-w-not-drawn" Warning
        "A mesh consists of points or lines, which are left out."
    W_NO_WEIGHTS "pcm-w-no-weights" Warning
        "A mesh has a skin but its vertices have no weights; it counts as a mesh without a skin."
    W_JOINT_RANGE "pcm-w-joint-range" Warning
        "A vertex names a bone that its skin does not have; its weight is dropped."
}
