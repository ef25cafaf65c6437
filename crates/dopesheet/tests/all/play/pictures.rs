//! Pictures of the samples: `render` draws them as the stored pictures show them.
//!
//! A picture that differs is saved, and the message says where. If it is right, it takes the place of the stored one.

use dopesheet::draw::Direction;
use dopesheet::{
    Error, Opened, RenderOptions, TimeSpec, puppet::standard_model, render, render::RenderForm,
    render::Rendered,
};
use dopesheet_testkit::workspace;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A colour may be so much off in any channel: other machines round sines otherwise.
const CLOSE: u8 = 24;
/// So many pixels in a thousand may be off by more.
const OTHERS: usize = 3;

/// A picture: its name, what is drawn, and on which model.
struct Shot {
    name: &'static str,
    sample: &'static str,
    model: Option<&'static str>,
    direction: Direction,
    background: &'static str,
}

const fn shot(name: &'static str, sample: &'static str) -> Shot {
    Shot { name, sample, model: None, direction: Direction::ThreeQuarter, background: "light" }
}

fn shots() -> Vec<Shot> {
    vec![
        Shot { model: Some("standard"), ..shot("bow", "bow.vmd") },
        Shot { direction: Direction::Side, background: "dark", ..shot("bow-side", "bow.vmd") },
        Shot { direction: Direction::Top, ..shot("walk-top", "walk.vmd") },
        shot("camera", "camera.vmd"),
        shot("door-alone", "door.json"),
        Shot { model: Some("door.model.json"), ..shot("door", "door.json") },
        shot("door-model", "door.model.json"),
        Shot { model: Some("character.glb"), ..shot("wave", "wave.json") },
        Shot { direction: Direction::Front, ..shot("character", "character.glb") },
        Shot { direction: Direction::Front, ..shot("avatar", "avatar.vrm") },
        shot("hands", "hands.bin"),
        Shot { direction: Direction::Front, background: "dark", ..shot("hands-front", "hands.bin") },
        shot("jump", "jump.bvh"),
        shot("pinch", "pinch.json"),
        Shot {
            model: Some("door.m4b:actors/door.ubi"),
            ..shot("cellar", "door.m4b:anims/door/open_slowly.ubi")
        },
    ]
}

fn samples() -> PathBuf {
    workspace().join("samples")
}

fn open(name: &str) -> Opened {
    match name {
        "standard" => standard_model().unwrap(),
        _ => dopesheet::open(&samples().join(name), None, &Default::default()).unwrap(),
    }
}

fn draw(shot: &Shot) -> Result<Rendered, Error> {
    let model = shot.model.map(open);
    let options = RenderOptions {
        // Four times that are no frames and no halves, where things are in the middle of something.
        times: Some(TimeSpec::parse_list("0,0.7,1.3,2.9")?),
        columns: Some(4),
        size: [160, 160],
        direction: shot.direction,
        background: render::background(shot.background)?,
        model: model.as_ref(),
        ..RenderOptions::default()
    };
    render(&open(shot.sample), &options)
}

/// Pixels of a PNG as RGB.
fn pixels(png: &[u8]) -> ([u32; 2], Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    ([info.width, info.height], pixels)
}

/// Why two pictures are not alike.
fn difference(stored: &[u8], drawn: &[u8]) -> Option<String> {
    let ((stored_size, stored), (size, drawn)) = (pixels(stored), pixels(drawn));
    if stored_size != size {
        return Some(format!("expected {stored_size:?} pixels, found {size:?}"));
    }
    let both = stored.as_chunks::<3>().0.iter().zip(drawn.as_chunks::<3>().0);
    let is_off = |(a, b): &(&[u8; 3], &[u8; 3])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > CLOSE);
    let off = both.filter(is_off).count();
    let most = (size[0] * size[1]) as usize * OTHERS / 1000;
    (off > most)
        .then(|| format!("expected at most {most} pixels that are off by more than {CLOSE}, found {off}"))
}

