//! The crate `splines` as a sampler: one spline a joint, looked up by binary search, blended on the chord.

use dopesheet_core::model::Scene;
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::local_pose;
use splines::{Interpolate, Interpolation, Key, Spline};
use std::hint::black_box;
use std::time::Instant;

/// Translation and rotation of a joint.
#[derive(Clone, Copy)]
pub(crate) struct Joint([f32; 7]);

impl Interpolate<f32> for Joint {
    fn step(t: f32, threshold: f32, a: Self, b: Self) -> Self {
        if t < threshold { a } else { b }
    }

    fn lerp(t: f32, Self(a): Self, Self(b): Self) -> Self {
        let sign = if (3..7).map(|n| a[n] * b[n]).sum::<f32>() < 0.0 { -1.0 } else { 1.0 };
        let mut out: [f32; 7] =
            std::array::from_fn(|n| a[n] + (if n < 3 { b[n] } else { sign * b[n] } - a[n]) * t);
        let length = (3..7).map(|n| out[n] * out[n]).sum::<f32>().sqrt();
        out.iter_mut().skip(3).for_each(|v| *v /= length);
        Self(out)
    }

    // The keys are all linear, so that the other laws are never asked for.
    fn cosine(t: f32, a: Self, b: Self) -> Self {
        Self::lerp(t, a, b)
    }

    fn cubic_hermite(t: f32, _: (f32, Self), a: (f32, Self), b: (f32, Self), _: (f32, Self)) -> Self {
        Self::lerp(t, a.1, b.1)
    }

    fn quadratic_bezier(t: f32, a: Self, _: Self, b: Self) -> Self {
        Self::lerp(t, a, b)
    }

    fn cubic_bezier(t: f32, a: Self, _: Self, _: Self, b: Self) -> Self {
        Self::lerp(t, a, b)
    }

    fn cubic_bezier_mirrored(t: f32, a: Self, _: Self, _: Self, b: Self) -> Self {
        Self::lerp(t, a, b)
    }
}

/// One spline for each joint.
pub(crate) struct Splines {
    joints: Vec<Spline<f32, Joint>>,
    out: Vec<Joint>,
}

impl Splines {
    /// `None` for clips whose curves do not all have the same keys.
    pub(crate) fn new(scene: &Scene) -> Option<Self> {
        let clip = &scene.clips[0];
        let channels = clip.tracks.iter().flat_map(|track| &track.channels);
        let mut lists = channels.flat_map(|channel| channel.composition.curves()).map(|curve| &curve.times);
        let times = lists.next()?;
        if !lists.all(|others| others == times) {
            return None;
        }
        let times: Vec<Seconds> = times.iter().collect();
        let mut keys = vec![Vec::with_capacity(times.len()); scene.nodes.len()];
        for time in times {
            for (keys, joint) in keys.iter_mut().zip(local_pose(scene, clip, time).0) {
                let numbers = [joint.translation.as_slice(), &joint.rotation].concat();
                let value = Joint(std::array::from_fn(|n| numbers[n] as f32));
                keys.push(Key::new(time.0 as f32, value, Interpolation::Linear));
            }
        }
        let joints: Vec<_> = keys.into_iter().map(Spline::from_vec).collect();
        let out = vec![Joint([0.0; 7]); joints.len()];
        Some(Self { joints, out })
    }

    /// Bytes of its keys.
    pub(crate) fn bytes(&self) -> usize {
        self.joints.iter().map(|joint| joint.len() * size_of::<Key<f32, Joint>>()).sum()
    }

    /// Nanoseconds a pose.
    pub(crate) fn round(&mut self, times: &[Seconds]) -> f64 {
        let start = Instant::now();
        for time in times {
            for (joint, out) in self.joints.iter().zip(&mut self.out) {
                *out = joint.clamped_sample(time.0 as f32).unwrap_or(*out);
            }
            black_box(&mut self.out);
        }
        start.elapsed().as_secs_f64() * 1e9 / times.len() as f64
    }
}
