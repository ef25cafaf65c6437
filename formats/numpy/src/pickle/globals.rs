//! The names that a pickle may use. They stand for meanings of our own; nothing of Python is called.

/// Something that a pickle may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    /// `_reconstruct`: an array that is filled by what follows.
    Reconstruct,
    /// The class of arrays.
    NdArray,
    /// The class of types of elements.
    DType,
    /// A number with a type of NumPy's.
    Scalar,
    /// An array on bytes (protocol 5).
    FromBuffer,
    /// Bytes that stand in the pickle as a text in Latin-1 (protocol 2, by Python 3).
    Encode,
    /// A dictionary that keeps its order.
    OrderedDict,
    /// A tensor of PyTorch on a storage.
    RebuildTensor,
    /// A storage of PyTorch with elements of this type, as NumPy spells it.
    Storage(&'static str),
}

/// All of them by module and name.
const LIST: [(&[&str], &str, Global); 17] = [
    (MULTIARRAY, "_reconstruct", Global::Reconstruct),
    (MULTIARRAY, "scalar", Global::Scalar),
    (&["numpy.core.numeric", "numpy._core.numeric"], "_frombuffer", Global::FromBuffer),
    (&["numpy"], "ndarray", Global::NdArray),
    (&["numpy"], "dtype", Global::DType),
    (&["_codecs"], "encode", Global::Encode),
    (&["collections"], "OrderedDict", Global::OrderedDict),
    (&["torch._utils"], "_rebuild_tensor_v2", Global::RebuildTensor),
    (&["torch"], "FloatStorage", Global::Storage("f4")),
    (&["torch"], "DoubleStorage", Global::Storage("f8")),
    (&["torch"], "HalfStorage", Global::Storage("f2")),
    (&["torch"], "LongStorage", Global::Storage("i8")),
    (&["torch"], "IntStorage", Global::Storage("i4")),
    (&["torch"], "ShortStorage", Global::Storage("i2")),
    (&["torch"], "CharStorage", Global::Storage("i1")),
    (&["torch"], "ByteStorage", Global::Storage("u1")),
    (&["torch"], "BoolStorage", Global::Storage("b1")),
];

/// The module of NumPy 1 and that of NumPy 2.
const MULTIARRAY: &[&str] = &["numpy.core.multiarray", "numpy._core.multiarray"];

/// What a name stands for, if it is on the list.
pub(super) fn find(module: &str, name: &str) -> Option<Global> {
    let row = LIST.iter().find(|(modules, own, _)| *own == name && modules.contains(&module));
    row.map(|row| row.2)
}
