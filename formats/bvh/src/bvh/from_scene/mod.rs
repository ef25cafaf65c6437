//! Scene to document. Conversion has brought the scene within the capabilities of the format: its axes and
//! unit, values that replace the rest pose, and a key of every channel on every frame of one grid.

mod frames;
mod roots;
mod skeleton;
mod stays;

use super::codes;
use super::document::{Channel, Document, Joint, JointKind, Motion};
use super::info::ID;
use super::notes;
use super::rate::frame_time_s;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, ErrorUnit, Fault, MaxError, Place, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Clip, Scene};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::{agreeing, counted, length};
use frames::{Frames, LargestDeviation, rounded};
use roots::Fewer;
use skeleton::{Bone, Skeleton};

/// Smallest reported differences of places, in metres: six decimals of centimetres.
const SEEN_M: f64 = 1e-8;

/// The grid for a clip without a grid.
const USUAL_RATE: FrameRate = FrameRate::FPS_60;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let orders = notes::orders(clip.source.as_ref());
    let skeleton = Skeleton::of(scene, clip, &orders);
    if skeleton.bones.is_empty() {
        let what = format!("{}, none of which is a joint", counted(scene.nodes.len(), "node"));
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what)));
    }
    let rate = clip.grid.unwrap_or(USUAL_RATE);
    let mut motion =
        Motion { joints: joints(&skeleton), frame_time_s: frame_time_s(rate), ..Motion::default() };
    let count = clip.frame_count(rate);
    options.most_frames.check(ID, count as u64, motion.width() as u64)?;
    let frames = Frames::of(&skeleton, clip, rate, count);
    motion.announced_frames = frames.count as u64;
    motion.values = frames.values(&skeleton);
    say(scene, &skeleton, &frames, rate, options.shell_m, report);
    Ok(Document::new(motion))
}

/// The joints of the file. A joint without children gets an end site, because other programs require one.
fn joints(skeleton: &Skeleton<'_>) -> Vec<Joint> {
    let mut joints: Vec<Joint> = Vec::with_capacity(skeleton.bones.len());
    let mut places = vec![0; skeleton.bones.len()];
    for (index, bone) in skeleton.bones.iter().enumerate() {
        let parent = bone.parent.and_then(|parent| places.get(parent)).copied();
        if let Some(number) = places.get_mut(index) {
            *number = joints.len();
        }
        let kind = match parent {
            None => JointKind::Root,
            Some(_) if bone.is_end => JointKind::EndSite,
            Some(_) => JointKind::Joint,
        };
        let name = if bone.is_end { String::new() } else { notes::stored_name(&bone.node.name).into_owned() };
        let joint_number = joints.len();
        joints.push(Joint { kind, name, parent, offset: bone.offset.map(rounded), channels: channels(bone) });
        if bone.is_leaf && !bone.is_end {
            joints.push(Joint { kind: JointKind::EndSite, parent: Some(joint_number), ..Joint::default() });
        }
    }
    joints
}

fn channels(bone: &Bone<'_>) -> Vec<Channel> {
    if bone.is_end {
        return Vec::new();
    }
    let positions = (0..3).map(Channel::Position).filter(|_| bone.has_positions);
    positions.chain(bone.order.axes().map(Channel::Rotation)).collect()
}

/// Reports kept, approximated and dropped parts.
fn say(
    scene: &Scene,
    skeleton: &Skeleton<'_>,
    frames: &Frames<'_>,
    rate: FrameRate,
    shell_m: f64,
    report: &mut Report,
) {
    let ends = skeleton.bones.iter().filter(|bone| bone.is_end).count();
    report.kept(match ends {
        0 => counted(skeleton.bones.len(), "joint"),
        _ => format!("{} and {}", counted(skeleton.bones.len() - ends, "joint"), counted(ends, "end site")),
    });
    match scene.clips.is_empty() {
        true => report.kept("the rest pose, as one frame"),
        false => report.kept(format!("{} at {rate}", counted(frames.count, "frame"))),
    }
    say_names(skeleton, report);
    if skeleton.other_nodes > 0 {
        let what =
            format!("{} without motion for meshes, cameras or lights", counted(skeleton.other_nodes, "node"));
        report.dropped(what, "the format holds only joints");
    }
    let metres = scene.basis.metres_per_unit.unwrap_or(1.0);
    if let Some((bone, off)) = skeleton.farthest().filter(|(_, off)| *off * metres > SEEN_M) {
        let (target, time) = (bone.node.name.clone(), Seconds(0.0));
        let max_error = MaxError { value: off * metres, unit: ErrorUnit::Metre, target, time };
        report.moved_further("places of joints that only tremble, as their offsets", max_error);
    }
    say_roots(skeleton, report);
    if skeleton.uneven > 0 {
        let what = format!("rest poses of {} below an uneven scale", counted(skeleton.uneven, "joint"));
        report.dropped(
            what,
            "the format has no scale; joints keep their rest positions, but rotate without it",
        );
    }
    let [turned, moved] = frames.between(skeleton, shell_m / metres);
    if let Some(LargestDeviation { size, target, time }) = turned {
        let max_error = MaxError { value: size, unit: ErrorUnit::Radian, target, time };
        report.unsampled("rotations", max_error);
    }
    if let Some(LargestDeviation { size, target, time }) = moved.filter(|moved| moved.size * metres > SEEN_M)
    {
        let max_error = MaxError { value: size * metres, unit: ErrorUnit::Metre, target, time };
        let what = if shell_m > 0.0 {
            format!("points up to {} from any joint", length(shell_m))
        } else {
            "joints".to_owned()
        };
        report.unsampled(what, max_error);
    }
}

/// Reports names with a different spelling in the file.
fn say_names(skeleton: &Skeleton<'_>, report: &mut Report) {
    let renamed = skeleton
        .bones
        .iter()
        .filter(|bone| !bone.is_end && notes::stored_name(&bone.node.name) != bone.node.name);
    let renamed: Vec<&str> = renamed.map(|bone| bone.node.name.as_str()).collect();
    if let Some(first) = renamed.first() {
        let what = format!(
            "the spelling of {} (blanks, braces or empty), such as {first:?}",
            counted(renamed.len(), "name")
        );
        report.dropped(what, "other programs read names up to the first blank; \"_\" is written instead");
    }
}

/// Reports joints left out for a single root, and roots if there are several.
fn say_roots(skeleton: &Skeleton<'_>, report: &mut Report) {
    let Fewer { above, leaves } = skeleton.fewer;
    if above > 0 {
        let what = format!(
            "{} above the root that {}",
            counted(above, "joint"),
            agreeing(above, "stands still", "stand still")
        );
        report.dropped(what, "other programs want one root that moves; it has their places");
    }
    if leaves > 0 {
        let what = format!(
            "{} beside the root that {}",
            counted(leaves, "joint"),
            agreeing(leaves, "stands still", "stand still")
        );
        report.dropped(what, "other programs want one root, and nothing hangs on them");
    }
    let roots = skeleton.bones.iter().filter(|bone| bone.parent.is_none()).count();
    if roots > 1 {
        let check = codes::SEVERAL_ROOTS;
        let actual = format!("{}, of which other programs read the first", counted(roots, "root"));
        report.push(check.severity, Fault::new(check.code, Place::File, "one root", actual));
    }
}
