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

fn source(out: &mut JsonWriter, own: &InputSource) {
    let strings = |out: &mut JsonWriter, all: &[String]| {
        out.array(|out| {
            for text in all {
                out.string(text);
            }
        });
    };
    out.object(|out| {
        out.name("handedness").string(&own.handedness);
        out.name("targetRayMode").string(&own.target_ray_mode);
        strings(out.name("profiles"), &own.profiles);
        out.name("hasGrip").bool(own.has_grip);
        out.name("hasHand").bool(own.joints.is_some());
        out.name("hasGamepad").bool(own.gamepad.is_some());
        if let Some(joints) = &own.joints {
            strings(out.name("jointSequence"), joints);
        }
        if let Some(gamepad) = &own.gamepad {
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

fn frame(out: &mut JsonWriter, own: &Frame) {
    out.array(|out| {
        number(out, own.time_ms);
        numbers(out, &own.viewer);
        own.inputs.iter().for_each(|stored| input(out, stored));
    });
}

fn input(out: &mut JsonWriter, own: &Input) {
    out.array(|out| {
        out.number(own.index.into());
        numbers(out, &own.ray);
        if let Some(grip) = &own.grip {
            out.array(|out| numbers(out, grip));
        }
        if let Some(hand) = &own.hand {
            out.array(|out| numbers(out, hand.iter().flatten()));
        }
        if let Some(state) = &own.gamepad {
            gamepad(out, state);
        }
    });
}

fn gamepad(out: &mut JsonWriter, own: &GamepadState) {
    out.array(|out| {
        for button in &own.buttons {
            match button {
                Some(states) => out.array(|out| numbers(out, states)),
                None => out.raw("null"),
            };
        }
        for axis in &own.axes {
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
