//! Conversion to everything.

use crate::{read_again, readings, scene};
use dopesheet::core::diag::{Report, Severity};
use dopesheet::core::format::{KeyLayout, ToScene};
use dopesheet::{
    ClipChoice, ConvertOptions, FrameRate, Opened, core::format::AnyFormat, registry, sample::Axes,
};

/// A longer clip is not baked: a key per frame of a year is what was asked for, and no fault.
const MAX_BAKED_S: f64 = 60.0;

/// Converts what is read to every format that is written: whatever comes out is read again, has no number that is
/// none, and nothing in it that its own format calls an error. The input decides in which of several ways.
pub fn convert(data: &[u8]) {
    // Any change of the input changes the way, so that the fuzzer soon has tried all of them.
    let choice = data.iter().fold(0, |sum: usize, byte| sum.wrapping_add(usize::from(*byte)));
    for (opened, lenient) in readings(data) {
        for to in targets() {
            let mut ways = ways(&opened, to);
            if let Some(chosen) = choice.checked_rem(ways.len()) {
                convert_by(&opened, lenient, &ways.swap_remove(chosen));
            }
        }
    }
}

/// As [`convert`], in all ways.
pub fn convert_in_all_ways(data: &[u8]) {
    for (opened, lenient) in readings(data) {
        for way in targets().flat_map(|to| ways(&opened, to)) {
            convert_by(&opened, lenient, &way);
        }
    }
}

fn targets() -> impl Iterator<Item = &'static dyn AnyFormat> {
    registry::formats().iter().copied().filter(|format| format.info().capabilities.writes)
}

/// Ways to convert to a format. All but the first lead through a scene even if the format stays the same.
fn ways<'a>(opened: &Opened, to: &'static dyn AnyFormat) -> Vec<ConvertOptions<'a>> {
    let capabilities = &to.info().capabilities;
    // On its way to a humanoid a rig is solved at every frame.
    let bakes = capabilities.layout == KeyLayout::EveryFrame || capabilities.humanoid;
    if bakes && !is_short(opened) {
        return Vec::new();
    }
    let first = || ConvertOptions { clip: Some(ClipChoice::First), ..ConvertOptions::to(to) };
    let mut ways = vec![
        ConvertOptions::to(to),
        ConvertOptions { clip: Some(ClipChoice::All), sort: true, ..first() },
        ConvertOptions { shift: true, keep_constant: true, replace_unencodable: true, ..first() },
    ];
    let variants = to.info().variants.iter().map(|v| v.name.to_owned());
    let words = to.variant_words().iter().map(|word| word.name.to_owned());
    ways.extend(variants.chain(words).map(|variant| ConvertOptions { variant: Some(variant), ..first() }));
    if let Some(rate) = FrameRate::from_fps(30.0).filter(|_| is_short(opened)) {
        ways.push(ConvertOptions { bake: Some(rate), ..first() });
    }
    ways
}

fn is_short(opened: &Opened) -> bool {
    dopesheet::info(opened).is_ok_and(|info| info.clips.iter().all(|clip| clip.duration_s <= MAX_BAKED_S))
}

fn convert_by(opened: &Opened, lenient: bool, options: &ConvertOptions<'_>) {
    let inputs = std::slice::from_ref(opened);
    let Ok(conversion) = dopesheet::convert(inputs, options) else { return };
    // A document that stays in its format is written with all its faults.
    let is_kept = options.clip.is_none() && options.to.takes(&opened.document);
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
