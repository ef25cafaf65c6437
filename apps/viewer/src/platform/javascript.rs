//! Values of JavaScript.

use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Performance;

/// The message of an error.
pub(super) fn text(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|m| m.as_string());
    message.or_else(|| error.as_string()).unwrap_or_else(|| format!("{error:?}"))
}

/// Milliseconds since the page was opened, or the Worker was started.
pub(crate) fn now_ms() -> f64 {
    let clock = Reflect::get(&js_sys::global(), &"performance".into());
    clock.ok().and_then(|clock| clock.dyn_into::<Performance>().ok()).map_or(0.0, |clock| clock.now())
}

/// Memory of this copy of the program, in bytes.
pub(crate) fn memory() -> f64 {
    let buffer = Reflect::get(&wasm_bindgen::memory(), &"buffer".into());
    let bytes = buffer.and_then(|buffer| Reflect::get(&buffer, &"byteLength".into()));
    bytes.ok().and_then(|bytes| bytes.as_f64()).unwrap_or_default()
}
