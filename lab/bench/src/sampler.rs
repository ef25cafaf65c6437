//! Whole poses: ours beside ozz-animation and ACL in C++, and beside the crate `splines`.

use crate::order::{Order, SAMPLES};
use crate::peers::Peers;
use crate::splines::Splines;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_core::model::{Blend, Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_gltf::Glb;
use dopesheet_mmd::Vmd;
use dopesheet_motion::sample::player::{CompiledClip, Cursor, Policies, SoaPose};
use dopesheet_motion::sample::pose::{Pose, local_pose, model_pose};
use glam::{DAffine3, DVec3};
use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Clips of 67 joints that the peers play too.
const CLIPS: [&str; 3] = ["pab_walk", "pab_crossarms", "pab_atlas"];
/// Alternating rounds of each side.
const ROUNDS: usize = 31;
/// Random times at which errors are measured.
const MEASURED: usize = 400;
/// Shell: distance from a joint of the points whose displacement is measured, in metres.
const SHELL_M: f64 = 0.03;

struct Player {
    clip: CompiledClip,
    cursor: Cursor,
    pose: SoaPose,
}

impl Player {
    fn new(scene: &Scene) -> Self {
        let clip = CompiledClip::new(scene, &scene.clips[0]);
        let (cursor, pose) = (clip.cursor(), clip.pose());
        Self { clip, cursor, pose }
    }

    /// Nanoseconds a pose.
    fn round(&mut self, times: &[Seconds]) -> f64 {
        let Self { clip, cursor, pose } = self;
        for time in times.iter().take(SAMPLES / 16) {
            clip.sample(*time, Policies::default(), cursor, pose);
        }
        let start = Instant::now();
        for time in times {
            clip.sample(*time, Policies::default(), cursor, pose);
            black_box(&mut *pose);
        }
        start.elapsed().as_secs_f64() * 1e9 / times.len() as f64
    }

    fn pose(&mut self, time: Seconds) -> Pose {
        self.clip.sample(time, Policies::default(), &mut self.cursor, &mut self.pose);
        let joint = |joint| {
            let joint = self.pose.joint(joint).unwrap_or_else(|| panic!("a joint is missing"));
            Transform {
                translation: joint.translation.map(f64::from),
                rotation: joint.rotation.map(f64::from),
                scale: joint.scale.map(f64::from),
            }
        };
        Pose((0..self.pose.joints()).map(joint).collect())
    }
}

/// One sampler on one clip.
struct Measured {
    sampler: &'static str,
    /// Nanoseconds a joint in the best round, in sequence and at random.
    ns: [f64; 2],
    bytes: usize,
    /// Largest displacement in metres, if it was measured.
    error_m: Option<f64>,
}

/// Times of all samplers on one clip.
#[derive(Default)]
struct Rounds {
    ns: [Vec<f64>; 2],
    bytes: usize,
}

impl Rounds {
    fn measured(self, sampler: &'static str, joints: f64, error_m: Option<f64>) -> Measured {
        let ns = self.ns.map(|rounds| rounds.into_iter().fold(f64::INFINITY, f64::min) / joints);
        Measured { sampler, ns, bytes: self.bytes, error_m }
    }
}

/// The section of the page: a table of the clips that peers play too, and one of large motions.
pub(crate) fn section(large: &[PathBuf]) -> String {
    let mut out = String::from(INTRODUCTION);
    let _ = writeln!(
        out,
        "| clip | laws | sampler | in sequence | at random | bytes | largest error |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    if let Some(corpus) = dopesheet_testkit::corpus("bench") {
        let scenes = CLIPS.map(|name| glb(&corpus.join(format!("{name}.glb"))));
        let ozz = CLIPS.map(|name| corpus.join(format!("{name}.ozz")));
        let mut peers = Peers::start(&ozz, &scenes);
        for (index, (name, scene)) in CLIPS.into_iter().zip(&scenes).enumerate() {
            rows(&mut out, name, scene, peers.as_mut().map(|peers| (peers, index)));
        }
    }
    for path in large {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let scene = match path.extension().and_then(|extension| extension.to_str()) {
            Some("vmd") => vmd(path),
            Some("glb") => glb(path),
            _ => continue,
        };
        if !scene.clips.is_empty() {
            rows(&mut out, &name, &scene, None);
        }
    }
    out
}

const INTRODUCTION: &str = "\n## Sampler\n\nNanoseconds a joint for a whole pose, one thread: the best of 31 rounds of 4,096 \
    poses, all samplers in turn. In sequence means at 60 Hz. Bytes are those of the compiled clip: ours holds every key of \
    the source with its own law, in f32; ozz and ACL hold fewer or shorter ones within tolerances (ACL 0.1 mm at 3 cm; ozz as \
    in the file). Largest error: displacement of points 3 cm from any joint through the whole hierarchy, against our f64 \
    reference at 400 random times. The peers are compiled from C++ for the machine (`-O3 -march=native`), where \
    `DOPESHEET_PEERS` names a folder with them.\n\n";

fn rows(out: &mut String, name: &str, scene: &Scene, peers: Option<(&mut Peers, usize)>) {
    let mut player = Player::new(scene);
    let laws = laws(&player.clip);
    for Measured { sampler, ns, bytes, error_m } in measure(scene, &mut player, peers) {
        let error = error_m.map_or("–".into(), |error| format!("{:.5} mm", error * 1e3));
        let [sequence, random] = ns.map(|ns| format!("{ns:.2} ns"));
        let laws = if sampler == "ours" { &*laws } else { "" };
        let _ = writeln!(out, "| {name} | {laws} | {sampler} | {sequence} | {random} | {bytes} | {error} |");
    }
}

fn laws(clip: &CompiledClip) -> String {
    let word = |blend: Blend| format!("{blend:?}").to_lowercase();
    let words = clip.laws().iter().map(|law| word(law.blend) + if law.is_eased { " eased" } else { "" });
    words.collect::<Vec<_>>().join(", ")
}

fn measure(scene: &Scene, player: &mut Player, peers: Option<(&mut Peers, usize)>) -> Vec<Measured> {
    let joints = scene.nodes.len() as f64;
    let orders = [Order::Sequence, Order::Random];
    let times = orders.map(|order| order.times(player.clip.duration()));
    let mut ours = Rounds { bytes: player.clip.bytes(), ..Rounds::default() };
    let mut theirs = [("ozz-animation", "ozz"), ("ACL", "acl")].map(|name| (name, Rounds::default()));
    let mut peers = peers;
    let mut splines = Splines::new(scene);
    let mut chords = Rounds { bytes: splines.as_ref().map_or(0, Splines::bytes), ..Rounds::default() };
    for _ in 0..ROUNDS {
        for (order, times) in times.iter().enumerate() {
            ours.ns[order].push(player.round(times));
            if let Some(splines) = &mut splines {
                chords.ns[order].push(splines.round(times));
            }
            let Some((peers, clip)) = &mut peers else { continue };
            for ((_, word), rounds) in &mut theirs {
                let (ns, bytes) = peers.time(word, *clip, orders[order]);
                rounds.ns[order].push(ns);
                rounds.bytes = bytes;
            }
        }
    }
    let error = largest_error(scene, &times[1], |time| player.pose(time));
    let mut all = vec![ours.measured("ours", joints, error)];
    if splines.is_some() {
        all.push(chords.measured("splines 5.0", joints, None));
    }
    if let Some((peers, clip)) = peers {
        for ((name, word), rounds) in theirs {
            let error = largest_error(scene, &times[1], |time| peers.pose(word, clip, time));
            all.push(rounds.measured(name, joints, error));
        }
    }
    all
}

/// `None` where the scene does not say how long its unit is or has no hierarchy.
fn largest_error(scene: &Scene, times: &[Seconds], mut pose: impl FnMut(Seconds) -> Pose) -> Option<f64> {
    let unit = scene.basis.metres_per_unit?;
    let at = |time: &Seconds| {
        let wanted = model_pose(scene, &local_pose(scene, &scene.clips[0], *time));
        let found = model_pose(scene, &pose(*time));
        let joints = wanted.0.iter().zip(&found.0);
        joints.map(|(a, b)| displacement(a, b, SHELL_M / unit)).fold(0.0, f64::max)
    };
    Some(times.iter().take(MEASURED).map(at).fold(0.0, f64::max) * unit)
}

/// How far points on the axes of a joint are moved.
fn displacement(a: &DAffine3, b: &DAffine3, shell: f64) -> f64 {
    let off = |axis: DVec3| a.transform_point3(axis * shell).distance(b.transform_point3(axis * shell));
    [DVec3::X, DVec3::Y, DVec3::Z].map(off).into_iter().fold(0.0, f64::max)
}

pub(crate) fn glb(path: &Path) -> Scene {
    let bytes = dopesheet_testkit::bytes(path);
    let read = Glb::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default());
    let document = read.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let scene = Glb::to_scene(&document, &ToScene::default(), &mut Report::default());
    scene.unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn vmd(path: &Path) -> Scene {
    let bytes = dopesheet_testkit::bytes(path);
    let read = Vmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default());
    let document = read.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let scene = Vmd::to_scene(&document, &ToScene::default(), &mut Report::default());
    scene.unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
