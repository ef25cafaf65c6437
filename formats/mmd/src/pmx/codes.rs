//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

codes! {
    APPEND_CYCLE "mmd-append-cycle" Warning
        "Bones take over each other's motion in a circle; each passes on what it has when its turn comes."
    APPEND_NONE "mmd-append-none" Warning
        "A bone takes over the motion of no bone; it keeps its own."
    CHOICE "mmd-choice" Warning
        "A byte that chooses among kinds has a value that the format does not define; conversion takes the first kind."
    COUNT "mmd-count" Error
        "A count announces more records than the rest of the file can hold."
    EMPTY_SOFT_BODIES "mmd-empty-soft-bodies" Info
        "A file of version 2.0 ends with an empty list of soft bodies, which only version 2.1 has."
    FACE_COUNT "mmd-face-count" Warning
        "The number of face indices, or that of a material, is not a multiple of three; conversion leaves the rest out."
    FILE_TOO_LONG "mmd-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FIXED_AXIS "mmd-fixed-axis" Warning
        "A fixed axis has no length; the bone turns freely."
    FORWARD_PARENT "mmd-forward-parent" Info
        "A bone's parent comes later in the file; some programs do not expect that."
    FURTHER_SETTINGS "mmd-further-settings" Warning
        "The header has more settings than the eight that are defined; they are kept but mean nothing."
    IK_CHAIN "mmd-ik-chain" Warning
        "A link of an IK chain does not carry the target; turning it has no effect."
    IK_GOAL "mmd-ik-goal" Warning
        "An IK bone hangs on a link of its own chain, so that the goal moves with what pursues it."
    IK_ITERATIONS "mmd-ik-iterations" Warning
        "The number of rounds of an IK chain is negative; conversion takes none."
    IK_LIMIT "mmd-ik-limit" Info
        "A lowest angle is above the highest; they are exchanged when played."
    INDEX "mmd-index" Error
        "An index points at nothing; conversion leaves out what has it."
    KIND "mmd-kind" Error
        "A byte says that something follows which the format does not define."
    MAGIC "mmd-magic" Warning
        "The file starts with \"PMX\" and a no-break space; many programs want a plain space."
    MATERIAL_FACES "mmd-material-faces" Warning
        "The materials do not own all faces, or more than there are; conversion leaves out faces without material."
    MORPH_NESTED "mmd-morph-nested" Warning
        "A group morph moves another group; MikuMikuDance does not follow it."
    NAME_DUPLICATE "mmd-name-duplicate" Warning
        "Two bones or two morphs have the same name; motions move the first."
    NAME_EMPTY "mmd-name-empty" Warning
        "A bone or morph has no name, so that no motion can move it."
    NAME_LONG "mmd-name-long" Info
        "The name of a bone or morph takes more than 15 bytes in CP932, or has characters that CP932 lacks; motions of MikuMikuDance cut it."
    NONFINITE "mmd-nonfinite" Error
        "A number is not finite; conversion takes 0 instead."
    NORMAL "mmd-normal" Info
        "The length of a normal differs from 1 by more than 0.01; it is normalised in the scene."
    PARENT_CYCLE "mmd-parent-cycle" Error
        "Bones carry each other in a circle; conversion cuts it at the bone that closes it."
    PARENT_ORDER "mmd-parent-order" Warning
        "A bone is solved before its parent, by level and physics; conversion solves the parent first."
    PICTURE_PATH "mmd-picture-path" Warning
        "The path of a picture is empty or leads out of the model's folder; it is not loaded."
    ROTATION "mmd-rotation" Info
        "The length of a bone morph's rotation differs from 1 by more than 0.001; it is normalised, and no rotation if it is 0."
    SECTION_MISSING "mmd-section-missing" Warning
        "A file of version 2.1 ends before its soft bodies."
    SETTINGS "mmd-settings" Error
        "A setting of the header has a value that the format does not define."
    SIGNATURE "mmd-signature" Error
        "The file does not start with the signature of PMX."
    TEXT "mmd-text" Warning
        "A text has bytes that mean nothing in the file's encoding."
    TEXT_LENGTH "mmd-text-length" Error
        "The length of a text is negative or more than the rest of the file."
    TRAILING_BYTES "mmd-trailing-bytes" Warning
        "Bytes follow the last section; they are kept but mean nothing."
    TRUNCATED "mmd-truncated" Error
        "The file ends in the middle of a field."
    VERSION "mmd-version" Error
        "The version is neither 2.0 nor 2.1."
    VERSION_FEATURE "mmd-version-feature" Warning
        "A file of version 2.0 has something that only version 2.1 defines."
    WEIGHT_RANGE "mmd-weight-range" Warning
        "A weight of a vertex is below 0 or above 1."
    WEIGHT_SUM "mmd-weight-sum" Info
        "The weights of a vertex do not sum to 1; they are normalised in the scene, and the first bone moves it alone if all are 0."
}
