//! Text to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod scan;

pub(super) use scan::{Span, locate};

use super::codes;
use super::document::{Bone, Document, Morph, Pose};
use super::spans::{Block, Spans};
use crate::text;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::text::TextDocument;
use dopesheet_core::diag::{Fault, Place, Report};
use scan::Scanner;

/// The first line.
pub(super) const SIGNATURE: &str = "Vocaloid Pose Data file";
/// Word before the number of a bone.
pub(super) const BONE: &str = "Bone";
/// Word before the number of a morph.
pub(super) const MORPH: &str = "Morph";

/// Reads a file. With `lenient`, a bone or morph with a fault is left out and the fault is reported.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let parsed = parse(bytes, lenient, report)?;
    Ok(Document(TextDocument::read(bytes.to_vec(), parsed.pose, parsed.left_out > 0)))
}

/// Content of a text, with its places.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) pose: Pose,
    pub(super) spans: Spans,
    /// Bones and morphs with faults.
    left_out: usize,
}

/// Takes a text apart.
pub(super) fn parse(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Parsed> {
    let mut scanner = Scanner::new(bytes);
    let mut parsed = Parsed::default();
    parsed.header(&mut scanner)?;
    while !scanner.is_at_end() && !parsed.trails_off(&scanner) {
        let start = scanner;
        match parsed.block(&mut scanner) {
            Ok(()) => {}
            Err(fault) if lenient => {
                scanner = start;
                parsed.left_out = parsed.left_out.saturating_add(1);
                report.error(Fault { found: format!("{} (left out)", fault.found).into(), ..*fault });
                skip_to_block(&mut scanner);
            }
            Err(fault) => return Err(fault),
        }
    }
    parsed.spans.trailing = scanner.position()..bytes.len();
    Ok(parsed)
}

/// Goes to the next line with the start of a bone or morph, or to the end.
fn skip_to_block(scanner: &mut Scanner<'_>) {
    loop {
        scanner.line();
        scanner.blanks();
        if scanner.is_at_end() || word(scanner).is_some() {
            return;
        }
    }
}

/// The word at the start of a bone or morph, if present here.
fn word(scanner: &Scanner<'_>) -> Option<&'static str> {
    [BONE, MORPH].into_iter().find(|word| scanner.rest().starts_with(word.as_bytes()))
}

impl Parsed {
    fn header(&mut self, scanner: &mut Scanner<'_>) -> Read<()> {
        let start = *scanner;
        let line = scanner.line();
        if scanner.slice(&line).trim_ascii_end() != SIGNATURE.as_bytes() {
            return Err(start.fault(codes::SIGNATURE.code, format!("\"{SIGNATURE}\"")));
        }
        scanner.run(|byte| byte.is_ascii_whitespace());
        let parent = scanner.run(|byte| !matches!(byte, b';' | b'\n' | b'\r'));
        self.spans.parent = trimmed(scanner, parent);
        self.pose.parent = text::decode(scanner.slice(&self.spans.parent)).text;
        scanner.sign(b';').map_err(|fault| named(fault, "parent"))?;
        let count = scanner.number("a number of bones").map_err(|fault| named(fault, "bone count"))?;
        (self.pose.announced_bones, self.spans.announced_bones) = count;
        scanner.sign(b';').map_err(|fault| named(fault, "bone count"))?;
        scanner.blanks();
        self.spans.header_end = scanner.position();
        Ok(())
    }

    /// True if neither bone nor morph follows, and MikuMikuDance has stopped reading by then.
    fn trails_off(&self, scanner: &Scanner<'_>) -> bool {
        let announced = usize::try_from(self.pose.announced_bones).unwrap_or(usize::MAX);
        word(scanner).is_none() && self.pose.bones.len() >= announced
    }

    fn block(&mut self, scanner: &mut Scanner<'_>) -> Read<()> {
        match word(scanner) {
            Some(BONE) => {
                let path = format!("bones[{}]", self.pose.bones.len());
                let (bone, spans) = block(scanner, BONE, bone).map_err(|fault| named(fault, &path))?;
                self.pose.bones.push(bone);
                self.spans.bones.push(spans);
            }
            Some(_) => {
                let path = format!("morphs[{}]", self.pose.morphs.len());
                let (morph, spans) = block(scanner, MORPH, morph).map_err(|fault| named(fault, &path))?;
                self.pose.morphs.push(morph);
                self.spans.morphs.push(spans);
            }
            None => {
                let expected =
                    format!("{BONE}{}{{ or {MORPH}{}{{", self.pose.bones.len(), self.pose.morphs.len());
                return Err(scanner.fault(codes::SYNTAX.code, expected));
            }
        }
        Ok(())
    }
}

/// Puts the format's path into the place of a fault.
fn named(mut fault: Box<Fault>, path: &str) -> Box<Fault> {
    if let Place::Text { pointer, .. } = &mut fault.place {
        *pointer = path.to_owned();
    }
    fault
}

/// The span without blanks at its end.
fn trimmed(scanner: &Scanner<'_>, span: Span) -> Span {
    let length = scanner.slice(&span).trim_ascii_end().len();
    span.start..span.start.saturating_add(length)
}

/// A bone or morph: its word and number, its name up to the end of the line, and the content up to the brace,
/// read by `values`.
fn block<T, const N: usize>(
    scanner: &mut Scanner<'_>,
    word: &str,
    values: impl FnOnce(&mut Scanner<'_>, String) -> Read<(T, [Span; N])>,
) -> Read<(T, Block<N>)> {
    let start = scanner.position();
    scanner.skip(word.len());
    let index = scanner.run(|byte| byte.is_ascii_digit());
    scanner.sign(b'{')?;
    let line = scanner.line();
    if scanner.is_at_end() {
        return Err(scanner.fault(codes::TRUNCATED.code, "a number".to_owned()));
    }
    let name = trimmed(scanner, line);
    let (value, numbers) = values(scanner, text::decode(scanner.slice(&name)).text)?;
    scanner.sign(b'}')?;
    scanner.blanks();
    Ok((value, Block { whole: start..scanner.position(), index, name, numbers }))
}

fn bone(scanner: &mut Scanner<'_>, name: String) -> Read<(Bone, [Span; 7])> {
    let ([x, y, z], [a, b, c]) = numbers(scanner)?;
    let (rotation, [d, e, f, g]) = numbers(scanner)?;
    Ok((Bone { name, translation: [x, y, z], rotation }, [a, b, c, d, e, f, g]))
}

fn morph(scanner: &mut Scanner<'_>, name: String) -> Read<(Morph, [Span; 1])> {
    let ([weight], spans) = numbers(scanner)?;
    Ok((Morph { name, weight }, spans))
}

/// Numbers with commas between them and a semicolon behind.
fn numbers<const N: usize>(scanner: &mut Scanner<'_>) -> Read<([f32; N], [Span; N])> {
    let mut values = [0.0; N];
    let mut spans = [const { 0..0 }; N];
    for (index, (value, span)) in values.iter_mut().zip(&mut spans).enumerate() {
        if index > 0 {
            scanner.sign(b',')?;
        }
        (*value, *span) = scanner.number("a number")?;
    }
    scanner.sign(b';')?;
    Ok((values, spans))
}
