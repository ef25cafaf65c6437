//! From any human figure to the skeleton of another.

use crate::convert::figure::doubtful::{self, MOTION, refused};
use crate::convert::figure::witness::Witness;
use crate::convert::{Conversion, ConvertOptions, frames};
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::bound::{Model, check_map, wants_rig};
use crate::models::persons::{hips_of_all, person, too_few};
use crate::models::vocabularies::Vocabularies;
use dopesheet_core::diag::{Fault, Loss, Place, Report};
use dopesheet_core::format::{NameMap, Pieces};
use dopesheet_core::model::{
    Basis, Hierarchy, HumanBone, Humanoid, Node, Property, Rig, Scene, TargetKind, Track, rebase,
};
use dopesheet_core::words::{counted, length};
use dopesheet_human::{
    Carry, Figure, Floor, Followers, NO_MORPH, Planted, Proposal, Vocabulary, carry, detached, doubts,
    keep_hands_off, relax_hands,
};

/// The options of a conversion onto a figure. A file that takes clips keeps all its other contents, and keys
/// that need a rig are put on a figure with a rig as on a model.
pub(in crate::convert) fn options<'a>(options: &ConvertOptions<'a>) -> Result<ConvertOptions<'a>, Error> {
    let mut onto_options = options.clone();
    let refuse = |text: String| Err(Error::Usage(text));
    let Some(target) = onto_options.onto else { return Ok(onto_options) };
    let (to, capabilities) = (onto_options.to.info(), options.capabilities());
    if onto_options.into.is_some() {
        return refuse(format!(
            "{} takes the motion, so that it cannot also be added to another file",
            target.name
        ));
    }
    if onto_options.lengths_of().is_some() {
        let asked = [
            ("--motion-only", onto_options.motion_only),
            ("--contacts", onto_options.planted != Planted::default()),
            ("--floor", onto_options.floor != Floor::default()),
            ("--raise", onto_options.raised_m != 0.0),
        ];
        return match asked.into_iter().find(|(_, is_asked)| *is_asked) {
            Some((option, _)) => refuse(format!(
                "{} with features takes only lengths from {}; leave {option} out",
                to.name, target.name
            )),
            None => Ok(onto_options),
        };
    }
    if capabilities.humanoid {
        return Ok(onto_options);
    }
    if wants_rig(&capabilities) {
        if onto_options.model.is_some() {
            return refuse(format!("{} are bound to a model by name; give one model", to.name));
        }
        (onto_options.model, onto_options.onto) = (Some(target), None);
        return Ok(onto_options);
    }
    let attaches = target.format().info().capabilities.attaches;
    if onto_options.to.takes(&target.document) && attaches && !onto_options.motion_only {
        onto_options.into = Some(target);
    }
    Ok(onto_options)
}

/// The target's figure with the motions of another, for a format that holds a human figure and nothing else:
/// faces are still the source's.
pub(in crate::convert) fn bare_figure(
    scene: &Scene,
    target: &Opened,
    options: &ConvertOptions<'_>,
    followers: &Followers,
    report: &mut Report,
) -> Result<(Scene, Proposal, Option<Witness>), Error> {
    let mut findings = Report::default();
    // Raised last: what measures the figure for any avatar brings high feet down to the ground.
    let on_ground = ConvertOptions { raised_m: 0.0, ..options.clone() };
    let (mut moved, witness) = figure(scene, target, &on_ground, followers, &mut findings)?;
    let is_face = |track: &&Track| {
        track.target.kind == TargetKind::Morph
            && track.channels.iter().all(|channel| channel.property == Property::Weight)
    };
    for (clip, source) in moved.clips.iter_mut().zip(&scene.clips) {
        clip.tracks.extend(source.tracks.iter().filter(is_face).cloned());
    }
    // The figure has no morph of its own; what becomes of faces is said when they become expressions.
    findings.losses.retain(|loss| !matches!(loss, Loss::Dropped { why, .. } if why == NO_MORPH));
    report.extend(findings);
    let faces = scene.humanoid.as_ref().map(|humanoid| humanoid.expressions.clone()).unwrap_or_default();
    let humanoid =
        Humanoid { expressions: faces, look_at: None, ..moved.humanoid.take().unwrap_or_default() };
    Ok((moved, Proposal { humanoid, certainty: 1.0, ..Proposal::default() }, witness))
}

