//! From any scene to the human figure that some formats hold exclusively, and from any figure to a model with
//! the bones of MikuMikuDance.

pub(super) mod doubtful;
pub(super) mod onto;
pub(super) mod witness;

pub(in crate::convert) use crate::convert::figure::witness::Witness;
use crate::convert::{ConvertOptions, frames};
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::bound;
use crate::models::bound::{Model, wants_rig};
use crate::models::nearest::{Known, Nearest};
use crate::models::puppet::{STANDARD_MODEL, assume_standard_model};
use crate::models::reach::{ModelFit, Reach};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::{Capabilities, NameMap, ToScene};
use dopesheet_core::model::{Basis, Hierarchy, HumanBone, Node, Scene, TargetKind, rebase};
use dopesheet_core::units::FrameRate;
use dopesheet_human::{
    Carried, Carry, CarryOptions, Figure, Floor, Followers, Goals, Proposal, Vocabulary, carry,
    has_mmd_bones, propose, raise_figure,
};
use dopesheet_motion::bind::skip_first_node;
use dopesheet_motion::keys::trim::first_key;
use dopesheet_motion::{Range, trim};
use doubtful::{MOTION, refused};
use std::borrow::Cow;

/// The names by which a motion is joined with its model. Names that assign bones are for the figure and are
/// left out.
fn model_names<'a>(options: &'a ConvertOptions<'_>, capabilities: &Capabilities) -> Cow<'a, NameMap> {
    match capabilities.humanoid || options.goes_onto_a_figure() {
        true => Cow::Owned(options.names.without(|other| HumanBone::from_word(other).is_some())),
        false => Cow::Borrowed(&options.names),
    }
}

/// The selected part of a motion, on its model if there is a model, and its fit on the model. A figure that
/// [`figure`] will put onto its model stays alone.
pub(in crate::convert) fn read(
    input: &Opened,
    options: &ConvertOptions<'_>,
    model: Option<&mut Model<'_>>,
    read: &ToScene,
    report: &mut Report,
) -> Result<(Scene, Option<ModelFit>), Error> {
    let capabilities = &options.capabilities();
    let names = &*model_names(options, capabilities);
    if wants_rig(capabilities) && model.as_deref().is_some_and(|model| has_mmd_bones(model.scene())) {
        let mut reading = Report::default();
        let prepare = |scene: &mut Scene| {
            skip_first(scene, options);
            Ok(())
        };
        let (mut alone, _) = bound::scene_and_fit(input, None, names, read, prepare, &mut reading)?;
        if foreign_figure(&alone, options, capabilities).is_some() {
            report.extend(reading);
            apply_range(&mut alone, options)?;
            return Ok((alone, None));
        }
    }
    let prepare = |scene: &mut Scene| {
        skip_first(scene, options);
        apply_range(scene, options)
    };
    if model.is_none()
        && let Some(assumed) = assumed_model(input, options, report)?
    {
        let model = &mut Model::read(&assumed, false)?;
        return bound::scene_and_fit(input, Some(model), names, read, prepare, report);
    }
    bound::scene_and_fit(input, model, names, read, prepare, report)
}

/// Leaves out the first node of a motion, before the motion is bound to a model with a first node of its own.
fn skip_first(scene: &mut Scene, options: &ConvertOptions<'_>) {
    if options.skip_first {
        skip_first_node(scene);
    }
}

/// Keeps only the selected range, before any work on every frame.
fn apply_range(scene: &mut Scene, options: &ConvertOptions<'_>) -> Result<(), Error> {
    let Some(range) = options.range else { return Ok(()) };
    for clip in &mut scene.clips {
        let (start, end) = (range.start.seconds(clip.grid)?, range.end.seconds(clip.grid)?);
        if start.0 > end.0 {
            return Err(Error::Usage(format!(
                "expected a range that ends after it starts, found {}:{}",
                start.0, end.0
            )));
        }
        let (first, last) = (first_key(clip).map_or(0.0, |time| time.0.min(0.0)), clip.end().0);
        if start.0 > last || end.0 < first {
            let range = format!("{}:{}", start.0, end.0);
            let clip = format!("the clip, which lasts from {first} to {last} s");
            return Err(Error::Usage(format!("expected a range within {clip}, found {range}")));
        }
        trim(clip, Range { start, end });
    }
    Ok(())
}

