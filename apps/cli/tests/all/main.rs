//! The tests of this crate, in one program: it is linked once.

mod archive;
mod capture;
mod common;
mod convert;
mod cut_off;
#[cfg(unix)]
mod damaged;
mod diff;
mod doors;
mod doubling;
mod edit;
mod fbx;
mod folder;
mod glob;
mod help;
#[cfg(unix)]
mod hostile;
mod limits;
mod long_motions;
mod look;
mod lost;
mod model;
mod names;
mod nonhuman;
mod onto;
mod plot;
mod render;
mod replaced;
mod safe;
mod sample;
mod several;
mod shown;
mod table;
mod told;
mod view;
mod words;
mod work;
