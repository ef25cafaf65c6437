//! Sampled values as arrays of NumPy. The names, shapes and types of the arrays are listed in
//! docs/conventions.md.

use super::sample::{Sampled, SampledColumn};
use crate::error::Error;
use dopesheet_core::format::{Format, WriteOptions};
use dopesheet_numpy::Npz;
use dopesheet_numpy::npz::{Array, Document};

impl Sampled {
    /// The values as an archive of arrays (`.npz`) in double precision, stored uncompressed for mapping into
    /// memory.
    ///
    /// # Errors
    /// [`Error::Write`] if a name is longer than an archive can hold.
    pub fn to_npz(&self) -> Result<Vec<u8>, Error> {
        Ok(Npz::write(&Document::of_arrays(arrays(self)), &WriteOptions::default())?.main)
    }
}

fn arrays(sampled: &Sampled) -> Vec<(String, Array)> {
    let times = sampled.times_s.len();
    let mut all = vec![("times_s".to_owned(), Array::f64s(&[times], sampled.times_s.iter().copied()))];
    let mut labels: [Vec<String>; 4] = Default::default();
    let mut indices = Vec::new();
    for SampledColumn { name, track, channel } in sampled.columns() {
        let shape = [times, channel.width];
        let shape = if channel.is_scalar { &shape[..1] } else { &shape };
        all.push((name.clone(), Array::f64s(shape, channel.values.iter().copied())));
        let texts = [&name, &track.target, &channel.name, track.kind.word()];
        labels.iter_mut().zip(texts).for_each(|(list, text)| list.push(text.to_owned()));
        indices.push(track.index as i64);
    }
    for (name, list) in ["names", "targets", "channels", "kinds"].into_iter().zip(&labels) {
        all.push((name.to_owned(), Array::texts(&[list.len()], list)));
    }
    all.push(("indices".to_owned(), Array::i64s(&[indices.len()], indices)));
    all
}
