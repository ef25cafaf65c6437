//! Files on their way in: a browser hands them over when it has read them.

use crate::document::Document;
use crate::incoming::{Failure, Incoming};
use std::cell::RefCell;
use std::rc::Rc;

/// Files that came and have not been opened yet.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Rc<RefCell<Vec<Delivery>>>);

/// Files that came together.
#[derive(Debug, Default)]
pub(crate) struct Delivery {
    pub(crate) files: Vec<Incoming>,
    /// Files that were opened already.
    pub(crate) documents: Vec<Document>,
    /// The name of the one that takes the motion.
    pub(crate) figure: Option<String>,
    /// Files that could not even be read.
    pub(crate) failures: Vec<Failure>,
}

impl Delivery {
    /// Adds a file, or why there is none.
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
