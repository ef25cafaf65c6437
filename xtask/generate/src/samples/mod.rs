//! `cargo xtask samples`: motions for people to try the command on, drawn by hand in the modules here.

mod bow;
mod camera;
mod door;
mod figure;
mod picture;
mod playcanvas;
mod puppet;
mod vmd;
mod walk;

use crate::Outcome;
use crate::files::File;
use dopesheet::core::format::{Format as _, WriteOptions};
use dopesheet_mmd::vmd::{Document, Vmd};

/// All of them.
pub(crate) fn files() -> Outcome<Vec<File>> {
    let bow = bow::document();
    let bytes = written(&bow)?;
    let picture = picture::svg(&bow, &bytes, bow::END)?;
    let files = [
        ("bow.vmd", bytes),
        ("bow.svg", picture.into_bytes()),
        ("walk.vmd", written(&walk::document())?),
        ("camera.vmd", written(&camera::document())?),
        ("door.json", door::motion().into_bytes()),
        ("door.model.json", door::model().into_bytes()),
        ("wave.json", figure::motion().into_bytes()),
        ("character.glb", figure::character()),
    ];
    Ok(files.into_iter().map(|(name, bytes)| File { path: format!("samples/{name}"), bytes }).collect())
}

fn written(document: &Document) -> Outcome<Vec<u8>> {
    Ok(Vmd::write(document, &WriteOptions::default())?.main)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet::{ReadOptions, Severity};

    #[test]
    fn every_sample_is_read_without_a_warning() {
        let mut seen = 0;
        for file in files().unwrap().iter().filter(|f| !f.path.ends_with(".svg")) {
            let opened =
                dopesheet::read(&file.path, &file.bytes, &ReadOptions::default(), &mut |_| None).unwrap();
            let report = dopesheet::check(&opened);
            let bad: Vec<_> = report.findings.iter().filter(|f| f.severity > Severity::Info).collect();
            assert!(bad.is_empty(), "{}: {bad:?}", file.path);
            seen += 1;
        }
        assert_eq!(seen, 7);
    }

    #[test]
    fn feet_that_walk_do_not_slide() {
        let walk = walk::document();
        for side in vmd::Side::BOTH {
            let foot: Vec<_> =
                walk.bones.iter().filter(|k| k.name == vmd::name(&side.of("足ＩＫ"))).collect();
            let on_ground =
                foot.windows(2).filter(|pair| pair[0].translation[1] == 0.0 && pair[1].translation[1] == 0.0);
            let mut stances = 0;
            for pair in on_ground {
                assert_eq!(pair[0].translation, pair[1].translation, "frame {}", pair[0].frame);
                stances += 1;
            }
            assert!(stances >= 3, "{stances}");
        }
    }
}
