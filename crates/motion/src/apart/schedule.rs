//! Moments of many joints in one order.

use super::moments::{Moment, Moments};
use crate::evaluate::Side;
use dopesheet_core::order::ascend;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Moments of many joints. Joints with the same moments share them.
#[derive(Default)]
pub(super) struct Schedule {
    lists: Vec<(Arc<Moments>, Vec<usize>)>,
    by_start: HashMap<Vec<u64>, Vec<usize>>,
    /// For each joint, its list.
    lists_of: HashMap<usize, usize>,
}

/// How many times of a list tell whether it may be one that is known.
const START: usize = 16;

/// Most stretches that are measured side by side.
const MOST_STRETCHES: usize = 16;

/// Of more instants than these, every so manyth tells where stretches of about as many end.
const MOST_SORTED: usize = 200_000;

/// How many instants make a stretch of its own worth while.
const STRETCH: usize = 1_000;

impl Schedule {
    /// Adds the moments of a joint.
    pub(super) fn add(&mut self, joint: usize, moments: Moments) {
        let start = moments.iter().take(START).map(|m| m.time.0.to_bits()).collect();
        let known = self.by_start.entry(start).or_default();
        let list = known.iter().copied().find(|list| *self.lists[*list].0 == moments).unwrap_or_else(|| {
            known.push(self.lists.len());
            self.lists.push((Arc::new(moments), Vec::new()));
            self.lists.len() - 1
        });
        self.lists[list].1.push(joint);
        self.lists_of.insert(joint, list);
    }

    /// The moments of a joint.
    pub(super) fn of(&self, joint: usize) -> Option<&Arc<Moments>> {
        self.lists_of.get(&joint).and_then(|list| self.lists.get(*list)).map(|(moments, _)| moments)
    }

    /// How many moments there are, those of different joints counted each.
    pub(super) fn moments(&self) -> usize {
        self.lists.iter().map(|(moments, joints)| moments.most() * joints.len()).sum()
    }

    /// How many instants lie in a stretch of time, those of different lists counted each.
    pub(super) fn count(&self, stretch: &Range<f64>) -> usize {
        self.lists.iter().map(|(moments, _)| moments.count(stretch)).sum()
    }

    /// Stretches of time with about as many moments each. They depend on nothing but the moments, so that whatever is measured by
    /// stretches is the same on any number of cores.
    pub(super) fn stretches(&self) -> Vec<Range<f64>> {
        let all: usize = self.lists.iter().map(|(moments, _)| moments.instants().len()).sum();
        let some = |moments: &'_ Moments| {
            moments.instants().step_by(all.div_ceil(MOST_SORTED).max(1)).collect::<Vec<_>>()
        };
        let mut instants: Vec<f64> = self.lists.iter().flat_map(|(moments, _)| some(moments)).collect();
        ascend(&mut instants);
        let count = (all / STRETCH).clamp(1, MOST_STRETCHES);
        let mut starts: Vec<f64> = (1..count).map(|n| instants[n * instants.len() / count]).collect();
        starts.dedup();
        starts.insert(0, f64::NEG_INFINITY);
        starts.push(f64::INFINITY);
        starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// Visits the moments of a stretch in order that belong to wanted joints, each with those of them whose moment it is.
    pub(super) fn each(
        &self,
        stretch: &Range<f64>,
        is_wanted: impl Fn(&usize) -> bool,
        mut visit: impl FnMut(&Moment, &mut dyn Iterator<Item = usize>),
    ) {
        let wanted: Vec<_> = self.lists.iter().filter(|(_, joints)| joints.iter().any(&is_wanted)).collect();
        let mut walks: Vec<_> = wanted.iter().map(|(moments, _)| moments.within(stretch)).collect();
        let mut next: BinaryHeap<Reverse<Due>> = BinaryHeap::with_capacity(walks.len());
        let moment = |list| move |moment| Reverse(Due { moment, list });
        next.extend(walks.iter_mut().enumerate().filter_map(|(list, walk)| walk.next().map(moment(list))));
        let mut lists = Vec::with_capacity(walks.len());
        while let Some(Reverse(first)) = next.pop() {
            lists.clear();
            lists.push(first.list);
            while let Some(Reverse(same)) = next.peek().filter(|Reverse(d)| d.moment == first.moment) {
                lists.push(same.list);
                next.pop();
            }
            next.extend(lists.iter().filter_map(|list| walks[*list].next().map(moment(*list))));
            let joints = lists.iter().flat_map(|list| &wanted[*list].1);
            visit(&first.moment, &mut joints.copied().filter(&is_wanted));
        }
    }
}

/// The next moment of a list.
#[derive(Clone, Copy, PartialEq)]
struct Due {
    moment: Moment,
    list: usize,
}

impl Due {
    fn rank(&self) -> (u8, bool, usize) {
        let side = match self.moment.side {
            Side::Before => 0,
            Side::At => 1,
            Side::After => 2,
        };
        (side, self.moment.is_end, self.list)
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = self.moment.time.0.total_cmp(&other.moment.time.0);
        by_time.then_with(|| self.rank().cmp(&other.rank()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Channel, Curve, Law, Laws, Property, Times};

    fn moments(times: &[f64]) -> Moments {
        let values = (0..times.len()).map(|key| key as f32).collect();
        let curve = Curve::new(Times::Seconds(times.into()), 1, values, Laws::uniform(Law::LINEAR));
        Moments::of([&mut [Channel::whole(Property::Weight, curve)].iter(), &mut [].iter()], 2.0)
    }

    #[test]
    fn moments_come_in_order_with_all_whose_they_are() {
        let mut schedule = Schedule::default();
        schedule.add(0, moments(&[0.0, 2.0]));
        schedule.add(1, moments(&[0.0, 1.0, 2.0]));
        schedule.add(2, moments(&[0.0, 2.0]));
        assert_eq!(schedule.lists.len(), 2, "the same moments are kept once");
        let mut seen: Vec<(f64, Vec<usize>)> = Vec::new();
        schedule.each(
            &(f64::NEG_INFINITY..f64::INFINITY),
            |_| true,
            |moment, joints| {
                let mut joints: Vec<_> = joints.collect();
                joints.sort_unstable();
                seen.push((moment.time.0, joints));
            },
        );
        assert!(seen.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!((&seen[0].1[..], &seen[seen.len() - 1].1[..]), (&[0, 1, 2][..], &[0, 1, 2][..]));
        assert_eq!(seen.iter().filter(|(_, joints)| joints.contains(&0)).count(), 2 + 8);
        assert_eq!(seen.iter().filter(|(_, joints)| joints.contains(&1)).count(), 3 + 16);
    }

    #[test]
    fn stretches_are_all_time() {
        let times: Vec<f64> = (0..=8000).map(|key| f64::from(key) / 4000.0).collect();
        let mut schedule = Schedule::default();
        schedule.add(0, moments(&times));
        let all = schedule.stretches();
        assert_eq!(all.len(), 8);
        assert!(all[0].start == f64::NEG_INFINITY && all[7].end == f64::INFINITY);
        assert!(all.windows(2).all(|pair| pair[0].end == pair[1].start));
    }
}
