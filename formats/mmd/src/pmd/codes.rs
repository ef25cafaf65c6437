//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

codes! {
    APPEND_CYCLE "mmd-append-cycle" Warning
        "Bones follow each other's rotation in a circle; conversion cuts it at the bone that closes it."
    BASE_MORPH "mmd-base-morph" Warning
        "The first morph is not the base, or another one is; the first base counts, and without one no morph moves anything."
    BONE_TYPE "mmd-bone-type" Warning
        "The type of a bone is above 9, or the unknown 3; it counts as one that turns."
    COUNT "mmd-count" Error
        "A count announces more records than the rest of the file can hold, or a list has more than its count can say."
    ENGLISH "mmd-english" Error
        "The English names that are to be written are not as many as the names they translate."
    FACE_COUNT "mmd-face-count" Warning
        "The number of face indices, or that of a material, is not a multiple of three; conversion leaves the rest out."
    FILE_TOO_LONG "mmd-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FIXED_AXIS "mmd-fixed-axis" Warning
        "A twisting bone has no tail away from its head, so no axis; it turns freely."
    FLAG_BYTE "mmd-flag-byte" Warning
        "A switch is neither 0 nor 1."
    FRAME_NUMBER "mmd-frame-number" Warning
        "A bone is listed in a frame that does not exist; frames count from 1."
    IK_SEVERAL "mmd-ik-several" Info
        "A bone has several IK chains; those behind the first move to copies of the bone."
    IK_WEIGHT "mmd-ik-weight" Warning
        "The weight of an IK chain is not above 0; it never turns anything."
    INDEX "mmd-index" Error
        "An index points at nothing; conversion leaves out what has it."
    KIND "mmd-kind" Warning
        "A byte that chooses among kinds has a value that the format does not define; conversion takes the first kind."
    MATERIAL_FACES "mmd-material-faces" Warning
        "The materials do not own all faces, or more than there are; conversion leaves out faces without material."
    NAME_CUT "mmd-name-cut" Info
        "A name was cut in the middle of a character."
    NAME_DUPLICATE "mmd-name-duplicate" Warning
        "Two bones or two morphs have the same name; motions move the first."
    NAME_EMPTY "mmd-name-empty" Warning
        "A bone or morph has no name, so that no motion can move it."
    NAME_ENCODING "mmd-name-encoding" Warning
        "A text has bytes that mean nothing in CP932; it may be in another encoding."
    NAME_LONG "mmd-name-long" Info
        "The name of a bone or morph takes more than 15 bytes; motions cut it."
    NONFINITE "mmd-nonfinite" Error
        "A number is not finite; conversion takes 0 instead."
    PANEL_BASE "mmd-panel-base" Warning
        "The panel lists the base morph, which nobody can set."
    PARENT_CYCLE "mmd-parent-cycle" Error
        "Bones carry each other in a circle; conversion cuts it at the bone that closes it."
    PARENT_ORDER "mmd-parent-order" Warning
        "A bone is solved before its parent, which comes later in the file; conversion solves the parent first."
    SHORT_FILE "mmd-short-file" Info
        "The file ends before its joints, as those of old versions do."
    SIGNATURE "mmd-signature" Error
        "The file does not start with the signature of PMD."
    TEXTURE "mmd-texture" Warning
        "The picture field of a material names more than one colour picture or sphere; the last of each counts."
    TOON "mmd-toon" Warning
        "A material's shades are neither one of the ten pictures nor none; none are used."
    TRAILING_BYTES "mmd-trailing-bytes" Warning
        "Bytes follow the last section; they are kept but mean nothing."
    TRUNCATED "mmd-truncated" Error
        "The file ends in the middle of a field."
    VERSION "mmd-version" Warning
        "The version is not 1.0."
    WEIGHT_RANGE "mmd-weight-range" Warning
        "The weight of a vertex is above 100; it counts as 100."
}
