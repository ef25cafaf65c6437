//! bow.svg: what bow.vmd looks like. Figures, keys and curves stand over the same axis of time, and everything is
//! sampled from the file as it was written.

use super::puppet::{Figure, Limb, Pose};
use dopesheet::{ReadOptions, SampleOptions, TimeSpec, sample::Sampled, times::TimeValue};
use dopesheet_mmd::vmd::Document;
use glam::{DQuat, DVec3};
use std::fmt::Write as _;
use xtask_generate::Outcome;

const FPS: f64 = 30.0;
/// The whole picture, in pixels.
const SIZE: [f64; 2] = [1200.0, 620.0];
/// Where frame 0 is, and how far a frame is from the next.
const TIME_LEFT: f64 = 172.0;
const FRAME_WIDTH: f64 = 7.7;
const GROUND: f64 = 262.0;
const PIXELS_PER_UNIT: f64 = 10.2;
const ROWS_TOP: f64 = 304.0;
const ROW: f64 = 19.0;
const CURVES_TOP: f64 = 498.0;
const CURVES_HEIGHT: f64 = 92.0;
/// Frames between two figures, and the frame of the first.
const FIGURE_STEP: u32 = 12;
const FIRST_FIGURE: u32 = 3;
/// The frame under the playhead: one of the figures.
const PLAYHEAD: u32 = 51;

/// The rows of the dope sheet: bone or morph, and what it is in English.
const ROWS: [(&str, &str); 9] = [
    ("センター", "centre"),
    ("上半身", "waist"),
    ("上半身2", "chest"),
    ("首", "neck"),
    ("頭", "head"),
    ("右腕", "right arm"),
    ("右ひじ", "right elbow"),
    ("左腕", "left arm"),
    ("まばたき", "blink"),
];

/// A curve: how far a bone is turned about an axis.
struct Line {
    bone: &'static str,
    axis: DVec3,
    colour: &'static str,
}

const CURVES: [Line; 4] = [
    Line { bone: "上半身", axis: DVec3::NEG_X, colour: "#7aa2f7" },
    Line { bone: "上半身2", axis: DVec3::NEG_X, colour: "#73daca" },
    Line { bone: "頭", axis: DVec3::NEG_X, colour: "#bb9af7" },
    Line { bone: "右腕", axis: DVec3::NEG_Z, colour: "#ff9e64" },
];
/// The turns that the curves have room for, in degrees.
const LEAST: f64 = -52.0;
const MOST: f64 = 48.0;

/// Draws a motion that is stored in `bytes`.
pub(super) fn svg(document: &Document, bytes: &[u8], end: u32) -> Outcome<String> {
    let opened = dopesheet::read("bow.vmd", bytes, &ReadOptions::default(), &mut |_| None)?;
    let at = |frames: Vec<f64>| {
        let times = frames.into_iter().map(TimeValue::Frames).collect();
        dopesheet::sample(&opened, &SampleOptions::at(TimeSpec::List(times)))
    };
    let figures: Vec<u32> = (FIRST_FIGURE..=end).step_by(FIGURE_STEP as usize).collect();
    let poses = at(figures.iter().copied().map(f64::from).collect())?;
    let dense: Vec<f64> = (0..=end * 2).map(|half| f64::from(half) / 2.0).collect();
    let curves = at(dense.clone())?;

    let mut svg = frame(end);
    playhead(&mut svg);
    for (row, frame) in figures.iter().enumerate() {
        figure(&mut svg, &Figure::posed(&pose(&poses, row)), *frame);
    }
    sheet(&mut svg, document);
    ground_of_curves(&mut svg, end);
    for (index, line) in CURVES.iter().enumerate() {
        legend(&mut svg, index, line);
        curve(&mut svg, &dense, &degrees(&curves, line), line.colour);
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn x(frame: f64) -> f64 {
    TIME_LEFT + frame * FRAME_WIDTH
}

/// The card, its title, and the lines of time.
fn frame(end: u32) -> String {
    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"system-ui,'Segoe UI','Hiragino Sans','Noto Sans CJK JP','Noto Sans JP',sans-serif\">\n\
         <title>bow.vmd: figures, keys and curves of a bow over time</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"#16161e\"/>\n\
         <rect x=\"{TIME_LEFT}\" y=\"{GROUND}\" width=\"{:.1}\" height=\"1.5\" fill=\"#3b4261\"/>\n",
        x(f64::from(end)) - TIME_LEFT
    );
    for frame in (0..=end).step_by(10) {
        let (at, strong) = (x(f64::from(frame)), frame % 30 == 0);
        let colour = if strong { "#2c3047" } else { "#1f2231" };
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"{colour}\"/>",
            GROUND + 22.0,
            CURVES_TOP + CURVES_HEIGHT
        );
        if strong {
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{:.1}\" fill=\"#737aa2\" font-size=\"12\" text-anchor=\"middle\">{frame}</text>",
                GROUND + 18.0
            );
        }
    }
    let seconds = f64::from(end) / FPS;
    let _ = writeln!(
        svg,
        "<text x=\"28\" y=\"42\" fill=\"#c0caf5\" font-size=\"19\" font-weight=\"600\">bow.vmd</text>"
    );
    let _ = writeln!(
        svg,
        "<text x=\"28\" y=\"62\" fill=\"#737aa2\" font-size=\"12.5\">{end} frames, {seconds} s</text>"
    );
    svg
}

