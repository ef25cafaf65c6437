//! Largest differences in each stretch of time, so that only changed stretches are compared again.

use super::{AtSamples, Tolerance};
use dopesheet_core::model::NodeIndex;
use std::ops::Range;

/// Number of parts of a window with a height of their own.
const PARTS: usize = 256;

/// Largest differences of two animations in windows of time.
pub(crate) struct Windows {
    /// Start of each window but the first, ascending: the first begins with the animation, and the last ends
    /// with it.
    starts: Vec<f64>,
    /// Start of the first window and end of the last one.
    ends: [f64; 2],
    /// For each part of each window, the largest displacement of a joint at a sample, or somewhat more.
    heights: Vec<[f32; PARTS]>,
    /// For each pair, its node of A.
    nodes: Vec<Option<NodeIndex>>,
    peaks: Vec<AtSamples>,
}

impl Windows {
    /// Empty windows, one for each `size` sample times.
    pub(super) fn new(times: &[f64], size: usize, nodes: Vec<Option<NodeIndex>>) -> Self {
        let starts: Vec<f64> = times.iter().step_by(size).skip(1).copied().collect();
        let peaks: Vec<AtSamples> = (0..=starts.len()).map(|_| AtSamples::default()).collect();
        let ends = [times.first(), times.last()].map(|end| end.copied().unwrap_or_default());
        let heights = vec![[0.0; PARTS]; peaks.len()];
        Self { starts, ends, heights, nodes, peaks }
    }

    /// The part of a window that a time is in.
    fn part(&self, window: usize, time: f64) -> usize {
        let Range { start, end } = self.span(window);
        let [start, end] = [start.max(self.ends[0]), end.min(self.ends[1])];
        // Saturates.
        (((time - start) / (end - start) * PARTS as f64) as usize).min(PARTS - 1)
    }

    /// The largest displacement of a joint at samples about a time, or somewhat more.
    pub(super) fn height(&self, time: f64) -> f32 {
        let window = self.starts.partition_point(|start| *start <= time);
        let heights = self.heights.get(window);
        heights.and_then(|own| own.get(self.part(window, time))).copied().unwrap_or_default()
    }

    /// Start of a window, and of the next window.
    pub(crate) fn span(&self, window: usize) -> Range<f64> {
        let start = window.checked_sub(1).and_then(|before| self.starts.get(before)).copied();
        start.unwrap_or(f64::NEG_INFINITY)..self.starts.get(window).copied().unwrap_or(f64::INFINITY)
    }

    /// The windows in contact with stretches of time, ascending; all without stretches.
    pub(super) fn touched(&self, stretches: Option<&[Range<f64>]>) -> Vec<usize> {
        let all = 0..self.peaks.len();
        let Some(stretches) = stretches else { return all.collect() };
        let touches = |window: &usize| {
            let span = self.span(*window);
            stretches.iter().any(|own| own.start <= span.end && span.start <= own.end)
        };
        all.filter(touches).collect()
    }

    /// The same windows without differences.
    pub(crate) fn emptied(&self) -> Self {
        let peaks: Vec<AtSamples> = self.peaks.iter().map(|_| AtSamples::default()).collect();
        let heights = vec![[0.0; PARTS]; peaks.len()];
        Self { starts: self.starts.clone(), ends: self.ends, heights, nodes: self.nodes.clone(), peaks }
    }

    /// Replaces the differences of a window by new ones; of joints, only for the pairs `looked_at`. `heights` are those of the samples.
    pub(super) fn replace(
        &mut self,
        window: usize,
        mut peaks: AtSamples,
        heights: impl Iterator<Item = (f64, f32)>,
        looked_at: &[bool],
    ) {
        let (Some(earlier), Some(parts)) = (self.peaks.get_mut(window), self.heights.get_mut(window)) else {
            return;
        };
        let joints = earlier.joints.iter().zip(&mut peaks.joints).zip(looked_at);
        let mut unmoved = 0.0f64;
        for ((before, after), _) in joints.filter(|(_, is_new)| !**is_new) {
            unmoved = unmoved.max(before.displaced());
            *after = *before;
        }
        *earlier = peaks;
        parts.iter_mut().for_each(|part| *part = part.min(unmoved as f32));
        for (time, height) in heights {
            let part = self.part(window, time);
            let stored = self.heights.get_mut(window).and_then(|heights| heights.get_mut(part));
            stored.into_iter().for_each(|stored| *stored = stored.max(height));
        }
    }

    /// Differences in each window.
    pub(super) fn all(&self) -> impl Iterator<Item = &AtSamples> {
        self.peaks.iter()
    }

    /// Takes note of what was found in a window at further times.
    pub(super) fn note(&mut self, window: usize, peaks: &AtSamples) {
        if let Some(own) = self.peaks.get_mut(window) {
            *own = std::mem::take(own).merged(peaks);
        }
    }

    /// The largest differences of all windows, of equal ones the first.
    pub(super) fn whole(&self, nothing: AtSamples) -> AtSamples {
        self.peaks.iter().fold(nothing, AtSamples::merged)
    }

    /// The windows with a sample at which a joint takes more than a share of its limit.
    pub(crate) fn above(&self, share: f64, tolerance: &Tolerance, node: NodeIndex) -> Vec<Range<f64>> {
        let windows = self.shares(tolerance, node).enumerate().filter(|(_, own)| *own > share);
        windows.map(|(window, _)| self.span(window)).collect()
    }

    /// The window with the largest share of a joint's limit.
    pub(crate) fn largest(&self, tolerance: &Tolerance, node: NodeIndex) -> Option<Range<f64>> {
        let window = self.shares(tolerance, node).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?.0;
        Some(self.span(window))
    }

    /// For each window, the share of its limit taken by a joint.
    fn shares(&self, tolerance: &Tolerance, node: NodeIndex) -> impl Iterator<Item = f64> {
        let pair = self.nodes.iter().position(|own| *own == Some(node)).unwrap_or(usize::MAX);
        self.peaks
            .iter()
            .map(move |window| window.joints.get(pair).map_or(0.0, |peaks| peaks.placed_share(tolerance)))
    }
}
