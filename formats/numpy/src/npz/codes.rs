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
    AXES "npz-axes" Error
        "Axes are named by words that mean none."
    AXES_UNKNOWN "npz-axes-unknown" Warning
        "The file does not say which way its axes point; a conversion wants --assume axes=…."
    BARE "npz-bare" Error
        "Several arrays are to be written to a file whose name says that it holds one."
    BIG_ENDIAN "npz-big-endian" Info
        "Numbers of an array have their highest byte first."
    CHECKSUM "npz-checksum" Error
        "The bytes of a member are not those that its checksum was made of."
    DEFLATE "npz-deflate" Error
        "A compressed stream is damaged, or stands for more or fewer bytes than it should."
    DIRECTORY "npz-directory" Error
        "The directory of the archive is not there, or contradicts the rest."
    DUPLICATE_NAME "npz-duplicate-name" Warning
        "Several arrays have one name; NumPy shows the last of them."
    FILE_TOO_LONG "npz-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FORTRAN_ORDER "npz-fortran-order" Info
        "The first index of an array runs fastest."
    FRAME_COUNT "npz-frame-count" Error
        "Arrays that belong together have different numbers of frames."
    GAP "npz-gap" Warning
        "There are bytes between the members that belong to none."
    HEIGHT "npz-height" Warning
        "A root is so low or so high that the features were probably not turned back into lengths (times deviation, plus mean)."
    HIERARCHY_UNKNOWN "npz-hierarchy-unknown" Warning
        "The file does not say which joint hangs on which."
    INFLATED "npz-inflated" Error
        "Compressed arrays stand for more bytes than the limit allows."
    JOINT_COUNT "npz-joint-count" Error
        "Arrays that belong together have different numbers of joints."
    LAYOUT_BY_SHAPE "npz-layout-by-shape" Warning
        "Only its shape says what an array is."
    MEMBER "npz-member" Error
        "What stands before or behind a member contradicts the directory, or is not there."
    METHOD "npz-method" Error
        "A member is compressed otherwise than NumPy does, or is encrypted."
    NO_MOTION "npz-no-motion" Info
        "No array has a name and a shape that mean a motion; the file is kept, and cannot be converted."
    NONFINITE "npz-nonfinite" Error
        "A number of the motion is not finite; conversion takes the last one of that place that is."
    NOT_AN_ARRAY "npz-not-an-array" Info
        "A member is no array; it is kept."
    NPY_HEADER "npz-npy-header" Error
        "The header of an array is not the dictionary that it has to be."
    NPY_SHAPE "npz-npy-shape" Error
        "An array has another number of bytes than its shape and type need."
    NPY_SIGNATURE "npz-npy-signature" Error
        "A member that is called an array does not start as one, or has a version that nobody has described."
    OBJECT_ARRAY "npz-object-array" Warning
        "An array is a pickle, which is a program; it is kept and never run, so that nobody knows what is in it."
    ORDER "npz-order" Error
        "The order of the numbers of a quaternion is neither xyzw nor wxyz."
    ORDER_UNKNOWN "npz-order-unknown" Warning
        "The file does not say in which order quaternions have their numbers; a conversion wants --assume order=…."
    OVERLAP "npz-overlap" Error
        "Members share their bytes, or stand in another order than the directory has."
    PARENTS "npz-parents" Error
        "A joint hangs on itself, on one behind it, or on none that there is."
    RATE "npz-rate" Error
        "The frame rate is no number from 0.001 to 1,000,000."
    RATE_UNKNOWN "npz-rate-unknown" Warning
        "The file does not say how many frames a second has; a conversion wants --assume rate=…."
    REST_ASSUMED "npz-rest-assumed" Info
        "The file does not say where its joints rest; a figure of ordinary proportions stands for it."
    SHAPE "npz-shape" Error
        "An array has another shape than its name asks for."
    SIGNATURE "npz-signature" Error
        "The file starts neither as an archive nor as an array."
    TRAILING_BYTES "npz-trailing-bytes" Warning
        "There are bytes behind the end."
    TRUNCATED "npz-truncated" Error
        "The file ends before what it announces does."
    TYPE "npz-type" Error
        "An array has elements of another type than its name asks for."
    UNIT "npz-unit" Warning
        "A quaternion is not of unit length; conversion normalises it."
    UNIT_UNKNOWN "npz-unit-unknown" Warning
        "The file does not say how long its unit is; --assume unit=… or --scale does."
}
