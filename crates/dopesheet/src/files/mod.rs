//! Files and archives, on disk and in memory: used wherever bytes come in or go out.

pub mod archive;
pub(crate) mod disk;
pub(crate) mod memory;
pub mod open;
pub(crate) mod pack;
pub(crate) mod read;
pub(crate) mod requested;
pub(crate) mod reserved;
