//! Events: the events of the file, at the times of their markers.

use crate::animation::document::Event;
use crate::animation::from_scene::event;
use crate::animation::splice::Origin;
use dopesheet_core::model::Marker;
use dopesheet_core::order::by_number;

/// The events of the file at the present times of the markers. A marker belongs to the event whose marker had
/// the same name and data before.
pub(super) fn merged(old: &[Event], before: &[Marker], after: &[Marker]) -> (Vec<Event>, Vec<Origin>) {
    // Each marker stands for an event that has a time, in the order of the file.
    let (timed, idle): (Vec<usize>, Vec<usize>) =
        (0..old.len()).partition(|at| old.get(*at).is_some_and(|event| event.time.is_finite()));
    let mut free: Vec<(usize, &Marker)> = timed.into_iter().zip(before).collect();
    let mut events: Vec<(Event, Option<usize>)> = Vec::with_capacity(after.len());
    for marker in after {
        let says_same = |candidate: &&Marker| candidate.name == marker.name && candidate.data == marker.data;
        let position = free
            .iter()
            .position(|(_, candidate)| says_same(candidate) && candidate.time == marker.time)
            .or_else(|| free.iter().position(|(_, candidate)| says_same(candidate)));
        let matching = position.map(|at| free.remove(at));
        events.push(match matching.and_then(|(at, matching)| Some((at, old.get(at)?, matching))) {
            Some((at, event, matching)) if matching.time == marker.time => (event.clone(), Some(at)),
            Some((at, old, _)) => (Event { time: event(marker).time, ..old.clone() }, Some(at)),
            None => (event(marker), None),
        });
    }
    if old.is_sorted_by(|a, b| a.time <= b.time) {
        by_number(&mut events, |(event, _)| event.time.into());
    }
    // An event without a time stays in front of what followed it.
    for at in idle {
        let follows = |(_, source): &(Event, Option<usize>)| source.is_some_and(|source| source > at);
        let front = events.iter().position(follows).unwrap_or(events.len());
        events.extend(old.get(at).map(|event| (event.clone(), Some(at))));
        events.get_mut(front..).unwrap_or_default().rotate_right(1);
    }
    let origin = |entry| Origin { entry, keys: Vec::new() };
    events.into_iter().map(|(event, at)| (event, origin(at))).unzip()
}
