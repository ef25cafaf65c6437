//! Arrays that stand in pickles: of a file of Python objects, of an array of objects, or of what PyTorch saved.

use super::array::{Array, Dtype, shown};
use super::document::{Archive, Content, Document, File};
use crate::RESEARCH;
use crate::pickle::{self, ArrayOf, Elements, Graph, Odd, Pickle, Tensor, TypeOf, Value, ValueIndex};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// The word of what may be assumed about names of arrays.
pub(super) const ARRAYS: &str = "arrays";

/// A document of arrays alone.
pub(super) struct View<'a> {
    /// The document itself, or one with the arrays of its pickle under their names.
    pub(super) document: Cow<'a, Document>,
    /// What keeps the pickle from being read.
    pub(super) odd: Option<Odd>,
    /// Arrays of the pickle that are left out.
    pub(super) left_out: LeftOut,
}

/// Arrays that cannot be taken out of a pickle.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Number of them.
    pub(super) count: usize,
    /// The first of them, by name and form.
    pub(super) first: Vec<String>,
}

/// Arrays that are named in one message, and characters of each name.
const NAMED: usize = 8;
const SHOWN: usize = 60;

impl LeftOut {
    fn add(&mut self, name: &str, about: &str) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < NAMED {
            self.first.push(name.chars().take(SHOWN).chain(": ".chars()).chain(about.chars()).collect());
        }
    }
}

/// Bytes that arrays may take for each byte of the file that they stand in: texts of a list take four for each character.
const MOST_TIMES: usize = 8;
/// Bytes that count for each letter of the name of an array in a dictionary within another.
const NAME_BYTES: usize = 16;
/// Bytes that they may take in any case.
const FREE_BYTES: usize = 1 << 16;
/// The pickle in an archive of PyTorch, behind the name of the archive.
const OF_TORCH: &str = "/data.pkl";

/// The arrays of a document, under the names that the caller says they stand for.
pub(super) fn of(document: &Document) -> View<'_> {
    let view = stored(document);
    let Some(pairs) = document.assumed.get(ARRAYS).and_then(name_pairs) else { return view };
    let has = |name: &str| view.document.array(name).is_some();
    // A name that the file has is never given to another array.
    let pairs: Vec<_> = pairs.into_iter().filter(|(own, theirs)| !has(own) && has(theirs)).collect();
    if pairs.is_empty() {
        return view;
    }
    let name = |theirs: String| {
        let own = pairs.iter().find(|pair| pair.1 == theirs).map(|pair| pair.0.to_owned());
        own.unwrap_or(theirs)
    };
    let arrays = view.document.arrays().map(|(theirs, array)| (name(theirs), array.clone()));
    let made = Document { assumed: document.assumed.clone(), ..Document::of_arrays(arrays) };
    View { document: Cow::Owned(made), ..view }
}

/// The names of `positions:kp3d+fps:rate`: ours, and the file's.
pub(super) fn name_pairs(text: &str) -> Option<Vec<(&str, &str)>> {
    let pair =
        |part| str::split_once(part, ':').filter(|(own, theirs)| !own.is_empty() && !theirs.is_empty());
    text.split('+').map(pair).collect()
}

/// The arrays of a document under the names that the file has for them.
fn stored(document: &Document) -> View<'_> {
    let whole = || View { document: Cow::Borrowed(document), odd: None, left_out: LeftOut::default() };
    let made = match &document.file {
        _ if !RESEARCH => return whole(),
        File::Pickle(pickle) => arrays(pickle, None),
        File::Npy(array) if array.dtype == Dtype::Object => {
            pickle::read(&array.data).and_then(|pickle| arrays(&pickle, None))
        }
        File::Npz(archive) => match of_torch(archive) {
            Some((prefix, bytes)) => {
                pickle::read(bytes).and_then(|pickle| arrays(&pickle, Some(&Files::of(archive, prefix))))
            }
            None => return whole(),
        },
        File::Npy(_) => return whole(),
    };
    let assumed = document.assumed.clone();
    match made {
        Ok((made, left_out)) => {
            View { document: Cow::Owned(Document { assumed, ..made }), odd: None, left_out }
        }
        Err(odd) => View { odd: Some(odd), ..whole() },
    }
}

