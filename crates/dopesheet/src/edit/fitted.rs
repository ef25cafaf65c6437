//! Scenes within what their format holds.

use super::unchanged::Unchanged;
use crate::convert::{ConvertOptions, bring_within, check_written, drop_start};
use crate::error::Error;
use crate::read::Opened;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, KeyLayout};
use dopesheet_core::model::{Basis, Clip, Outside, Scene, Track, rebase};
use dopesheet_core::units::Seconds;
use dopesheet_motion::keys::cut::unrolled;
use dopesheet_motion::keys::trim::first_key;
use dopesheet_motion::{arrange, is_held};

/// Brings a scene within what its format holds. Tracks that it holds as they are stay so: those that did not change, and those on the
/// frames of its grid, whose times are exact. Yields the scene before other tracks were brought within it, where somebody `keeps` it.
pub(super) fn fit(
    scene: &mut Scene,
    (opened, before): (&Opened, &Scene),
    (options, keeps): (&ConvertOptions<'_>, bool),
    report: &mut Report,
) -> Result<Option<Scene>, Error> {
    let capabilities = options.to.capabilities(scene, options.variant.as_deref());
    check_written(scene, &capabilities, options)?;
    let in_document = options.to.held(&opened.document, before, scene);
    let mut held: Vec<Vec<Track>> = scene.clips.iter_mut().zip(in_document).map(take_out).collect();
    held.resize_with(scene.clips.len(), Vec::new);
    let basis = capabilities.basis.unwrap_or(scene.basis);
    let metres_per_unit = scene.basis.metres_per_unit.or(basis.metres_per_unit);
    rebase(scene, &Basis { metres_per_unit, ..basis }, None);
    arrange(scene, &capabilities);
    for (at, (clip, held)) in scene.clips.iter_mut().zip(&mut held).enumerate() {
        let mut tracks = std::mem::take(&mut clip.tracks);
        begin_with_keys(&mut tracks, &capabilities);
        // On frames a track may need a key at the clip's end.
        let lasts = |own: &&Clip| own.duration == clip.duration || !has_frames(&capabilities);
        let own = before.clips.get(at).filter(|own| own.grid == clip.grid).filter(lasts);
        let unchanged = Unchanged::of(own.map(|own| &own.tracks[..]).unwrap_or_default());
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (position, track) in tracks.into_iter().enumerate() {
            let stays = unchanged.has(&track, position)
                || (has_frames(&capabilities) && is_held(clip, &track, &capabilities));
            if stays { own.push(track) } else { others.push(track) }
        }
        held.extend(own);
        clip.tracks = others;
    }
    let mut asked = None;
    if scene.clips.iter().any(|clip| !clip.tracks.is_empty()) {
        asked = keeps.then(|| {
            let mut asked = scene.clone();
            asked.clips.iter_mut().zip(&held).for_each(|(clip, own)| clip.tracks.extend_from_slice(own));
            asked
        });
        settle_starts(scene, &capabilities, report);
        let ends = reach_last_keys(scene, before, &capabilities);
        bring_within(scene, options, false, report)?;
        scene.clips.iter_mut().zip(ends).for_each(|(clip, end)| clip.duration = end);
    }
    for (clip, own) in scene.clips.iter_mut().zip(held) {
        clip.tracks.splice(..0, own);
    }
    Ok(asked)
}

/// Makes the start of ways to first keys a key, where files only know the way that starts at 0.
fn begin_with_keys(tracks: &mut [Track], capabilities: &Capabilities) {
    if !has_frames(capabilities) {
        return;
    }
    let channels = tracks.iter_mut().flat_map(|track| &mut track.channels);
    for curve in channels.flat_map(|channel| channel.composition.curves_mut()) {
        if let Outside::Ramp { start, .. } = &curve.before
            && start.0 > 0.0
            && let Some(made) = unrolled(curve)
        {
            *curve = made;
        }
    }
}

/// Takes the tracks of a clip out that are held.
fn take_out((clip, held): (&mut Clip, Vec<bool>)) -> Vec<Track> {
    let mut held = held.into_iter();
    clip.tracks.extract_if(.., |_| held.next().unwrap_or_default()).collect()
}

/// Says what is lost before 0, where the format has no such times.
fn settle_starts(scene: &mut Scene, capabilities: &Capabilities, report: &mut Report) {
    for clip in &mut scene.clips {
        let Some(first) = first_key(clip).filter(|time| time.0 < 0.0 && !capabilities.negative_times) else {
            continue;
        };
        drop_start(clip, first, "the format starts at 0", report);
    }
}

/// Makes clips last until their last key where keys stood behind the end before: no operation cut them off. Yields when they end.
fn reach_last_keys(scene: &mut Scene, before: &Scene, capabilities: &Capabilities) -> Vec<Seconds> {
    let ends = scene.clips.iter().map(|clip| clip.duration).collect();
    if !has_frames(capabilities) {
        let goes_on = |own: &Clip| last_key(own).is_some_and(|last| last.0 > own.end().0);
        for (clip, _) in scene.clips.iter_mut().zip(&before.clips).filter(|(_, own)| goes_on(own)) {
            clip.duration = last_key(clip).map_or(clip.duration, |last| Seconds(last.0.max(clip.duration.0)));
        }
    }
    ends
}

/// True if keys stand on frames, so that their times are exact.
fn has_frames(capabilities: &Capabilities) -> bool {
    capabilities.grid.is_some() || capabilities.layout == KeyLayout::EveryFrame
}

/// The latest key of a clip, if it has any.
pub(super) fn last_key(clip: &Clip) -> Option<Seconds> {
    let channels = clip.tracks.iter().flat_map(|track| &track.channels);
    let spans =
        channels.flat_map(|channel| channel.composition.curves()).filter_map(|curve| curve.times.span());
    spans.map(|(_, last)| last.0).reduce(f64::max).map(Seconds)
}
