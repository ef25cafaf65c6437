//! Names of the morphs that make a face, and the part of each morph in the face.
//!
//! Sources: the morphs shared by models for MikuMikuDance; the names of VRM 1.0 and 0.x; avatars of VRoid
//! Studio; the 52 blend shapes of Apple's ARKit (`ARFaceAnchor.BlendShapeLocation`), whose descriptions name
//! the parts that move, beside VRM's `expressions.md`, which describes the look of each preset.

use crate::body::values::scaled;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{Blend, Channel, Curve, Law, Laws, Property, Target, TargetKind, Times, Track};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_motion::inside::narrow;
use dopesheet_motion::{Side, channel_at};

/// A preset expression of VRM 1.0 and the morphs that make it, best name first. MikuMikuDance's winks without
/// a word for the side are winks of the left eye.
type PresetMorphs = (&'static str, &'static [&'static str]);

#[rustfmt::skip]
const ROWS: &[PresetMorphs] = &[
    ("aa", &["あ", "A", "Fcl_MTH_A", "vrc.v_aa"]),
    ("ih", &["い", "I", "Fcl_MTH_I", "vrc.v_ih"]),
    ("ou", &["う", "U", "Fcl_MTH_U", "vrc.v_ou"]),
    ("ee", &["え", "えー", "E", "Fcl_MTH_E", "vrc.v_e"]),
    ("oh", &["お", "O", "Fcl_MTH_O", "vrc.v_oh"]),
    ("blink", &["まばたき", "Fcl_EYE_Close"]),
    ("blinkLeft", &["ウィンク２", "ウィンク", "ウインク２", "ウインク", "Blink_L", "Fcl_EYE_Close_L"]),
    ("blinkRight", &["ｳｨﾝｸ２右", "ウィンク２右", "ウィンク右", "ウインク右", "Blink_R", "Fcl_EYE_Close_R"]),
    ("happy", &["笑い", "Joy", "Fcl_ALL_Joy"]),
    ("angry", &["怒り", "Angry", "Fcl_ALL_Angry"]),
    ("sad", &["困る", "Sorrow", "Fcl_ALL_Sorrow"]),
    ("relaxed", &["なごみ", "Fun", "Fcl_ALL_Fun"]),
    ("surprised", &["びっくり", "Surprised", "Fcl_ALL_Surprised"]),
    ("neutral", &["Neutral", "Fcl_ALL_Neutral"]),
];

/// A blend shape of ARKit, the preset in which it has a part, its share (half for each side of a face that
/// moves both), and on the way back its weight in the preset. A share of 0 marks a row for the way back
/// alone: a shape that moves for several reasons tells no preset. The other shapes (cheeks, nose, tongue)
/// keep their names, and eyes that look are a gaze.
#[rustfmt::skip]
const ARKIT: &[(&str, &str, f64, f64)] = &[
    ("eyeBlinkLeft", "blinkLeft", 1.0, 1.0),
    ("eyeBlinkRight", "blinkRight", 1.0, 1.0),
    ("eyeBlinkLeft", "blink", 0.0, 1.0),
    ("eyeBlinkRight", "blink", 0.0, 1.0),
    ("jawOpen", "aa", 1.0, 1.0),
    ("mouthPucker", "ou", 1.0, 1.0),
    ("mouthFunnel", "oh", 1.0, 1.0),
    ("mouthStretchLeft", "ih", 0.5, 1.0),
    ("mouthStretchRight", "ih", 0.5, 1.0),
    ("mouthStretchLeft", "ee", 0.0, 0.6),
    ("mouthStretchRight", "ee", 0.0, 0.6),
    ("mouthSmileLeft", "happy", 0.5, 1.0),
    ("mouthSmileRight", "happy", 0.5, 1.0),
    ("mouthFrownLeft", "sad", 0.5, 1.0),
    ("mouthFrownRight", "sad", 0.5, 1.0),
    ("browInnerUp", "sad", 0.0, 0.5),
    ("browDownLeft", "angry", 0.5, 1.0),
    ("browDownRight", "angry", 0.5, 1.0),
    ("eyeWideLeft", "surprised", 0.5, 1.0),
    ("eyeWideRight", "surprised", 0.5, 1.0),
    ("browInnerUp", "surprised", 0.0, 0.7),
    ("mouthSmileLeft", "relaxed", 0.0, 0.3),
    ("mouthSmileRight", "relaxed", 0.0, 0.3),
    ("eyeSquintLeft", "relaxed", 0.0, 0.4),
    ("eyeSquintRight", "relaxed", 0.0, 0.4),
];

/// The preset in which a blend shape of ARKit has a part, and its share; case does not matter.
pub(crate) fn part(shape: &str) -> Option<(&'static str, f64)> {
    let row = ARKIT.iter().find(|(name, _, share, _)| *share > 0.0 && name.eq_ignore_ascii_case(shape));
    row.map(|(_, preset, share, _)| (*preset, *share))
}

/// The blend shapes of ARKit that make a preset, with their weights in the preset.
pub(crate) fn shapes(preset: &str) -> impl Iterator<Item = (&'static str, f64)> {
    ARKIT
        .iter()
        .filter(move |(_, candidate, ..)| *candidate == preset)
        .map(|(shape, _, _, weight)| (*shape, *weight))
}

/// Largest error of sampled sums, half-way between their samples; nothing for exact sums.
#[derive(Default)]
pub(crate) struct Sampling(Option<MaxError>);

impl Sampling {
    /// Reports the largest error of weights, if there is any.
    pub(crate) fn report(self, report: &mut Report) {
        if let Some(error) = self.0 {
            report.approximated("weights that are sums of curves which are not straight, sampled", error);
        }
    }

    fn meet(&mut self, value: f64, target: &str, time: f64) {
        if value > self.0.as_ref().map_or(NOTHING, |error| error.value) {
            let (unit, target) = (ErrorUnit::One, target.to_owned());
            self.0 = Some(MaxError { value, unit, target, time: Seconds(time) });
        }
    }
}

/// Largest difference of weights that counts as none: files are no more precise.
const NOTHING: f64 = 1e-7;

/// Adds a share of a weight to the track of a morph; the first share creates the track.
pub(crate) fn add(
    tracks: &mut Vec<Track>,
    name: &str,
    share: f64,
    channel: &Channel,
    sampling: &mut Sampling,
) {
    let is_own = |track: &&mut Track| track.target.kind == TargetKind::Morph && track.target.name == name;
    if let Some(weights) = tracks.iter_mut().find(is_own).and_then(|track| track.channels.first_mut()) {
        *weights = sum(weights, (channel, share), |off, time| sampling.meet(off, name, time));
        return;
    }
    let mut channel = channel.clone();
    for curve in channel.composition.curves_mut().into_iter().filter(|_| share != 1.0) {
        *curve = scaled(curve, share, 0.0);
    }
    let target = Target::new(TargetKind::Morph, name.to_owned(), tracks.len(), None);
    tracks.push(Track { target, channels: vec![channel] });
}

/// Parts of a stretch between keys in which a curve that is not straight is sampled.
const PARTS: u32 = 8;

/// A weight plus a share of another weight, with the keys of both. Curves that are not straight between keys
/// are sampled. `off` is told the error in the middle between samples, and the time in seconds.
fn sum(a: &Channel, (b, share): (&Channel, f64), mut off: impl FnMut(f64, f64)) -> Channel {
    let curves = || [a, b].into_iter().flat_map(|channel| channel.composition.curves());
    let all = |test: fn(Law) -> bool| curves().all(|curve| curve.laws.all(test));
    let steps = all(|law| law.blend == Blend::Step);
    let is_straight = steps || all(|law| law.blend == Blend::Lerp && law.timing.is_linear());
    let mut times: Vec<f64> = curves().flat_map(|curve| curve.times.iter().map(|time| time.0)).collect();
    ascend(&mut times);
    times.dedup();
    if !is_straight {
        let pairs = times.iter().zip(times.iter().skip(1));
        let between = pairs.flat_map(|(from, to)| {
            (0..PARTS).map(move |part| from + (to - from) * f64::from(part) / f64::from(PARTS))
        });
        times = between.chain(times.last().copied()).collect();
    }
    let mut out = Vec::new();
    let mut at = |channel, time| {
        let has_keys = channel_at(channel, Seconds(time), Side::At, &mut out);
        out.first().copied().filter(|_| has_keys).unwrap_or(0.0)
    };
    let mut exact = |time: f64| at(a, time) + share * at(b, time);
    let values: Vec<f32> = times.iter().map(|time| narrow(exact(*time))).collect();
    for (times, values) in times.windows(2).zip(values.windows(2)).filter(|_| !is_straight) {
        if let (&[from, to], &[start, end]) = (times, values) {
            let middle = f64::midpoint(from, to);
            off((exact(middle) - f64::midpoint(start.into(), end.into())).abs(), middle);
        }
    }
    let law = if steps { Law::STEP } else { Law::LINEAR };
    Channel::whole(Property::Weight, Curve::new(Times::Seconds(times.into()), 1, values, Laws::uniform(law)))
}

/// The preset expression made by a morph, and the rank of the morph's name: 0 is the best.
pub(crate) fn preset(morph: &str) -> Option<(&'static str, usize)> {
    ROWS.iter().find_map(|(expression, names)| {
        let rank = match morph == *expression {
            true => Some(0),
            false => names.iter().zip(1..).find(|(name, _)| **name == morph).map(|(_, rank)| rank),
        };
        Some((*expression, rank?))
    })
}

/// Names of the morphs that make an expression, best first; empty for an expression that is no preset.
pub(crate) fn morphs(expression: &str) -> &'static [&'static str] {
    ROWS.iter().find(|(preset, _)| *preset == expression).map_or(&[], |(_, names)| names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::PRESET_EXPRESSIONS;
    use std::collections::HashSet;

    #[test]
    fn every_preset_has_a_row_and_every_morph_one_preset() {
        let presets: HashSet<_> = ROWS.iter().map(|(preset, _)| *preset).collect();
        assert_eq!(presets, PRESET_EXPRESSIONS.into_iter().collect());
        let names: Vec<_> = ROWS.iter().flat_map(|(_, names)| *names).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    }

    #[test]
    fn presets_come_back_whole_from_arkit_and_no_shape_has_two_parts() {
        let mut parted = HashSet::new();
        for (shape, preset, share, weight) in ARKIT {
            assert!(PRESET_EXPRESSIONS.contains(preset), "{preset}");
            assert!(*share == 0.0 || parted.insert(shape), "{shape}");
            assert!((0.0..=1.0).contains(weight), "{shape}");
            // There and back again a preset is what it was.
            let back: f64 = shapes(preset)
                .filter_map(|(shape, weight)| Some((part(shape)?, weight)))
                .filter(|((candidate, _), _)| candidate == preset)
                .map(|((_, share), weight)| share * weight)
                .sum();
            let has_share = ARKIT.iter().any(|(_, candidate, share, _)| candidate == preset && *share > 0.0);
            assert_eq!(back, if has_share { 1.0 } else { 0.0 }, "{preset}");
        }
        assert_eq!(part("MouthSmileLeft"), Some(("happy", 0.5)));
        let emotions = ["happy", "angry", "sad", "relaxed", "surprised", "blink"];
        assert!(emotions.iter().all(|preset| shapes(preset).count() >= 2));
    }

    #[test]
    fn winks_of_models_close_the_side_they_are_known_for() {
        assert_eq!(preset("ウィンク").map(|p| p.0), Some("blinkLeft"));
        assert_eq!(preset("ｳｨﾝｸ２右").map(|p| p.0), Some("blinkRight"));
        assert_eq!(preset("blinkLeft"), Some(("blinkLeft", 0)));
        assert_eq!(preset("にこり"), None);
    }
}
