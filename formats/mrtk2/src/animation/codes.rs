//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

codes! {
    BAD_MAGIC "bad-magic" Error
        "The file does not start with the eight bytes of an input animation."
    BAD_STRING_LENGTH "bad-string-length" Error
        "The length in front of a marker's name is longer than five bytes or beyond 2147483647."
    BAD_UTF8 "bad-utf8" Warning
        "A marker's name is not UTF-8; conversion replaces its invalid bytes."
    BOOL_VALUE "bool-value-not-0-1" Warning
        "A key of a tracked or pinch curve is neither 0 nor 1; above 0.5 counts as true."
    COUNT_TOO_LARGE "count-too-large" Error
        "A count of keys or markers is more than the whole file can hold."
    DOC_SHAPE "doc-shape" Info
        "The file has the 28-byte keys of the documentation in version 1.1; the toolkit itself misreads it."
    DUPLICATE_KEY_TIME "duplicate-key-time" Warning
        "A curve has several keys at one time; from that time on the last of them counts."
    FILE_TOO_LONG "file-too-long" Error
        "The file is longer than the limit that the caller set."
    JOINTS_ABSENT "joints-absent" Info
        "A hand that is written has no keys for some joints, because the source has none for them."
    KEYS_OF_8_BYTES "keys-of-8-bytes" Info
        "A written recording has keys of 8 bytes, as version 1.1 of the toolkit; those of the documentation have 28 (`mrtk2@1.1-doc`)."
    MISSING_MARKER_LIST "missing-marker-list" Info
        "The file ends after its last curve, as the documentation says; the toolkit itself cannot load it."
    NEGATIVE_COUNT "negative-count" Error
        "A number of keys or markers is below 0."
    NEGATIVE_TIME "negative-time" Info
        "A key lies before time 0, as the rolling recorder of version 1.0 leaves them."
    NON_CANONICAL_BOOL_BYTE "non-canonical-bool-byte" Warning
        "A flag is neither 0 nor 1; any value except 0 counts as set."
    NON_FINITE_TANGENT "non-finite-tangent" Warning
        "A tangent is not a number and counts as 0; infinite tangents are legal and make a step."
    NON_FINITE_TIME "non-finite-time" Error
        "The time of a key or marker is not finite; lenient reading drops it."
    NON_FINITE_VALUE "non-finite-value" Warning
        "The value of a key is not finite; conversion leaves out its channel."
    NON_FINITE_WEIGHT "non-finite-weight" Warning
        "A used weight is not finite; it counts as one third."
    ROTATION_W_DAMAGED "rotation-w-damaged" Warning
        "The W curves of rotations lost their keys, a bug in the recorder of MRTK 2.6 and 2.7; conversion restores them."
    SHAPE_AMBIGUOUS "shape-ambiguous" Warning
        "The file can be read to its end with keys of 8 and of 28 bytes; the more plausible reading was taken."
    SHAPE_INDETERMINATE "shape-indeterminate" Info
        "The file has no number keys, so nothing tells their size."
    TRAILING_BYTES "trailing-bytes" Error
        "Bytes follow the marker list; lenient reading drops them."
    TRUNCATED "truncated" Error
        "The file ends too early."
    UNKNOWN_WEIGHTED_MODE "unknown-weighted-mode" Warning
        "A weighted mode is none of 0 to 3; its two lowest bits count."
    UNKNOWN_WRAP_MODE "unknown-wrap-mode" Warning
        "A wrap mode is negative or has unknown bits; it counts as clamp."
    UNSORTED_KEYS "unsorted-keys" Warning
        "The keys of a curve are not in the order of their times; they are sorted when played."
    UNSORTED_MARKERS "unsorted-markers" Warning
        "The markers are not in the order of their times, by which the toolkit looks them up."
    UNSUPPORTED_VERSION "unsupported-version" Error
        "The version is neither 1.0 nor 1.1."
    WEIGHT_OUT_OF_RANGE "weight-out-of-range" Warning
        "A used weight is outside 0..=1; it is played as it is stored."
    WRAP_MODE_COMBINATION "wrap-mode-combination" Warning
        "A wrap mode combines several bits, which Unity's enumeration does not; ping-pong counts before loop, and loop before clamp."
    WRAP_MODE_ONCE "wrap-mode-once" Info
        "A wrap mode is 1 (once), by which a clip goes back to its start; a curve of Unity holds its ends, and so it is played."
    ZERO_GAZE_DIRECTION "zero-gaze-direction" Info
        "The gaze has no direction at one of its keys."
}
