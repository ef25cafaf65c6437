//! A report without repetitions.

use dopesheet_core::diag::{Finding, Loss, Place, Report};
use std::collections::HashMap;

/// Distinct items with their numbers of occurrences, in the order of first occurrence.
struct Counted<T>(Vec<(T, usize)>);

impl<T> Counted<T> {
    /// Counts items of equal names; `join` merges a further item into the first.
    fn of<K: std::hash::Hash + Eq>(
        all: Vec<T>,
        name: impl Fn(&T) -> K,
        mut join: impl FnMut(&mut T, T),
    ) -> Self {
        let (mut counted, mut places) = (Vec::<(T, usize)>::new(), HashMap::new());
        for one in all {
            let slot = *places.entry(name(&one)).or_insert(counted.len());
            match counted.get_mut(slot) {
                Some((first, count)) => {
                    join(first, one);
                    *count += 1;
                }
                None => counted.push((one, 1)),
            }
        }
        Self(counted)
    }

    /// Each item once; `say` adds the number of occurrences to an item that occurred more than once.
    fn counted(self, mut say: impl FnMut(&mut T, &str)) -> Vec<T> {
        let one = |(mut one, count): (T, usize)| {
            if count > 1 {
                say(&mut one, &format!(" ({count} times)"));
            }
            one
        };
        self.0.into_iter().map(one).collect()
    }
}

/// The report with equal entries merged and their numbers stated. Of several errors the largest stays.
pub(in crate::convert) fn once(report: Report) -> Report {
    let findings = Counted::of(report.findings, |finding| finding.to_string(), |_, _| ());
    let losses = Counted::of(report.losses, name, join);
    Report {
        findings: findings.counted(|finding: &mut Finding, times| {
            // What is at one place is one thing.
            if finding.fault.place == Place::File {
                finding.fault.found = format!("{}{times}", finding.fault.found).into();
            }
        }),
        losses: losses.counted(|loss, times| match loss {
            Loss::Kept { what }
            | Loss::KeptAsData { what }
            | Loss::Approximated { what, .. }
            | Loss::Bounded { what, .. }
            | Loss::Unsampled { what, .. }
            | Loss::Dropped { what, .. } => what.push_str(times),
        }),
        slides: report.slides,
        verdicts: report.verdicts,
    }
}

/// All of a loss except its size.
fn name(loss: &Loss) -> (u8, String, String, Option<&'static str>) {
    match loss {
        Loss::Kept { what } => (0, what.clone(), String::new(), None),
        Loss::Approximated { what, max_error, .. } => {
            (1, what.clone(), String::new(), Some(max_error.unit.symbol()))
        }
        Loss::Unsampled { what, max_error } => {
            (2, what.clone(), String::new(), Some(max_error.unit.symbol()))
        }
        Loss::Dropped { what, why } => (3, what.clone(), why.clone(), None),
        Loss::KeptAsData { what } => (4, what.clone(), String::new(), None),
        Loss::Bounded { what, unit, .. } => (5, what.clone(), String::new(), Some(unit.symbol())),
    }
}

fn join(first: &mut Loss, other: Loss) {
    if let (Loss::Bounded { bound: own, .. }, Loss::Bounded { bound: theirs, .. }) = (&mut *first, &other) {
        *own = own.max(*theirs);
    }
    if let (Loss::Approximated { bound: own, .. }, Loss::Approximated { bound: theirs, .. }) =
        (&mut *first, &other)
    {
        *own = own.zip(*theirs).map(|(own, theirs)| own.max(theirs));
    }
    if let (
        Loss::Approximated { max_error: own, .. } | Loss::Unsampled { max_error: own, .. },
        Loss::Approximated { max_error: theirs, .. } | Loss::Unsampled { max_error: theirs, .. },
    ) = (first, other)
        && theirs.value > own.value
    {
        *own = theirs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::diag::{ErrorUnit, Fault, MaxError};
    use dopesheet_core::units::{ByteOffset, Seconds};

    #[test]
    fn what_is_listed_twice_is_counted_and_said_once() {
        let mut report = Report::default();
        for (value, byte) in [(0.1, 1), (0.3, 2), (0.2, 2)] {
            report.warn(Fault::new("wide", Place::File, "less", "more"));
            report.warn(Fault::new("odd", Place::Byte(ByteOffset(byte)), "even", "odd"));
            report.dropped("4 toon pictures", "a scene has none");
            let error =
                MaxError { value, unit: ErrorUnit::Metre, target: "hips".into(), time: Seconds(value) };
            report.approximated("the rig", error);
        }
        report.dropped("4 toon pictures", "another reason");
        let report = once(report);
        let findings: Vec<_> =
            report.findings.iter().map(|f| (f.fault.code, f.fault.found.to_string())).collect();
        let [odd, wide] = ["odd", "more (3 times)"].map(str::to_owned);
        assert_eq!(findings, [("wide", wide), ("odd", odd.clone()), ("odd", odd)]);
        let losses: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
        assert_eq!(
            losses,
            [
                "dropped: 4 toon pictures (3 times): a scene has none",
                "approximated: the rig (3 times); largest error 30 cm (hips at 0.300 s)",
                "dropped: 4 toon pictures: another reason",
            ]
        );
    }
}
