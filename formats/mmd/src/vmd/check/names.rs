//! Names: each name is examined at its first place.

use super::faults::{byte, fault_in, fault_in_list};
use super::{CheckFn, Subject};
use crate::text::{Decoded, Name};
use crate::vmd::codes;
use crate::vmd::document::{Document, ModelName, Section};
use crate::vmd::layout::{SIGNATURE, bone, model, morph};
use crate::vmd::tracks::Tracks;
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::Sightings;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const CHECKS: &[CheckFn] = &[name_encoding, name_cut, name_nul, name_empty, name_alike];

/// A name with its first place.
pub(super) struct Named {
    spot: Spot,
    decoded: Decoded,
    bytes: Vec<u8>,
    starts_with_nul: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    Model,
    Key(Section, usize),
    /// Key, and entry of its list.
    List(usize, usize),
}

impl Spot {
    /// The section within which names are compared.
    const fn section(self) -> Option<Section> {
        match self {
            Self::Model => None,
            Self::Key(section, _) => Some(section),
            Self::List(..) => Some(Section::Models),
        }
    }
}

impl Named {
    fn new<const N: usize>(spot: Spot, name: &Name<N>) -> Self {
        let starts_with_nul = name.starts_with_nul();
        Self { spot, decoded: name.decode(), bytes: name.key().to_vec(), starts_with_nul }
    }

    fn fault(&self, document: &Document, expected: &'static str, found: String) -> Fault {
        let what = (expected, found);
        match self.spot {
            Spot::Model => Fault::new("", byte(SIGNATURE), what.0, what.1).at_path("model name"),
            Spot::Key(Section::Morphs, index) => {
                fault_in(document, Section::Morphs, index, morph::NAME, what)
            }
            Spot::Key(section, index) => fault_in(document, section, index, bone::NAME, what),
            Spot::List(index, entry) => fault_in_list(document, index, entry, model::BONE, what),
        }
    }
}

/// All different names.
pub(super) fn collect(document: &Document, bones: &Tracks, morphs: &Tracks) -> Vec<Named> {
    let mut names = vec![match &document.model {
        ModelName::Short(name) => Named::new(Spot::Model, name),
        ModelName::Long(name) => Named::new(Spot::Model, name),
    }];
    for (section, tracks) in [(Section::Bones, bones), (Section::Morphs, morphs)] {
        names.extend(tracks.iter().map(|(name, keys)| {
            let first = keys.iter().min().copied().unwrap_or_default();
            Named::new(Spot::Key(section, first as usize), name)
        }));
    }
    let mut seen = BTreeSet::new();
    for (index, key) in document.models.iter().enumerate() {
        for (entry, switch) in key.ik.iter().enumerate() {
            if seen.insert(switch.bone().cleared()) {
                names.push(Named::new(Spot::List(index, entry), &switch.bone()));
            }
        }
    }
    names
}

fn name_encoding(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NAME_ENCODING);
    for name in subject.names.iter().filter(|name| name.decoded.has_unknown_bytes) {
        let actual = || format!("{:02X?}, read as {:?}", name.bytes, name.decoded.text);
        sightings.add(|| name.fault(subject.document, "text in CP932", actual()));
    }
    sightings.report(report);
}

fn name_cut(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NAME_CUT);
    for name in subject.names.iter().filter(|name| name.decoded.is_cut) {
        sightings.add(|| {
            name.fault(
                subject.document,
                "whole characters",
                format!("{:?} and half a character", name.decoded.text),
            )
        });
    }
    sightings.report(report);
}

fn name_nul(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NAME_NUL);
    for name in subject.names.iter().filter(|name| name.starts_with_nul) {
        sightings
            .add(|| name.fault(subject.document, "text", format!("a NUL before {:?}", name.decoded.text)));
    }
    sightings.report(report);
}

fn name_empty(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NAME_EMPTY);
    for name in subject.names.iter().filter(|name| name.spot != Spot::Model && name.bytes.is_empty()) {
        sightings.add(|| name.fault(subject.document, "a name", "an empty field".to_owned()));
    }
    sightings.report(report);
}

fn name_alike(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::NAME_ALIKE);
    let mut seen = BTreeMap::new();
    for name in &subject.names {
        let bytes = &name.bytes;
        if let Some(earlier) = seen.insert((name.spot.section(), &name.decoded.text), bytes) {
            let actual = || format!("{:?} as {earlier:02X?} and as {bytes:02X?}", name.decoded.text);
            sightings.add(|| name.fault(subject.document, "one spelling for each name", actual()));
        }
    }
    sightings.report(report);
}
