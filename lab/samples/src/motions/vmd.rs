//! A pencil for motions of MikuMikuDance: keys by bone, angles in degrees, curves by name.

use dopesheet_mmd::text::Name;
use dopesheet_mmd::vmd::{
    BoneKeyframe, CameraKeyframe, Document, IkSwitch, ModelKeyframe, MorphKeyframe, Physics, Version,
};
use glam::{DQuat, DVec3};

/// The easing towards a key: control points x1, y1, x2, y2 in 127ths.
pub(super) type Curve = [u8; 4];

/// At a steady speed.
pub(super) const STEADY: Curve = [20, 20, 107, 107];
/// Slow, fast, slow.
pub(super) const SMOOTH: Curve = [60, 0, 67, 127];
/// Slow at first: a thing that gathers speed.
pub(super) const LEAVING: Curve = [74, 6, 104, 88];
/// Slow at the end: a thing that comes to rest.
pub(super) const ARRIVING: Curve = [22, 62, 48, 124];
/// Very fast at first: a thing that is let go.
pub(super) const SNAPPING: Curve = [16, 70, 40, 126];

/// A motion that is being drawn.
pub(super) struct Motion(pub(super) Document);

impl Motion {
    /// An empty motion for a model.
    pub(super) fn new(model: &str) -> Self {
        Self(Document::new(Version::V0002, &name(model)))
    }

    /// The keys of a bone: frame, turn in degrees about X, Y and Z (applied Z first), how it gets there.
    pub(super) fn turn(&mut self, bone: &str, keys: &[(u32, [f64; 3], Curve)]) {
        for &(frame, degrees, curve) in keys {
            self.key(bone, frame, [0.0; 3], turned(degrees), curve);
        }
    }

    /// The keys of a bone: frame, offset in MikuMikuDance's units, how it gets there.
    pub(super) fn shift(&mut self, bone: &str, keys: &[(u32, [f64; 3], Curve)]) {
        for &(frame, offset, curve) in keys {
            self.key(bone, frame, offset, DQuat::IDENTITY, curve);
        }
    }

    /// The keys of an elbow that is bent about its hinge: frame, degrees, how it gets there.
    pub(super) fn bend(&mut self, side: Side, keys: &[(u32, f64, Curve)]) {
        for &(frame, degrees, curve) in keys {
            let turn = DQuat::from_axis_angle(side.elbow_axis(), degrees.to_radians());
            self.key(&side.of("ひじ"), frame, [0.0; 3], turn, curve);
        }
    }

    /// One key of a bone.
    pub(super) fn key(&mut self, bone: &str, frame: u32, offset: [f64; 3], turn: DQuat, curve: Curve) {
        self.0.bones.push(BoneKeyframe {
            name: name(bone),
            frame,
            translation: offset.map(|x| x as f32),
            rotation: turn.to_array().map(|x| x as f32),
            interpolation: BoneKeyframe::interpolation_bytes([curve; 4], Physics::On),
        });
    }

    /// The keys of a morph: frame and weight.
    pub(super) fn morph(&mut self, morph: &str, keys: &[(u32, f32)]) {
        let key = |&(frame, weight)| MorphKeyframe { name: name(morph), frame, weight };
        self.0.morphs.extend(keys.iter().map(key));
    }

    /// The model is shown, and its feet stay where they are put.
    pub(super) fn feet_on(&mut self) {
        let bones = ["左足ＩＫ", "右足ＩＫ", "左つま先ＩＫ", "右つま先ＩＫ"];
        let ik = bones.map(|bone| IkSwitch { name: name(bone), enabled: 1 }).to_vec();
        self.0.models.push(ModelKeyframe { frame: 0, visible: 1, ik });
    }

    /// One key of the camera: frame, target, angles in degrees, distance, field of view, how it gets there.
    pub(super) fn camera(&mut self, frame: u32, shot: Shot, curve: Curve) {
        self.0.cameras.push(CameraKeyframe {
            frame,
            distance: shot.distance as f32,
            target: shot.target.map(|x| x as f32),
            angles: shot.degrees.map(|x| x.to_radians() as f32),
            interpolation: CameraKeyframe::interpolation_bytes([curve; 6]),
            fov_deg: shot.fov_deg,
            perspective_off: 0,
        });
    }
}

/// Where the camera stands and how it looks.
#[derive(Clone, Copy)]
pub(super) struct Shot {
    /// The point it circles.
    pub(super) target: [f64; 3],
    /// About X (positive: from below), Y and Z.
    pub(super) degrees: [f64; 3],
    /// Negative, as MikuMikuDance stores it.
    pub(super) distance: f64,
    /// Vertical.
    pub(super) fov_deg: u32,
}

/// Left or right, as the figure sees it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    /// +X in MikuMikuDance.
    Left,
    /// −X
    Right,
}

impl Side {
    /// Both, left first.
    pub(super) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The bone of this side: `左腕`.
    pub(super) fn of(self, bone: &str) -> String {
        format!("{}{bone}", if self == Self::Left { '左' } else { '右' })
    }

    /// +1 on the left.
    pub(super) fn sign(self) -> f64 {
        if self == Self::Left { 1.0 } else { -1.0 }
    }

    /// About which a bent forearm comes forward when the arm rests 35° below the horizontal.
    fn elbow_axis(self) -> DVec3 {
        let (down, out) = 35f64.to_radians().sin_cos();
        DVec3::new(down, self.sign() * out, 0.0)
    }
}

/// About Z, then Y, then X, all in the parent's axes.
pub(super) fn turned(degrees: [f64; 3]) -> DQuat {
    let [x, y, z] = degrees.map(f64::to_radians);
    DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y) * DQuat::from_rotation_z(z)
}

/// A name field; the names used here are short and have no character that CP932 lacks.
pub(super) fn name<const N: usize>(text: &str) -> Name<N> {
    Name::encode(text, true).map_or(Name::EMPTY, |encoded| encoded.name)
}
