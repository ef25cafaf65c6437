//! Keys of a node: the values of its channels at the same time.

use dopesheet_core::model::Curve;
use dopesheet_core::order::by_number;
use std::collections::HashMap;

/// A key: its time, its place in the file, and the keys of the three components' curves at this time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComponentKeys {
    pub(super) time: f64,
    pub(super) source: Option<usize>,
    pub(super) keys: [Option<usize>; 3],
}

/// The keys of curves: curve keys from the same key of the file make one key, and new curve keys join others
/// at the same time.
pub(super) fn rows(curves: &[Option<&Curve>; 3]) -> Vec<ComponentKeys> {
    let mut rows: Vec<ComponentKeys> = Vec::new();
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (component, curve) in curves.iter().enumerate() {
        let Some(curve) = curve else { continue };
        for (key, time) in curve.times.iter().enumerate() {
            let time = time.0 + 0.0;
            let source = curve.source(key).map(|source| source as usize);
            let rows_at_time = places.entry(time.to_bits()).or_default();
            let is_it = |row: &ComponentKeys| {
                let is_free = row.keys.get(component).is_some_and(Option::is_none);
                is_free && (row.source == source || row.source.is_none() || source.is_none())
            };
            let existing =
                rows_at_time.iter().copied().find(|existing| rows.get(*existing).is_some_and(is_it));
            let number = existing.unwrap_or_else(|| {
                rows.push(ComponentKeys { time, source, keys: [None; 3] });
                rows_at_time.push(rows.len() - 1);
                rows.len() - 1
            });
            if let Some(row) = rows.get_mut(number) {
                row.source = row.source.or(source);
                if let Some(slot) = row.keys.get_mut(component) {
                    *slot = Some(key);
                }
            }
        }
    }
    by_number(&mut rows, |row| row.time);
    rows
}

/// A time with at most twelve decimals: further digits are rounding, left from moving the time there and
/// back.
pub(super) fn decimal(time: f64) -> f64 {
    const SCALE: f64 = 1e12;
    let scaled = (time * SCALE).round();
    // Whole numbers beyond have no digits left to round.
    if scaled.abs() < 9e15 { scaled / SCALE + 0.0 } else { time }
}
