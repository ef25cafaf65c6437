//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

codes! {
    COUNT_MISMATCH "mmd-count-mismatch" Warning
        "The file announces another number of bones than it has; all are read, but MikuMikuDance stops at the number."
    DUPLICATE_NAME "mmd-duplicate-name" Warning
        "A bone or morph appears more than once; the last one in the file counts."
    FILE_TOO_LONG "mmd-file-too-long" Error
        "The file is longer than the limit that the caller set."
    INDEX_ORDER "mmd-index-order" Info
        "The numbers behind the words Bone and Morph do not count from 0; they mean nothing."
    MORPHS "mmd-morphs" Info
        "The file sets morphs, as MikuMikuMoving writes them; MikuMikuDance ignores that."
    NAME_CUT "mmd-name-cut" Info
        "A name ends in the middle of a character."
    NAME_EMPTY "mmd-name-empty" Warning
        "A bone or morph has no name."
    NAME_ENCODING "mmd-name-encoding" Warning
        "A name has bytes that mean nothing in CP932; it may be in another encoding."
    NAME_LINE "mmd-name-line" Error
        "A name that is to be written would be read differently: it has a line break or ends in blanks."
    NAME_UNENCODABLE "mmd-name-unencodable" Error
        "A name that is to be written has a character that CP932 lacks."
    NONFINITE "mmd-nonfinite" Error
        "A number is not finite; conversion treats the bone or morph as absent."
    NUMBER "mmd-number" Error
        "Something stands where a number belongs."
    QUATERNION_NORM "mmd-quaternion-norm" Info
        "The length of a rotation differs from 1 by more than 0.001; it is normalised when played."
    SIGNATURE "mmd-signature" Error
        "The file does not start with the line of VPD."
    SYNTAX "mmd-syntax" Error
        "A sign or word that belongs there is missing."
    TRAILING_TEXT "mmd-trailing-text" Warning
        "Other text follows the last bone or morph; it is kept but means nothing."
    TRUNCATED "mmd-truncated" Error
        "The file ends in the middle of a bone or morph, or of its header."
    ZERO_QUATERNION "mmd-zero-quaternion" Warning
        "A rotation is all zero; it counts as no rotation."
}
