//! The unread bytes of a pickle.

use super::opcodes::Opcode;
use super::{Odd, OddKind};
use dopesheet_core::words::counted;

/// The unread bytes.
pub(super) struct Rest<'a> {
    pub(super) bytes: &'a [u8],
    /// Number of bytes before them.
    pub(super) at: usize,
}

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize, of: impl FnOnce() -> String) -> Result<&'a [u8], Odd> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            let expected = format!("{} for {}", counted(count, "byte"), of());
            let actual = format!("{} left", self.bytes.len());
            return Err(Odd::new(self.at, OddKind::Truncated, expected, actual));
        };
        self.bytes = rest;
        self.at = self.at.saturating_add(count);
        Ok(taken)
    }

    /// The next operation, without its argument.
    pub(super) fn opcode(&mut self) -> Result<Opcode, Odd> {
        let at = self.at;
        let first = self.take(1, || "an operation".to_owned())?.first().copied().unwrap_or(0);
        Opcode::of(first).ok_or_else(|| {
            let actual = format!("the byte {first:#04x}");
            Odd::new(at, OddKind::Damaged, "an operation of a pickle", actual)
        })
    }

    /// `count` bytes of an operation's argument.
    pub(super) fn argument(&mut self, count: usize, code: Opcode) -> Result<&'a [u8], Odd> {
        self.take(count, || format!("the argument of {code:?}"))
    }

    /// A line of an operation's argument, without its line feed.
    pub(super) fn line(&mut self, code: Opcode) -> Result<&'a [u8], Odd> {
        let Some(end) = self.bytes.iter().position(|byte| *byte == b'\n') else {
            let expected = format!("a line feed after the argument of {code:?}");
            return Err(Odd::new(self.at, OddKind::Truncated, expected, "the end of the file"));
        };
        let line = self.argument(end, code)?;
        self.argument(1, code)?;
        Ok(line)
    }

    /// A number of at most eight bytes, lowest first.
    pub(super) fn number(&mut self, count: usize, code: Opcode) -> Result<u64, Odd> {
        let mut bytes = [0; 8];
        for (to, from) in bytes.iter_mut().zip(self.argument(count, code)?) {
            *to = *from;
        }
        Ok(u64::from_le_bytes(bytes))
    }
}
