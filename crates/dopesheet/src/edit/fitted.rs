//! Scenes within their formats.

use super::unchanged::Unchanged;
use crate::convert::{ConvertOptions, bring_within, check_written, drop_start};
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, Held, KeyLayout};
use dopesheet_core::model::{Basis, Clip, NodeIndex, Outside, Scene, Track, rebase};
use dopesheet_core::units::Seconds;
use dopesheet_motion::conform::{hold_cuts, shorten_keys};
use dopesheet_motion::keys::cut::unrolled;
use dopesheet_motion::keys::trim::first_key;
use dopesheet_motion::{arrange, is_held};

/// Words about cameras and lights with keys on neighbouring frames.
const CUTS: &str = "keys of cameras and lights on neighbouring frames, which are cuts";

/// Words about tracks that the document stores with fewer bits.
const ROUNDED: &str = "keys, to the precision of their tracks";

/// Words about divided cubic rotations.
const UNIT: &str = "keys of cubic rotations made unit quaternions";

/// Result of [`fit`].
pub(super) struct Fitted {
    /// The scene before, if it was to be kept and tracks changed.
    pub(super) asked: Option<Scene>,
    /// Words about motion that the format's players show differently.
    pub(super) words: Vec<&'static str>,
    /// True if the document rounds keys of tracks that it takes.
    pub(super) is_rounded: bool,
}

/// Brings a scene within its format. Unchanged tracks stay, and tracks on the frames of the format's grid
/// stay too, because their times are exact. With `keeps` the scene before the changes is kept.
pub(super) fn fit(
    scene: &mut Scene,
    opened: &Opened,
    before: &Scene,
    options: &ConvertOptions<'_>,
    keeps: bool,
    report: &mut Report,
) -> Result<Fitted, Error> {
    let capabilities = options.to.capabilities(scene, options.variant.as_deref());
    check_written(scene, &capabilities, options)?;
    let in_document = options.to.held(&opened.document, before, scene);
    let is_rounded = in_document.iter().flatten().any(|held| *held == Held::Rounded);
    let exact = (is_rounded && keeps).then(|| scene.clone());
    let mut held: Vec<Vec<Track>> = scene.clips.iter_mut().zip(in_document).map(take_out).collect();
    held.resize_with(scene.clips.len(), Vec::new);
    let basis = capabilities.basis.unwrap_or(scene.basis);
    let metres_per_unit = scene.basis.metres_per_unit.or(basis.metres_per_unit);
    rebase(scene, &Basis { metres_per_unit, ..basis }, None);
    arrange(scene, &capabilities);
    // Nodes that hang on others are put in the world by the motion of all of them; a root is there already.
    let hangs = |node: &NodeIndex| scene.node(*node).is_some_and(|node| node.parent.is_some());
    let in_world: Vec<NodeIndex> = options.to.in_world(scene).into_iter().filter(hangs).collect();
    let uncut = cut(scene, &capabilities);
    let mut words: Vec<&'static str> = uncut.iter().map(|_| CUTS).collect();
    words.extend(is_rounded.then_some(ROUNDED));
    let mut asked = exact.or_else(|| uncut.filter(|_| keeps).map(|uncut| with(uncut, &held)));
    for (at, (clip, held)) in scene.clips.iter_mut().zip(&mut held).enumerate() {
        let mut tracks = std::mem::take(&mut clip.tracks);
        begin_with_keys(&mut tracks, &capabilities);
        // On frames a track may need a key at the clip's end.
        let lasts = |earlier: &&Clip| earlier.duration == clip.duration || !has_frames(&capabilities);
        let earlier = before.clips.get(at).filter(|earlier| earlier.grid == clip.grid).filter(lasts);
        let unchanged = Unchanged::of(earlier.map(|clip| &clip.tracks[..]).unwrap_or_default());
        let (mut staying, mut changed) = (Vec::new(), Vec::new());
        for (position, track) in tracks.into_iter().enumerate() {
            let stays = (in_world.is_empty() || track.target.node.is_none())
                && (unchanged.has(&track, position)
                    || (has_frames(&capabilities) && is_held(clip, &track, &capabilities)));
            if stays { staying.push(track) } else { changed.push(track) }
        }
        held.extend(staying);
        clip.tracks = changed;
    }
    if scene.clips.iter().any(|clip| !clip.tracks.is_empty()) {
        asked = asked.or_else(|| keeps.then(|| with(scene.clone(), &held)));
        let is_short = options.to.storage(options.variant.as_deref()).unit_rotations
            && scene.clips.iter_mut().map(shorten_keys).filter(|had_lengths| *had_lengths).count() > 0;
        words.extend(is_short.then_some(UNIT));
        settle_starts(scene, &capabilities, report);
        let ends = reach_last_keys(scene, before, &capabilities);
        bring_within(scene, &in_world, options, false, report)?;
        scene.clips.iter_mut().zip(ends).for_each(|(clip, end)| clip.duration = end);
    }
    for (clip, tracks) in scene.clips.iter_mut().zip(held) {
        clip.tracks.splice(..0, tracks);
    }
    Ok(Fitted { asked, words, is_rounded })
}

