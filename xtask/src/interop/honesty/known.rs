//! Reports that are known to be false. The list is to become empty.

/// Job as it is printed, what its fault begins with, and the reason.
type Fault = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    ("made-of-v11_twohands_20s_undamaged.vmd -t playcanvas@4-vendor --tolerance 1cm", "alone of ", PEAK),
    ("made-of-v11_twohands_20s_undamaged.vmd -t playcanvas@4-vendor --tolerance 1cm", "rotation of ", PEAK),
];

const PEAK: &str =
    "a key of a rounded time counts as its frame, and no sample is at the peak right behind it";

/// Faults of a job that nobody knows yet, those that are known to be true after all among them, and those that are known, with the reason.
pub(super) fn sorted(job: &str, faults: Vec<String>) -> (Vec<String>, Vec<String>) {
    let known: Vec<&Fault> = FAULTS.iter().filter(|(own, ..)| *own == job).collect();
    let reason_of =
        |fault: &str| known.iter().find(|(_, start, _)| fault.starts_with(start)).map(|known| known.2);
    let mended = known.iter().filter(|(_, start, _)| !faults.iter().any(|fault| fault.starts_with(start)));
    let mut unknown: Vec<String> =
        mended.map(|(_, start, _)| format!("{start}… is true now: take it out of known.rs")).collect();
    let mut told = Vec::new();
    for fault in faults {
        match reason_of(&fault) {
            Some(reason) => told.push(format!("{fault}: {reason}")),
            None => unknown.push(fault),
        }
    }
    (unknown, told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_fault_that_is_gone_is_a_fault() {
        for (job, start, _) in FAULTS {
            let others = FAULTS.iter().filter(|(own, ..)| own == job);
            let all: Vec<String> = others.map(|(_, start, _)| format!("{start}head")).collect();
            assert_eq!(sorted(job, all.clone()).0, Vec::<String>::new());
            let without = all.into_iter().filter(|fault| !fault.starts_with(start)).collect();
            assert_eq!(sorted(job, without).0.len(), 1, "{job}");
        }
        let unknown = vec!["scale of head".to_owned()];
        assert_eq!(sorted("another", unknown.clone()), (unknown, Vec::new()));
    }
}
