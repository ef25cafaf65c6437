//! Lines of the report on how far the model is off, and warnings.

use super::bound::Bound;
use super::rate::Frames;
use super::search::{in_units, share};
use super::storage::Rounded;
use super::tally::Tally;
use super::wishes::Conform;
use crate::compare::Comparison;
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, Fault, MaxError, POINTS, Place, Report};
use dopesheet_core::format::Parts;
use dopesheet_core::model::{Hierarchy, Scene};
use dopesheet_core::words::{self, counted, length};

/// Multiple of the tolerance beyond which a bound is a warning: bounds of dances are one and a half to three
/// times the measured error.
const FAR_BEYOND: f64 = 10.0;

/// Share of a limit up to which the rounding of key times is not mentioned: a micrometre for a limit of a
/// tenth of a millimetre.
const NEGLIGIBLE: f64 = 0.01;

/// Differences of a clip from its source.
pub(super) struct Measured {
    pub(super) comparison: Comparison,
    /// For each node, the share of its limit taken by stored precision alone.
    pub(super) precision: Vec<f64>,
    /// The grid of frames, if every frame has a key.
    pub(super) frames: Option<Frames>,
}

impl Measured {
    /// Differences that neither stored precision nor frames explain.
    pub(super) const fn unexplained(comparison: Comparison) -> Self {
        Self { comparison, precision: Vec::new(), frames: None }
    }
}

/// Results of a conversion for the report.
pub(super) struct Told {
    pub(super) tally: Tally,
    pub(super) rounded: Rounded,
    /// The comparison with the largest share of a limit.
    pub(super) largest: Option<Measured>,
    /// Upper bound of the displacement of any point in the measured clips.
    pub(super) bound: Bound,
    /// The same bound for clips whose tolerance it proves.
    pub(super) proved: Option<Bound>,
}

impl Told {
    pub(super) fn report(self, scene: &Scene, parts: &Parts, options: &Conform<'_>, report: &mut Report) {
        // Where all keys are kept, the rounding of their times is said only where it shows.
        let Self { tally, rounded, largest, bound, proved } = self;
        let is_kept = tally.is_exact() && rounded.is_empty();
        let tolerance = &options.tolerance;
        let largest = largest.filter(|largest| !(is_kept && share(Some(&largest.comparison)) <= NEGLIGIBLE));
        let negligible = NEGLIGIBLE * in_units(scene, tolerance).length_m;
        let proved = proved.filter(|bound| !(is_kept && bound.value <= negligible));
        tally.report(scene.basis.metres_per_unit, parts, report);
        rounded.report(scene.basis.metres_per_unit, options.storage, report);
        if let Some(largest) = largest {
            report_measured(scene, tolerance, &largest.comparison, bound, report);
            let is_beyond = warn_if_beyond(scene, tolerance, &largest, report);
            if !is_beyond {
                warn_of_bound(scene, tolerance, bound, report);
            }
        }
        if let Some(bound) = proved {
            report_proved(scene, tolerance, bound, report);
        }
    }
}

/// One line on the largest difference of the model from the source, with its bound in units of the scene.
fn report_measured(
    scene: &Scene,
    tolerance: &Tolerance,
    measured: &Comparison,
    bound: Bound,
    report: &mut Report,
) {
    let displaced = measured.farthest.as_ref().filter(|farthest| farthest.difference.value > 0.0);
    let Some(farthest) = displaced else { return };
    let difference = &farthest.difference;
    let what = format!("{}, measured at {}", points(scene, tolerance), counted(measured.samples, "time"));
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let bound = Some(bound.value * unit).filter(|bound| bound.is_finite());
    let (value, target) = (difference.value * unit, farthest.target.clone());
    report.bounded(what, MaxError { value, unit: ErrorUnit::Metre, target, time: difference.time }, bound);
}

/// One line on a bound that proves the tolerance.
fn report_proved(scene: &Scene, tolerance: &Tolerance, bound: Bound, report: &mut Report) {
    let value = bound.value * scene.basis.metres_per_unit.unwrap_or(1.0);
    report.proved(points(scene, tolerance), value, ErrorUnit::Metre);
}

