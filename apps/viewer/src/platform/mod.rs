//! What a window and a web page do differently. Both halves have the same functions.

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod web;
#[cfg(target_arch = "wasm32")]
mod worker;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::{
    Running, choose_files, load_japanese, now_ms, publish, remember, remembered, run, save, start, take,
};
#[cfg(target_arch = "wasm32")]
pub(crate) use web::{choose_files, load_japanese, now_ms, publish, remember, remembered, run, save, take};
#[cfg(target_arch = "wasm32")]
pub(crate) use worker::{Running, start};
