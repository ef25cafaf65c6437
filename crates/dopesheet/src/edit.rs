//! Change the motion of a file and stay in its format: what no operation touches stays to the byte.

pub use dopesheet_edit::*;

use crate::convert::{ClipChoice, ConvertOptions, bring_within, check_written};
use crate::error::Error;
use crate::read::Opened;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::{AnyFormat, Capabilities, FromScene, KeyLayout, ToScene, VariantWords};
use dopesheet_core::model::{Basis, Clip, Scene, Track, rebase};
use dopesheet_motion::{arrange, is_held};

/// Applies operations to a file, one after the other, and brings its document up to the result. Its report says what was
/// approximated.
///
/// The result is a file as any other: it can be written, converted or edited again.
///
/// ```
/// use dopesheet::edit::{Operation, Trim};
///
/// let bow = dopesheet::open("../../samples/bow.vmd".as_ref(), None, &dopesheet::ReadOptions::default())?;
/// let range = dopesheet::times::RangeSpec::parse("30f:90f")?;
/// let trim = Operation::Trim(Trim { range, keep_time: false, snap: false });
/// let shorter = dopesheet::edit(bow, &[trim], &dopesheet::ClipChoice::All)?;
/// assert_eq!(dopesheet::info(&shorter)?.clips[0].duration_s, 2.0);
/// # Ok::<(), dopesheet::Error>(())
/// ```
///
/// # Errors
/// [`Error::Usage`] if an operation makes no sense on a clip, or the format has no room for what it says; and those of
/// [`convert`](fn@crate::convert).
pub fn edit(mut opened: Opened, operations: &[Operation], clips: &ClipChoice) -> Result<Opened, Error> {
    let format = opened.format();
    check_writes(format)?;
    let mut report = std::mem::take(&mut opened.report);
    let before = read(&opened)?;
    let mut scene = before.clone();
    let chosen = match clips {
        ClipChoice::All => 0..scene.clips.len(),
        one => one.place_in(&scene.clips)?.map_or(0..0, |at| at..at + 1),
    };
    for operation in operations {
        for clip in chosen.clone() {
            operation.apply(&mut scene, clip, &mut report)?;
        }
    }
    if scene == before {
        return Ok(Opened { report, ..opened });
    }
    let asked = scene.clips.clone();
    let options =
        ConvertOptions { variant: own_variant(&opened), keep_constant: true, ..ConvertOptions::to(format) };
    fit(&mut scene, &before, &options, &mut report)?;
    let from_scene = FromScene {
        variant: options.variant.clone(),
        keep_constant: true,
        rounded: true,
        ..FromScene::default()
    };
    format.update(&mut opened.document, &scene, &from_scene, &mut report)?;
    check_said(&opened, operations, &asked)?;
    if report.losses.is_empty() {
        report.kept("everything that no operation touched");
    }
    Ok(Opened { report, ..opened })
}

/// The scene of a file as operations take it that put motions together ([`Concat::others`], [`Merge::others`]).
///
/// # Errors
/// Those of [`Opened::scene`].
pub fn scene(opened: &Opened) -> Result<Scene, Error> {
    read(opened)
}

/// The parts that a file is cut into, as what trims it to each; see [`fn@split`].
///
/// # Errors
/// [`Error::Usage`] if it has not one clip, or nothing to cut at; and those of [`Opened::scene`].
pub fn parts(opened: &Opened, cuts: &Split) -> Result<Vec<Trim>, Error> {
    let clips = read(opened)?.clips;
    let parts = match clips.as_slice() {
        [clip] => split(clip, cuts),
        clips => Err(Reason::SeveralClips(clips.len())),
    };
    parts.map_err(|reason| Refused { operation: "split", reason }.into())
}

/// The scene of a file, with the place of each key in its document.
fn read(opened: &Opened) -> Result<Scene, Error> {
    let options = ToScene { as_stored: true, keep_sources: true, ..ToScene::default() };
    Ok(opened.format().to_scene(&opened.document, &options, &mut Report::default())?)
}

