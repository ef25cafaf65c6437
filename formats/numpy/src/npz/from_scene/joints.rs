//! Arrays in our own layouts: rotations or places of all joints, and their meanings.

use super::super::array::Array;
use super::frames::Frames;
use dopesheet_core::model::{Property, Scene, Transform};

/// Arrays with their names.
type Arrays = Vec<(String, Array)>;

/// The rest pose turned or scaled by no more than this is not.
const SLACK: f64 = 1e-12;

fn add(arrays: &mut Arrays, name: &str, array: Array) {
    arrays.push((name.to_owned(), array));
}

/// Facts stated in all our own layouts beside their numbers.
fn facts(scene: &Scene, frames: &Frames<'_>, layout: &str) -> Arrays {
    let mut arrays = Arrays::new();
    let count = scene.nodes.len();
    let names: Vec<&str> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    let parents = scene.nodes.iter().map(|node| node.parent.map_or(-1, |parent| parent.0 as i64));
    let offsets = scene.nodes.iter().flat_map(|node| node.rest.translation);
    add(&mut arrays, "layout", Array::texts(&[], &[layout]));
    add(&mut arrays, "fps", Array::f64s(&[], [frames.rate.fps()]));
    let axes = [scene.basis.left, scene.basis.up, scene.basis.front].map(|axis| axis.word());
    add(&mut arrays, "axes", Array::texts(&[3], &axes));
    if let Some(metres) = scene.basis.metres_per_unit {
        add(&mut arrays, "metres_per_unit", Array::f64s(&[], [metres]));
    }
    add(&mut arrays, "joint_names", Array::texts(&[count], &names));
    add(&mut arrays, "parents", Array::i64s(&[count], parents));
    add(&mut arrays, "offsets", Array::f64s(&[count, 3], offsets));
    arrays
}

/// The numbers of each node on each frame as an array of f32.
fn column<const N: usize>(scene: &Scene, frames: &Frames<'_>, of: impl Fn(Transform) -> [f64; N]) -> Array {
    let count = scene.nodes.len();
    let entries = (0..frames.count).flat_map(|frame| (0..count).map(move |node| (frame, node)));
    let numbers = entries.flat_map(|(frame, node)| of(frames.local(node, frame))).map(|x| x as f32);
    Array::f32s(&[frames.count, count, N], numbers)
}

pub(super) fn clip(scene: &Scene, frames: &Frames<'_>) -> Arrays {
    let mut arrays = facts(scene, frames, "clip");
    add(&mut arrays, "order", Array::texts(&[], &["xyzw"]));
    add(&mut arrays, "rotations", column(scene, frames, |local| local.rotation));
    let moves = |property: &Property| (0..scene.nodes.len()).any(|node| frames.moves(node, property));
    if moves(&Property::Translation) {
        add(&mut arrays, "translations", column(scene, frames, |local| local.translation));
    }
    let rests = || scene.nodes.iter().map(|node| node.rest);
    let is_one = |scale: [f64; 3]| scale.iter().all(|factor| (factor - 1.0).abs() <= SLACK);
    let has_scale = rests().any(|rest| !is_one(rest.scale));
    if has_scale || moves(&Property::Scale) {
        add(&mut arrays, "scales", column(scene, frames, |local| local.scale));
    }
    let count = scene.nodes.len();
    if has_scale {
        add(&mut arrays, "rest_scales", Array::f64s(&[count, 3], rests().flat_map(|rest| rest.scale)));
    }
    if rests().any(|rest| rest.rotation[3].abs() < 1.0 - SLACK) {
        add(&mut arrays, "rest_rotations", Array::f64s(&[count, 4], rests().flat_map(|rest| rest.rotation)));
    }
    arrays
}

pub(super) fn positions(scene: &Scene, frames: &Frames<'_>) -> Arrays {
    let mut arrays = facts(scene, frames, "positions");
    let places = (0..frames.count).flat_map(|frame| frames.places(frame));
    let numbers = places.flat_map(|position| position.as_vec3().to_array());
    add(&mut arrays, "positions", Array::f32s(&[frames.count, scene.nodes.len(), 3], numbers));
    arrays
}
