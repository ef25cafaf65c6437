//! Make the end of a clip meet its start.

use crate::changed::changed;
use crate::divided::{Divided, cut_off, unroll};
use crate::ends;
use crate::held::reach;
use crate::joined::{first_value, last_value, unrolled};
use crate::keys::divide;
use crate::refused::{self, Reason};
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Composition, Curve, Hierarchy, Node, NodeIndex, Property, Scene, Target,
    TargetKind, ValueKind,
};
use dopesheet_core::times::TimeValue;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_curve::{quat_inverse, quat_product};
use dopesheet_motion::error_unit;
use std::collections::HashSet;

/// Options of [`close_loop`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loop {
    /// Time before the end over which the difference is made up for, above 0; on a clip with frames the
    /// nearest frame counts. Without a time, [`Loop::OVER`], or all of a shorter clip.
    pub over: Option<TimeValue>,
    /// True if the figure goes on from its position at the end, so that the horizontal positions of roots
    /// stay unchanged.
    pub travels: bool,
}

impl Loop {
    /// Default time before the end over which the difference is made up for.
    pub const OVER: TimeValue = TimeValue::Seconds(0.5);

    /// Length of the stretch on a clip.
    pub(crate) fn stretch(&self, clip: &Clip) -> Result<Seconds, Reason> {
        let over = ends::time(clip, self.over.unwrap_or(Self::OVER), true)?;
        Ok(if self.over.is_none() { Seconds(over.0.min(clip.end().0)) } else { over })
    }
}

/// Makes a clip end with its first pose, so that it can start again without a jump. Keys of the last stretch
/// take over more and more of the difference between both poses, smoothly; all earlier keys stay as they are,
/// and so do all times and laws. Curves get a key at the start of the stretch.
///
/// The report has the largest differences that were made up for. Stepped channels stay unchanged.
///
/// # Errors
/// If the clip has no length, or the time is not above 0 or longer than the clip; if a curve cannot be
/// divided at the start of the stretch.
pub fn close_loop(scene: &mut Scene, clip: usize, options: &Loop, report: &mut Report) -> Result<(), Reason> {
    let Scene { clips, nodes, basis, hierarchy, .. } = scene;
    let Some(clip) = clips.get_mut(clip) else { return Ok(()) };
    let (over, end) = (options.stretch(clip)?, clip.end());
    if end.0 == 0.0 {
        return Err(refused::no_length());
    }
    if over.0 <= 0.0 || over.0 > end.0 {
        return Err(Reason::new(format!(
            "expected a time above 0 and up to the length of the clip, {} s, found {} s",
            end.0, over.0
        )));
    }
    let start = clip.grid.map_or(Seconds(end.0 - over.0), |rate| rate.snap(Seconds(end.0 - over.0)));
    let moved: HashSet<NodeIndex> = clip.tracks.iter().filter_map(|track| track.target.node).collect();
    let (mut divided, mut closed) = (Divided::of(basis), Closed { start, end, worst: Vec::new(), count: 0 });
    for track in &mut clip.tracks {
        let is_root = *hierarchy == Hierarchy::Unknown || is_root(track.target.node, nodes, &moved);
        let stays =
            (options.travels && is_root && track.target.kind == TargetKind::Joint).then(|| basis.up.index());
        for channel in &mut track.channels {
            let stays = stays.filter(|_| channel.property == Property::Translation);
            closed.close(channel, &track.target, stays, basis, &mut divided)?;
        }
    }
    divided.tell(report);
    if !closed.worst.is_empty() {
        let what = format!("{} brought to the pose of the start", counted(closed.count, "curve"));
        changed(what, &closed.worst, report);
    }
    Ok(())
}

/// True if no ancestor of a node moves.
fn is_root(node: Option<NodeIndex>, nodes: &[Node], moved: &HashSet<NodeIndex>) -> bool {
    let above = |node: NodeIndex| nodes.get(node.0).and_then(|node| node.parent);
    let mut next = node.and_then(above);
    while let Some(node) = next {
        if moved.contains(&node) {
            return false;
        }
        next = above(node);
    }
    true
}

/// The last stretch of a clip, and statistics of its curves.
struct Closed {
    start: Seconds,
    end: Seconds,
    worst: Vec<MaxError>,
    count: usize,
}

