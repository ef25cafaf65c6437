//! Key times shared by channels: a list of times costs room too, so dropping a few keys of one channel may
//! cost more than it saves.

use crate::keys::reduce::with_keys;
use dopesheet_core::format::KeyCost;
use dopesheet_core::model::{Channel, Clip, Composition, Curve, Law, Times, ValueKind};

/// Most channels whose key times are compared with each other; of more channels, each only gets all keys or
/// its own.
const MOST_COMPARED: usize = 512;

/// Gives channels of a formerly common list of key times a few common lists again, where these take less
/// room.
///
/// `source` is the clip before keys were dropped.
pub(in crate::conform) fn share(source: &Clip, clip: &mut Clip, cost: &KeyCost) {
    let mut groups: Vec<(&Times, Vec<Member<'_>>)> = Vec::new();
    for (track, (before, after)) in source.tracks.iter().zip(&clip.tracks).enumerate() {
        for (channel, reduced) in after.channels.iter().enumerate() {
            let Some(member) = member(before.channels.as_slice(), reduced, [track, channel], cost) else {
                continue;
            };
            let times = &member.curve.times;
            match groups.iter_mut().find(|(own, _)| own.is_same_list(times) || *own == times) {
                Some((_, members)) => members.push(member),
                None => groups.push((times, vec![member])),
            }
        }
    }
    for (times, members) in groups {
        let lists = lists(times.len(), &members, cost);
        for list in &lists {
            give(list, &members, clip);
        }
    }
}

/// A channel with a part of its former keys.
struct Member<'a> {
    curve: &'a Curve,
    position: [usize; 2],
    keys: KeySet,
    /// Bytes of a value.
    value: f64,
}

/// A subset of the keys of a list.
#[derive(Clone, Debug, PartialEq)]
struct KeySet(Vec<u64>);

impl KeySet {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn all(count: usize) -> Self {
        let mut keys = Self::none(count);
        (0..count).for_each(|key| keys.add(key));
        keys
    }

    fn add(&mut self, key: usize) {
        if let Some(word) = self.0.get_mut(key / 64) {
            *word |= 1 << (key % 64);
        }
    }

    fn len(&self) -> f64 {
        f64::from(self.0.iter().map(|word| word.count_ones()).sum::<u32>())
    }

    fn len_with(&self, other: &Self) -> f64 {
        f64::from(self.0.iter().zip(&other.0).map(|(a, b)| (a | b).count_ones()).sum::<u32>())
    }

    fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn list(&self) -> Vec<usize> {
        let has = |key: &usize| self.0.get(key / 64).is_some_and(|word| word >> (key % 64) & 1 == 1);
        (0..self.0.len().saturating_mul(64)).filter(has).collect()
    }
}

/// Keys, and the channels with these keys.
struct SharedKeys {
    keys: KeySet,
    members: Vec<usize>,
    /// Bytes of the values of a key.
    values: f64,
}

impl SharedKeys {
    fn join(&mut self, other: Self) {
        self.keys.join(&other.keys);
        self.members.extend(other.members);
        self.values += other.values;
    }

    fn cost(&self, keys: f64, cost: &KeyCost) -> f64 {
        keys * (cost.time + self.values) + cost.list
    }
}

/// A straight channel whose keys are a subset of the keys of its source channel.
fn member<'a>(
    before: &'a [Channel],
    after: &Channel,
    position: [usize; 2],
    cost: &KeyCost,
) -> Option<Member<'a>> {
    let source = before.iter().find(|channel| channel.property == after.property)?;
    let (Composition::Whole(curve), Composition::Whole(kept)) = (&source.composition, &after.composition)
    else {
        return None;
    };
    let is_straight = |curve: &Curve| curve.laws.all(|law| law == Law::LINEAR || law == Law::SLERP);
    if kept.len() < 2 || kept.width != curve.width || !is_straight(curve) || !is_straight(kept) {
        return None;
    }
    let mut keys = KeySet::none(curve.len());
    let mut next = 0;
    for key in 0..kept.len() {
        let same =
            |at: &usize| curve.times.get(*at) == kept.times.get(key) && curve.value(*at) == kept.value(key);
        let index = (next..curve.len()).find(same)?;
        keys.add(index);
        next = index.saturating_add(1);
    }
    let rotates = after.property.kind() == ValueKind::Rotation;
    let value = if rotates { cost.rotation } else { cost.number * curve.width as f64 };
    Some(Member { curve, position, keys, value })
}

/// The lists that take least room, approximately: starting from a list for each channel, the two lists whose
/// union saves most are joined, again and again.
fn lists(count: usize, members: &[Member<'_>], cost: &KeyCost) -> Vec<SharedKeys> {
    let mut lists: Vec<SharedKeys> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        match lists.iter_mut().find(|list| list.keys == member.keys) {
            Some(list) => {
                list.members.push(index);
                list.values += member.value;
            }
            None => {
                lists.push(SharedKeys {
                    keys: member.keys.clone(),
                    members: vec![index],
                    values: member.value,
                });
            }
        }
    }
    let plain = all_or_own(count, members, cost);
    if lists.len() > MOST_COMPARED {
        return plain;
    }
    join(&mut lists, cost);
    let room = |lists: &[SharedKeys]| lists.iter().map(|list| list.cost(list.keys.len(), cost)).sum::<f64>();
    if room(&plain) < room(&lists) { plain } else { lists }
}

