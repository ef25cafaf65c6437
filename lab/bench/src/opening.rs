//! Opening a file from Rust, whenever another program asks: so that the Python package is measured beside it, in turn.

use std::hint::black_box;
use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::time::Instant;

/// Answers each line of standard input with the seconds that it took to open a file (`open`), or to open it and take
/// out its keys (`keys`).
pub(crate) fn serve(path: &Path) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let takes_keys = line? == "keys";
        let start = Instant::now();
        let opened = dopesheet::open(path, None, &dopesheet::ReadOptions::default())
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let keys = if takes_keys { keys(&opened) } else { 0 };
        black_box((&opened, keys));
        writeln!(out, "{}", start.elapsed().as_secs_f64())?;
        out.flush()?;
    }
    Ok(())
}

fn keys(opened: &dopesheet::Opened) -> usize {
    let options = dopesheet_core::format::ToScene { as_stored: true, ..Default::default() };
    let mut report = dopesheet::Report::default();
    let scene = opened.format().to_scene(&opened.document, &options, &mut report);
    let scene = scene.unwrap_or_else(|e| panic!("{e}"));
    let channels = scene.clips.iter().flat_map(|clip| &clip.tracks).flat_map(|track| &track.channels);
    channels.flat_map(|channel| channel.composition.curves()).map(|curve| curve.values.len()).sum()
}
