//! Limits on what reading a file may take.

use ufbx::{Allocator, AllocatorOpts};

/// Largest depth of nodes within one another. Rigs of figures are some fifty deep.
pub(super) const NODE_DEPTH: u32 = 512;

/// Memory that any file may take.
const BASE: usize = 128 << 20;

/// Memory per byte of the file. Lists are compressed to a few hundredths at best, unless they are all alike.
const PER_BYTE: usize = 96;

/// Memory in bytes that the reader may take for a file of some length; the limit holds once for what it keeps
/// and once for what it needs only on its way.
pub(super) fn memory(length: usize) -> usize {
    length.saturating_mul(PER_BYTE).saturating_add(BASE).min(isize::MAX.unsigned_abs())
}

/// Memory in bytes that each of two others may take beside a loaded file, so that all three stay within twice its limit.
pub(super) fn beside(file: &ufbx::Scene, length: usize) -> usize {
    memory(length).saturating_mul(2).saturating_sub(file.metadata.result_memory_used) / 2
}

/// Memory up to a limit, from Rust's allocator, which browsers have as well. If none is left, the reader is told so, and nothing ends.
pub(super) fn allocator(limit: usize) -> AllocatorOpts {
    AllocatorOpts { allocator: Allocator::Global, memory_limit: limit, ..AllocatorOpts::default() }
}
