//! Events: the events of the file, at the times of their markers.

use crate::more::animation::{Body, Event, Track, TrackType};
use crate::more::notes;
use crate::text::Name;
use dopesheet_core::model::Marker;
use dopesheet_core::order::by_number;
use std::collections::{HashMap, VecDeque};

/// Gives the events of tracks the present times of their markers. A marker belongs to the event whose marker
/// had the same data before.
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
    let mut free: HashMap<&str, Free<'_>> = HashMap::new();
    for (marker, event_place) in before.iter().zip(places) {
        free.entry(&marker.name).or_default().push_back((marker, event_place));
    }
    let by_time = |a: &(&Marker, _), b: &(&Marker, _)| a.0.time.0.total_cmp(&b.0.time.0);
    free.values_mut().for_each(|free| free.make_contiguous().sort_by(by_time));
    // Of lists with one name the first takes what is new.
    let by_name: HashMap<&str, usize> =
        names.iter().enumerate().rev().map(|(list, name)| (name.as_str(), list)).collect();
    let mut new: Vec<(&str, Vec<Event>)> = Vec::new();
    let mut new_by_name: HashMap<&str, usize> = HashMap::new();
    for marker in after {
        let event = notes::event(marker);
        let Some((source, (list, old))) = free.get_mut(&*marker.name).and_then(|free| taken(free, marker))
        else {
            if let Some(list) = by_name.get(&*marker.name).and_then(|list| lists.get_mut(*list)) {
                list.push(event);
                continue;
            }
            let at = *new_by_name.entry(&marker.name).or_insert_with(|| {
                new.push((&marker.name, Vec::new()));
                new.len() - 1
            });
            new.get_mut(at).into_iter().for_each(|(_, events)| events.push(event.clone()));
            continue;
        };
        let time = if source.time == marker.time { old.time } else { event.time };
        if let Some(list) = lists.get_mut(list) {
            list.push(Event { time, ..old });
        }
    }
    for (list, old) in lists.iter_mut().zip(&old) {
        if old.is_sorted_by(|a, b| a.time <= b.time) {
            by_number(list, |event| event.time.into());
        }
        // An event without a time stays in front of what followed it.
        for (position, event) in old.iter().enumerate().filter(|(_, event)| !event.time.is_finite()) {
            list.insert(position.min(list.len()), event.clone());
        }
    }
    tracks.extend(new.into_iter().map(|(name, mut events)| {
        by_number(&mut events, |event| event.time.into());
        Track { track_type: TrackType::EVENT, name: Name::new(name), body: Body::Events(events) }
    }));
}

/// Markers of one name before the change, in the order of their times, each with the list of its event.
type Free<'a> = VecDeque<(&'a Marker, (usize, Event))>;

/// Takes the marker with the same data at the same time, or else the first with the same data.
fn taken<'a>(free: &mut Free<'a>, marker: &Marker) -> Option<(&'a Marker, (usize, Event))> {
    let start = free.partition_point(|(candidate, _)| candidate.time.0 < marker.time.0);
    let mut at_its_time = free.iter().skip(start).take_while(|(candidate, _)| candidate.time == marker.time);
    let position =
        at_its_time.position(|(candidate, _)| candidate.data == marker.data).map(|position| start + position);
    free.remove(position.or_else(|| free.iter().position(|(candidate, _)| candidate.data == marker.data))?)
}

/// The lists of events of a track, in the order of their conversion to markers, and their names.
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
