//! Files on their way in: a browser hands over a file after reading it.

use crate::files::document::Document;
use crate::files::incoming::{Failure, Incoming};
use std::cell::RefCell;
use std::rc::Rc;

/// Delivered files, not opened yet.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Rc<RefCell<Vec<Delivery>>>);

/// Files delivered together.
#[derive(Debug, Default)]
pub(crate) struct Delivery {
    pub(crate) files: Vec<Incoming>,
    /// Files already opened.
    pub(crate) documents: Vec<Document>,
    /// Name of the figure that takes the motion.
    pub(crate) figure: Option<String>,
    /// Files that could not be read.
    pub(crate) failures: Vec<Failure>,
}

impl Delivery {
    /// Adds a file, or the reason why its bytes are missing.
    #[cfg(any(target_arch = "wasm32", test))]
    pub(crate) fn add(&mut self, name: String, bytes: Result<Vec<u8>, String>) {
        match bytes {
            Ok(bytes) => self.files.push(Incoming { name, bytes }),
            Err(why) => self.failures.push(Failure { name, why }),
        }
    }
}

impl Inbox {
    pub(crate) fn put(&self, delivery: Delivery) {
        self.0.borrow_mut().push(delivery);
    }

    pub(crate) fn take(&self) -> Vec<Delivery> {
        self.0.take()
    }
}
