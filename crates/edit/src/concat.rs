//! Concatenation of motions.

use crate::divided::{Divided, once, part};
use crate::joined::{CurvePart, first_value, joined, last_value};
use crate::others::{adopted, numbered};
use crate::refused::{self, Reason};
use crate::same_curves::make_alike;
use crate::{ends, rest};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Curve, Marker, Node, Outside, Scene, Target, TargetKind, Times, Track,
};
use dopesheet_core::times::TimeValue;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Options of [`concat()`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Concat {
    /// The motions that follow, in order. Their clips are paired by position.
    pub others: Vec<Arc<Scene>>,
    /// Time between two clips, in which each curve goes straight from the last pose to the next. Without a
    /// blend the next clip starts at the last pose if its first pose is the same, else a frame later; without
    /// frames the pose then jumps.
    pub blend: Option<TimeValue>,
    /// True if a blend of a fractional number of frames is rounded to whole frames; else it is refused.
    pub snap: bool,
}

/// Puts other motions behind a clip. Tracks correspond if their kinds and names are equal.
///
/// All keys stay as they are, except that keys at a seam are merged if all poses there are equal. A track
/// missing from a file is at rest there, if the rest pose is known; else it holds its value. Equal markers on
/// both sides of a seam at the same time are merged.
///
/// # Errors
/// If there is no other motion, or a motion has no clip at that position, other frames, or another skeleton;
/// if a curve reaches beyond its clip and cannot be divided at its end.
pub fn concat(scene: &mut Scene, clip: usize, options: &Concat, report: &mut Report) -> Result<(), Reason> {
    if options.others.is_empty() {
        return Err(refused::no_others());
    }
    let others = options.others.iter().map(|other| adopted(scene, clip, other));
    let others = others.collect::<Result<Vec<Clip>, Reason>>()?;
    let Scene { clips, nodes, basis, .. } = scene;
    let Some(first_clip) = clips.get_mut(clip) else { return Ok(()) };
    let blend = options.blend.map(|blend| ends::time(first_clip, blend, options.snap)).transpose()?;
    if let Some(blend) = blend.filter(|blend| blend.0 <= 0.0) {
        return Err(refused::not_above_0(blend.0));
    }
    put_behind(first_clip, &others.iter().collect::<Vec<_>>(), &Joint { nodes, blend, basis }, report)
}

/// Facts about the seams of clips.
pub(crate) struct Joint<'a> {
    /// Nodes of the scene.
    pub(crate) nodes: &'a [Node],
    /// Time between two clips.
    pub(crate) blend: Option<Seconds>,
    pub(crate) basis: &'a Basis,
}

/// Puts clips behind a clip that has the same frames.
pub(crate) fn put_behind(
    clip: &mut Clip,
    others: &[&Clip],
    joint: &Joint<'_>,
    report: &mut Report,
) -> Result<(), Reason> {
    let mut divided = Divided::of(joint.basis);
    let clips: Vec<&Clip> = std::iter::once(&*clip).chain(others.iter().copied()).collect();
    let lanes = lanes(&clips, joint, &mut divided)?;
    let places = places(&lanes, &clips, joint);
    let tracks: Vec<Track> = lanes.iter().map(|lane| lane.track(&places)).collect();
    let markers = markers(&clips, &places);
    let end = places.last().map_or(clip.duration, |place| place.end);
    (clip.tracks, clip.markers, clip.duration) = (tracks, markers, end);
    divided.tell(report);
    Ok(())
}

/// Stretch of a clip in the result.
#[derive(Clone, Copy)]
struct ClipStretch {
    start: Seconds,
    end: Seconds,
}

/// A track, each channel with its part of every clip.
struct JoinedTrack {
    target: Target,
    channels: Vec<Vec<Option<Channel>>>,
}

