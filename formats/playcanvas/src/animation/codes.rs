//! The codes of faults and findings, once.

use dopesheet_core::bytes::json::JsonCodes;
use dopesheet_core::diag::{Code, Severity};
use dopesheet_core::format::Check;

pub(super) const JSON: JsonCodes = JsonCodes { syntax: "pc-json" };
pub(super) const ROOT: Code = "pc-root";
pub(super) const ANIMATION: Code = "pc-animation";
pub(super) const VERSION: Code = "pc-version";
pub(super) const NODES: Code = "pc-nodes";
pub(super) const NODE: Code = "pc-node";
pub(super) const KEYS: Code = "pc-keys";
pub(super) const KEY: Code = "pc-key";
pub(super) const COMPONENT: Code = "pc-component";
pub(super) const TIME: Code = "pc-time";
pub(super) const DURATION: Code = "pc-duration";

pub(super) const W_VERSION_ABSENT: Code = "pc-w-version-absent";
pub(super) const W_VERSION_STRING: Code = "pc-w-version-string";
pub(super) const W_DEFAULT_SINGULAR: Code = "pc-w-default-singular";
pub(super) const W_DEFAULTS_CONFLICT: Code = "pc-w-defaults-conflict";
pub(super) const W_COMPONENT_MISSING: Code = "pc-w-component-missing";
pub(super) const W_NO_KEYS: Code = "pc-w-no-keys";
pub(super) const W_DURATION_ABSENT: Code = "pc-w-duration-absent";
pub(super) const W_KEY_AFTER_DURATION: Code = "pc-w-key-after-duration";
pub(super) const W_KEY_BEFORE_ZERO: Code = "pc-w-key-before-zero";
pub(super) const W_EQUAL_TIMES: Code = "pc-w-equal-times";
pub(super) const W_UNSORTED: Code = "pc-w-unsorted";
pub(super) const W_DUPLICATE_NAME: Code = "pc-w-duplicate-name";
pub(super) const W_NAME_EMPTY: Code = "pc-w-name-empty";
pub(super) const W_EXTRA_ELEMENTS: Code = "pc-w-extra-elements";

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
    error(ANIMATION, "There is no `animation` object; the file may be another kind of PlayCanvas JSON."),
    error(VERSION, "The version is neither 3 nor 4."),
    error(NODES, "`nodes` is absent or not an array."),
    error(NODE, "A node is not an object, or its name is neither a string nor a number."),
    error(KEYS, "`keys` is neither an array nor null."),
    error(KEY, "A key is not an object."),
    error(COMPONENT, "A component is not an array of at least three finite numbers (four for `quat`)."),
    error(TIME, "A key has no time, or its time is not a number."),
    error(DURATION, "The duration is negative or not a number."),
    warning(W_VERSION_ABSENT, "There is no version; the engine refuses the file. The keys tell its shape."),
    warning(W_VERSION_STRING, "The version is written as a string."),
    warning(W_DEFAULT_SINGULAR, "A node has a member `default`, which the engine does not know."),
    warning(W_DEFAULTS_CONFLICT, "A node's `defaults` hide a different value in one of its keys."),
    warning(
        W_COMPONENT_MISSING,
        "A key lacks a component that nothing else states; the engine refuses the file.",
    ),
    warning(W_NO_KEYS, "A node has no keys; the engine fails on it."),
    warning(W_DURATION_ABSENT, "There is no duration; the last key ends the clip."),
    warning(W_KEY_AFTER_DURATION, "A key lies after the end of the clip, which no player reaches."),
    warning(W_KEY_BEFORE_ZERO, "A key lies before time 0, which no player reaches."),
    warning(W_EQUAL_TIMES, "Two neighbouring keys of a node have the same time: a jump."),
    warning(W_UNSORTED, "A node's keys are not in order; the engine never reaches some of them."),
    warning(W_DUPLICATE_NAME, "Several nodes have the same name; the last one with keys is played."),
    warning(W_NAME_EMPTY, "A node has no name, so nothing can be animated by it."),
    warning(W_EXTRA_ELEMENTS, "A component has more numbers than are used."),
];
