//! Feet and hands of a figure that stay where they stand when it takes the motion of another one.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, HumanBone as B, Humanoid, Law, Node, NodeIndex, Property, Scene,
    Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_human::limb::Limb;
use dopesheet_human::{Carry, CarryOptions, ContactLimits, Planted, carry, contacts};
use dopesheet_motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet_testkit::curves::wide;
use glam::{DAffine3, DQuat, DVec3};
use std::f64::consts::PI;

pub(crate) type Figure = (Scene, Humanoid);

/// Lengths of a figure, in metres.
#[derive(Clone, Copy)]
pub(crate) struct Build {
    thigh: f64,
    shin: f64,
    /// Height of the ankles, and length of the feet from there to the balls.
    ankle: f64,
    foot: f64,
    /// Half of the distance between the hips.
    hip: f64,
    arm: f64,
    toes: bool,
}

pub(crate) const ACTOR: Build =
    Build { thigh: 0.45, shin: 0.42, ankle: 0.08, foot: 0.14, hip: 0.09, arm: 0.28, toes: true };
pub(crate) const SHORT_SHINS: Build = Build { thigh: 0.5, shin: 0.3, hip: 0.12, foot: 0.1, ..ACTOR };
const LONG_SHINS: Build = Build { thigh: 0.3, shin: 0.46, hip: 0.06, ankle: 0.12, arm: 0.2, ..ACTOR };
const WITHOUT_TOES: Build = Build { thigh: 0.6, shin: 0.5, hip: 0.15, arm: 0.4, toes: false, ..ACTOR };

impl Build {
    fn leg(&self) -> f64 {
        self.thigh + self.shin
    }

    /// From the ankle to the ball, which is 2 cm high.
    fn ball(&self) -> DVec3 {
        DVec3::new(0.0, 0.02 - self.ankle, self.foot)
    }

    fn scaled(self, by: f64) -> Self {
        let Self { thigh, shin, ankle, foot, hip, arm, toes } = self;
        let own = Self { thigh: thigh * by, shin: shin * by, ankle: ankle * by, foot: foot * by, ..self };
        Self { hip: hip * by, arm: arm * by, toes, ..own }
    }

    pub(crate) fn figure(&self) -> Figure {
        let hips = self.ankle + self.leg();
        let mut rows: Vec<(B, Option<B>, DVec3)> = vec![
            (B::Hips, None, DVec3::Y * hips),
            (B::Spine, Some(B::Hips), DVec3::Y * 0.15),
            (B::Head, Some(B::Spine), DVec3::Y * 0.4),
        ];
        let legs = [
            (1.0, [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes]),
            (-1.0, [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot, B::RightToes]),
        ];
        for (side, [thigh, shin, foot, toes]) in legs {
            rows.push((thigh, Some(B::Hips), DVec3::X * (side * self.hip)));
            rows.push((shin, Some(thigh), DVec3::NEG_Y * self.thigh));
            rows.push((foot, Some(shin), DVec3::NEG_Y * self.shin));
            if self.toes {
                rows.push((toes, Some(foot), self.ball()));
            }
        }
        let arms = [
            (1.0, [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand]),
            (-1.0, [B::RightUpperArm, B::RightLowerArm, B::RightHand]),
        ];
        for (side, [arm, elbow, hand]) in arms {
            rows.push((arm, Some(B::Spine), DVec3::new(side * 0.15, 0.3, 0.0)));
            rows.push((elbow, Some(arm), DVec3::X * (side * self.arm)));
            rows.push((hand, Some(elbow), DVec3::X * (side * self.arm)));
        }
        let mut scene = Scene::new(Basis::GLTF);
        let mut humanoid = Humanoid { rests_in_t_pose: true, ..Humanoid::default() };
        for (bone, above, offset) in rows {
            let rest = Transform { translation: offset.to_array(), ..Transform::IDENTITY };
            let parent = above.map(|above| humanoid.bones[&above]);
            let node = scene.push_node(Node::new(bone.word(), parent, rest));
            humanoid.bones.insert(bone, node);
        }
        (scene, humanoid)
    }
}

