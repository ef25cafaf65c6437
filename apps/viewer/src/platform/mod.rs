//! The differences between a window and a web page. Both halves have the same functions.

#[cfg(target_arch = "wasm32")]
mod javascript;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod web;
#[cfg(target_arch = "wasm32")]
mod worker;

use crate::files::inbox::Inbox;

#[cfg(target_arch = "wasm32")]
pub(crate) use javascript::{memory, now_ms};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::{
    Running, choose_files, load_japanese, memory, now_ms, open_sample, publish, remember, remembered, run,
    save, start, take,
};
#[cfg(target_arch = "wasm32")]
pub(crate) use web::{
    choose_files, load_japanese, open_sample, publish, remember, remembered, run, save, take,
};
#[cfg(target_arch = "wasm32")]
pub(crate) use worker::{Running, start};

/// Makes the viewer once there is a window or a canvas.
pub(crate) type Make = fn(&eframe::CreationContext<'_>, Inbox) -> Box<dyn eframe::App>;
