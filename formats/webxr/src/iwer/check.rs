//! Document to report: one function per code.

use super::codes;
use super::document::{Document, Frame, Recording};
use super::read::{TextSpans, parse};
use super::splice;
use dopesheet_core::bytes::json::{JsonCursor, Span};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::SightingsByCode;
use dopesheet_core::model::HAND_JOINTS;

/// Largest difference of a quaternion's length from 1. The recorder rounds to 0.001, which changes the length
/// by 0.001.
const NEAR_UNIT: f64 = 0.01;

/// Reports everything remarkable about a document.
pub(super) fn check(document: &Document, report: &mut Report) {
    let text = splice::text(document);
    let mut places = TextSpans::kept();
    // An edited document may hold what cannot be read again; its findings stand at the start.
    let _ = parse(&text, &mut places);
    let mut walk = Walk { text: &text, places, seen: SightingsByCode::default() };
    let recording = document.recording();
    if recording.frames.is_empty() {
        walk.seen.add(codes::EMPTY, || Fault::new("", Place::File, "at least one frame", "none"));
    }
    walk.schema(recording);
    walk.frames(recording);
    walk.seen.report(report);
}

struct Walk<'a> {
    text: &'a str,
    places: TextSpans,
    seen: SightingsByCode,
}

/// A fault at a place of a text.
fn fault(text: &str, span: Option<&Span>, pointer: String, expected: &'static str, found: String) -> Fault {
    let at = span.map_or(0, |span| span.start);
    let mut fault = *JsonCursor::from_text(text, codes::SYNTAX).fault_at(at, "", expected, found);
    if let Place::Text { pointer: stated, .. } = &mut fault.place {
        *stated = pointer;
    }
    fault
}

impl Walk<'_> {
    fn schema(&mut self, recording: &Recording) {
        for (at, entry) in recording.schema.iter().enumerate() {
            let (text, span) = (self.text, self.places.entries.get(at));
            if recording.schema.iter().take(at).any(|earlier| earlier.index == entry.index) {
                self.seen.add(codes::INDEX_TWICE, || {
                    let (pointer, actual) = (format!("/schema/{at}/0"), entry.index.to_string());
                    fault(text, span, pointer, "an index that no other input source has", actual)
                });
            }
            if let Some(joints) = entry.source.joints.as_ref().filter(|joints| !are_all(joints)) {
                self.seen.add(codes::JOINTS, || {
                    let pointer = format!("/schema/{at}/1/jointSequence");
                    fault(text, span, pointer, "the 25 joints of WebXR, each once", odd_joint(joints))
                });
            }
        }
    }

    fn frames(&mut self, recording: &Recording) {
        let (mut number, mut input) = (0, 0);
        let mut before: Option<f64> = None;
        for (at, frame) in recording.frames.iter().enumerate() {
            let text = self.text;
            if let Some(before) = before.filter(|before| frame.time_ms <= *before) {
                let span = self.places.numbers.get(number);
                self.seen.add(codes::TIME, || {
                    let actual = format!("{} ms after {before} ms", frame.time_ms);
                    fault(
                        text,
                        span,
                        format!("/frames/{at}/0"),
                        "a time after that of the frame before",
                        actual,
                    )
                });
            }
            before = Some(frame.time_ms);
            self.inputs(at, frame, input);
            self.rotations(at, frame, number);
            number += frame.numbers().count();
            input += frame.inputs.len();
        }
    }

    fn inputs(&mut self, at: usize, frame: &Frame, first: usize) {
        for (position, input) in frame.inputs.iter().enumerate() {
            if frame.inputs.iter().take(position).any(|earlier| earlier.index == input.index) {
                let (text, span) = (self.text, self.places.inputs.get(first + position));
                self.seen.add(codes::INPUT_TWICE, || {
                    let (pointer, actual) =
                        (format!("/frames/{at}/{}", position + 8), input.index.to_string());
                    fault(text, span, pointer, "an input source that the frame does not have yet", actual)
                });
            }
        }
    }

    /// Checks the quaternions of a frame; `number` is the position of the frame's first number.
    fn rotations(&mut self, at: usize, frame: &Frame, number: usize) {
        let mut odd_turns: Vec<(usize, String, [f64; 4])> = Vec::new();
        let mut look = |number: usize, pointer: &dyn Fn() -> String, pose: &[f64]| {
            if let Some(turn) = pose.get(3..).and_then(|rest| rest.first_chunk::<4>()).filter(|q| !is_unit(q))
            {
                odd_turns.push((number, pointer(), *turn));
            }
        };
        look(number + 4, &|| format!("/frames/{at}/4"), &frame.viewer);
        let mut next = number + 8;
        for (position, input) in frame.inputs.iter().enumerate() {
            let input_pointer = format!("/frames/{at}/{}", position + 8);
            look(next + 3, &|| format!("{input_pointer}/4"), &input.ray);
            let mut after = next + input.ray.len();
            let mut part = 8;
            if let Some(grip) = &input.grip {
                look(after + 3, &|| format!("{input_pointer}/{part}/3"), grip);
                (after, part) = (after + grip.len(), part + 1);
            }
            for (joint, pose) in input.hand.iter().flatten().enumerate() {
                look(after + 8 * joint + 3, &|| format!("{input_pointer}/{part}/{}", 8 * joint + 3), pose);
            }
            next += input.numbers().count();
        }
        for (number, pointer, turn) in odd_turns {
            let (text, span) = (self.text, self.places.numbers.get(number));
            self.seen.add(codes::ROTATION, || {
                fault(text, span, pointer, "a unit quaternion", format!("{turn:?}"))
            });
        }
    }
}

fn is_unit(turn: &[f64; 4]) -> bool {
    (turn.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs() <= NEAR_UNIT
}

/// The joints of a hand in WebXR's order.
fn webxr() -> impl Iterator<Item = &'static str> {
    HAND_JOINTS.into_iter().filter_map(|joint| joint.webxr)
}

fn are_all(joints: &[String]) -> bool {
    joints.len() == webxr().count() && webxr().all(|name| joints.iter().any(|joint| joint == name))
}

/// The first fault of a list of joints, in words.
fn odd_joint(joints: &[String]) -> String {
    let unknown = joints.iter().find(|joint| webxr().all(|name| name != joint.as_str()));
    let missing = webxr().find(|name| joints.iter().all(|joint| joint != name));
    match (unknown, missing) {
        (Some(unknown), _) => format!("{unknown:?}"),
        (None, Some(missing)) => format!("none that is called {missing:?}"),
        (None, None) => format!("{} joints", joints.len()),
    }
}
