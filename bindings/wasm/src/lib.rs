//! The native half of the npm package `dopesheet`: this crate turns arguments into the library's options, and
//! the library's results into strings and arrays. The names and shapes seen in JavaScript are defined in
//! `js/`.
//!
//! Nothing here opens files or sockets. Errors are thrown as the JSON of [`dopesheet::Error::to_json`], and
//! `js/errors.js` turns the JSON into exceptions.

mod arguments;
pub mod document;

use dopesheet::Error;
use dopesheet::edit::Reason;
use wasm_bindgen::JsValue;

/// The JavaScript value thrown for an error.
fn thrown(error: &Error) -> JsValue {
    let mut json = error.to_json();
    match error {
        Error::Option(wrong) => {
            let wrong = wrong.spelt(camel);
            json["message"] = wrong.to_string().into();
            json["expected"] = wrong.expected.into();
        }
        Error::Refused(refused) if matches!(refused.reason, Reason::OffGrid { .. }) => {
            json["message"] = format!("{error}; snap: true takes the nearest").into();
        }
        _ => {}
    }
    json.to_string().into()
}

/// The name of an option in the camel case of JavaScript.
fn camel(option: &str) -> String {
    let mut words = option.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        name + &head.to_uppercase() + tail
    })
}

/// Runs something and throws its error.
fn throwing<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, JsValue> {
    work().map_err(|error| thrown(&error))
}
