//! `cargo xtask samples`: motions for people to try the command on, drawn by hand in the modules here.

mod archive;
mod avatar;
mod bow;
mod boxes;
mod camera;
mod door;
mod figure;
mod hand;
mod hands;
mod jump;
mod picture;
mod playcanvas;
mod puppet;
mod vmd;
mod walk;
mod webxr;

use dopesheet::core::format::{Format as _, WriteOptions};
use dopesheet::{PlotOptions, ReadOptions};
use dopesheet_bvh::Bvh;
use dopesheet_mmd::vmd::{Document, Vmd};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_webxr::Iwer;
use xtask_generate::{File, Outcome};

/// All of them.
pub(crate) fn files() -> Outcome<Vec<File>> {
    let bow = bow::document();
    let bytes = written(&bow)?;
    let camera = written(&camera::document())?;
    let picture = picture::svg(&bow, &bytes, bow::END)?;
    let files = [
        ("bow.vmd", bytes),
        ("bow.svg", picture.into_bytes()),
        ("walk.vmd", written(&walk::document())?),
        ("camera.svg", plotted("camera.vmd", &camera)?),
        ("camera.vmd", camera),
        ("door.json", door::motion().into_bytes()),
        ("door.model.json", door::model().into_bytes()),
        ("wave.json", figure::motion().into_bytes()),
        ("character.glb", figure::character()),
        ("avatar.vrm", avatar::avatar()),
        ("hands.bin", Mrtk2::write(&hands::document(), &WriteOptions::default())?.main),
        ("pinch.json", Iwer::write(&webxr::document(), &WriteOptions::default())?.main),
        ("jump.bvh", Bvh::write(&jump::document(), &WriteOptions::default())?.main),
        ("door.m4b", archive::bytes()?),
    ];
    Ok(files.into_iter().map(|(name, bytes)| File { path: format!("samples/{name}"), bytes }).collect())
}

fn written(document: &Document) -> Outcome<Vec<u8>> {
    Ok(Vmd::write(document, &WriteOptions::default())?.main)
}

/// The picture that `dopesheet plot` draws of a file.
fn plotted(name: &str, bytes: &[u8]) -> Outcome<Vec<u8>> {
    let opened = dopesheet::read(name, bytes, &ReadOptions::default(), &mut |_| None)?;
    Ok(dopesheet::plot(&opened, &PlotOptions::default())?.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet::core::format::container::WalkedEntry;
    use dopesheet::core::format::{Containers, Role};
    use dopesheet::{ConvertOptions, Severity};

    /// The samples that are no pictures, and what is in those that are archives.
    fn readable() -> Vec<File> {
        let mut all: Vec<File> = files().unwrap().into_iter().filter(|f| !f.path.ends_with(".svg")).collect();
        let containers = Containers::new(dopesheet::registry::containers());
        let mut inside = Vec::new();
        for file in &all {
            let mut visit = |walked: &WalkedEntry<'_>| {
                let place = walked.range.start as usize..walked.range.end as usize;
                inside.push(File { path: walked.path(), bytes: file.bytes[place].to_vec() });
                Ok(())
            };
            containers.walk_top(&file.bytes.as_slice(), &mut visit).unwrap();
        }
        all.append(&mut inside);
        all
    }

    #[test]
    fn every_sample_is_read_without_a_warning_and_becomes_glb() {
        let samples = readable();
        let glb = dopesheet::registry::by_id("glb").unwrap();
        let beside = |name: &str| samples.iter().find(|f| f.path == name).map(|f| f.bytes.clone());
        let mut converted = 0;
        for file in &samples {
            let read = ReadOptions::default();
            let opened = dopesheet::read(&file.path, &file.bytes, &read, &mut |name| beside(name)).unwrap();
            let report = dopesheet::check(&opened);
            let bad: Vec<_> = report.findings.iter().filter(|f| f.severity > Severity::Info).collect();
            assert!(bad.is_empty(), "{}: {bad:?}", file.path);
            if opened.format().info().role != Role::Archive {
                let conversion = dopesheet::convert(&[opened], &ConvertOptions::to(glb));
                conversion.unwrap_or_else(|e| panic!("{}: {e}", file.path));
                converted += 1;
            }
        }
        assert_eq!((samples.len(), converted), (15, 14));
    }

    #[test]
    fn feet_that_jump_stand_still_on_the_ground() {
        use dopesheet::core::units::Seconds;
        use dopesheet::motion::sample::pose::{local_pose, model_pose};
        let scene = Bvh::to_scene(&jump::document(), &Default::default(), &mut Default::default()).unwrap();
        let foot = |frame: u32| {
            let time = Seconds(f64::from(frame) / 30.0);
            let pose = model_pose(&scene, &local_pose(&scene, &scene.clips[0], time)).0;
            let index = scene.nodes.iter().position(|node| node.name == "LeftFoot").unwrap();
            pose[index].translation.to_array()
        };
        for frame in (0..=30).chain(45..76) {
            let off = foot(frame).into_iter().zip([9.0, 8.0, 0.0]).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            assert!(off.sqrt() < 0.01, "frame {frame}: {:?}", foot(frame));
        }
        assert!(foot(38)[1] > 30.0, "{:?}", foot(38));
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
