//! Work on all cores of the current `rayon` pool. A web page has one core, where part follows part.

#[cfg(not(target_family = "wasm"))]
use rayon::prelude::*;

/// Number of cores.
#[must_use]
pub fn count() -> usize {
    #[cfg(not(target_family = "wasm"))]
    return rayon::current_num_threads();
    #[cfg(target_family = "wasm")]
    return 1;
}

/// Results of work on parts, in the order of the parts.
pub fn map<T: Send, R: Send>(parts: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(not(target_family = "wasm"))]
    return parts.into_par_iter().map(work).collect();
    #[cfg(target_family = "wasm")]
    return parts.into_iter().map(work).collect();
}

/// The joined results of work on parts, two neighbours at a time; `nothing` without parts.
pub fn reduce<T: Send, R: Send>(
    parts: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
    nothing: impl Fn() -> R + Sync + Send,
    join: impl Fn(R, R) -> R + Sync + Send,
) -> R {
    #[cfg(not(target_family = "wasm"))]
    return parts.into_par_iter().map(work).reduce(nothing, join);
    #[cfg(target_family = "wasm")]
    return parts.into_iter().map(work).fold(nothing(), join);
}
