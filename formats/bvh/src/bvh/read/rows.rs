//! The numbers of all frames. They make up nearly all of a file, so reading them has to be fast.

use super::super::codes;
use super::super::spans::Span;
use super::scan::{is_blank, is_line_end, number, quoted};
use super::{Parser, Scanner};
use dopesheet_core::bytes::{Read, decimal, decimal_word};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::words::counted;

/// A line of the motion: the count of its numbers, and the span from the first of them to the last.
struct MotionLine {
    count: usize,
    span: Span,
}

/// Frames in the making.
struct Rows {
    width: usize,
    /// Index in the values of the first number of the incomplete frame.
    start: usize,
    /// Span from the first number of the incomplete frame to the last so far.
    span: Option<Span>,
}

impl Parser<'_, '_> {
    /// All frames, to the end of the text.
    pub(super) fn rows(&mut self) -> Read<()> {
        let width = self.parsed.motion.width();
        self.reserve(width);
        let mut rows = Rows { width, start: 0, span: None };
        while !self.scanner.is_at_end() {
            let before = self.scanner;
            match self.numbers() {
                Ok(line) if line.count == width && rows.span.is_none() && width > 0 => {
                    self.parsed.spans.rows.push(line.span);
                    rows.start = self.parsed.motion.values.len();
                }
                Ok(line) if line.count == 0 => {}
                Ok(line) => self.odd_line(&mut rows, line)?,
                Err(_) if rows.span.is_none() && self.has_all_rows() => {
                    self.parsed.motion.values.truncate(rows.start);
                    self.trailing(before);
                    return Ok(());
                }
                Err(fault) => self.bad_line(&mut rows, fault)?,
            }
            self.scanner.run(is_line_end);
        }
        match rows.span {
            Some(ref span) => self.cut(&rows, span),
            None => Ok(()),
        }
    }

    /// Reserves room for the announced frames, but for no more than the text can hold.
    fn reserve(&mut self, width: usize) {
        let announced = usize::try_from(self.parsed.motion.announced_frames).unwrap_or(usize::MAX);
        // A digit and a blank for each number.
        let limit = self.scanner.rest().len() / 2;
        self.parsed.motion.values.reserve_exact(announced.saturating_mul(width).min(limit));
        self.parsed.spans.rows.reserve_exact(announced.min(limit));
    }

    fn has_all_rows(&self) -> bool {
        usize::try_from(self.parsed.motion.announced_frames)
            .is_ok_and(|all| self.parsed.spans.rows.len() >= all)
    }

    /// Appends the numbers up to the end of the line to the values.
    fn numbers(&mut self) -> Read<MotionLine> {
        let values = &mut self.parsed.motion.values;
        let before = values.len();
        let (at, span) = plain_numbers(self.text, self.scanner.position(), values);
        let count = values.len().wrapping_sub(before);
        self.scanner = Scanner::new(self.text, at);
        let line = MotionLine { count, span };
        match self.text.get(at) {
            Some(byte) if !is_line_end(*byte) => self.odd_numbers(line),
            _ => Ok(line),
        }
    }

    /// The rest of a line with numbers in an unusual spelling.
    #[cold]
    fn odd_numbers(&mut self, mut line: MotionLine) -> Read<MotionLine> {
        while self.scanner.line_goes_on() {
            let number = self.scanner.number("a number")?;
            if number.comma {
                self.comma(&number.span);
            }
            if line.count == 0 {
                line.span.start = number.span.start;
            }
            line.span.end = number.span.end;
            line.count = line.count.saturating_add(1);
            self.parsed.motion.values.push(number.value);
        }
        Ok(line)
    }

    /// A line other than exactly one frame: a part of a frame, several frames, or a frame with too many
    /// numbers.
    #[cold]
    fn odd_line(&mut self, rows: &mut Rows, line: MotionLine) -> Read<()> {
        let actual = counted(line.count, "number");
        let expected = format!("{}, one for each channel", counted(rows.width, "number"));
        let Some(span) = rows.span.take() else {
            let whole = line.count.checked_div(rows.width).unwrap_or(0);
            let is_whole = whole > 0 && whole.saturating_mul(rows.width) == line.count;
            let check =
                if is_whole || line.count < rows.width { codes::ROW_SPLIT } else { codes::EXTRA_NUMBER };
            self.quirk(check, line.span.start, "frames", &expected, || actual);
            if line.count < rows.width {
                rows.span = Some(line.span);
                return Ok(());
            }
            let rows_here = if is_whole { whole } else { whole.min(1) };
            self.several(rows, &line.span, rows_here);
            return Ok(());
        };
        let total = self.parsed.motion.values.len().saturating_sub(rows.start);
        if total <= rows.width {
            let span = span.start..line.span.end;
            match total == rows.width {
                true => self.several(rows, &span, 1),
                false => rows.span = Some(span),
            }
            return Ok(());
        }
        let fault = Scanner::new(self.text, span.start).fault(codes::ROW_WIDTH.code, expected);
        let short = total.saturating_sub(line.count);
        self.forgive(named(Box::new(Fault { found: counted(short, "number").into(), ..*fault })))?;
        // The line that is too short is left out, and this one is looked at by itself.
        let end = rows.start.saturating_add(short);
        self.parsed.motion.values.drain(rows.start..end);
        if line.count == rows.width {
            self.several(rows, &line.span, 1);
            return Ok(());
        }
        self.odd_line(rows, line)
    }

