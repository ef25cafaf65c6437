//! Channels of several files, converted to curves of the same kind.

use crate::refused::Reason;
use dopesheet_core::model::{Blend, Channel, Composition, Target};

/// Gives all channels of a property curves of the same kinds. A vector in a single curve is split into a
/// curve for each axis if another file has curves for axes.
pub(crate) fn make_alike(parts: &mut [Option<Channel>], target: &Target) -> Result<(), Reason> {
    let has_axes = |part: &Channel| matches!(part.composition, Composition::Components(_));
    if parts.iter().flatten().any(has_axes) {
        for part in parts.iter_mut().flatten() {
            if let Composition::Whole(curve) = &part.composition
                && curve.laws.all(|law| is_by_component(law.blend))
            {
                let axes = (0..curve.width).map(|axis| curve.component(axis));
                part.composition = Composition::Components(axes.collect());
            }
        }
    }
    let mut all = parts.iter().flatten();
    let Some(first) = all.next() else { return Ok(()) };
    match all.all(|other| are_alike(first, other)) {
        true => Ok(()),
        false => Err(Reason::new(format!(
            "expected the {} of \"{}\" to be made of the same kinds of curves in all files, found others; \
             convert one of them first",
            first.property.word(),
            target.label()
        ))),
    }
}

const fn is_by_component(blend: Blend) -> bool {
    matches!(blend, Blend::Step | Blend::Lerp | Blend::Hermite | Blend::WeightedBezier)
}

fn are_alike(a: &Channel, b: &Channel) -> bool {
    let is_same = match (&a.composition, &b.composition) {
        (Composition::Orbit(a), Composition::Orbit(b)) => {
            (a.order, a.angle_signs, a.axis) == (b.order, b.angle_signs, b.axis)
        }
        (Composition::Aim { axis: a, .. }, Composition::Aim { axis: b, .. })
        | (Composition::Swing { axis: a, .. }, Composition::Swing { axis: b, .. }) => a == b,
        (a, b) => a.word() == b.word() && a.order() == b.order(),
    };
    let widths =
        |channel: &Channel| channel.composition.curves().map(|curve| curve.width).collect::<Vec<_>>();
    is_same && widths(a) == widths(b) && a.native == b.native
}
