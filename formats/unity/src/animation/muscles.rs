//! The properties by which the Animator moves Unity's humanoid: muscles, the place of the body, and the goals
//! of its limbs.
//!
//! The muscles are listed in `HumanTrait.MuscleName` in Unity's scripting reference; clips spell the muscles
//! of fingers `LeftHand.Thumb.1 Stretched`. Their effect on joints depends on the avatar, which is no part of
//! a clip.

use super::curves::class;
use super::document::FloatCurve;

/// Parts with a position (`RootT.x`) and a rotation (`RootQ.w`).
const PLACES: [&str; 6] = ["Root", "Motion", "LeftFoot", "RightFoot", "LeftHand", "RightHand"];

const TRUNK: &[&str] = &["Front-Back", "Left-Right", "Twist Left-Right"];
const NECK: &[&str] = &["Nod Down-Up", "Tilt Left-Right", "Turn Left-Right"];

/// Parts in the middle of a body, and their movements.
const MIDDLE: [(&str, &[&str]); 6] = [
    ("Spine", TRUNK),
    ("Chest", TRUNK),
    ("UpperChest", TRUNK),
    ("Neck", NECK),
    ("Head", NECK),
    ("Jaw", &["Close", "Left-Right"]),
];

/// Parts on either side, and their movements.
const SIDES: [(&str, &[&str]); 9] = [
    ("Eye", &["Down-Up", "In-Out"]),
    ("Upper Leg", &["Front-Back", "In-Out", "Twist In-Out"]),
    ("Lower Leg", &["Stretch", "Twist In-Out"]),
    ("Foot", &["Up-Down", "Twist In-Out"]),
    ("Toes", &["Up-Down"]),
    ("Shoulder", &["Down-Up", "Front-Back"]),
    ("Arm", &["Down-Up", "Front-Back", "Twist In-Out"]),
    ("Forearm", &["Stretch", "Twist In-Out"]),
    ("Hand", &["Down-Up", "In-Out"]),
];

const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];
const OF_FINGERS: [&str; 4] = ["1 Stretched", "Spread", "2 Stretched", "3 Stretched"];

/// True of a curve that moves a muscle or the body of Unity's humanoid.
pub(super) fn is_muscle(curve: &FloatCurve) -> bool {
    let word = curve.attribute.as_str();
    curve.class_id == class::ANIMATOR && (is_place(word) || is_in_the_middle(word) || is_on_a_side(word))
}

/// True of a property that is a component of a place, or of the offset of a joint from its place in the
/// avatar.
fn is_place(word: &str) -> bool {
    let Some((whole, "x" | "y" | "z" | "w")) = word.rsplit_once('.') else { return false };
    let part = whole.strip_suffix('T').or_else(|| whole.strip_suffix('Q'));
    whole.ends_with("TDOF") || part.is_some_and(|part| PLACES.contains(&part))
}

fn is_in_the_middle(word: &str) -> bool {
    MIDDLE.iter().any(|(part, moves)| does(word, part, moves))
}

fn is_on_a_side(word: &str) -> bool {
    let Some(word) = word.strip_prefix("Left").or_else(|| word.strip_prefix("Right")) else { return false };
    if let Some((finger, does)) = word.strip_prefix("Hand.").and_then(|word| word.split_once('.')) {
        return FINGERS.contains(&finger) && OF_FINGERS.contains(&does);
    }
    let Some(word) = word.strip_prefix(' ') else { return false };
    SIDES.iter().any(|(part, moves)| does(word, part, moves))
        || FINGERS.iter().any(|finger| does(word, finger, &OF_FINGERS))
}

/// True of a property made of a part's name, a blank, and a movement of the part.
fn does(word: &str, part: &str, moves: &[&str]) -> bool {
    word.strip_prefix(part).and_then(|rest| rest.strip_prefix(' ')).is_some_and(|rest| moves.contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(attribute: &str) -> bool {
        let curve = Default::default();
        let (path, script) = (String::new(), Default::default());
        let attribute = attribute.to_owned();
        is_muscle(&FloatCurve { attribute, path, class_id: class::ANIMATOR, script, flags: None, curve })
    }

    #[test]
    fn all_muscles_and_places_are_known() {
        let middle = MIDDLE.iter().flat_map(|(part, moves)| moves.iter().map(move |m| format!("{part} {m}")));
        let side = |side: &'static str| {
            let parts = SIDES
                .iter()
                .flat_map(move |(part, moves)| moves.iter().map(move |does| format!("{side} {part} {does}")));
            let fingers = FINGERS.iter().flat_map(move |finger| {
                OF_FINGERS.iter().map(move |does| format!("{side}Hand.{finger}.{does}"))
            });
            parts.chain(fingers)
        };
        let all: Vec<String> = middle.chain(side("Left")).chain(side("Right")).collect();
        // As `HumanTrait.MuscleCount` says.
        assert_eq!(all.len(), 95);
        for word in all.iter().map(String::as_str).chain([
            "RootT.x",
            "RootQ.w",
            "MotionT.y",
            "LeftFootT.x",
            "RightHandQ.z",
            "Left Thumb 1 Stretched",
            "LeftUpperLegTDOF.x",
        ]) {
            assert!(is(word), "{word}");
        }
    }

    #[test]
    fn parameters_of_programs_are_no_muscles() {
        for word in ["Speed", "Door Close", "Left Arm", "LeftHand.Grip", "Root.x", "RootT", "Eyes Down-Up"] {
            assert!(!is(word), "{word}");
        }
    }
}
