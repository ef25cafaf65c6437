//! Text to document: one pass, straight into fields. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::codes;
use super::document::{Document, Entry, Frame, Gamepad, GamepadState, Input, InputSource, Recording};
use super::info::INFO;
use super::write;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind, Span};
use dopesheet_core::diag::{Code, Fault, ReadError};
use dopesheet_core::format::{ReadOptions, Source, check_length};
use dopesheet_core::words::counted;

/// Times beyond this many milliseconds, 32,000 years, are refused: fractions of a millisecond are lost there.
const LATEST_MS: f64 = 1e15;
/// Numbers of a pose.
const POSE: usize = 7;
/// Numbers of a joint: its pose and radius.
const JOINT: usize = 8;

pub(super) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Document, ReadError> {
    check_length(&INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
    let fail = |fault: Box<Fault>| ReadError::new(INFO.id, *fault);
    let text = JsonCursor::new(source.main, codes::SYNTAX).map_err(fail)?.text();
    let recording = parse(text, &mut TextSpans::default()).map_err(fail)?;
    let is_usual = write::text(&recording) == text;
    Ok(Document { source: (!is_usual).then(|| text.to_owned()), recording, edited: false })
}

/// Positions of parts in a text.
#[derive(Debug, Default)]
pub(super) struct TextSpans {
    /// True if they are wanted.
    pub(super) wanted: bool,
    /// The entries of the schema.
    pub(super) entries: Vec<Span>,
    /// The numbers of the frames but for indices, in their order.
    pub(super) numbers: Vec<Span>,
    /// The inputs of the frames, in their order.
    pub(super) inputs: Vec<Span>,
}

impl TextSpans {
    /// Keeps places.
    pub(super) fn kept() -> Self {
        Self { wanted: true, ..Self::default() }
    }
}

/// Reads a whole text. `places` receives the positions of the parts read.
pub(super) fn parse(text: &str, places: &mut TextSpans) -> Read<Recording> {
    let mut cursor = JsonCursor::from_text(text, codes::SYNTAX);
    let expected = "an object with the lists `schema` and `frames`";
    let root = cursor.want(JsonKind::Object, codes::ROOT.code, expected)?;
    let (mut schema, mut frames) = (None, None);
    cursor.object(|cursor, name| {
        let at = match name {
            "schema" => &mut schema,
            "frames" => &mut frames,
            _ => return cursor.skip().map(drop),
        };
        cursor.want(JsonKind::Array, codes::ROOT.code, "an array")?;
        *at = Some(cursor.clone());
        cursor.skip().map(drop)
    })?;
    cursor.end()?;
    // The schema says what frames hold, wherever it stands.
    let (Some(mut schema), Some(mut frames)) = (schema, frames) else {
        let actual = "an object that lacks at least one of them";
        return Err(cursor.fault_at(root, codes::ROOT.code, "the lists `schema` and `frames`", actual));
    };
    let schema = read_schema(&mut schema, places).map_err(|fault| fault.under("schema"))?;
    let mut recording = Recording { schema, frames: Vec::new() };
    let read = frames.array(|cursor, _| {
        let frame = frame(cursor, &recording, places)?;
        recording.frames.push(frame);
        Ok(())
    });
    read.map_err(|fault| fault.under("frames"))?;
    Ok(recording)
}

/// The entries of a schema at the cursor.
pub(super) fn read_schema(cursor: &mut JsonCursor<'_>, places: &mut TextSpans) -> Read<Vec<Entry>> {
    let mut schema = Vec::new();
    cursor.array(|cursor, _| {
        cursor.peek()?;
        let start = cursor.position();
        schema.push(entry(cursor)?);
        if places.wanted {
            places.entries.push(start..cursor.position());
        }
        Ok(())
    })?;
    Ok(schema)
}

/// `[0, {…}]`
fn entry(cursor: &mut JsonCursor<'_>) -> Read<Entry> {
    const EXPECTED: &str = "an index and an input source, as in [0, {…}]";
    let start = cursor.want(JsonKind::Array, codes::SCHEMA.code, EXPECTED)?;
    let (mut index, mut source) = (None, None);
    cursor.array(|cursor, at| {
        match at {
            0 => index = Some(whole(cursor, codes::SCHEMA.code)?),
            1 => source = Some(input_source(cursor)?),
            _ => return cursor.skip().map(drop),
        }
        Ok(())
    })?;
    match (index, source) {
        (Some(index), Some(source)) => Ok(Entry { index, source }),
        _ => Err(cursor.fault_at(start, codes::SCHEMA.code, EXPECTED, "fewer elements")),
    }
}

/// A whole number from 0 up.
fn whole(cursor: &mut JsonCursor<'_>, code: Code) -> Read<u32> {
    let start = cursor.clone();
    match cursor.plain_whole().and_then(|number| u32::try_from(number).ok()) {
        Some(number) => Ok(number),
        None => Err(start.clone().fault_here(code, "a whole number from 0 up")),
    }
}

/// The members of an input source as they are met.
#[derive(Default)]
struct Members {
    handedness: Option<String>,
    target_ray_mode: Option<String>,
    profiles: Option<Vec<String>>,
    has_grip: Option<bool>,
    has_hand: Option<bool>,
    joints: Option<Vec<String>>,
    has_gamepad: Option<bool>,
    mapping: Option<String>,
    buttons: Option<u32>,
    axes: Option<u32>,
}

fn input_source(cursor: &mut JsonCursor<'_>) -> Read<InputSource> {
    let start =
        cursor.want(JsonKind::Object, codes::SCHEMA.code, "an object that describes an input source")?;
    let mut source = Members::default();
    cursor.object(|cursor, name| {
        match name {
            "handedness" => source.handedness = Some(string(cursor)?),
            "targetRayMode" => source.target_ray_mode = Some(string(cursor)?),
            "profiles" => source.profiles = Some(strings(cursor)?),
            "hasGrip" => source.has_grip = Some(truth(cursor)?),
            "hasHand" => source.has_hand = Some(truth(cursor)?),
            "jointSequence" => source.joints = Some(strings(cursor)?),
            "hasGamepad" => source.has_gamepad = Some(truth(cursor)?),
            "mapping" => source.mapping = Some(string(cursor)?),
            "numButtons" => source.buttons = Some(whole(cursor, codes::SCHEMA.code)?),
            "numAxes" => source.axes = Some(whole(cursor, codes::SCHEMA.code)?),
            _ => return cursor.skip().map(drop),
        }
        Ok(())
    })?;
    source.source().map_err(|missing| {
        let expected = format!("an input source with the member `{missing}`");
        cursor.fault_at(start, codes::SCHEMA.code, expected, "one without")
    })
}

impl Members {
    /// The source described by the members, or the name of a missing member.
    fn source(self) -> Result<InputSource, &'static str> {
        let has_hand = self.has_hand.ok_or("hasHand")?;
        let has_gamepad = self.has_gamepad.ok_or("hasGamepad")?;
        let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let gamepad = match has_gamepad {
            true => Some(Gamepad {
                mapping: self.mapping.ok_or("mapping")?,
                buttons: self.buttons.map(size).ok_or("numButtons")?,
                axes: self.axes.map(size).ok_or("numAxes")?,
            }),
            false => None,
        };
        Ok(InputSource {
            handedness: self.handedness.ok_or("handedness")?,
            target_ray_mode: self.target_ray_mode.ok_or("targetRayMode")?,
            profiles: self.profiles.ok_or("profiles")?,
            has_grip: self.has_grip.ok_or("hasGrip")?,
            joints: if has_hand { Some(self.joints.ok_or("jointSequence")?) } else { None },
            gamepad,
        })
    }
}

