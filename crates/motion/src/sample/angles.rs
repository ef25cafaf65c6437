//! Angles of poses, between which a rotation takes the shorter arc.

use super::outside::count_until;
use super::timing::{eased, share};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, EulerOrder, Law, Outside, Property};
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;

/// Angles in one curve with segments in which the rotation takes the shorter arc.
pub(crate) struct PoseAngles<'a> {
    order: EulerOrder,
    curve: &'a Curve,
    /// Radians per stored unit.
    scale: f64,
}

impl<'a> PoseAngles<'a> {
    /// Pose angles of a channel; `None` for other channels, and for angles without such segments.
    pub(crate) fn of(channel: &'a Channel) -> Option<Self> {
        let Composition::Euler { order, angles } = &channel.composition else { return None };
        let [curve] = angles.as_slice() else { return None };
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let starts = matches!(curve.before, Outside::Ramp { law, .. } if law.blend == Blend::Slerp);
        let is_slerped = starts || curve.laws.runs().any(|law| law.blend == Blend::Slerp);
        (is_slerped && curve.width == 3).then_some(Self { order: *order, curve, scale })
    }

    pub(crate) const fn curve(&self) -> &'a Curve {
        self.curve
    }

    /// The segment around a time strictly between keys, of which `until` come before; `None` where the
    /// segment is no shorter arc.
    pub(crate) fn segment(&self, time: Seconds, until: usize) -> Option<PoseSegment<'a>> {
        let (curve, end) = (self.curve, self.curve.times.get(until)?);
        let (start, from, law) = match (until.checked_sub(1), &curve.before) {
            (Some(key), _) => (curve.times.get(key)?, curve.value(key)?, curve.laws.get(key)),
            (None, Outside::Ramp { start, from, law }) if start.0 < end.0 => (*start, &**from, *law),
            (None, _) => return None,
        };
        let share = eased(law.timing, share(start, end, time));
        (law.blend == Blend::Slerp && start != time).then_some(PoseSegment {
            from,
            to: curve.value(until)?,
            share,
        })
    }

    /// The rotation in a segment.
    pub(crate) fn rotation(&self, segment: &PoseSegment<'_>) -> [f64; 4] {
        let ends = [segment.from, segment.to]
            .map(|angles| curve::quat_from_euler(self.order.axes(), self.radians(angles)));
        curve::slerp(ends[0], ends[1], segment.share)
    }

    /// Angles of a segment in the stored unit: of all equivalent angles, those nearest to the key before.
    pub(crate) fn stored(&self, segment: &PoseSegment<'_>) -> [f64; 3] {
        let order = self.order.axes();
        let angles = curve::euler_from_quat(order, self.rotation(segment));
        curve::nearest_equivalent_euler(order, angles, self.radians(segment.from))
            .map(|angle| angle / self.scale)
    }

    fn radians(&self, angles: &[f32]) -> [f64; 3] {
        angles.first_chunk::<3>().copied().unwrap_or_default().map(|angle| f64::from(angle) * self.scale)
    }

    /// The rotation of some angles as stored numbers, on the same half of the sphere as the key before.
    fn narrowed(&self, angles: &[f32], before: Option<&[f32]>) -> [f32; 4] {
        let q = curve::quat_from_euler(self.order.axes(), self.radians(angles));
        let q = curve::quat_normalise_or_identity(q);
        let is_opposite = before
            .is_some_and(|before| before.iter().zip(q).map(|(x, y)| f64::from(*x) * y).sum::<f64>() < 0.0);
        let sign = if is_opposite { -1.0 } else { 1.0 };
        q.map(|x| (sign * x) as f32)
    }
}

/// Ways of three evenly running angles, in radians, between two times of one segment; `None` for other
/// channels. The cursor is the number of keys at or before the last time.
pub(crate) fn ways_of_angles(
    channel: &Channel,
    [a, b]: [Seconds; 2],
    cursor: &mut usize,
) -> Option<[f64; 3]> {
    let Composition::Euler { angles, .. } = &channel.composition else { return None };
    let [curve] = angles.as_slice() else { return None };
    let end = count_until(&curve.times, Seconds(0.5 * a.0 + 0.5 * b.0), Some(cursor));
    let start = end.checked_sub(1)?;
    let times = [start, end].map(|key| curve.times.get(key));
    let (Some(from), Some(to)) = times.into() else { return None };
    let is_inside = from.0 <= a.0 && a.0 < b.0 && b.0 <= to.0;
    if !is_inside || curve.laws.get(start) != Law::LINEAR {
        return None;
    }
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale) * (b.0 - a.0) / (to.0 - from.0);
    let ends = [start, end].map(|key| curve.value(key).and_then(|angles| angles.first_chunk::<3>()));
    let (Some(from), Some(to)) = ends.into() else { return None };
    let ([ax, ay, az], [bx, by, bz]) = (from.map(f64::from), to.map(f64::from));
    Some([bx - ax, by - ay, bz - az].map(|way| way * scale))
}

/// A time between two poses.
pub(crate) struct PoseSegment<'a> {
    from: &'a [f32],
    to: &'a [f32],
    /// Covered share of the arc, 0..=1.
    share: f64,
}

/// A channel of angles as one curve of quaternions with the same keys and laws, where the angles only state
/// poses at keys: between keys the rotation takes the shorter arc, or stays. `None` for any other channel.
///
/// Rotations are off by the rounding to f32, less than 2e-7 radians.
#[must_use]
pub fn joined_angles(channel: &Channel) -> Option<Channel> {
    let angles = PoseAngles::of(channel)?;
    let source = angles.curve();
    let says_poses = |law: Law| matches!(law.blend, Blend::Slerp | Blend::Step);
    let starts = match &source.before {
        Outside::Ramp { law, .. } => says_poses(*law),
        _ => true,
    };
    if !starts || !source.laws.all(says_poses) || source.validate().is_err() {
        return None;
    }
    let mut values: Vec<f32> = Vec::with_capacity(source.len().saturating_mul(4));
    for row in source.values.chunks_exact(source.width) {
        let before = values.len().checked_sub(4).and_then(|at| values.get(at..));
        let rotation = angles.narrowed(row, before);
        values.extend(rotation);
    }
    let before = match &source.before {
        Outside::Ramp { start, from, law } => {
            Outside::Ramp { start: *start, from: angles.narrowed(from, values.get(..4)).into(), law: *law }
        }
        other => other.clone(),
    };
    let joined = Curve {
        before,
        after: source.after.clone(),
        jump: source.jump,
        ..Curve::new(source.times.clone(), 4, values, source.laws.clone())
    };
    Some(Channel::whole(Property::Rotation, joined))
}
