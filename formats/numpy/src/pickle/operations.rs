//! A pickle as its operations: bytes to operations, and back.

use super::opcodes::{Form, Opcode};
use super::{Odd, OddKind};

/// A pickle as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pickle {
    /// Its operations, the last of which stops it.
    pub operations: Vec<Operation>,
    /// Bytes behind the last operation.
    pub trailing: Vec<u8>,
}

/// An operation with its argument. Lengths follow from the arguments and are no fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One without an argument.
    Bare(Opcode),
    /// One with a number: its bits, whatever they mean.
    Number(Opcode, u64),
    /// One with bytes or a text; of two texts (`GLOBAL`) both, with a line feed between them.
    Bytes(Opcode, Box<[u8]>),
}

/// Fewest operations that a pickle may have, however short its arguments are.
const FREE_OPERATIONS: usize = 400_000;
/// Bytes of a pickle for each further operation. Operations and values take some 60 bytes each, and arrays need few.
const BYTES_PER_OPERATION: usize = 16;

impl Operation {
    /// The operation without its argument.
    #[must_use]
    pub const fn code(&self) -> Opcode {
        match self {
            Self::Bare(code) | Self::Number(code, _) | Self::Bytes(code, _) => *code,
        }
    }

    /// Number of bytes that it takes.
    pub(super) fn length(&self) -> usize {
        let argument = match (self, self.code().form()) {
            (Self::Number(..), Form::Number(bytes)) => bytes,
            (Self::Number(..), _) => 8,
            (Self::Bytes(_, bytes), Form::Counted(count)) => bytes.len().saturating_add(count),
            (Self::Bytes(_, bytes), _) => bytes.len().saturating_add(1),
            (Self::Bare(_), _) => 0,
        };
        argument.saturating_add(1)
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.push(self.code() as u8);
        match (self, self.code().form()) {
            (Self::Bare(_), _) => {}
            (Self::Number(_, bits), Form::Double) => out.extend(bits.to_be_bytes()),
            (Self::Number(_, bits), Form::Number(bytes)) => out.extend(bits.to_le_bytes().iter().take(bytes)),
            (Self::Number(_, bits), _) => out.extend(bits.to_le_bytes()),
            (Self::Bytes(_, own), Form::Counted(bytes)) => {
                out.extend((own.len() as u64).to_le_bytes().iter().take(bytes));
                out.extend_from_slice(own);
            }
            (Self::Bytes(_, own), _) => {
                out.extend_from_slice(own);
                out.push(b'\n');
            }
        }
    }

    /// True if its argument is one that the operation has, and can be written.
    fn is_sound(&self) -> bool {
        let fits = |bytes: usize, number: u64| bytes >= 8 || number >> bytes.saturating_mul(8) == 0;
        match (self, self.code().form()) {
            (Self::Bare(_), Form::Bare) | (Self::Number(..), Form::Double) => true,
            (Self::Number(_, bits), Form::Number(bytes)) => fits(bytes, *bits),
            (Self::Bytes(_, own), Form::Counted(bytes)) => fits(bytes, own.len() as u64),
            (Self::Bytes(_, own), Form::Line) => !own.contains(&b'\n'),
            (Self::Bytes(_, own), Form::Lines) => own.iter().filter(|byte| **byte == b'\n').count() == 1,
            _ => false,
        }
    }
}

impl Pickle {
    /// The pickle as a file; `None` if an operation has an argument that it cannot have.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(self.length());
        for operation in &self.operations {
            operation.is_sound().then(|| operation.put(&mut out))?;
        }
        out.extend_from_slice(&self.trailing);
        Some(out)
    }

    /// Number of bytes that it takes as a file.
    pub(crate) fn length(&self) -> usize {
        let lengths = self.operations.iter().map(Operation::length);
        lengths.fold(self.trailing.len(), usize::saturating_add)
    }
}

/// The bytes that are left.
struct Rest<'a> {
    bytes: &'a [u8],
    /// Number of bytes before them.
    at: usize,
}

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize, of: &str) -> Result<&'a [u8], Odd> {
        let Some((own, rest)) = self.bytes.split_at_checked(count) else {
            let expected = format!("{} for {of}", dopesheet_core::words::counted(count, "byte"));
            let found = format!("{} left", self.bytes.len());
            return Err(Odd::new(self.at, OddKind::Truncated, expected, found));
        };
        self.bytes = rest;
        self.at = self.at.saturating_add(count);
        Ok(own)
    }

    fn line(&mut self, of: &str) -> Result<&'a [u8], Odd> {
        let Some(end) = self.bytes.iter().position(|byte| *byte == b'\n') else {
            let expected = format!("a line feed after {of}");
            return Err(Odd::new(self.at, OddKind::Truncated, expected, "the end of the file"));
        };
        let line = self.take(end, of)?;
        self.take(1, of)?;
        Ok(line)
    }

    fn number(&mut self, count: usize, of: &str) -> Result<u64, Odd> {
        let mut bytes = [0; 8];
        for (to, from) in bytes.iter_mut().zip(self.take(count, of)?) {
            *to = *from;
        }
        Ok(u64::from_le_bytes(bytes))
    }

    fn operation(&mut self) -> Result<Operation, Odd> {
        let at = self.at;
        let first = self.take(1, "an operation")?.first().copied().unwrap_or(0);
        let Some(code) = Opcode::of(first) else {
            let found = format!("the byte {first:#04x}");
            return Err(Odd::new(at, OddKind::Damaged, "an operation of a pickle", found));
        };
        let of = format!("the argument of {code:?}");
        Ok(match code.form() {
            Form::Bare => Operation::Bare(code),
            Form::Number(bytes) => Operation::Number(code, self.number(bytes, &of)?),
            Form::Double => Operation::Number(code, self.number(8, &of)?.swap_bytes()),
            Form::Line => Operation::Bytes(code, self.line(&of)?.into()),
            Form::Lines => {
                let lines = [self.line(&of)?, self.line(&of)?];
                Operation::Bytes(code, lines.join(&b'\n').into())
            }
            Form::Counted(bytes) => {
                let count = self.number(bytes, &of)?;
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                Operation::Bytes(code, self.take(count, &of)?.into())
            }
        })
    }
}

/// Reads the operations of a pickle, without running any.
pub(crate) fn read(bytes: &[u8]) -> Result<Pickle, Odd> {
    let most = FREE_OPERATIONS.saturating_add(bytes.len().checked_div(BYTES_PER_OPERATION).unwrap_or(0));
    let mut rest = Rest { bytes, at: 0 };
    let mut operations = Vec::new();
    loop {
        let at = rest.at;
        let operation = rest.operation()?;
        let is_last = operation.code() == Opcode::Stop;
        operations.push(operation);
        if is_last {
            return Ok(Pickle { operations, trailing: rest.bytes.to_vec() });
        }
        if operations.len() >= most {
            let expected = format!("at most {most} operations in {} bytes", bytes.len());
            return Err(Odd::new(at, OddKind::Damaged, expected, "more of them"));
        }
    }
}