/// A clip of a figure whose limbs bring their ends to places, with turns of the ends: at each frame the hips' place and turn, and for
/// each limb where its end goes and how it is pitched.
fn moving(
    build: &Build,
    fps: f64,
    end: f64,
    hips: impl Fn(f64) -> (DVec3, DQuat),
    ends: impl Fn(usize, f64) -> Option<(DVec3, f64)>,
) -> Figure {
    let (mut scene, humanoid) = build.figure();
    let rate = FrameRate::from_fps(fps).unwrap();
    let count = (end * fps).round() as i64 + 1;
    let mut limbs = Limb::legs(&scene, &humanoid, DVec3::Z);
    limbs.extend(Limb::arms(&scene, &humanoid, DVec3::Z));
    let mut rows: Vec<Vec<f32>> = vec![Vec::new(); 2 + 3 * limbs.len()];
    for frame in 0..count {
        let time = frame as f64 / fps;
        let (place, turn) = hips(time);
        let mut pose = rest_pose(&scene);
        pose.0[0].translation = place.to_array();
        pose.0[0].rotation = turn.to_array();
        rows[0].extend(place.to_array().map(|x| x as f32));
        rows[1].extend(turn.to_array().map(|x| x as f32));
        for (index, limb) in limbs.iter().enumerate() {
            let placed = limb.placed(&scene, &pose);
            let turned = match ends(index, time) {
                // Feet look to the front whatever the hips do.
                Some((to, pitch)) => {
                    let [upper, middle, end] = placed.brought_to(to).unwrap();
                    [upper, middle, end * turn.inverse() * DQuat::from_rotation_x(pitch)]
                }
                None => placed.local(),
            };
            for (joint, own) in turned.into_iter().enumerate() {
                rows[2 + 3 * index + joint].extend(own.to_array().map(|x| x as f32));
            }
        }
    }
    let times = Times::Frames { rate, frames: (0..count).collect() };
    let whole = |property: Property, values: &[f32]| {
        let (width, law) = if property == Property::Rotation { (4, Law::SLERP) } else { (3, Law::LINEAR) };
        Channel::whole(property, wide(times.clone(), width, values, law))
    };
    let track = |node: NodeIndex, channels: Vec<Channel>, scene: &Scene| {
        let name = scene.nodes[node.0].name.clone();
        Track { target: Target::new(TargetKind::Joint, name, node.0, Some(node)), channels }
    };
    let both = vec![whole(Property::Translation, &rows[0]), whole(Property::Rotation, &rows[1])];
    let mut tracks = vec![track(NodeIndex(0), both, &scene)];
    for (index, node) in limbs.iter().flat_map(|limb| limb.joints).enumerate() {
        tracks.push(track(node, vec![whole(Property::Rotation, &rows[2 + index])], &scene));
    }
    let duration = rate.seconds((count - 1) as f64);
    scene.clips.push(Clip { duration, tracks, grid: Some(rate), ..Clip::default() });
    (scene, humanoid)
}

/// Duration of a cycle of walking, in seconds; share of it for which a foot stands; speed in metres per second.
const CYCLE: f64 = 1.1;
const STANCE: f64 = 0.62;
const SPEED: f64 = 1.0;

/// The ankle and the pitch of a foot that walks: it rolls over its ball before it leaves.
fn step(build: &Build, side: f64, time: f64) -> (DVec3, f64) {
    let phase = time / CYCLE + if side > 0.0 { 0.0 } else { 0.5 };
    let (count, phase) = (phase.floor(), phase.rem_euclid(1.0));
    let stride = SPEED * CYCLE;
    let flat = |count: f64| {
        DVec3::new(side * build.hip, build.ankle, stride * (count - 0.5 * (1.0 - side.max(0.0))) + 0.3)
    };
    let pitched =
        |place: DVec3, pitch: f64| place + build.ball() - DQuat::from_rotation_x(pitch) * build.ball();
    let most = 0.6;
    if phase < STANCE {
        let pitch = most * ((phase - 0.35) / (STANCE - 0.35)).max(0.0).powi(2);
        return (pitched(flat(count), pitch), pitch);
    }
    let share = (phase - STANCE) / (1.0 - STANCE);
    let eased = share * share * (3.0 - 2.0 * share);
    let pitch = most * (1.0 - eased);
    let way = pitched(flat(count), most).lerp(flat(count + 1.0), eased);
    (way + DVec3::Y * (0.08 * (PI * share).sin().powi(2)), pitch)
}