/// The built-in puppet for a motion of MikuMikuDance without a model, if the target wants a figure. The
/// puppet's bones have the names that such motions move, and bones of any other figure carry the resulting
/// motion.
fn assumed_model(
    input: &Opened,
    options: &ConvertOptions<'_>,
    report: &mut Report,
) -> Result<Option<Opened>, Error> {
    let moves_a_rig = wants_rig(&input.format().info().capabilities);
    if !(options.capabilities().humanoid || options.goes_onto_a_figure()) || !moves_a_rig {
        return Ok(None);
    }
    assume_standard_model(report).map(Some)
}

/// The figure of a scene if the target wants a figure, or the keys of a model with the same motion; and the
/// data for the verdict on the result.
pub(in crate::convert) fn figure(
    scene: Scene,
    options: &ConvertOptions<'_>,
    model: Option<&Model<'_>>,
    followers: &Followers,
    report: &mut Report,
) -> Result<(Scene, Option<Witness>), Error> {
    let capabilities = &options.capabilities();
    if let Some(target) = options.onto.filter(|_| options.goes_onto_a_figure()) {
        let followers = carried(followers, options);
        if !capabilities.humanoid {
            return onto::figure(&scene, target, options, followers, report);
        }
        check_figure_moves(&scene)?;
        let (moved, proposal, witness) = onto::bare_figure(&scene, target, options, followers, report)?;
        // The motion has its ground by now.
        let grounded = ConvertOptions { floor: Floor::Origin, ..options.clone() };
        let mut figure = avatars(&moved, &proposal, &grounded, Followers::NONE, report)?;
        raise_figure(&mut figure, options.raised_m, report);
        let witness = witness.map(|witness| witness.onto(&figure, options.raised_m));
        return Ok((figure, witness));
    }
    if let Some(proposal) = foreign_figure(&scene, options, capabilities) {
        return match model.map(Model::scene).filter(|model| has_mmd_bones(model)) {
            Some(model) => {
                onto_model(&scene, &proposal, model, options, followers, report).map(|figure| (figure, None))
            }
            None => Ok((without_model(scene, report), None)),
        };
    }
    if !capabilities.humanoid {
        return Ok((scene, None));
    }
    check_figure_moves(&scene)?;
    if scene.hierarchy == Hierarchy::Unknown {
        let what = "expected a model, for its hierarchy (give one with -m), found a motion alone";
        return Err(refused(options, what.into()));
    }
    let proposal = options.figure_of(&scene);
    doubtful::tell(options, &scene, &proposal, MOTION, report);
    if proposal.humanoid.is_human() {
        onto::check_shape(&scene, &proposal, MOTION, options, report)?;
    }
    avatars(&scene, &proposal, options, followers, report).map(|figure| (figure, None))
}

/// The figure of a scene for any avatar.
fn avatars(
    scene: &Scene,
    proposal: &Proposal,
    options: &ConvertOptions<'_>,
    followers: &Followers,
    report: &mut Report,
) -> Result<Scene, Error> {
    frames::check_figure(scene, proposal.humanoid.bones.len(), None, options)?;
    let how =
        CarryOptions { eyes: options.capabilities().eyes, ..options.carrying(carried(followers, options)) };
    let unknown = |error| doubtful::unknown_bones(options, &error, scene, proposal);
    let from = Figure { scene, humanoid: &proposal.humanoid };
    let retargeted = carry(&Carry { from, to: None, goals: None }, &how, report).map_err(unknown)?;
    check_most_arrived(scene, &retargeted, options, followers)?;
    Ok(retargeted.scene)
}

/// The nodes that a rig moved by other nodes; empty if the rig was left out.
const fn carried<'a>(followers: &'a Followers, options: &ConvertOptions<'_>) -> &'a Followers {
    if options.raw { Followers::NONE } else { followers }
}

