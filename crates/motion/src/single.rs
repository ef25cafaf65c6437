//! Rounding to single precision, in which keys are stored.

/// The nearest f32; what is beyond becomes the largest.
pub(crate) fn narrow(value: f64) -> f32 {
    if value.is_finite() { value.clamp(f32::MIN.into(), f32::MAX.into()) as f32 } else { value as f32 }
}

/// A number that every format can store: what is none counts as 0, and what is infinite as the largest.
pub(crate) fn finite(value: f64) -> f32 {
    if value.is_nan() { 0.0 } else { narrow(value.clamp(f64::MIN, f64::MAX)) }
}
