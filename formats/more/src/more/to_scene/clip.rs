//! Clips: the animations they play, in the clip's time.
//!
//! A scene has no warped time and no layers, so both are worked into its curves here. The result is exact
//! wherever a part of a curve, or a mean of curves, has the same law as the curves; elsewhere straight pieces
//! approximate the curve, and the report states the error.

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

/// Most repetitions of a layer within one run of the clip.
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

/// An animation with its role in the clip.
struct Played<'a> {
    animation: &'a Animation,
    /// Its position among the clip's layers.
    number: usize,
    weight: f64,
    /// True if its instants are to meet the instants of the first layer.
    is_adjusted: bool,
}

/// The first layer's animation, and the audible layers: at least one.
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
    for (number, resource) in played.content.layers().iter().enumerate() {
        let animation = match animation_of(motion, resource) {
            Ok(animation) => animation,
            Err(path) if number == 0 => {
                return Err(nothing(format!("a clip that plays {path}, which was not found")));
            }
            Err(path) => {
                report.dropped(format!("layer {number} of the clip, {path}"), "the file was not found");
                continue;
            }
        };
        let weight = weights.get(number).copied().map_or(1.0, f64::from);
        let layer = Played { animation, number, weight, is_adjusted: adjusted.get(number) == Some(&true) };
        match why_silent(&layer, first.get_or_insert(animation)) {
            // A clip of one animation plays it, whatever it weighs.
            Some(_) if played.content.layers().len() == 1 => heard.push(Played { weight: 1.0, ..layer }),
            Some(why) => report.dropped(format!("layer {number} of the clip"), why),
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

/// Reason why a layer is not played; `None` for a layer that is.
fn why_silent(layer: &Played<'_>, first: &Animation) -> Option<String> {
    let (count, expected) = (layer.animation.instants.len(), first.instants.len());
    if count != expected {
        let instants = counted(count, "instant");
        return Some(format!("the game ignores a layer with {instants} if the first has {expected}"));
    }
    let is_heard = layer.weight > 0.0 && layer.weight.is_finite();
    (!is_heard).then(|| format!("its weight is {}", layer.weight))
}

/// A clip and the layers of it that are played.
struct Playing<'a> {
    motion: &'a Motion<'a>,
    played: &'a MoreClip,
    /// Animation of the clip's first layer, with the instants for adjusted layers.
    lead: &'a Animation,
    layers: Vec<Played<'a>>,
}

impl Playing<'_> {
    /// Time for the clip to play an animation once, in seconds.
    fn pass(&self, animation: &Animation) -> f64 {
        self.played.pass_s(animation.duration.into())
    }

    /// Time at which the clip starts again or stops, in seconds.
    fn end(&self) -> f64 {
        let lead = self.pass(self.lead);
        let free =
            self.layers.iter().filter(|layer| !layer.is_adjusted).map(|layer| self.pass(layer.animation));
        if self.played.is_looping { lead } else { free.fold(lead, f64::max) }
    }

    /// The time of a layer's animation as a function of the clip's time.
    fn map(&self, layer: &Played<'_>) -> TimeMap {
        if layer.is_adjusted {
            let lead = self.played.time_map(self.lead.duration.into(), self.end(), MOST_PASSES);
            return lead.then(&adjusting(self.lead, layer.animation));
        }
        self.played.time_map(layer.animation.duration.into(), self.end(), MOST_PASSES)
    }

    /// Reports a layer whose repetitions do not fit the repetitions of the clip.
    fn rhythm(&self, layer: &Played<'_>, report: &mut Report) {
        let (pass, end) = (self.pass(layer.animation), self.end());
        let turns = if pass > 0.0 { end / pass } else { 1.0 };
        let fits = turns.fract() == 0.0 && turns <= MOST_PASSES as f64;
        if fits || !self.played.is_looping || layer.is_adjusted {
            return;
        }
        let what = format!("the rhythm of layer {}, {pass} s, beyond the clip's first {end} s", layer.number);
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
            assembly.add(scene, layer.number, layer.weight, self.map(layer));
        }
        assembly.finish(report)
    }
}
