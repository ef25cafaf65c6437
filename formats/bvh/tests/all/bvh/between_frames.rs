//! Motion between two frames, of which the format says nothing: joints take the shortest rotation.

use dopesheet_bvh::Bvh;
use dopesheet_bvh::bvh::Document;
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::format::{Capabilities, Compositions, Format, FromScene, KeyLayout, ToScene};
use dopesheet_core::model::{Channel, Composition, EulerOrder, Law, Property, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{quat_angle, slerp};
use dopesheet_motion::sample::stored_at;
use dopesheet_motion::{Conform, Range, Side, arrange, channel_at, conform, trim};
use dopesheet_testkit::read;

const ORDERS: [&str; 6] = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"];

/// Seconds from frame to frame.
const FRAME_S: f64 = 0.04;

/// A root that turns in an order, by angles in the order of its channels.
fn file(order: &str, frames: &[[f64; 3]]) -> Document {
    let words: Vec<String> = order.chars().map(|axis| format!("{axis}rotation")).collect();
    let rows: Vec<String> = frames.iter().map(|[a, b, c]| format!("{a} {b} {c}\n")).collect();
    let text = format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 {}\n}}\nMOTION\nFrames: {}\nFrame Time: {FRAME_S}\n{}",
        words.join(" "),
        frames.len(),
        rows.concat()
    );
    read::<Bvh>(text.as_bytes())
}

fn scene_with(document: &Document, options: &ToScene) -> (Scene, Report) {
    let mut report = Report::default();
    let scene = Bvh::to_scene(document, options, &mut report).unwrap();
    (scene, report)
}

fn scene_of(document: &Document) -> Scene {
    scene_with(document, &ToScene::default()).0
}

fn rotation(scene: &Scene) -> &Channel {
    scene.clips[0].tracks[0].channels.iter().find(|channel| channel.property == Property::Rotation).unwrap()
}

/// The rotation at so many frames.
fn turn(scene: &Scene, frame: f64) -> [f64; 4] {
    let mut value = Vec::new();
    assert!(channel_at(rotation(scene), Seconds(frame * FRAME_S), Side::At, &mut value));
    value.try_into().unwrap()
}

/// Capabilities of a format that stores rotations as quaternions at any times.
fn quaternions() -> Capabilities {
    let layout = KeyLayout::PerChannel;
    Capabilities { compositions: Compositions::WHOLE, layout, ..Bvh::INFO.capabilities }
}

/// As a conversion to such a format has it, and what was said.
fn carried(document: &Document) -> (Scene, Report) {
    let (mut scene, mut report) = (scene_of(document), Report::default());
    arrange(&mut scene, &quaternions());
    conform(&mut scene, &quaternions(), &Conform::default(), &mut report);
    (scene, report)
}

/// Between two frames the rotation is on the shortest way, which is no longer than so many degrees, and a format of quaternions
/// holds it with the keys of the file.
fn assert_shortest(order: &str, from: [f64; 3], to: [f64; 3], most_deg: f64) {
    let document = file(order, &[from, to]);
    let scene = scene_of(&document);
    let ends = [turn(&scene, 0.0), turn(&scene, 1.0)];
    let angle = quat_angle(ends[0], ends[1]);
    assert!(angle.to_degrees() <= most_deg, "{order}: {}", angle.to_degrees());
    let (kept, report) = carried(&document);
    assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{order}: {report:?}");
    let Composition::Whole(curve) = &rotation(&kept).composition else { panic!("one curve") };
    assert_eq!((curve.len(), curve.laws.get(0)), (2, Law::SLERP), "{order}");
    for eighth in 0..=8 {
        let share = f64::from(eighth) / 8.0;
        let wanted = slerp(ends[0], ends[1], share);
        for scene in [&scene, &kept] {
            let off = quat_angle(turn(scene, share), wanted);
            assert!(off < 5e-7, "{order} at {share}: {off}");
        }
    }
}

#[test]
fn an_angle_that_wraps_takes_the_short_way_in_every_order() {
    for order in ORDERS {
        for channel in 0..3 {
            let [mut from, mut to] = [[12.0, -25.0, 31.0]; 2];
            (from[channel], to[channel]) = (179.0, -179.0);
            assert_shortest(order, from, to, 2.001);
        }
    }
}

