//! Takes to tracks: what a scene holds unchanged stays; recordings become their frames; the rest gets as many straight segments as the
//! tolerances need.

mod clock;
mod exact;
mod morphs;
mod path;
mod refine;
mod times;

pub(super) use path::Kind;
pub use path::{TOLERANCE_M, TOLERANCE_RAD, TOLERANCE_RATIO};
pub(super) use refine::{MOST_BESIDES, MOST_SEGMENTS, ROUNDING};

use super::document::{Document, Look, LookKind, MorphChannel, NodeMotion, Take, Tint};
use super::play::{AnimatedProperty, Player};
use clock::Clock;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    Channel, Law, NodeIndex, Property, SolvedChannel, Target, TargetKind, Track, Transform,
};
use dopesheet_core::units::Seconds;
use morphs::MorphWeights;
use path::{Path, padded};
use refine::Refiner;
use std::collections::HashSet;
use times::KeyTimes;

/// Tracks of a take.
pub(super) struct BakedTake {
    pub(super) tracks: Vec<Track>,
    /// Channels with keys that nobody authored.
    pub(super) solved: HashSet<SolvedChannel>,
    /// Number of nodes that move without effect.
    pub(super) moving_shells: usize,
    /// Positions of the materials that get translucent.
    pub(super) translucent: Vec<usize>,
    /// Account of the keys.
    pub(super) account: Account,
}

/// A value at a time, of up to four numbers. Between two keys the value runs straight, and rotations the shorter way; two keys at the same
/// time are a jump, and the later key counts at this time. A value for a single instant has the next key a tick of the file's clock later.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    /// Time on the clock of the file, in seconds.
    time_s: f64,
    value: [f64; 4],
}

/// Account of keys: those added between the keys of the file, because a scene cannot hold the curves, layers and angles of the file,
/// and errors by [`Kind`].
#[derive(Default)]
pub(super) struct Account {
    /// Number of keys of all channels together.
    pub(super) keys: usize,
    /// Number of added keys, absent from the file.
    pub(super) inserted: usize,
    /// Largest errors of straight segments.
    pub(super) straight: [LargestError; 3],
    /// Largest differences of the stored curves between the frames of recordings.
    pub(super) between: [LargestError; 3],
    /// Largest differences of recordings from the constant values that they became.
    pub(super) noise: [LargestError; 3],
}

/// A largest error, with its node and its time.
#[derive(Default)]
pub(super) struct LargestError {
    /// Number of properties with an error.
    pub(super) properties: usize,
    pub(super) value: f64,
    /// Name of the node.
    pub(super) target: String,
    /// Time on the clock of the file.
    pub(super) time: Seconds,
}

/// Tracks of a take, without those of `shells`, whose places have no effect. `left` is the number of keys that may still be added for all
/// takes together.
pub(super) fn take(
    document: &Document,
    take: &Take,
    shells: &HashSet<NodeIndex>,
    left: &mut usize,
    options: &ToScene,
) -> BakedTake {
    let player = Player {
        curves: &document.curves,
        layers: &take.layers,
        ticks_per_s: document.header.ticks_per_second,
    };
    let baked = BakedTake {
        tracks: Vec::new(),
        solved: HashSet::new(),
        moving_shells: 0,
        translucent: Vec::new(),
        account: Account::default(),
    };
    let (refiner, clock) = (Refiner::new(take, *left, options.counts_alone), Clock::of(take));
    let stored = options.literal_angles;
    let mut baker = Baker { document, take, player, stored, refiner, clock, baked };
    take.motions.iter().for_each(|motion| baker.joint(motion, shells));
    let weights: Vec<MorphWeights> = take.weights.iter().flat_map(|channel| baker.weights(channel)).collect();
    baker.baked.tracks.extend(morphs::tracks(&weights, &document.still, &mut baker.clock));
    take.looks.iter().for_each(|look| baker.look(look));
    take.tints.iter().for_each(|tint| baker.tint(tint));
    let (account, keys_left) = baker.refiner.finish();
    *left = keys_left;
    BakedTake { account, ..baker.baked }
}

/// Sources and result of a take.
struct Baker<'a> {
    document: &'a Document,
    take: &'a Take,
    player: Player<'a>,
    /// True if the stored curves count between the frames of recordings.
    stored: bool,
    refiner: Refiner,
    clock: Clock,
    baked: BakedTake,
}

