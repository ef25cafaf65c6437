//! The tests of this crate, in one program: it is linked once.

mod attach_corpus;
#[cfg(feature = "editing")]
mod avatars;
#[cfg(feature = "editing")]
mod bone_table;
mod bones;
mod capture;
mod counted;
#[cfg(feature = "editing")]
mod described;
#[cfg(feature = "editing")]
mod edit;
#[cfg(all(feature = "editing", feature = "research"))]
mod edit_arrays;
#[cfg(feature = "editing")]
mod edit_ends;
#[cfg(feature = "editing")]
mod edit_formats;
#[cfg(feature = "editing")]
mod edit_measured;
#[cfg(feature = "editing")]
mod edit_more;
#[cfg(feature = "editing")]
mod edit_recordings;
#[cfg(feature = "editing")]
mod edit_times;
#[cfg(feature = "editing")]
mod edit_undone;
#[cfg(feature = "editing")]
mod edit_unity;
mod english;
mod examples;
mod fbx;
mod fbx_figures;
mod fbx_onto;
mod figures;
mod hands;
#[cfg(feature = "editing")]
mod held;
mod honest;
#[cfg(feature = "editing")]
mod judged;
mod kept;
#[cfg(feature = "editing")]
mod laws;
mod long;
mod mmd_corpus;
mod more;
mod muscles;
#[cfg(feature = "research")]
mod npz;
mod onto_model;
mod onto_skeleton;
mod onto_ways;
mod oracle;
mod owned;
mod pictures;
mod plot;
mod poses;
#[cfg(feature = "editing")]
mod puppets;
mod raised;
#[cfg(feature = "editing")]
mod refusals;
mod registry;
mod rests;
#[cfg(feature = "editing")]
mod standing;
mod subjects;
mod surfaces;
mod unity;
mod vmd;
mod vrma;
#[cfg(feature = "research")]
mod webxr;
#[cfg(feature = "editing")]
mod weights;
#[cfg(feature = "editing")]
mod wild;
#[cfg(feature = "editing")]
mod wild_bodies;
#[cfg(feature = "editing")]
mod wild_pairs;
