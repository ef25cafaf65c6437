//! Rounding to single precision, in which keys are stored.

/// The nearest f32; what is beyond becomes the largest.
pub(crate) fn narrow(value: f64) -> f32 {
    if value.is_finite() { value.clamp(f32::MIN.into(), f32::MAX.into()) as f32 } else { value as f32 }
}
