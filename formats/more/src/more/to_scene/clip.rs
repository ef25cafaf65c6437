//! Clips: the animation that they play, at their speed.

use super::Motion;
use super::repairs::Repairs;
use crate::more::animation::Animation;
use crate::more::clip::{Clip as MoreClip, SubResource};
use crate::more::info::ID;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::model::{Blend, Clip, Curve, Looping, Scene, Times};
use dopesheet_core::units::Seconds;

pub(super) fn scene(
    motion: &Motion<'_>,
    played: &MoreClip,
    repairs: &mut Repairs,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    let animation = first_layer(motion, played)?;
    let mut scene = motion.animation(animation, repairs, report);
    let others = played.content.layers().len().saturating_sub(1);
    if others > 0 {
        report.dropped(format!("{others} further layers of the clip"), "only the first one is played");
    }
    if played.time_warp.is_some() {
        report.dropped("the clip's time warp", "a scene has no time of its own between keys");
    }
    for clip in &mut scene.clips {
        clip.looping = if played.is_looping { Looping::Loop } else { Looping::Once };
        let speed = f64::from(played.time_scale);
        if speed > 0.0 && speed.is_finite() {
            stretch(clip, speed);
        } else {
            report.dropped(format!("the clip's time scale of {speed}"), "only speeds above 0 can be played");
        }
    }
    Ok(scene)
}

/// The first layer, embedded or fetched.
fn first_layer<'a>(motion: &'a Motion<'_>, played: &'a MoreClip) -> Result<&'a Animation, ConvertError> {
    let nothing = |what: String| ConvertError::new(ID, ConvertErrorKind::NothingToConvert(what));
    match played.content.layers().first() {
        Some(SubResource::Embedded(animation)) => Ok(animation),
        Some(SubResource::Path(path)) => {
            let path = path.text();
            let linked = motion.document.linked.get(path.as_ref());
            linked.ok_or_else(|| nothing(format!("a clip that plays {path}, which is not at hand")))
        }
        None => Err(nothing("a clip without layers".into())),
    }
}

/// Plays a clip at a speed.
fn stretch(clip: &mut Clip, speed: f64) {
    if speed == 1.0 {
        return;
    }
    clip.duration = Seconds(clip.duration.0 / speed);
    for marker in &mut clip.markers {
        marker.time = Seconds(marker.time.0 / speed);
    }
    let channels = clip.tracks.iter_mut().flat_map(|track| &mut track.channels);
    channels
        .flat_map(|channel| channel.composition.curves_mut())
        .for_each(|curve| stretch_curve(curve, speed));
}

fn stretch_curve(curve: &mut Curve, speed: f64) {
    curve.times = Times::Seconds(curve.times.iter().map(|t| t.0 / speed).collect());
    let has_tangents = curve.laws.runs().any(|law| law.blend == Blend::Hermite);
    if let Some(handles) = curve.handles.as_mut().filter(|_| has_tangents) {
        for tangent in handles.arriving.iter_mut().chain(&mut handles.leaving) {
            *tangent = (f64::from(*tangent) * speed) as f32;
        }
    }
}
