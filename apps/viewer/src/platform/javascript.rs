//! Values of JavaScript.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// The message of an error.
pub(super) fn text(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|m| m.as_string());
    message.or_else(|| error.as_string()).unwrap_or_else(|| format!("{error:?}"))
}
