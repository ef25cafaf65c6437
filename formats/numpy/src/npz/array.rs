//! An array: its type, its shape and its bytes.

use std::fmt;

/// An array as stored in a `.npy` file.
///
/// Source: `numpy.lib.format`, versions 1.0 to 3.0.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Type of its elements.
    pub dtype: Dtype,
    /// True if the first index runs fastest instead of the last.
    pub fortran_order: bool,
    /// Number of elements along each index; an array without an index has one element.
    pub shape: Vec<usize>,
    /// The elements, in the byte order of the type.
    pub data: Vec<u8>,
    /// Form of its header.
    pub header: HeaderForm,
    /// Bytes behind the elements.
    pub trailing: Vec<u8>,
}

/// Form of an array's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderForm {
    /// The version of the format: 1, 2 or 3.
    pub version: u8,
    /// Blanks that fill the header up.
    pub padding: usize,
    /// Text of the header if NumPy itself would spell it otherwise. The text is written as long as it states
    /// the type and shape of the array.
    pub spelling: Option<String>,
}

/// Type of an array's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// Numbers and switches.
    Number {
        /// Kind of number.
        kind: NumberKind,
        /// Bytes of each.
        bytes: usize,
        /// True if the highest byte comes first.
        is_big_endian: bool,
    },
    /// Texts with a number of characters in UTF-32, filled up with zeros.
    Text {
        /// Most characters.
        chars: usize,
        /// True if the highest byte comes first.
        is_big_endian: bool,
    },
    /// Texts with a number of bytes, filled up with zeros.
    Bytes(usize),
    /// Objects of Python, stored in the file as a pickle: a program, which is kept and never run.
    Object,
    /// Any other type, in Python's spelling; `bytes` is the size of an element, if known.
    Other {
        /// A text in quotes, or a list.
        descr: String,
        /// Bytes per element.
        bytes: Option<usize>,
    },
}

/// Kinds of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Binary floating point numbers (IEEE 754) of 2, 4 or 8 bytes.
    Float,
    /// Whole numbers.
    Int,
    /// Whole numbers from 0.
    Uint,
    /// Switches of one byte.
    Bool,
}

impl NumberKind {
    const LETTERS: [(char, Self); 4] =
        [('f', Self::Float), ('i', Self::Int), ('u', Self::Uint), ('b', Self::Bool)];

    /// Lengths in bytes allowed for numbers of this kind.
    const fn lengths(self) -> &'static [usize] {
        match self {
            Self::Float => &[2, 4, 8],
            Self::Int | Self::Uint => &[1, 2, 4, 8],
            Self::Bool => &[1],
        }
    }
}

impl Dtype {
    /// Numbers of 32 bits, lowest byte first.
    pub const F32: Self = Self::Number { kind: NumberKind::Float, bytes: 4, is_big_endian: false };
    /// Numbers of 64 bits, lowest byte first.
    pub const F64: Self = Self::Number { kind: NumberKind::Float, bytes: 8, is_big_endian: false };
    /// Whole numbers of 64 bits, lowest byte first.
    pub const I64: Self = Self::Number { kind: NumberKind::Int, bytes: 8, is_big_endian: false };

    /// The type for `descr` in Python's spelling (without the quotes of a text).
    #[must_use]
    pub fn from_descr(descr: &str, is_quoted: bool) -> Self {
        let other = |bytes| Self::Other {
            descr: if is_quoted { format!("'{descr}'") } else { descr.to_owned() },
            bytes,
        };
        let mut letters = descr.chars();
        let (Some(order), Some(letter)) = (letters.next(), letters.next()) else { return other(None) };
        let digits = letters.as_str();
        // A leading zero or sign is spelled otherwise than NumPy would.
        let count = digits.parse::<usize>().ok().filter(|count| count.to_string() == digits);
        let is_big_endian = order == '>';
        if !is_quoted || !matches!(order, '<' | '>' | '|' | '=') {
            return other(None);
        }
        let number = NumberKind::LETTERS.iter().find(|row| row.0 == letter);
        match (letter, number, count) {
            ('O', _, _) if order == '|' && digits.is_empty() => Self::Object,
            (_, Some((_, kind)), Some(bytes))
                if kind.lengths().contains(&bytes) && (order == '|') == (bytes == 1) && order != '=' =>
            {
                Self::Number { kind: *kind, bytes, is_big_endian }
            }
            ('U', _, Some(chars)) if matches!(order, '<' | '>') => Self::Text { chars, is_big_endian },
            ('S', _, Some(bytes)) if order == '|' => Self::Bytes(bytes),
            ('c' | 'f' | 'V' | 'i' | 'u' | 'b', _, bytes) => other(bytes),
            ('m' | 'M', _, _) if digits.starts_with('8') => other(Some(8)),
            _ => other(None),
        }
    }

