//! Clips: the animations that they play, by the clip's own time.
//!
//! A scene has no bent time and no layers, so both are worked into its curves here. That is exact wherever a part of a
//! curve, or a mean of curves, follows the same law as the curves; elsewhere straight pieces follow it, and the report
//! says how closely.

use super::Motion;
use super::assembly::Assembly;
use super::repairs::Repairs;
use crate::more::animation::Animation;
use crate::more::clip::{Clip as MoreClip, ClipContent, SubResource, TimeMap, adjusting};
use crate::more::info::ID;
use crate::more::notes;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::model::{Looping, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;

/// Most times that a layer is repeated while the clip runs once.
const MOST_PASSES: usize = 1000;

pub(super) fn scene(
    motion: &Motion<'_>,
    played: &MoreClip,
    repairs: &mut Repairs,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    let played = &with_finite_speed(played, report);
    let (lead, layers) = layers(motion, played, report)?;
    let playing = Playing { motion, played, lead, layers };
    let mut scene = playing.scene(repairs, report);
    let lead = played.time_map(lead.duration.into(), playing.end(), 1);
    if let Some(clip) = scene.clips.first_mut() {
        clip.looping = if played.is_looping { Looping::Loop } else { Looping::Once };
        clip.duration = Seconds(playing.end());
        if let Some(source) = &mut clip.source {
            notes::add_clip(source, played, &lead);
        }
    }
    Ok(scene)
}

fn with_finite_speed(played: &MoreClip, report: &mut Report) -> MoreClip {
    let mut played = played.clone();
    if !played.time_scale.is_finite() {
        report.dropped(
            format!("the clip's time scale of {}", played.time_scale),
            "only finite speeds can be played",
        );
        played.time_scale = 1.0;
    }
    played
}

/// An animation that is played.
struct Played<'a> {
    animation: &'a Animation,
    /// Its position among the clip's layers.
    place: usize,
    weight: f64,
    /// True if its instants are to meet those of the first one.
    is_adjusted: bool,
}

/// The first layer's animation, and the layers that are heard: at least one.
fn layers<'a>(
    motion: &'a Motion<'_>,
    played: &'a MoreClip,
    report: &mut Report,
) -> Result<(&'a Animation, Vec<Played<'a>>), ConvertError> {
    let nothing = |what: String| ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what));
    let (weights, adjusted): (&[f32], &[bool]) = match &played.content {
        ClipContent::Simple(_) => (&[], &[]),
        ClipContent::Synchronised { blendings, adjust_durations, .. } => (blendings, adjust_durations),
    };
    let (mut heard, mut first) = (Vec::new(), None);
    for (place, resource) in played.content.layers().iter().enumerate() {
        let animation = match animation_of(motion, resource) {
            Ok(animation) => animation,
            Err(path) if place == 0 => {
                return Err(nothing(format!("a clip that plays {path}, which was not found")));
            }
            Err(path) => {
                report.dropped(format!("layer {place} of the clip, {path}"), "the file was not found");
                continue;
            }
        };
        let weight = weights.get(place).copied().map_or(1.0, f64::from);
        let layer = Played { animation, place, weight, is_adjusted: adjusted.get(place) == Some(&true) };
        match why_silent(&layer, first.get_or_insert(animation)) {
            // A clip of one animation plays it, whatever it weighs.
            Some(_) if played.content.layers().len() == 1 => heard.push(Played { weight: 1.0, ..layer }),
            Some(why) => report.dropped(format!("layer {place} of the clip"), why),
            None => heard.push(layer),
        }
    }
    match first.filter(|_| !heard.is_empty()) {
        Some(first) => Ok((first, heard)),
        None => Err(nothing("a clip without layers that play".into())),
    }
}

/// The animation of a layer, embedded or fetched; else its path.
fn animation_of<'a>(motion: &'a Motion<'_>, resource: &'a SubResource) -> Result<&'a Animation, String> {
    match resource {
        SubResource::Embedded(animation) => Ok(animation),
        SubResource::Path(path) => {
            let path = path.text();
            motion.document.linked.get(path.as_ref()).ok_or_else(|| path.into_owned())
        }
    }
}

/// Reason why a layer is not played; `None` if it is.
fn why_silent(layer: &Played<'_>, first: &Animation) -> Option<String> {
    let (own, others) = (layer.animation.instants.len(), first.instants.len());
    if own != others {
        let own = counted(own, "instant");
        return Some(format!("the game ignores a layer with {own} if the first has {others}"));
    }
    let is_heard = layer.weight > 0.0 && layer.weight.is_finite();
    (!is_heard).then(|| format!("its weight is {}", layer.weight))
}

/// A clip and what of it is played.
struct Playing<'a> {
    motion: &'a Motion<'a>,
    played: &'a MoreClip,
    /// Animation of the clip's first layer, whose instants the others may meet.
    lead: &'a Animation,
    layers: Vec<Played<'a>>,
}

impl Playing<'_> {
    /// Time that the clip takes to play an animation once, in seconds.
    fn pass(&self, animation: &Animation) -> f64 {
        self.played.pass_s(animation.duration.into())
    }

    /// Time at which the clip starts again or stays, in seconds.
    fn end(&self) -> f64 {
        let lead = self.pass(self.lead);
        let free =
            self.layers.iter().filter(|layer| !layer.is_adjusted).map(|layer| self.pass(layer.animation));
        if self.played.is_looping { lead } else { free.fold(lead, f64::max) }
    }

    /// The time of a layer's animation by that of the clip.
    fn map(&self, layer: &Played<'_>) -> TimeMap {
        if layer.is_adjusted {
            let lead = self.played.time_map(self.lead.duration.into(), self.end(), MOST_PASSES);
            return lead.then(&adjusting(self.lead, layer.animation));
        }
        self.played.time_map(layer.animation.duration.into(), self.end(), MOST_PASSES)
    }

    /// Says where a layer's repetitions do not fit those of the clip.
    fn rhythm(&self, layer: &Played<'_>, report: &mut Report) {
        let (own, end) = (self.pass(layer.animation), self.end());
        let turns = if own > 0.0 { end / own } else { 1.0 };
        let fits = turns.fract() == 0.0 && turns <= MOST_PASSES as f64;
        if fits || !self.played.is_looping || layer.is_adjusted {
            return;
        }
        let what = format!("the rhythm of layer {}, {own} s, beyond the clip's first {end} s", layer.place);
        report.dropped(
            what,
            format!("a scene repeats as a whole; by then the layer has repeated {turns:.3} times"),
        );
    }

    fn scene(&self, repairs: &mut Repairs, report: &mut Report) -> Scene {
        let mut assembly = Assembly::new(repairs.as_stored, self.played.is_looping);
        for layer in &self.layers {
            self.rhythm(layer, report);
            let scene = self.motion.animation(layer.animation, repairs, report);
            assembly.add(scene, layer.place, layer.weight, self.map(layer));
        }
        assembly.finish(report)
    }
}
