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

/// The order that starts with some axes; the remaining axes follow. `None` if an axis occurs twice.
pub(super) fn order(axes: &[usize]) -> Option<EulerOrder> {
    EulerOrder::ALL
        .into_iter()
        .filter(|order| order.axes().starts_with(axes))
        .min_by_key(|order| order.axes())
}

/// The notes of a clip.
pub(super) fn notes(orders: &Orders) -> Value {
    let orders: Map<String, Value> =
        orders.iter().map(|(name, order)| (name.clone(), Value::from(order.word()))).collect();
    json!({ "format": ID, "orders": orders })
}

/// Orders stated in the notes of a clip; the notes of other formats state none.
pub(super) fn orders(source: Option<&Value>) -> Orders {
    let stated = source.filter(|notes| notes["format"] == ID).and_then(|notes| notes["orders"].as_object());
    let order_of = |word: &Value| EulerOrder::ALL.into_iter().find(|order| word == order.word());
    let pairs = stated.into_iter().flatten();
    map(pairs.filter_map(|(name, word)| Some((name.clone(), order_of(word)?))))
}
