//! Camera and light.

use super::lanes::{GRID, Lane, Moment, Plan};
use super::{Writer, axes, curves, number, numbers};
use crate::vmd::defaults;
use crate::vmd::document::{CameraKeyframe, LightKeyframe};
use crate::vmd::targets;
use dopesheet_core::diag::{ConvertError, ErrorUnit, MaxError};
use dopesheet_core::model::{
    Composition, Curve, EulerOrder, Law, Laws, Lens, Node, NodeIndex, Orbit, PoseRelation, Property,
    TargetKind, Times, Track,
};
use dopesheet_curve::{OrbitConvention, nearest_equivalent_euler, quat_normalise_or_identity};

/// What was found of the one camera or light that a file holds.
struct Optic<'a> {
    node: Option<NodeIndex>,
    tracks: Vec<&'a Track>,
}

impl<'a> Optic<'a> {
    fn channel(&self, property: &Property) -> Option<&'a dopesheet_core::model::Channel> {
        self.tracks.iter().flat_map(|track| &track.channels).find(|channel| channel.property == *property)
    }

    fn curves(&self, property: &Property) -> Vec<&'a Curve> {
        self.tracks.iter().map(|track| curves(track, property)).find(|c| !c.is_empty()).unwrap_or_default()
    }
}

impl<'a> Writer<'a, '_> {
    /// The tracks of the first node with a camera or light; those of others are dropped.
    fn optic(&mut self, kind: TargetKind, carries: impl Fn(&Node) -> bool) -> Option<Optic<'a>> {
        let (scene, mut found) = (self.scene, None::<Optic<'a>>);
        for track in &self.clip.tracks {
            let node = track.target.node.filter(|node| scene.node(*node).is_some_and(&carries));
            if track.target.kind != kind && (track.target.kind != TargetKind::Joint || node.is_none()) {
                continue;
            }
            match &mut found {
                None => found = Some(Optic { node, tracks: vec![track] }),
                Some(optic) if optic.node == node => optic.tracks.push(track),
                Some(_) => self.losses.add(format!("more {} tracks", kind.word()), "the format holds one"),
            }
        }
        found
    }

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
        let resting_fov = [self.lens_fov_deg(&optic)];
        let fov = optic.channel(&Property::YFov);
        let scale = fov.and_then(|fov| fov.native.as_ref()).map_or(1.0, |native| native.scale).to_degrees();
        let fov_curve = optic.curves(&Property::YFov).into_iter().next();
        let fov_lane = Lane::new(fov_curve, 0..1, &resting_fov)?;
        let flat = optic.curves(&Property::Orthographic).into_iter().next();
        let target: Vec<&Curve> = orbit.target.iter().collect();
        let [x, y, z] = axes(&target, &defaults::TARGET)?;
        let lanes = [
            x,
            y,
            z,
            Lane::new(Some(&orbit.angles), 0..3, &defaults::ANGLES)?,
            Lane::new(Some(&orbit.distance), 0..1, &[defaults::DISTANCE])?,
            fov_lane,
            Lane::new(flat, 0..1, &[0.0])?,
        ];
        let scale = if fov_curve.is_some() { scale } else { 1.0 };
        self.camera_keys(&lanes, scale)
    }

    /// Lanes in the order of the channels of a camera key, then the projection. `fov_scale` is degrees per stored
    /// unit.
    fn camera_keys(&mut self, lanes: &[Lane<'_>; 7], fov_scale: f64) -> Result<(), ConvertError> {
        let plan = Plan::new(lanes)?;
        self.losses.plan(&plan, true);
        let mut rounding = (0.0, 0);
        for (moment, follows_jump) in plan.moments() {
            let [x, y, z, angles, distance, fov, flat] = lanes;
            let fov_deg = f64::from(number(fov.value(moment))) * fov_scale;
            let (least, most) = defaults::FOV_RANGE_DEG;
            let whole = fov_deg.round().clamp(f64::from(least), f64::from(most));
            if (whole - fov_deg).abs() > rounding.0 {
                rounding = ((whole - fov_deg).abs(), moment.frame());
            }
            let curve = |lane: &Lane<'_>| lane.arriving(moment, follows_jump);
            self.document.cameras.push(CameraKeyframe {
                frame: moment.frame(),
                distance: number(distance.value(moment)),
                target: [x, y, z].map(|lane| number(lane.value(moment))),
                angles: numbers(angles.value(moment)),
                interpolation: CameraKeyframe::interpolation_bytes(
                    [x, y, z, angles, distance, fov].map(curve),
                ),
                fov_deg: whole as u32,
                perspective_off: u8::from(number(flat.value(moment)) != 0.0),
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

    /// The field of view of a camera whose lens does not move.
    fn lens_fov_deg(&self, optic: &Optic<'_>) -> f32 {
        let node = optic.node.and_then(|node| self.scene.node(node));
        let camera = node.and_then(|node| node.camera).and_then(|camera| self.scene.cameras.get(camera.0));
        match camera.map(|camera| camera.lens) {
            Some(Lens::Perspective { yfov_rad, .. }) => yfov_rad.to_degrees() as f32,
            Some(Lens::Orthographic { .. }) | None => defaults::FOV_DEG,
        }
    }

    /// A camera that is placed by translation and rotation, as a circle of MikuMikuDance's default radius around
    /// what it looks at.
    fn circle(&self, optic: &Optic<'a>) -> Result<Box<Orbit>, ConvertError> {
        let (place, turn) = (optic.curves(&Property::Translation), optic.curves(&Property::Rotation));
        let [x, y, z] = axes(&place, &[0.0; 3])?;
        let lanes = [x, y, z, Lane::new(turn.first().copied(), 0..4, &[0.0, 0.0, 0.0, 1.0])?];
        let plan = Plan::new(&lanes)?;
        let rest = self.rest_in_scene(optic.node);
        let mut frames = Vec::new();
        let (mut target, mut angles) = (vec![Vec::new(); 3], Vec::new());
        let mut previous = [0.0; 3];
        for (moment, _) in plan.moments() {
            let (eye, rotation) = self.pose(&lanes, moment, rest);
            let ahead = rotate(rotation, [0.0, 0.0, f64::from(-defaults::DISTANCE)]);
            for axis in 0..3 {
                target[axis].push((eye[axis] + ahead[axis]) as f32);
            }
            previous = nearest_equivalent_euler(
                dopesheet_curve::EulerOrder::Yxz,
                OrbitConvention::MMD.angles(rotation),
                previous,
            );
            angles.extend(previous.map(|angle| angle as f32));
            frames.push(i64::from(moment.frame()));
        }
        let times = Times::Frames { rate: GRID, frames: frames.into() };
        let curve = |width, values| Curve::new(times.clone(), width, values, Laws::uniform(Law::LINEAR));
        let OrbitConvention { angle_signs, axis } = OrbitConvention::MMD;
        Ok(Box::new(Orbit {
            distance: curve(1, vec![defaults::DISTANCE; times.len()]),
            target: target.into_iter().map(|values| curve(1, values)).collect(),
            angles: curve(3, angles),
            order: EulerOrder::Yxz,
            angle_signs,
            axis,
        }))
    }

    /// Place and rotation in the scene at a moment.
    fn pose(&self, lanes: &[Lane<'_>; 4], moment: Moment, rest: Pose) -> Pose {
        let [x, y, z, turn] = lanes;
        let place = [x, y, z].map(|lane| f64::from(number(lane.value(moment))));
        let turn = quat_normalise_or_identity(numbers::<4>(turn.value(moment)).map(f64::from));
        match self.clip.relation {
            PoseRelation::OnTopOfRest => (add(rest.0, place), multiply(turn, rest.1)),
            PoseRelation::Absolute => (add(rest.0, rotate(rest.1, place)), multiply(rest.1, turn)),
        }
    }

    /// The rest pose of a node in the scene, or of its parent where values replace the rest pose.
    fn rest_in_scene(&self, node: Option<NodeIndex>) -> Pose {
        let mut pose: Pose = ([0.0; 3], [0.0, 0.0, 0.0, 1.0]);
        let mut next = node.and_then(|node| self.scene.node(node));
        if self.clip.relation == PoseRelation::Absolute {
            next = next.and_then(|node| node.parent).and_then(|parent| self.scene.node(parent));
        }
        // Parents stand before their children, so this ends; the bound is for scenes that break that rule.
        for _ in 0..self.scene.nodes.len() {
            let Some(node) = next else { break };
            let scaled: [f64; 3] = std::array::from_fn(|n| pose.0[n] * node.rest.scale[n]);
            pose = (
                add(node.rest.translation, rotate(node.rest.rotation, scaled)),
                multiply(node.rest.rotation, pose.1),
            );
            next = node.parent.and_then(|parent| self.scene.node(parent));
        }
        pose
    }

    pub(super) fn light(&mut self) -> Result<(), ConvertError> {
        let Some(optic) = self.optic(TargetKind::Light, |node| node.light.is_some()) else { return Ok(()) };
        let node = optic.node.and_then(|node| self.scene.node(node));
        let light = node.and_then(|node| node.light).and_then(|light| self.scene.lights.get(light.0));
        let color = light.map_or(defaults::LIGHT_COLOR, |light| light.color.map(|part| part as f32));
        let turn = optic.curves(&Property::Rotation).into_iter().next();
        let direction = optic.curves(&Property::Direction).into_iter().next();
        let lanes = [
            Lane::new(optic.curves(&Property::Color).into_iter().next(), 0..3, &color)?,
            Lane::new(direction, 0..3, &defaults::LIGHT_DIRECTION)?,
            Lane::new(turn.filter(|_| direction.is_none()), 0..4, &[0.0, 0.0, 0.0, 1.0])?,
        ];
        let plan = Plan::new(&lanes)?;
        self.losses.plan(&plan, true);
        let rest = self.rest_in_scene(optic.node);
        for (moment, _) in plan.moments() {
            let [color, direction, turn] = &lanes;
            let direction = match (optic.channel(&Property::Direction), optic.channel(&Property::Rotation)) {
                (None, Some(_)) => {
                    let turn = quat_normalise_or_identity(numbers::<4>(turn.value(moment)).map(f64::from));
                    let turn = match self.clip.relation {
                        PoseRelation::OnTopOfRest => multiply(turn, rest.1),
                        PoseRelation::Absolute => multiply(rest.1, turn),
                    };
                    rotate(turn, [0.0, 0.0, 1.0]).map(|part| part as f32)
                }
                _ => numbers(direction.value(moment)),
            };
            self.document.lights.push(LightKeyframe {
                frame: moment.frame(),
                color: numbers(color.value(moment)),
                direction,
            });
        }
        Ok(())
    }
}

/// Rounding of a field of view that is not worth a word, in degrees: the file's numbers went through f32 radians.
const FOV_ROUNDING_DEG: f64 = 1e-4;

type Pose = ([f64; 3], [f64; 4]);

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|n| a[n] + b[n])
}

/// Hamilton product: `b` turns first.
fn multiply(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// A vector turned by a unit quaternion.
fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let [x, y, z, w] = q;
    let [vx, vy, vz, _] = multiply(multiply(q, [v[0], v[1], v[2], 0.0]), [-x, -y, -z, w]);
    [vx, vy, vz]
}
