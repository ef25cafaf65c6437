//! Copies of curves for Unity's editor, kept in step with the curves for playing.

use super::curves::rename;
use crate::animation::document::{AnimationCurve, Clip, FloatCurve, Keyframe, TransformCurve};
use crate::animation::spans::ClipList;
use crate::animation::splice::{Origin, Origins};
use dopesheet_core::diag::Report;
use dopesheet_core::words::counted;
use std::collections::HashMap;

/// The axes of values with several numbers.
const AXES: [&str; 4] = ["x", "y", "z", "w"];

/// Words for angles shown in the editor in place of quaternions.
const ANGLES: [&str; 2] = ["m_LocalEulerAngles", "localEulerAngles"];

/// Updates the copies of changed curves. If any copy cannot be updated, all copies are removed: the editor
/// shows the curves for which there are copies, and makes all copies anew if there are none.
pub(super) fn follow(
    old: &Clip,
    new: &mut Clip,
    origins: &mut Origins,
    renamed: &HashMap<String, String>,
    report: &mut Report,
) {
    let count = old.editor_curves.len() + old.euler_editor_curves.len();
    if count == 0 {
        return;
    }
    let mut played = Played::default();
    played.add(old, None);
    played.add(new, Some(origins));
    let copies = |curves: &[FloatCurve]| -> Option<(Vec<FloatCurve>, Vec<Origin>)> {
        let followed = curves.iter().enumerate().map(|(at, copy)| played.followed(at, copy));
        let all: Option<Vec<Option<(FloatCurve, Origin)>>> = followed.collect();
        let (mut copies, origins): (Vec<FloatCurve>, Vec<Origin>) = all?.into_iter().flatten().unzip();
        copies.iter_mut().for_each(|copy| rename(&mut copy.path, renamed));
        Some((copies, origins))
    };
    let lists = [copies(&old.editor_curves), copies(&old.euler_editor_curves)];
    if let [Some(numbers), Some(angles)] = lists {
        (new.editor_curves, origins[ClipList::Editor as usize]) = numbers;
        (new.euler_editor_curves, origins[ClipList::EulerEditor as usize]) = angles;
        return;
    }
    new.editor_curves.clear();
    new.euler_editor_curves.clear();
    report.dropped(
        format!("copies of {} (m_EditorCurves)", counted(count, "curve")),
        "they no longer match the curves that play; Unity's editor makes them anew",
    );
}

/// A number as played.
struct Number {
    keys: Vec<Keyframe<1>>,
    /// Place of each key in the file.
    origins: Vec<Option<usize>>,
}

/// List of curves, curve in the list and component of a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NumberPlace {
    list: ClipList,
    curve: usize,
    component: usize,
}

/// The played numbers before and after the change.
#[derive(Default)]
struct Played {
    /// By the path and the attribute before the change.
    places: HashMap<(String, String), NumberPlace>,
    old: HashMap<NumberPlace, Number>,
    new: HashMap<NumberPlace, Number>,
}

impl Played {
    /// Adds all numbers of a clip: the clip before the change if there are no origins.
    fn add(&mut self, clip: &Clip, origins: Option<&Origins>) {
        self.transforms(ClipList::Position, "m_LocalPosition", &clip.position_curves, origins);
        self.transforms(ClipList::Scale, "m_LocalScale", &clip.scale_curves, origins);
        self.transforms(ClipList::Rotation, "m_LocalRotation", &clip.rotation_curves, origins);
        self.transforms(ClipList::Euler, "localEulerAnglesRaw", &clip.euler_curves, origins);
        for (at, curve) in clip.float_curves.iter().enumerate() {
            let number_place = NumberPlace { list: ClipList::Float, curve: at, component: 0 };
            self.number(number_place, &curve.path, curve.attribute.clone(), &curve.curve, origins);
        }
    }

    fn transforms<const N: usize>(
        &mut self,
        list: ClipList,
        word: &str,
        curves: &[TransformCurve<N>],
        origins: Option<&Origins>,
    ) {
        for (at, curve) in curves.iter().enumerate() {
            for (component, axis) in AXES.iter().enumerate().take(N) {
                let number_place = NumberPlace { list, curve: at, component };
                self.number(number_place, &curve.path, format!("{word}.{axis}"), &curve.curve, origins);
            }
        }
    }

    fn number<const N: usize>(
        &mut self,
        place: NumberPlace,
        path: &str,
        attribute: String,
        curve: &AnimationCurve<N>,
        origins: Option<&Origins>,
    ) {
        let keys = curve.keys.iter().map(|key| component_key(key, place.component)).collect();
        let number = |origins| Number { keys, origins };
        let Some(origins) = origins else {
            self.places.entry((path.to_owned(), attribute)).or_insert(place);
            self.old.insert(place, number((0..curve.keys.len()).map(Some).collect()));
            return;
        };
        let origin = origins.get(place.list as usize).and_then(|list_origins| list_origins.get(place.curve));
        if let Some((entry, origin)) = origin.and_then(|origin| Some((origin.entry?, origin))) {
            self.new.insert(NumberPlace { curve: entry, ..place }, number(origin.keys.clone()));
        }
    }

