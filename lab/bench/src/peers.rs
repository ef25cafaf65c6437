//! The C++ peers: a program of ours around ozz-animation and ACL, compiled where both are at hand.

use crate::order::Order;
use dopesheet_core::model::{Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{Pose, local_pose};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Names the folder with checkouts of `guillaumeblanc/ozz-animation`, `nfrechette/acl` and `nfrechette/rtm`.
const FOLDER: &str = "DOPESHEET_PEERS";
/// Samples a second of the clips.
const RATE: f32 = 30.0;
/// The parts of ozz-animation that a player needs.
const OZZ_FOLDERS: [&str; 6] = [
    "src/base",
    "src/base/containers",
    "src/base/encode",
    "src/base/io",
    "src/base/maths",
    "src/base/memory",
];
const OZZ_FILES: [&str; 3] = ["animation.cc", "animation_utils.cc", "sampling_job.cc"];

pub(crate) struct Peers {
    program: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peers {
    /// Compiles and starts the program; `None` without its sources, which is said.
    pub(crate) fn start(ozz: &[PathBuf], scenes: &[Scene]) -> Option<Self> {
        let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
            println!(
                "skipped: ozz-animation and ACL (set {FOLDER} to a folder with ozz-animation, acl and rtm)"
            );
            return None;
        };
        let target = dopesheet_testkit::workspace().join("target/bench-peers");
        std::fs::create_dir_all(&target).unwrap_or_else(|e| panic!("{}: {e}", target.display()));
        let mut command = Command::new(compile(&folder, &target));
        for (index, (ozz, scene)) in ozz.iter().zip(scenes).enumerate() {
            let raw = target.join(format!("{index}.raw"));
            std::fs::write(&raw, raw_keys(scene)).unwrap_or_else(|e| panic!("{}: {e}", raw.display()));
            command.arg(ozz).arg(raw);
        }
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut program = started.unwrap_or_else(|e| panic!("the peers' program: {e}"));
        let (ask, answers) = (program.stdin.take(), program.stdout.take());
        let (Some(ask), Some(answers)) = (ask, answers) else { panic!("the peers' program: no pipes") };
        let mut this = Self { program, ask, answers: BufReader::new(answers) };
        let greeting = this.answer();
        assert_eq!(greeting, "ready", "the peers' program");
        Some(this)
    }

    /// Nanoseconds a pose, and bytes of the clip.
    pub(crate) fn time(&mut self, peer: &str, clip: usize, order: Order) -> (f64, usize) {
        let answer = self.ask(&format!("{peer} {clip} {} time", order.word()));
        match *answer.as_slice() {
            [nanoseconds, bytes] => (nanoseconds, bytes as usize),
            _ => panic!("the peers' program: expected two numbers, found {answer:?}"),
        }
    }

    /// Local transforms at a time.
    pub(crate) fn pose(&mut self, peer: &str, clip: usize, time: Seconds) -> Pose {
        let numbers = self.ask(&format!("{peer} {clip} random pose {}", time.0));
        let joint = |&[tx, ty, tz, x, y, z, w, sx, sy, sz]: &[f64; 10]| Transform {
            translation: [tx, ty, tz],
            rotation: [x, y, z, w],
            scale: [sx, sy, sz],
        };
        Pose(numbers.as_chunks::<10>().0.iter().map(joint).collect())
    }

    fn ask(&mut self, question: &str) -> Vec<f64> {
        writeln!(self.ask, "{question}").unwrap_or_else(|e| panic!("the peers' program: {e}"));
        self.answer().split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect()
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        read.unwrap_or_else(|e| panic!("the peers' program: {e}"));
        line.trim_end().to_owned()
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // It has nothing to lose; if it is gone already, all the better.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The peers' program, built as their makers advise: for this machine, without assertions.
fn compile(folder: &Path, target: &Path) -> PathBuf {
    let program = target.join("samplers");
    let ozz = folder.join("ozz-animation");
    let files = |list: &&str| {
        let list = ozz.join(list);
        let entries = std::fs::read_dir(&list).unwrap_or_else(|e| panic!("{}: {e}", list.display()));
        entries.filter_map(Result::ok).map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let base = OZZ_FOLDERS.iter().flat_map(files).filter(|path| path.extension().is_some_and(|e| e == "cc"));
    let runtime = OZZ_FILES.iter().map(|name| ozz.join("src/animation/runtime").join(name));
    let include = |path: &str| format!("-I{}", folder.join(path).display());
    let mut command = Command::new("c++");
    command.args(["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-w"]);
    command.args(["ozz-animation/include", "ozz-animation/src", "acl/includes", "rtm/includes"].map(include));
    command.arg(dopesheet_testkit::workspace().join("lab/bench/peers/samplers.cpp"));
    command.args(base).args(runtime).arg("-o").arg(&program);
    let status = command.stderr(Stdio::null()).status().unwrap_or_else(|e| panic!("c++: {e}"));
    assert!(status.success(), "c++: cannot compile the peers in {}", folder.display());
    program
}

/// The bytes that `peers/samplers.cpp` reads.
fn raw_keys(scene: &Scene) -> Vec<u8> {
    let Some(clip) = scene.clips.first() else { return Vec::new() };
    let samples = (clip.duration.0 * f64::from(RATE)).round() as u32 + 1;
    let mut out = Vec::new();
    out.extend((scene.nodes.len() as u32).to_le_bytes());
    out.extend(samples.to_le_bytes());
    out.extend(RATE.to_le_bytes());
    for node in &scene.nodes {
        let parent = node.parent.map_or(-1, |parent| parent.0 as i32);
        out.extend(parent.to_le_bytes());
    }
    for sample in 0..samples {
        for joint in local_pose(scene, clip, Seconds(f64::from(sample) / f64::from(RATE))).0 {
            let numbers = joint.translation.into_iter().chain(joint.rotation).chain(joint.scale);
            numbers.for_each(|number| out.extend((number as f32).to_le_bytes()));
        }
    }
    out
}
