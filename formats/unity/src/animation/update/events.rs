//! Events: those of the file, at the times of the markers that they became.

use crate::animation::document::Event;
use crate::animation::from_scene::event;
use crate::animation::splice::Origin;
use dopesheet_core::model::Marker;
use dopesheet_core::order::by_number;

/// The events of the file at the times that markers have now. A marker is the one that said the same before.
pub(super) fn merged(old: &[Event], before: &[Marker], after: &[Marker]) -> (Vec<Event>, Vec<Origin>) {
    // Each marker stands for an event that has a time, in the order of the file.
    let (timed, idle): (Vec<usize>, Vec<usize>) =
        (0..old.len()).partition(|at| old.get(*at).is_some_and(|event| event.time.is_finite()));
    let mut free: Vec<(usize, &Marker)> = timed.into_iter().zip(before).collect();
    let mut made: Vec<(Event, Option<usize>)> = Vec::with_capacity(after.len());
    for marker in after {
        let says_same = |own: &&Marker| own.name == marker.name && own.data == marker.data;
        let found = free
            .iter()
            .position(|(_, own)| says_same(own) && own.time == marker.time)
            .or_else(|| free.iter().position(|(_, own)| says_same(own)));
        let own = found.map(|at| free.remove(at));
        made.push(match own.and_then(|(at, own)| Some((at, old.get(at)?, own))) {
            Some((at, event, own)) if own.time == marker.time => (event.clone(), Some(at)),
            Some((at, old, _)) => (Event { time: event(marker).time, ..old.clone() }, Some(at)),
            None => (event(marker), None),
        });
    }
    if old.is_sorted_by(|a, b| a.time <= b.time) {
        by_number(&mut made, |(event, _)| event.time.into());
    }
    // An event without a time stays in front of what followed it.
    for at in idle {
        let follows = |(_, own): &(Event, Option<usize>)| own.is_some_and(|own| own > at);
        let place = made.iter().position(follows).unwrap_or(made.len());
        made.extend(old.get(at).map(|event| (event.clone(), Some(at))));
        made.get_mut(place..).unwrap_or_default().rotate_right(1);
    }
    let origin = |entry| Origin { entry, keys: Vec::new() };
    made.into_iter().map(|(event, at)| (event, origin(at))).unzip()
}
