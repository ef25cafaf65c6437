//! The machine for running pickles: a stack, marks on the stack, and a memory of values.

use super::globals::{self, Global};
use super::opcodes::{Form, Opcode};
use super::rest::Rest;
use super::value::{Graph, Value, ValueIndex};
use super::{Odd, OddKind};
use std::borrow::Cow;
use std::collections::HashMap;

/// Number of operations allowed in any pickle, however short the pickle is.
const FREE_OPERATIONS: usize = 400_000;
/// Bytes of a pickle for each further operation. A value takes some 60 bytes, and arrays need few.
const BYTES_PER_OPERATION: usize = 16;

/// Runs a pickle: its values and the bytes behind it, or the reason why it is not data.
pub(crate) fn run(bytes: &[u8]) -> Result<(Graph<'_>, &[u8]), Odd> {
    let limit = FREE_OPERATIONS.saturating_add(bytes.len().checked_div(BYTES_PER_OPERATION).unwrap_or(0));
    let mut machine = Machine {
        rest: Rest { bytes, at: 0 },
        values: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memory: HashMap::new(),
        at: 0,
        spare: bytes.len(),
    };
    for _ in 0..limit {
        machine.at = machine.rest.at;
        match machine.rest.opcode()? {
            Opcode::Stop => {
                let root = machine.pop()?;
                return Ok((Graph { values: machine.values, root }, machine.rest.bytes));
            }
            code => machine.step(code)?,
        }
    }
    Err(machine.odd(format!("at most {limit} operations in {} bytes", bytes.len()), "more of them"))
}

