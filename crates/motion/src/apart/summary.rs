//! From what was measured to what is told.

use super::joints::{Joints, Pair};
use super::numbers::Numbers;
use super::{Apart, Lone, TrackApart, Worst};
use crate::Tolerance;
use dopesheet_core::model::{Hierarchy, TargetKind};
use dopesheet_core::units::Seconds;

/// The summary of a comparison that ends at a time and had some moments.
pub(super) fn summary(
    joints: &Joints<'_>,
    numbers: &[Numbers<'_>],
    tolerance: &Tolerance,
    (end, moments): (Seconds, usize),
) -> Apart {
    let mut found = Found::default();
    joints.compared().for_each(|pair| found.joint(pair, tolerance));
    numbers.iter().for_each(|channel| found.numbers(channel, tolerance));
    found.tracks.sort_by(|a, b| b.share().total_cmp(&a.share()));
    let is_within = found.only_in_a.is_empty()
        && found.only_in_b.is_empty()
        && found.worst.as_ref().is_none_or(|worst| worst.difference.share() <= 1.0);
    Apart {
        hierarchy: if joints.is_known() { Hierarchy::Known } else { Hierarchy::Unknown },
        shell_m: tolerance.shell_m(joints.is_known()),
        end,
        moments,
        is_within,
        worst: found.worst,
        tracks: found.tracks,
        only_in_a: found.only_in_a,
        only_in_b: found.only_in_b,
    }
}

/// A summary in the making.
#[derive(Default)]
struct Found {
    worst: Option<Worst>,
    tracks: Vec<TrackApart>,
    only_in_a: Vec<Lone>,
    only_in_b: Vec<Lone>,
}

impl Found {
    fn joint(&mut self, pair: &Pair<'_>, tolerance: &Tolerance) {
        let target = pair.targets[0].or(pair.targets[1]);
        let mut channels = vec![pair.displacement(tolerance)];
        channels.extend(pair.differences().filter(|d| d.value > 0.0));
        let (kind, index) = target.map_or((TargetKind::Joint, 0), |t| (t.kind, t.index));
        let track = TrackApart { target: pair.name.to_owned(), kind, index, channels };
        let (in_a, in_b) = pair.is_only_in(tolerance);
        self.lone(&track, in_a, in_b);
        let of_joint = (track.channels.first().map(|d| d.value), pair.rotation_rad());
        self.meet(&track, of_joint);
        if target.is_some() || track.share() > 1.0 {
            self.tracks.push(track);
        }
    }

    fn numbers(&mut self, numbers: &Numbers<'_>, tolerance: &Tolerance) {
        let difference = numbers.difference(tolerance);
        let target = numbers.target;
        let track = TrackApart {
            target: target.name.clone(),
            kind: target.kind,
            index: target.index,
            channels: vec![difference],
        };
        let (in_a, in_b) = numbers.is_only_in();
        let differs = track.share() > 1.0;
        self.lone(&track, in_a && differs, in_b && differs);
        self.meet(&track, (None, None));
        let same =
            |t: &&mut TrackApart| t.kind == track.kind && t.target == track.target && t.index == track.index;
        match self.tracks.iter_mut().find(same) {
            Some(known) => known.channels.extend(track.channels),
            None => self.tracks.push(track),
        }
    }

    fn lone(&mut self, track: &TrackApart, in_a: bool, in_b: bool) {
        for (list, is_in) in [(&mut self.only_in_a, in_a), (&mut self.only_in_b, in_b)] {
            let lone = Lone { target: track.target.clone(), kind: track.kind, index: track.index };
            if is_in && !list.contains(&lone) {
                list.push(lone);
            }
        }
    }

    fn meet(&mut self, track: &TrackApart, (model_space_m, rotation_rad): (Option<f64>, Option<f64>)) {
        for difference in &track.channels {
            let most = self.worst.as_ref().map_or(0.0, |worst| worst.difference.share());
            if difference.share() > most {
                self.worst = Some(Worst {
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
