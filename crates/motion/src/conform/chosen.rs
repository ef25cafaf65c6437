//! Keys chosen by a caller, by limits of channels with which the whole model stays within a tolerance.

use super::adapt::Adaptation;
use super::budget::ErrorBudget;
use super::search::{MOST_ROUNDS, in_units, share};
use super::tally::key_count;
use crate::compare::{Animation, Effort, TrackDifference, compare_at};
use crate::keys::Allowance;
use crate::tolerance::Tolerance;
use dopesheet_core::model::{Channel, Clip, NodeIndex, Scene, Track};
use std::collections::HashSet;
use std::sync::Arc;

/// Largest permitted errors of channels in a round.
pub struct ChannelLimits(ErrorBudget);

impl ChannelLimits {
    /// Largest error of a channel of a track, in units of the scene.
    #[must_use]
    pub fn of(&self, track: &Track, channel: &Channel) -> Allowance {
        self.0.of(track, channel)
    }
}

/// A clip with fewer keys, made by `choose` within such limits, so that the model stays within a tolerance:
/// limits are shared out as in [`conform`](fn@super::conform), the model is measured, and joints too far off
/// get less in the next round. Of the clips within the tolerance, the one with the fewest keys is taken; if
/// there is none, tracks too far off in the nearest clip stay unchanged. `choose` keeps all tracks, in their
/// order.
///
/// # Errors
/// The errors of `choose`.
pub fn choose_within<E>(
    scene: &Scene,
    clip: &Clip,
    tolerance: &Tolerance,
    choose: &mut dyn FnMut(&ChannelLimits) -> Result<Clip, E>,
) -> Result<Clip, E> {
    let tolerance = in_units(scene, tolerance);
    let mut limits = ChannelLimits(ErrorBudget::of_all(scene, clip, &tolerance));
    let mut adaptation = Adaptation::new(scene, clip);
    let mut best: Option<(Arc<Clip>, f64, usize)> = None;
    for _ in 1..=MOST_ROUNDS {
        let candidate = choose(&limits)?;
        if candidate == *clip {
            return Ok(candidate);
        }
        let candidate = Arc::new(candidate);
        let comparison = adaptation.measure(&candidate, &tolerance, Effort::Full);
        let changes = adaptation.adapt(&mut limits.0, &comparison, &tolerance, 1.0, &|| None);
        let keys = candidate.channels().map(key_count).sum();
        let excess = share(Some(&comparison)).max(1.0);
        if best.as_ref().is_none_or(|(_, least, fewest)| (excess, keys) < (*least, *fewest)) {
            best = Some((candidate, excess, keys));
        }
        if !changes {
            break;
        }
    }
    match best {
        Some((best, excess, _)) if excess <= 1.0 => Ok(Arc::unwrap_or_clone(best)),
        Some((best, ..)) => Ok(restored(scene, clip, Arc::unwrap_or_clone(best), &tolerance)),
        None => Ok(restored(scene, clip, choose(&limits)?, &tolerance)),
    }
}

/// A clip whose tracks are restored, together with their ancestors' tracks, where no limit brought them
/// within a tolerance in units of the scene.
fn restored(scene: &Scene, clip: &Clip, mut chosen: Clip, tolerance: &Tolerance) -> Clip {
    for _ in 0..MOST_ROUNDS {
        let [a, b] = [clip, &chosen].map(|clip| Animation { scene, clip });
        let comparison = compare_at(a, b, tolerance, Effort::Full);
        let over: Vec<&TrackDifference> =
            comparison.tracks.iter().filter(|track| track.share() > 1.0).collect();
        if over.is_empty() {
            return chosen;
        }
        let mut nodes: HashSet<NodeIndex> = over.iter().filter_map(|track| track.node).collect();
        for node in nodes.clone() {
            let above = |node: &NodeIndex| scene.node(*node).and_then(|node| node.parent);
            nodes.extend(std::iter::successors(above(&node), above).take(scene.nodes.len()));
        }
        for (track, original) in chosen.tracks.iter_mut().zip(&clip.tracks) {
            let target = &original.target;
            let is_named =
                |other: &&TrackDifference| other.kind == target.kind && other.target == target.name;
            if target.node.is_some_and(|node| nodes.contains(&node)) || over.iter().any(is_named) {
                track.clone_from(original);
            }
        }
    }
    clip.clone()
}
