//! The sample times of a round, in their order.

use dopesheet_core::units::Seconds;

/// Samples a round, as many as the peers' program takes.
pub(crate) const SAMPLES: usize = 4096;

/// The order in which a sampler is asked for times.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    Sequence,
    Random,
}

impl Order {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Random => "random",
        }
    }

    /// The sample times, the same as in `peers/samplers.cpp`.
    pub(crate) fn times(self, duration: Seconds) -> Vec<Seconds> {
        let mut state = 1u64;
        let time = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            Seconds(match self {
                Self::Sequence => (n as f64 / 60.0).rem_euclid(duration.0),
                Self::Random => (state >> 11) as f64 / 2f64.powi(53) * duration.0,
            })
        };
        (0..SAMPLES).map(time).collect()
    }
}