/// The points for which a tolerance holds.
fn points(scene: &Scene, tolerance: &Tolerance) -> String {
    let is_known = scene.hierarchy == Hierarchy::Known;
    let [in_model, alone] = POINTS;
    let whose = if is_known { in_model } else { alone };
    format!("{whose}, up to {} from any joint", length(tolerance.shell_m(is_known)))
}

/// Warns of a bound far beyond the tolerance although the measured error is within the tolerance.
fn warn_of_bound(scene: &Scene, tolerance: &Tolerance, bound: Bound, report: &mut Report) {
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let value = bound.value * unit;
    if value <= FAR_BEYOND * tolerance.length_m || !value.is_finite() {
        return;
    }
    let name = scene.nodes.get(bound.node.0).map_or("", |node| node.name.as_str());
    let expected =
        format!("a bound of at most {FAR_BEYOND} times the tolerance {}", length(tolerance.length_m));
    let excess =
        format!("{} ({name} at {}), though less was measured", length(value), words::time(bound.time));
    report.warn(Fault::new("bound-far", Place::File, expected, excess));
}

/// Warns of targets beyond their limits, with the cause and a remedy. Returns true if there are any.
pub(super) fn warn_if_beyond(
    scene: &Scene,
    tolerance: &Tolerance,
    measured: &Measured,
    report: &mut Report,
) -> bool {
    let Measured { comparison, precision, frames } = measured;
    let all =
        comparison.tracks.iter().flat_map(|track| track.channels.iter().map(move |channel| (track, channel)));
    let beyond = all.filter(|(_, channel)| channel.share() > 1.0);
    let Some((track, most)) = beyond.max_by(|a, b| a.1.share().total_cmp(&b.1.share())) else { return false };
    let factor = match most.unit {
        ErrorUnit::Metre => scene.basis.metres_per_unit.unwrap_or(1.0),
        _ => 1.0,
    };
    let shell_m = tolerance.shell_m(scene.hierarchy == Hierarchy::Known);
    let asked = Tolerance { shell_m: Some(shell_m), ..*tolerance };
    let limit = most.limit.unwrap_or_default() * factor;
    let expected = format!("{} at most {} off (tolerance {asked})", most.channel, most.unit.in_words(limit));
    let cost = track.node.and_then(|node| precision.get(node.0)).copied().filter(|share| *share > 1.0);
    // Other keys than the source's own may cost less.
    let cost = cost.map(|share| share.min(most.share()));
    let cause = match (cost, frames) {
        (Some(share), _) => {
            format!(
                "the precision of stored values and times alone costs {}",
                most.unit.in_words(share * limit)
            )
        }
        (None, Some(frames)) => frames.cause(most.share()),
        (None, None) => "no keys that were tried bring it nearer".to_owned(),
    };
    let value = format!(
        "{} ({} at {}); {cause}, {} of {} within",
        most.unit.in_words(most.value * factor),
        track.target,
        words::time(most.time),
        comparison.tracks.iter().filter(|track| track.share() <= 1.0).count(),
        counted(comparison.tracks.len(), "target")
    );
    report.warn(Fault::new("tolerance-exceeded", Place::File, expected, value));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Basis, Node, NodeIndex, Transform};
    use dopesheet_core::units::Seconds;

    #[test]
    fn a_bound_of_more_than_ten_tolerances_is_a_warning_with_joint_and_time() {
        let mut scene = Scene::new(Basis::GLTF);
        scene.push_node(Node::new("hand", None, Transform::IDENTITY));
        let warning = |value: f64| {
            let mut report = Report::default();
            let bound = Bound { value, node: NodeIndex(0), time: Seconds(600.5) };
            warn_of_bound(&scene, &Tolerance::DEFAULT, bound, &mut report);
            report.findings.first().map(|finding| (finding.fault.code, finding.fault.found.to_string()))
        };
        assert_eq!(
            warning(0.141),
            Some(("bound-far", "14.1 cm (hand at 600.500 s), though less was measured".into()))
        );
        assert_eq!([warning(9e-4), warning(f64::INFINITY)], [None, None]);
    }
}
