//! Bytes to document: the scene of ufbx as plain data.
//!
//! The C library is called through the safe functions of its crate; this room has no `unsafe`.

mod cameras;
mod cycle;
mod encryption;
mod fault;
mod limits;
mod materials;
mod meshes;
mod morphs;
mod numbers;
mod records;
mod remarks;
mod still;
mod takes;
mod times;
mod unplaced;
mod work;

use super::codes;
use super::document::{Document, Header};
use dopesheet_core::diag::Fault;
use dopesheet_core::format::{ResourceName, Source};
use dopesheet_core::units::FrameRate;
use fault::fault;
use remarks::Remarks;
use ufbx::{CoordinateAxes, LoadOpts, SceneRoot};

/// A word before every name of a picture's file.
const FILE_OF_PICTURE: &[u8] = b"RelativeFilename";

/// Names of pictures beside a file.
pub(super) fn wants(bytes: &[u8]) -> Vec<ResourceName> {
    let has_word = bytes.windows(FILE_OF_PICTURE.len()).any(|window| window == FILE_OF_PICTURE);
    let options = LoadOpts { ignore_geometry: true, ignore_animation: true, ..limits::options(bytes.len()) };
    let scene = if has_word { ufbx::load_memory(bytes, options).ok() } else { None };
    scene.map_or_else(Vec::new, |scene| materials::wanted(&scene))
}

pub(super) fn read(source: &Source<'_>) -> Result<Document, Fault> {
    let bytes = source.main;
    encryption::check(bytes)?;
    times::check_text(bytes)?;
    // The reader ignores axes that are not three different ones.
    let mut scene = load(bytes, CoordinateAxes::default())?;
    let mut remarks = Remarks::new(&scene);
    let axes = still::axes(&scene.settings, &mut remarks);
    let basis = still::basis(axes, &scene.settings, &mut remarks);
    if !scene.cameras.is_empty() || !scene.lights.is_empty() {
        // Cameras and lights of FBX look along axes of their own; the reader turns them if it knows where to, which is
        // written in the file. There is memory for one of both.
        drop(scene);
        scene = load(bytes, axes)?;
    }
    let rate = rate(&scene, &mut remarks);
    let mut still = still::still(&scene, basis, &mut remarks);
    let cut = meshes::add(&scene, &mut still, limits::beside(&scene, bytes.len()), &mut remarks);
    let unplaced = unplaced::of(&scene, &cut, &mut remarks);
    let (takes, curves) = takes::takes(&scene, &still, rate, bytes.len(), &mut remarks)?;
    let header = Header {
        version: scene.metadata.version,
        encoding: match (scene.metadata.ascii, scene.metadata.big_endian) {
            (true, _) => "text",
            (false, true) => "binary, big-endian",
            (false, false) => "binary",
        },
        creator: scene.metadata.creator.to_string(),
        frames_per_second: scene.settings.frames_per_second,
        ticks_per_second: scene.metadata.ktime_second.max(1) as f64,
    };
    let textures = materials::textures(&scene, source);
    let surfaces = scene.materials.into_iter().map(materials::surface).collect();
    let (still, remarks) = (still.scene, remarks.finish());
    Ok(Document { header, still, textures, surfaces, curves, takes, remarks, unplaced })
}

/// The file as loaded by the library, with cameras and lights along the directions of some axes.
fn load(bytes: &[u8], optics: CoordinateAxes) -> Result<SceneRoot, Fault> {
    let mut reached = 0;
    let mut note = |now: &ufbx::Progress| {
        // At the end of a text the reader counts from 0 again.
        reached = now.bytes_read.max(reached);
        ufbx::ProgressResult::Continue
    };
    let options = LoadOpts {
        geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        target_camera_axes: optics,
        target_light_axes: optics,
        progress_cb: ufbx::ProgressCb::Mut(&mut note),
        progress_interval_hint: 1,
        ..limits::options(bytes.len())
    };
    let loaded = ufbx::load_memory(bytes, options);
    loaded.map_err(|error| fault(&error, bytes, reached))
}

/// The stated frame rate.
fn rate(scene: &ufbx::Scene, remarks: &mut Remarks) -> FrameRate {
    let stated = scene.settings.frames_per_second;
    FrameRate::from_fps(stated).unwrap_or_else(|| {
        remarks.push(
            codes::FRAME_RATE,
            "a frame rate above 0",
            "",
            format!("{stated} frames per second; 30 are used"),
        );
        FrameRate::FPS_30
    })
}
