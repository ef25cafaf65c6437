//! Every code that reading, checking or converting glTF may report, once.
//!
//! Faults that have a code in the Khronos validator keep that code here, at the validator's severity
//! (KhronosGroup/glTF-Validator, `ISSUES.md`). A fault that stops the reader is an error whatever its
//! severity here.

use dopesheet_core::diag::Severity;
use dopesheet_core::format::Check;

/// A remark on files of the first version.
pub(crate) const VERSION_1: &str =
    " (glTF 1.0, another format with the same name; convert it to 2.0 first, as gltf-pipeline does)";

macro_rules! checks {
    ($table:ident, $module:ident: $($name:ident $word:literal $severity:ident $about:literal;)*) => {
        /// The codes by name.
        pub(crate) mod $module {
            $(pub(crate) const $name: dopesheet_core::diag::Code = $word;)*
        }
        const $table: [Check; [$($word),*].len()] =
            [$(Check { code: $word, severity: Severity::$severity, about: $about }),*];
    };
}

checks! { JSON_TABLE, code:
    ACCESSOR_ANIMATION_INPUT_NEGATIVE "ACCESSOR_ANIMATION_INPUT_NEGATIVE" Error "A key lies before time 0.";
    ACCESSOR_ANIMATION_INPUT_NON_INCREASING "ACCESSOR_ANIMATION_INPUT_NON_INCREASING" Error "Key times do not increase.";
    NON_NORMALIZED_QUATERNION "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION" Error "A rotation key is not of unit length.";
    ACCESSOR_INVALID_FLOAT "ACCESSOR_INVALID_FLOAT" Error "An accessor holds a number that is not finite.";
    ACCESSOR_MAX_MISMATCH "ACCESSOR_MAX_MISMATCH" Error "An accessor's max is not the largest value it holds.";
    ACCESSOR_MIN_MISMATCH "ACCESSOR_MIN_MISMATCH" Error "An accessor's min is not the smallest value it holds.";
    ACCESSOR_NORMALIZED_INVALID "ACCESSOR_NORMALIZED_INVALID" Error "An accessor of 32-bit numbers claims to be normalised.";
    ACCESSOR_OFFSET_ALIGNMENT "ACCESSOR_OFFSET_ALIGNMENT" Error "An accessor's offset is not a multiple of its component's size.";
    ACCESSOR_SMALL_BYTESTRIDE "ACCESSOR_SMALL_BYTESTRIDE" Error "A view's stride is smaller than the accessor's elements.";
    ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE" Error "A sparse accessor replaces more elements than it has.";
    ACCESSOR_SPARSE_INDEX_OOB "ACCESSOR_SPARSE_INDEX_OOB" Error "A sparse accessor replaces an element that it does not have.";
    ACCESSOR_SPARSE_INDICES_NON_INCREASING "ACCESSOR_SPARSE_INDICES_NON_INCREASING" Error "The indices of a sparse accessor do not increase.";
    ACCESSOR_TOO_LONG "ACCESSOR_TOO_LONG" Error "An accessor reaches past the end of its view.";
    ACCESSOR_TOTAL_OFFSET_ALIGNMENT "ACCESSOR_TOTAL_OFFSET_ALIGNMENT" Error "An accessor's place in its buffer is not a multiple of its component's size.";
    CHANNEL_TARGET_NODE_MATRIX "ANIMATION_CHANNEL_TARGET_NODE_MATRIX" Error "An animated node has a matrix.";
    CHANNEL_TARGET_NODE_SKIN "ANIMATION_CHANNEL_TARGET_NODE_SKIN" Warning "A skinned mesh's own node is animated, which has no effect.";
    CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS" Error "Morph weights are animated on a node without morph targets.";
    ANIMATION_DUPLICATE_TARGETS "ANIMATION_DUPLICATE_TARGETS" Error "Two channels of an animation have the same target.";
    SAMPLER_WITH_BYTESTRIDE "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE" Error "Animation data lies in a view with a stride.";
    SAMPLER_INPUT_INVALID_FORMAT "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT" Error "Key times are not single 32-bit floats.";
    SAMPLER_INPUT_TOO_FEW_ELEMENTS "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS" Error "A sampler has fewer keys than its interpolation needs.";
    SAMPLER_INPUT_WITHOUT_BOUNDS "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS" Error "Key times lack min or max.";
    SAMPLER_OUTPUT_INVALID_COUNT "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT" Error "A sampler has another number of values than its keys need.";
    SAMPLER_OUTPUT_INVALID_FORMAT "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT" Error "A sampler's values have a type that their target does not take.";
    ARRAY_LENGTH_NOT_IN_LIST "ARRAY_LENGTH_NOT_IN_LIST" Error "An array has the wrong number of items.";
    BUFFER_BYTE_LENGTH_MISMATCH "BUFFER_BYTE_LENGTH_MISMATCH" Error "A buffer has fewer bytes than it declares.";
    BUFFER_DATA_URI_MIME_TYPE_INVALID "BUFFER_DATA_URI_MIME_TYPE_INVALID" Error "A buffer's data URI has another media type than glTF allows.";
    BUFFER_GLB_CHUNK_TOO_BIG "BUFFER_GLB_CHUNK_TOO_BIG" Warning "The BIN chunk is more than 3 bytes longer than its buffer.";
    BUFFER_MISSING_GLB_DATA "BUFFER_MISSING_GLB_DATA" Error "A buffer has neither a URI nor a BIN chunk.";
    BUFFER_VIEW_TOO_LONG "BUFFER_VIEW_TOO_LONG" Error "A view reaches past the end of its buffer.";
    CAMERA_YFOV_GEQUAL_PI "CAMERA_YFOV_GEQUAL_PI" Warning "A camera's field of view is half a turn or more.";
    CAMERA_ZFAR_LEQUAL_ZNEAR "CAMERA_ZFAR_LEQUAL_ZNEAR" Error "A camera's far plane is not behind its near plane.";
    DATA_URI_GLB "DATA_URI_GLB" Warning "A GLB holds a data URI.";
    EMPTY_ENTITY "EMPTY_ENTITY" Error "An array or object is empty.";
    INVALID_INDEX "INVALID_INDEX" Error "An index is not a whole number, 0 or more.";
    INVALID_JSON "INVALID_JSON" Error "The text is not JSON.";
    INVALID_URI "INVALID_URI" Error "A URI cannot be decoded or leaves the file's folder.";
    IO_ERROR "IO_ERROR" Error "A file that is referred to is not there.";
    MESH_INVALID_WEIGHTS_COUNT "MESH_INVALID_WEIGHTS_COUNT" Error "A mesh has another number of weights than of morph targets.";
    MESH_UNEQUAL_TARGETS_COUNT "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT" Error "The primitives of a mesh have different numbers of morph targets.";
    NODE_EMPTY "NODE_EMPTY" Info "A node without children has nothing at it.";
    NODE_LOOP "NODE_LOOP" Error "A node is its own ancestor.";
    NODE_MATRIX_DEFAULT "NODE_MATRIX_DEFAULT" Info "A node's matrix is the identity.";
    NODE_MATRIX_NON_TRS "NODE_MATRIX_NON_TRS" Error "A node's matrix is not made of translation, rotation and scale.";
    NODE_MATRIX_TRS "NODE_MATRIX_TRS" Error "A node has a matrix as well as translation, rotation or scale.";
    NODE_PARENT_OVERRIDE "NODE_PARENT_OVERRIDE" Error "A node has two parents.";
    NODE_WEIGHTS_INVALID "NODE_WEIGHTS_INVALID" Error "A node has another number of weights than its mesh has morph targets.";
    NON_OBJECT_EXTRAS "NON_OBJECT_EXTRAS" Info "Extras are not an object.";
    ROTATION_NON_UNIT "ROTATION_NON_UNIT" Error "A node's rotation is not of unit length.";
    SCENE_NON_ROOT_NODE "SCENE_NON_ROOT_NODE" Error "A scene names a node that has a parent.";
    TYPE_MISMATCH "TYPE_MISMATCH" Error "A member has the wrong type.";
    UNDECLARED_EXTENSION "UNDECLARED_EXTENSION" Error "An extension is used but not declared.";
    UNDEFINED_PROPERTY "UNDEFINED_PROPERTY" Error "A required member is missing.";
    UNKNOWN_ASSET_MAJOR_VERSION "UNKNOWN_ASSET_MAJOR_VERSION" Error "The file is not glTF 2.";
    UNRESOLVED_REFERENCE "UNRESOLVED_REFERENCE" Error "An index names something that does not exist.";
    UNUSED_MESH_WEIGHTS "UNUSED_MESH_WEIGHTS" Info "A mesh's weights are overridden at every node.";
    URI_GLB "URI_GLB" Info "A GLB refers to another file.";
    VALUE_NOT_IN_LIST "VALUE_NOT_IN_LIST" Warning "A member has a value that glTF does not know.";
    VALUE_NOT_IN_RANGE "VALUE_NOT_IN_RANGE" Error "A number is out of range.";
    EXT_REQUIRED "gltf-ext-required" Error "The file cannot be understood without an extension that is not known here.";
    LIMIT "gltf-limit" Error "The file asks for more memory than is allowed.";
    MESHOPT "gltf-meshopt" Error "A compressed buffer view cannot be decompressed.";
    POINTER_MISSING "gltf-pointer-missing" Error "An animated property does not exist.";
    SHEAR "gltf-shear" Error "The matrix of a node that is to be animated has shear.";
    W_AMBIGUOUS_NAME "gltf-w-ambiguous-name" Warning "Several nodes have the name that is looked for.";
    W_DROPPED "gltf-w-dropped" Warning "Something could not be taken over.";
    W_SHEAR "gltf-w-shear" Warning "A node's matrix has shear, which translation, rotation and scale cannot express.";
    W_HALF_TURN "gltf-w-half-turn" Warning "Neighbouring rotation keys are half a turn apart, so that readers disagree on the way round.";
}

