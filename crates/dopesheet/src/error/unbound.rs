//! Targets of a motion that a model lacks.

use dopesheet_core::model::TargetKind;
use dopesheet_core::words::{agreeing, counted};
use std::fmt;

/// A target of a motion that the model lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Unbound {
    /// Kind of the target.
    pub kind: TargetKind,
    /// Its name.
    pub name: String,
    /// The model's node for the same bone of a human figure, then the most similar names, the nearest first.
    pub nearest: Vec<String>,
}

/// Most targets named in the message about a lost motion.
const MOST_NAMED: usize = 6;

/// A motion of which fewer than half of the moving tracks reach their targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// The caller's name of the motion; empty where no model was named.
    pub motion: String,
    /// The name of the target of the motion: a file, or a human figure.
    pub onto: String,
    /// Number of tracks with a channel that changes; of all tracks if nothing moves, because then the pose
    /// would be lost.
    pub tracks: usize,
    /// Number of the tracks that reach their targets.
    pub reached: usize,
    /// Targets of the other tracks, each once.
    pub unbound: Vec<Unbound>,
    /// True if motion and target are both human figures, so the motion may be put onto the target.
    pub is_figure: bool,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { onto, tracks, reached, unbound, is_figure, .. } = self;
        let tracks = counted(*tracks, "moving track");
        let reach = match reached {
            0 => "none reaches".to_owned(),
            _ => format!("only {reached} {}", agreeing(*reached, "reaches", "reach")),
        };
        write!(f, "of {tracks} {reach} {onto}, so nothing was written; without a counterpart: ")?;
        let named = unbound.iter().take(MOST_NAMED).map(|Unbound { name, nearest, .. }| match &nearest[..] {
            [] => name.clone(),
            names => format!("{name} (nearest: {})", names.join(", ")),
        });
        f.write_str(&named.collect::<Vec<_>>().join(", "))?;
        match unbound.len().saturating_sub(MOST_NAMED) {
            0 => {}
            more => write!(f, " and {more} more")?,
        }
        match is_figure {
            true => {
                write!(f, "; both are human figures: --onto {onto} puts the motion of one onto the other")
            }
            false => Ok(()),
        }
    }
}
