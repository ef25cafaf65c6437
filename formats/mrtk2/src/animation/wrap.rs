//! Meanings of stored wrap modes.
//!
//! Unity's `WrapMode` is a plain enumeration; the documentation of the file format describes a combination of
//! bits. For a curve 0 (default), 1 (once) and 8 (clamp forever) are the same.

use super::document::Wrap;
use dopesheet_core::model::Outside;

/// Takes a clip back to its start, and holds the ends of a curve.
pub(super) const ONCE: i32 = 1;
const LOOP: i32 = 2;
const PING_PONG: i32 = 4;
const KNOWN_BITS: i32 = 15;

/// True if a stored mode belongs to Unity's enumeration.
pub(super) const fn is_plain(mode: i32) -> bool {
    matches!(mode, 0 | 1 | 2 | 4 | 8)
}

/// True if a stored mode is negative or has bits without a meaning.
pub(super) const fn is_unknown(mode: i32) -> bool {
    mode & !KNOWN_BITS != 0
}

/// True if a stored mode combines several modes.
pub(super) const fn is_combined(mode: i32) -> bool {
    !is_unknown(mode) && mode.count_ones() > 1
}

/// Behaviour of a curve for a stored mode.
pub(super) fn outside(mode: i32) -> Outside {
    match mode {
        _ if is_unknown(mode) => Outside::Hold,
        _ if mode & PING_PONG != 0 => Outside::PingPong,
        _ if mode & LOOP != 0 => Outside::Loop,
        _ => Outside::Hold,
    }
}

/// The mode for a behaviour of a curve outside its keys.
pub(super) const fn mode(outside: &Outside) -> i32 {
    match outside {
        Outside::Loop => LOOP,
        Outside::PingPong => PING_PONG,
        Outside::Hold | Outside::Ramp { .. } => Wrap::CLAMP.before,
    }
}
