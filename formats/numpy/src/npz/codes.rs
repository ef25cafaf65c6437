//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

codes! {
    AXES "npz-axes" Error
        "The words for the axes name no axes."
    AXES_UNKNOWN "npz-axes-unknown" Warning
        "The file does not say which way its axes point; a conversion needs --assume axes=…."
    BARE "npz-bare" Error
        "What is to be written does not fit the file's name: a .npy file holds one array, a .npz file arrays, and pickles are not written."
    BIG_ENDIAN "npz-big-endian" Info
        "An array is big-endian."
    CHECKSUM "npz-checksum" Error
        "The bytes of a member do not match its checksum."
    DEFLATE "npz-deflate" Error
        "A compressed stream is damaged, or decompresses to more or fewer bytes than it should."
    DIRECTORY "npz-directory" Error
        "The directory of the archive is missing, or contradicts the rest."
    DUPLICATE_NAME "npz-duplicate-name" Warning
        "Several arrays have the same name; NumPy shows the last of them."
    FILE_TOO_LONG "npz-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FORTRAN_ORDER "npz-fortran-order" Info
        "The first index of an array runs fastest."
    FRAME_COUNT "npz-frame-count" Error
        "Arrays that belong together have different numbers of frames."
    GAP "npz-gap" Warning
        "There are bytes between the members that belong to no member."
    HEIGHT "npz-height" Warning
        "A root is so low or so high that the features were probably not converted back to lengths (times deviation, plus mean)."
    HIERARCHY_UNKNOWN "npz-hierarchy-unknown" Warning
        "The file does not state the joints' parents."
    INFLATED "npz-inflated" Error
        "Compressed arrays decompress to more bytes than the limit allows."
    JOINT_COUNT "npz-joint-count" Error
        "Arrays that belong together have different numbers of joints."
    LAYOUT_BY_SHAPE "npz-layout-by-shape" Warning
        "An array is recognised only by its shape."
    MEMBER "npz-member" Error
        "The header or descriptor of a member contradicts the directory, or is missing."
    METHOD "npz-method" Error
        "A member is compressed by another method than NumPy's, or encrypted."
    NO_MOTION "npz-no-motion" Info
        "No array has the name and shape of a motion; the file is kept, and cannot be converted."
    NONFINITE "npz-nonfinite" Error
        "A number of the motion is not finite; conversion uses the previous finite one."
    NOT_AN_ARRAY "npz-not-an-array" Info
        "A member is not an array; it is kept."
    NPY_HEADER "npz-npy-header" Error
        "The header of an array is not the required dictionary."
    NPY_SHAPE "npz-npy-shape" Error
        "The number of an array's bytes does not match its shape and type."
    NPY_SIGNATURE "npz-npy-signature" Error
        "A member named as an array does not start as one, or has an unknown version."
    OBJECT_ARRAY "npz-object-array" Warning
        "An array is a pickle, which is a program; it is kept and never run, and is no part of the motion."
    ORDER "npz-order" Error
        "The order of a quaternion's numbers is neither xyzw nor wxyz."
    ORDER_UNKNOWN "npz-order-unknown" Warning
        "The file does not state the order of a quaternion's numbers; a conversion needs --assume order=…."
    OVERLAP "npz-overlap" Error
        "Members overlap, or are not in the order of the directory."
    PARENTS "npz-parents" Error
        "The parent of a joint is itself, a later joint, or one that does not exist."
    PICKLE "npz-pickle" Error
        "A pickle is damaged, or makes something else than numbers, texts, lists, dictionaries and arrays."
    PICKLE_GLOBAL "npz-pickle-global" Error
        "A pickle names something that is no part of an array of NumPy or PyTorch; nothing of it was run."
    PICKLED_ARRAY "npz-pickled-array" Warning
        "An array in a pickle is left out: its elements are not there, of another number than its shape says, of an unknown type, or more than the file can hold."
    RATE "npz-rate" Error
        "The frame rate is not a number from 0.001 to 1,000,000."
    RATE_UNKNOWN "npz-rate-unknown" Warning
        "The file does not state its frame rate; a conversion needs --assume rate=…."
    READ_ONLY "npz-read-only" Error
        "A pickle is read and converted, and neither written back nor edited; -t npz makes arrays of it."
    REST_ASSUMED "npz-rest-assumed" Info
        "The file states no rest pose; that of a figure of ordinary proportions is used."
    SHAPE "npz-shape" Error
        "The shape of an array does not match its name."
    SIGNATURE "npz-signature" Error
        "The file starts neither as an archive nor as an array."
    TRAILING_BYTES "npz-trailing-bytes" Warning
        "There are bytes after the end."
    TRUNCATED "npz-truncated" Error
        "The file ends too early."
    TYPE "npz-type" Error
        "The type of an array's elements does not match its name."
    UNIT "npz-unit" Warning
        "A quaternion does not have unit length; conversion normalises it."
    UNIT_UNKNOWN "npz-unit-unknown" Warning
        "The file does not state its unit of length; give it with --assume unit=… or --scale."
}
