//! Arrays in pickles: of a file of Python objects, of an array of objects, or of a file saved by PyTorch.

use super::super::array::{Array, Dtype, shown};
use super::super::codes;
use super::super::document::{Archive, Content, Pickled, Stream};
use super::super::write;
use super::npy::Origin;
use crate::pickle::{self, ArrayOf, Elements, Graph, Odd, OddKind, Tensor, TypeOf, Value, ValueIndex};
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::Fault;
use std::collections::HashMap;

/// Number of arrays named in a message, and of characters of each name.
const NAMED: usize = 8;
const SHOWN: usize = 60;
/// Bytes allowed for arrays per byte of the file around them: texts of a list take four for each character.
const MOST_TIMES: usize = 8;
/// Bytes counted for each letter of the name of an array in a dictionary within another.
const NAME_BYTES: usize = 16;
/// Bytes allowed in any case.
const FREE_BYTES: usize = 1 << 16;
/// The pickle in an archive of PyTorch, behind the name of the archive.
const OF_TORCH: &str = "/data.pkl";

/// Reads a pickle of data; a pickle that names anything but arrays is refused.
pub(super) fn pickle(bytes: &[u8], origin: Origin) -> Read<Pickled> {
    read(bytes, None).map_err(|odd| fault(odd, origin, "pickle"))
}

/// Reads the pickle of an archive saved by PyTorch; `None` if an archive contains no such pickle.
pub(super) fn of_torch(archive: &Archive) -> Option<Read<Pickled>> {
    archive.members.iter().enumerate().find_map(|(at, member)| {
        let name = std::str::from_utf8(&member.name).ok()?;
        let (prefix, Content::Other(bytes)) = (name.strip_suffix(OF_TORCH)?, &member.content) else {
            return None;
        };
        let fault_in_archive = |odd| {
            let start = write::starts(archive).get(at).copied().unwrap_or(0);
            let origin = match member.stream {
                Stream::Stored => Origin::File(start),
                Stream::Deflated(_) => Origin::Inflated(start),
            };
            fault(odd, origin, name)
        };
        Some(read(bytes, Some(&Files::of(archive, prefix))).map_err(fault_in_archive))
    })
}

fn fault(odd: Odd, origin: Origin, path: &str) -> Box<Fault> {
    let check = match odd.kind {
        OddKind::Truncated => codes::TRUNCATED,
        OddKind::Global => codes::PICKLE_GLOBAL,
        OddKind::Damaged => codes::PICKLE,
    };
    origin.fault(check.code, odd.at as u64, path, odd.expected, odd.found)
}

/// The arrays of a pickle, under their names in its dictionary, and the unusable arrays.
fn read(bytes: &[u8], files: Option<&Files<'_>>) -> Result<Pickled, Odd> {
    let (graph, trailing) = pickle::run(bytes)?;
    let file_bytes = bytes.len().saturating_add(files.map_or(0, |files| files.bytes));
    let left = file_bytes.saturating_mul(MOST_TIMES).saturating_add(FREE_BYTES);
    let pickled = Pickled { trailing: trailing.len(), ..Pickled::default() };
    let mut maker = Maker { graph: &graph, files, left, pickled };
    maker.take_all(graph.inner(graph.root()));
    Ok(maker.pickled)
}

/// The files beside a pickle of PyTorch, by their names without the archive's prefix. Of equal names the
/// first counts.
struct Files<'a> {
    by_name: HashMap<&'a [u8], &'a [u8]>,
    /// Bytes of all members of the archive.
    bytes: usize,
}

impl<'a> Files<'a> {
    fn of(archive: &'a Archive, prefix: &str) -> Self {
        let (mut by_name, mut all) = (HashMap::new(), 0usize);
        for member in &archive.members {
            let bytes = match &member.content {
                Content::Other(bytes) => bytes,
                Content::Array(array) => &array.data,
            };
            all = all.saturating_add(bytes.len());
            let name = member.name.strip_prefix(prefix.as_bytes()).and_then(|name| name.strip_prefix(b"/"));
            if let (Some(name), Content::Other(bytes)) = (name, &member.content) {
                by_name.entry(name).or_insert(bytes.as_slice());
            }
        }
        Self { by_name, bytes: all }
    }

