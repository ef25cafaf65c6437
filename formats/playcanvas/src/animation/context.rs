//! The state of reading: the content read so far, and the position of the reader.

use super::codes;
use super::document::Animation;
use super::spans::{Record, Seen};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;
use dopesheet_core::diag::{Fault, Place};

/// Number of faults after which a lenient reader gives up. Each fault costs counting lines from the start of
/// the text.
const MOST_DROPPED: usize = 100;

/// The state of a reader.
#[derive(Debug, Default)]
pub(super) struct Context<R> {
    pub(super) animation: Animation,
    pub(super) record: R,
    /// Faults of the parts left out by a lenient reader.
    pub(super) dropped: Vec<Fault>,
    pub(super) lenient: bool,
    /// Node and key being read, as counted in the text.
    pub(super) node: usize,
    pub(super) key: usize,
    /// How many keys the last node had.
    pub(super) keys_before: usize,
}

impl<R: Record> Context<R> {
    pub(super) fn new(lenient: bool) -> Self {
        Self { lenient, ..Self::default() }
    }

    /// Runs `read` and reports the span of the value to the record.
    #[inline]
    pub(super) fn see<T>(
        &mut self,
        cursor: &mut JsonCursor<'_>,
        what: Seen,
        read: impl FnOnce(&mut JsonCursor<'_>, &mut Self) -> Read<T>,
    ) -> Read<T> {
        if !R::ACTIVE {
            return read(cursor, self);
        }
        cursor.peek()?;
        let start = cursor.position();
        let value = read(cursor, self);
        self.record.see(what, start..cursor.position(), 0);
        value
    }

    /// Runs `read`. A lenient reader skips an unsound value, and remembers the fault.
    #[inline]
    pub(super) fn keep<T: Default>(
        &mut self,
        cursor: &mut JsonCursor<'_>,
        level: Level<'_>,
        read: impl FnOnce(&mut JsonCursor<'_>, &mut Self) -> Read<T>,
    ) -> Read<T> {
        if self.lenient { self.keep_leniently(cursor, level, read) } else { read(cursor, self) }
    }

    #[cold]
    fn keep_leniently<T: Default>(
        &mut self,
        cursor: &mut JsonCursor<'_>,
        level: Level<'_>,
        read: impl FnOnce(&mut JsonCursor<'_>, &mut Self) -> Read<T>,
    ) -> Read<T> {
        let start = cursor.clone();
        match read(cursor, self) {
            Err(fault) if fault.code != codes::SYNTAX.code => {
                *cursor = start;
                cursor.skip()?;
                self.drop_fault(*fault, level);
                if self.dropped.len() < MOST_DROPPED {
                    return Ok(T::default());
                }
                let expected = format!("fewer than {MOST_DROPPED} invalid values");
                let actual = "more; what follows was left out";
                Err(cursor.fault_at(cursor.position(), codes::SYNTAX.code, expected, actual))
            }
            other => other,
        }
    }

    #[cold]
    fn drop_fault(&mut self, mut fault: Fault, level: Level<'_>) {
        if let Place::Text { pointer, .. } = &mut fault.place {
            let node = format!("/animation/nodes/{}", self.node);
            let outer = match level {
                Level::Animation(member) => format!("/animation/{member}"),
                Level::Node => node,
                Level::Member(member) => format!("{node}/{member}"),
                Level::Default(member, component) => format!("{node}/{member}/{component}"),
                Level::Key => format!("{node}/keys/{}", self.key),
                Level::Component(member) => format!("{node}/keys/{}/{member}", self.key),
            };
            pointer.insert_str(0, &outer);
        }
        self.dropped.push(fault);
    }
}

/// Path of a value, as seen from [`Context::node`] and [`Context::key`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Level<'m> {
    Animation(&'m str),
    Node,
    Member(&'m str),
    Default(&'m str, &'m str),
    Key,
    Component(&'m str),
}
