//! Writing to standard output and standard error.

use dopesheet::Error;
use dopesheet::core::diag::ConvertErrorKind;
use std::io::{self, Write};

/// Writes bytes of data to standard output. A reader that went away (`| head`) is not an error.
pub(crate) fn data(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(source) => Err(Error::Io { path: "standard output".into(), source }),
        Ok(()) => Ok(()),
    }
}

/// Writes a line of data to standard output.
pub(crate) fn line(text: &str) -> Result<(), Error> {
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
pub(crate) fn complain_of(name: &str, error: &Error) {
    complain_named(name, &told(error));
}

/// An error in words, with the options that help.
pub(crate) fn told(error: &Error) -> String {
    let help = match error {
        Error::Lost(_) => "; --map FILE says which name is which, --partial writes what there is",
        Error::Convert(error) => match error.kind {
            ConvertErrorKind::TooManyFrames { .. } => {
                "; --range takes a part of them, --max-frames allows more"
            }
            ConvertErrorKind::Unencodable { .. } => " (--replace-unencodable writes '?')",
            _ => "",
        },
        _ => "",
    };
    format!("{error}{help}")
}

/// As [`complain_of`], of an error that is a text by now.
pub(crate) fn complain_named(name: &str, text: &str) {
    let is_named = text.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    complain(&if is_named { text.to_owned() } else { format!("{name}: {text}") });
}
