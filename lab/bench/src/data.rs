//! Large motions from a fixed seed: `cargo xtask bench-data` writes them to `target/bench-data`.
//!
//! | File | What |
//! |---|---|
//! | `sparse.vmd` | 100 bones, 240 s, 40,000 curved keys |
//! | `sparse-model.glb` | their hierarchy |
//! | `figure.pmx` | a model of 20 MB with their bones, four of them goals of IK |
//! | `capture.bvh` | 64 joints, 12,000 frames with six decimals: 19 MB of text |
//! | `dense.glb` | 100 joints, 7,200 frames at 30 frames a second: 720,000 LINEAR rotation keys |

use crate::figure::figure;
use crate::skeleton::{BONES, CHAIN, bone};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, WriteOptions};
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Times,
    Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_gltf::Glb;
use dopesheet_mmd::Vmd;
use dopesheet_mmd::text::Name;
use dopesheet_mmd::vmd::{BoneKeyframe, Document, Physics, Version};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Frames of both motions, at 30 frames a second.
const FRAMES: u32 = 7200;
/// Keys of each bone of the sparse motion.
const SPARSE_KEYS: usize = 400;

/// Numbers that look random (Vigna, "SplitMix64").
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` up to, not including, `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (self.next() >> 11) as f64 / 2f64.powi(53) * (high - low)
    }
}

/// A sum of slow waves.
struct Waves([[f64; 3]; 3]);

impl Waves {
    /// Waves of up to `height` that last half a second or longer.
    fn new(random: &mut Random, height: f64) -> Self {
        let wave = |n: u32| {
            let hertz = random.between(0.1, 2.0) / f64::from(n + 1);
            [random.between(0.2, 1.0) * height / 3.0, hertz * TAU, random.between(0.0, TAU)]
        };
        Self([0, 1, 2].map(wave))
    }

    fn at(&self, time_s: f64) -> f64 {
        self.0.iter().map(|[height, speed, phase]| height * (speed * time_s + phase).sin()).sum()
    }
}

/// Joints and frames of the motion capture.
const CAPTURED_JOINTS: usize = 64;
const CAPTURED_FRAMES: usize = 12_000;

/// A motion capture.
pub(crate) fn capture() -> Vec<u8> {
    use dopesheet_bvh::bvh;
    let mut random = Random(3);
    let joint = |index: usize| bvh::Joint {
        kind: if index == 0 { bvh::JointKind::Root } else { bvh::JointKind::Joint },
        name: bone(index),
        parent: index.checked_sub(1),
        offset: [0.0, 10.0, 0.0],
        channels: (0..if index == 0 { 3 } else { 0 })
            .map(bvh::Channel::Position)
            .chain([2, 0, 1].map(bvh::Channel::Rotation))
            .collect(),
    };
    let joints: Vec<_> = (0..CAPTURED_JOINTS).map(joint).collect();
    let width: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let waves: Vec<Waves> = (0..width).map(|_| Waves::new(&mut random, 60.0)).collect();
    let frames = (0..CAPTURED_FRAMES).map(|frame| frame as f64 / 120.0);
    let numbers = frames.flat_map(|time_s| waves.iter().map(move |wave| wave.at(time_s)));
    let values = numbers.map(|number| (number * 1e6).round() / 1e6).collect();
    let motion =
        bvh::Motion { joints, announced_frames: CAPTURED_FRAMES as u64, frame_time_s: 0.008333, values };
    let written = dopesheet_bvh::Bvh::write(&bvh::Document::new(motion), &WriteOptions::default());
    written.unwrap_or_else(|e| panic!("{e}")).main
}

/// Writes all of them, and where they are.
pub(crate) fn write(folder: &Path) -> Vec<PathBuf> {
    let fail = |what: &Path, error: &dyn std::fmt::Display| -> ! { panic!("{}: {error}", what.display()) };
    std::fs::create_dir_all(folder).unwrap_or_else(|e| fail(folder, &e));
    let files = [
        ("sparse.vmd", sparse()),
        ("sparse-model.glb", glb(&model())),
        ("figure.pmx", figure()),
        ("capture.bvh", capture()),
        ("dense.glb", glb(&dense())),
    ];
    let write = |(name, bytes): (&str, Vec<u8>)| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap_or_else(|e| fail(&path, &e));
        path
    };
    files.into_iter().map(write).collect()
}

