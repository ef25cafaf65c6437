//! Scene to document. Conversion has brought the scene within the capabilities of the variant: its axes and
//! unit, values that replace the rest pose, and a key of every channel on every frame of one grid; for
//! bodies, a human figure resting in the T-pose.

mod body;
mod features;
mod frames;
mod joints;
mod robot;

use super::array::Array;
use super::document::Document;
use super::info::ID;
use crate::RESEARCH;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Clip, Scene};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use frames::Frames;

/// The grid for a clip without a grid.
const USUAL_RATE: FrameRate = FrameRate::FPS_60;

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let nothing = Clip::default();
    let clip = scene.clips.first().unwrap_or(&nothing);
    let rate = clip.grid.unwrap_or(USUAL_RATE);
    if scene.nodes.is_empty() {
        return Err(ConvertError::new(ID, ConvertErrorKind::NothingToConvert("no joints".into())));
    }
    let frames = Frames::of(scene, clip, rate, options.most_frames)?;
    let document = match options.variant.as_deref().unwrap_or("clip") {
        "clip" => Document::of_arrays(joints::clip(scene, &frames)),
        "positions" => Document::of_arrays(joints::positions(scene, &frames)),
        "smpl" => body::smpl(scene, clip, &frames, 24, report)?,
        "smplh" | "amass" => body::smpl(scene, clip, &frames, 52, report)?,
        "smplx" => body::smpl(scene, clip, &frames, 55, report)?,
        "humanml3d" => Document::of_arrays([
            ("layout".to_owned(), Array::texts(&[], &["humanml3d"])),
            ("positions".to_owned(), body::humanml3d(scene, &frames, report)?),
            ("fps".to_owned(), Array::f64s(&[], [rate.fps()])),
        ]),
        "motionx" if RESEARCH => {
            Document::of_arrays([("motion".to_owned(), body::motion_x(scene, clip, &frames, report)?)])
        }
        "motionx,npy" if RESEARCH => Document::of_array(body::motion_x(scene, clip, &frames, report)?),
        "kimodo" if RESEARCH => Document::of_arrays(body::kimodo(scene, &frames, report)?),
        "isaaclab" if RESEARCH => Document::of_arrays(robot::isaac_lab(scene, clip, &frames, report)),
        "humanml3d,npy" => Document::of_array(body::humanml3d(scene, &frames, report)?),
        "features" if RESEARCH => Document::of_arrays([
            ("layout".to_owned(), Array::texts(&[], &["features"])),
            ("features".to_owned(), body::features(scene, &frames, options, report)?),
            ("fps".to_owned(), Array::f64s(&[], [rate.fps()])),
        ]),
        "features,npy" if RESEARCH => Document::of_array(body::features(scene, &frames, options, report)?),
        other => {
            let what = format!("the variant {other:?} is unknown; `dopesheet formats` lists those of {ID}");
            return Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)));
        }
    };
    say(scene, &frames, report);
    Ok(document)
}

/// Reports the kept parts.
fn say(scene: &Scene, frames: &Frames<'_>, report: &mut Report) {
    match scene.clips.is_empty() {
        true => report.kept("the rest pose, as one frame"),
        false => report.kept(format!("{} at {}", counted(frames.count, "frame"), frames.rate)),
    }
}
