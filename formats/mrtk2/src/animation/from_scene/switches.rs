//! Switches of the hands: tracked and pinching.

use super::Writer;
use super::places::{FileSlot, Names};
use super::rows::narrow;
use crate::animation::document::{Key, SwitchCurve, Wrap};
use crate::animation::names::Hand;
use crate::animation::to_scene::{PINCH, TRACKED, group_name};
use crate::animation::wrap;
use dopesheet_core::model::{Composition, Curve, JumpSide, NodeIndex, Outside, Property, TargetKind, Track};
use dopesheet_core::units::Seconds;

/// True if a track is a switch of a hand.
pub(super) fn is_switch(track: &Track) -> bool {
    Hand::BOTH
        .into_iter()
        .any(|hand| [TRACKED, PINCH].into_iter().any(|what| curve(track, hand, what).is_some()))
}

/// The curve of a hand's switch, if the track contains it.
fn curve<'a>(track: &'a Track, hand: Hand, what: &str) -> Option<&'a Curve> {
    let label = format!("{}.hand", hand.word());
    if track.target.kind != TargetKind::Hand || track.target.label() != label {
        return None;
    }
    let named = |property: &Property| matches!(property, Property::Named(name) if name == what);
    let channel = track.channels.iter().find(|channel| named(&channel.property))?;
    match &channel.composition {
        Composition::Whole(curve) if !curve.is_empty() => Some(curve),
        _ => None,
    }
}

impl Writer<'_, '_> {
    /// Writes the switches: from the tracks of the hands; or else from the nodes that represent the switches;
    /// or else a hand counts as tracked if it moves.
    pub(super) fn switches(&mut self) {
        for hand in Hand::BOTH {
            for what in [TRACKED, PINCH] {
                let stored = self.clip.tracks.iter().find_map(|track| curve(track, hand, what));
                let keys =
                    stored.map(keys).or_else(|| self.active(hand, what)).or_else(|| self.shown(hand, what));
                if let Some(keys) = keys.or_else(|| self.supposed(hand, what)) {
                    let hands = self.document.hands.get_or_insert_default();
                    let curves = if what == PINCH { &mut hands.pinch } else { &mut hands.tracked };
                    let mode = |outside: fn(&Curve) -> &Outside| {
                        stored.map_or(Wrap::CLAMP.before, |curve| wrap::mode(outside(curve)))
                    };
                    let wrap =
                        Wrap { before: mode(|curve| &curve.before), after: mode(|curve| &curve.after) };
                    curves[hand as usize] = SwitchCurve { wrap, keys };
                }
            }
        }
    }

    /// Keys of a hand's switch, by the visibility of its node or of the node for the pinch; `None` if the
    /// clip has no such channel.
    fn active(&mut self, hand: Hand, what: &'static str) -> Option<Vec<Key>> {
        let is_shown =
            |track: &&Track| track.channels.iter().any(|channel| channel.property == Property::Visible);
        let is_it = |node: NodeIndex| match what {
            TRACKED => self.scene.nodes.get(node.0).is_some_and(|stored| stored.name == group_name(hand)),
            _ => Names::get().find_node(self.scene, node) == Some(FileSlot::Switch(hand, what)),
        };
        let mut tracks = self.clip.tracks.iter().filter(is_shown);
        let track = tracks.find(|track| track.target.node.is_some_and(is_it))?;
        let channel = track.channels.iter().find(|channel| channel.property == Property::Visible)?;
        let Composition::Whole(curve) = &channel.composition else { return None };
        let node = track.target.node.filter(|_| !curve.is_empty())?;
        self.used.insert(node);
        Some(keys(curve))
    }

    /// The scale of the node for a switch.
    fn shown(&mut self, hand: Hand, what: &'static str) -> Option<Vec<Key>> {
        let nodes = Names::get().nodes(self.scene, |node| self.motion.moves(node));
        let (_, node) = nodes.into_iter().find(|(slot, _)| *slot == FileSlot::Switch(hand, what))?;
        self.used.insert(node);
        let scale = self.motion.local(node).scale?;
        let name = self.scene.node(node).map_or("", |stored| &stored.name);
        let does = if what == PINCH { "pinches" } else { "is tracked" };
        self.report.kept(format!("the scale of {name}, as whether the {} hand {does}", hand.word()));
        Some(keys(scale))
    }

    fn supposed(&self, hand: Hand, what: &str) -> Option<Vec<Key>> {
        let hands = self.document.hands.as_ref().filter(|_| what == TRACKED)?;
        let moves = hands.joints[hand as usize].iter().any(|pose| !pose.is_absent());
        moves.then(|| vec![Key { time: 0.0, value: 1.0 }])
    }
}

/// A key at the first time and at each change, and, for a repeated curve, at the last time. The first number
/// of a value counts; above 0.5 is true.
fn keys(curve: &Curve) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    let value = |key: usize| curve.value(key).and_then(<[f32]>::first).is_some_and(|v| *v > 0.5);
    let repeats = [&curve.before, &curve.after].iter().any(|outside| **outside != Outside::Hold);
    for (at, Seconds(time)) in curve.times.iter().enumerate() {
        let mut key = Key { time: narrow(time), value: f32::from(u8::from(value(at))) };
        match (keys.last(), curve.jump) {
            (Some(last), JumpSide::Before) if last.time >= key.time => key.time = last.time.next_up(),
            (Some(last), JumpSide::After) if last.time == key.time => drop(keys.pop()),
            _ => {}
        }
        let is_end = repeats && at + 1 == curve.len();
        if is_end || keys.last().is_none_or(|last| last.value != key.value) {
            keys.push(key);
        }
    }
    keys
}
