//! `cargo xtask samples`: pictures of samples as `dopesheet render` draws them.

use dopesheet::{ReadOptions, RenderOptions, TimeSpec, render, render::RenderForm};
use xtask_generate::{File, Outcome};

/// All of them, of some samples.
pub(crate) fn files(samples: &[File]) -> Outcome<Vec<File>> {
    let picture = |name: &str, of: &str, options: &RenderOptions<'_>| {
        let sample = samples.iter().find(|file| file.path == of).ok_or_else(|| of.to_owned())?;
        let opened = dopesheet::read(of, &sample.bytes, &ReadOptions::default(), &mut |_| None)?;
        Ok(File { path: format!("docs/pictures/{name}"), bytes: render(&opened, options)?.bytes })
    };
    [picture("walk.gif", "samples/walk.vmd", &walk()), picture("hands.png", "samples/hands.bin", &hands())]
        .into_iter()
        .collect()
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
