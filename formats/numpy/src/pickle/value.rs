//! The values made by the operations of a pickle: they refer to each other by their index.

use super::globals::Global;
use std::borrow::Cow;

/// Index of a value in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueIndex(pub(super) u32);

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Cow<'a, str>),
    /// Bytes, or a text of Python 2.
    Bytes(Cow<'a, [u8]>),
    List(Vec<ValueIndex>),
    Tuple(Vec<ValueIndex>),
    Dict(Vec<(ValueIndex, ValueIndex)>),
    Type(Box<TypeOf>),
    Array(Box<ArrayOf<'a>>),
    Storage(Box<Storage>),
    Tensor(Box<Tensor>),
    /// A name from the list, not yet called.
    Global(Global),
}

/// Type of an array's elements.
#[derive(Clone, Debug)]
pub(crate) struct TypeOf {
    /// Kind and length, as in `f4`.
    pub(crate) name: String,
    /// Order of bytes, as in `<`.
    pub(crate) order: char,
}

/// An array.
#[derive(Clone, Debug)]
pub(crate) struct ArrayOf<'a> {
    pub(crate) shape: Vec<usize>,
    pub(crate) dtype: Option<TypeOf>,
    pub(crate) fortran_order: bool,
    pub(crate) elements: Elements<'a>,
}

/// Elements of an array.
#[derive(Clone, Debug)]
pub(crate) enum Elements<'a> {
    /// Bytes of numbers or texts.
    Bytes(Cow<'a, [u8]>),
    /// The value with the elements, which is not on the stack: bytes of another value, or a list of objects.
    Of(ValueIndex),
}

/// A storage of PyTorch: a file beside the pickle.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    /// Type of its elements, in NumPy's spelling.
    pub(crate) dtype: &'static str,
    /// Name of the file.
    pub(crate) key: String,
}

/// A tensor of PyTorch.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) storage: Storage,
    /// Number of elements before its first.
    pub(crate) offset: usize,
    pub(crate) shape: Vec<usize>,
    /// Number of elements from one index to the next, for each dimension.
    pub(crate) strides: Vec<usize>,
}

/// All values of a pickle, and the index of its result.
#[derive(Debug)]
pub(crate) struct Graph<'a> {
    pub(super) values: Vec<Value<'a>>,
    pub(super) root: ValueIndex,
}

impl<'a> Graph<'a> {
    /// The result of the pickle.
    pub(crate) fn root(&self) -> &Value<'a> {
        self.get(self.root)
    }

    /// A value by its index.
    pub(crate) fn get(&self, index: ValueIndex) -> &Value<'a> {
        self.values.get(index.0 as usize).unwrap_or(&Value::None)
    }

    /// The text of a value.
    pub(crate) fn text(&self, index: ValueIndex) -> Option<&str> {
        self.get(index).text()
    }
}

/// Length of the longest text of Python 2: a name, a type or an order. Any number of references may ask
/// whether the same bytes are a text.
const LONGEST_NAME: usize = 1 << 10;

impl Value<'_> {
    /// The text of a value; also of Python 2, if no longer than a name.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes(bytes) if bytes.len() > LONGEST_NAME => None,
            Self::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The value in words.
    pub(crate) fn about(&self) -> String {
        match self {
            Self::None => "None".into(),
            Self::Bool(_) => "a truth value".into(),
            Self::Int(number) => number.to_string(),
            Self::Float(number) => number.to_string(),
            Self::Text(_) => "a text".into(),
            Self::Bytes(_) => "bytes".into(),
            Self::List(_) => "a list".into(),
            Self::Tuple(_) => "a tuple".into(),
            Self::Dict(_) => "a dictionary".into(),
            Self::Type(_) => "a type of elements".into(),
            Self::Array(_) => "an array".into(),
            Self::Storage(_) => "a storage".into(),
            Self::Tensor(_) => "a tensor".into(),
            Self::Global(global) => format!("{global:?}"),
        }
    }
}
