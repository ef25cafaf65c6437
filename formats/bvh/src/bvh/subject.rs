//! The joint or frame that a finding is about.

use super::document::Document;
use super::rate::rate;
use dopesheet_core::diag::{Fault, Subject};

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    let motion = document.motion();
    if let Some(joint) = fault.position_in("joints") {
        return Some(Subject::target(motion.joints.get(joint)?.name.as_str()));
    }
    let frame = fault.position_in("frames").filter(|frame| *frame < motion.frame_count())?;
    Some(Subject::moment(rate(motion.frame_time_s).rate.seconds(frame as f64)))
}
