//! Motions with one awkward property each, from which files of all formats are made.

use dopesheet::core::model::{
    Blend, Channel, Clip, Curve, Handles, Hierarchy, Law, Laws, Marker, Node, NodeIndex, Property, Scene,
    Target, TargetKind, Times, Timing, Track,
};
use dopesheet::core::units::{FrameRate, Seconds};
use glam::{DQuat, DVec3};

/// Length of the motions in frames, 30 a second.
pub(crate) const END: i64 = 120;

/// A motion's name, its key times in frames for each track, and the laws of its segments in turn.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    times: fn(usize) -> Vec<f64>,
    laws: &'static [Law],
    /// True if a camera moves so as well.
    pub(crate) is_for_cameras: bool,
}

/// Key times of a track in frames, and the laws of its segments in turn.
pub(crate) type Keys = (Vec<f64>, Vec<Law>);

impl Shape {
    pub(crate) fn keys(&self, track: usize) -> Keys {
        ((self.times)(track), self.laws.to_vec())
    }
}

pub(crate) const EASED: Law =
    Law { timing: Timing::Bezier { x1: 0.7, y1: 0.1, x2: 0.6, y2: 0.95 }, blend: Blend::Lerp };

const fn shape(name: &'static str, times: fn(usize) -> Vec<f64>, laws: &'static [Law]) -> Shape {
    Shape { name, times, laws, is_for_cameras: false }
}

pub(crate) const SHAPES: &[Shape] = &[
    shape("straight", |_| evenly(0.0, 15.0), &[Law::LINEAR]),
    Shape {
        is_for_cameras: true,
        ..shape("late", |track| evenly([45.0, 75.0, 105.0][track % 3], 15.0), &[Law::LINEAR])
    },
    shape("one key", |track| vec![[0.0, 45.0, 105.0][track % 3]], &[Law::LINEAR]),
    shape("jumps", |_| evenly(0.0, 15.0), &[Law::LINEAR, Law::STEP]),
    shape("two keys at a time", |_| twice(evenly(0.0, 30.0)), &[Law::LINEAR]),
    Shape {
        is_for_cameras: true,
        ..shape("all laws", |_| evenly(0.0, 15.0), &[Law::HERMITE, EASED, Law::LINEAR, Law::STEP])
    },
    shape("between frames", |_| evenly(0.4, 14.7), &[Law::LINEAR]),
    shape("on every frame", |_| (30..=50).map(f64::from).collect(), &[Law::LINEAR]),
    shape("no keys", |_| Vec::new(), &[Law::LINEAR]),
];

pub(crate) fn evenly(start: f64, apart: f64) -> Vec<f64> {
    let keys = ((END as f64 - start) / apart).floor() as usize;
    (0..=keys).map(|key| start + apart * key as f64).collect()
}

/// All but the first and the last time twice.
fn twice(times: Vec<f64>) -> Vec<f64> {
    let last = times.len() - 1;
    times
        .iter()
        .enumerate()
        .flat_map(|(at, time)| vec![*time; if at == 0 || at == last { 1 } else { 2 }])
        .collect()
}

/// A motion for some nodes of a scene, the first of which moves about, and for a morph. Tracks without keys are none.
pub(crate) fn of_joints(mut scene: Scene, joints: &[&str], keys: &dyn Fn(usize) -> Keys) -> Scene {
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let mut tracks = Vec::new();
    for (at, name) in joints.iter().enumerate() {
        let node = scene.nodes.iter().position(|node| node.name == *name).unwrap_or_else(|| panic!("{name}"));
        let rest = scene.nodes[node].rest;
        let turned =
            |phase: f64| (DQuat::from_array(rest.rotation) * turn(at, phase)).as_quat().to_array().to_vec();
        let moved =
            |phase: f64| (DVec3::from(rest.translation) + way(phase) / unit).as_vec3().to_array().to_vec();
        let mut channels = vec![channel(Property::Rotation, keys(at), &turned)];
        if at == 0 {
            channels.insert(0, channel(Property::Translation, keys(at), &moved));
        }
        let target = Target::new(TargetKind::Joint, *name, at, Some(NodeIndex(node)));
        tracks.push(Track { target, channels });
    }
    let weight = |phase: f64| vec![0.5 + 0.25 * (3.0 * phase).cos() as f32];
    tracks.push(Track {
        target: Target::new(TargetKind::Morph, "Smile", joints.len(), None),
        channels: vec![channel(Property::Weight, keys(1), &weight)],
    });
    tracks.retain(|track| {
        track.channels.iter().all(|channel| channel.composition.curves().all(|curve| !curve.is_empty()))
    });
    scene.clips = vec![clip(tracks)];
    scene
}

