//! The tests of this crate, in one program: it is linked once.

mod m4b;
mod more;
