//! Two files compared: how far they are apart, as a whole, over time, and joint by joint.

use crate::curves::Trace;
use crate::document::Document;
use dopesheet::{Comparison, Diff, DiffOptions, Seconds};
use std::rc::Rc;

/// At how many moments the largest difference is looked at, besides the one at which it is largest of all.
const MOMENTS: u32 = 120;

/// Two files compared.
pub(crate) struct Compared {
    pair: [Rc<Document>; 2],
    model: Option<Rc<Document>>,
    pub(crate) diff: Diff,
    comparison: Comparison,
    /// The largest displacement of any joint over time, in millimetres.
    pub(crate) over_time: Trace,
    now: Option<(f64, Vec<(String, f64)>)>,
}

impl Compared {
    /// Compares what two files carry.
    pub(crate) fn new(
        a: &Rc<Document>,
        b: &Rc<Document>,
        model: Option<&Rc<Document>>,
    ) -> Result<Self, dopesheet::Error> {
        let options = DiffOptions { model: model.map(|model| &model.opened), ..DiffOptions::default() };
        let comparison = Comparison::new(&a.opened, &b.opened, &options)?;
        let diff = comparison.diff();
        let over_time = over_time(&comparison, &diff);
        let pair = [Rc::clone(a), Rc::clone(b)];
        Ok(Self { pair, model: model.map(Rc::clone), diff, comparison, over_time, now: None })
    }

    /// Whether it is that of two documents on a model.
    pub(crate) fn is_of(&self, a: &Rc<Document>, b: &Rc<Document>, model: Option<&Rc<Document>>) -> bool {
        let same_model = match (&self.model, model) {
            (Some(own), Some(other)) => Rc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        Rc::ptr_eq(&self.pair[0], a) && Rc::ptr_eq(&self.pair[1], b) && same_model
    }

    /// How far joints are apart at a time, by their names, in metres.
    pub(crate) fn at(&mut self, time: f64) -> &[(String, f64)] {
        if self.now.as_ref().is_none_or(|(of, _)| *of != time) {
            let joints = self.comparison.joints_at(Seconds(time), self.diff.apart.shell_m);
            self.now = Some((time, joints.into_iter().map(|(name, off)| (name.to_owned(), off)).collect()));
        }
        self.now.as_ref().map_or(&[], |(_, joints)| joints)
    }

    /// How far joints may be apart, in metres.
    pub(crate) fn limit_m(&self) -> f64 {
        self.diff.tolerance.length_m
    }
}

fn over_time(comparison: &Comparison, diff: &Diff) -> Trace {
    let end = comparison.end().0;
    let even = (0..=MOMENTS).map(|i| end * f64::from(i) / f64::from(MOMENTS));
    let worst = diff.apart.worst.iter().map(|worst| worst.difference.time.0);
    let mut times: Vec<f64> = even.chain(worst).filter(|time| time.is_finite()).collect();
    times.sort_by(f64::total_cmp);
    let largest = |time: &f64| {
        let joints = comparison.joints_at(Seconds(*time), diff.apart.shell_m);
        [*time, joints.into_iter().map(|(_, off)| off * 1e3).fold(0.0, f64::max)]
    };
    Trace { name: "mm".to_owned(), points: times.iter().map(largest).collect(), ..Trace::default() }
}

/// The colour of a difference: green where there is none, yellow at the limit, red at ten times that and above.
pub(crate) fn color(off: f64, limit: f64) -> [u8; 4] {
    const STOPS: [[f64; 3]; 3] = [[70.0, 190.0, 100.0], [240.0, 190.0, 50.0], [235.0, 60.0, 60.0]];
    let share = if limit > 0.0 { off / limit } else { 0.0 };
    let place = if share <= 1.0 { share } else { 1.0 + share.log10() };
    let place = if place.is_finite() { place.clamp(0.0, 2.0) } else { 2.0 };
    let (from, part) = if place < 1.0 { (0, place) } else { (1, place - 1.0) };
    let mix = |i: usize| (STOPS[from][i] + (STOPS[from + 1][i] - STOPS[from][i]) * part) as u8;
    [mix(0), mix(1), mix(2), 255]
}

/// A length in a unit that suits it.
pub(crate) fn length(metres: f64) -> String {
    match metres.abs() {
        0.0 => "0".to_owned(),
        m if m < 1e-4 => format!("{:.3} µm", metres * 1e6),
        m if m < 0.01 => format!("{:.3} mm", metres * 1e3),
        m if m < 1.0 => format!("{:.2} cm", metres * 1e2),
        _ => format!("{metres:.3} m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;
    use crate::inbox::Delivery;
    use std::path::Path;

    fn bench(files: &[&str]) -> Bench {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in files {
            delivery.add((*name).to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let mut bench = Bench::default();
        bench.open(delivery);
        bench
    }

    #[test]
    fn a_file_agrees_with_itself_at_all_times() {
        let bench = bench(&["jump.bvh", "jump.bvh"]);
        let [a, b] = [&bench.documents[0], &bench.documents[1]];
        let mut compared = Compared::new(a, b, None).unwrap();
        assert!(compared.diff.apart.is_within && compared.is_of(a, b, None) && !compared.is_of(b, a, None));
        assert!(compared.over_time.points.iter().all(|point| point[1] == 0.0));
        assert!(!compared.at(0.3).is_empty());
    }

    #[test]
    fn the_curve_reaches_what_diff_says_and_nothing_above() {
        let bench = bench(&["walk.vmd", "bow.vmd"]);
        let compared = Compared::new(&bench.documents[0], &bench.documents[1], None).unwrap();
        let worst = compared.diff.apart.tracks.iter().flat_map(|track| &track.channels);
        let worst = worst.filter(|d| d.channel == "model-space").map(|d| d.value).fold(0.0, f64::max);
        let reached = compared.over_time.points.iter().map(|point| point[1]).fold(0.0, f64::max);
        assert!(reached > 0.0 && reached <= worst * 1.000_001e3, "{reached} {worst}");
    }

    #[test]
    fn colours_say_on_which_side_of_the_limit_a_joint_is() {
        assert_eq!(color(0.0, 1e-4), [70, 190, 100, 255]);
        assert_eq!(color(1e-4, 1e-4), [240, 190, 50, 255]);
        assert_eq!(color(f64::INFINITY, 1e-4), [235, 60, 60, 255]);
        assert_eq!(
            (length(0.0), length(2.5e-5), length(0.004)),
            ("0".into(), "25.000 µm".into(), "4.000 mm".into())
        );
    }
}
