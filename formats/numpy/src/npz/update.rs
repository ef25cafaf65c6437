//! Bring a document up to a scene made from this document and changed since: if frames were only removed,
//! repeated or moved, all arrays with a row for each frame get the corresponding rows, and everything else
//! stays unchanged.

use super::array::Array;
use super::document::{Content, Document, File};
use super::from_scene::from_scene;
use super::layout::{Layout, interpret};
use super::to_scene::to_scene;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{FromScene, ToScene, warn_written_anew};
use dopesheet_core::model::{Clip, Curve, Scene, rebase};
use dopesheet_core::words::counted;

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let read = ToScene::to_update();
    let mut before = to_scene(document, &read, &mut Report::default())?;
    rebase(&mut before, &scene.basis, None);
    match picked(document, &before, scene) {
        Some((picked, frames)) => {
            *document = picked;
            report.kept(counted(frames, "frame"));
        }
        None => {
            interpret(document).left_out.into_iter().for_each(|(what, why)| report.dropped(what, why));
            let assumed = document.assumed.clone();
            *document = Document { assumed, ..from_scene(scene, options, report)? };
            warn_written_anew(report);
        }
    }
    Ok(())
}

/// The document with the frames of a scene, and their number; `None` if the scene shows anything but frames
/// of the document, or if an array may have rows of another kind.
fn picked(document: &Document, before: &Scene, scene: &Scene) -> Option<(Document, usize)> {
    let [Some(old), Some(clip)] = [before, scene].map(|scene| scene.clips.first()) else { return None };
    let channels = |clip: &'_ Clip| clip.tracks.iter().map(|track| track.channels.len()).collect::<Vec<_>>();
    let is_same = before.nodes.iter().map(|node| &node.name).eq(scene.nodes.iter().map(|node| &node.name))
        && channels(old) == channels(clip)
        && old.grid == clip.grid;
    let motion = interpret(document).motion?;
    let count = motion.frames()?;
    // Features say how far a frame is from the one before, and samples have their frames last.
    if !is_same || matches!(motion.layout, Layout::Features | Layout::Mdm) || motion.joints.len() == count {
        return None;
    }
    let frames = rows(old, clip)?;
    let mut new = document.clone();
    let (single, members) = match &mut new.file {
        File::Npy(array) => (Some(array), &mut [][..]),
        File::Npz(archive) => (None, &mut archive.members[..]),
        File::Pickle(_) => return None,
    };
    let arrays = members.iter_mut().filter_map(|member| match &mut member.content {
        Content::Array(array) => Some(array),
        Content::Other(_) => None,
    });
    for array in single.into_iter().chain(arrays).filter(|array| array.shape.first() == Some(&count)) {
        pick(array, &frames)?;
    }
    Some((new, frames.len()))
}

/// The earlier frame equal to each frame of a clip.
fn rows(old_clip: &Clip, clip: &Clip) -> Option<Vec<usize>> {
    let count = clip.frame_count(clip.grid?);
    let mut frames: Option<Vec<usize>> = None;
    let pairs = old_clip.tracks.iter().zip(&clip.tracks);
    for (old, new) in pairs.flat_map(|(old, new)| old.channels.iter().zip(&new.channels)) {
        let curves = |channel: &'_ dopesheet_core::model::Channel| -> Vec<Curve> {
            channel.composition.curves().cloned().collect()
        };
        for (old, new) in curves(old).iter().zip(&curves(new)) {
            let sources: Vec<usize> = (0..new.len())
                .map(|key| new.source(key).map(|frame| frame as usize))
                .collect::<Option<_>>()?;
            let is_frame = |(key, frame): (usize, &usize)| new.value(key) == old.value(*frame);
            if new.len() != count || !sources.iter().enumerate().all(is_frame) {
                return None;
            }
            if frames.get_or_insert_with(|| sources.clone()) != &sources {
                return None;
            }
        }
    }
    frames
}

/// Keeps some rows of an array; `None` if the array is no list of rows of numbers.
fn pick(array: &mut Array, rows: &[usize]) -> Option<()> {
    let count = *array.shape.first()?;
    if array.fortran_order || array.shape.len() < 2 || count == 0 {
        return None;
    }
    let bytes = array.data.len().checked_div(count).filter(|bytes| bytes * count == array.data.len())?;
    let mut data = Vec::with_capacity(bytes * rows.len());
    for row in rows {
        data.extend_from_slice(array.data.get(row * bytes..(row + 1) * bytes)?);
    }
    array.data = data;
    *array.shape.first_mut()? = rows.len();
    array.header.spelling = None;
    Some(())
}
