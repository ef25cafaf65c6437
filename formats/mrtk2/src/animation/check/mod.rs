//! All faults and remarkable facts of a document.

mod faults;
mod file;
mod keys;
mod markers;

use super::document::{AnyCurve, Document, Keyframe};
use super::names::CurveName;
use dopesheet_core::diag::Report;
use dopesheet_core::format::SightingsByCode;

/// A document, the places of its curves, and its findings so far.
struct DocumentCheck<'a> {
    document: &'a Document,
    curves: Vec<Placed<'a>>,
    seen: SightingsByCode,
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

impl<'a> DocumentCheck<'a> {
    fn of(document: &'a Document) -> Self {
        let mut start = document.body_start();
        let curves = document.curves().map(|(name, curve)| {
            let placed = Placed { name, curve, start };
            start += curve.size();
            placed
        });
        Self { document, curves: curves.collect(), seen: SightingsByCode::default() }
    }
}

/// Reports, also of a file that is only played, wrap modes that other readers may play differently.
pub(super) fn wrap_mode_once(document: &Document, report: &mut Report) {
    let mut look = DocumentCheck::of(document);
    keys::wrap_mode_once(&mut look);
    look.seen.report(report);
}

pub(super) fn check(document: &Document, report: &mut Report) {
    let mut look = DocumentCheck::of(document);
    file::check(&mut look);
    keys::check(&mut look);
    // Times of keys and of markers that are not finite are two findings with one code.
    std::mem::take(&mut look.seen).report(report);
    markers::check(&mut look);
    look.seen.report(report);
}
