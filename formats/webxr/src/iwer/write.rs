//! Document to text: the inverse of reading, in the recorder's spelling (`JSON.stringify`).

use super::document::{Entry, Frame, GamepadState, Input, InputSource, Recording};
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};

/// The text in the recorder's spelling.
pub(super) fn text(recording: &Recording) -> String {
    let mut out = JsonWriter::new(NumberStyle::ShortestF64);
    out.object(|out| {
        schema(out.name("schema"), &recording.schema);
        out.name("frames").array(|out| recording.frames.iter().for_each(|stored| frame(out, stored)));
    });
    out.finish()
}

/// A number alone, as text.
pub(super) fn number_text(value: f64) -> String {
    let mut out = JsonWriter::new(NumberStyle::ShortestF64);
    number(&mut out, value);
    out.finish()
}

/// The schema alone, as text.
pub(super) fn schema_text(entries: &[Entry]) -> String {
    let mut out = JsonWriter::new(NumberStyle::ShortestF64);
    schema(&mut out, entries);
    out.finish()
}

fn schema(out: &mut JsonWriter, entries: &[Entry]) {
    out.array(|out| {
        for entry in entries {
            out.array(|out| source(out.number(entry.index.into()), &entry.source));
        }
    });
}

fn source(out: &mut JsonWriter, source: &InputSource) {
    let strings = |out: &mut JsonWriter, all: &[String]| {
        out.array(|out| {
            for text in all {
                out.string(text);
            }
        });
    };
    out.object(|out| {
        out.name("handedness").string(&source.handedness);
        out.name("targetRayMode").string(&source.target_ray_mode);
        strings(out.name("profiles"), &source.profiles);
        out.name("hasGrip").bool(source.has_grip);
        out.name("hasHand").bool(source.joints.is_some());
        out.name("hasGamepad").bool(source.gamepad.is_some());
        if let Some(joints) = &source.joints {
            strings(out.name("jointSequence"), joints);
        }
        if let Some(gamepad) = &source.gamepad {
            out.name("mapping").string(&gamepad.mapping);
            out.name("numButtons").integer(gamepad.buttons);
            out.name("numAxes").integer(gamepad.axes);
        }
    });
}

/// Writes numbers among other elements of an array.
fn numbers<'a>(out: &mut JsonWriter, all: impl IntoIterator<Item = &'a f64>) {
    for value in all {
        number(out, *value);
    }
}

/// A number in JavaScript's spelling: with an exponent below 10^-6 and from 10^21 on.
fn number(out: &mut JsonWriter, value: f64) {
    match value.abs() {
        1e-3..1e6 => out.number(value),
        1e-6..1e21 => out.raw(&value.to_string()),
        _ => out.number(value),
    };
}

fn frame(out: &mut JsonWriter, frame: &Frame) {
    out.array(|out| {
        number(out, frame.time_ms);
        numbers(out, &frame.viewer);
        frame.inputs.iter().for_each(|stored| input(out, stored));
    });
}

fn input(out: &mut JsonWriter, input: &Input) {
    out.array(|out| {
        out.number(input.index.into());
        numbers(out, &input.ray);
        if let Some(grip) = &input.grip {
            out.array(|out| numbers(out, grip));
        }
        if let Some(hand) = &input.hand {
            out.array(|out| numbers(out, hand.iter().flatten()));
        }
        if let Some(state) = &input.gamepad {
            gamepad(out, state);
        }
    });
}

fn gamepad(out: &mut JsonWriter, gamepad: &GamepadState) {
    out.array(|out| {
        for button in &gamepad.buttons {
            match button {
                Some(states) => out.array(|out| numbers(out, states)),
                None => out.raw("null"),
            };
        }
        for axis in &gamepad.axes {
            match axis {
                Some(value) => number(out, *value),
                None => {
                    out.raw("null");
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::number_text;

    #[test]
    fn numbers_are_spelled_as_javascript_does() {
        for text in
            ["0", "0.001", "-0.00000864574", "0.000001", "9.5e-7", "1e-7", "1234567.8", "1000000000000000"]
        {
            assert_eq!(number_text(text.parse().unwrap()), text);
        }
    }
}
