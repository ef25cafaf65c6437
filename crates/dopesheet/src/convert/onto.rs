//! From any human figure to the skeleton of another.

use super::{ConvertOptions, frames};
use crate::bound::{Model, check_map, wants_rig};
use crate::error::Error;
use crate::read::Opened;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::model::{Basis, Hierarchy, HumanBone, Node, Scene, rebase};
use dopesheet_motion::humanoid::{
    Followers, Planted, Proposal, Skeleton, Transfer, doubts, propose_by, retarget_onto,
};

/// The options of a conversion onto a figure: one whose file takes clips keeps everything else it has, and keys that need a rig
/// are put on a figure that has one as on a model.
pub(super) fn options<'a>(options: &ConvertOptions<'a>) -> Result<ConvertOptions<'a>, Error> {
    let mut own = options.clone();
    let Some(target) = own.onto else { return Ok(own) };
    let refuse = |text: String| Err(Error::Usage(text));
    let (to, capabilities) = (own.to.info(), options.capabilities());
    if own.into.is_some() {
        return refuse(format!(
            "{} takes the motion, so that it cannot also be added to another file",
            target.name
        ));
    }
    if own.lengths_of().is_some() {
        let asked = [("--motion-only", own.motion_only), ("--contacts", own.planted != Planted::default())];
        return match asked.into_iter().find(|(_, is_asked)| *is_asked) {
            Some((option, _)) => refuse(format!(
                "{} with features takes only lengths from {}; leave {option} out",
                to.name, target.name
            )),
            None => Ok(own),
        };
    }
    if capabilities.humanoid {
        let name = to.name;
        return refuse(format!("{name} plays on any avatar and is put onto none; leave {} out", target.name));
    }
    if wants_rig(&capabilities) {
        if own.model.is_some() {
            return refuse(format!("{} are bound to a model by name; give one model", to.name));
        }
        (own.model, own.onto) = (Some(target), None);
        return Ok(own);
    }
    let attaches = target.format().info().capabilities.attaches;
    if own.to.takes(&target.document) && attaches && !own.motion_only {
        own.into = Some(target);
    }
    Ok(own)
}

/// The target's nodes with the motions of a figure.
pub(super) fn figure(
    scene: &Scene,
    target: &Opened,
    options: &ConvertOptions<'_>,
    followers: &Followers,
    report: &mut Report,
) -> Result<Scene, Error> {
    let model = Model::read(target, false)?;
    check_map(&options.names, scene, Some(model.scene()))?;
    let source = proposal(scene, options, None)?;
    let found = proposal(model.scene(), options, Some(&target.name))?;
    warn_of_shape(&doubts(scene, &source.humanoid), "the motion", report);
    warn_of_shape(&doubts(model.scene(), &found.humanoid), &target.name, report);
    frames::check_figure(scene, source.humanoid.bones.len(), None, options)?;
    let tolerance = options.tolerance.unwrap_or_default();
    let skeleton = Skeleton { scene: model.scene(), found: &found };
    let how = Transfer { tolerance, names: &options.names, planted: options.planted, followers };
    let mut made = retarget_onto(scene, &source.humanoid, skeleton, &how, report)
        .map_err(|error| refused(options, error.to_string()))?;
    // A file that takes the clips has all that is seen of the figure.
    if options.motion_only || options.into.is_some() {
        let morphs = |node: &Node| node.morphs.filter(|_| !options.motion_only);
        let bare = |node: Node| Node { mesh: None, skin: None, morphs: morphs(&node), ..node };
        let nodes = made.nodes.into_iter().map(bare).collect();
        made = Scene {
            name: made.name,
            nodes,
            morph_sets: if options.motion_only { Vec::new() } else { made.morph_sets },
            clips: made.clips,
            hierarchy: made.hierarchy,
            ..Scene::new(made.basis)
        };
    }
    rebase(&mut made, &options.capabilities().basis.unwrap_or(Basis::GLTF), None);
    Ok(made)
}

/// The figure whose lengths the bones get that are written.
#[cfg(feature = "research")]
pub(super) fn lengths(options: &ConvertOptions<'_>) -> Result<Option<Box<Scene>>, Error> {
    let Some(target) = options.lengths_of() else { return Ok(None) };
    let model = Model::read(target, false)?;
    let found = proposal(model.scene(), options, Some(&target.name))?;
    let mut scene = Scene { humanoid: Some(found.humanoid), ..model.scene().clone() };
    rebase(&mut scene, &Basis::GLTF, None);
    Ok(Some(Box::new(scene)))
}

/// The human figure of the motion's scene, or of that of the target with a name, with all bones that every figure has.
fn proposal(scene: &Scene, options: &ConvertOptions<'_>, target: Option<&str>) -> Result<Proposal, Error> {
    if scene.hierarchy == Hierarchy::Unknown {
        let what = match target {
            Some(name) => {
                format!("expected a figure to put the motion onto, found in {name} no more than a motion")
            }
            None => {
                "expected a model that says who hangs on whom (give one with -m), found a motion alone".into()
            }
        };
        return Err(refused(options, what));
    }
    let found = match target {
        Some(_) => propose_by(scene, &options.names, options.vocabularies.figure),
        None => options.figure_of(scene),
    };
    let missing = found.humanoid.missing();
    if missing.is_empty() {
        return Ok(found);
    }
    let words = |bones: &[HumanBone]| bones.iter().map(|bone| bone.word()).collect::<Vec<_>>().join(", ");
    let own: Vec<HumanBone> =
        found.humanoid.bones.keys().copied().filter(|bone| bone.is_required()).collect();
    let found = match own.is_empty() {
        true => "no bone of one".to_owned(),
        false if own.len() < missing.len() => format!("only {}", words(&own)),
        false => format!("no node for {}", words(&missing)),
    };
    let place = target.unwrap_or("the motion");
    let what =
        format!("expected a human figure in {place}, found {found}; --map says which node is which bone");
    Err(refused(options, what))
}

/// Code of the finding about a figure whose shape contradicts the names of its bones.
pub(super) const FIGURE_SHAPE: &str = "figure-shape";

/// Warns of a figure whose shape contradicts the names of its bones.
fn warn_of_shape(doubts: &[String], figure: &str, report: &mut Report) {
    if !doubts.is_empty() {
        let expected = format!(
            "bones of {figure} where their names say (--map or --vocabulary says which node is which bone)"
        );
        report.warn(Fault::new(FIGURE_SHAPE, Place::File, expected, doubts.join(", ")));
    }
}

fn refused(options: &ConvertOptions<'_>, what: String) -> Error {
    ConvertError::new(options.to.info().id, ConvertErrorKind::Unsupported(what)).into()
}
