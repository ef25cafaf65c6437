//! Arrays for NumPy: a ZIP archive of `.npy` files, as `numpy.load` reads it.
//! Which arrays there are stands in docs/conventions.md.
//!
//! Source: `numpy.lib.format`, version 1.0.

use dopesheet::{Error, Sampled};
use std::collections::HashSet;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A header and what precedes it fill a multiple of this, so that the numbers can be mapped into memory.
const ALIGNMENT: usize = 64;
/// Magic, version and length of the header.
const PREAMBLE: usize = 10;

pub(crate) fn bytes(sampled: &Sampled) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Io { path: "NPZ".into(), source };
    archive(sampled).map_err(failed)
}

fn archive(sampled: &Sampled) -> std::io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut put = |name: &str, bytes: Vec<u8>| {
        // What is stored as it is can be mapped, and is read faster than anything deflated.
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let options = stored.large_file(u32::try_from(bytes.len()).is_err());
        zip.start_file(format!("{name}.npy"), options)?;
        zip.write_all(&bytes)
    };
    let times = sampled.times_s.len();
    put("times_s", numbers(&[times], &sampled.times_s))?;
    let mut taken = HashSet::new();
    let mut labels: [Vec<String>; 4] = Default::default();
    let mut indices = Vec::new();
    for track in &sampled.tracks {
        for channel in &track.channels {
            let name = unique(&track.target, &channel.name, &mut taken);
            let flat = [times];
            let wide = [times, channel.width];
            put(&name, numbers(if channel.is_scalar { &flat } else { &wide }, &channel.values))?;
            let texts = [&name, &track.target, &channel.name, track.kind.word()];
            labels.iter_mut().zip(texts).for_each(|(list, text)| list.push(text.to_owned()));
            indices.push(track.index as i64);
        }
    }
    for (name, list) in ["names", "targets", "channels", "kinds"].into_iter().zip(&labels) {
        put(name, texts(list))?;
    }
    put("indices", npy("<i8", &[indices.len()], indices.iter().flat_map(|i| i.to_le_bytes())))?;
    Ok(zip.finish()?.into_inner())
}

/// `TARGET/CHANNEL`, or with `#2`, `#3` … behind the target the first that is not taken; it is then.
fn unique(target: &str, channel: &str, taken: &mut HashSet<String>) -> String {
    let named = |number: usize| match number {
        1 => format!("{target}/{channel}"),
        n => format!("{target}#{n}/{channel}"),
    };
    let free = (1..).map(named).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

fn numbers(shape: &[usize], values: &[f64]) -> Vec<u8> {
    npy("<f8", shape, values.iter().flat_map(|v| v.to_le_bytes()))
}

/// Texts as UTF-32, each filled up with zeros to the longest.
fn texts(list: &[String]) -> Vec<u8> {
    let width = list.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let padded = |text: &String| {
        let codes: Vec<u32> = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width).collect();
        codes.into_iter().flat_map(u32::to_le_bytes)
    };
    npy(&format!("<U{width}"), &[list.len()], list.iter().flat_map(padded))
}

/// One `.npy` file.
fn npy(dtype: &str, shape: &[usize], data: impl Iterator<Item = u8>) -> Vec<u8> {
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let mut header =
        format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    let length = (PREAMBLE + header.len() + 1).next_multiple_of(ALIGNMENT) - PREAMBLE;
    header.extend(std::iter::repeat_n(' ', length - header.len() - 1));
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    // Two dimensions and a type never need more than two lines of 64 bytes.
    out.extend((length as u16).to_le_bytes());
    out.extend(header.into_bytes());
    out.extend(data);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_starts_with_what_numpy_expects() {
        let bytes = numbers(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(bytes.len() % 8, 0);
        assert_eq!((&bytes[..8], bytes.len()), (&b"\x93NUMPY\x01\x00"[..], 128 + 48));
        let header = std::str::from_utf8(&bytes[10..128]).unwrap();
        assert!(
            header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3,), }"),
            "{header}"
        );
        assert!(header.ends_with(" \n"));
        assert_eq!(bytes[128 + 8..128 + 16], 1.0_f64.to_le_bytes());
    }

    #[test]
    fn equal_names_are_told_apart() {
        let mut taken = HashSet::new();
        let names = [("a", "x"), ("a", "x"), ("a", "y"), ("a#2", "x"), ("a", "x")]
            .map(|(target, channel)| unique(target, channel, &mut taken));
        assert_eq!(names, ["a/x", "a#2/x", "a/y", "a#2#2/x", "a#3/x"]);
    }
}
