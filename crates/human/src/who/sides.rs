//! Sides of a figure, as names have them.

use super::names::folded;

/// Both, as [`folded`] names have them.
pub(crate) const SIDES: [&str; 2] = ["left", "right"];

/// The side meant by a letter, in either case.
pub(crate) fn side(letter: &str) -> Option<&'static str> {
    match letter {
        "l" | "L" => Some(SIDES[0]),
        "r" | "R" => Some(SIDES[1]),
        _ => None,
    }
}

/// The side meant by a letter in a name, or by its sign in Japanese.
pub(crate) fn side_word(name: &str) -> Option<&'static str> {
    let parts = name.split([':', '|', '_', '-', '.', ' ']);
    let sign = || match (name.contains('左'), name.contains('右')) {
        (true, false) => Some(SIDES[0]),
        (false, true) => Some(SIDES[1]),
        _ => None,
    };
    parts.filter_map(side).next().or_else(sign)
}

/// The side in a name, if there is exactly one.
pub(crate) fn side_of(name: &str) -> Option<&'static str> {
    let name = folded(name);
    let mut named = SIDES.into_iter().filter(|side| name.contains(side));
    named.next().filter(|_| named.next().is_none())
}
