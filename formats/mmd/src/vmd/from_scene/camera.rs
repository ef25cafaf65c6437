//! The camera.

use super::lane::{CurveLane, GRID};
use super::optic::{Optic, three};
use super::plan::Plan;
use super::{Writer, axes};
use crate::vmd::defaults;
use crate::vmd::document::CameraKeyframe;
use crate::vmd::targets;
use dopesheet_core::diag::{ConvertError, ErrorUnit, MaxError};
use dopesheet_core::model::{Composition, Curve, Lens, Property, TargetKind};

impl Writer<'_, '_> {
    pub(super) fn camera(&mut self) -> Result<(), ConvertError> {
        let Some(optic) = self.optic(TargetKind::Camera, |node| node.camera.is_some()) else { return Ok(()) };
        let circled;
        let orbit = match optic.channel(&Property::Placement).map(|channel| &channel.composition) {
            Some(Composition::Orbit(orbit)) => orbit,
            _ => {
                circled = self.circle(&optic)?;
                &circled
            }
        };
        let fov = optic.curves(&Property::YFov).into_iter().next();
        let native = optic.channel(&Property::YFov).and_then(|channel| channel.native.as_ref());
        let (fov_scale, resting_fov) = match (fov, native) {
            (None, _) => (1.0, self.lens_fov_deg(&optic)),
            (Some(_), native) => {
                let scale = native.map_or(1.0, |native| native.scale).to_degrees();
                (scale, (f64::from(defaults::FOV_DEG) / scale) as f32)
            }
        };
        let resting_fov = [resting_fov];
        let flat = optic.curves(&Property::Orthographic).into_iter().next();
        let target: Vec<&Curve> = orbit.target.iter().collect();
        let [x, y, z] = axes(&target, &defaults::TARGET)?;
        let lanes = [
            x,
            y,
            z,
            CurveLane::new(Some(&orbit.angles), 0..3, &defaults::ANGLES)?,
            CurveLane::new(Some(&orbit.distance), 0..1, &[defaults::DISTANCE])?,
            CurveLane::new(fov, 0..1, &resting_fov)?,
            CurveLane::new(flat, 0..1, &[0.0])?.stepping(),
        ];
        self.camera_keys(&lanes, fov_scale)
    }

    /// Lanes in the order of the channels of a camera key, then the projection. `fov_scale` is degrees per stored
    /// unit.
    fn camera_keys(&mut self, lanes: &[CurveLane<'_>; 7], fov_scale: f64) -> Result<(), ConvertError> {
        let plan = Plan::new(lanes);
        self.losses.plan(&plan, true);
        let mut rounding = (0.0, 0);
        for (moment, from) in plan.moments() {
            let [x, y, z, angles, distance, fov, flat] = lanes;
            let fov_deg = f64::from(fov.value(moment)[0]) * fov_scale;
            let (least, widest) = defaults::FOV_RANGE_DEG;
            let whole = fov_deg.round().clamp(f64::from(least), f64::from(widest));
            if (whole - fov_deg).abs() > rounding.0 {
                rounding = ((whole - fov_deg).abs(), moment.frame());
            }
            let curve = |lane: &CurveLane<'_>| lane.arriving(moment, from);
            self.sources.cameras.push(lanes.iter().find_map(|lane| lane.source(moment)));
            self.document.cameras.push(CameraKeyframe {
                frame: moment.frame(),
                distance: distance.value(moment)[0],
                target: [x, y, z].map(|lane| lane.value(moment)[0]),
                angles: three(angles.value(moment)),
                interpolation: CameraKeyframe::interpolation_bytes(
                    [x, y, z, angles, distance, fov].map(curve),
                ),
                fov_deg: whole as u32,
                perspective_off: u8::from(flat.value(moment)[0] != 0.0),
            });
        }
        if rounding.0 > FOV_ROUNDING_DEG {
            let max_error = MaxError {
                value: rounding.0.to_radians(),
                unit: ErrorUnit::Radian,
                target: targets::CAMERA.to_owned(),
                time: GRID.seconds(f64::from(rounding.1)),
            };
            self.report.approximated("field of view, in whole degrees", max_error);
        }
        Ok(())
    }

    /// The field of view of a camera with a constant lens.
    fn lens_fov_deg(&self, optic: &Optic<'_>) -> f32 {
        let node = optic.node.and_then(|node| self.scene.node(node));
        let camera = node.and_then(|node| node.camera).and_then(|camera| self.scene.cameras.get(camera.0));
        match camera.map(|camera| camera.lens) {
            Some(Lens::Perspective { yfov_rad, .. }) => yfov_rad.to_degrees() as f32,
            Some(Lens::Orthographic { .. }) | None => defaults::FOV_DEG,
        }
    }
}

/// Largest rounding of a field of view that is not reported, in degrees: the file's numbers went through f32
/// radians.
const FOV_ROUNDING_DEG: f64 = 1e-4;
