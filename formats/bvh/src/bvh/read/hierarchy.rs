//! The joints.

use super::super::codes;
use super::super::document::{Channel, Joint, JointKind};
use super::super::spans::{JointSpans, Span};
use super::scan::{is_line_end, quoted};
use super::{Parser, words};
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::{Fault, Place};

/// Words allowed between the braces of a joint.
const WITHIN: &str = "OFFSET, CHANNELS, JOINT, End Site or }";

impl Parser<'_, '_> {
    /// All joints, up to the word MOTION; yields whether the word was found.
    pub(super) fn hierarchy(&mut self) -> Read<bool> {
        let mut open: Vec<usize> = Vec::new();
        loop {
            let before = self.scanner;
            let word = self.scanner.word();
            if word.is_empty() {
                let (check, expected) = match open.last() {
                    Some(_) => (codes::TRUNCATED, WITHIN.to_owned()),
                    None => (codes::MOTION_MISSING, format!("the word {}", words::MOTION)),
                };
                let fault = self.scanner.fault(check.code, expected);
                self.forgive(self.named(fault, open.last()))?;
                return Ok(false);
            }
            if self.is_keyword(&word, words::MOTION) && (open.is_empty() || self.lenient) {
                return Ok(true);
            }
            if let Err(fault) = self.statement(&word, &mut open) {
                let fault = self.named(fault, open.last());
                // Further in the line there may be nothing but what belongs to the fault.
                self.scanner = before;
                self.scanner.word();
                self.forgive(fault)?;
                self.scanner.line();
            }
        }
    }

    /// The fault with the path of the joint around it.
    fn named(&self, mut fault: Box<Fault>, joint: Option<&usize>) -> Box<Fault> {
        if let (Place::Text { pointer, .. }, Some(joint)) = (&mut fault.place, joint)
            && pointer.is_empty()
        {
            let name = self.parsed.motion.joints.get(*joint).map_or("", |joint| joint.name.as_str());
            *pointer = format!("joints[{joint}] {name}").trim_end().to_owned();
        }
        fault
    }

    fn statement(&mut self, word: &Span, open: &mut Vec<usize>) -> Read<()> {
        let parent = open.last().copied();
        let Some(joint) = parent else {
            if self.is_keyword(word, words::ROOT) {
                return self.joint(word, JointKind::Root, open);
            }
            return Err(self.unexpected(word, &format!("{} or {}", words::ROOT, words::MOTION)));
        };
        if self.is_keyword(word, words::JOINT) {
            self.joint(word, JointKind::Joint, open)
        } else if self.is_keyword(word, words::END) {
            self.end_site(word, open)
        } else if self.is_keyword(word, words::OFFSET) {
            self.offset(word, joint)
        } else if self.is_keyword(word, words::CHANNELS) {
            self.channels(word, joint)
        } else if self.scanner.slice(word) == b"}" {
            open.pop();
            self.close(joint);
            Ok(())
        } else {
            Err(self.unexpected(word, WITHIN))
        }
    }

    fn unexpected(&self, word: &Span, expected: &str) -> Box<Fault> {
        let at = super::Scanner::new(self.text, word.start);
        at.fault(codes::SYNTAX.code, expected.to_owned())
    }

    fn end_site(&mut self, word: &Span, open: &mut Vec<usize>) -> Read<()> {
        let before = self.scanner;
        let goes_on = self.scanner.line_goes_on();
        let site = self.scanner.word();
        if !goes_on || !self.is_keyword(&site, words::SITE) {
            self.scanner = before;
            self.quirk(codes::KEYWORD, word.start, "", "End Site", || words::END.to_owned());
        }
        self.joint(word, JointKind::EndSite, open)
    }

    /// A name up to the end of the line or to the brace, and the brace.
    fn joint(&mut self, word: &Span, kind: JointKind, open: &mut Vec<usize>) -> Read<()> {
        self.scanner.line_goes_on();
        let start = self.scanner;
        let whole = self.scanner.run(|byte| !is_line_end(byte) && byte != b'{');
        self.scanner = start;
        let bytes = self.scanner.slice(&whole);
        let length = bytes.trim_ascii_end().len();
        let name = whole.start..whole.start.saturating_add(length);
        self.scanner.skip(whole.len());
        let before = self.scanner;
        let brace = self.scanner.word();
        if self.scanner.slice(&brace) != b"{" {
            let code =
                if self.scanner.is_at_end() && brace.is_empty() { codes::TRUNCATED } else { codes::SYNTAX };
            let mut at = before;
            at.spaces();
            return Err(at.fault(code.code, "'{'".to_owned()));
        }
        let text = String::from_utf8_lossy(self.scanner.slice(&name)).into_owned();
        let index = self.parsed.motion.joints.len();
        self.parsed.motion.joints.push(Joint {
            kind,
            name: text,
            parent: open.last().copied(),
            ..Joint::default()
        });
        self.parsed.spans.joints.push(JointSpans { word: word.start, name, ..JointSpans::default() });
        open.push(index);
        Ok(())
    }