/// The state between two operations.
pub(super) struct Machine<'a> {
    rest: Rest<'a>,
    pub(super) values: Vec<Value<'a>>,
    stack: Vec<ValueIndex>,
    /// Heights of the stack at its marks.
    marks: Vec<usize>,
    memory: HashMap<u64, ValueIndex>,
    /// Offset of the operation.
    at: usize,
    /// Number of bytes that texts may still be converted from: each byte of a file is converted once.
    spare: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn odd(&self, expected: impl Into<String>, found: impl Into<String>) -> Odd {
        Odd::new(self.at, OddKind::Damaged, expected, found)
    }

    fn step(&mut self, code: Opcode) -> Result<(), Odd> {
        match code.form() {
            Form::Bare => self.bare(code),
            Form::Number(count) => {
                let bits = self.rest.number(count, code)?;
                self.number(code, bits)
            }
            Form::Double => {
                let bits = self.rest.number(8, code)?.swap_bytes();
                self.push(Value::Float(f64::from_bits(bits)))
            }
            Form::Line => {
                let line = self.rest.line(code)?;
                self.bytes(code, line)
            }
            Form::Lines => {
                let [module, name] =
                    [self.rest.line(code)?, self.rest.line(code)?].map(String::from_utf8_lossy);
                let global = self.find(&module, &name)?;
                match code {
                    Opcode::Global => self.push(Value::Global(global)),
                    _ => Err(self.refused(code)),
                }
            }
            Form::Counted(count) => {
                let length = usize::try_from(self.rest.number(count, code)?).unwrap_or(usize::MAX);
                let bytes = self.rest.argument(length, code)?;
                self.bytes(code, bytes)
            }
        }
    }

    fn number(&mut self, code: Opcode, bits: u64) -> Result<(), Odd> {
        match code {
            Opcode::Proto if bits > 5 => return Err(self.odd("a protocol from 0 to 5", bits.to_string())),
            Opcode::Proto | Opcode::Frame => {}
            Opcode::BinPut | Opcode::LongBinPut => self.remember(bits)?,
            Opcode::BinGet | Opcode::LongBinGet => self.recall(bits)?,
            // Of the numbers only this one has a sign.
            Opcode::BinInt => {
                let signed = u32::try_from(bits).unwrap_or(0).cast_signed();
                self.push(Value::Int(i64::from(signed)))?;
            }
            Opcode::BinInt1 | Opcode::BinInt2 => self.push(Value::Int(bits.cast_signed()))?,
            _ => return Err(self.refused(code)),
        }
        Ok(())
    }

    fn bytes(&mut self, code: Opcode, bytes: &'a [u8]) -> Result<(), Odd> {
        let value = match code {
            Opcode::BinUnicode | Opcode::ShortBinUnicode | Opcode::BinUnicode8 => self.utf8(bytes)?,
            Opcode::Unicode => unescaped(bytes).ok_or_else(|| self.odd("a text", "a damaged escape"))?,
            Opcode::BinString
            | Opcode::ShortBinString
            | Opcode::BinBytes
            | Opcode::ShortBinBytes
            | Opcode::BinBytes8
            | Opcode::ByteArray8 => Value::Bytes(Cow::Borrowed(bytes)),
            Opcode::String => quoted(bytes).ok_or_else(|| self.odd("a text in quotes", shown(bytes)))?,
            Opcode::Int | Opcode::Long | Opcode::Float => self.written(code, bytes)?,
            Opcode::Long1 | Opcode::Long4 => self.long(bytes)?,
            Opcode::Put => return self.remember(self.index(bytes)?),
            Opcode::Get => return self.recall(self.index(bytes)?),
            _ => return Err(self.refused(code)),
        };
        self.push(value)
    }

    fn bare(&mut self, code: Opcode) -> Result<(), Odd> {
        if let Some(value) = constant(code) {
            return self.push(value);
        }
        match code {
            Opcode::Mark => self.marks.push(self.stack.len()),
            Opcode::Pop => self.pop_or_mark()?,
            Opcode::PopMark => drop(self.above_mark()?),
            Opcode::Dup => {
                let top = self.top()?;
                self.stack.push(top);
            }
            Opcode::Memoize => self.remember(self.memory.len() as u64)?,
            Opcode::StackGlobal | Opcode::Reduce | Opcode::Build | Opcode::BinPersId => self.make(code)?,
            _ => self.collect(code)?,
        }
        Ok(())
    }

    /// Lists, tuples and dictionaries of the values on the stack.
    fn collect(&mut self, code: Opcode) -> Result<(), Odd> {
        match code {
            Opcode::Tuple1 | Opcode::Tuple2 | Opcode::Tuple3 => {
                let count = [Opcode::Tuple1, Opcode::Tuple2].iter().position(|tuple| *tuple == code);
                let items = self.pop_many(count.map_or(3, |position| position.saturating_add(1)))?;
                self.push(Value::Tuple(items))
            }
            Opcode::Tuple => {
                let items = self.above_mark()?;
                self.push(Value::Tuple(items))
            }
            Opcode::List => {
                let items = self.above_mark()?;
                self.push(Value::List(items))
            }
            Opcode::Dict => {
                let items = self.above_mark()?;
                let pairs = self.pairs(&items)?;
                self.push(Value::Dict(pairs))
            }
            Opcode::Append => {
                let item = self.pop()?;
                self.append([item])
            }
            Opcode::Appends => {
                let items = self.above_mark()?;
                self.append(items)
            }
            Opcode::SetItem => {
                let items = self.pop_many(2)?;
                self.set(&items)
            }
            Opcode::SetItems => {
                let items = self.above_mark()?;
                self.set(&items)
            }
            _ => Err(self.refused(code)),
        }
    }

    /// Names, and the values made with them.
    fn make(&mut self, code: Opcode) -> Result<(), Odd> {
        match code {
            Opcode::StackGlobal => {
                let names = self.pop_many(2)?;
                let [module, name] = [names.first(), names.get(1)].map(|at| self.get(*at?).text());
                let (Some(module), Some(name)) = (module, name) else {
                    let operands = names.iter().map(|at| self.get(*at).about()).collect::<Vec<_>>();
                    return Err(self.odd("two texts that name something", operands.join(" and ")));
                };
                let global = self.find(module, name)?;
                self.push(Value::Global(global))
            }
            Opcode::Reduce => {
                let parts = self.pop_many(2)?;
                let value = self.reduced(&parts)?;
                self.push(value)
            }
            Opcode::Build => {
                let state = self.pop()?;
                let of = self.top()?;
                self.build(of, state)
            }
            _ => {
                let id = self.pop()?;
                let value = self.persistent(id)?;
                self.push(value)
            }
        }
    }

    fn refused(&self, code: Opcode) -> Odd {
        let expected = "an operation that makes numbers, texts, lists, dictionaries or arrays";
        self.odd(expected, format!("{code:?}, which makes something else"))
    }

    fn find(&self, module: &str, name: &str) -> Result<Global, Odd> {
        globals::find(module, name).ok_or_else(|| {
            let actual = format!("{}.{}; nothing was run", shown(module.as_bytes()), shown(name.as_bytes()));
            Odd::new(self.at, OddKind::Global, "names of NumPy's and PyTorch's arrays", actual)
        })
    }

    pub(super) fn get(&self, index: ValueIndex) -> &Value<'a> {
        self.values.get(index.0 as usize).unwrap_or(&Value::None)
    }

    pub(super) fn get_mut(&mut self, index: ValueIndex) -> Option<&mut Value<'a>> {
        self.values.get_mut(index.0 as usize)
    }

    fn push(&mut self, value: Value<'a>) -> Result<(), Odd> {
        let index = u32::try_from(self.values.len());
        let index = index.map_err(|_| self.odd("fewer than 2^32 values", "more"))?;
        self.values.push(value);
        self.stack.push(ValueIndex(index));
        Ok(())
    }

    /// Height of the stack below which no value may be taken.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn top(&self) -> Result<ValueIndex, Odd> {
        let top = self.stack.last().filter(|_| self.stack.len() > self.floor());
        top.copied().ok_or_else(|| self.odd("a value on the stack", "none"))
    }

    fn pop(&mut self) -> Result<ValueIndex, Odd> {
        let top = self.top()?;
        self.stack.pop();
        Ok(top)
    }

    fn pop_or_mark(&mut self) -> Result<(), Odd> {
        if self.stack.len() == self.floor() && self.marks.pop().is_some() {
            return Ok(());
        }
        self.pop().map(drop)
    }

    fn pop_many(&mut self, count: usize) -> Result<Vec<ValueIndex>, Odd> {
        match self.stack.len().checked_sub(count).filter(|left| *left >= self.floor()) {
            Some(left) => Ok(self.stack.split_off(left)),
            None => Err(self.odd(format!("{count} values on the stack"), "fewer")),
        }
    }

    fn above_mark(&mut self) -> Result<Vec<ValueIndex>, Odd> {
        let mark = self.marks.pop().ok_or_else(|| self.odd("a mark on the stack", "none"))?;
        Ok(self.stack.split_off(mark.min(self.stack.len())))
    }

    fn remember(&mut self, at: u64) -> Result<(), Odd> {
        let top = self.top()?;
        self.memory.insert(at, top);
        Ok(())
    }

    fn recall(&mut self, at: u64) -> Result<(), Odd> {
        let value = self.memory.get(&at).copied();
        let value = value.ok_or_else(|| self.odd("a value in memory", format!("none at {at}")))?;
        self.stack.push(value);
        Ok(())
    }

    fn append(&mut self, items: impl IntoIterator<Item = ValueIndex>) -> Result<(), Odd> {
        let top = self.top()?;
        match self.get_mut(top) {
            Some(Value::List(list)) => list.extend(items),
            _ => return Err(self.odd("a list to append to", self.get(top).about())),
        }
        Ok(())
    }

    fn pairs(&self, items: &[ValueIndex]) -> Result<Vec<(ValueIndex, ValueIndex)>, Odd> {
        let (pairs, rest) = items.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(self.odd("keys with values", format!("{} of both", items.len())));
        }
        Ok(pairs.iter().map(|[key, value]| (*key, *value)).collect())
    }

    fn set(&mut self, items: &[ValueIndex]) -> Result<(), Odd> {
        let pairs = self.pairs(items)?;
        let top = self.top()?;
        match self.get_mut(top) {
            Some(Value::Dict(dict)) => dict.extend(pairs),
            _ => return Err(self.odd("a dictionary to put items into", self.get(top).about())),
        }
        Ok(())
    }

    fn utf8(&self, bytes: &'a [u8]) -> Result<Value<'a>, Odd> {
        let text = std::str::from_utf8(bytes).map(Cow::Borrowed);
        // Python writes halves of surrogate pairs as if they were characters.
        Ok(Value::Text(text.unwrap_or_else(|_| String::from_utf8_lossy(bytes))))
    }

    fn index(&self, line: &[u8]) -> Result<u64, Odd> {
        let number = std::str::from_utf8(line).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.odd("a place in memory", shown(line)))
    }

    /// A number of protocol 0.
    fn written(&self, code: Opcode, line: &[u8]) -> Result<Value<'a>, Odd> {
        let odd = || self.odd("a number", shown(line));
        let text = std::str::from_utf8(line).map_err(|_| odd())?.trim();
        match (code, text) {
            (Opcode::Int, "00") => Ok(Value::Bool(false)),
            (Opcode::Int, "01") => Ok(Value::Bool(true)),
            (Opcode::Float, _) => text.parse().map(Value::Float).map_err(|_| odd()),
            _ => text.trim_end_matches('L').parse().map(Value::Int).map_err(|_| odd()),
        }
    }

    /// A whole number of any length, lowest byte first; its highest bit is the sign.
    fn long(&self, bytes: &[u8]) -> Result<Value<'a>, Odd> {
        let is_negative = bytes.last().is_some_and(|last| *last >= 0x80);
        let mut number = if is_negative { [0xff; 8] } else { [0; 8] };
        if bytes.len() > number.len() {
            return Err(self.odd("a whole number of 64 bits", format!("one of {} bytes", bytes.len())));
        }
        for (to, from) in number.iter_mut().zip(bytes) {
            *to = *from;
        }
        Ok(Value::Int(i64::from_le_bytes(number)))
    }

    /// The bytes of a text in Latin-1.
    pub(super) fn latin(&mut self, text: ValueIndex) -> Result<Vec<u8>, Odd> {
        let text = self.get(text).text();
        let bytes = text
            .and_then(|text| text.chars().map(|char| u8::try_from(char).ok()).collect::<Option<Vec<_>>>());
        let bytes = bytes.ok_or_else(|| self.odd("a text in Latin-1", "something else"))?;
        self.spare = self.spare.checked_sub(bytes.len()).ok_or_else(|| {
            self.odd("texts that are each turned into bytes once", "more bytes than the file has")
        })?;
        Ok(bytes)
    }
}

