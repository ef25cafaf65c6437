//! Document to scene: interprets laws and names, repairs, and reports its repairs.

mod assembly;
mod binding;
mod clip;
mod curves;
mod layers;
mod names;
mod repairs;
mod segments;
mod skeleton;
mod timeline;
mod tracks;

pub(super) use skeleton::cycles;

use super::More;
use super::animation::Animation;
use super::codes;
use super::document::{Document, Resource};
use super::info::ID;
use super::interpretation::Interpretation;
use super::notes;
use crate::BASIS;
use binding::Binding;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{Clip, Hierarchy, PoseRelation, RestPose, Scene};
use dopesheet_core::units::Seconds;
use repairs::Repairs;

/// A document as a scene, with the choices of an interpretation. If `model` is an actor, its names determine
/// the target of each track.
///
/// # Errors
/// If the document is an uninterpreted resource, a clip without its animation, or an actor with bones in a
/// circle of fathers.
pub fn scene(
    document: &Document,
    options: &ToScene,
    how: &Interpretation,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    let model = options.model.and_then(|model| model.downcast_ref::<More>());
    let binding = match model.map(|model| &model.resource) {
        Some(Resource::Actor(actor)) => Binding::Actor(binding::ActorNames::new(actor)),
        _ => Binding::ByName,
    };
    let mut repairs = Repairs::new(options.as_stored);
    let motion = Motion { document, binding: &binding, options, how };
    let scene = match &document.resource {
        Resource::Animation(animation) => motion.animation(animation, &mut repairs, report),
        Resource::Clip(played) => clip::scene(&motion, played, &mut repairs, report)?,
        Resource::Actor(actor) => skeleton::scene(actor, how, report)?,
        Resource::Opaque(opaque) => {
            let what =
                format!("a resource of class {} cannot be converted: {}", opaque.class, opaque.why.phrase());
            return Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)));
        }
    };
    repairs.report(report);
    Ok(scene)
}

/// An animation and the means of interpreting it.
struct Motion<'a> {
    document: &'a Document,
    binding: &'a Binding,
    options: &'a ToScene<'a>,
    how: &'a Interpretation,
}

impl Motion<'_> {
    fn animation(&self, animation: &Animation, repairs: &mut Repairs, report: &mut Report) -> Scene {
        // Offsets come on top of whatever rests.
        let rest = if animation.is_delta { RestPose::Known } else { RestPose::Unknown };
        let mut scene = Scene { hierarchy: Hierarchy::Unknown, rest, ..Scene::new(BASIS) };
        let mut tracks = tracks::Tracks::new(self, &mut scene, repairs, report);
        for (index, track) in animation.tracks.iter().enumerate() {
            tracks.add(index, track);
        }
        let (tracks, markers) = tracks.finish();
        let own_name = animation.name.as_ref().filter(|name| !name.is_empty());
        let duration = f64::from(animation.duration);
        if animation.is_delta && self.options.model.is_none() && !self.options.as_stored {
            let check = codes::DELTA_ALONE;
            let expected = "a model with the pose that offsets (isDelta) are added to";
            let actual = "none, so that they count as they are";
            report.push(check.severity, Fault::new(check.code, Place::File, expected, actual));
        }
        scene.clips.push(Clip {
            name: own_name
                .map(|name| name.text().into_owned())
                .or_else(|| self.options.fallback_name.clone()),
            duration: Seconds(if duration.is_finite() { duration.max(0.0) } else { 0.0 }),
            tracks,
            markers,
            relation: match animation.is_delta {
                true => PoseRelation::OnTopOfRest,
                false => PoseRelation::Absolute,
            },
            source: Some(notes::write(self.document, animation)),
            ..Clip::default()
        });
        scene
    }
}
