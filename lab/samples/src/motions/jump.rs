//! jump.bvh: motion capture as it would be of somebody who crouches, jumps and lands, with the joints of most
//! captures. The hips are as high as the bent legs have them, so that the feet stand still while they stand.

use dopesheet_bvh::bvh::{Channel, Document, Joint, JointKind, Motion};

/// Name, the joint it hangs on, and the offset from there in centimetres, in a T-pose. `@` is the side; offsets are those of
/// the left.
const JOINTS: &[(&str, &str, [f64; 3])] = &[
    ("Hips", "", [0.0, 92.0, 0.0]),
    ("@UpLeg", "Hips", [9.0, 0.0, 0.0]),
    ("@Leg", "@UpLeg", [0.0, -LIMB, 0.0]),
    ("@Foot", "@Leg", [0.0, -LIMB, 0.0]),
    ("@ToeBase", "@Foot", [0.0, -6.0, 13.0]),
    ("Spine", "Hips", [0.0, 10.0, 0.0]),
    ("Spine1", "Spine", [0.0, 18.0, 0.0]),
    ("Neck", "Spine1", [0.0, 22.0, 0.0]),
    ("Head", "Neck", [0.0, 9.0, 1.0]),
    ("@Shoulder", "Spine1", [3.0, 17.0, 0.0]),
    ("@Arm", "@Shoulder", [14.0, 0.0, 0.0]),
    ("@ForeArm", "@Arm", [27.0, 0.0, 0.0]),
    ("@Hand", "@ForeArm", [25.0, 0.0, 0.0]),
];

/// Where limbs end: the joint, and from there to the end.
const ENDS: &[(&str, [f64; 3])] =
    &[("@ToeBase", [0.0, 0.0, 7.0]), ("Head", [0.0, 18.0, 0.0]), ("@Hand", [17.0, 0.0, 0.0])];

/// Length of a thigh and of a shin: as long as each other, so that hips stay above the feet.
const LIMB: f64 = 42.0;
/// From the ankle to the ground.
const ANKLE: f64 = 8.0;
/// Frames a second, as its frame time.
const FRAME_TIME_S: f64 = 0.033333;
const FRAMES: u64 = 76;

/// Frames and values: how far the thighs are bent, in degrees.
const CROUCH: &[(f64, f64)] = &[
    (0.0, 0.0),
    (10.0, 0.0),
    (24.0, 48.0),
    (30.0, -4.0),
    (38.0, 22.0),
    (45.0, 8.0),
    (52.0, 44.0),
    (66.0, 0.0),
];
/// Frames at which the feet leave the ground and are back.
const FLIGHT: [f64; 2] = [30.0, 45.0];
/// Swing of an arm: back, then up, in degrees about the line through the shoulders.
const SWING: &[(f64, f64)] =
    &[(8.0, 0.0), (24.0, 55.0), (33.0, -130.0), (45.0, -70.0), (54.0, 20.0), (68.0, 0.0)];
/// Arms hang at the sides, all but.
const HANG: f64 = 78.0;

/// The value at a frame, eased between those that are given.
fn eased(keys: &[(f64, f64)], frame: f64) -> f64 {
    let after = keys.partition_point(|key| key.0 <= frame);
    match (after.checked_sub(1).and_then(|before| keys.get(before)), keys.get(after)) {
        (Some(before), Some(next)) => {
            let share = (frame - before.0) / (next.0 - before.0);
            before.1 + (next.1 - before.1) * share * share * (3.0 - 2.0 * share)
        }
        (Some(only), None) | (None, Some(only)) => only.1,
        (None, None) => 0.0,
    }
}

/// Height of the feet in the jump, in centimetres: a parabola under 9.81 m/s².
fn flight(frame: f64) -> f64 {
    let [up, down] = FLIGHT.map(|at| at * FRAME_TIME_S);
    let time_s = frame * FRAME_TIME_S;
    (0.5 * 981.0 * (time_s - up) * (down - time_s)).max(0.0)
}

/// The turns of a joint about X, Y and Z, in degrees.
fn turns(name: &str, side: f64, frame: f64) -> [f64; 3] {
    let bend = eased(CROUCH, frame);
    let swing = eased(SWING, frame);
    match name {
        "@UpLeg" => [-bend, 0.0, 0.0],
        "@Leg" => [2.0 * bend, 0.0, 0.0],
        // In the air the toes point down; on the ground the soles are flat.
        "@Foot" => [-bend + flight(frame).sqrt() * 5.0, 0.0, 0.0],
        "Spine" | "Spine1" => [0.45 * bend, 0.0, 0.0],
        "Neck" | "Head" => [-0.35 * bend, 0.0, 0.0],
        "@Arm" => [swing, 0.0, -side * HANG],
        "@ForeArm" => [0.0, -side * (12.0 + 0.25 * swing.abs()), 0.0],
        _ => [0.0; 3],
    }
}

/// A joint with its side and the row it comes from.
struct Row {
    joint: Joint,
    key: &'static str,
    side: f64,
}

/// Joints in the order of the file, each with all that hangs on it.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    hang("", None, 0.0, &mut rows);
    rows
}

/// Adds the children of a joint of the table.
fn hang(above: &str, parent: Option<usize>, side: f64, rows: &mut Vec<Row>) {
    for &(key, on, offset) in JOINTS.iter().filter(|joint| joint.1 == above) {
        let splits = key.starts_with('@') && !on.starts_with('@');
        let sides: &[f64] = if splits { &[1.0, -1.0] } else { &[side] };
        for &side in sides {
            let own = rows.len();
            let name = key.replace('@', if side > 0.0 { "Left" } else { "Right" });
            let [x, y, z] = offset;
            let offset = [if side < 0.0 { -x } else { x }, y, z];
            let positions = (0..3).map(Channel::Position).filter(|_| parent.is_none());
            let channels = positions.chain([2, 0, 1].map(Channel::Rotation)).collect();
            let kind = if parent.is_none() { JointKind::Root } else { JointKind::Joint };
            rows.push(Row { joint: Joint { kind, name, parent, offset, channels }, key, side });
            hang(key, Some(own), side, rows);
            for (_, [x, y, z]) in ENDS.iter().filter(|end| end.0 == key) {
                let offset = [if side < 0.0 { -x } else { *x }, *y, *z];
                let joint = Joint { kind: JointKind::EndSite, parent: Some(own), offset, ..Joint::default() };
                rows.push(Row { joint, key: "", side });
            }
        }
    }
}

/// Draws it.
pub(super) fn document() -> Document {
    let rows = rows();
    let mut values = Vec::new();
    for frame in (0..FRAMES).map(|frame| frame as f64) {
        for row in &rows {
            let [x, y, z] = turns(row.key, row.side, frame);
            for channel in &row.joint.channels {
                let number = match channel {
                    Channel::Position(1) => {
                        2.0 * LIMB * eased(CROUCH, frame).to_radians().cos() + ANKLE + flight(frame)
                    }
                    Channel::Rotation(0) => x,
                    Channel::Rotation(1) => y,
                    Channel::Rotation(_) => z,
                    _ => 0.0,
                };
                // Four decimals are all that a capture can tell.
                values.push((number * 1e4).round() / 1e4);
            }
        }
    }
    let joints = rows.into_iter().map(|row| row.joint).collect();
    Document::new(Motion { joints, announced_frames: FRAMES, frame_time_s: FRAME_TIME_S, values })
}
