//! From documents to a single scene within the target's capabilities.

use super::bones;
use super::merge::merge;
use super::stature;
use super::{ConvertOptions, Request};
use super::{figure, frames, into, lengths};
use crate::choice::clip_choice::{ClipChoice, Extent, extent, longest};
use crate::error::Error;
use crate::files::read::Opened;
use crate::files::requested::never_written;
use crate::models::bound::{Model, wants_rig};
use crate::models::english;
use crate::models::english::Language;
use crate::models::muscles::refuse_muscles_alone;
use crate::models::points::turn_points;
use crate::models::solving::check_solving;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::format::{Capabilities, Clips, KeyStorage, RestFrom, ToScene};
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, Hierarchy, NodeIndex, PoseRelation, Property, RestPose, Scene, Track,
    ValueKind, rebase,
};
use dopesheet_core::order::by_key;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::{agreeing, counted};
use dopesheet_human::Followers;
use dopesheet_motion::keys::trim::{delay, first_key};
use dopesheet_motion::sample::rig;
use dopesheet_motion::{Conform, arrange, check_frames, conform, put_in_world};

/// Names of the sources of a scene.
pub(super) struct Names {
    /// For each clip the name of its source file, without extension.
    pub(super) file_stems: Vec<String>,
    /// Name of the model that motions were put on.
    pub(super) model: Option<String>,
}

/// A single scene of all inputs, within the target's capabilities, and the names of its sources.
pub(super) fn prepare(request: Request<'_>, report: &mut Report) -> Result<(Scene, Names), Error> {
    let Request { inputs, model, options } = request;
    let target = options.target();
    let capabilities = &options.capabilities();
    if !capabilities.writes && options.into.is_none() {
        let what = never_written(target.info().id).map_or_else(
            || format!("{} is read only; it cannot be written", target.info().name),
            str::to_owned,
        );
        return Err(ConvertError::new(target.info().id, ConvertErrorKind::Unsupported(what)).into());
    }
    let mut scenes = Vec::with_capacity(inputs.len());
    let mut stems = Vec::new();
    let mut model = model.map(|model| Model::held(model, false)).transpose()?;
    let of_model = model.as_ref().and_then(|model| model.scene().name.clone());
    let eased = inputs.iter().all(|input| !eases(&input.format().info().capabilities));
    let eased = eased && eases(capabilities) && !options.raw;
    let (mut inputs, mut witnesses) = (inputs.into_iter(), Vec::new());
    while let Some(input) = inputs.next() {
        if let Some(model) = &mut model {
            model.stays = inputs.len() > 0;
        }
        let slides = report.slides.len();
        let (scene, witness) = interpret(&input, options, model.as_mut(), report)?;
        // Clips of several inputs are numbered anew.
        report
            .slides
            .iter_mut()
            .skip(slides)
            .for_each(|slide| slide.clip = slide.clip.saturating_add(stems.len()));
        witnesses.push((stems.len(), witness));
        stems.extend(std::iter::repeat_n(input.stem().to_owned(), scene.clips.len()));
        scenes.push(scene);
    }
    drop(model);
    let mut scene = merge(scenes);
    if capabilities.clips == Clips::One && scene.clips.len() > 1 {
        let text = format!(
            "{} holds one clip, found {}; choose one with --clip",
            target.info().name,
            scene.clips.len()
        );
        return Err(Error::Usage(text));
    }
    let content = Content::of(&scene);
    frames::check_written(&scene, capabilities, options)?;
    arrange(&mut scene, capabilities);
    if let Some(into) = options.into {
        into::leave_out(&mut scene, into, options, report)?;
    }
    let in_world = target.in_world(&scene);
    bring_within(&mut scene, &in_world, options, eased, report)?;
    for (first, witness) in &witnesses {
        witness.iter().for_each(|witness| witness.judge(&scene, *first, report));
    }
    content.check_anything_left(&scene, capabilities)?;
    content.note_nothing_shown(&scene, capabilities, report);
    note_scaled_away(&scene, report);
    note_unknown_hierarchy(&scene, options, capabilities, report);
    bones::show(&mut scene, options, report);
    Ok((scene, Names { file_stems: stems, model: of_model }))
}