fn string(cursor: &mut JsonCursor<'_>) -> Read<String> {
    match cursor.peek()? {
        JsonKind::String => cursor.string().map(std::borrow::Cow::into_owned),
        _ => Err(cursor.fault_here(codes::SCHEMA.code, "a string")),
    }
}

fn strings(cursor: &mut JsonCursor<'_>) -> Read<Vec<String>> {
    cursor.want(JsonKind::Array, codes::SCHEMA.code, "an array of strings")?;
    let mut all = Vec::new();
    cursor.array(|cursor, _| {
        all.push(string(cursor)?);
        Ok(())
    })?;
    Ok(all)
}

fn truth(cursor: &mut JsonCursor<'_>) -> Read<bool> {
    match cursor.peek()? {
        JsonKind::Bool => cursor.bool(),
        _ => Err(cursor.fault_here(codes::SCHEMA.code, "true or false")),
    }
}

/// A number that belongs to the numbers of the frames.
fn number(cursor: &mut JsonCursor<'_>, code: Code, places: &mut TextSpans) -> Read<f64> {
    let start = cursor.want(JsonKind::Number, code, "a number")?;
    let number = cursor.number()?;
    if places.wanted {
        places.numbers.push(start..cursor.position());
    }
    Ok(number)
}

/// `[time, seven numbers, inputs …]`
fn frame(cursor: &mut JsonCursor<'_>, recording: &Recording, places: &mut TextSpans) -> Read<Frame> {
    const EXPECTED: &str = "a time, position and rotation of the head (8 numbers), and inputs";
    let start = cursor.want(JsonKind::Array, codes::FRAME.code, EXPECTED)?;
    let (mut time, mut viewer, mut filled) = (None, [0.0; POSE], 0usize);
    let mut inputs = Vec::new();
    cursor.array(|cursor, at| {
        match at {
            0 => time = Some(moment(cursor, places)?),
            1..=POSE => {
                let value = number(cursor, codes::FRAME.code, places)?;
                viewer.iter_mut().skip(filled).take(1).for_each(|slot| *slot = value);
                filled = filled.saturating_add(1);
            }
            _ => {
                cursor.peek()?;
                let start = cursor.position();
                inputs.push(input(cursor, recording, places)?);
                if places.wanted {
                    places.inputs.push(start..cursor.position());
                }
            }
        }
        Ok(())
    })?;
    match time {
        Some(time_ms) if filled == POSE => Ok(Frame { time_ms, viewer, inputs }),
        _ => Err(cursor.fault_at(start, codes::FRAME.code, EXPECTED, "fewer numbers")),
    }
}

