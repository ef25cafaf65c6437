//! A motion of a file with the stored keys.

use crate::curve::Curve;
use dopesheet::core::model::{self, Composition};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::Mutex;

/// A motion as stored in a file.
#[pyclass(frozen, module = "dopesheet._native")]
pub(crate) struct Clip {
    #[pyo3(get)]
    name: Option<String>,
    #[pyo3(get)]
    duration: f64,
    #[pyo3(get)]
    fps: Option<f64>,
    #[pyo3(get)]
    made_for: Option<String>,
    #[pyo3(get)]
    looping: &'static str,
    #[pyo3(get)]
    on_top_of_rest: bool,
    #[pyo3(get)]
    markers: Vec<(f64, String)>,
    read: Mutex<Vec<model::Track>>,
    tracks: PyOnceLock<Py<PyAny>>,
}

/// Target, kind, number, channels.
type Track = (String, &'static str, usize, Vec<Channel>);
/// Property, composition, order of angles, name and scale in the source, curves.
type Channel = (String, &'static str, Option<&'static str>, Option<(String, f64)>, Vec<Curve>);

impl Clip {
    /// Takes over the tracks of a clip.
    pub(crate) fn new(clip: model::Clip) -> Self {
        Self {
            name: clip.name,
            duration: clip.duration.0,
            fps: clip.grid.map(|grid| grid.fps()),
            made_for: clip.made_for,
            looping: clip.looping.word(),
            on_top_of_rest: clip.relation == model::PoseRelation::OnTopOfRest,
            markers: clip.markers.into_iter().map(|marker| (marker.time.0, marker.name)).collect(),
            read: Mutex::new(clip.tracks),
            tracks: PyOnceLock::new(),
        }
    }
}

#[pymethods]
impl Clip {
    /// The tracks. All callers, from any thread, get the same curves.
    #[getter]
    fn tracks(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let make = || {
            let mut held = self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let tracks = std::mem::take(&mut *held);
            drop(held);
            let tracks: Vec<Track> = tracks.into_iter().map(track).collect();
            tracks.into_pyobject(py).map(Bound::unbind)
        };
        self.tracks.get_or_try_init(py, make).map(|tracks| tracks.clone_ref(py))
    }
}

fn track(track: model::Track) -> Track {
    let target = track.target;
    let name = target.label.unwrap_or(target.name);
    (name, target.kind.word(), target.index, track.channels.into_iter().map(channel).collect())
}

fn channel(channel: model::Channel) -> Channel {
    let (word, order) = (channel.composition.word(), channel.composition.order().map(|order| order.word()));
    let native = channel.native.map(|native| (native.name.into_owned(), native.scale));
    let curves = curves(channel.composition).into_iter().map(Curve::new).collect();
    (channel.property.word().to_owned(), word, order, native, curves)
}

/// All curves, in the order of [`Composition::curves`].
fn curves(composition: Composition) -> Vec<model::Curve> {
    match composition {
        Composition::Whole(curve) => vec![curve],
        Composition::Components(curves)
        | Composition::ComponentsNormalised(curves)
        | Composition::Swing { direction: curves, .. }
        | Composition::Euler { angles: curves, .. } => curves,
        Composition::Orbit(orbit) => orbit.target.into_iter().chain([orbit.angles, orbit.distance]).collect(),
        Composition::Aim { direction, .. } => vec![*direction],
    }
}
