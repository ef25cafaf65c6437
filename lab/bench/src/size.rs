//! Bytes of an animation at equal error: ours beside gltfpack and glTF-Transform.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A step that makes a file smaller: words before the two file names, with `{in}` and `{out}` for these.
type Step = &'static [&'static str];

/// One way to write an animation, and those of others that are measured beside it.
struct Contest {
    /// Our target format.
    ours: &'static str,
    /// Names and steps of the peers.
    peers: &'static [(&'static str, &'static [Step])],
}

/// gltfpack's `-kn` keeps the names by which joints are found again; it adds nothing to the animation.
const PACK: Step = &["gltfpack", "-i", "{in}", "-o", "{out}", "-kn"];
const PACK_C: Step = &["gltfpack", "-i", "{in}", "-o", "{out}", "-kn", "-cc", "-at", "24", "-ar", "16"];
const PACK_Z: Step = &["gltfpack", "-i", "{in}", "-o", "{out}", "-kn", "-cz", "-at", "24", "-ar", "16"];
const PACK_Z_AF0: Step =
    &["gltfpack", "-i", "{in}", "-o", "{out}", "-kn", "-cz", "-at", "24", "-ar", "16", "-af", "0"];
const RESAMPLE: Step = &["gltf-transform", "resample", "{in}", "{out}", "--tolerance", "1e-5"];

const CONTESTS: [Contest; 3] = [
    Contest { ours: "glb@rot16", peers: &[("gltfpack", &[PACK])] },
    Contest { ours: "glb@meshopt,rot16", peers: &[("gltfpack -cc -at 24 -ar 16", &[PACK_C])] },
    Contest {
        ours: "glb@khr-meshopt,rot16",
        peers: &[
            ("gltfpack -cz -at 24 -ar 16", &[PACK_Z]),
            ("resample, then gltfpack -cz -at 24 -ar 16", &[RESAMPLE, PACK_Z]),
            ("resample, then gltfpack -cz -at 24 -ar 16 -af 0", &[RESAMPLE, PACK_Z_AF0]),
        ],
    },
];

const INTRODUCTION: &str = "\n## Size\n\nBytes of the animation alone, payload and JSON: its accessors, their buffer \
    views as stored, and the `animations`. Error: largest displacement of points 3 cm from any joint through the whole \
    hierarchy, at all keys of both files and eight times between them, against the file that all sides were given. Ours is \
    asked for what the peer above it was measured at (`convert --lossy --tolerance`), so that equal errors are \
    compared.\n\n| clip | source | program | bytes | largest error |\n| --- | --- | --- | --- | --- |\n";

/// Motions of the corpus and the models that dance them.
pub(crate) const DANCES: [(&str, &str); 3] = [
    ("vmd/kishimen.vmd", "pmx/miku_animasa.pmx"),
    ("vmd/mmd_tools_test.vmd", "pmx/yw_test_model.pmx"),
    ("vmd/walk.vmd", "pmx/miku_animasa.pmx"),
];

/// The section of the page for some GLB files and for dances whose rig is baked, as exporters do it; empty, with a message,
/// where there is no `npm` or no command.
pub(crate) fn section(files: &[PathBuf]) -> String {
    let Some(programs) = Programs::find() else { return String::new() };
    let mut out = INTRODUCTION.to_owned();
    for file in files.iter().chain(&programs.dances()) {
        for contest in &CONTESTS {
            programs.contest(file, contest, &mut out);
        }
    }
    out
}

struct Programs {
    /// Our command.
    dopesheet: PathBuf,
    /// Where the peers are installed.
    peers: PathBuf,
    /// Where files go.
    folder: PathBuf,
}

impl Programs {
    /// Installs the peers.
    fn find() -> Option<Self> {
        let dopesheet = crate::process::dopesheet()?;
        let folder = dopesheet_testkit::workspace().join("target/bench-peers");
        let peers = folder.join("node");
        std::fs::create_dir_all(&peers).ok()?;
        let list = dopesheet_testkit::workspace().join("lab/bench/peers/package.json");
        std::fs::copy(list, peers.join("package.json")).ok()?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund"]).current_dir(&peers);
        if !npm.status().is_ok_and(|status| status.success()) {
            println!("skipped: sizes (npm cannot install the peers)");
            return None;
        }
        Some(Self { dopesheet, peers, folder })
    }

    /// A figure each, with a key on each of 30 frames a second.
    fn dances(&self) -> Vec<PathBuf> {
        let Some(corpus) = dopesheet_testkit::corpus("mmd") else { return Vec::new() };
        let baked = |(motion, model): (&str, &str)| {
            let motion = corpus.join(motion);
            let made = self.folder.join(motion.with_extension("glb").file_name().unwrap_or_default());
            let mut command = Command::new(&self.dopesheet);
            // A dance with bones that a model lacks is one all the same.
            command.args(["convert", "--partial"]).arg(&motion).arg("-m").arg(corpus.join(model));
            succeed(command.args(["--bake", "30", "--force", "-o"]).arg(&made));
            made
        };
        DANCES.map(baked).to_vec()
    }