    /// Reads `count` frames in a stretch of the text; the numbers behind them are left out.
    fn several(&mut self, rows: &mut Rows, span: &Span, count: usize) {
        let mut scanner = Scanner::new(self.text, span.start);
        for _ in 0..count {
            let mut row: Option<Span> = None;
            for _ in 0..rows.width {
                let word = scanner.word();
                row = Some(row.map_or(word.start, |row| row.start)..word.end);
            }
            self.parsed.spans.rows.extend(row);
        }
        rows.start = rows.start.saturating_add(count.saturating_mul(rows.width));
        self.parsed.motion.values.truncate(rows.start);
    }

    /// A line with a word other than a number.
    #[cold]
    fn bad_line(&mut self, rows: &mut Rows, fault: Box<Fault>) -> Read<()> {
        self.forgive(named(fault))?;
        self.parsed.motion.values.truncate(rows.start);
        rows.span = None;
        self.scanner.run(|byte| !is_line_end(byte));
        Ok(())
    }

    /// Notes the text behind the last frame.
    #[cold]
    fn trailing(&mut self, mut start: Scanner<'_>) {
        start.spaces();
        let actual = quoted(start.slice(&start.clone().line()));
        self.quirk(codes::TRAILING_TEXT, start.position(), "", "the end of the file", || actual);
    }

    /// A frame cut off by the end of the text.
    #[cold]
    fn cut(&mut self, rows: &Rows, span: &Span) -> Read<()> {
        let actual = format!(
            "the end of the file after {}",
            self.parsed.motion.values.len().saturating_sub(rows.start)
        );
        let expected = format!("{}, one for each channel", counted(rows.width, "number"));
        let fault = Scanner::new(self.text, span.start).fault(codes::TRUNCATED.code, expected);
        self.parsed.motion.values.truncate(rows.start);
        self.forgive(named(Box::new(Fault { found: actual.into(), ..*fault })))
    }
}

/// Appends the numbers of a line to the values, up to its end or to an unusual spelling. Yields the position
/// reached, and the span from the first number to the last.
fn plain_numbers(text: &[u8], start: usize, values: &mut Vec<f64>) -> (usize, Span) {
    let mut at = behind_blanks(text, start);
    let mut span = at..at;
    // A vector of its own stays in registers.
    let mut numbers = std::mem::take(values);
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let Some((value, length)) = decimal_word(rest).or_else(|| any_word(rest)) else { break };
        numbers.push(value);
        span.end = at.wrapping_add(length);
        at = behind_blanks(text, span.end);
    }
    *values = numbers;
    (at, span)
}

#[inline(always)]
fn behind_blanks(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| is_blank(*byte)) {
        at = at.wrapping_add(1);
    }
    at
}

/// A number followed by a blank or the end of the line.
#[inline(never)]
fn any_word(text: &[u8]) -> Option<(f64, usize)> {
    let ends = |byte: &u8| is_blank(*byte) || is_line_end(*byte);
    decimal(text).filter(|(_, length)| text.get(*length).is_none_or(ends))
}

/// The fault with the path of the frames.
fn named(mut fault: Box<Fault>) -> Box<Fault> {
    if let Place::Text { pointer, .. } = &mut fault.place {
        "frames".clone_into(pointer);
    }
    fault
}

/// Spans of the numbers of a frame, in order.
pub(in super::super) fn numbers_of(text: &[u8], row: &Span) -> Vec<Span> {
    let mut scanner = Scanner::new(text.get(..row.end).unwrap_or_default(), row.start);
    let words = std::iter::from_fn(|| Some(scanner.word()).filter(|word| !word.is_empty()));
    words.filter(|word| number(text.get(word.clone()).unwrap_or_default()).is_some()).collect()
}
