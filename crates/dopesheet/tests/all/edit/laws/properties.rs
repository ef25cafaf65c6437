//! Properties that define operations, as differences of what is played before and after.

use super::files::{Source, source_of};
use super::play::{Off, Pair, Targets, moved_s, placed, places, told};
use dopesheet::core::diag::{ErrorUnit, Severity};
use dopesheet::core::format::KeyLayout;
use dopesheet::core::model::{
    Blend, Clip, Curve, Hierarchy, NodeIndex, Outside, RestPose, Scene, TargetKind, Track,
};
use dopesheet::core::units::{FrameRate, Seconds};
use dopesheet::motion::compare::{ChannelDifference, Course, Stretch, compare_along};
use dopesheet::motion::conform::in_units;
use dopesheet::motion::{Animation, Tolerance, moves};
use dopesheet::{Opened, Report};
use glam::DVec3;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Times of a file that operations name, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Where a range starts: on a key of most files.
    pub(crate) start: f64,
    /// Where it ends: between two keys of most files.
    pub(crate) stop: f64,
    /// The clip's end.
    pub(crate) end: f64,
    pub(crate) grid: Option<FrameRate>,
}

impl Span {
    pub(crate) fn of(source: &Source) -> Self {
        let Some(clip) = source.scene.clips.first() else {
            return Self { start: 0.0, stop: 0.0, end: 0.0, grid: None };
        };
        let (end, grid) = (clip.end().0, clip.grid);
        let at = |share: f64| match grid {
            Some(rate) => rate.seconds(rate.frame(Seconds(share * end)).round()).0,
            None => share * end,
        };
        Self { start: at(0.25), stop: at(0.6), end, grid }
    }

    /// A time as operations take it: a frame where the file has frames.
    pub(crate) fn time(&self, time: f64) -> Value {
        match self.grid {
            Some(rate) => json!(format!("{}f", rate.frame(Seconds(time)).round())),
            None => json!(time),
        }
    }

    pub(crate) fn range(&self, start: f64, end: f64) -> Value {
        json!([self.time(start), self.time(end)])
    }

    /// Length of a frame, or next to nothing.
    pub(crate) fn frame(&self) -> f64 {
        self.grid.map_or(1e-4, |rate| rate.seconds(1.0).0)
    }

    /// About a hundredth of a second: whole frames where there are any, one at least.
    pub(crate) fn step(&self) -> f64 {
        self.grid.map_or(0.01, |rate| rate.seconds(rate.frame(Seconds(0.01)).round().max(1.0)).0)
    }
}

/// A stretch of the result, and the old time of each new one: `speed` times the new one, and `offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) speed: f64,
    pub(crate) offset: f64,
}

impl Piece {
    /// A stretch that plays as the source does so much later.
    pub(crate) const fn later(start: f64, end: f64, offset: f64) -> Self {
        Self { start, end, speed: 1.0, offset }
    }

    fn old(&self, new: f64) -> f64 {
        self.speed * new + self.offset
    }
}

/// A file before and after an operation.
pub(crate) struct Trial<'a> {
    pub(crate) source: &'a Source,
    pub(crate) span: Span,
    pub(crate) file: &'a Opened,
    pub(crate) scene: &'a Scene,
    pub(crate) report: &'a Report,
    /// The frames that alone are looked at, where what is between them means nothing.
    pub(crate) frames: Option<FrameRate>,
}

pub(crate) type Held = Result<(), String>;

/// Metres, radians and plain numbers that single precision costs.
const ROUNDED: [f64; 3] = [2e-6, 2e-6, 4e-6];

