//! The numbers in accessors (glTF 2.0, section 3.6.2).

use super::views::Views;
use crate::checks::code;
use crate::gltf::json::parts::{Accessor, Component, Index, Shape, Sparse};
use dopesheet_core::bytes::Read;

/// Layout of the numbers of one element.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Bytes of an element.
    pub(crate) element_bytes: u64,
    /// Numbers in a column.
    rows: usize,
    /// Bytes from one column to the next; columns of matrices start at multiples of 4.
    column_bytes: u64,
}

impl Layout {
    pub(crate) fn of(accessor: &Accessor) -> Self {
        let (columns, rows) = accessor.shape.columns();
        let packed = accessor.component.size().saturating_mul(rows as u64);
        let is_matrix = matches!(accessor.shape, Shape::Mat2 | Shape::Mat3 | Shape::Mat4);
        let column_bytes = if is_matrix { packed.next_multiple_of(4) } else { packed };
        Self { element_bytes: column_bytes.saturating_mul(columns as u64), rows, column_bytes }
    }

    /// The end of the accessor's last element in its view; `None` beyond 2^64.
    pub(crate) fn end(self, accessor: &Accessor, stride: Option<u64>) -> Option<u64> {
        let before_last = accessor.count.checked_sub(1)?;
        let last = before_last.checked_mul(stride.unwrap_or(self.element_bytes))?;
        checked_end(accessor.byte_offset, last.checked_add(self.element_bytes)?)
    }
}

/// `offset + length`, unless it passes 2^64.
pub(crate) fn checked_end(offset: u64, length: u64) -> Option<u64> {
    offset.checked_add(length)
}

/// All numbers of an accessor as f32, integers decoded as the accessor says (section 3.6.2.2): element by element,
/// matrices column by column.
pub(crate) fn floats(views: &Views<'_>, index: Index) -> Read<Vec<f32>> {
    let accessor = accessor(views, index)?;
    if let (Component::F32, Some(view), None) = (accessor.component, accessor.view, &accessor.sparse) {
        let (bytes, stride) = view_bytes(views, index, view)?;
        if stride.is_none_or(|stride| stride == Layout::of(accessor).element_bytes) {
            return Ok(packed(accessor, bytes));
        }
    }
    let decode = decoder(accessor);
    numbers(views, index, accessor, |value| narrow(decode(value)))
}

/// The numbers of an accessor of floats without gaps, the form of nearly all accessors.
fn packed(accessor: &Accessor, bytes: &[u8]) -> Vec<f32> {
    let start = usize::try_from(accessor.byte_offset).unwrap_or(usize::MAX);
    let count = usize::try_from(accessor.count).unwrap_or(usize::MAX);
    let (stored, _) = bytes.get(start..).unwrap_or_default().as_chunks::<4>();
    let numbers = count.saturating_mul(accessor.shape.components());
    stored.iter().take(numbers).map(|number| f32::from_le_bytes(*number)).collect()
}

/// All numbers of an accessor as stored, the numbers described by `min` and `max`.
pub(crate) fn stored(views: &Views<'_>, index: Index) -> Read<Vec<f64>> {
    numbers(views, index, accessor(views, index)?, |value| value)
}

