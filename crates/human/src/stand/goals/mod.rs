//! A motion as keys for a model with MikuMikuDance's rig.

pub(crate) mod keys;
pub(crate) mod measure;
pub(crate) mod model;
pub(crate) mod poser;