checks! { CONTAINER_TABLE, glb_code:
    CHUNK_LENGTH_UNALIGNED "GLB_CHUNK_LENGTH_UNALIGNED" Error "A chunk's length is not a multiple of 4.";
    CHUNK_TOO_BIG "GLB_CHUNK_TOO_BIG" Error "A chunk reaches past the declared length of the file.";
    DUPLICATE_CHUNK "GLB_DUPLICATE_CHUNK" Error "There are two JSON or two BIN chunks.";
    EMPTY_BIN_CHUNK "GLB_EMPTY_BIN_CHUNK" Info "The BIN chunk is empty.";
    EXTRA_DATA "GLB_EXTRA_DATA" Warning "Bytes follow the declared end of the file.";
    INVALID_MAGIC "GLB_INVALID_MAGIC" Error "The file does not start with \"glTF\".";
    INVALID_VERSION "GLB_INVALID_VERSION" Error "The container's version is not 2.";
    LENGTH_MISMATCH "GLB_LENGTH_MISMATCH" Error "The file is shorter than it declares.";
    LENGTH_TOO_SMALL "GLB_LENGTH_TOO_SMALL" Error "The declared length does not even hold the header.";
    UNEXPECTED_BIN_CHUNK "GLB_UNEXPECTED_BIN_CHUNK" Error "The BIN chunk is not the second chunk.";
    UNEXPECTED_END_OF_CHUNK_DATA "GLB_UNEXPECTED_END_OF_CHUNK_DATA" Error "The file ends within a chunk.";
    UNEXPECTED_END_OF_CHUNK_HEADER "GLB_UNEXPECTED_END_OF_CHUNK_HEADER" Error "The file ends within a chunk's header.";
    UNEXPECTED_END_OF_HEADER "GLB_UNEXPECTED_END_OF_HEADER" Error "The file ends within its header.";
    UNEXPECTED_FIRST_CHUNK "GLB_UNEXPECTED_FIRST_CHUNK" Error "The first chunk is not JSON.";
    UNKNOWN_CHUNK_TYPE "GLB_UNKNOWN_CHUNK_TYPE" Warning "A chunk has an unknown type.";
}

/// The checks of `.gltf` files.
pub(crate) const GLTF_CHECKS: &[Check] = &JSON_TABLE;

/// The checks of GLB files: the container's checks, then the checks of its JSON.
pub(crate) const GLB_CHECKS: &[Check] =
    &joined::<{ JSON_TABLE.len() + CONTAINER_TABLE.len() }>(&CONTAINER_TABLE, &JSON_TABLE);

/// Two tables joined into one of `N` checks, the sum of both lengths.
pub(crate) const fn joined<const N: usize>(first: &[Check], second: &[Check]) -> [Check; N] {
    let mut all = [first[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { second[at - first.len()] };
        at += 1;
    }
    all
}

/// The severity of a code in the tables.
pub(crate) fn severity(code: &str) -> Severity {
    GLB_CHECKS.iter().find(|check| check.code == code).map_or(Severity::Error, |check| check.severity)
}