/// All numbers of an accessor of non-negative whole numbers, such as indices.
pub(crate) fn whole(views: &Views<'_>, index: Index) -> Read<Vec<u32>> {
    numbers(views, index, accessor(views, index)?, unsigned)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the nearest index is meant")]
const fn unsigned(value: f64) -> u32 {
    value as u32
}

/// Range of the numbers of an accessor, as they are stored.
pub(crate) struct Extent {
    /// Smallest number of each component.
    pub(crate) min: Vec<f64>,
    /// Largest number of each component.
    pub(crate) max: Vec<f64>,
    /// The first number that is not finite, with its element.
    pub(crate) not_finite: Option<(usize, f64)>,
}

/// The extent of an accessor. Elements that exist only as implied zeros are not allocated.
pub(crate) fn extent(views: &Views<'_>, index: Index) -> Read<Extent> {
    let accessor = accessor(views, index)?;
    let width = accessor.shape.components();
    let replaced = accessor.sparse.as_ref().map_or(0, |sparse| sparse.count);
    let values = match (&accessor.sparse, accessor.view) {
        (None, None) => vec![0.0; width],
        // All stored values, and one zero element for those that are not.
        (Some(sparse), None) => {
            let zeros = if replaced < accessor.count { width } else { 0 };
            let mut values = sparse_values(views, index, accessor, sparse)?;
            values.resize(values.len().saturating_add(zeros), 0.0);
            values
        }
        _ => stored(views, index)?,
    };
    let mut extent =
        Extent { min: vec![f64::INFINITY; width], max: vec![f64::NEG_INFINITY; width], not_finite: None };
    for (number, element) in values.chunks_exact(width).enumerate() {
        for ((value, min), max) in element.iter().zip(&mut extent.min).zip(&mut extent.max) {
            if !value.is_finite() {
                extent.not_finite.get_or_insert((number, *value));
            }
            // 0 for -0, of which each machine takes another one for the smaller.
            *min = min.min(*value + 0.0);
            *max = max.max(*value + 0.0);
        }
    }
    Ok(extent)
}

/// The replaced elements, after their places were checked.
fn sparse_values(views: &Views<'_>, index: Index, accessor: &Accessor, sparse: &Sparse) -> Read<Vec<f64>> {
    let mut values = Vec::new();
    replacements(views, index, accessor, sparse, &|value| value, |_, element| values.extend(element))?;
    Ok(values)
}

/// True if the bytes of an accessor are there.
pub(crate) fn is_readable(views: &Views<'_>, accessor: &Accessor) -> bool {
    let sparse = accessor.sparse.as_ref().map(|sparse| [sparse.index_view, sparse.value_view]);
    sparse.into_iter().flatten().chain(accessor.view).all(|view| views.are_there(view))
}

fn accessor<'a>(views: &Views<'a>, index: Index) -> Read<&'a Accessor> {
    views.document.parts.accessors.get(index as usize).ok_or_else(|| {
        Box::new(views.document.fault(
            &format!("/accessors/{index}"),
            code::UNRESOLVED_REFERENCE,
            "an accessor",
            "none",
        ))
    })
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
pub(crate) const fn narrow(value: f64) -> f32 {
    value as f32
}

/// Stored number → number meant.
fn decoder(accessor: &Accessor) -> fn(f64) -> f64 {
    match accessor.component {
        Component::I8 if accessor.normalized => |c| (c / 127.0).max(-1.0),
        Component::U8 if accessor.normalized => |c| c / 255.0,
        Component::I16 if accessor.normalized => |c| (c / 32767.0).max(-1.0),
        Component::U16 if accessor.normalized => |c| c / 65535.0,
        _ => |c| c,
    }
}

fn numbers<T: Copy + Default>(
    views: &Views<'_>,
    index: Index,
    accessor: &Accessor,
    convert: impl Fn(f64) -> T,
) -> Read<Vec<T>> {
    let width = accessor.shape.components();
    let mut all = match accessor.view {
        Some(view) => {
            let (bytes, stride) = view_bytes(views, index, view)?;
            let count = usize::try_from(accessor.count).unwrap_or(usize::MAX);
            elements(accessor, bytes, accessor.byte_offset, stride, count, &convert)
        }
        None => {
            let count = usize::try_from(accessor.count).unwrap_or(usize::MAX);
            vec![convert(0.0); count.saturating_mul(width)]
        }
    };
    if let Some(sparse) = &accessor.sparse {
        replace(views, index, accessor, sparse, &mut all, &convert)?;
    }
    Ok(all)
}

fn view_bytes<'a>(views: &'a Views<'_>, accessor: Index, view: Index) -> Read<(&'a [u8], Option<u64>)> {
    views.bytes(view, || format!("/accessors/{accessor}/bufferView"))
}

