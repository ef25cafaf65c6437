//! Judgement of a motion on its new figure.

pub(crate) mod played;
pub(crate) mod slides;
mod surface;
mod touches;
pub(crate) mod verdict;
