//! The values made by the names on the list from their arguments.

use super::Odd;
use super::globals::Global;
use super::machine::Machine;
use super::value::{ArrayOf, Elements, Storage, Tensor, TypeOf, Value, ValueIndex};
use std::borrow::Cow;

/// Largest number of dimensions of an array, the limit of NumPy.
const MOST_DIMENSIONS: usize = 64;
/// Largest number of arguments of a name, and of parts of the state of a value made with a name. Longer
/// tuples are ignored, because many operations may refer to one tuple.
const MOST_PARTS: usize = 16;

impl<'a> Machine<'a> {
    fn tuple(&self, of: ValueIndex) -> Option<&[ValueIndex]> {
        match self.get(of) {
            Value::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// Items of a tuple with as many as names take.
    fn parts(&self, of: ValueIndex) -> Option<Vec<ValueIndex>> {
        self.tuple(of).filter(|items| items.len() <= MOST_PARTS).map(<[ValueIndex]>::to_vec)
    }

    fn whole(&self, of: ValueIndex) -> Option<usize> {
        match self.get(of) {
            Value::Int(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// A length or stride for each dimension.
    fn lengths(&self, of: ValueIndex) -> Option<Vec<usize>> {
        let items = self.tuple(of).filter(|items| items.len() <= MOST_DIMENSIONS)?;
        items.iter().map(|item| self.whole(*item)).collect()
    }

    fn type_of(&self, of: ValueIndex) -> Option<TypeOf> {
        match self.get(of) {
            Value::Type(dtype) => Some((**dtype).clone()),
            _ => None,
        }
    }

    /// The value made by a name from its arguments.
    pub(super) fn reduced(&mut self, parts: &[ValueIndex]) -> Result<Value<'a>, Odd> {
        let (Some(callee), Some(arguments)) = (parts.first().copied(), parts.get(1).copied()) else {
            return Err(self.odd("a name with arguments", "less"));
        };
        let Value::Global(global) = *self.get(callee) else {
            return Err(self.odd("a name that makes an array", self.get(callee).about()));
        };
        let arguments = self.parts(arguments);
        let value = arguments.and_then(|arguments| self.construct(global, &arguments).transpose());
        value.unwrap_or_else(|| Err(self.odd(format!("arguments that {global:?} takes"), "others")))
    }

    fn construct(&mut self, global: Global, arguments: &[ValueIndex]) -> Result<Option<Value<'a>>, Odd> {
        Ok(match (global, arguments) {
            (Global::Reconstruct, [class, shape, _]) => self.reconstructed(*class, *shape),
            (Global::DType, [name, ..]) if arguments.len() <= 3 => self.dtype(*name),
            (Global::Scalar, [dtype, bytes]) => self.scalar(*dtype, *bytes),
            (Global::FromBuffer, [bytes, dtype, shape, order]) => {
                self.on_bytes(*bytes, *dtype, *shape, *order)
            }
            (Global::OrderedDict, []) => Some(Value::Dict(Vec::new())),
            (Global::Encode, [text, code]) if self.get(*code).text() == Some("latin1") => {
                Some(Value::Bytes(Cow::Owned(self.latin(*text)?)))
            }
            (Global::RebuildTensor, [storage, offset, shape, strides, ..]) if arguments.len() <= 7 => {
                self.tensor(*storage, *offset, [*shape, *strides])
            }
            _ => None,
        })
    }

    fn reconstructed(&self, class: ValueIndex, shape: ValueIndex) -> Option<Value<'a>> {
        let is_array = matches!(self.get(class), Value::Global(Global::NdArray));
        let array = ArrayOf {
            shape: self.lengths(shape).filter(|_| is_array)?,
            dtype: None,
            fortran_order: false,
            elements: Elements::Bytes(Cow::Borrowed(&[])),
        };
        Some(Value::Array(Box::new(array)))
    }

    fn dtype(&self, name: ValueIndex) -> Option<Value<'a>> {
        let name = self.get(name).text().filter(|name| name.len() <= 16 && name.is_ascii())?.to_owned();
        Some(Value::Type(Box::new(TypeOf { name, order: '|' })))
    }

    fn scalar(&self, dtype: ValueIndex, bytes: ValueIndex) -> Option<Value<'a>> {
        matches!(self.get(bytes), Value::Bytes(_)).then_some(())?;
        let dtype = Some(self.type_of(dtype)?);
        let elements = Elements::Of(bytes);
        Some(Value::Array(Box::new(ArrayOf { shape: Vec::new(), dtype, fortran_order: false, elements })))
    }

