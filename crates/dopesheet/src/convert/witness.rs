//! The source of a motion that another figure takes, kept until the verdict on what is written.

use dopesheet_core::diag::{Fault, Place, Report, Verdict};
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order;
use dopesheet_core::words::counted;
use dopesheet_motion::humanoid::{Moving, NOT_LIKE_THE_SOURCE, verdict};

/// Angle in radians from which on a leg whose foot is held is told.
const TOLD_RAD: f64 = 0.436_332;
/// Height in metres of a sole above or below the ground from which on it is told.
const TOLD_M: f64 = 0.02;
/// Least slide in metres that is told, if it is more than half of what it was.
const TOLD_SLIDE_M: f64 = 0.01;

/// A motion and its figure, and the bones of the one that takes it.
pub(super) struct Witness {
    source: Scene,
    humanoid: Humanoid,
    /// The target's bones, with the names of their nodes.
    target: Vec<(HumanBone, NodeIndex, String)>,
}

impl Witness {
    pub(super) fn of(scene: &Scene, humanoid: &Humanoid, made: &Scene) -> Option<Self> {
        let target = made.humanoid.as_ref()?.bones.iter();
        let name = |node: NodeIndex| made.node(node).map(|own| own.name.clone()).unwrap_or_default();
        Some(Self {
            target: target.map(|(bone, node)| (*bone, *node, name(*node))).collect(),
            source: Scene {
                nodes: scene.nodes.clone(),
                clips: scene.clips.clone(),
                hierarchy: scene.hierarchy,
                ..Scene::new(scene.basis)
            },
            humanoid: humanoid.clone(),
        })
    }

    /// The same of a figure that took the target's motion.
    pub(super) fn onto(self, figure: &Scene) -> Self {
        let name = |node: NodeIndex| figure.node(node).map(|own| own.name.clone()).unwrap_or_default();
        let bones = figure.humanoid.iter().flat_map(|own| &own.bones);
        Self { target: bones.map(|(bone, node)| (*bone, *node, name(*node))).collect(), ..self }
    }

    /// Measures what is written, whose clips of the source are those from a position on, and says so; what is bad is a warning.
    pub(super) fn judge(&self, written: &Scene, first: usize, report: &mut Report) {
        let node = |(bone, node, name): &(HumanBone, NodeIndex, String)| {
            let is_it = |node: &NodeIndex| written.node(*node).is_some_and(|own| own.name == *name);
            let first = || written.nodes.iter().position(|own| own.name == *name && own.mesh.is_none());
            Some((*bone, Some(*node).filter(is_it).or_else(|| first().map(NodeIndex))?))
        };
        let humanoid =
            Humanoid { bones: order::map(self.target.iter().filter_map(node)), ..Humanoid::default() };
        for clip in 0..self.source.clips.len() {
            let from = Moving { scene: &self.source, humanoid: &self.humanoid, clip };
            let to = Moving { scene: written, humanoid: &humanoid, clip: first.saturating_add(clip) };
            if let Some(own) = verdict(&from, &to, &report.slides) {
                warn(&own, report);
                report.verdicts.push(own);
            }
        }
    }
}

fn warn(own: &Verdict, report: &mut Report) {
    let mut said = Vec::new();
    let degrees = |angle: f64| format!("{:.0}°", angle.to_degrees());
    let astray: Vec<_> = own.astray().collect();
    if let [first, rest @ ..] = astray.as_slice() {
        let more = if rest.is_empty() {
            String::new()
        } else {
            format!(" (and {} more)", counted(rest.len(), "bone"))
        };
        said.push(format!("{} {} off at {:.3} s{more}", first.bone, degrees(first.angle_rad), first.time.0));
    }
    if let Some(limb) = own.held().filter(|limb| limb.angle_rad > TOLD_RAD) {
        said.push(format!(
            "{} turned {} to hold its foot at {:.3} s",
            limb.bone,
            degrees(limb.angle_rad),
            limb.time.0
        ));
    }
    let is_off = own.soles_m.is_some_and(|[low, high]| low < -TOLD_M || high > TOLD_M);
    if let Some((soles, (bone, time))) = own.soles().zip(own.sole_at.as_ref()).filter(|_| is_off) {
        said.push(format!("{soles} while they stand ({bone} at {:.3} s)", time.0));
    }
    let slide = own.slides_m.filter(|[before, after]| *after > TOLD_SLIDE_M && *after > before / 2.0);
    if let Some([before, after]) = slide {
        said.push(format!("a stand that slides {:.0} mm ({:.0} mm before)", after * 1e3, before * 1e3));
    }
    if !said.is_empty() {
        let expected = "limbs that point where the source's point, and soles on the ground";
        report.warn(Fault::new(NOT_LIKE_THE_SOURCE, Place::File, expected, said.join(", ")));
    }
}
