//! What conversions of real dances report, against a look at all joints at each thousandth of a second.
#![cfg(all(feature = "mmd", feature = "gltf"))]

use dopesheet::registry;
use dopesheet::{
    ConvertOptions, DiffOptions, Loss, ReadOptions, Seconds, Tolerance, convert, diff::Comparer, open, read,
};
use dopesheet_testkit::{cases, corpus};
use rayon::prelude::*;

#[test]
#[ignore = "costly"]
fn no_joint_of_a_dance_is_farther_off_than_is_reported() {
    let Some(corpus) = corpus("mmd") else { return };
    // So many seconds of each.
    let seconds = cases(2);
    for (motion, model, tolerance) in [
        ("kishimen", "miku_animasa", "0.1mm"),
        ("walk", "miku_animasa", "1mm"),
        ("mmd_tools_test", "yw_test_model", "1mm"),
    ] {
        let open = |path: String| open(&corpus.join(path), None, &ReadOptions::default()).unwrap();
        let (source, model) = (open(format!("vmd/{motion}.vmd")), open(format!("pmx/{model}.pmx")));
        let tolerance: Tolerance = tolerance.parse().unwrap();
        let options = ConvertOptions {
            model: Some(&model),
            tolerance: Some(tolerance),
            partial: true,
            ..ConvertOptions::to(registry::by_id("glb").unwrap())
        };
        let made = convert(&[&source], &options).unwrap();
        let in_model_space = |loss: &Loss| match loss {
            Loss::Approximated { what, max_error, bound } if what.starts_with("model space") => {
                Some((max_error.value, bound.expect("eased curves and frames have a bound")))
            }
            _ => None,
        };
        let (measured, bound) = made.report.report.losses.iter().find_map(in_model_space).unwrap();
        assert!(measured <= tolerance.length_m && measured <= bound, "{motion}: {measured}, at most {bound}");
        let glb = read("made.glb", &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
        let options = DiffOptions { model: Some(&model), tolerance, ..DiffOptions::default() };
        let sides = Comparer::new(&source, &glb, &options).unwrap();
        let last = (sides.end().0 * 1e3).min(f64::from(seconds) * 1e3) as u32;
        let farthest = |ms: u32| {
            let joints = sides.joints_at(Seconds(f64::from(ms) / 1e3), Tolerance::SHELL_M);
            assert!(joints.len() > 100, "{motion}: {} joints", joints.len());
            joints.into_iter().map(|(_, off)| off).fold(0.0, f64::max)
        };
        let oracle = (0..=last).into_par_iter().map(farthest).reduce(|| 0.0, f64::max);
        assert!(oracle > 0.3 * measured, "{motion}: {oracle} where {measured} was measured");
        assert!(oracle <= measured * 1.01 + 1e-6, "{motion}: {oracle} where {measured} was measured");
    }
}
