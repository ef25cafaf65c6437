//! From any human figure to the skeleton of another.

use super::doubtful::{self, refused};
use super::witness::Witness;
use super::{ConvertOptions, frames};
use crate::bound::{Model, check_map, wants_rig};
use crate::error::Error;
use crate::read::Opened;
use crate::vocabularies::Vocabularies;
use dopesheet_core::diag::{Fault, Loss, Place, Report};
use dopesheet_core::model::{
    Basis, Hierarchy, HumanBone, Humanoid, Node, Property, Rig, Scene, TargetKind, Track, rebase,
};
use dopesheet_core::words::{counted, length};
use dopesheet_motion::humanoid::{
    Followers, NO_MORPH, Planted, Proposal, Skeleton, Transfer, detached, doubts, keep_hands_off, propose_by,
    relax_hands, retarget_onto,
};

/// The options of a conversion onto a figure: one whose file takes clips keeps everything else it has, and keys that need a rig
/// are put on a figure that has one as on a model.
pub(super) fn options<'a>(options: &ConvertOptions<'a>) -> Result<ConvertOptions<'a>, Error> {
    let mut own = options.clone();
    let refuse = |text: String| Err(Error::Usage(text));
    let Some(target) = own.onto else { return Ok(own) };
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
        return Ok(own);
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

/// The target's figure with the motions of another, for a format that holds a human figure and nothing else: faces are still the source's.
pub(super) fn bare_figure(
    scene: &Scene,
    target: &Opened,
    options: &ConvertOptions<'_>,
    followers: &Followers,
    report: &mut Report,
) -> Result<(Scene, Proposal, Option<Witness>), Error> {
    let mut said = Report::default();
    let (mut made, witness) = figure(scene, target, options, followers, &mut said)?;
    let is_face = |track: &&Track| {
        track.target.kind == TargetKind::Morph
            && track.channels.iter().all(|own| own.property == Property::Weight)
    };
    for (clip, source) in made.clips.iter_mut().zip(&scene.clips) {
        clip.tracks.extend(source.tracks.iter().filter(is_face).cloned());
    }
    // The figure has no morph of its own; what becomes of faces is said when they become expressions.
    said.losses.retain(|loss| !matches!(loss, Loss::Dropped { why, .. } if why == NO_MORPH));
    report.extend(said);
    let faces = scene.humanoid.as_ref().map(|own| own.expressions.clone()).unwrap_or_default();
    let humanoid = Humanoid { expressions: faces, look_at: None, ..made.humanoid.take().unwrap_or_default() };
    Ok((made, Proposal { humanoid, certainty: 1.0, ..Proposal::default() }, witness))
}

/// The target's nodes with the motions of a figure, and what the verdict on them needs.
pub(super) fn figure(
    scene: &Scene,
    target: &Opened,
    options: &ConvertOptions<'_>,
    followers: &Followers,
    report: &mut Report,
) -> Result<(Scene, Option<Witness>), Error> {
    let model = Model::read(target, false)?;
    check_map(&options.names, scene, Some(model.scene()))?;
    let source = proposal(scene, options, None)?;
    let found = proposal(model.scene(), options, Some(&target.name))?;
    for (scene, found, name) in
        [(scene, &source, "the motion"), (model.scene(), &found, target.name.as_str())]
    {
        doubtful::tell(scene, found, name, report);
        check_shape((scene, found), name, options, report)?;
    }
    let stay = detached(model.scene(), &found.humanoid);
    if !stay.is_empty() {
        let expected = format!("feet and hands of {} that hang on their limbs", target.name);
        report.warn(Fault::new(
            FIGURE_SHAPE,
            Place::File,
            expected,
            format!("{}, and stays behind", stay.join(", ")),
        ));
    }
    frames::check_figure(scene, source.humanoid.bones.len(), None, options)?;
    let tolerance = options.tolerance.unwrap_or_default();
    let bare = options.capabilities().humanoid.then(|| faceless(model.scene()));
    let skeleton = Skeleton { scene: bare.as_ref().unwrap_or_else(|| model.scene()), found: &found };
    let how = Transfer { tolerance, names: &options.names, planted: options.planted, followers };
    let mut made = retarget_onto(scene, &source.humanoid, skeleton, &how, report)
        .map_err(|error| refused(options, error.to_string()))?;
    made.humanoid = Some(found.humanoid.clone());
    if options.relaxed_hands {
        match relax_hands(&mut made, &found.humanoid) {
            0 => {}
            count => {
                report.kept(format!("{} of fingers that the motion lacks, relaxed", counted(count, "bone")))
            }
        }
    }
    keep_off(&mut made, model.scene(), &found.humanoid, options, report);
    let witness = Witness::of(scene, &source.humanoid, &made);
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
            humanoid: made.humanoid,
            ..Scene::new(made.basis)
        };
    }
    rebase(&mut made, &options.capabilities().basis.unwrap_or(Basis::GLTF), None);
    Ok((made, witness))
}

