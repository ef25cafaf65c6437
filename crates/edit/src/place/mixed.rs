//! Components of a value, mixed by a linear map.

use dopesheet_core::model::{Blend, Curve, Handles, Law, Laws, Outside, Weighted};

/// A linear map with an offset.
#[derive(Clone, Debug)]
pub(super) struct Map {
    pub(super) rows: Vec<Vec<f64>>,
    pub(super) offset: Vec<f64>,
}

/// Accuracy of a channel between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Between {
    /// The course equals the old course, mapped.
    Exact,
    /// The course deviates; keys are exact.
    Near,
}

impl Map {
    pub(super) fn new<const N: usize>(rows: [[f64; N]; N], offset: [f64; N]) -> Self {
        Self { rows: rows.map(|row| row.to_vec()).into(), offset: offset.into() }
    }

    /// The map of the concatenation of two values.
    pub(super) fn beside(mut self, other: Self) -> Self {
        let (width, all) = (self.rows.len(), self.rows.len() + other.rows.len());
        self.rows.iter_mut().for_each(|row| row.resize(all, 0.0));
        self.rows.extend(other.rows.into_iter().map(|row| [vec![0.0; width], row].concat()));
        self.offset.extend(other.offset);
        self
    }

    fn without_offset(&self) -> Self {
        Self { offset: vec![0.0; self.offset.len()], ..self.clone() }
    }

    /// The single component that makes up another component, and its factor; `None` for a mix of components.
    fn lone(&self, component: usize) -> Option<(usize, f64)> {
        let row = self.rows.get(component)?;
        let mut all = row.iter().copied().enumerate().filter(|(_, factor)| *factor != 0.0);
        let (lone, None) = (all.next()?, all.next()) else { return None };
        Some(lone)
    }

    pub(super) fn apply(&self, value: &[f64]) -> Vec<f64> {
        let rows = self.rows.iter().zip(&self.offset);
        rows.map(|(row, offset)| row.iter().zip(value).map(|(a, b)| a * b).sum::<f64>() + offset).collect()
    }

    /// Maps all rows of a column; an unchanged component keeps its exact value.
    fn column(&self, column: &mut [f32]) {
        for row in column.chunks_exact_mut(self.rows.len().max(1)) {
            let old: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
            for ((number, old), new) in row.iter_mut().zip(&old).zip(self.apply(&old)) {
                if new != *old {
                    *number = new as f32;
                }
            }
        }
    }

    /// Maps a curve of all components; `None` if its law couples the components in a way that the map would
    /// break.
    pub(super) fn whole(&self, curve: &mut Curve) -> Option<Between> {
        let width = curve.width;
        let is_plain = (0..width).all(|at| self.lone(at) == Some((at, 1.0)));
        if width != self.rows.len() || (!is_plain && !curve.laws.all(|law| law.blend != Blend::Turn)) {
            return None;
        }
        self.column(&mut curve.values);
        if let Outside::Ramp { from, .. } = &mut curve.before {
            self.column(from);
        }
        let slopes = self.without_offset();
        if let Some(handles) = curve.handles.as_deref_mut() {
            slopes.column(&mut handles.arriving);
            slopes.column(&mut handles.leaving);
        }
        if is_plain || curve.laws.all(|law| law.blend != Blend::WeightedBezier) {
            return Some(Between::Exact);
        }
        let order: Option<Vec<usize>> = (0..width).map(|at| Some(self.lone(at)?.0)).collect();
        let Some(order) = order else {
            let is_even = |column: &[f32]| {
                column.chunks_exact(width).all(|row| row.iter().all(|number| *number == row[0]))
            };
            let even = curve
                .weights
                .as_deref()
                .is_none_or(|weights| is_even(&weights.arriving) && is_even(&weights.leaving));
            return Some(if even { Between::Exact } else { Between::Near });
        };
        if let Some(weights) = curve.weights.as_deref_mut() {
            for row in weights.arriving.chunks_exact_mut(width).chain(weights.leaving.chunks_exact_mut(width))
            {
                let old = row.to_vec();
                row.iter_mut().zip(&order).for_each(|(number, from)| *number = old[*from]);
            }
        }
        Some(Between::Exact)
    }

