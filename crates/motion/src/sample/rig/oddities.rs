//! Findings of a conversion about the rig that it solves.

use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::model::Scene;
use dopesheet_core::words::counted;
use dopesheet_rig::{RigFinding, Solver};

/// Code of the finding about joints that append each other's motion in a circle.
pub const RIG_CYCLE: &str = "rig-cycle";

/// Code of the finding about chains that ask for more rounds than are run.
pub const RIG_ROUNDS: &str = "rig-rounds";

/// Most joints or chains that a finding names.
const MOST_NAMED: usize = 8;

/// Reports the parts of a rig that no pose can satisfy.
pub(super) fn report(solver: &Solver, scene: &Scene, report: &mut Report) {
    let name = |node: usize| scene.nodes.get(node).map(|node| node.name.clone()).unwrap_or_default();
    let (mut cycles, mut chains) = (Vec::new(), Vec::new());
    for finding in solver.findings() {
        match finding {
            RigFinding::AppendCycle { node, .. } => cycles.push(name(node.0)),
            RigFinding::RoundsCut { chain, iterations } => {
                let goal = scene.rig.ik.get(*chain).map(|chain| name(chain.goal.0));
                chains.push(format!("{} ({iterations})", goal.unwrap_or_default()));
            }
            _ => {}
        }
    }
    let mut warn = |code, expected, what: &str, names: Vec<String>| {
        if names.is_empty() {
            return;
        }
        let count = counted(names.len(), what);
        let more = match names.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown: Vec<_> = names.into_iter().take(MOST_NAMED).collect();
        report.warn(Fault::new(code, Place::File, expected, format!("{count}: {}{more}", shown.join(", "))));
    };
    let expected = "joints that do not follow each other in circles, which are cut";
    warn(RIG_CYCLE, expected, "circle", cycles);
    let expected = "chains whose rounds a pose can afford; the others end early";
    warn(RIG_ROUNDS, expected, "chain", chains);
}
