//! The frame and joint that a finding is about.

use super::document::Document;
use super::layout::{POSES, POSITIONS, ROTATIONS, interpret};
use dopesheet_core::diag::{Fault, Subject};

/// Arrays with a row for each frame, and the count of a joint's numbers in a row if a row holds the numbers
/// of all joints.
const ROWS: [(&str, usize); 8] = [
    (POSES, 3),
    (POSITIONS, 1),
    ("joints", 1),
    (ROTATIONS, 1),
    ("translations", 1),
    ("scales", 1),
    ("root_positions", usize::MAX),
    ("features", usize::MAX),
];

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    let (array, indices) = fault.path.split_once('[')?;
    let (_, share) = ROWS.into_iter().find(|(name, _)| *name == array)?;
    let mut indices = indices.trim_end_matches(']').split(", ").map(str::parse::<usize>);
    let (frame, entry) = (indices.next()?.ok()?, indices.next().and_then(Result::ok));
    let motion = interpret(document).motion?;
    let joint = entry.and_then(|entry| motion.joints.get(entry / share));
    let target = joint.filter(|_| share != usize::MAX).map(|(name, _)| name.clone());
    let time = motion.rate.map(|rate| rate.seconds(frame as f64));
    Some(Subject { target, ..Subject::default() }.at(time))
}
