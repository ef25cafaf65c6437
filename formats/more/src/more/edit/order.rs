//! Keys and events in the order of their times.

use crate::more::animation::{Body, Keys, Shape, Times, Track, Values};
use dopesheet_core::order::by_number;

/// Sorts the keys and events of all tracks; equal times keep their order, because the last one counts.
pub(super) fn sort(tracks: &mut [Track]) {
    for track in tracks {
        match &mut track.body {
            Body::Keys(keys) => sort_keys(keys),
            Body::Displacement(pair) => {
                sort(std::slice::from_mut(&mut pair.position));
                sort(std::slice::from_mut(&mut pair.rotation));
            }
            Body::Events(events) => by_number(events, |event| event.time.into()),
            Body::User { .. } => {}
        }
    }
}

fn sort_keys(keys: &mut Keys) {
    let times: Vec<f64> = keys.times.iter().collect();
    if times.is_sorted() {
        return;
    }
    let mut order: Vec<usize> = (0..times.len()).collect();
    by_number(&mut order, |key| times[*key]);
    match &mut keys.times {
        Times::Seconds(times) => permute(times, &order),
        Times::Codes(codes) => permute(codes, &order),
    }
    permute_values(&mut keys.values, &order);
    match &mut keys.shape {
        Shape::Plain => {}
        Shape::Bezier(bezier) => {
            permute_values(&mut bezier.der_src, &order);
            bezier.der_dst.iter_mut().for_each(|values| permute_values(values, &order));
            permute(&mut bezier.flat_out, &order);
        }
        Shape::Tcb(tcb) => {
            permute(&mut tcb.settings, &order);
            permute_values(&mut tcb.der_src, &order);
            permute_values(&mut tcb.der_dst, &order);
            permute(&mut tcb.turns, &order);
        }
    }
}

fn permute<T: Copy>(list: &mut Vec<T>, order: &[usize]) {
    *list = order.iter().filter_map(|key| list.get(*key)).copied().collect();
}

fn permute_values(values: &mut Values, order: &[usize]) {
    match values {
        Values::Integers(v) => permute(v, order),
        Values::Floats(v) => permute(v, order),
        Values::Vectors(v) => permute(v, order),
        Values::Quaternions(v) => permute(v, order),
        Values::Quaternions32(v) => permute(v, order),
        Values::Quaternions48(v) | Values::Angles(v) => permute(v, order),
    }
}
