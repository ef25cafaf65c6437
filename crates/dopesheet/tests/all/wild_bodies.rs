//! Motions of others on bodies of others, from the corpus: limbs point where those of the source do, and feet stand where they stand.
#![cfg(all(
    feature = "bvh",
    feature = "mmd",
    feature = "gltf",
    feature = "numpy",
    feature = "editing",
    feature = "research"
))]

use dopesheet::core::diag::Report;
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{Basis, HumanBone as B, Humanoid, NodeIndex, Scene, rebase};
use dopesheet::core::units::Seconds;
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
/// Files whose directions say nothing: two rest in a pose that contradicts itself, and one is made for another model.
const ODD_MOTIONS: [&str; 3] = ["makehuman-benchmark.bvh", "makehuman-tpose.bvh", "mmdtools.vmd"];
/// Bodies that other limbs do not fit: one has its feet beside its legs.
const ODD_BODIES: [&str; 2] = ["robotexpr.glb", "makehuman-tpose.bvh"];
/// Motions whose feet stand nowhere in particular: captures before and while they were mended, and a figure that is bent like an animal.
const UNSTEADY: [&str; 3] =
    ["deep-motion-editing-fixed.bvh", "deep-motion-editing-raw.bvh", "ganimator-idle1.bvh"];
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
        let humanoid = propose(&scene, &NameMap::default()).humanoid;
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
#[derive(Debug, Clone, Copy)]
struct Judged {
    /// Largest angle of a limb, in degrees, and which it is.
    limbs: (f64, B),
    /// Heights of soles above the ground while feet of the source stand, at the lowest and the highest, in lengths of the leg.
    feet: [f64; 2],
    /// Largest slides of stands before and after, in metres.
    slides: [f64; 2],
}

fn judged(
    source: &Actor,
    [free, made]: [&Actor; 2],
    rest: impl Fn(B) -> Option<DVec3>,
    stands: Option<&Contacts>,
) -> Judged {
    let end = source.end().min(made.end());
    // On frames of all formats.
    let times: Vec<f64> = (0..=(end * 30.0 + 1e-6) as usize).map(|n| n as f64 / 30.0).collect();
    let poses: Vec<_> = times.iter().map(|time| (source.pose(*time), free.pose(*time))).collect();
    let off = |turn: &DMat3, bones: &[[B; 2]]| {
        let mut all: Vec<(f64, B)> = Vec::new();
        for (theirs, ours) in &poses {
            for [from, to] in bones {
                let way = |pose: &dyn Fn(B) -> Option<DVec3>| Some(pose(*to)? - pose(*from)?);
                if let Some((theirs, ours)) = way(theirs).zip(way(ours)) {
                    all.push(((*turn * theirs).angle_between(ours).to_degrees(), *from));
                }
            }
        }
        all
    };
    let turn = turns().into_iter().min_by(|a, b| {
        let sum = |turn: &DMat3| off(turn, &LIMBS).iter().map(|own| own.0).sum::<f64>();
        sum(a).total_cmp(&sum(b))
    });
    let turn = turn.unwrap();
    let most =
        |all: Vec<(f64, B)>| all.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, B::Hips));
    let mut judged = Judged { limbs: most(off(&turn, &LIMBS)), feet: [0.0; 2], slides: [0.0; 2] };
    judged.feet = [f64::INFINITY, f64::NEG_INFINITY];
    for stand in stands.into_iter().flat_map(|contacts| &contacts.stands) {
        let feet = match stand.bone {
            B::LeftFoot => [B::LeftFoot, B::LeftToes],
            B::RightFoot => [B::RightFoot, B::RightToes],
            _ => continue,
        };
        for n in 0..=4 {
            let time = (stand.start.0 + (stand.end.0 - stand.start.0) * f64::from(n) / 4.0).min(end);
            let pose = made.pose(time);
            let joints = feet.into_iter().filter_map(|bone| Some(pose(bone)?.y - rest(bone)?.y));
            let sole = joints.fold(f64::INFINITY, f64::min) / made.leg();
            judged.feet = [judged.feet[0].min(sole), judged.feet[1].max(sole)];
        }
    }
    judged
}