/// All tracks of all clips, in the order of the first clip that has each.
fn lanes(clips: &[&Clip], joint: &Joint<'_>, divided: &mut Divided) -> Result<Vec<JoinedTrack>, Reason> {
    let mut lane_of: HashMap<(TargetKind, &str, usize), usize> = HashMap::new();
    let mut lanes: Vec<(JoinedTrack, Vec<Option<usize>>)> = Vec::new();
    for (at, clip) in clips.iter().enumerate() {
        for (position, (track, number)) in clip.tracks.iter().zip(numbered(&clip.tracks)).enumerate() {
            let lane = *lane_of.entry(number).or_insert_with(|| {
                lanes.push((
                    JoinedTrack { target: track.target.clone(), channels: Vec::new() },
                    vec![None; clips.len()],
                ));
                lanes.len() - 1
            });
            if let Some(slot) = lanes.get_mut(lane).and_then(|(_, tracks)| tracks.get_mut(at)) {
                *slot = Some(position);
            }
        }
    }
    let mut filled = Vec::with_capacity(lanes.len());
    for (mut lane, tracks) in lanes {
        let tracks = clips.iter().zip(tracks).map(|(clip, track)| clip.tracks.get(track?));
        let tracks: Vec<_> = tracks.collect();
        let mut properties = Vec::new();
        for channel in tracks.iter().flatten().flat_map(|track| &track.channels) {
            if !properties.contains(&channel.property) {
                properties.push(channel.property.clone());
            }
        }
        for property in properties {
            let mut parts = Vec::with_capacity(clips.len());
            for (at, (clip, track)) in clips.iter().zip(&tracks).enumerate() {
                let channel = track
                    .and_then(|track| track.channels.iter().find(|channel| channel.property == property));
                let start = (at > 0).then_some(Seconds(0.0));
                let channel = channel.map(|channel| {
                    let all = (Seconds(0.0), clip.end());
                    let channel = once(channel, &lane.target, all, divided);
                    part(&channel, &lane.target, (start, clip.end()), divided)
                });
                parts.push(
                    channel
                        .transpose()?
                        .filter(|channel| channel.composition.curves().any(|curve| !curve.is_empty())),
                );
            }
            fill_components(&mut parts);
            make_alike(&mut parts, &lane.target)?;
            lane.channels.push(parts);
        }
        if let Some(clip) = clips.first() {
            rest::fill_together(&mut lane.channels, clip, &lane.target, joint.nodes);
        }
        filled.push(lane);
    }
    Ok(filled)
}

/// Gives a component without keys a key of value zero, its implied value, if another clip moves the
/// component.
fn fill_components(parts: &mut [Option<Channel>]) {
    let has_keys = |part: &Channel| part.composition.curves().map(|curve| !curve.is_empty()).collect();
    let keyed: Vec<Vec<bool>> = parts.iter().flatten().map(has_keys).collect();
    for part in parts.iter_mut().flatten() {
        for (at, curve) in part.composition.curves_mut().into_iter().enumerate() {
            if curve.is_empty() && keyed.iter().any(|clip| clip.get(at) == Some(&true)) {
                let zero = vec![0.0; curve.width];
                *curve = Curve::new(Times::Seconds([0.0].into()), curve.width, zero, curve.laws.clone());
            }
        }
    }
}

/// Stretches of all clips: each starts at the end of the clip before, or later if the poses differ.
fn places(lanes: &[JoinedTrack], clips: &[&Clip], joint: &Joint<'_>) -> Vec<ClipStretch> {
    let grid = clips.first().and_then(|clip| clip.grid);
    let snapped = |time: f64| grid.map_or(Seconds(time), |rate: FrameRate| rate.snap(Seconds(time)));
    let mut places: Vec<ClipStretch> = Vec::with_capacity(clips.len());
    for (at, clip) in clips.iter().enumerate() {
        let start = places.last().map_or(Seconds(0.0), |before| {
            let jumps = lanes.iter().any(|lane| !lane.meets(at));
            let frame = grid.filter(|_| jumps).map_or(Seconds(0.0), |rate| rate.seconds(1.0));
            snapped(before.end.0 + joint.blend.unwrap_or(frame).0)
        });
        places.push(ClipStretch { start, end: snapped(start.0 + clip.end().0) });
    }
    places
}

impl JoinedTrack {
    /// The parts of all channels in a clip, with the parts in the clip before.
    fn seam(&self, at: usize) -> impl Iterator<Item = (&Channel, &Channel)> {
        let before = at.checked_sub(1);
        self.channels.iter().filter_map(move |parts| {
            let before = parts.get(before?).and_then(Option::as_ref);
            before.zip(parts.get(at).and_then(Option::as_ref))
        })
    }

