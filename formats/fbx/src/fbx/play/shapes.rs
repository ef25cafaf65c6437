//! Shapes of a morph.

/// Weights of a channel at which each of its shapes has full effect; 1 is the whole channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes(pub Vec<f64>);

impl Shapes {
    /// The weight of each shape at a weight of the channel. A single shape has the weight of the channel; of several, the two shapes on both
    /// sides of the weight share it, with the unmorphed mesh as a shape at 0, and the outermost continue in a straight line.
    ///
    /// Source: ufbx (`ufbx_blend_keyframe.effective_weight`).
    #[must_use]
    pub fn shares(&self, weight: f64) -> Vec<f64> {
        let count = self.0.len();
        if count == 1 {
            return vec![weight];
        }
        // Shapes on the side of 0 on which the weight is, from 0 outwards; those of the other side go on if there are none.
        let is_beyond = |sign: f64| self.0.iter().any(|target| target * sign > 0.0);
        let side = if weight > 0.0 { 1.0 } else { -1.0 };
        let sign = if is_beyond(side) { side } else { -side };
        let target = |shape: &usize| self.0.get(*shape).map_or(0.0, |target| target * sign);
        let mut outwards: Vec<usize> = (0..count).filter(|shape| target(shape) > 0.0).collect();
        outwards.sort_by(|a, b| target(a).total_cmp(&target(b)));
        let (mut shares, height) = (vec![0.0; count], weight * sign);
        let far = outwards.iter().position(|shape| target(shape) > height).or(outwards.len().checked_sub(1));
        let Some((at, far)) = far.and_then(|at| Some((at, *outwards.get(at)?))) else { return shares };
        let near = at.checked_sub(1).and_then(|at| outwards.get(at).copied());
        let start = near.as_ref().map_or(0.0, target);
        let width = target(&far) - start;
        let share = if width > 0.0 { (height - start) / width } else { 1.0 };
        for (shape, part) in [(Some(far), share), (near, 1.0 - share)] {
            if let Some(slot) = shape.and_then(|shape| shares.get_mut(shape)) {
                *slot = part;
            }
        }
        shares
    }
}
