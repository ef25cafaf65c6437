//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;

codes! {
    ANGLE_WINDS "bvh-angle-winds" Info
        "Angles of a joint exceed 360°, so it turns as they are written; other joints take the shortest rotation."
    BYTE_ORDER_MARK "bvh-byte-order-mark" Warning
        "The file starts with a byte order mark, at which other programs stop."
    CHANNEL_COUNT "bvh-channel-count" Error
        "The number of channels that a joint announces is not the number that it lists."
    CHANNEL_TWICE "bvh-channel-twice" Warning
        "A joint has a channel more than once; the last position counts, and all rotations are applied."
    CHANNEL_UNKNOWN "bvh-channel-unknown" Warning
        "A channel is neither a position nor a rotation; its numbers are kept but mean nothing."
    CHANNELS_MISSING "bvh-channels-missing" Warning
        "A joint has no line of channels; it does not move."
    COMMA "bvh-comma" Warning
        "A number has a comma in place of the decimal point, or a comma behind it."
    DUPLICATE_NAME "bvh-duplicate-name" Warning
        "Several joints have the same name; programs that look joints up by name find only one of them."
    EXTRA_NUMBER "bvh-extra-number" Warning
        "A line has too many numbers; the surplus is ignored."
    FILE_TOO_LONG "bvh-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FRAME_COUNT "bvh-frame-count" Warning
        "The announced number of frames is not the actual one; all frames are read, but other programs stop at that number."
    FRAME_RATE "bvh-frame-rate" Info
        "The frame time matches a common frame rate as far as its digits go; that rate is used."
    FRAME_TIME "bvh-frame-time" Warning
        "The frame time is not above 0; 1/30 s is used instead."
    KEYWORD "bvh-keyword" Warning
        "A keyword is not spelled as usual; some programs do not recognise it."
    MOTION_MISSING "bvh-motion-missing" Error
        "The file ends after the hierarchy, without a motion."
    NAME_BLANK "bvh-name-blank" Warning
        "A name contains blanks; programs that read word by word stop at the first."
    NAME_EMPTY "bvh-name-empty" Warning
        "A joint has no name."
    NAME_ENCODING "bvh-name-encoding" Warning
        "A name is not UTF-8; its invalid bytes are shown as U+FFFD."
    NAME_LINE "bvh-name-line" Error
        "A name cannot be written, because it would be read differently: it has a line break, a brace, or blanks at an end."
    NONFINITE "bvh-nonfinite" Error
        "A number is not finite; conversion uses the channel's previous finite number."
    NUMBER "bvh-number" Error
        "Something else stands in place of a number."
    OFFSET_MISSING "bvh-offset-missing" Warning
        "A joint has no offset; it is placed at its parent."
    ROW_SPLIT "bvh-row-split" Warning
        "The numbers of a frame are on several lines, or those of several frames on one."
    ROW_WIDTH "bvh-row-width" Error
        "A line of the motion has too few numbers for a frame."
    SEVERAL_ROOTS "bvh-several-roots" Warning
        "What is written has several roots; other programs read the first, or refuse the file."
    SHAPE "bvh-shape" Error
        "A document cannot be written, because its numbers, channels or parents do not fit together."
    SIGNATURE "bvh-signature" Error
        "The file does not start with the word HIERARCHY."
    SYNTAX "bvh-syntax" Error
        "An expected word or brace is missing."
    TRAILING_TEXT "bvh-trailing-text" Warning
        "Other text follows the last frame; it is kept but means nothing."
    TRUNCATED "bvh-truncated" Error
        "The file ends in the middle of a joint, of the motion's header, or of a frame."
    UNIT "bvh-unit" Info
        "The format states no unit of length; centimetres are assumed when a file is converted."
}
