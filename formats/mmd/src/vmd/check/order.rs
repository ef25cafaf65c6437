//! Frames of keys, and their order.

use super::DocumentCheck;
use super::faults::{fault_in, fault_in_list};
use crate::vmd::codes;
use crate::vmd::defaults::LAST_FRAME;
use crate::vmd::document::{Document, Section};
use crate::vmd::layout::{Field, bone, camera, light, model, morph, shadow};
use crate::vmd::tracks::{Tracks, by_frame};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Check;
use dopesheet_core::order::by_key;
use dopesheet_core::words::counted;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

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
pub(super) struct Timeline {
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

pub(super) fn timelines(document: &Document, bones: &Tracks, morphs: &Tracks) -> Vec<Timeline> {
    let mut all = Vec::new();
    for (section, tracks) in [(Section::Bones, bones), (Section::Morphs, morphs)] {
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

pub(super) fn check(look: &mut DocumentCheck<'_>, timelines: &[Timeline]) {
    let (document, seen) = (look.document, &mut look.seen);
    for timeline in timelines {
        for run in timeline.runs().filter(|run| are_equal(document, timeline.section, run)) {
            let Some((frame, first)) = run.first() else { continue };
            let actual = || format!("{} equal ones at frame {frame}", run.len());
            let fault = || timeline.fault(document, *first, "one key per frame", &actual());
            seen.add(codes::EQUAL_KEYS, fault);
        }
    }
    for timeline in timelines {
        let mut in_file: Vec<_> = timeline.keys.iter().map(|(frame, key)| (*key, *frame)).collect();
        by_key(&mut in_file, |key| *key);
        let mut latest = 0;
        for (key, frame) in in_file {
            if frame < latest {
                let actual = || format!("frame {frame} after frame {latest}");
                let fault = || timeline.fault(document, key, "ascending frames", &actual());
                seen.add(codes::UNSORTED, fault);
            }
            latest = latest.max(frame);
        }
    }
    for timeline in timelines {
        if let Some((frame, key)) = timeline.keys.first().filter(|(frame, _)| *frame > 0) {
            let actual = || format!("the first at frame {frame}");
            let fault = || timeline.fault(document, *key, "a key at frame 0", &actual());
            seen.add(codes::LATE_START, fault);
        }
    }
    frames_above(look, codes::FRAME_FAR, LAST_FRAME + 1..=LAST_SIGNED, LAST_FRAME);
    frames_above(look, codes::FRAME_HUGE, LAST_SIGNED + 1..=u32::MAX, LAST_SIGNED);
    late_switches(look);
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

/// Largest number of targets whose duplicates are listed one by one.
const LISTED_TARGETS: usize = 8;

/// Keys of a target at a common frame that differ, target by target.
pub(super) fn duplicate_keys(document: &Document, timelines: &[Timeline], report: &mut Report) {
    let check = codes::DUPLICATE_KEY;
    let mut unlisted = 0;
    let mut listed = 0;
    for timeline in timelines {
        let runs = timeline.runs().filter(|run| !are_equal(document, timeline.section, run));
        let runs: Vec<_> = runs.collect();
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
        let mut fault = timeline.fault(document, *first, "one key per frame", &actual);
        fault.code = check.code;
        report.push(check.severity, fault);
    }
    if unlisted > 0 {
        let actual = format!("several in {}", counted(unlisted, "further target"));
        let fault = Fault::new(check.code, Place::File, "one key per frame", actual);
        report.push(check.severity, fault.at_path("keys"));
    }
}

/// Largest frame that fits into a signed number.
const LAST_SIGNED: u32 = i32::MAX.unsigned_abs();

fn frames_above(look: &mut DocumentCheck<'_>, check: Check, range: RangeInclusive<u32>, limit: u32) {
    let document = look.document;
    for section in Section::ALL {
        let keys = document.frames(section).enumerate();
        for (at, frame) in keys.filter(|(_, frame)| range.contains(frame)) {
            let what = || (format!("at most frame {limit}"), format!("frame {frame}"));
            look.say(check, section, at, section.frame_field(), what);
        }
    }
}

/// IK bones first named by a later key than the first.
fn late_switches(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    let places = by_frame(document.models.iter().map(|key| key.frame)).into_iter();
    let in_time_order = places.filter_map(|at| Some((at as usize, document.models.get(at as usize)?)));
    let mut switched: BTreeSet<_> = BTreeSet::new();
    for (rank, (at, key)) in in_time_order.enumerate() {
        for (entry, switch) in key.ik.iter().enumerate() {
            if switched.insert(switch.bone().cleared()) && rank > 0 {
                let actual = || format!("{} at frame {}", switch.bone(), key.frame);
                let what = || ("every IK bone in the first key", actual());
                look.seen.add(codes::IK_LATE, || fault_in_list(document, at, entry, model::BONE, what()));
            }
        }
    }
}