    /// Number of bytes of an element, if known.
    #[must_use]
    pub const fn element_bytes(&self) -> Option<usize> {
        match self {
            Self::Number { bytes, .. } | Self::Bytes(bytes) => Some(*bytes),
            Self::Text { chars, .. } => chars.checked_mul(4),
            Self::Object => None,
            Self::Other { bytes, .. } => *bytes,
        }
    }

    /// True if the highest byte of its numbers comes first.
    #[must_use]
    pub const fn is_big_endian(&self) -> bool {
        matches!(self, Self::Number { is_big_endian: true, .. } | Self::Text { is_big_endian: true, .. })
    }
}

impl fmt::Display for Dtype {
    /// In Python's spelling: a text in quotes, or a list.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = |is_big: bool| if is_big { '>' } else { '<' };
        match self {
            Self::Number { kind, bytes, is_big_endian } => {
                let letter = NumberKind::LETTERS.iter().find(|row| row.1 == *kind).map_or('V', |row| row.0);
                let order = if *bytes == 1 { '|' } else { order(*is_big_endian) };
                write!(f, "'{order}{letter}{bytes}'")
            }
            Self::Text { chars, is_big_endian } => write!(f, "'{}U{chars}'", order(*is_big_endian)),
            Self::Bytes(bytes) => write!(f, "'|S{bytes}'"),
            Self::Object => f.write_str("'|O'"),
            Self::Other { descr, .. } => f.write_str(descr),
        }
    }
}

/// A shape in Python's spelling: `()`, `(5,)`, `(2, 3)`.
#[must_use]
pub(super) fn shown(shape: &[usize]) -> String {
    let list: Vec<String> = shape.iter().map(usize::to_string).collect();
    match &list[..] {
        [one] => format!("({one},)"),
        _ => format!("({})", list.join(", ")),
    }
}

impl Array {
    /// Numbers of 32 bits.
    #[must_use]
    pub fn f32s(shape: &[usize], values: impl IntoIterator<Item = f32>) -> Self {
        Self::new(Dtype::F32, shape.to_vec(), values.into_iter().flat_map(f32::to_le_bytes).collect())
    }

    /// Numbers of 64 bits.
    #[must_use]
    pub fn f64s(shape: &[usize], values: impl IntoIterator<Item = f64>) -> Self {
        Self::new(Dtype::F64, shape.to_vec(), values.into_iter().flat_map(f64::to_le_bytes).collect())
    }

    /// Whole numbers of 64 bits.
    #[must_use]
    pub fn i64s(shape: &[usize], values: impl IntoIterator<Item = i64>) -> Self {
        Self::new(Dtype::I64, shape.to_vec(), values.into_iter().flat_map(i64::to_le_bytes).collect())
    }

    /// Texts as UTF-32, each filled up with zeros to the longest.
    #[must_use]
    pub fn texts<T: AsRef<str>>(shape: &[usize], list: &[T]) -> Self {
        let chars = list.iter().map(|text| text.as_ref().chars().count()).max().unwrap_or(0).max(1);
        let padded = |text: &T| {
            let codes = text.as_ref().chars().map(u32::from).chain(std::iter::repeat(0)).take(chars);
            codes.flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
        };
        let data = list.iter().flat_map(padded).collect();
        Self::new(Dtype::Text { chars, is_big_endian: false }, shape.to_vec(), data)
    }

    /// Number of its elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// True if the array has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Position in memory of an element counted with the last index running fastest.
    pub(super) fn place_of(&self, element: usize) -> usize {
        if !self.fortran_order {
            return element;
        }
        // Where the first index runs fastest, its step is 1, and that of each other one the product of the lengths before.
        let (mut left, mut position) = (element, 0);
        let mut step: usize = self.shape.iter().product();
        for length in self.shape.iter().rev() {
            step /= (*length).max(1);
            position += left % (*length).max(1) * step;
            left /= (*length).max(1);
        }
        position
    }

    /// Its elements in the order of its indices, with the last index running fastest, as doubles; `None` for
    /// elements other than numbers. Whole numbers beyond 2⁵³ are rounded.
    #[must_use]
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let Dtype::Number { kind, bytes, is_big_endian } = self.dtype else { return None };
        let element = |position: usize| {
            let start = position * bytes;
            let mut native = [0; 8];
            let stored = self.data.get(start..start + bytes)?;
            for (to, from) in native.iter_mut().zip(stored) {
                *to = *from;
            }
            if is_big_endian && let Some(used) = native.get_mut(..bytes) {
                used.reverse();
            }
            Some(number(kind, bytes, u64::from_le_bytes(native)))
        };
        (0..self.len()).map(|at| element(self.place_of(at))).collect()
    }

    /// Its elements as texts; `None` for elements other than texts.
    #[must_use]
    pub fn strings(&self) -> Option<Vec<String>> {
        let size = self.dtype.element_bytes()?;
        let text = |stored: &[u8]| match self.dtype {
            Dtype::Text { is_big_endian, .. } => {
                let codes = stored.as_chunks::<4>().0.iter().map(|code| {
                    if is_big_endian { u32::from_be_bytes(*code) } else { u32::from_le_bytes(*code) }
                });
                let chars = codes.map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                Some(chars.collect::<String>().trim_end_matches('\0').to_owned())
            }
            Dtype::Bytes(_) => Some(String::from_utf8_lossy(stored).trim_end_matches('\0').to_owned()),
            _ => None,
        };
        let stored = |position: usize| self.data.get(position * size..(position + 1) * size);
        (0..self.len()).map(|at| text(stored(self.place_of(at))?)).collect()
    }
}

