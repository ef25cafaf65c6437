//! Documents with a changed text.

pub(crate) mod extension;
pub(crate) mod repack;
pub(crate) mod settle;
pub(crate) mod slots;
