//! Files on their way in: a browser hands them over when it has read them.

use crate::bench::{Failure, Incoming};
use std::sync::{Arc, Mutex, PoisonError};

/// What has come since somebody looked.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<Vec<Delivery>>>);

/// Files that came together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delivery {
    pub(crate) files: Vec<Incoming>,
    /// What files may need besides, by the names that they have for it.
    pub(crate) parts: Vec<(String, Vec<u8>)>,
    /// Files that could not even be read.
    pub(crate) failures: Vec<Failure>,
}

impl Delivery {
    /// Adds a file, or why there is none.
    pub(crate) fn add(&mut self, name: String, bytes: Result<Vec<u8>, String>) {
        match bytes {
            Ok(bytes) => self.files.push(Incoming { name, bytes }),
            Err(why) => self.failures.push(Failure { name, why }),
        }
    }
}

impl Inbox {
    pub(crate) fn put(&self, delivery: Delivery) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(delivery);
    }

    pub(crate) fn take(&self) -> Vec<Delivery> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