/// All keys for every channel, except for channels whose separate list takes less room.
fn all_or_own(count: usize, members: &[Member<'_>], cost: &KeyCost) -> Vec<SharedKeys> {
    let mut all = SharedKeys { keys: KeySet::all(count), members: Vec::new(), values: 0.0 };
    let mut lists = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let alone = SharedKeys { keys: member.keys.clone(), members: vec![index], values: member.value };
        if alone.cost(alone.keys.len(), cost) < count as f64 * member.value {
            lists.push(alone);
        } else {
            all.members.push(index);
            all.values += member.value;
        }
    }
    if !all.members.is_empty() {
        lists.push(all);
    }
    lists
}

fn join(lists: &mut Vec<SharedKeys>, cost: &KeyCost) {
    let gain = |a: &SharedKeys, b: &SharedKeys| {
        let joined = a.keys.len_with(&b.keys) * (cost.time + a.values + b.values) + cost.list;
        a.cost(a.keys.len(), cost) + b.cost(b.keys.len(), cost) - joined
    };
    let best_of = |lists: &[SharedKeys], (index, own): (usize, &SharedKeys)| {
        let partners = lists.iter().enumerate().filter(|(other, _)| *other != index);
        let gains = partners.map(|(other, list)| (gain(own, list), other));
        gains.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, index))
    };
    let mut best: Vec<(f64, usize)> = lists.iter().enumerate().map(|own| best_of(lists, own)).collect();
    while let Some((first, (saved, second))) =
        best.iter().copied().enumerate().max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0))
    {
        let (keep, gone) = (first.min(second), first.max(second));
        if saved <= 0.0 || keep == gone {
            return;
        }
        let other = lists.swap_remove(gone);
        best.swap_remove(gone);
        if let Some(kept) = lists.get_mut(keep) {
            kept.join(other);
        }
        let (Some(kept), moved) = (lists.get(keep), lists.len()) else { return };
        for ((index, own), best) in lists.iter().enumerate().zip(&mut best) {
            let (gain_before, partner) = *best;
            if index == keep || partner == keep || partner == gone {
                *best = best_of(lists, (index, own));
                continue;
            }
            let partner = if partner == moved { gone } else { partner };
            let with_new = gain(own, kept);
            *best = if with_new > gain_before { (with_new, keep) } else { (gain_before, partner) };
        }
    }
}

/// Gives the channels of a list its keys.
fn give(list: &SharedKeys, members: &[Member<'_>], clip: &mut Clip) {
    let keys = list.keys.list();
    let mut shared: Option<Times> = None;
    for member in list.members.iter().filter_map(|index| members.get(*index)) {
        let [track, channel] = member.position;
        let Some(channel) = clip.tracks.get_mut(track).and_then(|t| t.channels.get_mut(channel)) else {
            continue;
        };
        let mut curve = with_keys(member.curve, &keys);
        curve.times = shared.get_or_insert(curve.times).clone();
        channel.composition = Composition::Whole(curve);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::Laws;

    const COST: KeyCost = KeyCost { time: 4.0, list: 100.0, rotation: 8.0, number: 4.0 };

    fn curve(count: usize) -> Curve {
        let times: Vec<f64> = (0..count).map(|n| n as f64).collect();
        Curve::new(Times::Seconds(times.into()), 1, vec![0.0; count], Laws::uniform(Law::LINEAR))
    }

    fn lengths(count: usize, kept: &[Vec<usize>]) -> Vec<(usize, usize)> {
        let curve = curve(count);
        let member = |kept: &Vec<usize>| {
            let mut keys = KeySet::none(count);
            kept.iter().for_each(|key| keys.add(*key));
            Member { curve: &curve, position: [0, 0], keys, value: 8.0 }
        };
        let members: Vec<_> = kept.iter().map(member).collect();
        let lists = lists(count, &members, &COST);
        let mut lengths: Vec<_> = lists.iter().map(|l| (l.keys.list().len(), l.members.len())).collect();
        lengths.sort_unstable();
        lengths
    }

    #[test]
    fn a_few_dropped_keys_are_not_worth_a_list() {
        let without = |gone: usize| (0..200).filter(|key| *key != gone).collect();
        assert_eq!(lengths(200, &[without(3), without(7), without(190)]), [(200, 3)]);
    }

    #[test]
    fn many_dropped_keys_are() {
        let few: Vec<usize> = (0..200).step_by(50).collect();
        assert_eq!(lengths(200, &[(0..200).collect(), few]), [(4, 1), (200, 1)]);
    }

    #[test]
    fn families_share_a_list() {
        let every = |step: usize| -> Vec<usize> { (0..1000).step_by(step).collect() };
        let kept = [every(2), every(20), every(2), every(20)];
        assert_eq!(lengths(1000, &kept), [(50, 2), (500, 2)]);
        let nearly = |gone: usize| every(2).into_iter().filter(|key| *key != gone).collect();
        assert_eq!(lengths(1000, &[nearly(30), every(20), nearly(500), every(20)]), [(50, 2), (500, 2)]);
    }
}
