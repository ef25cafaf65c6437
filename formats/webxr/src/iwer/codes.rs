//! Every code that reading, checking and writing may report, with its severity: stated once, here.

use dopesheet_core::bytes::json::JsonCodes;
use dopesheet_core::codes;

codes! {
    EMPTY "iwer-empty" Warning
        "There are no frames; IWER's player refuses the recording."
    FILE_TOO_LONG "iwer-file-too-long" Error
        "The file is longer than the limit that the caller set."
    FRAME "iwer-frame" Error
        "A frame does not start with a time and the seven numbers of the head, or its time is beyond 10^15 ms."
    INDEX_TWICE "iwer-index-twice" Warning
        "Several input sources have the same index; the last of them counts."
    INPUT "iwer-input" Error
        "An input of a frame lacks numbers, or has more or fewer than its source says."
    INPUT_TWICE "iwer-input-twice" Warning
        "A frame has an input source twice; the last of them counts."
    JOINT_MISSING "iwer-joint-missing" Warning
        "A hand that is written lacks some of WebXR's 25 joints; they stand where the joint before them does."
    JOINTS "iwer-joints" Warning
        "The joints of a hand are not the 25 of WebXR, each of them once; IWER's player fails on it."
    JSON "iwer-json" Error
        "The text is not JSON: broken, cut off, not UTF-8, nested too deeply, or a number too large."
    RADIUS_ASSUMED "iwer-radius-assumed" Info
        "Joints that are written have no radius; those of an adult's hand were assumed."
    RAY_ASSUMED "iwer-ray-assumed" Info
        "A hand that is written has no target ray; its ray starts at the wrist and points along -Z of the space."
    ROOT "iwer-root" Error
        "The root is not an object with the lists `schema` and `frames`."
    ROTATION "iwer-rotation" Warning
        "A rotation is no unit quaternion within 0.01; conversion makes it one."
    SCHEMA "iwer-schema" Error
        "An input source lacks a member, or one of its members is of the wrong kind."
    SOURCE "iwer-source" Error
        "A frame has an input source that the schema lacks."
    TIME "iwer-time" Warning
        "A frame is not later than the frame before it."
}

/// The code of broken JSON, for the reader.
pub(super) const SYNTAX: JsonCodes = JsonCodes { syntax: JSON.code };
