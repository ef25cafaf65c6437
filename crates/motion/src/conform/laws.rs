//! Keep the keys a format can express; put straight segments where it cannot.

use crate::linearise::{KeyPlan, SharedTimes, linearise};
use crate::measure::{Worst, unit};
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::format::{Capabilities, LawSet};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Law, Laws, Outside, Property, TargetKind, Times, ValueKind,
};
use std::collections::BTreeMap;

/// What became of the channels of a conversion, by property.
#[derive(Debug, Default)]
pub(super) struct Tally(BTreeMap<String, Count>);

#[derive(Debug)]
struct Count {
    exact_channels: usize,
    exact_keys: usize,
    made_channels: usize,
    keys_before: usize,
    keys_after: usize,
    rate: String,
    property: Property,
    worst: Worst,
    target: String,
}

impl Tally {
    fn entry(&mut self, property: &Property) -> &mut Count {
        self.0.entry(property.word().to_owned()).or_insert_with(|| Count {
            exact_channels: 0,
            exact_keys: 0,
            made_channels: 0,
            keys_before: 0,
            keys_after: 0,
            rate: String::new(),
            property: property.clone(),
            worst: Worst::default(),
            target: String::new(),
        })
    }

    /// One line per property for what is exact, and one for what is not.
    pub(super) fn report(self, report: &mut Report) {
        for (word, count) in self.0 {
            if count.exact_channels > 0 {
                report.kept(format!("{word}: {} channels, {} keys", count.exact_channels, count.exact_keys));
            }
            if count.made_channels > 0 {
                let what = format!(
                    "{word}: {} channels, {} keys, became {} straight segments' keys ({})",
                    count.made_channels, count.keys_before, count.keys_after, count.rate
                );
                let max_error = MaxError {
                    value: count.worst.value,
                    unit: unit(&count.property),
                    target: count.target,
                    time: count.worst.time,
                };
                report.approximated(what, max_error);
            }
        }
    }
}

/// Brings every channel of a clip within the format's laws, key times and range.
pub(super) fn settle(clip: &mut Clip, capabilities: &Capabilities, plan: &KeyPlan, tally: &mut Tally) {
    let mut shared = SharedTimes::default();
    for track in &mut clip.tracks {
        let own_law = matches!(track.target.kind, TargetKind::Custom | TargetKind::Hand);
        let mut out = Vec::with_capacity(track.channels.len());
        for channel in track.channels.drain(..) {
            let keys = channel.composition.curves().map(Curve::len).max().unwrap_or(0);
            if own_law || (!plan.every_frame && fits(&channel, capabilities, plan)) {
                let entry = tally.entry(&channel.property);
                entry.exact_channels += 1;
                entry.exact_keys += keys;
                out.push(channel);
                continue;
            }
            if let Some(held) = hold_steps(&channel, capabilities, plan) {
                let entry = tally.entry(&held.property);
                entry.exact_channels += 1;
                entry.exact_keys += keys;
                out.push(held);
                continue;
            }
            let Some(made) = linearise(&channel, plan, &mut shared) else { continue };
            for (channel, worst) in made.channels.into_iter().zip(made.worst) {
                note(tally, &channel, keys, made.approximated.then_some(worst), &track.target.name, plan);
                out.push(channel);
            }
        }
        track.channels = out;
    }
}

fn note(tally: &mut Tally, made: &Channel, keys: usize, worst: Option<Worst>, target: &str, plan: &KeyPlan) {
    let count = tally.entry(&made.property);
    let Some(worst) = worst else {
        count.exact_channels += 1;
        count.exact_keys += keys;
        return;
    };
    count.made_channels += 1;
    count.keys_before += keys;
    count.keys_after += made.composition.curves().map(Curve::len).max().unwrap_or(0);
    count.rate = format!("one per frame at {} where they were curved", plan.rate);
    if count.target.is_empty() || worst.value > count.worst.value {
        count.worst = worst;
        target.clone_into(&mut count.target);
    }
}

/// Whether a channel can be written as it is.
fn fits(channel: &Channel, capabilities: &Capabilities, plan: &KeyPlan) -> bool {
    let rotates = channel.property.kind() == ValueKind::Rotation;
    let laws = if rotates { &capabilities.rotation_laws } else { &capabilities.vector_laws };
    let curves_fit = || channel.composition.curves().all(|c| curve_fits(c, laws, rotates, plan));
    match &channel.composition {
        Composition::Whole(_) => curves_fit(),
        // Per-axis timing is what a Bezier-timed format has of its own; the axes must share their keys.
        Composition::Components(curves) if laws.bezier_timing && !rotates => {
            curves_fit() && curves.windows(2).all(|pair| pair[0].times == pair[1].times)
        }
        Composition::Orbit(_) => capabilities.parts.orbits && curves_fit(),
        _ => false,
    }
}

fn curve_fits(curve: &Curve, laws: &LawSet, rotates: bool, plan: &KeyPlan) -> bool {
    let Some((first, last)) = curve.times.span() else { return false };
    let inside = first.0 >= plan.range.0.0 && last.0 <= plan.range.1.0;
    let holds_ends = matches!((&curve.before, &curve.after), (Outside::Hold, Outside::Hold))
        || matches!(&curve.before, Outside::Ramp { .. } if laws.bezier_timing);
    let right_blend = |law: Law| match law.blend {
        Blend::Lerp => !rotates,
        Blend::Slerp => rotates,
        _ => true,
    };
    let one_law = laws.mixed || is_one_law(&curve.laws);
    let on_grid =
        !plan.only_on_grid || matches!(&curve.times, Times::Frames { rate, .. } if *rate == plan.rate);
    inside && holds_ends && on_grid && one_law && curve.laws.all(|law| laws.holds(law) && right_blend(law))
}

/// Whether all segments have one blend; formats without Bezier timing write it once per curve.
fn is_one_law(laws: &Laws) -> bool {
    let mut blends = laws.runs().map(|law| law.blend);
    let first = blends.next();
    blends.all(|blend| Some(blend) == first)
}

/// A channel that only ever holds its keys stays a step channel where the format has steps.
fn hold_steps(channel: &Channel, capabilities: &Capabilities, plan: &KeyPlan) -> Option<Channel> {
    let discrete = channel.property.kind() == ValueKind::Discrete;
    let Composition::Whole(curve) = &channel.composition else { return None };
    let steps = curve.laws.all(|law| law.blend == Blend::Step);
    if plan.every_frame || !(discrete || steps) || !capabilities.vector_laws.step {
        return None;
    }
    let mut times = Vec::new();
    let mut values = Vec::new();
    let mut value = Vec::new();
    let starts_early = curve.times.get(0).is_some_and(|t| t.0 < plan.range.0.0);
    let ramps = matches!(curve.before, Outside::Ramp { .. });
    let inside = |t: f64| t >= plan.range.0.0 && t <= plan.range.1.0;
    let start = (starts_early || ramps).then_some(plan.range.0.0);
    for time in start.into_iter().chain(curve.times.iter().map(|t| t.0).filter(|t| inside(*t))) {
        if times.last() == Some(&time) {
            continue;
        }
        crate::evaluate::curve_at(
            curve,
            dopesheet_core::units::Seconds(time),
            crate::Side::After,
            &mut value,
        );
        times.push(time);
        values.extend(value.iter().map(|v| *v as f32));
    }
    let curve = Curve::new(Times::Seconds(times.into()), curve.width, values, Laws::uniform(Law::STEP));
    Some(Channel { composition: Composition::Whole(curve), ..channel.clone() })
}
