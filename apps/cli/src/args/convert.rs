//! The words of `dopesheet convert`.

use super::{Edits, ModelArgs, RunArgs, TEMPLATE, TargetArgs};
use crate::headings::{FIGURES, LOOKS};
use crate::settings::SettingsArgs;
use clap::Args;
use dopesheet::Error;
use dopesheet::convert::{ForbiddenLosses, TOLERANCE_EXCEEDED};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet convert dance.vmd -o dance.glb
  dopesheet convert dance.vmd -m miku.pmx -o dance.glb
  dopesheet convert dance.vmd -m standard -o dance.glb --names english
  dopesheet convert dance.vmd -m standard -o dance.vrma
  dopesheet convert walk.bvh --onto avatar.vrm -o walk.glb
  dopesheet convert run.json idle.json --into character.glb -o out.glb
  dopesheet convert 'motions/**/*.vmd' -t glb -o out/
  dopesheet convert 'motions/**/*.vmd' -t glb -o out/ --resume
  dopesheet convert pack.m4b -t glb -o out/
  dopesheet convert pack.m4b:anims/walk.ubi -o walk.glb
  dopesheet convert anims/ -o pack.m4b
  dopesheet convert dance.vmd -o - -t glb > dance.glb
")]
pub(crate) struct ConvertArgs {
    /// Files or glob patterns; - for standard input; for an archive also folders, whose files it gets as they are
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Add the clips to the nodes of this file, matched by name
    #[arg(long, value_name = "TARGET")]
    pub(crate) into: Option<PathBuf>,
    /// Put the motion of a human figure onto this one, whatever its bones are called, how they rest and how long they are; 'standard' is
    /// our puppet. Features of HumanML3D get the lengths of its bones
    #[arg(long, value_name = "TARGET", conflicts_with = "into")]
    pub(crate) onto: Option<PathBuf>,
    /// Only the skeleton and its clips, without meshes and all else that the target has
    #[arg(long, requires = "onto", help_heading = FIGURES)]
    pub(crate) motion_only: bool,
    /// Drop the animations that the target already has
    #[arg(long, requires = "into", help_heading = FIGURES)]
    pub(crate) replace: bool,
    /// Write the motion of cameras and lights to a file of its own, OUT-camera beside OUT: MikuMikuDance loads one or the other
    #[arg(long, conflicts_with = "into")]
    pub(crate) split: bool,
    /// Make no mesh of the bones where a BVH, an FBX without meshes or arrays of NumPy become a new GLB, of which viewers then show nothing
    #[arg(long, conflicts_with = "show-bones", help_heading = LOOKS)]
    pub(crate) no_show_bones: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Changes of each input before it is converted.
    #[arg(skip)]
    pub(crate) edits: Option<Edits>,
}

impl ConvertArgs {
    /// Losses that fail a conversion.
    pub(crate) fn forbidden(&self) -> Result<ForbiddenLosses, Error> {
        let asked =
            self.run.fail_on_loss.as_deref().map(ForbiddenLosses::parse).transpose()?.unwrap_or_default();
        let of_edits = self.edits.as_ref().is_some_and(|edits| edits.options.tolerance.is_some());
        let is_limited = of_edits || self.settings.has("tolerance");
        Ok(if is_limited { asked.and(TOLERANCE_EXCEEDED) } else { asked })
    }
}
