//! Document to keys: what a scene holds unchanged stays; recordings become their frames; the rest gets as many straight segments as
//! the tolerances need.

mod lanes;
mod morphs;
mod refine;
mod times;

pub use refine::{TOLERANCE_M, TOLERANCE_RAD, TOLERANCE_RATIO};

pub(super) use refine::{MOST_BESIDES, MOST_SEGMENTS, ROUNDING};

use super::document::{Document, Look, LookKind, MorphChannel, NodeMotion, Take, Tint};
use super::play::{AnimatedProperty, Player};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{Law, NodeIndex, Transform};
use dopesheet_core::units::Seconds;
use lanes::Lanes;
use refine::{Path, Places, Ratios, Refiner, Turns};
use times::KeyTimes;

/// Keys of a take.
pub(super) struct BakedTake {
    /// Motions of nodes, in the order of the nodes.
    pub(super) motions: Vec<Motion>,
    /// Weights of morphs, each with its nodes and the position of the morph.
    pub(super) weights: Vec<MorphWeights>,
    /// Cameras, lights and visibility, in the order of the document.
    pub(super) looks: Vec<Vec<Key<3>>>,
    /// Colours of materials, in the order of the document.
    pub(super) tints: Vec<Vec<Key<4>>>,
    /// Account of the keys.
    pub(super) account: Account,
}

/// Motion of a node.
pub(super) struct Motion {
    pub(super) node: NodeIndex,
    pub(super) translation: Course<3>,
    pub(super) rotation: Course<4>,
    pub(super) scale: Course<3>,
}

/// Course of a property.
pub(super) enum Course<const N: usize> {
    /// The property does not move.
    Still,
    /// Curves of the file for each of three numbers; angles in degrees.
    Curves([Lane; 3]),
    /// Keys with straight lines between them; of rotations unit quaternions x y z w with the shorter great arc between. With true if
    /// nobody authored them.
    Keys(Vec<Key<N>>, bool),
}

/// A curve of a single number, constant before the first and after the last key.
pub(super) struct Lane {
    /// Keys, one or more.
    pub(super) keys: Vec<LaneKey>,
}

/// A key of a [`Lane`].
#[derive(Clone, Copy)]
pub(super) struct LaneKey {
    /// Time on the clock of the file, in seconds.
    pub(super) time_s: f64,
    pub(super) value: f64,
    /// Tangent towards the key before.
    pub(super) arriving: Slope,
    /// Tangent towards the next key.
    pub(super) leaving: Slope,
    /// Law of the segment up to the next key.
    pub(super) law: Law,
}

/// A tangent of a key.
#[derive(Clone, Copy)]
pub(super) struct Slope {
    /// Slope per second.
    pub(super) slope: f64,
    /// Length, as a share of the segment's.
    pub(super) weight: f64,
}

impl Slope {
    /// An unused tangent.
    pub(super) const NONE: Self = Self { slope: 0.0, weight: 1.0 / 3.0 };
}

/// Weight of a morph over time.
pub(super) struct MorphWeights {
    pub(super) nodes: Vec<NodeIndex>,
    /// Position of the morph in the mesh.
    pub(super) morph: usize,
    /// Weights; 1 is full effect.
    pub(super) keys: Vec<Key<1>>,
}

/// A value at a time. Between two keys the value runs straight; two keys at the same time are a jump, and the
/// later key counts at this time. A value for a single instant has the next key a tick of the file's clock
/// later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key<const N: usize> {
    /// Time on the clock of the file, in seconds.
    pub(super) time_s: f64,
    pub(super) value: [f64; N],
}

/// Account of keys: those added between the keys of the file, because a scene cannot hold the curves, layers and angles of the file,
/// with the largest errors of the straight segments between them; and what the curves of recordings do between their frames.
#[derive(Default)]
pub(super) struct Account {
    /// Number of keys of all channels together.
    pub(super) keys: usize,
    /// Number of added keys, absent from the file.
    pub(super) inserted: usize,
    /// Largest errors of straight segments.
    pub(super) straight: Errors,
    /// Largest differences of the stored curves between the frames of recordings.
    pub(super) between: Errors,
    /// Largest differences of recordings from the constant values that they became.
    pub(super) noise: Errors,
}

