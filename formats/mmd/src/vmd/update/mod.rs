//! Bring a document up to a scene made from this document and changed since: keys not touched by any
//! operation keep every byte and their order.

mod restore;

use super::document::Keyed;
use super::document::{Document, ModelName, Section};
use super::from_scene::{names, with_sources};
use super::info::ID;
use super::{targets, to_scene};
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::FromScene;
use dopesheet_core::model::{Scene, Track};
use dopesheet_core::order::by_key;
use restore::{Names, Restore};
use std::collections::HashMap;

/// Reason for the loss of keys that are never played and whose new position is unknown.
const NEVER_PLAYED: &str = "they are never played, and keys beside them moved";

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    check_names(document, scene, options, report)?;
    let (written, sources) = with_sources(scene, options, report)?;
    if moves_both(&written) && !moves_both(document) {
        let what = "MikuMikuDance loads the motion of a model or that of a camera, never both of one file; write two \
                    files, or convert both to one of a format that plays both (glTF)";
        return Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what.to_owned())));
    }
    let name = scene.clips.first().and_then(|clip| clip.made_for.clone());
    let is_renamed = name.as_ref().is_some_and(|name| *name != document.model.text());
    if let Some(name) = options.model_name.as_ref().or(name.as_ref().filter(|_| is_renamed)) {
        document.model = match document.model {
            ModelName::Short(_) => ModelName::Short(names::encode(name, true, "model", report)?),
            ModelName::Long(_) => ModelName::Long(names::encode(name, true, "model", report)?),
        };
    }
    let unplayed = Unplayed::of(document);
    section(&mut document.bones, written.bones, &sources.bones, &unplayed, report);
    section(&mut document.morphs, written.morphs, &sources.morphs, &unplayed, report);
    section(&mut document.cameras, written.cameras, &sources.cameras, &unplayed, report);
    section(&mut document.lights, written.lights, &sources.lights, &unplayed, report);
    section(&mut document.shadows, written.shadows, &sources.shadows, &unplayed, report);
    section(&mut document.models, written.models, &sources.models, &unplayed, report);
    Ok(())
}

/// True if a document moves a model, and a camera or a light too.
fn moves_both(document: &Document) -> bool {
    let moves_model = !document.bones.is_empty() || !document.morphs.is_empty();
    moves_model && (!document.cameras.is_empty() || !document.lights.is_empty())
}

/// Refuses new names that cannot be encoded, and reports names that are cut; old names keep their bytes,
/// whatever the bytes are.
fn check_names(
    document: &Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    for track in scene.tracks() {
        let section = to_scene::section_of(track);
        if !is_named_so(document, section, track) {
            let what = if section == Section::Morphs { "morph" } else { "bone" };
            names::encode::<15>(&track.target.name, options.replace_unencodable, what, report)?;
        }
    }
    Ok(())
}

/// True if a track has no name in the file, or the same name as its keys in the file.
fn is_named_so(document: &Document, section: Section, track: &Track) -> bool {
    let curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
    let mut sources = curves.filter_map(|curve| curve.sources.as_deref()).flatten().flatten();
    let Some(position) = sources.next().map(|position| *position as usize) else {
        return !matches!(section, Section::Bones | Section::Morphs);
    };
    let name = &track.target.name;
    match section {
        Section::Bones => document.bones.get(position).is_some_and(|key| key.name.text() == *name),
        Section::Morphs => document.morphs.get(position).is_some_and(|key| key.name.text() == *name),
        Section::Models => {
            let mut bones = document.models.iter().flat_map(|key| &key.ik).map(|switch| switch.bone().text());
            *name == targets::MODEL || bones.any(|bone| bone == *name)
        }
        Section::Cameras | Section::Lights | Section::Shadows => true,
    }
}

/// A key that can take back its bytes.
trait Key: Keyed + Restore + Clone {}

impl<K: Keyed + Restore + Clone> Key for K {}

/// Positions of the ineffective keys of each section: keys hidden by others of the same frame, and unplayable
/// keys.
struct Unplayed([Vec<u32>; Section::ALL.len()]);

impl Unplayed {
    fn of(document: &Document) -> Self {
        let places = |played: Vec<bool>| {
            (0..).zip(played).filter(|(_, played)| !played).map(|(position, _)| position).collect()
        };
        Self(to_scene::played(document).map(places))
    }
}

/// Sort order of a key: the position of a key in the document, and the order among the keys around that
/// position.
type Order = (u32, u32);

