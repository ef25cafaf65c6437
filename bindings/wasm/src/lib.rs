//! The native half of the npm package `dopesheet`: it turns arguments into the library's options and its results into
//! strings and arrays. What they are called in JavaScript, and what they look like, is written in `js/`.
//!
//! Nothing here opens files or sockets. Errors are thrown as the JSON of [`dopesheet::Error::to_json`], which `js/errors.js`
//! makes exceptions of.

mod arguments;
pub mod document;

use dopesheet::Error;
use dopesheet::edit::Reason;
use wasm_bindgen::JsValue;

/// The value that is thrown for an error.
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

/// The name of an option as JavaScript spells it.
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