    fn contest(&self, file: &Path, contest: &Contest, out: &mut String) {
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let source = animation_bytes(file);
        for (peer, steps) in contest.peers {
            let made = self.folder.join(format!("{name}-theirs.glb"));
            self.run(steps, file, &made);
            let error_m = self.error_m(file, &made);
            let mut row = |program: &str, bytes: usize, error_m: f64| {
                let _ =
                    writeln!(out, "| {name} | {source} | {program} | {bytes} | {:.4} mm |", error_m * 1e3);
            };
            row(peer, animation_bytes(&made), error_m);
            let own = self.folder.join(format!("{name}-ours.glb"));
            self.convert(file, contest.ours, error_m, &own);
            row(&format!("`-t {}`", contest.ours), animation_bytes(&own), self.error_m(file, &own));
        }
    }

    /// Runs the steps of a peer one after the other.
    fn run(&self, steps: &[Step], file: &Path, made: &Path) {
        let mut input = file.to_owned();
        for (number, step) in steps.iter().enumerate() {
            let last = number + 1 == steps.len();
            let output = if last { made.to_owned() } else { made.with_extension(format!("{number}.glb")) };
            let (program, words) = step.split_first().unwrap_or_else(|| panic!("a step names a program"));
            let mut command = Command::new(self.peers.join("node_modules/.bin").join(program));
            command.args(words.iter().map(|word| match *word {
                "{in}" => input.as_os_str().to_owned(),
                "{out}" => output.as_os_str().to_owned(),
                word => word.into(),
            }));
            succeed(&mut command);
            input = output;
        }
    }

    fn convert(&self, file: &Path, target: &str, tolerance_m: f64, made: &Path) {
        let tolerance = format!("{}um@3cm", tolerance_m * 1e6);
        let mut command = Command::new(&self.dopesheet);
        command.arg("convert").arg(file).args([
            "-t",
            target,
            "--lossy",
            "--force",
            "--tolerance",
            &tolerance,
        ]);
        succeed(command.arg("-o").arg(made));
    }

    /// Largest error of a file against another one, in metres. All that is anywhere else is listed, also the weights of a mesh
    /// that a peer has put on another node.
    fn error_m(&self, file: &Path, made: &Path) -> f64 {
        let mut command = Command::new(&self.dopesheet);
        command.arg("diff").arg(file).arg(made).args(["--json", "--tolerance", "0.001um@3cm"]);
        let output = command.output().unwrap_or_else(|e| panic!("diff: {e}"));
        let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("diff: {e}"));
        let channels =
            said["tracks"].as_array().into_iter().flatten().filter_map(|t| t["channels"].as_array());
        let places = channels.flatten().filter(|channel| channel["channel"] == "model-space");
        let worst = places.filter_map(|channel| channel["value"].as_f64()).reduce(f64::max);
        worst.unwrap_or_else(|| panic!("{}: diff lists no joint", made.display()))
    }
}

fn succeed(command: &mut Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.unwrap_or_else(|e| panic!("{}: {e}", command.get_program().display()));
    assert!(status.success(), "{command:?}: {status}");
}

/// Bytes of all that only the animations of a GLB need: the animations and their accessors and buffer views as JSON, and
/// what the views hold.
fn animation_bytes(file: &Path) -> usize {
    let bytes = dopesheet_testkit::bytes(file);
    let length = bytes[12..16].iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
    let document: Value =
        serde_json::from_slice(&bytes[20..20 + length]).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let text = |value: &Value| value.to_string().len();
    let list = |member: &str| document[member].as_array().cloned().unwrap_or_default();
    let animations = list("animations");
    let samplers = animations.iter().filter_map(|animation| animation["samplers"].as_array()).flatten();
    let used = samplers.flat_map(|sampler| [&sampler["input"], &sampler["output"]]);
    let accessors: BTreeSet<u64> = used.filter_map(Value::as_u64).collect();
    let accessors: Vec<Value> =
        accessors.iter().map(|index| document["accessors"][*index as usize].clone()).collect();
    let views: BTreeSet<u64> =
        accessors.iter().filter_map(|accessor| accessor["bufferView"].as_u64()).collect();
    let views: Vec<Value> =
        views.iter().map(|index| document["bufferViews"][*index as usize].clone()).collect();
    let stored = |view: &Value| {
        let extensions = view["extensions"].as_object().into_iter().flatten();
        let packed = extensions.filter_map(|(_, extension)| extension["byteLength"].as_u64()).next();
        packed.or(view["byteLength"].as_u64()).unwrap_or_default() as usize
    };
    let json = animations.iter().chain(&accessors).chain(&views).map(text).sum::<usize>();
    json + views.iter().map(stored).sum::<usize>()
}
