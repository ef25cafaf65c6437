//! Motions of others on bodies of others, from the corpus: limbs point where those of the source do, and feet stand where they stand.
#![cfg(all(
    feature = "bvh",
    feature = "mmd",
    feature = "gltf",
    feature = "numpy",
    feature = "editing",
    feature = "research"
))]

use dopesheet::core::diag::{Finding, Report};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{Basis, HumanBone as B, Humanoid, NodeIndex, Scene, rebase};
use dopesheet::core::units::{FrameRate, Seconds};
use dopesheet::motion::humanoid::{ContactLimits, Contacts, Planted, contacts, propose};
use dopesheet::motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet::motion::sample::rig::{self, Behaviour};
use dopesheet::motion::{bind, humanoid::points::turn_points};
use dopesheet::{ConvertOptions, Opened, ReadOptions, convert, open, puppet, registry};
use dopesheet_testkit::{corpus, files};
use glam::{DMat3, DVec3};
use rayon::prelude::*;
use std::path::Path;

/// Bones of limbs, each with the one at its end.
const LIMBS: [[B; 2]; 8] = [
    [B::LeftUpperLeg, B::LeftLowerLeg],
    [B::LeftLowerLeg, B::LeftFoot],
    [B::RightUpperLeg, B::RightLowerLeg],
    [B::RightLowerLeg, B::RightFoot],
    [B::LeftUpperArm, B::LeftLowerArm],
    [B::LeftLowerArm, B::LeftHand],
    [B::RightUpperArm, B::RightLowerArm],
    [B::RightLowerArm, B::RightHand],
];
/// One pair in so many is tried.
const EVERY: usize = 3;

/// A figure that moves, in glTF's axes and metres.
struct Actor {
    name: String,
    scene: Scene,
    humanoid: Humanoid,
}

