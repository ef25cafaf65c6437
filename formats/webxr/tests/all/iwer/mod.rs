//! The format iwer: bytes, damage, messages, scenes.

mod convert;
mod damage;
mod fixtures;
mod golden;
mod messages;
mod property;
