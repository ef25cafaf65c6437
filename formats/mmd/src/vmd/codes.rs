//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

codes! {
    BARE_SIGNATURE "mmd-bare-signature" Warning
        "The signature lacks its version number; MikuMikuDance and most other programs refuse the file."
    CAMERA_NAME "mmd-camera-name" Info
        "The file moves only camera, light or shadow but does not have the model name カメラ・照明, by which MikuMikuDance recognises such files."
    CAMERA_WITH_BONES "mmd-camera-with-bones" Warning
        "The file moves a model and also camera, light or shadow; MikuMikuDance loads one or the other."
    COUNT "mmd-count" Error
        "A count announces more records than the rest of the file can hold."
    CURVE_RANGE "mmd-curve-range" Warning
        "A control point of a curve is above 127; it counts as 127."
    CURVE_ROWS "mmd-curve-rows" Warning
        "The four copies of a bone key's curves disagree; each curve is taken from the row that starts with it."
    CURVE_ROWS_MISSING "mmd-curve-rows-missing" Warning
        "Only the first row of a bone key's curves is filled; it counts for all channels, but other programs see zeros."
    DUPLICATE_KEY "mmd-duplicate-key" Warning
        "A target has several keys of different values at one frame; the last one in the file counts from that frame on."
    EQUAL_KEYS "mmd-equal-keys" Info
        "A target has several keys of equal values at one frame; one of them would do."
    FILE_TOO_LONG "mmd-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FLAG_BYTE "mmd-flag-byte" Warning
        "A switch is neither 0 nor 1."
    FOV "mmd-fov" Warning
        "A field of view is 0° or above 180°; conversion limits it to 1°..=179°."
    FRAME_FAR "mmd-frame-far" Warning
        "A key lies beyond 24 hours; conversion leaves it out."
    FRAME_HUGE "mmd-frame-huge" Warning
        "A frame number is above 2147483647, which many programs read as negative; conversion leaves the key out."
    IK_IN_CAMERA_MOTION "mmd-ik-in-camera-motion" Warning
        "A motion of camera and light has show/IK keys; MikuMikuDance does not write them there."
    IK_LATE "mmd-ik-late" Info
        "An IK bone is missing from the first show/IK key; it counts as on until it appears, but some programs say off."
    LATE_START "mmd-late-start" Info
        "A track has no key at frame 0; MikuMikuDance moves there from the rest pose, other programs hold the first key."
    LIGHT_DIRECTION "mmd-light-direction" Warning
        "A light has no direction (all zero); conversion uses MikuMikuDance's default."
    MORPH_WEIGHT "mmd-morph-weight" Warning
        "The weight of a morph is below 0 or above 1; it is played as it is, but some programs limit it."
    NAME_ALIKE "mmd-name-alike" Warning
        "Two names differ in the file but look the same as text."
    NAME_CUT "mmd-name-cut" Info
        "A name was cut in the middle of a character."
    NAME_EMPTY "mmd-name-empty" Warning
        "A bone, morph or IK bone has no name."
    NAME_ENCODING "mmd-name-encoding" Warning
        "A name has bytes that mean nothing in CP932; it may be in another encoding."
    NAME_NUL "mmd-name-nul" Warning
        "A name starts with NUL, which some writers put in place of a character that CP932 lacks."
    NONFINITE "mmd-nonfinite" Error
        "A number is not finite; conversion treats the key as absent."
    PHYSICS_BYTE "mmd-physics-byte" Warning
        "The physics switch of a bone key has an unknown value; it counts as on."
    QUATERNION_NORM "mmd-quaternion-norm" Info
        "The length of a rotation differs from 1 by more than 0.001; it is normalised when played."
    SECTION_MISSING "mmd-section-missing" Warning
        "The file ends before its morph section."
    SHADOW_DISTANCE "mmd-shadow-distance" Info
        "A self-shadow distance is outside what MikuMikuDance's panel can set (0..=9999, stored as 0.1 − d / 100000)."
    SHADOW_MODE "mmd-shadow-mode" Warning
        "A self-shadow mode is above 2; it counts as 1."
    SHORT_FILE "mmd-short-file" Info
        "The file ends after its morph or camera keys, as old ones do; some programs refuse that."
    SIGNATURE "mmd-signature" Error
        "The file does not start with a signature of VMD."
    TRAILING_BYTES "mmd-trailing-bytes" Warning
        "Bytes follow the last section; they are kept but mean nothing."
    TRUNCATED "mmd-truncated" Error
        "The file ends in the middle of a field."
    UNSORTED "mmd-unsorted" Info
        "Keys of a target are not in the order of their frames; they are sorted when played."
    ZERO_QUATERNION "mmd-zero-quaternion" Warning
        "A rotation is all zero; it counts as no rotation."
}