impl Trial<'_> {
    pub(crate) fn clip(&self) -> Clip {
        self.scene.clips.first().cloned().unwrap_or_default()
    }

    /// True if the format's motions stand on frames.
    pub(crate) fn has_frames(&self) -> bool {
        self.source.file.format().info().capabilities.grid.is_some() || self.has_every_frame()
    }

    /// True of a track that moves before the end.
    pub(crate) fn has_moving(&self, track: &Track) -> bool {
        moves(track, (Seconds(0.0), Seconds(self.span.end)))
    }

    /// True if a channel has keys at times that others have none at.
    pub(crate) fn has_keys_of_its_own(&self) -> bool {
        self.source.file.format().info().capabilities.layout == KeyLayout::PerChannel
    }

    pub(crate) fn has_every_frame(&self) -> bool {
        self.source.file.format().info().capabilities.layout == KeyLayout::EveryFrame
    }

    /// All that moves is elsewhere by a way in metres, along the axes of the file.
    pub(crate) fn is_moved(&self, by: [f64; 3]) -> Held {
        let unit = self.scene.basis.metres_per_unit.unwrap_or(1.0);
        let way = DVec3::from(by) / unit;
        let tracks = self.source.scene.clips.first().into_iter().flat_map(|clip| &clip.tracks);
        let moved = tracks.filter(|track| {
            track.target.kind != TargetKind::Light
                && track.channels.iter().any(|channel| places(&track.target, channel))
        });
        let nodes: Vec<NodeIndex> = moved.filter_map(|track| track.target.node).collect();
        let place = |scene: &Scene, name: &str| scene.nodes.iter().position(|node| node.name == name);
        for share in [0.0, 0.31, 0.77, 1.0] {
            let time = share * self.span.end;
            let [before, after] = [&self.source.scene, self.scene].map(|scene| placed(scene, 0, time));
            // A bone that carries all others moves for them.
            let carrier =
                place(self.scene, "全ての親").filter(|_| self.scene.hierarchy == Hierarchy::Unknown);
            for node in &nodes {
                let name = &self.source.scene.nodes[node.0].name;
                let found = match (carrier, place(self.scene, name)) {
                    (Some(carrier), _) => after[carrier].translation,
                    (None, Some(new)) => after[new].translation - before[node.0].translation,
                    (None, None) => DVec3::NAN,
                };
                expect(found.distance(way) * unit <= 4e-6, || {
                    format!("expected {name} moved by {way} at {time} s, found {found}")
                })?;
            }
        }
        Ok(())
    }

    /// No error that the source lacks.
    pub(crate) fn check_findings(&self) -> Held {
        let codes = |file: &Opened| {
            let mut report = Report::default();
            file.format().check(&file.document, &mut report);
            let errors = report.findings.into_iter().filter(|finding| finding.severity == Severity::Error);
            errors.map(|finding| finding.fault.code).collect::<BTreeSet<_>>()
        };
        let new: Vec<_> = codes(self.file).difference(&codes(&self.source.file)).copied().collect();
        if new.is_empty() {
            Ok(())
        } else {
            Err(format!("expected no errors that the source lacks, found {new:?}"))
        }
    }

    /// The result plays as the source does at the times that its pieces stand for, within what the report states.
    pub(crate) fn plays(&self, pieces: &[Piece]) -> Held {
        self.plays_within(pieces, Targets::All, told(self.report))
    }

    /// As [`plays`](Self::plays), for some targets and within other bounds.
    pub(crate) fn plays_within(&self, pieces: &[Piece], targets: Targets<'_>, allowed: [f64; 3]) -> Held {
        let scenes = [&self.source.scene, self.scene];
        let mut pair = Pair::new(scenes, 0, targets);
        pair.moved_s = moved_s(self.report);
        let mut most = Off::default();
        let count = if self.source.is_seeded { usize::MAX } else { STRETCHES };
        for piece in pieces {
            for new in probes(scenes, piece, self.frames, count) {
                most.and(pair.off(piece.old(new), new));
            }
        }
        within(&most, allowed)?;
        if self.source.is_seeded && matches!(targets, Targets::All) {
            within(&self.compared(pieces), allowed)
                .map_err(|difference| format!("by the comparer: {difference}"))?;
        }
        // Nothing was to happen to the others.
        for clip in 1..self.source.scene.clips.len() {
            let middle = self.source.scene.clips[clip].end().0 * 0.37;
            within(&Pair::new(scenes, clip, targets).off(middle, middle), [0.0; 3])
                .map_err(|difference| format!("clip #{clip}: {difference}"))?;
        }
        Ok(())
    }

    /// Names of all that jumps, or hangs on a node that jumps: rounding moves the jump, and the comparer finds it elsewhere.
    fn jumping(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for scene in [&self.source.scene, self.scene] {
            for track in scene.clips.iter().take(1).flat_map(|clip| &clip.tracks) {
                if track.channels.iter().any(|channel| channel.composition.curves().any(jumps)) {
                    names.insert(track.target.name.clone());
                }
            }
            // Parents stand before their children.
            for node in &scene.nodes {
                if node.parent.is_some_and(|parent| names.contains(&scene.nodes[parent.0].name)) {
                    names.insert(node.name.clone());
                }
            }
        }
        names
    }

    /// Differences as the comparer finds them, of pieces that run forwards.
    fn compared(&self, pieces: &[Piece]) -> Off {
        let stretch = |piece: &Piece| Stretch {
            start: Seconds(piece.start),
            end: Seconds(piece.end),
            from: Seconds(piece.old(piece.start)),
            speed: piece.speed,
        };
        let forwards = pieces.iter().filter(|piece| piece.speed > 0.0 && piece.start < piece.end);
        let stretches: Vec<Stretch> = forwards.map(stretch).collect();
        let clips = [&self.source.scene, self.scene].map(|scene| (scene, scene.clips.first()));
        let mut off = Off::default();
        let [(before, Some(old)), (after, Some(new))] = clips else { return off };
        let mut after = after.clone();
        // Points around a joint are those at rest, which the first keys of either scene assume elsewhere.
        for node in after.nodes.iter_mut().filter(|_| before.rest == RestPose::Assumed) {
            node.rest = before
                .nodes
                .iter()
                .find(|other| other.name == node.name)
                .map_or(node.rest, |other| other.rest);
        }
        let after = &after;
        let jumping = self.jumping();
        if stretches.is_empty() || old.tracks.iter().all(|track| jumping.contains(&track.target.name)) {
            return off;
        }
        let course = Course::new(stretches);
        let [a, b] = [(before, old), (after, new)].map(|(scene, clip)| Animation { scene, clip });
        let comparison = compare_along(a, &course, b, &in_units(after, &Tolerance::DEFAULT));
        let metres = after.basis.metres_per_unit.unwrap_or(1.0);
        let of_tracks = comparison
            .tracks
            .iter()
            .flat_map(|track| track.channels.iter().map(move |difference| (&track.target, difference)));
        let farthest = comparison.farthest.iter().map(|joint| (&joint.target, &joint.difference));
        let is_compared = |(target, difference): &(&String, &ChannelDifference)| {
            difference.limit.is_some() && !jumping.contains(*target)
        };
        for (target, difference) in of_tracks.chain(farthest).filter(is_compared) {
            let factor = if difference.unit == ErrorUnit::Metre { metres } else { 1.0 };
            off.meet(difference.unit, difference.value * factor, || {
                format!("{target} {} at {} s", difference.channel, difference.time.0)
            });
        }
        off
    }

    pub(crate) fn ends_at(&self, end: f64) -> Held {
        let found = self.clip().end().0;
        let allowed = 2e-6 * end.max(1.0);
        if (found - end).abs() <= allowed {
            Ok(())
        } else {
            Err(format!("expected an end at {end} s, found {found} s"))
        }
    }

    /// All keys are from one time to another.
    pub(crate) fn has_keys_within(&self, start: f64, end: f64) -> Held {
        let clip = self.clip();
        let outside = times(&clip).into_iter().find(|time| !(start - 1e-5..=end + 1e-5).contains(time));
        match outside {
            Some(time) => Err(format!("expected keys from {start} s to {end} s, found one at {time} s")),
            None => Ok(()),
        }
    }

    /// The bytes of the source; else it plays as the source does, but for single precision and what the report states.
    pub(crate) fn is_the_source(&self) -> Held {
        let again = source_of(&self.source.name, self.file)?;
        if again.bytes == self.source.bytes {
            return Ok(());
        }
        self.ends_at(self.span.end)?;
        self.plays(&[Piece::later(0.0, self.span.end, 0.0)])
    }
}

