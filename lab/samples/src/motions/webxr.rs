//! pinch.json: the right hand of `hands.bin` takes hold of a thing in the air, while the left holds a controller; as IWER's recorder
//! writes it.

use super::hands::{head, pinches, posed};
use dopesheet::core::model::HAND_JOINTS;
use dopesheet_mrtk2::animation::{Hand, Joint};
use dopesheet_webxr::iwer::{
    Document, Entry, Frame, Gamepad, GamepadState, Input, InputSource, Pose, Recording,
};
use glam::{DQuat, DVec3};

/// Seconds of the other recording, and frames per second.
const SPAN: (f64, f64) = (0.6, 2.1);
const RATE: f64 = 36.0;
/// Milliseconds from the opening of the page to the first frame.
const OPEN_MS: f64 = 8412.3;

/// Draws it.
pub(super) fn document() -> Document {
    let count = ((SPAN.1 - SPAN.0) * RATE).round() as u32;
    let frames = (0..=count).map(|number| frame(number, SPAN.0 + f64::from(number) / RATE)).collect();
    let gamepad = |buttons, axes| Some(Gamepad { mapping: "xr-standard".into(), buttons, axes });
    let joints = HAND_JOINTS.iter().filter_map(|joint| joint.webxr).map(str::to_owned).collect();
    let source = |side: &str, profile: &str| InputSource {
        handedness: side.into(),
        target_ray_mode: "tracked-pointer".into(),
        profiles: vec![profile.into()],
        ..InputSource::default()
    };
    let controller =
        InputSource { has_grip: true, gamepad: gamepad(1, 0), ..source("left", "generic-trigger") };
    let hand = InputSource {
        joints: Some(joints),
        gamepad: gamepad(1, 0),
        ..source("right", "generic-hand-select")
    };
    let schema = (0..).zip([controller, hand]).map(|(index, source)| Entry { index, source }).collect();
    Document::new(Recording { schema, frames })
}

fn frame(number: u32, time: f64) -> Frame {
    // A display is never quite on time.
    let late_ms = [0.0, 0.1, -0.1, 0.2][number as usize % 4];
    let time_ms = ((OPEN_MS + f64::from(number) * 1000.0 / RATE + late_ms) * 10.0).round() / 10.0;
    Frame { time_ms, viewer: pose(webxr(head(time))), inputs: vec![controller(time), hand(time)] }
}

/// Unity's axes are WebXR's but for Z.
fn webxr((place, turn): (DVec3, DQuat)) -> (DVec3, DQuat) {
    (place * DVec3::new(1.0, 1.0, -1.0), DQuat::from_xyzw(-turn.x, -turn.y, turn.z, turn.w))
}

/// A pose as it is stored: rounded to a thousandth, with no sign on 0.
fn pose((place, turn): (DVec3, DQuat)) -> Pose {
    let [x, y, z] = place.to_array();
    let [i, j, k, w] = turn.to_array();
    [x, y, z, i, j, k, w].map(|number| (number * 1000.0).round() / 1000.0 + 0.0)
}

/// The left hand of the other recording holds a controller.
fn controller(time: f64) -> Input {
    let placed = |joint: Joint| webxr(posed(Hand::Left, time)[joint as usize].unwrap_or_default());
    let (palm, turn) = placed(Joint::Palm);
    let value = (((time - 1.0) * 2.0).clamp(0.0, 1.0) * 100.0).round() / 100.0;
    let pressed = f64::from(u8::from(value > 0.5));
    let state = GamepadState { buttons: vec![Some([pressed, 1.0, value])], axes: Vec::new() };
    let ray = (palm + turn * DVec3::new(0.0, 0.0, -0.05), turn);
    Input { index: 0, ray: pose(ray), grip: Some(pose((palm, turn))), hand: None, gamepad: Some(state) }
}

fn hand(time: f64) -> Input {
    let joints = posed(Hand::Right, time);
    let placed = |joint: Joint| webxr(joints[joint as usize].unwrap_or_default());
    // It points from between thumb and index finger, as the hand does.
    let (knuckle, _) = placed(Joint::IndexKnuckle);
    let (_, turn) = placed(Joint::Wrist);
    let row = |joint: Joint| {
        let (place, own) = placed(joint);
        let [x, y, z, i, j, k, w] = pose((turn.inverse() * (place - knuckle), turn.inverse() * own));
        [x, y, z, i, j, k, w, radius(joint)]
    };
    let known = |joint: &Joint| !matches!(joint, Joint::None | Joint::Palm);
    let pressed = f64::from(u8::from(pinches(Hand::Right, time, time > 1.4)));
    Input {
        index: 1,
        ray: pose((knuckle, turn)),
        grip: None,
        hand: Some(Joint::ALL.into_iter().filter(known).map(row).collect()),
        gamepad: Some(GamepadState { buttons: vec![Some([pressed; 3])], axes: Vec::new() }),
    }
}

/// In metres.
fn radius(joint: Joint) -> f64 {
    match joint.name() {
        "Wrist" => 0.021,
        name if name.ends_with("Tip") => 0.008,
        name if name.contains("Metacarpal") => 0.017,
        _ => 0.01,
    }
}