/// Brings the keys of a section up to the keys made from the scene.
fn section<K: Key>(
    old_keys: &mut Vec<K>,
    new_keys: Vec<K>,
    sources: &[Option<u32>],
    unplayed: &Unplayed,
    report: &mut Report,
) {
    let mut placed = placed(old_keys, &new_keys, sources);
    let hidden = &unplayed.0[K::SECTION as usize];
    if !hidden.is_empty() {
        follow(old_keys, &new_keys, sources, hidden, &mut placed, report);
    }
    let mut keys: Vec<(Order, K)> = placed;
    by_key(&mut keys, |(order, _)| *order);
    *old_keys = keys.into_iter().map(|(_, key)| key).collect();
}

/// The new keys, each at its position in the document, or beside its neighbour in its track.
fn placed<K: Key>(old_keys: &[K], new_keys: &[K], sources: &[Option<u32>]) -> Vec<(Order, K)> {
    let (mut claimed, mut names) = (vec![false; old_keys.len()], Names::default());
    let mut all: Vec<(Order, K)> = Vec::with_capacity(new_keys.len());
    for (at, key) in new_keys.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|before| new_keys.get(before));
        let follows = previous.is_some_and(|previous| previous.track() == key.track());
        let source = sources.get(at).copied().flatten();
        let old = source.and_then(|position| old_keys.get(position as usize));
        // The way to a key counts if it starts earlier, at a key or at rest on frame 0.
        let is_reached = previous.filter(|_| follows).map_or(0, Keyed::frame) < key.frame();
        let restored = match (old, previous.filter(|_| follows)) {
            (Some(old), _) => key.restored(old, is_reached, &mut names),
            (None, Some(_)) => all.last().map_or_else(|| key.clone(), |(_, last)| key.continuing(last)),
            (None, None) => key.clone(),
        };
        let is_first_claim = source
            .and_then(|position| claimed.get_mut(position as usize))
            .is_some_and(|is_claimed| !std::mem::replace(is_claimed, true));
        let order = match (source.filter(|_| is_first_claim), all.last().filter(|_| follows)) {
            (Some(position), _) => (position, BESIDE),
            (None, Some(((position, order), _))) => (*position, order.saturating_add(1)),
            (None, None) => before_its_track(new_keys, sources, at),
        };
        all.push((order, restored));
    }
    all
}

/// Second number of the order of a key that is itself in the document; keys to be put before or after it have
/// smaller or larger numbers.
const BESIDE: u32 = 1 << 16;

/// Order of the first key of a track: before the track's first key in the document, or at the end.
fn before_its_track<K: Key>(new_keys: &[K], sources: &[Option<u32>], at: usize) -> Order {
    let track = new_keys.get(at).and_then(Keyed::track);
    let rest = new_keys.iter().zip(sources).skip(at);
    let position = rest.take_while(|(key, _)| key.track() == track).find_map(|(_, source)| *source);
    position.map_or((u32::MAX, 0), |position| (position, 0))
}

/// Moves ineffective keys along with the keys that hide them; other ineffective keys stay if nothing beside
/// them moved.
fn follow<K: Key>(
    old_keys: &[K],
    new_keys: &[K],
    sources: &[Option<u32>],
    hidden: &[u32],
    placed: &mut Vec<(Order, K)>,
    report: &mut Report,
) {
    let is_hidden = |position: u32| hidden.binary_search(&position).is_ok();
    let mut hiding: HashMap<(Option<Name<15>>, u32), u32> = HashMap::new();
    for (position, key) in (0..).zip(old_keys).filter(|(position, _)| !is_hidden(*position)) {
        hiding.insert((key.track(), key.frame()), position);
    }
    let moved: HashMap<u32, &K> =
        sources.iter().zip(new_keys).rev().filter_map(|(source, key)| Some((((*source)?), key))).collect();
    let stays = |position: u32| {
        let old = old_keys.get(position as usize);
        moved.get(&position).zip(old).is_some_and(|(new, old)| new.frame() == old.frame())
    };
    let all_stay = (0..old_keys.len() as u32).filter(|position| !is_hidden(*position)).all(stays);
    let mut dropped = 0;
    for position in hidden {
        let Some(old) = old_keys.get(*position as usize) else { continue };
        let (mut kept, order) = (old.clone(), (*position, BESIDE));
        match hiding.get(&(old.track(), old.frame())) {
            Some(winner) => {
                if let Some(new) = moved.get(winner) {
                    kept.set_frame(new.frame());
                    kept.take_name(*new);
                    placed.push((order, kept));
                }
            }
            None if all_stay => placed.push((order, kept)),
            None => dropped += 1,
        }
    }
    if dropped > 0 {
        report.dropped(K::SECTION.counted(dropped), NEVER_PLAYED);
    }
}