#[test]
fn samples_look_as_they_are_stored() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/play/pictures");
    let mut faults = Vec::new();
    for shot in shots() {
        let stored = folder.join(shot.name).with_extension("png");
        let drawn = draw(&shot).unwrap_or_else(|e| panic!("{}: {e}", shot.name)).bytes;
        let fault = match std::fs::read(&stored) {
            Ok(there) => difference(&there, &drawn),
            Err(error) => Some(error.to_string()),
        };
        if let Some(fault) = fault {
            let saved = Path::new(env!("CARGO_TARGET_TMPDIR")).join(shot.name).with_extension("png");
            std::fs::write(&saved, drawn).unwrap();
            faults.push(format!("{}: {fault}; drawn now: {}", stored.display(), saved.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_sample_has_a_picture() {
    let drawn: BTreeSet<String> = shots()
        .iter()
        .flat_map(|shot| [Some(shot.sample), shot.model])
        .flatten()
        .map(|name| name.split(':').next().unwrap_or(name).to_owned())
        .collect();
    let files = std::fs::read_dir(samples()).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap());
    let is_motion = |name: &String| ![".md", ".svg", ".png", ".gif"].iter().any(|end| name.ends_with(end));
    let files: Vec<String> = files.filter(is_motion).collect();
    assert!(files.len() >= 10, "{files:?}");
    let missing: Vec<&String> = files.iter().filter(|name| !drawn.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, files) } else { files.push(path) }
    }
}

/// Fixtures hold what files in the wild hold, and damage of every kind.
#[test]
#[ignore = "costly"]
fn every_fixture_that_can_be_read_is_drawn() {
    let extensions: BTreeSet<&str> =
        dopesheet::registry::formats().iter().flat_map(|format| format.info().extensions).copied().collect();
    let mut paths = Vec::new();
    files_below(&workspace().join("formats"), &mut paths);
    let is_one =
        |path: &&PathBuf| path.extension().is_some_and(|e| extensions.contains(&*e.to_string_lossy()));
    let (mut drawn, mut refused) = (0, 0);
    for path in paths.iter().filter(is_one) {
        let Ok(opened) = dopesheet::open(path, None, &Default::default()) else { continue };
        let options = RenderOptions { size: [24, 24], ..RenderOptions::default() };
        match render(&opened, &options) {
            Ok(_) => drawn += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(drawn > 150 && refused * 5 < drawn, "{drawn} drawn, {refused} refused");
}

#[test]
fn pictures_are_the_same_whoever_draws_them() {
    let shots = shots();
    let drawn = || draw(&shots[0]).unwrap().bytes;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(drawn), drawn());
}

#[test]
fn loops_show_the_pictures_of_their_times() {
    let opened = open("jump.bvh");
    let all = |form| {
        let times = Some(TimeSpec::parse_list("0,0.5,1").unwrap());
        let options = RenderOptions { form, times, size: [64, 64], ..RenderOptions::default() };
        render(&opened, &options).unwrap()
    };
    let sheet = all(RenderForm::Sheet);
    let (size, sheet) = pixels(&sheet.bytes);
    let moving = all(RenderForm::Apng).bytes;
    let mut reader = png::Decoder::new(std::io::Cursor::new(&moving)).read_info().unwrap();
    assert_eq!(reader.info().animation_control.unwrap().num_frames, 3);
    let mut shown = vec![0; reader.output_buffer_size().unwrap()];
    for picture in 0..3_usize {
        let mut part = shown.clone();
        let info = reader.next_frame(&mut part).unwrap();
        let control = *reader.info().frame_control().unwrap();
        assert_eq!((control.delay_num, control.delay_den), (500, 1000));
        for row in 0..info.height as usize {
            let width = 3 * info.width as usize;
            let at = 3 * (64 * (row + control.y_offset as usize) + control.x_offset as usize);
            shown[at..at + width].copy_from_slice(&part[row * width..][..width]);
        }
        let [across, _] = size.map(|x| x as usize);
        let place =
            |row: usize| 3 * ((picture / (across / 64) * 64 + row) * across + picture % (across / 64) * 64);
        let same = (0..64).all(|row| sheet[place(row)..][..192] == shown[row * 192..][..192]);
        assert!(same, "picture {picture}");
    }
}

#[test]
fn a_loop_that_does_not_move_is_written_too() {
    let options = RenderOptions {
        form: RenderForm::Gif,
        times: Some(TimeSpec::parse_list("5,6,7").unwrap()),
        size: [32, 32],
        background: [0; 4],
        ..RenderOptions::default()
    };
    let gif = render(&open("door.json"), &options).unwrap().bytes;
    assert_eq!(&gif[..6], b"GIF89a");
}

/// Middle of what is darker than the background and its ground in the right and the left half of a sheet of two pictures, across, in pixels
/// of each.
fn middles(sheet: &[u8]) -> [f64; 2] {
    let ([width, _], pixels) = pixels(sheet);
    let half = width as usize / 2;
    let mut sums = [(0.0, 0.0); 2];
    for (index, pixel) in pixels.as_chunks::<3>().0.iter().enumerate() {
        let x = index % width as usize;
        if pixel.iter().any(|channel| *channel < 120) {
            let (sum, count) = &mut sums[x / half];
            (*sum, *count) = (*sum + (x % half) as f64, *count + 1.0);
        }
    }
    sums.map(|(sum, count)| sum / count)
}

#[test]
fn a_picture_that_follows_a_figure_keeps_it_in_the_middle() {
    let text = std::fs::read_to_string(samples().join("jump.bvh")).unwrap();
    // The last frame is two metres further to the side.
    let far = text.trim_end().rsplit_once('\n').map(|(before, last)| {
        let values = last.split_once(' ').unwrap().1;
        format!("{before}\n200 {values}\n")
    });
    let opened =
        dopesheet::read("far.bvh", far.unwrap().as_bytes(), &Default::default(), &mut |_| None).unwrap();
    let shot = |follows| {
        let times = Some(TimeSpec::parse_list("0,2.5").unwrap());
        let options = RenderOptions {
            follows,
            times,
            columns: Some(2),
            direction: Direction::Front,
            ..RenderOptions::default()
        };
        middles(&render(&opened, &options).unwrap().bytes)
    };
    let [stays, goes] = [shot(true), shot(false)].map(|[first, last]| (last - first).abs());
    assert!(stays < 4.0 && goes > 80.0, "{stays} and {goes} pixels");
}

#[test]
fn a_picture_from_a_given_eye_does_not_look_in_a_direction() {
    let jump = dopesheet::open(&samples().join("jump.bvh"), None, &Default::default()).unwrap();
    let view = |distance| Some(Direction::Side.onto([0.0, 0.9, 0.0].into(), distance));
    let bytes = |view, direction| {
        let times = Some(TimeSpec::parse_list("0").unwrap());
        let options = RenderOptions { view, direction, times, ..RenderOptions::default() };
        render(&jump, &options).unwrap().bytes
    };
    let side = bytes(view(6.0), Direction::Front);
    assert_eq!(side, bytes(view(6.0), Direction::Top));
    assert!(side != bytes(view(7.0), Direction::Front), "it is farther away");
    assert!(side != bytes(None, Direction::Side), "from where all of the movement is in view");
}