    fn get(&self, name: &str) -> Option<&'a [u8]> {
        self.by_name.get(name.as_bytes()).copied()
    }
}

impl<'a> Graph<'a> {
    /// The content of a wrapping value: an array of one object, or a dictionary of one dictionary.
    fn inner<'b>(&'b self, value: &'b Value<'a>) -> &'b Value<'a> {
        match value {
            Value::Array(array) => match array.elements {
                Elements::Of(list) => match self.get(list) {
                    Value::List(items) if array.shape.is_empty() => {
                        items.first().map_or(value, |one| self.get(*one))
                    }
                    _ => value,
                },
                Elements::Bytes(_) => value,
            },
            Value::Dict(items) => match items.as_slice() {
                [(_, one)] if matches!(self.get(*one), Value::Dict(_)) => self.get(*one),
                _ => value,
            },
            _ => value,
        }
    }
}

/// Makes arrays of values, as long as they take no more room than the file deserves.
struct Maker<'a> {
    graph: &'a Graph<'a>,
    files: Option<&'a Files<'a>>,
    /// Bytes still allowed for arrays.
    left: usize,
    pickled: Pickled,
}

impl Maker<'_> {
    /// Takes the arrays of a dictionary, or the only array.
    fn take_all(&mut self, root: &Value<'_>) {
        let Value::Dict(items) = root else { return self.take_array(String::new, root) };
        for (key, value) in items {
            let (Some(key), value) = (self.graph.text(*key), self.graph.get(*value)) else { continue };
            // Any number of items may have one name.
            if self.take(1, key.len()).is_none() {
                self.leave_out(key, "more names than the file can hold");
                break;
            }
            // A dictionary in it puts its own name before those of its arrays.
            let Value::Dict(inner) = value else {
                self.take_array(|| key.to_owned(), value);
                continue;
            };
            for (inner_key, value) in inner {
                let Some(inner_name) = self.graph.text(*inner_key) else { continue };
                // Several names may refer to one dictionary.
                if self.take(NAME_BYTES, key.len().saturating_add(inner_name.len())).is_none() {
                    break;
                }
                self.take_array(|| format!("{key}/{inner_name}"), self.graph.get(*value));
            }
        }
    }

    /// Notes an array left out.
    fn leave_out(&mut self, name: &str, about: &str) {
        let pickled = &mut self.pickled;
        match pickled.left_out.len() < NAMED {
            true => {
                let text = name.chars().take(SHOWN).chain(": ".chars()).chain(about.chars()).collect();
                pickled.left_out.push(text);
            }
            false => pickled.further_left_out = pickled.further_left_out.saturating_add(1),
        }
    }

    /// Takes room for `count` elements; `None` if there is not enough left.
    fn take(&mut self, count: usize, bytes: usize) -> Option<()> {
        self.left = self.left.checked_sub(count.checked_mul(bytes)?)?;
        Some(())
    }

    /// Takes the array that a value represents or contains, or notes that it is left out.
    fn take_array(&mut self, name: impl FnOnce() -> String, value: &Value<'_>) {
        if let Some(array) = self.array(value) {
            self.pickled.arrays.push((name(), array));
        } else if let Some(about) = self.about(value) {
            let name = name();
            self.leave_out(if name.is_empty() { "the value" } else { &name }, &about);
        }
    }

    /// An array in words; `None` for other values.
    fn about(&self, value: &Value<'_>) -> Option<String> {
        match value {
            Value::Array(array) => {
                let of =
                    array.dtype.as_ref().map_or_else(|| "no type".to_owned(), |kind| dtype(kind).to_string());
                Some(format!("an array of {of} {}", shown(&array.shape)))
            }
            Value::Tensor(tensor) => Some(format!("a tensor {}", shown(&tensor.shape))),
            Value::List(items) | Value::Tuple(items) => {
                let first = self.graph.get(*items.first()?);
                let is_numbers =
                    matches!(first, Value::Int(_) | Value::Float(_) | Value::List(_) | Value::Tuple(_));
                is_numbers.then(|| format!("a list of {}", items.len()))
            }
            _ => None,
        }
    }

    fn array(&mut self, value: &Value<'_>) -> Option<Array> {
        match value {
            Value::Int(number) => Some(Array::i64s(&[], [*number])),
            Value::Float(number) => Some(Array::f64s(&[], [*number])),
            Value::Bool(is) => Some(Array::i64s(&[], [i64::from(*is)])),
            Value::Text(text) => self.texts(&[], &[text]),
            Value::Bytes(bytes) => {
                self.take(bytes.len(), 1)?;
                self.texts(&[], &[std::str::from_utf8(bytes).ok()?])
            }
            Value::List(items) | Value::Tuple(items) => self.list(items),
            Value::Array(array) => self.stored(array),
            Value::Tensor(tensor) => self.tensor(tensor),
            _ => None,
        }
    }

    fn texts(&mut self, shape: &[usize], texts: &[&str]) -> Option<Array> {
        let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0).max(1);
        self.take(texts.len(), longest.checked_mul(4)?)?;
        Some(Array::texts(shape, texts))
    }

    /// A list of texts or of numbers.
    fn list(&mut self, items: &[ValueIndex]) -> Option<Array> {
        // Any number of names may refer to one list, and looking at it costs as well.
        self.take(items.len(), 1)?;
        let texts: Option<Vec<&str>> = items.iter().map(|item| self.graph.text(*item)).collect();
        if let Some(texts) = texts.filter(|texts| !texts.is_empty()) {
            return self.texts(&[texts.len()], &texts);
        }
        self.take(items.len(), 8)?;
        let number = |item: &ValueIndex| match self.graph.get(*item) {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        let numbers: Option<Vec<f64>> = items.iter().map(number).collect();
        numbers.map(|numbers| Array::f64s(&[numbers.len()], numbers))
    }

    fn stored(&mut self, array: &ArrayOf<'_>) -> Option<Array> {
        let bytes = match &array.elements {
            Elements::Bytes(bytes) => bytes,
            Elements::Of(value) => match self.graph.get(*value) {
                Value::Bytes(bytes) => bytes,
                Value::List(items) => return self.list(items),
                _ => return None,
            },
        };
        let dtype = dtype(array.dtype.as_ref()?);
        let count = array.shape.iter().try_fold(1usize, |all, length| all.checked_mul(*length))?;
        (count.checked_mul(dtype.element_bytes()?)? == bytes.len()).then_some(())?;
        self.take(bytes.len(), 1)?;
        let plain = Array::new(dtype, array.shape.clone(), bytes.to_vec());
        Some(Array { fortran_order: array.fortran_order, ..plain })
    }

    fn tensor(&mut self, tensor: &Tensor) -> Option<Array> {
        let files = self.files?;
        let is_big = files.get("byteorder").is_some_and(|order| order == b"big");
        let order = match tensor.storage.dtype {
            "i1" | "u1" | "b1" => '|',
            _ if is_big => '>',
            _ => '<',
        };
        let dtype = dtype(&TypeOf { name: tensor.storage.dtype.to_owned(), order });
        let bytes = files.get(&format!("data/{}", tensor.storage.key))?;
        let size = dtype.element_bytes()?;
        let count = tensor.shape.iter().try_fold(1usize, |all, length| all.checked_mul(*length))?;
        let form: Vec<(usize, usize)> = tensor
            .shape
            .iter()
            .copied()
            .zip(tensor.strides.iter().copied())
            .filter(|(length, _)| *length != 1)
            .collect();
        // Each dimension costs a step of each element.
        self.take(count, size.max(form.len()))?;
        let mut data = Vec::with_capacity(count.checked_mul(size)?);
        for element in 0..count {
            let (mut left, mut position) = (element, tensor.offset);
            for (length, stride) in form.iter().rev() {
                position = position.checked_add(left.checked_rem(*length)?.checked_mul(*stride)?)?;
                left = left.checked_div(*length)?;
            }
            let start = position.checked_mul(size)?;
            data.extend_from_slice(bytes.get(start..start.checked_add(size)?)?);
        }
        Some(Array::new(dtype, tensor.shape.clone(), data))
    }
}

/// The type of elements named in a pickle.
fn dtype(of: &TypeOf) -> Dtype {
    Dtype::from_descr(&format!("{}{}", of.order, of.name), true)
}