/// Refuses motions of which most would not reach the figure.
fn check_most_arrived(
    scene: &Scene,
    made: &Carried,
    options: &ConvertOptions<'_>,
    followers: &Followers,
) -> Result<(), Error> {
    let clips = scene.clips.iter().zip(&made.left_out);
    let reach: Vec<Reach> =
        clips.map(|(clip, left_out)| Reach::into_figure(clip, left_out, followers)).collect();
    match Reach::lost_figure(&reach).filter(|_| !options.partial) {
        Some(lost) => {
            let nothing = Scene::new(scene.basis);
            Err(lost.onto("a bone of a human figure", &Known::of(&nothing), &Nearest::default()).into())
        }
        None => Ok(()),
    }
}

/// Refuses motions that would leave a figure motionless. A scene without any motion has nothing to lose.
fn check_figure_moves(scene: &Scene) -> Result<(), Error> {
    let tracks = || scene.tracks();
    let is_of_figures = |kind| matches!(kind, TargetKind::Joint | TargetKind::Morph);
    if tracks().next().is_none() || tracks().any(|track| is_of_figures(track.target.kind)) {
        return Ok(());
    }
    let mut kinds: Vec<&str> = tracks().map(|track| track.target.kind.word()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let what = format!("the file moves no joint and no morph of a figure, only {}", kinds.join(", "));
    Err(ConvertError::new("convert", ConvertErrorKind::NothingToConvert(what)).into())
}

/// The figure of a scene whose bones have other names than MikuMikuDance's, if the target needs
/// MikuMikuDance's names.
fn foreign_figure(
    scene: &Scene,
    options: &ConvertOptions<'_>,
    capabilities: &Capabilities,
) -> Option<Proposal> {
    if !wants_rig(capabilities) || scene.hierarchy == Hierarchy::Unknown || scene.clips.is_empty() {
        return None;
    }
    let proposal = options.figure_of(scene);
    let is_foreign = proposal.vocabulary != Some(Vocabulary::Mmd) && proposal.humanoid.is_human();
    is_foreign.then_some(proposal)
}

fn without_model(scene: Scene, report: &mut Report) -> Scene {
    let expected = format!(
        "a model with the bones of MikuMikuDance (give one with -m; -m {STANDARD_MODEL} will do) for a human figure"
    );
    let missing_model = "none, so that keys have the names and the rest pose of the figure's own nodes";
    report.warn(Fault::new("model-missing", Place::File, expected, missing_model));
    scene
}

fn onto_model(
    scene: &Scene,
    found: &Proposal,
    model: &Scene,
    options: &ConvertOptions<'_>,
    followers: &Followers,
    report: &mut Report,
) -> Result<Scene, Error> {
    let capabilities = &options.capabilities();
    let goals = Goals { grid: capabilities.grid.unwrap_or(FrameRate::FPS_30), behaviour: options.ik };
    frames::check_figure(scene, found.humanoid.bones.len(), Some(goals.grid), options)?;
    doubtful::tell(options, scene, found, MOTION, report);
    onto::check_shape(scene, found, MOTION, options, report)?;
    let name = options.model.map_or(STANDARD_MODEL, |model| model.name.as_str());
    let humanoid = propose(model, &NameMap::default()).humanoid;
    doubtful::tell_of_lying(model, &humanoid, name, report);
    let unknown = |error| doubtful::unknown_bones(options, &error, scene, found);
    let from = Figure { scene, humanoid: &found.humanoid };
    let way = Carry { from, to: Some(Figure { scene: model, humanoid: &humanoid }), goals: Some(goals) };
    let how = options.carrying(carried(followers, options));
    let retargeted = carry(&way, &how, report).map_err(unknown)?;
    check_most_arrived(scene, &retargeted, options, followers)?;
    let (moved, ground_m) = (retargeted.scene, retargeted.ground_m);
    // What is written is keys, which say nothing without the model.
    if let Some(witness) = Witness::of(scene, &found.humanoid, &moved, ground_m) {
        witness.judge(&moved, 0, report);
    }
    // Keys are all that is written, and wherever they are read the model has its surface and its rig.
    let bare = |node: Node| Node { mesh: None, skin: None, morphs: None, ..node };
    let nodes = moved.nodes.into_iter().map(bare).collect();
    let mut keys = Scene {
        name: moved.name,
        nodes,
        clips: moved.clips,
        english: moved.english,
        ..Scene::new(moved.basis)
    };
    rebase(&mut keys, &capabilities.basis.unwrap_or(Basis::GLTF), None);
    Ok(keys)
}