impl Closed {
    /// Closes a channel; of a travelling position only the component `up`.
    fn close(
        &mut self,
        channel: &mut Channel,
        target: &Target,
        travels: Option<usize>,
        basis: &Basis,
        divided: &mut Divided,
    ) -> Result<(), Reason> {
        let steps = |curve: &Curve| curve.laws.all(|law| law.blend == Blend::Step);
        if channel.property.kind() == ValueKind::Discrete || channel.composition.curves().all(steps) {
            return Ok(());
        }
        let is_closed = |curve: &Curve| first_value(curve) == last_value(curve);
        unroll(channel, target, Seconds(0.0), self.end, divided);
        // The pose of the start is that at 0, not that of a key before.
        cut_off(channel, target, (Some(Seconds(0.0)), self.end), divided)?;
        if channel.composition.curves().all(is_closed) {
            return Ok(());
        }
        for curve in channel.composition.curves_mut().into_iter().filter(|curve| !is_closed(curve)) {
            // What begins within the stretch is held, or on its way, until there.
            if curve.times.get(0).is_some_and(|first| first.0 > self.start.0) {
                *curve = unrolled(curve);
                reach(curve, self.start);
            }
            reach(curve, self.end);
        }
        divide(channel, target, self.start, divided)?;
        let (unit, factor) = error_unit(&channel.property, basis.metres_per_unit);
        let kind = CurveKind::of(channel);
        let mut value = 0.0f64;
        let is_alone = channel.composition.curves().count() == 1;
        for (index, curve) in channel.composition.curves_mut().into_iter().enumerate() {
            let is_open =
                |component: usize| travels.is_none_or(|up| up == if is_alone { component } else { index });
            let closed = self.close_curve(curve, kind, is_open);
            self.count += usize::from(closed > 0.0);
            value = if is_alone { closed } else { libm::hypot(value, closed) };
        }
        let error =
            MaxError { value: value * factor, unit, target: target.label().to_owned(), time: self.end };
        match self.worst.iter_mut().find(|listed| listed.unit == unit) {
            Some(listed) if listed.value < error.value => *listed = error,
            Some(_) => {}
            None if error.value > 0.0 => self.worst.push(error),
            None => {}
        }
        Ok(())
    }

    /// Closes a curve, and yields the size of the difference.
    fn close_curve(&self, curve: &mut Curve, kind: CurveKind, is_open: impl Fn(usize) -> bool) -> f64 {
        let (first, last) = (first_value(curve).to_vec(), last_value(curve).to_vec());
        if curve.len() < 2 || first == last {
            return 0.0;
        }
        let wide = |row: &[f32]| row.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
        let (first, last) = (wide(&first), wide(&last));
        let times: Vec<f64> = curve.times.iter().map(|time| time.0).collect();
        let end = times.last().copied().unwrap_or(self.end.0).min(self.end.0);
        let share = |time: f64| ((time - self.start.0) / (end - self.start.0).max(1e-9)).clamp(0.0, 1.0);
        let width = curve.width;
        let delta: Vec<f64> =
            (0..width).map(|at| if is_open(at) { kind.apart(first[at], last[at]) } else { 0.0 }).collect();
        for (key, time) in times.iter().enumerate().filter(|(_, time)| **time > self.start.0) {
            let u = share(*time);
            let weight = u * u * (3.0 - 2.0 * u);
            let Some(row) = curve.values.get_mut(key * width..(key + 1) * width) else { continue };
            if let (CurveKind::Rotation, Ok(from), Ok(to)) =
                (kind, <[f64; 4]>::try_from(&*last), <[f64; 4]>::try_from(&*first))
            {
                turn(row, (from, to), weight);
                continue;
            }
            for (value, delta) in row.iter_mut().zip(&delta) {
                *value = (f64::from(*value) + weight * delta) as f32;
            }
            // The course of the difference has a slope of its own.
            let slope = 6.0 * u * (1.0 - u) / (end - self.start.0).max(1e-9);
            for column in curve
                .handles
                .iter_mut()
                .flat_map(|column_pair| [&mut column_pair.arriving, &mut column_pair.leaving])
            {
                for (slope_value, delta) in column.iter_mut().skip(key * width).zip(&delta) {
                    *slope_value = (f64::from(*slope_value) + slope * delta) as f32;
                }
            }
        }
        match kind {
            CurveKind::Rotation => {
                let cosine: f64 = first.iter().zip(&last).map(|(a, b)| a * b).sum();
                2.0 * libm::acos(cosine.abs().min(1.0))
            }
            _ => delta.iter().map(|x| x * x).sum::<f64>().sqrt(),
        }
    }
}

/// Kind of the values of a curve.
#[derive(Clone, Copy, PartialEq)]
enum CurveKind {
    Rotation,
    /// Angles with this period.
    Angles(f64),
    Numbers,
}

impl CurveKind {
    fn of(channel: &Channel) -> Self {
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale.abs());
        match (&channel.composition, &channel.property) {
            (Composition::Whole(curve), Property::Rotation) if curve.width == 4 => Self::Rotation,
            (Composition::Euler { .. }, _) => Self::Angles(std::f64::consts::TAU / scale),
            _ => Self::Numbers,
        }
    }

    /// The shortest way from a number to another.
    fn apart(self, to: f64, from: f64) -> f64 {
        match self {
            Self::Angles(whole) => (to - from) - whole * ((to - from) / whole).round(),
            _ => to - from,
        }
    }
}

/// Turns a quaternion by a share of the turn between two others.
fn turn(row: &mut [f32], (from, to): ([f64; 4], [f64; 4]), share: f64) {
    let Some(quaternion) = row.first_chunk_mut::<4>() else { return };
    let mut whole = quat_product(quat_inverse(from), to);
    if whole[3] < 0.0 {
        whole = whole.map(|x| -x);
    }
    let sine = whole.iter().take(3).map(|x| x * x).sum::<f64>().sqrt();
    let half = share * libm::atan2(sine, whole[3]);
    let factor = if sine > 1e-12 { libm::sin(half) / sine } else { share };
    let part = [whole[0] * factor, whole[1] * factor, whole[2] * factor, libm::cos(half)];
    *quaternion = quat_product(quaternion.map(f64::from), part).map(|x| x as f32);
}