#[test]
fn angles_from_0_to_360_take_the_short_way_over_360() {
    for order in ORDERS {
        assert_shortest(order, [359.0, 20.0, 355.5], [1.5, 20.0, 0.5], 8.0);
        assert_shortest(order, [0.0, 0.0, 0.0], [360.0, 0.0, 0.0], 1e-4);
    }
}

#[test]
fn two_triples_of_one_rotation_do_not_turn_the_joint() {
    for order in ORDERS {
        assert_shortest(order, [10.0, 85.0, 20.0], [-169.9, 94.8, -159.9], 0.5);
    }
}

#[test]
fn near_the_pole_the_outer_angles_do_not_swing_the_joint() {
    for order in ORDERS {
        for middle in [89.2, 89.9999, 90.0, 90.7, -89.5] {
            // The outer axes nearly coincide there, so that their turns cancel or add up.
            let opposite =
                if middle > 0.0 { EulerWay::of(order).sign() } else { -EulerWay::of(order).sign() };
            assert_shortest(order, [10.0, middle, 20.0], [80.0, middle, 20.0 + opposite * 70.0], 2.0);
        }
    }
}

/// Handedness of an order: true if its axes follow each other as X Y Z X do.
struct EulerWay(bool);

impl EulerWay {
    fn of(order: &str) -> Self {
        Self(["XYZ", "YZX", "ZXY"].contains(&order))
    }

    fn sign(&self) -> f64 {
        if self.0 { -1.0 } else { 1.0 }
    }
}

#[test]
fn a_spin_beyond_a_turn_keeps_its_angles() {
    for (order, axis) in ORDERS.iter().zip([0, 0, 1, 1, 2, 2]) {
        let document = file(order, &[0.0, 200.0, 400.0, 600.0].map(|angle| [angle, 0.0, 0.0]));
        let (scene, report) = scene_with(&document, &ToScene::default());
        let wound = report.findings.iter().find(|finding| finding.fault.code == "bvh-angle-winds").unwrap();
        assert!(wound.fault.found.starts_with("600° of \"a\"; 1 joint turns"), "{wound}");
        for sixth in 0..=18 {
            let half_rad = (f64::from(sixth) * 200.0 / 6.0).to_radians() / 2.0;
            let mut wanted = [0.0, 0.0, 0.0, half_rad.cos()];
            wanted[axis] = half_rad.sin();
            let off = quat_angle(turn(&scene, f64::from(sixth) / 6.0), wanted);
            assert!(off < 1e-6, "{order}: {off} after {sixth} sixths of a frame");
        }
    }
    // Within a turn nothing says that it is one.
    assert_shortest("ZXY", [0.0, 0.0, 0.0], [200.0, 0.0, 0.0], 160.001);
}

#[test]
fn angles_are_taken_literally_where_that_is_asked_for() {
    let document = file("ZXY", &[[179.0, 0.0, 0.0], [-179.0, 0.0, 0.0]]);
    let options = ToScene { literal_angles: true, ..ToScene::default() };
    let (scene, _) = scene_with(&document, &options);
    assert!(quat_angle(turn(&scene, 0.5), [0.0, 0.0, 0.0, 1.0]) < 1e-7);
    let short = turn(&scene_of(&document), 0.5);
    assert!(quat_angle(short, [0.0, 0.0, 1.0, 0.0]) < 1e-7, "{short:?}");
}

#[test]
fn stored_angles_between_frames_are_those_of_the_rotation_next_to_the_frame_before() {
    let scene = scene_of(&file("ZXY", &[[179.0, 0.0, 0.0], [-179.0, 0.0, 0.0]]));
    let mut stored = Vec::new();
    for (frame, wanted) in [(0.0, 179.0), (0.25, 179.5), (0.75, 180.5), (1.0, -179.0)] {
        assert!(stored_at(rotation(&scene), 0, Seconds(frame * FRAME_S), &mut stored));
        assert!((stored[2] - wanted).abs() < 1e-9 && stored[0].abs() < 1e-9, "{frame}: {stored:?}");
    }
}

