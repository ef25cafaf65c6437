//! All faults and remarkable facts of a document: one function per code.

mod faults;
mod file;
mod keys;
mod markers;

use super::document::{AnyCurve, Document, Keyframe};
use super::names::CurveName;
use dopesheet_core::diag::Report;

/// A document, and the places of its curves.
struct Subject<'a> {
    document: &'a Document,
    curves: Vec<Placed<'a>>,
}

/// A curve and its start in the file.
struct Placed<'a> {
    name: CurveName,
    curve: AnyCurve<'a>,
    start: usize,
}

impl Placed<'_> {
    /// All keys in full form; the keys of a switch without tangents.
    fn keys(&self) -> Vec<Keyframe> {
        match self.curve {
            AnyCurve::Number(curve) => curve.keys.iter().collect(),
            AnyCurve::Switch(curve) => curve.keys.iter().copied().map(Keyframe::from).collect(),
        }
    }
}

impl<'a> Subject<'a> {
    fn of(document: &'a Document) -> Self {
        let mut start = document.body_start();
        let curves = document.curves().map(|(name, curve)| {
            let placed = Placed { name, curve, start };
            start += curve.size();
            placed
        });
        Self { document, curves: curves.collect() }
    }
}

/// Reports, also of a file that is only played, wrap modes that other readers may play differently.
pub(super) fn wrap_mode_once(document: &Document, report: &mut Report) {
    keys::wrap_mode_once(&Subject::of(document), report);
}

pub(super) fn check(document: &Document, report: &mut Report) {
    let subject = Subject::of(document);
    for check in [file::CHECKS, keys::CHECKS, markers::CHECKS].into_iter().flatten() {
        check(&subject, report);
    }
}

/// A function for a single code.
type CheckFn = fn(&Subject<'_>, &mut Report);
