//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::diag::Severity::{Error, Info, Warning};
use dopesheet_core::format::Check;

macro_rules! codes {
    ($($name:ident $code:literal $severity:ident $about:literal)*) => {
        $(pub(super) const $name: Check = Check { code: $code, severity: $severity, about: $about };)*
        /// All of them, sorted by code.
        pub(super) const ALL: &[Check] = &[$($name),*];
    };
}

codes! {
    ARRAY "fbx-array" Warning
        "A list ends earlier than what it belongs to needs; its last entry counts for what is missing."
    AXES "fbx-axes" Warning
        "The file states no three different axes; +Y up and +Z in front are taken."
    BASE64 "fbx-base64" Warning
        "Embedded content of a text file is no base64; it is left out."
    CONNECTION "fbx-connection" Warning
        "Two things are connected several times; one connection counts."
    DAMAGED "fbx-damaged" Error
        "The reader cannot go on: something is not as the format has it."
    DEPTH "fbx-depth" Error
        "Nodes stand within one another deeper than the limit in force."
    DUPLICATE_ID "fbx-duplicate-id" Warning
        "Several things have one number; what is connected with it may be connected with the wrong one."
    EMPTY "fbx-empty" Error
        "The file has no bytes."
    FILE_TOO_LONG "fbx-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FRAME_RATE "fbx-frame-rate" Warning
        "The file states no frame rate that makes sense; 30 frames per second are taken."
    GEOMETRY "fbx-geometry" Warning
        "A mesh has a list without what belongs in it; that list is left out."
    IN_BETWEEN "fbx-in-between" Info
        "A morph goes through shapes in between; only its last shape is taken."
    INDEX "fbx-index" Warning
        "A number points beyond the list that it points into; the last entry is taken."
    LAYERS "fbx-layers" Info
        "A take has several layers; they are put together as the file says, and keys are made of what comes of it."
    MAPPING "fbx-mapping" Warning
        "A mesh does not say how its normals or coordinates belong to its corners."
    MEMORY "fbx-memory" Error
        "Reading the file needs more memory than the limit in force, which grows with the file's length."
    NONFINITE "fbx-nonfinite" Warning
        "A number is not finite; 0 is taken instead."
    READ_ONLY "fbx-read-only" Error
        "A document was to be written; FBX is read only."
    ROOT "fbx-root" Warning
        "Something that is no node is connected with the root of the scene."
    SIGNATURE "fbx-signature" Error
        "The file starts neither as binary FBX nor as text."
    TAKE_START "fbx-take-start" Info
        "A take begins at another time than 0; times of its clip count from its beginning."
    TRUNCATED "fbx-truncated" Error
        "The file ends in the middle of something."
    UNICODE "fbx-unicode" Warning
        "A name is no UTF-8; what means nothing there is shown as U+FFFD."
    UNIT "fbx-unit" Warning
        "The file states no length of its unit that makes sense; centimetres are taken."
    UNSUPPORTED "fbx-unsupported" Error
        "The file is of a version that the reader does not know."
    OLD_VERSION "fbx-version" Warning
        "The file is of a version that the reader knows only in part."
    WEIGHTS "fbx-weights" Info
        "More than four joints move a vertex; the strongest four are taken."
}
