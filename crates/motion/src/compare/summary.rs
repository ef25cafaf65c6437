//! Putting the result of a comparison together.

use super::MODEL_SPACE;
use super::joints::{JointPair, PairDifferences};
use super::numbers::ComparedChannel;
use super::report::{ChannelDifference, Comparison, LargestDifference, TrackDifference, Unmatched};
use crate::Tolerance;
use dopesheet_core::model::{Hierarchy, Target, TargetKind};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;

/// A comparison in the making.
pub(super) struct Summary<'a> {
    tolerance: &'a Tolerance,
    largest: Option<LargestDifference>,
    farthest: Option<LargestDifference>,
    tracks: Vec<TrackDifference>,
    only_in_a: Vec<Unmatched>,
    only_in_b: Vec<Unmatched>,
}

impl<'a> Summary<'a> {
    pub(super) const fn new(tolerance: &'a Tolerance) -> Self {
        Self {
            tolerance,
            largest: None,
            farthest: None,
            tracks: Vec::new(),
            only_in_a: Vec::new(),
            only_in_b: Vec::new(),
        }
    }

    /// The result for animations up to `end`, measured at `samples` times.
    pub(super) fn finish(mut self, hierarchy: Hierarchy, end: Seconds, samples: usize) -> Comparison {
        by_number(&mut self.tracks, |track| -track.share());
        let is_within = self.only_in_a.is_empty()
            && self.only_in_b.is_empty()
            && self.largest.as_ref().is_none_or(|largest| largest.difference.share() <= 1.0);
        Comparison {
            hierarchy,
            shell_m: self.tolerance.shell_m(hierarchy == Hierarchy::Known),
            end,
            samples,
            is_within,
            largest: self.largest,
            farthest: self.farthest,
            tracks: self.tracks,
            only_in_a: self.only_in_a,
            only_in_b: self.only_in_b,
        }
    }

    pub(super) fn joint(&mut self, pair: &JointPair<'_>, differences: PairDifferences) {
        let target = pair.targets[0].or(pair.targets[1]);
        let (kind, index) = target.map_or((TargetKind::Joint, 0), |t| (t.kind, t.index));
        let track = TrackDifference {
            target: pair.name.to_owned(),
            kind,
            index,
            node: pair.node(),
            channels: differences.channels,
        };
        let differs = differences.local_m > self.tolerance.length_m;
        let is_only = |other: Option<&Target>| differs && other.is_none();
        self.unmatched(&track, is_only(pair.targets[1]), is_only(pair.targets[0]));
        let model_space_m = track.channels.first().map(|d| d.value);
        self.note(&track, model_space_m, differences.rotation_rad);
        self.note_farthest(&track, model_space_m, differences.rotation_rad);
        if target.is_some() || track.share() > 1.0 {
            self.tracks.push(track);
        }
    }

    pub(super) fn numbers(&mut self, numbers: &ComparedChannel<'_>, difference: ChannelDifference) {
        let target = numbers.target;
        let track = TrackDifference {
            target: target.name.clone(),
            kind: target.kind,
            index: target.index,
            node: None,
            channels: vec![difference],
        };
        let (in_a, in_b) = numbers.is_only_in();
        let differs = track.share() > 1.0;
        self.unmatched(&track, in_a && differs, in_b && differs);
        self.note(&track, None, None);
        let same = |t: &&mut TrackDifference| {
            t.kind == track.kind && t.target == track.target && t.index == track.index
        };
        match self.tracks.iter_mut().find(same) {
            Some(known) => known.channels.extend(track.channels),
            None => self.tracks.push(track),
        }
    }

    fn unmatched(&mut self, track: &TrackDifference, in_a: bool, in_b: bool) {
        for (list, is_in) in [(&mut self.only_in_a, in_a), (&mut self.only_in_b, in_b)] {
            let unmatched = Unmatched { target: track.target.clone(), kind: track.kind, index: track.index };
            if is_in && !list.contains(&unmatched) {
                list.push(unmatched);
            }
        }
    }

    fn note_farthest(
        &mut self,
        track: &TrackDifference,
        model_space_m: Option<f64>,
        rotation_rad: Option<f64>,
    ) {
        let displaced = track.channels.iter().find(|found| found.channel == MODEL_SPACE);
        let Some(difference) = displaced.filter(|_| track.kind == TargetKind::Joint) else { return };
        if self.farthest.as_ref().is_none_or(|most| difference.value > most.difference.value) {
            let (target, difference) = (track.target.clone(), difference.clone());
            self.farthest =
                Some(LargestDifference { target, kind: track.kind, difference, model_space_m, rotation_rad });
        }
    }

    fn note(&mut self, track: &TrackDifference, model_space_m: Option<f64>, rotation_rad: Option<f64>) {
        for difference in &track.channels {
            let largest_share = self.largest.as_ref().map_or(0.0, |largest| largest.difference.share());
            if difference.share() > largest_share {
                self.largest = Some(LargestDifference {
                    target: track.target.clone(),
                    kind: track.kind,
                    difference: difference.clone(),
                    model_space_m,
                    rotation_rad,
                });
            }
        }
    }
}
