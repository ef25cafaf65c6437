//! What became of the channels of a conversion.

use crate::linearise::{KeyPlan, Worst};
use crate::measure::unit;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{Channel, Curve, Property};
use std::collections::BTreeMap;

/// What became of the channels of a conversion, by property.
#[derive(Debug, Default)]
pub(super) struct Tally(BTreeMap<String, Count>);

#[derive(Debug)]
struct Count {
    property: Property,
    exact_channels: usize,
    exact_keys: usize,
    approximated_channels: usize,
    keys_before: usize,
    keys_after: usize,
    how: String,
    worst: Worst,
    target: String,
}

impl Tally {
    fn count(&mut self, property: &Property) -> &mut Count {
        self.0.entry(property.word().to_owned()).or_insert_with(|| Count {
            property: property.clone(),
            exact_channels: 0,
            exact_keys: 0,
            approximated_channels: 0,
            keys_before: 0,
            keys_after: 0,
            how: String::new(),
            worst: Worst::default(),
            target: String::new(),
        })
    }

    /// A channel that came through exactly.
    pub(super) fn exact(&mut self, property: &Property, keys: usize) {
        let count = self.count(property);
        count.exact_channels += 1;
        count.exact_keys += keys;
    }

    /// A channel that came through with a largest difference.
    pub(super) fn approximated(
        &mut self,
        made: &Channel,
        keys: usize,
        worst: Worst,
        target: &str,
        plan: &KeyPlan,
    ) {
        let count = self.count(&made.property);
        count.approximated_channels += 1;
        count.keys_before += keys;
        count.keys_after += key_count(made);
        let where_curved = if plan.every_frame { "" } else { " where curved" };
        count.how = format!("one per frame at {}{where_curved}", plan.rate);
        if count.target.is_empty() || worst.value > count.worst.value {
            count.worst = worst;
            target.clone_into(&mut count.target);
        }
    }

    /// One line per property for what is exact, and one for what is not.
    pub(super) fn report(self, metres_per_unit: Option<f64>, report: &mut Report) {
        for (word, count) in self.0 {
            if count.exact_channels > 0 {
                report.kept(format!("{word}: {} channels, {} keys", count.exact_channels, count.exact_keys));
            }
            if count.approximated_channels > 0 {
                let what = format!(
                    "{word}: {} channels, {} keys became {}, {}",
                    count.approximated_channels, count.keys_before, count.keys_after, count.how
                );
                let (unit, factor) = unit(&count.property, metres_per_unit);
                let (value, time) = (count.worst.value * factor, count.worst.time);
                report.approximated(what, MaxError { value, unit, target: count.target, time });
            }
        }
    }
}

/// The keys of the curve that has most.
pub(super) fn key_count(channel: &Channel) -> usize {
    channel.composition.curves().map(Curve::len).max().unwrap_or(0)
}