/// The motion of a shape for a camera.
pub(crate) fn of_camera(mut scene: Scene, shape: &Shape) -> Scene {
    scene.hierarchy = Hierarchy::Known;
    scene.nodes.retain(|node| node.camera.is_some());
    let name = scene.nodes[0].name.clone();
    let turned = |phase: f64| turn(1, phase).as_quat().to_array().to_vec();
    let moved = |phase: f64| (way(phase) + DVec3::new(0.0, 1.0, 4.0)).as_vec3().to_array().to_vec();
    let channels = vec![
        channel(Property::Translation, shape.keys(0), &moved),
        channel(Property::Rotation, shape.keys(0), &turned),
    ];
    let target = Target::new(TargetKind::Camera, name, 0, Some(NodeIndex(0)));
    scene.clips = vec![clip(vec![Track { target, channels }])];
    scene
}

/// A scene with a camera and nothing else.
pub(crate) fn studio() -> Scene {
    use dopesheet::core::model::{Basis, Camera, CameraIndex, Lens, Transform};
    let mut scene = Scene::new(Basis::GLTF);
    let lens = Lens::Perspective { yfov_rad: 0.5, aspect: None };
    scene.cameras.push(Camera { name: "Camera".into(), lens, near: 0.1, far: None });
    let mut node = Node::new("Camera", None, Transform::IDENTITY);
    node.camera = Some(CameraIndex(0));
    scene.push_node(node);
    scene
}

fn clip(tracks: Vec<Track>) -> Clip {
    let marker = Marker { time: Seconds(1.5), name: "step".into(), data: None };
    Clip {
        name: Some("motion".into()),
        duration: Seconds(END as f64 / 30.0),
        tracks,
        markers: vec![marker],
        grid: Some(FrameRate::FPS_30),
        ..Clip::default()
    }
}

/// Turns of less than 90° about axes of their own.
fn turn(track: usize, phase: f64) -> DQuat {
    let axis = DVec3::new(1.0, (track % 3) as f64, 0.5).normalize();
    DQuat::from_axis_angle(axis, 0.6 * (1.3 * phase + track as f64).sin())
}

/// Metres.
fn way(phase: f64) -> DVec3 {
    0.25 * DVec3::new((1.1 * phase).sin(), (0.7 * phase).cos() - 1.0, 0.2 * phase)
}

fn channel(property: Property, (frames, laws): Keys, value: &dyn Fn(f64) -> Vec<f32>) -> Channel {
    let is_rotation = property == Property::Rotation;
    let times: Vec<f64> = frames.iter().map(|frame| frame / 30.0).collect();
    // The later of two keys at one time has another value.
    let is_later = |key: usize| key > 0 && frames[key] == frames[key - 1];
    let phase = |key: usize| frames[key] / 15.0 + if is_later(key) { 0.5 } else { 0.0 };
    let values: Vec<f32> = (0..times.len()).flat_map(|key| value(phase(key))).collect();
    let law = |segment: usize| {
        let law = laws[segment % laws.len()];
        match law.blend {
            Blend::Lerp if is_rotation => Law { blend: Blend::Slerp, ..law },
            Blend::Hermite if is_rotation => Law::SLERP,
            _ => law,
        }
    };
    let laws = Laws::from_segments((0..times.len().max(2) - 1).map(law));
    let mut curve = Curve::new(Times::Seconds(times.into()), value(0.0).len(), values, laws);
    let slopes: Vec<f32> = (0..curve.values.len()).map(|at| (at % 5) as f32 * 0.02 - 0.04).collect();
    curve.handles = Some(Box::new(Handles { arriving: slopes.clone(), leaving: slopes }));
    Channel::whole(property, curve)
}
