//! Writing to standard output and standard error.

use std::io::{self, Write};

/// Writes bytes of data to standard output. A reader that went away (`| head`) is not an error.
pub(crate) fn data(bytes: &[u8]) -> Result<(), dopesheet::Error> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(source) => Err(dopesheet::Error::Io { path: "standard output".into(), source }),
        Ok(()) => Ok(()),
    }
}

/// Writes a line of data to standard output.
pub(crate) fn line(text: &str) -> Result<(), dopesheet::Error> {
    data(format!("{text}\n").as_bytes())
}

/// Writes a message to standard error. If nobody listens there is nobody to tell.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes an error to standard error.
pub(crate) fn complain(text: &str) {
    say(&format!("error: {text}"));
}

/// Writes what is wrong with a file to standard error. Errors of reading a file start with its path already.
pub(crate) fn complain_of(name: &str, error: &dopesheet::Error) {
    complain_named(name, &error.to_string());
}

/// As [`complain_of`], of an error that is a text by now.
pub(crate) fn complain_named(name: &str, text: &str) {
    let is_named = text.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    complain(&if is_named { text.to_owned() } else { format!("{name}: {text}") });
}
