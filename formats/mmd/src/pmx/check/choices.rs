//! Bytes that select a kind.

use super::spot::fault_at;
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::{Document, Morph, MorphOffsets, Toon};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[choices];

/// A document, and its bytes above the highest defined values so far.
struct ChoiceCheck<'a> {
    document: &'a Document,
    seen: Sightings,
}

impl ChoiceCheck<'_> {
    /// Takes note of a byte above the highest defined value of its field.
    fn at(&mut self, lists: &[(&'static str, usize)], field: &'static str, byte: u8, highest: u8) {
        if byte > highest {
            let what = || (format!("0 to {highest}"), byte.to_string());
            self.seen.add(|| fault_at(self.document, lists, field, what()));
        }
    }
}

/// The sphere mode of materials without sphere in files of some writers.
const NO_SPHERE: u8 = 255;

fn choices(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let mut look = ChoiceCheck { document, seen: Sightings::of(codes::CHOICE) };
    for (index, material) in document.materials.iter().enumerate() {
        let mode = material.sphere_mode;
        look.at(&[("materials", index)], "sphere mode", if mode == NO_SPHERE { 0 } else { mode }, 3);
        if let Toon::Shared(number) = material.toon {
            look.at(&[("materials", index)], "toon", number, 9);
        }
    }
    for (index, morph) in document.morphs.iter().enumerate() {
        look_at_morph(&mut look, index, morph);
    }
    for (index, frame) in document.display_frames.iter().enumerate() {
        look.at(&[("display frames", index)], "special", frame.special, 1);
    }
    for (index, body) in document.rigid_bodies.iter().enumerate() {
        let at = [("rigid bodies", index)];
        look.at(&at, "group", body.group, 15);
        look.at(&at, "shape", body.shape, 2);
        look.at(&at, "mode", body.mode, 2);
    }
    for (index, joint) in document.joints.iter().enumerate() {
        look.at(&[("joints", index)], "type", joint.kind, 5);
    }
    for (index, body) in document.soft_bodies.iter().flatten().enumerate() {
        let at = [("soft bodies", index)];
        look.at(&at, "shape", body.shape, 1);
        look.at(&at, "group", body.group, 15);
    }
    look.seen.report(report);
}

fn look_at_morph(look: &mut ChoiceCheck<'_>, index: usize, morph: &Morph) {
    look.at(&[("morphs", index)], "panel", morph.panel, 4);
    if let MorphOffsets::Material(offsets) = &morph.offsets {
        for (number, offset) in offsets.iter().enumerate() {
            look.at(&[("morphs", index), ("offsets", number)], "operation", offset.operation, 1);
        }
    }
    if let MorphOffsets::Impulse(offsets) = &morph.offsets {
        for (number, offset) in offsets.iter().enumerate() {
            look.at(&[("morphs", index), ("offsets", number)], "local", offset.local, 1);
        }
    }
}
