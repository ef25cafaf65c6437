//! Names as stored in files, and notes carried by a clip so that a file comes back unchanged.

use super::info::ID;
use dopesheet_core::model::EulerOrder;
use dopesheet_core::order::map;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Replacement for a blank in a name, and for an empty name.
const FILLER: char = '_';

/// Suffix for the name of an unnamed end site, behind the name of its joint.
const END: &str = "_end";

/// A name as stored in the file: many programs read word by word, so the name has no blanks.
pub(super) fn stored_name(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !c.is_ascii_whitespace() && !c.is_control() && !matches!(c, '{' | '}');
    match name {
        "" => Cow::Owned(FILLER.to_string()),
        _ if name.chars().all(is_plain) => Cow::Borrowed(name),
        _ => Cow::Owned(name.chars().map(|c| if is_plain(c) { c } else { FILLER }).collect()),
    }
}

/// Name of the node of an end site without a name.
pub(super) fn end_name(joint: &str) -> String {
    format!("{joint}{END}")
}

/// The rotation orders of joints, by the joints' names.
pub(super) type Orders = BTreeMap<String, EulerOrder>;

/// The order of most files, used for joints without a stated order.
pub(super) const USUAL_ORDER: EulerOrder = EulerOrder::Zxy;

/// All orders by the axes in the order of their channels.
const ORDERS: [(&str, EulerOrder, [usize; 3]); 6] = [
    ("XYZ", EulerOrder::Xyz, [0, 1, 2]),
    ("XZY", EulerOrder::Xzy, [0, 2, 1]),
    ("YXZ", EulerOrder::Yxz, [1, 0, 2]),
    ("YZX", EulerOrder::Yzx, [1, 2, 0]),
    ("ZXY", EulerOrder::Zxy, [2, 0, 1]),
    ("ZYX", EulerOrder::Zyx, [2, 1, 0]),
];

/// The axes in the order of the channels.
pub(super) fn axes(order: EulerOrder) -> [usize; 3] {
    ORDERS.iter().find(|row| row.1 == order).map_or([2, 0, 1], |row| row.2)
}

/// The order that starts with some axes; the remaining axes follow. `None` if an axis occurs twice.
pub(super) fn order(axes: &[usize]) -> Option<EulerOrder> {
    ORDERS.iter().find(|row| row.2.starts_with(axes)).map(|row| row.1)
}

/// The notes of a clip.
pub(super) fn notes(orders: &Orders) -> Value {
    let word = |order: EulerOrder| ORDERS.iter().find(|row| row.1 == order).map_or("", |row| row.0);
    let orders: Map<String, Value> =
        orders.iter().map(|(name, order)| (name.clone(), Value::from(word(*order)))).collect();
    json!({ "format": ID, "orders": orders })
}

/// Orders stated in the notes of a clip; the notes of other formats state none.
pub(super) fn orders(source: Option<&Value>) -> Orders {
    let stated = source.filter(|notes| notes["format"] == ID).and_then(|notes| notes["orders"].as_object());
    let order_of = |word: &Value| ORDERS.iter().find(|row| word == row.0).map(|row| row.1);
    let pairs = stated.into_iter().flatten();
    map(pairs.filter_map(|(name, word)| Some((name.clone(), order_of(word)?))))
}
