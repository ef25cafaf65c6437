//! Keys with the segments between them, under construction.

use super::plan::straight_law;
use super::times::SharedTimes;
use crate::difference::{parts, rotation_start};
use crate::single::{finite, narrow};
use dopesheet_core::model::{Blend, Channel, Curve, Handles, JumpSide, Law, Laws, Property, Timing};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{GreatArc, quat_angle};
use std::ops::Range;

/// A cubic segment.
pub(super) const CUBIC: Law = Law { timing: Timing::Linear, blend: Blend::Hermite };

/// Rotations turn by no more than this between two straight keys, in radians: 170°. Programs agree on the shorter way round
/// only well below half a turn.
const LARGEST_TURN_RAD: f64 = 170.0 * std::f64::consts::PI / 180.0;

/// Keys under construction. Of two opposite quaternions each key has the nearer to the key before.
pub(super) struct Rows<'a> {
    property: &'a Property,
    /// Index of the quaternion's first number in a value.
    rotation: Option<usize>,
    width: usize,
    times: Vec<Seconds>,
    values: Vec<f32>,
    /// For each cubic segment, the number of the key at its end and its slopes per second at both ends.
    cubics: Vec<(usize, [Vec<f32>; 2])>,
    /// Number of jumps at whose time the old value counts, and the number of those with the new value.
    sides: [usize; 2],
}

impl<'a> Rows<'a> {
    pub(super) fn new(property: &'a Property) -> Self {
        Self {
            property,
            rotation: rotation_start(property),
            width: 0,
            times: Vec::new(),
            values: Vec::new(),
            cubics: Vec::new(),
            sides: [0, 0],
        }
    }

    /// The first key, the end of a straight segment, or the new value of a jump.
    pub(super) fn push(&mut self, time: Seconds, value: &[f64]) {
        let is_opposite = self.is_opposite(value);
        self.width = value.len();
        self.times.push(time);
        let row = self.values.len();
        self.values.extend(value.iter().map(|x| finite(*x)));
        if is_opposite {
            negate(self.rotation, self.values.get_mut(row..).unwrap_or_default());
        }
    }

    /// The end of a cubic segment, whose start has the value `from`.
    pub(super) fn push_cubic(&mut self, time: Seconds, from: &[f64], to: &[f64], slopes: &[Vec<f64>; 2]) {
        let is_opposite = self.is_opposite(from);
        let signed = |value: &[f64]| {
            let mut value: Vec<f32> = value.iter().map(|x| finite(*x)).collect();
            if is_opposite {
                negate(self.rotation, &mut value);
            }
            value
        };
        let (to, slopes) = (signed(to), [&slopes[0], &slopes[1]].map(|slopes| signed(slopes)));
        self.cubics.push((self.times.len(), slopes));
        self.times.push(time);
        self.values.extend(to);
    }

    pub(super) fn times(&self) -> &[Seconds] {
        &self.times
    }

    /// The values of the keys.
    pub(super) fn values(&self) -> impl Iterator<Item = &[f32]> + Clone {
        self.values.chunks_exact(self.width.max(1))
    }

    /// Takes note of a jump from a value to another; `at` is the value at the very time.
    pub(super) fn note_jump(&mut self, before: &[f64], at: &[f64]) {
        let is_same = self.is_same(before, at);
        let [old, new] = &mut self.sides;
        let side = if is_same { old } else { new };
        *side = side.saturating_add(1);
    }

    /// True of two values of the same key.
    pub(super) fn is_same(&self, a: &[f64], b: &[f64]) -> bool {
        is_same(self.rotation, a, b)
    }

    /// The middle of the time to a value nearly half a turn from the last one; `None` for other values.
    pub(super) fn half_way(&self, time: Seconds, value: &[f64]) -> Option<Seconds> {
        let (last, old) = (self.times.last()?, self.quaternion(self.last()).map(|q| q.map(f64::from))?);
        let turn = quat_angle(old, self.quaternion(value)?);
        (turn > LARGEST_TURN_RAD).then_some(Seconds(0.5 * last.0 + 0.5 * time.0))
    }