/// `count` elements; elements beyond the end of the bytes, which resolving has excluded, are left out.
fn elements<T>(
    accessor: &Accessor,
    bytes: &[u8],
    offset: u64,
    stride: Option<u64>,
    count: usize,
    convert: &impl Fn(f64) -> T,
) -> Vec<T> {
    let layout = Layout::of(accessor);
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let element_bytes = usize::try_from(layout.element_bytes).unwrap_or(usize::MAX);
    let stride = stride.map_or(element_bytes, |stride| usize::try_from(stride).unwrap_or(usize::MAX));
    let column_bytes = usize::try_from(layout.column_bytes).unwrap_or(usize::MAX).max(1);
    let component_bytes = usize::try_from(accessor.component.size()).unwrap_or(1);
    let column = layout.rows.saturating_mul(component_bytes);
    let read = reader(accessor.component);
    let mut all = Vec::with_capacity(count.saturating_mul(accessor.shape.components()));
    let mut rest = bytes.get(offset..).unwrap_or_default();
    for _ in 0..count {
        let element = rest.get(..element_bytes).unwrap_or_default();
        for numbers in element.chunks(column_bytes).filter_map(|bytes| bytes.get(..column)) {
            all.extend(numbers.chunks_exact(component_bytes).map(|number| convert(read(number))));
        }
        rest = rest.get(stride..).unwrap_or_default();
    }
    all
}

/// One stored number of the component's size.
fn reader(component: Component) -> fn(&[u8]) -> f64 {
    fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.first_chunk().copied().unwrap_or([0; N])
    }
    match component {
        Component::I8 => |b| f64::from(i8::from_le_bytes(first(b))),
        Component::U8 => |b| f64::from(u8::from_le_bytes(first(b))),
        Component::I16 => |b| f64::from(i16::from_le_bytes(first(b))),
        Component::U16 => |b| f64::from(u16::from_le_bytes(first(b))),
        Component::U32 => |b| f64::from(u32::from_le_bytes(first(b))),
        Component::F32 => |b| f64::from(f32::from_le_bytes(first(b))),
    }
}

fn replace<T: Copy>(
    views: &Views<'_>,
    index: Index,
    accessor: &Accessor,
    sparse: &Sparse,
    all: &mut [T],
    convert: &impl Fn(f64) -> T,
) -> Read<()> {
    let width = accessor.shape.components();
    replacements(views, index, accessor, sparse, convert, |position, element| {
        let start = usize::try_from(position).unwrap_or(usize::MAX).saturating_mul(width);
        if let Some(slot) = all.get_mut(start..start.saturating_add(width)) {
            slot.copy_from_slice(element);
        }
    })
}

/// Each replaced element with its place; places are below the accessor's count and increase.
fn replacements<T>(
    views: &Views<'_>,
    index: Index,
    accessor: &Accessor,
    sparse: &Sparse,
    convert: &impl Fn(f64) -> T,
    mut each: impl FnMut(u64, &[T]),
) -> Read<()> {
    let count = usize::try_from(sparse.count).unwrap_or(usize::MAX);
    let (bytes, _) = view_bytes(views, index, sparse.index_view)?;
    let places = places(sparse, bytes, count);
    let (bytes, _) = view_bytes(views, index, sparse.value_view)?;
    let values = elements(accessor, bytes, sparse.value_offset, None, count, convert);
    let mut last = None;
    for (n, (position, element)) in
        places.iter().zip(values.chunks_exact(accessor.shape.components())).enumerate()
    {
        let fault = |code, expected: String| {
            let pointer = format!("/accessors/{index}/sparse/indices");
            Box::new(views.document.fault(&pointer, code, expected, format!("{position} as index {n}")))
        };
        if *position >= accessor.count {
            let expected = format!("indices below {}", accessor.count);
            return Err(fault(code::ACCESSOR_SPARSE_INDEX_OOB, expected));
        }
        if last.is_some_and(|last| last >= *position) {
            return Err(fault(code::ACCESSOR_SPARSE_INDICES_NON_INCREASING, "increasing indices".into()));
        }
        last = Some(*position);
        each(*position, element);
    }
    Ok(())
}

fn places(sparse: &Sparse, bytes: &[u8], count: usize) -> Vec<u64> {
    let size = usize::try_from(sparse.index_component.size()).unwrap_or(1);
    let start = usize::try_from(sparse.index_offset).unwrap_or(usize::MAX);
    let stored = bytes.get(start..).unwrap_or_default().chunks_exact(size).take(count);
    stored.map(|bytes| bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte))).collect()
}
