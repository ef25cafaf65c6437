//! A motion on its model or on another figure, as it is played, drawn and compared.

use crate::choice::clip_choice::ClipChoice;
use crate::convert::{ConvertOptions, put_onto_figure};
use crate::error::Error;
use crate::error::unbound::Lost;
use crate::files::read::Opened;
use crate::models::bound::{self, Model};
use crate::models::reach::ModelFit;
use crate::models::solving::check_solving;
use crate::models::vocabularies::{Vocabularies, other_vocabulary};
use crate::registry;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Limits, NameMap, ToScene};
use dopesheet_core::model::{Basis, Scene, rebase};
use dopesheet_motion::arrange;
use dopesheet_motion::sample::rig::{self, Behaviour};

/// A motion with its model, or with another figure that takes it.
#[derive(Clone, Copy)]
pub(crate) struct OnModel<'a> {
    pub(crate) motion: &'a Opened,
    pub(crate) model: Option<&'a Opened>,
    /// The figure that the motion is put onto. Without it, the model is that figure if the bones of motion and
    /// model have names of different vocabularies.
    pub(crate) onto: Option<&'a Opened>,
    /// Names of the motion → names of the model.
    pub(crate) names: &'a NameMap,
    /// The clip to be refused if fewer than half of its moving tracks reach the model; all clips together if no
    /// such clip exists. `None` refuses nothing.
    pub(crate) clip: Option<&'a ClipChoice>,
    /// Upper bounds of the work on frames.
    pub(crate) limits: &'a Limits,
}

impl OnModel<'_> {
    /// The scene of the motion; with a model, the model's with the motion's clips on its nodes.
    ///
    /// # Errors
    /// If a document makes no sense as a scene, and [`Error::Lost`].
    pub(crate) fn scene(&self, options: &ToScene, report: &mut Report) -> Result<Scene, Error> {
        self.scene_and_fit(options, report).map(|(scene, _)| scene)
    }

    fn scene_and_fit(
        &self,
        options: &ToScene,
        report: &mut Report,
    ) -> Result<(Scene, Option<ModelFit>), Error> {
        let Self { motion, model, names, .. } = self;
        if let Some(scene) = self.on_figure(report)? {
            return Ok((scene, None));
        }
        let mut model = model.map(|model| Model::read(model, options.as_stored)).transpose()?;
        let (scene, fit) = bound::scene_and_fit(motion, model.as_mut(), names, options, |_| Ok(()), report)?;
        match fit.as_ref().and_then(|fit| self.lost(&scene, fit)) {
            Some(lost) => Err(lost.into()),
            None => Ok((scene, fit)),
        }
    }

    /// The motion on another figure; `None` if it plays on its model, or as it is. The scene has glTF's axes.
    fn on_figure(&self, report: &mut Report) -> Result<Option<Scene>, Error> {
        let (model, figure) = match (self.onto, self.model) {
            (Some(figure), model) => (model, figure),
            (None, Some(model)) => {
                let only = Vocabularies::default();
                let Some(why) = other_vocabulary(self.motion, model, self.names, only) else {
                    return Ok(None);
                };
                report.info(why);
                (None, model)
            }
            (None, None) => return Ok(None),
        };
        let glb = registry::by_id("glb").ok_or_else(|| {
            Error::Usage("expected a build with glTF for a motion on another figure, found none".into())
        })?;
        let (names, limits) = (self.names.clone(), *self.limits);
        let clip = Some(ClipChoice::All);
        let options =
            ConvertOptions { model, onto: Some(figure), names, limits, clip, ..ConvertOptions::to(glb) };
        put_onto_figure(self.motion, &options, report).map(Some)
    }

    /// The scene that a conversion to glTF carries: after documented repairs, its rig solved, in metres and
    /// glTF's axes, composed as in glTF, and before keys are chosen by any tolerance; with a model, also the fit
    /// of the motion on it. Refuses more frames than the limits allow if a rig would be solved on them.
    pub(crate) fn carried(&self, report: &mut Report) -> Result<(Scene, Option<ModelFit>), Error> {
        let (mut scene, fit) = self.scene_and_fit(&ToScene::default(), report)?;
        check_solving(&scene, Behaviour::default(), self.motion.format(), self.limits)?;
        rig::bake(&mut scene, Behaviour::default(), report);
        rebase(&mut scene, &Basis::GLTF, None);
        if let Some(glb) = registry::by_id("glb") {
            arrange(&mut scene, &glb.info().capabilities);
        }
        Ok((scene, fit))
    }

    /// The motion as lost, if most moving tracks of the clip do not reach the model.
    fn lost(&self, scene: &Scene, fit: &ModelFit) -> Option<Lost> {
        let chosen = self.clip?.place_in(&scene.clips).ok().flatten();
        Some(Lost { motion: self.motion.name.clone(), ..fit.lost_clip(scene, chosen)? })
    }
}