/// Brings an arranged scene within the target's capabilities. `in_world` lists nodes whose poses count in
/// world space; `eased` is true to fit keys as an animator sets them.
pub(crate) fn bring_within(
    scene: &mut Scene,
    in_world: &[NodeIndex],
    options: &ConvertOptions<'_>,
    eased: bool,
    report: &mut Report,
) -> Result<(), Error> {
    let target = options.target();
    let tolerance = options.tolerance.unwrap_or_default();
    let in_world = match in_world {
        [] => None,
        nodes => put_in_world(scene, nodes, &tolerance, report),
    };
    target.leave_out(scene, report);
    let laws = target.capabilities(scene, options.variant.as_deref());
    // Clips that are added to a file are stored plainly.
    let storage = match options.into {
        Some(_) => KeyStorage::default(),
        None => target.storage(options.variant.as_deref()),
    };
    let (bake, lossy, cubic) = (options.bake, options.lossy || eased, options.cubic);
    let wanted = Conform { bake, tolerance, lossy, cubic, storage, in_world: in_world.as_ref() };
    check_frames(target.info().id, scene, &laws, &wanted, options.limits.max_frames)?;
    conform(scene, &laws, &wanted, report);
    Ok(())
}

/// The figure of the options with the motion of a file put onto it, before keys are chosen by any tolerance.
pub(crate) fn put_onto_figure(
    motion: &Opened,
    options: &ConvertOptions<'_>,
    report: &mut Report,
) -> Result<Scene, Error> {
    let mut model = options.model.map(|model| Model::read(model, false)).transpose()?;
    let (mut scene, _) = interpret(motion, options, model.as_mut(), report)?;
    // The rig of the figure was heeded when its bones got their motion.
    rig::take_out(&mut scene);
    Ok(scene)
}

fn interpret(
    input: &Opened,
    options: &ConvertOptions<'_>,
    mut model: Option<&mut Model<'_>>,
    report: &mut Report,
) -> Result<(Scene, Option<figure::Witness>), Error> {
    let capabilities = &options.capabilities();
    report.extend(input.report.clone());
    let read = ToScene {
        fallback_name: Some(input.stem().to_owned()),
        literal_angles: options.raw || options.stored_between_frames,
        rest: options.rest,
        ..ToScene::default()
    };
    let (mut scene, mut fit) = figure::read(input, options, model.as_deref_mut(), &read, report)?;
    note_assumed_rest(&scene, options, capabilities, report);
    let chosen = choose_clips(&mut scene, options, capabilities, report)?;
    if !capabilities.parts.muscles {
        refuse_muscles_alone(&scene.clips).map_err(|error| muscles_onto(options, error))?;
    }
    if let Some(fit) = &mut fit {
        chosen.into_iter().for_each(|clip| fit.choose(clip));
        let is_of_figure = capabilities.humanoid || options.goes_onto_a_figure();
        let lost = fit.lost(&scene, capabilities.parts.morph_tracks, is_of_figure);
        if let Some(lost) = lost.filter(|_| !options.partial) {
            return Err(lost.into());
        }
        fit.note_no_bone_lost(is_of_figure, report);
    }
    let followers = Followers::of(&scene.rig);
    if !options.raw {
        turn_points(&mut scene, report);
    }
    if !wants_rig(capabilities) {
        solve(&mut scene, options, report)?;
    }
    if options.unlit {
        scene.materials.iter_mut().for_each(|material| material.unlit = true);
    }
    if let Some(metres) = options.metres_per_unit {
        scene.basis.metres_per_unit = Some(metres);
    }
    let metres_per_unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let basis = basis_for(&scene, capabilities, report);
    scene.basis.metres_per_unit.get_or_insert(1.0);
    rebase(&mut scene, &basis, None);
    lengths::check(&scene, options)?;
    if options.metres_per_unit.is_none() {
        stature::check(&scene, metres_per_unit, &options.names, report);
    }
    for clip in &mut scene.clips {
        settle_time(clip, options, capabilities, report);
    }
    // Before that, bones and faces are found by the names that their own programs give them.
    let english = scene.english.clone();
    let (mut scene, witness) = figure::figure(scene, options, model.as_deref(), &followers, report)?;
    if options.language == Language::English {
        if scene.english.is_empty() {
            scene.english = english;
        }
        english::rename(&mut scene, input, report)?;
    }
    Ok((scene, witness))
}

