//! Repairs and omissions on the way into a scene.

use crate::animation::codes;
use crate::animation::damage::damage;
use crate::animation::document::{Document, NumberCurve, Pose};
use crate::animation::names::PoseName;
use crate::animation::repair::{Repaired, repair};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::model::{Curve, Property};
use dopesheet_core::words::counted;

pub(super) struct Repairs {
    pub(super) as_stored: bool,
    /// Poses with a restored rotation, and the number of their uncertain keys.
    restored: Vec<(String, usize)>,
    refused: Vec<String>,
}

impl Repairs {
    pub(super) const fn new(as_stored: bool) -> Self {
        Self { as_stored, restored: Vec::new(), refused: Vec::new() }
    }

    /// The restored W of a damaged rotation.
    pub(super) fn rotation(
        &mut self,
        document: &Document,
        name: PoseName,
        pose: &Pose,
    ) -> Option<NumberCurve> {
        if self.as_stored {
            return None;
        }
        damage(pose)?;
        let Repaired { w, uncertain } = repair(document, name, pose)?;
        self.restored.push((name.to_string(), uncertain));
        Some(w)
    }

    /// True if the curves of a channel can be played; otherwise the channel is noted and refused.
    pub(super) fn accept(&mut self, label: &str, property: &Property, curves: &[Curve]) -> bool {
        let is_sound = curves.iter().all(|curve| curve.values.iter().all(|value| value.is_finite()));
        if !is_sound && !self.as_stored {
            self.refused.push(format!("{} of {label}", property.word()));
        }
        is_sound || self.as_stored
    }

    pub(super) fn report(&self, report: &mut Report) {
        if !self.restored.is_empty() {
            report.warn(self.restoration());
        }
        if !self.refused.is_empty() {
            report.dropped(self.refused.join(", "), "some of its values are not finite");
        }
    }

    fn restoration(&self) -> Fault {
        let names: Vec<&str> = self.restored.iter().map(|(name, _)| name.as_str()).collect();
        let uncertain = self.restored.iter().filter(|(_, keys)| *keys > 0);
        let uncertain: Vec<String> = uncertain.map(|(name, keys)| format!("{keys} of {name}")).collect();
        let doubt = match uncertain.as_slice() {
            [] => String::new(),
            list => format!("; the sign is least certain where W is below 0.1: {}", list.join(", ")),
        };
        let poses = counted(names.len(), "pose");
        let actual = format!("{poses} with a lost W, which has been restored{doubt}");
        Fault::new(codes::ROTATION_W_DAMAGED.code, Place::File, "a W for every key of a rotation", actual)
            .at_path(names.join(", "))
    }
}