/// Largest errors by kinds of values.
#[derive(Default)]
pub(super) struct Errors {
    /// Of translations, in metres.
    pub(super) translation_m: Worst,
    /// Of rotations, in radians.
    pub(super) rotation_rad: Worst,
    /// Of scale factors, weights and colours.
    pub(super) ratio: Worst,
}

/// A largest error, with its node and its time.
#[derive(Default)]
pub(super) struct Worst {
    /// Number of properties with an error.
    pub(super) properties: usize,
    pub(super) value: f64,
    /// Name of the node.
    pub(super) target: String,
    /// Time on the clock of the file.
    pub(super) time: Seconds,
}

/// Keys of a take. `left` is the number of keys that may still be added for all takes together.
pub(super) fn take(document: &Document, take: &Take, left: &mut usize, options: &ToScene) -> BakedTake {
    let player = Player {
        curves: &document.curves,
        layers: &take.layers,
        ticks_per_s: document.header.ticks_per_second,
    };
    let unit_m = document.still.basis.metres_per_unit.unwrap_or(1.0);
    let refiner = Refiner::new(unit_m, take, *left, options.counts_alone);
    let mut baker = Baker { player, take, stored: options.literal_angles, refiner };
    let baked = BakedTake {
        motions: take.motions.iter().map(|motion| baker.motion(motion, document)).collect(),
        weights: take.weights.iter().flat_map(|channel| baker.weights(channel)).collect(),
        looks: take.looks.iter().map(|look| baker.look(look, document)).collect(),
        tints: take.tints.iter().map(|tint| baker.tint(tint, document)).collect(),
        account: Account::default(),
    };
    let (account, keys_left) = baker.refiner.finish();
    *left = keys_left;
    BakedTake { account, ..baked }
}

/// Sources and account of a take's keys.
struct Baker<'a> {
    player: Player<'a>,
    take: &'a Take,
    /// True if the stored curves count between the frames of recordings.
    stored: bool,
    refiner: Refiner,
}