    /// A copy after the change, `Some(None)` if its curve is gone; `None` if the copy cannot be updated.
    fn followed(&self, at: usize, copy: &FloatCurve) -> Option<Option<(FloatCurve, Origin)>> {
        let angles = copy.attribute.rsplit_once('.').filter(|(word, _)| ANGLES.contains(word));
        let attribute = angles.map_or(copy.attribute.as_str(), |_| "m_LocalRotation.w");
        let Some(number_place) = self.places.get(&(copy.path.clone(), attribute.to_owned())) else {
            return Some(Some(stays(at, copy)));
        };
        let Some(new) = self.new.get(number_place) else { return Some(None) };
        let old = self.old.get(number_place)?;
        let is_played = |key: &Keyframe<1>, played_key: &Keyframe<1>| {
            same(key, played_key) && key.time == played_key.time
        };
        let is_copy = angles.is_none()
            && copy.curve.keys.len() == old.keys.len()
            && copy.curve.keys.iter().zip(&old.keys).all(|(key, played_key)| is_played(key, played_key));
        let keys = match is_copy {
            true => copied(copy, new),
            false => self.retimed(copy, *number_place, angles.is_some())?,
        };
        let curve = AnimationCurve { keys, ..copy.curve.clone() };
        let new_copy = FloatCurve { curve, ..copy.clone() };
        Some(Some((new_copy, Origin { entry: Some(at), keys: new.origins.clone() })))
    }

    /// The keys of a copy in another form than the played number, if only the times of the number changed.
    fn retimed(&self, copy: &FloatCurve, place: NumberPlace, is_rotation: bool) -> Option<Vec<Keyframe<1>>> {
        let components = if is_rotation { 0..AXES.len() } else { place.component..place.component + 1 };
        for component in components {
            let component_place = NumberPlace { component, ..place };
            let [old, new] = [self.old.get(&component_place)?, self.new.get(&component_place)?];
            let is_same = |(key, origin): (&Keyframe<1>, &Option<usize>)| {
                let old_key = origin.and_then(|at| old.keys.get(at));
                old_key.is_some_and(|old_key| old_key.value == key.value)
            };
            if !new.keys.iter().zip(&new.origins).all(is_same) {
                return None;
            }
        }
        let [old, new] = [self.old.get(&place)?, self.new.get(&place)?];
        let has_its_times = copy.curve.keys.len() == old.keys.len()
            && copy.curve.keys.iter().zip(&old.keys).all(|(key, old_key)| key.time == old_key.time);
        let length =
            |keys: &[Keyframe<1>]| keys.last().zip(keys.first()).map(|(last, first)| last.time - first.time);
        let kept = new.origins.iter().flatten().copied().collect::<Vec<usize>>();
        let follow = |[a, b]: [&usize; 2]| a + 1 == *b;
        let is_run = kept.windows(2).all(|pair| matches!(pair, [a, b] if follow([a, b])));
        let is_reversed = kept.windows(2).all(|pair| matches!(pair, [a, b] if follow([b, a])));
        if !has_its_times || !(is_run || is_reversed) {
            return None;
        }
        let part = old.keys.get(*kept.iter().min()?..=*kept.iter().max()?)?;
        let factor = match [length(part)?, length(&new.keys)?] {
            [old, new] if old > 0.0 && new > 0.0 => old / new,
            _ => 1.0,
        };
        let key = |(at, new): (&usize, &Keyframe<1>)| {
            let copied_key = copy.curve.keys.get(*at)?;
            if is_run {
                let slope = |slope: f32| slope * factor;
                let (in_slope, out_slope) = (copied_key.in_slope.map(slope), copied_key.out_slope.map(slope));
                return Some(Keyframe { time: new.time, in_slope, out_slope, ..*copied_key });
            }
            // What is level has no sign, and what is a step keeps it.
            let back = |slope: f32| if slope.is_finite() && slope != 0.0 { -slope * factor } else { slope };
            Some(Keyframe {
                time: new.time,
                in_slope: copied_key.out_slope.map(back),
                out_slope: copied_key.in_slope.map(back),
                in_weight: copied_key.out_weight,
                out_weight: copied_key.in_weight,
                weighted_mode: match copied_key.weighted_mode {
                    1 => 2,
                    2 => 1,
                    both_or_none => both_or_none,
                },
                ..*copied_key
            })
        };
        kept.iter().zip(&new.keys).map(key).collect()
    }
}

fn stays(at: usize, copy: &FloatCurve) -> (FloatCurve, Origin) {
    let keys = (0..copy.curve.keys.len()).map(Some).collect();
    (copy.clone(), Origin { entry: Some(at), keys })
}

/// One component of a key.
fn component_key<const N: usize>(key: &Keyframe<N>, component: usize) -> Keyframe<1> {
    let number = |list: &[f32; N]| [list.get(component).copied().unwrap_or_default()];
    Keyframe {
        time: key.time,
        value: number(&key.value),
        in_slope: number(&key.in_slope),
        out_slope: number(&key.out_slope),
        tangent_mode: key.tangent_mode,
        weighted_mode: key.weighted_mode,
        in_weight: number(&key.in_weight),
        out_weight: number(&key.out_weight),
    }
}

/// True if two keys have the same value and slopes.
fn same(a: &Keyframe<1>, b: &Keyframe<1>) -> bool {
    (a.value, a.in_slope, a.out_slope) == (b.value, b.in_slope, b.out_slope)
}

/// Played curves, with the tangent modes of the editor's copies.
fn copied(copy: &FloatCurve, new: &Number) -> Vec<Keyframe<1>> {
    let mode = |origin: &Option<usize>, key: &Keyframe<1>| {
        let copied_key = origin.and_then(|at| copy.curve.keys.get(at));
        copied_key.map_or(key.tangent_mode, |copied_key| copied_key.tangent_mode)
    };
    new.keys
        .iter()
        .zip(&new.origins)
        .map(|(key, origin)| Keyframe { tangent_mode: mode(origin, key), ..*key })
        .collect()
}
