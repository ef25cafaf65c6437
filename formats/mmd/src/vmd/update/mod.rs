//! Bring a document up to a scene that was made of it and changed since: keys that no operation touched stay to the byte, and so
//! does their order.

mod restore;

use super::document::{
    BoneKeyframe, CameraKeyframe, Document, LightKeyframe, ModelKeyframe, ModelName, MorphKeyframe, Section,
    ShadowKeyframe,
};
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

/// Code of the loss of keys that nothing plays and nothing says the new place of.
const NEVER_PLAYED: &str = "they are never played, and keys beside them moved";

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    check_names(document, scene, options, report)?;
    let (made, sources) = with_sources(scene, options, report)?;
    if moves_both(&made) && !moves_both(document) {
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
    section(&mut document.bones, made.bones, &sources.bones, &unplayed, report);
    section(&mut document.morphs, made.morphs, &sources.morphs, &unplayed, report);
    section(&mut document.cameras, made.cameras, &sources.cameras, &unplayed, report);
    section(&mut document.lights, made.lights, &sources.lights, &unplayed, report);
    section(&mut document.shadows, made.shadows, &sources.shadows, &unplayed, report);
    section(&mut document.models, made.models, &sources.models, &unplayed, report);
    Ok(())
}

/// True if a document moves a model, and a camera or a light too.
fn moves_both(document: &Document) -> bool {
    let moves_model = !document.bones.is_empty() || !document.morphs.is_empty();
    moves_model && (!document.cameras.is_empty() || !document.lights.is_empty())
}

/// Refuses new names that cannot be encoded, and reports those that are cut; old ones keep their bytes, whatever those are.
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

/// True if a track has no name in the file, or the one that its keys have there.
fn is_named_so(document: &Document, section: Section, track: &Track) -> bool {
    let curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
    let mut sources = curves.filter_map(|curve| curve.sources.as_deref()).flatten().flatten();
    let Some(place) = sources.next().map(|place| *place as usize) else {
        return !matches!(section, Section::Bones | Section::Morphs);
    };
    let name = &track.target.name;
    match section {
        Section::Bones => document.bones.get(place).is_some_and(|key| key.name.text() == *name),
        Section::Morphs => document.morphs.get(place).is_some_and(|key| key.name.text() == *name),
        Section::Models => {
            let mut bones = document.models.iter().flat_map(|key| &key.ik).map(|switch| switch.bone().text());
            *name == targets::MODEL || bones.any(|bone| bone == *name)
        }
        Section::Cameras | Section::Lights | Section::Shadows => true,
    }
}

/// A key of a section.
trait Key: Restore + Clone {
    const SECTION: Section;

    /// Its track, by which keys with a name are told apart.
    fn track(&self) -> Option<Name<15>>;
    fn frame(&self) -> u32;
    fn set_frame(&mut self, frame: u32);
}

macro_rules! keys {
    ($($key:ty, $section:ident, $track:expr;)*) => {
        $(
            impl Key for $key {
                const SECTION: Section = Section::$section;

                fn track(&self) -> Option<Name<15>> {
                    let track: fn(&Self) -> Option<Name<15>> = $track;
                    track(self)
                }

                fn frame(&self) -> u32 {
                    self.frame
                }

                fn set_frame(&mut self, frame: u32) {
                    self.frame = frame;
                }
            }
        )*
    };
}

keys! {
    BoneKeyframe, Bones, |key| Some(key.name.cleared());
    MorphKeyframe, Morphs, |key| Some(key.name.cleared());
    CameraKeyframe, Cameras, |_| None;
    LightKeyframe, Lights, |_| None;
    ShadowKeyframe, Shadows, |_| None;
    ModelKeyframe, Models, |_| None;
}

/// Places of the keys of each section that play no part: those that others of the same frame hide, and those that cannot be played.
struct Unplayed([Vec<u32>; Section::ALL.len()]);

impl Unplayed {
    fn of(document: &Document) -> Self {
        let places = |played: Vec<bool>| {
            (0..).zip(played).filter(|(_, played)| !played).map(|(place, _)| place).collect()
        };
        Self(to_scene::played(document).map(places))
    }
}