/// The advice for muscles that were to be put onto another figure.
fn muscles_onto(options: &ConvertOptions<'_>, error: Error) -> Error {
    let Error::Convert(ConvertError { format, kind: ConvertErrorKind::NothingToConvert(what), .. }) = error
    else {
        return error;
    };
    let way_out = match options.goes_onto_a_figure() {
        true => "; --onto takes motions of joints, to which Unity bakes its muscles",
        false => "",
    };
    ConvertError::new(format, ConvertErrorKind::NothingToConvert(what + way_out)).into()
}

/// The axes and unit of a scene for a target. A format that states no unit gets metres. Sources without a
/// unit count as metres too, with a single warning for all of them.
fn basis_for(scene: &Scene, capabilities: &Capabilities, report: &mut Report) -> Basis {
    let basis = capabilities.basis.unwrap_or(Basis::GLTF);
    if scene.basis.metres_per_unit.is_none()
        && has_lengths(scene)
        && report.findings.iter().all(|finding| finding.fault.code != UNIT_UNKNOWN)
    {
        let expected = "a unit of length (say with --scale how many metres one is)";
        report.warn(Fault::new(UNIT_UNKNOWN, Place::File, expected, "none, so that lengths count as metres"));
    }
    Basis { metres_per_unit: basis.metres_per_unit.or(Some(1.0)), ..basis }
}

/// Code of the finding about lengths without a unit.
pub(super) const UNIT_UNKNOWN: &str = "unit-unknown";

/// True if anything in a scene is placed or moved by a length.
fn has_lengths(scene: &Scene) -> bool {
    let channels = scene.tracks().flat_map(|track| &track.channels);
    let moves = |channel: &Channel| {
        let is_place = channel.property.kind() == ValueKind::Position;
        is_place && channel.composition.curves().any(|curve| curve.values.iter().any(|x| *x != 0.0))
    };
    scene.nodes.iter().any(|node| node.rest.translation != [0.0; 3]) || channels.into_iter().any(moves)
}

/// True if keys of a format are few and eased, as animators set them. Motions from other formats are usually
/// sampled, so keys for such a target are fitted within the tolerance.
const fn eases(capabilities: &Capabilities) -> bool {
    capabilities.vector_laws.bezier_timing && capabilities.grid.is_some()
}

/// Solves the rig of a scene for a format whose players have no rigs.
fn solve(scene: &mut Scene, options: &ConvertOptions<'_>, report: &mut Report) -> Result<(), Error> {
    if !options.raw {
        check_solving(scene, options.ik, options.target(), &options.limits)?;
        rig::bake(scene, options.ik, report);
        return Ok(());
    }
    let rig = rig::take_out(scene);
    let appended = rig.joints.iter().filter(|joint| joint.append.is_some()).count();
    if !rig.is_empty() {
        let what = format!(
            "the rig: {}, {} that {} others",
            counted(rig.ik.len(), "IK chain"),
            counted(appended, "joint"),
            agreeing(appended, "follows", "follow")
        );
        report.dropped(what, "--raw keeps the keys as they were authored");
    }
    Ok(())
}

/// Keeps the clip asked for; without a choice all clips with keys, or the first of them if the target holds a single clip. Reports
/// the others as dropped. Yields the former index of the clip that is left, if exactly one is.
fn choose_clips(
    scene: &mut Scene,
    options: &ConvertOptions<'_>,
    capabilities: &Capabilities,
    report: &mut Report,
) -> Result<Option<usize>, Error> {
    let choice = match (&options.clip, capabilities.clips) {
        (Some(choice), _) => choice.clone(),
        (None, Clips::Many) => ClipChoice::All,
        (None, Clips::One) => ClipChoice::First,
    };
    let chosen = if choice == ClipChoice::All { None } else { choice.place_in(&scene.clips)? };
    let names = |clips: &[Clip]| {
        let names = clips.iter().map(|clip| clip.name.as_deref().unwrap_or_default());
        format!("clips {}", names.collect::<Vec<_>>().join(", "))
    };
    let by_default = options.clip.is_none();
    let longest = longest(&scene.clips);
    for (kind, why) in [
        (Extent::Nothing, "they have no keys; --clip chooses such a clip by its name, --clip '#all' all"),
        (
            Extent::Frame,
            "they last a single frame; --clip chooses such a clip by its name, --clip '#all' all",
        ),
    ] {
        let is_less = |clip: &mut Clip| by_default && kind < longest && extent(clip) == kind;
        let less: Vec<Clip> = scene.clips.extract_if(.., is_less).collect();
        if !less.is_empty() {
            report.dropped(names(&less), why);
        }
    }
    let others = scene.clips.get(1..).filter(|others| !others.is_empty());
    if let Some(others) = others.filter(|_| by_default && choice == ClipChoice::First) {
        report.dropped(names(others), "the target format holds one clip; choose with --clip");
    }
    choice.keep(scene)?;
    Ok(chosen)
}

