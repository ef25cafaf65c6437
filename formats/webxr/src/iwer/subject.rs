//! The source and time that a finding is about.

use super::document::Recording;
use super::names::of_sources;
use super::to_scene::start_ms;
use dopesheet_core::diag::{Fault, Place, Subject};
use dopesheet_core::units::Seconds;

pub(super) fn subject(recording: &Recording, fault: &Fault) -> Option<Subject> {
    let Place::Text { pointer, .. } = &fault.place else { return None };
    let frame = recording.frames.get(fault.position_in("frames")?)?;
    let time = Seconds((frame.time_ms - start_ms(recording)) / 1000.0);
    // `/frames/3/8/…`: the head has the numbers before 8.
    let element: Option<usize> = pointer.split('/').nth(3).and_then(|token| token.parse().ok());
    let names = of_sources(&recording.schema);
    let target = match element?.checked_sub(8) {
        None => super::names::VIEWER.to_owned(),
        Some(input) => {
            let (position, _) = recording.source(frame.inputs.get(input)?.index)?;
            names.get(position)?.ray.clone()
        }
    };
    Some(Subject::target(target).at(Some(time)))
}