fn opened(path: &Path) -> Opened {
    open(path, None, &ReadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn scene(file: &Opened) -> Scene {
    let mut scene = file.scene().unwrap();
    scene.basis.metres_per_unit.get_or_insert(1.0);
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

/// The scene of a motion on the model that it moves, with its rig solved.
fn solved(motion: &Opened, model: Option<Scene>) -> Scene {
    let mut own = scene(motion);
    if let Some(model) = model {
        own = bind(own, model, &NameMap::default(), &mut Report::default());
    }
    rig::bake(&mut own, Behaviour::default(), &mut Report::default());
    turn_points(&mut own, &mut Report::default());
    own
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Files of a folder of the corpus whose figure is known; `None` where there is no corpus.
fn actors(folder: &str) -> Option<Vec<(Opened, Actor)>> {
    let extensions = ["bvh", "glb", "vrma", "npz", "vmd", "pmx", "vrm"];
    let paths = files(&corpus(&format!("wild/{folder}"))?, &extensions, 3);
    let read = |path: &std::path::PathBuf| {
        let file = opened(path);
        let is_vmd = file.format().info().id == "vmd";
        let model = is_vmd.then(|| scene(&puppet::standard_model().unwrap()));
        let scene = solved(&file, model);
        let mut humanoid = propose(&scene, &NameMap::default()).humanoid;
        // The bones that carry the legs of MikuMikuDance's models.
        for node in humanoid.bones.values_mut() {
            let name = format!("{}D", scene.nodes[node.0].name);
            *node = scene.nodes.iter().position(|own| own.name == name).map_or(*node, NodeIndex);
        }
        (file, Actor { name: name(path), scene, humanoid })
    };
    Some(paths.par_iter().map(read).filter(|(_, actor)| actor.humanoid.missing().is_empty()).collect())
}

impl Actor {
    fn pose(&self, time: f64) -> impl Fn(B) -> Option<DVec3> {
        let clip = self.scene.clips.last().cloned().unwrap_or_default();
        let pose = model_pose(&self.scene, &local_pose(&self.scene, &clip, Seconds(time))).0;
        let bones = self.humanoid.bones.clone();
        move |bone| Some(pose.get(bones.get(&bone)?.0)?.translation)
    }

    fn at_rest(&self) -> impl Fn(B) -> Option<DVec3> {
        let pose = model_pose(&self.scene, &rest_pose(&self.scene)).0;
        let bones = self.humanoid.bones.clone();
        move |bone| Some(pose.get(bones.get(&bone)?.0)?.translation)
    }

    fn leg(&self) -> f64 {
        let rest = model_pose(&self.scene, &rest_pose(&self.scene)).0;
        let at = |bone| rest[self.humanoid.bones[&bone].0].translation;
        let length = |[a, b, c]: [B; 3]| at(a).distance(at(b)) + at(b).distance(at(c));
        (length([B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot])
            + length([B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]))
            / 2.0
    }

    fn end(&self) -> f64 {
        self.scene.clips.last().map_or(0.0, |clip| clip.end().0.max(0.0))
    }

    fn contacts(&self) -> Option<Contacts> {
        contacts(&self.scene, &self.humanoid, self.scene.clips.last()?, &ContactLimits::default())
    }
}

/// The rotations of axes onto axes.
fn turns() -> Vec<DMat3> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let pairs = axes.into_iter().flat_map(|x| axes.into_iter().map(move |y| (x, y)));
    pairs.filter(|(x, y)| x.dot(*y) == 0.0).map(|(x, y)| DMat3::from_cols(x, y, x.cross(y))).collect()
}

/// Measures of a motion on another figure.
#[derive(Debug, Clone)]
struct Judged {
    /// Largest angle of a limb, in degrees, and which it is.
    limbs: (f64, B),
    /// Largest distance of a sole from between the ground and where the source has its own, in metres, while feet of the source stand.
    soles: f64,
    /// Largest slides of stands before and after, in metres.
    slides: [f64; 2],
    /// Largest speed by which a knee turns faster than without held feet, in degrees per second.
    knees: f64,
    /// The warning that the motion is not well on its new figure.
    told: bool,
}

/// The rotation of axes onto axes that brings limbs of one figure next to those of another, and the largest angle that is left.
fn limbs(times: &[f64], source: &Actor, free: &Actor) -> (f64, B) {
    let poses: Vec<_> = times.iter().map(|time| (source.pose(*time), free.pose(*time))).collect();
    let off = |turn: &DMat3| {
        let mut all: Vec<(f64, B)> = Vec::new();
        for (theirs, ours) in &poses {
            for [from, to] in LIMBS {
                let way = |pose: &dyn Fn(B) -> Option<DVec3>| Some(pose(to)? - pose(from)?);
                if let Some((theirs, ours)) = way(theirs).zip(way(ours)) {
                    all.push(((*turn * theirs).angle_between(ours).to_degrees(), from));
                }
            }
        }
        all
    };
    let sum = |turn: &DMat3| off(turn).iter().map(|own| own.0).sum::<f64>();
    let turn = turns().into_iter().min_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap();
    off(&turn).into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, B::Hips))
}

/// Largest distance of a sole from between the ground and where the source has its own, while feet of the source stand.
fn soles(source: &Actor, made: &Actor, rest: impl Fn(B) -> Option<DVec3>) -> f64 {
    let Some(stands) = source.contacts() else { return 0.0 };
    let ratio = made.leg() / source.leg();
    let end = source.end().min(made.end());
    let mut farthest: f64 = 0.0;
    for stand in &stands.stands {
        let feet = match stand.bone {
            B::LeftFoot => [B::LeftFoot, B::LeftToes],
            B::RightFoot => [B::RightFoot, B::RightToes],
            _ => continue,
        };
        for n in 0..=4 {
            let time = (stand.start.0 + (stand.end.0 - stand.start.0) * f64::from(n) / 4.0).min(end);
            let (ours, theirs) = (made.pose(time), source.pose(time));
            let shared = || feet.into_iter().zip(stands.heights).filter(|(bone, _)| rest(*bone).is_some());
            let heights = shared().filter_map(|(bone, _)| Some(ours(bone)?.y - rest(bone)?.y));
            let own = shared().filter_map(|(bone, low)| Some(theirs(bone)?.dot(stands.up) - low?));
            let sole = heights.fold(f64::INFINITY, f64::min);
            let own = own.fold(f64::INFINITY, f64::min) * ratio;
            if sole.is_finite() && own.is_finite() {
                farthest = farthest.max((sole - sole.clamp(own.min(0.0), own.max(0.0))).abs());
            }
        }
    }
    farthest
}

/// A motion that was put onto a body, and the figure that moves then.
fn put(
    file: &Opened,
    (body, target): (&Opened, &Actor),
    planted: Planted,
) -> Result<(dopesheet::Conversion, Actor), dopesheet::Error> {
    let to = match body.format().info().id {
        "pmx" => "vmd",
        "bvh" => "bvh",
        _ => "glb",
    };
    let format = registry::by_id(to).unwrap();
    let options =
        ConvertOptions { onto: Some(body), motion_only: to == "glb", planted, ..ConvertOptions::to(format) };
    let made = convert(std::slice::from_ref(file), &options)?;
    let read = open::read_as(format, "x", &made.output.main, &ReadOptions::default(), &mut |_| None)?;
    let own = solved(&read, (to == "vmd").then(|| scene(body)));
    let by_name = |node: &NodeIndex| {
        let name = &target.scene.node(*node).unwrap().name;
        own.nodes.iter().position(|node| node.name == *name).map(NodeIndex)
    };
    let bones = target.humanoid.bones.iter().filter_map(|(bone, node)| Some((*bone, by_name(node)?)));
    let humanoid = Humanoid { bones: bones.collect(), ..Humanoid::default() };
    Ok((made, Actor { name: String::new(), scene: own, humanoid }))
}

/// A motion on a body, with feet that stand, and how it compares; `None` of an animal that has a human's names.
fn judged_pair(
    (file, source): &(Opened, Actor),
    (body, target): &(Opened, Actor),
) -> Option<(String, Judged)> {
    let pair = format!("{} on {}", source.name, target.name);
    let (made, actor) = match put(file, (body, target), Planted::Feet) {
        Ok(made) => made,
        Err(error) if error.to_string().contains("an animal on four legs") => return None,
        Err(error) => panic!("{pair}: {error}"),
    };
    let (_, free) = put(file, (body, target), Planted::Nothing).unwrap();
    // On frames of what is written; between them captures turn the shortest way.
    let end = source.end().min(free.end());
    let rate = free.scene.clips.last().and_then(|clip| clip.grid).unwrap_or(FrameRate::FPS_30);
    let times: Vec<f64> =
        (0..).map(|frame| rate.seconds(f64::from(frame)).0).take_while(|time| *time <= end).collect();
    let angles = |actor: &Actor, [hip, knee, ankle]: [B; 3]| -> Vec<f64> {
        let angle = |time: &f64| {
            let pose = actor.pose(*time);
            (pose(knee)? - pose(hip)?).angle_between(pose(ankle)? - pose(knee)?).to_degrees().into()
        };
        times.iter().filter_map(angle).collect()
    };
    // Of captures with more frames, knees that are all but straight are not looked at on each of them.
    let step = ((rate.fps() / 30.0).round() as usize).max(1);
    let faster = |leg: [B; 3]| {
        let (held, free) = (angles(&actor, leg), angles(&free, leg));
        let speeds = |all: Vec<f64>| {
            let all: Vec<f64> = all.into_iter().step_by(step).collect();
            let speed = |[a, b]: &[f64; 2]| (b - a).abs() * rate.fps() / step as f64;
            all.array_windows().map(speed).collect::<Vec<_>>()
        };
        speeds(held).into_iter().zip(speeds(free)).map(|(held, free)| held - free).fold(0.0, f64::max)
    };
    let knees =
        [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];
    let told = |finding: &Finding| ["not-like-the-source", "figure-shape"].contains(&finding.fault.code);
    let slides = made.report.report.slides.iter();
    let judged = Judged {
        limbs: limbs(&times, source, &free),
        soles: soles(source, &actor, target.at_rest()),
        slides: slides
            .fold([0.0, 0.0], |all: [f64; 2], own| [all[0].max(own.before_m), all[1].max(own.after_m)]),
        knees: knees.map(faster).into_iter().fold(0.0, f64::max),
        told: made.report.report.findings.iter().any(told),
    };
    Some((pair, judged))
}

/// Faults of a pair that no warning tells.
fn faults((pair, own): &(String, Judged)) -> Vec<String> {
    let [is_model, is_capture] = [".pmx", ".bvh"].map(|end| pair.ends_with(end));
    // Knees of models with IK never get quite straight, and MikuMikuDance's motions go by bones that others know nothing of.
    let most = if is_model { 4.0 } else { 1.0 };
    let mut faults = Vec::new();
    if own.limbs.0 > most {
        faults.push(format!("{pair}: {:?}°", own.limbs));
    }
    if own.slides[1] > f64::max(own.slides[0] / 2.0, 0.003) {
        faults.push(format!("{pair}: slides {:?}", own.slides));
    }
    if own.knees > 275.0 {
        faults.push(format!("{pair}: a knee turns {:.0}° a second faster", own.knees));
    }
    // A capture does not say where its soles are.
    if !is_capture && own.soles > 0.02 {
        faults.push(format!("{pair}: soles {:.3} m off", own.soles));
    }
    faults.retain(|_| !own.told);
    faults
}

#[test]
fn motions_of_others_on_bodies_of_others_look_and_stand_as_they_do_or_it_is_told() {
    let (Some(bvh), Some(motions), Some(bodies)) = (actors("bvh"), actors("motions"), actors("bodies"))
    else {
        return;
    };
    // Poses have no motion to compare.
    let sources: Vec<&(Opened, Actor)> =
        bvh.iter().chain(&motions).filter(|(_, actor)| actor.end() > 0.0).collect();
    let targets: Vec<&(Opened, Actor)> = bodies.iter().chain(bvh.iter().step_by(5)).collect();
    assert!(sources.len() >= 30 && targets.len() >= 14, "{} {}", sources.len(), targets.len());
    let all = sources.iter().enumerate().flat_map(|(n, source)| {
        let own = targets.iter().enumerate().filter(move |(m, _)| (n + m) % EVERY == 0);
        own.map(move |(_, target)| (*source, *target))
    });
    // A motion of MikuMikuDance goes to a model by names.
    let is_bound = |(source, target): &(&(Opened, Actor), &(Opened, Actor))| {
        source.1.name.ends_with(".vmd") && target.1.name.ends_with(".pmx")
    };
    let pairs: Vec<_> = all.filter(|pair| !is_bound(pair)).collect();
    let judged: Vec<(String, Judged)> =
        pairs.par_iter().filter_map(|(source, target)| judged_pair(source, target)).collect();
    assert!(judged.len() >= 180 && judged.len() + 40 >= pairs.len(), "{} of {}", judged.len(), pairs.len());
    let faults: Vec<String> = judged.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let told = judged.iter().filter(|(_, own)| own.told).count();
    println!("{} pairs, of {told} it is told what is off", judged.len());
    assert!(told * 4 <= judged.len(), "{told} of {}", judged.len());
}

#[test]
fn no_animal_is_taken_for_a_human() {
    let Some(folder) = corpus("wild/nonhuman") else { return };
    let to = registry::by_id("vrma").unwrap();
    let all = files(&folder, &["glb"], 2);
    for path in &all {
        let refused = convert(&[opened(path)], &ConvertOptions::to(to)).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("of a humanoid"), "{refused}");
    }
    assert_eq!(all.len(), 2);
}
