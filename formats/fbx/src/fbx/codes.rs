//! All codes of reading and checking, with their severities.

use dopesheet_core::codes;

codes! {
    ARRAY "fbx-array" Warning
        "A list is too short; its last entry replaces the missing ones."
    AXES "fbx-axes" Warning
        "The file does not state three different axes; +Y up and +Z front are used."
    BASE64 "fbx-base64" Warning
        "Embedded content of a text file is not base64; it is left out."
    CONNECTION "fbx-connection" Warning
        "Two objects are connected several times; one connection counts."
    CYCLE "fbx-cycle" Error
        "A node is among its own ancestors."
    DAMAGED "fbx-damaged" Error
        "The reader cannot continue: something does not follow the format."
    DEPTH "fbx-depth" Error
        "Nodes are nested more deeply than the limit allows."
    DUAL_QUATERNION "fbx-dual-quaternion" Info
        "A skin blends its joints as dual quaternions; it is played with matrices, as other skins are."
    DUPLICATE_ID "fbx-duplicate-id" Warning
        "Several objects have the same ID; connections to it may reach the wrong one."
    EMPTY "fbx-empty" Error
        "The file has no bytes."
    ENCRYPTED "fbx-encrypted" Error
        "The file is encrypted by a password, as its header states."
    FILE_TOO_LONG "fbx-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FRAME_RATE "fbx-frame-rate" Warning
        "The file states no sensible frame rate; 30 frames per second are used."
    GEOMETRY "fbx-geometry" Warning
        "A list of a mesh lacks its data; that list is left out."
    IN_BETWEEN "fbx-in-between" Info
        "A morph has in-between shapes; each of them becomes a morph, and their weights move as the file says."
    INDEX "fbx-index" Warning
        "An index is beyond the end of its list; the last entry is used."
    KEY_ORDER "fbx-key-order" Warning
        "The times of a curve's keys do not ascend; the curve may play differently elsewhere."
    KEY_TIME "fbx-key-time" Error
        "The time of a key is no number, or beyond the file's clock."
    LAYERS "fbx-layers" Info
        "A take has several layers; they are combined as the file says, and the result gets keys."
    MAPPING "fbx-mapping" Warning
        "A mesh does not say how its normals or texture coordinates map to its corners."
    MEMORY "fbx-memory" Error
        "Reading the file needs more memory than the limit allows; the limit grows with the file's length."
    NONFINITE "fbx-nonfinite" Warning
        "A number is not finite; 0 is used instead."
    PROPERTIES "fbx-properties" Info
        "Objects have custom properties that do not move; a scene has no place for them."
    READ_ONLY "fbx-read-only" Error
        "FBX is read only, so the document cannot be written."
    ROOT "fbx-root" Warning
        "An object that is not a node is connected to the root of the scene."
    SIGNATURE "fbx-signature" Error
        "The file starts neither as binary FBX nor as text."
    TAKE_START "fbx-take-start" Info
        "A take does not start at time 0; the times of its clip count from its start."
    TRUNCATED "fbx-truncated" Error
        "The file ends too early."
    UNICODE "fbx-unicode" Warning
        "A name is not UTF-8; its invalid bytes are shown as U+FFFD."
    UNIT "fbx-unit" Warning
        "The file states no sensible length of its unit; centimetres are used."
    UNPLACED "fbx-unplaced" Info
        "Parts of meshes or objects have no place in a scene; a conversion leaves them out."
    UNSUPPORTED "fbx-unsupported" Error
        "The file is of a version that the reader does not know."
    OLD_VERSION "fbx-version" Warning
        "The file is of a version that the reader knows only in part."
    WEIGHTS "fbx-weights" Info
        "More than four joints move a vertex; the strongest four are used."
    WORK "fbx-work" Error
        "Playing the takes needs more evaluations than the limit allows; the limit grows with the file's length."
}