/// The number represented by some bits.
fn number(kind: NumberKind, bytes: usize, bits: u64) -> f64 {
    match (kind, bytes) {
        (NumberKind::Float, 2) => half(bits as u16),
        (NumberKind::Float, 4) => f64::from(f32::from_bits(bits as u32)),
        (NumberKind::Float, _) => f64::from_bits(bits),
        (NumberKind::Int, _) => {
            // The highest bit of the number is the sign.
            let unused = 64 - 8 * bytes as u32;
            (bits.wrapping_shl(unused) as i64).wrapping_shr(unused) as f64
        }
        (NumberKind::Uint, _) => bits as f64,
        (NumberKind::Bool, _) => f64::from(u8::from(bits != 0)),
    }
}

/// A number of 16 bits: a sign, five bits of exponent with a bias of 15, ten of the fraction (IEEE 754, binary16).
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    match i32::from(bits >> 10 & 0x1f) {
        0 => sign * fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        exponent => sign * (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds_are_the_numbers() {
        let of = |descr: &str, data: &[u8]| {
            let dtype = Dtype::from_descr(descr, true);
            assert_eq!(dtype.to_string(), format!("'{descr}'"));
            let count = data.len() / dtype.element_bytes().unwrap();
            Array::new(dtype, vec![count], data.to_vec()).numbers().unwrap()
        };
        assert_eq!(of("<f8", &1.5f64.to_le_bytes()), [1.5]);
        assert_eq!(of(">f4", &(-2.5f32).to_be_bytes()), [-2.5]);
        assert_eq!(
            of("<f2", &[0x00, 0x3c, 0x01, 0x00, 0x00, 0xfc]),
            [1.0, 2f64.powi(-24), f64::NEG_INFINITY]
        );
        assert_eq!(of(">i2", &[0xff, 0xfe]), [-2.0]);
        assert_eq!(of("|i1", &[0x80, 0x7f]), [-128.0, 127.0]);
        assert_eq!(of("|u1", &[0x80]), [128.0]);
        assert_eq!(of("<u8", &u64::MAX.to_le_bytes()), [18_446_744_073_709_551_615.0]);
        assert_eq!(of("<i8", &(-3i64).to_le_bytes()), [-3.0]);
        assert_eq!(of("|b1", &[0, 1]), [0.0, 1.0]);
    }

    #[test]
    fn what_numpy_spells_otherwise_is_kept_as_it_is() {
        for descr in ["<f3", "=f4", "|f4", "<f04", "<c8", "<M8[ns]", "|V12", "<f16", "x", ""] {
            let dtype = Dtype::from_descr(descr, true);
            assert!(matches!(dtype, Dtype::Other { .. }), "{descr}");
            assert_eq!(dtype.to_string(), format!("'{descr}'"));
        }
        assert_eq!(Dtype::from_descr("<M8[ns]", true).element_bytes(), Some(8));
        assert_eq!(Dtype::from_descr("[('a', '<f4')]", false).element_bytes(), None);
    }

    #[test]
    fn the_first_index_may_run_fastest() {
        let mut array = Array::f64s(&[2, 3], [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        array.fortran_order = true;
        assert_eq!(array.numbers().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let three = (0..24).map(f64::from);
        let mut array = Array::f64s(&[2, 3, 4], three);
        array.fortran_order = true;
        assert_eq!(array.numbers().unwrap()[..5], [0.0, 6.0, 12.0, 18.0, 2.0]);
    }

    #[test]
    fn texts_end_at_their_zeros() {
        let array = Array::texts(&[2], &["male", "ひじ"]);
        assert_eq!(array.dtype, Dtype::Text { chars: 4, is_big_endian: false });
        assert_eq!(array.strings().unwrap(), ["male", "ひじ"]);
        let bytes = Array::new(Dtype::Bytes(4), vec![], b"ab\0\0".to_vec());
        assert_eq!(bytes.strings().unwrap(), ["ab"]);
        assert_eq!(Array::f32s(&[1], [1.0]).strings(), None);
    }
}
