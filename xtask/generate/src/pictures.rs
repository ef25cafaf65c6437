//! `cargo xtask samples`: pictures of samples as `dopesheet render` draws them.

use crate::Outcome;
use crate::files::File;
use dopesheet::{ReadOptions, RenderForm, RenderOptions, TimeSpec, render};

/// A picture, of which sample, and how it is drawn.
const PICTURES: [(&str, &str, fn() -> RenderOptions<'static>); 2] =
    [("walk.gif", "samples/walk.vmd", walk), ("hands.png", "samples/hands.bin", hands)];

/// All of them, of some samples.
pub(crate) fn files(samples: &[File]) -> Outcome<Vec<File>> {
    let picture = |(name, of, options): (&str, &str, fn() -> RenderOptions<'static>)| {
        let sample = samples.iter().find(|file| file.path == of).ok_or(of)?;
        let opened = dopesheet::read(of, &sample.bytes, &ReadOptions::default(), &mut |_| None)?;
        let bytes = render(&opened, &options())?.bytes;
        Ok(File { path: format!("docs/pictures/{name}"), bytes })
    };
    PICTURES.into_iter().map(picture).collect()
}

fn walk() -> RenderOptions<'static> {
    RenderOptions {
        form: RenderForm::Gif,
        times: Some(TimeSpec::Rate(15.0)),
        size: [320, 320],
        ..RenderOptions::default()
    }
}

fn hands() -> RenderOptions<'static> {
    RenderOptions { size: [300, 240], ..RenderOptions::default() }
}
