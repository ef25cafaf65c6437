//! The poses of an animation as plain arrays of numbers, and animations made from arrays.

mod play;
mod scene;
mod speeds;

pub use play::poses;
pub use speeds::Velocities;

use crate::error::Error;
use dopesheet_core::model::{Basis, Hierarchy, NodeIndex, Transform};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use dopesheet_motion::sample::pose::{decompose, model_transforms};

/// Local transforms of all joints at some times, column by column.
///
/// Each column has a row per time, a row an entry per joint, and an entry its numbers, one after the other in memory.
/// Rules that [`Poses::validate`] checks, in this order:
/// 1. there is a joint, and parents stand before their children;
/// 2. each column has as many numbers as times and joints need;
/// 3. all numbers are finite, times ascend, and quaternions are of unit length within
///    [`UNIT_SLACK`](super::rotation::UNIT_SLACK).
#[derive(Clone, Debug, PartialEq)]
pub struct Poses {
    /// Name of the clip; `None` if it has no name.
    pub name: Option<String>,
    /// Axes of the numbers, and the length of the unit.
    pub basis: Basis,
    /// Origin of the parents.
    pub hierarchy: Hierarchy,
    /// Joints that move; parents before children.
    pub joints: Vec<PoseJoint>,
    /// Poses per second, if the times are frames 0, 1, 2 … of that rate.
    pub rate: Option<FrameRate>,
    /// When, in seconds.
    pub times_s: Vec<f64>,
    /// Translations relative to the parent, x y z, in units of the basis.
    pub translations: Vec<f32>,
    /// Rotations relative to the parent: unit quaternions x y z w.
    pub rotations: Vec<f32>,
    /// Scale factors along the local axes.
    pub scales: Vec<f32>,
}

/// A joint of [`Poses`].
#[derive(Clone, Debug, PartialEq)]
pub struct PoseJoint {
    /// Its name; names may repeat or be empty.
    pub name: String,
    /// Number of the joint in the source; its position if the source has no number.
    pub index: usize,
    /// The position of the parent.
    pub parent: Option<usize>,
    /// Transform relative to the parent while nothing moves the joint.
    pub rest: Transform,
}

/// Positions and rotations of all joints as seen from the model: model transforms multiplied as matrices, then taken apart
/// by [`decompose`].
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPoses {
    /// Positions, x y z, in units of the basis; laid out as [`Poses::translations`].
    pub positions: Vec<f32>,
    /// Unit quaternions x y z w; laid out as [`Poses::rotations`].
    pub rotations: Vec<f32>,
}

impl Poses {
    /// Checks the numbered rules of the type.
    ///
    /// # Errors
    /// [`Error::Usage`] with the first broken rule and the entry that breaks it.
    pub fn validate(&self) -> Result<(), Error> {
        let fault = self.joints_fault().or_else(|| self.lengths_fault()).or_else(|| self.numbers_fault());
        fault.map_or(Ok(()), |text| Err(Error::Usage(text)))
    }

    fn joints_fault(&self) -> Option<String> {
        if self.joints.is_empty() {
            return Some("expected at least one joint, found none".into());
        }
        self.joints.iter().enumerate().find_map(|(index, joint)| {
            let parent = joint.parent.filter(|parent| *parent >= index)?;
            Some(format!(
                "expected the parent of joint {index} (\"{}\") to stand before it, found parent {parent}",
                joint.name
            ))
        })
    }

    fn lengths_fault(&self) -> Option<String> {
        let entries = self.times_s.len() * self.joints.len();
        let columns = [
            ("translations", self.translations.len(), 3),
            ("rotations", self.rotations.len(), 4),
            ("scales", self.scales.len(), 3),
        ];
        columns.into_iter().find(|(_, count, width)| *count != entries * width).map(|(name, count, width)| {
            format!(
                "expected {} {name} ({}, {}, {width} numbers each), found {count}",
                entries * width,
                counted(self.times_s.len(), "time"),
                counted(self.joints.len(), "joint"),
            )
        })
    }

    fn numbers_fault(&self) -> Option<String> {
        if let Some(bad) = self.times_s.iter().find(|t| !t.is_finite()) {
            return Some(format!("expected finite times, found {bad}"));
        }
        if let Some([a, b]) = self.times_s.array_windows::<2>().find(|[a, b]| a > b) {
            return Some(format!("expected ascending times, found {b} after {a}"));
        }
        let columns = [
            ("translations", &self.translations, 3),
            ("rotations", &self.rotations, 4),
            ("scales", &self.scales, 3),
        ];
        for (name, numbers, width) in columns {
            if let Some(index) = numbers.iter().position(|x| !x.is_finite()) {
                let bad = numbers.get(index).copied().unwrap_or_default();
                return Some(format!(
                    "expected finite {name}, found {bad} {}",
                    self.entry_words(index / width)
                ));
            }
        }
        let lengths =
            self.rotations.as_chunks::<4>().0.iter().map(|q| q.iter().map(|x| x * x).sum::<f32>().sqrt());
        let slack = super::rotation::UNIT_SLACK as f32;
        let (index, length) = lengths.enumerate().find(|(_, length)| (length - 1.0).abs() > slack)?;
        Some(format!("expected unit quaternions, found one of length {length} {}", self.entry_words(index)))
    }

    /// Words for the time and joint of an entry.
    fn entry_words(&self, entry: usize) -> String {
        let (time, joint) = (entry / self.joints.len(), entry % self.joints.len());
        let name = self.joints.get(joint).map_or("", |joint| &joint.name);
        format!("at time {time}, joint {joint} (\"{name}\")")
    }

    /// Poses of all joints in model space, computed in f64 and rounded once.
    ///
    /// # Errors
    /// [`Error::Usage`] if the hierarchy is unknown, or a rule of the type is broken.
    pub fn in_model_space(&self) -> Result<ModelPoses, Error> {
        if self.hierarchy == Hierarchy::Unknown {
            let text =
                "expected a hierarchy for positions in model space, found a motion alone; give its model";
            return Err(Error::Usage(text.into()));
        }
        self.joints_fault()
            .or_else(|| self.lengths_fault())
            .map_or(Ok(()), |text| Err(Error::Usage(text)))?;
        let parents: Vec<Option<NodeIndex>> = self.joints.iter().map(|j| j.parent.map(NodeIndex)).collect();
        let mut out = ModelPoses {
            positions: Vec::with_capacity(self.translations.len()),
            rotations: Vec::with_capacity(self.rotations.len()),
        };
        let entries = self.translations.as_chunks::<3>().0.iter().zip(self.rotations.as_chunks::<4>().0);
        let local: Vec<Transform> = entries.zip(self.scales.as_chunks::<3>().0).map(wide).collect();
        for row in local.chunks(self.joints.len()) {
            for joint in model_transforms(parents.iter().copied(), row).0.iter().map(decompose) {
                out.positions.extend(joint.translation.map(|x| x as f32));
                out.rotations.extend(joint.rotation.map(|x| x as f32));
            }
        }
        Ok(out)
    }
}

fn wide(((translation, rotation), scale): ((&[f32; 3], &[f32; 4]), &[f32; 3])) -> Transform {
    Transform {
        translation: translation.map(f64::from),
        rotation: rotation.map(f64::from),
        scale: scale.map(f64::from),
    }
}
