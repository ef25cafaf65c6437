//! The table of operations, from which the command, the packages of other languages and the viewer take theirs.

use super::described::{Described, Given, object, wrong};
use super::kinds::*;
use super::option::{EditOption, Form};
use crate::error::Error;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::Scene;
use dopesheet_core::times::RangeSpec;
use dopesheet_edit::{
    Concat, Delete, Filter, Kept, KeyChange, Keys, Loop, MarkerChange, Markers, Merge, Mirror, Move,
    Operation, Pace, Reduce, Rename, Repeat, Resample, Retime, Set, Shift, Smooth, Split, TimeMap, Trim,
};
use dopesheet_motion::Tolerance;
use serde_json::{Map, Value};
use std::sync::Arc;

const SNAP: EditOption = named("snap", SWITCH).help("Take the nearest frame where a time is between two");
const AT: EditOption = required("at", TIME).help("When: seconds (2.5) or frames (45f)");
const MARKED: EditOption = required("marker", MARKER).help("Its name, or its time");
const OF_KEYS: EditOption =
    required("range", TIMES).help("Keys that are meant: a time (45f, 1.5), or START:END, both ends included");
const OF_NAMES: EditOption = free("names", PATTERNS).help("Names, or patterns of names: `左*`, `?`, `[ab]`");
const OF_KINDS: EditOption = named("kind", KINDS).help(
    "Only tracks of these kinds: joint (nodes and bones), morph (morphs of meshes), camera, light, hand (tracked hands), custom (switches \
     and numbers)",
);
const OF_PROPERTIES: EditOption = named("property", PROPERTIES)
    .help("Only channels of these properties: translation, rotation, scale, weight, …");
const KEYS_BY: EditOption = required("by", EditOption { value: "BY", ..TIME })
    .help("Time by which they come later, or earlier below 0");
const KEYS_TO: EditOption = required("to", EditOption { value: "TO", ..TIME })
    .help("Time of the copy of a key at the start of the range");
const KEYS_RANGE: EditOption =
    required("range", RANGE).help("Keys that are meant: START:END, both ends included");
const KEYS_FACTOR: EditOption = required("factor", FACTOR).help("Factor of their distance from the start");
const KEYS_LAW: EditOption =
    required("law", LAW).help("step, linear, or the control points x1,y1,x2,y2 of a Bezier timing, 0 to 1");

/// Words before the words of operations of a group, with the effects of the group.
pub const GROUPS: [(&str, &str); 2] = [
    ("keys", "Change single keys: move, insert, delete, copy, scale, law"),
    ("markers", "Add, move and remove moments with a name"),
];

