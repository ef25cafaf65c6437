//! Copies of curves that Unity's editor shows: they follow the curves that play.

use super::curves::rename;
use crate::animation::document::{AnimationCurve, Clip, FloatCurve, Keyframe, TransformCurve};
use crate::animation::spans::List;
use crate::animation::splice::{Origin, Origins};
use dopesheet_core::diag::Report;
use dopesheet_core::words::counted;
use std::collections::HashMap;

/// The axes of what has more than one number.
const AXES: [&str; 4] = ["x", "y", "z", "w"];

/// Words for angles that the editor shows in the place of quaternions.
const ANGLES: [&str; 2] = ["m_LocalEulerAngles", "localEulerAngles"];

/// Makes the copies of curves that changed say what those say now. If that cannot be said of one, all copies go: the editor shows
/// what it has copies of, and makes them anew where there are none.
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
        (new.editor_curves, origins[List::Editor as usize]) = numbers;
        (new.euler_editor_curves, origins[List::EulerEditor as usize]) = angles;
        return;
    }
    new.editor_curves.clear();
    new.euler_editor_curves.clear();
    report.dropped(
        format!("copies of {} (m_EditorCurves)", counted(count, "curve")),
        "they no longer match the curves that play; Unity's editor makes them anew",
    );
}

/// A number as it is played.
struct Number {
    keys: Vec<Keyframe<1>>,
    /// Place of each key in the file.
    origins: Vec<Option<usize>>,
}

/// List, place in the file and component of a number.
type NumberPlace = (List, usize, usize);

/// The numbers that play before and after the change.
#[derive(Default)]
struct Played {
    /// By the path and the attribute that they had before.
    places: HashMap<(String, String), NumberPlace>,
    old: HashMap<NumberPlace, Number>,
    new: HashMap<NumberPlace, Number>,
}

impl Played {
    /// All numbers of a clip: of that before, if it has no origins.
    fn add(&mut self, clip: &Clip, origins: Option<&Origins>) {
        self.transforms(List::Position, "m_LocalPosition", &clip.position_curves, origins);
        self.transforms(List::Scale, "m_LocalScale", &clip.scale_curves, origins);
        self.transforms(List::Rotation, "m_LocalRotation", &clip.rotation_curves, origins);
        self.transforms(List::Euler, "localEulerAnglesRaw", &clip.euler_curves, origins);
        for (at, own) in clip.float_curves.iter().enumerate() {
            self.number((List::Float, at, 0), &own.path, own.attribute.clone(), &own.curve, origins);
        }
    }

    fn transforms<const N: usize>(
        &mut self,
        list: List,
        word: &str,
        curves: &[TransformCurve<N>],
        origins: Option<&Origins>,
    ) {
        for (at, own) in curves.iter().enumerate() {
            for (component, axis) in AXES.iter().enumerate().take(N) {
                self.number((list, at, component), &own.path, format!("{word}.{axis}"), &own.curve, origins);
            }
        }
    }

    fn number<const N: usize>(
        &mut self,
        (list, at, component): NumberPlace,
        path: &str,
        attribute: String,
        curve: &AnimationCurve<N>,
        origins: Option<&Origins>,
    ) {
        let keys = curve.keys.iter().map(|key| one(key, component)).collect();
        let number = |origins| Number { keys, origins };
        let Some(origins) = origins else {
            self.places.entry((path.to_owned(), attribute)).or_insert((list, at, component));
            self.old.insert((list, at, component), number((0..curve.keys.len()).map(Some).collect()));
            return;
        };
        let origin = origins.get(list as usize).and_then(|own| own.get(at));
        if let Some((entry, origin)) = origin.and_then(|origin| Some((origin.entry?, origin))) {
            self.new.insert((list, entry, component), number(origin.keys.clone()));
        }
    }

    /// A copy as it is now, `Some(None)` where its curve is gone; `None` if it cannot be said.
    fn followed(&self, at: usize, copy: &FloatCurve) -> Option<Option<(FloatCurve, Origin)>> {
        let angles = copy.attribute.rsplit_once('.').filter(|(word, _)| ANGLES.contains(word));
        let attribute = angles.map_or(copy.attribute.as_str(), |_| "m_LocalRotation.w");
        let Some(place) = self.places.get(&(copy.path.clone(), attribute.to_owned())) else {
            return Some(Some(stays(at, copy)));
        };
        let Some(new) = self.new.get(place) else { return Some(None) };
        let old = self.old.get(place)?;
        let is_played = |key: &Keyframe<1>, own: &Keyframe<1>| same(key, own) && key.time == own.time;
        let is_copy = angles.is_none()
            && copy.curve.keys.len() == old.keys.len()
            && copy.curve.keys.iter().zip(&old.keys).all(|(key, own)| is_played(key, own));
        let keys = match is_copy {
            true => copied(copy, new),
            false => self.retimed(copy, *place, angles.is_some())?,
        };
        let curve = AnimationCurve { keys, ..copy.curve.clone() };
        let made = FloatCurve { curve, ..copy.clone() };
        Some(Some((made, Origin { entry: Some(at), keys: new.origins.clone() })))
    }

    /// The keys of a copy that is put otherwise than what is played, where only the times of that changed.
    fn retimed(&self, copy: &FloatCurve, place: NumberPlace, is_rotation: bool) -> Option<Vec<Keyframe<1>>> {
        let components = if is_rotation { 0..AXES.len() } else { place.2..place.2 + 1 };
        for component in components {
            let place = (place.0, place.1, component);
            let [old, new] = [self.old.get(&place)?, self.new.get(&place)?];
            let is_same = |(key, origin): (&Keyframe<1>, &Option<usize>)| {
                let own = origin.and_then(|at| old.keys.get(at));
                own.is_some_and(|own| own.value == key.value)
            };
            if !new.keys.iter().zip(&new.origins).all(is_same) {
                return None;
            }
        }
        let [old, new] = [self.old.get(&place)?, self.new.get(&place)?];
        let has_its_times = copy.curve.keys.len() == old.keys.len()
            && copy.curve.keys.iter().zip(&old.keys).all(|(key, own)| key.time == own.time);
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
            let own = copy.curve.keys.get(*at)?;
            if is_run {
                let slope = |slope: f32| slope * factor;
                let (in_slope, out_slope) = (own.in_slope.map(slope), own.out_slope.map(slope));
                return Some(Keyframe { time: new.time, in_slope, out_slope, ..*own });
            }
            // What is level has no sign, and what is a step keeps it.
            let back = |slope: f32| if slope.is_finite() && slope != 0.0 { -slope * factor } else { slope };
            Some(Keyframe {
                time: new.time,
                in_slope: own.out_slope.map(back),
                out_slope: own.in_slope.map(back),
                in_weight: own.out_weight,
                out_weight: own.in_weight,
                weighted_mode: match own.weighted_mode {
                    1 => 2,
                    2 => 1,
                    both_or_none => both_or_none,
                },
                ..*own
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
fn one<const N: usize>(key: &Keyframe<N>, component: usize) -> Keyframe<1> {
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

/// Curves that are played, in the editor's modes.
fn copied(copy: &FloatCurve, new: &Number) -> Vec<Keyframe<1>> {
    let mode = |origin: &Option<usize>, key: &Keyframe<1>| {
        let own = origin.and_then(|at| copy.curve.keys.get(at));
        own.map_or(key.tangent_mode, |own| own.tangent_mode)
    };
    new.keys
        .iter()
        .zip(&new.origins)
        .map(|(key, origin)| Keyframe { tangent_mode: mode(origin, key), ..*key })
        .collect()
}