    fn offset(&mut self, word: &Span, joint: usize) -> Read<()> {
        if self.parsed.spans.joints.get(joint).is_some_and(|joint| joint.offset.is_some()) {
            return Err(self.unexpected(word, "one OFFSET"));
        }
        let mut values = [0.0; 3];
        let mut spans = [const { 0..0 }; 3];
        for (value, span) in values.iter_mut().zip(&mut spans) {
            let number = self.scanner.number("an offset of three numbers")?;
            if number.comma {
                self.comma(&number.span);
            }
            (*value, *span) = (number.value, number.span);
        }
        if let Some(stored) = self.parsed.motion.joints.get_mut(joint) {
            stored.offset = values;
        }
        if let Some(stored) = self.parsed.spans.joints.get_mut(joint) {
            stored.offset = Some(spans);
        }
        self.numbers_too_many();
        Ok(())
    }

    pub(super) fn comma(&mut self, span: &Span) {
        let actual = quoted(self.scanner.slice(span));
        self.quirk(codes::COMMA, span.start, "", "a number with a point", || actual);
    }

    /// Skips numbers left in the line.
    pub(super) fn numbers_too_many(&mut self) {
        while self.scanner.line_goes_on() {
            let before = self.scanner;
            let word = self.scanner.word();
            let bytes = self.scanner.slice(&word);
            if super::scan::number(bytes).is_none() {
                self.scanner = before;
                return;
            }
            let actual = quoted(bytes);
            self.quirk(codes::EXTRA_NUMBER, word.start, "", "the end of the line", || actual);
        }
    }

    fn channels(&mut self, word: &Span, joint: usize) -> Read<()> {
        if self.parsed.spans.joints.get(joint).is_some_and(|joint| joint.channels.is_some()) {
            return Err(self.unexpected(word, "one line of CHANNELS"));
        }
        let announced = self.scanner.number("the number of channels")?;
        let mut channels = Vec::new();
        while self.scanner.line_goes_on() {
            let before = self.scanner;
            let word = self.scanner.word();
            if matches!(self.scanner.slice(&word), b"{" | b"}") {
                self.scanner = before;
                break;
            }
            channels.push(self.channel(&word));
        }
        if announced.value != channels.len() as f64 {
            let at = super::Scanner::new(self.text, announced.span.start);
            let fault = at
                .fault(codes::CHANNEL_COUNT.code, format!("{}, the number of those listed", channels.len()));
            let actual = String::from_utf8_lossy(self.scanner.slice(&announced.span)).into_owned();
            let fault = self.named(Box::new(Fault { found: actual.into(), ..*fault }), Some(&joint));
            self.forgive(fault)?;
        }
        if let Some(stored) = self.parsed.motion.joints.get_mut(joint) {
            stored.channels = channels;
        }
        if let Some(stored) = self.parsed.spans.joints.get_mut(joint) {
            stored.channels = Some(word.start);
        }
        Ok(())
    }

    fn channel(&mut self, span: &Span) -> Channel {
        let word = String::from_utf8_lossy(self.scanner.slice(span)).into_owned();
        let channel = Channel::from_word(&word);
        if matches!(channel, Channel::Other(_)) {
            let actual = quoted(word.as_bytes());
            self.quirk(codes::CHANNEL_UNKNOWN, span.start, "", "a position or rotation", || actual);
        } else if channel.word() != word {
            self.quirk(codes::KEYWORD, span.start, "", channel.word(), || quoted(word.as_bytes()));
        }
        channel
    }

    /// Closes a joint, and notes its missing parts.
    fn close(&mut self, joint: usize) {
        let Some(spans) = self.parsed.spans.joints.get(joint) else { return };
        let (word, lacks_offset, lacks_channels) =
            (spans.word, spans.offset.is_none(), spans.channels.is_none());
        let Some(stored) = self.parsed.motion.joints.get(joint) else { return };
        let (path, is_end) = (format!("joints[{joint}] {}", stored.name), stored.kind == JointKind::EndSite);
        if lacks_offset {
            self.quirk(codes::OFFSET_MISSING, word, &path, "a joint with an OFFSET", || "none".to_owned());
        }
        if lacks_channels && !is_end {
            self.quirk(codes::CHANNELS_MISSING, word, &path, "a joint with CHANNELS", || "none".to_owned());
        }
    }
}
