//! The node and property moved by each track.

use super::names::{Role, guess, or_root, split};
use crate::more::actor::{ActorModel, BoneScale};
use crate::more::animation::TrackType;
use crate::text::Name;
use std::collections::HashMap;

/// Source of the nodes moved by tracks.
pub(super) enum Binding {
    /// The endings of the tracks' names.
    ByName,
    /// The names listed in an actor.
    Actor(ActorNames),
}

/// Target of a track.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bound {
    /// A property of a node.
    Node {
        /// The node's name.
        name: String,
        /// The node's property.
        role: Role,
        /// The model's spelling of the track's name, if only case differs.
        respelled: Option<String>,
    },
    /// A target without a place in space.
    Nothing {
        /// True if there is a model without this track's name.
        is_unbound: bool,
    },
}

impl Bound {
    fn guessed(guess: Option<(String, Role)>) -> Self {
        match guess {
            Some((name, role)) => Self::Node { name, role, respelled: None },
            None => Self::Nothing { is_unbound: false },
        }
    }
}

impl Binding {
    /// Target of a track outside a displacement.
    pub(super) fn track(&self, name: &str, track_type: TrackType) -> Bound {
        match self {
            Self::ByName => Bound::guessed(guess(name, track_type)),
            Self::Actor(actor) => actor.find(name, track_type),
        }
    }

    /// Target of half a displacement: by the half's name, or else by the name of the whole.
    pub(super) fn half(&self, outer: &str, half_name: &str, role: Role, track_type: TrackType) -> Bound {
        match self {
            Self::ByName => {
                let by_half = split(half_name, track_type).filter(|(node, _)| !node.is_empty());
                let node = by_half.map(|(node, role)| (node.to_owned(), role));
                let by_outer = || {
                    let outer = split(outer, track_type).map_or(outer, |(node, _)| node);
                    role.fits(track_type).then(|| (or_root(outer), role))
                };
                Bound::guessed(node.or_else(by_outer).or_else(|| guess(half_name, track_type)))
            }
            Self::Actor(actor) => match actor.find(half_name, track_type) {
                bound @ Bound::Node { .. } => bound,
                Bound::Nothing { .. } => actor.find_node_of(outer, role, track_type),
            },
        }
    }
}

/// The track names of an actor's bones and emitters.
pub(super) struct ActorNames {
    exact: HashMap<String, (String, Role)>,
    /// Nodes and roles by names in lower case.
    loose: HashMap<String, (String, Role, String)>,
}

impl ActorNames {
    pub(super) fn new(actor: &ActorModel) -> Self {
        let mut names = Self { exact: HashMap::new(), loose: HashMap::new() };
        for bone in &actor.bones {
            names.add(&bone.name, &bone.position_name, Role::Translation);
            names.add(&bone.name, &bone.rotation_name, Role::Rotation);
            if let BoneScale::Named { value_name, use_scale: true, .. } = &bone.scale {
                names.add(&bone.name, value_name, Role::Scale);
            }
        }
        for emitter in &actor.event_emitters {
            names.add(&emitter.name, &emitter.position_name, Role::Translation);
            names.add(&emitter.name, &emitter.rotation_name, Role::Rotation);
        }
        for emitter in &actor.sound_emitters {
            names.add(&emitter.name, &emitter.position_name, Role::Translation);
        }
        names
    }

    fn add(&mut self, node: &Name, track: &Name, role: Role) {
        if track.is_empty() {
            return;
        }
        let (node, track) = (node.text().into_owned(), track.text().into_owned());
        let lower = track.to_ascii_lowercase();
        self.loose.entry(lower).or_insert_with(|| (node.clone(), role, track.clone()));
        self.exact.entry(track).or_insert((node, role));
    }

    fn find(&self, name: &str, track_type: TrackType) -> Bound {
        if let Some((node, role)) = self.exact.get(name).filter(|(_, role)| role.fits(track_type)) {
            return Bound::Node { name: node.clone(), role: *role, respelled: None };
        }
        let loose = self.loose.get(&name.to_ascii_lowercase()).filter(|(_, role, _)| role.fits(track_type));
        match loose {
            Some((node, role, track)) => {
                Bound::Node { name: node.clone(), role: *role, respelled: Some(track.clone()) }
            }
            None => Bound::Nothing { is_unbound: true },
        }
    }

    /// The node moved or rotated by a track name, whatever half the name stands for.
    fn find_node_of(&self, name: &str, role: Role, track_type: TrackType) -> Bound {
        let node = self.exact.get(name).map(|(node, _)| node);
        let node = node.or_else(|| self.loose.get(&name.to_ascii_lowercase()).map(|(node, ..)| node));
        match node {
            Some(node) if role.fits(track_type) => Bound::Node { name: node.clone(), role, respelled: None },
            _ => Bound::Nothing { is_unbound: true },
        }
    }
}
