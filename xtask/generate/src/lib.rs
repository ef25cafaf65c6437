//! Writing generated files into the repository, for the programs that generate them.

mod files;

pub use files::{File, Mode, Outcome, root};
