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
    ANGLE_WINDS "bvh-angle-winds" Info
        "Angles of a joint go beyond 360°, so that it turns as they are written; others take the shortest rotation."
    BYTE_ORDER_MARK "bvh-byte-order-mark" Warning
        "The file starts with a byte order mark, at which other programs stop."
    CHANNEL_COUNT "bvh-channel-count" Error
        "A joint announces another number of channels than it lists."
    CHANNEL_TWICE "bvh-channel-twice" Warning
        "A joint has a channel more than once; of positions the last one counts, rotations are all applied."
    CHANNEL_UNKNOWN "bvh-channel-unknown" Warning
        "A channel is neither a position nor a rotation; its numbers are kept but mean nothing."
    CHANNELS_MISSING "bvh-channels-missing" Warning
        "A joint has no line of channels; it does not move."
    COMMA "bvh-comma" Warning
        "A number has a comma where the point belongs, or a comma behind it."
    DUPLICATE_NAME "bvh-duplicate-name" Warning
        "Several joints have one name; programs that look joints up by name find one of them."
    EXTRA_NUMBER "bvh-extra-number" Warning
        "A line has more numbers than belong there; those behind the last one that does are ignored."
    FILE_TOO_LONG "bvh-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FRAME_COUNT "bvh-frame-count" Warning
        "The file announces another number of frames than it has; all are read, but other programs stop at the number."
    FRAME_RATE "bvh-frame-rate" Info
        "The frame time is that of a usual frame rate as far as its digits go, and is taken for it."
    FRAME_TIME "bvh-frame-time" Warning
        "The frame time is not above 0; a thirtieth of a second is taken instead."
    KEYWORD "bvh-keyword" Warning
        "A word of the format is spelled otherwise than usual; some programs do not know it then."
    MOTION_MISSING "bvh-motion-missing" Error
        "The file ends behind the hierarchy, without a motion."
    NAME_BLANK "bvh-name-blank" Warning
        "A name has blanks in it; programs that read word by word stop there."
    NAME_EMPTY "bvh-name-empty" Warning
        "A joint has no name."
    NAME_ENCODING "bvh-name-encoding" Warning
        "A name is no UTF-8; what means nothing there is shown as U+FFFD."
    NAME_LINE "bvh-name-line" Error
        "A name that is to be written would be read differently: it has a line break or a brace, or blanks at an end."
    NONFINITE "bvh-nonfinite" Error
        "A number is not finite; conversion takes the last one of that channel that is."
    NUMBER "bvh-number" Error
        "Something stands where a number belongs."
    OFFSET_MISSING "bvh-offset-missing" Warning
        "A joint has no line with its offset; it is taken to be where its parent is."
    ROW_SPLIT "bvh-row-split" Warning
        "The numbers of a frame stand on several lines, or those of several frames on one."
    ROW_WIDTH "bvh-row-width" Error
        "A line of the motion has too few numbers for a frame."
    SHAPE "bvh-shape" Error
        "A document that is to be written has numbers, channels or parents that do not fit together."
    SIGNATURE "bvh-signature" Error
        "The file does not start with the word HIERARCHY."
    SYNTAX "bvh-syntax" Error
        "A sign or word that belongs there is missing."
    TRAILING_TEXT "bvh-trailing-text" Warning
        "Other text follows the last frame; it is kept but means nothing."
    TRUNCATED "bvh-truncated" Error
        "The file ends in the middle of a joint, of the head of the motion, or of a frame."
    UNIT "bvh-unit" Info
        "The format states no unit of length; centimetres are assumed when a file is converted."
}
