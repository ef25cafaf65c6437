//! The source of a motion that another figure takes, kept until the verdict on the result.

use dopesheet_core::diag::{Fault, Place, Report, Verdict};
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order;
use dopesheet_core::words::counted;
use dopesheet_human::{Moving, NOT_LIKE_THE_SOURCE, carrying_surface, verdict};

/// Smallest angle in radians at which a leg with a held foot is reported.
const TOLD_RAD: f64 = 0.436_332;
/// Smallest height in metres of a sole above or below the ground at which the sole is reported.
const TOLD_M: f64 = 0.02;
/// Smallest slide in metres that is reported, if it is also more than half of the slide in the source.
const TOLD_SLIDE_M: f64 = 0.01;

/// A motion and its figure, and the bones of the figure that takes the motion.
pub(in crate::convert) struct Witness {
    source: Scene,
    humanoid: Humanoid,
    /// The target's bones, with the names of their nodes.
    target: Vec<(HumanBone, NodeIndex, String)>,
    /// Height in metres by which the figure was raised, as asked for.
    raised_m: f64,
}

impl Witness {
    pub(in crate::convert) fn of(
        scene: &Scene,
        humanoid: &Humanoid,
        figure: &Scene,
        raised_m: f64,
    ) -> Option<Self> {
        let target = figure.humanoid.as_ref()?.bones.iter();
        let name = |node: NodeIndex| figure.node(node).map(|node| node.name.clone()).unwrap_or_default();
        Some(Self {
            target: target.map(|(bone, node)| (*bone, *node, name(*node))).collect(),
            source: Scene {
                nodes: scene.nodes.clone(),
                clips: scene.clips.clone(),
                hierarchy: scene.hierarchy,
                ..Scene::new(scene.basis)
            },
            humanoid: carrying_surface(scene, humanoid),
            raised_m,
        })
    }

    /// The same witness for a figure that took the target's motion and was raised.
    pub(in crate::convert) fn onto(self, figure: &Scene, raised_m: f64) -> Self {
        let name = |node: NodeIndex| figure.node(node).map(|node| node.name.clone()).unwrap_or_default();
        let bones = figure.humanoid.iter().flat_map(|humanoid| &humanoid.bones);
        Self { target: bones.map(|(bone, node)| (*bone, *node, name(*node))).collect(), raised_m, ..self }
    }

    /// Measures the written scene, whose clip `first` is the first clip of the source, and adds the verdicts
    /// to the report; a bad verdict is a warning.
    pub(in crate::convert) fn judge(&self, written: &Scene, first: usize, report: &mut Report) {
        let node = |(bone, node, name): &(HumanBone, NodeIndex, String)| {
            let is_it = |node: &NodeIndex| written.node(*node).is_some_and(|written| written.name == *name);
            let first = || written.nodes.iter().position(|node| node.name == *name && node.mesh.is_none());
            Some((*bone, Some(*node).filter(is_it).or_else(|| first().map(NodeIndex))?))
        };
        let humanoid =
            Humanoid { bones: order::map(self.target.iter().filter_map(node)), ..Humanoid::default() };
        for clip in 0..self.source.clips.len() {
            let from = Moving { scene: &self.source, humanoid: &self.humanoid, clip, ground_m: 0.0 };
            let clip = first.saturating_add(clip);
            let to = Moving { scene: written, humanoid: &humanoid, clip, ground_m: self.raised_m };
            if let Some(verdict_of_clip) = verdict(&from, &to, &report.slides) {
                warn(&verdict_of_clip, report);
                report.verdicts.push(verdict_of_clip);
            }
        }
    }
}

fn warn(verdict: &Verdict, report: &mut Report) {
    let mut complaints = Vec::new();
    let degrees = |angle: f64| format!("{:.0}°", angle.to_degrees());
    let astray: Vec<_> = verdict.astray().collect();
    if let [first, rest @ ..] = astray.as_slice() {
        let more = if rest.is_empty() {
            String::new()
        } else {
            format!(" (and {} more)", counted(rest.len(), "bone"))
        };
        complaints.push(format!(
            "{} {} off at {:.3} s{more}",
            first.bone,
            degrees(first.angle_rad),
            first.time.0
        ));
    }
    if let Some(limb) = verdict.held().filter(|limb| limb.angle_rad > TOLD_RAD) {
        complaints.push(format!(
            "{} turned {} to hold its foot at {:.3} s",
            limb.bone,
            degrees(limb.angle_rad),
            limb.time.0
        ));
    }
    let is_off = verdict.soles_m.is_some_and(|[low, high]| low < -TOLD_M || high > TOLD_M);
    if let Some((soles, (bone, time))) = verdict.soles().zip(verdict.sole_at.as_ref()).filter(|_| is_off) {
        complaints.push(format!("{soles} while they stand ({bone} at {:.3} s)", time.0));
    }
    let slide = verdict.slides_m.filter(|[before, after]| *after > TOLD_SLIDE_M && *after > before / 2.0);
    if let Some([before, after]) = slide {
        complaints.push(format!("a stand that slides {:.0} mm ({:.0} mm before)", after * 1e3, before * 1e3));
    }
    if verdict.sunk_m() > 0.0 {
        complaints.push(verdict.lowest.to_string());
    }
    if !complaints.is_empty() {
        let expected = "limbs that point where the source's point, and soles on the ground";
        report.warn(Fault::new(NOT_LIKE_THE_SOURCE, Place::File, expected, complaints.join(", ")));
    }
}