/// Treats times before 0 for targets without negative times. A selected range already starts at 0.
fn settle_time(
    clip: &mut Clip,
    options: &ConvertOptions<'_>,
    capabilities: &Capabilities,
    report: &mut Report,
) {
    if options.range.is_some() {
        return;
    }
    let Some(first) = first_key(clip).filter(|t| t.0 < 0.0 && !capabilities.negative_times) else { return };
    if options.shift {
        delay(clip, -first.0);
        report.kept(format!("all times, moved by {} s so that the clip starts at 0", -first.0));
    } else {
        drop_start(clip, first, "the target format starts at 0; --shift moves the clip instead", report);
    }
}

/// Reports that the part of a clip before 0 is lost.
pub(crate) fn drop_start(clip: &mut Clip, first: Seconds, why: &str, report: &mut Report) {
    report.dropped(format!("the motion before 0 (it starts at {} s)", first.0), why);
    clip.markers.retain(|m| m.time >= Seconds(0.0));
}

/// Content of a scene before it was brought within the target.
struct Content {
    tracks: Vec<String>,
    clips: usize,
    nodes: usize,
}

impl Content {
    fn of(scene: &Scene) -> Self {
        let tracks = scene.tracks();
        let mut tracks: Vec<String> = tracks.map(|t| t.target.kind.word().to_owned()).collect();
        by_key(&mut tracks, |word| word.clone());
        Self { tracks, clips: scene.clips.len(), nodes: scene.nodes.len() }
    }

    /// Refuses a conversion that leaves nothing. An empty motion had nothing to lose, and formats with room
    /// for a hierarchy keep a model alone.
    fn check_anything_left(&self, scene: &Scene, capabilities: &Capabilities) -> Result<(), Error> {
        let refuse =
            |what: String| Err(ConvertError::new("convert", ConvertErrorKind::NothingToConvert(what)).into());
        if self.clips == 0 && self.nodes > 0 && !capabilities.parts.hierarchy {
            return refuse(format!(
                "the file has {} and no motion, and the target format holds motions",
                counted(self.nodes, "node")
            ));
        }
        let parts = &capabilities.parts;
        if parts.hierarchy && !parts.translation && !parts.rotation && !scene.nodes.is_empty() {
            return Ok(());
        }
        let left = scene.clips.iter().any(|c| !c.tracks.is_empty() || !c.markers.is_empty());
        if left || self.tracks.is_empty() {
            return Ok(());
        }
        let mut by_kind: Vec<(String, usize)> = Vec::new();
        for word in &self.tracks {
            match by_kind.last_mut() {
                Some((last, count)) if last == word => *count += 1,
                _ => by_kind.push((word.clone(), 1)),
            }
        }
        let had: Vec<String> =
            by_kind.into_iter().map(|(word, count)| counted(count, &format!("{word} track"))).collect();
        refuse(format!("the file has {}, and the target format has no place for them", had.join(", ")))
    }