/// The value of an operation with a constant result.
const fn constant<'a>(code: Opcode) -> Option<Value<'a>> {
    Some(match code {
        Opcode::None => Value::None,
        Opcode::NewTrue => Value::Bool(true),
        Opcode::NewFalse => Value::Bool(false),
        Opcode::EmptyDict => Value::Dict(Vec::new()),
        Opcode::EmptyList => Value::List(Vec::new()),
        Opcode::EmptyTuple => Value::Tuple(Vec::new()),
        _ => return None,
    })
}

/// A short text of somebody's for a message.
pub(super) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let short: String = text.chars().take(40).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{short}{dots}")
}

/// A text of protocol 0 in quotes, with Python's escapes.
fn quoted<'a>(line: &'a [u8]) -> Option<Value<'a>> {
    let line = line.trim_ascii();
    let (quote, rest) = line.split_first().filter(|(quote, _)| matches!(quote, b'\'' | b'"'))?;
    let inner = rest.strip_suffix(&[*quote])?;
    if !inner.contains(&b'\\') {
        return Some(Value::Bytes(Cow::Borrowed(inner)));
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied();
    while let Some(byte) = bytes.next() {
        let character = match (byte, byte == b'\\') {
            (byte, false) => byte,
            _ => match bytes.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'x' => {
                    let digits = [bytes.next()?, bytes.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                other => other,
            },
        };
        out.push(character);
    }
    Some(Value::Bytes(Cow::Owned(out)))
}

/// A text of protocol 0, with `\u` before four digits and `\U` before eight.
fn unescaped<'a>(line: &'a [u8]) -> Option<Value<'a>> {
    if !line.contains(&b'\\') && line.is_ascii() {
        return Some(Value::Text(Cow::Borrowed(std::str::from_utf8(line).ok()?)));
    }
    let mut out = String::with_capacity(line.len());
    let mut chars = line.iter().map(|byte| char::from(*byte));
    while let Some(char) = chars.next() {
        let rest = chars.clone().next();
        let digits = match (char, rest) {
            ('\\', Some('u')) => 4,
            ('\\', Some('U')) => 8,
            _ => {
                out.push(char);
                continue;
            }
        };
        let code: String = chars.by_ref().skip(1).take(digits).collect();
        let code = u32::from_str_radix(&code, 16).ok()?;
        out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Some(Value::Text(Cow::Owned(out)))
}