impl Baker<'_> {
    fn motion(&mut self, motion: &NodeMotion, document: &Document) -> Motion {
        let (player, chain) = (self.player, &motion.chain);
        let node = document.still.node(motion.node);
        let name = node.map_or("", |node| &node.name);
        let rest = node.map_or(Transform::IDENTITY, |node| node.rest);
        let [places, turns, scales] = chain.sources();
        let lanes = Lanes::of(self.take, player);
        let translation = Places(|time_s| chain.translation_at(&player, time_s));
        let rotation = Turns(|time_s| chain.rotation_at(&player, time_s));
        let scale = Ratios(|time_s| chain.scale_at(&player, time_s));
        Motion {
            node: motion.node,
            translation: self.course(name, &places, rest.translation, lanes.translation(chain), &translation),
            rotation: self.course(name, &turns, rest.rotation, lanes.rotation(chain), &rotation),
            scale: self.course(name, &scales, rest.scale, lanes.scale(chain), &scale),
        }
    }

    /// Course of a property by its sources, of which the first has the property's name.
    fn course<const N: usize>(
        &mut self,
        target: &str,
        sources: &[&AnimatedProperty],
        rest: [f64; N],
        lanes: Option<[Lane; 3]>,
        path: &impl Path<N>,
    ) -> Course<N> {
        let times = KeyTimes::of(&self.player, sources);
        if times.is_empty() {
            let begin = Key { time_s: self.take.begin.0, value: path.at(self.take.begin.0) };
            let moves = sources.iter().any(|source| source.is_animated())
                && path.apart(&begin.value, &rest, 1.0) > ROUNDING;
            self.refiner.count(usize::from(moves));
            return if moves { Course::Keys(vec![begin], false) } else { Course::Still };
        }
        let frames = if self.stored { None } else { times::recorded(&self.player, sources, self.take) };
        match (frames, lanes) {
            (Some(frames), _) => Course::Keys(self.refiner.record(target, &frames, path), false),
            (None, Some(lanes)) => {
                self.refiner.count(lanes.iter().map(|lane| lane.keys.len()).sum());
                Course::Curves(lanes)
            }
            (None, None) => {
                let (keys, is_made) = self.refiner.refine(target, &times, path);
                Course::Keys(keys, is_made)
            }
        }
    }

    /// Weights of the morphs of a channel.
    fn weights(&mut self, channel: &MorphChannel) -> Vec<MorphWeights> {
        let player = self.player;
        let path = Ratios(|time_s| [player.at(&channel.percent, time_s)[0] / 100.0]);
        let times = KeyTimes::of(&player, &[&channel.percent]);
        let (keys, _) = self.refiner.refine(&channel.name, &times, &path);
        let split = morphs::split(&channel.shapes, &keys).into_iter().enumerate();
        split
            .map(|(shape, keys)| MorphWeights {
                nodes: channel.nodes.clone(),
                morph: channel.first_morph + shape,
                keys,
            })
            .collect()
    }

    /// Numbers of a camera, a light or a switch; a single number is in the first place.
    fn look(&mut self, look: &Look, document: &Document) -> Vec<Key<3>> {
        let player = self.player;
        let path = Ratios(|time_s| {
            let [x, y, z] = player.at(&look.values, time_s);
            match look.kind {
                LookKind::YFov(optics) => [optics.yfov_rad(x), 0.0, 0.0],
                LookKind::Intensity => [(x / 100.0).max(0.0), 0.0, 0.0],
                LookKind::Color => [x, y, z].map(|part| part.clamp(0.0, 1.0)),
                LookKind::Visible => [x, 0.0, 0.0],
            }
        });
        let name = document.still.node(look.node).map_or("", |node| &node.name);
        let times = KeyTimes::of(&player, &[&look.values]);
        let (keys, _) = self.refiner.refine(name, &times, &path);
        if matches!(look.kind, LookKind::Visible) { switched(&keys) } else { keys }
    }

    /// A colour of a material, as a function of moving properties.
    fn tint(&mut self, tint: &Tint, document: &Document) -> Vec<Key<4>> {
        let player = self.player;
        let name = document.still.materials.get(tint.material).map_or("", |material| &material.name);
        let path = Ratios(|time_s| {
            let moved = |name: &str| {
                let moving = tint.sources.iter().find(|(source, _)| *source == name);
                moving.map(|(_, property)| player.at(property, time_s))
            };
            let opaque = |[r, g, b]: [f64; 3]| [r, g, b, 1.0];
            if tint.is_emission { opaque(tint.paint.emission(&moved)) } else { tint.paint.base(&moved) }
        });
        let sources: Vec<&AnimatedProperty> = tint.sources.iter().map(|(_, property)| property).collect();
        let times = KeyTimes::of_all(&player, &sources);
        self.refiner.refine(name, &times, &path).0
    }
}

/// Visibility from which on a node is seen: half of the way between hidden and shown.
const SEEN: f64 = 0.5;

/// The times of a visibility's passes through [`SEEN`], after the state at its first key.
fn switched(keys: &[Key<3>]) -> Vec<Key<3>> {
    let is_seen = |key: &Key<3>| key.value[0] >= SEEN;
    let state = |seen: bool| [f64::from(u8::from(seen)), 0.0, 0.0];
    let first = keys.first().map(|key| Key { value: state(is_seen(key)), ..*key });
    let passes = keys.windows(2).filter(|pair| is_seen(&pair[0]) != is_seen(&pair[1])).map(|pair| {
        let (from, to) = (pair[0], pair[1]);
        let share = (SEEN - from.value[0]) / (to.value[0] - from.value[0]);
        Key { time_s: from.time_s + (to.time_s - from.time_s) * share, value: state(is_seen(&to)) }
    });
    first.into_iter().chain(passes).collect()
}
