//! Files that a seed makes: keys before 0, repeats, jumps at both ends, targets without keys, single keys.

use super::files::{BODY, HANDS, Source, made, scene, source_of, writable};
use super::motions::{EASED, END, Keys, evenly, of_joints};
use crate::onto::avatars::sample;
use dopesheet::core::diag::{Report, Severity};
use dopesheet::core::format::{AnyFormat, FromScene};
use dopesheet::core::model::{Law, Outside, Scene, Times};
use std::sync::Arc;

/// Random numbers of a seed (the generator SplitMix64, by Guy Steele and others).
pub(crate) struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count as u64) as usize
    }

    /// A whole number of frames or a third of it more.
    fn frame(&mut self, from: i64, to: i64) -> f64 {
        let thirds = self.below(4);
        (from + self.below((to - from) as usize) as i64) as f64 + if thirds == 0 { 1.0 / 3.0 } else { 0.0 }
    }
}

/// Files of a seed in all writable formats.
pub(crate) fn sources(seed: u64) -> Vec<Source> {
    let [body, hands] = ["jump.bvh", "hands.bin"].map(|name| scene(&sample(name)));
    let make = |(at, format): (usize, &'static dyn AnyFormat)| {
        let mut chance = Chance(seed.wrapping_mul(64).wrapping_add(at as u64));
        let tracks: Vec<Keys> = (0..BODY.len()).map(|_| keys(&mut chance)).collect();
        let name = format!("seed {seed}");
        let keys = |track: usize| tracks[track].clone();
        let figure = made(format, &name, &of_joints(body.clone(), &BODY, &keys));
        let source = figure.or_else(|| made(format, &name, &of_joints(hands.clone(), &HANDS, &keys)))?;
        let awkward = awkward(&source, &mut chance).unwrap_or(source);
        Some(Source { is_seeded: true, ..awkward })
    };
    writable().enumerate().filter_map(make).collect()
}

/// Key times of a track, and its laws.
fn keys(chance: &mut Chance) -> Keys {
    let start = chance.frame(0, 30);
    let mut frames = evenly(start, chance.frame(3, 25));
    match chance.below(6) {
        0 => frames.clear(),
        1 => frames = vec![chance.frame(0, END)],
        2 => {
            // Jumps at both ends.
            frames = evenly(0.0, 15.0);
            frames.insert(0, 0.0);
            frames.push(END as f64);
        }
        3 => frames.truncate(frames.len() / 2),
        _ => {}
    }
    let laws = [Law::LINEAR, Law::STEP, Law::HERMITE, EASED];
    let laws = (0..=chance.below(3)).map(|_| laws[chance.below(laws.len())]).collect();
    (frames, laws)
}

/// The file with keys before 0 and with repeats, as far as its format has them; `None` for a file with new errors.
fn awkward(source: &Source, chance: &mut Chance) -> Option<Source> {
    let mut scene: Scene = source.scene.clone();
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let early = if chance.below(3) == 0 { 0.25 * chance.below(8) as f64 } else { 0.0 };
        for curve in track.channels.iter_mut().flat_map(|channel| channel.composition.curves_mut()) {
            if let Times::Seconds(times) = &mut curve.times {
                *times = times.iter().map(|time| time - early).collect::<Arc<[f64]>>();
            }
            let rules = [Outside::Hold, Outside::Loop, Outside::PingPong];
            curve.before = rules[chance.below(rules.len())].clone();
            curve.after = rules[chance.below(rules.len())].clone();
        }
    }
    let mut file = source.file.clone();
    let options = FromScene { keep_constant: true, rounded: true, ..FromScene::default() };
    file.format().update(&mut file.document, &scene, &options, &mut Report::default()).ok()?;
    let awkward = source_of(&source.name, &file).ok()?;
    let errors = |source: &Source| {
        let mut report = Report::default();
        source.file.format().check(&source.file.document, &mut report);
        report.findings.iter().any(|finding| finding.severity == Severity::Error)
    };
    (!errors(&awkward)).then_some(awkward)
}
