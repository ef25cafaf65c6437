//! The codes of faults and findings, once.

use dopesheet_core::bytes::json::JsonCodes;
use dopesheet_core::codes;

/// The codes of faults in the text itself.
pub(super) const JSON: JsonCodes = JsonCodes { syntax: SYNTAX.code };

codes! {
    SYNTAX "pc-json" Error
        "The text is not JSON: broken, cut off, not UTF-8, nested too deeply, or a number too large."
    ROOT "pc-root" Error
        "The root is not an object."
    ANIMATION "pc-animation" Error
        "There is no `animation` object; the file may be another kind of PlayCanvas JSON."
    VERSION "pc-version" Error
        "The version is neither 3 nor 4."
    NODES "pc-nodes" Error
        "`nodes` is absent or not an array."
    NODE "pc-node" Error
        "A node is not an object, or its name is neither a string nor a number."
    KEYS "pc-keys" Error
        "`keys` is neither an array nor null."
    KEY "pc-key" Error
        "A key is not an object."
    COMPONENT "pc-component" Error
        "A component is not an array of at least three finite numbers (four for `quat`)."
    TIME "pc-time" Error
        "A key has no time, or its time is not a number."
    DURATION "pc-duration" Error
        "The duration is negative or not a number."
    COMMENTS "pc-comments" Info
        "The text has comments, which the engine refuses; they are kept."
    W_VERSION_ABSENT "pc-w-version-absent" Warning
        "There is no version; the engine refuses the file. The keys tell its shape."
    W_VERSION_STRING "pc-w-version-string" Warning
        "The version is written as a string."
    W_DEFAULT_SINGULAR "pc-w-default-singular" Warning
        "A node has a member `default`, which the engine does not know."
    W_DEFAULTS_CONFLICT "pc-w-defaults-conflict" Warning
        "A node's `defaults` hide a different value in one of its keys."
    W_COMPONENT_MISSING "pc-w-component-missing" Warning
        "A key lacks a component that nothing else states; the engine refuses the file."
    W_NO_KEYS "pc-w-no-keys" Warning
        "A node has no keys; the engine fails on it."
    W_DURATION_ABSENT "pc-w-duration-absent" Warning
        "There is no duration; the last key ends the clip."
    W_KEY_AFTER_DURATION "pc-w-key-after-duration" Warning
        "A key lies after the end of the clip, which no player reaches."
    W_KEY_BEFORE_ZERO "pc-w-key-before-zero" Warning
        "A key lies before time 0, which no player reaches."
    W_EQUAL_TIMES "pc-w-equal-times" Warning
        "Two neighbouring keys of a node have the same time: a jump."
    W_UNSORTED "pc-w-unsorted" Warning
        "A node's keys are not in order; the engine never reaches some of them."
    W_DUPLICATE_NAME "pc-w-duplicate-name" Warning
        "Several nodes have the same name; the last one with keys is played."
    W_NAME_EMPTY "pc-w-name-empty" Warning
        "A node has no name, so nothing can be animated by it."
    W_EXTRA_ELEMENTS "pc-w-extra-elements" Warning
        "A component has more numbers than are used."
}
