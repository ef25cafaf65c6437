//! Many files: in parallel, in order, one bad file never stopping the others.

use crate::args::BatchArgs;
use crate::{Outcome, console};
use dopesheet::Error;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::io::IsTerminal;

/// Files worked on before their results are printed; bounds what waits for its turn.
const CHUNK: usize = 64;

/// Runs `work` on every item, several at a time, and `show` on every result, in order.
///
/// `show` tells whether the item went well. At the end of more than one item it is said how many of each there were.
pub(crate) fn run<T: Sync, R: Send>(
    items: &[T],
    args: &BatchArgs,
    work: impl Fn(&T) -> R + Sync,
    mut show: impl FnMut(&T, R) -> Result<Outcome, Error>,
) -> Result<Outcome, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build();
    let pool = pool.map_err(|e| Error::Usage(format!("-j {}: {e}", args.jobs)))?;
    let bar = bar(items.len(), args);
    let mut worst = Outcome::Done;
    let (mut done, mut failed) = (0usize, 0usize);
    for chunk in items.chunks(if args.fail_fast { pool.current_num_threads() } else { CHUNK }) {
        let results: Vec<R> = pool.install(|| {
            let counted = chunk.par_iter().map(|item| {
                let result = work(item);
                bar.inc(1);
                result
            });
            counted.collect()
        });
        for (item, result) in chunk.iter().zip(results) {
            let outcome = bar.suspend(|| show(item, result))?;
            worst = worst.max(outcome);
            *(if outcome == Outcome::Done { &mut done } else { &mut failed }) += 1;
            if args.fail_fast && outcome != Outcome::Done {
                bar.finish_and_clear();
                return Ok(worst);
            }
        }
    }
    bar.finish_and_clear();
    if items.len() > 1 && !args.quiet {
        console::say(&format!("{done} done, {failed} failed"));
    }
    Ok(worst)
}

fn bar(length: usize, args: &BatchArgs) -> ProgressBar {
    if length < 2 || args.quiet || args.no_progress || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {per_sec} {eta} left");
    ProgressBar::new(length as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