/// The target's nodes with the motions of a figure, and the data for the verdict on the result.
pub(in crate::convert) fn figure(
    scene: &Scene,
    target: &Opened,
    options: &ConvertOptions<'_>,
    followers: &Followers,
    report: &mut Report,
) -> Result<(Scene, Option<Witness>), Error> {
    let model = Model::read(target, false)?;
    check_map(&options.names, scene, Some(model.scene()))?;
    let source = proposal(scene, options, None)?;
    let target_figure = proposal(model.scene(), options, Some(&target.name))?;
    for (scene, candidate, name) in
        [(scene, &source, MOTION), (model.scene(), &target_figure, target.name.as_str())]
    {
        doubtful::tell(options, scene, candidate, name, report);
        check_shape(scene, candidate, name, options, report)?;
    }
    if options.persons.is_none() {
        tell_of_others(scene, &source, MOTION, &options.names, options.vocabularies.motion, report);
        let names = options.names.of_figure();
        let only = options.vocabularies.figure;
        tell_of_others(model.scene(), &target_figure, &target.name, &names, only, report);
    }
    doubtful::tell_of_lying(model.scene(), &target_figure.humanoid, &target.name, report);
    tell_of_detached(&model, &target_figure, &target.name, report);
    frames::check_figure(scene, source.humanoid.bones.len(), None, options)?;
    let bare = options.capabilities().humanoid.then(|| faceless(model.scene()));
    let to =
        Figure { scene: bare.as_ref().unwrap_or_else(|| model.scene()), humanoid: &target_figure.humanoid };
    let from = Figure { scene, humanoid: &source.humanoid };
    let how = options.carrying(followers);
    let carried = carry(&Carry { from, to: Some(to), goals: None }, &how, report);
    let carried = carried.map_err(|error| refused(options, error.to_string()))?;
    let (mut moved, ground_m) = (carried.scene, carried.ground_m);
    if options.relaxed_hands {
        match relax_hands(&mut moved, &target_figure.humanoid) {
            0 => {}
            count => {
                report.kept(format!("{} of fingers that the motion lacks, relaxed", counted(count, "bone")))
            }
        }
    }
    keep_off(&mut moved, model.scene(), &target_figure.humanoid, options, report);
    let mut witness = Witness::of(scene, &source.humanoid, &moved, ground_m);
    // A file that takes the clips has all that is seen of the figure.
    if options.motion_only || options.into.is_some() {
        if options.capabilities().parts.meshes {
            witness = witness.map(|witness| witness.with_surface(&moved));
        }
        let morphs = |node: &Node| node.morphs.filter(|_| !options.motion_only);
        let bare = |node: Node| Node { mesh: None, skin: None, morphs: morphs(&node), ..node };
        let nodes = moved.nodes.into_iter().map(bare).collect();
        moved = Scene {
            name: moved.name,
            nodes,
            morph_sets: if options.motion_only { Vec::new() } else { moved.morph_sets },
            clips: moved.clips,
            hierarchy: moved.hierarchy,
            humanoid: moved.humanoid,
            ..Scene::new(moved.basis)
        };
    }
    rebase(&mut moved, &options.capabilities().basis.unwrap_or(Basis::GLTF), None);
    Ok((moved, witness))
}

/// Size of a result from which its report names the way to a smaller result. The keys of a minute take less: 55 joints, 30 frames
/// a second and 20 bytes a key.
const LARGE_BYTES: usize = 2_000_000;

/// A conversion whose report names `--motion-only` first if the figure made the result large.
pub(in crate::convert) fn with_way_to_small(
    mut conversion: Conversion<Pieces>,
    options: &ConvertOptions<'_>,
) -> Conversion<Pieces> {
    let Pieces { main, resources } = &conversion.output;
    let bytes: usize = main.iter().chain(resources.iter().map(|(_, bytes)| bytes)).map(Vec::len).sum();
    let capabilities = options.capabilities();
    let can_be_small = options.onto.is_some() && !options.motion_only && !capabilities.humanoid;
    if can_be_small && capabilities.parts.meshes && bytes > LARGE_BYTES {
        let what = format!(
            "all of the figure, {} MB with the clips (--motion-only leaves out its meshes)",
            bytes / 1_000_000
        );
        conversion.report.report.losses.insert(0, Loss::Kept { what });
    }
    conversion
}

/// Warns of hands that hang on no forearm.
fn tell_of_detached(model: &Model<'_>, figure: &Proposal, name: &str, report: &mut Report) {
    let stay = detached(model.scene(), &figure.humanoid);
    if !stay.is_empty() {
        let expected = format!("hands of {name} that hang on their forearms");
        let found = format!("{}, and stays behind", stay.join(", "));
        report.warn(Fault::new(FIGURE_SHAPE, Place::File, expected, found));
    }
}

/// Code of the finding about a file with several human figures.
pub(in crate::convert) const SEVERAL_PERSONS: &str = "several-persons";

/// Tells of human figures beside the first.
fn tell_of_others(
    scene: &Scene,
    first: &Proposal,
    file: &str,
    names: &NameMap,
    only: Option<Vocabulary>,
    report: &mut Report,
) {
    let all = hips_of_all(scene, first, names, only);
    if all.len() > 1 {
        let expected = format!(
            "one human figure in {file} (--person 2 takes the second of the motion, --person :2 of the other file)"
        );
        let found = format!("{}, with the hips {}; the first is taken", all.len(), all.join(", "));
        report.info(Fault::new(SEVERAL_PERSONS, Place::File, expected, found));
    }
}

