//! Writes the table of CP932 used by `src/cp932.rs`, made from the table of `encoding_rs`.
//!
//! A program that only plays motions would otherwise carry the tables of all encodings of East Asia, which
//! `encoding_rs` does not offer separately: a twentieth of the bytes that a page loads.

use encoding_rs::SHIFT_JIS;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let leads = (0x81..=0x9f_u8).chain(0xe0..=0xfc);
    let pairs = leads.flat_map(|lead| (0x40..=0x7e_u8).chain(0x80..=0xfc).map(move |trail| [lead, trail]));
    let table: Vec<u16> = pairs.map(|pair| character(&pair)).collect();
    let out = std::env::var_os("OUT_DIR").ok_or("expected OUT_DIR, which cargo sets")?;
    Ok(std::fs::write(Path::new(&out).join("cp932.in"), format!("{table:?}"))?)
}

/// The character of two bytes; 0 for pairs without a character and for the private area, which needs no
/// table.
fn character(pair: &[u8]) -> u16 {
    let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(pair);
    let character = text.and_then(|text| text.chars().next()).unwrap_or('\0');
    let is_private = ('\u{e000}'..='\u{f8ff}').contains(&character);
    if is_private { 0 } else { u16::try_from(u32::from(character)).unwrap_or(0) }
}
