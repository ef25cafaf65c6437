//! Morphs of the source as expressions.

use super::names::{Sampling, add, part, preset};
use crate::body::figure::Figure;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Channel, Clip, Expression, Humanoid, PRESET_EXPRESSIONS, Property, TargetKind, Track,
};
use dopesheet_core::order;
use dopesheet_core::order::by_key;
use dopesheet_core::words::{agreeing, counted};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Expressions that VRM moves with the gaze.
const LOOKS: [&str; 4] = ["lookUp", "lookDown", "lookLeft", "lookRight"];

/// The expression of each moving morph.
pub(crate) struct Faces {
    /// Morph → expression, and the morph's share in the expression.
    by_morph: BTreeMap<String, (String, f64)>,
    /// Morphs of gaze expressions, which only the gaze could move.
    looks: Vec<String>,
    for_avatars: bool,
}

impl Faces {
    /// Names the expression of every morph moved by any clip: by the caller's names, by the source's
    /// expressions of a single morph, by the listed names of morphs, or else by the morph's own name. For
    /// avatars, blend shapes of ARKit become the presets in which they have a part. An expression is made by
    /// the morph with the best name; each other morph of the same meaning becomes an expression of its own,
    /// except for morphs that make the expression only together.
    pub(crate) fn of(figure: Figure<'_>, names: &NameMap, for_avatars: bool) -> Self {
        let tracks = figure.scene.tracks();
        let mut seen = HashSet::new();
        let morphs = tracks.filter(|track| weight(track).is_some()).map(|track| track.target.name.as_str());
        let morphs: Vec<&str> = morphs.filter(|name| seen.insert(*name)).collect();
        let mut chosen: Vec<(usize, &str, String, Option<f64>)> = morphs
            .iter()
            .map(|morph| {
                let (rank, expression, share) = choice(morph, figure.humanoid, names, for_avatars);
                (rank, *morph, expression, share)
            })
            .collect();
        by_key(&mut chosen, |(rank, ..)| *rank);
        let mut named: HashMap<String, usize> = HashMap::new();
        for (_, _, expression, _) in chosen.iter().filter(|(rank, ..)| *rank == NAMED) {
            let count = named.entry(expression.clone()).or_default();
            *count = count.saturating_add(1);
        }
        let mut faces = Self { by_morph: BTreeMap::new(), looks: Vec::new(), for_avatars };
        let mut taken: HashMap<String, usize> = HashMap::new();
        for (rank, morph, expression, share) in chosen {
            let joins = matches!(rank, NAMED | PART);
            let is_free = taken.get(&expression).is_none_or(|by| joins && *by == rank);
            let each = named.get(&expression).map_or(1.0, |count| 1.0 / *count as f64);
            let face = if is_free { (expression, share.unwrap_or(each)) } else { (morph.to_owned(), 1.0) };
            if LOOKS.contains(&face.0.as_str()) {
                faces.looks.push(morph.to_owned());
            } else if is_free || !taken.contains_key(&face.0) {
                taken.insert(face.0.clone(), rank);
                faces.by_morph.insert(morph.to_owned(), face);
            }
        }
        faces
    }

    /// Reports the expressions of an avatar, and the weights dropped in favour of the gaze. The caller
    /// reports whether a figure has morphs for its expressions.
    pub(crate) fn report(&self, report: &mut Report) {
        if self.for_avatars {
            self.report_kept(report);
        }
        if !self.looks.is_empty() {
            let why = "a humanoid looks by its eyes, not by expressions";
            report.dropped(format!("weights of {}", self.looks.join(", ")), why);
        }
    }

    fn report_kept(&self, report: &mut Report) {
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
    }

    /// A clip with the tracks of the expressions.
    pub(crate) fn add(&self, mut made: Clip, motion: &Clip, report: &mut Report) -> Clip {
        let (mut done, mut faces, mut sampling) = (HashSet::new(), Vec::new(), Sampling::default());
        for (morph, channel) in
            motion.tracks.iter().filter_map(|track| Some((&track.target.name, weight(track)?)))
        {
            if let Some((name, share)) = self.by_morph.get(morph).filter(|_| done.insert(morph)) {
                add(&mut faces, name, *share, channel, &mut sampling);
            }
        }
        sampling.report(report);
        made.tracks.extend(faces);
        made
    }

    /// All moving expressions, in the order of their names.
    pub(crate) fn expressions(&self) -> Vec<Expression> {
        let names = order::set(self.by_morph.values().map(|(name, _)| name));
        names.into_iter().map(|name| Expression { name: name.clone(), morphs: Vec::new() }).collect()
    }
}

/// The channel of a track that moves a morph; `None` of other tracks.
fn weight(track: &Track) -> Option<&Channel> {
    let is_weight =
        |channel: &&Channel| track.target.kind == TargetKind::Morph && channel.property == Property::Weight;
    track.channels.iter().find(is_weight)
}

/// Rank of the caller's names, the best rank.
const NAMED: usize = 0;

/// Rank of blend shapes that make an expression only together.
const PART: usize = usize::MAX - 1;

/// Separator between the caller's name of an expression and a morph's share in the expression: `happy * 0.5`.
const TIMES: &str = " * ";

/// The rank of the choice of a morph's expression (0 is the best), the expression, and the morph's share in
/// it; a share of `None` divides the expression evenly among the morphs with the same name from the caller.
fn choice(
    morph: &str,
    humanoid: &Humanoid,
    names: &NameMap,
    for_avatars: bool,
) -> (usize, String, Option<f64>) {
    let named = names.get(morph);
    if named != morph {
        let share =
            named.rsplit_once(TIMES).and_then(|(name, share)| Some((name, share.trim().parse().ok()?)));
        return match share {
            Some((name, share)) => (NAMED, name.trim().to_owned(), Some(share)),
            None => (NAMED, named.to_owned(), None),
        };
    }
    let stated = humanoid.expressions.iter().find_map(|expression| match expression.morphs.as_slice() {
        [(lone, weight)] if lone == morph && *weight > 0.0 => Some((expression.name.clone(), *weight)),
        _ => None,
    });
    if let Some((name, weight)) = stated {
        return (1, name, Some(1.0 / weight));
    }
    let of_avatar = || part(morph).filter(|_| for_avatars);
    match (preset(morph), of_avatar()) {
        (Some((name, rank)), _) => (rank.saturating_add(2), name.to_owned(), Some(1.0)),
        (None, Some((name, share))) => (PART, name.to_owned(), Some(share)),
        (None, None) => (usize::MAX, morph.to_owned(), Some(1.0)),
    }
}