/// Makes cameras and lights hold still between neighbouring frames, if a format plays them like this. Yields the scene before, if a way is
/// lost.
fn cut(scene: &mut Scene, capabilities: &Capabilities) -> Option<Scene> {
    let are_cuts = capabilities.parts.orbits && has_frames(capabilities);
    let before = (are_cuts && (!scene.cameras.is_empty() || !scene.lights.is_empty())).then(|| scene.clone());
    let Scene { nodes, clips, .. } = scene;
    let mut loses_ways = false;
    for clip in clips.iter_mut().filter(|_| before.is_some()) {
        loses_ways |= hold_cuts(nodes, clip);
    }
    before.filter(|_| loses_ways)
}

/// A scene together with tracks taken out of it.
fn with(mut scene: Scene, tracks: &[Vec<Track>]) -> Scene {
    scene.clips.iter_mut().zip(tracks).for_each(|(clip, tracks)| clip.tracks.extend_from_slice(tracks));
    scene
}

/// Makes the start of a way to a first key a key, for files with ways from 0 only.
fn begin_with_keys(tracks: &mut [Track], capabilities: &Capabilities) {
    if !has_frames(capabilities) {
        return;
    }
    let channels = tracks.iter_mut().flat_map(|track| &mut track.channels);
    for curve in channels.flat_map(|channel| channel.composition.curves_mut()) {
        if let Outside::Ramp { start, .. } = &curve.before
            && start.0 > 0.0
            && let Some(unrolled_curve) = unrolled(curve)
        {
            *curve = unrolled_curve;
        }
    }
}

/// Takes the held tracks of a clip out.
fn take_out((clip, held): (&mut Clip, Vec<Held>)) -> Vec<Track> {
    let mut held = held.into_iter();
    clip.tracks.extract_if(.., |_| held.next().unwrap_or_default() != Held::Not).collect()
}

/// Says how much is lost before 0 in a format without negative times.
fn settle_starts(scene: &mut Scene, capabilities: &Capabilities, report: &mut Report) {
    for clip in &mut scene.clips {
        let Some(first) = first_key(clip).filter(|time| time.0 < 0.0 && !capabilities.negative_times) else {
            continue;
        };
        drop_start(clip, first, "the format starts at 0", report);
    }
}

/// Extends clips to their last key if keys stood behind the end before, so that a clip's end cuts off only
/// what an operation cut. Yields the earlier ends.
fn reach_last_keys(scene: &mut Scene, before: &Scene, capabilities: &Capabilities) -> Vec<Seconds> {
    let ends = scene.clips.iter().map(|clip| clip.duration).collect();
    if !has_frames(capabilities) {
        let goes_on = |clip: &Clip| last_key(clip).is_some_and(|last| last.0 > clip.end().0);
        for (clip, _) in scene.clips.iter_mut().zip(&before.clips).filter(|(_, earlier)| goes_on(earlier)) {
            clip.duration = last_key(clip).map_or(clip.duration, |last| Seconds(last.0.max(clip.duration.0)));
        }
    }
    ends
}

/// True if keys stand on frames, at exact times.
fn has_frames(capabilities: &Capabilities) -> bool {
    capabilities.grid.is_some() || capabilities.layout == KeyLayout::EveryFrame
}

/// The time of a clip's latest key; `None` if the clip has no keys.
pub(super) fn last_key(clip: &Clip) -> Option<Seconds> {
    let spans = clip.curves().filter_map(|curve| curve.times.span());
    spans.map(|(_, last)| last.0).reduce(f64::max).map(Seconds)
}
