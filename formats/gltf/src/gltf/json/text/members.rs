//! Members of objects, left out if they equal the default.

use super::super::parts::Index;
use dopesheet_core::bytes::json::JsonWriter;

/// The member `extensions` with one extension.
pub(super) fn extension(w: &mut JsonWriter, name: &str, members: impl FnOnce(&mut JsonWriter)) {
    w.name("extensions").object(|w| _ = w.name(name).object(members));
}

/// An array of objects, if there are any.
pub(super) fn list<T>(
    w: &mut JsonWriter,
    name: &str,
    items: &mut [T],
    mut members: impl FnMut(&mut JsonWriter, usize, &mut T),
) {
    if items.is_empty() {
        return;
    }
    w.name(name).array(|w| {
        for (number, item) in items.iter_mut().enumerate() {
            w.object(|w| members(w, number, item));
        }
    });
}

pub(super) fn texts(w: &mut JsonWriter, name: &str, texts: &[String]) {
    if !texts.is_empty() {
        w.name(name).array(|w| {
            for text in texts {
                w.string(text);
            }
        });
    }
}

pub(super) fn indices(w: &mut JsonWriter, name: &str, indices: &[Index]) {
    if !indices.is_empty() {
        w.name(name).array(|w| {
            for index in indices {
                w.integer(*index as usize);
            }
        });
    }
}

pub(super) fn numbers<'a>(
    w: &mut JsonWriter,
    name: &str,
    numbers: Option<impl IntoIterator<Item = &'a f64>>,
) {
    if let Some(numbers) = numbers {
        w.name(name).numbers(numbers.into_iter().copied());
    }
}

pub(super) fn text(w: &mut JsonWriter, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        w.name(name).string(text);
    }
}

pub(super) fn index(w: &mut JsonWriter, name: &str, index: Option<Index>) {
    if let Some(index) = index {
        w.name(name).integer(index as usize);
    }
}

pub(super) fn whole(w: &mut JsonWriter, name: &str, number: u64) {
    w.name(name).raw(&number.to_string());
}

pub(super) fn number(w: &mut JsonWriter, name: &str, number: Option<f64>) {
    if let Some(number) = number {
        w.name(name).number(number);
    }
}
