//! Samples as a JSON object.

use dopesheet::sample::{Sampled, sample_each};
use dopesheet::{Error, Opened, SampleOptions};
use std::io::{self, Write};

/// Writes the object of [`Sampled::to_json`], track by track.
pub(crate) fn write<W: Write>(opened: &Opened, options: &SampleOptions<'_>, mut out: W) -> Result<W, Error> {
    let failed = |source: io::Error| Error::Io { path: "JSON".into(), source };
    // The tracks are the last member.
    let before_tracks = |head: &Sampled| head.to_json().to_string().trim_end_matches("]}").to_owned();
    let mut is_first = true;
    let head = sample_each(opened, options, &mut |head, track| {
        let before = if is_first { before_tracks(head) } else { ",".to_owned() };
        is_first = false;
        write!(out, "{before}{}", track.to_json()).map_err(failed)
    })?;
    let before = if is_first { before_tracks(&head) } else { String::new() };
    writeln!(out, "{before}]}}").map_err(failed)?;
    Ok(out)
}
