//! From a file to its poses.

use super::{PoseJoint, Poses};
use crate::choice::times::TimeSpec;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::muscles::refuse_muscles_alone;
use crate::playing::sample::{SampleOptions, Space, scene_to_sample, times};
use dopesheet_core::diag::{Fault, Place, ReadError};
use dopesheet_core::model::{Clip, Scene, Transform};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::Side;
use dopesheet_motion::sample::player::{CompiledClip, LoopingPolicy, Policies};
use dopesheet_motion::sample::rig::{Behaviour, Player};

/// Numbers of the transform of a joint.
const TRANSFORM: u64 = 10;

/// The poses of a clip of a file, after the rig if its model has one. A file without clips has its rest pose
/// at every time.
///
/// Without a rig, rotations are within 1e-6 radians of the values that [`sample`](fn@crate::sample) computes
/// in f64, and everything else within 1e-6 of its largest magnitude; with a rig, values are rounded from f64
/// once.
///
/// # Errors
/// As [`sample`](fn@crate::sample); also if a joint has NaN or infinity in its transform at some time, if the
/// clip moves nothing but muscles of a human figure, and if [`SampleOptions::space`] is not local, because
/// [`Poses::in_model_space`] makes the other poses.
pub fn poses(opened: &Opened, options: &SampleOptions<'_>) -> Result<Poses, Error> {
    if options.space != Space::Local {
        return Err(Error::Usage("expected poses in local space, found model space".into()));
    }
    let mut scene = scene_to_sample(opened, options)?;
    let clip = options.clip.take(&mut scene)?;
    let rest = Clip::default();
    let clip = clip.as_ref().unwrap_or(&rest);
    refuse_muscles_alone(std::slice::from_ref(clip))?;
    let numbers = TRANSFORM.saturating_mul(scene.nodes.len() as u64);
    let frame_limit = options.limits.max_frames.sampled(numbers, clip.most_keys());
    let (times_s, snapped) = times(clip, options, numbers, frame_limit)?;
    let joint = |(position, node): (usize, &dopesheet_core::model::Node)| PoseJoint {
        name: node.name.clone(),
        index: node.source_index.unwrap_or(position),
        parent: node.parent.map(|parent| parent.0),
        rest: node.rest,
    };
    let mut poses = Poses {
        name: clip.name.clone(),
        basis: scene.basis,
        hierarchy: scene.hierarchy,
        joints: scene.nodes.iter().enumerate().map(joint).collect(),
        rate: rate(&options.times, clip),
        times_s,
        translations: Vec::new(),
        rotations: Vec::new(),
        scales: Vec::new(),
    };
    play(&scene, clip, &snapped, &mut poses);
    check_finite(opened, &poses)?;
    Ok(poses)
}

/// Refuses poses with a number that is not finite, because later calculations could not name its source.
fn check_finite(opened: &Opened, poses: &Poses) -> Result<(), Error> {
    let numbers = [
        ("translation", &poses.translations, 3),
        ("rotation", &poses.rotations, 4),
        ("scale", &poses.scales, 3),
    ];
    for (word, values, width) in numbers {
        let Some(at) = values.iter().position(|value| !value.is_finite()) else { continue };
        let entry = at / width;
        let joint =
            poses.joints.get(entry % poses.joints.len().max(1)).map_or("", |joint| joint.name.as_str());
        let time = poses.times_s.get(entry / poses.joints.len().max(1)).copied().unwrap_or_default();
        let bad = values.get(at).map(|value| format!("{value} in the {word} of \"{joint}\" at {time:.3} s"));
        let fault = Fault::new("pose-not-finite", Place::File, "finite poses", bad.unwrap_or_default());
        return Err(ReadError::new(opened.format().info().id, fault).into());
    }
    Ok(())
}

/// The rate, if the times are the frames of a rate from 0 on.
fn rate(times: &TimeSpec, clip: &Clip) -> Option<FrameRate> {
    match times {
        TimeSpec::Grid => clip.grid,
        TimeSpec::Rate(fps) => FrameRate::from_fps(*fps),
        TimeSpec::List(_) | TimeSpec::Steps { .. } => None,
    }
}

fn play(scene: &Scene, clip: &Clip, times: &[Seconds], out: &mut Poses) {
    let entries = times.len() * scene.nodes.len();
    out.translations.reserve_exact(3 * entries);
    out.rotations.reserve_exact(4 * entries);
    out.scales.reserve_exact(3 * entries);
    match Player::new(scene, clip, Behaviour::default()) {
        Ok(mut player) if !scene.rig.is_empty() => {
            for time in times {
                player.pose_at(*time, Side::At).local.iter().for_each(|joint| push(out, joint));
            }
        }
        _ => play_compiled(&CompiledClip::new(scene, clip), times, out),
    }
}

fn push(out: &mut Poses, joint: &Transform) {
    out.translations.extend(joint.translation.map(|x| x as f32));
    out.rotations.extend(joint.rotation.map(|x| x as f32));
    out.scales.extend(joint.scale.map(|x| x as f32));
}

fn play_compiled(clip: &CompiledClip, times: &[Seconds], out: &mut Poses) {
    // As `sample` does: before the start and behind the end the curves say what holds.
    let policies = Policies { looping: LoopingPolicy::AsKeyed, ..Policies::default() };
    let (mut cursor, mut pose) = (clip.cursor(), clip.pose());
    for time in times {
        clip.sample(*time, policies, &mut cursor, &mut pose);
        for joint in (0..pose.joints()).filter_map(|joint| pose.joint(joint)) {
            out.translations.extend(joint.translation);
            out.rotations.extend(joint.rotation);
            out.scales.extend(joint.scale);
        }
    }
}
