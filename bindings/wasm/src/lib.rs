//! The native half of the npm package `dopesheet`: it turns arguments into the library's options and its results into
//! strings and arrays. What they are called in JavaScript, and what they look like, is written in `js/`.
//!
//! Nothing here opens files or sockets. Errors are thrown as the JSON of [`dopesheet::Error::to_json`], which `js/errors.js`
//! makes exceptions of.

mod arguments;
pub mod document;

use dopesheet::Error;
use wasm_bindgen::JsValue;

/// The value that is thrown for an error.
fn thrown(error: &Error) -> JsValue {
    error.to_json().to_string().into()
}

/// Runs something and throws its error.
fn throwing<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, JsValue> {
    work().map_err(|error| thrown(&error))
}
