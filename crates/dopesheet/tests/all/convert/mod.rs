//! Conversions.

mod attached_clips;
mod counts;
mod dances;
pub(crate) mod fbx_layouts;
mod frames;
mod hands;
mod long_clips;
mod more;
mod muscles;
#[cfg(feature = "research")]
mod npz;
mod owned_files;
mod rest_poses;
pub(crate) mod stated_losses;
mod surfaces;
mod unity;
mod unseen_content;
mod visible_bones;
pub(crate) mod vmd;
mod vrma;
#[cfg(feature = "research")]
mod webxr;
mod weights;
