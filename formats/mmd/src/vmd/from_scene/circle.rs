//! A camera placed by translation and rotation, converted to a camera on an orbit around a point.

use super::lane::{CurveLane, GRID, Moment};
use super::optic::{Optic, Rest, add, rotate};
use super::plan::Plan;
use super::{Writer, axes};
use crate::BASIS;
use crate::vmd::defaults;
use crate::vmd::targets;
use dopesheet_core::diag::{ConvertError, ErrorUnit, MaxError};
use dopesheet_core::model::{Curve, EulerOrder, Law, Laws, Orbit, Property, Times};
use dopesheet_curve::{EULER_YXZ, OrbitConvention, nearest_equivalent_euler};

/// From the camera to the centre of its orbit, against its view.
const DISTANCE: f64 = defaults::DISTANCE as f64;
/// Largest error of a straight segment that is not split, in radians: 0.01°.
const ANGLE_RAD: f64 = 1.745e-4;
/// The same for the place of the camera, in MikuMikuDance's units: 0.1 mm.
const PLACE: f64 = 1.25e-3;
/// Shortest segment that may be split: its halves are two frames long. Shorter halves would be cuts.
const SHORTEST: usize = 4;

/// The camera at one frame.
#[derive(Clone, Copy)]
struct Sample {
    target: [f64; 3],
    angles: [f64; 3],
}

impl Sample {
    fn mixed(&self, other: &Self, u: f64) -> Self {
        let mix = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|n| a[n] + (b[n] - a[n]) * u);
        Self { target: mix(self.target, other.target), angles: mix(self.angles, other.angles) }
    }

    /// Distances of two cameras: in angle, and in position.
    fn apart(&self, other: &Self) -> (f64, f64) {
        let largest = |a: [f64; 3], b: [f64; 3]| (0..3).map(|n| (a[n] - b[n]).abs()).fold(0.0, f64::max);
        let eye = |sample: &Self| OrbitConvention::MMD.eye(sample.target, sample.angles, DISTANCE);
        (largest(self.angles, other.angles), largest(eye(self), eye(other)))
    }
}

/// Largest errors so far, and their frames.
#[derive(Default)]
struct LargestErrors {
    angle: (f64, u32),
    position: (f64, u32),
}

impl LargestErrors {
    fn note(&mut self, angle: f64, offset: f64, frame: u32) {
        if angle > self.angle.0 {
            self.angle = (angle, frame);
        }
        if offset > self.position.0 {
            self.position = (offset, frame);
        }
    }
}

impl<'a> Writer<'a, '_> {
    /// The camera as an orbit, with its centre ahead at MikuMikuDance's default distance. Between keys,
    /// angles are interpolated linearly instead of the rotation, so segments are split until both agree at
    /// every frame.
    pub(super) fn circle(&mut self, optic: &Optic<'a>) -> Result<Box<Orbit>, ConvertError> {
        let rest = self.rest(optic.node);
        let translation = optic.curves(&Property::Translation);
        let turn = optic.curves(&Property::Rotation).into_iter().next();
        let [x, y, z] = axes(&translation, &rest.place)?;
        let lanes = [x, y, z, CurveLane::new(turn, 0..4, &rest.turn)?];
        let plan = Plan::new(&lanes);
        self.losses.bent_jumps += plan.bent_jumps;
        let mut keys: Vec<(u32, Sample)> = Vec::new();
        let mut largest = LargestErrors::default();
        let first = Some((Moment::At(0), None)).filter(|_| plan.moments().next().is_none());
        for (moment, _) in plan.moments().chain(first) {
            let frame = moment.frame();
            let Some((last, before)) = keys.last().copied() else {
                keys.push((frame, sample(&lanes, &rest, moment, [0.0; 3])));
                continue;
            };
            let gap = frame.saturating_sub(last);
            let inner = if gap <= defaults::LAST_FRAME { last.saturating_add(1)..frame } else { 0..0 };
            let mut exact = vec![before];
            for moment in inner.map(Moment::At).chain([moment]) {
                exact.extend(exact.last().map(|previous| sample(&lanes, &rest, moment, previous.angles)));
            }
            split(&exact, last, &mut keys, &mut largest);
            keys.extend(exact.last().map(|sample| (frame, *sample)));
        }
        self.report_circle(&largest);
        Ok(orbit(&keys))
    }

    fn report_circle(&mut self, largest: &LargestErrors) {
        let metres = BASIS.metres_per_unit.unwrap_or(1.0);
        let errors = [
            ("camera angles", largest.angle.0, ErrorUnit::Radian, largest.angle.1, 1e-6),
            ("camera place", largest.position.0 * metres, ErrorUnit::Metre, largest.position.1, 1e-6),
        ];
        for (what, value, unit, frame, remarkable) in errors {
            if value > remarkable {
                let (target, time) = (targets::CAMERA.to_owned(), GRID.seconds(f64::from(frame)));
                self.report.approximated(what, MaxError { value, unit, target, time });
            }
        }
    }
}

fn sample(lanes: &[CurveLane<'_>; 4], rest: &Rest, moment: Moment, previous: [f64; 3]) -> Sample {
    let [x, y, z, turn] = lanes;
    let eye = rest.place_in_scene([x, y, z].map(|lane| lane.value(moment)[0]));
    let turn = rest.turn_in_scene(turn, moment);
    let ahead = rotate(turn, BASIS.camera_looks.vector().map(|part| part * -DISTANCE));
    let angles = OrbitConvention::MMD.angles(turn);
    Sample { target: add(eye, ahead), angles: nearest_equivalent_euler(EULER_YXZ, angles, previous) }
}

/// Adds keys within a segment, given by its samples at every frame from `start` on, until the segment is
/// straight enough.
fn split(exact: &[Sample], start: u32, keys: &mut Vec<(u32, Sample)>, largest: &mut LargestErrors) {
    let ([first, .., last], length) = (exact, exact.len().saturating_sub(1)) else { return };
    let error = |at: usize| exact[at].apart(&first.mixed(last, at as f64 / length as f64));
    let errors = || (1..length).map(|at| (at, error(at)));
    if length >= SHORTEST && errors().any(|(_, (angle, offset))| angle > ANGLE_RAD || offset > PLACE) {
        let middle = length / 2;
        let frame = start.saturating_add(middle as u32);
        split(&exact[..=middle], start, keys, largest);
        keys.push((frame, exact[middle]));
        split(&exact[middle..], frame, keys, largest);
    } else {
        errors()
            .for_each(|(at, (angle, offset))| largest.note(angle, offset, start.saturating_add(at as u32)));
    }
}

fn orbit(keys: &[(u32, Sample)]) -> Box<Orbit> {
    let frames = keys.iter().map(|(frame, _)| i64::from(*frame)).collect();
    let times = Times::Frames { rate: GRID, frames };
    let curve = |width, values| Curve::new(times.clone(), width, values, Laws::uniform(Law::LINEAR));
    let target = |axis: usize| curve(1, keys.iter().map(|(_, sample)| sample.target[axis] as f32).collect());
    // Adding zero turns −0 into 0.
    let angles = keys.iter().flat_map(|(_, sample)| sample.angles.map(|angle| angle as f32 + 0.0));
    let OrbitConvention { angle_signs, axis } = OrbitConvention::MMD;
    Box::new(Orbit {
        target: (0..3).map(target).collect(),
        angles: curve(3, angles.collect()),
        distance: curve(1, vec![defaults::DISTANCE; keys.len()]),
        order: EulerOrder::Yxz,
        angle_signs,
        axis,
    })
}
