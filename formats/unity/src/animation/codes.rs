//! Every code that reading and checking may report, with its severity: stated once, here.

use crate::yaml::Codes;
use dopesheet_core::codes;

/// The codes of faults in the text itself.
pub(super) const TEXT: Codes =
    Codes { syntax: SYNTAX.code, kind: KIND.code, number: NUMBER.code, depth: DEPTH.code };

codes! {
    BINARY "anim-binary" Error
        "The file is binary: Unity writes text only if the project's asset serialization is Force Text."
    BYTE_ORDER_MARK "anim-byte-order-mark" Warning
        "The file starts with a byte order mark, which Unity does not write."
    COMPRESSED "anim-compressed" Warning
        "Rotations are packed (m_CompressedRotationCurves); they are kept but not read, so conversion drops them."
    DEPTH "anim-depth" Error
        "Lists and maps are nested too deeply."
    DUPLICATE_CURVE "anim-duplicate-curve" Warning
        "Several curves move the same property of an object; the first one counts."
    DUPLICATE_KEY_TIME "anim-duplicate-key-time" Warning
        "Several keys of a curve have the same time; the value jumps there, to that of the last one."
    EDITOR_CURVES "anim-editor-curves" Warning
        "Editor curves move a property that no playback curve moves; Unity plays it once the editor has saved the clip."
    EMPTY_CURVE "anim-empty-curve" Warning
        "A curve has no keys; it moves nothing."
    END "anim-end" Warning
        "The clip ends before m_Events, which Unity writes last; the file may have been cut."
    EVENT_ORDER "anim-event-order" Warning
        "Times of events decrease; Unity writes them in order."
    FILE_TOO_LONG "anim-file-too-long" Error
        "The file is longer than the limit that the caller set."
    HUMANOID "anim-humanoid" Info
        "The clip moves the muscles of Unity's humanoid (properties of the Animator). Only an avatar defines their effect on joints, so conversion to other formats drops them, and a clip with nothing else is not converted."
    INFINITY "anim-infinity" Warning
        "The behaviour before or after a curve's keys is not ping-pong, loop or clamp; clamp is used."
    KIND "anim-kind" Error
        "A member is a list, a map or a single value where it must be something else."
    MEMBER "anim-member" Error
        "A key, curve or event lacks a required member."
    NO_CLIP "anim-no-clip" Error
        "The file has no object of class 74 (AnimationClip)."
    NONFINITE_TANGENT "anim-nonfinite-tangent" Warning
        "A slope is not a number; 0 is used. Infinite slopes are steps."
    NONFINITE_TIME "anim-nonfinite-time" Error
        "The time of a key or event is not finite; conversion leaves it out."
    NONFINITE_VALUE "anim-nonfinite-value" Error
        "The value of a key is not finite; conversion leaves out that curve."
    NONFINITE_WEIGHT "anim-nonfinite-weight" Warning
        "A weight that counts is not finite; a third is used."
    NUMBER "anim-number" Error
        "Something else stands in place of a number."
    OBJECT_CURVES "anim-object-curves" Info
        "The clip moves references to objects of a Unity project (m_PPtrCurves); they are kept but mean nothing elsewhere."
    OTHER_OBJECTS "anim-other-objects" Info
        "The file has objects that are not clips; they are kept."
    PING_PONG "anim-ping-pong" Info
        "The clip plays back and forth (m_WrapMode), which other formats cannot state."
    ROTATION_LENGTH "anim-rotation-length" Warning
        "A key of a rotation is not a unit quaternion; it is normalised when it is played."
    ROTATION_ORDER "anim-rotation-order" Warning
        "The rotation order is none of Unity's six; the usual one (Z, X, Y) is used."
    ROTATION_SIGN "anim-rotation-sign" Warning
        "Neighbouring keys of a rotation are nearly opposite quaternions; Unity plays the long way round between them, through zero."
    SAMPLE_RATE "anim-sample-rate" Warning
        "The sample rate is not above 0; 60 is used."
    SIGNATURE "anim-signature" Error
        "The file does not start with %YAML, as all of Unity's text files do."
    SYNTAX "anim-syntax" Error
        "The text is not YAML as Unity writes it."
    TIME_RANGE "anim-time-range" Info
        "Keys lie after m_StopTime; a player stops before them."
    UNSORTED_KEYS "anim-unsorted-keys" Warning
        "Times of the keys of a curve decrease; the keys are played in the order of time."
    WEIGHT_RANGE "anim-weight-range" Warning
        "A weight that counts is outside 0..=1."
    WEIGHTED_MODE "anim-weighted-mode" Warning
        "A weighted mode is none of 0 to 3; its two lowest bits count."
}
