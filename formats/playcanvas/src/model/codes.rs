//! The codes of faults and findings, once.

use dopesheet_core::bytes::json::JsonCodes;
use dopesheet_core::diag::{Code, Severity};
use dopesheet_core::format::Check;

pub(super) const JSON: JsonCodes = JsonCodes { syntax: "pcm-json" };
pub(super) const ROOT: Code = "pcm-root";
pub(super) const MODEL: Code = "pcm-model";
pub(super) const VERSION: Code = "pcm-version";
pub(super) const NODES: Code = "pcm-nodes";
pub(super) const NODE: Code = "pcm-node";
pub(super) const PARENTS: Code = "pcm-parents";
pub(super) const SKINS: Code = "pcm-skins";
pub(super) const VERTICES: Code = "pcm-vertices";
pub(super) const MESHES: Code = "pcm-meshes";
pub(super) const MORPHS: Code = "pcm-morphs";
pub(super) const INSTANCES: Code = "pcm-mesh-instances";
pub(super) const INDEX: Code = "pcm-index";

pub(super) const W_VERSION: Code = "pcm-w-version";
pub(super) const W_SCALE_COMPENSATION: Code = "pcm-w-scale-compensation";
pub(super) const W_BONE_UNKNOWN: Code = "pcm-w-bone-unknown";
pub(super) const W_BONE_AMBIGUOUS: Code = "pcm-w-bone-ambiguous";
pub(super) const W_NOT_DRAWN: Code = "pcm-w-not-drawn";
pub(super) const W_NO_WEIGHTS: Code = "pcm-w-no-weights";
pub(super) const W_JOINT_RANGE: Code = "pcm-w-joint-range";

const fn error(code: Code, about: &'static str) -> Check {
    Check { code, severity: Severity::Error, about }
}

const fn warning(code: Code, about: &'static str) -> Check {
    Check { code, severity: Severity::Warning, about }
}

/// Every code with its meaning.
pub(super) const CHECKS: &[Check] = &[
    error(
        JSON.syntax,
        "The text is not JSON: broken, cut off, not UTF-8, nested too deeply, or a number too large.",
    ),
    error(ROOT, "The root is not an object."),
    error(MODEL, "There is no `model` object; the file may be another kind of PlayCanvas JSON."),
    error(VERSION, "The version is not a number above 1; the engine reads 2 and 3."),
    error(NODES, "`nodes` is absent, not an array or empty."),
    error(NODE, "A node is not an object, or its position, rotation or scale is not three numbers."),
    error(PARENTS, "`parents` does not have one valid entry for each node, or the parents form a cycle."),
    error(SKINS, "A skin does not have one matrix of 16 numbers for each bone name."),
    error(VERTICES, "A vertex attribute has no type, or its number of values does not match the positions."),
    error(MESHES, "A mesh is invalid."),
    error(MORPHS, "A morph target is invalid."),
    error(INSTANCES, "A mesh instance does not name a node and a mesh."),
    error(INDEX, "An index refers to something that does not exist, or is not a whole number."),
    warning(W_VERSION, "The version is absent or above 3; no known file is like that."),
    warning(W_SCALE_COMPENSATION, "A node ignores its parent's scale (Maya's segment scale compensation)."),
    warning(W_BONE_UNKNOWN, "A bone's name is not that of a node; the root node is used."),
    warning(W_BONE_AMBIGUOUS, "Several nodes have a bone's name; the first, depth first, is used."),
    warning(W_NOT_DRAWN, "A mesh consists of points or lines, which are left out."),
    warning(
        W_NO_WEIGHTS,
        "A mesh has a skin but its vertices have no weights; it counts as a mesh without a skin.",
    ),
    warning(W_JOINT_RANGE, "A vertex names a bone that its skin does not have; its weight is dropped."),
];