/// Keeps hands off the body if the options ask for it, and warns of hands that pass into the body deeper than
/// its joints are thick.
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
            .filter(|passage| passage.depth_m > PRESSED_M)
            .map(|passage| {
                format!("{} {} deep at {:.3} s", passage.bone.word(), length(passage.depth_m), passage.time.0)
            })
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
pub(in crate::convert) const HANDS_IN_BODY: &str = "hands-in-body";

/// Smallest depth in metres at which a hand in the body is reported.
const PRESSED_M: f64 = 0.03;

/// A figure without morphs and expressions.
fn faceless(scene: &Scene) -> Scene {
    let humanoid = scene.humanoid.clone().map(|humanoid| Humanoid { expressions: Vec::new(), ..humanoid });
    Scene { humanoid, morph_sets: Vec::new(), rig: Rig::default(), ..scene.clone() }
}

/// The figure whose lengths the written bones get.
#[cfg(feature = "research")]
pub(in crate::convert) fn lengths(options: &ConvertOptions<'_>) -> Result<Option<Box<Scene>>, Error> {
    let Some(target) = options.lengths_of() else { return Ok(None) };
    let model = Model::read(target, false)?;
    let target_figure = proposal(model.scene(), options, Some(&target.name))?;
    let mut scene = Scene { humanoid: Some(target_figure.humanoid), ..model.scene().clone() };
    rebase(&mut scene, &Basis::GLTF, None);
    Ok(Some(Box::new(scene)))
}

/// The human figure of the motion's scene, or of the scene of a named target, with all required bones.
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
    let proposal = match target {
        Some(_) => person(
            scene,
            &options.names.of_figure(),
            options.vocabularies.figure,
            options.persons.unwrap_or_default().figure,
        ),
        None => options.figure_of(scene),
    };
    if proposal.humanoid.is_human() {
        return Ok(proposal);
    }
    let missing = proposal.humanoid.missing();
    let (names, only, at) = match target {
        Some(_) => (
            options.names.of_figure(),
            options.vocabularies.figure,
            options.persons.unwrap_or_default().figure,
        ),
        None => {
            (options.names.clone(), options.vocabularies.motion, options.persons.unwrap_or_default().motion)
        }
    };
    if at > 0 {
        let message = too_few(scene, &names, only, at, target.unwrap_or(MOTION));
        return Err(refused(options, message));
    }
    let subject = target.unwrap_or(MOTION);
    let way_out = doubtful::way_out(options, scene, &proposal, subject);
    let words = |bones: &[HumanBone]| bones.iter().map(|bone| bone.word()).collect::<Vec<_>>().join(", ");
    let named_bones: Vec<HumanBone> =
        proposal.humanoid.bones.keys().copied().filter(|bone| bone.is_required()).collect();
    let bones = match named_bones.is_empty() {
        true => "no bone of one".to_owned(),
        false if named_bones.len() < missing.len() => format!("only {}", words(&named_bones)),
        false => format!("no node for {}", words(&missing)),
    };
    let what = format!("expected a human figure in {subject}, found {bones}; {way_out}");
    Err(refused(options, what))
}

/// Code of the finding about a figure whose shape contradicts the names of its bones.
pub(in crate::convert) const FIGURE_SHAPE: &str = "figure-shape";

/// Refuses a figure whose shape contradicts the names of its bones. Warns instead if the caller names the
/// bones or accepts any.
pub(in crate::convert) fn check_shape(
    scene: &Scene,
    proposal: &Proposal,
    figure: &str,
    options: &ConvertOptions<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    let doubts = doubts(scene, &proposal.humanoid);
    if doubts.is_empty() {
        return Ok(());
    }
    let is_asked = options.partial
        || proposal.named > 0
        || options.vocabularies != Vocabularies::default()
        || options.persons.is_some();
    let (expected, doubts) = (format!("bones of {figure} where their names say"), doubts.join(", "));
    if proposal.vocabulary.is_some() && !is_asked {
        let is_one_of_several = hips_of_all(scene, proposal, &options.names, None).len() > 1;
        let person = if is_one_of_several { ", --person 1 or 2 one of several figures" } else { "" };
        let way_out = doubtful::way_out(options, scene, proposal, figure);
        return Err(refused(
            options,
            format!(
                "expected {expected}, found {doubts}; --partial takes them as they are{person}; {way_out}"
            ),
        ));
    }
    let expected = format!("{expected} (--map or --vocabulary says which node is which bone)");
    report.warn(Fault::new(FIGURE_SHAPE, Place::File, expected, doubts));
    Ok(())
}