/// A walk as it is captured, with jitter of a size.
pub(crate) fn walk(build: &Build, fps: f64, jitter: f64) -> Figure {
    let hips = |time: f64| {
        let swing = 2.0 * PI * time / CYCLE;
        let bob = 0.015 * (2.0 * swing).cos();
        let place = DVec3::new(0.03 * swing.sin(), build.ankle + 0.86 * build.leg() + bob, SPEED * time);
        (place, DQuat::from_rotation_y(0.12 * swing.sin()) * DQuat::from_rotation_z(0.05 * swing.cos()))
    };
    let shaken = |n: f64, time: f64| {
        let noise = |k: f64| (time * (27.0 + 9.7 * k + 3.1 * n)).sin();
        DVec3::new(noise(1.0), noise(2.0).abs(), noise(3.0)) * jitter
    };
    moving(build, fps, 4.0, hips, |limb, time| {
        let side = [1.0, -1.0].get(limb)?;
        let (place, pitch) = step(build, *side, time);
        Some((place + shaken(*side, time), pitch))
    })
}

pub(crate) fn onto(source: &Figure, target: &Figure, planted: Planted) -> (Scene, Report) {
    let (names, mut report) = (NameMap::default(), Report::default());
    let [from, to] = [source, target].map(|(scene, humanoid)| dopesheet_human::Figure { scene, humanoid });
    let options = CarryOptions { planted, ..CarryOptions::new(&names) };
    let made = carry(&Carry { from, to: Some(to), goals: None }, &options, &mut report).unwrap().scene;
    (made, report)
}

pub(crate) fn pose(scene: &Scene, time: f64) -> Vec<DAffine3> {
    model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time))).0
}

/// Frames of a clip.
pub(crate) fn times(scene: &Scene) -> Vec<f64> {
    let rate = scene.clips[0].grid.unwrap();
    let count = rate.frame(scene.clips[0].duration).round() as usize;
    (0..=count).map(|frame| rate.seconds(frame as f64).0).collect()
}

/// Fastest that a foot of the source is while it stands, in metres per second: at both ends it leaves and arrives.
const STILL: f64 = 0.08;

/// Way along the ground from one time to the next: of the ankle or the ball, whichever goes less far.
fn along(poses: &[Vec<DAffine3>], node: usize, ball: DVec3) -> f64 {
    let along = |point: DVec3| {
        let way = poses[1][node].transform_point3(point) - poses[0][node].transform_point3(point);
        way.with_y(0.0).length()
    };
    along(DVec3::ZERO).min(along(ball))
}