impl Baker<'_> {
    /// Adds the track of a node.
    fn joint(&mut self, motion: &NodeMotion, shells: &HashSet<NodeIndex>) {
        let (player, chain) = (self.player, &motion.chain);
        let rest = self.document.still.node(motion.node).map_or(Transform::IDENTITY, |node| node.rest);
        let translation = |time_s| padded(chain.translation_at(&player, time_s));
        let rotation = |time_s| chain.rotation_at(&player, time_s);
        let scale = |time_s| padded(chain.scale_at(&player, time_s));
        let [places, turns, scales] = chain.sources();
        let channels = [
            self.course(Property::Translation, motion, &places, padded(rest.translation), &translation),
            self.course(Property::Rotation, motion, &turns, rest.rotation, &rotation),
            self.course(Property::Scale, motion, &scales, padded(rest.scale), &scale),
        ];
        let channels: Vec<Channel> = channels.into_iter().flatten().collect();
        if shells.contains(&motion.node) {
            let curves = channels.iter().flat_map(|channel| channel.composition.curves());
            let varies =
                |values: &[f32], width| values.iter().zip(values.iter().skip(width)).any(|(a, b)| a != b);
            let mut moving = curves.filter(|curve| varies(&curve.values, curve.width));
            self.baked.moving_shells += usize::from(moving.next().is_some());
        } else if !channels.is_empty() {
            self.baked.tracks.push(Track { target: self.target(TargetKind::Joint, motion.node), channels });
        }
    }

    /// Channel of a node's property by its sources, of which the first has the property's name; `None` if nothing moves it.
    fn course(
        &mut self,
        property: Property,
        motion: &NodeMotion,
        sources: &[&AnimatedProperty],
        rest: [f64; 4],
        at: &dyn Fn(f64) -> [f64; 4],
    ) -> Option<Channel> {
        let kind = match property {
            Property::Translation => Kind::Place,
            Property::Rotation => Kind::Rotation,
            _ => Kind::Number,
        };
        let path = self.path(kind, at);
        let times = KeyTimes::of(&self.player, sources);
        if times.is_empty() {
            let begin = path.key(self.take.begin.0);
            let is_animated = sources.iter().any(|source| source.is_animated());
            let moves = is_animated && path.apart(begin.value, rest) > ROUNDING;
            self.refiner.count(usize::from(moves));
            return moves.then(|| self.channel(property, &[begin], kind));
        }
        let name = self.name(motion.node).to_owned();
        let frames = if self.stored { None } else { times::recorded(&self.player, sources, self.take) };
        if let Some(frames) = frames {
            let keys = self.refiner.record(&name, &frames, path);
            return Some(self.channel(property, &keys, kind));
        }
        if let Some(channel) =
            exact::channel(&property, &motion.chain, self.player, self.take, &mut self.clock)
        {
            self.refiner.count(channel.composition.curves().map(dopesheet_core::model::Curve::len).sum());
            return Some(channel);
        }
        let (keys, is_made) = self.refiner.refine(&name, &times, path);
        if is_made {
            self.baked.solved.insert(SolvedChannel { node: motion.node, property: property.clone() });
        }
        Some(self.channel(property, &keys, kind))
    }

    fn path<'b>(&self, kind: Kind, at: &'b dyn Fn(f64) -> [f64; 4]) -> Path<'b> {
        Path { kind, at, unit_m: self.document.still.basis.metres_per_unit.unwrap_or(1.0) }
    }

    fn channel(&mut self, property: Property, keys: &[Key], kind: Kind) -> Channel {
        let (width, law) = if kind == Kind::Rotation { (4, Law::SLERP) } else { (3, Law::LINEAR) };
        Channel::whole(property, self.clock.curve(keys, width, law))
    }

    fn name(&self, node: NodeIndex) -> &str {
        self.document.still.node(node).map_or("", |node| &node.name)
    }

    fn target(&self, kind: TargetKind, node: NodeIndex) -> Target {
        Target::new(kind, self.name(node), node.0, Some(node))
    }

    /// Weights of the morphs of a channel.
    fn weights(&mut self, channel: &MorphChannel) -> Vec<MorphWeights> {
        let player = self.player;
        let at = |time_s| padded([player.at(&channel.percent, time_s)[0] / 100.0]);
        let times = KeyTimes::of(&player, &[&channel.percent]);
        let (keys, _) = self.refiner.refine(&channel.name, &times, self.path(Kind::Number, &at));
        let shapes = morphs::split(&channel.shapes, &keys).into_iter().enumerate();
        let weights = |(shape, keys)| MorphWeights {
            nodes: channel.nodes.clone(),
            morph: channel.first_morph + shape,
            keys,
        };
        shapes.map(weights).collect()
    }

    /// Adds a number or colour of a camera, a light or a switch. Colour and intensity of a light are in the same track.
    fn look(&mut self, look: &Look) {
        let player = self.player;
        let at = |time_s| {
            let numbers = player.at(&look.values, time_s);
            match look.kind {
                LookKind::YFov(optics) => padded([optics.yfov_rad(numbers[0])]),
                LookKind::Intensity => padded([(numbers[0] / 100.0).max(0.0)]),
                LookKind::Color => padded(numbers.map(|part| part.clamp(0.0, 1.0))),
                LookKind::Visible => padded([numbers[0]]),
            }
        };
        let times = KeyTimes::of(&player, &[&look.values]);
        let name = self.name(look.node).to_owned();
        let (keys, _) = self.refiner.refine(&name, &times, self.path(Kind::Number, &at));
        let mut curve = |width, law| self.clock.curve(&keys, width, law);
        let (kind, property, curve) = match look.kind {
            LookKind::YFov(_) => (TargetKind::Camera, Property::YFov, curve(1, Law::LINEAR)),
            LookKind::Intensity => (TargetKind::Light, Property::Intensity, curve(1, Law::LINEAR)),
            LookKind::Color => (TargetKind::Light, Property::Color, curve(3, Law::LINEAR)),
            LookKind::Visible => {
                (TargetKind::Custom, Property::Visible, self.clock.curve(&switched(&keys), 1, Law::STEP))
            }
        };
        self.add(Channel::whole(property, curve), self.target(kind, look.node));
    }

    /// Adds a colour of a material, as a function of moving properties.
    fn tint(&mut self, tint: &Tint) {
        let player = self.player;
        let at = |time_s| {
            let moved = |name: &str| {
                let moving = tint.sources.iter().find(|(source, _)| *source == name);
                moving.map(|(_, property)| player.at(property, time_s))
            };
            if tint.is_emission { padded(tint.paint.emission(&moved)) } else { tint.paint.base(&moved) }
        };
        let sources: Vec<&AnimatedProperty> = tint.sources.iter().map(|(_, property)| property).collect();
        let times = KeyTimes::of_all(&player, &sources);
        let material = self.document.still.materials.get(tint.material);
        let name = material.map_or("", |material| &material.name);
        let (keys, _) = self.refiner.refine(name, &times, self.path(Kind::Number, &at));
        if !tint.is_emission && keys.iter().any(|key| key.value[3] < 1.0) {
            self.baked.translucent.push(tint.material);
        }
        let (property, width) =
            if tint.is_emission { (Property::EMISSIVE, 3) } else { (Property::BASE_COLOR, 4) };
        let channel = Channel::whole(property, self.clock.curve(&keys, width, Law::LINEAR));
        self.add(channel, Target::new(TargetKind::Custom, name, tint.material, None));
    }

    /// Adds a channel to the track of its target.
    fn add(&mut self, channel: Channel, target: Target) {
        match self.baked.tracks.iter_mut().find(|track| track.target == target) {
            Some(track) => track.channels.push(channel),
            None => self.baked.tracks.push(Track { target, channels: vec![channel] }),
        }
    }
}

/// Visibility from which on a node is seen: half of the way between hidden and shown.
const SEEN: f64 = 0.5;

/// The times of a visibility's passes through [`SEEN`], after the state at its first key.
fn switched(keys: &[Key]) -> Vec<Key> {
    let is_seen = |key: &Key| key.value[0] >= SEEN;
    let state = |seen: bool| padded([f64::from(u8::from(seen))]);
    let first = keys.first().map(|key| Key { value: state(is_seen(key)), ..*key });
    let passes = keys.windows(2).filter(|pair| is_seen(&pair[0]) != is_seen(&pair[1])).map(|pair| {
        let (from, to) = (pair[0], pair[1]);
        let share = (SEEN - from.value[0]) / (to.value[0] - from.value[0]);
        Key { time_s: from.time_s + (to.time_s - from.time_s) * share, value: state(is_seen(&to)) }
    });
    first.into_iter().chain(passes).collect()
}
