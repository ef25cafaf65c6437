//! Reading, checking and playing any bytes.

use crate::{readings, scene};
use dopesheet::core::diag::Report;
use dopesheet::core::format::container::ContainerLimits;
use dopesheet::core::format::{Containers, ToScene};
use dopesheet::{Opened, registry};

/// Few, because archives that share their bytes multiply.
const ARCHIVES: ContainerLimits =
    ContainerLimits { max_entries: 1 << 10, max_depth: 4, max_path_bytes: 1 << 20 };

/// Reads the input in every way, and asks each document everything that can be asked: never a panic, never more time
/// or memory than the input deserves.
pub fn read(data: &[u8]) {
    // Its answer does not matter here, because all formats are tried.
    let _ = dopesheet::open::detect("input", data);
    for (opened, _) in readings(data) {
        look_at(&opened);
    }
    for lenient in [false, true] {
        list(data, lenient);
    }
}

fn look_at(opened: &Opened) {
    let report = dopesheet::check(opened);
    for finding in &report.findings {
        let is_listed = opened.format().info().checks.iter().any(|check| check.code == finding.fault.code);
        assert!(is_listed, "{} does not list the code {}", opened.format().info().id, finding.fault.code);
    }
    let _ = dopesheet::info(opened);
    for as_stored in [false, true] {
        let options = ToScene { as_stored, ..ToScene::default() };
        if let Ok(scene) = opened.format().to_scene(&opened.document, &options, &mut Report::default()) {
            scene::assert_shape(&scene);
        }
    }
    for axes in [dopesheet::sample::Axes::Native, dopesheet::sample::Axes::Gltf] {
        scene::play(opened, axes);
    }
}

/// Lists an archive and those inside it, and reads what each entry holds.
fn list(data: &[u8], lenient: bool) {
    let containers = Containers { lenient, limits: ARCHIVES, ..Containers::new(registry::containers()) };
    // A damaged archive is an error here, which is fine; what was listed before it counts.
    let _ = containers.walk(&data, &mut |walked| {
        let _ = walked.listing.safe_components(walked.entry);
        let start = usize::try_from(walked.range.start).unwrap_or(usize::MAX);
        let end = usize::try_from(walked.range.end).unwrap_or(usize::MAX);
        assert!(data.get(start..end).is_some(), "{}: outside of the archive", walked.path());
        Ok(())
    });
}