/// All operations that make one file.
pub const OPERATIONS: &[Described] = &[
    Described::new("trim", "Leave out what is before and after a range")
        .details("Keys inside stay as they are; a curve that goes on beyond an end gets one key more there, where it is divided.")
        .options(&[
            required("range", RANGE)
                .help("Range that stays, both ends included: START:END in seconds (2.5) or frames (45f)"),
            named("keep-time", SWITCH).help("Keep keys at their times, instead of starting at 0"),
            SNAP,
        ])
        .build(|given| {
            let (keep_time, snap) = (given.is("keep-time"), given.is("snap"));
            Ok(Operation::Trim(Trim { range: given.must("range", parsed)?, keep_time, snap }))
        }),
    Described::new("delete", "Leave out a range, and close the gap")
        .details("The end of the range stays, and comes to its start. Where the poses at both ends differ, the last frame before the range keeps \
                  its pose; without frames the pose jumps. To cut off an end, use trim.")
        .options(&[
            required("range", RANGE)
                .help("Range that goes, its end not included: START:END in seconds (2.5) or frames (45f)"),
            SNAP,
        ])
        .build(|given| {
            Ok(Operation::Delete(Delete { range: given.must("range", parsed)?, snap: given.is("snap") }))
        }),
    Described::new("repeat", "Play several times")
        .options(&[required("times", COUNT).help("Number of times")])
        .build(|given| Ok(Operation::Repeat(Repeat { times: given.must("times", parsed)? }))),
    Described::new("concat", "Put motions one behind the other")
        .details("Tracks are the same if their names are; clips are paired by position. Equal poses at a seam are one key; else the next motion \
                  starts one frame later, or jumps where there are no frames. Without files it takes all inputs, and comes first.")
        .others("Files that come behind each input [default: all inputs but the first come behind that one]")
        .options(&[
            named("blend", TIME).help("Time between two motions, in which each curve goes straight from pose to pose: seconds (0.5) or frames (10f)"),
            SNAP,
        ])
        .build(|given| {
            let (others, blend) = (given.others.clone(), given.may("blend", parsed)?);
            Ok(Operation::Concat(Concat { others, blend, snap: given.is("snap") }))
        }),
    Described::new("merge", "Play motions at once: a body, its face and a camera become one motion")
        .details("Clips are paired by position. Without files it takes all inputs, and comes first.")
        .others("Files whose tracks each input takes [default: the first input takes those of all others]")
        .build(|given| Ok(Operation::Merge(Merge { others: given.others.clone() }))),
    Described::new("shift", "Move all keys in time")
        .options(&[
            required("by", TIME)
                .help("Time by which they come later, or earlier below 0: seconds (2.5) or frames (45f)"),
            SNAP,
        ])
        .build(|given| {
            Ok(Operation::Shift(Shift { by: given.must("by", parsed)?, snap: given.is("snap") }))
        }),
    Described::new("retime", "Play faster or slower; every curve keeps its shape")
        .details("In a VMD keys go to the nearest frames, and of two that come to one frame the later stays, as in MikuMikuDance.")
        .options(&[
            named("speed", FACTOR).help("So many times as fast: 0.5 takes twice as long"),
            named("duration", TIME).help("So that it lasts so long: seconds (2.5) or frames (45f)"),
            named("fps", RATE).help("As if its frames had been meant for this rate; nothing is sampled anew"),
            named("curve", CURVE)
                .help("With a speed that changes: a file with lines of two times, the old one and the new one"),
            named("exact", SWITCH).help("Add keys until the motion is within the tolerance, instead of keeping the same ones on the nearest \
                      frames; up to twice as many"),
        ])
        .one_of(&["speed", "duration", "fps", "curve"])
        .build(|given| Ok(Operation::Retime(Retime { pace: pace(given)?, exact: given.is("exact") }))),
    Described::new("reverse", "Play backwards").build(|_| Ok(Operation::Reverse)),
    Described::new("mirror", "Exchange left and right")
        .details("Sides are told by names: 左 and 右, Left and Right, and L and R between separators; by the bones of a humanoid; and by --map.")
        .options(&[EditOption { form: Form::Named("map"), ..free("names", NAMES) }
            .help("File with lines of `left = right`, of names that say no side")])
        .build(|given| Ok(Operation::Mirror(Mirror { names: names(given)? }))),
    Described::new("loop", "Make the end meet the start, so that the clip can start again without a jump")
        .details("Keys of the last stretch take over more and more of the difference; all earlier ones stay.")
        .options(&[
            named("over", TIME).help("Length of the stretch before the end: seconds (0.5) or frames (10f) [default: 0.5, or all of a shorter clip]"),
            named("travel", SWITCH)
                .help("Let the figure go on from where it is: only the height of its root is brought back"),
        ])
        .build(|given| {
            Ok(Operation::Loop(Loop { over: given.may("over", parsed)?, travels: given.is("travel") }))
        }),
    Described::new("keys move", "Make keys come later or earlier")
        .options(&[OF_KEYS, KEYS_BY, OF_NAMES, OF_KINDS, OF_PROPERTIES, SNAP])
        .build(|given| {
            keys(given, KeyChange::Move { range: given.must("range", times)?, by: given.must("by", parsed)? })
        }),
    Described::new("keys insert", "Put a key more into curves, which keep their shape")
        .options(&[AT, OF_NAMES, OF_KINDS, OF_PROPERTIES, SNAP])
        .build(|given| keys(given, KeyChange::Insert { at: given.must("at", parsed)? })),
    Described::new("keys delete", "Leave out keys")
        .options(&[OF_KEYS, OF_NAMES, OF_KINDS, OF_PROPERTIES, SNAP])
        .build(|given| keys(given, KeyChange::Delete { range: given.must("range", times)? })),
    Described::new("keys copy", "Put the same keys at another time too; keys that are there go")
        .options(&[OF_KEYS, KEYS_TO, OF_NAMES, OF_KINDS, OF_PROPERTIES, SNAP])
        .build(|given| {
            keys(given, KeyChange::Copy { range: given.must("range", times)?, to: given.must("to", parsed)? })
        }),
    Described::new("keys scale", "Bring keys nearer to the start of a range, or away from it")
        .options(&[KEYS_RANGE, KEYS_FACTOR, OF_NAMES, OF_KINDS, OF_PROPERTIES, SNAP])
        .build(|given| {
            let factor = given.must("factor", number)?;
            keys(given, KeyChange::Scale { range: given.must("range", parsed)?, factor })
        }),
    Described::new("keys law", "Say how the value runs from each key to the next one")
        .options(&[OF_KEYS, KEYS_LAW, OF_NAMES, OF_KINDS, OF_PROPERTIES, SNAP])
        .build(|given| {
            let range = given.must("range", times)?;
            keys(given, KeyChange::SetLaw { range, law: given.must("law", parsed)? })
        }),
    Described::new("markers add", "Add a marker")
        .options(&[AT, required("name", NAME).help("Its name"), SNAP])
        .build(|given| {
            let at = given.must("at", parsed)?;
            markers(given, MarkerChange::Add { at, name: given.must("name", parsed)? })
        }),
    Described::new("markers move", "Put a marker at another time")
        .options(&[MARKED, EditOption { name: "to", ..AT }, SNAP])
        .build(|given| {
            let marker = given.must("marker", parsed)?;
            markers(given, MarkerChange::Move { marker, to: given.must("to", parsed)? })
        }),
    Described::new("markers remove", "Take a marker away")
        .options(&[MARKED])
        .build(|given| markers(given, MarkerChange::Remove { marker: given.must("marker", parsed)? })),
    Described::new("resample", "Put a key on every frame, with straight ways in between")
        .options(&[required("fps", RATE).help("Frames per second")])
        .build(|given| Ok(Operation::Resample(Resample { rate: given.must("fps", rate)? }))),
    Described::new("reduce", "Leave out keys that the straight way between their neighbours passes closely enough")
        .details("With --editable joints get new keys with Bezier timing, as an animator would set them.")
        .options(&[
            named("editable", SWITCH)
                .help("Few keys, at the same times for all joints of an arm, a leg, a hand or the body"),
            named("tolerance", LENGTH)
                .help("Largest distance of a point on the skin from where it was: 0.1mm, 1cm, 0.1mm@3cm")
                .or("0.1mm"),
        ])
        .build(|given| {
            let (tolerance, editable) = (given.must("tolerance", parsed)?, given.is("editable"));
            Ok(Operation::Reduce(Reduce { tolerance, editable }))
        }),
    Described::new("move", "Place, turn and scale the root of what moves")
        .details("Turned, then scaled, then moved, then put on the ground. Keys keep their times and curves. Motions of MikuMikuDance are moved \
                  by the bone 全ての親, which gets a key if it has none.")
        .options(&[
            named("by", WAY).help("Way along the axes of the file: 1m,0,-20cm; numbers without m, cm or mm are in units of the file"),
            named("turn", DEGREES).help("Turn about the line upwards through the origin, to a figure's left, in degrees: 90 or 90deg"),
            named("scale", FACTOR)
                .help("Factor of the root's places, for a figure of another size; bones keep their lengths"),
            named("ground", SWITCH).help("Put feet that stand on the ground, at height 0"),
        ])
        .some_of(&["by", "turn", "scale", "ground"])
        .build(|given| {
            Ok(Operation::Move(Move {
                by: given.may("by", parsed)?.unwrap_or_default(),
                turn_deg: given.may("turn", degrees)?.unwrap_or_default(),
                scale: given.may("scale", number)?,
                grounds: given.is("ground"),
            }))
        }),
    Described::new("smooth", "Take the jitter out of what was captured")
        .details("Keys that stand close together are filtered and keep their times; what is keyed sparsely holds no jitter and stays. Without \
                  names, kinds or properties: joints, hands and cameras, but no faces. Feet that stand stay where they stood, if the file has a \
                  skeleton with names that are known.")
        .options(&[
            OF_NAMES,
            OF_KINDS,
            OF_PROPERTIES,
            named("cutoff", HERTZ)
                .help("Fastest change that stays, in Hz; what is faster goes, and nothing comes later")
                .or("6"),
            named("one-euro", SWITCH).help("Take the One-Euro filter of live trackers: the slower something is the stronger, and a little late"),
            named("min-cutoff", HERTZ)
                .help("Of the One-Euro filter: fastest change that stays of what rests, in Hz")
                .or("1"),
            named("beta", FACTOR)
                .help("Of the One-Euro filter: so many Hz more for each metre or radian per second")
                .or("1"),
            named("let-feet-slide", SWITCH)
                .help("Leave feet where the filter puts them, also those that stand"),
        ])
        .build(|given| {
            let (on, filter) = (kept(given)?, filter(given)?);
            Ok(Operation::Smooth(Smooth { on, filter, lets_feet_slide: given.is("let-feet-slide") }))
        }),
    Described::new("rename", "Give other names to bones, morphs and all else that moves")
        .details("NAMING is one of unity, mmd, vrm, mixamo, unreal, vroid, blender, biovision, poser, smpl, cmu, openxr, webxr, mrtk2, soma, \
                  rokoko, xsens, smpl-model, makehuman, biped, bitmoji, robotexpressive, quaternius, bandai, \
                  unityxr, mhr.")
        .options(&[
            free("names", NAMES).help("File with lines of `old = new`"),
            named("from", NAMING).help("Naming of the bones"),
            named("to", NAMING).help("Naming that they get; bones that either lacks keep their names"),
        ])
        .some_of(&["names", "from", "to"])
        .build(|given| {
            let bones = match (given.may("from", parsed)?, given.may("to", parsed)?) {
                (Some(_), None) => return Err(given.lacks("to")),
                (None, Some(_)) => return Err(given.lacks("from")),
                (from, to) => from.zip(to),
            };
            Ok(Operation::Rename(Rename { names: names(given)?, bones }))
        }),
    Described::new("select", "Keep only some tracks")
        .options(&[OF_NAMES, OF_KINDS, OF_PROPERTIES])
        .build(|given| Ok(Operation::Select(kept(given)?))),
    Described::new("drop", "Leave out some tracks")
        .options(&[OF_NAMES, OF_KINDS, OF_PROPERTIES])
        .build(|given| Ok(Operation::Drop(kept(given)?))),
    Described::new("set", "Say other things about a clip")
        .options(&[
            named("name", NAME).help("Name of the clip"),
            named("model-name", NAME).help("Name of the model that the motion is for"),
            named("loop", LOOPING)
                .help("Behaviour of a player at the end: on (start again), off (stay at the last pose)"),
        ])
        .some_of(&["name", "model-name", "loop"])
        .build(|given| {
            let (name, model_name) = (given.may("name", parsed)?, given.may("model-name", parsed)?);
            Ok(Operation::Set(Set { name, model_name, looping: given.may("loop", looping)? }))
        }),
];

