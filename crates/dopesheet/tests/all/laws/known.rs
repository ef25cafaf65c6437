//! Cells of the matrix that are known not to hold. The list is to become empty.

/// Operation, format, files, and the reason.
pub(crate) type Fault = (&'static str, &'static str, &'static [&'static str], &'static str);

#[rustfmt::skip]
pub(crate) const FAULTS: &[Fault] = &[
    ("keys move", "vpd", &["body, straight", "body, late", "body, one key", "body, jumps", "body, two keys at a time", "body, all laws", "body, between frames", "body, on every frame", "braces-in-names.vpd", "line-feeds.vpd", "odd-blanks.vpd"], "a pose has no times, and nothing says so"),
    ("trim", "mrtk2", &["hands, one key", "hands, on every frame"], "the pose that is held at the end is lost"),
    ("trim --keep-time", "mrtk2", &["hands, one key", "hands, on every frame"], "the pose that is held at the end is lost"),
    ("repeat", "mrtk2", &["hands, one key", "head-and-gaze.bin", "version-1-0.bin"], "the pose that is held at the end is lost"),
    ("concat", "mrtk2", &["hands, one key", "head-and-gaze.bin", "version-1-0.bin"], "the pose that is held at the end is lost"),
    ("reduce", "vrma", &["body, all laws"], "errors are those of curves, not of the figure"),
    ("keys move", "unity-anim", &["body, two keys at a time"], "one of two keys at next to one time stays"),
    ("keys delete", "unity-anim", &["body, two keys at a time"], "one of two keys at next to one time stays"),
    ("keys move", "bvh", &["orders.bvh"], "the result differs, and nothing says so"),
    ("drop", "gltf", &["accessor-without-view.gltf"], "the result differs, and nothing says so"),
    ("delete", "vmd", &["camera.vmd"], "cameras and lights cut between neighbouring frames, and nothing says so"),
    ("retime --speed 0.5", "vmd", &["camera.vmd"], "the result differs, and nothing says so"),
    ("loop", "vmd", &["camera.vmd"], "errors are those of curves, not of the figure"),
    ("keys insert", "vmd", &["camera.vmd"], "cameras and lights cut between neighbouring frames, and nothing says so"),
    ("loop", "vmd", &["motion.vmd"], "the result differs, and nothing says so"),
    ("trim", "more", &["motion.ubi"], "laws of its own kind, and times of 16 bits"),
    ("repeat", "more", &["motion.ubi"], "laws of its own kind, and times of 16 bits"),
    ("concat", "more", &["motion.ubi"], "laws of its own kind, and times of 16 bits"),
    ("shift", "more", &["motion.ubi"], "laws of its own kind, and times of 16 bits"),
    ("retime --speed 0.8", "more", &["motion.ubi"], "laws of its own kind, and times of 16 bits"),
    ("reverse", "more", &["motion.ubi"], "laws of its own kind, and times of 16 bits"),
    ("reverse twice", "more", &["motion.ubi"], "laws of its own kind, and times of 16 bits"),
    ("repeat", "unity-anim", &["crlf.anim", "folded.anim", "two-clips.anim"], "the result differs, and nothing says so"),
    ("concat", "unity-anim", &["crlf.anim", "folded.anim", "two-clips.anim"], "the result differs, and nothing says so"),
    ("retime --curve", "unity-anim", &["crlf.anim", "folded.anim", "two-clips.anim"], "the result differs, and nothing says so"),
    ("repeat", "iwer", &["both.json"], "a hand that is there for a part of the time"),
    ("concat", "iwer", &["both.json"], "a hand that is there for a part of the time"),
    ("reverse", "iwer", &["both.json"], "a hand that is there for a part of the time"),
    ("reverse twice", "iwer", &["both.json"], "a hand that is there for a part of the time"),
    ("loop", "iwer", &["both.json"], "a hand that is there for a part of the time"),
];