fn playhead(svg: &mut String) {
    let at = x(f64::from(PLAYHEAD));
    let (top, bottom) = (GROUND + 6.0, CURVES_TOP + CURVES_HEIGHT);
    let _ = writeln!(svg, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#f7768e\" stroke-width=\"1.5\"/>");
    let _ = writeln!(svg, "<path d=\"M{:.1} {top}h12l-6 9z\" fill=\"#f7768e\"/>", at - 6.0);
}

/// The figure's place in the picture: seen from its right and a little from the front, so that it faces the future.
fn project(point: DVec3, frame: u32) -> [f64; 2] {
    let (sin, cos) = 24f64.to_radians().sin_cos();
    let right = -point.z * cos - point.x * sin;
    let depth = -point.x * cos + point.z * sin;
    [x(f64::from(frame)) + right * PIXELS_PER_UNIT, GROUND - (point.y + 0.10 * depth) * PIXELS_PER_UNIT]
}

fn figure(svg: &mut String, figure: &Figure, frame: u32) {
    let is_now = frame == PLAYHEAD;
    let opacity = if is_now { 1.0 } else { 0.8 };
    let _ = writeln!(
        svg,
        "<g opacity=\"{opacity}\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    );
    for (limb, chain) in figure.chains() {
        let (colour, width) = match (limb, is_now) {
            (Limb::FarSide, false) => ("#3d59a1", 4.5),
            (Limb::Trunk, false) => ("#7aa2f7", 6.0),
            (Limb::NearSide, false) => ("#7dcfff", 5.0),
            (Limb::FarSide, true) => ("#a8506a", 5.0),
            (Limb::Trunk, true) => ("#f7768e", 6.5),
            (Limb::NearSide, true) => ("#ff9e64", 5.5),
        };
        let points: Vec<String> =
            chain.iter().map(|p| project(*p, frame)).map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
        let _ =
            writeln!(svg, "<path d=\"M{}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>", points.join("L"));
    }
    let [[cx, cy], [nx, ny]] = figure.head().map(|point| project(point, frame));
    let colour = if is_now { "#f7768e" } else { "#7aa2f7" };
    let _ = writeln!(
        svg,
        "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"15\" fill=\"#16161e\" stroke=\"{colour}\" stroke-width=\"5\"/>"
    );
    let (ex, ey) = (cx + 0.62 * (nx - cx), cy + 0.62 * (ny - cy));
    let _ = writeln!(svg, "<circle cx=\"{ex:.1}\" cy=\"{ey:.1}\" r=\"2.2\" fill=\"{colour}\"/></g>");
}

/// One row per bone: its keys, and a bar wherever something moves.
fn sheet(svg: &mut String, document: &Document) {
    for (index, (name, english)) in ROWS.iter().enumerate() {
        let y = ROWS_TOP + ROW * (index as f64 + 0.5);
        let colour = CURVES.iter().find(|line| line.bone == *name).map_or("#9aa5ce", |line| line.colour);
        let _ = writeln!(
            svg,
            "<text x=\"92\" y=\"{:.1}\" fill=\"#c0caf5\" font-size=\"13\" text-anchor=\"end\">{name}</text>",
            y + 4.5
        );
        let _ = writeln!(
            svg,
            "<text x=\"100\" y=\"{:.1}\" fill=\"#565f89\" font-size=\"11\">{english}</text>",
            y + 4.0
        );
        let keys = keys(document, name);
        for pair in keys.windows(2) {
            let moves = pair[0].1 != pair[1].1;
            let (from, to) = (x(f64::from(pair[0].0)), x(f64::from(pair[1].0)));
            let (height, fill) = if moves { (5.0, "#414868") } else { (1.2, "#2c3047") };
            let _ = writeln!(
                svg,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height}\" rx=\"{:.1}\" fill=\"{fill}\"/>",
                y - height / 2.0,
                to - from,
                height / 2.0
            );
        }
        for (frame, _) in &keys {
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {:.1}l5.2 5.2-5.2 5.2-5.2-5.2z\" fill=\"{colour}\"/>",
                x(f64::from(*frame)),
                y - 5.2
            );
        }
    }
}

