//! Measures of motions of others on bodies of others: limbs point where those of the source do, and feet stand where they stand.
#![cfg(all(feature = "bvh", feature = "mmd", feature = "gltf", feature = "numpy", feature = "research"))]

use dopesheet::core::diag::{Judgement, MeasureKind, Report};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{Basis, HumanBone as B, Humanoid, NodeIndex, Scene, rebase};
use dopesheet::core::units::{FrameRate, Seconds};
use dopesheet::human::{ContactLimits, Contacts, Planted, contacts, propose};
use dopesheet::motion::bind;
use dopesheet::motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet::motion::sample::rig::{self, Behaviour};
use dopesheet::points::turn_points;
use dopesheet::{Conversion, ConvertOptions, Opened, ReadOptions, convert, open, puppet, registry};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

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
/// The trunk and the shoulders, which are built differently in each figure.
const TRUNK: [[B; 2]; 3] =
    [[B::Hips, B::Neck], [B::LeftShoulder, B::LeftUpperArm], [B::RightShoulder, B::RightUpperArm]];

/// Extensions of motions and bodies.
const EXTENSIONS: [&str; 8] = ["bvh", "fbx", "glb", "vrma", "npz", "vmd", "pmx", "vrm"];

/// A figure that moves, in glTF's axes and metres.
pub(crate) struct Actor {
    pub(crate) name: String,
    scene: Scene,
    humanoid: Humanoid,
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

/// Human figures among files, and the others, each with the reason.
pub(crate) fn actors(paths: &[PathBuf]) -> (Vec<(Opened, Actor)>, Vec<String>) {
    let read = |path: &PathBuf| {
        let no = |why: &dyn std::fmt::Display| format!("{}: {why}", name(path));
        let file = open(path, None, &ReadOptions::default()).map_err(|error| no(&error))?;
        let is_vmd = file.format().info().id == "vmd";
        let model = is_vmd.then(|| scene(&puppet::standard_model().unwrap()));
        let scene = solved(&file, model);
        let mut humanoid = propose(&scene, &NameMap::default()).humanoid;
        // The bones that carry the legs of MikuMikuDance's models.
        for node in humanoid.bones.values_mut() {
            let name = format!("{}D", scene.nodes[node.0].name);
            *node = scene.nodes.iter().position(|own| own.name == name).map_or(*node, NodeIndex);
        }
        match humanoid.missing().is_empty() {
            true => Ok((file, Actor { name: name(path), scene, humanoid })),
            false => Err(no(&"no human figure")),
        }
    };
    let all: Vec<Result<_, String>> = paths.par_iter().map(read).collect();
    let (human, others): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
    (human.into_iter().flatten().collect(), others.into_iter().filter_map(Result::err).collect())
}

/// Motions and bodies in a folder and below it, sorted.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_one =
        |path: &PathBuf| path.extension().is_some_and(|own| EXTENSIONS.iter().any(|one| own == *one));
    let below = |path: PathBuf| if path.is_dir() { files_below(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).filter(is_one).collect()
}

impl Actor {
    fn pose(&self, time: f64) -> impl Fn(B) -> Option<DAffine3> {
        let clip = self.scene.clips.last().cloned().unwrap_or_default();
        let pose = model_pose(&self.scene, &local_pose(&self.scene, &clip, Seconds(time))).0;
        let bones = self.humanoid.bones.clone();
        move |bone| pose.get(bones.get(&bone)?.0).copied()
    }

