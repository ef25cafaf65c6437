//! Assumptions about the meaning of a file that only the game could confirm, with the words for other
//! choices.

use super::CheckFn;
use super::visit::Located;
use crate::more::actor::ActorModel;
use crate::more::animation::{Bezier, Body, Keys, Shape, Stored, Times, Values};
use crate::more::codes;
use crate::more::interpretation::{Interpretation, TangentUnit};
use crate::more::packed::{EulerCode, Rounding};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::{Check, SightingsByCode};

pub(super) const CHECKS: &[CheckFn] = &[tangents, rotations, angles, rounding];

/// A choice: the value taken, and the word for the other value.
type Choice = [&'static str; 2];

fn tell(located: &Located<'_>, check: Check, choice: Choice, seen: &mut SightingsByCode) {
    seen.add(check, || located.fault("keys", expected(), describe(choice)));
}

const fn expected() -> &'static str {
    "something in the format that says which"
}

fn describe([taken, otherwise]: Choice) -> String {
    format!("a guess: {taken}; --assume {otherwise}")
}

fn keys<'a>(located: &Located<'a>) -> Option<&'a Keys> {
    match &located.track.body {
        Body::Keys(keys) if !keys.is_empty() => Some(keys),
        _ => None,
    }
}

/// True if a derivative leads somewhere.
fn bends(values: &Values) -> bool {
    (0..values.len()).any(|key| values.decoded(key, EulerCode::Affine).iter().any(|x| *x != 0.0))
}

fn tangents(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Some(Keys { shape: Shape::Bezier(Bezier { der_src, der_dst, .. }), values, .. }) = keys(located)
    else {
        return;
    };
    if values.width() == 4 || !(bends(der_src) || der_dst.as_ref().is_some_and(bends)) {
        return;
    }
    let choice = match located.how.tangent_unit {
        TangentUnit::PerSegment => {
            ["derivatives are changes over their whole segment", "tangents=second takes them per second"]
        }
        TangentUnit::PerSecond => {
            ["derivatives are changes per second", "tangents=segment takes them over their whole segment"]
        }
    };
    tell(located, codes::GUESSED_TANGENTS, choice, seen);
}

const fn handedness(how: &Interpretation) -> Choice {
    if how.conjugate_rotations {
        ["rotations are inverted, as in keys of 3ds Max", "rotations=direct takes them as they are"]
    } else {
        ["rotations are right-handed as they are", "rotations=inverse inverts them, as in keys of 3ds Max"]
    }
}

fn rotations(located: &Located<'_>, seen: &mut SightingsByCode) {
    if keys(located).is_some() && located.track.track_type.is_rotation() {
        tell(located, codes::GUESSED_ROTATIONS, handedness(&located.how), seen);
    }
}

/// The choices for an actor, whose rotations at rest depend on them like tracks.
pub(super) fn actor(actor: &ActorModel, how: &Interpretation, seen: &mut SightingsByCode) {
    let turns = |q: &[f32; 4]| q[..3] != [0.0; 3];
    let bones = actor.bones.iter().any(|bone| turns(&bone.rotation));
    if bones || actor.event_emitters.iter().any(|emitter| turns(&emitter.rotation)) {
        let path = if bones { "bones" } else { "eventEmitters" };
        seen.add(codes::GUESSED_ROTATIONS, || {
            Fault::new("", Place::File, expected(), describe(handedness(how))).at_path(path)
        });
    }
}

fn angles(located: &Located<'_>, seen: &mut SightingsByCode) {
    if keys(located).is_none_or(|keys| keys.values.stored() != Stored::Angles) {
        return;
    }
    let choice = match located.how.euler_code {
        EulerCode::Affine => [
            "16-bit angles run evenly from -10π to 10π",
            "angles=printed reads them as the wiki prints the formula",
        ],
        EulerCode::AsPrinted => [
            "16-bit angles are read as the wiki prints the formula",
            "angles=affine reads them evenly from -10π to 10π",
        ],
    };
    tell(located, codes::GUESSED_ANGLES, choice, seen);
}

fn rounding(located: &Located<'_>, seen: &mut SightingsByCode) {
    let has_codes = |keys: &Keys| {
        let stored = keys.values.stored();
        matches!(keys.times, Times::Codes(_))
            || matches!(stored, Stored::Quaternion32 | Stored::Quaternion48 | Stored::Angles)
    };
    if !keys(located).is_some_and(has_codes) {
        return;
    }
    let choice = match located.how.rounding {
        Rounding::Nearest => {
            ["another version gets the nearest codes", "rounding=game rounds them down, as the game does"]
        }
        Rounding::Game => {
            ["another version gets codes that are rounded down", "rounding=nearest takes the nearest"]
        }
    };
    tell(located, codes::GUESSED_ROUNDING, choice, seen);
}