/// The operation that makes several files from one.
pub const SPLIT: &Described = &Described::new("split", "Cut a motion into several files; comes last")
    .details("`-o dance.vmd` becomes dance-1.vmd, dance-2.vmd and so on; in a folder each input has its own numbers. A time to cut at belongs to \
              both parts, so that concat puts them together again.")
    .options(&[
        free("at", CUTS).help("Times to cut at: seconds (2.5) or frames (45f) [default: all markers]"),
        SNAP,
    ]);

/// Word that sets a tolerance for all operations after it. It is no [`Operation`].
pub const WITHIN: &Described =
    &Described::new("within", "Ask for a tolerance").options(&[required("tolerance", LENGTH)]);

/// The operation of a word with options in JSON: an object of values by the names in [`OPERATIONS`], in which
/// `null` counts as absent.
///
/// A time is a number of seconds, or a text in the command's form (`"45f"`); a range is a list of two times,
/// or a text; new names by old names are an object. `others` are the motions that the operation puts together
/// with the edited motion.
///
/// ```
/// use dopesheet::edit::described;
///
/// let trim = described("trim", r#"{"range": [1, "90f"], "snap": true}"#, Vec::new())?;
/// assert_eq!(trim.word(), "trim");
/// let error = described("trim", r#"{"range": [1]}"#, Vec::new()).unwrap_err();
/// assert_eq!(error.to_string(), "trim: range: expected a start and an end, in seconds or as \"45f\", found [1]");
/// # Ok::<(), dopesheet::Error>(())
/// ```
///
/// # Errors
/// [`Error::Option`] if the operation or an option does not exist, or an option makes no sense.
pub fn described(word: &str, options: &str, others: Vec<Arc<Scene>>) -> Result<Operation, Error> {
    let Some(operation) = OPERATIONS.iter().find(|operation| operation.word == word) else {
        let words: Vec<&str> = OPERATIONS.iter().map(|operation| operation.word).collect();
        return Err(wrong(word, "operation", format!("one of {}", words.join(", ")), word));
    };
    operation.operation(object(word, options)?, others)
}

