//! Properties of targets, and the composition of their values from curves.

use super::curve::Curve;
use std::borrow::Cow;

/// The property that a channel moves, with the unit of its values unless [`Channel::native`] says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Position relative to the parent, in units of the basis; 3 numbers.
    Translation,
    /// Rotation relative to the parent, unit quaternion x y z w.
    Rotation,
    /// Scale factors; 3 numbers.
    Scale,
    /// Translation and rotation together, from a composition that yields both ([`Composition::Orbit`]).
    Placement,
    /// The weight of a morph; 1 is full effect.
    Weight,
    /// The weights of all morphs of a node's mesh, in the order of its morph set.
    Weights,
    /// Visibility; 0 or 1.
    Visible,
    /// Activation; 0 or 1.
    Enabled,
    /// Vertical field of view in radians.
    YFov,
    /// Orthographic projection; 0 or 1.
    Orthographic,
    /// Linear RGB, 0..=1 each.
    Color,
    /// Lux or candela.
    Intensity,
    /// A direction in the scene's axes; 3 numbers, any length but 0.
    Direction,
    /// A point in the scene's axes; 3 numbers.
    Origin,
    /// A number or vector with no standard meaning; never converted between bases.
    Value,
    /// A muscle of a human figure, in shares of its range, or the position of its body or of a hand or foot:
    /// only an avatar defines the effect on joints. One number.
    Muscle,
    /// As [`Property::Value`], with a name of the source's.
    Named(Cow<'static, str>),
}

/// Kind of a property's value; decides blending, rebasing and error measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A length vector.
    Position,
    /// A unit quaternion.
    Rotation,
    /// A direction without a length.
    Direction,
    /// Plain numbers that no change of basis touches.
    Numbers,
    /// Switches and whole numbers without values in between.
    Discrete,
}

impl Property {
    /// Base colour of a material: linear RGBA, 0..=1 each. The target is of the kind
    /// [`Custom`](super::TargetKind::Custom), with the name of the material and its position in the scene.
    pub const BASE_COLOR: Self = Self::Named(Cow::Borrowed("base_color"));
    /// Emitted light of a material: linear RGB, 0..=1 each; the target as for [`Self::BASE_COLOR`].
    pub const EMISSIVE: Self = Self::Named(Cow::Borrowed("emissive"));

    /// The word used in JSON output.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Placement => "placement",
            Self::Weight => "weight",
            Self::Weights => "weights",
            Self::Visible => "visible",
            Self::Enabled => "enabled",
            Self::YFov => "yfov",
            Self::Orthographic => "orthographic",
            Self::Color => "color",
            Self::Intensity => "intensity",
            Self::Direction => "direction",
            Self::Origin => "origin",
            Self::Value => "value",
            Self::Muscle => "muscle",
            Self::Named(name) => name,
        }
    }

    /// Kind of its value.
    #[must_use]
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Translation | Self::Origin | Self::Placement => ValueKind::Position,
            Self::Rotation => ValueKind::Rotation,
            Self::Direction => ValueKind::Direction,
            Self::Visible | Self::Enabled | Self::Orthographic => ValueKind::Discrete,
            Self::Scale
            | Self::Weight
            | Self::Weights
            | Self::YFov
            | Self::Color
            | Self::Intensity
            | Self::Value
            | Self::Muscle
            | Self::Named(_) => ValueKind::Numbers,
        }
    }
}

/// A property of a target over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The property.
    pub property: Property,
    /// Composition of its value.
    pub composition: Composition,
    /// Name and unit in the source, if they differ from [`Property`].
    pub native: Option<Native>,
}

impl Channel {
    /// A channel with a single curve whose values are in the property's unit.
    #[must_use]
    pub const fn whole(property: Property, curve: Curve) -> Self {
        Self { property, composition: Composition::Whole(curve), native: None }
    }

    /// Number of numbers in a value of the channel; for a rotation, of a quaternion.
    #[must_use]
    pub fn numbers(&self) -> u64 {
        match self.property.kind() {
            ValueKind::Rotation => ROTATION,
            _ => self.composition.curves().map(|curve| curve.width as u64).sum(),
        }
    }
}

/// Numbers of a quaternion.
const ROTATION: u64 = 4;

/// Name and unit of a channel's values in the source.
///
/// Curves hold exactly the numbers of the file, so that nothing is rounded twice: stored value × `scale` is
/// the value in the property's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Native {
    /// The source's word for the channel, with its unit: `yfov_deg`.
    pub name: Cow<'static, str>,
    /// Property units per stored unit.
    pub scale: f64,
}