    fn places(&self, time: f64) -> impl Fn(B) -> Option<DVec3> {
        let pose = self.pose(time);
        move |bone| Some(pose(bone)?.translation)
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

    pub(crate) fn end(&self) -> f64 {
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

/// A measure of a motion on another figure that is beyond what is allowed.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The pair, and what was measured.
    pub(crate) text: String,
    /// True if a warning of the report says so.
    pub(crate) is_told: bool,
}

/// A measure with the bone that has it, and the time.
type Found = (f64, B, f64);

fn largest(all: impl Iterator<Item = Found>) -> Found {
    all.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, B::Hips, 0.0))
}

/// The largest angle in degrees of a limb, and by which the trunk or a shoulder leaves the mean angle that it has, between two figures,
/// turned by the rotation of axes onto axes that brings them nearest to each other.
fn angles(times: &[f64], source: &Actor, free: &Actor) -> [Found; 2] {
    let poses: Vec<_> = times.iter().map(|time| (*time, source.pose(*time), free.pose(*time))).collect();
    let ways = |turn: &DMat3, [from, to]: [B; 2]| -> Vec<(f64, [DVec3; 2], DQuat)> {
        let both = poses.iter().filter_map(|(time, theirs, ours)| {
            let way = |pose: &dyn Fn(B) -> Option<DAffine3>| {
                (pose(to)?.translation - pose(from)?.translation).try_normalize()
            };
            let frame = DQuat::from_mat3(turn) * theirs(from)?.to_scale_rotation_translation().1;
            Some((*time, [*turn * way(theirs)?, way(ours)?], frame))
        });
        both.collect()
    };
    let limb = |turn: &DMat3, limb: [B; 2]| {
        let off = |(time, [theirs, ours], _): (f64, [DVec3; 2], DQuat)| {
            (theirs.angle_between(ours).to_degrees(), limb[0], time)
        };
        ways(turn, limb).into_iter().map(off).collect::<Vec<Found>>()
    };
    let sum = |turn: &DMat3| LIMBS.iter().flat_map(|own| limb(turn, *own)).map(|own| own.0).sum::<f64>();
    let turn = turns().into_iter().min_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap();
    let trunk = |line: &[B; 2]| {
        let seen = ways(&turn, *line).into_iter();
        let seen: Vec<(f64, [DVec3; 2])> =
            seen.map(|(time, both, frame)| (time, both.map(|way| frame.inverse() * way))).collect();
        let built = seen.iter().map(|(_, [theirs, ours])| ours - theirs).sum::<DVec3>() / seen.len() as f64;
        let off = move |(time, [theirs, ours]): (f64, [DVec3; 2])| {
            ((theirs + built).angle_between(ours).to_degrees(), line[0], time)
        };
        seen.into_iter().map(off).collect::<Vec<Found>>()
    };
    [largest(LIMBS.iter().flat_map(|own| limb(&turn, *own))), largest(TRUNK.iter().flat_map(trunk))]
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
            let (ours, theirs) = (made.places(time), source.places(time));
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
) -> Result<(Conversion, Actor), dopesheet::Error> {
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

/// Largest speed by which a shin turns faster about its thigh than without held feet, in degrees per second, with the thigh and the time.
fn knees(times: &[f64], held: &Actor, free: &Actor) -> Found {
    let legs =
        [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];
    let shin = |actor: &Actor, [hip, knee, ankle]: [B; 3], time: f64| {
        let pose = actor.pose(time);
        let own = pose(ankle)?.translation - pose(knee)?.translation;
        Some(pose(hip)?.to_scale_rotation_translation().1.inverse() * own)
    };
    let faster = |leg: [B; 3]| {
        let both = [held, free].map(|actor| {
            times.iter().map(|time| shin(actor, leg, *time).unwrap_or(DVec3::Y)).collect::<Vec<_>>()
        });
        (1..times.len()).map(move |at| {
            let turned = both.each_ref().map(|all| all[at].angle_between(all[at - 1]).to_degrees());
            ((turned[0] - turned[1]) / (times[at] - times[at - 1]), leg[0], times[at])
        })
    };
    largest(legs.into_iter().flat_map(faster))
}

/// Text of the complaints of the verdict, and of the warning about a figure whose shape contradicts its names.
fn told(made: &Conversion) -> String {
    let findings = made.report.report.findings.iter();
    let shapes = findings.filter(|finding| finding.fault.code == "figure-shape");
    let shapes = shapes.map(|finding| finding.fault.found.to_string());
    let verdicts = made.report.report.verdicts.iter().flat_map(|verdict| verdict.complaints());
    shapes.chain(verdicts.map(ToString::to_string)).collect::<Vec<_>>().join(", ")
}

/// True of a fault within the limits of the verdict that the full report and JSON give as a measure over the limit of this test.
fn is_measured(made: &Conversion, kind: &str) -> bool {
    made.report.report.verdicts.iter().any(|verdict| {
        let is_over = |kind, limit| verdict.measure(kind).is_some_and(|measure| measure.size() > limit);
        match kind {
            "trunk" => is_over(MeasureKind::Trunk, 10.0_f64.to_radians()),
            "soles" => is_over(MeasureKind::Soles, 0.02) || is_over(MeasureKind::Depth, 0.02),
            _ => false,
        }
    })
}

/// Faults of a motion on a body: with free feet limbs point as the source's within 1°, and the trunk, which
/// bends in other places, and the shoulders within 10°; where feet stand, soles are within 2 cm of the ground, no foot slides farther than unheld, and knees turn by 300° a second faster at most. An error if it is refused.
pub(crate) fn faults(
    (file, source): &(Opened, Actor),
    (body, target): &(Opened, Actor),
) -> Result<Vec<Fault>, String> {
    let pair = format!("{} on {}", source.name, target.name);
    let put = |planted| put(file, (body, target), planted).map_err(|error| format!("{pair}: {error}"));
    let ((held, actor), (loose, free)) = (put(Planted::Feet)?, put(Planted::Nothing)?);
    // On frames of what is written; between them captures turn the shortest way.
    let end = source.end().min(free.end());
    let rate = free.scene.clips.last().and_then(|clip| clip.grid).unwrap_or(FrameRate::FPS_30);
    let times: Vec<f64> =
        (0..).map(|frame| rate.seconds(f64::from(frame)).0).take_while(|time| *time <= end).collect();
    let [limb, trunk] = angles(&times, source, &free);
    let knee = knees(&times, &actor, &free);
    let soles = soles(source, &actor, target.at_rest());
    let slides = held.report.report.slides.iter();
    let slides =
        slides.fold([0.0, 0.0], |all: [f64; 2], own| [all[0].max(own.before_m), all[1].max(own.after_m)]);
    let [is_model, is_capture] = [".pmx", ".bvh"].map(|end| target.name.ends_with(end));
    // Knees of models with IK never get quite straight, and MikuMikuDance's motions go by bones that others know nothing of.
    let straight = if is_model { 4.0 } else { 1.0 };
    // Two captures have more room: one has stands that the verdict finds elsewhere, the other bends between the joints whose line it measures.
    let measured = [
        (
            "limb",
            limb.0 > straight,
            format!("{:.1}° ({:?} at {:.3} s)", limb.0, limb.1, limb.2),
            (&loose, &[" off "][..]),
        ),
        (
            "trunk",
            trunk.0 > if source.name.starts_with("ganimator-Baseball") { 18.0 } else { 10.0 },
            format!("{:.1}° ({:?} at {:.3} s)", trunk.0, trunk.1, trunk.2),
            (&loose, &[" off "][..]),
        ),
        // A capture does not say where its soles are.
        (
            "soles",
            !is_capture && soles > if source.name.starts_with("assimp-01_01") { 0.035 } else { 0.02 },
            format!("{soles:.3} m"),
            (&held, &[" stand", " below the floor"]),
        ),
        ("slide", slides[1] > slides[0] + 0.002, format!("{slides:?} m"), (&held, &[" slide"])),
        (
            "knee",
            knee.0 > 300.0,
            format!("{:.0}°/s faster ({:?} at {:.3} s)", knee.0, knee.1, knee.2),
            (&held, &[" bends "]),
        ),
    ];
    let beyond = measured.into_iter().filter(|(_, is_beyond, ..)| *is_beyond);
    let fault = |(kind, _, measured, (made, words)): (&str, bool, String, (&Conversion, &[&str]))| {
        let told = told(made);
        Fault {
            text: format!("{pair}: {kind} {measured}; told: {told}"),
            // Who reads that a motion is bad looks at all of it.
            is_told: made.report.report.verdicts.iter().any(|verdict| verdict.judgement() == Judgement::Bad)
                || is_measured(made, kind)
                || words.iter().any(|word| told.contains(word))
                || told.contains("stays behind"),
        }
    };
    Ok(beyond.map(fault).collect())
}