/// Through a scene that is brought within what the format holds, as conversion does.
fn converted(document: &Document, range: Option<Range>) -> (Document, Report) {
    let (mut scene, mut report) = (scene_of(document), Report::default());
    if let Some(range) = range {
        trim(&mut scene.clips[0], range);
    }
    let capabilities = &Bvh::INFO.capabilities;
    arrange(&mut scene, capabilities);
    conform(&mut scene, capabilities, &Conform::default(), &mut report);
    (Bvh::from_scene(&scene, &FromScene::default(), &mut report).unwrap(), report)
}

/// Wraps, twins, the pole, and angles that count turns.
const ROUGH: [[f64; 3]; 6] = [
    [179.0, 85.0, 20.0],
    [-179.0, 94.8, -159.9],
    [-179.5, 90.0, 359.0],
    [10.0, -90.0, 1.0],
    [12.5, -89.5, 1.25],
    [12.5, 0.0, -300.0],
];

fn angles(document: &Document) -> Vec<[f64; 3]> {
    let motion = document.motion();
    motion.values.chunks_exact(motion.width()).map(|row| *row.last_chunk().unwrap()).collect()
}

#[test]
fn frames_come_back_number_by_number() {
    for order in ORDERS {
        for scale in [1.0, 4.0] {
            let frames = ROUGH.map(|row| row.map(|angle| angle * scale));
            let (back, report) = converted(&file(order, &frames), None);
            for (found, wanted) in angles(&back).iter().zip(&frames) {
                let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e-4, "{order}: {found:?} for {wanted:?}");
            }
            assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{report:?}");
        }
    }
}

#[test]
fn frames_of_a_range_come_back_number_by_number() {
    let range = Range { start: Seconds(FRAME_S), end: Seconds(4.0 * FRAME_S) };
    let (back, _) = converted(&file("ZXY", &ROUGH), Some(range));
    assert_eq!(
        angles(&back),
        ROUGH[1..5].iter().map(|row| row.map(|x| f64::from(x as f32))).map(rounded).collect::<Vec<_>>()
    );
}

fn rounded(row: [f64; 3]) -> [f64; 3] {
    row.map(|x| (x * 1e6).round() / 1e6)
}

#[test]
fn a_spin_that_is_cut_to_less_than_a_turn_is_said_to_change() {
    let spin = file("ZXY", &[0.0, 200.0, 400.0].map(|angle| [angle, 0.0, 0.0]));
    let (_, report) = converted(&spin, Some(Range { start: Seconds(0.0), end: Seconds(FRAME_S) }));
    let worst = report.losses.iter().find_map(|loss| match loss {
        Loss::Unsampled { max_error, .. } => Some(max_error.value),
        _ => None,
    });
    // Half-way, 100° one way are 80° the other.
    assert!(worst.is_some_and(|worst| (worst - std::f64::consts::PI).abs() < 1e-6), "{report:?}");
}

#[test]
fn a_joint_below_one_that_turns_the_other_way_between_frames_is_said_to_move_as_far_as_it_does() {
    let frames: String = [0.0, 200.0, 400.0].iter().map(|angle| format!("{angle} 0 0 0 0 0\n")).collect();
    let text = format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{{\nOFFSET 100 0 0\n\
         CHANNELS 3 Zrotation Xrotation Yrotation\n}}\n}}\nMOTION\nFrames: 3\nFrame Time: {FRAME_S}\n{frames}"
    );
    let spin = read::<Bvh>(text.as_bytes());
    let (_, report) = converted(&spin, Some(Range { start: Seconds(0.0), end: Seconds(FRAME_S) }));
    let ways = report.losses.iter().filter_map(|loss| match loss {
        Loss::Unsampled { max_error, .. } if max_error.unit == ErrorUnit::Metre => Some(max_error),
        _ => None,
    });
    let ways: Vec<_> = ways.collect();
    // Half-way, the joint is a metre to the other side.
    assert!(matches!(&ways[..], [way] if (way.value - 2.0).abs() < 1e-6 && way.target == "b"), "{report:?}");
}

#[test]
fn orders_are_those_of_the_files() {
    let scene = scene_of(&file("YZX", &[[1.0, 2.0, 3.0]]));
    assert_eq!(rotation(&scene).composition.order(), Some(EulerOrder::Yzx));
}