/// Where a key goes: beside the key that the document has at a place, and in which order there.
type Order = (u32, u32);

/// Brings the keys of a section up to those that were made of the scene.
fn section<K: Key>(
    own: &mut Vec<K>,
    made: Vec<K>,
    sources: &[Option<u32>],
    unplayed: &Unplayed,
    report: &mut Report,
) {
    let mut placed = placed(own, &made, sources);
    let hidden = &unplayed.0[K::SECTION as usize];
    if !hidden.is_empty() {
        follow(own, &made, sources, hidden, &mut placed, report);
    }
    let mut keys: Vec<(Order, K)> = placed;
    by_key(&mut keys, |(order, _)| *order);
    *own = keys.into_iter().map(|(_, key)| key).collect();
}

/// The new keys, each where the document has it, or beside its neighbour in its track.
fn placed<K: Key>(own: &[K], made: &[K], sources: &[Option<u32>]) -> Vec<(Order, K)> {
    let (mut claimed, mut names) = (vec![false; own.len()], Names::default());
    let mut all: Vec<(Order, K)> = Vec::with_capacity(made.len());
    for (at, key) in made.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|before| made.get(before));
        let follows = previous.is_some_and(|previous| previous.track() == key.track());
        let source = sources.get(at).copied().flatten();
        let old = source.and_then(|place| own.get(place as usize));
        // The way to a key counts if it starts earlier, at a key or at rest on frame 0.
        let is_reached = previous.filter(|_| follows).map_or(0, Key::frame) < key.frame();
        let restored = match (old, previous.filter(|_| follows)) {
            (Some(old), _) => key.restored(old, is_reached, &mut names),
            (None, Some(_)) => all.last().map_or_else(|| key.clone(), |(_, last)| key.beside(last)),
            (None, None) => key.clone(),
        };
        let is_first_claim = source
            .and_then(|place| claimed.get_mut(place as usize))
            .is_some_and(|own| !std::mem::replace(own, true));
        let order = match (source.filter(|_| is_first_claim), all.last().filter(|_| follows)) {
            (Some(place), _) => (place, BESIDE),
            (None, Some(((place, order), _))) => (*place, order.saturating_add(1)),
            (None, None) => before_its_track(made, sources, at),
        };
        all.push((order, restored));
    }
    all
}

/// Order of a key at the place that the document has it at; what comes before or after it has another.
const BESIDE: u32 = 1 << 16;

/// Where a key goes that starts its track: before the first key of it that the document has, or at the end.
fn before_its_track<K: Key>(made: &[K], sources: &[Option<u32>], at: usize) -> Order {
    let track = made.get(at).and_then(Key::track);
    let rest = made.iter().zip(sources).skip(at);
    let place = rest.take_while(|(key, _)| key.track() == track).find_map(|(_, source)| *source);
    place.map_or((u32::MAX, 0), |place| (place, 0))
}

/// Keys that play no part go with the key that hides them; others stay if nothing beside them moved.
fn follow<K: Key>(
    own: &[K],
    made: &[K],
    sources: &[Option<u32>],
    hidden: &[u32],
    placed: &mut Vec<(Order, K)>,
    report: &mut Report,
) {
    let is_hidden = |place: u32| hidden.binary_search(&place).is_ok();
    let mut hiding: HashMap<(Option<Name<15>>, u32), u32> = HashMap::new();
    for (place, key) in (0..).zip(own).filter(|(place, _)| !is_hidden(*place)) {
        hiding.insert((key.track(), key.frame()), place);
    }
    let moved: HashMap<u32, &K> =
        sources.iter().zip(made).rev().filter_map(|(source, key)| Some((((*source)?), key))).collect();
    let stays = |place: u32| {
        let old = own.get(place as usize);
        moved.get(&place).zip(old).is_some_and(|(new, old)| new.frame() == old.frame())
    };
    let all_stay = (0..own.len() as u32).filter(|place| !is_hidden(*place)).all(stays);
    let mut dropped = 0;
    for place in hidden {
        let Some(old) = own.get(*place as usize) else { continue };
        let (mut kept, order) = (old.clone(), (*place, BESIDE));
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
