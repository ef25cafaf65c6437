//! Bytes that select a kind.

use super::DocumentCheck;
use crate::pmx::codes;
use crate::pmx::document::{MorphOffsets, Toon};

/// The sphere mode of materials without sphere in files of some writers.
const NO_SPHERE: u8 = 255;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    // A byte above the highest defined value of its field.
    let mut choice = |lists: &[(&'static str, usize)], field, byte: u8, highest: u8| {
        if byte > highest {
            look.say(codes::CHOICE, lists, field, || (format!("0 to {highest}"), byte.to_string()));
        }
    };
    for (at, material) in document.materials.iter().enumerate() {
        let mode = material.sphere_mode;
        choice(&[("materials", at)], "sphere mode", if mode == NO_SPHERE { 0 } else { mode }, 3);
        if let Toon::Shared(number) = material.toon {
            choice(&[("materials", at)], "toon", number, 9);
        }
    }
    for (at, morph) in document.morphs.iter().enumerate() {
        choice(&[("morphs", at)], "panel", morph.panel, 4);
        let bytes: (_, Vec<u8>) = match &morph.offsets {
            MorphOffsets::Material(offsets) => ("operation", offsets.iter().map(|o| o.operation).collect()),
            MorphOffsets::Impulse(offsets) => ("local", offsets.iter().map(|o| o.local).collect()),
            _ => continue,
        };
        for (number, byte) in bytes.1.into_iter().enumerate() {
            choice(&[("morphs", at), ("offsets", number)], bytes.0, byte, 1);
        }
    }
    for (at, frame) in document.display_frames.iter().enumerate() {
        choice(&[("display frames", at)], "special", frame.special, 1);
    }
    for (at, body) in document.rigid_bodies.iter().enumerate() {
        let lists = [("rigid bodies", at)];
        choice(&lists, "group", body.group, 15);
        choice(&lists, "shape", body.shape, 2);
        choice(&lists, "mode", body.mode, 2);
    }
    for (at, joint) in document.joints.iter().enumerate() {
        choice(&[("joints", at)], "type", joint.kind, 5);
    }
    for (at, body) in document.soft_bodies.iter().flatten().enumerate() {
        choice(&[("soft bodies", at)], "shape", body.shape, 1);
        choice(&[("soft bodies", at)], "group", body.group, 15);
    }
}
