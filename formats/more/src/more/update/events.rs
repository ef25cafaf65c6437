//! Events: those of the file, at the times of the markers that they became.

use crate::more::animation::{Body, Event, Track, TrackType};
use crate::more::notes;
use crate::text::Name;
use dopesheet_core::model::Marker;
use dopesheet_core::order::by_number;

/// Gives the events of tracks the times that their markers have now. A marker is the one that said the same before.
pub(super) fn merge(tracks: &mut Vec<Track>, before: &[Marker], after: &[Marker]) {
    if before == after {
        return;
    }
    let mut lists: Vec<&mut Vec<Event>> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for track in tracks.iter_mut() {
        let name = track.name.text().into_owned();
        collect(&mut track.body, &name, &mut lists, &mut names);
    }
    let old: Vec<Vec<Event>> = lists.iter_mut().map(|list| std::mem::take(*list)).collect();
    let places = old.iter().enumerate().flat_map(|(list, events)| {
        events.iter().filter(|event| event.time.is_finite()).map(move |event| (list, event.clone()))
    });
    let mut free: Vec<(&Marker, (usize, Event))> = before.iter().zip(places).collect();
    let mut new: Vec<(String, Vec<Event>)> = Vec::new();
    for marker in after {
        let says_same = |own: &Marker| own.name == marker.name && own.data == marker.data;
        let found = free.iter().position(|(own, _)| says_same(own) && own.time == marker.time);
        let found = found.or_else(|| free.iter().position(|(own, _)| says_same(own)));
        let event = notes::event(marker);
        let Some((own, (list, old))) = found.map(|at| free.remove(at)) else {
            match (
                names.iter().position(|name| *name == marker.name),
                new.iter_mut().find(|own| own.0 == marker.name),
            ) {
                (Some(list), _) => lists.get_mut(list).into_iter().for_each(|list| list.push(event.clone())),
                (None, Some((_, events))) => events.push(event),
                (None, None) => new.push((marker.name.clone(), vec![event])),
            }
            continue;
        };
        let time = if own.time == marker.time { old.time } else { event.time };
        if let Some(list) = lists.get_mut(list) {
            list.push(Event { time, ..old });
        }
    }
    for (list, old) in lists.iter_mut().zip(&old) {
        if old.is_sorted_by(|a, b| a.time <= b.time) {
            by_number(list, |event| event.time.into());
        }
        // An event without a time stays in front of what followed it.
        for (place, event) in old.iter().enumerate().filter(|(_, event)| !event.time.is_finite()) {
            list.insert(place.min(list.len()), event.clone());
        }
    }
    tracks.extend(new.into_iter().map(|(name, mut events)| {
        by_number(&mut events, |event| event.time.into());
        Track { track_type: TrackType::EVENT, name: Name::new(&name), body: Body::Events(events) }
    }));
}

/// The lists of events of a track, in the order in which they become markers, and their names.
fn collect<'a>(body: &'a mut Body, name: &str, lists: &mut Vec<&'a mut Vec<Event>>, names: &mut Vec<String>) {
    match body {
        Body::Events(events) => {
            lists.push(events);
            names.push(name.to_owned());
        }
        Body::Displacement(pair) => {
            collect(&mut pair.position.body, &format!("{name}/position"), lists, names);
            collect(&mut pair.rotation.body, &format!("{name}/rotation"), lists, names);
        }
        Body::Keys(_) | Body::User { .. } => {}
    }
}
