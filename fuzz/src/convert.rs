//! Conversion to everything.

use crate::{is_written_back, read_again, readings, scene};
use dopesheet::core::diag::{Report, Severity};
use dopesheet::core::format::{Limits, MostFrames, ToScene};
use dopesheet::times::{RangeSpec, TimeValue};
use dopesheet::{
    ClipChoice, ConvertOptions, FrameRate, Opened, Tolerance, core::format::AnyFormat, registry, sample::Axes,
};

/// Most frames that one conversion makes, which is what its time goes with: more are refused, as `--max-frames` refuses them.
const MOST_FRAMES: u64 = 128;

/// Tolerance of all conversions but the plain one, in metres: fits end after few keys.
const COARSE: Tolerance = Tolerance { length_m: 1e-2, shell_m: None };

/// Frames per second of baked clips that are short enough for it.
const FPS: f64 = 30.0;

/// Length of the stretch that is cut out of the end of a clip, in seconds.
const STRETCH_S: f64 = 0.5;

/// Converts what is read to one of the formats that are written: whatever comes out is read again, has no number that is none, and
/// nothing in it that its own format calls an error. The input decides to which format, and in which of several ways.
pub fn convert(data: &[u8]) {
    // Any change of the input changes the way, so that the fuzzer soon has tried all of them.
    let choice = data.iter().fold(0, |sum: usize, byte| sum.wrapping_add(usize::from(*byte)));
    for (opened, lenient) in readings(data) {
        let end_s = end_s(&opened);
        let formats = targets().count().max(1);
        let Some(to) = targets().nth(choice % formats) else { continue };
        let mut ways = ways(end_s, to);
        if let Some(chosen) = (choice / formats).checked_rem(ways.len()) {
            convert_by(&opened, lenient, &ways.swap_remove(chosen));
        }
    }
}

/// As [`convert`], in all ways.
pub fn convert_in_all_ways(data: &[u8]) {
    for (opened, lenient) in readings(data) {
        let end_s = end_s(&opened);
        for options in targets().flat_map(|to| ways(end_s, to)) {
            convert_by(&opened, lenient, &options);
        }
    }
}

fn targets() -> impl Iterator<Item = &'static dyn AnyFormat> {
    registry::formats().iter().copied().filter(|format| format.info().capabilities.writes)
}

/// End of the longest clip of a file, in seconds.
fn end_s(opened: &Opened) -> f64 {
    let clips = dopesheet::info(opened).map(|info| info.clips).unwrap_or_default();
    clips.iter().map(|clip| clip.duration_s).fold(0.0, f64::max)
}

/// Ways to convert files that last so long to a format. All but the first lead through a scene even if the format stays the same. Clips of any length are
/// converted: where frames are made, long ones are cut to their end, or get few frames that are far apart.
fn ways(end_s: f64, to: &'static dyn AnyFormat) -> Vec<ConvertOptions<'static>> {
    let plain = || ConvertOptions {
        limits: Limits { max_frames: MostFrames::new(MOST_FRAMES).unwrap_or_default(), ..Limits::default() },
        ..ConvertOptions::to(to)
    };
    let first = || ConvertOptions { clip: Some(ClipChoice::First), tolerance: Some(COARSE), ..plain() };
    let mut ways = vec![
        plain(),
        ConvertOptions { clip: Some(ClipChoice::All), sort: true, ..first() },
        ConvertOptions { shift: true, keep_constant: true, replace_unencodable: true, ..first() },
    ];
    let variants = to.info().variants.iter().map(|v| v.name.to_owned());
    let words = to.variant_words().iter().map(|word| word.name.to_owned());
    ways.extend(variants.chain(words).map(|variant| ConvertOptions { variant: Some(variant), ..first() }));
    if let Some(rate) = FrameRate::from_fps(FPS.min((MOST_FRAMES - 1) as f64 / end_s)) {
        ways.push(ConvertOptions { bake: Some(rate), ..first() });
    }
    let [start, end] = [end_s - STRETCH_S, end_s].map(|t| TimeValue::Seconds(t.max(0.0)));
    ways.push(ConvertOptions { range: Some(RangeSpec { start, end }), lossy: true, ..first() });
    ways
}

fn convert_by(opened: &Opened, lenient: bool, options: &ConvertOptions<'_>) {
    let inputs = std::slice::from_ref(opened);
    let Ok(conversion) = dopesheet::convert(inputs, options) else { return };
    // A document that stays in its format is written with all its faults.
    let is_kept = options.clip.is_none() && options.to.takes(&opened.document) && is_written_back(opened);
    let again = read_again(options.to, &conversion.output, is_kept && lenient);
    if !is_kept {
        assert_sound(&again);
    }
}

fn assert_sound(opened: &Opened) {
    let format = opened.format();
    let report = dopesheet::check(opened);
    let error = report.findings.iter().find(|finding| finding.severity == Severity::Error);
    assert!(error.is_none(), "{}: we wrote {error:?}", format.info().id);
    let options = ToScene { as_stored: true, ..ToScene::default() };
    let scene = format.to_scene(&opened.document, &options, &mut Report::default());
    let scene = scene.unwrap_or_else(|error| panic!("what was written is no scene: {error}"));
    scene::assert_shape(&scene);
    scene::assert_finite(&scene);
    assert!(scene::play(opened, Axes::Native), "{}: it plays to no number", format.info().id);
}