fn moment(cursor: &mut JsonCursor<'_>, places: &mut TextSpans) -> Read<f64> {
    let mut start = cursor.clone();
    let time = number(cursor, codes::FRAME.code, places)?;
    match time.abs() <= LATEST_MS {
        true => Ok(time),
        false => Err(start.fault_here(codes::FRAME.code, "a time of at most 10^15 ms")),
    }
}

/// `[index, seven numbers, grip?, hand?, gamepad?]`
fn input(cursor: &mut JsonCursor<'_>, recording: &Recording, places: &mut TextSpans) -> Read<Input> {
    const EXPECTED: &str =
        "an input: an index, position and rotation of its ray (7 numbers), and what its source has";
    let start = cursor.want(JsonKind::Array, codes::INPUT.code, EXPECTED)?;
    let mut input = Input::default();
    let mut source = None;
    let (mut filled, mut parts) = (0usize, Parts::default());
    cursor.array(|cursor, at| {
        if at == 0 {
            let mut before = cursor.clone();
            input.index = whole(cursor, codes::INPUT.code)?;
            let Some((_, stored_source)) = recording.source(input.index) else {
                return Err(
                    before.fault_here(codes::SOURCE.code, "the index of an input source in the schema")
                );
            };
            (source, parts) = (Some(stored_source), Parts::of(stored_source));
        } else if filled < POSE {
            let value = number(cursor, codes::INPUT.code, places)?;
            input.ray.iter_mut().skip(filled).take(1).for_each(|slot| *slot = value);
            filled = filled.saturating_add(1);
        } else if let Some(source) = source {
            parts.read_next(cursor, source, &mut input, places)?;
        }
        Ok(())
    })?;
    if source.is_none() || filled < POSE {
        return Err(cursor.fault_at(start, codes::INPUT.code, EXPECTED, "fewer numbers"));
    }
    match parts.missing() {
        None => Ok(input),
        Some(part) => {
            let expected = format!("the {part} of the input, which its source has");
            Err(cursor.fault_at(start, codes::INPUT.code, expected, "an input without"))
        }
    }
}

