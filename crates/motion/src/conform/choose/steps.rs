//! Channels that hold their keys.

use crate::difference::difference;
use crate::keys::{KeyPlan, Linearised, SharedTimes, Worst};
use crate::sample::{Side, curve_at};
use crate::single::finite;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Law, Laws, Outside};
use dopesheet_core::units::{FrameRate, Seconds};

/// A stepped channel stays stepped, with its keys cut to the range and put on the grid; `None` for any other
/// channel.
pub(in crate::conform) fn hold_steps(
    channel: &Channel,
    plan: &KeyPlan,
    shared: &mut SharedTimes,
) -> Option<Linearised> {
    let Composition::Whole(curve) = &channel.composition else { return None };
    if curve.is_empty() || !holds_throughout(curve) {
        return None;
    }
    let mut steps = Steps { curve, times: Vec::new(), values: Vec::new() };
    let mut largest = Worst::default();
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale.abs());
    let mut value = Vec::new();
    for time in times(curve, plan) {
        curve_at(curve, time, Side::After, &mut value);
        let key_time = if plan.only_on_grid { nearest_frame(plan, time) } else { time };
        if plan.only_on_grid && key_time != plan.rate.snap(time) {
            let moved_by = difference(&channel.property, &steps.last(), &value) * scale;
            largest.note(moved_by, time);
        }
        steps.push(key_time, &value);
    }
    let approximated = largest.value > 0.0;
    let curve = steps.finish(plan.only_on_grid.then_some(plan.rate), shared);
    let channel = Channel { composition: Composition::Whole(curve), ..channel.clone() };
    Some(Linearised { channels: vec![channel], approximated, largest: vec![largest], is_bound: vec![true] })
}

fn holds_throughout(curve: &Curve) -> bool {
    let starts = match &curve.before {
        Outside::Hold => true,
        Outside::Ramp { law, .. } => law.blend == Blend::Step,
        Outside::Loop | Outside::PingPong => false,
    };
    let ends = !matches!(curve.after, Outside::Loop | Outside::PingPong);
    starts && ends && curve.laws.all(|law| law.blend == Blend::Step)
}

/// The times of the keys in the range, each once, and the start if something else is held there.
fn times(curve: &Curve, plan: &KeyPlan) -> Vec<Seconds> {
    let (start, end) = plan.range;
    let inside = |t: &Seconds| t.0 >= start.0 && t.0 <= end.0;
    let mut times: Vec<Seconds> = curve.times.iter().filter(inside).collect();
    times.dedup();
    let starts_early = curve.times.get(0).is_some_and(|t| t.0 < start.0);
    let ramps = matches!(curve.before, Outside::Ramp { .. });
    if (starts_early || ramps || times.is_empty()) && times.first() != Some(&start) {
        times.insert(0, start);
    }
    times
}

/// The whole frame nearest to a time, but not beyond the range.
fn nearest_frame(plan: &KeyPlan, time: Seconds) -> Seconds {
    let last = plan.rate.frame(plan.range.1).floor();
    plan.rate.seconds(plan.rate.frame(time).round().min(last))
}

/// Keys under construction.
struct Steps<'a> {
    curve: &'a Curve,
    times: Vec<Seconds>,
    values: Vec<f32>,
}

impl Steps<'_> {
    /// The last value so far.
    fn last(&self) -> Vec<f64> {
        let row = self.values.len().saturating_sub(self.curve.width);
        self.values.get(row..).unwrap_or_default().iter().map(|v| f64::from(*v)).collect()
    }

    fn push(&mut self, time: Seconds, value: &[f64]) {
        if self.times.last() == Some(&time) {
            self.times.pop();
            self.values.truncate(self.values.len().saturating_sub(self.curve.width));
        }
        self.times.push(time);
        self.values.extend(value.iter().map(|v| finite(*v)));
    }

    fn finish(self, grid: Option<FrameRate>, shared: &mut SharedTimes) -> Curve {
        let times = shared.list(&self.times, grid);
        Curve::new(times, self.curve.width, self.values, Laws::uniform(Law::STEP))
    }
}