    /// Warns that players show no motion in the result, although the source had some.
    fn note_nothing_shown(&self, scene: &Scene, capabilities: &Capabilities, report: &mut Report) {
        let parts = &capabilities.parts;
        let shows =
            |track: &Track| track.channels.iter().any(|c| parts.shows(track.target.kind, &c.property));
        let mut tracks = scene.tracks();
        if self.tracks.is_empty() || tracks.clone().any(shows) {
            return;
        }
        let mut names: Vec<&str> = Vec::new();
        for word in tracks.by_ref().flat_map(|track| &track.channels).map(|channel| channel.property.word()) {
            if !names.contains(&word) {
                names.push(word);
            }
        }
        let motionless = match &names[..] {
            [] => "nothing that moves".to_owned(),
            names => format!("only numbers that it keeps as data ({}): nothing moves", names.join(", ")),
        };
        let expected = "motion of a node, morph, camera or light, which players of the target show";
        report.warn(Fault::new(NOTHING_MOVES, Place::File, expected, motionless));
    }
}

/// Code of the finding about nodes scaled to nothing.
pub(super) const SCALED_AWAY: &str = "scaled-away";

/// Warns of nodes that a clip scales to nothing throughout, although they have a size at rest. Switches hide
/// their nodes that way.
fn note_scaled_away(scene: &Scene, report: &mut Report) {
    let is_zero = |curve: &Curve| !curve.is_empty() && curve.values.iter().all(|factor| *factor == 0.0);
    let is_nothing = |own: &Channel| own.property == Property::Scale && own.composition.curves().all(is_zero);
    let is_switch = |channel: &Channel| matches!(channel.property, Property::Visible | Property::Named(_));
    let has_size = |node| scene.node(node).is_some_and(|node| node.rest.scale != [0.0; 3]);
    let mut names = Vec::new();
    for track in scene.tracks().filter(|track| track.channels.iter().any(is_nothing)) {
        let mut of_node = scene.tracks().filter(|other| other.target.node == track.target.node);
        if track.target.node.is_some_and(has_size)
            && !of_node.any(|other| other.channels.iter().any(is_switch))
        {
            names.push(&*track.target.name);
        }
    }
    if let Some(first) = names.first() {
        let actual = format!("a scale of 0 at every key of {} ({first} first)", counted(names.len(), "node"));
        report.warn(Fault::new(SCALED_AWAY, Place::File, "nodes with a size, as at rest", actual));
    }
}

/// Code of the finding about a rest pose taken from the first keys.
pub(super) const REST_ASSUMED: &str = "rest-assumed";

/// Names the pose that counts as the rest pose of a motion whose file states none, if the choice has an
/// effect: a warning if values come out on top of the rest pose.
fn note_assumed_rest(
    scene: &Scene,
    options: &ConvertOptions<'_>,
    capabilities: &Capabilities,
    report: &mut Report,
) {
    let parts = capabilities.parts;
    let states_poses = parts.hierarchy && parts.meshes && !capabilities.humanoid;
    // Places in the world need no rest pose.
    let is_written = capabilities.relation == PoseRelation::OnTopOfRest
        || (parts.hierarchy && options.target().in_world(scene).is_empty());
    if scene.rest != RestPose::Assumed || !is_written {
        return;
    }
    let expected = "a rest pose, which the format does not state (give a model with -m)";
    let assumption = match options.rest {
        RestFrom::Places => {
            "none: nodes rest where their first keys place them, not turned (--rest first turns them, too)"
        }
        RestFrom::First => "none: nodes rest as their first keys have them",
    };
    let fault = Fault::new(REST_ASSUMED, Place::File, expected, assumption);
    match states_poses && !options.goes_onto_a_figure() {
        true => report.info(fault),
        false => report.warn(fault),
    }
}

/// Code of the finding about a result that does not move.
pub(super) const NOTHING_MOVES: &str = "nothing-moves";

fn note_unknown_hierarchy(
    scene: &Scene,
    options: &ConvertOptions<'_>,
    capabilities: &Capabilities,
    report: &mut Report,
) {
    let flat = scene.hierarchy == Hierarchy::Unknown && scene.nodes.len() > 1;
    if !flat || !capabilities.parts.hierarchy || options.into.is_some() {
        return;
    }
    report.warn(hierarchy_unknown(scene));
}

/// The finding about a motion without a hierarchy.
pub(crate) fn hierarchy_unknown(scene: &Scene) -> Fault {
    let loose_nodes = format!("{} nodes without a hierarchy, as in every motion alone", scene.nodes.len());
    let expected = "a model that joins the nodes (give one with -m)";
    Fault::new("hierarchy-unknown", Place::File, expected, loose_nodes)
}
