//! The part of a motion that is added to a file: the tracks of nodes present in the file.

pub(super) mod meshes;

use crate::convert::ConvertOptions;
use crate::error::Error;
use crate::error::unbound::Lost;
use crate::files::read::Opened;
use crate::models::nearest::{Known, Nearest};
use crate::models::reach::Reach;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{NodeIndex, Scene, TargetKind};
use dopesheet_motion::bind::{UNBOUND_TRACK, check_root_scales};

/// Removes the tracks of nodes that the file lacks, with a warning that lists the names, so that later counts
/// cover the added tracks alone. Refuses the motion if fewer than half of its moving tracks would stay,
/// unless the options accept a partial motion.
pub(in crate::convert) fn leave_out(
    scene: &mut Scene,
    into: &Opened,
    options: &ConvertOptions<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    if scene.clips.is_empty() {
        let what = format!("the file has no motion for {}; --motion-only writes how it rests", into.name);
        return Err(ConvertError::new("convert", ConvertErrorKind::NothingToConvert(what)).into());
    }
    let there = into.format().to_scene(&into.document, &ToScene::default(), &mut Report::default())?;
    #[cfg(feature = "gltf")]
    crate::convert::avatar::leave_out_driven(scene, into, &there, &options.names_into(), report);
    meshes::rename(scene, &there, &options.names_into(), report);
    let known_names = Known::of(&there);
    let names = options.names_into();
    let has = |name: &str| known_names.has(TargetKind::Joint, names.get(name));
    let reach: Vec<Reach> = scene.clips.iter_mut().map(|clip| Reach::onto_nodes(clip, has)).collect();
    let is_empty = scene.clips.iter().all(|clip| clip.tracks.is_empty());
    if let Some(lost) = Reach::lost(&reach).filter(|_| is_empty || !options.partial) {
        let is_figure = [&*scene, &there].iter().all(|scene| options.figure_of(scene).humanoid.is_human());
        let lost = lost.onto(&into.name, &known_names, &Nearest::of(scene, &there));
        return Err(Lost { is_figure, ..lost }.into());
    }
    let node = |name: &str| there.nodes.iter().position(|node| node.name == name).map(NodeIndex);
    check_root_scales(&scene.clips, &there, |track| node(names.get(&track.target.name)), report);
    let (missing, all) = Reach::missing(&reach);
    if !missing.is_empty() {
        let (count, list) = (missing.len(), missing.join(", "));
        let expected = "a node for every name that a clip moves";
        let missing_nodes = format!("none for {count} of {all}: {list}");
        report.warn(Fault::new(UNBOUND_TRACK, Place::File, expected, missing_nodes));
        report.dropped(format!("tracks of {list}"), "there is no node of that name");
    }
    Ok(())
}