    /// The keys as channels, on frames if there is a grid. Straight segments have no tangents where laws are `mixed`.
    pub(super) fn into_channels(
        mut self,
        grid: Option<FrameRate>,
        mixed: bool,
        shared: &mut SharedTimes,
    ) -> Vec<Channel> {
        let times = shared.list(&self.times, grid);
        let has_cubics = if mixed { !self.cubics.is_empty() } else { self.times.len() > 1 };
        let handles = has_cubics.then(|| self.handles());
        let mut is_cubic = vec![!mixed; self.times.len()];
        for (key, _) in &self.cubics {
            if let Some(own) = is_cubic.get_mut(*key) {
                *own = true;
            }
        }
        let jump = if self.sides[0] > self.sides[1] { JumpSide::Before } else { JumpSide::After };
        let (width, mut own) = (self.width, std::mem::take(&mut self.values));
        let one_channel = |(property, range): (Property, Range<usize>)| {
            let pick = |column: &[f32]| -> Vec<f32> {
                let rows = column.chunks_exact(width.max(1));
                rows.flat_map(|row| row.get(range.clone()).unwrap_or_default()).copied().collect()
            };
            let mut values = if range.len() == width { std::mem::take(&mut own) } else { pick(&own) };
            // Clips are kept for long, and in numbers.
            values.shrink_to_fit();
            let law = |cubic: &bool| if *cubic { CUBIC } else { straight_law(&property) };
            let laws = match &handles {
                None => Laws::uniform(straight_law(&property)),
                Some(_) => Laws::from_segments(is_cubic.iter().skip(1).map(law)),
            };
            let both = |all: &Handles| Handles { arriving: pick(&all.arriving), leaving: pick(&all.leaving) };
            let handles = handles.as_ref().map(|all| Box::new(both(all)));
            let curve = Curve::new(times.clone(), range.len(), values, laws);
            Channel::whole(property, Curve { handles, jump, ..curve })
        };
        parts(self.property, width).into_iter().map(one_channel).collect()
    }

    /// The slopes of all segments.
    fn handles(&self) -> Handles {
        let zeros = || vec![0.0; self.values.len()];
        let (mut handles, width) = (Handles { arriving: zeros(), leaving: zeros() }, self.width.max(1));
        let mut cubics = self.cubics.iter().peekable();
        let segments = self.times.array_windows().zip(self.values().zip(self.values().skip(1)));
        let rows = handles.leaving.chunks_exact_mut(width);
        let rows = rows.zip(handles.arriving.chunks_exact_mut(width).skip(1));
        for ((key, ([start, end], (from, to))), (leaving, arriving)) in (1..).zip(segments).zip(rows) {
            let [own_leaving, own_arriving] = match cubics.next_if(|(cubic, _)| *cubic == key) {
                Some((_, slopes)) => slopes.clone(),
                None if start == end => continue,
                None => self.line_slopes(from, to, end.0 - start.0),
            };
            leaving.copy_from_slice(&own_leaving);
            arriving.copy_from_slice(&own_arriving);
        }
        handles
    }

    /// The slopes per second at both ends of a straight segment; quaternions go along the great arc.
    fn line_slopes(&self, from: &[f32], to: &[f32], length_s: f64) -> [Vec<f32>; 2] {
        let chord = from.iter().zip(to).map(|(a, b)| finite((f64::from(*b) - f64::from(*a)) / length_s));
        let chord: Vec<f32> = chord.collect();
        let ends = self.quaternion(from).zip(self.quaternion(to));
        let arc = ends.map(|(from, to)| GreatArc::between(from.map(f64::from), to.map(f64::from)));
        [0.0, 1.0].map(|end| {
            let mut slopes = chord.clone();
            if let (Some(arc), Some(own)) = (&arc, self.rotation.and_then(|at| slopes.get_mut(at..))) {
                let turned = own.iter_mut().zip(arc.velocity_at(end));
                turned.for_each(|(own, slope)| *own = finite(slope / length_s));
            }
            slopes
        })
    }

    /// The value of the last key.
    fn last(&self) -> &[f32] {
        self.values.get(self.values.len().saturating_sub(self.width)..).unwrap_or_default()
    }

    /// True of a value whose quaternion, as four numbers, is nearer to the last one after a change of sign.
    fn is_opposite(&self, value: &[f64]) -> bool {
        let ends = self.quaternion(self.last()).zip(self.quaternion(value));
        ends.is_some_and(|(a, b)| a.iter().zip(b).map(|(x, y)| f64::from(*x) * y).sum::<f64>() < 0.0)
    }

    /// The quaternion of a value, if it has one.
    fn quaternion<T: Copy>(&self, value: &[T]) -> Option<[T; 4]> {
        value.get(self.rotation?..)?.first_chunk().copied()
    }
}

/// True of two values of the same key, with quaternions from `rotation` on.
pub(super) fn is_same(rotation: Option<usize>, a: &[f64], b: &[f64]) -> bool {
    let at = rotation.unwrap_or(a.len()).min(a.len()).min(b.len());
    let ((va, qa), (vb, qb)) = (a.split_at(at), b.split_at(at));
    let equal = |a: &[f64], b: &[f64], sign: f64| {
        a.iter().zip(b).all(|(x, y)| narrow(*x) == narrow(sign * y) || (x.is_nan() && y.is_nan()))
    };
    equal(va, vb, 1.0) && (equal(qa, qb, 1.0) || equal(qa, qb, -1.0))
}

fn negate(rotation: Option<usize>, value: &mut [f32]) {
    let quaternion = rotation.and_then(|at| value.get_mut(at..));
    quaternion.into_iter().flatten().for_each(|x| *x = -*x);
}
