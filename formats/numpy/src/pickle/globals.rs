//! The names allowed in a pickle. They stand for meanings of our own; no part of Python is called.

/// A name allowed in a pickle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    /// `_reconstruct`: an array to be filled by later operations.
    Reconstruct,
    /// The class of arrays.
    NdArray,
    /// The class of types of elements.
    DType,
    /// A number with a type of NumPy's.
    Scalar,
    /// An array on bytes (protocol 5).
    FromBuffer,
    /// Bytes stored in the pickle as a text in Latin-1 (protocol 2, by Python 3).
    Encode,
    /// A dictionary in the order of insertion.
    OrderedDict,
    /// A tensor of PyTorch on a storage.
    RebuildTensor,
    /// A storage of PyTorch with elements of this type, in NumPy's spelling.
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

/// The modules of NumPy 1 and NumPy 2.
const MULTIARRAY: &[&str] = &["numpy.core.multiarray", "numpy._core.multiarray"];

/// The meaning of a name on the list; `None` for a name outside the list.
pub(super) fn find(module: &str, name: &str) -> Option<Global> {
    let row = LIST.iter().find(|(modules, listed, _)| *listed == name && modules.contains(&module));
    row.map(|row| row.2)
}