/// The tolerance of [`WITHIN`] from its options in JSON, in the form of [`described`].
///
/// # Errors
/// [`Error::Option`] if the options state no tolerance.
pub(super) fn within(options: &str) -> Result<Tolerance, Error> {
    Given::of(WITHIN, object(WITHIN.word, options)?)?.must("tolerance", parsed)
}

/// The cuts of [`SPLIT`] with values of its options in JSON.
///
/// # Errors
/// [`Error::Option`] if an option is unknown or makes no sense.
pub fn cuts(values: Map<String, Value>) -> Result<Split, Error> {
    let given = Given::of(SPLIT, values)?;
    Ok(Split { at: given.list("at", parsed)?, snap: given.is("snap") })
}

fn keys(given: &Given, change: KeyChange) -> Result<Operation, Error> {
    Ok(Operation::Keys(Keys { on: kept(given)?, change, snap: given.is("snap") }))
}

fn markers(given: &Given, change: MarkerChange) -> Result<Operation, Error> {
    Ok(Operation::Markers(Markers { change, snap: given.is("snap") }))
}

fn kept(given: &Given) -> Result<Kept, Error> {
    let (names, kinds) = (given.list("names", parsed)?, given.list("kind", target_kind)?);
    Ok(Kept { names, kinds, properties: given.list("property", parsed)? })
}

