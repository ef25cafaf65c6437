//! The JSON files of the PlayCanvas engine: animations ([`animation`]) and models ([`model`]).
//!
//! Both are legacy formats: the engine's `animation` component plays them, its newer `anim` component wants
//! glTF. Sources: PlayCanvas engine, `src/framework/parsers/json-animation.js` and `json-model.js`,
//! `src/scene/animation/`, and the files in the engine's repository.

pub mod animation;
pub mod model;

mod comments;
mod head;
mod place;
