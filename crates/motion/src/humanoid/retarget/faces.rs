//! Morphs of the source as expressions.

use super::super::faces::preset;
use super::curves::scaled;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Channel, Clip, Expression, Humanoid, PRESET_EXPRESSIONS, Property, Scene, Target, TargetKind, Track,
};
use dopesheet_core::order;
use dopesheet_core::order::by_key;
use dopesheet_core::words::{agreeing, counted};
use std::collections::{BTreeMap, HashSet};

/// Expressions that VRM moves by where the figure looks.
const LOOKS: [&str; 4] = ["lookUp", "lookDown", "lookLeft", "lookRight"];

/// The expression that each morph that moves becomes.
pub(super) struct Faces {
    /// Morph → expression, and the morph's weight when the expression's is 1.
    by_morph: BTreeMap<String, (String, f64)>,
    /// Morphs that only where the figure looks could move.
    looks: Vec<String>,
}

impl Faces {
    /// Names the expression of every morph that any clip moves: as the caller says, as the source says of a morph that is
    /// an expression by itself, as is known of its name, or else by its own name. An expression is made by the morph
    /// with the best name; of others that mean the same each becomes one of its own.
    pub(super) fn of(scene: &Scene, humanoid: &Humanoid, names: &NameMap) -> Self {
        let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
        let mut seen = HashSet::new();
        let morphs = tracks.filter(|track| weight(track).is_some()).map(|track| track.target.name.as_str());
        let morphs: Vec<&str> = morphs.filter(|name| seen.insert(*name)).collect();
        let mut chosen: Vec<(usize, &str, String, f64)> = morphs
            .iter()
            .map(|morph| {
                let (rank, expression, weight) = choice(morph, humanoid, names);
                (rank, *morph, expression, weight)
            })
            .collect();
        by_key(&mut chosen, |(rank, ..)| *rank);
        let mut faces = Self { by_morph: BTreeMap::new(), looks: Vec::new() };
        let mut taken = HashSet::new();
        for (_, morph, expression, weight) in chosen {
            let is_free = taken.insert(expression.clone());
            let own = if is_free { (expression, weight) } else { (morph.to_owned(), 1.0) };
            if LOOKS.contains(&own.0.as_str()) {
                faces.looks.push(morph.to_owned());
            } else if is_free || taken.insert(own.0.clone()) {
                faces.by_morph.insert(morph.to_owned(), own);
            }
        }
        faces
    }

    pub(super) fn report(&self, report: &mut Report) {
        let presets =
            self.by_morph.iter().filter(|(_, (name, _))| PRESET_EXPRESSIONS.contains(&name.as_str()));
        let named: Vec<_> = presets.map(|(morph, (name, _))| format!("{name} from {morph}")).collect();
        let custom: Vec<&str> = self
            .by_morph
            .values()
            .map(|(name, _)| name.as_str())
            .filter(|name| !PRESET_EXPRESSIONS.contains(name))
            .collect();
        if !named.is_empty() {
            report.kept(format!("{}: {}", counted(named.len(), "preset expression"), named.join(", ")));
        }
        if !custom.is_empty() {
            report.kept(format!(
                "{} as {} of {} own: {}",
                counted(custom.len(), "morph"),
                agreeing(custom.len(), "an expression", "expressions"),
                agreeing(custom.len(), "its", "their"),
                custom.join(", ")
            ));
        }
        if !self.looks.is_empty() {
            let why = "a humanoid looks by its eyes, not by expressions";
            report.dropped(format!("weights of {}", self.looks.join(", ")), why);
        }
    }

    /// A clip with the tracks of the expressions.
    pub(super) fn add(&self, mut made: Clip, motion: &Clip) -> Clip {
        let mut done = HashSet::new();
        for (morph, channel) in
            motion.tracks.iter().filter_map(|track| Some((&track.target.name, weight(track)?)))
        {
            let Some((name, full)) = self.by_morph.get(morph) else { continue };
            if !done.insert(name) {
                continue;
            }
            let mut channel = channel.clone();
            for curve in channel.composition.curves_mut().into_iter().filter(|_| *full != 1.0) {
                *curve = scaled(curve, 1.0 / full, 0.0);
            }
            let target = Target::new(TargetKind::Morph, name.clone(), done.len() - 1, None);
            made.tracks.push(Track { target, channels: vec![channel] });
        }
        made
    }

    /// All expressions that move, in the order of their names.
    pub(super) fn expressions(&self) -> Vec<Expression> {
        let names = order::set(self.by_morph.values().map(|(name, _)| name));
        names.into_iter().map(|name| Expression { name: name.clone(), morphs: Vec::new() }).collect()
    }
}

/// The channel of a track that moves one morph.
fn weight(track: &Track) -> Option<&Channel> {
    let is_weight =
        |channel: &&Channel| track.target.kind == TargetKind::Morph && channel.property == Property::Weight;
    track.channels.iter().find(is_weight)
}

/// The expression that a morph makes, how good that choice is (0 is the best), and the morph's weight in it.
fn choice(morph: &str, humanoid: &Humanoid, names: &NameMap) -> (usize, String, f64) {
    let named = names.get(morph);
    if named != morph {
        return (0, named.to_owned(), 1.0);
    }
    let stated = humanoid.expressions.iter().find_map(|expression| match expression.morphs.as_slice() {
        [(own, weight)] if own == morph && *weight > 0.0 => Some((expression.name.clone(), *weight)),
        _ => None,
    });
    if let Some((name, weight)) = stated {
        return (1, name, weight);
    }
    match preset(morph) {
        Some((name, place)) => (2 + place, name.to_owned(), 1.0),
        None => (usize::MAX, morph.to_owned(), 1.0),
    }
}
