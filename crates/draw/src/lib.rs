//! Drawings of an animation: triangles and lines from a scene at a time, and a rasteriser that turns them
//! into pictures without a window.
//!
//! [`Stage`] prepares a scene, [`Stage::player`] yields its moments, and [`Stage::drawing`] the shapes of a
//! moment. All shapes are in metres and glTF's axes (right-handed, +Y up, figures face +Z), whatever the
//! scene's axes are; a unit of unknown length counts as a metre. A [`Frame`] finds the [`View`] with a whole
//! movement in the picture, and [`raster`] draws the picture; a window hands the same triangles and lines to
//! a graphics processor.

mod drawing;
mod extent;
mod figure;
mod frame;
mod ground;
mod hands;
mod light;
mod moment;
mod optics;
pub mod raster;
mod skeleton;
mod solid;
mod stage;
mod texture;
mod theme;
mod view;

pub use drawing::{Drawing, Line, Look, Surface};
pub use frame::Frame;
pub use ground::Ground;
pub use light::Light;
pub use moment::{Moment, Player};
pub use raster::Picture;
pub use stage::Stage;
pub use texture::{Level, Texture, Textures};
pub use theme::Theme;
pub use view::{Direction, View};
