//! Solving whole motions, beside mmd-anim: `cargo bench -p dopesheet-rig`. Needs the corpus.
//!
//! Both solvers run alternately in one process and the best of many rounds counts, so that disturbances on
//! the machine affect both solvers alike. Of mmd-anim only the evaluation of a sampled pose is timed.
#![allow(clippy::print_stdout, reason = "the table is this program's output")]

#[path = "../tests/all/kit/mod.rs"]
mod kit;

use dopesheet_rig::{Behaviour, Solver};
use dopesheet_testkit::{bytes, corpus};
use kit::Model;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const PAIRS: [(&str, &str); 4] = [
    ("yw_test_model", "mmd_tools_test"),
    ("yw_test_model", "walk"),
    ("miku_animasa", "kishimen"),
    ("miku_animasa", "walk"),
];

const ROUNDS: u32 = 15;

fn main() {
    let Some(folder) = corpus("mmd") else { return };
    println!("| Model and motion | Frames | Ours, µs a frame | mmd-anim, µs a frame | Ratio |");
    println!("|---|---|---|---|---|");
    for (model, motion) in PAIRS {
        let pmx = folder.join(format!("pmx/{model}.pmx"));
        let vmd = bytes(&folder.join(format!("vmd/{motion}.vmd")));
        let (frames, ours, theirs) = best(&pmx, &vmd);
        let us = |d: Duration| d.as_secs_f64() * 1e6 / f64::from(frames);
        println!(
            "| {model} + {motion} | {frames} | {:.1} | {:.1} | {:.1} |",
            us(ours),
            us(theirs),
            us(theirs) / us(ours)
        );
    }
}

/// Frames, and the best times of both for all of them.
fn best(pmx: &Path, vmd: &[u8]) -> (u32, Duration, Duration) {
    let mut model = Model::of_file(pmx);
    let clip = model.clip(vmd);
    let frames = clip.frame_range().map_or(1, |(_, last)| last + 1).min(600);
    let poses: Vec<_> = (0..frames).map(|f| model.keyed(&clip, f as f32)).collect();
    let solver = Solver::new(&model.nodes, &model.rig, Behaviour::Mmd).expect("a sound rig");
    let mut out = solver.pose();
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for pose in &poses {
            solver.solve(&black_box(pose).pose(), &mut out);
            black_box(&out.model);
        }
        ours = ours.min(start.elapsed());
        let mut evaluated = Duration::ZERO;
        for frame in 0..frames {
            clip.apply_to_pose(frame as f32, model.peer.pose_mut());
            let start = Instant::now();
            model.peer.evaluate_current_pose();
            black_box(model.peer.pose().world_matrices());
            evaluated += start.elapsed();
        }
        theirs = theirs.min(evaluated);
    }
    (frames, ours, theirs)
}