/// Ways along the ground by which feet slide while those of the source stand.
fn slides(source: &Figure, made: &Scene, (build, humanoid): (&Build, &Humanoid)) -> Vec<f64> {
    let found = contacts(&source.0, &source.1, &source.0.clips[0], &ContactLimits::default()).unwrap();
    let times = times(&source.0);
    let poses = |scene: &Scene| times.iter().map(|time| pose(scene, *time)).collect::<Vec<_>>();
    let (theirs, ours) = (poses(&source.0), poses(made));
    let ball = if build.toes { build.ball() } else { ACTOR.ball() * build.leg() / ACTOR.leg() };
    let mut all = Vec::new();
    for (foot, toes) in [(B::LeftFoot, B::LeftToes), (B::RightFoot, B::RightToes)] {
        let stands = |time: f64| found.stands(foot, Seconds(time)) || found.stands(toes, Seconds(time));
        let mut slide: Option<f64> = None;
        for (at, pair) in times.windows(2).enumerate() {
            if !(stands(pair[0]) && stands(pair[1])) {
                all.extend(slide.take());
                continue;
            }
            let theirs = along(&theirs[at..], source.1.bones[&foot].0, ACTOR.ball());
            let is_still = theirs <= STILL * (pair[1] - pair[0]);
            let own = if is_still { along(&ours[at..], humanoid.bones[&foot].0, ball) } else { 0.0 };
            *slide.get_or_insert(0.0) += own;
        }
        all.extend(slide);
    }
    all
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

pub(crate) const LEGS: [[B; 3]; 2] =
    [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];

/// Speeds of both knees from frame to frame, in degrees per second.
fn knees(scene: &Scene, humanoid: &Humanoid, times: &[f64]) -> Vec<f64> {
    let mut all = Vec::new();
    for leg in LEGS {
        let angle = |time: &f64| {
            let pose = pose(scene, *time);
            let [hip, knee, ankle] = leg.map(|bone| pose[humanoid.bones[&bone].0].translation);
            (knee - hip).angle_between(ankle - knee).to_degrees()
        };
        let angles: Vec<f64> = times.iter().map(angle).collect();
        let speeds = angles.windows(2).zip(times.windows(2));
        all.extend(speeds.map(|(angle, time)| (angle[1] - angle[0]).abs() / (time[1] - time[0])));
    }
    all
}

#[test]
fn feet_that_stand_in_a_walk_stand_on_other_legs() {
    // As LAFAN1 is captured, and as CMU's files are.
    for (fps, jitter) in [(30.0, 0.0), (120.0, 0.002)] {
        let source = walk(&ACTOR, fps, jitter);
        let times = times(&source.0);
        for (name, build) in
            [("short shins", SHORT_SHINS), ("long shins", LONG_SHINS), ("without toes", WITHOUT_TOES)]
        {
            let target = build.figure();
            let (free, _) = onto(&source, &target, Planted::Nothing);
            let (held, _) = onto(&source, &target, Planted::Feet);
            let [before, after] = [&free, &held].map(|made| slides(&source, made, (&build, &target.1)));
            assert!(before.len() >= 8, "{before:?}");
            let what = format!("{name} at {fps} fps: {before:?}, held {after:?}");
            assert!(median(after.clone()) <= median(before) / 2.0, "{what}");
            assert!(jitter > 0.0 || after.iter().all(|slide| *slide <= 0.005), "{what}");
            let [theirs, ours] = [knees(&source.0, &source.1, &times), knees(&held, &target.1, &times)];
            let faster = ours.iter().zip(&theirs).map(|(ours, theirs)| ours - theirs).fold(0.0, f64::max);
            assert!(faster <= 300.0, "{name} at {fps} fps: knees turn {faster}°/s faster");
            for time in &times {
                let height = |made: &Scene| pose(made, *time)[target.1.bones[&B::LeftFoot].0].translation.y;
                let lowest = height(&free).min(build.ankle) - 0.001;
                assert!(height(&held) > lowest, "{name} at {fps} fps: {} at {time}", height(&held));
            }
        }
    }
}

#[test]
fn feet_that_need_no_correction_keep_their_keys() {
    let source = rocking();
    for by in [1.0, 1.6] {
        let target = ACTOR.scaled(by).figure();
        let (free, _) = onto(&source, &target, Planted::Nothing);
        let (held, report) = onto(&source, &target, Planted::Feet);
        assert!(free.clips == held.clips, "{by}: {report:?}");
        assert!(report.losses.iter().any(|loss| format!("{loss:?}").contains("stands")), "{report:?}");
    }
}

#[test]
fn only_limbs_that_are_held_get_other_keys() {
    let source = walk(&ACTOR, 30.0, 0.0);
    let target = SHORT_SHINS.figure();
    let (free, _) = onto(&source, &target, Planted::Nothing);
    let (held, _) = onto(&source, &target, Planted::Feet);
    let legs: Vec<NodeIndex> = LEGS.iter().flatten().map(|bone| target.1.bones[bone]).collect();
    for (before, after) in free.clips[0].tracks.iter().zip(&held.clips[0].tracks) {
        let node = after.target.node.unwrap();
        assert_eq!(before.target, after.target);
        let turns =
            |track: &Track| track.channels.iter().find(|own| own.property == Property::Rotation).cloned();
        assert_eq!(turns(before) == turns(after), !legs.contains(&node), "{}", after.target.name);
    }
}

#[test]
fn a_report_says_how_far_each_stand_slides() {
    let source = walk(&ACTOR, 30.0, 0.0);
    let (_, report) = onto(&source, &SHORT_SHINS.figure(), Planted::Feet);
    let kept = report.losses.iter().filter_map(|loss| match loss {
        Loss::Kept { what } => Some(what.as_str()),
        _ => None,
    });
    let kept: Vec<&str> = kept.collect();
    assert!(kept.iter().any(|what| what.contains("stands, which slide by 0.")), "{kept:?}");
    assert!(kept.iter().any(|what| what.contains("leftToes from ")), "{kept:?}");
    let (_, report) = onto(&source, &SHORT_SHINS.figure(), Planted::Nothing);
    assert!(!format!("{report:?}").contains("stands"), "{report:?}");
}

/// A figure on all fours that rocks.
fn rocking() -> Figure {
    let lean = DQuat::from_rotation_x(1.4);
    let hips = |time: f64| (DVec3::new(0.0, 0.45, 0.06 * (2.0 * PI * time).sin()), lean);
    moving(&ACTOR, 30.0, 2.0, hips, |limb, _| {
        let side = [1.0, -1.0][limb % 2];
        let place = if limb < 2 {
            DVec3::new(side * ACTOR.hip, ACTOR.ankle, -0.4)
        } else {
            DVec3::new(side * 0.2, 0.08, 0.5)
        };
        Some((place, 0.0))
    })
}

#[test]
fn hands_on_the_ground_stay_there_if_that_is_asked_for() {
    let source = rocking();
    for build in [SHORT_SHINS, WITHOUT_TOES] {
        let target = build.figure();
        let sway = |planted: Planted, bone: B| {
            let (made, _) = onto(&source, &target, planted);
            let node = target.1.bones[&bone].0;
            let places: Vec<DVec3> =
                times(&source.0).iter().map(|time| pose(&made, *time)[node].translation).collect();
            places.iter().map(|own| (*own - places[0]).with_y(0.0).length()).fold(0.0, f64::max)
        };
        for hand in [B::LeftHand, B::RightHand] {
            let [held, free] = [Planted::All, Planted::Feet].map(|planted| sway(planted, hand));
            assert!(held < 0.0005 && free > 0.002, "{held}, without {free}");
        }
        // A leg that would turn too far lets its foot slide, and the report says so.
        let is_told = format!("{:?}", onto(&source, &target, Planted::All).1).contains("the hold of");
        assert!(is_told || sway(Planted::All, B::LeftFoot) < 0.005);
    }
}

#[test]
fn hips_come_down_for_legs_that_do_not_reach() {
    // With knees bent alike, a leg whose bones are as long as each other is shorter than one with a long shin.
    let theirs = Build { thigh: 0.25, shin: 0.62, ..ACTOR };
    let hips = |time: f64| {
        let low = 0.04 * (PI * time).sin().powi(2);
        (DVec3::Y * (theirs.ankle + 0.99 * theirs.leg() - low), DQuat::IDENTITY)
    };
    let source = moving(&theirs, 30.0, 4.0, hips, |limb, _| {
        let side = [1.0, -1.0].get(limb)?;
        Some((DVec3::new(side * (theirs.hip + 0.02), theirs.ankle, 0.0), 0.0))
    });
    let build = ACTOR;
    let target = build.figure();
    let (free, _) = onto(&source, &target, Planted::Nothing);
    let (held, _) = onto(&source, &target, Planted::Feet);
    let at = |made: &Scene, bone: B, time: f64| pose(made, time)[target.1.bones[&bone].0].translation;
    let mut deepest: f64 = 0.0;
    for time in times(&source.0) {
        let depth = at(&free, B::Hips, time).y - at(&held, B::Hips, time).y;
        assert!((-1e-4..0.09).contains(&depth), "{depth} at {time}");
        deepest = deepest.max(depth);
        assert!((at(&held, B::LeftFoot, time).y - build.ankle).abs() < 0.005, "{time}");
    }
    assert!(deepest > 0.001, "{deepest}");
}

/// A foot that stands until 0.8 s, is dragged over the ground for 0.2 s, and steps forward; as the hips go on.
fn dragged() -> Figure {
    let hips = |time: f64| {
        let place = DVec3::new(0.0, ACTOR.ankle + 0.86 * ACTOR.leg(), 0.4 * time - 0.1);
        (place, DQuat::IDENTITY)
    };
    moving(&ACTOR, 60.0, 1.5, hips, |limb, time| {
        let side = [1.0, -1.0].get(limb)?;
        let step = ((time - 1.0) / 0.4).clamp(0.0, 1.0);
        let moved = if *side > 0.0 { 0.6 * (time - 0.8).clamp(0.0, 0.2) + 0.2 * step } else { 0.15 };
        let lifted = if *side > 0.0 { 0.1 * (PI * step).sin() } else { 0.0 };
        Some((DVec3::new(side * ACTOR.hip, ACTOR.ankle + lifted, moved), 0.0))
    })
}

#[test]
fn a_held_foot_goes_as_its_source_goes_until_it_is_off_the_ground() {
    let source = dragged();
    for build in [SHORT_SHINS, LONG_SHINS] {
        let target = build.figure();
        let (held, _) = onto(&source, &target, Planted::Feet);
        let gone = |(scene, humanoid): (&Scene, &Humanoid), time: f64| {
            let at = |time: f64| pose(scene, time)[humanoid.bones[&B::LeftFoot].0].translation.with_y(0.0);
            at(time) - at(0.7)
        };
        for frame in 42..=60 {
            let time = f64::from(frame) / 60.0;
            let theirs = gone((&source.0, &source.1), time) * build.leg() / ACTOR.leg();
            let ours = gone((&held, &target.1), time);
            assert!(ours.distance(theirs) < 0.002, "{ours} beside {theirs} at {time}");
        }
    }
}

#[test]
fn no_held_foot_slides_farther_than_the_same_foot_unheld() {
    for source in [walk(&ACTOR, 30.0, 0.0), walk(&ACTOR, 120.0, 0.002), rocking(), dragged()] {
        for build in [SHORT_SHINS, LONG_SHINS, WITHOUT_TOES] {
            let (_, report) = onto(&source, &build.figure(), Planted::Feet);
            assert!(!report.slides.is_empty());
            for slide in &report.slides {
                assert!(slide.after_m <= slide.before_m + 0.002, "{slide:?}");
            }
        }
    }
}

#[test]
fn hips_go_along_with_standing_feet_and_stay_near_their_way() {
    let hips = |time: f64| {
        let low = 0.25 * (PI * time / 2.0).sin().powi(2);
        (DVec3::Y * (ACTOR.ankle + 0.95 * ACTOR.leg() - low), DQuat::IDENTITY)
    };
    let squat = moving(&ACTOR, 30.0, 4.0, hips, |limb, _| {
        let side = [1.0, -1.0].get(limb)?;
        Some((DVec3::new(side * ACTOR.hip, ACTOR.ankle, 0.0), 0.0))
    });
    for (source, least) in [(squat, 0.005), (walk(&ACTOR, 30.0, 0.0), 0.0)] {
        for build in [SHORT_SHINS, LONG_SHINS] {
            let target = build.figure();
            let [(free, _), (held, _)] =
                [Planted::Nothing, Planted::Feet].map(|held| onto(&source, &target, held));
            let at = |made: &Scene, time: f64| pose(made, time)[target.1.bones[&B::Hips].0].translation;
            let off = |time: &f64| at(&free, *time).distance(at(&held, *time));
            let farthest = times(&source.0).iter().map(off).fold(0.0, f64::max);
            assert!((least..0.071 * build.leg()).contains(&farthest), "{farthest}");
        }
    }
}

#[test]
fn a_stretched_leg_bends_forward_wherever_its_figure_looks() {
    let (scene, humanoid) = ACTOR.figure();
    for turn in [0.0, 0.5 * PI, PI, 4.0] {
        let mut local = rest_pose(&scene);
        local.0[0].rotation = DQuat::from_rotation_y(turn).to_array();
        for limb in Limb::legs(&scene, &humanoid, DVec3::Z) {
            let placed = limb.placed(&scene, &local);
            let turned = placed.brought_to(placed.places[2] + DVec3::Y * 0.1).unwrap();
            for (node, own) in limb.joints.iter().zip(turned) {
                local.0[node.0].rotation = own.to_array();
            }
            let bent = limb.placed(&scene, &local);
            assert!(bent.places[2].distance(placed.places[2] + DVec3::Y * 0.1) < 1e-6);
            let front = DQuat::from_rotation_y(turn) * DVec3::Z;
            let knee = bent.places[1] - placed.places[1];
            assert!(knee.dot(front) > 0.1, "{turn}: {knee:?}");
        }
    }
}

#[test]
fn a_knee_that_passes_through_straight_does_not_flip() {
    let (scene, humanoid) = ACTOR.figure();
    let limb = Limb::legs(&scene, &humanoid, DVec3::Z)[0];
    let mut before: Option<DVec3> = None;
    for n in -100..=100 {
        // Knees of captures bend backwards by some degrees when they are stretched.
        let angle = 0.001 * f64::from(n);
        let mut local = rest_pose(&scene);
        local.0[limb.joints[1].0].rotation = DQuat::from_rotation_x(angle).to_array();
        let placed = limb.placed(&scene, &local);
        assert!((placed.angle() - angle).abs() < 1e-6, "{}", placed.angle());
        let turned = placed.bent_towards(placed.places[2] + DVec3::X * 0.01, angle + 0.05).unwrap();
        for (node, own) in limb.joints.iter().zip(turned) {
            local.0[node.0].rotation = own.to_array();
        }
        let knee = limb.placed(&scene, &local).places[1];
        assert!(before.is_none_or(|before| before.distance(knee) < 0.002), "{angle}");
        before = Some(knee);
    }
}

#[test]
fn a_bent_knee_whose_plane_turns_round_does_not_jump_where_it_bends_further() {
    let (scene, humanoid) = ACTOR.figure();
    let limb = Limb::legs(&scene, &humanoid, DVec3::Z)[0];
    for bent in [0.02, 0.6] {
        let mut before = None;
        for n in 0..=360 {
            let mut local = rest_pose(&scene);
            let plane = DQuat::from_rotation_y(f64::from(n).to_radians());
            local.0[limb.joints[1].0].rotation =
                (plane * DQuat::from_rotation_x(bent) * plane.inverse()).to_array();
            let placed = limb.placed(&scene, &local);
            let turned = placed.bent_towards(placed.places[2], placed.angle() + 0.2).unwrap();
            for (node, own) in limb.joints.iter().zip(turned) {
                local.0[node.0].rotation = own.to_array();
            }
            let made = limb.placed(&scene, &local);
            let turn = before.map_or(0.0, |before| made.turn_from(&before));
            assert!(turn < 0.05, "bent by {bent}, at {n}°: {turn}");
            before = Some(made);
        }
    }
}

#[test]
fn curves_of_a_leg_stay_within_the_tolerance_of_what_holds_it() {
    let source = walk(&ACTOR, 30.0, 0.0);
    let (held, report) = onto(&source, &LONG_SHINS.figure(), Planted::Feet);
    for loss in &report.losses {
        if let Loss::Approximated { what, max_error, .. } = loss {
            assert!(max_error.value < 5e-4, "{what}: {max_error:?}");
        }
    }
    let keys = held.clips[0].tracks.iter().flat_map(|track| &track.channels);
    assert!(keys.filter(|own| matches!(own.composition, Composition::Whole(_))).count() > 6);
}
