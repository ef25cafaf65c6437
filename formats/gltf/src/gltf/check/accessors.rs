//! The numbers in accessors and the file's statements about them.

use super::accessor::{self, Extent};
use super::{Findings, code};
use crate::gltf::json::parts::{Accessor, Component, Index};
use crate::meshopt::Filter;
use dopesheet_core::diag::Report;
use dopesheet_core::words::counted;

pub(super) fn check(findings: &mut Findings<'_>, report: &mut Report) {
    let document = findings.document;
    let compressed = document.parts.compressed_accessors();
    for (a, accessor) in document.parts.accessors.iter().enumerate() {
        layout(findings, a, accessor);
        let Ok(index) = Index::try_from(a) else { return };
        if !accessor::is_readable(&findings.views, accessor)
            || is_stored_elsewhere(accessor, compressed.contains(&index))
        {
            continue;
        }
        match accessor::extent(&findings.views, index) {
            Ok(extent) if is_filtered(findings, accessor) && extent.not_finite.is_none() => {}
            Ok(extent) => bounds(findings, a, accessor, &extent),
            // A sparse accessor whose indices are wrong; the rest of the file may still be sound.
            Err(fault) if !report.findings.iter().any(|finding| finding.fault.code == fault.code) => {
                report.error(*fault)
            }
            Err(_) => {}
        }
    }
}

/// True of an accessor whose numbers cannot be read from its views. Without a view the numbers are zeros that
/// extensions may override (glTF 2.0, section 3.6.2.3), so the stated bounds may belong to other numbers; the
/// Khronos validator does not look at them either. Beneath replaced elements, only decompressing can give
/// numbers other than zero.
const fn is_stored_elsewhere(accessor: &Accessor, is_compressed: bool) -> bool {
    accessor.view.is_none() && (accessor.sparse.is_none() || is_compressed)
}

/// True if the numbers come from a filter: bounds need not be exact then (KHR_meshopt_compression, section "Compression
/// modes and filters").
fn is_filtered(findings: &Findings<'_>, accessor: &Accessor) -> bool {
    let view = accessor.view.and_then(|view| findings.document.parts.buffer_views.get(view as usize));
    let compression = view.and_then(|view| view.compressed.as_ref());
    compression.is_some_and(|compression| compression.layout.filter != Filter::None)
}

fn layout(findings: &mut Findings<'_>, a: usize, accessor: &Accessor) {
    let size = accessor.component.size();
    let text =
        |end: &str, expected: String, actual: String| (format!("/accessors/{a}{end}"), expected, actual);
    if accessor.normalized && matches!(accessor.component, Component::U32 | Component::F32) {
        let actual = accessor.component.name().to_owned();
        let expected = "8 or 16-bit integers".to_owned();
        findings.add(code::ACCESSOR_NORMALIZED_INVALID, || text("/normalized", expected, actual));
    }
    let expected = || format!("a multiple of {size}");
    if !accessor.byte_offset.is_multiple_of(size) {
        let actual = accessor.byte_offset.to_string();
        findings.add(code::ACCESSOR_OFFSET_ALIGNMENT, || text("/byteOffset", expected(), actual));
    }
    let views = &findings.document.parts.buffer_views;
    if let Some(view) = accessor.view.and_then(|view| views.get(view as usize)) {
        let total = view.byte_offset.saturating_add(accessor.byte_offset);
        if !total.is_multiple_of(size) {
            findings.add(code::ACCESSOR_TOTAL_OFFSET_ALIGNMENT, || text("", expected(), total.to_string()));
        }
    }
}

fn bounds(findings: &mut Findings<'_>, a: usize, accessor: &Accessor, extent: &Extent) {
    if let Some((element, value)) = extent.not_finite {
        let text = || (format!("/accessors/{a}"), "finite numbers".into(), format!("{value} at {element}"));
        findings.add(code::ACCESSOR_INVALID_FLOAT, text);
        return;
    }
    let width = accessor.shape.components();
    let round = |value: f64| match accessor.component {
        Component::F32 => f64::from(accessor::narrow(value)),
        _ => value,
    };
    for (code, name, declared, actual) in [
        (code::ACCESSOR_MIN_MISMATCH, "min", &accessor.min, &extent.min),
        (code::ACCESSOR_MAX_MISMATCH, "max", &accessor.max, &extent.max),
    ] {
        if declared.is_empty() {
            continue;
        }
        if declared.len() != width {
            let actual = declared.len().to_string();
            let text = || (format!("/accessors/{a}/{name}"), counted(width, "number"), actual);
            findings.add(code::ARRAY_LENGTH_NOT_IN_LIST, text);
            continue;
        }
        let pairs = declared.iter().zip(actual).enumerate();
        for (c, (declared, actual)) in pairs.filter(|(_, (declared, actual))| round(**declared) != **actual) {
            let text = || (format!("/accessors/{a}/{name}/{c}"), actual.to_string(), declared.to_string());
            findings.add(code, text);
        }
    }
}