    fn on_bytes(
        &self,
        bytes: ValueIndex,
        dtype: ValueIndex,
        shape: ValueIndex,
        order: ValueIndex,
    ) -> Option<Value<'a>> {
        matches!(self.get(bytes), Value::Bytes(_)).then_some(())?;
        let fortran_order = match self.get(order).text()? {
            "C" => false,
            "F" => true,
            _ => return None,
        };
        let (shape, dtype) = (self.lengths(shape)?, Some(self.type_of(dtype)?));
        Some(Value::Array(Box::new(ArrayOf { shape, dtype, fortran_order, elements: Elements::Of(bytes) })))
    }

    fn tensor(&self, storage: ValueIndex, offset: ValueIndex, form: [ValueIndex; 2]) -> Option<Value<'a>> {
        let Value::Storage(storage) = self.get(storage) else { return None };
        let [Some(shape), Some(strides)] = form.map(|list| self.lengths(list)) else { return None };
        let offset = self.whole(offset)?;
        let tensor = Tensor { storage: (**storage).clone(), offset, shape, strides };
        (tensor.shape.len() == tensor.strides.len()).then(|| Value::Tensor(Box::new(tensor)))
    }

    /// Fills a value made by a name.
    pub(super) fn build(&mut self, of: ValueIndex, state: ValueIndex) -> Result<(), Odd> {
        let items = self.parts(state).unwrap_or_default();
        let built = match (self.get(of), &items[..]) {
            (Value::Array(_), [_, shape, dtype, order, elements]) => {
                self.filled(*shape, *dtype, *order, *elements).map(|array| Value::Array(Box::new(array)))
            }
            (Value::Type(stored), [_, order, subtype, names, fields, ..]) => {
                let is_plain =
                    [subtype, names, fields].iter().all(|part| matches!(self.get(**part), Value::None));
                let order = self.get(*order).text().and_then(|order| order.chars().next());
                let name = stored.name.clone();
                order.filter(|_| is_plain).map(|order| Value::Type(Box::new(TypeOf { name, order })))
            }
            // What PyTorch notes about a dictionary.
            (Value::Dict(_), []) if matches!(self.get(state), Value::Dict(_)) => return Ok(()),
            _ => None,
        };
        let odd = |machine: &Self| {
            machine.odd(
                "the state of an array",
                format!("{} for {}", machine.get(state).about(), machine.get(of).about()),
            )
        };
        match (built, self.get_mut(of)) {
            (Some(built), Some(slot)) => {
                *slot = built;
                Ok(())
            }
            _ => Err(odd(self)),
        }
    }

    fn filled(
        &self,
        shape: ValueIndex,
        dtype: ValueIndex,
        order: ValueIndex,
        elements: ValueIndex,
    ) -> Option<ArrayOf<'a>> {
        let fortran_order = match self.get(order) {
            Value::Bool(order) => *order,
            Value::Int(order) => *order != 0,
            _ => return None,
        };
        matches!(self.get(elements), Value::Bytes(_) | Value::Text(_) | Value::List(_)).then_some(())?;
        let (shape, dtype) = (self.lengths(shape)?, Some(self.type_of(dtype)?));
        Some(ArrayOf { shape, dtype, fortran_order, elements: Elements::Of(elements) })
    }

    /// A storage of PyTorch: ("storage", type, key, device, count).
    pub(super) fn persistent(&self, id: ValueIndex) -> Result<Value<'a>, Odd> {
        let storage = match self.tuple(id) {
            Some([word, class, key, _, _]) => match (self.get(*word).text(), self.get(*class)) {
                (Some("storage"), Value::Global(Global::Storage(dtype))) => {
                    self.get(*key).text().map(|key| Storage { dtype, key: key.to_owned() })
                }
                _ => None,
            },
            _ => None,
        };
        let storage = storage.ok_or_else(|| self.odd("a storage of PyTorch", self.get(id).about()))?;
        Ok(Value::Storage(Box::new(storage)))
    }
}
