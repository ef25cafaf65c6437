//! Values of a file at a time: curves, layers of curves, and the transforms of nodes.

mod chain;
mod curve;
mod optics;
mod paint;
mod property;
mod shapes;

pub use chain::TransformChain;
pub use curve::{AnimationCurve, CurveKey, Extrapolation, Interpolation, Tangent};
pub use optics::Optics;
pub use paint::{Alpha, Paint};
pub use property::{AnimatedProperty, CurveNode, Layer, LayerMode, Player, PropertyKind};
pub use shapes::Shapes;

pub(super) use optics::angle;