fn glb(scene: &Scene) -> Vec<u8> {
    let document = Glb::from_scene(scene, &FromScene::default(), &mut Report::default());
    let document = document.unwrap_or_else(|e| panic!("{e}"));
    Glb::write(&document, &WriteOptions::default()).unwrap_or_else(|e| panic!("{e}")).main
}

/// Chains of eight bones, 10 cm each, that spring from the root.
fn model() -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for index in 0..BONES {
        let before = if index % CHAIN == 0 { (index > 0).then_some(0) } else { index.checked_sub(1) };
        let rest = Transform { translation: [0.0, 0.1, 0.0], ..Transform::IDENTITY };
        scene.push_node(Node::new(bone(index), before.map(NodeIndex), rest));
    }
    scene
}

/// Keys at uneven frames, each reached by curves of its own; the root moves, all turn.
fn sparse() -> Vec<u8> {
    let mut random = Random(1);
    let name = |text: &str| Name::encode(text, false).unwrap_or_else(|c| panic!("{c:?}")).name;
    let mut document = Document::new(Version::V0002, &name_of_model());
    for index in 0..BONES {
        let turns = [0, 1, 2].map(|_| Waves::new(&mut random, 1.0));
        let moves = [0, 1, 2].map(|_| Waves::new(&mut random, if index == 0 { 10.0 } else { 0.0 }));
        for key in 0..SPARSE_KEYS {
            let slot = FRAMES / SPARSE_KEYS as u32;
            let within = random.next() % u64::from(slot);
            let frame = key as u32 * slot + if key == 0 { 0 } else { within as u32 };
            let time_s = f64::from(frame) / 30.0;
            let curve = |random: &mut Random| std::array::from_fn(|_| (random.next() % 128) as u8);
            document.bones.push(BoneKeyframe {
                name: name(&bone(index)),
                frame,
                translation: std::array::from_fn(|n| moves[n].at(time_s) as f32),
                rotation: turned(&turns, time_s, 0.0, &mut random),
                interpolation: BoneKeyframe::interpolation_bytes(
                    std::array::from_fn(|_| curve(&mut random)),
                    Physics::On,
                ),
            });
        }
    }
    Vmd::write(&document, &WriteOptions::default()).unwrap_or_else(|e| panic!("{e}")).main
}

fn name_of_model() -> Name<20> {
    Name::encode("sparse", false).unwrap_or_else(|c| panic!("{c:?}")).name
}

/// A rotation by three waves as a vector of half its angle, and noise.
fn turned(waves: &[Waves; 3], time_s: f64, noise: f64, random: &mut Random) -> [f32; 4] {
    let half = std::array::from_fn(|n| 0.5 * (waves[n].at(time_s) + random.between(-noise, noise)));
    dopesheet_curve::quat_exp(half).map(|v| v as f32)
}

/// A key of every joint at every frame, with the noise of a capture: a thousandth of a radian.
fn dense() -> Scene {
    let mut random = Random(2);
    let mut scene = model();
    let times: Arc<[f64]> = (0..FRAMES).map(|frame| f64::from((f64::from(frame) / 30.0) as f32)).collect();
    let tracks = (0..BONES).map(|index| {
        let waves = [0, 1, 2].map(|_| Waves::new(&mut random, 1.0));
        let values = times.iter().flat_map(|time| turned(&waves, *time, 1e-3, &mut random)).collect();
        let curve = Curve::new(Times::Seconds(Arc::clone(&times)), 4, values, Laws::uniform(Law::SLERP));
        let target = Target::new(TargetKind::Joint, bone(index), index, Some(NodeIndex(index)));
        Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] }
    });
    let tracks = tracks.collect();
    let duration = Seconds(times.last().copied().unwrap_or_default());
    scene.clips.push(Clip { name: Some("dense".into()), duration, tracks, ..Clip::default() });
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::format::{ReadOptions, Source};

    #[test]
    fn the_motions_have_the_promised_keys() {
        let bytes = sparse();
        let vmd = Vmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default()).unwrap();
        assert_eq!(vmd.bones.len(), 40_000);
        let mut frames: Vec<_> = vmd.bones.iter().map(|key| (key.name.text(), key.frame)).collect();
        frames.dedup();
        assert_eq!(frames.len(), 40_000, "no bone has two keys at one frame");
        let scene = dense();
        let curves = scene.clips[0].tracks.iter().flat_map(|t| t.channels[0].composition.curves());
        assert_eq!(curves.map(Curve::len).sum::<usize>(), 720_000);
    }

    #[test]
    fn the_same_bytes_come_every_time() {
        assert!(sparse() == sparse() && dense() == dense());
    }
}
