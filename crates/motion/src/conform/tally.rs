//! Counts of the channels that a conversion kept and approximated.

use crate::compare::{ChannelDifference, Comparison};
use crate::difference::{ChannelError, unit};
use crate::keys::{KeyPlan, Worst};
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, MaxError, PRECISION, Report};
use dopesheet_core::format::Parts;
use dopesheet_core::model::{Channel, Curve, NodeIndex, Property, Target, TargetKind};
use dopesheet_core::words::{counted, grouped};
use std::collections::BTreeMap;

/// Relative difference below which two differences count as the same.
const SAME: f64 = 1e-6;

/// Smallest reported difference of kept channels: metres and radians; numbers have a limit ten times as
/// large.
const SEEN: f64 = 1e-6;
const SEEN_OF_NUMBERS: f64 = 1e-5;

/// Counts of the channels that a conversion kept and approximated, by property.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// Counts by word of the property, and true for targets that are not nodes.
    counts: BTreeMap<(String, bool), Count>,
    /// Upper bounds of the errors of channels of nodes, where not 0; infinite where no bound is known.
    pub(super) bounds: Vec<(NodeIndex, Property, Worst)>,
    /// Upper bound of the share of a limit taken by any channel that is not part of a node's transform.
    pub(super) others: f64,
}

#[derive(Clone, Debug)]
struct Count {
    kind: TargetKind,
    property: Property,
    exact_channels: usize,
    exact_keys: usize,
    approximated_channels: usize,
    keys_before: usize,
    keys_after: usize,
    how: String,
    largest: Worst,
    target: String,
    /// Largest measured difference of channels whose keys are all kept, and its target: an effect of their
    /// stored times.
    stored: Option<(Worst, String)>,
}

impl Tally {
    fn of(&mut self, property: &Property, kind: TargetKind) -> &mut Count {
        let is_of_no_node = matches!(kind, TargetKind::Hand | TargetKind::Custom);
        self.counts.entry((property.word().to_owned(), is_of_no_node)).or_insert_with(|| Count {
            kind,
            property: property.clone(),
            exact_channels: 0,
            exact_keys: 0,
            approximated_channels: 0,
            keys_before: 0,
            keys_after: 0,
            how: String::new(),
            largest: Worst::default(),
            target: String::new(),
            stored: None,
        })
    }

    /// True if nothing was approximated.
    pub(super) fn is_exact(&self) -> bool {
        self.counts.values().all(|count| count.approximated_channels == 0)
    }

    /// True if the number of keys of any property has changed.
    pub(super) fn has_other_keys(&self) -> bool {
        self.counts.values().any(|count| count.keys_after != count.keys_before)
    }

    /// Adds the counts of another clip.
    pub(super) fn add(&mut self, other: &Self) {
        self.bounds.extend_from_slice(&other.bounds);
        self.others = self.others.max(other.others);
        for (word, theirs) in &other.counts {
            match self.counts.get_mut(word) {
                Some(count) => count.add(theirs),
                None => {
                    self.counts.insert(word.clone(), theirs.clone());
                }
            }
        }
    }

    /// Counts a channel with its largest difference, which may be 0.
    pub(super) fn count(
        &mut self,
        channel: &Channel,
        keys: usize,
        error: ChannelError,
        target: &Target,
        plan: &KeyPlan,
    ) {
        if let Some(node) = target.node.filter(|_| error.bound > 0.0) {
            let bound = Worst { value: error.bound, time: error.largest.time };
            self.bounds.push((node, channel.property.clone(), bound));
        }
        let places = matches!(
            channel.property,
            Property::Translation | Property::Rotation | Property::Scale | Property::Placement
        );
        if target.node.is_none() || !places {
            self.others = self.others.max(error.bound / Tolerance::of(&channel.property));
        }
        if error.largest.value > 0.0 {
            self.approximated(channel, keys, error.largest, target, plan);
        } else {
            self.exact(&channel.property, keys, target.kind);
        }
    }