/// The word by which a document of the same dialect is written, if the format has dialects.
fn own_variant(opened: &Opened) -> Option<String> {
    let (format, summary) = (opened.format(), opened.format().summary(&opened.document));
    let is_written =
        |word: &String| VariantWords::parse(format.info().variants, format.variant_words(), word).is_ok();
    [summary.variant, summary.version].into_iter().flatten().find(is_written)
}

fn check_writes(format: &dyn AnyFormat) -> Result<(), Error> {
    match format.info().capabilities.writes {
        true => Ok(()),
        false => {
            let what = format!("{} is read only; convert the file to edit it", format.info().name);
            Err(ConvertError::new(format.info().id, ConvertErrorKind::Unsupported(what)).into())
        }
    }
}

/// Brings a scene within what its format holds. Tracks that it holds as they are stay so: those that did not change, and those on the
/// frames of its grid, whose times are exact.
fn fit(
    scene: &mut Scene,
    before: &Scene,
    options: &ConvertOptions<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    let capabilities = options.to.capabilities(scene, options.variant.as_deref());
    check_written(scene, &capabilities, options)?;
    let basis = capabilities.basis.unwrap_or(scene.basis);
    let metres_per_unit = scene.basis.metres_per_unit.or(basis.metres_per_unit);
    rebase(scene, &Basis { metres_per_unit, ..basis }, None);
    arrange(scene, &capabilities);
    let mut held = Vec::with_capacity(scene.clips.len());
    for (at, clip) in scene.clips.iter_mut().enumerate() {
        let tracks = std::mem::take(&mut clip.tracks);
        // On frames a track may need a key at the clip's end.
        let lasts = |own: &&Clip| own.duration == clip.duration || !has_frames(&capabilities);
        let own = before.clips.get(at).filter(|own| own.grid == clip.grid).filter(lasts);
        let unchanged = own.map(|own| &own.tracks[..]).unwrap_or_default();
        let stays = |track: &Track| {
            // Another name is no other motion.
            let is_unchanged = unchanged.iter().any(|own| own.channels == track.channels);
            is_unchanged || (has_frames(&capabilities) && is_held(clip, track, &capabilities))
        };
        let (own, others): (Vec<Track>, Vec<Track>) = tracks.into_iter().partition(stays);
        held.push(own);
        clip.tracks = others;
    }
    if scene.clips.iter().any(|clip| !clip.tracks.is_empty()) {
        bring_within(scene, options, false, report)?;
    }
    for (clip, own) in scene.clips.iter_mut().zip(held) {
        clip.tracks.splice(..0, own);
    }
    Ok(())
}

/// True if keys stand on frames, so that their times are exact.
fn has_frames(capabilities: &Capabilities) -> bool {
    capabilities.grid.is_some() || capabilities.layout == KeyLayout::EveryFrame
}

/// Refuses what was to be said of a clip and the file does not say.
fn check_said(opened: &Opened, operations: &[Operation], asked: &[Clip]) -> Result<(), Error> {
    let is_set = operations.iter().any(|operation| matches!(operation, Operation::Set(_)));
    let is_marked = operations.iter().any(|operation| matches!(operation, Operation::Markers(_)));
    if !is_set && !is_marked {
        return Ok(());
    }
    let (said, format) = (read(opened)?.clips, opened.format().info());
    let refuse = |what: &str| {
        let text = format!("set: {} files do not say {what}", format.id);
        Err(Error::Usage(text))
    };
    for (asked, said) in asked.iter().zip(&said) {
        if is_marked && asked.markers.len() != said.markers.len() {
            return Err(Error::Usage(format!("markers: {} files have none", format.id)));
        }
        if !is_set {
            continue;
        }
        if asked.looping != said.looping {
            return refuse("if a clip starts again at its end");
        }
        if asked.made_for != said.made_for {
            return refuse("which model a motion is for");
        }
        if asked.name != said.name {
            return refuse("the name of a clip");
        }
    }
    Ok(())
}
