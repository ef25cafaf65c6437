//! Frames of keys, and their order.

use super::faults::{fault_in, fault_in_list};
use super::{CheckFn, Subject};
use crate::vmd::codes;
use crate::vmd::defaults::LAST_FRAME;
use crate::vmd::document::{Document, Section};
use crate::vmd::layout::{Field, bone, camera, light, model, morph, shadow};
use crate::vmd::tracks::by_frame;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Sightings;
use dopesheet_core::order::by_key;
use dopesheet_core::words::counted;
use std::collections::BTreeSet;

pub(super) const CHECKS: &[CheckFn] =
    &[duplicate_key, equal_keys, unsorted, late_start, frame_far, frame_huge, ik_late];

impl Section {
    const fn frame_field(self) -> Field {
        match self {
            Self::Bones => bone::FRAME,
            Self::Morphs => morph::FRAME,
            Self::Cameras => camera::FRAME,
            Self::Lights => light::FRAME,
            Self::Shadows => shadow::FRAME,
            Self::Models => model::FRAME,
        }
    }
}

/// The keys of one target: their positions in the section, sorted by frame.
struct Timeline {
    section: Section,
    /// Empty for a section with a single target.
    name: String,
    keys: Vec<(u32, usize)>,
}

impl Timeline {
    /// Groups of two or more keys at a common frame.
    fn runs(&self) -> impl Iterator<Item = &[(u32, usize)]> {
        self.keys.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1)
    }

    fn fault(&self, document: &Document, index: usize, expected: &'static str, found: &str) -> Fault {
        let actual = match self.name.is_empty() {
            true => found.to_owned(),
            false => format!("{found} ({})", self.name),
        };
        fault_in(document, self.section, index, self.section.frame_field(), (expected, actual))
    }
}

fn timelines(subject: &Subject<'_>) -> Vec<Timeline> {
    let document = subject.document;
    let mut all = Vec::new();
    for (section, tracks) in [(Section::Bones, &subject.bones), (Section::Morphs, &subject.morphs)] {
        let frames: Vec<u32> = document.frames(section).collect();
        all.extend(tracks.iter().map(|(name, keys)| {
            let keys = keys.iter().map(|key| (frames[*key as usize], *key as usize)).collect();
            Timeline { section, name: name.text(), keys }
        }));
    }
    for section in [Section::Cameras, Section::Lights, Section::Shadows, Section::Models] {
        let mut keys: Vec<_> = document.frames(section).zip(0..).collect();
        by_key(&mut keys, |key| *key);
        all.push(Timeline { section, name: String::new(), keys });
    }
    all
}

/// True if all keys of a run are equal, so that their order does not matter.
fn are_equal(document: &Document, section: Section, run: &[(u32, usize)]) -> bool {
    fn same<T: PartialEq>(keys: &[T], run: &[(u32, usize)]) -> bool {
        let mut keys_of_run = run.iter().map(|(_, key)| keys.get(*key));
        let first = keys_of_run.next();
        keys_of_run.all(|key| Some(key) == first)
    }
    match section {
        Section::Bones => same(&document.bones, run),
        Section::Morphs => same(&document.morphs, run),
        Section::Cameras => same(&document.cameras, run),
        Section::Lights => same(&document.lights, run),
        Section::Shadows => same(&document.shadows, run),
        Section::Models => same(&document.models, run),
    }
}

fn equal_keys(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::EQUAL_KEYS);
    for timeline in timelines(subject) {
        for run in timeline.runs().filter(|run| are_equal(subject.document, timeline.section, run)) {
            let Some((frame, first)) = run.first() else { continue };
            let actual = format!("{} equal ones at frame {frame}", run.len());
            sightings.add(|| timeline.fault(subject.document, *first, "one key per frame", &actual));
        }
    }
    sightings.report(report);
}

/// Largest number of targets whose duplicates are listed one by one.
const LISTED_TARGETS: usize = 8;

