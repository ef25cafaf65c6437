//! The head of the motion.

use super::super::codes;
use super::scan::{Number, quoted};
use super::{Parser, words};
use dopesheet_core::bytes::Read;

impl Parser<'_, '_> {
    /// The lines behind the word MOTION, up to the first frame.
    pub(super) fn motion(&mut self) -> Read<()> {
        if let Some(number) = self.member(words::FRAMES, "a whole number of frames")? {
            self.parsed.motion.announced_frames = self.whole(&number)?;
            self.parsed.spans.announced_frames = number.span;
        }
        if let Some(number) = self.member(words::FRAME_TIME, "the frame time in seconds")? {
            self.parsed.motion.frame_time_s = number.value;
            self.parsed.spans.frame_time = number.span;
        }
        self.parsed.spans.rows_start = self.scanner.position();
        Ok(())
    }

    /// A name with a colon and its number; `None` if the member is faulty and left out.
    fn member(&mut self, name: &'static str, expected: &'static str) -> Read<Option<Number>> {
        self.scanner.spaces();
        let start = self.scanner;
        if let Err(fault) = self.name(name) {
            self.forgive(fault)?;
            self.scanner = start;
            return Ok(None);
        }
        match self.scanner.number(expected) {
            Ok(number) => {
                if number.comma {
                    self.comma(&number.span);
                }
                self.numbers_too_many();
                Ok(Some(number))
            }
            Err(fault) => {
                self.forgive(fault)?;
                self.scanner.line();
                Ok(None)
            }
        }
    }

    /// A name with a colon, with whatever blanks and case of letters.
    fn name(&mut self, name: &'static str) -> Read<()> {
        let start = self.scanner;
        let span = self.scanner.run(|byte| byte != b':' && !super::scan::is_line_end(byte));
        let has_colon = self.scanner.rest().first() == Some(&b':');
        self.scanner.skip(usize::from(has_colon));
        let spelled = start.slice(&(span.start..self.scanner.position()));
        let letters = |text: &[u8]| -> Vec<u8> {
            text.iter().filter(|byte| !byte.is_ascii_whitespace()).map(u8::to_ascii_lowercase).collect()
        };
        if letters(spelled) != letters(name.as_bytes()) {
            let code = if self.scanner.is_at_end() { codes::TRUNCATED } else { codes::SYNTAX };
            return Err(start.fault(code.code, name.to_owned()));
        }
        if spelled != name.as_bytes() {
            let actual = quoted(spelled);
            self.quirk(codes::KEYWORD, span.start, "", name, || actual);
        }
        Ok(())
    }

    /// A number of frames.
    fn whole(&mut self, number: &Number) -> Read<u64> {
        let text = std::str::from_utf8(self.scanner.slice(&number.span)).unwrap_or_default();
        match text.parse() {
            Ok(count) => Ok(count),
            Err(_) => {
                let at = super::Scanner::new(self.text, number.span.start);
                self.forgive(at.fault(codes::NUMBER.code, "a whole number of frames".to_owned()))?;
                Ok(0)
            }
        }
    }
}
