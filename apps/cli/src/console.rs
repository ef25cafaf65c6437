//! Writing to standard output and standard error.

use dopesheet::core::diag::ConvertErrorKind;
use dopesheet::{Error, convert::TOLERANCE_EXCEEDED, edit::Reason};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// A line without characters that command a terminal, reverse the direction of text, or start another line:
/// names come from files, and anybody can make files. Tabs stay. Escapes have the form of JSON, and JSON is
/// not changed by them.
pub(crate) fn harmless(line: &str) -> Cow<'_, str> {
    escaped(line, |c| c == '\n' || is_harmful(c))
}

/// A text with characters of a kind escaped as in JSON.
fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// True for control characters (C0, DEL, C1) other than line breaks and tabs, and for characters of
/// bidirectional text: marks, embeddings, overrides and isolates.
const fn is_harmful(c: char) -> bool {
    matches!(c,
        '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes bytes of data to standard output; in text on a terminal, characters that command the terminal are
/// escaped, and line breaks stay.
pub(crate) fn data(bytes: &[u8]) -> Result<(), Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) if io::stdout().is_terminal() => written(escaped(text, is_harmful).as_bytes()),
        _ => written(bytes),
    }
}

/// A text that goes to standard output as by [`data`], piece by piece; to a terminal in whole lines.
#[derive(Default)]
pub(crate) struct Data(Vec<u8>);

impl Data {
    /// Writes the rest.
    pub(crate) fn finish(self) -> Result<(), Error> {
        data(&self.0)
    }
}

impl Write for Data {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let rest = match io::stdout().is_terminal() {
            true => bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1),
            false => bytes.len(),
        };
        let (whole, rest) = bytes.split_at(rest);
        self.0.extend_from_slice(whole);
        if !whole.is_empty() {
            data(&self.0).map_err(io::Error::other)?;
            self.0.clear();
        }
        self.0.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes bytes to standard output. A closed reader (`| head`) is not an error.
fn written(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(source) => Err(Error::Io { path: "standard output".into(), source }),
        Ok(()) => Ok(()),
    }
}

/// Writes a line to standard output, as a [`harmless`] line wherever it goes: people look at it, or programs
/// read it as JSON.
pub(crate) fn line(text: &str) -> Result<(), Error> {
    lines(&[text])
}

/// As [`line()`], of several.
pub(crate) fn lines(lines: &[impl AsRef<str>]) -> Result<(), Error> {
    let text: String = lines.iter().map(|line| format!("{}\n", harmless(line.as_ref()))).collect();
    written(text.as_bytes())
}

/// Writes a message of one line to standard error, as a [`harmless`] line. Failure to write is ignored,
/// because there is nobody to tell.
pub(crate) fn say(text: &str) {
    print_error(&harmless(text));
}

/// Writes a message that is already harmless to standard error.
fn print_error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes an error to standard error.
pub(crate) fn complain(text: &str) {
    say_error(&format!("error: {text}"));
}

/// Writes a line that starts with the word `error`, in red on a terminal.
pub(crate) fn say_error(text: &str) {
    print_error(&first_word_in(RED, &harmless(text)));
}

/// Writes a line that starts with the word `warning`, in yellow on a terminal.
pub(crate) fn say_warning(text: &str) {
    print_error(&first_word_in(YELLOW, &harmless(text)));
}

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const PLAIN: &str = "\x1b[0m";

/// A harmless text whose first word, up to its colon, is coloured if the terminal shows colours and the
/// environment does not forbid them.
fn first_word_in(colour: &str, text: &str) -> String {
    match text.split_once(':').filter(|_| has_colours()) {
        Some((word, rest)) => format!("{colour}{word}:{PLAIN}{rest}"),
        None => text.to_owned(),
    }
}

/// True if standard error is a terminal that shows colours, and `NO_COLOR` is not set.
fn has_colours() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        // Windows shows them only where somebody switched that on, as its newer terminal and those of other systems do.
        let shows = if cfg!(windows) { set("WT_SESSION").or(set("TERM")) } else { set("TERM") };
        io::stderr().is_terminal() && set("NO_COLOR").is_none() && shows.is_some_and(|term| term != "dumb")
    })
}

/// Writes the error of a file to standard error. Errors of reading a file already start with its path.
pub(crate) fn complain_of(name: &str, error: &Error) {
    complain_named(name, &told(error));
}

/// An error in words, with the options that help.
pub(crate) fn told(error: &Error) -> String {
    let frames;
    let help = match error {
        Error::Forbidden { code, .. } if *code == TOLERANCE_EXCEEDED => {
            "; a larger --tolerance may let it pass, without any it is a warning"
        }
        Error::Refused(error) if matches!(error.reason, Reason::OffGrid { .. }) => {
            "; --snap takes the nearest"
        }
        Error::Lost(_) => "; --map FILE says which name is which, --partial writes what there is",
        Error::Convert(error) => match error.kind {
            ConvertErrorKind::TooManyFrames { frames: needed, .. } => {
                frames = format!("; --max-frames {needed} allows them, and a part of the motion has fewer");
                &frames
            }
            ConvertErrorKind::Unencodable { .. } => " (--replace-unencodable writes '?')",
            _ => "",
        },
        Error::Io { source, .. } if source.kind() == io::ErrorKind::NotSeekable => {
            " (--pipes reads pipes and devices, -o - writes to standard output)"
        }
        _ if error.is_over_limit() => "; --max-memory allows more",
        _ => "",
    };
    format!("{error}{help}")
}

/// As [`complain_of`], for an error already in words.
pub(crate) fn complain_named(name: &str, text: &str) {
    let is_named = text.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    complain(&if is_named { text.to_owned() } else { format!("{name}: {text}") });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_command_no_terminal_and_turn_no_line() {
        assert_eq!(harmless("a\x1b[2Jb\u{9b}0m\u{202e}gpj.\x7f"), "a\\u001b[2Jb\\u009b0m\\u202egpj.\\u007f");
        assert!(matches!(harmless("センター\tü"), Cow::Borrowed(_)));
        assert_eq!(harmless("a\r\n  findings: none"), "a\\u000d\\u000a  findings: none");
        let json = serde_json::json!({ "name": "\u{202e}\x7f\u{85}\\" }).to_string();
        let again: serde_json::Value = serde_json::from_str(&harmless(&json)).unwrap();
        assert_eq!(again["name"], "\u{202e}\x7f\u{85}\\");
    }
}
