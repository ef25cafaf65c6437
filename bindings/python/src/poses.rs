//! Poses as arrays, and arrays as poses.

use crate::arguments::Directions;
use crate::arrays::shaped;
use crate::errors::{argument, detached, raise};
use crate::file::Document;
use dopesheet::core::model::{Hierarchy, Transform};
use dopesheet::{Poses, poses::PoseJoint};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
};
use pyo3::prelude::*;

/// Poses on their way to Python.
#[derive(IntoPyObject)]
pub(crate) struct Arrays<'py> {
    name: Option<String>,
    axes: (&'static str, &'static str, &'static str),
    metres_per_unit: Option<f64>,
    hierarchy_known: bool,
    names: Vec<String>,
    indices: Vec<usize>,
    parents: Bound<'py, PyArray1<i32>>,
    offsets: Bound<'py, PyArray2<f32>>,
    rest_rotations: Bound<'py, PyArray2<f32>>,
    rest_scales: Bound<'py, PyArray2<f32>>,
    fps: Option<f64>,
    times: Bound<'py, PyArray1<f64>>,
    positions: Bound<'py, PyArray3<f32>>,
    rotations: Bound<'py, PyArray3<f32>>,
    scales: Bound<'py, PyArray3<f32>>,
}

impl<'py> Arrays<'py> {
    /// The numbers as arrays, which take them over.
    pub(crate) fn new(py: Python<'py>, poses: Poses) -> PyResult<Self> {
        let [times, joints] = [poses.times_s.len(), poses.joints.len()];
        let rests = || poses.joints.iter().map(|joint| joint.rest);
        let narrow = |numbers: Vec<f64>| numbers.into_iter().map(|x| x as f32).collect::<Vec<_>>();
        let parent =
            |joint: &PoseJoint| joint.parent.and_then(|parent| i32::try_from(parent).ok()).unwrap_or(-1);
        Ok(Self {
            axes: (poses.basis.left.word(), poses.basis.up.word(), poses.basis.front.word()),
            metres_per_unit: poses.basis.metres_per_unit,
            hierarchy_known: poses.hierarchy == Hierarchy::Known,
            indices: poses.joints.iter().map(|joint| joint.index).collect(),
            parents: poses.joints.iter().map(parent).collect::<Vec<_>>().into_pyarray(py),
            offsets: shaped(py, narrow(rests().flat_map(|r| r.translation).collect()), [joints, 3])?,
            rest_rotations: shaped(py, narrow(rests().flat_map(|r| r.rotation).collect()), [joints, 4])?,
            rest_scales: shaped(py, narrow(rests().flat_map(|r| r.scale).collect()), [joints, 3])?,
            names: poses.joints.into_iter().map(|joint| joint.name).collect(),
            name: poses.name,
            fps: poses.rate.map(|rate| rate.fps()),
            times: poses.times_s.into_pyarray(py),
            positions: shaped(py, poses.translations, [times, joints, 3])?,
            rotations: shaped(py, poses.rotations, [times, joints, 4])?,
            scales: shaped(py, poses.scales, [times, joints, 3])?,
        })
    }
}

/// Poses on their way from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Values<'py> {
    name: Option<String>,
    axes: Directions,
    metres_per_unit: Option<f64>,
    hierarchy_known: bool,
    names: Vec<String>,
    indices: Vec<usize>,
    parents: Vec<i64>,
    offsets: PyReadonlyArray2<'py, f32>,
    rest_rotations: PyReadonlyArray2<'py, f32>,
    rest_scales: PyReadonlyArray2<'py, f32>,
    fps: Option<f64>,
    times: PyReadonlyArray1<'py, f64>,
    positions: PyReadonlyArray3<'py, f32>,
    rotations: PyReadonlyArray3<'py, f32>,
    scales: PyReadonlyArray3<'py, f32>,
}

impl Values<'_> {
    fn poses(self, py: Python<'_>) -> PyResult<Poses> {
        let rate = self.fps.map(dopesheet::convert::rate).transpose().map_err(|error| raise(py, &error))?;
        Ok(Poses {
            basis: self.axes.basis(py, self.metres_per_unit)?,
            hierarchy: if self.hierarchy_known { Hierarchy::Known } else { Hierarchy::Unknown },
            joints: self.joints(py)?,
            name: self.name,
            rate,
            times_s: self.times.as_slice()?.to_vec(),
            translations: self.positions.as_slice()?.to_vec(),
            rotations: self.rotations.as_slice()?.to_vec(),
            scales: self.scales.as_slice()?.to_vec(),
        })
    }

    fn joints(&self, py: Python<'_>) -> PyResult<Vec<PoseJoint>> {
        let rows = |array: &PyReadonlyArray2<'_, f32>| array.as_slice().map(<[f32]>::to_vec);
        let (offsets, rotations, scales) =
            (rows(&self.offsets)?, rows(&self.rest_rotations)?, rows(&self.rest_scales)?);
        let rests = offsets.as_chunks::<3>().0.iter().zip(rotations.as_chunks::<4>().0);
        let rests = rests.zip(scales.as_chunks::<3>().0).map(|((offset, rotation), scale)| Transform {
            translation: offset.map(f64::from),
            rotation: rotation.map(f64::from),
            scale: scale.map(f64::from),
        });
        let links = self.names.iter().zip(&self.indices).zip(&self.parents);
        let joint = |(((name, index), parent), rest): (((&String, &usize), &i64), Transform)| {
            let parent = match parent {
                -1 => None,
                found => Some(usize::try_from(*found).map_err(|_| {
                    argument(py, "parents", "-1 for a root or the number of a joint", &found.to_string())
                })?),
            };
            Ok(PoseJoint { name: name.clone(), index: *index, parent, rest })
        };
        links.zip(rests).map(joint).collect()
    }
}

/// A file in memory that has these poses.
#[pyfunction]
pub(crate) fn from_poses(py: Python<'_>, file: &str, values: Values<'_>) -> PyResult<Document> {
    let poses = values.poses(py)?;
    detached(py, || poses.to_opened(file)).map(Document::new)
}

/// A row per time, an entry per joint.
type Column<'py> = Bound<'py, PyArray3<f32>>;

/// Linear and angular velocities of all joints as seen from the model.
#[pyfunction]
pub(crate) fn velocities<'py>(py: Python<'py>, values: Values<'py>) -> PyResult<(Column<'py>, Column<'py>)> {
    let poses = values.poses(py)?;
    let [times, joints] = [poses.times_s.len(), poses.joints.len()];
    let velocities = detached(py, || poses.velocities())?;
    Ok((
        shaped(py, velocities.linear, [times, joints, 3])?,
        shaped(py, velocities.angular, [times, joints, 3])?,
    ))
}

/// Positions and rotations of all joints as seen from the model.
#[pyfunction]
pub(crate) fn in_model_space<'py>(
    py: Python<'py>,
    values: Values<'py>,
) -> PyResult<(Column<'py>, Column<'py>)> {
    let poses = values.poses(py)?;
    let [times, joints] = [poses.times_s.len(), poses.joints.len()];
    let model = detached(py, || poses.in_model_space())?;
    Ok((shaped(py, model.positions, [times, joints, 3])?, shaped(py, model.rotations, [times, joints, 4])?))
}