fn names(given: &Given) -> Result<NameMap, Error> {
    let names: Vec<String> = given.list("names", parsed)?;
    Ok(NameMap::new(names.as_chunks().0.iter().cloned().map(<(String, String)>::from)))
}

/// The single given pace.
fn pace(given: &Given) -> Result<Pace, Error> {
    Ok(if let Some(speed) = given.may("speed", number)? {
        Pace::Speed(speed)
    } else if let Some(duration) = given.may("duration", parsed)? {
        Pace::Duration(duration)
    } else if let Some(rate) = given.may("fps", rate)? {
        Pace::Frames(rate)
    } else {
        let points = given.list("curve", parsed)?.into_iter();
        Pace::Curve(TimeMap { points: points.map(|RangeSpec { start, end }| (start, end)).collect() })
    })
}

fn filter(given: &Given) -> Result<Filter, Error> {
    let cutoff_hz = given.must("cutoff", number)?;
    let (min_cutoff_hz, beta) = (given.must("min-cutoff", number)?, given.must("beta", number)?);
    match given.is("one-euro") {
        true if given.is("cutoff") => {
            Err(given.wrong("cutoff", "min-cutoff with one-euro", cutoff_hz.to_string()))
        }
        true => Ok(Filter::OneEuro { min_cutoff_hz, beta }),
        false if given.is("min-cutoff") || given.is("beta") => {
            Err(given.wrong("one-euro", "true with min-cutoff or beta", "false"))
        }
        false => Ok(Filter::ZeroPhase { cutoff_hz }),
    }
}