/// The keys of a bone or morph: frame, and numbers that differ if the poses do.
fn keys(document: &Document, name: &str) -> Vec<(u32, Vec<f32>)> {
    let bones = document.bones.iter().filter(|k| k.name.text() == name);
    let bones = bones.map(|k| (k.frame, [k.translation.as_slice(), k.rotation.as_slice()].concat()));
    let morphs = document.morphs.iter().filter(|k| k.name.text() == name).map(|k| (k.frame, vec![k.weight]));
    bones.chain(morphs).collect()
}

/// Rotation of a bone about the axis of its curve at each time, in degrees.
fn degrees(sampled: &Sampled, line: &Line) -> Vec<f64> {
    let track = sampled.tracks.iter().find(|t| t.target == line.bone);
    let rotation = track.and_then(|t| t.channels.iter().find(|c| c.name == "rotation"));
    let values = rotation.map_or(&[][..], |c| &c.values);
    let quats = values.chunks_exact(4).map(DQuat::from_slice);
    quats.map(|q| 2.0 * q.xyz().dot(line.axis).atan2(q.w).to_degrees()).collect()
}

fn y(degrees: f64) -> f64 {
    CURVES_TOP + CURVES_HEIGHT * (MOST - degrees) / (MOST - LEAST)
}

fn ground_of_curves(svg: &mut String, end: u32) {
    for degrees in [-45.0, 0.0, 45.0] {
        let (at, right) = (y(degrees), x(f64::from(end)));
        let _ = writeln!(svg, "<path d=\"M{TIME_LEFT} {at:.1}H{right:.1}\" stroke=\"#2c3047\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#565f89\" font-size=\"11\">{degrees}°</text>",
            right + 8.0,
            at + 4.0
        );
    }
}

fn legend(svg: &mut String, index: usize, line: &Line) {
    let y = CURVES_TOP + 20.0 + 19.0 * index as f64;
    let english = ROWS.iter().find(|(bone, _)| *bone == line.bone).map_or("", |(_, english)| english);
    let _ =
        writeln!(svg, "<path d=\"M72 {:.1}h18\" stroke=\"{}\" stroke-width=\"2.5\"/>", y - 4.0, line.colour);
    let _ = writeln!(svg, "<text x=\"100\" y=\"{y:.1}\" fill=\"#565f89\" font-size=\"11\">{english}</text>");
}

fn curve(svg: &mut String, frames: &[f64], degrees: &[f64], colour: &str) {
    let points: Vec<String> =
        frames.iter().zip(degrees).map(|(f, d)| format!("{:.1} {:.1}", x(*f), y(*d))).collect();
    let _ = writeln!(
        svg,
        "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        points.join("L")
    );
}

/// The pose in one row of the samples.
fn pose(sampled: &Sampled, row: usize) -> Pose {
    let mut pose = Pose::new();
    for track in &sampled.tracks {
        let numbers = |name: &str, width: usize| {
            let channel = track.channels.iter().find(|c| c.name == name && c.width == width)?;
            channel.values.get(row * width..(row + 1) * width)
        };
        let offset = numbers("translation", 3).map_or(DVec3::ZERO, DVec3::from_slice);
        let turn = numbers("rotation", 4).map_or(DQuat::IDENTITY, DQuat::from_slice);
        pose.insert(track.target.clone(), (offset, turn));
    }
    pose
}
