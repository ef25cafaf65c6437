//! Motion capture as text: Biovision Hierarchy.

pub mod bvh;

pub use bvh::Bvh;