    /// True if a clip begins with the last pose of the clip before.
    fn meets(&self, at: usize) -> bool {
        self.seam(at).all(|(before, after)| {
            let mut curves = before.composition.curves().zip(after.composition.curves());
            curves.all(|(before, after)| is_one(before, last_value(before), first_value(after)))
        })
    }

    /// True if a clip only holds the last pose of the clip before.
    fn is_silent(&self, at: usize) -> bool {
        let is_held = |curve: &Curve| curve.len() <= 1 && !matches!(curve.before, Outside::Ramp { .. });
        self.meets(at) && self.seam(at).all(|(_, after)| after.composition.curves().all(is_held))
    }

    /// The track, with the parts of each channel joined.
    fn track(&self, places: &[ClipStretch]) -> Track {
        let seams: Vec<(bool, bool)> =
            (0..places.len()).map(|at| (self.meets(at), self.is_silent(at))).collect();
        let channels = self.channels.iter().filter_map(|parts| channel(parts, places, &seams));
        Track { target: self.target.clone(), channels: channels.collect() }
    }
}

/// All parts of a channel, joined.
fn channel(parts: &[Option<Channel>], places: &[ClipStretch], seams: &[(bool, bool)]) -> Option<Channel> {
    let mut joined_channel = parts.iter().flatten().next()?.clone();
    for (at, curve) in joined_channel.composition.curves_mut().into_iter().enumerate() {
        let curve_parts = parts.iter().zip(places.iter().zip(seams)).enumerate();
        let curve_parts = curve_parts.filter_map(|(clip, (part, (place, (meets, is_silent))))| {
            let curve = part.as_ref()?.composition.curves().nth(at)?;
            Some(CurvePart {
                curve,
                later: place.start,
                start: if clip == 0 { start_of(curve) } else { place.start },
                end: place.end,
                is_own: clip == 0,
                meets: *meets,
                is_silent: *is_silent,
            })
        });
        let curve_parts: Vec<CurvePart<'_>> = curve_parts.filter(|part| !part.curve.is_empty()).collect();
        if let Some(joined) = joined(&curve_parts) {
            *curve = joined;
        }
    }
    Some(joined_channel)
}

/// Time at which a curve begins to move.
fn start_of(curve: &Curve) -> Seconds {
    match &curve.before {
        Outside::Ramp { start, .. } => *start,
        _ => curve.times.get(0).unwrap_or_default(),
    }
}

/// Distance of two markers in seconds, up to which files may have rounded the same time differently.
const SAME_TIME_S: f64 = 1e-6;

/// The markers of all clips. Of equal markers at the end of a clip and the start of the next, at the same
/// time, only one is kept.
fn markers(clips: &[&Clip], places: &[ClipStretch]) -> Vec<Marker> {
    let content = |marker: &Marker| (marker.name.clone(), marker.data.as_ref().map(ToString::to_string));
    let is_at = |marker: &Marker, time: Seconds| (marker.time.0 - time.0).abs() <= SAME_TIME_S;
    let mut all: Vec<Marker> = Vec::new();
    let mut seam = (Seconds(0.0), HashSet::new());
    for (clip, place) in clips.iter().zip(places) {
        for marker in &clip.markers {
            let later = Marker { time: Seconds(marker.time.0 + place.start.0), ..marker.clone() };
            if !is_at(&later, seam.0) || !seam.1.contains(&content(marker)) {
                all.push(later);
            }
        }
        let last = clip.markers.iter().filter(|marker| is_at(marker, clip.end()));
        seam = (place.end, last.map(content).collect());
    }
    all
}

/// True if two values of a curve are equal; rotations on great arcs are equal whatever their sign.
fn is_one(curve: &Curve, a: &[f32], b: &[f32]) -> bool {
    let is_turned = || {
        (a.len(), b.len()) == (4, 4)
            && curve.laws.runs().all(|law| law.blend == Blend::Slerp)
            && a.iter().zip(b).all(|(x, y)| *x == -*y)
    };
    a == b || is_turned()
}
