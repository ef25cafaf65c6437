//! Many files: in parallel, shown in order, with no bad file stopping the others.

use crate::args::BatchArgs;
use crate::console;
use crate::outcome::Outcome;
use dopesheet::Error;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// Most results that may wait for an earlier result; bounds the results held in memory. A file that takes a
/// thousand times as long as the others still keeps no core idle.
const WINDOW: usize = 1024;

/// Counts of items that succeeded and failed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) done: usize,
    pub(crate) failed: usize,
}

/// Runs `work` on every item, several at a time, and `show` on every result, in order.
///
/// `show` yields the outcome of the item. After more than one item, a message tells the numbers of successes
/// and failures.
pub(crate) fn run<T: Sync, R: Send>(
    items: &[T],
    args: &BatchArgs,
    work: impl Fn(&T) -> R + Sync,
    show: impl FnMut(&T, R) -> Result<Outcome, Error>,
) -> Result<Outcome, Error> {
    let (outcome, counts) = run_counting(items, args, work, show)?;
    if items.len() > 1 && !args.quiet {
        console::say(&format!("{} done, {} failed", counts.done, counts.failed));
    }
    Ok(outcome)
}

/// As [`run`], without a message at the end.
///
/// An error from `show` ends the run: items in progress are finished, and no others are started.
pub(crate) fn run_counting<T: Sync, R: Send>(
    items: &[T],
    args: &BatchArgs,
    work: impl Fn(&T) -> R + Sync,
    show: impl FnMut(&T, R) -> Result<Outcome, Error>,
) -> Result<(Outcome, Counts), Error> {
    run_sized(items, |_| 1, args, work, show)
}

/// As [`run_counting`], with a progress bar on which items have the lengths given by `size`.
pub(crate) fn run_sized<T: Sync, R: Send>(
    items: &[T],
    size: impl Fn(&T) -> usize + Sync,
    args: &BatchArgs,
    work: impl Fn(&T) -> R + Sync,
    mut show: impl FnMut(&T, R) -> Result<Outcome, Error>,
) -> Result<(Outcome, Counts), Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads()).build();
    let pool = pool.map_err(|e| Error::Usage(format!("-j {}: {e}", args.jobs)))?;
    let (bar, queue) = (bar(items.iter().map(&size).sum(), args), Queue::new(items.len()));
    let (sender, receiver) = mpsc::channel();
    // Each of these threads has one item in flight, whatever the pool does side by side inside of an item.
    let worker = |sender: mpsc::Sender<(usize, R)>| {
        let _stopping = StopOnPanic(&queue);
        while let Some((index, item)) = queue.next().and_then(|index| Some((index, items.get(index)?))) {
            let result = pool.install(|| work(item));
            bar.inc(size(item) as u64);
            if sender.send((index, result)).is_err() {
                return;
            }
        }
    };
    let shown = std::thread::scope(|scope| {
        for _ in 0..pool.current_num_threads().min(items.len()) {
            let sender = sender.clone();
            scope.spawn(|| worker(sender));
        }
        drop(sender);
        let shown = show_in_order(items, &receiver, &queue, |item, result| {
            let outcome = bar.suspend(|| show(item, result))?;
            Ok((outcome, args.fail_fast && outcome != Outcome::Done))
        });
        queue.stop();
        shown
    });
    bar.finish_and_clear();
    shown
}

/// Shows results in the order of their items; `show` also tells whether further results are wanted.
fn show_in_order<T, R>(
    items: &[T],
    results: &mpsc::Receiver<(usize, R)>,
    queue: &Queue,
    mut show: impl FnMut(&T, R) -> Result<(Outcome, bool), Error>,
) -> Result<(Outcome, Counts), Error> {
    let (mut worst_outcome, mut counts) = (Outcome::Done, Counts::default());
    let mut waiting = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let result = loop {
            match waiting.remove(&index) {
                Some(result) => break result,
                None => match results.recv() {
                    Ok((index, result)) => drop(waiting.insert(index, result)),
                    // A worker panicked, which is told when all have ended.
                    Err(mpsc::RecvError) => return Ok((worst_outcome, counts)),
                },
            }
        };
        let (outcome, is_last) = show(item, result)?;
        worst_outcome = worst_outcome.max(outcome);
        *(if outcome == Outcome::Done { &mut counts.done } else { &mut counts.failed }) += 1;
        if is_last {
            break;
        }
        queue.shown();
    }
    Ok((worst_outcome, counts))
}