/// A motion on a body, with feet that stand, and how it compares.
fn judged_pair((file, source): &(Opened, Actor), (body, target): &(Opened, Actor)) -> (String, Judged) {
    let pair = format!("{} on {}", source.name, target.name);
    let to = match body.format().info().id {
        "pmx" => "vmd",
        "bvh" => "bvh",
        _ => "glb",
    };
    let format = registry::by_id(to).unwrap();
    let put = |planted: Planted| {
        let options = ConvertOptions {
            onto: Some(body),
            motion_only: to == "glb",
            planted,
            ..ConvertOptions::to(format)
        };
        let made = convert(std::slice::from_ref(file), &options)?;
        let read = open::read_as(format, "x", &made.output.main, &ReadOptions::default(), &mut |_| None)?;
        let own = solved(&read, (to == "vmd").then(|| scene(body)));
        let by_name = |node: &NodeIndex| {
            let name = &target.scene.node(*node).unwrap().name;
            own.nodes.iter().position(|node| node.name == *name).map(NodeIndex)
        };
        let bones = target.humanoid.bones.iter().filter_map(|(bone, node)| Some((*bone, by_name(node)?)));
        let humanoid = Humanoid { bones: bones.collect(), ..Humanoid::default() };
        Ok::<_, dopesheet::Error>((made, Actor { name: String::new(), scene: own, humanoid }))
    };
    let told = |error: dopesheet::Error| panic!("{pair}: {error}");
    let (_, free) = put(Planted::Nothing).unwrap_or_else(told);
    let (made, actor) = put(Planted::Feet).unwrap_or_else(told);
    let stands = source.contacts();
    let mut judged = judged(source, [&free, &actor], target.at_rest(), stands.as_ref());
    for slide in &made.report.report.slides {
        judged.slides = [judged.slides[0].max(slide.before_m), judged.slides[1].max(slide.after_m)];
    }
    (pair, judged)
}

/// Adds what is beyond a bound to the faults, and how far soles are from the ground.
fn judge(
    pair: &str,
    Judged { limbs, feet, slides }: &Judged,
    faults: &mut Vec<String>,
    soles: &mut Vec<f64>,
) {
    let [is_model, is_capture] = [".pmx", ".bvh"].map(|end| pair.ends_with(end));
    // Knees of models never get quite straight, and captures get a place on each frame of theirs.
    let most = match (is_model, is_capture) {
        (true, _) => 4.5,
        (_, true) => 3.5,
        _ => 0.1,
    };
    if limbs.0 > most {
        faults.push(format!("{pair}: {limbs:?}°"));
    }
    if UNSTEADY.iter().any(|name| pair.starts_with(name)) {
        return;
    }
    if slides[1] > f64::max(slides[0] / 2.0, 0.003) {
        faults.push(format!("{pair}: slides {slides:?}"));
    }
    if !is_capture && feet[0].is_finite() {
        soles.push(feet[1].max(-feet[0]));
        if feet[0] < -0.1 || feet[1] > 0.1 {
            faults.push(format!("{pair}: soles {feet:?}"));
        }
    }
}

#[test]
fn motions_of_others_on_bodies_of_others_look_and_stand_as_they_do() {
    let (Some(bvh), Some(motions), Some(bodies)) = (actors("bvh"), actors("motions"), actors("bodies"))
    else {
        return;
    };
    let sources: Vec<&(Opened, Actor)> = bvh.iter().chain(&motions).collect();
    let targets: Vec<&(Opened, Actor)> = bodies.iter().chain(bvh.iter().step_by(5)).collect();
    assert!(sources.len() >= 30 && targets.len() >= 14, "{} {}", sources.len(), targets.len());
    let all = sources.iter().enumerate().flat_map(|(n, source)| {
        let own = targets.iter().enumerate().filter(move |(m, _)| (n + m) % EVERY == 0);
        own.map(move |(_, target)| (*source, *target))
    });
    let is_odd = |(source, target): &(&(Opened, Actor), &(Opened, Actor))| {
        ODD_MOTIONS.contains(&source.1.name.as_str()) || ODD_BODIES.contains(&target.1.name.as_str())
    };
    // A motion of MikuMikuDance goes to a model by names.
    let is_bound = |(source, target): &(&(Opened, Actor), &(Opened, Actor))| {
        source.1.name.ends_with(".vmd") && target.1.name.ends_with(".pmx")
    };
    let pairs: Vec<_> = all.filter(|pair| !is_odd(pair) && !is_bound(pair)).collect();
    let judged: Vec<(String, Judged)> =
        pairs.par_iter().map(|(source, target)| judged_pair(source, target)).collect();
    assert!(judged.len() >= 180, "{}", judged.len());
    let (mut faults, mut soles) = (Vec::new(), Vec::new());
    for (pair, judged) in &judged {
        judge(pair, judged, &mut faults, &mut soles);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let near = soles.iter().filter(|own| **own <= 0.03).count();
    println!("{} pairs, {near} of {} stand within 3 % of their legs", judged.len(), soles.len());
    assert!(near * 10 >= soles.len() * 7, "{near} of {}", soles.len());
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