/// True of a curve that jumps anywhere, also from the end of a cycle to its start.
fn jumps(curve: &Curve) -> bool {
    let times: Vec<f64> = curve.times.iter().map(|time| time.0).collect();
    let is_still = (1..curve.len()).all(|key| curve.value(key) == curve.value(0));
    let steps = !curve.laws.all(|law| law.blend != Blend::Step);
    let starts_again = [&curve.before, &curve.after].contains(&&Outside::Loop);
    !is_still && (steps || starts_again || times.windows(2).any(|pair| pair[1] - pair[0] < 1e-4))
}

/// Held if something is so, with the words for what is instead.
pub(crate) fn expect(is_so: bool, what: impl FnOnce() -> String) -> Held {
    if is_so { Ok(()) } else { Err(what()) }
}

/// All differences are within what is stated, and what single precision costs.
pub(crate) fn within(off: &Off, told: [f64; 3]) -> Held {
    for (((value, what), limit), (rounded, unit)) in
        off.0.iter().zip(told).zip(ROUNDED.iter().zip(["m", "rad", ""]))
    {
        if *value > limit * 1.01 + rounded {
            return Err(format!(
                "expected at most {limit:.3e} {unit} as stated, found {value:.3e} {unit} ({what}); stated {told:?}"
            ));
        }
    }
    Ok(())
}

