//! Avatars that conversions read and write: the terms of their authors, the nodes that players drive, and
//! motions without an avatar.

use super::Request;
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{Format, NameMap};
use dopesheet_core::model::Scene;
use dopesheet_gltf::Vrm;
use dopesheet_gltf::vrm::{Terms, driven_nodes, is_avatar};

/// Code of the finding about the terms of an avatar.
pub(super) const TERMS: &str = "vrm-terms";

/// Code of the finding about players of an avatar with a motion.
pub(super) const PLAYERS: &str = "vrm-players";

/// Refuses a motion as the only source of an avatar.
fn check_there_is_one(request: &Request<'_>) -> Result<(), Error> {
    let (options, inputs) = (request.options, &request.inputs[..]);
    let stays = matches!(inputs, [input] if request.model.is_none() && options.stays_in_format(input));
    if options.to.info().id != Vrm::INFO.id || options.into.is_some() || stays && options.onto.is_none() {
        return Ok(());
    }
    let text = "an avatar is a model with faces, springs and terms, which no motion has; give one with --onto avatar.vrm, all of which \
                is kept (so not with --motion-only), or write a vrma, which plays on any avatar";
    Err(Error::Usage(text.into()))
}

/// Findings about the avatars whose models become part of the output.
///
/// # Errors
/// If an avatar is to be written and no input is an avatar.
pub(super) fn remarks(request: &Request<'_>) -> Result<Report, Error> {
    check_there_is_one(request)?;
    let options = request.options;
    let mut report = Report::default();
    if options.motion_only || !options.capabilities().parts.meshes {
        return Ok(report);
    }
    // Of what is put onto or added to another file, only the motion is taken.
    let target = options.into.or(options.onto);
    let sources = request.inputs.iter().chain(&request.model).map(|file| &**file);
    let files = sources.filter(|_| target.is_none()).chain(target);
    for (file, terms) in files.filter_map(|file| Some((file, Terms::of(file.document.get()?)?))) {
        if !terms.prohibited.is_empty() {
            let title = match terms.name() {
                // Exporters in JavaScript write this for none.
                "" | "undefined" => file.name.clone(),
                title => format!("\"{title}\" ({})", file.name),
            };
            let prohibited = terms.prohibited.join(" and ");
            let protected_model =
                format!("{title}, whose author's terms prohibit {prohibited}; dopesheet info shows them all");
            let expected = "a model that may be changed and handed on";
            report.warn(Fault::new(TERMS, Place::File, expected, protected_model));
        }
    }
    let gets_motion = options.into.and_then(|into| into.document.get()).is_some_and(is_avatar);
    if gets_motion {
        let expected = "the motion as a vrma beside the avatar, which players of VRM play";
        let found = "the motion in the avatar's file, which only viewers of glTF play (and three-vrm with autoUpdateHumanBones off); \
                     write a vrma for players of VRM";
        report.warn(Fault::new(PLAYERS, Place::File, expected, found));
    }
    Ok(report)
}

/// Removes the tracks of nodes that players turn by constraints, and reports the removal. `target_scene` is the
/// scene of the file `target` that clips are added to.
pub(super) fn leave_out_driven(
    scene: &mut Scene,
    target: &Opened,
    target_scene: &Scene,
    names: &NameMap,
    report: &mut Report,
) {
    let Some(driven) = target.document.get().map(driven_nodes).filter(|driven| !driven.is_empty()) else {
        return;
    };
    let is_driven = |index: Option<usize>| index.is_some_and(|index| driven.contains(&index));
    let driven_names = target_scene.nodes.iter().filter(|node| is_driven(node.source_index));
    let driven_names: Vec<&str> = driven_names.map(|node| node.name.as_str()).collect();
    let mut left_out: Vec<String> = Vec::new();
    for clip in &mut scene.clips {
        clip.tracks.retain(|track| {
            let stays = !driven_names.contains(&names.get(&track.target.name));
            if !stays && !left_out.contains(&track.target.name) {
                left_out.push(track.target.name.clone());
            }
            stays
        });
    }
    if !left_out.is_empty() {
        let why = "constraints of the model turn them (VRMC_node_constraint), on every frame";
        report.dropped(format!("tracks of {}", left_out.join(", ")), why);
    }
}
