//! Samples as one JSON object.

use dopesheet::sample::{Sampled, sample_each};
use dopesheet::{Error, Opened, SampleOptions};
use std::io::{self, Write};

/// Writes the object of [`Sampled::to_json`], track by track.
pub(crate) fn write<W: Write>(opened: &Opened, options: &SampleOptions<'_>, mut out: W) -> Result<W, Error> {
    let failed = |source: io::Error| Error::Io { path: "JSON".into(), source };
    let mut is_first = true;
    sample_each(opened, options, &mut |times, track| {
        let head = || Sampled { times_s: times.to_vec(), ..Sampled::nothing(opened, options) };
        let before = match is_first {
            // The tracks are its last member.
            true => head().to_json().to_string().trim_end_matches("]}").to_owned(),
            false => ",".to_owned(),
        };
        is_first = false;
        write!(out, "{before}{}", track.to_json()).map_err(failed)
    })?;
    match is_first {
        true => writeln!(out, "{}", dopesheet::sample(opened, options)?.to_json()),
        false => writeln!(out, "]}}"),
    }
    .map_err(failed)?;
    Ok(out)
}
