//! Names: each name is examined at its first place.

use super::DocumentCheck;
use super::faults::{byte, fault_in, fault_in_list};
use crate::text::{Decoded, Name};
use crate::vmd::codes;
use crate::vmd::document::{Document, ModelName, Section};
use crate::vmd::layout::{SIGNATURE, bone, model, morph};
use crate::vmd::tracks::Tracks;
use dopesheet_core::diag::Fault;
use std::collections::{BTreeMap, BTreeSet};

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

/// The findings about names.
pub(super) fn check(look: &mut DocumentCheck<'_>, names: &[Named]) {
    let document = look.document;
    for name in names.iter().filter(|name| name.decoded.has_unknown_bytes) {
        let actual = || format!("{:02X?}, read as {:?}", name.bytes, name.decoded.text);
        look.seen.add(codes::NAME_ENCODING, || name.fault(document, "text in CP932", actual()));
    }
    for name in names.iter().filter(|name| name.decoded.is_cut) {
        let actual = || format!("{:?} and half a character", name.decoded.text);
        look.seen.add(codes::NAME_CUT, || name.fault(document, "whole characters", actual()));
    }
    for name in names.iter().filter(|name| name.starts_with_nul) {
        let actual = || format!("a NUL before {:?}", name.decoded.text);
        look.seen.add(codes::NAME_NUL, || name.fault(document, "text", actual()));
    }
    for name in names.iter().filter(|name| name.spot != Spot::Model && name.bytes.is_empty()) {
        look.seen.add(codes::NAME_EMPTY, || name.fault(document, "a name", "an empty field".to_owned()));
    }
    let mut seen = BTreeMap::new();
    for name in names {
        let bytes = &name.bytes;
        if let Some(earlier) = seen.insert((name.spot.section(), &name.decoded.text), bytes) {
            let actual = || format!("{:?} as {earlier:02X?} and as {bytes:02X?}", name.decoded.text);
            look.seen.add(codes::NAME_ALIKE, || name.fault(document, "one spelling for each name", actual()));
        }
    }
}
