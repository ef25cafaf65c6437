//! The library's errors as the exceptions of `dopesheet.errors`.

use dopesheet::Error;
use dopesheet::core::diag::{ConvertErrorKind, Fault, Place};
use dopesheet::edit::Reason;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception for an error of the library.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let details = PyDict::new(py);
    let class = describe(error, &details);
    let message = match error {
        Error::Option(wrong) => wrong.spelt(spelt).to_string(),
        Error::Refused(refused) if matches!(refused.reason, Reason::OffGrid { .. }) => {
            format!("{error}; snap=True takes the nearest")
        }
        _ => error.to_string(),
    };
    class.and_then(|class| exception(py, class, &message, &details)).unwrap_or_else(|failed| failed)
}

/// The name of an option in Python's spelling.
fn spelt(option: &str) -> String {
    match option {
        // Keywords of Python.
        "from" | "raise" => format!("{option}_"),
        option => option.replace('-', "_"),
    }
}

/// The exception for an invalid argument, refused before calling the library.
pub(crate) fn argument(py: Python<'_>, name: &str, expected: &str, value: &str) -> PyErr {
    let details = PyDict::new(py);
    let filled = [("argument", name), ("expected", expected), ("found", value)]
        .into_iter()
        .try_for_each(|(key, value)| details.set_item(key, value));
    let message = format!("{name}: expected {expected}, found {value}");
    filled.and_then(|()| exception(py, "ArgumentError", &message, &details)).unwrap_or_else(|failed| failed)
}

fn exception(py: Python<'_>, class: &str, message: &str, details: &Bound<'_, PyDict>) -> PyResult<PyErr> {
    let class = py.import("dopesheet.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((message,), Some(details))?))
}

/// Fills in the details of an error, and returns the name of the exception's class.
fn describe(error: &Error, details: &Bound<'_, PyDict>) -> PyResult<&'static str> {
    match error {
        Error::Io { path, source } => {
            details.set_item("errno", source.raw_os_error())?;
            details.set_item("strerror", source.to_string())?;
            details.set_item("filename", path.as_os_str())?;
            Ok(match source.kind() {
                std::io::ErrorKind::NotFound => "MissingFileError",
                std::io::ErrorKind::AlreadyExists => "ExistingFileError",
                _ => "FileError",
            })
        }
        Error::UnknownFormat { .. } | Error::NotBuilt(_) => {
            set_fault(&error.finding().fault, details)?;
            Ok("UnknownFormatError")
        }
        Error::Read(read) => {
            details.set_item("format", read.format)?;
            set_fault(&read.fault, details)?;
            Ok("ParseError")
        }
        Error::Write(write) => {
            details.set_item("format", write.format)?;
            set_fault(&write.fault, details)?;
            Ok("WriteError")
        }
        Error::Convert(convert) => {
            details.set_item("format", convert.format)?;
            details.set_item("kind", kind(&convert.kind))?;
            if let ConvertErrorKind::Fault(fault) = &convert.kind {
                set_fault(fault, details)?;
            }
            Ok("ConvertError")
        }
        Error::Lost(_) => {
            set_fault(&error.finding().fault, details)?;
            details.set_item("kind", "lost-motion")?;
            Ok("ConvertError")
        }
        Error::Option(wrong) => {
            let wrong = wrong.spelt(spelt);
            details.set_item("argument", &wrong.option)?;
            details.set_item("expected", &wrong.expected)?;
            details.set_item("found", &wrong.found)?;
            Ok("ArgumentError")
        }
        Error::Usage(_) | Error::Refused(_) => Ok("ArgumentError"),
        _ => Ok("DopesheetError"),
    }
}

const fn kind(kind: &ConvertErrorKind) -> &'static str {
    match kind {
        ConvertErrorKind::NothingToConvert(_) => "nothing-to-convert",
        ConvertErrorKind::Unsupported(_) => "unsupported",
        ConvertErrorKind::Unencodable { .. } => "unencodable",
        ConvertErrorKind::NoMatch { .. } => "no-match",
        ConvertErrorKind::Fault(_) => "fault",
        _ => "other",
    }
}

fn set_fault(fault: &Fault, details: &Bound<'_, PyDict>) -> PyResult<()> {
    details.set_item("code", fault.code)?;
    details.set_item("path", &fault.path)?;
    details.set_item("expected", &*fault.expected)?;
    details.set_item("found", &*fault.found)?;
    match &fault.place {
        Place::Byte(offset) => details.set_item("offset", offset.0),
        Place::Text { line, column, pointer } => {
            details.set_item("line", line)?;
            details.set_item("column", column)?;
            details.set_item("pointer", pointer)
        }
        _ => Ok(()),
    }
}

/// Runs work without holding the interpreter, and turns an error into an exception.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    py.detach(work).map_err(|error| raise(py, &error))
}
