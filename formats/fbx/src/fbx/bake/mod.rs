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

use super::document::{Document, Look, LookKind, MorphChannel, Take};
use super::play::{AnimatedProperty, Player, TransformChain};
use clock::Clock;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    Channel, Curve, Law, NodeIndex, Property, SolvedChannel, Target, TargetKind, Track, Transform,
};
use dopesheet_core::units::Seconds;
use morphs::MorphWeights;
use path::{Path, padded};
use refine::Refiner;
use std::collections::HashSet;
use times::key_times;

/// Tracks of a take.
#[derive(Default)]
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
    let (refiner, clock) = (Refiner::new(take, left, options.counts_alone), Clock::of(take));
    let (stored, baked) = (options.literal_angles, BakedTake::default());
    let mut baker = Baker { document, take, player, stored, refiner, clock, baked };
    take.motions.iter().for_each(|chain| baker.joint(chain, shells));
    let weights: Vec<MorphWeights<'_>> = take.weights.iter().map(|channel| baker.weights(channel)).collect();
    baker.baked.tracks.extend(morphs::tracks(&weights, &document.still, &mut baker.clock));
    take.looks.iter().for_each(|look| baker.look(look));
    BakedTake { account: baker.refiner.account, ..baker.baked }
}

/// Sources and result of a take.
struct Baker<'a> {
    document: &'a Document,
    take: &'a Take,
    player: Player<'a>,
    /// True if the stored curves count between the frames of recordings.
    stored: bool,
    refiner: Refiner<'a>,
    clock: Clock,
    baked: BakedTake,
}

impl<'a> Baker<'a> {
    /// Adds the track of a node.
    fn joint(&mut self, chain: &TransformChain, shells: &HashSet<NodeIndex>) {
        let player = self.player;
        let rest = self.document.still.node(chain.node).map_or(Transform::IDENTITY, |node| node.rest);
        let translation = |time_s| padded(chain.translation_at(&player, time_s));
        let rotation = |time_s| chain.rotation_at(&player, time_s);
        let scale = |time_s| padded(chain.scale_at(&player, time_s));
        let [places, turns, scales] = chain.sources();
        let channels = [
            self.course(Property::Translation, chain, &places, padded(rest.translation), &translation),
            self.course(Property::Rotation, chain, &turns, rest.rotation, &rotation),
            self.course(Property::Scale, chain, &scales, padded(rest.scale), &scale),
        ];
        let channels: Vec<Channel> = channels.into_iter().flatten().collect();
        if shells.contains(&chain.node) {
            let curves = channels.iter().flat_map(|channel| channel.composition.curves());
            let varies =
                |values: &[f32], width| values.iter().zip(values.iter().skip(width)).any(|(a, b)| a != b);
            let mut moving = curves.filter(|curve| varies(&curve.values, curve.width));
            self.baked.moving_shells += usize::from(moving.next().is_some());
        } else if !channels.is_empty() {
            self.baked.tracks.push(Track { target: self.target(TargetKind::Joint, chain.node), channels });
        }
    }

    /// Channel of a node's property by its sources, of which the first has the property's name; `None` if nothing moves it.
    fn course(
        &mut self,
        property: Property,
        chain: &TransformChain,
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
        let times = key_times(&self.player, sources, 1);
        if times.is_empty() {
            let begin = path.key(self.take.begin.0);
            let is_animated = sources.iter().any(|source| source.is_animated());
            let moves = is_animated && path.apart(begin.value, rest) > ROUNDING;
            self.refiner.account.keys += usize::from(moves);
            return moves.then(|| self.channel(property, &[begin], kind));
        }
        let name = self.name(chain.node);
        let frames = if self.stored { None } else { times::recorded(&self.player, sources, self.take) };
        if let Some(frames) = frames {
            let keys = self.refiner.record(name, &frames, path);
            return Some(self.channel(property, &keys, kind));
        }
        let exact = exact::channel(&property, chain, self.player, self.take, &mut self.clock);
        if let Some(channel) = exact {
            self.refiner.account.keys += channel.composition.curves().map(Curve::len).sum::<usize>();
            return Some(channel);
        }
        let (keys, is_made) = self.refiner.refine(name, &times, path);
        if is_made {
            self.baked.solved.insert(SolvedChannel { node: chain.node, property: property.clone() });
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

    fn name(&self, node: NodeIndex) -> &'a str {
        self.document.still.node(node).map_or("", |node| &node.name)
    }

    fn target(&self, kind: TargetKind, node: NodeIndex) -> Target {
        Target::new(kind, self.name(node), node.0, Some(node))
    }

    /// Weights of the shapes of a channel.
    fn weights<'b>(&mut self, channel: &'b MorphChannel) -> MorphWeights<'b> {
        let player = self.player;
        let at = |time_s| padded([player.at(&channel.percent, time_s)[0] / 100.0]);
        let times = key_times(&player, &[&channel.percent], 1);
        let (keys, _) = self.refiner.refine(&channel.name, &times, self.path(Kind::Number, &at));
        MorphWeights { channel, keys: morphs::with_turns(&channel.shapes, keys) }
    }

    /// Adds a number or colour of a camera, a light, a switch or a material. Colour and intensity of a light are in the same track, and
    /// so are both colours of a material.
    fn look(&mut self, look: &Look) {
        let (player, still, index) = (self.player, &self.document.still, look.index);
        let sources: Vec<&AnimatedProperty> = look.sources.iter().map(|(_, source)| source).collect();
        let at = |time_s| {
            let moved = |name: &str| {
                let moving = look.sources.iter().find(|(source, _)| *source == name);
                moving.map(|(_, property)| player.at(property, time_s))
            };
            let numbers = || player.at(sources[0], time_s);
            match look.kind {
                LookKind::YFov(optics) => padded([optics.yfov_rad(numbers()[0])]),
                LookKind::Intensity => padded([(numbers()[0] / 100.0).max(0.0)]),
                LookKind::Color => padded(numbers().map(|part| part.clamp(0.0, 1.0))),
                LookKind::Visible => padded([numbers()[0]]),
                LookKind::BaseColor(paint) => paint.base(&moved),
                LookKind::Emission(paint) => padded(paint.emission(&moved)),
            }
        };
        let (property, kind, width) = match look.kind {
            LookKind::YFov(_) => (Property::YFov, TargetKind::Camera, 1),
            LookKind::Intensity => (Property::Intensity, TargetKind::Light, 1),
            LookKind::Color => (Property::Color, TargetKind::Light, 3),
            LookKind::Visible => (Property::Visible, TargetKind::Custom, 1),
            LookKind::BaseColor(_) => (Property::BASE_COLOR, TargetKind::Custom, 4),
            LookKind::Emission(_) => (Property::EMISSIVE, TargetKind::Custom, 3),
        };
        let target = match look.kind {
            LookKind::BaseColor(_) | LookKind::Emission(_) => {
                let name = still.materials.get(index).map_or("", |material| &material.name);
                Target::new(kind, name, index, None)
            }
            _ => self.target(kind, NodeIndex(index)),
        };
        let times = key_times(&player, &sources, sources.len());
        let (mut keys, _) = self.refiner.refine(&target.name, &times, self.path(Kind::Number, &at));
        let mut law = Law::LINEAR;
        match look.kind {
            LookKind::BaseColor(_) if keys.iter().any(|key| key.value[3] < 1.0) => {
                self.baked.translucent.push(index);
            }
            LookKind::Visible => (keys, law) = (switched(&keys), Law::STEP),
            _ => {}
        }
        let curve = self.clock.curve(&keys, width, law);
        self.add(Channel::whole(property, curve), target);
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