    /// Maps curves of a component each; `None` if curves to be mixed have keys at different times.
    pub(super) fn components(&self, curves: &mut [Curve]) -> Option<Between> {
        if curves.len() != self.rows.len() || curves.iter().any(|curve| curve.width != 1) {
            return None;
        }
        let (old, mut between) = (curves.to_vec(), Between::Exact);
        for (at, curve) in curves.iter_mut().enumerate() {
            if let Some((from, factor)) = self.lone(at) {
                let source = old.get(from)?;
                if from != at {
                    *curve = source.clone();
                }
                let single = Self { rows: vec![vec![factor]], offset: vec![self.offset[at]] };
                single.whole(curve)?;
                continue;
            }
            let mixed: Vec<(f64, &Curve)> =
                self.rows[at].iter().copied().zip(&old).filter(|(factor, _)| *factor != 0.0).collect();
            let (mixture, accuracy) = mix(&mixed, self.offset[at])?;
            *curve = Curve { sources: curve.sources.clone(), ..mixture };
            if accuracy == Between::Near {
                between = Between::Near;
            }
        }
        Some(between)
    }
}

/// The sum of curves, each with its factor. If they run by different laws, the law of the curve with the
/// longest way is taken.
fn mix(parts: &[(f64, &Curve)], offset: f64) -> Option<(Curve, Between)> {
    let (_, first) = parts.first()?;
    let is_alike = |curve: &Curve| {
        curve.times == first.times
            && (&curve.before, &curve.after, curve.jump) == (&first.before, &first.after, first.jump)
            && curve.weighted == first.weighted
    };
    let ramps = matches!(first.before, Outside::Ramp { .. });
    if ramps || !parts.iter().all(|(_, curve)| is_alike(curve)) {
        return None;
    }
    let keys = first.len();
    let sum = |column: &dyn Fn(&Curve) -> Option<&[f32]>, offset: f64| -> Vec<f32> {
        let number = |key: usize| -> f64 {
            let term = |(factor, curve): &(f64, &Curve)| {
                factor * column(curve).and_then(|term| term.get(key)).map_or(0.0, |x| f64::from(*x))
            };
            parts.iter().map(term).sum::<f64>() + offset
        };
        (0..keys).map(|key| number(key) as f32).collect()
    };
    let mut between = Between::Exact;
    let segments = (0..keys.saturating_sub(1).max(1)).map(|segment| {
        let (law, is_exact) = law_of(parts, segment);
        if !is_exact {
            between = Between::Near;
        }
        law
    });
    let laws = Laws::from_segments(segments.collect::<Vec<Law>>());
    let has_handles = parts.iter().any(|(_, curve)| curve.handles.is_some());
    let handles = has_handles.then(|| {
        Box::new(Handles {
            arriving: sum(&|curve| curve.handles.as_deref().map(|handles| &*handles.arriving), 0.0),
            leaving: sum(&|curve| curve.handles.as_deref().map(|handles| &*handles.leaving), 0.0),
        })
    });
    let mixture = Curve {
        handles,
        weights: first.weights.clone(),
        weighted: first.weighted.clone() as Option<Box<[Weighted]>>,
        before: first.before.clone(),
        after: first.after.clone(),
        jump: first.jump,
        ..Curve::new(first.times.clone(), 1, sum(&|curve| Some(&curve.values), offset), laws)
    };
    Some((mixture, between))
}

/// The law of a segment of a sum, and true if everything that moves in the segment runs by this law.
fn law_of(parts: &[(f64, &Curve)], segment: usize) -> (Law, bool) {
    let distance = |(factor, curve): &(f64, &Curve)| {
        let number = |key: usize| curve.values.get(key).map_or(0.0, |x| f64::from(*x));
        let slope = |slopes: &[f32], key: usize| slopes.get(key).map_or(0.0, |x| f64::from(*x).abs());
        let bent = curve
            .handles
            .as_deref()
            .map_or(0.0, |handles| slope(&handles.leaving, segment) + slope(&handles.arriving, segment + 1));
        (factor * (number(segment + 1) - number(segment))).abs() + factor.abs() * bent
    };
    let furthest = parts.iter().max_by(|a, b| distance(a).total_cmp(&distance(b)));
    let Some((_, leader)) = furthest else { return (Law::LINEAR, true) };
    let law = leader.laws.get(segment);
    let is_same = |(factor, curve): &(f64, &Curve)| {
        let curve_law = curve.laws.get(segment);
        let same_weights = law.blend != Blend::WeightedBezier || curve.weights == leader.weights;
        distance(&(*factor, *curve)) == 0.0 || (curve_law == law && same_weights)
    };
    (law, parts.iter().all(is_same))
}