pub(crate) fn curves(clip: &Clip) -> impl Iterator<Item = &Curve> {
    let channels = clip.tracks.iter().flat_map(|track| &track.channels);
    channels.flat_map(|channel| channel.composition.curves())
}

/// Times of all keys, ascending, each once.
pub(crate) fn times(clip: &Clip) -> Vec<f64> {
    let mut times: Vec<f64> = curves(clip).flat_map(|curve| curve.times.iter()).map(|time| time.0).collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() < 1e-4);
    times
}

/// Most stretches between keys that are looked at, but in files that a seed makes.
const STRETCHES: usize = 8;

/// Times of the result to look at: inside of the stretches between the keys of both, where nothing jumps; or frames alone.
fn probes([before, after]: [&Scene; 2], piece: &Piece, frames: Option<FrameRate>, count: usize) -> Vec<f64> {
    if let Some(rate) = frames {
        let [first, last] = [piece.start, piece.end].map(|time| rate.frame(Seconds(time)).round() as i64);
        let step = (last - first) as usize / count + 1;
        return (first..=last).step_by(step).map(|frame| rate.seconds(frame as f64).0).collect();
    }
    let new = |old: f64| (old - piece.offset) / piece.speed;
    let mut cuts: Vec<f64> =
        before.clips.first().map(times).unwrap_or_default().into_iter().map(new).collect();
    cuts.extend(after.clips.first().map(times).unwrap_or_default());
    cuts.retain(|time| (piece.start..piece.end).contains(time));
    cuts.extend([piece.start, piece.end]);
    cuts.sort_by(f64::total_cmp);
    let is_long = |pair: &&[f64]| pair[1] - pair[0] > 1e-3 && pair[0] >= piece.start && pair[1] <= piece.end;
    let stretches: Vec<&[f64]> = cuts.windows(2).filter(is_long).collect();
    let step = stretches.len().div_ceil(count).max(1);
    let looked_at = stretches.iter().step_by(step).chain(stretches.last());
    looked_at.flat_map(|pair| [0.05, 0.6, 0.95].map(|share| pair[0] + share * (pair[1] - pair[0]))).collect()
}