fn duplicate_key(subject: &Subject<'_>, report: &mut Report) {
    let check = codes::DUPLICATE_KEY;
    let mut unlisted = 0;
    let mut listed = 0;
    for timeline in timelines(subject) {
        let runs: Vec<_> =
            timeline.runs().filter(|run| !are_equal(subject.document, timeline.section, run)).collect();
        let Some([(frame, first), ..]) = runs.first() else { continue };
        if listed == LISTED_TARGETS {
            unlisted += 1;
            continue;
        }
        listed += 1;
        let mut actual = format!("{} keys at frame {frame}", runs[0].len());
        if runs.len() > 1 {
            actual = format!("{actual} and several at {}", counted(runs.len() - 1, "further frame"));
        }
        let mut fault = timeline.fault(subject.document, *first, "one key per frame", &actual);
        fault.code = check.code;
        report.push(check.severity, fault);
    }
    if unlisted > 0 {
        let actual = format!("several in {}", counted(unlisted, "further target"));
        let fault = Fault::new(check.code, Place::File, "one key per frame", actual);
        report.push(check.severity, fault.at_path("keys"));
    }
}

fn unsorted(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::UNSORTED);
    for timeline in timelines(subject) {
        let mut in_file: Vec<_> = timeline.keys.iter().map(|(frame, key)| (*key, *frame)).collect();
        by_key(&mut in_file, |key| *key);
        let mut latest = 0;
        for (key, frame) in in_file {
            if frame < latest {
                let actual = format!("frame {frame} after frame {latest}");
                sightings.add(|| timeline.fault(subject.document, key, "ascending frames", &actual));
            }
            latest = latest.max(frame);
        }
    }
    sightings.report(report);
}

fn late_start(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::LATE_START);
    for timeline in timelines(subject) {
        let first = timeline.keys.first().filter(|(frame, _)| *frame > 0);
        if let Some((frame, key)) = first {
            let actual = format!("the first at frame {frame}");
            sightings.add(|| timeline.fault(subject.document, *key, "a key at frame 0", &actual));
        }
    }
    sightings.report(report);
}

fn frames_above(
    subject: &Subject<'_>,
    sightings: &mut Sightings,
    range: std::ops::RangeInclusive<u32>,
    limit: u32,
) {
    for section in Section::ALL {
        let keys = subject.document.frames(section).enumerate();
        for (index, frame) in keys.filter(|(_, frame)| range.contains(frame)) {
            let what = (format!("at most frame {limit}"), format!("frame {frame}"));
            sightings.add(|| fault_in(subject.document, section, index, section.frame_field(), what));
        }
    }
}

/// Largest frame that fits into a signed number.
const LAST_SIGNED: u32 = i32::MAX.unsigned_abs();

fn frame_far(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::FRAME_FAR);
    frames_above(subject, &mut sightings, LAST_FRAME + 1..=LAST_SIGNED, LAST_FRAME);
    sightings.report(report);
}

fn frame_huge(subject: &Subject<'_>, report: &mut Report) {
    let mut sightings = Sightings::of(codes::FRAME_HUGE);
    frames_above(subject, &mut sightings, LAST_SIGNED + 1..=u32::MAX, LAST_SIGNED);
    sightings.report(report);
}

fn ik_late(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    let mut sightings = Sightings::of(codes::IK_LATE);
    let places =
        by_frame(document.models.iter().map(|key| key.frame)).into_iter().map(|index| index as usize);
    let in_time_order = places.filter_map(|index| Some((index, document.models.get(index)?)));
    let mut switched: BTreeSet<_> = BTreeSet::new();
    for (rank, (index, key)) in in_time_order.enumerate() {
        for (entry, switch) in key.ik.iter().enumerate() {
            if switched.insert(switch.bone().cleared()) && rank > 0 {
                let actual = format!("{} at frame {}", switch.bone(), key.frame);
                let what = ("every IK bone in the first key", actual);
                sightings.add(|| fault_in_list(document, index, entry, model::BONE, what));
            }
        }
    }
    sightings.report(report);
}