/// Keeps hands off the body if that is asked for, and says which of them pass into it deeper than its joints are thick.
fn keep_off(
    made: &mut Scene,
    model: &Scene,
    humanoid: &Humanoid,
    options: &ConvertOptions<'_>,
    report: &mut Report,
) {
    let mut figure = Scene { clips: Vec::new(), ..model.clone() };
    rebase(&mut figure, &Basis::GLTF, None);
    for clip in &mut made.clips {
        let pressed = keep_hands_off(&figure, humanoid, clip, options.arm_space_m);
        let deep: Vec<String> = pressed
            .into_iter()
            .filter(|own| own.depth_m > PRESSED_M)
            .map(|own| format!("{} {} deep at {:.3} s", own.bone.word(), length(own.depth_m), own.time.0))
            .collect();
        match (deep.is_empty(), options.arm_space_m) {
            (true, _) => {}
            (false, Some(space)) => {
                report.kept(format!("hands kept {} off the body ({} before)", length(space), deep.join(", ")))
            }
            (false, None) => {
                let expected = "hands outside of the body (--arm-space CM keeps them off)";
                report.info(Fault::new(HANDS_IN_BODY, Place::File, expected, deep.join(", ")));
            }
        }
    }
}

/// Code of the finding about hands that pass into the body.
pub(super) const HANDS_IN_BODY: &str = "hands-in-body";

/// Depth in metres from which on it is told that a hand is in the body.
const PRESSED_M: f64 = 0.03;

/// A figure without morphs and expressions.
fn faceless(scene: &Scene) -> Scene {
    let humanoid = scene.humanoid.clone().map(|own| Humanoid { expressions: Vec::new(), ..own });
    Scene { humanoid, morph_sets: Vec::new(), rig: Rig::default(), ..scene.clone() }
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
            None => "expected a model, for its hierarchy (give one with -m), found a motion alone".into(),
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
    let way_out = doubtful::way_out(scene, &found);
    let words = |bones: &[HumanBone]| bones.iter().map(|bone| bone.word()).collect::<Vec<_>>().join(", ");
    let own: Vec<HumanBone> =
        found.humanoid.bones.keys().copied().filter(|bone| bone.is_required()).collect();
    let found = match own.is_empty() {
        true => "no bone of one".to_owned(),
        false if own.len() < missing.len() => format!("only {}", words(&own)),
        false => format!("no node for {}", words(&missing)),
    };
    let place = target.unwrap_or("the motion");
    let what = format!("expected a human figure in {place}, found {found}; {way_out}");
    Err(refused(options, what))
}

/// Code of the finding about a figure whose shape contradicts the names of its bones.
pub(super) const FIGURE_SHAPE: &str = "figure-shape";

/// Refuses a figure whose shape contradicts the names of its bones, or warns of it where somebody says which bones they are, or that any
/// will do.
pub(super) fn check_shape(
    (scene, found): (&Scene, &Proposal),
    figure: &str,
    options: &ConvertOptions<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    let doubts = doubts(scene, &found.humanoid);
    if doubts.is_empty() {
        return Ok(());
    }
    let is_asked = options.partial || found.named > 0 || options.vocabularies != Vocabularies::default();
    let (expected, doubts) = (format!("bones of {figure} where their names say"), doubts.join(", "));
    if found.vocabulary.is_some() && !is_asked {
        let way_out = doubtful::way_out(scene, found);
        return Err(refused(
            options,
            format!("expected {expected}, found {doubts}; --partial takes them as they are; {way_out}"),
        ));
    }
    let expected = format!("{expected} (--map or --vocabulary says which node is which bone)");
    report.warn(Fault::new(FIGURE_SHAPE, Place::File, expected, doubts));
    Ok(())
}
