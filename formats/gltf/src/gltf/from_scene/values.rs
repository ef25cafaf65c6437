//! Values as a document holds them.

use crate::gltf::json::parts::Index;
use crate::gltf::json::text;
use dopesheet_core::model::MorphSet;

/// A position in a list of the document.
pub(super) fn index(position: usize) -> Index {
    Index::try_from(position).unwrap_or(Index::MAX)
}

/// A name, if not empty.
pub(super) fn boxed(name: &str) -> Option<Box<str>> {
    (!name.is_empty()).then(|| name.into())
}

/// A number as read back from the text.
pub(super) fn stored(number: f64) -> f64 {
    text::STYLE.read_back(number)
}

pub(super) fn stored_all(numbers: &[f32]) -> Box<[f64]> {
    numbers.iter().map(|number| stored(f64::from(*number))).collect()
}

/// The bytes of numbers, joined in order.
pub(super) fn joined<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.size_hint().0.saturating_mul(N));
    for number in numbers {
        bytes.extend_from_slice(&number);
    }
    bytes
}

/// One weight per morph.
pub(super) fn rest_weights(set: &MorphSet) -> Vec<f32> {
    let mut weights = set.rest.clone();
    weights.resize(set.morphs.len(), 0.0);
    weights
}
