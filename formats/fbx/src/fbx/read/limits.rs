//! Limits of reading a file.

use ufbx::{Allocator, AllocatorOpts, LoadOpts};

/// Largest depth of nested nodes. Rigs of figures are some fifty deep.
pub(super) const NODE_DEPTH: u32 = 512;

/// Memory allowed for any file, in bytes.
const BASE: usize = 128 << 20;

/// Memory per byte of the file. Lists are compressed to a few hundredths at best, unless they are all alike.
const PER_BYTE: usize = 96;

/// Memory limit in bytes of the reader for a file of some length, once for the loaded file and once for temporary
/// data.
pub(super) fn memory(length: usize) -> usize {
    length.saturating_mul(PER_BYTE).saturating_add(BASE).min(isize::MAX.unsigned_abs())
}

/// Memory limit in bytes for meshes beside a loaded file: both stay within twice the limit of the file.
pub(super) fn beside(file: &ufbx::Scene, length: usize) -> usize {
    memory(length).saturating_mul(2).saturating_sub(file.metadata.result_memory_used) / 2
}

/// Options for reading a file of some length, within the limits.
pub(super) fn options<'a>(length: usize) -> LoadOpts<'a> {
    // From Rust's allocator, also in browsers. Without memory left, reading ends with an error.
    let allocator = || AllocatorOpts {
        allocator: Allocator::Global,
        memory_limit: memory(length),
        ..AllocatorOpts::default()
    };
    LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        file_format: ufbx::FileFormat::Fbx,
        load_external_files: false,
        node_depth_limit: NODE_DEPTH,
        ..LoadOpts::default()
    }
}
