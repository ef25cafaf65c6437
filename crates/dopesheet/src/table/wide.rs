//! A row per frame.

use super::columns::Column;
use super::{ClipTable, Precision};
use arrow_array::{ArrayRef, FixedSizeListArray};
use arrow_schema::{ArrowError, DataType, Field};
use serde_json::json;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The type of list items, numbers of the requested precision. No item is ever null, but the extension type
/// `arrow.fixed_shape_tensor` prescribes nullable items.
fn item(precision: Precision) -> Arc<Field> {
    Arc::new(Field::new("item", precision.data_type(), true))
}

fn length(column: &Column) -> i32 {
    i32::try_from(column.numbers()).unwrap_or(i32::MAX)
}

/// A column in Arrow's terms: lists of equal length, with the shape of each (`arrow.fixed_shape_tensor`) and
/// a description of its contents.
pub(super) fn field(column: &Column, precision: Precision) -> Field {
    let (targets, width) = (column.cells.len(), column.width);
    let shape =
        if column.is_scalar { json!({ "shape": [targets] }) } else { json!({ "shape": [targets, width] }) };
    let names: Vec<_> = column.cells.iter().map(|cell| &cell.target).collect();
    let indices: Vec<_> = column.cells.iter().map(|cell| cell.index).collect();
    let metadata = HashMap::from([
        ("ARROW:extension:name".to_owned(), "arrow.fixed_shape_tensor".to_owned()),
        ("ARROW:extension:metadata".to_owned(), shape.to_string()),
        ("dopesheet.targets".to_owned(), json!(names).to_string()),
        ("dopesheet.indices".to_owned(), json!(indices).to_string()),
    ]);
    let list = DataType::FixedSizeList(item(precision), length(column));
    Field::new(&column.name, list, false).with_metadata(metadata)
}

/// The columns of some frames.
pub(super) fn arrays(table: &ClipTable, frames: Range<usize>) -> Result<Vec<ArrayRef>, ArrowError> {
    let mut arrays = table.places(frames.clone(), 1);
    for column in &table.columns {
        let numbers = frames.clone().flat_map(|row| column.row(&table.sampled, row));
        let numbers = table.precision.array(numbers, frames.len() * column.numbers());
        let list = FixedSizeListArray::try_new(item(table.precision), length(column), numbers, None)?;
        arrays.push(Arc::new(list));
    }
    Ok(arrays)
}
