//! The description of the format.

use super::codes;
use super::document::Recording;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind};
use dopesheet_core::format::{
    Capabilities, Confidence, FormatInfo, Hint, KeyLayout, LawSet, Parts, Role, Summary,
};
use dopesheet_core::model::{Axis, Basis};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::time;

pub(super) const ID: &str = "iwer";

/// WebXR: right-handed, +Y up; everybody looks along −Z, with +X to the right; metres.
pub(super) const WEBXR: Basis = Basis {
    left: Axis::NegX,
    up: Axis::PosY,
    front: Axis::NegZ,
    metres_per_unit: Some(1.0),
    camera_looks: Axis::NegZ,
    light_shines: Axis::NegZ,
};

/// Straight lines from frame to frame. A step becomes a frame right before the jump.
const LAWS: LawSet = LawSet { step: true, linear: true, mixed: true, ..LawSet::NONE };

pub(super) const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "WebXR recording of IWER (JSON)",
    extensions: &["json"],
    magics: &[],
    role: Role::Motion,
    specifications: &[
        "https://meta-quest.github.io/immersive-web-emulation-runtime/action.html",
        "https://github.com/meta-quest/immersive-web-emulation-runtime/blob/main/packages/iwer/src/action/ActionRecorder.ts",
        "https://www.w3.org/TR/webxr-hand-input-1/",
    ],
    variants: &[],
    capabilities: Capabilities {
        basis: Some(WEBXR),
        parts: Parts {
            translation: true,
            rotation: true,
            switches: true,
            cameras: true,
            custom_tracks: true,
            numbers: true,
            ..Parts::NONE
        },
        vector_laws: LAWS,
        rotation_laws: LAWS,
        layout: KeyLayout::PerTarget,
        ..Capabilities::ONE_CLIP
    },
    checks: codes::ALL,
};

pub(super) fn probe(head: &[u8], _hint: &Hint) -> Confidence {
    let sound = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut seen = [false; 2];
    // A fault only means that the head ends here; what was seen before stands.
    let _ = JsonCursor::from_text(sound, codes::SYNTAX).object(|cursor, name| {
        match name {
            "schema" => seen[0] |= starts_with_entry(cursor.clone()),
            "frames" => seen[1] |= starts_with_frame(cursor.clone()),
            _ => {}
        }
        cursor.skip().map(drop)
    });
    match seen {
        [true, _] => Confidence::Certain,
        [false, true] => Confidence::Plausible,
        [false, false] => Confidence::No,
    }
}

/// True if the next value is a list with the start of a schema, `[[0,{"handedness"`, or an empty list.
fn starts_with_entry(mut cursor: JsonCursor<'_>) -> bool {
    let (mut elements, mut has_entry) = (0, false);
    let whole = cursor.array(|cursor, _| {
        elements += 1;
        cursor.array(|cursor, at| match (at, cursor.peek()?) {
            (1, JsonKind::Object) => cursor.object(|cursor, name| {
                has_entry |=
                    matches!(name, "handedness" | "targetRayMode" | "hasGrip" | "hasHand" | "hasGamepad");
                cursor.skip().map(drop)
            }),
            _ => cursor.skip().map(drop),
        })
    });
    // With an empty schema the frames tell.
    has_entry && (elements > 0 || whole.is_ok())
}

/// True if the next value is a list with the start of frames without inputs: `[[0,` and seven more numbers.
fn starts_with_frame(mut cursor: JsonCursor<'_>) -> bool {
    let mut numbers = 0;
    let _: Read<()> = cursor.array(|cursor, frame| {
        cursor.array(|cursor, _| {
            numbers += u32::from(frame == 0 && cursor.peek()? == JsonKind::Number);
            cursor.skip().map(drop)
        })
    });
    numbers >= 8
}

pub(super) fn summary(recording: &Recording) -> Summary {
    let mut facts = vec![("frames", recording.frames.len().to_string())];
    if let [first, .., last] = &recording.frames[..] {
        facts.push(("duration", time(Seconds((last.time_ms - first.time_ms) / 1000.0))));
    }
    for entry in &recording.schema {
        let source = &entry.source;
        let kind = if source.joints.is_some() { "hand" } else { "controller" };
        let profile = source.profiles.first().map_or("", String::as_str);
        let frames = recording
            .frames
            .iter()
            .filter(|frame| frame.inputs.iter().any(|input| input.index == entry.index));
        let what = format!("{} {kind} {profile}, on {} frames", source.handedness, frames.count());
        facts.push(("input source", what));
    }
    Summary { version: None, variant: None, facts }
}