/// The parts that an input still lacks.
#[derive(Default)]
struct Parts {
    grip: bool,
    hand: bool,
    gamepad: bool,
}

impl Parts {
    const fn of(source: &InputSource) -> Self {
        Self { grip: source.has_grip, hand: source.joints.is_some(), gamepad: source.gamepad.is_some() }
    }

    const fn missing(&self) -> Option<&'static str> {
        match self {
            Self { grip: true, .. } => Some("grip"),
            Self { hand: true, .. } => Some("hand"),
            Self { gamepad: true, .. } => Some("gamepad"),
            _ => None,
        }
    }

    /// Reads the next part. Content behind all parts is skipped.
    fn read_next(
        &mut self,
        cursor: &mut JsonCursor<'_>,
        source: &InputSource,
        input: &mut Input,
        places: &mut TextSpans,
    ) -> Read<()> {
        if std::mem::take(&mut self.grip) {
            let [pose] = rows::<POSE>(cursor, 1, "7 numbers: position and rotation of the grip", places)?
                .try_into()
                .unwrap_or([[0.0; POSE]]);
            input.grip = Some(pose);
        } else if std::mem::take(&mut self.hand) {
            let joints = source.joints.as_ref().map_or(0, Vec::len);
            let numbers = joints.saturating_mul(JOINT);
            let expected = format!("{}: {JOINT} for each joint", counted(numbers, "number"));
            input.hand = Some(rows::<JOINT>(cursor, joints, &expected, places)?);
        } else if std::mem::take(&mut self.gamepad) {
            let nothing = Gamepad::default();
            input.gamepad = Some(gamepad_state(cursor, source.gamepad.as_ref().unwrap_or(&nothing), places)?);
        } else {
            cursor.skip()?;
        }
        Ok(())
    }
}

/// An array of exactly `count` rows of numbers, one behind the other.
fn rows<const N: usize>(
    cursor: &mut JsonCursor<'_>,
    count: usize,
    expected: &str,
    places: &mut TextSpans,
) -> Read<Vec<[f64; N]>> {
    let code = codes::INPUT.code;
    if cursor.peek()? != JsonKind::Array {
        return Err(cursor.fault_here(code, expected.to_owned()));
    }
    let start = cursor.position();
    let mut numbers = Vec::new();
    cursor.array(|cursor, _| {
        numbers.push(number(cursor, code, places)?);
        Ok(())
    })?;
    let (rows, rest) = numbers.as_chunks::<N>();
    if rows.len() != count || !rest.is_empty() {
        let actual = counted(numbers.len(), "number");
        return Err(cursor.fault_at(start, code, expected.to_owned(), actual));
    }
    Ok(rows.to_vec())
}

fn gamepad_state(
    cursor: &mut JsonCursor<'_>,
    gamepad: &Gamepad,
    places: &mut TextSpans,
) -> Read<GamepadState> {
    let code = codes::INPUT.code;
    let count = gamepad.buttons.saturating_add(gamepad.axes);
    let (buttons, axes) = (counted(gamepad.buttons, "button"), gamepad.axes);
    let expected = format!("{}: {buttons}, then {axes} axes", counted(count, "element"));
    if cursor.peek()? != JsonKind::Array {
        return Err(cursor.fault_here(code, expected));
    }
    let start = cursor.position();
    let mut state = GamepadState::default();
    cursor.array(|cursor, at| {
        let is_absent = cursor.peek()? == JsonKind::Null;
        if is_absent {
            cursor.null()?;
        }
        match at < gamepad.buttons {
            true if is_absent => state.buttons.push(None),
            true => {
                const EXPECTED: &str = "3 numbers: pressed, touched, value; or null";
                let button = rows::<3>(cursor, 1, EXPECTED, places)?.first().copied();
                state.buttons.push(button);
            }
            false if is_absent => state.axes.push(None),
            false => state.axes.push(Some(number(cursor, code, places)?)),
        }
        Ok(())
    })?;
    let elements = state.buttons.len().saturating_add(state.axes.len());
    match elements == count {
        true => Ok(state),
        false => Err(cursor.fault_at(start, code, expected, counted(elements, "element"))),
    }
}
