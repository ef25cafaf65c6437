//! Contents of the window, computed without one.

pub(crate) mod bones;
pub(crate) mod clock;
pub(crate) mod command;
pub(crate) mod compare;
pub(crate) mod curves;
pub(crate) mod draft;
pub(crate) mod export;
pub(crate) mod jump;
pub(crate) mod panels;
pub(crate) mod rows;
pub(crate) mod sheet;
pub(crate) mod stands;
pub(crate) mod tab;