/// Composition of a value from curves.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all channels are one curve, which is best where it is; only the few others waste room"
)]
pub enum Composition {
    /// A single curve yields the whole value.
    Whole(Curve),
    /// A curve of width 1 per component, each with separate keys.
    Components(Vec<Curve>),
    /// As [`Composition::Components`] for a quaternion that is normalised after the evaluation of its
    /// components.
    ComponentsNormalised(Vec<Curve>),
    /// Angles that become a rotation after their interpolation: either one curve of width 3 (x, y, z) or
    /// three of width 1; radians unless [`Channel::native`] says otherwise.
    ///
    /// In a segment of a single curve with [`Blend::Slerp`](super::Blend::Slerp), the angles of the two keys
    /// become rotations first, and the shorter great arc between them counts, as in formats that state poses
    /// on frames alone.
    Euler {
        /// Order in which the turns are applied.
        order: EulerOrder,
        /// The angles.
        angles: Vec<Curve>,
    },
    /// A camera that circles a point; yields translation and rotation.
    Orbit(Box<Orbit>),
    /// A direction of any length that becomes the rotation of a light or camera looking there.
    Aim {
        /// A curve of width 3.
        direction: Box<Curve>,
        /// The local axis that is turned to the direction.
        axis: [f64; 3],
    },
    /// A direction of any length that becomes the shortest rotation of an axis to the direction: for rays,
    /// whose roll means nothing. A zero direction is no rotation; the opposite direction is half a turn about
    /// Y, or about X for the axis Y itself.
    Swing {
        /// The direction: one curve of width 3, or three of width 1.
        direction: Vec<Curve>,
        /// The local axis that is turned to the direction.
        axis: [f64; 3],
    },
}

impl Composition {
    /// The word for its kind.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Whole(_) => "whole",
            Self::Components(_) => "components",
            Self::ComponentsNormalised(_) => "components-normalised",
            Self::Euler { .. } => "euler",
            Self::Orbit(_) => "orbit",
            Self::Aim { .. } => "aim",
            Self::Swing { .. } => "swing",
        }
    }

    /// Order in which the angles turn, if there are angles.
    #[must_use]
    pub fn order(&self) -> Option<EulerOrder> {
        match self {
            Self::Euler { order, .. } => Some(*order),
            Self::Orbit(orbit) => Some(orbit.order),
            _ => None,
        }
    }

    /// All curves, in a fixed order.
    pub fn curves(&self) -> impl Iterator<Item = &Curve> {
        let (list, orbit): (&[Curve], Option<&Orbit>) = match self {
            Self::Whole(curve) => (std::slice::from_ref(curve), None),
            Self::Components(curves)
            | Self::ComponentsNormalised(curves)
            | Self::Swing { direction: curves, .. }
            | Self::Euler { angles: curves, .. } => (curves, None),
            Self::Orbit(orbit) => (&[], Some(orbit)),
            Self::Aim { direction, .. } => (std::slice::from_ref(direction), None),
        };
        let orbit = orbit.into_iter().flat_map(|o| o.target.iter().chain([&o.angles, &o.distance]));
        list.iter().chain(orbit)
    }

    /// All curves, in the same order as [`Composition::curves`].
    pub fn curves_mut(&mut self) -> Vec<&mut Curve> {
        match self {
            Self::Whole(curve) => vec![curve],
            Self::Components(curves)
            | Self::ComponentsNormalised(curves)
            | Self::Swing { direction: curves, .. }
            | Self::Euler { angles: curves, .. } => curves.iter_mut().collect(),
            Self::Orbit(orbit) => {
                let Orbit { target, angles, distance, .. } = &mut **orbit;
                target.iter_mut().chain([angles, distance]).collect()
            }
            Self::Aim { direction, .. } => vec![direction],
        }
    }
}

/// Order in which the turns about X, Y and Z are applied. `Zyx` is the product qZ·qY·qX: X is applied first,
/// in the parent's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EulerOrder {
    /// qX·qY·qZ
    Xyz,
    /// qX·qZ·qY
    Xzy,
    /// qY·qX·qZ
    Yxz,
    /// qY·qZ·qX
    Yzx,
    /// qZ·qX·qY
    Zxy,
    /// qZ·qY·qX
    Zyx,
}

impl EulerOrder {
    /// All six orders, at their numbers in FBX and Unity, whose names begin with the turn applied first: XYZ, XZY, YZX, YXZ, ZXY, ZYX.
    pub const ALL: [Self; 6] = [Self::Zyx, Self::Yzx, Self::Xzy, Self::Zxy, Self::Yxz, Self::Xyz];

    /// The axes of the product from left to right, 0 for X: `[2, 1, 0]` is qZ·qY·qX.
    #[must_use]
    pub const fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }

    /// The product as letters: `ZYX` is qZ·qY·qX.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Xyz => "XYZ",
            Self::Xzy => "XZY",
            Self::Yxz => "YXZ",
            Self::Yzx => "YZX",
            Self::Zxy => "ZXY",
            Self::Zyx => "ZYX",
        }
    }
}

/// A camera that circles a point: `R` from the signed angles in `order`, `eye = target + R·axis·distance`.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// The centre of the circle: three curves of width 1, in units of the basis.
    pub target: Vec<Curve>,
    /// Angles about X, Y and Z in radians; one curve of width 3.
    pub angles: Curve,
    /// Distance along `axis`, in units of the basis; one curve of width 1. May be negative.
    pub distance: Curve,
    /// Order in which the turns are applied.
    pub order: EulerOrder,
    /// Multiplied with the angles before they turn anything.
    pub angle_signs: [f64; 3],
    /// The local axis from the target to the eye at distance 1.
    pub axis: [f64; 3],
}
