//! The bones of both large motions and of the model that they play on.

/// Number of bones.
pub(crate) const BONES: usize = 100;
/// Bones in a row of the hierarchy, from the root on.
pub(crate) const CHAIN: usize = 8;

/// The name of a bone.
pub(crate) fn bone(index: usize) -> String {
    format!("bone{index:03}")
}
