//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

/// Id of the format.
pub(super) const ID: &str = "more";

codes! {
    BAD_BOOL "bad-bool" Error
        "A switch is neither 0 nor 1, which nearly always means that earlier data is damaged."
    BAD_MAGIC "bad-magic" Error
        "The file does not start with the magic of ubi resources."
    BONE_CYCLE "bone-cycle" Error
        "A bone is its own ancestor."
    CLIP_INSTANTS_MISMATCH "clip-instants-mismatch" Warning
        "The number of a layer's instants differs from that of the first layer; the game ignores the layer."
    COUNT_EXCEEDS_DATA "count-exceeds-data" Error
        "A count announces more elements than the rest of the file can hold."
    DELTA_ALONE "delta-alone" Warning
        "The values are offsets from a pose that only a model has, and there is none: they count as they are."
    DISPLACEMENT_KIND "displacement-kind" Warning
        "The position of a displacement is not a track of vectors, or its rotation is not a track of rotations."
    DUPLICATE_TIME "duplicate-time" Info
        "Keys have the same time; from there on the last one counts."
    DUPLICATE_TRACK_NAME "duplicate-track-name" Warning
        "Two tracks have the same name."
    EVENTS_UNSORTED "events-unsorted" Warning
        "Events are not in the order of their times."
    FILE_TOO_LONG "file-too-long" Error
        "The file is longer than the limit that the caller set."
    FORM_MISMATCH "form-mismatch" Error
        "Part of a document does not have the form of its version and type; it cannot be written."
    GUESSED_ANGLES "guessed-angles" Info
        "The formula of 16-bit angles is a guess, which --assume angles=… changes."
    GUESSED_ROTATIONS "guessed-rotations" Info
        "The handedness of rotations is a guess, which --assume rotations=… changes."
    GUESSED_ROUNDING "guessed-rounding" Info
        "How values become codes of 16 bits or fewer is a guess, which --assume rounding=… changes where another version is written."
    GUESSED_TANGENTS "guessed-tangents" Info
        "The unit of the derivatives of Bezier keys is a guess, which --assume tangents=… changes."
    INDEX_OUT_OF_RANGE "index-out-of-range" Error
        "A bone, emitter or channel refers to something that does not exist."
    KEY_AFTER_DURATION "key-after-duration" Warning
        "A key, event or instant lies after the end of the animation."
    KEYS_UNSORTED "keys-unsorted" Warning
        "Keys are not in the order of their times; they are sorted when played."
    LINKED_FILE "linked-file" Warning
        "A file that a clip refers to is damaged, or is not an animation."
    NAME_CASE "name-case" Info
        "A track's name differs from one in the model only in case; the two are matched."
    NEGATIVE_TIME "negative-time" Warning
        "A key lies before time 0."
    NESTING_TOO_DEEP "nesting-too-deep" Error
        "Displacements are nested more than 8 levels deep."
    NON_FINITE "non-finite" Error
        "A number is not finite; conversion leaves the key out."
    NOT_UBI_RESOURCE "not-ubi-resource" Error
        "The magic is right, but no class name follows; other files of the game start in the same way."
    OPAQUE_RESOURCE "opaque-resource" Warning
        "The resource is kept as it is, and not interpreted."
    QUAT_NOT_UNIT "quat-not-unit" Warning
        "The length of a quaternion differs from 1 by more than 0.001; it is normalised when played."
    QUAT_U32_OVERFLOW "quat-u32-overflow" Warning
        "The stored elements of a 32-bit quaternion are together longer than 1; the game gets a number that is not finite."
    RARE_TYPE "rare-type" Info
        "A track has a type that was never seen in the game's files."
    SCALE_ORIENTATION "scale-orientation" Warning
        "A bone is scaled unevenly along rotated axes; it is scaled along its own axes instead."
    STRING_EXCEEDS_DATA "string-exceeds-data" Error
        "The length of a string is more than the rest of the file."
    TANGENT_UNIT_HINT "tangent-unit-hint" Info
        "More keys of the file fit the named unit of Bezier derivatives than the other."
    TARGET_CONFLICT "target-conflict" Warning
        "Two tracks move the same property of a node; the first one counts."
    TCB_ANGLE_AXIS_MISMATCH "tcb-angle-axis-mismatch" Warning
        "The angle and axis of a key do not lead from the previous rotation to its own."
    TCB_DERIVATIVE_MISMATCH "tcb-derivative-mismatch" Warning
        "Stored derivatives are not those that tension, continuity and bias give; the stored ones are played."
    TERMINATE_FALSE "terminate-false" Info
        "A track's terminate switch is off; the game ignores it, and its own files have it on."
    TIME_MOVED "time-moved" Warning
        "Keys moved because the version stores their times in 16 bits."
    TRAILING_DATA "trailing-data" Warning
        "Bytes follow the resource; they are kept but mean nothing."
    TRAILING_NUL "trailing-nul" Info
        "A string ends in NUL, which ubi resources do not need."
    TRUNCATED "truncated" Error
        "The file ends in the middle of a field."
    UNBOUND_TRACK "unbound-track" Info
        "A track moves nothing in the model."
    UNKNOWN_CLIP_TYPE "unknown-clip-type" Error
        "A clip is of a type that the game does not know."
    UNKNOWN_TRACK_TYPE "unknown-track-type" Error
        "A track is of a type that the game does not know; its length is unknown."
    UNSUPPORTED_EMBEDDED "unsupported-embedded" Error
        "A clip embeds something other than an animation; its length is unknown."
    VERSION_IMPLAUSIBLE "version-implausible" Error
        "The version is above 0xFFFF, which nearly always means the wrong byte order."
    VERSION_NEWER "version-newer" Warning
        "The version is newer than 0x11; the file is read by the rules of that one."
}
