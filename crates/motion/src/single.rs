//! Rounding to single precision, the storage of keys.

/// The nearest f32. Finite values beyond f32 become its largest; infinities and NaN stay.
pub fn narrow(value: f64) -> f32 {
    if value.is_finite() { value.clamp(f32::MIN.into(), f32::MAX.into()) as f32 } else { value as f32 }
}

/// A number for every format: NaN becomes 0, and infinities the largest f32.
pub(crate) fn finite(value: f64) -> f32 {
    if value.is_nan() { 0.0 } else { narrow(value.clamp(f64::MIN, f64::MAX)) }
}