/// True if a document is one array of objects, of which more can be said than that it is a pickle.
pub(super) fn is_of_objects(document: &Document) -> bool {
    if !matches!(document.file, File::Npy(_)) {
        return false;
    }
    let view = of(document);
    view.odd.is_some() || view.document.arrays().any(|(name, _)| !name.is_empty())
}

/// The name of an archive of PyTorch within itself, and its pickle.
pub(super) fn of_torch(archive: &Archive) -> Option<(&str, &[u8])> {
    archive.members.iter().find_map(|member| {
        let prefix = std::str::from_utf8(&member.name).ok()?.strip_suffix(OF_TORCH)?;
        match &member.content {
            Content::Other(bytes) => Some((prefix, bytes.as_slice())),
            Content::Array(_) => None,
        }
    })
}

/// The files beside a pickle of PyTorch, by their names behind that of the archive. Of equal names the first counts.
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

/// The arrays of a pickle, under the names that its dictionary has for them, and those that cannot be taken.
fn arrays(pickle: &Pickle, files: Option<&Files<'_>>) -> Result<(Document, LeftOut), Odd> {
    let graph = pickle::run(pickle)?;
    let own = pickle.length().saturating_add(files.map_or(0, |files| files.bytes));
    let left = own.saturating_mul(MOST_TIMES).saturating_add(FREE_BYTES);
    let mut maker = Maker { graph: &graph, files, left, left_out: LeftOut::default() };
    let root = graph.inner(graph.root());
    let Value::Dict(items) = root else {
        let made = maker.take_array(|| "the value", root);
        return Ok((made.map_or_else(Document::default, Document::of_array), maker.left_out));
    };
    let mut named = Vec::new();
    for (key, value) in items {
        let (Some(key), value) = (graph.text(*key), graph.get(*value)) else { continue };
        // Any number of items may have one name.
        if maker.take(1, key.len()).is_none() {
            maker.left_out.add(key, "more names than the file can hold");
            break;
        }
        // A dictionary in it puts its own name before those of its arrays.
        let Value::Dict(inner) = value else {
            named.extend(maker.take_array(|| key, value).map(|array| (key.to_owned(), array)));
            continue;
        };
        for (own, value) in inner {
            let Some(own) = graph.text(*own) else { continue };
            // Several names may refer to one dictionary.
            if maker.take(NAME_BYTES, key.len().saturating_add(own.len())).is_none() {
                break;
            }
            let name = || format!("{key}/{own}");
            named.extend(maker.take_array(name, graph.get(*value)).map(|array| (name(), array)));
        }
    }
    Ok((Document::of_arrays(named), maker.left_out))
}

impl<'a> Graph<'a> {
    /// What a value is wrapped around: an array of one object, or a dictionary of one dictionary.
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
    /// Bytes that arrays may still take.
    left: usize,
    left_out: LeftOut,
}

impl Maker<'_> {
    /// Takes room for so many elements; `None` if there is none left.
    fn take(&mut self, count: usize, bytes: usize) -> Option<()> {
        self.left = self.left.checked_sub(count.checked_mul(bytes)?)?;
        Some(())
    }

    /// The array that a value is or holds. Takes note of one that it cannot be made of.
    fn take_array<N: fmt::Display>(&mut self, name: impl FnOnce() -> N, value: &Value<'_>) -> Option<Array> {
        let made = self.array(value);
        if made.is_none()
            && let Some(about) = self.about(value)
        {
            self.left_out.add(&name().to_string(), &about);
        }
        made
    }

    /// An array in words; `None` of what is none.
    fn about(&self, value: &Value<'_>) -> Option<String> {
        match value {
            Value::Array(array) => {
                let of =
                    array.dtype.as_ref().map_or_else(|| "no type".to_owned(), |own| dtype(own).to_string());
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
        let made = Array::new(dtype, array.shape.clone(), bytes.to_vec());
        Some(Array { fortran_order: array.fortran_order, ..made })
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
            let (mut left, mut place) = (element, tensor.offset);
            for (length, stride) in form.iter().rev() {
                place = place.checked_add((left % length).checked_mul(*stride)?)?;
                left /= length;
            }
            let start = place.checked_mul(size)?;
            data.extend_from_slice(bytes.get(start..start.checked_add(size)?)?);
        }
        Some(Array::new(dtype, tensor.shape.clone(), data))
    }
}

/// The type of elements that a pickle names.
fn dtype(of: &TypeOf) -> Dtype {
    Dtype::from_descr(&format!("{}{}", of.order, of.name), true)
}
