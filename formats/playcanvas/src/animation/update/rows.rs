//! Keys of a node: what its channels say at one time.

use dopesheet_core::model::Curve;
use dopesheet_core::order::by_number;
use std::collections::HashMap;

/// A key: its time, its place in the file, and the keys of the three components' curves that are at it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) time: f64,
    pub(super) source: Option<usize>,
    pub(super) keys: [Option<usize>; 3],
}

/// The keys of curves: those from one key of the file are one, and so are those that the file does not have at one time.
pub(super) fn rows(curves: &[Option<&Curve>; 3]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places: HashMap<(u64, Option<u32>, usize), usize> = HashMap::new();
    for (component, curve) in curves.iter().enumerate() {
        let Some(curve) = curve else { continue };
        let mut seen: HashMap<(u64, Option<u32>), usize> = HashMap::new();
        for (key, time) in curve.times.iter().enumerate() {
            let time = time.0 + 0.0;
            let what = (time.to_bits(), curve.source(key));
            // Of several such keys the first goes with the first.
            let again = seen.entry(what).or_default();
            let place = *places.entry((what.0, what.1, *again)).or_insert_with(|| {
                let source = what.1.map(|source| source as usize);
                rows.push(Row { time, source, keys: [None; 3] });
                rows.len() - 1
            });
            *again += 1;
            if let Some(own) = rows.get_mut(place).and_then(|row| row.keys.get_mut(component)) {
                *own = Some(key);
            }
        }
    }
    by_number(&mut rows, |row| row.time);
    rows
}

/// A time with at most twelve places: what moving it there and back leaves of it beyond is rounding.
pub(super) fn decimal(time: f64) -> f64 {
    const SCALE: f64 = 1e12;
    let scaled = (time * SCALE).round();
    // Whole numbers beyond have no digits left to round.
    if scaled.abs() < 9e15 { scaled / SCALE + 0.0 } else { time }
}