/// The next item, and the permission to start it.
struct Queue {
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    next: usize,
    shown: usize,
    end: usize,
}

impl Queue {
    fn new(length: usize) -> Self {
        Self { state: Mutex::new(State { next: 0, shown: 0, end: length }), moved: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while too much waits to be shown.
    fn next(&self) -> Option<usize> {
        let is_full = |state: &mut State| state.next < state.end && state.next >= state.shown + WINDOW;
        let mut state = self.moved.wait_while(self.state(), is_full).unwrap_or_else(PoisonError::into_inner);
        let index = state.next;
        (index < state.end).then(|| {
            state.next += 1;
            index
        })
    }

    fn shown(&self) {
        self.state().shown += 1;
        self.moved.notify_all();
    }

    fn stop(&self) {
        self.state().end = 0;
        self.moved.notify_all();
    }
}

/// Ends the other workers too, so that a panic is reported and no thread waits for ever.
struct StopOnPanic<'a>(&'a Queue);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

fn bar(length: usize, args: &BatchArgs) -> ProgressBar {
    if length < 2 || args.quiet || args.no_progress || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len}, {rate}, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style.with_key("rate", rate))
}

/// Writes the files per second: whole ones, unless they take seconds each.
fn rate(state: &ProgressState, to: &mut dyn std::fmt::Write) {
    let rate = state.per_sec();
    let digits = if rate < 10.0 { 1 } else { 0 };
    let _ = write!(to, "{rate:.digits$}/s");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn args(fail_fast: bool) -> BatchArgs {
        BatchArgs { jobs: 4, fail_fast, quiet: true, no_progress: true }
    }

    #[test]
    fn results_come_in_order_and_no_more_wait_than_the_window_holds() {
        let items: Vec<usize> = (0..4 * WINDOW).collect();
        let (started, shown) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |item: &usize| {
            if *item == 0 {
                std::thread::sleep(Duration::from_millis(200));
            }
            let ahead = started.fetch_add(1, Ordering::SeqCst) + 1 - shown.load(Ordering::SeqCst);
            assert!(ahead <= WINDOW + 4, "{ahead} ahead");
            *item
        };
        let mut seen = Vec::new();
        let show = |_: &usize, result| {
            seen.push(result);
            shown.fetch_add(1, Ordering::SeqCst);
            Ok(Outcome::Done)
        };
        let (outcome, counts) = run_counting(&items, &args(false), work, show).unwrap();
        assert_eq!((outcome, counts.done, counts.failed), (Outcome::Done, items.len(), 0));
        assert_eq!(seen, items);
    }

    #[test]
    fn the_first_failure_is_the_last_shown_when_asked() {
        let items: Vec<usize> = (0..100).collect();
        let show = |item: &usize, ()| Ok(if *item < 7 { Outcome::Done } else { Outcome::Failed });
        let (outcome, counts) = run_counting(&items, &args(true), |_| (), show).unwrap();
        assert_eq!((outcome, counts.done, counts.failed), (Outcome::Failed, 7, 1));
    }

    #[test]
    fn what_cannot_be_shown_ends_the_run() {
        let items: Vec<usize> = (0..100_000).collect();
        let worked = AtomicUsize::new(0);
        let work = |_: &usize| worked.fetch_add(1, Ordering::SeqCst);
        let show = |_: &usize, _| Err(Error::Usage("no more".into()));
        assert!(run_counting(&items, &args(false), work, show).is_err());
        assert!(worked.load(Ordering::SeqCst) <= WINDOW + 4);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_told_and_nobody_waits() {
        let items: Vec<usize> = (0..3 * WINDOW).collect();
        let work = |item: &usize| assert!(*item != 5, "five");
        let _ = run_counting(&items, &args(false), work, |_, ()| Ok(Outcome::Done));
    }
}
