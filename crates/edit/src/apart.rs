//! Difference of two values of a property.

use dopesheet_core::model::Property;
use dopesheet_motion::difference;

/// As [`difference`]; of a placement the position counts.
pub(crate) fn apart(property: &Property, a: &[f64], b: &[f64]) -> f64 {
    match (property, a.first_chunk::<3>(), b.first_chunk::<3>()) {
        (Property::Placement, Some(a), Some(b)) => difference(&Property::Translation, a, b),
        _ => difference(property, a, b),
    }
}
