//! Blocks of eight neighbours, filled up with what stands still, so that they can be written at once.

use super::arc::LANES;
use super::output::Layout;
use super::rows::Strip;

/// Fewest moving lanes among eight neighbours that are worth storing the others with them.
const MIN_MOVING: usize = 6;

/// What may be written beside the channels themselves.
pub(super) struct Filler<'a> {
    pub layout: Layout,
    /// The output of a clip that moves nothing.
    pub base: &'a [f32],
    /// Places that some channel writes.
    pub written: Vec<bool>,
}

impl Filler<'_> {
    /// Marks places that are written, a stride apart.
    pub(super) fn mark(&mut self, target: usize, components: usize) {
        let stride = self.layout.stride().max(1);
        for place in self.written.iter_mut().skip(target).step_by(stride).take(components) {
            *place = true;
        }
    }

    /// Groups of up to eight that have one law: first those that fill eight neighbouring places, then the rest.
    pub(super) fn groups<const N: usize>(&self, strips: &[Strip<N>], keys: usize) -> Vec<Vec<Strip<N>>> {
        let (mut groups, mut rest): (Vec<Vec<Strip<N>>>, Vec<Strip<N>>) = (Vec::new(), Vec::new());
        let mut left = strips;
        while let [first, others @ ..] = left {
            match self.run(left, keys) {
                Some((group, taken)) => {
                    groups.push(group);
                    left = left.get(taken..).unwrap_or_default();
                }
                None => {
                    rest.push(first.clone());
                    left = others;
                }
            }
        }
        let alike = rest.chunk_by(|a, b| a.law == b.law);
        groups.extend(alike.flat_map(|alike| alike.chunks(LANES)).map(<[_]>::to_vec));
        groups
    }

    /// Eight neighbours from the first strip on, and how many of the strips they are.
    fn run<const N: usize>(&self, strips: &[Strip<N>], keys: usize) -> Option<(Vec<Strip<N>>, usize)> {
        let first = strips.first()?;
        let mut taken = 0;
        let mut group = Vec::with_capacity(LANES);
        for target in first.target..first.target + LANES as u32 {
            match strips.get(taken).filter(|strip| strip.target == target && strip.law == first.law) {
                Some(strip) => {
                    taken += 1;
                    group.push(strip.clone());
                }
                None => group.push(Strip { law: first.law, target, keys: vec![self.still(target)?; keys] }),
            }
        }
        (taken >= MIN_MOVING).then_some((group, taken))
    }

    /// What stands still at a place, if nothing moves it.
    fn still<const N: usize>(&self, target: u32) -> Option<[f32; N]> {
        let mut value = [0.0; N];
        for (component, value) in value.iter_mut().enumerate() {
            let place = target as usize + component * self.layout.stride();
            if self.written.get(place) != Some(&false) {
                return None;
            }
            *value = self.base.get(place).copied()?;
        }
        Some(value)
    }
}
