//! Height of a figure, as a test of the unit in which its lengths were read.

use HumanBone as B;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Hierarchy, HumanBone, Scene};
use dopesheet_core::words::{length, number};
use dopesheet_human::propose;
use dopesheet_motion::sample::pose::{model_pose, rest_pose};
use std::ops::Range;

/// Code of the finding about a figure of implausible height.
pub(super) const FIGURE_HEIGHT: &str = "figure-height";

/// Plausible heights from the lowest to the highest bone of a figure, in metres: people of 1.2 to 2.2 m,
/// whose heads end above their joints.
const PLAUSIBLE_M: Range<f64> = 1.05..2.2;
/// Length of a leg from hip to ankle as a share of the height in `PLAUSIBLE_M`.
const LEG: f64 = 0.52;
/// Share of the height computed from the legs below which a figure lies or rests folded.
const FOLDED: f64 = 0.6;
/// Fewest bones of a figure that is known well enough to be measured.
const FEWEST: usize = 15;

/// Heights that a better unit has to give, in metres.
const USUAL_M: Range<f64> = 1.2..2.1;

/// Lengths of the units in use in files, in metres: m, dm, cm, mm, feet, inches, and the unit of the CMU's
/// motion capture.
const UNITS_M: [f64; 7] = [1.0, 0.1, 0.01, 0.001, 0.3048, 0.0254, 0.056_444];

/// Remarks on a human figure of implausible height, and suggests the unit that gives the figure a person's
/// height. The scene's lengths were in units of `metres_per_unit`.
pub(super) fn check(scene: &Scene, metres_per_unit: f64, names: &NameMap, report: &mut Report) {
    if scene.hierarchy == Hierarchy::Unknown {
        return;
    }
    let places = model_pose(scene, &rest_pose(scene)).0;
    let (axis, metres) = (scene.basis.up.index(), scene.basis.metres_per_unit.unwrap_or(1.0));
    let elevation = |node: usize| places.get(node).map_or(0.0, |rest| rest.translation[axis] * metres);
    // Finding a figure takes longer than seeing that all of the scene is of a plausible size.
    let all = height((0..scene.nodes.len()).map(elevation));
    if PLAUSIBLE_M.contains(&all) || all == 0.0 {
        return;
    }
    let figure = propose(scene, names).humanoid;
    let height_m = height(figure.bones.values().map(|node| elevation(node.0)));
    // One that rests folded is as tall as its legs say.
    let joint = |bone| places.get(figure.bones.get(&bone)?.0).map(|rest| rest.translation * metres);
    let leg = [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot].map(joint);
    let by_legs = match leg {
        [Some(hip), Some(knee), Some(ankle)] => (hip.distance(knee) + knee.distance(ankle)) / LEG,
        _ => height_m,
    };
    let height_m = if height_m < FOLDED * by_legs { by_legs } else { height_m };
    let is_plausible = [height_m, by_legs].iter().any(|height| PLAUSIBLE_M.contains(height));
    // Hands alone are no figure.
    if figure.bones.len() < FEWEST || !figure.bones.contains_key(&B::Hips) || is_plausible || height_m <= 0.0
    {
        return;
    }
    let makes = |unit: f64| height_m / metres_per_unit * unit;
    let usual = UNITS_M.into_iter().find(|unit| USUAL_M.contains(&makes(*unit)));
    let unit = usual.unwrap_or(metres_per_unit * 1.7 / height_m);
    let size = format!(
        "one of {}; --scale {} makes it {}",
        length(height_m),
        usual.map_or_else(|| number(unit), |unit| unit.to_string()),
        length(makes(unit))
    );
    report.info(Fault::new(FIGURE_HEIGHT, Place::File, "a human figure as tall as people are", size));
}

/// Distance from the lowest to the highest of several heights; 0 for an empty list.
fn height(places: impl Iterator<Item = f64>) -> f64 {
    let (low, high) =
        places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low <= high { high - low } else { 0.0 }
}