    /// Takes note of larger differences found by a comparison of the whole model, of channels without any
    /// difference after all, and of the differences of channels whose keys are all kept.
    pub(super) fn measured(&mut self, measured: &Comparison) {
        for ((word, _), count) in &mut self.counts {
            let channels = measured.tracks.iter().flat_map(|t| t.channels.iter().map(move |c| (t, c)));
            let of_word = channels.filter(|(_, channel)| channel.channel == *word);
            let largest = of_word.max_by(|a, b| a.1.value.total_cmp(&b.1.value));
            if count.approximated_channels == 0 {
                let error = |channel: &ChannelDifference| Worst { value: channel.value, time: channel.time };
                count.stored = largest.map(|(track, channel)| (error(channel), track.target.clone()));
                continue;
            }
            match largest {
                Some((track, largest)) if largest.value > (1.0 + SAME) * count.largest.value => {
                    count.largest = Worst { value: largest.value, time: largest.time };
                    count.target.clone_from(&track.target);
                }
                Some((_, largest)) if largest.value > 0.0 => {}
                // What is compared and has no difference is not among its channels.
                None if measured.tracks.iter().all(|track| track.target != count.target) => {}
                // Placements and directions are compared as something else.
                _ if matches!(count.property, Property::Placement | Property::Direction) => {}
                _ => count.is_kept(),
            }
        }
    }

    fn exact(&mut self, property: &Property, keys: usize, kind: TargetKind) {
        let count = self.of(property, kind);
        grow(&mut count.exact_channels, 1);
        grow(&mut count.exact_keys, keys);
    }

    fn approximated(&mut self, channel: &Channel, keys: usize, miss: Worst, target: &Target, plan: &KeyPlan) {
        let count = self.of(&channel.property, target.kind);
        grow(&mut count.approximated_channels, 1);
        grow(&mut count.keys_before, keys);
        grow(&mut count.keys_after, key_count(channel));
        count.how = match (plan.every_frame, plan.only_on_grid) {
            (true, _) => format!("one per frame at {}", plan.rate),
            (false, true) => format!("on frames at {}", plan.rate),
            (false, false) => "as many as the tolerance needs".to_owned(),
        };
        if count.target.is_empty() || miss.value > count.largest.value {
            count.largest = miss;
            target.name.clone_into(&mut count.target);
        }
    }

    /// One line per property for its exact channels, and one for its approximated channels.
    pub(super) fn report(self, metres_per_unit: Option<f64>, parts: &Parts, report: &mut Report) {
        for ((word, _), count) in self.counts {
            if count.exact_channels > 0 {
                let (channels, keys) =
                    (counted(count.exact_channels, "channel"), counted(count.exact_keys, "key"));
                let what = format!("{word}: {channels}, {keys}");
                match parts.shows(count.kind, &count.property) {
                    true => report.kept(what),
                    false => report.kept_as_data(what),
                }
            }
            if let Some((largest, target)) = count.stored {
                let (unit, factor) = unit(&count.property, metres_per_unit);
                let value = largest.value * factor;
                if value > if unit == ErrorUnit::One { SEEN_OF_NUMBERS } else { SEEN } {
                    let what = format!("{word}, {PRECISION}");
                    report.approximated(what, MaxError { value, unit, target, time: largest.time });
                }
            }
            if count.approximated_channels > 0 {
                let what = format!(
                    "{word}: {}, {} became {}, {}",
                    counted(count.approximated_channels, "channel"),
                    counted(count.keys_before, "key"),
                    grouped(count.keys_after),
                    count.how
                );
                let (unit, factor) = unit(&count.property, metres_per_unit);
                let (value, time) = (count.largest.value * factor, count.largest.time);
                report.approximated(what, MaxError { value, unit, target: count.target, time });
            }
        }
    }
}

impl Count {
    /// Nothing was approximated after all.
    fn is_kept(&mut self) {
        grow(&mut self.exact_channels, std::mem::take(&mut self.approximated_channels));
        grow(&mut self.exact_keys, std::mem::take(&mut self.keys_before));
        (self.keys_after, self.largest, self.target) = (0, Worst::default(), String::new());
    }

    fn add(&mut self, other: &Self) {
        grow(&mut self.exact_channels, other.exact_channels);
        grow(&mut self.exact_keys, other.exact_keys);
        grow(&mut self.approximated_channels, other.approximated_channels);
        grow(&mut self.keys_before, other.keys_before);
        grow(&mut self.keys_after, other.keys_after);
        if let Some((largest, target)) = &other.stored
            && self.stored.as_ref().is_none_or(|own| largest.value > own.0.value)
        {
            self.stored = Some((*largest, target.clone()));
        }
        if other.approximated_channels > 0 {
            self.how.clone_from(&other.how);
        }
        if self.target.is_empty() || other.largest.value > self.largest.value {
            (self.largest, self.target) = (other.largest, other.target.clone());
        }
    }
}

const fn grow(count: &mut usize, by: usize) {
    *count = count.saturating_add(by);
}

/// Number of keys of the channel's curve with most keys.
pub(super) fn key_count(channel: &Channel) -> usize {
    channel.composition.curves().map(Curve::len).max().unwrap_or(0)
}
