//! A motion on its model, as it is played, drawn and compared.

use super::clip_choice::ClipChoice;
use crate::error::Error;
use crate::error::unbound::Lost;
use crate::files::read::Opened;
use crate::models::bound::{self, Model};
use crate::models::reach::ModelFit;
use crate::models::solving::check_solving;
use crate::models::vocabularies::vocabulary;
use crate::registry;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Limits, NameMap, ToScene};
use dopesheet_core::model::{Basis, Scene, rebase};
use dopesheet_motion::arrange;
use dopesheet_motion::sample::rig::{self, Behaviour};

/// A motion with its model.
pub(crate) struct OnModel<'a> {
    pub(crate) motion: &'a Opened,
    pub(crate) model: Option<&'a Opened>,
    /// Names of the motion → names of the model.
    pub(crate) names: &'a NameMap,
    /// The clip to be refused if fewer than half of its moving tracks reach the model; all clips together if no
    /// such clip exists. `None` refuses nothing.
    pub(crate) clip: Option<&'a ClipChoice>,
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
        let mut model = model.map(|model| Model::read(model, options.as_stored)).transpose()?;
        let (scene, fit) = bound::scene_and_fit(motion, model.as_mut(), names, options, |_| Ok(()), report)?;
        match fit.as_ref().and_then(|fit| self.lost(&scene, fit)) {
            Some(lost) => Err(lost.into()),
            None => Ok((scene, fit)),
        }
    }

    /// The scene that a conversion to glTF carries: after documented repairs, its rig solved, in metres and
    /// glTF's axes, composed as in glTF, and before keys are chosen by any tolerance; with a model, also the fit
    /// of the motion on it. Refuses more frames than `limits` allows if a rig would be solved on them.
    pub(crate) fn carried(
        &self,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<(Scene, Option<ModelFit>), Error> {
        let (mut scene, fit) = self.scene_and_fit(&ToScene::default(), report)?;
        check_solving(&scene, Behaviour::default(), self.motion.format(), limits)?;
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
        let lost = fit.lost_clip(scene, chosen)?;
        let is_whole = |file, names: &NameMap| vocabulary(file, names, None).is_some();
        let is_figure = is_whole(self.motion, self.names) && is_whole(self.model?, &self.names.of_figure());
        Some(Lost { is_figure, motion: self.motion.name.clone(), ..lost })
    }
}
